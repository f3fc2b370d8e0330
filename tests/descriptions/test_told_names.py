"""What a listener is told of whose number it is: whole texts, models by name, keys, matches, lists, shortened names."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.descriptions.attention import weight_cell
from core.descriptions.document import describe_picture
from core.figures.generation.beam_search import TAIL
from core.figures.token_grid import cell, token_grid
from core.figures.translation.decoder_step import DecoderStep, attention_heatmap, step_picture
from core.words.language import speaking


def example(view, name="example.json"):
    return json.loads((Path("assets/views") / view / name).read_text(encoding="utf-8"))


# A beam search


def beam(*candidates, **more):
    level = [[0, token, p, "−1.00", score, 1, text] for token, p, score, text in candidates]
    step = {"level": level, "best": [1, 0], "candidates": len(level), "kept": len(level)}
    data = {"beam": {"steps": [step], "rows": 7, **more}, "live": False, "total": 1, "start": 0}
    return describe_picture("generation_tree", data)


def test_a_beam_s_texts_are_told_whole_so_that_two_of_them_differ():
    one, two = (
        "Ma mère va apporter trois gâteaux aux filles.",
        "Ta mère va apporter trois gâteaux aux filles.",
    )
    told = beam(("<end>", "1.00", "", one), ("<end>", "0.50", "", two))
    assert [row[0] for row in told.rows] == [one, two] and one[-TAIL:] == two[-TAIL:]
    assert f"The best text is “{one}”" in told.sentence


def test_a_long_text_is_cut_between_two_words():
    text = "␣but␣" + "␣".join(["what␣you␣have␣done"] * 9)
    told = beam(("␣done", "0.10", "−2.000", text))
    assert told.rows[0][0].startswith("… done what you have done") and "␣" not in told.rows[0][0]


def test_what_a_score_is_and_a_small_probability_are_told_in_words():
    told = beam(("␣a", "6e-5", "−2.000", "␣a"), score="Score (ln p per token)")
    assert told.columns[5] == "Score (ln p per token)" and told.rows[0][3] == "6·10⁻⁵"
    assert "Score (ln p per token) of a kept text: largest −2.000 (a)" in told.sentence


# Captions


def captioner(name, *likeliest, words=("two", "rings", "<end>")):
    return {
        "title": "attention",
        "name": name,
        "press": False,
        "values": "",
        "words": list(words),
        "wrong": -1,
        "likeliest": [list(map(list, likeliest))] * len(words),
    }


def test_each_model_s_predictions_are_told_by_its_name_and_in_percent():
    columns = [captioner("A", ("two", 0.9999997), ("a", 3e-7)), captioner("B", ("two", 0.75), ("a", 0.25))]
    told = describe_picture("captions", {**example("captions"), "columns": columns, "start": 0})
    assert "Caption by A and B: “two rings”. Shown: word 1 of 3, “two”." in told.sentence
    assert "by A: “two” more than 99.9%, the next word less than 0.1%." in told.sentence
    assert "by B: “two” 75.0%, “a” 25.0%." in told.sentence


def test_captions_that_differ_are_told_apart():
    columns = [captioner("A", ("two", 1.0)), captioner("B", ("a", 1.0), words=("a",))]
    columns[1]["wrong"] = 0
    told = describe_picture("captions", {**example("captions"), "columns": columns, "start": 1})
    assert "Caption by A: “two rings”." in told.sentence and "Caption by B: “a”." in told.sentence
    assert "The caption by B is wrong from “a” on." in told.sentence


# A look-up


def test_a_look_up_tells_its_query_and_says_which_numbers_are_keys():
    data = example("soft_lookup")
    data |= {"labels": {**data["labels"], "query": "q", "unit": ""}, "query": 10.0}
    told = describe_picture("soft_lookup", data)
    assert "q = 10" in told.sentence and " ." not in told.sentence
    assert told.columns[0] == "Key" and f"(key {told.rows[0][0]})" in told.sentence


# Grids of tokens, lists of words, bars


def test_a_grid_says_what_its_rows_and_columns_are_where_they_are_named():
    rows = [("call 1", "2", [cell("kept", "a"), cell("new", "b")])]
    key = [("kept", "accepted"), ("new", "own")]
    data = token_grid("12", rows, key, names=["character 1", "character 2"], axes=("calls", "characters"))
    told = describe_picture("token_grid", data)
    assert told.columns[1:3] == ("character 1", "character 2")
    assert told.axes == "Rows: calls. Columns: characters."
    plain = describe_picture("token_grid", token_grid("ab", rows, key))
    assert plain.columns[1:3] == ("a", "b") and plain.axes == ""


def board(*lists, note="{count}/{lists}"):
    counts = {word: sum(word in each for each in lists) for each in lists for word in each}
    rows = [
        {
            "key": f"{at}",
            "name": f"list {at}",
            "note": "",
            "words": [
                {
                    "text": word,
                    "lit": [0, 0],
                    "level": 0,
                    "note": note.format(count=counts[word], lists=len(lists)),
                }
                for word in words
            ],
        }
        for at, words in enumerate(lists)
    ]
    return describe_picture("word_board", {"asked": "Near", "rows": rows, "key": []})


def test_a_word_is_told_with_the_number_of_lists_that_have_it():
    told = board(["king", "duke"], ["king", "son"], ["lord"])
    assert told.rows[0][1:3] == ("king, in 2 of 3 lists", "duke, in 1 of 3 lists")
    assert told.columns[1] == "Word 1" and "king is in the most lists, 2 of 3." in told.sentence


def test_another_note_of_a_word_stays_and_hidden_words_are_in_no_list():
    assert board(["a"], ["b"], ["c"], note="rank 3").rows[0][1] == "a (rank 3)"
    assert "most lists" not in board(["?"], ["?"], ["?"], note="").sentence


def test_a_bar_with_a_short_name_is_told_by_the_whole_one():
    data = example("layer_bars")
    data["panels"][0]["rows"][0]["whole"] = "he took all the gold."
    assert describe_picture("layer_bars", data).rows[0][0] == "he took all the gold."


# Attention weights


@pytest.mark.parametrize(
    "weight, text", [(2e-6, "less than 0.0001"), (0.0, "0.0000"), (0.99999, "more than 0.9999")]
)
def test_a_weight_that_is_not_quite_0_or_1_is_not_rounded_to_it(weight, text):
    assert weight_cell(weight).text == text


def test_the_smallest_weight_is_that_of_the_smallest_score_however_small_it_is():
    scores = np.array([19.5, 4.5, 2.25])
    weights = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    vectors = {
        "states": np.ones((3, 2)),
        "state": np.ones(2),
        "context": np.ones(2),
        "attentional": np.ones(2),
    }
    step = DecoderStep(scores=scores, weights=weights, **vectors, logits=np.array([1.0, 0.0]))
    sent = step_picture(step, 0, ["a", "b"], 0)["weights"]
    assert np.argmin(sent) == np.argmin(scores) and sent == sorted(sent, reverse=True) and min(sent) > 0


def test_the_axis_of_a_heat_map_has_a_name_for_a_space():
    figure = attention_heatmap(np.eye(2), ["a", "b"], ["x", " "], "character")
    assert list(figure.layout.xaxis.ticktext) == ["x", "␣"]
    assert figure.layout.xaxis.title.text == "input character"


def test_what_is_told_by_name_is_told_in_spanish_too():
    with speaking("es"):
        told = describe_picture("captions", example("captions"))
        assert "Predicción de la palabra" in told.sentence
        assert "está en más listas" in board(["king"], ["king"], ["lord"]).sentence
