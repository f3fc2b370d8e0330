"""The lesson on edited attention shows what core makes of an edit, a deletion and a head switched off."""

import numpy as np
import pytest

from core.lesson.choices.transformer_choice import LABELS
from core.models.self_attention.ablation import (
    mean_bits,
    rank_correlation,
    removal_changes,
    windows,
    without_heads,
)
from core.models.self_attention.attention_edits import effect, parse_edits
from core.models.self_attention.attentive_models import attentive_model
from pages.self_attention.edit_attention import DELETED_AT_MOST, LESSON, drag
from pages.self_attention.edit_attention import SENTENCE as OPENING
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    open_lesson,
    prompts,
    said,
    sent,
    table_with,
    try_prompt,
)
from tests.lessons.self_attention.test_self_attention import BYTE_PAIRS, PLAY, TEXT

SENTENCE = "the king of the land"


def open_with(document=TEXT, **query):
    return open_lesson("edit_attention", document, **{"typed": SENTENCE, **query})


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


@pytest.mark.parametrize("typed", [OPENING, SENTENCE])
def test_the_tour_says_how_much_of_the_probability_its_edit_moves(typed):
    edit, model = "4.4:4>1=1", attentive_model("word_gpt")
    found = effect(model, model.read(typed).ids, 3, parse_edits(edit))
    told = said(open_with(typed=typed, step=4, edits=edit, beat="edit_attention.2"))
    assert f"|p_i - p'_i|$: {found.change:.1%} of the probability moved; " in told


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
    drawn = next(each for each in figures(app) if "without head" in str(each))
    assert drawn["data"][0]["x"] == costs.sort_values(ascending=False).index.tolist()
    assert set(sent(app, "weight_row")["weights"]) == {0.0}


def test_a_prediction_hides_the_deletions():
    app = open_with(predict="true")
    assert "Spearman" not in said(app)
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
    assert f"{moved:.1%} of the probability moved" in said(app)
    whole, broken = (float(value) for value in metrics(app).values())
    if broken > whole + 0.002:
        assert "bits a token more without what is switched off" in said(app)
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
    assert f"Here head {costs.idxmax()} is worth most" in said(app)
    harmful = (costs < 0).sum()
    assert (f"without {harmful} of the {len(costs)} the model does better" in said(app)) == (harmful > 0)
    assert ("without any one of the" in said(app)) == (harmful == 0)


def test_two_thousand_characters_cost_no_more_than_the_nearest_deletions():
    app = open_with(typed="The king said to the queen, Come to the gate. " * 43)
    assert len(table_with(app, "change")) == DELETED_AT_MOST
    assert f"Each of the {DELETED_AT_MOST} nearest tokens is deleted in turn" in said(app)
    assert "farther away" in said(app)


def test_blank_lines_say_that_all_changes_are_alike():
    assert "all changes are alike" in said(open_with(typed="\n\n\n"))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = open_lesson(
        "edit_attention", TEXT, source="from your text", model=LABELS["word_masked"], edits="1.1:1>1=0"
    )
    app = try_prompt(app, "edit_attention", number).run()
    assert not app.exception
    row = sent(app, "weight_row")
    assert row["label"].startswith(f"Layer 4, head 4: where token {len(row['names'])}")
    if number == 1:
        assert row["weights"][0] == 1
        assert "of the probability moved" in said(app)
    if number == 2:
        assert set(row["weights"]) == {0.0}
    assert ("weight of mean of all heads" in str(figures(app))) == (number == 3)
