"""The story of co-occurrence tells what plain loops find in the plays; its lab says what core measures, on three texts."""

import json
import re
from functools import cache
from math import log2

import numpy as np
import pytest

from core.models.word_vectors.co_occurrence import (
    co_occurrences,
    mean_cosine,
    weighted_rows,
)
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.shelf import plays_text, sample
from core.text.tokenization.tokens import sentences, words
from pages.word_vectors.co_occurrence import LINES, SENTENCE
from pages.word_vectors.co_occurrence.page import CONTEXTS, KINDS, OPPOSITES, PAIRS
from tests.lessons.lesson_page import (
    document,
    figure,
    frames,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    try_prompt,
    unpacked,
)
from tests.lessons.word_vectors.three_texts import three_texts

LESSON = "co_occurrence"
TEXTS = three_texts()
WHOLE = {**TEXTS, "default": sample("micro-world").read().text}
EVERY_TEXT = pytest.mark.parametrize("text", TEXTS)
FOLDS = dict.fromkeys(("filled", "cell", "pair", "restored"), "true")


@cache
def opened(text, **query):
    app = open_lesson(LESSON, TEXTS[text], **{**FOLDS, **query})
    assert not app.exception
    return app


@cache
def measured(text, weighting="PPMI", window=4, most=200):
    cut = [words(each) for each in sentences(WHOLE[text])]
    return weighted_rows(co_occurrences(cut, window, most), weighting)


def chosen(app):
    return app.selectbox(key=f"{LESSON}_word").value


# The story, against plain loops over the plays.


@pytest.fixture(scope="module")
def told():
    """Return the plays' sentences, the 500 most frequent words, and their counts within 4 words by a plain loop."""
    cut = [words(each) for each in sentences(plays_text())]
    often = {}
    for sentence in cut:
        for word in sentence:
            often[word] = often.get(word, 0) + 1
    known = sorted(often, key=lambda word: -often[word])[:500]
    index = {word: place for place, word in enumerate(known)}
    counts = np.zeros((500, 500))
    for sentence in cut:
        ids = [index.get(word, -1) for word in sentence]
        for i, one in enumerate(ids):
            for other in ids[max(0, i - 4) : i]:
                if one >= 0 and other >= 0:
                    counts[one, other] += 1
                    counts[other, one] += 1
    return cut, often, index, counts


@pytest.fixture(scope="module")
def ppmi(told):
    counts = told[3]
    with np.errstate(divide="ignore"):
        bits = np.log2(counts * counts.sum() / np.outer(counts.sum(1), counts.sum(0)))
    return np.maximum(bits, 0)


def cosines(M, index, word):
    x = M[index[word]]
    found = M @ x / np.linalg.norm(M, axis=1) / np.linalg.norm(x)
    found[index[word]] = -1
    return found


def nearest_of(M, index, word):
    return list(index)[int(cosines(M, index, word).argmax())]


def bold(beat, revealed=False, **changes):
    return re.search("<strong>(.*?)</strong>", document(LESSON, beat, revealed, **changes)["words"])[1]


def texts_of(data):
    return [[cell["text"] for cell in row] for row in data["cells"]]


def test_the_lines_are_in_the_plays_and_france_is_hidden_until_it_is_asked(told):
    cut, often, *_ = told
    joined = "\n".join(" ".join(each) for each in cut)
    assert all(line in joined and "france" in line for line in LINES) and SENTENCE in joined
    assert "france" not in json.dumps(picture(LESSON, "gap")).lower()
    assert bold("gap") == str(len(LINES)) == "5"
    assert bold("gap", True) == str(often["france"]) == "437"
    for play in LINES.values():
        text = " ".join(words(sample(play).read().text))
        assert all(line in text for line, of in LINES.items() if of == play)


def test_the_window_adds_to_one_row_what_it_holds():
    tokens = SENTENCE.split()
    types = list(dict.fromkeys(tokens))
    for centre in range(1, 10):
        for size in (1, 4, 10):
            data = picture(LESSON, "slide", centre=str(centre), window=str(size))
            counts = np.zeros((7, 7), int)
            for i in range(centre):
                for j in range(9):
                    if i != j and abs(i - j) <= size:
                        counts[types.index(tokens[i]), types.index(tokens[j])] += 1
            assert texts_of(data) == [[str(n) for n in row] for row in counts]
            inside = [j for j in range(9) if j != centre - 1 and abs(j - centre + 1) <= size]
            assert [p for p, each in enumerate(data["strip"]) if each["kind"] == "around"] == inside
            now = {types[c] for row in data["cells"] for c, cell in enumerate(row) if cell["kind"] == "now"}
            assert now == {tokens[j] for j in inside}
    assert bold("slide") == "7"
    assert "In the row of england, 5 entries grew by 7" in said_in(document(LESSON, "slide"))


def test_frequent_words_have_the_largest_count_in_90_percent_of_the_rows(told):
    index, counts = told[2:]
    data = picture(LESSON, "counts")
    expected = [[str(int(counts[index[row], index[c]])) for c in CONTEXTS] for row in PAIRS]
    assert texts_of(data) == expected
    assert bold("counts") == f"{np.mean(counts.argmax(1) < 10):.0%}" == "90%"
    assert all(max(row, key=lambda cell: cell["shade"])["shade"] == 1 for row in data["cells"])


def test_france_and_king_are_together_six_times_as_often_as_by_chance(told):
    index, counts = told[2:]
    w, c = index["france"], index["king"]
    chance = counts[w].sum() * counts[c].sum() / counts.sum()
    shown = said_in(document(LESSON, "chance"))
    assert f"together {counts[w, c]:.0f} times" in shown and f"would bring {chance:.1f}" in shown
    assert f"{counts[w, c] / chance:.1f} times as large" in shown
    assert bold("chance") == f"{log2(counts[w, c] / chance):.1f}" == "2.6"
    for row in picture(LESSON, "chance")["panels"][0]["rows"]:
        n = counts[w, index[row["name"]]]
        assert row["to"] == pytest.approx(
            log2(n * counts.sum() / counts[w].sum() / counts[index[row["name"]]].sum()), abs=1e-3
        )
        assert row["note"].startswith(f"{n:.0f} (chance")


def test_weighted_rows_of_a_pair_share_their_contexts(told, ppmi):
    index = told[2]
    expected = [[f"{ppmi[index[row], index[c]]:.1f}" for c in CONTEXTS] for row in PAIRS]
    assert texts_of(picture(LESSON, "weighted")) == expected
    assert bold("weighted") == f"{ppmi[index['england'], index['king']]:.1f}"
    for one, other, contexts in (
        ("england", "france", ("king", "crown")),
        ("man", "woman", ("honest", "old")),
    ):
        for context in contexts:
            assert min(ppmi[index[one], index[context]], ppmi[index[other], index[context]]) > 2
    assert max(ppmi[index[row], index["the"]] for row in PAIRS) < 1


def test_the_nearest_of_all_rows_to_man_is_woman(told, ppmi):
    index = told[2]
    found = cosines(ppmi, index, "man")
    assert nearest_of(ppmi, index, "man") == "woman" == document(LESSON, "nearest", True)["ask"]["answer"]
    assert bold("nearest", True) == f"{found[index['woman']]:.2f}" == "0.56"
    data = picture(LESSON, "nearest", True)
    rows = [each["text"] for each in data["rows"]][1:]
    assert data["side"]["texts"][1:] == [f"{found[index[row]]:.2f}" for row in rows]
    assert set(picture(LESSON, "nearest")["side"]["texts"]) == {"", "?"}
    columns = [each["text"] for each in data["columns"]]
    assert columns == [list(index)[c] for c in np.argsort(-ppmi[index["man"]], kind="stable")[: len(columns)]]
    for each in ("honest", "old", "poor", "mad", "a"):
        assert min(ppmi[index["man"], index[each]], ppmi[index["woman"], index[each]]) > 1


@pytest.mark.parametrize("k", [1, 50, 100])
def test_k_dimensions_restore_what_numpy_restores(told, ppmi, k):
    index = told[2]
    U, sigma, Vt = np.linalg.svd(ppmi)
    restored = (U[:, :k] * sigma[:k]) @ Vt[:k]
    shown = picture(LESSON, "few", k=str(k))
    for row, cells in zip(PAIRS, shown["cells"], strict=True):
        for context, cell in zip(CONTEXTS, cells, strict=True):
            value = restored[index[row], index[context]]
            assert float(cell["text"].replace("−", "-")) == pytest.approx(value, abs=0.051)
    few = U[:, :k] * sigma[:k]
    keep = np.mean([nearest_of(few, index, w) == nearest_of(ppmi, index, w) for w in index])
    if k > 1:  # in one dimension all cosines are 1 or -1
        assert bold("few", k=str(k)) == f"{keep:.0%}"
    said_ = said_in(document(LESSON, "few", k=str(k)))
    assert f"keep {(sigma[:k] ** 2).sum() / (sigma**2).sum():.0%} of" in said_


def test_opposites_are_each_other_s_nearest(told, ppmi):
    index, rows = told[2], picture(LESSON, "opposites")["panels"][0]["rows"]
    for pair in OPPOSITES:
        one, other = pair.split()
        assert nearest_of(ppmi, index, one) == other and nearest_of(ppmi, index, other) == one
        shown = next(row for row in rows if row["name"] == f"{one} – {other}")
        assert shown["to"] == pytest.approx(cosines(ppmi, index, one)[index[other]], abs=1e-3)
    assert bold("opposites") == str(len(OPPOSITES)) == "8"
    assert rows[-1]["to"] == pytest.approx(mean_cosine(WordVectors(list(index), ppmi)), abs=1e-3)
    assert min(row["to"] for row in rows[:-1]) > 1.9 * rows[-1]["to"]
    for one, other in (("love", "fear"), ("good", "ill")):
        assert (cosines(ppmi, index, one) > cosines(ppmi, index, one)[index[other]]).sum() > 100
    assert nearest_of(ppmi, index, "sword") == "up"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Night", "The nearest row is"),
        ("hamlet", "is in the plays"),
        ("Kühlschrank", "“Kühlschrank” is not in these plays"),
        ("🦜", "is not in these plays"),
    ],
)
def test_a_typed_word_is_looked_up_or_said_to_be_missing(told, ppmi, typed, expected):
    shown = document(LESSON, "own", word=typed)
    assert expected in re.sub("<.*?>", "", shown["done"])
    listed = [each["text"] for each in shown["picture"]["data"]["rows"]]
    word = typed.lower() if typed.lower() in told[2] else "queen"
    found = cosines(ppmi, told[2], word)
    assert listed == [word, *(list(told[2])[p] for p in np.argsort(-found)[:4])]


def test_words_of_a_kind_are_nearest(told, ppmi):
    index, listed = told[2], [word for kind in KINDS for word in kind]
    data = picture(LESSON, "answer")
    for one, row in zip(listed, data["cells"], strict=True):
        found = {other: cosines(ppmi, index, one)[index[other]] for other in listed if other != one}
        assert any({one, max(found, key=found.get)} <= set(kind) for kind in KINDS)
        shown = dict(zip(listed, (cell["text"] for cell in row), strict=True))
        assert all(shown[other] == f"{value:.1f}" for other, value in found.items())
    assert "**" not in data["axes"]["cell"] and len(listed) == 10
    assert "For all 10 words" in said_in(document(LESSON, "answer"))


def test_a_beat_opens_the_lab_on_the_plays():
    app = open_lesson(LESSON, None, plays="true", most="500", word="man", **FOLDS)
    assert not app.exception
    assert "is “woman”, with a cosine of **0.56**" in said(app) and "all of Shakespeare's plays" in said(app)
    assert "together" in said(app)


# The lab.


@EVERY_TEXT
@pytest.mark.parametrize("weighting", ["PPMI", "PMI", "counts"])
def test_the_nearest_row_and_what_makes_it_alike_are_those_of_a_plain_loop(text, weighting):
    app, rows = opened(text, weighting=weighting), measured(text, weighting)
    M, known, word = rows.M, rows.found.words, chosen(app)
    x = M[rows.found.index[word]]
    near = {
        other: x @ y / (np.linalg.norm(x) * np.linalg.norm(y))
        for other, y in zip(known, M, strict=True)
        if other != word and y.any()
    }
    shown = said(app)
    best = next(other for other in near if f"“{other}”, with a cosine of" in shown)
    assert near[best] == pytest.approx(max(near.values()), abs=1e-6)
    assert f"“{best}”, with a cosine of **{max(near.values()):.2f}**" in shown
    terms = dict(zip(known, x * M[rows.found.index[best]], strict=True))
    most = shown.split("The context “")[1].partition("”")[0]
    assert terms[most] == pytest.approx(max(terms.values()))
    tied = sorted(near.values())[-2] > max(near.values()) - 1e-6
    assert ("No row is more similar" in shown) == tied


@EVERY_TEXT
def test_raw_counts_make_rows_alike_and_the_picture_changes(text):
    whole, app = opened(text), opened(text, raw="true")
    before, after = (float(value) for value in metrics(app).values())
    assert before == pytest.approx(mean_cosine(measured(text).vectors), abs=0.005)
    assert after == pytest.approx(mean_cosine(measured(text, "counts").vectors), abs=0.005)
    assert after > before + 0.2
    assert "Frequent words fill every row, so" in said(app)
    assert numbers(figure(whole)["data"]) != numbers(figure(app)["data"])
    if len(measured(text).found.words) > 20:
        shares = [np.mean(measured(text, each).M.argmax(axis=1) < 10) for each in ("PPMI", "counts")]
        assert f"{shares[0]:.0%} of the rows with PPMI, and in {shares[1]:.0%} with counts" in said(app)


def test_where_no_row_is_similar_to_another_the_page_says_so():
    shown = said(open_lesson(LESSON, "Cats purr. Dogs bark."))
    assert "No other row is similar to the row of “cats”." in shown
    assert "The most similar row" not in shown


def test_the_break_takes_nothing_from_counts():
    assert "already held raw counts" in said(
        open_lesson(LESSON, TEXTS["short"], raw="true", weighting="counts")
    )


@EVERY_TEXT
def test_a_cell_s_four_counts_are_told(text):
    app, found = opened(text), measured(text).found
    w, c = (found.index[app.selectbox(key=f"{LESSON}_{name}").value] for name in ("word", "context"))
    n, by_chance = found.counts[w, c], found.counts[w].sum() * found.counts[c].sum() / found.counts.sum()
    worked = rf"\frac{{{n} \cdot {found.counts.sum()}}}{{{found.counts[w].sum()} \cdot {found.counts[:, c].sum()}}}"
    assert any(worked in each.value for each in app.latex)
    assert f"PMI is **{np.log2(n / by_chance):.2f}** bits, so PPMI keeps it" in said(app)


def test_pairs_below_chance_and_never_seen_are_told():
    shown = said(open_lesson(LESSON, TEXTS["short"], word="cat", context="mouse", **FOLDS))
    found = measured("short").found
    assert (found.counts[found.index["cat"], found.index["mouse"]] > 0) == ("are together" in shown)
    below = said(open_lesson(LESSON, TEXTS["play"], word="king", context="i", **FOLDS))
    assert "so PPMI sets it to 0" in below and "bits" in below
    never = said(open_lesson(LESSON, TEXTS["default"], word="king", context="one", **FOLDS))
    assert "are never together, so PMI is −∞" in never


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
    some = "1 dimension of {} keeps" if k == 1 else "5 dimensions of {} keep"
    assert some.format(V) in said(app)
    off = float(said(app).split("error of an entry is ")[1].split(" ")[0].rstrip("."))
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
    assert f"in 20 dimensions: {', '.join(near)}" in said(app)


def test_before_the_guess_the_nearest_is_nowhere():
    app = open_lesson(LESSON, predict="true")
    assert "queen" in question(app).options
    shown = said(app) + json.dumps(figure(app)["data"][0]["y"])
    assert (
        "queen" not in shown
        and not metrics(app)
        and not any("Fewer dimensions" in each.label for each in app.expander)
    )
    assert "“queen”, with a cosine" in said(guess(app, "queen"))


def test_every_number_is_core_s():
    table, found = table_with(opened("short"), "times together"), measured("short").found
    for row in table.itertuples():
        assert row[3] == found.counts[found.index[row.word], found.index[row.context]] > 0
    assert table["times together"].sum() == np.triu(found.counts).sum()  # all fit into the table
    terms, rows = table_with(opened("short"), "product"), measured("short")
    other = opened("short").selectbox(key=f"{LESSON}_other").value
    x, y = rows.of(chosen(opened("short")), other)
    assert terms["product"].sum() == pytest.approx(x @ y)


def test_the_notebook_finds_the_page_s_neighbours(notebook_cells, tmp_path, monkeypatch):
    app = open_lesson(LESSON, TEXTS["short"], k=3, **FOLDS)
    (tmp_path / "my_text.txt").write_text(TEXTS["short"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    room = {}
    exec("\n".join(notebook_cells[1:]), room)
    assert room["near"] == measured("short").vectors.neighbours(chosen(app), 5)
    assert room["k"] == 3 and room["few"].vectors.shape == (len(room["M"]), 3)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_what_it_names(number):
    app = try_prompt(open_lesson(LESSON), LESSON, number).run()
    assert not app.exception
    shown = said(app)
    assert ("2 dimensions of 200 keep" in shown) == (number == 2)
    assert ("with raw counts" in shown) == (number == 3)


@pytest.mark.parametrize("text", ["", "word", "🦜", "... !!!", "the the the"])
def test_a_text_without_two_words_together_is_answered_with_a_sentence(text):
    app = open_lesson(LESSON, text)
    assert not app.exception and "No two different words are together" in said(app)
    assert "The code that ran" in {tab.label for tab in app.tabs}


@pytest.mark.parametrize(
    "text",
    ["a b", "a b c", "早上好。你好吗？", "مرحبا بالعالم", "<b>x</b> $a$ `c` ![i](j)", "one. two words"],
)
@pytest.mark.parametrize("weighting", ["PPMI", "counts"])
def test_no_text_breaks_the_page(text, weighting):
    assert not open_lesson(LESSON, text, weighting=weighting, raw="true", **FOLDS).exception
