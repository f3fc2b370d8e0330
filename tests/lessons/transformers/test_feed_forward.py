"""The lesson on the feed-forward layer shows what core computes of its neurons, and what switching them off does."""

import numpy as np
import pytest

from core.models.self_attention.ablation import first_runs, mean_bits, total_variation
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.key_value_neurons import (
    WHOLE_LAYER,
    firing,
    pushed,
    without_each,
    without_neuron,
)
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

SENTENCE = "the king of the land"
WHOLE = "the whole layer"


def open_with(**query):
    return open_lesson("feed_forward", query.pop("own", TEXT), **{"typed": SENTENCE, **query})


def p_of(network, ids):
    return network(ids[None])[0][0, -1].double().softmax(-1).numpy()


def test_the_table_and_the_pictures_hold_what_core_computes_of_the_neuron():
    app = open_with(layer="3", neuron="12", step="5")
    model = attentive_model("word_gpt")
    ids = model.read(SENTENCE).ids
    found = firing(model.network, ids, 2)
    mine = found.activations[:, 11].numpy()
    table = table_with(app, "x · k")
    np.testing.assert_allclose(table["x · k"], found.sums[:, 11], atol=1e-5)
    np.testing.assert_allclose(table["activation"], mine, atol=1e-5)
    assert table["awake in the layer"].tolist() == found.awake.tolist()
    cells = [value for row in figures(app)[0]["data"][0]["z"] for value in row if value is not None]
    np.testing.assert_allclose(cells, np.maximum(mine, 0), atol=1e-5)
    towards = pushed(model.network, 2, 11)
    bars = numbers(figures(app)[1]["data"][0]["x"])
    assert bars[0] == pytest.approx(towards.max(), abs=1e-5) and bars[-1] == pytest.approx(
        towards.min(), abs=1e-5
    )
    assert table_with(app, "E · v above the mean")["E · v above the mean"][0] == pytest.approx(towards.max())
    awake = int((mine > 0).sum())
    expected = f"awake at {awake} of {len(ids)} tokens" if awake else f"sleeps at all of {len(ids)} tokens"
    assert f"Neuron 12 of layer 3 is {expected}" in said(app) or f"Neuron 12 of layer 3 {expected}" in said(
        app
    )


@pytest.mark.parametrize("what", ["this neuron", WHOLE])
def test_what_is_switched_off_moves_the_prediction_and_the_bits_as_a_cut_network_does(what):
    app = open_with(own=PLAY * 20, layer="4", neuron="7", what=what, off="true", model="GPT, characters")
    model = attentive_model("char_gpt")
    ids = model.read(SENTENCE).ids
    cut = without_neuron(model.network, 3, WHOLE_LAYER if what == WHOLE else 6)
    p, without = p_of(model.network, ids), p_of(cut, ids)
    texts = first_runs(model, PLAY * 20, 256)
    assert list(metrics(app).values()) == [
        f"{mean_bits(model, texts):.4f}",
        f"{mean_bits(model, texts, cut):.4f}",
    ]
    stays = "stays the likeliest" if p.argmax() == without.argmax() else "gives way to"
    assert stays in said(app)
    if what == WHOLE:
        assert f"{total_variation(p, without):.1%} of the probability moves" in said(app)
    assert set(numbers(figures(app)[0]["data"][0]["z"])) == {0.0}


def test_the_neuron_that_helps_most_is_named_and_can_be_looked_at():
    app = open_with(layer="2", neuron="1")
    model = attentive_model("word_gpt")
    ids = model.read(SENTENCE).ids
    p = p_of(model.network, ids)
    gains = np.log(p.max()) - without_each(model.network, ids, 1)[:, p.argmax()]
    best = int(gains.argmax()) + 1
    assert f"Neuron {best} helps" in said(app) and f"falls by {gains.max():.3f}" in said(app)
    app.button(key="feed_forward_best").click().run()
    assert not app.exception
    assert app.number_input(key="feed_forward_neuron").value == best


def test_the_tokens_that_wake_it_most_in_the_text_come_first_and_are_counted():
    app = open_with(layer="2", neuron="465")
    model = attentive_model("word_gpt")
    runs = [
        firing(model.network, ids, 1).activations[1:, 464].numpy() for ids in first_runs(model, TEXT, 512)
    ]
    together = np.concatenate(runs)
    awake = int((together > 0).sum())
    assert f"{awake:,} wake" in said(app)
    bars = figures(app)[3]["data"][0]
    middle, counts = np.array(numbers(bars["x"])), np.array(numbers(bars["y"]))
    assert (counts[middle > 0].sum(), counts.sum()) == (
        awake,
        len(together),
    )  # blue bars hold those awake, and all
    if awake:
        shown = table_with(app, "in its place")["activation"]
        np.testing.assert_allclose(shown, np.sort(together)[::-1][: len(shown)], atol=1e-5)


def test_until_the_guess_no_count_is_shown():
    app = open_with(predict="true")
    drawn = len(figures(app))
    assert "Over these" not in said(app)
    assert len(question(app).options) == 4
    guess(app)
    assert len(figures(app)) == drawn + 1 and "neurons are awake, in the mean" in said(app)


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "\n\n\n", "off": "true", "what": WHOLE},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>", "layer": "9", "neuron": "9999", "step": "99"},
        {"typed": "word " * 390, "layer": "1", "neuron": "1"},
        {"own": "", "source": "from your text", "off": "true"},
        {"own": "早上好", "source": "from your text"},
    ],
    ids=str,
)
@pytest.mark.parametrize("label", ["GPT, byte pairs", "GPT, characters"])
def test_no_text_and_no_end_of_a_control_breaks_the_page(label, query):
    assert not open_with(model=label, **query).exception


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(), "feed_forward", number).run()
    assert not app.exception
    assert bool(metrics(app)) == (number < 3)
    if number == 3:
        assert "of layer 4" in said(app)
