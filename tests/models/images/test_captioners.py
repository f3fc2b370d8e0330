"""The captioners compute what torch's own modules compute with the same weights; what is asked of them is what it says."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score
from torch import nn
from torch.nn import functional

from core.models.documents.held_out import wilson
from core.models.fit_language_model import FitConfig
from core.models.generation.sampling import SamplingSettings
from core.models.images.captioner import END, LONGEST, MARKS, PADDING, START, WORDS, CaptionerConfig, ids_of
from core.models.images.fit_captions import CaptionFitting, caption_loss, with_captions
from core.models.images.group_attention import patches_in, share_on
from core.models.images.held_out_scenes import (
    HELD_OUT,
    KINDS,
    held_out_scenes,
    measured_scenes,
    right_to_the_word,
)
from core.models.images.occluded_picture import painted_over, word_drops
from core.models.images.picture_encoder import PictureEncoder
from core.models.images.recurrent_captioner import RecurrentCaptioner
from core.models.images.stored_captioner import DECODERS, build_captioner, stored_captioner
from core.models.images.transformer_captioner import TransformerCaptioner
from core.models.images.written_caption import first_wrong, looked_at, write_caption
from core.models.self_attention.attention import causal_mask
from core.models.stored import load_card
from core.models.translation.fit_translation import words_before
from core.pictures.described_scenes import FIRST_LEARNT, empty_picture
from tests.models.transformers.test_encoder_decoder import attention_copied, copied

SHAPE = CaptionerConfig(width=8, layers=2, heads=2, side=16)
PICTURES = torch.rand(2, 3, 16, 16, generator=torch.Generator().manual_seed(5))
PREVIOUS = torch.tensor([[1, 5, 6, 7], [1, 9, 3, 14]])
STORED = pytest.mark.parametrize("decoder", DECODERS)


def drawn(network):
    torch.manual_seed(3)
    made = network(SHAPE).eval()
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.4)
    return made.requires_grad_(False)


@torch.inference_mode()
def likeliest_words(network, pictures):
    """Greedy search, ids (B, T), word after word; what comes after the first <end> is padding."""
    states = network.encode(pictures)
    written = torch.full((len(pictures), 1), START)
    while written.shape[1] <= LONGEST and not (written == END).any(1).all():
        word = network.decode(written, states).logits[:, -1].argmax(-1)
        over = (written == END).any(1)
        written = torch.cat((written, torch.where(over, PADDING, word)[:, None]), 1)
    return written[:, 1:]


def test_the_encoder_is_three_convolutions_a_position_and_a_norm_and_each_cell_sees_15_pixels():
    torch.manual_seed(1)
    encoder = PictureEncoder(16, 8).requires_grad_(False)
    conv = functional.conv2d
    z = conv(PICTURES, encoder.first.weight, encoder.first.bias, 2, 1).clamp(min=0)
    z = conv(z, encoder.second.weight, encoder.second.bias, 2, 1).clamp(min=0)
    z = z + conv(z, encoder.third.weight, encoder.third.bias, 1, 1).clamp(min=0)
    expected = functional.layer_norm(z.flatten(2).mT + encoder.position_embedding, (8,))
    torch.testing.assert_close(encoder(PICTURES), expected, atol=1e-5, rtol=1e-5)
    large = PictureEncoder(32, 8)
    picture = torch.rand(1, 3, 32, 32, requires_grad=True)
    large.cells(picture)[0, 3 * 8 + 3].sum().backward()  # the cell over pixels 12 to 15
    rows = picture.grad.abs().sum((0, 1, 3)).nonzero().flatten()
    assert rows[0] >= 5 and rows[-1] <= 19 and len(rows) <= 15


def gru_step(cell, x, h):
    """Cho et al. (2014) with torch's gates: h <- (1 - z) n + z h."""
    of_x = (x @ cell.weight_ih.T + cell.bias_ih).chunk(3, -1)
    of_h = (h @ cell.weight_hh.T + cell.bias_hh).chunk(3, -1)
    reset, z = (torch.sigmoid(one + other) for one, other in zip(of_x[:2], of_h[:2], strict=True))
    return (1 - z) * torch.tanh(of_x[2] + reset * of_h[2]) + z * h


def test_the_recurrent_decoder_reads_the_word_before_then_looks_then_writes_by_the_equations():
    ours = drawn(RecurrentCaptioner)
    states = ours.encode(PICTURES)
    said = ours.decode(PREVIOUS, states)
    mean = states.sum(1) / states.shape[1]
    h = torch.tanh(
        (mean @ ours.V_0.weight.T + ours.V_0.bias).clamp(min=0) @ ours.W_0.weight.T + ours.W_0.bias
    )
    for t in range(PREVIOUS.shape[1]):
        s = gru_step(ours.read, ours.target_embedding.weight[PREVIOUS[:, t]], h)
        e = torch.tanh((s @ ours.score.W_a.T)[:, None] + states @ ours.score.U_a.T) @ ours.score.v_a
        a = e.exp() / e.exp().sum(1, keepdim=True)
        c = (a[..., None] * states).sum(1)
        h = gru_step(ours.look, c, s)
        z = torch.tanh(torch.hstack((h, c)) @ ours.W_c.weight.T + ours.W_c.bias)
        torch.testing.assert_close(said.weights[:, 0, 0, t], a, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(
            said.logits[:, t], z @ ours.W_s.weight.T + ours.W_s.bias, atol=1e-5, rtol=1e-5
        )


@STORED
def test_before_a_word_the_attention_knows_the_word_before_it(decoder):
    """Another last word moves where the next one is looked for."""
    network, (_, picture) = stored_captioner(f"captions_{decoder}").network, held_out_scenes(KINDS[0], 1)[0]
    words = [START, *ids_of("two red circles")[:-1]], [START, *ids_of("two red squares")[:-1]]
    one, other = (network(torch.from_numpy(picture)[None], torch.tensor([each])).weights for each in words)
    torch.testing.assert_close(one[..., :-1, :], other[..., :-1, :], atol=1e-5, rtol=1e-5)
    assert (one[..., -1, :] - other[..., -1, :]).abs().max() > 0.01


def test_with_copied_weights_the_transformer_computes_what_torch_s_decoder_computes():
    ours = drawn(TransformerCaptioner)
    for block in ours.decoder:  # torch adds one mask to the scores of all layers
        table = ours.decoder[0].attention.distance_embedding.weight
        block.attention.distance_embedding.weight.copy_(table)
    layer = nn.TransformerDecoderLayer(
        8, 2, 32, 0.0, lambda x: functional.gelu(x, approximate="tanh"), batch_first=True, norm_first=True
    )
    theirs = nn.TransformerDecoder(layer, 2, nn.LayerNorm(8)).eval().requires_grad_(False)
    for name, parameter in theirs.named_parameters():
        if name.endswith("bias"):
            parameter.zero_()
    copied(theirs, ours, {"norm": "decoder_norm"})
    norms = ["norm_before_attention", "norm_before_cross_attention", "norm_before_feed_forward"]
    for each, block in zip(theirs.layers, ours.decoder, strict=True):
        attention_copied(each.self_attn, block.attention)
        attention_copied(each.multihead_attn, block.cross_attention)
        copied(each, block, {f"norm{n}": name for n, name in enumerate(norms, 1)})
        copied(each, block, {"linear1": "feed_forward.widen", "linear2": "feed_forward.project"})
    states, T = ours.encode(PICTURES), PREVIOUS.shape[1]
    mask = (ours.decoder[0].attention.bias(T, T) + causal_mask(T)).repeat(2, 1, 1)
    y = theirs(ours.target_embedding(PREVIOUS), states, tgt_mask=mask)
    said = ours.decode(PREVIOUS, states)
    torch.testing.assert_close(said.logits, y @ ours.target_embedding.weight.T, atol=1e-5, rtol=1e-5)
    assert said.weights.shape == (2, 2, 2, 4, 16)


@pytest.mark.parametrize("network", DECODERS.values())
def test_a_later_word_changes_nothing_and_every_attention_sums_to_one(network):
    ours = drawn(network)
    other = PREVIOUS.clone()
    other[:, -1] = 20
    one, two = (ours(PICTURES, each) for each in (PREVIOUS, other))
    torch.testing.assert_close(one.logits[:, :-1], two.logits[:, :-1], atol=1e-5, rtol=1e-5)
    assert not torch.allclose(one.logits[:, -1], two.logits[:, -1], atol=1e-3)
    torch.testing.assert_close(one.weights.sum(-1), torch.ones(one.weights.shape[:-1]))


def test_every_step_sees_pictures_of_its_own_which_are_none_of_those_held_out():
    fitting = CaptionFitting(build_captioner("recurrent", {"width": 8}), FitConfig(steps=3, batch=4, seed=2))
    first, again = fitting.batch()[0], fitting.batch()[0]
    torch.testing.assert_close(first, again)
    seen = [first]
    for _ in range(2):
        fitting.step()
        seen.append(fitting.batch()[0])
    learnt = {picture.numpy().tobytes() for each in seen for picture in each}
    assert len(learnt) == 3 * 4
    held_out = {picture.tobytes() for kind in KINDS for _, picture in held_out_scenes(kind, 100)}
    assert not learnt & held_out
    start = FIRST_LEARNT + 2 * 1_000_000 * 4  # the fit's seed, its first step, four pictures a step
    assert all(
        torch.equal(seen[step], with_captions(range(start + 4 * step, start + 4 * step + 4))[0])
        for step in range(3)
    )
    assert start > 2 * HELD_OUT


def test_the_loss_is_the_mean_over_words_without_padding():
    pictures, right = with_captions(range(4))
    torch.manual_seed(2)
    model = build_captioner("recurrent", {"width": 8})
    said = model(pictures, words_before(right))
    p = said.logits.log_softmax(-1)
    each = [-p[b, t, right[b, t]] for b, t in (right != PADDING).nonzero().tolist()]
    assert float(caption_loss(said, right)) == pytest.approx(float(torch.stack(each).mean()), rel=1e-5)
    assert (right == END).sum() == 4 and (words_before(right)[:, 0] == START).all()


def test_words_are_named_once_and_every_caption_is_made_of_them():
    assert len(set(WORDS)) == len(WORDS) and WORDS[: len(MARKS)] == MARKS
    for kind in KINDS:
        for scene, _ in held_out_scenes(kind, 100):
            assert [WORDS[i] for i in ids_of(scene.caption)] == [*scene.caption.split(), "<end>"]


# The stored captioners.


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_card_tells_is_measured_on_scenes_that_no_recipe_was_chosen_by(kind):
    chosen_by, measured = held_out_scenes(kind, HELD_OUT), measured_scenes(kind)
    assert len(measured) == HELD_OUT
    pictures = [{picture.tobytes() for _, picture in scenes} for scenes in (chosen_by, measured)]
    assert not pictures[0] & pictures[1]


@STORED
def test_the_card_s_counts_are_those_of_all_measured_scenes(decoder):
    right = right_to_the_word(stored_captioner(f"captions_{decoder}"), measured_scenes(KINDS[0]))
    share = load_card(f"captions_{decoder}").quality[f"right to the word, {KINDS[0]}"]
    assert right.sum() == pytest.approx(share * HELD_OUT, abs=2)


@STORED
def test_the_card_s_measures_are_those_of_scenes_asked_again(decoder):
    model, card = stored_captioner(f"captions_{decoder}"), load_card(f"captions_{decoder}")
    for kind in KINDS:
        scenes = measured_scenes(kind, 300)
        right = right_to_the_word(model, scenes)
        rows = likeliest_words(
            model.network, torch.from_numpy(np.stack([each for _, each in scenes]))
        ).tolist()
        written = [" ".join(WORDS[i] for i in row if WORDS[i] not in MARKS) for row in rows]
        assert right.tolist() == [
            scene.caption == each for (scene, _), each in zip(scenes, written, strict=True)
        ]
        assert right.mean() == pytest.approx(accuracy_score([scene.caption for scene, _ in scenes], written))
        share = card.quality[f"right to the word, {kind}"]
        assert [
            card.quality[f"right to the word, {kind}, 95% {end}"] for end in ("from", "to")
        ] == pytest.approx(wilson(round(share * HELD_OUT), HELD_OUT))
        low, high = wilson(int(right.sum()), 300)
        assert low - 0.02 <= share <= high + 0.02
    blind = right_to_the_word(model, measured_scenes(KINDS[0], 300), no_image=True)
    assert blind.mean() <= 0.01


@STORED
def test_what_is_written_one_by_one_is_what_a_batch_writes_and_is_judged_alike(decoder):
    model = stored_captioner(f"captions_{decoder}")
    scenes = held_out_scenes(KINDS[1], 12)
    right = right_to_the_word(model, scenes)
    for (scene, picture), expected in zip(scenes, right, strict=True):
        written = write_caption(model.network, picture)
        assert (first_wrong(written, scene.caption) < 0) == expected == (written.caption == scene.caption)
        T = len(written.steps)
        assert written.weights.shape[2:] == (T, 64) and len(written.p) == T
        np.testing.assert_allclose(written.weights.sum(-1), 1, atol=1e-5)


@STORED
def test_the_same_seed_draws_the_same_caption_and_a_hot_one_varies(decoder):
    network, picture = stored_captioner(f"captions_{decoder}").network, held_out_scenes(KINDS[0], 1)[0][1]
    hot = SamplingSettings(temperature=5.0)
    drawn = [write_caption(network, picture, hot, seed).caption for seed in range(6)]
    assert len(set(drawn)) > 1 and drawn[2] == write_caption(network, picture, hot, 2).caption
    cut = write_caption(network, picture, SamplingSettings(temperature=5.0, top_k=1), 2)
    assert cut.ids == write_caption(network, picture).ids


@STORED
def test_a_drop_is_the_difference_of_two_readings(decoder):
    network, picture = stored_captioner(f"captions_{decoder}").network, held_out_scenes(KINDS[0], 1)[0][1]
    written = write_caption(network, picture)
    drops = word_drops(network, picture, written.ids)
    before = torch.tensor([[START, *written.ids[:-1]]])
    for place in (0, 9, 63):
        p = [
            network(torch.from_numpy(each)[None], before)
            .logits[0]
            .softmax(-1)[range(len(written.ids)), written.ids]
            for each in (picture, painted_over(picture, [place]))
        ]
        np.testing.assert_allclose(drops[:, place], p[0] - p[1], atol=1e-5)


def test_painting_over_changes_that_patch_alone_and_gives_it_the_ground_s_colour():
    picture = held_out_scenes(KINDS[0], 1)[0][1]
    painted = painted_over(picture, [10])
    same = np.ones_like(picture, dtype=bool)
    same[:, 4:8, 8:12] = False
    np.testing.assert_array_equal(painted[same], picture[same])
    np.testing.assert_allclose(painted[:, 5, 9], np.median(picture, axis=(1, 2)))
    np.testing.assert_array_equal(painted_over(empty_picture(), range(64)), empty_picture())


def test_the_cells_of_a_scene_have_every_patch_once():
    parts = [patches_in(((row, column),), 8) for row in range(3) for column in range(3)]
    assert sorted(np.concatenate(parts)) == list(range(64))
    assert [len(each) for each in parts] == [9, 6, 9, 6, 4, 6, 9, 6, 9]
    everywhere = tuple((row, column) for row in range(3) for column in range(3))
    weights = np.random.default_rng(0).dirichlet(np.ones(64), 5)
    assert share_on(weights, everywhere, range(5)) == pytest.approx(1)


def test_what_is_looked_at_is_one_head_or_the_mean_of_a_block():
    network, picture = stored_captioner("captions_transformer").network, held_out_scenes(KINDS[0], 1)[0][1]
    written = write_caption(network, picture)
    np.testing.assert_array_equal(looked_at(written, "block 1, head 3"), written.weights[0, 2])
    np.testing.assert_allclose(looked_at(written, "block 2, mean"), written.weights[1].mean(0))


def test_a_caption_is_wrong_from_its_first_other_word_or_from_where_it_stops_short_or_goes_on():
    network, (scene, picture) = (
        stored_captioner("captions_transformer").network,
        held_out_scenes(KINDS[0], 1)[0],
    )
    written = write_caption(network, picture)
    assert written.caption == scene.caption and first_wrong(written, scene.caption) == -1
    words = scene.caption.split()
    other = "a" if words[0] == "two" else "two"
    assert first_wrong(written, " ".join([other, *words[1:]])) == 0
    assert first_wrong(written, " ".join(words[:-1])) == len(words) - 1
    cut = replace(written, steps=written.steps[:2])
    assert first_wrong(cut, scene.caption) == 2
