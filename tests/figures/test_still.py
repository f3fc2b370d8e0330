"""Still pictures: well-formed, without scripts, with the figure's numbers; what looks like markup is words."""

import re
from xml.etree import ElementTree

import pytest

from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.palette import BLUE
from core.figures.still import still
from pages import LESSONS

SVG = "{http://www.w3.org/2000/svg}"


def parts(picture, tag):
    return list(ElementTree.fromstring(picture).iter(SVG + tag))


def bars_of(figure):
    along = (trace.x if trace.orientation == "h" else trace.y for trace in figure.data if trace.type == "bar")
    return sum(map(len, along))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_picture_of_every_card_is_small_well_formed_and_still(lesson):
    figure = lesson.picture()
    picture = still(figure)
    kinds = {part.tag.removeprefix(SVG) for part in ElementTree.fromstring(picture).iter()}
    assert kinds <= {"svg", "g", "path", "rect", "circle", "polygon", "text", "tspan"}
    assert "nan" not in picture and "inf" not in re.sub(r">[^<]*<", "><", picture)
    assert not re.search(r"\son\w+=|href|url\(", picture)
    assert len(picture) < 30_000
    assert len(parts(picture, "rect")) >= bars_of(figure)


def test_bars_are_as_long_as_their_numbers():
    picture = still(Figure(bar(x=[1, 2, 4], y=["a", "b", "c"], orientation="h", marker_color=BLUE)))
    one, two, four = (float(rect.get("width")) for rect in parts(picture, "rect"))
    assert two == pytest.approx(2 * one, abs=0.2) and four == pytest.approx(4 * one, abs=0.2)


def test_stacked_bars_stand_on_one_another_and_grouped_ones_side_by_side():
    two = Figure(bar(x=["a"], y=[1]), bar(x=["a"], y=[2]))
    low, high = parts(still(two.update_layout(barmode="stack")), "rect")
    assert float(high.get("y")) + float(high.get("height")) == pytest.approx(float(low.get("y")), abs=0.2)
    left, right = parts(still(two.update_layout(barmode="group")), "rect")
    assert float(left.get("x")) + float(left.get("width")) == pytest.approx(float(right.get("x")), abs=0.2)


def test_equal_factors_are_equally_far_apart_on_a_logarithmic_axis():
    picture = still(Figure(scatter(x=[1, 10, 100], y=[1, 2, 3], mode="markers")).update_xaxes(type="log"))
    a, b, c = (float(circle.get("cx")) for circle in parts(picture, "circle"))
    assert b - a == pytest.approx(c - b, abs=0.2)


def test_a_reversed_axis_has_its_first_value_at_the_top():
    figure = Figure(scatter(x=[1, 2], y=[1, 2], mode="markers"))
    first, second = parts(still(figure.update_yaxes(autorange="reversed")), "circle")
    assert float(first.get("cy")) < float(second.get("cy"))


def test_a_heat_map_has_a_run_for_all_that_is_not_nought():
    figure = Figure(
        heatmap(z=[[0, 1], [0.5, 0]], colorscale=[[0, "rgba(0, 0, 9, 0)"], [1, "rgba(0, 0, 9, 1)"]])
    )
    assert sorted(
        path.get("stroke") for path in parts(still(figure), "path") if path.get("stroke") != "currentColor"
    ) == [
        "rgb(0 0 9/0.5)",
        "rgb(0 0 9/1)",
    ]


def test_a_label_with_markup_is_words():
    hostile = "<script>alert(1)</script><b>x</b>"
    picture = still(
        Figure(scatter(x=[1], y=[1], mode="text", text=[hostile])).update_yaxes(
            tickvals=[1], ticktext=[hostile]
        )
    )
    assert not parts(picture, "script")
    assert "<script>alert(1)</script>x" in {"".join(text.itertext()) for text in parts(picture, "text")}


def test_words_in_a_hue_take_its_ink_and_others_the_page_s():
    look = {"color": BLUE}
    (word,) = parts(
        still(
            Figure(scatter(x=[1], y=[1], mode="text", text=["a"], textfont=look))
            .update_xaxes(visible=False)
            .update_yaxes(visible=False)
        ),
        "text",
    )
    assert word.get("fill") == "var(--ink-blue)"


def test_what_no_card_holds_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="cannot hold a trace of type scatter3d"):
        still(Figure({"type": "scatter3d", "x": [1], "y": [1], "z": [1]}))
