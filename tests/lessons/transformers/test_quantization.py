"""Quantization: the story's numbers, computed in another way, and the lab."""

import copy

import numpy as np
import pytest
import torch

from core.models.generation.sampling import SamplingSettings, generate
from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored_language_models import encode, stored_language_model
from core.models.transformers.quantized_gpts import (
    BITS,
    UNIFORM,
    held_out_loss,
    losses_by_piece,
    quantized_model,
    size_of,
)
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in

LESSON = "quantization"


def levels(bits):
    """Return the largest integer of b bits."""
    return 2 ** (bits - 1) - 1


@pytest.fixture(scope="module")
def weights():
    """Return the weights of the story."""
    matrix = stored_language_model("char_gpt").network.state_dict()["blocks.0.feed_forward.widen.weight"]
    return matrix[3, :64].double().numpy()


def test_8_and_4_bits_write_words_and_2_bits_do_not():
    panels = picture(LESSON, "written")["panels"]
    texts = [" ".join(line["text"] for line in panel["lines"]) for panel in panels]
    assert [panel["title"] for panel in panels] == ["16 bits", "8 bits", "4 bits", "2 bits"]
    lengths = [np.mean([len(word) for word in text.split()]) for text in texts]
    known = {"the", "and", "hold", "hear", "man", "thee", "a", "in", "it", "be", "here", "what", "I", "you"}
    shares = [np.mean([word.strip(".,;:") in known for word in text.split()]) for text in texts]
    assert min(shares[:3]) > 0.2 > 0.05 > shares[3] and max(lengths[:3]) < 7


def test_a_text_is_written_by_the_weights_that_numpy_rounds():
    plain = stored_language_model("char_gpt")
    rounded = copy.deepcopy(plain.network)
    for part in rounded.modules():
        if isinstance(part, torch.nn.Linear):
            W = part.weight.numpy()
            s = np.abs(W).max(axis=1, keepdims=True) / np.float32(7)
            part.weight.data = torch.from_numpy(np.rint(W / s) * s)
    model = NeuralLanguageModel(rounded, plain.vocabulary, plain.start)
    ids = encode("char_gpt", "My lord, I will not ").ids
    steps = generate(model, ids, 60, SamplingSettings(temperature=0.7), 1)
    text = "".join(model.vocabulary[step.token] for step in steps)
    drawn = " ".join(line["text"] for line in picture(LESSON, "written")["panels"][2]["lines"])
    assert drawn.replace("/", "").split() == text.split()


@pytest.mark.parametrize("bits", ["2", "4", "8"])
def test_the_red_weight_is_rounded_by_hand(weights, bits):
    told = said_in(document(LESSON, "levels", bits=bits))
    s = np.abs(weights).max() / levels(int(bits))
    q = round(weights[5] / s)
    said_q = f"becomes {q}".replace("-", "−")
    assert f"= {s:.4f}" in told.replace("**", "") and said_q in told
    assert abs(weights[5] - q * s) <= s / 2
    assert f"error is {abs(weights[5] - q * s):.3f}" in told


def test_four_bits_hold_and_three_do_not():
    base = held_out_loss(16)
    assert held_out_loss(4) < 1.1 * base < 1.3 * base < held_out_loss(3) < UNIFORM < held_out_loss(2)
    asked = document(LESSON, "breaks", True)
    assert asked["ask"]["answer"] == "3"
    assert f"at 3 bits it is {held_out_loss(3):.2f}" in said_in(asked).replace("**", "")
    before = picture(LESSON, "breaks")["figure"]["data"]
    assert [len(trace["x"]) for trace in before] == [2, 2]
    difference = losses_by_piece(3) - losses_by_piece(16)
    assert difference.min() > 0  # in every play


def test_a_smaller_company_has_a_lower_loss_where_it_matters():
    for bits in (5, 4, 3):
        losses = [held_out_loss(bits, by) for by in ("tensor", "row", "group")]
        assert losses == sorted(losses, reverse=True)
    told = said_in(document(LESSON, "shared"))
    assert f"{held_out_loss(4, 'tensor'):.2f}, {held_out_loss(4, 'row'):.2f}" in told


@pytest.mark.parametrize("times", ["1", "4", "32"])
def test_an_outlier_rounds_the_others_to_0(weights, times):
    w = weights.copy()
    w[0] *= int(times)
    s = np.abs(w).max() / 7
    zeros = int((np.abs(w[1:]) < s / 2).sum())
    told = said_in(document(LESSON, "spoiled", times=times)).replace("**", "")
    assert ("All 63 other weights become 0" in told) == (zeros == 63)
    assert zeros == 63 or f"{zeros} become 0" in told


def test_one_scale_for_all_is_the_worst_with_outliers_and_groups_the_best():
    tensor, row, group = (held_out_loss(6, by, True) for by in ("tensor", "row", "group"))
    assert group < row < tensor and tensor > UNIFORM and group < 1.1 * held_out_loss(16)
    assert held_out_loss(6, "tensor") < 1.02 * held_out_loss(16)  # without outliers one scale would do
    asked = document(LESSON, "one_scale", True)
    assert asked["ask"]["answer"] == "group" and f"{tensor:.2f}" in said_in(asked)
    hidden = picture(LESSON, "one_scale")["panels"][0]["rows"]
    assert [row["text"] for row in hidden[1:]] == ["?"] * 3


@pytest.mark.parametrize("bits", BITS)
def test_a_size_is_that_of_integers_scales_and_the_rest(bits):
    n, rest = 4 * 12 * 192**2, 1_834_176 - 4 * 12 * 192**2
    expected = n * bits / 8 + n / 64 * 4 + 2 * rest
    assert sum(size_of(bits, "group").values()) == pytest.approx(expected)
    told = said_in(document(LESSON, "size", bits=str(bits))).replace("**", "")
    assert f"{expected / 1e6:.2f} MB" in told and f"takes {bits + 0.5:.1f} bits" in told


@pytest.mark.parametrize(
    "mine", ["Ich weiß es nicht", "Der König ist tot", "Was nun?", "to be or not to be", "x", "😀", "1234"]
)
def test_any_prompt_is_gone_on_with(mine):
    done = document(LESSON, "own", mine=mine)["done"]
    ids = encode("char_gpt", mine).ids
    assert ("begins a new text" in done) == (not ids)
    if ids:
        p = np.exp(stored_language_model("char_gpt").log_probabilities(ids))
        assert f"({p.max():.0%})" in done
        same = [b for b in (8, 4, 2) if quantized_model(b).log_probabilities(ids).argmax() == p.argmax()]
        assert all(f"{b}" in done.split("still first")[1] for b in same) if same else "none of" in done


@pytest.mark.parametrize(
    ("mine", "told"),
    [
        ("to λ be", "The model does not know λ, so it leaves this character out."),
        ("to λμ be", "The model does not know λ or μ, so it leaves these characters out."),
        ("to be", ""),
    ],
)
def test_characters_that_the_model_does_not_know_are_named(mine, told):
    done = document(LESSON, "own", mine=mine)["done"]
    assert told in done and ("does not know" in done) == bool(told)
    assert ("does not know" in said(open_lesson(LESSON, prompt=mine))) == bool(told)


def test_the_answer_says_what_4_bits_cost():
    told = said_in(document(LESSON, "answer"))
    share = sum(size_of(4, "group").values()) / sum(size_of(16).values())
    more = held_out_loss(4, "group") / held_out_loss(16) - 1
    assert f"{share:.0%} of the bytes" in told and f"by {more:.0%}" in told


def test_the_lab_shows_the_mistake_and_any_setting():
    app = open_lesson(LESSON, bits="6", shared_by="tensor", outlier="true")
    assert not app.exception
    whole, broken = metrics(app).values()
    assert (whole, broken) == (
        f"{held_out_loss(6, 'group', True):.2f}",
        f"{held_out_loss(6, 'tensor', True):.2f}",
    )
    assert "with outliers" in said(app)
    for prompt in ("", "😀", "Ich weiß nicht"):
        app = open_lesson(LESSON, prompt=prompt, bits="2", shared_by="group")
        assert not app.exception and not metrics(app)


def test_the_folds_tell_where_groups_gain_little():
    shared, outliers = str(document(LESSON, "shared")), str(document(LESSON, "one_scale", True))
    gain = losses_by_piece(4, "row") - losses_by_piece(4, "group")
    assert gain.mean() - 2 * gain.std() / len(gain) ** 0.5 > 0
    sizes = [sum(size_of(bits, by).values()) / 1e6 for bits, by in ((4, "group"), (4, "row"), (5, "row"))]
    assert sizes[1] < sizes[0] < sizes[2] and all(f"{size:.2f} MB" in shared for size in sizes)
    between = np.interp(sizes[0], sizes[1:], [held_out_loss(4), held_out_loss(5)])  # rows of the same bytes
    assert abs(between - held_out_loss(4, "group")) < 0.01
    assert held_out_loss(2, "group") > held_out_loss(2) > UNIFORM
    assert f"groups have {held_out_loss(2, 'group'):.2f} and rows {held_out_loss(2):.2f}" in shared
    assert f"their loss is {held_out_loss(4, 'group', True):.2f}" in outliers
