"""Pictures of heads add up: products to the score, weighed values to the output, thumbnails to the weights."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.figures.self_attention.head_effects import select_compared_tokens
from core.figures.self_attention.heads import (
    grid_figure,
    masked_weights,
    pool_weights,
)
from core.models.self_attention.attention import AttentionTrace, attend, causal_mask
from pages.self_attention.edit_attention.figures import ranking_figure, removal_figure
from pages.self_attention.self_attention.figures import product_rows, worked_weight
from pages.self_attention.shared.attention_pictures import value_rows


def layer(T=5, length=1.0) -> AttentionTrace:
    torch.manual_seed(0)
    return attend(*(length * torch.randn(3, 2, T, 4)), 0.5, causal_mask(T))


def one(head=0, **settings) -> AttentionTrace:
    return AttentionTrace(**{name: part[head] for name, part in vars(layer(**settings)).items()})


def test_the_products_of_a_pair_add_up_to_its_score():
    head = one()
    query, key, product = product_rows(
        head.query[3].numpy(), [(head.key[1].numpy(), "key of b", None)], "query of <a>"
    )["rows"]
    score = float(head.scores[3, 1])
    assert sum(product["cells"]) == pytest.approx(score, abs=1e-3)
    assert product["text"] == f"Σ = {score:+.1f}".replace("-", "−")
    np.testing.assert_allclose(query["cells"], head.query[3], atol=1e-4)
    np.testing.assert_allclose(key["cells"], head.key[1], atol=1e-4)


@pytest.mark.parametrize("T", [1, 5, 30])
def test_the_rows_of_weighed_values_add_up_to_the_head_s_output(T):
    head = one(T=T)
    rows = value_rows(head.weights[-1].numpy(), head.value.numpy(), [f"w{t}" for t in range(T)], {})["rows"]
    cells = np.array([row["cells"] for row in rows])
    np.testing.assert_allclose(cells[:-1].sum(0), cells[-1], atol=2e-3)
    np.testing.assert_allclose(cells[-1], head.context[-1], atol=1e-3)
    assert len(rows) == min(T, 8) + (T > 8) + 1


@settings(max_examples=30, deadline=None)
@given(T=st.integers(1, 40), most=st.integers(1, 12))
def test_a_thumbnail_s_cells_are_the_means_of_the_weights_that_are_not_masked(T, most):
    weights = masked_weights(layer(T))
    small, k = pool_weights(weights, most)
    assert small.shape[-1] == -(-T // k) <= most
    for i in range(small.shape[-1]):
        for j in range(small.shape[-1]):
            block = weights[0, i * k : (i + 1) * k, j * k : (j + 1) * k]
            expected = block[~np.isnan(block)].mean() if (~np.isnan(block)).any() else np.nan
            np.testing.assert_allclose(small[0, i, j], expected, rtol=1e-5)


def test_the_still_grid_has_a_cell_for_every_weight():
    drawn = grid_figure([layer(), layer()]).data[0].z
    assert drawn.shape == (2 * 6, 2 * 6)
    np.testing.assert_allclose(drawn[:5, :5] ** 2, masked_weights(layer())[0], atol=1e-6)


def test_formulas_end_in_the_numbers_of_the_trace():
    head = one()
    weight = worked_weight(head, 3, 1, "weight")
    assert f"{float(head.weights[3, 1]):.4g}" in weight
    assert f"{float(head.scores[3, 1]):.4g}" in worked_weight(head, 3, 1, "q·k")
    assert r"-\infty" in worked_weight(head, 1, 3, "weight")
    assert worked_weight(head, 3, 1, "key") is None


def test_scores_too_large_for_an_exponential_are_shown_with_their_shift():
    head = one(length=30.0)
    t = int(head.shift[:, 0].abs().argmax())
    assert f"{float(head.shift[t, 0]):.4g}" in worked_weight(head, t, 0, "e^")


def test_what_changes_is_drawn_in_order_and_without_what_is_unknown():
    points = removal_figure(
        np.array([0.5, 0.2, np.nan]), np.array([0.1, np.nan, 0.3]), ["a", "b", "c"], "weight"
    )
    assert list(points.data[0].x) == [0.5]
    assert list(ranking_figure({"1.1": -0.5, "1.2": 2.0}).data[0].x) == ["1.2", "1.1"]
    assert select_compared_tokens(np.array([0.2, 0.8]), np.array([0.9, 0.1])).tolist() == [1, 0]
