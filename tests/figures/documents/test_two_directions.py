"""Pictures of two directions show what was read and no more, and write what core computed."""

import numpy as np
import pytest

from core.figures.documents.two_directions import (
    accuracy_figure,
    directions_table,
    evidence_figure,
    evidence_of,
    evidence_table,
    moved_figure,
    name_way,
    sentence_frames,
    sentence_shared,
    tags_table,
)
from core.models.documents.recurrent_reader import RecurrentReading, softmax
from core.models.documents.recurrent_tagger import AHEAD, BOTH
from core.models.documents.three_taggers import HMM, WAYS, TaggedThreeWays

RNG = np.random.default_rng(4)
TAGS = ("NOUN", "VERB", ".")
WORDS = ("Dogs", "bark", "!")


def reading(both):
    ahead, back = np.tanh(RNG.normal(size=(2, 3, 4)))
    W = RNG.normal(size=(3, 8 if both else 4))
    return RecurrentReading(RNG.normal(size=(3, 2)), ahead, back if both else None, W, RNG.normal(size=3))


def found():
    readings = {AHEAD: reading(False), BOTH: reading(True)}
    p = {HMM: softmax(RNG.normal(size=(3, 3)))} | {n: r.tag_probabilities for n, r in readings.items()}
    tags = {way: tuple(TAGS[j] for j in p[way].argmax(axis=1)) for way in WAYS}
    return TaggedThreeWays(WORDS, TAGS, tags, p, readings, np.zeros(3, bool))


def test_every_step_reads_a_word_from_each_end_and_only_the_last_has_no_sentence_of_its_own():
    frames = sentence_frames(found())
    assert [each["picture"]["read"] for each in frames] == [1, 2, 3]
    first = "the last “Dogs”; from the right 1 word, the last “!”; no word has both states yet."
    assert first in frames[0]["said"]
    assert "from the right 2 words, the last “bark”; 1 word has both." in frames[1]["said"]
    assert frames[2]["said"] == ""
    assert "GRU" in frames[1]["formulas"][0]


def test_what_the_steps_share_is_what_was_found():
    whole = found()
    shared = sentence_shared(whole)
    assert shared["units"] == 4
    for row, way in zip(shared["rows"], WAYS, strict=True):
        assert (row["name"], row["tags"]) == (name_way(way), list(whole.tags[way]))
        assert row["sure"] == [f"{p:.2f}" for p in whole.p[way].max(axis=1)]


def test_a_cell_s_formula_ends_in_the_cell_s_number():
    whole = found()
    table, formula = tags_table(whole)
    assert len(table) == 9
    for row in range(9):
        for tag in TAGS:
            shown = float(formula(row, tag).rpartition("= ")[2])
            assert shown == pytest.approx(table[tag][row], rel=1e-3, abs=1e-4)
    assert formula(0, "word") is None


def test_bars_are_the_shares_and_the_moves():
    confusion = {way: [[8, 2, 0], [int(way == HMM), 4, 0], [0, 0, 5]] for way in WAYS}
    figure = accuracy_figure(confusion, TAGS)
    assert [list(trace["y"]) for trace in figure.data] == [[0.8, 0.8, 1.0], [0.8, 1.0, 1.0], [0.8, 1.0, 1.0]]
    _, formula = directions_table(confusion, TAGS)
    assert formula(1, "HMM") == r"\frac{4}{5} = 0.8"
    moved = {HMM: np.array([0.1, 0.2]), AHEAD: np.zeros(2), BOTH: np.array([0.5, 0.0])}
    bars = moved_figure(["a", "b"], moved).data
    assert [list(trace["y"]) for trace in bars] == [[0.1, 0.2], [0, 0], [0.5, 0]]


@pytest.mark.parametrize("c", [0, 1, 2])
def test_evidence_for_a_class_adds_up_to_its_z_less_the_mean_of_the_others(c):
    both = reading(True)
    ahead, back, b = evidence_of(both, c)
    z = np.log(both.class_probabilities)
    assert ahead[-1] + back[0] + b == pytest.approx(z[c] - np.delete(z, c).mean())
    figure = evidence_figure(WORDS, ahead, back, "<b>")
    assert [trace["marker"]["size"] for trace in figure.data] == [[8, 8, 16], [16, 8, 8]]
    np.testing.assert_allclose(evidence_table(WORDS, ahead, back)["from the left"], ahead)
