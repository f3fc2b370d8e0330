"""The page on subwords says what core computes, of the stored vectors and of those that a learner has trained."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.lesson import lesson as lesson_module
from core.lesson import training_job
from core.lesson.training_job import Bench
from core.models.word_vectors.co_occurrence import mean_cosine
from core.models.word_vectors.fasttext import FastText, bucket, carried, ngrams
from core.models.word_vectors.fit_subwords import fit_subwords, stored_subwords
from core.models.word_vectors.unseen_words import unseen
from core.models.word_vectors.word_vectors import WordVectors
from core.text.tokenization.tokens import sentences, words
from tests.lessons.lesson_page import (
    figures,
    frames,
    guess,
    metrics,
    open_lesson,
    question,
    said,
    table_with,
)
from tests.lessons.word_vectors.notebook_run import value_of
from tests.lessons.word_vectors.three_texts import SHORT, three_texts

LESSON = "subwords"
STORED = stored_subwords("subwords")
TEXTS = three_texts()


@pytest.fixture(scope="module")
def short_training():
    cut = [words(each) for each in sentences(SHORT)]
    return fit_subwords(lambda progress: None, cut, FastText(8, 4, 5, 20, 0.05, buckets=100))


@pytest.fixture
def trained(short_training, monkeypatch):
    """A learner who has trained on the short text."""
    bench = Bench(result=short_training, settings="a text", number=1)
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    return short_training


def by_hand(word):
    """Return the stored vector of a word from its rows, and every word's cosine with it."""
    model, V = STORED.fasttext, len(STORED.vectors)
    rows = [STORED.vectors.index[word]] if word in STORED.vectors.index else []
    rows += [V + bucket(gram, model.buckets) for gram in ngrams(word)]
    v = model.input_[rows].astype(float).mean(axis=0)
    X = STORED.vectors.vectors.astype(float)
    cosines = X @ v / np.linalg.norm(X, axis=1) / np.linalg.norm(v)
    return {
        other: cosine for other, cosine in zip(STORED.vectors.words, cosines, strict=True) if other != word
    }


@pytest.mark.parametrize("word", ["prinsess", "grandmothers", "blorptik", "princess"])
def test_the_neighbours_are_those_of_a_plain_loop(word):
    app, cosines = open_lesson(LESSON, word=word), by_hand(word)
    best = sorted(cosines, key=cosines.get, reverse=True)
    left, right = figures(app)[0]["data"]
    assert left["y"] == best[:7]
    np.testing.assert_allclose(left["x"], [cosines[each] for each in best[:7]], atol=1e-5)
    assert f"nearest to “{best[0]}”, cosine {cosines[best[0]]:.2f}" in said(app)
    if word in STORED.skipgram.index:
        assert right["y"] == [each.word for each in STORED.skipgram.neighbours(word, 7)]
        assert "never seen" not in said(app)
    else:
        assert right["y"] == [] and "word2vec has no vector for it" in said(app)
        assert "no vector" in json.dumps(figures(app)[0]["layout"]["annotations"])


@pytest.mark.parametrize("word", ["prinsess", "princess"])
def test_the_parts_add_up_to_the_cosine(word):
    app = open_lesson(LESSON, word=word)
    shown = [value for step in frames(app) for value in step["picture"]["columns"][0]["values"]]
    nearest, cosine = max(by_hand(word).items(), key=lambda pair: pair[1])
    assert sum(shown) == pytest.approx(cosine, abs=1e-4)
    names = [name for step in frames(app) for name in step["picture"]["rows"]]
    assert names == [word] * (word in STORED.vectors.index) + ngrams(word)
    assert frames(app)[-1]["said"].endswith(f"together it is the cosine with “{nearest}”, {cosine:.2f}.")
    table = table_with(app, "adds to the cosine")
    np.testing.assert_allclose(table["adds to the cosine"], carried(STORED.fasttext, word, nearest))


def test_ngrams_that_were_never_learnt_are_counted():
    known = {gram for each in STORED.vectors.words for gram in ngrams(each)}
    for step in frames(open_lesson(LESSON, word="prinsess")):
        unknown = sum(name not in known for name in step["picture"]["rows"])
        assert bool(step["notes"]) == bool(unknown)
        assert not unknown or step["notes"][0].startswith(f"{unknown} of {len(step['picture']['rows'])} ")


@pytest.mark.parametrize("text", TEXTS)
def test_without_ngrams_no_misspelt_word_is_found_again_and_the_picture_changes(text):
    whole, app = (open_lesson(LESSON, TEXTS[text], **query) for query in ({}, {"no_ngrams": "true"}))
    share = unseen(STORED.fasttext, STORED.vectors).again
    assert metrics(app) == {
        "Misspelt words found again, whole": f"{share:.0%}",
        "Misspelt words found again, broken": "0%",
    }
    assert share > 0.5
    assert "was never seen, and has no vector without n-grams" in said(app)
    assert figures(app)[0]["data"] != figures(whole)[0]["data"] and not frames(app)


def test_a_known_word_without_ngrams_has_word2vec_s_neighbours_on_both_sides():
    left, right = figures(open_lesson(LESSON, word="king", no_ngrams="true"))[0]["data"]
    assert left["y"] == right["y"] == [each.word for each in STORED.skipgram.neighbours("king", 7)]


def test_misspelt_words_and_buckets_are_core_s():
    app, found = open_lesson(LESSON), unseen(STORED.fasttext, STORED.vectors)
    right = sum(each.meant == each.nearest for each in found.misspelt)
    assert f"{right} of {len(found.misspelt)} misspelt words are nearest to the word that was meant" in said(
        app
    )
    assert f"{len(found.grams):,} n-grams stand in 10,000 buckets: {found.sharing(10_000):.0%} share" in said(
        app
    )
    table = table_with(app, "share a bucket")
    assert table["share a bucket"].tolist() == [found.sharing(size) for size in table["buckets"]]
    sharer = next(
        gram for gram in ngrams("prinsess") if f"“{gram}” of “prinsess” has one vector with" in said(app)
    )
    other = said(app).split("has one vector with “")[1].partition("”")[0]
    assert bucket(sharer, 10_000) == bucket(other, 10_000) and other != sharer


def test_whose_vectors_are_shown_is_said():
    assert "learnt from the micro-world" not in said(open_lesson(LESSON))
    shown = said(open_lesson(LESSON, TEXTS["short"]))
    types = dict.fromkeys(words(SHORT))
    known = sum(each in STORED.vectors.index for each in types)
    assert f"the micro-world, which has {known} of the {len(types)} types of your text" in shown


def test_a_training_takes_the_place_of_the_stored_vectors(trained):
    app = open_lesson(LESSON, word="mouses")
    assert f"Vectors of {len(trained.vectors)} words, trained by you on a text." in said(app)
    assert f"nearest to “{trained.near('mouses', 1)[0].word}”" in said(app)
    assert "stand in 100 buckets" in said(app)


def test_vectors_that_all_point_the_same_way_are_said_to(trained, monkeypatch):
    assert mean_cosine(trained.vectors) < 0.9 and "Train longer" not in said(open_lesson(LESSON))
    alike = WordVectors(trained.vectors.words, 1 + trained.vectors.vectors / 100)
    bench = Bench(result=replace(trained, vectors=alike), settings="a text", number=2)
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    shown = said(open_lesson(LESSON))
    assert f"Two words have cosine {mean_cosine(alike):.2f} on average" in shown and "Train longer" in shown


def test_where_nothing_is_found_again_the_break_says_so(trained):
    found = unseen(trained.fasttext, trained.vectors)
    app = open_lesson(LESSON, no_ngrams="true")
    assert ("the break takes nothing here" in said(app)) == (found.again == 0)


def test_before_the_guess_the_nearest_is_nowhere():
    app = open_lesson(LESSON, predict="true")
    assert "princess" in question(app).options
    sent = said(app) + json.dumps(figures(app)) + json.dumps(frames(app))
    assert "princess" not in sent
    assert "“princess”, cosine" in said(guess(app, "princess"))


@pytest.mark.parametrize(
    "word", ["", "🦜", "a", "早上", "two words", "<b>", "$x$", "x" * 30, "né", "don't", "'", "!!!", "مرحبا"]
)
@pytest.mark.parametrize("broken", ["false", "true"])
def test_no_word_breaks_the_page(word, broken):
    app = open_lesson(LESSON, word=word, no_ngrams=broken)
    assert not app.exception
    if not words(word):
        assert "you see “prinsess”" in said(app)


@pytest.mark.parametrize("text", ["", "word", "🦜 🎉", "<b>x</b> $a$ `c`"])
def test_no_text_breaks_the_page(text):
    assert not open_lesson(LESSON, text).exception


def test_a_short_text_is_read_more_often():
    epochs = {
        name: open_lesson(LESSON, text).slider(key=f"{LESSON}_epochs").value for name, text in TEXTS.items()
    }
    assert epochs["default"] < epochs["play"] < epochs["short"] == 200


def test_the_notebook_finds_the_page_s_neighbours(notebook_cells):
    open_lesson(LESSON)
    near = value_of(notebook_cells, {})
    assert [each.word for each in near] == [each.word for each in STORED.near("prinsess", 7)]


def test_the_notebook_of_a_training_trains_the_same_model(trained, notebook_cells):
    open_lesson(LESSON)
    assert repr(trained.fasttext) in notebook_cells[0] and "fit_subwords" in notebook_cells[0]


def test_the_tour_counts_the_n_grams_of_the_words_that_have_vectors_whatever_the_text():
    for text in (None, "It was late. The cat sat on the mat."):
        both = stored_subwords("subwords")
        grams = {gram for word in both.vectors.words for gram in ngrams(word, 3, 6)}
        shown = said(open_lesson(LESSON, text, beat="subwords.5"))
        assert f"The {len(both.vectors)} words have {len(grams):,} different n-grams." in shown
