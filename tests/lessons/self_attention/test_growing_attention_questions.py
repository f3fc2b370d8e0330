"""The key of the exercises on self-attention step by step: numpy, and torch's own attention."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from tests.exercises.drawn import drawn, entries


def test_scores_are_products_of_queries_and_keys():
    for exercise in drawn("growing_attention", "scores"):
        draw, given = exercise.draw, exercise.draw.given
        x, W_q, W_k = (np.array(each) for each in (entries(given["x"]), given["W_q"], given["W_k"]))
        assert draw.answer == tuple(np.einsum("ti,ij,sk,kj->ts", x, W_q, x, W_k).flatten().tolist())
        assert draw.mistakes["raw"] == tuple((x @ x.T).flatten().tolist())


def test_the_output_is_that_of_torch():
    for exercise in drawn("growing_attention", "output"):
        draw, given = exercise.draw, exercise.draw.given
        K, V = (torch.tensor([row[i] for row in given["keys"]], dtype=torch.float64) for i in (1, 2))
        q = torch.tensor([given["query"]], dtype=torch.float64)
        output = functional.scaled_dot_product_attention(q[None], K[None], V[None])
        assert draw.answer == pytest.approx(output.flatten().tolist())
        assert draw.mistakes["average"] == pytest.approx(V.mean(0).tolist())


def test_a_layer_learns_what_torch_counts():
    for exercise in drawn("growing_attention", "matrices", 5):
        given = exercise.draw.given
        layer = nn.MultiheadAttention(given["C"], given["heads"], bias=False, device="meta")
        assert exercise.draw.answer == sum(each.numel() for each in layer.parameters())
