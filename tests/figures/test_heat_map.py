"""The words in a heat map's cells can be read on each cell's colour, on a scale from 0 up and on one that begins below."""

from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells


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
