"""Pictures of hidden Markov models: they hold core's numbers, and formulas multiply to what they state."""

import json

import numpy as np
import pytest

from core.figures.hidden_markov_models.formulas import worked_candidates, write_trellis_cell
from core.figures.hidden_markov_models.machine import machine_figure
from core.figures.hidden_markov_models.paths import paths_figure
from core.figures.hidden_markov_models.tables import confusion_figure
from core.figures.label import label
from core.models.hidden_markov_models.decoding import decode, underflow
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy

DIARY = "3 1 3 2 1".split()


def test_paths_run_beside_one_another_and_hide_none():
    decoded = decode(noun_verb_toy(), "they watch can fish".split())
    figure = paths_figure(
        decoded.emissions.words, decoded.model.states, {"a": decoded.viterbi.path, "b": decoded.greedy.path}
    )
    a, b = figure.data[-2:]
    assert [round(y) for y in a.y] == list(decoded.viterbi.path)
    assert set(a.y).isdisjoint(b.y)


def test_kept_nodes_are_ringed():
    decoded = decode(noun_verb_toy(), "they watch can fish".split(), width=2)
    figure = paths_figure(decoded.emissions.words, decoded.model.states, {}, kept=decoded.beam.kept)
    ringed = next(trace for trace in figure.data if trace.name == "kept by the beam")
    assert len(ringed.x) == decoded.beam.nodes == 8


@pytest.mark.parametrize("wide", [310, 350, 960])
def test_no_probability_of_the_machine_lies_on_an_arrow_or_leaves_the_picture(wide):
    layout = machine_figure(ice_cream_diary()).layout
    (left, right), (low, high) = layout.xaxis.range, layout.yaxis.range
    unit = np.array([wide / (right - left), 334 / (high - low)])  # pixels
    notes = layout.annotations
    arrows = [
        np.linspace([each.ax, each.ay], [each.x, each.y], 200) * unit for each in notes if each.axref == "x"
    ]
    loops = [
        np.array([each.xanchor, each.yanchor]) * unit
        + [[float(at) for at in pair.split(",")] for pair in each.path[1:].rstrip("Z").split("L")]
        for each in layout.shapes
    ]
    numbers = [each for each in notes if each.axref != "x"]
    assert len(numbers) == 12
    for number in numbers:
        middle = np.array([number.x, number.y]) * unit + [number.xshift, number.yshift]
        assert left * wide / (right - left) - 8 <= middle[0] - 12 and middle[0] + 12 <= right * unit[0] + 8
        for line in arrows + loops:
            assert not (np.abs(line - middle) < [11, 6]).all(axis=1).any(), number.text


def test_the_worked_cell_states_the_score():
    decoded = decode(ice_cream_diary(), DIARY)
    assert write_trellis_cell(decoded, 1, 1, raw=True).endswith(
        r"= 0.09 \quad \text{from }\text{hot}".replace("}\\", "} \\")
    )


def test_the_worked_candidates_hold_every_product():
    model = ice_cream_diary()
    worked = worked_candidates(decode(model, DIARY), underflow(model, DIARY), 1, 1, answer=True)
    assert r"0.3 \cdot 0.5 \cdot 0.6 = 0.09" in worked
    assert r"0.04 \cdot 0.8 \cdot 0.6 = 0.0192" in worked


def test_the_confusion_matrix_shows_shares_of_rows():
    figure = confusion_figure(np.array([[3, 1], [0, 0]]), ["A", "B"])
    assert list(figure.data[0].text[0]) == ["75.0%", "25.0%"]


@pytest.mark.parametrize("word", ["<b>", "&amp;", "<a href='x'>y</a>"])
def test_words_on_axes_are_not_mark_up(word):
    assert "<" not in label(word)


def test_a_window_of_sixty_words_is_finite_numbers_only():
    words = DIARY * 12
    decoded = decode(ice_cream_diary(), words)
    figure = paths_figure(words, decoded.model.states, {"Viterbi": decoded.viterbi.path})
    assert len(words) == 60
    assert "NaN" not in json.dumps(figure.to_dict())
