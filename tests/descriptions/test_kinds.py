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
    assert ("not sure enough", "0.55", "5%", "between 55% and 60%") in told.rows and len(told.rows) == 3
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
    assert "Highlighted path, 14 cells: row a, column a (0); row b, column b (0);" in told.sentence
    assert told.sentence.endswith("row n, column n (0).") and told.largest[0].measure == "Cost"
    assert told.columns[0] == "Letter"


def lattice(*cells, **changes):
    """Return the description of a diary's lattice of one day, with the kind and the text of the cells of its states."""
    data = {
        "columns": [{"word": "3", "count": 3}],
        "rows": [{"name": name, "hue": None} for name in ("hot", "cold")],
        "cells": [[{"text": text, "kind": kind} for kind, text in cells]],
        "fields": [],
        "arrows": [],
        "lines": [],
        "given": {
            "groups": [{"name": "start", "columns": [""]}, {"name": "next", "columns": ["hot"]}],
            "rows": [
                {"name": name, "cells": [{"text": p, "used": False} for p in ("0.6", "0.5")]}
                for name in ("hot", "cold")
            ],
        },
        "axis": "ice creams",
    }
    return describe_picture("score_table", data | changes)


def test_a_lattice_to_fill_in_says_which_cells_are_asked_for_and_what_was_counted():
    told = lattice(("now", "?"), ("filled", "0.04"))
    assert told.sentence.startswith("A lattice of 1 day with 3 ice creams and the states hot and cold.")
    assert "To fill in: hot on day 1." in told.sentence and "Highlighted" not in told.sentence
    assert told.columns == (
        "State",
        "day 1 (ice creams: 3)",
        "probability of start",
        "probability of next: hot",
    )
    assert told.rows[0] == ("hot", "?", "0.6", "0.5") and told.largest[0].row == "cold on day 1"


def test_a_lattice_of_words_names_its_cells_by_state_and_word():
    told = lattice(("now", "0.3"), ("filled", "0.04"), axis="", columns=[{"word": "fish", "count": 0}])
    assert "A lattice of 1 word" in told.sentence and "Highlighted: hot at fish." in told.sentence
    assert told.columns[1] == "fish"


def test_lying_bars_are_named_at_their_left_and_measured_along_x():
    told = figure(
        {"type": "bar", "orientation": "h", "x": [2.5, -1.5], "y": ["love", "dull"]},
        xaxis={"title": {"text": "log-odds"}},
    )
    assert told.columns == ("Bar", "log-odds") and told.rows == (("love", "2.5"), ("dull", "−1.5"))
    assert "log-odds: largest 2.5 (love), smallest −1.5 (dull)." in told.sentence


def test_a_band_is_the_interval_of_the_line_that_is_drawn_after_it():
    band = {"x": [0, 1, 1, 0], "y": [0.6, 0.9, 0.7, 0.4], "fill": "toself", "type": "scatter"}
    line = {"x": [0, 1], "y": [0.5, 0.8], "mode": "lines", "name": "fine-tuned", "type": "scatter"}
    other = {**line, "name": "frozen", "y": [0.3, 0.2]}
    told = figure(band, line, other)
    assert told.rows == (
        ("fine-tuned", "0", "0.5", "between 0.4 and 0.6"),
        ("fine-tuned", "1", "0.8", "between 0.7 and 0.9"),
        ("frozen", "0", "0.3", ""),
        ("frozen", "1", "0.2", ""),
    )


def test_of_a_wide_heat_map_some_columns_and_both_ends_stand_for_all_and_its_key_says_what_1_is():
    cells = [[0] * 100, [0] * 100]
    cells[0][50], cells[1][97] = 100, -50
    key = {"tickvals": [-100, 100], "ticktext": ["−1", "1"]}
    told = figure({"type": "heatmap", "z": cells, "colorbar": key})
    assert "largest 1 (0 at 50), smallest −0.5 (1 at 97)." in told.sentence
    assert "The table shows one column in 2, of 100 columns." in told.sentence
    assert {"0", "2", "50", "97"} <= set(told.columns) and "1" not in told.columns
    assert told.rows[0][told.columns.index("50")] == "1" and told.rows[1][told.columns.index("97")] == "−0.5"


def test_dots_without_axes_are_counted():
    hidden, edge = {"visible": False}, {"color": "red"}
    marks = {"color": ["red", "rgba(0,0,0,0)", "rgba(0,0,0,0)"], "line": edge}
    note = {"text": "<b>greedy</b>", "font": edge}
    told = figure(
        {"type": "scatter", "mode": "markers", "x": [1, 2, 3], "y": [0, 0, 0], "marker": marks},
        xaxis=hidden,
        yaxis=hidden,
        annotations=[note, {**note, "text": "1 of 3 loops"}],
    )
    assert told.rows == (("greedy", "1", "3", "1 of 3 loops"),)


def test_a_chart_says_which_labels_its_best_tree_has_and_quotes_its_sentence():
    def box(i, j, label, kind="best"):
        return {"i": i, "j": j, "label": label, "number": "", "kind": kind, "hue": ""}

    nodes = [box(0, 1, "Det"), box(1, 2, "N"), box(2, 3, "V"), box(0, 2, "NP"), box(1, 3, "", "empty")]
    panel = {"name": "", "words": ["the", "man", "saw"], "nodes": nodes, "edges": []}
    told = describe_picture("parse_triangle", {"panels": [panel], "operator": "×", "lines": []})
    assert told.sentence == "5 spans of the words of “the man saw”. The best tree has NP over “the man”."


def test_n_grams_and_neighbours_have_a_column_each_and_an_empty_list_says_whose_it_is():
    data = {
        "letters": [{"text": "c", "edge": False}],
        "rows": [
            {
                "name": "n = 3",
                "total": "",
                "chips": [{"text": "<c>", "value": "0.10", "kind": "plain"}],
            }
        ],
        "empty": "",
        "measure": "Part of the cosine",
        "sides": [
            {
                "title": "fastText",
                "empty": "",
                "rows": [{"name": "cat", "value": "0.9", "share": 0.9, "kind": "best"}],
            },
            {"title": "word2vec", "empty": "no vector", "rows": []},
        ],
        "key": [],
        "sum": "",
    }
    told = describe_picture("word_pieces", data)
    assert "word2vec: no vector." in told.sentence
    assert told.columns == ("N-gram", "Panel", "Part of the cosine", "Similarity")
    assert told.rows == (("<c>", "n = 3", "0.10", ""), ("cat", "fastText", "", "0.9"))
