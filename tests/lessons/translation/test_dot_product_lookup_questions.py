"""The key of the exercises on dot-product lookup: torch's own attention, scipy's distances, plain Python."""

from math import exp

import pytest
import torch
from scipy.spatial import distance

from tests.exercises.drawn import drawn, entries


def test_weights_are_those_of_torch_s_attention():
    for exercise in drawn("dot_product_lookup", "weights"):
        given, draw = exercise.draw.given, exercise.draw
        q = torch.tensor([given["query"]], dtype=torch.float64)
        K = torch.tensor([key for _, key in given["vectors"]], dtype=torch.float64)
        values = torch.eye(len(K), dtype=torch.float64)
        attend = torch.nn.functional.scaled_dot_product_attention
        weights = attend(q[None], K[None], values[None], scale=1 / given["bandwidth"] ** 2)[0, 0]
        assert draw.answer[1::2] == pytest.approx(weights.tolist())
        assert draw.answer[::2] == pytest.approx((K @ q[0] / given["bandwidth"] ** 2).tolist())


def test_legs_are_a_mean_with_weights_of_a_softmax():
    for exercise in drawn("dot_product_lookup", "legs"):
        given, draw = exercise.draw.given, exercise.draw
        products, legs = entries(given["animals"])
        powers = [exp(each / given["bandwidth"] ** 2) for each in products]
        assert draw.answer == pytest.approx(
            sum(p * v for p, v in zip(powers, legs, strict=True)) / sum(powers)
        )
        assert draw.mistakes["hard"] == pytest.approx(legs[products.index(max(products))], abs=0.1)
        shares = sum(p * v for p, v in zip(products, legs, strict=True)) / sum(products)
        assert draw.mistakes["shares"] == pytest.approx(shares)


def test_the_score_by_distance_is_scipy_s():
    for exercise in drawn("dot_product_lookup", "distance"):
        given, draw = exercise.draw.given, exercise.draw
        squared, twice = distance.sqeuclidean(given["query"], given["key"]), 2 * given["bandwidth"] ** 2
        assert draw.answer == pytest.approx(-squared / twice)
        assert draw.mistakes["unsquared"] == pytest.approx(-(squared**0.5) / twice)


def test_the_heaviest_key_is_the_nearest_or_has_the_largest_product():
    for exercise in drawn("dot_product_lookup", "longest"):
        given, draw = exercise.draw.given, exercise.draw
        keys, q = dict(given["vectors"]), given["query"]
        far = {name: distance.euclidean(q, key) for name, key in keys.items()}
        product = {name: sum(a * b for a, b in zip(q, key, strict=True)) for name, key in keys.items()}
        angle = {name: distance.cosine(q, key) for name, key in keys.items()}
        nearest, longest = min(far, key=far.get), max(product, key=product.get)
        expected = (longest, nearest) if given["asked"] == "product" else (nearest, longest)
        assert (draw.answer, draw.mistakes["other"]) == expected
        assert draw.mistakes["angle"] == min(angle, key=angle.get)
