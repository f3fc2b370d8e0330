"""What is said of a map of words and of an axis of meaning: places, neighbours, groups, arrows and sides."""

import re

import numpy as np
import pytest

from core.descriptions.document import describe_picture
from core.figures.packed import packed
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.projection import nearest, project
from core.words.language import speaking
from pages.gallery import examples, read
from tests.descriptions.test_descriptions import largest_in
from tests.descriptions.top_cells import VALUES, number

ENGLISH = re.compile(
    r"\b(map|axis|axes|words?|points?|nearest|nearness|of|the|and|largest|left|right|lines?|arrows|groups?)\b"
)
PLACES = np.float32([[0, 0], [1, 0], [5, 0], [5, 2]])


def drawn(words=("a", "b", "c", "d"), places=PLACES, k=0, **fields):
    """Return a map of words: of two groups where nothing else is said."""
    return {
        "words": list(words),
        "label": "",
        "dimension": 7,
        "turn": [[1, 0], [0, 1]],
        "axes": [{"name": "PC 1", "share": 0.5}, {"name": "PC 2", "share": 0.25}],
        "places": packed(places),
        "points": [],
        "groups": [{"name": name, "mark": "circle", "hue": "blue"} for name in ("left", "right")],
        "group": [0, 0, 1, 1][: len(words)],
        "chosen": None,
        "neighbours": [],
        "k": k,
        "metric": "cosine",
        "near": "",
        "nearness": "",
        "arrows": [],
        "frames": [],
        "noun": "word",
    } | fields


def arrow(first, last, head, name=""):
    return {"from": first, "to": last, "name": name, "head": head, "dashed": not head, "hue": "blue"}


@pytest.mark.parametrize("view", ["map", "axis"])
def test_the_largest_numbers_of_an_example_are_those_of_its_data(view):
    for path in examples(view):
        data = read(path)
        said = largest_in(describe_picture(view, data).sentence)
        assert list(map(number, said)) == pytest.approx(VALUES[view](data), abs=6e-3)


def test_a_point_s_row_holds_its_place_its_group_and_the_nearest_on_the_map():
    told = describe_picture("map", drawn())
    assert told.columns == ("Word", "PC 1", "PC 2", "Group", "Nearest on the map")
    assert told.rows == (
        ("a", "0.00", "0.00", "left", "b"),
        ("b", "1.00", "0.00", "left", "a"),
        ("c", "5.00", "0.00", "right", "d"),
        ("d", "5.00", "2.00", "right", "c"),
    )
    assert told.sentence.startswith("A map of 4 words. PC 1: largest 5.00 (c and 1 more), smallest 0.00 (a).")
    assert "Groups: left (2), right (2)." in told.sentence
    assert "The nearest word on the map is of the same group for 4 of 4 words." in told.sentence
    assert "PC 1 (50% of the variance) and PC 2 (25% of the variance)" in told.axes
    other = describe_picture("map", drawn(group=[0, 1, 1, 1])).sentence
    assert "is of the same group for 2 of 4 words." in other


def test_the_nearest_in_all_dimensions_are_core_s_and_the_last_frame_s():
    vectors = np.random.default_rng(0).normal(size=(2, 6, 4))
    chart, names = project(vectors[-1]), list("abcdef")
    near = [nearest(each, 3, "cosine") for each in vectors]
    data = drawn(
        names,
        np.stack([chart.place(each) for each in vectors]),
        3,
        group=[0, 0, 0, 1, 1, 1],
        near=packed(np.stack([each.rows for each in near])),
        nearness=packed(np.stack([each.values for each in near])),
        frames=["layer 0", "layer 1"],
        moment="Layer",
        noun="use",
    )
    told = describe_picture("map", data)
    assert told.sentence.startswith("A map of 6 uses.") and told.columns[0] == "Use"
    assert "Picture 2 of 2, layer 1." in told.sentence
    assert "Nearness in all 7 dimensions is measured by cosine." in told.axes
    units = vectors[-1] / np.linalg.norm(vectors[-1], axis=1, keepdims=True)
    cosines = units @ units.T - 2 * np.eye(6)
    for at, row in enumerate(told.rows):
        assert number(row[1]) == pytest.approx(chart.coordinates[at, 0], abs=6e-3)
        first, second, third = np.argsort(-cosines[at])[:3]
        assert row[5] == names[first] and number(row[6]) == pytest.approx(cosines[at, first], abs=6e-3)
        assert [each.split()[0] for each in row[7].split("; ")] == [names[second], names[third]]
    first, second = np.unravel_index(cosines.argmax(), cosines.shape)
    said = re.search(r"Cosine to the nearest use: largest \S+ \((\w), and (\w)", told.sentence)
    assert set(said.groups()) == {names[first], names[second]}


def test_arrows_lines_points_and_the_word_looked_up_are_named():
    data = drawn(
        ("king", "man", "woman"),
        points=[{"name": "", "mark": "star", "hue": "ochre"}],
        group=[0, 0, 0],
        groups=[{"name": "", "mark": "circle", "hue": "blue"}],
        arrows=[arrow(1, 0, True, "king − man"), arrow(3, 2, False)],
        chosen=0,
        neighbours=[1, 2],
    )
    told = describe_picture("map", data)
    assert told.sentence.startswith("A map of 3 words and 1 other point.")
    assert "Arrows: king − man, from man to king. Lines: between unnamed point and woman." in told.sentence
    assert "Highlighted: king. Lines join king to man and woman." in told.sentence
    assert "group" not in told.sentence and "Group" not in told.columns


def test_the_axes_of_a_turned_map_point_where_the_picture_has_them():
    turn = procrustes(PLACES, np.float32([[0, 0], [0, -1], [0, -5], [2, -5]]))  # a quarter of a turn
    assert (
        "In the picture, PC 1 points down and PC 2 points right."
        in describe_picture("map", drawn(turn=turn.round(6).tolist())).axes
    )
    assert "In the picture" not in describe_picture("map", drawn()).axes


@pytest.mark.parametrize("words", [(), ("a",), ("a", "a")])
def test_a_map_of_few_words_is_described(words):
    told = describe_picture("map", drawn(words, PLACES[: len(words)], noun="document", axes=[]))
    assert len(told.rows) == len(words) and "document" in told.sentence


@pytest.mark.parametrize("view", ["map", "axis"])
def test_in_spanish_no_english_is_left(view):
    data = read(examples(view)[0])
    if view == "map":
        data = data | {"groups": [each | {"name": "grupo"} for each in data["groups"]], "chosen": 0}
        data["points"] = [each | {"name": "la suma"} for each in data["points"]]
    with speaking("es"):
        told = describe_picture(view, data)
    assert not ENGLISH.search(" ".join((told.sentence, told.axes, *told.columns)))


def placed(**fields):
    return {
        "words": [
            {"word": "nurse", "standard": 1.5, "share": "9.0%"},
            {"word": "boss", "standard": -0.5, "share": "60.0%"},
        ],
        "ends": [{"word": "he", "standard": -2.0}, {"word": "she", "standard": 3.0}],
        "left": "he",
        "right": "she",
        "halfway": 0.5,
        "reach": 4,
        "hill": [1, 5, 2, 0],
        "total": 8,
    } | fields


def test_an_axis_says_which_words_are_on_which_side_of_halfway():
    told = describe_picture("axis", placed())
    assert told.sentence == (
        "2 words on an axis from he to she. Standard deviations from the average word: largest 1.50 (nurse), "
        "smallest −0.50 (boss). Halfway between the ends is 0.50. Left of it, nearer to he: boss. "
        "Right of it, nearer to she: nurse. The histogram of all 8 words is highest from −2.00 to 0.00."
    )
    assert told.rows == (
        ("he", "−2.00", "", "end word"),
        ("boss", "−0.50", "60.0%", ""),
        ("nurse", "1.50", "9.0%", ""),
        ("she", "3.00", "", "end word"),
    )
    assert told.axes == "Standard deviations from the average word, from −4 (he) to 4 (she)."


def test_an_axis_without_words_tells_its_ends_and_an_empty_one_nothing():
    told = describe_picture("axis", placed(words=[]))
    assert "largest 3.00 (she)" in told.sentence and len(told.rows) == 2
    assert describe_picture("axis", placed(words=[], ends=[], hill=[])).rows == ()
