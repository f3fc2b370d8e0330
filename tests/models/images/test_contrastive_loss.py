"""The contrastive loss is torch's cross-entropy along the rows and along the columns of one matrix."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from core.models.images.contrastive_loss import contrast, loss_at


def vectors(B, E, seed):
    generator = torch.Generator().manual_seed(seed)
    return (functional.normalize(torch.randn(B, E, generator=generator)) for _ in range(2))


@given(st.integers(1, 9), st.integers(1, 6), st.integers(0, 99), st.floats(0.01, 100))
def test_the_loss_is_the_mean_of_both_cross_entropies(B, E, seed, scale):
    u, v = vectors(B, E, seed)
    found, own = contrast(u, v, scale), torch.arange(B)
    rows = functional.cross_entropy(scale * u @ v.T, own, reduction="none")
    columns = functional.cross_entropy(scale * v @ u.T, own, reduction="none")
    close = {"atol": 1e-5, "rtol": 1e-5}
    torch.testing.assert_close(found.rows, rows, **close)
    torch.testing.assert_close(found.columns, columns, **close)
    torch.testing.assert_close(found.loss, (rows.mean() + columns.mean()) / 2, **close)
    torch.testing.assert_close(found.by_picture.sum(1), torch.ones(B), **close)
    torch.testing.assert_close(found.by_sentence.sum(0), torch.ones(B), **close)


def test_a_hand_worked_batch_of_two():
    """s = 2 * [[1, 0.5], [0, 0.5]]: row 1 chooses between 2 and 1, row 2 between 0 and 1; column 2 between 1 and 1."""
    found = contrast(torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [0.5, 0.5]]), 2.0)
    assert found.similarity.tolist() == [[2, 1], [0, 1]]
    assert found.rows.tolist() == pytest.approx([math.log(1 + math.exp(-1))] * 2)
    assert found.columns.tolist() == pytest.approx([math.log(1 + math.exp(-2)), math.log(2)])


@pytest.mark.parametrize("B", [2, 6, 50])
def test_vectors_that_are_all_the_same_cost_the_logarithm_of_the_batch(B):
    same = torch.ones(B, 4) / 2
    assert float(contrast(same, same, 14.3).loss) == pytest.approx(math.log(B), abs=1e-5)


def test_pictures_and_sentences_in_each_other_s_places_cost_the_same_and_swap_rows_for_columns():
    u, v = vectors(5, 3, 1)
    there, back = contrast(u, v, 7.0), contrast(v, u, 7.0)
    assert float(there.loss) == pytest.approx(float(back.loss), abs=1e-6)
    torch.testing.assert_close(there.rows, back.columns)


def test_a_loss_at_another_scale_needs_the_products_alone():
    u, v = vectors(5, 3, 2)
    assert loss_at(u @ v.T, 3.5) == pytest.approx(float(contrast(u, v, 3.5).loss), abs=1e-6)
