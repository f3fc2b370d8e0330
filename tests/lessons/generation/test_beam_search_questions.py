"""The key of the exercises on beam search, in plain Python."""

from math import exp, log, prod

import pytest

from tests.exercises.drawn import drawn, entries


def search(rows, start, width, length):
    """Return the best text of a beam, {text: p} of whole texts."""
    kept = {(start,): 1.0}
    for _ in range(length):
        grown = {}
        for text, p in kept.items():
            for token in sorted(range(len(rows)), key=lambda j: -rows[text[-1]][j])[:width]:
                grown[*text, token] = p * rows[text[-1]][token]
        kept = dict(sorted(grown.items(), key=lambda each: -each[1])[:width])
    return max(kept, key=kept.get)[1:]


def test_a_beam_finds_what_a_plain_search_finds():
    for exercise in drawn("beam_search", "found"):
        draw, given = exercise.draw, exercise.draw.given
        names, rows = given["table"].rows, entries(given["table"])
        for found, width in ((draw.answer, 2), (draw.mistakes["greedy"], 1)):
            text = search(rows, names.index(given["start"]), width, given["length"])
            assert found == " ".join(names[token] for token in text)


def test_a_score_is_ln_p_over_a_power_of_the_length():
    for exercise in drawn("beam_search", "score"):
        draw, given = exercise.draw, exercise.draw.given
        assert draw.answer == pytest.approx(given["total"] / exp(given["a"] * log(given["n"])))
        assert draw.mistakes["mean"] * given["n"] == pytest.approx(given["total"])


def test_candidates_are_counted_step_by_step():
    for exercise in drawn("beam_search", "cost"):
        width, texts, scored = exercise.draw.given["width"], 1, 0
        for _ in range(exercise.draw.given["length"]):
            scored += texts * width
            texts = min(width, texts * width)
        assert exercise.draw.answer == scored
        assert exercise.draw.mistakes["one"] == prod((width, exercise.draw.given["length"]))
