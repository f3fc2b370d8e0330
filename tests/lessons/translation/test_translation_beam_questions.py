"""The key of the exercises on beam search: a beam of plain tuples, math's logarithm, and errors sorted by hand."""

from math import exp, prod

import pytest

from tests.exercises.drawn import drawn, entries


def search(given, width):
    """Return the text that a beam of a width ends with."""
    words, [first], following = given["first"].columns, entries(given["first"]), entries(given["following"])
    beam = [(1.0, ())]
    for _ in range(given["length"]):
        longer = [
            (p * (following[text[-1]] if text else first)[i], (*text, i))
            for p, text in beam
            for i in range(len(words))
        ]
        beam = sorted(longer, reverse=True)[:width]
    return " ".join(words[i] for i in beam[0][1])


def test_the_beam_keeps_two_texts():
    for exercise in drawn("translation_beam", "beam"):
        given, draw = exercise.draw.given, exercise.draw
        assert draw.answer == search(given, 2)
        assert draw.mistakes["greedy"] == search(given, 1)


def test_ln_p_is_the_logarithm_of_the_product():
    for exercise in drawn("translation_beam", "log"):
        [p] = entries(exercise.draw.given["factors"])
        assert exp(exercise.draw.answer) == pytest.approx(prod(p))


def test_search_errors_are_wrong_and_less_probable():
    for exercise in drawn("translation_beam", "errors"):
        given, draw = exercise.draw.given, exercise.draw
        found, right = entries(given["sentences"])
        wrong = [i for i in range(len(found)) if i + 1 not in given["right"]]
        missed = [i for i in wrong if right[i] > found[i]]
        assert draw.answer == len(missed)
        assert (draw.mistakes["model"], draw.mistakes["wrong"]) == (len(wrong) - len(missed), len(wrong))
