"""The lesson on residual and norm shows what core computes of the stream, and claims what was measured."""

import numpy as np
import pytest

from core.models.transformers.ablated_gpt import FORMS, WHOLE
from core.models.transformers.ablated_gpts import costs, stored_ablated_gpt, stored_trainings, text_loss
from core.models.transformers.residual_stream import cosine, read_stream, shares_of_logit
from pages.transformers.residual_norm import PIECES, SENTENCE
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    question,
    said,
    table_with,
    try_prompt,
)
from tests.lessons.self_attention.test_self_attention import PLAY, TEXT


def open_with(**query):
    return open_lesson("residual_norm", query.pop("own", TEXT), **{"typed": SENTENCE, **query})


def found(form, text=SENTENCE, place=-1):
    """Return a small GPT, its stream on a text and the likeliest token after a place."""
    model = stored_ablated_gpt(form)
    stream = read_stream(model.network, model.read(text).ids)
    return model, stream, int(stream.logits[place].argmax())


def test_the_table_and_the_figures_hold_what_core_computes_of_the_last_token():
    app = open_with()
    model, stream, token = found(WHOLE)
    table = table_with(app, "share of the logit")
    np.testing.assert_allclose(
        table["share of the logit"], shares_of_logit(stream, model.network, -1, token), atol=1e-5
    )
    written = table["length written"].dropna()
    np.testing.assert_allclose(written, [write.added[-1].norm() for write in stream.writes], rtol=1e-5)
    cosines = [float(cosine(write.added[-1], write.before[-1])) for write in stream.writes]
    np.testing.assert_allclose(table["cosine with the stream"].dropna(), cosines, atol=1e-5)
    lengths, shares, directions = figures(app)[:3]
    np.testing.assert_allclose(numbers(lengths["data"][-1]["y"]), stream.lengths[:, -1], rtol=1e-5)
    assert numbers(shares["data"][0]["y"]) == pytest.approx(table["share of the logit"].tolist(), abs=1e-5)
    assert numbers(directions["data"][0]["y"]) == pytest.approx(cosines, abs=1e-5)
    total = float(stream.logits[-1, token] - stream.logits[-1].mean())
    assert f"stands {abs(total):.2f} {'above' if total >= 0 else 'below'} the mean of all" in said(app)


@pytest.mark.parametrize("form", PIECES)
def test_a_piece_left_out_is_read_by_the_model_that_was_trained_without_it_and_its_loss_is_shown(form):
    app = open_with(own=PLAY, piece=form, broken="true", step="5")
    _, stream, _ = found(form, place=4)
    written = table_with(app, "length written")["length written"].dropna()
    np.testing.assert_allclose(written, [write.added[4].norm() for write in stream.writes], rtol=1e-5)
    (whole, n), (broken, _) = (text_loss(stored_ablated_gpt(each), PLAY) for each in (WHOLE, form))
    assert list(metrics(app).values()) == [f"{whole:.3f}", f"{broken:.3f}"]
    assert f"the first {n:,} characters" in said(app)
    cost = costs({each: runs[0] for each, runs in stored_trainings().losses.items()})[form]
    verdict = (
        "worse than the whole" if cost.low > 0 else "better than" if cost.high < 0 else "luck of the plays"
    )
    assert f"{cost.mean:+.3f} nats a character".replace("-", "−") in said(app)
    assert verdict in said(app)


def test_the_table_of_costs_is_that_of_the_recorded_losses_and_names_the_dearest():
    app = open_with()
    losses = stored_trainings().losses
    table = table_with(app, "trained so: more").set_index("form")
    assert set(table.index) == set(FORMS)
    for form, runs in losses.items():
        assert table["nats a character"][form] == pytest.approx(runs[0].mean())
        assert table["trained so: more"][form] == pytest.approx((runs[0] - losses[WHOLE][0]).mean())
    dearest = table["trained so: more"].idxmax()
    assert f"Trained with {dearest}: +" in said(app) or f"Trained as {dearest}: +" in said(app)


def test_until_the_guess_no_loss_is_shown():
    app = open_with(predict="true", broken="true")
    drawn = len(figures(app))
    assert "nats a character" not in str(figures(app)) and not metrics(app)
    assert {option.replace("\\", "") for option in question(app).options} == set(PIECES)
    guess(app)
    assert len(figures(app)) == drawn + 2 and metrics(app)


def test_a_larger_model_is_read_and_gives_way_to_the_one_trained_without_a_piece():
    app = open_with(model="GPT, byte pairs", step="1")
    assert "2,048 byte pairs" in said(app)
    app.toggle(key="residual_norm_broken").set_value(True).run()
    assert not app.exception
    assert "GPT, byte pairs was trained in one form only" in said(app)


@pytest.mark.parametrize(
    "query",
    [
        {"typed": "", "broken": "true", "piece": "post-norm"},
        {"typed": "\n\n", "step": "99"},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>", "broken": "true", "piece": "no norm"},
        {"typed": "word " * 390, "model": "GPT, byte pairs"},
        {"own": "", "source": "from your text"},
        {"own": "早上好", "broken": "true", "source": "from your text"},
    ],
    ids=str,
)
def test_no_text_and_no_end_of_a_control_breaks_the_page(query):
    app = open_with(**query)
    assert not app.exception
    if query.get("own"):
        assert "no character that these models know" in said(app)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(), "residual_norm", number).run()
    assert not app.exception
    if number == 3:
        assert "2,048 byte pairs" in said(app)
    else:
        assert metrics(app)
