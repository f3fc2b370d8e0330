"""Word analogies: the story's numbers follow from the stored vectors; the lab shows core's answers."""

import base64
import json
import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.story import story_of
from core.models.stored import load_card
from core.models.word_vectors.word_arithmetic import arithmetic
from core.models.word_vectors.world_analogies import QUESTIONS
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import (
    document,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    views,
)

LESSON = "word_arithmetic"
SOLVED, BROKEN = "solved", "solved if the question's words may answer"
FOUR = ["king", "man", "woman", "queen"]


# The story. Its numbers are computed here from the rows of the stored matrix, without core's measures.


@pytest.fixture(scope="module")
def units():
    """Return each word's vector in GloVe, scaled to length 1 in 64 bits."""
    vectors = shared_vectors("glove")
    rows = vectors.vectors.astype(float)
    return dict(zip(vectors.words, rows / np.linalg.norm(rows, axis=1, keepdims=True), strict=True))


@pytest.fixture(scope="module")
def cosines(units):
    """Return the cosine of every word with king - man + woman."""
    sum_ = units["king"] - units["man"] + units["woman"]
    sum_ /= np.linalg.norm(sum_)
    return {word: float(row @ sum_) for word, row in units.items()}


def plane(beat, revealed=False, /, **changes):
    """Return a plane's places and arrows by key."""
    panel = document(LESSON, beat, revealed, **changes)["picture"]["data"]["panels"][0]
    return {each["key"]: np.array([each["x"], each["y"]]) for each in panel["points"]}, {
        each["key"]: each for each in panel["arrows"]
    }


def test_the_parallelogram_has_true_lengths_and_ends_at_the_star(units):
    at, arrows = plane("sum")
    for one, other in (("king", "man"), ("man", "woman"), ("king", "woman")):
        assert np.linalg.norm(at[one] - at[other]) == pytest.approx(
            np.linalg.norm(units[one] - units[other]), abs=1e-3
        )
    assert np.allclose(at["sum"], at["king"] - at["man"] + at["woman"], atol=1e-3)
    steps = [np.subtract(arrows[key]["to"], arrows[key]["from"]) for key in ("step.0", "step.1")]
    assert np.allclose(*steps, atol=1e-3) and arrows["step.0"]["text"] == "woman − man"


def test_queen_is_the_nearest_of_all_words_that_may_answer(units, cosines):
    allowed = [word for word in cosines if word not in FOUR[:3]]
    assert max(allowed, key=cosines.get) == "queen" and len(units) == 20_000
    told = said_in(document(LESSON, "sum"))
    assert f"Their cosine is {cosines['queen']:.2f}, and" in told
    assert plane("sum")[1]["nearest"]["text"] == f"cosine {cosines['queen']:.2f}"
    assert load_card("glove").corpus["GloVe 6B 50d"]["tokens"] == 6e9 and "6 billion words" in told


@pytest.mark.parametrize("beat", ["sum", "capitals"])
def test_no_word_is_drawn_nearer_to_the_star_than_the_nearest(beat):
    at, _ = plane(beat)
    best = {"sum": "queen", "capitals": "rome"}[beat]
    away = {word: np.linalg.norm(place - at["sum"]) for word, place in at.items() if word != "sum"}
    assert min(away, key=away.get) == best


def counted():
    """Return by hand how many sentences of the micro-world hold a word, and it and a context."""
    lines = [
        re.sub(r"[^a-z ]", " ", line.lower()).split()
        for line in sample("micro-world").read().text.splitlines()
    ]
    n = {word: sum(word in line for line in lines) for word in FOUR}
    both = {
        (word, c): sum(word in line and c in line for line in lines)
        for word in FOUR
        for c in ("he", "she", "crown", "office")
    }
    return len(lines), n, both


def test_the_contexts_are_counted_in_the_micro_world():
    total, n, both = counted()
    data = picture(LESSON, "contexts")
    assert [row["name"] for row in data["rows"]] == FOUR
    for column, cells in zip(data["columns"], data["cells"], strict=True):
        for word, cell in zip(FOUR, cells, strict=True):
            assert cell["text"] == f"{both[word, column['word']] / n[word]:.0%}"
            assert (cell["kind"] == "empty") == (both[word, column["word"]] == 0)
    assert both["man", "crown"] == 0, "in none with man"
    told = said_in(document(LESSON, "contexts"))
    assert (
        f"{total:,} sentences" in told and f"crown is in {both['king', 'crown'] / n['king']:.0%} of" in told
    )


def test_both_pairs_change_the_same_contexts_by_similar_ratios():
    _, n, both = counted()
    for i, (one, other) in enumerate((("woman", "man"), ("queen", "king"))):
        panel = picture(LESSON, "ratios")["panels"][i]
        assert panel["title"].startswith(f"{one} ÷ {other}")
        rows = {row["name"]: row for row in panel["rows"]}
        for c, row in rows.items():
            ratio = (both[one, c] + 1) / (n[one] + 1) / ((both[other, c] + 1) / (n[other] + 1))
            assert row["to"] == pytest.approx(np.log2(ratio), abs=1e-3)
        assert rows["she"]["to"] > 6 and rows["he"]["to"] < -6
        assert max(abs(rows["crown"]["to"]), abs(rows["office"]["to"])) < 0.3, "the rest stays"
    ratio = (both["woman", "she"] + 1) / (n["woman"] + 1) * (n["man"] + 1)
    told = said_in(document(LESSON, "ratios"))
    assert f"she is {ratio:.0f} times as frequent" in told
    assert f"she is in {both['woman', 'she'] / n['woman']:.0%} of the" in told and both["man", "she"] == 0


def test_the_two_steps_are_drawn_with_their_true_lengths_and_angle(units):
    at, _ = plane("angle")
    step, true = units["woman"] - units["man"], units["queen"] - units["king"]
    drawn = [at["sum"] - at["king"], at["queen"] - at["king"]]
    cosine = step @ true / np.linalg.norm(step) / np.linalg.norm(true)
    assert [np.linalg.norm(each) for each in drawn] == pytest.approx(
        [np.linalg.norm(step), np.linalg.norm(true)], abs=1e-3
    )
    assert drawn[0] @ drawn[1] / np.linalg.norm(step) / np.linalg.norm(true) == pytest.approx(
        cosine, abs=2e-3
    )
    assert f"Their cosine is only {cosine:.2f}." in said_in(document(LESSON, "angle"))
    assert picture(LESSON, "angle")["panels"][0]["title"].endswith(f"{cosine:.2f}")
    miss = true - step
    like = {word: row @ miss / np.linalg.norm(miss) for word, row in units.items() if word not in FOUR}
    near = sorted(like, key=like.get)[::-1][:3]
    assert near == ["hull", "europa", "deck"], "of ships"
    assert "{}, {} and {}.".format(*near) in said_in(document(LESSON, "angle"))


def test_prince_is_ahead_with_king_alone_and_queen_with_the_sum(units, cosines):
    alone = {word: float(row @ units["king"]) for word, row in units.items() if word != "king"}
    after = {word: value for word, value in cosines.items() if word not in FOUR[:3]}
    for panel, expected in zip(picture(LESSON, "nearest")["panels"], (alone, after), strict=True):
        best = sorted(expected, key=expected.get)[::-1][:5]
        assert [(row["name"], row["text"]) for row in panel["rows"]] == [
            (word, f"{expected[word]:.2f}") for word in best
        ]
    assert sorted(alone, key=alone.get)[::-1][:2] == ["prince", "queen"]
    told = said_in(document(LESSON, "nearest"))
    assert f"prince falls to {cosines['prince']:.2f}" in told and cosines["prince"] < alone["prince"]
    assert f"rises from {alone['queen']:.2f} to {cosines['queen']:.2f} and wins" in told


def test_king_wins_without_the_rule_and_is_not_sent_before_the_guess(units, cosines):
    assert max(cosines, key=cosines.get) == "king"
    asked, told = document(LESSON, "rule"), document(LESSON, "rule", True)
    assert {row["text"] for row in asked["picture"]["data"]["panels"][0]["rows"]} == {"?"}
    assert told["ask"]["answer"] == "king"
    said_now = said_in(told)
    assert f"with {cosines['king']:.2f} against {cosines['queen']:.2f} for queen" in said_now
    step = np.linalg.norm(units["woman"] - units["man"])
    near = min(np.linalg.norm(row - units["king"]) for word, row in units.items() if word != "king")
    assert near == np.linalg.norm(units["prince"] - units["king"]) > step
    assert f"a length of {step:.2f}" in said_now and f"is {near:.2f} away" in said_now


@pytest.mark.parametrize(
    ("own", "tells"),
    [
        ("berlin - germany + japan", "berlin − germany + japan is nearest to “tokyo”"),
        ("2 king - queen", "2 king − queen is nearest to “ruler”"),
        ("rome", "rome is nearest to “"),
        ("king - man + blorb", "We have no vector for “blorb”, so you still see paris − france + italy."),
        ("Der König", "We have no vector for “Der”|Write words with + and − between them."),
        ("king man", "We cannot add that up, so you still see paris − france + italy."),
        ("king - king", "We cannot add that up"),
        ("🦜", "We have no vector for “🦜”"),
        ("مرحبا", "We have no vector for “مرحبا”"),
    ],
)
def test_a_typed_sum_is_drawn_with_its_nearest_word(own, tells):
    found = document(LESSON, "capitals", own=own)
    shown = re.sub("<[^>]+>", "", found["done"])
    assert any(each in shown for each in tells.split("|"))
    at, _ = plane("capitals", own=own)
    assert "sum" in at and ("rome" in at) == ("still see" in shown or own == "rome")


@pytest.mark.parametrize("name", ["glove", "skipgram"])
@pytest.mark.parametrize("keep", ["false", "true"])
def test_the_scores_are_those_of_a_plain_loop(name, keep):
    solved, free, _, asked = by_plain_loop(shared_vectors(name))
    right = free if keep == "true" else solved
    found = document(LESSON, "score", set=name, keep=keep)
    rows = found["picture"]["data"]["panels"][0]["rows"]
    assert rows[0]["text"] == f"{right / asked:.0%}" and rows[0]["note"] == f"{right} of {asked}"
    alone = without_step_by_plain_loop(shared_vectors(name)) if keep == "false" else 0
    assert rows[1]["note"] == f"{alone} of {asked}"
    done = re.sub("<[^>]+>", "", found["done"])
    assert f"Solved now: {right} of {asked}" in done
    assert f"Without the step it is {alone / asked:.0%}." in done
    assert [int(row["note"].split()[-1]) >= 10 for row in rows] == [True] * 6
    if name == "glove" and keep == "false":
        assert f"On {asked} questions GloVe solves {right / asked:.0%}." in said_in(found)
        assert f"the word nearest to the start solves {alone / asked:.0%}." in said_in(found)
        by_kind = {row["name"]: row["to"] for row in rows}
        assert by_kind["male, female"] > by_kind["one, many"], "king and queen are easier than plurals"
        last = said_in(document(LESSON, "answer"))
        assert f"solves {free / asked:.0%} instead of {solved / asked:.0%}" in last


def test_the_steps_at_the_end_are_similar(units):
    """What the last beat claims: every other step is more like that from man to woman than a random one is."""
    arrows = plane("answer")[1]
    step = units["woman"] - units["man"]
    pairs = [key.split(".") for key in arrows]
    assert len(pairs) == 8 and ["king", "queen"] in pairs
    for one, other in pairs:
        true = units[other] - units[one]
        assert true @ step / np.linalg.norm(true) / np.linalg.norm(step) > 0.5
    drawn = [np.subtract(each["to"], each["from"]) for each in arrows.values()]
    middle = drawn[0] / np.linalg.norm(drawn[0])
    assert all(each @ middle / np.linalg.norm(each) > 0.8 for each in drawn), "they look parallel"


@pytest.mark.parametrize("beat", [beat.name for beat in story_of("pages.word_vectors.word_arithmetic")])
def test_a_beat_opens_the_lab_on_what_it_shows(beat):
    query = dict(parse_qsl(urlsplit(document(LESSON, beat)["lab"]).query))
    fields = {name.removeprefix(f"{LESSON}_"): value for name, value in query.items() if name != "lab"}
    app = open_lesson(LESSON, **fields)
    assert not app.exception
    best = {"rule": "king", "capitals": "rome"}.get(beat, "queen")
    assert f"≈ **{best}**" in said(app)


# The lab.


def by_plain_loop(vectors):
    """Return (solved, solved when the question may answer, of them nearest is its own word, asked), by a loop."""
    units, counts = vectors.units, np.zeros(4, dtype=int)
    for a, b, c, d in (each for kind in QUESTIONS.values() for each in kind):
        if all(word in vectors for word in (a, b, c, d)):
            rows = vectors.rows([a, b, c, d])
            near = units @ (units[rows[1]] - units[rows[0]] + units[rows[2]])
            free = near.argmax()
            near[rows[:3]] = -9
            counts += [near.argmax() == rows[3], free == rows[3], free in rows[:3], 1]
    return counts.tolist()


def without_step_by_plain_loop(vectors):
    """Return how many analogies the word nearest to the third word solves, the question's words left out."""
    units, right = vectors.units, 0
    for four in (each for kind in QUESTIONS.values() for each in kind):
        if all(word in vectors for word in four):
            rows = vectors.rows(four)
            near = units @ units[rows[2]]
            near[rows[:3]] = -9
            right += near.argmax() == rows[3]
    return right


def drawn_map(**query):
    """Return the lab's map and where its points are."""
    data = sent(open_lesson(LESSON, **query), "_map")
    return data, np.frombuffer(base64.b64decode(data["places"]), "<f4").reshape(-1, 2)


def test_it_shows_the_answer_its_cosine_and_what_was_left_out(cosines):
    shown = said(open_lesson(LESSON))
    assert (
        f"≈ **queen** (cosine {cosines['queen']:.3f}). Left out of the answers: king, man and woman." in shown
    )


def test_why_the_sum_ends_near_its_answer_is_the_cosine_of_two_differences(units):
    up, across = units["queen"] - units["king"], units["woman"] - units["man"]
    cosine = up @ across / np.linalg.norm(up) / np.linalg.norm(across)
    shown = said(open_lesson(LESSON))
    assert "If queen − king were the same step as woman − man, the sum would end exactly at queen." in shown
    assert f"The cosine of these two steps is {cosine:.2f}." in shown
    assert f"The cosine of queen with king alone is {units['king'] @ units['queen']:.3f}." in shown
    for other in ("king", "2 king - queen", "king + man - woman"):
        assert "the same step as" not in said(open_lesson(LESSON, expression=other))


@pytest.mark.parametrize(
    "expression", ["king -", "(king", "king man", "", "blorb + king", "king - king", "🙂"]
)
def test_a_bad_expression_is_a_sentence_and_the_rest_of_the_page_stays(expression):
    app = open_lesson(LESSON, scores="true")
    app.text_input(key="word_arithmetic_expression").set_value(expression).run()
    assert not app.exception
    assert len(app.warning) == 1
    assert "The code that ran" in {each.label for each in app.tabs} and len(app.dataframe)


@pytest.mark.parametrize("vectors", ["glove", "skipgram"])
def test_letting_the_question_answer_changes_the_picture_the_table_and_the_score(vectors):
    """The old names of the sets still open them."""
    way = {"vectors": vectors, "scores": "true"}
    whole, app = (open_lesson(LESSON, **way, **broken) for broken in ({}, {"keep": "true"}))
    solved, free, own, asked = by_plain_loop(shared_vectors(vectors))
    assert f"**{solved} of {asked}** analogies" in said(whole)
    before, after = (float(value.rstrip("%")) for value in metrics(app).values())
    assert (before, after) == (round(100 * solved / asked), round(100 * free / asked)) and after < before - 10
    assert f"In {own} of the {asked} the word nearest" in said(app)
    assert f"worth {solved - free} answers" in said(app)
    table = table_with(app, BROKEN)
    assert (table[BROKEN] <= table[SOLVED]).all() and (table[BROKEN] < table[SOLVED]).any()
    assert BROKEN not in table_with(whole, SOLVED)
    assert sent(app, "_map")["words"] != sent(whole, "_map")["words"]
    assert "No word is left out" in said(app) and "≈ **king**" in said(app)


def test_before_the_guess_the_answer_is_nowhere(notebook_cells):
    app = open_lesson(LESSON, predict="true", expression="berlin - germany + japan")
    assert question(app)
    shown = json.dumps(views(app)) + said(app) + "".join(notebook_cells)
    assert "tokyo" not in shown and "Take it away" in {each.label for each in app.tabs}
    assert "≈ **tokyo**" in said(guess(app))


def test_an_analogy_is_a_parallelogram_with_its_four_corners_and_a_line_to_the_answer():
    data, places = drawn_map()
    number, tip = data["words"].index, len(data["words"])
    king, man, woman = (places[number(word)] for word in ("king", "man", "woman"))
    assert np.allclose(places[tip], king - man + woman, atol=1e-5)
    for each in (each for each in data["arrows"] if each["head"]):
        assert np.allclose(places[each["to"]] - places[each["from"]], woman - man, atol=1e-5)
        assert each["name"] == "woman − man"
    assert {(each["from"], each["to"]) for each in data["arrows"]} == {
        (number("man"), number("king")),
        (number("woman"), tip),
        (number("man"), number("woman")),
        (number("king"), tip),
        (tip, number("queen")),
    }


def test_any_other_sum_is_arrows_in_a_row_from_zero_through_its_partial_sums():
    data, places = drawn_map(expression="2 king - queen")
    first, second, line = data["arrows"]
    assert [first["name"], second["name"]] == ["+ 2 king", "− queen"]
    assert first["to"] == second["from"] and second["to"] == line["from"]
    assert data["points"][0]["name"] == "0" and data["points"][-1]["name"] == "the sum"
    zero, king = places[len(data["words"])], places[data["words"].index("king")]
    assert np.allclose(places[first["to"]] - zero, 2 * (king - zero), atol=1e-5)


@pytest.mark.parametrize("expression", ["king - man + woman", "2 king - queen", "rome"])
def test_a_sentence_says_what_the_arrows_are_that_are_drawn(expression):
    app = open_lesson(LESSON, expression=expression)
    names = [each["name"] for each in sent(app, "_map")["arrows"] if each["head"]]
    same, one_each = (
        "Both green arrows are the same step, from man to woman.",
        "Each arrow is one word of the sum.",
    )
    assert (same in said(app)) == (names == ["woman − man"] * 2)
    assert (one_each in said(app)) == (names != ["woman − man"] * 2)


def test_the_other_set_is_asked_the_same_and_answers_for_itself():
    app = open_lesson(LESSON, expression="paris - france + italy", vectors="our skip-gram")
    own = arithmetic(shared_vectors("skipgram").normalised(), "paris - france + italy").answers[0]
    assert f"≈ **{own.word}**" in said(app)


@pytest.mark.usefixtures("tiny_training")
def test_a_set_of_four_words_breaks_nothing():
    app = open_lesson(LESSON, vectors="trained by you", keep="true", scores="true")
    assert not app.exception and "these vectors lack its words" in said(app)


def test_the_notebook_gives_the_page_s_answer(notebook_cells, capsys):
    app = open_lesson(LESSON, scores="true")
    exec("\n".join(notebook_cells[1:]), {})
    nearest, *_, score = capsys.readouterr().out.strip().split("\n")
    assert f"≈ **{nearest.split()[0]}**" in said(app)
    right, asked = re.findall(r"\d+", score)
    assert f"**{right} of {asked}** analogies" in said(app)


def test_of_one_word_alone_no_variance_is_told():
    sentences = said(open_lesson(LESSON, expression="3 rome", keep="true", k="1"))
    assert "The arrows are exact in 50 dimensions. Only the cosine in all 50 dimensions counts." in sentences
