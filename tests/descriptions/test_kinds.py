"""What is said of a kind of picture: lines to measure by, pieces of bars, paths through tables, machines."""

from core.descriptions.document import describe_picture


def figure(*traces, **layout):
    return describe_picture("figure", {"figure": {"data": list(traces), "layout": layout}})


def test_pieces_of_a_bar_are_told_as_differences_and_its_labels_are_no_numbers():
    told = figure(
        {
            "type": "bar",
            "x": [0.55, 0.65],
            "y": [0.55, 0.63],
            "customdata": [0.6, 0.63],
            "name": "share right",
        },
        {"type": "bar", "x": [0.55], "y": [0.05], "base": [0.55], "name": "not sure enough"},
        {"type": "scatter", "mode": "text", "x": [0.55, 0.65], "y": [0.5, 0.5], "text": ["60%", "63%"]},
        yaxis={"title": {"text": "share"}, "tickformat": ".0%"},
    )
    assert ("share right", "0.55", "60%", "") in told.rows
    assert ("not sure enough", "0.55", "5%", "from 55% to 60%") in told.rows and len(told.rows) == 3
    assert [each.measure for each in told.largest] == ["share right, share", "not sure enough, difference"]


def test_a_line_to_measure_by_is_told_as_a_line_with_its_place():
    bars = {"type": "bar", "x": list(range(12)), "y": [0, 0, 3, 4, *[1] * 8], "name": "orders"}
    for place, said in (
        ({"x": [1, 1], "y": [0, 4]}, "Bayes: an upright line at 1."),
        ({"x": [0, 5], "y": [4, 4]}, "Bayes: a level line at 4."),
    ):
        told = figure(bars, {"type": "scatter", "mode": "lines", "name": "Bayes", **place})
        assert said in told.sentence and len(told.largest) == 1
        assert len(told.rows) == 10 and "2 empty bars left out." in told.sentence


def node(key, kind="box", title="", note="", **more):
    return {
        "key": key,
        "kind": kind,
        "title": title,
        "note": note,
        "state": "",
        "cells": [],
        "bars": [],
        "grid": [],
    } | more


def arrow(first, last, weight=0.5):
    return {"from": first, "to": last, "text": "", "weight": weight}


def test_a_machine_says_what_flows_into_what_and_where_it_ends():
    told = describe_picture(
        "machine",
        {
            "nodes": [
                node("a", "token", "the"),
                node("b", title="RNN"),
                node("c", "token", "mouse"),
                node("d", title="RNN"),
                node("e", "plus"),
                node("f", title="positive", note="p = 54%", grid=[0, 0.5, 1], pick=1),
            ],
            "arrows": [
                arrow("a", "b"),
                arrow("c", "d"),
                arrow("b", "e"),
                arrow("d", "e", 0.9),
                arrow("e", "f"),
            ],
            "sum": "",
        },
    )
    assert "from the to 1. RNN (the) to addition; from mouse to 2. RNN (mouse) to addition;" in told.sentence
    assert "It ends in positive (p = 54%)." in told.sentence
    assert "The thickest arrow goes from 2. RNN (mouse) to addition." in told.sentence
    assert "3 numbers; number 2 is framed, 50% of the largest" in told.rows[-1]


def test_a_path_through_a_table_is_told_in_order_to_its_last_cell():
    cells = [
        [{"text": str(abs(i - j)), "kind": "best" if i == j else "filled"} for i in range(14)]
        for j in range(14)
    ]
    told = describe_picture(
        "score_table",
        {
            "columns": [{"word": letter} for letter in "abcdefghijklmn"],
            "rows": [{"name": letter} for letter in "abcdefghijklmn"],
            "cells": cells,
            "fields": [],
            "arrows": [{"t": 1, "j": 1, "s": 0, "i": 0, "kind": "best"}],
            "lines": [],
            "given": None,
            "axis": "",
            "measure": "Cost",
            "row": "Letter",
        },
    )
    assert "Highlighted path, 14 cells: a at a (0); b at b (0);" in told.sentence
    assert told.sentence.endswith("n at n (0).") and told.largest[0].measure == "Cost"
    assert told.columns[0] == "Letter"
