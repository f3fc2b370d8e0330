"""Figures have room for their words on a phone, whose plots are some 210 pixels wide."""

from itertools import combinations, pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.figures.blank import FONT_SIZE
from core.figures.hidden_markov_models.tables import format_table_probability
from core.figures.palette import DARK_BACKGROUND, LIGHT_BACKGROUND, contrast_ratio
from core.figures.self_attention.causal_mask import WRITTEN_AT_MOST, matrix_figure
from core.figures.self_attention.head_effects import before_after
from core.figures.self_attention.panels import panels
from core.figures.self_attention.weight_panels import weight_panels
from core.models.n_grams.moved_mass import MovedMass
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product
from pages.generation.beam_search.figures import draw_widths
from pages.generation.language_models.figures import comparison_figure
from pages.n_grams.smoothing.figures import words_figure
from pages.recurrent_models.weight_tying.figures import parts_figure, size_figure
from pages.self_attention.attention_scaling.figures import (
    SCALED,
    UNSCALED,
    scores_and_weights,
    softness_by_dimension,
)
from pages.self_attention.edit_attention.figures import HEIGHT, WIDTH, removal_figure
from pages.transformers.feed_forward.figures import fired_text
from pages.translation.dot_product_lookup.figures import lookup_bars

POINTS = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.text("abc", min_size=1, max_size=9)), min_size=1
)


@settings(deadline=None, max_examples=50)
@given(POINTS)
def test_names_in_the_scatter_of_changes_do_not_cover_one_another(points):
    x, y, names = zip(*points, strict=True)
    drawn = removal_figure(np.array(x), np.array(y), names, "weight").data[0]
    right, up = WIDTH / max(max(x), 1e-12), HEIGHT / max(max(y), 1e-12)
    boxes = [
        (right * px, up * py, 4 * len(text))
        for px, py, text in zip(drawn.x, drawn.y, drawn.text, strict=True)
        if text
    ]
    for (x1, y1, half1), (x2, y2, half2) in combinations(boxes, 2):
        assert abs(x1 - x2) >= half1 + half2 or abs(y1 - y2) >= 15


def test_the_token_that_stands_out_most_is_always_named():
    drawn = removal_figure(
        np.array([0.5, 0.01, 0.0]), np.array([0.9, 0.01, 0.0]), ["one", "two", "six"], "weight"
    )
    assert drawn.data[0].text[0] == "one"


@pytest.mark.parametrize("n", [1, 10, 32, 64])
def test_labels_below_bars_have_room(n):
    numbers = before_after(np.ones(n), np.ones(n), [str(i + 1) for i in range(n)], "output")
    labels = numbers.layout.xaxis.ticktext
    assert labels[0] == "1"
    assert sum(map(len, labels)) + len(labels) <= 40


def test_a_long_title_of_a_panel_is_broken_between_words():
    titles = [
        each.text
        for each in panels(["as it stands", "shuffled, then put back in order"], 300).layout.annotations
    ]
    assert titles == ["as it stands", "shuffled, then put<br>back in order"]


@pytest.mark.parametrize("T", [3, WRITTEN_AT_MOST, WRITTEN_AT_MOST + 1])
def test_a_matrix_of_many_tokens_has_its_numbers_at_the_pointer_only(T):
    figure = matrix_figure(np.full((T, T), 1 / T), ["a"] * T)
    assert len(figure.data) == (2 if T <= WRITTEN_AT_MOST else 1)
    assert figure.data[0].text[0][0]


@pytest.mark.parametrize(("heads", "T"), [(2, 15), (4, 16), (4, 60)])
def test_names_below_panels_have_room_and_all_rows_are_named(heads, T):
    weights = {f"head {h}": np.full((T, T), 1 / T) for h in range(heads)}
    layout = weight_panels(weights, ["the"] * T, 300).layout
    assert heads * len(layout.xaxis.ticktext) <= 32
    assert len(layout.yaxis.ticktext) == T


def test_the_legend_of_a_model_s_parts_names_those_that_can_be_seen():
    parts = dict(zip("embedding W_x W_h biases output".split(), (100, 6, 6, 0.1, 0), strict=True))
    drawn = parts_figure({"tied": parts, "untied": parts | {"output": 100}}).data
    assert [trace.name for trace in drawn if trace.showlegend] == ["embedding", "W_x", "W_h", "output matrix"]


def test_the_title_below_the_sizes_has_room():
    assert len(size_figure([1, 2], {"GPT": [3, 4]}).layout.xaxis.title.text) <= 40


@pytest.mark.parametrize("chosen", range(1, 9))
def test_scores_of_a_beam_s_widths_are_never_side_by_side(chosen):
    text = draw_widths(range(1, 9), [-0.6] * 7 + [-0.5], ["so"] * 8, chosen).data[0].text
    assert text[chosen - 1]
    assert not any(one and other for one, other in pairwise(text))


def test_numbers_at_pairs_of_bars_are_as_large_as_all_words_and_have_room():
    moved = MovedMass(np.arange(3), np.array([0.04, 0.03, 0.93]), np.array([0.01, 0.0, 0.3]), 50, 0.69)
    drawn = words_figure(moved, ["a", "b", "c"])
    before, after = drawn.data
    assert before.textposition == ["outside", "outside", "inside"]
    assert after.textposition == ["outside", "outside", "outside"]
    for trace in (before, after):
        for ink, paper in zip(trace.insidetextfont.color, trace.marker.color, strict=True):
            assert contrast_ratio(ink, paper) >= 4.5
    compared = comparison_figure({"char_gpt": 1.7, "char_rnn": 2.4}, {"char_gpt": 2.5, "char_rnn": 2.9})
    assert {trace.textfont.size for trace in (*drawn.data, *compared.data)} == {FONT_SIZE}
    low, high = compared.layout.xaxis.range
    assert (high - 2.9) * 200 / (high - low) >= 30  # pixels of four figures


def test_what_was_before_an_edit_is_seen_on_light_and_on_dark():
    before = before_after(np.ones(2), np.ones(2), ["a", "b"], "p").data[0].marker.color
    assert min(contrast_ratio(before, page) for page in (LIGHT_BACKGROUND, DARK_BACKGROUND)) >= 3


def test_titles_of_scores_and_measures_leave_the_legend_its_line():
    scores = {UNSCALED: torch.ones(2, 3), SCALED: torch.ones(2, 3)}
    for figure in (softness_by_dimension([1, 2], {}, 1), scores_and_weights(scores)):
        assert not [title.text for title in figure.layout.annotations if "<br>" in title.text]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text("abm␣", min_size=1, max_size=14), min_size=1, max_size=30))
def test_the_words_that_fire_a_neuron_keep_to_their_cells(names):
    heat = fired_text(np.zeros(len(names)), names, 0).data[0]
    assert len(heat.x) == 3 or 9 * max(map(len, names)) <= 350 / len(heat.x)
    assert [text for row in heat.text for text in row if text] == names


def test_a_table_of_seven_columns_has_room_for_its_probabilities():
    assert [format_table_probability(p) for p in (0, 0.0004, 0.0094, 0.6, 1)] == [
        "0",
        "0.00",
        "0.01",
        "0.60",
        "1",
    ]


@pytest.mark.parametrize(("length", "numbers"), [(1.0, 1), (3.0, 2)])
def test_two_weights_that_agree_are_written_once_and_read_from_afar(length, numbers):
    query, keys, values = np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.0, length]]), np.zeros(2)
    near, dot = (look(query, keys, values, 1.0) for look in (lookup_by_distance, lookup_by_dot_product))
    figure = lookup_bars(["a", "b"], ["1", "2"], near, dot)
    beside = figure.data[-1]
    assert beside.textfont.size >= 16
    assert {len(text.split(", ")) for text in beside.text} == {numbers}
    assert figure.layout.margin.r >= 60 * numbers
