"""What is said of a figure that says what it is: paths through a lattice, bars in parts, a reliability diagram."""

import numpy as np

from core.descriptions.document import describe_picture
from core.figures.hidden_markov_models.paths import paths_figure
from core.models.documents.calibration import bin_answers
from core.models.tokens.byte_pairs import BytePairs
from core.models.tokens.edit_distance import fill_table, trace_back
from core.words.language import speaking
from pages.documents.calibration.figures import reliability_figure
from pages.n_grams.smoothing.figures import Mass, mass_figure
from pages.tokens.edit_distance.figures import draw_alignment, draw_table, fill_cells
from pages.tokens.token_prices import SENTENCES
from pages.tokens.token_prices.figures import draw_rows, name_texts


def told(figure):
    return describe_picture("figure", {"figure": figure.to_dict()})


def test_each_path_is_told_word_by_word_and_where_paths_differ():
    words, states = ["they", "can", "can"], ["NOUN", "VERB"]
    kept = np.array([[True, True], [False, True], [True, False]])
    made = told(paths_figure(words, states, {"Viterbi": [0, 1, 1], "greedy": [0, 1, 0]}, kept=kept))
    assert "Viterbi: they NOUN, can VERB, can VERB." in made.sentence
    assert made.sentence.endswith("The paths differ at 3. can.")
    assert made.columns == ("Word", "Viterbi", "greedy", "kept by the beam")
    assert made.rows[0] == ("1. they", "NOUN", "NOUN", "NOUN, VERB")
    assert made.rows[2] == ("3. can", "VERB", "NOUN", "NOUN")


def test_no_beam_is_told_where_none_was_searched_and_equal_paths_are_said_to_be_the_same():
    made = told(paths_figure(["a", "b"], ["X", "Y"], {"one": [0, 1], "other": [0, 1]}))
    assert "beam" not in f"{made.sentence} {made.columns} {made.rows}"
    assert made.sentence.endswith("The 2 paths are the same.")


def test_a_diary_has_days_with_what_was_counted_on_them():
    made = told(paths_figure(["3", "3"], ["hot", "cold"], {"best path": [0, 1]}, first=4, axis="ice creams"))
    assert "2 days with 3 and 3 ice creams" in made.sentence and "best path: hot, cold." in made.sentence
    assert made.columns == ("Day", "ice creams", "best path")
    assert made.rows == (("5", "3", "hot"), ("6", "3", "cold"))


def test_a_lattice_without_paths_is_its_words():
    assert told(paths_figure(["a"], ["X"], {})).rows == (("a",),)


def test_bars_in_parts_are_told_by_the_sum_of_each_part_not_box_by_box():
    rows = [
        Mass("counts divided", 0.0, [0.5, 0.3, 0.2], "before smoothing", "king"),
        Mass("one added", 0.75, [0.125, 0.075, 0.05], "after smoothing", "king"),
    ]
    made = told(mass_figure(rows))
    assert "Before smoothing: unseen words 0% and 3 seen words 100%, the largest king, 50%." in made.sentence
    assert made.rows[1] == ("after smoothing", "75%", "25%", "3", "king, 12.5%") and len(made.rows) == 2
    assert "Notes" not in made.sentence  # the labels are the bars' names


def test_a_line_across_bars_in_parts_is_told_with_its_note():
    made = told(mass_figure([Mass("α = 1: 40%", 0.4, [0.6])], 0.2, "20% are new"))
    assert made.sentence.endswith("Notes in the picture: 20% are new.")
    assert made.rows == (("α = 1: 40%", "40%", "60%"),)


def test_a_bin_of_confidence_has_its_mean_its_share_right_and_the_gap_between_them():
    confidence = np.array([0.62, 0.66, 0.68, 0.97, 0.99])
    found = bin_answers(confidence, np.array([1, 0, 0, 1, 1]), 10)
    made = told(reliability_figure(found))
    assert made.columns == ("confidence", "mean confidence", "share that is right", "gap")
    assert made.rows[0] == ("60% to 70%", "65.3%", "33.3%", "32.0 percentage points, too sure")
    assert made.rows[1] == ("90% to 100%", "98.0%", "100.0%", "2.0 percentage points, not sure enough")
    assert "gap: largest 32.0 percentage points, too sure (60% to 70%)" in made.sentence


def test_a_reliability_diagram_before_its_guess_is_the_diagonal_alone():
    found = bin_answers(np.array([0.65]), np.array([1]), 10)
    made = told(reliability_figure(found, told=False))
    assert "gap" not in made.sentence and "60%" not in str(made.rows)


def test_in_spanish_no_english_is_left():
    with speaking("es"):
        made = told(paths_figure(["perro", "duerme"], ["N", "V"], {"Viterbi": [0, 1], "voraz": [0, 0]}))
    assert made.sentence.endswith("Los caminos difieren en duerme.")
    assert made.columns[0] == "Palabra"


def test_an_alignment_is_told_edit_by_edit_and_before_the_guess_not_at_all():
    table = fill_table("lamp", "plum")
    data = draw_alignment("lamp", "plum", trace_back(table))
    made = describe_picture("token_grid", data)
    assert made.sentence.startswith(
        "“lamp” aligned with “plum”: insert p, keep l, substitute u for a, keep m, delete p. The cost is 3."
    )
    assert made.columns[1] == "column 1, cost 1"
    hidden = describe_picture("token_grid", draw_alignment("lamp", "plum", trace_back(table), hidden=True))
    assert "cost" not in f"{hidden.sentence} {hidden.columns}"


def test_a_table_of_edit_distances_says_the_distance_only_where_it_is_known():
    table = fill_table("lamp", "plum")
    cells, last = fill_cells(table), (4, 4)
    assert "whole texts is 3." in describe_picture("score_table", draw_table(table, cells)).sentence
    for data in (draw_table(table, cells, hidden=[last]), draw_table(table, fill_cells(table, last))):
        assert "whole texts" not in describe_picture("score_table", data).sentence


def test_sentences_in_several_languages_are_not_told_as_one_text():
    english, french = SENTENCES["en"], SENTENCES["fr"]
    data = draw_rows(name_texts(english, french), BytePairs(()))
    made = describe_picture("token_rows", data)
    assert made.sentence.startswith("The same sentence in English and French. Tokens: largest")
    assert made.columns[0] == "language" and made.rows[1][0] == "French"
    assert "ê, byte 1 of 2 | ê, byte 2 of 2" in made.rows[1][2]
    typed = describe_picture("token_rows", draw_rows(name_texts("a cat", french), BytePairs(())))
    assert typed.sentence.startswith("2 texts, each cut into tokens.") and typed.rows[0][0] == "first"
