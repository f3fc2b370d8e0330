"""The beam lesson: its tree is core's search, wider finds what is at least as likely, and every number adds up."""

import json

import numpy as np
import pytest

from core.figures.translation.beam_tree import shared_tree
from core.figures.worked import signed
from core.lesson.break_it import written
from core.lesson.choices.translator_choice import (
    DATES,
    DUTCH,
    FRENCH,
    TASKS,
    held_out_pairs,
    translator_of,
)
from core.models.translation.beam_history import given_up, path_to, turns
from core.models.translation.translate import Beginning, beam, candidates, greedy
from pages.translation.translation_beam import EXAMPLE, measured_quality, what_is_lost
from tests.lessons.lesson_page import frames, guess, open_lesson, said, sent, table_with

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
    one, many = measured_quality(FRENCH, NAME, 1), measured_quality(FRENCH, NAME, 4)
    assert [metric.value for metric in app.metric] == [
        written(many.log_probability, ".3f"),
        written(one.log_probability, ".3f"),
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
    assert not frames(app)
    guess(app, "yes")
    translator = translator_of(f"translate_french_{score}")
    source = translator.source.encode(pair.source)
    differs = list(beam(translator.model, source, 4)[-1][0].words) != greedy(translator.model, source).words
    assert any(each.value.startswith("Right" if differs else "You said yes; it is no") for each in app.text)


SENTENCES = {
    "as it opens": {},
    "of the grammar": {"text_fr": " ".join(WORDS)},
    "not of the grammar": {"text_fr": "To be or not to be, that is the question."},
}


def searched(words, width=4):
    translator = translator_of(NAME)
    return beam(translator.model, translator.source.encode(words), width)


def kept_nodes(app, steps=None):
    """Return the beginnings that the tree shows at so many steps."""
    return [node for kept in sent(app, "steps")["shared"]["steps"][:steps] for node in kept]


def test_each_step_s_tree_has_what_was_kept_until_then_and_its_best_candidates_are_the_kept_ones():
    history = searched(TASKS[FRENCH].read(EXAMPLE))
    app = open_with()
    assert len(frames(app)) == len(history)
    for t, (step, kept) in enumerate(zip(frames(app), history, strict=True)):
        assert step["picture"] == {"kind": "beginnings", "at": t}
        assert len(kept_nodes(app, t + 1)) == sum(map(len, history[: t + 1]))
        bars = step["below"]
        assert bars["faint"] == len(kept)
        values = [b.log_probability for b in kept]
        np.testing.assert_allclose(bars["columns"][0]["values"][:4], values, atol=1e-4)
        assert bars["columns"][0]["texts"][:4] == [signed(value, 3) for value in values]


@pytest.mark.parametrize("width", [1, 4])
def test_what_is_grey_at_a_step_is_what_core_says_is_given_up_by_then(width):
    history = searched(WORDS, width)
    steps = shared_tree(history, translator_of(NAME).target.words)["steps"]
    for at in range(len(history)):
        grey = {(t, k) for t in range(at + 1) for k, node in enumerate(steps[t]) if node[3] < at}
        assert grey == given_up(history[: at + 1])


def test_another_sentence_is_searched_to_its_end():
    app = open_with()
    app.text_input[0].set_value(" ".join(WORDS)).run()
    history = searched(WORDS)
    assert len(kept_nodes(app)) == sum(map(len, history))
    assert sent(app, "steps")["start"] == len(history) - 1


@pytest.mark.parametrize("query", SENTENCES.values(), ids=SENTENCES)
def test_what_is_said_of_the_tree_is_counted_in_it(query):
    words = TASKS[FRENCH].read(query.get("text_fr", EXAMPLE))
    history = searched(words)
    heard = frames(open_with(**query))[-1]["said"]
    assert f"{len(given_up(history))} of the {sum(map(len, history))} beginnings kept are given up" in heard
    assert ("It changed its mind" in heard) == bool(turns(history))


def test_by_hand_a_beginning_without_children_is_given_up():
    history = searched(WORDS)
    for t, k in given_up(history[:3]):
        children = [(t + 1, j) for j, b in enumerate(history[t + 1]) if b.parent == k] if t < 2 else []
        assert all(child in given_up(history[:3]) for child in children)
    assert turns(history) == [t for t in range(1, len(history))
                              if history[t][0].words[:t] != history[t - 1][0].words[:t]]  # fmt: skip


@pytest.mark.parametrize("query", SENTENCES.values(), ids=SENTENCES)
def test_keeping_one_beginning_changes_the_tree_and_its_measure_moves_as_the_sentence_says(query):
    whole, broken = open_with(**query), open_with(**query, narrow="true")
    words = TASKS[FRENCH].read(query.get("text_fr", EXAMPLE))
    assert (len(kept_nodes(whole)), len(kept_nodes(broken))) == tuple(
        sum(map(len, searched(words, width))) for width in (4, 1)
    )
    one, many = measured_quality(FRENCH, NAME, 1), measured_quality(FRENCH, NAME, 4)
    assert f"likelier by {many.log_probability - one.log_probability:.3f} on average" in said(broken)


def test_where_nothing_is_lost_the_page_says_so():
    one, many = (measured_quality(FRENCH, "translate_french_additive", k) for k in (1, 4))
    assert what_is_lost(many, one) in said(open_with(score="additive", narrow="true"))
    assert what_is_lost(one, one).startswith(
        "Both find equally likely translations, and the beam translates no more and no fewer"
    )


def test_a_prediction_hides_tree_and_table_and_the_closing_stays():
    app = open_with(predict="true")
    assert not frames(app)
    assert not app.dataframe
    assert "ln p =" not in said(app)
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}


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
def test_every_end_of_a_control_has_a_tree_with_its_hypotheses(query):
    app = open_with(**query)
    assert not app.exception
    assert len(kept_nodes(app)) >= len(hypotheses(app))
    assert len(json.dumps(sent(app, "steps"), ensure_ascii=False).encode()) < 60_000


def test_at_the_first_step_nothing_is_said_of_steps_before_it():
    first = frames(open_with())[0]["said"]
    assert "0 of the 4 beginnings kept so far are given up." in first
    assert "always continued" not in first


def test_one_beginning_is_lengthened_by_one_word():
    assert "lengthened by its likeliest word;" in frames(open_with(narrow="true"))[0]["notes"][0]


@pytest.mark.parametrize("score", ["none", "additive"])
def test_a_probability_near_one_has_a_logarithm_that_is_not_shown_as_nought(score):
    page = said(open_with(score=score, beat="translation_beam.7"))
    translator = translator_of(TASKS[FRENCH].models[score])
    alone = greedy(
        translator.model, translator.source.encode(EXAMPLE.lower().replace("i think", "I think").split())
    )
    assert f"Greedy, ln p = {written(alone.log_probability, '.4g')}: " in page
    assert "ln p = 0.000" not in page
