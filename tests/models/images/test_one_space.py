"""Both encoders are torch's own modules with their weights copied; a sentence's words are read, or said to be unknown."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from core.models.images.naming import PROMPTS, names_right, score_sentences
from core.models.images.one_space import (
    ImageEncoder,
    OneSpace,
    SpaceConfig,
    TextEncoder,
    read_sentence,
    stored_space,
)
from core.pictures.scenes_in_words import alone, full_sentences, gallery, open_sentences

SHAPE = SpaceConfig(vocabulary=7, across=4, words=5, layers=2, heads=2, width=8, space=6)
CLOSE = {"atol": 1e-5, "rtol": 1e-4}


def shaken(module):
    """Return a module whose every weight is far from what it begins with."""
    for parameter in module.requires_grad_(False).parameters():
        parameter += 0.3 * torch.randn_like(parameter)
    return module


def torch_s(tower, h):
    """Return what torch's own encoder makes of tokens h (B, n, C), with a tower's weights."""
    C = SHAPE.width
    x = torch.cat((tower.class_embedding.expand(len(h), 1, C), h), dim=1) + tower.position_embedding
    for block in tower.blocks:
        layer = nn.TransformerEncoderLayer(
            C, SHAPE.heads, 4 * C, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        layer.load_state_dict(
            {
                "self_attn.in_proj_weight": block.attention.to_query_key_value.weight,
                "self_attn.in_proj_bias": block.attention.to_query_key_value.bias,
                "self_attn.out_proj.weight": block.attention.project.weight,
                "self_attn.out_proj.bias": block.attention.project.bias,
                "linear1.weight": block.widen.weight,
                "linear1.bias": block.widen.bias,
                "linear2.weight": block.narrow.weight,
                "linear2.bias": block.narrow.bias,
                "norm1.weight": block.norm_before_attention.weight,
                "norm1.bias": block.norm_before_attention.bias,
                "norm2.weight": block.norm_before_feed_forward.weight,
                "norm2.bias": block.norm_before_feed_forward.bias,
            }
        )
        x = layer.eval()(x)
    norm = tower.final_norm
    return functional.layer_norm(x[:, 0], (C,), norm.weight, norm.bias) @ tower.output.weight.T


def test_the_text_encoder_is_torch_s_encoder_over_a_table_of_words():
    torch.manual_seed(0)
    encoder, ids = shaken(TextEncoder(SHAPE)), torch.tensor([[1, 3, 2, 0, 0], [6, 5, 4, 3, 2]])
    expected = torch_s(encoder.tower, encoder.word_embedding.weight[ids])
    torch.testing.assert_close(encoder(ids), expected, **CLOSE)


def test_the_image_encoder_is_torch_s_encoder_over_three_convolutions():
    torch.manual_seed(1)
    encoder, pictures = shaken(ImageEncoder(SHAPE)), torch.rand(2, 3, 32, 32)
    convolutions = [encoder.first, encoder.second, encoder.third]
    stem = nn.Sequential(convolutions[0], nn.GELU(), convolutions[1], nn.GELU(), convolutions[2])
    grid = stem(pictures - 0.5)
    assert grid.shape == (2, SHAPE.width, 4, 4)
    tokens = torch.stack([grid[:, :, row, column] for row in range(4) for column in range(4)], dim=1)
    torch.testing.assert_close(encoder(pictures), torch_s(encoder.tower, tokens), **CLOSE)


def test_without_positions_a_sentence_is_a_bag_of_words_and_with_them_it_is_not():
    torch.manual_seed(2)
    encoder = shaken(TextEncoder(SHAPE))
    one, other = torch.tensor([[1, 3, 2, 5, 0]]), torch.tensor([[5, 1, 0, 2, 3]])
    torch.testing.assert_close(encoder(one, positions=False), encoder(other, positions=False), **CLOSE)
    assert (encoder(one) - encoder(other)).abs().max() > 0.01


def test_the_scale_begins_at_one_over_seven_hundredths_and_never_passes_a_hundred():
    network = OneSpace(SHAPE)
    assert network.scale.item() == pytest.approx(1 / 0.07, rel=1e-5)
    network.log_scale.data += 9
    assert network.scale.item() == 100


@pytest.mark.parametrize(
    ("sentence", "known", "unknown", "beyond"),
    [
        ("A RED ring, above the red ring!", ("red", "ring", "above", "red", "ring"), (), ()),
        ("", (), (), ()),
        ("un café <b>red</b> 7", ("red",), ("un", "café", "b"), ()),
        ("red " * 7, ("red",) * 5, (), ("red",) * 2),
    ],
)
def test_a_sentence_s_words_are_read_or_said_to_be_unknown(sentence, known, unknown, beyond):
    read = read_sentence(sentence, ("", "ring", "above", "red"), words=5)
    assert (read.known, read.unknown, read.beyond) == (known, unknown, beyond)
    assert len(read.ids) == 5
    assert read.ids[len(known) :] == (0,) * (5 - len(known))


def test_stored_vectors_have_length_one_and_point_where_the_raw_ones_do():
    model, scenes = stored_space(), gallery(3, 0)
    pictures = np.stack([each.picture for each in scenes])
    for whole, raw in (
        (model.pictures(pictures), model.pictures(pictures, length_one=False)),
        (model.sentences(["a red ring", ""]), model.sentences(["a red ring", ""], length_one=False)),
    ):
        torch.testing.assert_close(whole.norm(dim=1), torch.ones(len(whole)), **CLOSE)
        torch.testing.assert_close(whole, raw / raw.norm(dim=1, keepdim=True), **CLOSE)


def test_every_word_of_every_sentence_about_scenes_is_known():
    model = stored_space()
    for each in gallery(200, 0) + gallery(50, 0, unseen=True):
        for sentence in (*full_sentences(each.scene), *open_sentences(each.scene)):
            read = model.read(sentence)
            assert not read.unknown and not read.beyond, sentence


def test_a_name_is_as_likely_as_its_scaled_cosine_says_among_the_others():
    model = stored_space()
    scale = float(np.exp(model.network.log_scale.item()))
    assert scale > 2  # or a softmax of the bare cosines would be nearly the same
    likeliest = []
    for seed in range(8):
        picture, kind = alone(seed)
        found = score_sentences(model, picture)
        cosines = model.sentences(list(PROMPTS)).numpy() @ model.pictures(picture[None])[0].numpy()
        np.testing.assert_allclose(found.cosines, cosines, atol=1e-6)
        p = np.exp(scale * cosines) / np.exp(scale * cosines).sum()
        np.testing.assert_allclose(found.probabilities, p, atol=1e-5)
        likeliest.append(PROMPTS[p.argmax()] == f"a {kind}")
        assert found.name == PROMPTS[p.argmax()]
    assert names_right(model, 8).tolist() == likeliest
