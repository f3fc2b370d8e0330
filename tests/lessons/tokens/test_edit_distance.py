"""Edit distance: the story's numbers by rapidfuzz and by hand, what is lost without insertions, and the lab."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from rapidfuzz.distance import Hamming, Levenshtein

from core.models.documents.held_out import wilson
from core.models.tokens.spelling import draw_typos
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words
from pages.tokens.edit_distance.page import HEARD, LONG, SAID, SHIFTED, SHORT, TYPO_FROM, TYPOS
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in, sent, table_with

LESSON = "edit_distance"


def numbers_in(grid):
    """Return the rows of the view's table as numbers, None for what is not filled."""
    rows = zip(*grid["cells"], strict=True)
    return [[int(cell["text"]) if cell["text"].isdigit() else None for cell in row] for row in rows]


def edits_of(row):
    """Return the letters in a line of an alignment, a dash for a gap."""
    return "".join(cell["text"] or "-" for cell in row["cells"])


def test_the_first_alignment_has_the_edits_that_its_sum_adds_up():
    grid = picture(LESSON, "edits")
    assert [edits_of(row) for row in grid["rows"]] == ["-lamp", "plum-"]
    costs = [int(column["text"]) for column in grid["columns"]]
    assert sum(costs) == Levenshtein.distance(*SHORT) == 3 and grid["sum"] == "1 + 0 + 1 + 0 + 1 = 3"
    assert [cell["kind"] for cell in grid["rows"][1]["cells"]] == ["new", "kept", "again", "kept", "none"]
    assert "smallest possible sum, here 3" in said_in(document(LESSON, "edits"))


def test_place_by_place_every_letter_differs_and_one_insertion_is_enough():
    before, after = picture(LESSON, "shifted"), picture(LESSON, "shifted", True)
    assert [column["text"] for column in before["columns"]] == ["≠"] * Hamming.distance(*SHIFTED, pad=True)
    assert before["sum"] == "" and {cell["kind"] for row in before["rows"] for cell in row["cells"]} == {
        "open",
        "none",
    }
    assert [edits_of(row) for row in after["rows"]] == ["-tables", "stables"]
    asked = document(LESSON, "shifted", True)
    assert asked["ask"]["answer"] == f"{Levenshtein.distance(*SHIFTED)}" == "1"
    assert "all 7 letters differ" in said_in(asked)


def test_a_cell_holds_the_distance_of_two_beginnings_and_only_the_borders_are_filled_beside_it():
    cells = numbers_in(picture(LESSON, "beginnings"))
    assert cells[0] == [0, 1, 2, 3, 4] == [row[0] for row in cells]
    assert cells[1][2] == Levenshtein.distance("l", "pl") == 1
    assert sum(each is not None for row in cells for each in row) == 10
    assert "turns l into pl" in said_in(document(LESSON, "beginnings"))


def test_the_last_cell_is_asked_for_with_its_three_ways_and_keeps_the_cheapest():
    before, after = picture(LESSON, "cell"), picture(LESSON, "cell", True)
    expected = [[Levenshtein.distance(SHORT[0][:i], SHORT[1][:j]) for j in range(5)] for i in range(5)]
    assert numbers_in(after) == expected
    expected[4][4] = None
    assert numbers_in(before) == expected
    assert [line["result"] for line in before["lines"]] == ["?", "?", "?"]
    for line, total, kind in zip(after["lines"], (4, 3, 5), ("dropped", "kept", "dropped"), strict=True):
        assert sum(int(factor["text"]) for factor in line["factors"]) == total == int(line["result"])
        assert line["kind"] == kind
    assert [line["factors"][1]["label"] for line in before["lines"]] == ["p → m", "delete p", "insert m"]
    assert {(arrow["s"], arrow["i"]) for arrow in before["arrows"]} == {(3, 3), (4, 3), (3, 4)}
    assert [arrow["kind"] for arrow in after["arrows"]] == ["way", "kept", "way"]
    assert document(LESSON, "cell", True)["ask"]["answer"] == "3"


def test_the_thick_arrows_lead_from_the_last_cell_to_the_first_through_kept_ways_and_cost_the_distance():
    data = picture(LESSON, "back")
    steps = [((arrow["t"], arrow["j"]), (arrow["s"], arrow["i"])) for arrow in data["arrows"]]
    assert steps[0][1] == (0, 0) and steps[-1][0] == (4, 4)
    assert all(end == start for (end, _), (_, start) in pairwise(steps))
    costs = [int(factor["text"]) for factor in data["lines"][0]["factors"]]
    cells = numbers_in(data)
    assert costs == [cells[j][t] - cells[i][s] for (t, j), (s, i) in steps]
    assert sum(costs) == int(data["lines"][0]["result"]) == 3


def test_there_are_so_many_alignments_and_so_few_cells():
    m, n = map(len, LONG)
    paths = [[1] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            paths[i][j] = paths[i - 1][j] + paths[i][j - 1] + paths[i - 1][j - 1]
    told, data = said_in(document(LESSON, "count")), picture(LESSON, "count")
    assert f"there are {paths[m][n]:,}" in told and f"only {(m + 1) * (n + 1)} cells" in told
    assert len(data["arrows"]) == (m + 1) * (n + 1) - 1
    assert numbers_in(data)[-1][-1] == Levenshtein.distance(*LONG)


@pytest.mark.parametrize("cost", [1, 2, 3, 4])
def test_a_dear_substitution_is_replaced_by_a_deletion_and_an_insertion(cost):
    grid = picture(LESSON, "costs", replacing=str(cost))
    total = sum(int(column["text"]) for column in grid["columns"])
    assert total == Levenshtein.distance(*SHORT, weights=(1, 1, cost)) == (3 if cost == 1 else 4)
    told = said_in(document(LESSON, "costs", replacing=str(cost)))
    assert ("no substitution is left" in told) == (cost > 2)
    drawn = {cell["kind"] for row in grid["rows"] for cell in row["cells"]}
    assert ("again" in drawn) == (cost <= 2)


@pytest.fixture(scope="module")
def by_rapidfuzz():
    """How many typos of each kind rapidfuzz's nearest word corrects, with all edits and place by place."""
    counts = Counter(
        each for each in words(sample("hamlet").read().text) if each.isascii() and each.isalpha()
    )
    vocabulary = [each for each, _ in counts.most_common()]
    typos = draw_typos([each for each in vocabulary if len(each) >= TYPO_FROM], TYPOS)
    found = {}
    for way, compare in (("edits", Levenshtein.distance), ("places", place_by_place)):
        found[way] = Counter(
            typo.kind
            for typo in typos
            if min(vocabulary, key=lambda word, typo=typo, compare=compare: compare(typo.typed, word))
            == typo.meant
        )
    return found


def place_by_place(one, other):
    return Hamming.distance(one, other, pad=True)


def test_without_insertions_and_deletions_shifted_words_are_lost(by_rapidfuzz):
    before, after = picture(LESSON, "typos"), picture(LESSON, "typos", True)
    kinds = ("insert", "delete", "substitute", "swap")
    for panel, way in zip(after["panels"], ("edits", "places"), strict=True):
        assert [row["to"] for row in panel["rows"]] == [by_rapidfuzz[way][kind] for kind in kinds]
    assert {row["text"] for row in before["panels"][1]["rows"]} == {"?"}
    whole, broken = (sum(by_rapidfuzz[way].values()) for way in ("edits", "places"))
    assert (whole, broken) == (387, 235)
    assert wilson(broken, TYPOS)[1] < wilson(whole, TYPOS)[0], "the difference is far beyond chance"
    told = said_in(document(LESSON, "typos", True))
    assert f"Only {broken} of {TYPOS} are corrected, not {whole}" in told
    shifted = [by_rapidfuzz["places"][kind] / by_rapidfuzz["edits"][kind] for kind in ("insert", "delete")]
    assert max(shifted) < 0.25, "most of these words are lost"
    assert by_rapidfuzz["places"]["substitute"] >= by_rapidfuzz["edits"]["substitute"], (
        "wrong letters stay in place"
    )
    assert by_rapidfuzz["places"]["swap"] >= by_rapidfuzz["edits"]["swap"], (
        "it gains nothing from an alignment"
    )


@pytest.mark.parametrize(
    "pair, told",
    [
        (("cat", "cat"), "These two are the same"),
        (("cat", "cart"), "One edit"),
        (("ab", "bc"), "2 alignments"),
    ],
)
def test_two_words_of_ones_own(pair, told):
    done = document(LESSON, "own", first=pair[0], second=pair[1])
    assert told in re.sub("<[^>]+>", "", done["done"])
    assert numbers_in(done["picture"]["data"])[-1][-1] == Levenshtein.distance(*pair)


def test_the_answer_is_a_word_error_rate():
    distance = Levenshtein.distance(SAID.split(), HEARD.split())
    told = said_in(document(LESSON, "answer"))
    assert f"with {distance} edits for {len(SAID.split())} words" in told
    assert f"{distance / len(SAID.split()):.0%}" in told


def test_the_lab_aligns_any_two_texts_and_shows_every_number():
    app = open_lesson(LESSON, source="Straße", target="Gasse 🦜", below="numbers")
    assert not app.exception
    distance = Levenshtein.distance("Straße", "Gasse 🦜")
    assert f"cost **{distance}**" in said(app)
    assert numbers_in(sent(app, "score_table"))[-1][-1] == distance
    assert table_with(app, "distance")["distance"].iloc[-1] == distance


def test_the_lab_s_break_it_measures_what_insertions_and_deletions_are_worth():
    app = open_lesson(LESSON, source=SHIFTED[0], target=SHIFTED[1], places="true")
    assert metrics(app)["with insertions and deletions"] == "1" and metrics(app)["place by place"] == "7"
    opened = open_lesson(LESSON, source="otrageous", nearest="true")
    assert {"77%", "47%"} <= {metric.value for metric in opened.metric}
    assert "is **outrageous**. Place by place, it is tyrannous" in said(opened)


def test_the_lab_counts_words_where_tokens_are_words():
    app = open_lesson(LESSON, source=SAID, target=HEARD, unit="words", replacing=3)
    assert f"cost **{Levenshtein.distance(SAID.split(), HEARD.split(), weights=(1, 1, 3))}**" in said(app)
