"""The GPT is GPT-2's architecture, its cache changes nothing, its trace is what it computes."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.fit_language_model import FitConfig, Fitting
from core.models.self_attention.attention import influence
from core.models.self_attention.attention_edits import with_weight
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.gpt_trace import trace_gpt

CONFIG = GPTConfig(vocabulary_size=11, context=16, layers=2, heads=2, width=8)


def model(**changes) -> GPT:
    torch.manual_seed(1)
    made = GPT(GPTConfig(**{**vars(CONFIG), **changes})).eval()
    for parameter in made.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return made


def test_the_trace_ends_in_the_logits_of_the_forward_pass():
    ids = torch.randint(0, 11, (9,))
    torch.testing.assert_close(trace_gpt(model(), ids).logits, model()(ids[None])[0][0].detach())


def test_each_layers_stream_is_the_one_before_plus_what_was_added():
    traced = trace_gpt(model(), torch.arange(6))
    first, second = traced.layers
    torch.testing.assert_close(second.stream, first.stream + first.gathered + first.fed_forward)
    torch.testing.assert_close(first.stream, traced.tokens + traced.positions)


@settings(max_examples=20, deadline=None)
@given(ids=st.lists(st.integers(0, 10), min_size=2, max_size=16), data=st.data())
def test_reading_in_two_parts_with_the_cache_gives_the_same_logits(ids, data):
    cut = data.draw(st.integers(1, len(ids) - 1))
    gpt, ids = model(), torch.tensor([ids])
    _, cache = gpt(ids[:, :cut])
    torch.testing.assert_close(gpt(ids[:, cut:], cache)[0], gpt(ids)[0][:, cut:], atol=1e-5, rtol=1e-4)


def test_no_logit_depends_on_a_later_token():
    gpt = model()
    x = gpt.token_embedding(torch.arange(5)).detach().requires_grad_()
    stream = x[None] + gpt.position_embedding.weight[:5]
    for block in gpt.blocks:
        stream, _ = block(stream)
    assert (influence(stream[0], x).triu(1) == 0).all()


def test_edited_weights_change_what_follows_and_nothing_before():
    gpt, ids = model(), torch.arange(6)
    plain = trace_gpt(gpt, ids)
    weights = with_weight(plain.layers[0].attention.weights[1], query=4, key=0, value=0.9)
    edited = trace_gpt(gpt, ids, {(0, 1): weights})
    torch.testing.assert_close(edited.logits[:4], plain.logits[:4])
    assert (edited.logits[4] - plain.logits[4]).abs().max() > 1e-3
    unchanged = trace_gpt(gpt, ids, {(0, 1): plain.layers[0].attention.weights[1]})
    torch.testing.assert_close(unchanged.logits, plain.logits)


@given(row=st.lists(st.floats(0.01, 1), min_size=2, max_size=6), value=st.floats(0, 1), data=st.data())
def test_a_dragged_weight_is_what_was_asked_and_its_row_still_sums_to_one(row, value, data):
    weights = torch.tensor([row]) / sum(row)
    key = data.draw(st.integers(0, len(row) - 1))
    changed = with_weight(weights, 0, key, value)
    assert changed[0, key].item() == pytest.approx(value)
    assert changed.sum().item() == pytest.approx(1, abs=1e-5)


def test_a_text_longer_than_the_context_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="at most 16 tokens"):
        trace_gpt(model(), torch.zeros(17, dtype=torch.long))


def test_a_model_that_may_peek_learns_to_copy_and_a_causal_one_cannot():
    ids = torch.randint(0, 11, (400,), generator=torch.Generator().manual_seed(0))
    losses = {}
    for causal in (True, False):
        torch.manual_seed(0)
        gpt = GPT(GPTConfig(11, context=8, layers=1, heads=2, width=32, causal=causal))
        fitting = Fitting(gpt, ids, FitConfig(steps=150, batch=16, window=8, warm_up=10))
        while not fitting.done:
            losses[causal] = fitting.step()
    assert losses[False] < 0.5 * losses[True]


@pytest.mark.parametrize("layers", [1, 8])
def test_the_weights_that_add_to_the_stream_begin_smaller_the_more_layers_there_are(layers):
    torch.manual_seed(0)
    gpt = GPT(GPTConfig(500, context=100, layers=layers, heads=2, width=128))
    for block in gpt.blocks:
        for part in (block.attention.project, block.feed_forward.project):
            assert part.weight.std().item() == pytest.approx(0.02 / (2 * layers) ** 0.5, rel=0.05)
        for part in (block.attention.to_query_key_value, block.feed_forward.widen):
            assert part.weight.std().item() == pytest.approx(0.02, rel=0.05)
    assert gpt.token_embedding.weight.std().item() == pytest.approx(0.02, rel=0.05)
