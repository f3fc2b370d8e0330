"""The causal-mask lesson shows what core computes, for typed scores and a trained head, whole and broken."""

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.figures.self_attention.causal_mask import worked_weight
from core.models.self_attention.attention import causal_mask
from core.models.self_attention.gpt_trace import trace
from core.models.self_attention.parallel_training import in_one_pass
from core.models.self_attention.peeking import TOO_LATE, ZERO, leak, peeking, prediction_influence
from core.models.self_attention.score_matrix import MASKS, attend_by_scores, weights_influence
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from tests.lessons.lesson_page import (
    go_to,
    guess,
    metrics,
    open_lesson,
    prompts,
    question,
    said,
    sent,
    table_with,
    views,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS

TEXT = "The king saw the queen. She was in the house of her sister, who slept."
HEAD, BY_HAND = {"source": "trained head"}, {"source": "by hand"}


def open_with(text=TEXT, **query):
    return open_lesson("causal_mask", text, timeout=120, **query)


def table(app):
    return table_with(app, "row sum")


def shown(app):
    return [view for view in views(app) if "hidden" in view]


def read(text=TEXT, name="word_gpt", most=12):
    model = stored_language_model(name)
    return model, torch.tensor([model.start, *encode(name, text.split(". ")[0] + ".").ids][:most])


@pytest.mark.parametrize("text", [None, TEXT])
def test_it_opens_on_a_trained_head_whose_weights_differ(text):
    app = open_lesson("causal_mask", text, timeout=120)
    view = sent(app)
    assert view["learned"]
    assert app.query_params["causal_mask_source"] == "trained head"
    assert [app.query_params[f"causal_mask_{name}"] for name in ("layer", "head")] == ["3", "3"]
    assert [app.number_input(key=f"causal_mask_{name}").value for name in ("layer", "head")] == [3, 3]
    assert max(abs(score) for row in view["scores"] for score in row) > 1
    weights = table(app)["weight"].to_numpy().reshape(len(view["tokens"]), -1)
    assert max(np.nanmax(row) - np.nanmin(row) for row in weights) > 0.1


def test_a_link_to_scores_by_hand_with_nothing_else_set_opens_them():
    app = open_with(**BY_HAND)
    assert app.query_params["causal_mask_by_hand"] in ("true", ["true"])
    assert not sent(open_with(by_hand="true"))["learned"]
    assert "causal_mask_by_hand" not in open_with(**HEAD).query_params


@pytest.mark.parametrize("query", [{"word": "dog"}, {"edits": "3 1 2"}, {"d_k": "9"}])
def test_a_link_made_when_it_opened_on_scores_by_hand_still_shows_them(query):
    assert not sent(open_with(**query))["learned"]


def test_by_hand_it_begins_as_the_lecture_does():
    app = open_with(**BY_HAND)
    assert sent(app)["tokens"] == ["c", "a", "t"]
    assert sent(app)["scores"] == [[0, 0, 0]] * 3
    weights = table(app)["weight"].to_numpy().reshape(3, 3)
    third = 1 / 3
    np.testing.assert_allclose(weights, [[1, np.nan, np.nan], [0.5, 0.5, np.nan], [third] * 3], rtol=1e-6)


def test_a_heads_scores_are_those_of_the_trained_model_on_the_learner_s_sentence():
    app = open_with(**HEAD, layer="2", head="3")
    model, ids = read()
    attention = trace(model.network, ids).layers[1].attention
    np.testing.assert_allclose(sent(app)["scores"], attention.scores[2], rtol=1e-6)
    assert sent(app)["d_k"] == model.network.config.width // model.network.config.heads
    weights = table(app)["weight"].to_numpy().reshape(len(ids), -1)
    np.testing.assert_allclose(np.nan_to_num(weights), attention.weights[2], rtol=1e-4, atol=1e-6)


def test_a_long_sentence_is_cut_and_that_is_said():
    app = open_with(**HEAD, sentence="word " * 40)
    assert len(sent(app)["tokens"]) == 12
    assert "12 of" in said(app)


def test_edits_in_the_address_reach_the_view_and_the_table():
    app = open_with(edits="3 1 2; 9 9 1")
    assert sent(app)["edits"] == [[2, 0, 2.0]]
    trace_ = attend_by_scores(torch.tensor([[0.0, 0, 0], [0, 0, 0], [2, 0, 0]]), 4, causal_mask(3))
    np.testing.assert_allclose(table(app)["weight"][6:], trace_.weights[2], rtol=1e-6)


def test_edits_are_forgotten_when_other_scores_come_but_not_when_the_tokens_are_renamed():
    app = open_with(edits="3 1 2")
    app.text_input(key="causal_mask_word").set_value("dog").run()
    assert sent(app)["edits"] == [[2, 0, 2.0]]
    app.segmented_control(key="causal_mask_source").set_value("trained head").run()
    assert sent(app)["edits"] == []


def test_an_edit_that_cannot_be_read_is_said():
    app = open_with(edits="1 1 x; 2 1 5")
    assert sent(app)["edits"] == [[1, 0, 5.0]]
    assert "left out: 1 1 x" in said(app)


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("source", ["by hand", "trained head"])
def test_every_mask_hides_what_core_hides(kind, source):
    app = open_with(source=source, mask=kind)
    hidden, tokens = np.array(sent(app)["hidden"]), sent(app)["tokens"]
    T = len(tokens)
    row, column = np.indices((T, T))
    expected = {
        "causal": column > row,
        "bidirectional": np.zeros((T, T), bool),
        "padding": column == T - 1,
        "causal and padding": (column > row) | (column == T - 1),
        "sliding window": (column > row) | (row - column >= 2),
        "sliding window, both sides": abs(row - column) >= 2,
    }
    np.testing.assert_array_equal(hidden, expected[kind])
    assert (tokens[-1] == "⟨pad⟩") == ("padding" in kind)


def test_filling_is_read_by_the_model_and_leaves_the_scores_before_it_alone():
    plain, filled = (
        sent(open_with(**HEAD, mask=kind))["scores"] for kind in ("causal", "causal and padding")
    )
    T = len(plain)
    np.testing.assert_allclose(np.array(filled)[:T, :T], plain, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("way", [ZERO, TOO_LATE])
def test_the_leak_of_typed_scores_is_core_s_and_nought_when_whole(way):
    app = open_with(**BY_HAND, broken="true", way=way)
    expected = leak(weights_influence(torch.zeros(3, 3), 4, causal_mask(3), way))
    assert [app.metric[0].value, app.metric[1].value] == ["0", f"{expected:.3g}"]
    assert expected > 0.05


def test_the_leak_into_the_model_s_predictions_is_core_s():
    app = open_with(**HEAD, broken="true", way=TOO_LATE)
    model, ids = read()
    spoiled = peeking(model.network, TOO_LATE).requires_grad_(False)
    assert app.metric[0].value == "0"
    assert app.metric[1].value == f"{leak(prediction_influence(spoiled, ids)):.3g}"
    losses = [f"{in_one_pass(each, ids).mean:.2f}" for each in (model.network, spoiled)]
    assert [each.value for each in app.metric[2:4]] == losses


def test_a_cell_of_the_table_is_worked_with_its_operands():
    scores, mask = torch.tensor([[0.0, 5.0], [2.0, 0.0]]), causal_mask(2)
    whole, late = attend_by_scores(scores, 4, mask), attend_by_scores(scores, 4, mask, TOO_LATE)
    assert worked_weight(whole, 4, 1, 0, "weight") == r"\frac{2.718}{3.718} = 0.7311"
    assert worked_weight(whole, 4, 1, 0, "÷ √4") == r"\frac{2}{\sqrt{4}} = 1"
    assert worked_weight(whole, 4, 0, 1, "e^x") == r"e^{-\infty} = 0"
    assert worked_weight(late, 4, 0, 1, "weight") == r"\text{cut after the softmax: } 0.9241 \to 0"
    assert worked_weight(whole, 4, 0, 1, "from") is None


def test_a_prediction_hides_the_matrix_until_it_is_made():
    app = open_with(**BY_HAND, predict="true")
    assert not shown(app)
    assert len(app.dataframe) == 0
    assert prompts(app)
    assert "0.33" in question(app).options
    guess(app, "0.33")
    assert shown(app)
    assert any("Right" in each.value for each in app.text)


@pytest.mark.parametrize(
    "word", ["", " ", "x", "早上好", "مرحبا", "👍🏽👍🏽", "<b>$a$ `c`", "a b c d e f g h i j"]
)
@pytest.mark.parametrize("source", ["by hand", "trained head"])
def test_no_text_breaks_the_page(word, source):
    app = open_with(
        word or "?", source=source, word=word, sentence=word, model="GPT, characters", broken="true"
    )
    assert 1 <= len(sent(app)["tokens"]) <= 12


@pytest.mark.parametrize(
    "settings",
    [
        {"d_k": "1"},
        {"d_k": "1024"},
        {"mask": "padding", "padding": "4", "word": "a"},
        {"mask": "sliding window", "window": "12"},
        {**HEAD, "layer": "4", "head": "4"},
        {
            **HEAD,
            "model": "GPT, characters",
            "layer": "4",
            "head": "6",
            "mask": "causal and padding",
            "padding": "4",
        },
        {"edits": "1 1 1000; 2 2 -1000"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    app = open_with(**settings)
    visible = table(app)["weight"].to_numpy()[~np.array(sent(app)["hidden"]).ravel()]
    assert np.isfinite(visible).all()
    np.testing.assert_allclose(np.nansum(table(app)["weight"]), len(sent(app)["tokens"]), rtol=1e-5)


@ON_THREE_TEXTS
@pytest.mark.parametrize("way", [ZERO, TOO_LATE])
def test_a_spoiled_mask_changes_the_picture_and_lets_the_future_through(text, way):
    whole, broken = (
        open_lesson("causal_mask", text, timeout=120, **HEAD, layer=3, head=3, **spoiled)
        for spoiled in ({}, {"broken": "true", "way": way})
    )
    assert (sent(whole)["way"], sent(broken)["way"]) == (None, {ZERO: "zero", TOO_LATE: "late"}[way])
    assert not np.array_equal(table(whole)["weight"].fillna(0), table(broken)["weight"].fillna(0))
    shown = metrics(broken)
    assert shown["Largest influence from behind the mask, whole"] == "0"
    assert float(shown["Largest influence from behind the mask, broken"]) > 0.001
    assert "get no weight at all" in said(whole)
    weights = table(broken)["weight"].to_numpy().reshape(12, 12)
    if way == ZERO:
        behind = weights[np.array(sent(broken)["hidden"])].sum() / 12
        assert f"should hide get {behind:.0%} of all weight" in said(broken)
    else:
        assert f"the least sums to {weights.sum(1).min():.2f}" in said(broken)
    worse = float(shown["Mean −ln p of the next token, broken"]) > float(
        shown["Mean −ln p of the next token, whole"]
    )
    assert ("Here it disturbs them" in said(broken)) == worse


def test_a_mask_that_hides_nothing_cannot_be_spoiled_and_that_is_said():
    app = open_with(mask="bidirectional", broken="true", way=ZERO)
    assert "This mask hides nothing" in said(app)


def test_a_pasted_text_turns_the_lesson_to_it_once():
    app = open_lesson("causal_mask", timeout=120, **BY_HAND, word="dog", edits="3 1 2")
    app.session_state["text_source_own"] = Document("mine", "Rain fell on the hills. It was late.")
    app = go_to(app, "causal_mask").run()
    assert "".join(sent(app)["tokens"]).startswith("↵Rain␣fell")
    assert sent(app)["edits"] == []
    app.segmented_control(key="causal_mask_source").set_value("by hand").run()
    assert not sent(app)["learned"]


def test_an_edit_made_in_the_view_is_kept_in_the_address_s_field():
    app = AppTest.from_function(edited).run()
    assert app.session_state["causal_mask_edits"] == "3 1 2"


def edited():
    from pages.self_attention.causal_mask import keep_edits

    keep_edits({"id": "x", "cells": [[2, 0, 2.0]]})


def test_characters_that_the_model_does_not_know_are_named_with_what_it_makes_of_them():
    text = "Größe 早"
    assert "reads their bytes as tokens: ö as 2, ß as 2, 早 as 3" in said(open_with(text, **HEAD))
    accents = said(open_with(text, **HEAD, model="GPT, characters"))
    assert "read as something else: ö as o" in accents
    assert "leaves out: ß 早" in accents


def test_an_over_long_sentence_is_cut_and_that_is_said():
    app = open_with(**HEAD, sentence="word " * 100)
    assert "The first 400 of 500 characters are read" in said(app)
