"""The page on Zipf's law says what core measures, on three texts, whole and typed by a monkey."""

from functools import cache

import numpy as np
import pytest

from core.models.tokens.word_forms import word_forms
from core.models.tokens.zipf import (
    drawn_distances,
    fit_heaps,
    fit_zipf,
    monkey_tokens,
    rank_words,
    type_growth,
    types_for,
    without_stop_words,
)
from core.text.tokenization.tokens import words
from tests.lessons.lesson_page import figure, metrics, numbers, open_lesson, said, table_with
from tests.lessons.tokens.texts import EVERY_TEXT, PASTED, TEXTS


@cache
def opened(text, monkey="false"):
    app = open_lesson("zipf", None if text == "micro-world" else TEXTS[text], monkey=monkey, beat="zipf.3")
    assert not app.exception
    return app


@EVERY_TEXT
@pytest.mark.parametrize("monkey", ["false", "true"])
def test_the_sentences_are_what_core_measures(text, monkey):
    tokens = words(TEXTS[text])
    tokens = monkey_tokens(tokens) if monkey == "true" else tokens
    ranked = rank_words(tokens)
    fit, growth, k = fit_zipf(ranked.counts), type_growth(tokens), min(100, len(ranked.types))
    heaps, drawn = fit_heaps(growth), drawn_distances(fit, len(tokens))
    shown = said(opened(text, monkey))
    assert (
        f"The {k:,} most frequent of {len(ranked.types):,} words cover {ranked.covered[k - 1]:.0%}" in shown
    )
    assert f"{types_for(ranked, 0.5):,} cover half." in shown
    assert f"D = {fit.distance:.3f}; texts drawn" in shown
    assert ("does not follow the law" in shown) == (fit.distance > drawn.max())
    assert f"Texts drawn from the law itself have {drawn.min():.3f} to {drawn.max():.3f}: this one" in shown
    assert ("cannot be told from one that does" in shown) == (drawn.min() <= fit.distance <= drawn.max())
    assert (
        f"(b = {heaps.exponent:.2f}) ends at {heaps.at(len(tokens)):,.0f}, the text at {growth[-1]:,}"
        in shown
    )


@EVERY_TEXT
def test_a_monkey_changes_the_picture_and_takes_more_words_for_half(text):
    whole, broken = opened(text), opened(text, "true")
    assert numbers(figure(whole)["data"]) != numbers(figure(broken)["data"])
    assert "your text" in {trace["name"] for trace in figure(broken)["data"]}
    found = metrics(broken)
    before, after = (
        int(found[f"Words for half of the text, {state}"].replace(",", "")) for state in ("whole", "broken")
    )
    tokens = words(TEXTS[text])
    assert before == types_for(rank_words(tokens), 0.5)
    assert after == types_for(rank_words(monkey_tokens(tokens)), 0.5)
    assert after > before


@EVERY_TEXT
def test_the_monkey_is_said_to_be_farther_from_its_law_only_where_it_is(text):
    tokens = words(TEXTS[text])
    whole, typed = (fit_zipf(rank_words(each).counts).distance for each in (tokens, monkey_tokens(tokens)))
    assert ("are farther from their law" in said(opened(text, "true"))) == (typed > whole)


@EVERY_TEXT
def test_the_monkey_s_counts_fall_only_where_they_do(text):
    counts = rank_words(monkey_tokens(words(TEXTS[text]))).counts
    shown = said(opened(text, "true"))
    assert ("and their counts fall with their rank as well" in shown) == (counts[0] > counts[-1])
    assert ("and all occur equally often" in shown) == (counts[0] == counts[-1])


def test_equal_counts_fall_neither_in_the_monkey_s_words_nor_in_the_text_s():
    text = "cat dogs zebra quick brown fox vwxyz"
    typed = rank_words(monkey_tokens(words(text))).counts
    assert set(typed.tolist()) == {1}
    assert "and all occur equally often: s = 0.00, your text's 0.00" in said(
        open_lesson("zipf", text, monkey="true")
    )
    assert "The most frequent word occurs once;" in said(open_lesson("zipf", text))


def test_a_text_nearer_to_the_law_than_any_that_is_drawn_from_it_can_be_told_from_those():
    shown = said(open_lesson("zipf", "one two three four five six seven eight nine ten eleven twelve"))
    assert "this one is nearer to the law than chance lets them be" in shown


@pytest.mark.parametrize("text", ["a b", "the the the the cat", "the the the cat"])
def test_two_words_always_follow_the_law(text):
    assert "this one cannot be told from one that does" in said(open_lesson("zipf", text))


def test_what_is_read_of_a_long_text_is_said_with_stop_words_left_out_too():
    for stops in ("false", "true"):
        app = open_lesson("zipf", "the cat the dog " * 50_001, stops=stops)
        assert "The first 200,000 tokens of the text are read" in said(app)
    assert "tokens of the text are read" not in said(open_lesson("zipf", PASTED, stops="true"))


def test_every_number_of_the_table_is_core_s():
    table, tokens = table_with(opened("pasted"), "times by the law"), words(PASTED)
    ranked = rank_words(tokens)
    assert table["word"].tolist() == list(ranked.types)
    assert table["times"].tolist() == ranked.counts.tolist()
    np.testing.assert_allclose(table["share of the top r"], ranked.covered)
    np.testing.assert_allclose(table["times by the law"], len(tokens) * fit_zipf(ranked.counts).probabilities)


def test_the_switches_change_the_words():
    cased = table_with(open_lesson("zipf", PASTED, lower="false"), "times by the law")
    assert {"The", "the"} <= set(cased["word"])
    kept = table_with(open_lesson("zipf", PASTED, stops="true"), "times by the law")
    assert kept["word"].tolist() == list(rank_words(without_stop_words(words(PASTED))).types)


@pytest.mark.parametrize("text", ["", "word", "🦜 🦜", "... !!!"])
@pytest.mark.parametrize("monkey", ["false", "true"])
def test_too_few_words_are_answered_with_a_sentence_and_the_page_ends_as_ever(text, monkey):
    app = open_lesson("zipf", text, monkey=monkey)
    assert not app.exception
    assert "at least two different words" in said(app)
    labels = {tab.label for tab in app.tabs}
    assert {"The code that ran", "Take it away", "Sources"} <= labels


@pytest.mark.parametrize(
    "text", ["a b", "🦜 🎉", "早上好。你好吗？", "مرحبا بالعالم", "<b>x</b> $a$ `c` ![i](j)"]
)
@pytest.mark.parametrize("monkey", ["false", "true"])
def test_no_text_breaks_the_page(text, monkey):
    assert not open_lesson("zipf", text, monkey=monkey).exception


@EVERY_TEXT
@pytest.mark.parametrize("form", ["stems", "lemmas"])
@pytest.mark.parametrize("stops", ["false", "true"])
def test_what_the_switches_do_to_the_curve_is_measured(text, form, stops):
    app = open_lesson("zipf", None if text == "micro-world" else TEXTS[text], form=form, stops=stops)
    written = words(TEXTS[text])
    kept = word_forms(without_stop_words(written) if stops == "true" else written, form)
    ranked = [rank_words(tokens) for tokens in (written, kept)]
    before, after = (fit_zipf(each.counts) for each in ranked)
    how = f"without stop words and as {form}" if stops == "true" else f"as {form}"
    D, d = round(before.distance, 3), round(after.distance, 3)
    assert (
        f"Read {how}: {len(written):,} tokens → {len(kept):,}, types {len(ranked[0].types):,} → "
        f"{len(ranked[1].types):,}, exponent s {before.exponent:.2f} → {after.exponent:.2f}, widest gap D {D:.3f} → "
        f"{d:.3f}:" in said(app)
    )
    assert ("farther from its law" in said(app)) == (d > D)
    assert "every word as written" in {trace["name"] for trace in figure(app)["data"]}
    assert table_with(app, "times by the law")["word"].tolist() == list(ranked[1].types[:2000])


def test_as_written_nothing_is_compared():
    assert "Read " not in said(opened("Hamlet"))
    assert "every word as written" not in {trace["name"] for trace in figure(opened("Hamlet"))["data"]}


def test_words_that_are_one_lemma_are_listed_and_are_said_to_be_none_where_there_are_none():
    assert "“see” stands for 3 words, and none for more: “saw”, “sees”, “see”." in said(
        open_lesson("zipf", "he saw and she saw, who sees I see", form="lemmas")
    )
    assert "No two words of this text have a form in common." in said(
        open_lesson("zipf", "one blue cat, one red dog", form="stems")
    )
