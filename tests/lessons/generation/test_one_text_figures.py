"""The board has a row for every model of the course, in its order, whether it is there yet or not."""

import numpy as np
import pytest

from core.models.generation.one_text import NETWORKS, BoardScore
from pages.generation.one_text.figures import COSTS, NAMES, board_figure, cost_figure, worked_score

NGRAMS = [BoardScore(f"{n}-gram", 2.0 - 0.3 * n, 2.5 - 0.2 * n, 0.1 * n, 10**n, 900) for n in range(1, 7)]
NETWORK_SCORES = [
    BoardScore(name, 1.1, 1.2 - 0.1 * i, 10.0 + i, 20_000 + i, 4096) for i, name in enumerate(NETWORKS)
]
ALL = [*NGRAMS, *NETWORK_SCORES]


def test_the_rows_are_the_course_s_models_in_its_order():
    assert tuple(each.name for each in ALL) == NAMES
    assert NAMES[-5:] == ("feed-forward", "RNN", "GRU", "LSTM", "GPT")


@pytest.mark.parametrize("scores", [NGRAMS, ALL[:8], ALL], ids=["n-grams", "half", "all"])
def test_every_row_has_its_place_before_its_model_is_there(scores):
    figure = board_figure(scores)
    assert figure.layout.yaxis.categoryarray == list(NAMES)
    assert figure.layout.yaxis.range == [10.5, -0.5]
    (bars,) = figure.data
    assert bars.y == [each.name for each in scores]
    np.testing.assert_allclose(bars.x, [each.held_out_bits for each in scores])
    assert bars.text == [f"{each.held_out_bits:.2f}" for each in scores]


def test_the_part_that_was_trained_on_is_a_second_bar_and_the_axis_has_room_for_both():
    held_out, trained_on = board_figure(ALL, trained_on=True).data
    np.testing.assert_allclose(trained_on.x, [each.training_bits for each in ALL])
    np.testing.assert_allclose(held_out.x, board_figure(ALL).data[0].x)
    worse = [BoardScore("1-gram", 3.0, 1.0, 0.1, 1, 10)]
    assert board_figure(worse, trained_on=True).layout.xaxis.range[1] > worse[0].training_bits
    assert board_figure(worse).layout.xaxis.range[1] == pytest.approx(1.12 * worse[0].held_out_bits)


@pytest.mark.parametrize("cost", COSTS)
def test_bits_stand_against_what_each_model_cost_and_each_network_has_its_colour(cost):
    figure = cost_figure(ALL, cost)
    assert [trace.name for trace in figure.data] == ["n-grams", *NETWORKS]
    field = {"time": "seconds", "size": "size"}[cost]
    shown = {
        name: (x, y)
        for trace in figure.data
        for name, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }
    assert shown == {each.name: (getattr(each, field), each.held_out_bits) for each in ALL}
    colours = dict(zip(NAMES, board_figure(ALL).data[0].marker.color, strict=True))
    assert {trace.name: trace.marker.color for trace in figure.data[1:]} == {
        name: colours[name] for name in NETWORKS
    }
    assert len(set(colours.values())) == 6


def test_only_the_first_and_the_best_n_gram_are_named_in_the_picture():
    trace = cost_figure(ALL, "time").data[0]
    assert trace.text == ["1-gram", "", "", "", "", "6-gram"]
    assert cost_figure(NGRAMS[:1], "time").data[0].text == ["1-gram"]


def test_a_cell_s_formula_has_its_own_numbers():
    score = BoardScore("GPT", 0.5, 0.75, 3.0, 10, 20)
    assert r"\frac{0.75\text{ nats}}{\ln 2} = 1.082" in worked_score(score, "held_out_bits")
    assert r"\frac{0.5\text{ nats}}{\ln 2} = 0.7213" in worked_score(score, "training_bits")
    assert worked_score(score, "too_good") == r"1.08 - 0.72 = 0.36\text{ bits}"
    assert worked_score(score, "seconds") is None
