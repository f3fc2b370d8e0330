"""Beam search finds what looking at everything finds, when it is wide enough; width one is greedy."""

from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.feedforward_language_model import FeedForwardConfig, FeedForwardLanguageModel
from core.models.generation.beam_search import beam_search, likeliest, shortened, winning_paths
from core.models.generation.sampling import SamplingSettings, generate
from core.models.language_model import sequence_log_probability
from core.models.neural_language_model import NeuralLanguageModel, read_on
from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel
from core.models.self_attention.gpt import GPT, GPTConfig

torch.manual_seed(3)
MODEL = NeuralLanguageModel(RecurrentLanguageModel(RecurrentConfig(4, "gru", width=5)), "abcd")
with torch.no_grad():
    MODEL.network.embedding.weight *= 20  # far from uniform, so that greedy and best differ


def test_a_beam_as_wide_as_the_tree_finds_the_likeliest_text():
    every = [
        (sequence_log_probability(MODEL, text).log_probability, text) for text in product(range(4), repeat=4)
    ]
    best = max(every)
    tree = beam_search(MODEL, [], width=4**4, length=4)
    assert tuple(tree.winning_path) == best[1]
    assert tree.nodes[tree.best].total == pytest.approx(best[0], abs=1e-5)


def test_width_one_is_greedy_search():
    greedy = [step.token for step in generate(MODEL, [1], 6, SamplingSettings(temperature=0), seed=0)]
    assert beam_search(MODEL, [1], width=1, length=6).winning_path == greedy


@settings(max_examples=20, deadline=None)
@given(width=st.integers(1, 5), length=st.integers(1, 5), penalty=st.floats(0, 2))
def test_totals_are_sums_along_the_path_and_scores_divide_them_by_length(width, length, penalty):
    tree = beam_search(MODEL, [2], width, length, penalty, end=3)
    for place, node in enumerate(tree.nodes[1:], start=1):
        assert node.total == pytest.approx(tree.nodes[node.parent].total + node.log_probability)
        assert node.score == pytest.approx(node.total / node.depth**penalty)
        assert len(tree.path(place)) == node.depth
        assert tree.nodes[node.parent].kept
        assert not tree.nodes[node.parent].finished


def test_at_each_depth_the_kept_are_the_best_of_what_was_looked_at():
    tree = beam_search(MODEL, [], width=3, length=4)
    for depth in range(1, 5):
        level = [node for node in tree.nodes if node.depth == depth]
        kept = [node.total for node in level if node.kept]
        assert len(kept) == 3
        assert all(min(kept) >= node.total for node in level if not node.kept)


def test_the_length_penalty_can_turn_a_short_winner_into_a_long_one():
    model = OneOrMany()
    short = beam_search(model, [], width=3, length=4, length_penalty=0.0, end=1)
    long = beam_search(model, [], width=3, length=4, length_penalty=1.0, end=1)
    assert short.winning_path == [1]
    assert long.winning_path == [0, 0, 0, 0]


class OneOrMany:
    """Ends at once with probability 0.45, later never; goes on with near certainty afterwards."""

    vocabulary = ("more", "end")

    def log_probabilities(self, context):
        return np.log([0.44, 0.56]) if not len(context) else np.log([0.95, 0.05])


def test_a_width_of_nought_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        beam_search(MODEL, [], width=0, length=3)


@pytest.mark.parametrize(
    "network",
    [
        GPT(GPTConfig(5, context=6, layers=2, heads=1, width=4)),
        RecurrentLanguageModel(RecurrentConfig(5, "lstm", width=4)),
        RecurrentLanguageModel(RecurrentConfig(5, "gru", width=4)),
        FeedForwardLanguageModel(FeedForwardConfig(5, context=3, embedding=2, hidden=4)),
    ],
    ids=lambda network: type(network).__name__,
)
def test_readings_that_go_on_together_are_those_that_go_on_one_by_one(network):
    """Also where a GPT's window is full and begins again, and for readings of different lengths."""
    model = NeuralLanguageModel(network, "abcde")
    readings = [model.read(context) for context in ([1, 2], [3, 4], [0, 0])]
    for _ in range(9):
        tokens = [int(reading.logits.argmax() + 1) % 5 for reading in readings]
        readings = read_on(model, readings, tokens)
        for reading in readings:
            np.testing.assert_allclose(reading.logits, model.read(reading.context).logits, atol=1e-5)
    mixed = [model.read([1]), model.read([2, 3])]
    assert [reading.context for reading in read_on(model, mixed, [4, 4])] == [(1, 4), (2, 3, 4)]


@pytest.mark.parametrize("k", [1, 3, 7, 20, 30])
def test_the_likeliest_tokens_are_the_first_of_all_in_order_and_equals_stay_in_order_of_id(k):
    ln_p = np.log(np.random.default_rng(k).integers(1, 6, 20) / 60)  # many are equal
    ln_p[3] = -np.inf
    np.testing.assert_array_equal(likeliest(ln_p, k), np.argsort(-ln_p, kind="stable")[:k])


@pytest.mark.parametrize("width", [1, 3, 8])
def test_a_long_search_has_found_what_a_shorter_one_would_have(width):
    found = winning_paths(beam_search(MODEL, [1], width, length=12))
    assert found == {length: beam_search(MODEL, [1], width, length).winning_path for length in range(1, 13)}


@pytest.mark.parametrize("end", [None, 3])
@pytest.mark.parametrize("penalty", [0.0, 0.7, 2.0])
def test_a_long_search_is_shortened_to_what_a_shorter_one_with_its_penalty_looks_at(end, penalty):
    for width in (1, 3, 6):
        longest = beam_search(MODEL, [2], width, 12, end=end)
        for length in (1, 2, 5, 12):
            assert shortened(longest, length, penalty) == beam_search(MODEL, [2], width, length, penalty, end)
