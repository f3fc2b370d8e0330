"""The lesson on edited attention shows what core makes of an edit, a deletion and a head switched off."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from core.models.self_attention.ablation import (
    mean_bits,
    rank_correlation,
    removal_changes,
    windows,
    without_heads,
)
from core.models.self_attention.attention_edits import effect, parse_edits
from core.models.self_attention.attentive_models import attentive_model
from core.text.samples.shelf import microworld_text
from pages.self_attention.edit_attention import EXAMPLES, LESSON
from pages.self_attention.edit_attention import SENTENCE as OPENING
from pages.self_attention.edit_attention.page import DELETED_AT_MOST, OLD_MODELS, drag
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    prompts,
    said,
    said_in,
    sent,
    table_with,
    try_prompt,
)
from tests.lessons.self_attention.test_self_attention import BYTE_PAIRS, PLAY, TEXT

SENTENCE = "the king of the land"
LABELS = {name: label for label, name in OLD_MODELS.items()}  # as old addresses have them
FOLDS = dict.fromkeys(("output", "deletions", "ranking"), "true")


# The story. Its numbers are checked against the network itself: rows set by hand, texts read again, columns set to 0.

MODEL = attentive_model("word_gpt")
LINE = EXAMPLES[0]
ISRAEL, LAND = 4, 9


def answers(ids, weights=None, network=None):
    """Return p of the next token, with the weights of some heads replaced."""
    logits = MODEL.trace(ids, weights or {}).logits[-1] if network is None else network(ids[None])[0][0, -1]
    return torch.softmax(logits.detach().double(), -1).numpy()


def row_of(ids, head):
    return MODEL.trace(ids).layers[head[0]].attention.weights[head[1]].clone()


def forced(ids, head, key, weight):
    """Return p of the next token with one weight of the last row set and the others scaled, by hand."""
    matrix = row_of(ids, head)
    last = matrix[-1].double()
    scaled = last * (1 - weight) / (1 - last[key])
    scaled[key] = float(weight)
    matrix[-1] = scaled.float()
    return answers(ids, {head: matrix})


def moved(p, q):
    return float(np.abs(p - q).sum() / 2)


def word(name):
    return MODEL.vocabulary.index(f" {name}")


@pytest.fixture(scope="module")
def ids():
    return MODEL.read(LINE).ids


@pytest.fixture(scope="module")
def own(ids):
    return answers(ids, network=MODEL.network)


def bars(data, panel):
    return {row["key"]: row for row in data["panels"][panel]["rows"]}


def bold(beat, revealed=False, **changes):
    found = document("edit_attention", beat, revealed, **changes)["words"]
    return re.search(r"<strong>(.*?)</strong>", found)[1]


def plain_words(beat, revealed=False, **changes):
    return said_in(document("edit_attention", beat, revealed, **changes))


def test_the_model_predicts_egypt_and_head_2_1_attends_most_to_land(ids, own):
    data, row = picture("edit_attention", "own"), row_of(ids, (1, 0))[-1].numpy()
    shown = [each["p"] for each in data["panels"][0]["rows"]]
    np.testing.assert_allclose(shown, row, atol=6e-5)
    assert row.argmax() == LAND and data["panels"][0]["rows"][LAND]["token"] == "land"
    assert own.argmax() == word("Egypt") and bold("own") == f"{own.max():.3f}" == "0.267"
    found = bars(data, 1)
    for name in ("Egypt", "the", "Judah", "Israel"):
        assert found[str(word(name))]["p"] == pytest.approx(own[word(name)], abs=6e-5)
    assert sum(each["p"] for each in found.values()) == pytest.approx(1, abs=1e-3)


def test_before_the_answer_no_new_probability_is_drawn(own):
    data = picture("edit_attention", "force")
    assert {(row["text"], row["p"]) for row in data["panels"][1]["rows"]} == {("?", 0.0)}
    assert data["panels"][1]["rows"][0]["token"] == "Egypt"
    assert bars(data, 0)[f"key.{ISRAEL}"]["p"] == 1


def test_with_all_attention_on_israel_the_prediction_becomes_israel(ids, own):
    after = forced(ids, (1, 0), ISRAEL, 1.0)
    assert after.argmax() == word("Israel")
    assert document("edit_attention", "force", True)["ask"]["answer"] == "Israel"
    assert bold("force", True) == f"{moved(own, after):.3f}" == "0.427"
    assert f"Egypt falls to {after[word('Egypt')]:.3f}" in plain_words("force", True)


@pytest.mark.parametrize("weight", [0, 0.2, 0.3, 0.35, 0.5, 1])
def test_the_slider_moves_the_prediction_as_the_network_does(ids, own, weight):
    after = forced(ids, (1, 0), ISRAEL, weight)
    found = bars(picture("edit_attention", "slide", attention=str(weight)), 1)
    for name in ("Egypt", "Israel"):
        assert found[str(word(name))]["p"] == pytest.approx(after[word(name)], abs=2e-4)
    told = unescape(re.sub("<.*?>", "", document("edit_attention", "slide", attention=str(weight))["done"]))
    leads = "Israel leads" if after.argmax() == word("Israel") else "Egypt still leads"
    assert f"At {weight:.2f} {leads}" in told
    assert after.argmax() == word("Israel" if weight >= 0.35 else "Egypt")


def test_head_4_3_hardly_moves_the_prediction_though_as_much_is_shifted(ids, own):
    row = row_of(ids, (3, 2))[-1].numpy()
    after = forced(ids, (3, 2), ISRAEL, 1.0)
    assert row.argmax() == ISRAEL and after.argmax() == word("Egypt")
    assert bold("late") == f"{moved(own, after):.3f}" == "0.033"
    shifted = 1 - row[ISRAEL]
    early = row_of(ids, (1, 0))[-1, ISRAEL].item() + shifted
    assert f"moves {moved(own, forced(ids, (1, 0), ISRAEL, early)):.3f}" in plain_words("late")


def test_91_of_176_edits_change_the_first_token_and_layer_2_reacts_most(ids, own):
    changes, flips = np.zeros((4, 4, 11)), 0
    for place in np.ndindex(4, 4, 11):
        after = forced(ids, place[:2], place[2], 1.0)
        changes[place], flips = moved(own, after), flips + (after.argmax() != own.argmax())
    data, dots = picture("edit_attention", "grid")["figure"]["data"]
    np.testing.assert_allclose(np.array(numbers({"v": data["z"]})).reshape(4, 4, 11), changes, atol=1e-4)
    assert bold("grid") == str(flips) == "91"
    assert len(numbers({"v": dots["x"]})) == flips
    medians = np.median(changes.reshape(4, -1), axis=1)
    assert medians.argmax() == 1 and f"median change of {medians[1]:.3f}" in plain_words("grid")


@pytest.fixture(scope="module")
def deleted():
    """Return the long sentence's weights on each token (L, H, T), and what reading it without the token changes."""
    long = MODEL.read(OPENING).ids
    whole = answers(long, network=MODEL.network)
    changes = [
        moved(whole, answers(torch.cat((long[:s], long[s + 1 :])), network=MODEL.network))
        for s in range(len(long) - 1)
    ]
    weights = np.stack([each.attention.weights[:, -1, :-1].numpy() for each in MODEL.trace(long).layers])
    return weights, np.array(changes)


@pytest.mark.parametrize(("beat", "expected"), [("one", 0.05), ("mean", 0.65)])
def test_weights_are_ranked_against_deletions(deleted, beat, expected):
    weights, changes = deleted
    chosen = weights[3, 3] if beat == "one" else weights.mean((0, 1))
    found = spearmanr(chosen, changes)
    assert bold(beat) == f"{found.statistic:.2f}" and found.statistic == pytest.approx(expected, abs=0.006)
    points = picture("edit_attention", beat)["figure"]["data"][0]
    np.testing.assert_allclose(numbers({"v": points["x"]}), chosen, atol=1e-5)
    np.testing.assert_allclose(numbers({"v": points["y"]}), changes, atol=1e-4)
    assert (found.pvalue < 0.05) == (beat == "mean")
    above = int((chosen > chosen[changes.argmax()]).sum())
    assert above == (4 if beat == "one" else 0)
    if above:
        assert f"yet {above} tokens have a larger weight" in plain_words(beat)


def test_every_head_costs_something_and_4_3_the_least():
    texts = [each[:256] for each in windows(MODEL, microworld_text(), 1)]
    bars_drawn = picture("edit_attention", "ablate")["figure"]["data"][0]
    costs = dict(zip(bars_drawn["x"], numbers({"v": bars_drawn["y"]}), strict=True))
    whole = mean_bits(MODEL, texts)
    for name, head in {"1.1": (0, 0), "2.1": (1, 0), "4.3": (3, 2)}.items():
        without = mean_bits(MODEL, texts, without_heads(MODEL.network, [head]))
        assert costs[name] == pytest.approx(without - whole, abs=1e-6)
        assert f"{without - whole:.3f}" in plain_words("ablate")
    assert max(costs, key=costs.get) == "1.1" and min(costs, key=costs.get) == "4.3" and costs["4.3"] > 0
    assert bold("ablate") == f"{costs['1.1']:.3f}"


def test_the_larger_weight_on_land_changes_less_when_it_is_removed(ids, own):
    told, found = plain_words("answer"), {}
    for head in ((1, 0), (2, 0)):
        found[head] = row_of(ids, head)[-1, LAND].item(), moved(own, forced(ids, head, LAND, 0.0))
        assert all(text in told for text in (f"{found[head][0]:.2f}", f"{found[head][1]:.3f}"))
    assert found[2, 0][0] > found[1, 0][0] and found[2, 0][1] < found[1, 0][1] / 3


@pytest.mark.parametrize("beat", ["force", "late"])
def test_a_beat_opens_the_lab_on_its_own_edit(beat, own, ids):
    link = parse_qs(urlsplit(document("edit_attention", beat)["lab"]).query)
    query = {name.removeprefix("edit_attention_"): each[0] for name, each in link.items() if name != "lab"}
    app = open_lesson("edit_attention", TEXT, **query)
    weights = sent(app, "weight_row")["weights"]
    assert len(weights) == 11 and weights[ISRAEL] == 1
    after = forced(ids, (1, 0) if beat == "force" else (3, 2), ISRAEL, 1.0)
    assert f"**{moved(own, after):.1%}** of the probability moved" in said(app)


# The lab.


def open_with(document=TEXT, **query):
    return open_lesson("edit_attention", document, **{"typed": SENTENCE, **FOLDS, **query})


@BYTE_PAIRS
def test_an_edit_in_the_address_moves_the_row_and_the_prediction_as_core_does(name):
    app = open_with(model=LABELS[name], layer="2", head="1", step="4", edits="2.1:4>2=0.9 1.3:4>1=1")
    assert not app.exception
    model = attentive_model(name)
    found = effect(model, model.read(SENTENCE).ids, 3, parse_edits("2.1:4>2=0.9 1.3:4>1=1"))
    row = sent(app, "weight_row")
    seen = 4 if model.causal else len(row["own"])
    for trace, part in ((found.own, "own"), (found.edited, "weights")):
        expected = trace.layers[1].attention.weights[0, 3, :seen]
        np.testing.assert_allclose(row[part], expected, atol=1e-6)
    assert sum(row["weights"]) == pytest.approx(1, abs=1e-5)
    assert f"{found.change:.1%}" in said(app)
    probabilities, order = table_with(app, "p edited"), np.argsort(-found.before)
    np.testing.assert_allclose(probabilities["p"], found.before[order])
    np.testing.assert_allclose(probabilities["p edited"], found.after[order])


def test_a_dragged_weight_becomes_an_edit_and_is_undone_and_reset(monkeypatch):
    kept = {}
    monkeypatch.setattr(type(LESSON), "set_state", lambda self, name, value: kept.update({name: value}))
    monkeypatch.setattr(
        type(LESSON), "get_state", lambda self, name, otherwise=None: kept.get(name, otherwise)
    )
    for key, weight in ((1, 0.4), (1, 0.7), (2, 0.2)):
        drag({"layer": 0, "head": 0, "query": 3, "key": key, "weight": weight})
    assert kept["edits"] == "1.1:4>2=0.7 1.1:4>3=0.2"
    monkeypatch.undo()
    app, field = open_with(layer="1", head="1", step="4", **kept), "edit_attention_edits"
    assert sent(app, "weight_row")["weights"][2] == pytest.approx(0.2, abs=1e-5)
    app.button(key="edit_attention_undo").click().run()
    assert app.session_state[field] == "1.1:4>2=0.7"
    app.button(key="edit_attention_reset").click().run()
    assert app.session_state[field] == ""
    assert sent(app, "weight_row")["weights"] == sent(app, "weight_row")["own"]


def test_a_typed_weight_is_applied():
    app = open_with(step="4", layer="1", head="2")
    app.number_input(key="edit_attention_weight").set_value(0.25).run()
    app.button(key="edit_attention_apply").click().run()
    assert app.session_state["edit_attention_edits"] == "1.2:4>1=0.25"


def test_an_edit_that_cannot_be_made_is_explained_and_stays_written():
    app = open_with(step="3", edits="1.1:2>4=0.5 nonsense")
    assert "written like 2.1:7>3=0.9, not like nonsense" in said(app)
    app = open_with(step="3", edits="1.1:2>4=0.5 9.9:1>1=1")
    assert "the mask hides token 4 from token 2" in said(app)
    assert "this model has 4 layers" in said(app)
    assert app.text_input(key="edit_attention_edits").value == "1.1:2>4=0.5 9.9:1>1=1"


def test_deletions_are_measured_and_ranked_against_the_weights_of_one_head():
    app = open_with(step="6", layer="3", head="2")
    model = attentive_model("word_gpt")
    ids = model.read(SENTENCE).ids
    changes = removal_changes(model, ids, 5)
    weights = model.trace(ids).layers[2].attention.weights[1, 5].numpy()
    shown = table_with(app, "change")
    np.testing.assert_allclose(shown["change"], changes[:5])
    np.testing.assert_allclose(shown["this head"], weights[:5])
    assert f"is **{rank_correlation(weights, changes):.2f}**" in said(app)


def test_a_head_switched_off_costs_what_it_costs_on_the_learner_s_text():
    app = open_with(layer="1", head="2", off="true", more="4.1")
    model = attentive_model("word_gpt")
    texts = [ids[:256] for ids in windows(model, TEXT, 1)]
    assert len(texts[0]) == 256
    broken = mean_bits(model, texts, without_heads(model.network, [(0, 1), (3, 0)]))
    assert [metric.value for metric in app.metric] == [f"{mean_bits(model, texts):.3f}", f"{broken:.3f}"]
    costs = table_with(app, "bits without it").set_index("head")["cost"]
    alone = mean_bits(model, texts, without_heads(model.network, [(0, 1)]))
    assert costs["1.2"] == pytest.approx(alone - mean_bits(model, texts))
    drawn = next(each for each in figures(app) if "cost when switched off (bits per token)" in str(each))
    assert drawn["data"][0]["x"] == costs.sort_values(ascending=False).index.tolist()
    assert set(sent(app, "weight_row")["weights"]) == {0.0}


def test_a_prediction_hides_the_deletions():
    app = open_with(predict="true")
    assert "Spearman's" not in said(app)
    assert "by what deleting it changes" not in said(app)
    assert not any("this head" in table.value for table in app.dataframe)
    assert prompts(app)
    guess(app)
    assert "Spearman" in said(app)


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "\n\n\n"},
        {"typed": "\n\n\n", "weights": "mean of all heads", "off": "true"},
        {"typed": "x", "edits": "1.1:1>1=0"},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>", "edits": "💥"},
        {"typed": "word " * 390, "edits": "4.4:128>1=1"},
        {"layer": "9", "head": "9", "step": "999", "weights": "mean of all heads"},
        {"document": "", "source": "from your text"},
    ],
    ids=str,
)
@BYTE_PAIRS
def test_no_text_and_no_end_of_a_control_breaks_the_page(name, query):
    assert not open_with(model=LABELS[name], **query).exception


THREE = pytest.mark.parametrize(
    "text", [OPENING, PLAY, "We sold 3 blue bikes."], ids=["default", "play", "short"]
)


@THREE
@pytest.mark.parametrize("place", [(4, 4), (1, 2)], ids=str)
def test_switching_a_head_off_empties_its_row_moves_the_prediction_and_the_sentence_follows_the_loss(
    text, place
):
    layer, head = place
    app = open_with(text * 20, typed=text, layer=layer, head=head, off="true")
    row = sent(app, "weight_row")
    assert set(row["weights"]) == {0.0} != set(row["own"])
    table = table_with(app, "p edited")
    moved = np.abs(table["p edited"] - table["p"]).sum() / 2
    assert moved > 0.001
    assert f"**{moved:.1%}** of the probability moved" in said(app)
    whole, broken = (float(value) for value in metrics(app).values())
    if broken > whole + 0.002:
        assert "bits per token more without what is switched off" in said(app)
    elif broken < whole - 0.002:
        assert "The loss **falls** by" in said(app)


@THREE
def test_the_sentences_on_deletions_and_heads_are_those_of_the_tables(text):
    app = open_with(text * 20, typed=text, layer=2, head=3)
    table = table_with(app, "change")
    heaviest = table.loc[table["this head"].idxmax()]
    rank = int((table["change"] > heaviest["change"]).sum()) + 1
    assert f"is number **{rank} of {len(table)}** by what deleting it changes" in said(app)
    costs = table_with(app, "bits without it").set_index("head")["cost"]
    assert f"Head {costs.idxmax()} costs the most here" in said(app)
    harmful = (costs < 0).sum()
    assert (f"Without {harmful} of the {len(costs)} the model does better" in said(app)) == (harmful > 0)
    assert ("Without any one of the" in said(app)) == (harmful == 0)


def test_two_thousand_characters_cost_no_more_than_the_nearest_deletions():
    app = open_with(typed="The king said to the queen, Come to the gate. " * 43)
    assert len(table_with(app, "change")) == DELETED_AT_MOST
    assert f"We delete each of the {DELETED_AT_MOST} nearest tokens in turn" in said(app)
    assert "farther away" in said(app)


def test_blank_lines_say_that_all_changes_are_the_same():
    assert "all changes are the same" in said(open_with(typed="\n\n\n"))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = open_lesson(
        "edit_attention", TEXT, source="from your text", model=LABELS["word_masked"], edits="1.1:1>1=0"
    )
    app = try_prompt(app, "edit_attention", number).run()
    assert not app.exception
    row = sent(app, "weight_row")
    assert row["label"].startswith(f"Layer 4, head 4: what token {len(row['names'])}")
    if number == 1:
        assert row["weights"][0] == 1
        assert "of the probability moved" in said(app)
    if number == 2:
        assert set(row["weights"]) == {0.0}
    assert ("mean weight of all heads" in str(figures(app))) == (number == 3)
