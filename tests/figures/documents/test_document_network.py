"""A training step's pictures and the formulas below them hold the numbers of the step; the training's lines its epochs."""

import re

import numpy as np
import pytest

from core.figures.documents.document_network import added, below, step_frames, times
from core.figures.documents.document_training import epochs_figure, epochs_table, step_table
from core.figures.packed import packed
from core.lesson.footer import source_of
from core.models.documents.document_network import drawn_network
from core.models.documents.document_step import document_step
from core.models.documents.fit_documents import Epoch
from pages.documents.document_network import LESSON

SAY = LESSON.words.label
INDEX = {word: place for place, word in enumerate("a dull lid and lovely".split())}
EPOCHS = [Epoch(0.7, 0.5, 0.71, 0.4), Epoch(0.1, 1.0, 0.3, 0.9)]


def step(H=3, rate=0.5):
    network = drawn_network(5, 2, 4, H, seed=2)
    return document_step(network, INDEX, "a dull dull lid".split(), 1, rate)


@pytest.mark.parametrize(("H", "n"), [(3, 10), (0, 7)])
def test_a_step_has_a_frame_for_every_stage(H, n):
    frames = step_frames(step(H), ("bad", "good"), source_of, SAY)
    assert len(frames) == n
    assert [len(f["picture"]["rows"]) * f["picture"]["panels"][0]["width"] for f in frames[:2]] == [12, 16]
    commands = {
        name for f in frames for formula in f["formulas"] for name in re.findall(r"\\([a-zA-Z]+)", formula)
    }
    assert commands <= {
        "frac",
        "tfrac",
        "partial",
        "cdot",
        "text",
        "quad",
        "tanh",
        "ln",
        "dots",
    }  # latex.js reads them


def test_the_last_sentence_tells_both_losses():
    found = step()
    said = step_frames(found, ("bad", "good"), source_of, SAY)[-1]["said"]
    assert f"from {found.loss:.3f} to {found.loss_after:.3f}, p(good) from" in said
    frozen = document_step(
        found.before, dict(zip(found.words, range(3), strict=True)), found.words, 1, 0.5, True
    )
    frames = step_frames(frozen, ("bad", "good"), source_of, SAY, frozen=True)
    assert frames[-1]["said"].startswith("Every parameter except the frozen embeddings")
    assert frames[-1]["picture"]["panels"][0]["values"] == packed(found.before.E)


def test_a_sum_that_is_too_long_says_what_the_rest_comes_to():
    terms = times([(1.0, float(i)) for i in range(9)], [0.5])
    assert added(terms, 36.5).endswith("(3 more: } 15.5 \\text{)} = 36.5")
    assert added(times([(2.0, -3.0)]), -6.0) == "2 \\cdot (-3) = -6"


def test_numbers_of_two_digits_stand_below():
    assert below("h", 9) == "h₁₀"


def test_a_cell_of_the_step_says_how_it_comes_about():
    found = step()
    table, formula = step_table(found)
    assert table["times here"].tolist() == [1, 2, 1]
    assert table["gradient 2"].tolist() == pytest.approx(
        (np.array([1, 2, 1]) / 4 * found.backward.x[0, 1]).tolist()
    )
    assert formula(1, "gradient 2").startswith("\\tfrac{2}{4}")
    assert (table["e2"] - 0.5 * table["gradient 2"]).tolist() == pytest.approx(table["new e2"].tolist())
    assert formula(0, "new e2").split("= ")[-1] == f"{table['new e2'][0]:.4g}"


def test_the_training_s_lines_are_its_epochs():
    figure = epochs_figure(EPOCHS, 0.8)
    assert [list(trace.y) for trace in figure.data] == [
        [0.7, 0.1],
        [0.5, 1],
        [0.71, 0.3],
        [0.4, 0.9],
        [0.8, 0.8],
    ]
    assert epochs_table(EPOCHS)["right, held out"].tolist() == [0.4, 0.9]
