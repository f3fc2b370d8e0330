"""The key of the exercises on a block: lookups, column sums, a real GPT opened for its shapes, and scipy's softmax."""

import numpy as np
import pytest
import torch
from scipy.special import softmax

from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.transformers.opened_gpt import open_gpt
from tests.exercises.drawn import drawn, entries


def test_the_stream_starts_with_word_plus_position():
    for exercise in drawn("transformer_block", "start"):
        draw, given = exercise.draw, exercise.draw.given
        rows = [name.split()[0] for name in given["E"].rows]
        pairs = zip(given["text"], entries(given["P"]), strict=False)
        sums = [
            [e + p for e, p in zip(entries(given["E"])[rows.index(w)], at, strict=True)] for w, at in pairs
        ]
        assert draw.answer == tuple(sums[-1])
        assert draw.mistakes["first"] == tuple(
            e + p
            for e, p in zip(
                entries(given["E"])[rows.index(given["word"])],
                entries(given["P"])[given["text"].index(given["word"])],
                strict=True,
            )
        )


def test_the_stream_is_the_sum_of_all_rows():
    for exercise in drawn("transformer_block", "block"):
        draw, given = exercise.draw, exercise.draw.given
        columns = zip(given["x"], *entries(given["added"]), strict=True)
        assert draw.answer == pytest.approx([sum(column) for column in columns])


def test_the_shapes_are_those_of_an_opened_model():
    for exercise in drawn("transformer_block", "shapes", 3):
        draw, (H, C, T, V) = exercise.draw, (exercise.draw.given[name] for name in "HCTV")
        opened = open_gpt(
            GPT(GPTConfig(V, context=T, layers=1, heads=H, width=C)), torch.zeros(T, dtype=torch.long)
        )
        attention = opened.stages[1]["attention"]
        found = attention.query[0], attention.weights, opened.stages[1]["feed_forward"].woken
        assert draw.answer == (*(each.numel() for each in found), opened.stages[-1]["output"].logits.numel())


def test_the_probability_is_that_of_a_softmax():
    for exercise in drawn("transformer_block", "output"):
        draw, given = exercise.draw, exercise.draw.given
        p = softmax(np.array(entries(given["E"])) @ given["x"])
        assert draw.answer == pytest.approx(p[given["E"].rows.index(given["token"])])
