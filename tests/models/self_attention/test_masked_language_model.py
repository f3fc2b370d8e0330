"""Filling gaps: what is hidden, what the loss counts, and that a guess sees both sides but never the answer."""

import pytest
import torch

from core.models.fit_language_model import FitConfig
from core.models.self_attention.masked_language_model import (
    MaskedFitting,
    MaskedLanguageModel,
    hide,
    masked_loss,
    masked_network,
)
from core.models.tokens.byte_pairs import BytePairs

SHAPE = {"vocabulary_size": 257, "context": 8, "layers": 1, "heads": 2, "width": 16}


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return MaskedLanguageModel(masked_network(SHAPE).requires_grad_(False), BytePairs(()))


def test_a_share_is_hidden_most_of_it_as_mask_and_the_rest_is_untouched():
    ids = torch.arange(60_000).remainder(50).view(6, -1)
    hidden = hide(ids, 0.2, 50, torch.Generator().manual_seed(3))
    among = hidden.shown[hidden.places]
    unchanged = among == ids[hidden.places]
    assert hidden.places.float().mean() == pytest.approx(0.2, abs=0.01)
    assert (among == 50).float().mean() == pytest.approx(0.8, abs=0.02)
    assert unchanged.float().mean() == pytest.approx(0.1 + 0.1 / 50, abs=0.01)
    assert (hidden.shown == ids)[~hidden.places].all()


def test_the_loss_is_the_mean_surprise_of_the_hidden_tokens_alone(model):
    ids = torch.tensor([[3, 1, 4, 1, 5]])
    hidden = hide(ids, 0.5, model.mask, torch.Generator().manual_seed(0))
    ln_p = model.network(hidden.shown)[0][0].log_softmax(-1)
    by_hand = [-ln_p[t, ids[0, t]].item() for t in range(5) if hidden.places[0, t]]
    assert 0 < len(by_hand) < 5
    assert masked_loss(model.network, ids, hidden).item() == pytest.approx(sum(by_hand) / len(by_hand))


def test_a_guess_does_not_know_what_it_hides_and_looks_to_both_sides(model):
    guess = model.log_probabilities([10, 20, 30], place=1)
    assert (model.log_probabilities([10, 99, 30], 1) == guess).all()
    assert (model.log_probabilities([11, 20, 30], 1) != guess).any()
    assert (model.log_probabilities([10, 20, 31], 1) != guess).any()


def test_a_text_longer_than_the_context_is_refused_in_a_sentence(model):
    with pytest.raises(ValueError, match="at most 8 tokens"):
        model.log_probabilities(range(9), 0)


def test_a_text_that_goes_round_is_learned():
    torch.manual_seed(0)
    network = masked_network({**SHAPE, "vocabulary_size": 8})
    fit = MaskedFitting(
        network, torch.arange(500) % 7, FitConfig(300, batch=16, window=8, warm_up=5), share=0.2
    )
    losses = []
    while not fit.done:
        losses.append(fit.step())
    assert sum(losses[-10:]) / 10 < 0.5 < losses[0]
