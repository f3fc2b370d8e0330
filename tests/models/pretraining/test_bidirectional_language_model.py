"""The bidirectional language model is torch's LSTMs, its directions never meet, and it is fitted as it is read."""

import numpy as np
import pytest
import torch
from scipy import stats
from torch import nn

from core.models.documents.word_pieces import learn_pieces
from core.models.fit_language_model import FitConfig
from core.models.pretraining.bidirectional_language_model import (
    MARK,
    OTHER,
    BidirectionalLanguageModel,
    BothWaysConfig,
    BothWaysModel,
    read_one_way,
)
from core.models.pretraining.both_ways_surprise import BothWaysSurprise, bits_of, surprise_by
from core.models.pretraining.fit_both_ways import BothWaysFitting, examples_of
from core.models.recurrent_language_model import StepWeights

SENTENCE = ["The", "old", "dog", "barks", "at", "dogs", "."]
C = 6


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(3)
    pieces = learn_pieces([[MARK, *SENTENCE, MARK]], least=1, longest=2, least_of_endings=1)
    words = (OTHER, MARK, "the", "dog", "barks")
    network = BidirectionalLanguageModel(BothWaysConfig(len(pieces.names), len(words), C))
    return BothWaysModel(network.requires_grad_(False).eval(), pieces, words)


def test_the_first_layer_is_torch_s_bidirectional_lstm(model):
    both = nn.LSTM(C, C, batch_first=True, bidirectional=True)
    for name, tensor in model.network.ahead[0].state_dict().items():
        both.state_dict()[name].copy_(tensor)
    for name, tensor in model.network.back[0].state_dict().items():
        both.state_dict()[f"{name}_reverse"].copy_(tensor)
    pieces = model.pieces.of([MARK, *SENTENCE, MARK])
    x = torch.stack([model.network.embedding.weight[rows].sum(0) for rows in pieces])
    expected = both(x[None])[0][0, 1:-1].detach().numpy()  # (n, 2C)
    read = model.read(SENTENCE)
    np.testing.assert_allclose(np.hstack([read.ahead[0], read.back[0]]), expected, atol=1e-5)


@pytest.mark.parametrize("backward", [False, True])
def test_both_layers_of_a_direction_are_torch_s_lstm_of_two_layers(model, backward):
    deep = nn.LSTM(C, C, num_layers=2, batch_first=True)
    for j, lstm in enumerate(model.network.back if backward else model.network.ahead):
        for name, tensor in lstm.state_dict().items():
            deep.state_dict()[name.replace("l0", f"l{j}")].copy_(tensor)
    x = model.network.words(model.pieces.of([MARK, *SENTENCE, MARK])[None])
    hidden = deep(x.flip(1))[0].flip(1) if backward else deep(x)[0]
    read = model.read(SENTENCE)
    own = read.back if backward else read.ahead
    np.testing.assert_allclose(own[1], hidden[0, 1:-1].detach().numpy(), atol=1e-5)


def test_many_sentences_at_once_have_the_layers_of_each_alone(model):
    sentences = [SENTENCE, ["dog"], ["A", "dog", "."], SENTENCE[::-1]]
    for words, layers in zip(sentences, model.layers_of(sentences), strict=True):
        assert layers.shape == (3, 2, len(words), C)
        np.testing.assert_allclose(layers, model.read(words).layers, atol=1e-5)


def test_no_direction_is_told_what_it_guesses(model):
    """A word that changes moves what stands behind it from the left, before it from the right, and nothing else."""
    changed = [*SENTENCE[:3], "the", *SENTENCE[4:]]
    one, other = model.read(SENTENCE), model.read(changed)
    moved = lambda a, b: np.abs(a - b).max(axis=(0, 2)) > 1e-6  # noqa: E731
    assert moved(one.ahead, other.ahead).tolist() == [False] * 3 + [True] * 4
    assert moved(one.back, other.back).tolist() == [True] * 4 + [False] * 3


def test_each_direction_s_probabilities_are_those_of_all_words_and_the_loss_is_their_mean(model):
    read, numbers = model.read(SENTENCE), model.numbers([MARK, *SENTENCE, MARK])
    state = model.network.state_dict()
    W, b = state["output.weight"].double().numpy(), state["output.bias"].double().numpy()
    z = read.ahead.sum(axis=0) @ W.T + b  # after each word, of what stands behind it
    ln_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(read.ln_p_ahead[1:], ln_p[np.arange(len(z)), numbers[2:]], atol=1e-5)
    z = read.back.sum(axis=0) @ W.T + b
    ln_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(read.ln_p_back[:-1], ln_p[np.arange(len(z)), numbers[:-2]], atol=1e-5)
    pieces, words = examples_of(model, [SENTENCE])[0]
    loss = model.network.loss(pieces[None], words[None]).item()
    assert loss == pytest.approx(-np.concatenate([read.ln_p_ahead, read.ln_p_back]).mean(), abs=1e-5)


def test_words_that_are_not_listed_are_one_and_case_is_not_told_apart(model):
    assert model.numbers(["The", "DOG", "old", MARK]) == [2, 3, 0, 1]


def test_reading_one_way_is_torch_s_lstm():
    torch.manual_seed(0)
    lstm = nn.LSTM(4, 5, batch_first=True)
    x = torch.randn(7, 4)
    own = read_one_way(
        x, [StepWeights(lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0, lstm.bias_hh_l0)]
    )
    torch.testing.assert_close(own[0], lstm(x[None])[0][0], atol=1e-5, rtol=0)


def test_fitting_lowers_the_loss_of_both_directions_and_resumes_as_if_it_had_not_stopped(model):
    sentences = [SENTENCE, ["the", "dog", "barks"], ["a", "dog", "barks", "."]] * 5
    config = FitConfig(steps=12, batch=4, seed=2, warm_up=2)

    def fitting():
        torch.manual_seed(1)
        shape = BothWaysConfig(len(model.pieces.names), len(model.words), C)
        return BothWaysFitting(BidirectionalLanguageModel(shape), examples_of(model, sentences), config)

    whole = fitting()
    losses = [whole.step() for _ in range(12)]
    assert np.mean(losses[-3:]) < np.mean(losses[:3])
    first = fitting()
    for _ in range(5):
        first.step()
    then = fitting()
    then.resume(first.state())
    assert [then.step() for _ in range(7)] == pytest.approx(losses[5:], abs=1e-6)


def test_surprise_leaves_the_marks_out_and_has_an_interval_from_thirty_words_on(model):
    read = model.read(SENTENCE)
    bits = bits_of(read)
    assert bits.shape == (2, len(SENTENCE))
    found = surprise_by(model, [SENTENCE, SENTENCE])
    left = np.exp(-read.ln_p_ahead[:-1].mean())
    assert found.perplexities[0] == pytest.approx(left) and found.interval is None


def test_the_difference_is_the_left_s_bits_less_the_right_s_and_its_interval_shrinks_with_the_root_of_n():
    bits = np.random.default_rng(1).normal(size=(2, 50))
    bits[0] += 2  # the left is more surprised
    found, d = BothWaysSurprise(bits), bits[0] - bits[1]
    assert found.difference == pytest.approx(bits[0].mean() - bits[1].mean()) and found.difference > 1
    exact = stats.norm.interval(0.95, d.mean(), stats.sem(d))
    assert found.interval == pytest.approx(exact, abs=1e-4)
