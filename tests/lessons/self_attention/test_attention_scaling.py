"""What the lesson on the square root says of gradients is what its numbers show."""

import re

import pandas as pd
import pytest

from pages.self_attention.parts.trained_softness import gradients_compared
from tests.lessons.lesson_page import open_lesson, said, table_with


def test_heads_are_counted_by_what_the_root_does_to_their_gradient():
    heads = pd.DataFrame({"gradient without the root": [0.1, 0.2, 0.3], "gradient with it": [0.2, 0.2, 0.1]})
    assert [int(n) for n in re.findall(r"\d+", gradients_compared(heads))] == [1, 3, 1]


@pytest.mark.parametrize("text", ["The king saw the queen in her house.", "x"])
def test_the_sentence_counts_the_table_on_the_page(text):
    app = open_lesson("attention_scaling", text)
    heads = table_with(app, "gradient with it")
    less = (heads["gradient without the root"] < heads["gradient with it"]).sum()
    assert f"in **{less}** of these {len(heads)} heads" in said(app)


@pytest.mark.parametrize("keys", [2, 16, 64])
def test_at_the_largest_d_little_is_left_of_the_gradient_without_the_root(keys):
    app = open_lesson("attention_scaling", "x", keys=keys)
    gone, kept = (
        float(re.search(pattern, said(app))[1])
        for pattern in (r"down to \*\*(.+?)\*\*", r"gradient at \*\*(.+?)\*\*")
    )
    assert gone < 0.5 * kept
