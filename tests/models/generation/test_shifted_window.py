"""The shifted target and what models give it: by hand, and against the loss of training itself."""

import numpy as np
import pytest
import torch

from core.models.fit_language_model import next_token_loss
from core.models.generation.shifted_window import (
    WINDOWS_AT_LEAST,
    WINDOWS_AT_MOST,
    context_worth,
    last_token_only,
    score_window,
)
from core.models.language_model import UniformModel
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.stored_language_models import encode, stored_language_model

FEEDFORWARD = "char_feedforward"
IDS = [0, 1, 0, 2, 0, 1, 1, 2]


def bigram():
    return kneser_ney(count_ngrams(IDS, ("a", "b", "c"), order=3), 2)


def test_the_target_is_the_window_one_to_the_right():
    scored = score_window(UniformModel(tuple("abc")), [0, 1, 2, 1, 0], start=1, window=3)
    assert (scored.x.tolist(), scored.y.tolist()) == ([1, 2, 1], [2, 1, 0])


def test_the_loss_is_the_one_that_training_makes_smaller():
    model, ids = stored_language_model(FEEDFORWARD), encode(FEEDFORWARD, "to be or not to be").ids
    scored = score_window(model, ids, start=0, window=17)
    x, y = torch.tensor([ids[:-1]]), torch.tensor([ids[1:]])
    assert scored.loss == pytest.approx(next_token_loss(model.network, x, y).item(), rel=1e-5)


def test_a_bigram_loses_nothing_when_it_forgets_all_but_the_last_token():
    scored = score_window(bigram(), IDS, 0, 7)
    forgetful = last_token_only(bigram(), scored)
    np.testing.assert_allclose(forgetful.log_probabilities, scored.log_probabilities)
    assert forgetful.y.tolist() == scored.y.tolist()


def test_forgetting_counts_each_target_after_its_own_character_alone():
    model, ids = stored_language_model(FEEDFORWARD), encode(FEEDFORWARD, "the the").ids
    scored = score_window(model, ids, 0, 6)
    forgetful = last_token_only(model, scored).log_probabilities
    pairs = [score_window(model, ids[t : t + 2], 0, 1).log_probabilities[0] for t in range(6)]
    np.testing.assert_allclose(forgetful, pairs, atol=1e-6)
    assert forgetful[0] == pytest.approx(scored.log_probabilities[0])


def test_the_worth_of_context_is_the_mean_over_windows_that_do_not_overlap():
    ids = IDS * 10
    worth = context_worth(bigram(), ids, 7)
    assert worth.windows == 10
    starts = np.linspace(0, len(ids) - 8, 10).astype(int)
    losses = -np.array([score_window(bigram(), ids, start, 7).log_probabilities for start in starts])
    np.testing.assert_allclose(worth.loss, losses.mean(axis=0))
    np.testing.assert_allclose(worth.half_width, 1.96 * losses.std(axis=0, ddof=1) / np.sqrt(10))


def test_a_long_text_is_read_in_a_fixed_number_of_windows_and_a_short_one_has_no_interval():
    assert context_worth(bigram(), IDS * 5000, 10).windows == WINDOWS_AT_MOST
    short = context_worth(bigram(), IDS * 2, 7)
    assert (short.windows, short.half_width) == (2, None)
    assert WINDOWS_AT_LEAST > 2


def test_a_window_past_the_end_is_refused():
    with pytest.raises(ValueError, match="past the end"):
        score_window(UniformModel(("a", "b")), [0, 1, 0], start=1, window=2)
