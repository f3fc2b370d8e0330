"""The feed-forward layer: every number of the story by hand, and the lab shows what core computes of any neuron."""

import re

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.models.self_attention.ablation import first_runs, mean_bits, total_variation
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.models.transformers.key_value_neurons import (
    WHOLE_LAYER,
    firing,
    pushed,
    without_each,
    without_neuron,
)
from core.text.samples.shelf import sample
from core.training.play_text import play_text
from pages.transformers.feed_forward import LESSON, SENTENCE
from pages.transformers.feed_forward.page import MODALS
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    table_with,
    try_prompt,
)
from tests.lessons.self_attention.test_self_attention import PLAY, TEXT

LINE = "the king of the land"
LAYER, NEURON = 2, 303  # of the story, counted from 0
VERBS = {"keep", "be", "give", "make", "get", "do", "take", "say"}


# The story: torch's own layers and hooks on the network, and a knockout by hand.


def read_by_hand(silent=None, text=SENTENCE):
    """Return x, the dot products and p of the next token; `silent` are neurons of the layer whose activation is 0."""
    model, kept = attentive_model(BACK[0]), {}
    layer, ids = model.network.blocks[LAYER].feed_forward, model.read(text).ids

    def keep(module, inputs, output):
        kept.update(x=inputs[0].squeeze(0), sums=output.squeeze(0))

    def mute(module, inputs):
        muted = inputs[0].clone()
        muted[..., silent] = 0
        return (muted,)

    hooks = [layer.widen.register_forward_hook(keep)]
    if silent is not None:
        hooks.append(layer.project.register_forward_pre_hook(mute))
    with torch.no_grad():
        logits = model.network(ids[None])[0][0, -1]
    for hook in hooks:
        hook.remove()
    return kept["x"], kept["sums"], functional.softmax(logits.double(), dim=-1).numpy()


def token(index):
    return attentive_model(BACK[0]).vocabulary[index].strip(" ")


def words(beat, revealed=False, **changes):
    return said_in(document("feed_forward", beat, revealed, **changes))


def nodes(beat, revealed=False, **changes):
    return {each["key"]: each for each in picture("feed_forward", beat, revealed, **changes)["nodes"]}


def bars(node):
    return {each["name"]: each["text"] for each in node["bars"]}


def test_the_active_neurons_are_counted_and_the_story_s_is_framed():
    _, sums, _ = read_by_hand()
    active, grid = int((sums[-1] > 0).sum()), nodes("many")["neurons"]
    assert f"{active} of them are active" in words("many") and f"{active} active" in grid["title"]
    assert len(grid["grid"]) == 512 and grid["pick"] == NEURON == int(sums[-1].argmax())
    plays = play_text()
    assert sum(text.count("To be, or not to be") for text in plays.training) == 1
    bright = {i for i, shade in enumerate(grid["grid"]) if shade > 0.02}
    assert bright <= set(torch.nonzero(sums[-1] > 0).flatten().tolist())


def test_a_neuron_s_sum_is_the_dot_product_of_its_key_and_gelu_keeps_what_is_above_0():
    x, sums, _ = read_by_hand()
    key = attentive_model(BACK[0]).network.blocks[LAYER].feed_forward.widen.weight[NEURON].detach()
    products = [float(x[t] @ key) for t in (2, -1)]
    assert products == pytest.approx([float(sums[t, NEURON]) for t in (2, -1)], rel=1e-4)
    drawn, told = nodes("key"), words("key")
    for i, product in enumerate(products):
        text = f"{product:.1f}".replace("-", "−")
        assert drawn[f"sum.{i}"]["note"] == text and text in told
        a = float(functional.gelu(torch.tensor(product), approximate="tanh"))
        assert f"{max(0.0, a):.1f}" in drawn[f"activation.{i}"]["title"]
    assert [f"{each:.1f}" for each in products] == ["-7.2", "18.1"]


def test_the_neuron_fires_at_to_and_a_little_at_not_and_the_count_is_not_sent_before_the_answer():
    _, sums, _ = read_by_hand()
    fires = functional.gelu(sums[1:, NEURON], approximate="tanh")
    drawn = nodes("job")["bars"]["bars"]
    assert [each["text"] for each in drawn] == [f"{max(0.0, float(a)):.1f}" for a in fires]
    assert [each["name"] for each in drawn if each["now"]] == ["To", "not", "to"]
    assert "99%" not in str(document("feed_forward", "job"))


@pytest.fixture(scope="module")
def held_out():
    """Return the tokens of Hamlet's last tenth and the dot products of the layer's neurons there."""
    model, text = attentive_model(BACK[0]), sample("hamlet").text()
    ids, names, sums = model.encode(text[int(0.9 * len(text)) :]).ids, [], []
    room = model.context - 1
    for start in range(0, len(ids), room):
        run = torch.tensor((*model.before, *ids[start : start + room]))
        kept = []
        widen = model.network.blocks[LAYER].feed_forward.widen
        hook = widen.register_forward_hook(lambda _, __, output, kept=kept: kept.append(output[0]))
        with torch.no_grad():
            model.network(run[None])
        hook.remove()
        names += [token(i).lower() for i in run[1:]]
        sums.append(kept[0][1:].numpy())
    return np.array(names), np.concatenate(sums)


def test_in_held_out_hamlet_it_fires_at_to_and_modal_verbs_and_seldom_elsewhere(held_out):
    names, sums = held_out
    fires, verbal = sums[:, NEURON] > 0, np.isin(names, ("to", *MODALS))
    told, drawn = words("job", True), bars(nodes("job", True)["bars"])
    modal, rest = (f"{fires[which].mean():.0%}" for which in (verbal, ~verbal))
    assert (modal, rest) == ("99%", "7%") and f"{modal} of the time, the many other tokens {rest}" in told
    measured = document("feed_forward", "job", True)["measured"]
    a = functional.gelu(torch.tensor(sums[:, NEURON]), approximate="tanh").numpy()
    at_these, elsewhere = (float(a[fires & which].mean()) for which in (verbal, ~verbal))
    assert at_these > 4 * elsewhere and f"{at_these:.1f} at these words and {elsewhere:.1f}" in measured
    for name, text in drawn.items():
        here = fires[names == name.lower()]
        assert text == f"{here.mean():.0%}" and f"{name} {len(here)}" in measured, name
    assert f"only {(fires & verbal).sum() / fires.sum():.0%} of all firings are at these" in told
    assert "may" not in names and all(name in names for name in MODALS) and "8 modal verbs" in told
    assert f"{len(names):,} tokens" in measured and f"({verbal.sum() - 81} uses, besides 81 of" in measured
    assert drawn["shall"] == drawn["will"] == drawn["would"] == "100%" and drawn["of"] == "0%"


def test_all_the_tokens_that_its_value_promotes_most_are_verbs():
    network = attentive_model(BACK[0]).network
    E, v = (
        network.token_embedding.weight.detach(),
        network.blocks[LAYER].feed_forward.project.weight[:, NEURON],
    )
    fit = (E @ v.detach()).numpy()
    order = np.argsort(-fit)[:8]
    drawn = bars(nodes("value")["promoted"])
    assert set(drawn) == {token(i) for i in order} == VERBS
    assert drawn["keep"] == f"{fit.max() - fit.mean():.1f}"
    assert "top 8 are all" in words("value")


def test_without_the_neuron_be_loses_two_fifths_and_the_doubles(held_out):
    (_, _, p), (_, _, without) = read_by_hand(), read_by_hand([NEURON])
    top, rival = int(p.argmax()), int((without - p).argmax())
    assert (token(top), token(rival)) == ("be", "the")
    told, drawn = words("silent", True), bars(nodes("silent", True)["next"])
    assert f"from {p[top]:.0%} to {without[top]:.0%}" in told and "from 17% to 10%" in told
    assert f"rises from {p[rival]:.0%} to {without[rival]:.0%}" in told
    assert without.argmax() == top and "to be is still first" in told
    verb = max((i for i in range(len(p)) if token(i) in VERBS - {"be"}), key=lambda i: p[i])
    assert f"{token(verb)}, falls from {p[verb]:.0%} to {without[verb]:.0%}" in told
    assert drawn["be"] == f"{without[top]:.0%}" and drawn["the"] == f"{without[rival]:.0%}"
    asked = document("feed_forward", "silent")
    assert "10%" not in str(asked["picture"]) and "answer" not in asked["ask"]
    assert document("feed_forward", "silent", True)["ask"]["answer"] == "less"
    assert f"mark:next.{list(drawn).index('the')}" in LESSON.words.texts["silent.answer"].replace(
        "{{ at }}", str(list(drawn).index("the"))
    )


def test_no_neuron_helps_more_and_the_next_one_helps_far_less():
    model = attentive_model(BACK[0])
    ids, (_, _, p) = model.read(SENTENCE).ids, read_by_hand()
    without = np.exp(without_each(model.network, ids, LAYER)[:, p.argmax()])
    more = p.max() / without - 1
    order = np.argsort(-more)
    assert order[0] == NEURON and more[order[0]] > 5 * more[order[1]]
    told, grid = words("best"), nodes("best")["neurons"]["grid"]
    assert (
        f"is {more[NEURON]:.0%} more probable" in told
        and f"makes be {more[order[1]]:.0%} more probable" in told
    )
    assert "is 70% more" in told and int(np.argmax(grid)) == NEURON and np.mean(np.abs(grid) < 0.1) > 0.95


def test_a_neuron_of_layer_1_helps_more_than_the_best_of_layer_3():
    model = attentive_model(BACK[0])
    ids, (_, _, p) = model.read(SENTENCE).ids, read_by_hand()
    lowest = [without_each(model.network, ids, layer)[:, p.argmax()].min() for layer in (0, LAYER)]
    assert lowest[0] < lowest[1]


def test_the_neuron_helps_much_with_the_others_and_little_alone():
    others = [i for i in range(512) if i != NEURON]
    top = int(read_by_hand()[2].argmax())
    chances = [read_by_hand(silent)[2][top] for silent in (None, [NEURON], others, list(range(512)))]
    assert chances[2] - chances[3] < 0.25 * (chances[0] - chances[1])
    assert [each["text"] for each in nodes("whole")["next"]["bars"]] == [f"{p:.0%}" for p in chances]
    assert [f"{p:.0%}" for p in chances] == ["17%", "10%", "10%", "8%"]
    assert "it has 8%" in words("whole") and "be has just 10%" in words("whole")


def test_many_neurons_fire_at_unrelated_tokens(held_out):
    names, sums = held_out
    a = functional.gelu(torch.tensor(sums), approximate="tanh").numpy()
    wide = sum(len(set(names[np.argsort(-a[:, i])[:20]])) > 10 for i in range(512))
    assert f"{wide / 512:.0%}" == "37%" and "For 37% of the neurons" in words("mixed")
    drawn = nodes("mixed")
    named, unnamed = ([each["name"] for each in drawn[f"side.{i}.fires"]["bars"]] for i in (0, 1))
    assert set(named) <= {"to", "cannot", *MODALS} and not set(unnamed) <= {"to", "cannot", *MODALS}
    assert drawn["side.1.fires"]["bars"][0]["text"] == f"{a[:, 279].max():.1f}"


@pytest.mark.parametrize(
    ("line", "which", "told"),
    [
        ("Will you come, or must I go?", "304", "Neuron 304 fires at"),
        ("Come, go", "143", "Neuron 143 fires at “,” only"),
        ("king", "304", "does not fire in your sentence"),
        ("", "450", "Neuron 450"),
        ("🦜 مرحبا", "280", "Neuron 280"),
        ("Heute war es sehr kalt draußen.", "304", "We read the first 10 tokens"),
    ],
)
def test_any_sentence_is_read_by_any_neuron(line, which, told):
    changed = document("feed_forward", "own", line=line, which=which)
    assert told in re.sub("<[^>]*>", "", changed["done"])
    drawn = {each["key"]: each for each in changed["picture"]["data"]["nodes"]}
    most = max(float(each["text"]) for each in drawn["fires"]["bars"])
    model = attentive_model(BACK[0])
    found = firing(model.network, model.read(line or "Will you come, or must I go?", 11).ids, LAYER)
    assert most == pytest.approx(max(0.0, float(found.activations[1:, int(which) - 1].max())), abs=0.051)


# The lab.


def open_with(**query):
    return open_lesson("feed_forward", query.pop("own", TEXT), **{"typed": LINE, **query})


def p_of(network, ids):
    return network(ids[None])[0][0, -1].double().softmax(-1).detach().numpy()


def test_the_table_and_the_pictures_hold_what_core_computes_of_the_neuron():
    app = open_with(layer="3", neuron="12", step="5")
    model = attentive_model("word_gpt")
    ids = model.read(LINE).ids
    found = firing(model.network, ids, 2)
    mine = found.activations[:, 11].numpy()
    table = table_with(app, "x · k")
    np.testing.assert_allclose(table["x · k"], found.sums[:, 11], atol=1e-5)
    np.testing.assert_allclose(table["activation"], mine, atol=1e-5)
    assert table["active in the layer"].tolist() == found.awake.tolist()
    cells = [value for row in figures(app)[0]["data"][0]["z"] for value in row if value is not None]
    np.testing.assert_allclose(cells, np.maximum(mine, 0), atol=1e-5)
    promotes = pushed(model.network, 2, 11)
    drawn = numbers(figures(app)[1]["data"][0]["x"])
    assert drawn[0] == pytest.approx(promotes.max(), abs=1e-5)
    assert drawn[-1] == pytest.approx(promotes.min(), abs=1e-5)
    assert table_with(app, "E · v above the mean")["E · v above the mean"][0] == pytest.approx(promotes.max())
    n = int((mine > 0).sum())
    told = f"fires at **{n}** of {len(ids)} tokens" if n else f"is inactive at all {len(ids)} tokens"
    assert f"Neuron 12 of layer 3 {told}" in said(app)


@pytest.mark.parametrize("what", ["neuron", "layer", "this neuron", "the whole layer"])
def test_what_is_switched_off_moves_the_prediction_and_the_bits_as_a_cut_network_does(what):
    """Ids, and the labels that older addresses hold."""
    app = open_with(own=PLAY * 20, layer="4", neuron="7", what=what, off="true", model="GPT, characters")
    model = attentive_model("char_gpt")
    ids, whole = model.read(LINE).ids, "layer" in what
    cut = without_neuron(model.network, 3, WHOLE_LAYER if whole else 6)
    p, without = p_of(model.network, ids), p_of(cut, ids)
    texts = first_runs(model, PLAY * 20, 256)
    assert list(metrics(app).values()) == [
        f"{mean_bits(model, texts):.4f}",
        f"{mean_bits(model, texts, cut):.4f}",
    ]
    stays = "is still the most probable" if p.argmax() == without.argmax() else "is now"
    assert stays in said(app)
    if whole:
        assert f"{total_variation(p, without):.1%} of the probability moves" in said(app)
    assert set(numbers(figures(app)[0]["data"][0]["z"])) == {0.0}


def test_the_button_shows_the_best_of_the_other_neurons_and_is_never_dead():
    app = open_with(typed=SENTENCE, helpers="true")
    model = attentive_model("word_gpt")
    ids = model.read(SENTENCE).ids
    p = p_of(model.network, ids)
    gains = np.log(p.max()) - without_each(model.network, ids, LAYER)[:, p.argmax()]
    best, second = (np.argsort(-gains)[:2] + 1).tolist()
    assert best == NEURON + 1 and f"Neuron {best} helps" in said(app)
    assert f"falls by {gains.max():.3f}" in said(app)
    app.button(key="feed_forward_best").click().run()
    assert not app.exception and app.number_input(key="feed_forward_neuron").value == second
    app.button(key="feed_forward_best").click().run()
    assert app.number_input(key="feed_forward_neuron").value == best


def test_the_tokens_that_fire_it_most_in_the_text_come_first_and_only_those_are_drawn():
    app = open_with(layer="2", neuron="465", waking="true")
    model = attentive_model("word_gpt")
    runs = [
        firing(model.network, ids, 1).activations[1:, 464].numpy() for ids in first_runs(model, TEXT, 512)
    ]
    together = np.concatenate(runs)
    fires = int((together > 0).sum())
    assert fires > 1 and f"{fires:,}** of the first {len(together):,} tokens" in said(app)
    drawn = figures(app)[3]["data"][0]
    assert sum(numbers(drawn["y"])) == fires and min(numbers(drawn["x"])) > 0
    shown = table_with(app, "context")["activation"]
    np.testing.assert_allclose(shown, np.sort(together)[::-1][: len(shown)], atol=1e-5)


def test_until_the_guess_no_count_is_shown():
    app = open_with(predict="true", counts="true")
    drawn = len(figures(app))
    assert "on average" not in said(app)
    assert len(question(app).options) == 4
    guess(app)
    assert len(figures(app)) == drawn + 1 and "neurons are active" in said(app)


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "\n\n\n", "off": "true", "what": "layer"},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>", "layer": "9", "neuron": "9999", "step": "99"},
        {"typed": "word " * 390, "layer": "1", "neuron": "1"},
        {"own": "", "source": "from your text", "off": "true"},
        {"own": "早上好", "source": "from your text"},
    ],
    ids=str,
)
@pytest.mark.parametrize("model", BACK)
def test_no_text_and_no_end_of_a_control_breaks_the_page(model, query):
    folds = dict.fromkeys(("prediction", "waking", "counts", "helpers"), "true")
    assert not open_with(model=model, **folds, **query).exception


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(), "feed_forward", number).run()
    assert not app.exception
    assert bool(metrics(app)) == (number < 3)
    if number == 3:
        assert "Neuron 143 of layer 3" in said(app)
    if number == 4:
        assert "is switched off in turn" in said(app)
