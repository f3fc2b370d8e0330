"""The shifted target and what models give it: by hand, and against torch's own cross-entropy."""

import numpy as np
import pytest
import torch

from core.models.generation.shifted_window import (
    WINDOWS_AT_MOST,
    last_token_only,
    loss_by_position,
    score_window,
)
from core.models.language_model import UniformModel
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.stored_language_models import encode, stored_language_model

FEEDFORWARD = "char_feedforward"


def test_the_target_is_the_window_one_to_the_right():
    scored = score_window(UniformModel(tuple("abc")), [0, 1, 2, 1, 0], start=1, window=3)
    assert (scored.x.tolist(), scored.y.tolist()) == ([1, 2, 1], [2, 1, 0])


def test_the_loss_is_the_cross_entropy_that_training_makes_smaller():
    model, ids = stored_language_model(FEEDFORWARD), encode(FEEDFORWARD, "to be or not to be").ids
    scored = score_window(model, ids, start=0, window=17)
    # The network as it is used has read the line end that stands before a text; so here, too.
    read = torch.tensor([[model.start, *ids[:-1]]])
    logits, _ = model.network(read)
    loss = torch.nn.functional.cross_entropy(logits[0, 1:], torch.tensor(ids[1:]))
    assert scored.loss == pytest.approx(loss.item(), rel=1e-5)


def test_a_bigram_loses_nothing_when_it_forgets_all_but_the_last_token():
    ids = [0, 1, 0, 2, 0, 1, 1, 2]
    model = kneser_ney(count_ngrams(ids, ("a", "b", "c"), order=3), 2)
    scored = score_window(model, ids, 0, 7)
    np.testing.assert_allclose(last_token_only(model, scored), scored.log_probabilities)


def test_the_loss_by_position_is_the_mean_over_all_windows_of_a_short_text():
    ids = [0, 1, 0, 2, 0, 1, 1, 2]
    model = kneser_ney(count_ngrams(ids, ("a", "b", "c"), order=3), 3)
    by_hand = -np.mean([score_window(model, ids, start, 3).log_probabilities for start in range(5)], axis=0)
    np.testing.assert_allclose(loss_by_position(model, ids, 3), by_hand)


def test_a_long_text_is_read_in_a_fixed_number_of_windows():
    seen = []

    class Watched(UniformModel):
        def token_log_probabilities(self, tokens):
            seen.append(tokens)
            return np.zeros(len(tokens))

    loss_by_position(Watched(("a", "b")), [0, 1] * 5000, 10)
    assert len(seen) == WINDOWS_AT_MOST


def test_a_window_past_the_end_is_refused():
    with pytest.raises(ValueError, match="past the end"):
        score_window(UniformModel(("a", "b")), [0, 1, 0], start=1, window=2)
