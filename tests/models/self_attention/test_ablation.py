"""What a piece of a model is worth: each measure is what taking the piece out by hand gives."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.self_attention import ablation
from core.models.self_attention.ablation import (
    ablated_token_bits,
    mean_bits,
    prediction,
    rank_heads,
    removal_changes,
    total_variation,
    windows,
    without_heads,
    without_queries,
    without_scaling,
)
from core.models.self_attention.attention import attend, causal_mask
from core.models.self_attention.attention_edits import Edit, edited_weights, effect, parse_edits, usable
from core.models.self_attention.attentive_models import AttentiveModel, attentive_model, attentive_models
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.minilm import Encoder, EncoderConfig
from core.models.stored_language_models import Prompt, stored_language_model

V = 11


def tiny(causal=True) -> AttentiveModel:
    torch.manual_seed(3)
    network = (
        GPT(GPTConfig(V, context=12, layers=2, heads=2, width=8, causal=causal)).eval().requires_grad_(False)
    )
    for parameter in network.parameters():
        parameter += 0.3 * torch.randn_like(parameter)

    def encode(text):
        return Prompt(tuple(ord(c) % 10 for c in text), text, {}, ())

    before, mask = ((0,), None) if causal else ((), V - 1)
    return AttentiveModel("tiny", "", network, tuple("0123456789M"), encode, before, mask=mask)


IDS = torch.tensor([0, 3, 1, 4, 1, 5, 9])
BOTH = pytest.mark.parametrize("causal", [True, False])


def test_without_scaling_the_weights_are_the_softmax_of_the_plain_scores():
    model = tiny()
    q, k, v = (part[0] for part in parts_of(model.network, IDS))
    broken = AttentiveModel(**{**vars(model), "network": without_scaling(model.network)})
    expected = attend(q, k, v, 1.0, causal_mask(len(IDS))).weights
    torch.testing.assert_close(broken.trace(IDS).layers[0].attention.weights, expected)


def parts_of(network, ids):
    block = network.blocks[0]
    stream = network.token_embedding(ids) + network.position_embedding.weight[: len(ids)]
    return block.attention.query_key_value(block.norm_before_attention(stream)[None])


def test_an_encoder_loses_its_scaling_in_weights_and_biases_alike():
    torch.manual_seed(0)
    encoder = Encoder(EncoderConfig(20, 16, layers=1, heads=2, width=8)).requires_grad_(False)
    heads = encoder(torch.arange(5)).layers[0].attention
    broken = without_scaling(encoder)(torch.arange(5)).layers[0].attention
    torch.testing.assert_close(broken.scaled, heads.scores)


@BOTH
def test_a_head_switched_off_by_its_projection_is_one_whose_weights_are_nought(causal):
    model = tiny(causal)
    off = without_heads(model.network, [(1, 0)])
    by_edit = model.trace(IDS, {(1, 0): torch.zeros(7, 7)}).logits
    torch.testing.assert_close(off(IDS[None])[0][0], by_edit)
    ranked = rank_heads(model, [IDS])
    assert ranked.whole == mean_bits(model, [IDS])
    assert ranked.without[1, 0] == pytest.approx(mean_bits(model, [IDS], off))
    assert ranked.cost.shape == (2, 2)


@BOTH
def test_a_head_that_asks_nothing_looks_everywhere_alike_and_the_others_of_its_layer_look_as_before(causal):
    model = tiny(causal)
    broken = AttentiveModel(**{**vars(model), "network": without_queries(model.network, [(0, 1)])})
    whole, alike = (each.trace(IDS).layers[0].attention.weights for each in (model, broken))
    torch.testing.assert_close(alike[0], whole[0])
    seen = torch.ones(7, 7).tril() if causal else torch.ones(7, 7)
    torch.testing.assert_close(alike[1], seen / seen.sum(-1, keepdim=True))


def test_the_bits_of_a_stored_model_are_those_of_its_own_interface():
    model = attentive_model("word_gpt")
    read = model.read("In the beginning")
    stored = stored_language_model("word_gpt").token_log_probabilities(read.prompt.ids)
    np.testing.assert_allclose(ablated_token_bits(model, read.ids), -stored / np.log(2), rtol=1e-4)


def test_a_masked_model_never_sees_the_token_it_is_scored_on():
    model = tiny(causal=False)
    one, other = IDS.clone(), IDS.clone()
    other[2] = 7
    shown = model.shown(one, 2)
    assert shown[2] == model.mask
    np.testing.assert_allclose(prediction(model, one, 2), prediction(model, other, 2))
    p = prediction(model, one, 2)
    assert ablated_token_bits(model, one)[2] == pytest.approx(-np.log2(p[1]), rel=1e-4)


@BOTH
def test_the_change_by_a_deleted_token_is_that_of_reading_the_shorter_text(causal):
    model, place = tiny(causal), 4
    changes = removal_changes(model, IDS, place)
    assert np.isnan(changes[place])
    assert np.isnan(changes[place + 1 :]).all() == causal
    shorter = torch.cat((IDS[:2], IDS[3:]))
    expected = total_variation(prediction(model, shorter, place - 1), prediction(model, IDS, place))
    assert changes[2] == pytest.approx(expected, abs=1e-6)


@BOTH
def test_deletions_read_a_few_at_a_time_change_what_they_change_read_together(causal, monkeypatch):
    together = removal_changes(tiny(causal), IDS, 4)
    monkeypatch.setattr(ablation, "AT_ONCE", 3)
    np.testing.assert_allclose(removal_changes(tiny(causal), IDS, 4), together, atol=1e-6)


@BOTH
@pytest.mark.parametrize("most", [1, 3, 4])
def test_of_a_long_text_only_the_nearest_tokens_are_deleted_and_change_what_they_change_among_all(
    causal, most
):
    model, place = tiny(causal), 3 if not causal else 5
    every, some = removal_changes(model, IDS, place), removal_changes(model, IDS, place, most)
    deleted = np.flatnonzero(np.isfinite(some))
    assert len(deleted) == most
    assert max(abs(deleted - place)) <= (most if causal else most // 2 + 1)
    np.testing.assert_allclose(some[deleted], every[deleted], atol=1e-6)


def test_of_a_book_only_the_beginning_is_encoded():
    model, lengths = tiny(), []

    def encode(text):
        lengths.append(len(text))
        return model.encode(text)

    counting = AttentiveModel(**{**vars(model), "encode": encode})
    assert len(windows(counting, "a" * 100_000, most=2)) == 2
    assert lengths[0] < 1000


def test_a_long_text_is_read_in_windows_that_lose_no_token():
    model = tiny()
    text = "abcdefghijklmnopqrstuvwxyz"
    runs = windows(model, text, most=5)
    assert [token for run in runs for token in run[1:].tolist()] == list(model.encode(text).ids)
    assert all(len(run) <= model.context for run in runs)
    assert windows(model, "", most=5) == []
    assert mean_bits(model, []) == 0


def test_a_text_beyond_the_context_is_cut_and_how_much_is_said():
    read = tiny().read("a" * 30)
    assert (len(read.ids), read.cut) == (12, 19)
    assert tiny().read("abc", most=3).cut == 1


@settings(max_examples=50, deadline=None)
@given(numbers=st.tuples(*[st.integers(0, 98)] * 4), thousandths=st.integers(0, 1000))
def test_an_edit_written_down_is_read_back(numbers, thousandths):
    edit = Edit(*numbers, thousandths / 1000)
    assert parse_edits(str(edit)) == [edit]


@pytest.mark.parametrize("text", ["1.1:2>1=1.5", "1.1:2>1", "nonsense", "1.1:2>1=-0.1", "1.1:2>1=nan"])
def test_what_is_no_edit_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="written like"):
        parse_edits(text)


@pytest.mark.parametrize(
    ("written", "sentence"),
    [("3.1:2>1=0.5", "2 layers"), ("1.1:9>1=0.5", "7 tokens"), ("1.1:2>5=0.5", "mask hides token 5")],
)
def test_an_edit_that_a_model_has_no_weight_for_is_refused_in_a_sentence(written, sentence):
    with pytest.raises(ValueError, match=sentence):
        edited_weights(tiny(), IDS, parse_edits(written))


def test_edits_of_one_row_and_of_higher_layers_follow_on_those_before():
    model, edits = tiny(), parse_edits("2.1:5>1=0.5 1.2:4>2=0.8 1.2:4>1=0.1")
    changed = edited_weights(model, IDS, edits, off=[(0, 0)])
    assert set(changed) == {(0, 0), (0, 1), (1, 0)}
    row = changed[0, 1][3]
    assert row[0].item() == pytest.approx(0.1)
    assert row.sum().item() == pytest.approx(1)
    below = {head: weights for head, weights in changed.items() if head[0] == 0}
    own = model.trace(IDS, below).layers[1].attention.weights[0]
    assert changed[1, 0][4, 0].item() == pytest.approx(0.5)
    torch.testing.assert_close(changed[1, 0][:4], own[:4])


def test_every_model_that_is_here_opens_its_heads():
    for name in attentive_models():
        model = attentive_model(name)
        read = model.read("The old man came to the bank.")
        weights = torch.stack([layer.attention.weights for layer in model.trace(read.ids).layers])
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
        assert len(read.tokens) == weights.shape[-1]
        assert model.causal == bool((weights.triu(1) == 0).all())


@BOTH
def test_the_effect_of_an_edit_is_the_model_s_prediction_with_and_without_it(causal):
    model, edits = tiny(causal), parse_edits("1.1:5>1=0.9")
    found = effect(model, IDS, 4, edits)
    np.testing.assert_allclose(found.before, prediction(model, IDS, 4), atol=1e-6)
    assert 0 < found.change < 1
    assert effect(model, IDS, 4, []).change == pytest.approx(0, abs=1e-6)
    none_left = effect(model, IDS, 4, edits, off=[(0, 0)])
    torch.testing.assert_close(none_left.edited.logits, effect(model, IDS, 4, [], off=[(0, 0)]).edited.logits)


def test_edits_that_fit_are_kept_and_the_others_are_explained():
    fit, sentences = usable(parse_edits("1.1:3>2=0.5 9.1:3>2=0.5"), tiny(), 7)
    assert [str(edit) for edit in fit] == ["1.1:3>2=0.5"]
    assert sentences == ["9.1:3>2=0.5: this model has 2 layers of 2 heads."]
