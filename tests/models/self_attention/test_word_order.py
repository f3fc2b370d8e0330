"""Without positions a shuffle changes nothing, unless a mask tells the order; past their end positions are as asked."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.word_order import (
    BEYOND,
    bits_by_place,
    shuffle,
    shuffle_places,
    with_positions_for,
    without_positions,
)

IDS = torch.tensor([3, 1, 4, 1, 5, 2])


def network(causal: bool) -> GPT:
    torch.manual_seed(2)
    made = GPT(GPTConfig(7, context=8, layers=2, heads=2, width=16, causal=causal))
    for parameter in made.parameters():  # large enough that positions matter visibly
        parameter.data *= 10
    return made.requires_grad_(False)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_looking_both_ways_without_positions_every_shuffle_changes_nothing(seed):
    found = shuffle(
        without_positions(network(causal=False)), IDS, shuffle_places(len(IDS), seed), layer=1, head=1
    )
    torch.testing.assert_close(found.shuffled_weights, found.weights, atol=1e-5, rtol=1e-4)
    assert found.moved.max() < 1e-4


@pytest.mark.parametrize("plain", [network(causal=False), without_positions(network(causal=True))])
def test_positions_or_a_causal_mask_tell_the_order(plain):
    found = shuffle(plain, IDS, torch.tensor([5, 4, 3, 2, 1, 0]))
    assert found.moved.max() > 1e-3


def test_the_network_itself_is_left_as_it_was():
    whole = network(causal=False)
    without_positions(whole)
    assert whole.position_embedding.weight.abs().sum() > 0


@pytest.mark.parametrize("beyond", BEYOND)
def test_within_the_trained_length_nothing_changes_and_past_it_the_rows_are_as_asked(beyond):
    whole = network(causal=True)
    longer = with_positions_for(whole, 19, beyond)
    torch.testing.assert_close(longer(IDS[None])[0], whole(IDS[None])[0])
    trained, table = whole.position_embedding.weight, longer.position_embedding.weight
    expected = {"last": trained[7], "again": trained[10 % 8], "zero": torch.zeros(16)}
    assert table.shape == (19, 16)
    torch.testing.assert_close(table[10], expected[beyond])


def test_another_way_past_the_end_is_refused():
    with pytest.raises(ValueError, match="again"):
        with_positions_for(network(causal=True), 12, "guess")


def test_the_bits_of_each_place_are_those_of_the_token_that_stands_there():
    whole, ids = network(causal=True), torch.tensor([0, 1, 2, 3, 4, 5, 6, 0, 1, 2])
    bits = bits_by_place(whole, ids, T=8, runs=3)
    by_hand = [
        -torch.log2(whole(ids[None, start : start + 8])[0][0, 2].softmax(-1)[ids[start + 3]])
        for start in (0, 1, 2)
    ]
    assert bits.shape == (7,)
    assert bits[2].item() == pytest.approx(sum(by_hand).item() / 3, rel=1e-4)
    with pytest.raises(ValueError, match="this one has 10"):
        bits_by_place(whole, ids, T=11, runs=1)
