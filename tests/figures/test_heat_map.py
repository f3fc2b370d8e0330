"""The words in a heat map's cells can be read on each cell's colour, on a scale from 0 up and on one that begins below."""

import numpy as np
import pytest

from core.figures.blank import FONT_SIZE
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.pretraining.sentence_pairs import input_figure
from core.models.pretraining.sentence_pairs import stored_sentence_pairs
from pages.translation.translation_race.figures import heat_figure


def inks(values, low, high):
    """Return the colour of each cell's words by its value, None for the page's own ink."""
    texts = [str(value) for value in values]
    figure = Figure(heatmap(x=list(range(len(values))), y=[0], z=[values], text=[texts], zmin=low, zmax=high))
    write_in_cells(figure)
    return {text: trace.textfont.color for trace in figure.data[1:] for text in trace.text}


def test_a_cell_is_written_in_white_where_its_blue_is_strong():
    assert inks([0.0, 0.9, 0.95, None], 0, 1) == {"0.0": None, "0.9": None, "0.95": "#FFFFFF", "None": None}
    assert inks([9.0, 9.6, 10.0], 5, 10) == {"9.0": None, "9.6": None, "10.0": "#FFFFFF"}


def test_on_a_scale_that_begins_below_nought_the_distance_from_nought_counts():
    assert inks([-2.0, -1.7, 1.7, 1.9], -2, 2) == {
        "-2.0": "#000000",
        "-1.7": None,
        "1.7": None,
        "1.9": "#FFFFFF",
    }


@pytest.mark.parametrize(("words", "size"), [(3, 16), (10, 16), (24, 13), (40, 12)])
def test_the_words_of_the_race_are_as_large_as_its_columns_let_them_be(words, size):
    figure = heat_figure(np.full((words, words), 1 / words), ["a"] * words, ["b"] * words)
    assert {figure.layout.xaxis.tickfont.size, figure.layout.yaxis.tickfont.size} == {size}
    assert figure.layout.height >= 80 + min(540, (size + 2) * words)  # a row has its word's own height


def test_the_cells_of_two_sentences_are_written_as_large_as_all_else():
    model = stored_sentence_pairs()
    trace = model.trace(model.read("The king spoke.", "He went home."))
    figure = input_figure(trace, ["x"] * len(trace.pair.ids))
    assert {each.textfont.size for each in figure.data if each.mode == "text"} == {FONT_SIZE}
    assert figure.layout.xaxis.range == [-0.5, len(trace.pair.ids) - 0.5]
