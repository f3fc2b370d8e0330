"""The encoder-decoder and its attention, against hand-worked numbers, properties and torch's own attention."""

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from torch.nn.functional import scaled_dot_product_attention

from core.models.translation import seq2seq
from core.models.translation.seq2seq import (
    SCORES,
    START,
    Seq2Seq,
    Seq2SeqConfig,
    additive_scores,
    attention_weights,
    count_trained_numbers,
    dot_scores,
    general_scores,
)

WITH_ATTENTION = [score for score in SCORES if score != "none"]


def model_of(score="additive", bidirectional=True):
    torch.manual_seed(0)
    return Seq2Seq(
        Seq2SeqConfig(12, 15, embedding=6, hidden=8, score=score, bidirectional=bidirectional)
    ).eval()


def test_dot_attention_is_torchs_own_with_scale_one():
    torch.manual_seed(1)
    query, states = torch.randn(3, 5, 8), torch.randn(3, 7, 8)
    mask = torch.arange(7) < torch.tensor([[7], [4], [1]])
    _, weights = attention_weights(dot_scores(query, states), mask)
    expected = scaled_dot_product_attention(query, states, states, attn_mask=mask.unsqueeze(1), scale=1)
    assert torch.allclose(weights @ states, expected, atol=1e-6)


def test_general_attention_is_torchs_own_on_transformed_keys():
    torch.manual_seed(1)
    query, states, W_a = torch.randn(2, 5, 8), torch.randn(2, 7, 8), torch.randn(8, 8)
    _, weights = attention_weights(general_scores(query, states, W_a), torch.ones(2, 7, dtype=torch.bool))
    expected = scaled_dot_product_attention(query, states @ W_a.T, states, scale=1)
    assert torch.allclose(weights @ states, expected, atol=1e-5)


def test_general_with_the_identity_is_dot():
    query, states = torch.randn(2, 5, 8), torch.randn(2, 7, 8)
    assert torch.allclose(general_scores(query, states, torch.eye(8)), dot_scores(query, states), atol=1e-6)


def test_additive_scores_are_the_sum_written_out():
    torch.manual_seed(2)
    query, key = torch.randn(1, 2, 3), torch.randn(1, 4, 3)
    W_a, U_a, v_a = torch.randn(3, 3), torch.randn(3, 3), torch.randn(3)
    expected = [[v_a @ torch.tanh(W_a @ h + U_a @ k) for k in key[0]] for h in query[0]]
    assert torch.allclose(additive_scores(query, key, W_a, U_a, v_a)[0], torch.tensor(expected), atol=1e-6)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(WITH_ATTENTION), st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 99)
)
def test_weights_sum_to_one_over_the_words_that_are_not_padding(score, lengths, seed):
    generator = torch.Generator().manual_seed(seed)
    source = torch.randint(4, 12, (len(lengths), max(lengths)), generator=generator)
    source *= torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    steps = model_of(score)(source, torch.randint(4, 15, (len(lengths), 3), generator=generator))
    assert torch.allclose(steps.weights.sum(-1), torch.ones(len(lengths), 3), atol=1e-5)
    assert (steps.weights[(source == 0).unsqueeze(1).expand_as(steps.weights)] == 0).all()


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("bidirectional", [True, False])
def test_padding_changes_nothing(score, bidirectional):
    model, previous = model_of(score, bidirectional), torch.tensor([[START, 5, 6]])
    alone = model(torch.tensor([[5, 9, 7]]), previous)
    beside = model(torch.tensor([[5, 9, 7, 0, 0], [4, 4, 4, 4, 4]]), previous.expand(2, 3))
    assert torch.allclose(alone.logits[0], beside.logits[0], atol=1e-6)


@pytest.mark.parametrize("score", SCORES)
def test_steps_one_at_a_time_are_teacher_forcing_all_at_once(score):
    model, source, previous = model_of(score), torch.tensor([[5, 9, 7, 4]]), torch.tensor([[START, 5, 6]])
    together = model(source, previous)
    encoded = model.encode(source)
    state = model.first_state(encoded)
    for t in range(3):
        step = model.decode(previous[:, t : t + 1], state, encoded)
        assert torch.allclose(step.logits[:, 0], together.logits[:, t], atol=1e-6)
        state = step.state[:, 0]


@pytest.mark.parametrize("score", WITH_ATTENTION)
def test_every_quantity_of_a_step_follows_from_the_one_before(score):
    model = model_of(score)
    source = torch.tensor([[5, 9, 7, 4]])
    encoded, steps = model.encode(source), model(source, torch.tensor([[START, 5]]))
    assert torch.allclose(steps.weights, steps.scores.softmax(-1))
    assert torch.allclose(steps.context, steps.weights @ encoded.states, atol=1e-6)
    attentional = torch.tanh(torch.cat((steps.context, steps.state), -1) @ model.W_c.weight.T)
    assert torch.allclose(steps.attentional, attentional, atol=1e-6)
    probabilities = (attentional @ model.W_s.weight.T).softmax(-1)
    assert torch.allclose(steps.probabilities, probabilities, atol=1e-6)
    assert torch.allclose(steps.probabilities.sum(-1), torch.ones(1, 2))


def test_without_attention_every_step_has_the_encoders_last_state_as_context():
    model, source = model_of("none"), torch.tensor([[5, 9, 7, 4]])
    steps, encoded = model(source, torch.tensor([[START, 5, 6]])), model.encode(source)
    assert steps.weights is None
    assert all(torch.equal(steps.context[:, t], encoded.last) for t in range(3))


def test_the_last_state_of_a_bidirectional_encoder_joins_the_ends_of_both_readings():
    encoded = model_of().encode(torch.tensor([[5, 9, 7]]))
    assert torch.allclose(encoded.last, torch.cat((encoded.states[:, -1, :4], encoded.states[:, 0, 4:]), -1))


@pytest.mark.parametrize("score", WITH_ATTENTION)
def test_forced_attention_changes_that_step_alone_when_the_words_are_given(score):
    model, source, previous = model_of(score), torch.tensor([[5, 9, 7, 4]]), torch.tensor([[START, 5, 6]])
    forced = torch.full((1, 3, 4), torch.nan)
    forced[0, 1] = torch.tensor([0.0, 0.0, 0.0, 1.0])
    free, bound = model(source, previous), model(source, previous, forced)
    assert torch.allclose(bound.context[0, 1], model.encode(source).states[0, 3])
    assert torch.equal(free.logits[:, [0, 2]], bound.logits[:, [0, 2]])
    assert not torch.allclose(free.logits[:, 1], bound.logits[:, 1])


def test_the_decoder_begins_at_the_tanh_of_a_map_of_the_encoders_last_state():
    model = model_of()
    model.W_0.weight.data *= 5  # far from where tanh is the identity
    encoded = model.encode(torch.tensor([[5, 9, 7]]))
    last, W, b = (each.detach().numpy() for each in (encoded.last, model.W_0.weight, model.W_0.bias))
    expected = np.tanh(last @ W.T + b)
    assert np.allclose(model.first_state(encoded).detach(), expected, atol=1e-6)
    assert model.first_state(encoded).abs().max() < 1


def test_the_equations_in_the_docstring_stand_each_on_a_line_of_its_own():
    lines = [line.split() for line in seq2seq.__doc__.splitlines()]
    left = [
        line[0]
        for line in lines
        if len(line) > 2 and line[1] in ("h̄_s", "h_0", "e_ts", "a_ts", "c_t", "h̃_t", "p(y_t")
    ]
    assert left == ["encoder", "decoder", "score", "weights", "context", "attention", "output"]


def test_none_and_dot_are_of_equal_size_and_the_others_add_their_matrices():
    size = {score: count_trained_numbers(model_of(score)) for score in SCORES}
    assert size["none"] == size["dot"] == size["general"] - 8 * 8 == size["additive"] - 2 * 8 * 8 - 8


def test_an_unknown_score_is_refused_by_name():
    with pytest.raises(ValueError, match="none, dot, general, additive"):
        model_of("cosine")


def test_the_encoders_recurrence_is_the_gru_equation():
    model = model_of(bidirectional=False)
    x = model.source_embedding(torch.tensor([5]))
    W, b = model.encoder.weight_ih_l0, model.encoder.bias_ih_l0
    U, d = model.encoder.weight_hh_l0, model.encoder.bias_hh_l0
    h = torch.zeros(1, 8)
    (ir, iz, in_), (hr, hz, hn) = (x @ W.T + b).chunk(3, 1), (h @ U.T + d).chunk(3, 1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    expected = (1 - z) * torch.tanh(in_ + r * hn) + z * h
    found = model.encode(torch.tensor([[5]])).states[:, 0]
    assert np.allclose(found.detach(), expected.detach(), atol=1e-6)
