"""The residual stream: what was written is what the modules gave, and what is left of it sums to the logits."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.transformers.ablated_gpt import FORMS, WHOLE
from core.models.transformers.residual_stream import cosine, read_stream, shares_of_logit
from tests.models.transformers.test_ablated_gpt import IDS, made


@pytest.mark.parametrize("form", FORMS)
def test_what_is_left_of_the_parts_sums_to_the_last_stream_and_to_a_logit(form):
    network = made(form)
    with torch.no_grad():  # offsets of norms begin at nought, where they could not be missed
        for name, parameter in network.named_parameters():
            if name.endswith("bias"):
                parameter.normal_()
    stream = read_stream(network, IDS[0])
    torch.testing.assert_close(stream.kept.sum(0), stream.final, atol=1e-4, rtol=1e-4)
    logits = network(IDS)[0][0].detach()
    torch.testing.assert_close(stream.logits, logits, atol=1e-4, rtol=1e-4)
    shares = shares_of_logit(stream, network, 3, 7).detach()
    assert shares.sum().item() == pytest.approx((logits[3, 7] - logits[3].mean()).item(), abs=1e-3)


@pytest.mark.parametrize("form", FORMS)
def test_what_a_part_wrote_is_what_its_module_gave_and_what_it_found_is_the_stream_before(form):
    network, given_out = made(form), []

    def keep(_module, _inputs, output):
        given_out.append((output[0] if isinstance(output, tuple) else output).detach().squeeze(0))

    for block in network.blocks:
        block.attention.register_forward_hook(keep)
        if FORMS[form].feed_forward:
            block.feed_forward.register_forward_hook(keep)
    stream = read_stream(network, IDS[0])
    assert len(stream.writes) == len(given_out) == (2 if form == "no feed-forward" else 4)
    for write, output in zip(stream.writes, given_out, strict=True):
        torch.testing.assert_close(write.added, output)
    befores = [stream.start, *(write.after for write in stream.writes)]
    for write, before in zip(stream.writes, befores, strict=False):
        torch.testing.assert_close(write.before, before)
    lengths = np.stack([np.linalg.norm(before.detach().numpy(), axis=1) for before in befores])
    np.testing.assert_allclose(stream.lengths.detach().numpy(), lengths, rtol=1e-5)


def test_what_is_left_of_a_part_is_it_centred_over_the_whole_stream_s_spread():
    network = made(WHOLE)
    stream = read_stream(network, IDS[0])
    x = stream.writes[-1].after.numpy()
    norm = network.final_norm
    for place, write in enumerate(stream.writes, start=2):  # token and position come first
        f = write.added.numpy()
        spread = np.sqrt(x.var(axis=1, keepdims=True) + norm.eps)
        left = norm.weight.detach().numpy() * (f - f.mean(axis=1, keepdims=True)) / spread
        np.testing.assert_allclose(stream.kept[place].numpy(), left, atol=1e-5)


def test_without_the_residual_nothing_is_left_but_the_last_part():
    stream = read_stream(made("no residual"), IDS[0])
    left = {part: float(kept.norm()) for part, kept in zip(stream.parts, stream.kept, strict=True)}
    assert left.pop("feed-forward 2") > 0
    assert set(left.values()) == {0.0}


def test_the_stream_of_the_course_s_model_is_that_of_its_trace():
    model = attentive_model("word_gpt")
    ids = model.read("the king of the land").ids
    stream, traced = read_stream(model.network, ids), trace_gpt(model.network, ids)
    for layer, each in enumerate(traced.layers):
        attention, feed_forward = stream.writes[2 * layer : 2 * layer + 2]
        torch.testing.assert_close(attention.added, each.gathered, atol=1e-3, rtol=1e-4)
        torch.testing.assert_close(feed_forward.added, each.fed_forward, atol=1e-3, rtol=1e-4)
    torch.testing.assert_close(stream.logits, traced.logits, atol=1e-3, rtol=1e-4)


def test_a_text_longer_than_the_context_is_refused():
    with pytest.raises(ValueError, match="at most 8 tokens at once; the text has 9"):
        read_stream(made(WHOLE), torch.zeros(9, dtype=torch.long))


@settings(max_examples=30)
@given(st.lists(st.floats(-9, 9, width=32), min_size=3, max_size=3), st.floats(0.125, 8, width=32))
def test_a_cosine_knows_no_length_and_turns_with_the_sign(values, stretch):
    x, y = torch.tensor(values), torch.tensor([1.0, -2.0, 0.5])
    found = cosine(x, y).item()
    assert -1.0001 <= found <= 1.0001
    if x.norm() > 1e-3:
        assert cosine(stretch * x, y).item() == pytest.approx(found, abs=1e-4)
        assert cosine(-x, y).item() == pytest.approx(-found, abs=1e-6)
    else:
        assert abs(found) <= 1.0001
