"""Five methods on one text: the same words, a tenth of the sentences, and a board that says what was measured."""

import math

import numpy as np
import pytest
from scipy.stats import rankdata

from core.models.training_error import TrainingError
from core.models.word_vectors.glove import Glove
from core.models.word_vectors.shoot_out import (
    METHODS,
    PARTS,
    Contender,
    ShootOutSettings,
    fit_each,
    load_recorded_run,
    model_of,
    tenth,
)
from core.models.word_vectors.shoot_out_board import (
    Score,
    best_method,
    board_of_text,
    measure_for,
    measure_loss_of_quality,
    named_by,
    nearest_each,
    nearest_recorded,
    rated_pairs,
    recorded_board,
    score,
)
from core.models.word_vectors.vector_agreement import agreement
from core.models.word_vectors.vector_tests import SimilarityScore, spearman_interval, word_similarity
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.microworld import microworld
from core.text.tokenization.tokens import words

WORLD = [words(sentence) for sentence in microworld(500, seed=6)]
QUICK = ShootOutSettings(dimension=6, window=2, min_count=1, epochs=1)


@pytest.fixture(scope="module")
def run():
    told = []
    made = fit_each(lambda now: told.append(now), WORLD, QUICK)
    return made, told


def test_all_methods_have_the_same_words_and_are_told_as_they_end(run):
    made, told = run
    for part in PARTS:
        assert [each.method for each in made[part]] == list(METHODS)
        assert len({each.vectors.words for each in made[part]}) == 1
    ended = [(each.part, each.method) for each in told if each.ended]
    assert ended == [(part, method) for part in PARTS for method in METHODS]
    shares = [each.overall for each in told]
    assert shares == sorted(shares) and shares[-1] == 1


def test_a_tenth_has_every_tenth_sentence(run):
    made, _ = run
    assert tenth(WORLD) == [WORLD[place] for place in range(0, 500, 10)]
    assert set(made["tenth"][0].vectors.words) == {word for sentence in tenth(WORLD) for word in sentence}


def test_examples_and_parameters_are_counted(run):
    made, _ = run
    V, tokens = len(made["whole"][0].vectors), sum(map(len, WORLD))
    by_name = {each.method: each for each in made["whole"]}
    assert by_name["CBOW"].examples == by_name["fastText"].examples == tokens
    assert by_name["PPMI-SVD"].examples == by_name["GloVe"].examples < V * V
    assert by_name["skip-gram"].parameters == 2 * V * 6
    assert by_name["fastText"].parameters == (2 * V + 10_000) * 6
    assert by_name["GloVe"].parameters == 2 * V * 7
    less = {each.method: each.examples for each in made["tenth"]}
    assert less["CBOW"] == 4 * sum(map(len, tenth(WORLD)))  # a window reads a tenth four times as often


def test_settings_of_a_method_s_own_reach_its_model():
    assert model_of("fastText", QUICK, {"buckets": 7}).buckets == 7
    assert model_of("PPMI-SVD", QUICK, {"power": 0.25}).power == 0.25
    assert model_of("GloVe", QUICK).learning_rate == Glove().learning_rate


def test_it_stops_with_what_has_come_to_its_end():
    made = fit_each(lambda now: now.method != "skip-gram", WORLD, QUICK)
    assert [each.method for each in made["whole"]] == ["PPMI-SVD", "CBOW"] and made["tenth"] == ()
    assert fit_each(lambda now: False, WORLD, QUICK) is None


def test_a_text_too_short_is_refused_and_a_tenth_too_short_is_left_out():
    with pytest.raises(TrainingError):
        fit_each(lambda now: None, [["word"]], QUICK)
    made = fit_each(lambda now: None, [["one"], ["the", "cat"], ["the", "dog"]], QUICK)
    assert len(made["whole"]) == 5 and made["tenth"] == ()
    board = board_of_text(made)
    assert board.part(True) == "whole" and measure_for(board.scores["whole"]) == "seconds"


def test_the_interval_is_bonett_and_wright_s():
    low, high = spearman_interval(0.52, 320)
    s = math.sqrt((1 + 0.52**2 / 2) / 317)
    assert low == pytest.approx(math.tanh(math.atanh(0.52) - 1.96 * s))
    assert high == pytest.approx(math.tanh(math.atanh(0.52) + 1.96 * s))
    assert spearman_interval(1.0, 20)[0] < 1


def test_the_interval_holds_the_truth_about_95_times_in_100():
    """Rank correlations of 60 pairs drawn from two normal numbers whose rank correlation is known."""
    random, r, held = np.random.default_rng(1), 0.6, 0
    truth = 6 / math.pi * math.asin(r / 2)
    for _ in range(600):
        x, e = random.standard_normal((2, 60))
        ranks = rankdata(x), rankdata(r * x + math.sqrt(1 - r * r) * e)
        low, high = spearman_interval(float(np.corrcoef(*ranks)[0, 1]), 60)
        held += low <= truth <= high
    assert 0.92 < held / 600 < 0.98


def test_overlaps_are_the_mean_agreement_of_each_two(run):
    some, found = run[0]["whole"], board_of_text(run[0]).overlaps["whole"]
    for i, j in ((0, 3), (4, 1)):
        expected = agreement(some[i].vectors, some[j].vectors, "king", 10).mean
        assert found[i, j] == found[j, i] == pytest.approx(expected)


def test_named_by_counts_methods_and_not_words(run):
    near = nearest_each(run[0]["whole"], "king", 6)
    counts = named_by(near)
    assert sum(counts.values()) == 30 and max(counts.values()) <= 5
    for word, count in counts.items():
        assert count == sum(word in line for line in near.values())


def rows(*found):
    return [
        Score(m, SimilarityScore(rho, pairs, 0), right, 10, seconds, 1, 1)
        for m, rho, pairs, right, seconds in found
    ]


def test_what_is_compared_is_what_the_text_allows_and_one_method_wins():
    assert measure_for(rows(("a", 0.5, 30, 1, 1.0), ("b", 0.4, 30, 9, 2.0))) == "similarity"
    assert measure_for(rows(("a", 0.5, 9, 1, 1.0), ("b", 0.4, 9, 9, 2.0))) == "analogies"
    assert measure_for(rows(("a", 0.5, 30, 9, 1.0), ("b", 0.5, 30, 9, 2.0))) == "seconds"
    assert best_method(rows(("a", 0.5, 30, 1, 3.0), ("b", 0.4, 30, 9, 2.0)), "seconds").method == "b"


def test_a_loss_is_by_what_both_parts_allow():
    whole, less = (
        rows(("a", 0.5, 30, 8, 1.0), ("b", 0.4, 30, 9, 2.0)),
        rows(("a", 0.4, 9, 7, 1.0), ("b", 0.4, 9, 2, 2.0)),
    )
    loss = measure_loss_of_quality(whole, less)
    assert (loss.measure, loss.most, loss.least) == ("analogies", "b", "a")
    assert (loss.before, loss.after) == (pytest.approx(0.85), pytest.approx(0.45))
    assert measure_loss_of_quality(whole, whole).measure == "similarity"


def test_a_row_holds_the_rank_correlation_with_the_ratings():
    known = [word for one, other, _ in rated_pairs()[:40] for word in (one, other)]
    types = list(dict.fromkeys(known))
    vectors = WordVectors(types, np.random.default_rng(3).standard_normal((len(types), 4)))
    row = score(Contender("x", vectors, 1.0, 2, 3), 1, 2)
    assert row.similarity == word_similarity(vectors, rated_pairs()) and row.similarity.pairs >= 40
    assert row.interval[0] < row.similarity.spearman < row.interval[1]


def test_recorded_runs_are_whole_and_their_words_are_the_same():
    for corpus in ("mix", "world"):
        for part in PARTS:
            some = load_recorded_run(corpus)[part]
            assert [each.method for each in some] == list(METHODS)
            assert len({each.vectors.words for each in some}) == 1
            assert all(np.isfinite(each.vectors.vectors).all() for each in some)
    assert nearest_recorded("mix", "whole", "king", 6) == nearest_each(
        load_recorded_run("mix")["whole"], "king", 6
    )
    assert len(recorded_board("mix").scores["tenth"]) == 5
