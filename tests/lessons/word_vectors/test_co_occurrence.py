"""The page on co-occurrence says what core measures, on three texts, weighted and with raw counts."""

import json
from functools import cache

import numpy as np
import pytest

from core.models.word_vectors.co_occurrence import (
    co_occurrences,
    mean_cosine,
    nearest_is_frequent,
    weighted_rows,
)
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences, words
from tests.lessons.lesson_page import (
    figure,
    frames,
    guess,
    metrics,
    numbers,
    open_lesson,
    question,
    said,
    sent,
    table_with,
    unpacked,
)
from tests.lessons.word_vectors.notebook_run import value_of
from tests.lessons.word_vectors.three_texts import three_texts

LESSON = "co_occurrence"
TEXTS = three_texts()
WHOLE = {**TEXTS, "default": sample("micro-world").read().text}
EVERY_TEXT = pytest.mark.parametrize("text", TEXTS)


@cache
def opened(text, **query):
    app = open_lesson(LESSON, TEXTS[text], **query)
    assert not app.exception
    return app


@cache
def measured(text, weighting="PPMI", window=4, most=200):
    cut = [words(each) for each in sentences(WHOLE[text])]
    return weighted_rows(co_occurrences(cut, window, most), weighting)


def chosen(app):
    return app.selectbox(key=f"{LESSON}_word").value


@EVERY_TEXT
@pytest.mark.parametrize("weighting", ["PPMI", "PMI", "counts"])
def test_the_nearest_row_and_what_makes_it_alike_are_those_of_a_plain_loop(text, weighting):
    app, rows = opened(text, weighting=weighting), measured(text, weighting)
    M, known, word = rows.M, rows.found.words, chosen(app)
    x = M[rows.found.index[word]]
    cosines = {
        other: x @ y / (np.linalg.norm(x) * np.linalg.norm(y))
        for other, y in zip(known, M, strict=True)
        if other != word and y.any()
    }
    shown = said(app)
    best = next(other for other in cosines if f"that of “{other}”, cosine" in shown)
    assert cosines[best] == pytest.approx(max(cosines.values()), abs=1e-6)
    assert f"that of “{best}”, cosine {max(cosines.values()):.2f}" in shown
    terms = dict(zip(known, x * M[rows.found.index[best]], strict=True))
    most = shown.split("makes them alike most is “")[1].partition("”")[0]
    assert terms[most] == pytest.approx(max(terms.values()))
    tied = sorted(cosines.values())[-2] > max(cosines.values()) - 1e-6
    assert ("No row is more like" in shown) == tied


@EVERY_TEXT
def test_raw_counts_make_rows_alike_and_the_picture_changes(text):
    whole, app = opened(text), opened(text, raw="true")
    before, after = (float(value) for value in metrics(app).values())
    assert before == pytest.approx(mean_cosine(measured(text).vectors), abs=0.005)
    assert after == pytest.approx(mean_cosine(measured(text, "counts").vectors), abs=0.005)
    assert after > before + 0.2
    assert "Frequent words fill every row" in said(app)
    assert numbers(figure(whole)["data"]) != numbers(figure(app)["data"])
    shares = [nearest_is_frequent(measured(text, each).vectors) for each in ("PPMI", "counts")]
    told = f"nearest of {shares[0]:.1%} of the words, with counts of {shares[1]:.1%}"
    assert (told in said(app)) == (len(measured(text).found.words) > 20)


@EVERY_TEXT
def test_whose_counts_are_the_largest_of_a_row_is_counted(text):
    counts = measured(text, "counts").found.counts
    share = np.mean([row.argmax() < 10 for row in counts])
    told = f"In {share:.0%} of the rows the largest is that of one of the 10 most frequent words."
    assert (told in said(opened(text, raw="true", beat="co_occurrence.6"))) == (len(counts) > 20)


def test_where_no_row_is_like_another_the_tour_says_so():
    shown = said(open_lesson(LESSON, "Cats purr. Dogs bark.", beat="co_occurrence.1"))
    assert "No other row points the way that the row of “cats” does. Nobody told" in shown
    assert "most like that of" not in shown


def test_the_break_takes_nothing_from_counts():
    assert "held raw counts already" in said(
        open_lesson(LESSON, TEXTS["short"], raw="true", weighting="counts")
    )


@EVERY_TEXT
def test_a_cell_s_four_counts_are_told(text):
    app, found = opened(text), measured(text).found
    w, c = (found.index[app.selectbox(key=f"{LESSON}_{name}").value] for name in ("word", "context"))
    n, by_chance = found.counts[w, c], found.counts[w].sum() * found.counts[c].sum() / found.counts.sum()
    worked = rf"\frac{{{n} \cdot {found.counts.sum()}}}{{{found.counts[w].sum()} \cdot {found.counts[:, c].sum()}}}"
    assert any(worked in each.value for each in app.latex)
    assert f"PMI is {np.log2(n / by_chance):.2f} bits, so PPMI keeps it" in said(app)


def test_pairs_below_chance_and_never_seen_are_told():
    shown = said(open_lesson(LESSON, TEXTS["short"], word="cat", context="mouse"))
    found = measured("short").found
    assert (found.counts[found.index["cat"], found.index["mouse"]] > 0) == ("stand together" in shown)
    below = said(open_lesson(LESSON, TEXTS["play"], word="king", context="i"))
    assert "so PPMI makes it 0" in below and "bits" in below
    never = said(open_lesson(LESSON, TEXTS["default"], word="king", context="one"))
    assert "never stand together: PMI is −∞" in never


@EVERY_TEXT
def test_a_window_adds_up_to_the_counts_of_its_sentence(text):
    steps = frames(opened(text))
    app = opened(text)
    number = app.number_input(key=f"{LESSON}_sentence").value
    tokens = words(sentences(WHOLE[text])[number - 1])[:12]
    assert len(steps) == len(tokens) > 1
    known = measured(text).found.index
    types = steps[0]["picture"]["matrix"]["rows"]
    assert sorted(types) == sorted({token for token in tokens if token in known})
    expected = np.zeros((len(types), len(types)))
    for i, step in enumerate(steps):
        around = [j for j in range(len(tokens)) if j != i and abs(i - j) <= 4]
        assert step["picture"]["around"] == around
        counted = [(i, j) for j in around if tokens[i] in known and tokens[j] in known]
        for pair in counted:
            expected[tuple(types.index(tokens[place]) for place in pair)] += 1
        cells = step["picture"]["matrix"]["panels"][0]
        np.testing.assert_array_equal(unpacked(cells["values"]), expected.ravel())
        columns = sorted({types.index(tokens[j]) for _, j in counted})
        assert cells["marked"] == [[types.index(tokens[i]), c] for c in columns]
        without = [token for token in [tokens[i], *(tokens[j] for j in around)] if token not in known]
        assert all(token in step["said"] for token in without)


@EVERY_TEXT
@pytest.mark.parametrize("k", [1, 5])
def test_what_k_dimensions_keep_is_numpy_s(text, k):
    app, rows = opened(text, k=k), measured(text)
    sigma = np.linalg.svd(rows.M, compute_uv=False)
    V = len(rows.M)
    assert f"{k} of {V} dimensions {'keeps' if k == 1 else 'keep'}" in said(app)
    off = float(said(app).split("a restored cell is off by ")[1].split(" ")[0])
    assert off == pytest.approx(np.sqrt((sigma[k:] ** 2).sum()) / V, rel=0.01)
    table = table_with(app, "σ")
    np.testing.assert_allclose(table["σ"], sigma, atol=1e-9)
    np.testing.assert_allclose(table["share kept"], (sigma**2).cumsum() / (sigma**2).sum())


def test_the_map_links_the_nearest_of_the_short_vectors():
    app, rows = opened("default"), measured("default")
    few = WordVectors(rows.found.words, rows.factors.vectors(20))
    near = [each.word for each in few.neighbours("king", 5)]
    data = sent(app, "_map")
    assert data["words"][data["chosen"]] == "king"
    assert [data["words"][place] for place in data["neighbours"]] == near
    assert f"in 20 of its numbers: {', '.join(near)}" in said(app)


def test_before_the_guess_the_nearest_is_nowhere():
    app = open_lesson(LESSON, predict="true")
    assert "queen" in question(app).options
    shown = said(app) + json.dumps(figure(app)["data"][0]["y"])
    assert "queen" not in shown and not metrics(app) and "In fewer dimensions" not in shown
    assert "“queen”, cosine" in said(guess(app, "queen"))


def test_every_number_is_core_s():
    table, found = table_with(opened("short"), "times together"), measured("short").found
    for row in table.itertuples():
        assert row[3] == found.counts[found.index[row.word], found.index[row.context]] > 0
    assert table["times together"].sum() == np.triu(found.counts).sum()  # all fit into the table
    terms, rows = table_with(opened("short"), "product"), measured("short")
    other = opened("short").selectbox(key=f"{LESSON}_other").value
    x, y = rows.of(chosen(opened("short")), other)
    assert terms["product"].sum() == pytest.approx(x @ y)


def test_the_notebook_finds_the_page_s_neighbours(notebook_cells):
    app = open_lesson(LESSON, TEXTS["short"], k=3)
    room = {}
    cells = [
        cell.replace('open("my_text.txt", encoding="utf-8").read()', repr(TEXTS["short"]))
        for cell in notebook_cells
    ]
    near = value_of(cells, room)
    assert near == measured("short").vectors.neighbours(chosen(app), 5)
    assert room["k"] == 3 and room["few"].vectors.shape == (len(room["M"]), 3)


@pytest.mark.parametrize("text", ["", "word", "🦜", "... !!!", "the the the"])
def test_a_text_without_two_words_together_is_answered_with_a_sentence(text):
    app = open_lesson(LESSON, text)
    assert not app.exception and "No two different words stand together" in said(app)
    assert "The code that ran" in {tab.label for tab in app.tabs}


@pytest.mark.parametrize(
    "text",
    ["a b", "a b c", "早上好。你好吗？", "مرحبا بالعالم", "<b>x</b> $a$ `c` ![i](j)", "one. two words"],
)
@pytest.mark.parametrize("weighting", ["PPMI", "counts"])
def test_no_text_breaks_the_page(text, weighting):
    assert not open_lesson(LESSON, text, weighting=weighting, raw="true").exception
