"""The key of the exercises on forced attention: plain Python, and an edit distance that keeps as many words as it can."""

from functools import cache

import pytest

from tests.exercises.drawn import drawn, entries


def test_a_forced_context_is_the_state_of_the_word():
    for exercise in drawn("translation_what_if", "context"):
        given, draw = exercise.draw.given, exercise.draw
        row, [a], at = (
            entries(given["states"])[given["j"] - 1],
            entries(given["weights"]),
            given["words"].index(given["word"]),
        )
        assert draw.answer == pytest.approx(row[at])
        assert draw.mistakes["own"] == pytest.approx(sum(p * h for p, h in zip(a, row, strict=True)))
        others = sum(p * h for i, (p, h) in enumerate(zip(a, row, strict=True)) if i != at)
        assert draw.mistakes["added"] == pytest.approx(row[at] + others)


def test_the_word_written_has_the_largest_sum():
    for exercise in drawn("translation_what_if", "written"):
        given, draw = exercise.draw.given, exercise.draw
        [own], row = entries(given["own"]), entries(given["parts"])[given["inputs"].index(given["word"])]
        words = given["own"].columns
        sums = {word: a + b for word, a, b in zip(words, own, row, strict=True)}
        assert draw.answer == max(sums, key=sums.get)


def fewest(before, after):
    """Return (words that stay, changes) of the alignment that keeps most words with fewest changes."""

    @cache
    def best(i, j):
        if i == len(before) or j == len(after):
            return 0, -(len(before) - i + len(after) - j)
        options = [(best(i + 1, j), 0, -1), (best(i, j + 1), 0, -1)]
        if before[i] == after[j]:
            options.append((best(i + 1, j + 1), 1, 0))
        else:
            options.append((best(i + 1, j + 1), 0, -1))
        return max((kept + more, cost + less) for (kept, cost), more, less in options)

    kept, cost = best(0, 0)
    return kept, -cost


def test_changes_are_the_rows_of_an_alignment_that_keeps_most_words():
    for exercise in drawn("translation_what_if", "changes"):
        given, draw = exercise.draw.given, exercise.draw
        assert draw.answer == fewest(given["before"].split(), given["after"].split())[1]
