"""Fitting on a learner's own pairs: it learns, it reports, it stops when told, and it is seeded."""

import itertools
import math

import numpy as np
import pytest
import torch

from core.models.translation.fit_translation import fit_translation, loss_of, outcomes, pad_sentences, quality
from core.models.translation.seq2seq import Seq2Seq, Seq2SeqConfig
from core.text.grammar.pairs import Pair

LETTERS = "abcdef"
REVERSED = [
    Pair(tuple(w), tuple(reversed(w)), frozenset((n - 1 - i, i) for i in range(n)))
    for n in (2, 3, 4)
    for w in itertools.product(LETTERS, repeat=n)
]


def going_on(_):
    return True


@pytest.fixture(scope="module")
def fitted():
    torch.set_num_threads(1)
    return fit_translation(going_on, REVERSED, list("abcd"), hidden=48, embedding=24, epochs=14)


def test_it_learns_to_turn_words_round_and_measures_itself_on_held_out_pairs(fitted):
    assert fitted.held_out["exact_match"] > 0.8
    assert fitted.held_out["alignment_error"] < 0.5


def test_snapshots_show_the_sentence_from_the_first_step_to_the_last(fitted):
    first, *_, last = fitted.snapshots
    assert (first.share, first.step) == (0, 0)
    assert last.share == 1
    assert last.output == ["d", "c", "b", "a", "<end>"]
    assert last.weights.shape == (5, 4)
    assert np.allclose(last.weights.sum(1), 1, atol=1e-5)
    losses = [shown.loss for shown in fitted.snapshots[1:]]
    assert losses[-1] < losses[0]


def test_the_fitted_translator_translates(fitted):
    translator = fitted.translator()
    each = outcomes(translator.model, REVERSED[-300:], translator.source, translator.target)
    assert quality(each)["exact_match"] > 0.9


def test_it_stops_when_the_report_says_so():
    shares = []

    def report(shown):
        shares.append(shown.share)
        return len(shares) < 2

    stopped = fit_translation(report, REVERSED, ["a", "b"], hidden=16, epochs=500)
    assert len(shares) == 2
    assert shares[1] < 1
    assert len(stopped.snapshots) == 2
    assert stopped.translator().model is not None


def test_a_stop_at_the_first_report_takes_no_step():
    stopped = fit_translation(lambda shown: False, REVERSED, ["a"], hidden=16, epochs=500)
    assert [shown.step for shown in stopped.snapshots] == [0]


def test_the_same_seed_gives_the_same_weights():
    pairs = REVERSED[:60]
    one, two = (fit_translation(going_on, pairs, ["a"], hidden=8, epochs=2, seed=3) for _ in range(2))
    assert all(np.array_equal(one.weights[name], two.weights[name]) for name in one.weights)


def test_the_loss_is_the_mean_over_words_without_padding():
    torch.manual_seed(0)
    model = Seq2Seq(Seq2SeqConfig(9, 9, 4, 8)).eval()
    source, target = pad_sentences([[5, 6], [7]]), pad_sentences([[5, 6, 2], [2]])
    with torch.no_grad():
        together = float(loss_of(model, source, target))
        apart = [
            float(loss_of(model, pad_sentences([s]), pad_sentences([t])))
            for s, t in (([5, 6], [5, 6, 2]), ([7], [2]))
        ]
    assert together == pytest.approx((3 * apart[0] + apart[1]) / 4, abs=1e-5)
    assert math.isfinite(together)
