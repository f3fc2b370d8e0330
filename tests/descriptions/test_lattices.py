"""From the text of a Viterbi lattice one knows its step, its scores so far and what each search finds; nothing later."""

import numpy as np
import pytest

from core.descriptions.document import describe_picture
from core.descriptions.lattices import name_words, write_probability
from core.words.language import speaking
from pages.gallery import examples, read
from tests.descriptions.top_cells import TOPS, number, tops

(EXAMPLE,) = examples("lattice")


def told(start=0, **changed):
    return describe_picture("lattice", {**read(EXAMPLE), "start": start, **changed})


def viterbi(data):
    """Return the scores and back pointers of a lattice, computed from its tables alone."""
    a, b = np.array(data["log"]["transition"]), np.array(data["log"]["emission"])
    scores, back = [np.array(data["log"]["initial"]) + b[0]], [None]
    for t in range(1, len(b)):
        ways = scores[-1][:, None] + a + b[t]  # from, to
        scores.append(ways.max(axis=0))
        back.append(ways.argmax(axis=0))
    return scores, back


def test_at_its_first_step_one_score_is_told_and_the_others_are_not():
    data = read(EXAMPLE)
    found = describe_picture("lattice", data)
    assert [each.text for each in found.largest] == tops(TOPS["lattice"](data)) == ["−1.20"]
    assert "Step 1 of 24. Initialise hot at word 1, “3”: initial −0.51 plus emission −0.69 gives −1.20." in (
        found.sentence
    )
    cells = [cell for row in found.rows for cell in row[1:]]
    assert cells.count("?") == 9 and cells.count("−1.20") == 1
    assert "path:" not in found.sentence.lower() and "Path" not in found.sentence


def test_at_the_end_every_score_and_the_whole_path_are_told():
    data = read(EXAMPLE)
    found, (scores, back) = told(10**6), viterbi(data)
    for t, row in enumerate(found.rows):
        for j, state in enumerate(data["states"]):
            text = row[found.columns.index(state)]
            assert number(text.split(" ")[0]) == pytest.approx(scores[t][j], abs=6e-3)
            came = f" from {data['states'][back[t][j]]}" if t else ""
            assert text.endswith(came) and ("from" in text) == (t > 0)
    path = [int(scores[-1].argmax())]
    for t in range(len(scores) - 1, 0, -1):
        path.insert(0, int(back[t][path[0]]))
    assert f"Path: {' → '.join(data['states'][j] for j in path)}." in found.sentence
    assert "Step 24 of 24. Trace back: the pointer leads to hot at word 1, “3”." in found.sentence
    assert "Score: largest −1.20 (hot at position 1: 3), smallest −8.91 from hot" in found.sentence


def test_a_comparison_tells_each_way_as_a_sum_and_its_result_only_when_it_is_kept():
    compared, kept = told(2), told(3)
    assert "Compare 2 ways to reach hot at word 2, “1”, one from each state before it." in compared.sentence
    ways = "From hot: −1.20 (score) + −0.69 (transition) + −1.61 (emission) = −3.51."
    assert ways in compared.sentence and ways in kept.sentence
    assert compared.rows[1][1] == "?" and kept.rows[1][1] == "−3.51 from hot"
    assert "Keep the best score of hot at word 2, “1”, −3.51, and point back to hot." in kept.sentence


def test_the_best_path_s_share_is_told_when_the_algorithm_terminates():
    said = told(18).sentence
    assert "Terminate: the best path ends in cold. Its log-probability is −7.09, and it has 20.1% of" in said
    assert "Path: ? → ? → ? → ? → cold." in told(19).sentence


def test_of_ways_that_are_impossible_only_the_number_is_told():
    data = read(EXAMPLE)
    data["log"]["candidates"][1][0] = [None, None]
    said = describe_picture("lattice", {**data, "start": 2}).sentence
    assert "From cold: −3.22 (score)" in said and "From hot" not in said and "1 way gives −∞." in said


def test_each_search_tells_what_it_finds_and_what_it_costs():
    said = told().sentence
    assert "Search Viterbi: p = 0.00083, ln p = −7.09, with 10 nodes and 18 products." in said
    assert "Search greedy: p = 0.0004, ln p = −7.81, with 5 nodes and 10 products; it misses the best" in said


def test_a_later_window_begins_with_the_scores_of_the_window_before():
    data = read(EXAMPLE)
    steps = [step for step in data["steps"] if step[0] != "initialise"]
    found = told(steps=steps, first=59, total=64)
    assert "The words are 60 to 64 of 64." in found.sentence and "Compare 2 ways" in found.sentence
    assert found.rows[0][0] == "position 60: 3" and found.rows[0][1:3] == ("−1.20", "−3.22")


def test_an_impossible_state_is_minus_infinity_and_compared_with_none():
    data = read(EXAMPLE)
    data["log"]["scores"][0][1] = data["log"]["emission"][0][1] = None
    data["unseen"][0], data["notes"][1] = True, "read as one"
    found = describe_picture("lattice", {**data, "start": 1})
    assert found.rows[0][2] == "−∞" and "emission −∞ gives −∞" in found.sentence
    assert found.largest[0].text == "−1.20"
    assert found.columns[-1] == "Note" and found.rows[0][-1] == "not in the training text"
    assert found.rows[1][-1] == "read as one"


def test_a_lattice_without_steps_or_paths_is_described():
    found = told(steps=[], paths=[], words=["one"], notes=[""], unseen=[False], total=1)
    assert found.sentence == "The Viterbi lattice of 1 word and the states hot and cold."
    assert name_words({"first": 0, "words": ["the", "dog"]}) == ["the", "dog"]
    assert write_probability(0.0) == "0"


def test_a_lattice_is_told_in_spanish():
    with speaking("es"):
        for start in range(24):
            found = told(start)
            said = f"{found.sentence} {found.axes} {found.columns}"
            for word in (" the ", "Step", "Search ", "largest", "from", "Score", " is ", " of ", "Word"):
                assert word not in said.replace("beam of 2", ""), (word, said)
