"""Writing with a cache is writing without one, for less work."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from core.models.generation.sampling import SamplingSettings, generate
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.stored_language_models import stored_language_model
from core.models.transformers.cached_writing import (
    again,
    bits_without_past,
    largest_difference,
    write_with_cache,
    writing_operations,
)
from core.models.transformers.transformer_size import Shape

SETTINGS = SamplingSettings(temperature=0.8, top_k=20)


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(3)
    return GPT(GPTConfig(vocabulary_size=40, context=16, layers=2, heads=2, width=8)).eval()


def test_it_writes_what_the_course_s_sampling_writes():
    model = stored_language_model("char_gpt")
    prompt = [10, 20, 30, 31, 4]
    steps = list(generate(model, prompt, 12, SETTINGS, seed=5))
    ours = write_with_cache(model.network, [model.start, *prompt], 12, SETTINGS, seed=5)
    assert [each.token for each in ours] == [step.token for step in steps]
    assert [each.u for each in ours] == [step.u for step in steps]


def test_every_logit_is_that_of_reading_all_anew_and_the_cache_grows_by_a_row(network):
    prompt = [1, 2, 3]
    written = write_with_cache(network, prompt, 6, SETTINGS, seed=1)
    assert largest_difference(network, prompt, written) < 1e-5
    assert [each.rows for each in written] == [3, 4, 5, 6, 7, 8]
    for before, after in pairwise(written):
        for (k, v), (more_k, more_v) in zip(before.cache, after.cache, strict=True):
            torch.testing.assert_close(more_k[:, :, :-1], k)
            torch.testing.assert_close(more_v[:, :, :-1], v)


def test_writing_ends_where_the_context_does(network):
    assert (
        len(write_with_cache(network, range(10), 30, SETTINGS, seed=1)) == 7
    )  # the last one need not be read
    assert len(write_with_cache(network, range(16), 30, SETTINGS, seed=1)) == 1


def test_without_the_cache_each_token_stands_alone(network):
    written = write_with_cache(network, [1, 2, 3], 4, SETTINGS, seed=1, keep=False)
    assert [each.rows for each in written] == [3, 1, 1, 1]
    np.testing.assert_allclose(written[2].logits, again(network, [written[1].token]), atol=1e-6)


def test_operations_are_those_that_torch_counts_but_for_scores_that_are_hidden():
    shape = Shape(vocabulary_size=40, context=16, layers=2, heads=2, width=8, biases=False)
    network = GPT(GPTConfig(40, 16, 2, 2, 8)).eval()
    counted = []
    with torch.inference_mode(), sdpa_kernel(SDPBackend.MATH):
        _, cache = network(torch.tensor([[1, 2, 3]]))
        for token in (4, 5):
            with FlopCounterMode(display=False) as counter:
                _, cache = network(torch.tensor([[token]]), cache)
            counted.append(counter.get_total_flops())
    assert writing_operations(shape, 3, 3)["cached"][1:] == counted


def test_bits_without_a_past_are_those_of_single_tokens():
    model = attentive_model("char_gpt")
    ids = model.read("the king and the queen").ids
    whole, alone = bits_without_past(model.network, ids)
    by_hand = [
        -torch.log_softmax(model.network(ids[i : i + 1][None])[0][0, -1].double(), -1)[ids[i + 1]].item()
        for i in range(len(ids) - 1)
    ]
    assert alone == pytest.approx(np.mean(by_hand) / np.log(2), rel=1e-5)
    assert whole < alone
