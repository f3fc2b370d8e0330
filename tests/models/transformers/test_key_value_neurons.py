"""A neuron's key wakes it and its value is what it adds: against hooks, sums over neurons, and cut copies."""

import numpy as np
import pytest
import torch

from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.transformers.key_value_neurons import (
    WHOLE_LAYER,
    firing,
    key,
    most_awake,
    only_neuron,
    pushed,
    value,
    without_each,
    without_neuron,
)

SHAPE = GPTConfig(vocabulary_size=11, context=8, layers=3, heads=2, width=8)
IDS = torch.tensor([3, 1, 4, 1, 5])


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(2)
    made = GPT(SHAPE)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return made.requires_grad_(False).eval()


@pytest.mark.parametrize("layer", range(3))
def test_activations_and_output_are_those_of_the_module(network, layer):
    kept, part = {}, network.blocks[layer].feed_forward
    hooks = [
        part.project.register_forward_pre_hook(lambda _, inputs: kept.update(activations=inputs[0][0])),
        part.register_forward_hook(
            lambda _, inputs, output: kept.update(read=inputs[0][0], output=output[0])
        ),
    ]
    network(IDS[None])
    for hook in hooks:
        hook.remove()
    found = firing(network, IDS, layer)
    for name, expected in kept.items():
        torch.testing.assert_close(getattr(found, name), expected)
    assert found.awake.tolist() == (kept["activations"] > 0).sum(1).tolist()


def test_the_layer_is_the_sum_of_its_neurons_values_each_woken_by_its_key(network):
    found = firing(network, IDS, 1)
    total = torch.zeros(len(IDS), SHAPE.width)
    for i in range(4 * SHAPE.width):
        torch.testing.assert_close(found.sums[:, i], found.read @ key(network, 1, i))
        total += found.activations[:, i, None] * value(network, 1, i)
    torch.testing.assert_close(total, found.output, atol=1e-5, rtol=1e-4)


def test_what_a_value_pushes_is_its_change_of_the_logits_next_to_the_mean(network):
    E = network.token_embedding.weight.numpy().astype(float)
    said = E @ value(network, 2, 5).numpy().astype(float)
    np.testing.assert_allclose(pushed(network, 2, 5), said - said.mean(), atol=1e-5)
    assert np.ptp(pushed(network, 2, 5)) > 0.1


@pytest.mark.parametrize("layer", range(3))
def test_without_each_is_the_prediction_of_a_network_that_lacks_the_neuron_at_the_last_place(network, layer):
    found = without_each(network, IDS, layer, at_once=5)
    assert found.shape == (32, 11)
    for neuron in (0, 7, 31):
        part = network.blocks[layer].feed_forward

        def less(_module, inputs, neuron=neuron):
            activations = inputs[0].clone()
            activations[:, -1, neuron] = 0.0
            return (activations,)

        hook = part.project.register_forward_pre_hook(less)
        expected = network(IDS[None])[0][0, -1].double().log_softmax(-1)
        hook.remove()
        np.testing.assert_allclose(found[neuron], expected, atol=1e-4)
    np.testing.assert_allclose(
        without_each(network, IDS[:1], layer)[3],
        network_without_at_all_places(network, IDS[:1], layer, 3),
        atol=1e-4,
    )


def network_without_at_all_places(network, ids, layer, neuron):
    return without_neuron(network, layer, neuron)(ids[None])[0][0, -1].double().log_softmax(-1).numpy()


def test_a_neuron_or_a_layer_switched_off_adds_nothing_and_the_model_itself_stays(network):
    found, off = firing(network, IDS, 1), firing(without_neuron(network, 1, 4), IDS, 1)
    torch.testing.assert_close(
        off.output, found.output - found.activations[:, 4, None] * value(network, 1, 4), atol=1e-5, rtol=1e-4
    )
    alone = firing(only_neuron(network, 1, 4), IDS, 1)
    torch.testing.assert_close(
        alone.output, found.activations[:, 4, None] * value(network, 1, 4), atol=1e-5, rtol=1e-4
    )
    assert firing(without_neuron(network, 1, WHOLE_LAYER), IDS, 1).output.count_nonzero() == 0
    torch.testing.assert_close(firing(network, IDS, 1).output, found.output)


def test_the_places_that_wake_a_neuron_most_come_first_over_all_runs():
    found = most_awake([np.array([0.2, -0.1]), np.array([0.9, 0.2])], most=3)
    assert [(each.run, each.place) for each in found] == [(1, 0), (0, 0), (1, 1)]
    assert len(most_awake([np.array([0.2])], most=3)) == 1
