"""Each habit is told from the others by heads that have one habit alone."""

import torch

from core.models.self_attention.head_habits import habits

T = 5
FIRST = torch.zeros(T, T).index_fill(1, torch.tensor([0]), 1.0)
ITSELF = torch.eye(T)
PREVIOUS = torch.eye(T).roll(1, 0).tril()
ALIKE = torch.ones(T, T).tril() / torch.arange(1, T + 1)[:, None]


def test_a_head_with_one_habit_has_that_one_and_no_other():
    found = habits(torch.stack([FIRST, PREVIOUS, ITSELF]))
    assert found.first.tolist() == [1, 1 / 4, 0]  # the second token's previous one is the first
    assert found.previous.tolist() == [1 / 4, 1, 0]
    assert found.itself.tolist() == [0, 0, 1]
    assert found.entropy.tolist() == [0, 0, 0]


def test_a_head_that_looks_alike_at_n_keys_has_log2_n_bits():
    expected = torch.log2(torch.arange(2.0, T + 1)).mean()
    torch.testing.assert_close(habits(ALIKE[None]).entropy[0], expected)


def test_a_single_token_has_no_habit():
    assert habits(torch.ones(1, 1, 1)).first.isnan().all()
