"""The beam lesson: its tree is core's search, wider finds what is at least as likely, and every number adds up."""

import numpy as np
import pytest

from core.figures.translation.beam_tree import path_to
from core.models.translation.translate import Beginning, beam, candidates, greedy
from pages.translation.parts.beam_steps import search_quality
from pages.translation.parts.translator_choice import DATES, DUTCH, FRENCH, held_out_pairs, translator_of
from tests.lessons.lesson_page import guess, open_lesson, table_with

NAME = "translate_french_none"
WORDS = "today I am bringing a cake to the king .".split()


def open_with(**query):
    return open_lesson("translation_beam", **query)


def hypotheses(app):
    return table_with(app, "ln p")


def test_the_table_holds_core_s_hypotheses_best_first():
    app = open_with(text_fr=" ".join(WORDS), width="3")
    translator = translator_of(NAME)
    last = beam(translator.model, translator.source.encode(WORDS), 3)[-1]
    np.testing.assert_allclose(hypotheses(app)["ln p"], [each.log_probability for each in last])
    assert hypotheses(app)["ln p"].is_monotonic_decreasing


def test_keeping_one_beginning_is_greedy_search():
    app = open_with(text_fr=" ".join(WORDS), narrow="true")
    translator = translator_of(NAME)
    alone = greedy(translator.model, translator.source.encode(WORDS))
    np.testing.assert_allclose(hypotheses(app)["ln p"], [alone.log_probability], atol=1e-4)
    one, many = search_quality(FRENCH, NAME, 1), search_quality(FRENCH, NAME, 4)
    assert [metric.value for metric in app.metric] == [
        f"{many.log_probability:.3f}",
        f"{one.log_probability:.3f}",
        f"{many.exact_match:.1%}",
        f"{one.exact_match:.1%}",
    ]
    assert many.log_probability > one.log_probability


@pytest.mark.parametrize("width", [1, 4])
def test_of_all_candidates_the_best_are_those_that_the_search_kept(width):
    translator = translator_of(NAME)
    source = translator.source.encode(WORDS)
    history, parents = beam(translator.model, source, width), [Beginning((), 0.0, None)]
    for kept in history:
        found = candidates(translator.model, source, parents, width)
        assert [each.words for each in found[:width]] == [each.words for each in kept]
        parents = kept


def test_the_path_of_a_hypothesis_spells_its_words():
    translator = translator_of(NAME)
    history = beam(translator.model, translator.source.encode(WORDS), 4)
    nodes = path_to(history)[::-1]
    finished = len(history[-1][0].words)
    assert tuple(history[t][k].words[-1] for t, k in nodes[:finished]) == history[-1][0].words


@pytest.mark.parametrize("score", ["none", "additive"])
def test_where_the_beam_is_likelier_the_page_says_that_it_differs(score):
    pair = held_out_pairs(FRENCH, 5, 1, (9,))[0]
    app = open_with(text_fr=" ".join(pair.source), score=score, predict="true")
    assert not app.get("plotly_chart")
    guess(app, "yes")
    translator = translator_of(f"translate_french_{score}")
    source = translator.source.encode(pair.source)
    differs = list(beam(translator.model, source, 4)[-1][0].words) != greedy(translator.model, source).words
    assert any(each.value.startswith("Right" if differs else "You said yes; it is no") for each in app.text)


@pytest.mark.parametrize(
    "query",
    [
        {"width": "8", "source": "generated", "length": "25"},
        {"task": DATES, "width": "2", "step": "99"},
        {"task": DUTCH, "text_nl": ""},
        {"text_fr": "👍🏽 <b>$x$</b> مرحبا"},
        {"text_fr": "cat " * 100, "narrow": "true"},
    ],
    ids=ascii,
)
def test_no_end_of_a_control_breaks_the_page(query):
    assert not open_with(**query).exception
