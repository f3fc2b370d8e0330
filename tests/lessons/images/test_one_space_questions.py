"""The key of the exercises on a shared space: scipy's cosines, torch's cross-entropy, sorted columns."""

from math import exp

import pytest
import torch
from scipy.spatial import distance

from tests.exercises.drawn import drawn, entries


def test_a_cosine_is_scipy_s():
    for exercise in drawn("one_space", "cosine"):
        given, draw = exercise.draw.given, exercise.draw
        assert draw.answer == pytest.approx(1 - distance.cosine(given["image"], given["caption"]))


def test_the_loss_is_torch_s_cross_entropy():
    for exercise in drawn("one_space", "loss"):
        given, draw = exercise.draw.given, exercise.draw
        logits = given["scale"] * torch.tensor(entries(given["cosines"]), dtype=torch.float64)
        i = torch.tensor(given["cosines"].rows.index(given["image"]))
        assert draw.answer == pytest.approx(float(torch.nn.functional.cross_entropy(logits[i], i)))
        assert draw.mistakes["column"] == pytest.approx(
            float(torch.nn.functional.cross_entropy(logits[:, i], i))
        )


def test_a_caption_finds_its_image_in_its_sorted_column():
    for exercise in drawn("one_space", "recall"):
        given, draw = exercise.draw.given, exercise.draw
        rows = entries(given["cosines"])
        columns = [list(each) for each in zip(*rows, strict=True)]

        def found(lists, k=given["k"]):
            return sum(each[i] in sorted(each, reverse=True)[:k] for i, each in enumerate(lists))

        assert (draw.answer, draw.mistakes["images"]) == (found(columns), found(rows))


def test_a_name_has_its_share_of_the_powers():
    for exercise in drawn("one_space", "named"):
        given, draw = exercise.draw.given, exercise.draw
        [cosines] = entries(given["cosines"])
        own = cosines[given["cosines"].columns.index(given["name"])]
        gaps = [exp(given["scale"] * (each - own)) for each in cosines]
        assert draw.answer == pytest.approx(1 / sum(gaps))
