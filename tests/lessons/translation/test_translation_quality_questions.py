"""The key of the exercises on translation scores, by nltk and by plain counting."""

import math

import pytest
from nltk.translate.bleu_score import modified_precision

from tests.exercises.drawn import drawn, entries


def runs_of(word, n):
    """Return the runs of n letters of a word, one by one."""
    return [word[i : i + n] for i in range(len(word) - n + 1)]


def test_a_precision_is_nltk_s_modified_precision():
    for exercise in drawn("translation_quality", "precision"):
        draw, given = exercise.draw, exercise.draw.given
        written, reference = given["written"].split(), given["reference"].split()
        found = modified_precision([reference], written, given["n"])
        assert draw.answer == pytest.approx(float(found))
        n = given["n"]
        known = {tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)}
        ngrams = [tuple(written[i : i + n]) for i in range(len(written) - n + 1)]
        matched = sum(ngram in known for ngram in ngrams)
        assert draw.mistakes["unclipped"] == pytest.approx(matched / len(ngrams))


def test_bleu_is_the_penalty_times_the_fourth_root_of_the_product():
    for exercise in drawn("translation_quality", "bleu"):
        draw, given = exercise.draw, exercise.draw.given
        matches, totals = entries(given["counts"])
        product = math.prod(matches) / math.prod(totals)
        penalty = math.exp(1 - given["r"] / given["c"])
        assert draw.answer == pytest.approx(penalty * math.sqrt(math.sqrt(product)))
        assert draw.mistakes["no_root"] == pytest.approx(penalty * product)
        assert all(m <= n for m, n in zip(matches, totals, strict=True))


def test_the_f_score_of_letters_is_5_matches_by_4_references_and_the_translation():
    for exercise in drawn("translation_quality", "letters"):
        draw, given = exercise.draw, exercise.draw.given
        written, left = (runs_of(given[each], given["n"]) for each in ("written", "reference"))
        sizes, matched = (len(written), len(left)), 0
        for run in written:
            if run in left:
                left.remove(run)
                matched += 1
        assert draw.answer == pytest.approx(5 * matched / (4 * sizes[1] + sizes[0]))
        assert draw.mistakes["exchanged"] == pytest.approx(5 * matched / (4 * sizes[0] + sizes[1]))
        assert draw.mistakes["equal"] == pytest.approx(2 * matched / sum(sizes))
