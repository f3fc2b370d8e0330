"""Every network is one language model, whether it reads a text at once, again each time, or token by token."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.feedforward_language_model import FeedForwardConfig, FeedForwardLanguageModel
from core.models.language_model import LanguageModel, UniformModel, sequence_log_probability
from core.models.neural_language_model import NeuralLanguageModel, read, window_start
from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel
from core.models.self_attention.gpt import GPT, GPTConfig

V = 7


def networks():
    torch.manual_seed(0)
    yield "gpt", GPT(GPTConfig(V, context=8, layers=2, heads=2, width=8))
    for cell in ("rnn", "gru", "lstm"):
        yield cell, RecurrentLanguageModel(RecurrentConfig(V, cell, width=6))
    yield "feed-forward", FeedForwardLanguageModel(FeedForwardConfig(V, context=3, embedding=4, hidden=5))


MODELS = {name: NeuralLanguageModel(network, "abcdefg") for name, network in networks()}
texts = st.lists(st.integers(0, V - 1), min_size=1, max_size=30)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=15, deadline=None)
@given(text=texts)
def test_reading_on_says_what_reading_again_says(name, text):
    model = MODELS[name]
    reading = model.read([])
    for i, token in enumerate(text):
        np.testing.assert_allclose(reading.log_probabilities, model.log_probabilities(text[:i]), atol=1e-5)
        reading = reading.then(token)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=15, deadline=None)
@given(text=texts)
def test_scoring_at_once_gives_the_factors_of_the_chain_rule(name, text):
    model = MODELS[name]
    one_by_one = [model.log_probabilities(text[:i])[token] for i, token in enumerate(text)]
    np.testing.assert_allclose(model.token_log_probabilities(text), one_by_one, atol=1e-5)
    assert sequence_log_probability(model, text).log_probability == pytest.approx(sum(one_by_one), abs=1e-4)


@pytest.mark.parametrize("name", MODELS)
def test_it_is_a_language_model_with_probabilities_that_sum_to_one(name):
    assert isinstance(MODELS[name], LanguageModel)
    assert np.exp(MODELS[name].log_probabilities([1, 2])).sum() == pytest.approx(1)


@pytest.mark.parametrize("name", MODELS)
def test_a_reading_can_be_branched_without_being_changed(name):
    reading = MODELS[name].read([1, 2, 3])
    before = reading.then(4).log_probabilities
    reading.then(5).then(6)
    np.testing.assert_array_equal(reading.then(4).log_probabilities, before)


@given(n=st.integers(1, 500), context=st.integers(2, 64))
def test_a_window_fits_and_keeps_at_least_half_of_the_context(n, context):
    seen = n - window_start(n, context)
    assert min(n, context - context // 2) <= seen <= context


def test_a_model_that_cannot_read_on_is_asked_again_each_time():
    reading = read(UniformModel(("a", "b")), [0]).then(1)
    assert reading.context == (0, 1)
    assert np.exp(reading.log_probabilities).tolist() == pytest.approx([0.5, 0.5])
