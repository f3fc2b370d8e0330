"""The lesson on the logit lens shows what core reads out of each layer's stream."""

import numpy as np
import pytest
import torch

from core.figures.self_attention.heads import names_of
from core.lesson.choices.transformer_choice import GPTS
from core.models.self_attention.ablation import first_runs
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.logit_lens import lens_over, logit_lens
from pages.transformers.logit_lens import SENTENCE
from tests.lessons.lesson_page import (
    figures,
    frames,
    guess,
    metrics,
    open_lesson,
    question,
    said,
    sent,
    table_with,
)
from tests.lessons.self_attention.three_texts import PASTED, TEXTS

LABELS = {name: label for label, name in GPTS.items()}
EACH_MODEL = pytest.mark.parametrize("name", LABELS)


def reading(name, text, normed=True):
    model = attentive_model(name)
    return model, logit_lens(model.network, model.read(text, 64).ids, normed)


@EACH_MODEL
def test_each_step_writes_the_likeliest_token_of_its_layer_in_the_grid_and_in_the_sentence(name):
    app = open_lesson("logit_lens", typed="the king of the land", source="typed", model=LABELS[name])
    assert not app.exception
    model, found = reading(name, "the king of the land")
    T, layers = len(found.ids), len(found.log_p)
    shared, first = sent(app, "attend_steps")["shared"], max(0, T - 13)
    named = names_of([model.vocabulary[i] for i in range(len(model.vocabulary))])
    expected = [named[i] for t in range(first, min(T, first + 12)) for i in found.says[:, t].tolist()]
    assert shared["words"] == expected
    p = found.log_p.max(-1).values.exp()[:, first : first + 12].T.flatten()
    np.testing.assert_allclose(shared["values"], p, rtol=1e-3)
    assert shared["chosen"] + first == T - 2
    for layer, each in enumerate(frames(app)):
        says = int(found.says[layer, T - 2])
        assert f"“{named[says]}”" in each["said"]
        assert each["picture"]["layer"] == layer
        chance = each["picture"]["chances"]
        bar = chance["columns"][0]["values"][chance["rows"].index(named[says])]
        assert bar == pytest.approx(float(found.log_p[layer, T - 2, says].exp()), rel=1e-4)
    assert len(frames(app)) == layers
    settled = found.settled[first : first + 12].tolist()
    assert shared["settled"] == [[r, c] for r, at in enumerate(settled) for c in range(at, layers)]


def test_the_table_holds_what_was_read_out_and_the_last_layer_is_the_model_s_prediction():
    app = open_lesson("logit_lens", source="typed", typed=SENTENCE, place=3)
    model, found = reading("word_gpt", SENTENCE)
    own = model.trace(found.ids).logits.softmax(-1)
    table = table_with(app, "rank of the answer")
    last = table[table["layer"] == len(found.log_p) - 1]
    np.testing.assert_allclose(last["p"], own.max(-1).values, rtol=1e-4)
    assert set(last["rank of the answer"]) == {1}
    second = table[table["layer"] == 2].reset_index(drop=True)
    for t, following in enumerate(found.ids[1:].tolist()):
        assert second["p of what comes"][t] == pytest.approx(float(found.log_p[2, t, following].exp()))
    assert np.isnan(second["p of what comes"].iloc[-1])


@pytest.mark.parametrize("name", LABELS)
def test_a_text_s_places_are_counted_as_core_counts_them(name):
    app = open_lesson("logit_lens", TEXTS["play"], model=LABELS[name])
    model = attentive_model(name)
    measured = lens_over(model.network, first_runs(model, TEXTS["play"], 256))
    drawn = next(each for each in figures(app) if "share of the places" in str(each["layout"]))
    assert drawn["data"][0]["text"] == [f"{n:,}" for n in measured.settled]
    assert drawn["data"][1]["text"] == [f"{n:,}" for n in measured.right]
    late = measured.settled[-1] - measured.settled[-2]
    assert f"**{late:,}** (" in said(app)
    assert f"Of the first {measured.n:,} places" in said(app)


@pytest.mark.parametrize("text", [None, PASTED], ids=["default", "pasted"])
def test_without_the_final_norm_the_reading_and_its_bits_are_core_s(text):
    app = open_lesson("logit_lens", text, no_norm="true")
    read = app.session_state["text_source_own"].text if text else TEXTS["default"]
    values = metrics(app)
    assert (
        values["Bits a token, read after the last layer, whole"]
        != (values["Bits a token, read after the last layer, broken"])
    )
    if read:
        model = attentive_model("word_gpt")
        broken = lens_over(model.network, first_runs(model, read, 256), normed=False)
        assert values["Bits a token, read after the last layer, broken"] == f"{broken.bits[-1]:.2f}"
        assert f"names the model's own answer at {broken.settled[-1]:,} of {broken.n:,} places" in said(app)


def test_before_the_guesses_no_later_layer_is_sent_and_no_answer_is_marked():
    app = open_lesson("logit_lens", predict="true", source="typed", typed=SENTENCE)
    _, found = reading("word_gpt", SENTENCE)
    layers = len(found.log_p)
    assert len(frames(app)) == 1
    shared = sent(app, "attend_steps")["shared"]
    assert all(word is None for i, word in enumerate(shared["words"]) if i % layers)
    assert shared["settled"] == []
    assert not any("rank of the answer" in table.value for table in app.dataframe)
    assert frames(app)[0]["picture"]["chances"]["marked"] is None
    place = len(found.ids) - 2
    for layer in range(1, layers):
        same = int(found.says[layer, place]) == int(found.says[layer - 1, place])
        options = question(app).options
        app = guess(app, options[0] if same else options[1])
        assert "Right" in said(app)
    assert len(frames(app)) == layers
    assert sent(app, "attend_steps")["shared"]["settled"]


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "x", "place": 9},
        {"typed": "\n\n", "no_norm": "true"},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>"},
        {"typed": "word " * 390, "place": 64},
        {"document": "a", "source": "from your text"},
        {"document": "", "source": "from your text"},
    ],
    ids=str,
)
@EACH_MODEL
def test_no_text_and_no_end_of_a_control_breaks_the_page(name, query):
    query = dict(query)
    app = open_lesson("logit_lens", query.pop("document", PASTED), model=LABELS[name], **query)
    assert not app.exception
    assert torch.isfinite(torch.tensor(sent(app, "attend_steps")["shared"]["values"])).all()


def test_a_shown_place_of_a_longer_text_becomes_the_last_of_a_shorter_one():
    app = open_lesson("logit_lens", source="typed", typed="the king of the land", place=5)
    app.text_input(key="logit_lens_typed").set_value("O").run()
    assert not app.exception
    assert "Your text ends here" in said(app)
    assert sent(app, "attend_steps")["shared"]["chosen"] == app.session_state["logit_lens_place"] - 1
