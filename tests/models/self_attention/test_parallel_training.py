"""Multiplications are those that torch counts, and one pass over a window saves those of all its prefixes."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.parallel_training import (
    apart,
    in_one_pass,
    multiplications,
    one_by_one,
    times_by_prefixes,
)
from core.models.self_attention.peeking import NO_MASK, peeking

CONFIG = GPTConfig(vocabulary_size=13, context=9, layers=2, heads=2, width=8)
IDS = torch.tensor([3, 1, 4, 1, 5, 9, 2])


@pytest.mark.parametrize("T", [1, 4, 9])
def test_multiplications_are_half_the_operations_that_torch_counts(T):
    network = peeking(
        GPT(CONFIG), NO_MASK
    )  # its scores are plain products of matrices, which torch can count
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        network(torch.zeros(1, T, dtype=torch.long))
    assert counter.get_total_flops() == 2 * multiplications(CONFIG, T)


def test_the_passes_multiply_as_much_as_their_lengths_say():
    torch.manual_seed(0)
    network = GPT(CONFIG)
    one, each = in_one_pass(network, IDS), one_by_one(network, IDS)
    assert (one.passes, each.passes) == ((6,), (1, 2, 3, 4, 5, 6))
    assert (one.tokens_read, each.tokens_read) == (6, 21)
    times = each.multiplications(CONFIG) / one.multiplications(CONFIG)
    assert times_by_prefixes(CONFIG, 6) == pytest.approx(times)
    assert apart(one, each) < 1e-5
    assert apart(one, one) == 0
