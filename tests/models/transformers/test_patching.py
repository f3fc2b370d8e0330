"""Patching puts a part of one reading into another, as torch's own hooks do, and nothing else."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.transformers.patching import (
    ATTENTION,
    FEED_FORWARD,
    HEAD,
    STREAM,
    PatchedPart,
    contrast_readings,
    partners,
    patched_logits,
    restored_by_head,
    restored_by_place,
)

A, B = torch.tensor([0, 3, 4, 9, 2]), torch.tensor([0, 3, 7, 9, 2])
KINDS = (STREAM, ATTENTION, FEED_FORWARD, HEAD)


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(5)
    network = GPT(GPTConfig(vocabulary_size=11, context=9, layers=3, heads=2, width=8)).eval()
    for parameter in network.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return network


def module_of(network, kind, layer):
    """Return the module whose output, or for a head whose input, is that part of a reading."""
    block = network.blocks[layer - 1]
    return {
        STREAM: block,
        ATTENTION: block.attention,
        FEED_FORWARD: block.feed_forward,
        HEAD: block.attention.project,
    }[kind]


def by_hooks(network, taken_from, into, kind, layer, pairs, head=0):
    """Return the last logits of `into` with hooks that put in what they saw in `taken_from`."""
    module, seen = module_of(network, kind, layer), []

    def whole(output):
        return output[0] if isinstance(output, tuple) else output

    def changed(tensor):
        tensor = tensor.clone()
        columns = slice(head * 4, head * 4 + 4) if kind == HEAD else slice(None)
        for here, there in pairs:
            tensor[0, here, columns] = seen[0][0, there, columns]
        return tensor

    def put_out(_, __, output):
        return (changed(output[0]), *output[1:]) if isinstance(output, tuple) else changed(output)

    def run(ids, hook):
        before = kind == HEAD
        handle = module.register_forward_pre_hook(hook) if before else module.register_forward_hook(hook)
        with torch.no_grad():
            logits = network(ids[None])[0][0, -1]
        handle.remove()
        return logits

    if kind == HEAD:
        run(taken_from, lambda _, x: seen.append(x[0]))
        return run(into, lambda _, x: (changed(x[0]),))
    run(taken_from, lambda _, __, output: seen.append(whole(output)))
    return run(into, put_out)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layer", [1, 2, 3])
def test_a_patch_is_what_torch_s_hooks_make_of_it(network, kind, layer):
    own, other = trace_gpt(network, B), trace_gpt(network, A)
    for pairs in ([(2, 2)], [(4, 4), (3, 3)], [(4, 2)]):
        ours = patched_logits(network, own, other, PatchedPart(kind, layer, pairs, head=1))
        torch.testing.assert_close(ours, by_hooks(network, A, B, kind, layer, pairs, head=1))


def test_embeddings_at_all_places_or_the_last_stream_at_the_last_one_make_a_s_prediction(network):
    own, other, pairs = trace_gpt(network, B), trace_gpt(network, A), partners(A.tolist(), B.tolist())
    for part in (
        PatchedPart(STREAM, 0, pairs),
        PatchedPart(STREAM, 2, pairs),
        PatchedPart(STREAM, 3, [(4, 4)]),
    ):
        torch.testing.assert_close(patched_logits(network, own, other, part), other.logits[-1])


@pytest.mark.parametrize("kind", KINDS)
def test_a_patch_from_itself_and_one_of_what_both_have_read_change_nothing(network, kind):
    own, other = trace_gpt(network, B), trace_gpt(network, A)
    everywhere = [(t, t) for t in range(5)]
    torch.testing.assert_close(
        patched_logits(network, own, own, PatchedPart(kind, 2, everywhere)), own.logits[-1]
    )
    before = [(0, 0), (1, 1)]  # tokens before the one that differs
    torch.testing.assert_close(
        patched_logits(network, own, other, PatchedPart(kind, 2, before)), own.logits[-1]
    )


def test_the_shares_are_counted_from_b_to_a(network):
    found = contrast_readings(network, A, B)
    pairs = partners(A.tolist(), B.tolist())
    shares = restored_by_place(found, STREAM, pairs, 0, found.A)
    assert shares.shape == (4, 5)
    assert shares[-1, -1] == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(shares[:, :2], 0, atol=1e-5)
    assert shares[0, 2] == pytest.approx(1, abs=1e-5)  # the only token that differs, before any layer
    logits = by_hooks(network, A, B, STREAM, 1, [(3, 3)])
    z = [float(x[found.a] - x[found.b]) for x in (logits, found.B.logits[-1], found.A.logits[-1])]
    assert shares[1, 3] == pytest.approx((z[0] - z[1]) / (z[2] - z[1]), abs=1e-4)
    heads = restored_by_head(found, pairs)
    one = by_hooks(network, A, B, HEAD, 2, pairs, head=1)
    assert heads.shape == (3, 2)
    assert heads[1, 1] == pytest.approx(found.restored(one), abs=1e-4)


def test_the_two_tokens_speak_for_their_sentences_even_where_both_have_one_answer(network):
    found = contrast_readings(network, A, B)
    p_A, p_B = (each.logits[-1].softmax(-1) for each in (found.A, found.B))
    assert found.ends[1] > found.ends[0]
    if found.same:
        assert p_A[found.a] > p_B[found.a] and p_A[found.b] < p_B[found.b]
    else:
        assert (found.a, found.b) == (int(p_A.argmax()), int(p_B.argmax()))
    assert contrast_readings(network, B, B).alike
    assert not found.alike


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=8), st.lists(st.integers(0, 3), min_size=1, max_size=8)
)
def test_partners_are_in_order_end_together_and_leave_out_only_what_the_longer_has_more(one, other):
    pairs = partners(one, other)
    assert len(pairs) == min(len(one), len(other))
    for column, n in ((0, len(other)), (1, len(one))):
        places = [pair[column] for pair in pairs]
        assert places == sorted(set(places))
        assert all(0 <= place < n for place in places)
    same = [t for t, _ in pairs if t < len(one) and one[: t + 1] == other[: t + 1]]
    assert all((t, t) in pairs for t in same)
    if len(pairs) > len(same):
        assert pairs[-1] == (len(other) - 1, len(one) - 1)
