"""Patches, rollout, occlusion and positions do what their formulas say, on networks of random weights."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.images.learned_positions import nearest_beside, position_similarity
from core.models.images.occlusion import occlusion
from core.models.images.rollout import rollout
from core.models.images.seen_picture import rearranged
from core.models.images.vision_transformer import (
    VisionConfig,
    VisionTransformer,
    patches_of,
    trace_vision_transformer,
)

SHAPE = VisionConfig(side=6, patch=2, channels=2, classes=3, layers=2, heads=2, width=8)


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(1)
    made = VisionTransformer(SHAPE)
    for parameter in made.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return made.requires_grad_(False)


@pytest.fixture(scope="module")
def patches():
    return patches_of(torch.rand(2, 6, 6, generator=torch.Generator().manual_seed(2)), 2)


def test_a_patch_is_its_own_pixels_channel_by_channel_wherever_it_stands():
    pictures = torch.rand(4, 3, 12, 12)
    cut = patches_of(pictures, 4)
    assert cut.shape == (4, 9, 48)
    for place in range(9):
        top, left = 4 * (place // 3), 4 * (place % 3)
        expected = pictures[:, :, top : top + 4, left : left + 4].reshape(4, -1)
        torch.testing.assert_close(cut[:, place], expected, rtol=0, atol=0)


def test_the_trace_says_what_the_network_says_with_patches_missing_too(network, patches):
    for places in (torch.arange(9), torch.tensor([2, 3, 8]), torch.tensor([], dtype=torch.long)):
        for positions in (True, False):
            read = trace_vision_transformer(network, patches[places], places, positions)
            expected = network(patches[places][None], places, positions)[0]
            torch.testing.assert_close(read.logits, expected, atol=1e-5, rtol=1e-4)
            assert read.weights.shape == (2, 2, len(places) + 1, len(places) + 1)
            assert float(read.probabilities.sum()) == pytest.approx(1)


@settings(deadline=None, max_examples=10)
@given(st.permutations(range(9)))
def test_without_positions_the_order_of_the_patches_says_nothing(order):
    torch.manual_seed(3)
    made, x = VisionTransformer(SHAPE).requires_grad_(False), torch.rand(9, SHAPE.numbers)
    whole, moved = (
        trace_vision_transformer(made, each, positions=False).logits for each in (x, x[list(order)])
    )
    torch.testing.assert_close(whole, moved, atol=1e-5, rtol=1e-4)


def test_with_positions_the_order_matters_unless_each_patch_keeps_its_place(network, patches):
    order = torch.tensor([8, 1, 2, 3, 4, 5, 6, 7, 0])
    whole, moved = (
        trace_vision_transformer(network, patches),
        trace_vision_transformer(network, patches[order]),
    )
    assert float((whole.logits - moved.logits).abs().max()) > 1e-3
    told = trace_vision_transformer(network, patches[order], order)
    torch.testing.assert_close(whole.logits, told.logits, atol=1e-5, rtol=1e-4)


def test_a_rollout_is_the_product_of_the_layers_and_its_rows_sum_to_one(network, patches):
    weights = trace_vision_transformer(network, patches).weights
    first, second = (0.5 * layer.mean(0) + 0.5 * torch.eye(10) for layer in weights)
    torch.testing.assert_close(rollout(weights), second @ first)
    torch.testing.assert_close(rollout(weights).sum(1), torch.ones(10))
    assert not torch.allclose(rollout(weights), first @ second, atol=1e-3)


def test_a_drop_is_the_difference_of_two_readings(network, patches):
    places = torch.tensor([0, 2, 5, 7])
    drops = occlusion(network, patches[places], places, of=1)
    whole = trace_vision_transformer(network, patches[places], places).probabilities[1]
    for i in range(4):
        rest = torch.cat((places[:i], places[i + 1 :]))
        assert float(drops[i]) == pytest.approx(
            float(whole - trace_vision_transformer(network, patches[rest], rest).probabilities[1]), abs=1e-5
        )
    alone = occlusion(network, patches[:1], places[:1], of=1)
    nothing = trace_vision_transformer(network, patches[:0], places[:0]).probabilities[1]
    one = trace_vision_transformer(network, patches[:1], places[:1]).probabilities[1]
    assert float(alone[0]) == pytest.approx(float(one - nothing), abs=1e-5)


def test_similarity_is_the_cosine_of_the_grid_s_rows_without_the_class_token(network):
    p = network.position_embedding[1:].double().numpy()
    expected = (p @ p.T) / np.outer(np.linalg.norm(p, axis=1), np.linalg.norm(p, axis=1))
    np.testing.assert_allclose(position_similarity(network), expected, atol=1e-5)


def test_neighbours_are_counted_with_corners_and_not_around_the_edge():
    across = 4
    place = torch.stack(
        torch.meshgrid(torch.arange(across), torch.arange(across), indexing="ij"), -1
    ).flatten(0, 1)
    far = -torch.cdist(place.float(), place.float())
    assert nearest_beside(far)[0] == 16
    assert nearest_beside(-far)[0] == 0
    chance = sum(sum(0 < (a - b).abs().max() <= 1 for b in place).item() / 15 for a in place)
    assert nearest_beside(far)[1] == pytest.approx(chance)


def test_a_rearranged_picture_has_the_patches_in_that_order():
    picture, order = (
        np.random.default_rng(0).random((2, 6, 6)).astype(np.float32),
        [3, 1, 4, 0, 5, 2, 8, 7, 6],
    )
    moved = patches_of(torch.from_numpy(rearranged(picture, 2, order)), 2)
    torch.testing.assert_close(moved, patches_of(torch.from_numpy(picture), 2)[order], rtol=0, atol=0)
