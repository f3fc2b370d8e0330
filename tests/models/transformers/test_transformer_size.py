"""The counts of a transformer's numbers and operations are those of real networks of that shape."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from core.models.stored_language_models import build, stored_language_model
from core.models.transformers.published_shapes import NAMES, as_they_write, published_shapes
from core.models.transformers.transformer_size import (
    Shape,
    cache_is_larger_at,
    cached_numbers,
    overtaken_at,
    parameter_parts,
    parameters,
    reading_operations,
    training_operations,
)

PUBLISHED = {each.name: each for each in published_shapes()}
SHAPES = st.builds(
    Shape,
    vocabulary_size=st.integers(3, 50),
    context=st.integers(2, 20),
    layers=st.integers(1, 3),
    heads=st.just(4),
    width=st.sampled_from([8, 16]),
    sharing=st.sampled_from([1, 2, 4]),
    middle=st.sampled_from([0, 12, 20]),
    gated=st.booleans(),
    tied=st.booleans(),
)


def count(network):
    return sum(each.numel() for each in network.parameters())


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name.startswith("GPT-")])
def test_a_count_is_that_of_transformers_gpt_2_of_the_same_shape(name):
    shape = PUBLISHED[name].shape
    config = GPT2Config(
        vocab_size=shape.vocabulary_size,
        n_positions=shape.context,
        n_embd=shape.width,
        n_layer=shape.layers,
        n_head=shape.heads,
    )
    with torch.device("meta"):
        assert parameters(shape) == count(GPT2LMHeadModel(config))


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name.startswith("Llama")])
def test_a_count_with_shared_keys_and_a_gate_is_that_of_transformers_llama(name):
    shape = PUBLISHED[name].shape
    config = LlamaConfig(
        vocab_size=shape.vocabulary_size,
        hidden_size=shape.width,
        intermediate_size=shape.feed_forward,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads // shape.sharing,
    )
    with torch.device("meta"):
        network = LlamaForCausalLM(config)
    assert parameters(shape) == count(network)
    kept = network.model.layers[0].self_attn.k_proj.weight.shape[0]
    assert cached_numbers(shape, 3) == 3 * shape.layers * 2 * kept


@pytest.mark.parametrize("stored", NAMES)
def test_a_count_of_the_course_s_own_is_that_of_its_weights(stored):
    shape = PUBLISHED[NAMES[stored]].shape
    network = stored_language_model(stored).network
    parts = parameter_parts(shape)
    assert sum(parts.values()) == count(network)
    assert parts["positions"] == network.position_embedding.weight.numel()
    assert parts["feed-forward"] == sum(count(block.feed_forward) for block in network.blocks)


def test_published_counts_are_met_but_two_whose_difference_is_small():
    written = {name: as_they_write(parameters(each.shape), each.count) for name, each in PUBLISHED.items()}
    differing = {name: text for name, text in written.items() if text != PUBLISHED[name].count}
    assert differing == {"GPT-3": "174.6B", "Llama 3.1 405B": "406B"}


def test_the_operations_of_two_trainings_are_as_published():
    for name in ("GPT-3", "Llama 3.1 405B"):
        each = PUBLISHED[name]
        assert training_operations(parameters(each.shape), each.tokens) == pytest.approx(
            each.operations, rel=0.01
        )


def test_operations_are_those_that_torch_counts_and_the_mask_halves_the_scores():
    shape = {"vocabulary_size": 50, "context": 32, "layers": 2, "heads": 4, "width": 16}
    T = 24
    with FlopCounterMode(display=False) as counter, torch.inference_mode(), sdpa_kernel(SDPBackend.MATH):
        build("gpt", shape)(torch.zeros(1, T, dtype=torch.long))
    ours = reading_operations(Shape(**shape, biases=False), T)
    whole_square = 4 * shape["layers"] * shape["width"] * T * T  # torch counts what the mask hides too
    scores = ours.pop("scores")
    assert counter.get_total_flops() == sum(ours.values()) + whole_square
    assert 2 * scores == whole_square * (T + 1) // T


@given(SHAPES)
def test_scores_overtake_the_matrices_at_that_token_and_no_sooner(shape):
    T = overtaken_at(shape)
    shares = [reading_operations(shape, t) for t in (T - 1, T)]
    over = [each["scores"] > sum(each.values()) - each["scores"] for each in shares]
    assert over == [False, True]


@given(SHAPES)
def test_the_cache_is_larger_than_the_model_at_that_token_and_no_sooner(shape):
    T = cache_is_larger_at(shape)
    assert cached_numbers(shape, T - 1) <= parameters(shape) < cached_numbers(shape, T)
