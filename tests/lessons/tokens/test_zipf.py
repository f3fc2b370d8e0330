"""The page on Zipf's law says what core measures, on three texts, whole and typed by a monkey."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from core.models.tokens.word_forms import word_forms
from core.models.tokens.zipf import (
    STOP_WORDS,
    drawn_distances,
    fit_heaps,
    fit_zipf,
    monkey_tokens,
    rank_words,
    type_growth,
    types_for,
    without_stop_words,
)
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words
from core.words.numbers import percent
from pages.tokens.zipf.page import JUDGED_FROM
from pages.tokens.zipf.page import TEXTS as COMPARED
from tests.lessons.lesson_page import (
    document,
    figure,
    metrics,
    numbers,
    open_lesson,
    picture,
    said,
    said_in,
    table_with,
)
from tests.lessons.tokens.texts import EVERY_TEXT, PASTED, TEXTS

OPENED = {"how_good": "true", "new_words": "true"}
GERMAN = (
    "Der Hund liegt vor dem Haus und schläft. Die Katze sieht den Hund und geht weg. Am Abend kommt das Kind nach "
    "Hause und füttert beide."
)


@cache
def opened(text, monkey="false"):
    app = open_lesson("zipf", TEXTS[text], monkey=monkey, **OPENED)
    assert not app.exception
    return app


def opened_on(text, **query):
    return open_lesson("zipf", text, **OPENED, **query)


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
    assert f"The widest gap is D = {fit.distance:.3f}." in shown
    judged = len(tokens) >= JUDGED_FROM
    assert ("is too short to judge the law" in shown) != judged
    assert ("does not follow the law" in shown) == (judged and fit.distance > drawn.max())
    drawn_from = f"Texts drawn from the law itself have {drawn.min():.3f} to {drawn.max():.3f}: this one"
    assert (drawn_from in shown) == judged
    assert ("could be one of them" in shown) == (judged and drawn.min() <= fit.distance <= drawn.max())
    described = abs(heaps.at(len(tokens)) / growth[-1] - 1) < 0.05
    assert ("the law does not describe this text well" in shown) != described
    assert (
        f"(b = {heaps.exponent:.2f}) ends at {heaps.at(len(tokens)):,.0f}, the text at {growth[-1]:,}"
        in shown
    )


@EVERY_TEXT
def test_a_monkey_changes_the_picture_and_takes_more_words_for_half(text):
    whole, broken = opened(text), opened(text, "true")
    assert numbers(figure(whole)["data"]) != numbers(figure(broken)["data"])
    assert "your text" in {trace["name"] for trace in figure(broken)["data"]}
    before, after = (int(each.replace(",", "")) for each in metrics(broken).values())
    tokens = words(TEXTS[text])
    assert before == types_for(rank_words(tokens), 0.5)
    assert after == types_for(rank_words(monkey_tokens(tokens)), 0.5)
    assert after > before


@EVERY_TEXT
def test_the_monkey_is_said_to_be_farther_from_its_law_only_where_it_is(text):
    tokens = words(TEXTS[text])
    whole, typed = (fit_zipf(rank_words(each).counts).distance for each in (tokens, monkey_tokens(tokens)))
    judged = len(tokens) >= JUDGED_FROM
    assert ("are farther from their law" in said(opened(text, "true"))) == (judged and typed > whole)
    assert ("no farther from their law" in said(opened(text, "true"))) == (judged and typed <= whole)


@EVERY_TEXT
def test_the_monkey_s_words_are_said_to_be_equally_frequent_only_where_they_are(text):
    counts = rank_words(monkey_tokens(words(TEXTS[text]))).counts
    shown = said(opened(text, "true"))
    assert ("and all occur equally often" in shown) == (counts[0] == counts[-1])


def test_equal_counts_fall_neither_in_the_monkey_s_words_nor_in_the_text_s():
    text = "cat dogs zebra quick brown fox vwxyz"
    typed = rank_words(monkey_tokens(words(text))).counts
    assert set(typed.tolist()) == {1}
    assert "and all occur equally often: s = 0.00, your text's 0.00" in said(
        open_lesson("zipf", text, monkey="true")
    )
    assert "The most frequent word occurs once;" in said(opened_on(text))


def test_a_text_nearer_to_the_law_than_any_that_is_drawn_from_it_can_be_told_from_those():
    even = " ".join(f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(600))
    assert "this one is nearer to the law than chance lets them be" in said(opened_on(f"{even} {even}"))


@pytest.mark.parametrize("text", ["the the the cat", "one two three four five", PASTED, GERMAN])
def test_a_short_text_is_told_so_and_not_judged(text):
    shown = said(opened_on(text, monkey="true", form="lemmas"))
    assert f"A text of {len(monkey_tokens(word_forms(words(text), 'lemmas')))} tokens is too short" in shown
    assert "follow the law" not in shown and "from its law" not in shown and "from their law" not in shown


def test_two_words_always_follow_the_law():
    assert "this one could be one of them" in said(opened_on("the the the cat " * 400))


def test_rules_and_dictionary_are_said_to_be_for_english_where_the_text_is_hardly_that():
    english = sum(token in STOP_WORDS for token in words(GERMAN)) / len(words(GERMAN))
    assert english < 0.35 < sum(token in STOP_WORDS for token in words(PASTED)) / len(words(PASTED))
    for form in ("stems", "lemmas"):
        assert "Few of these words are common English words" in said(opened_on(GERMAN, form=form))
        assert "common English words" not in said(opened_on(PASTED, form=form))
    assert "common English words" not in said(opened_on(GERMAN))


def test_what_is_read_of_a_long_text_is_said_with_stop_words_left_out_too():
    for stops in ("false", "true"):
        app = open_lesson("zipf", "the cat the dog " * 50_001, stops=stops)
        assert "We read the first 200,000 tokens of the text." in said(app)
    assert "We read the first" not in said(open_lesson("zipf", PASTED, stops="true"))


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
    app = open_lesson("zipf", TEXTS[text], form=form, stops=stops)
    written = words(TEXTS[text])
    kept = word_forms(without_stop_words(written) if stops == "true" else written, form)
    ranked = [rank_words(tokens) for tokens in (written, kept)]
    before, after = (fit_zipf(each.counts) for each in ranked)
    how = f"without stop words and as {form}" if stops == "true" else f"as {form}"
    D, d = round(before.distance, 3), round(after.distance, 3)
    assert (
        f"Read {how}: {len(written):,} tokens → {len(kept):,}, types {len(ranked[0].types):,} → "
        f"{len(ranked[1].types):,}, exponent s {before.exponent:.2f} → {after.exponent:.2f}" in said(app)
    )
    judged = len(kept) >= JUDGED_FROM
    assert (f", widest gap D {D:.3f} → {d:.3f}:" in said(app)) == judged
    assert ("farther from its law" in said(app)) == (judged and d > D)
    assert "every word as written" in {trace["name"] for trace in figure(app)["data"]}
    assert table_with(app, "times by the law")["word"].tolist() == list(ranked[1].types[:2000])


def test_as_written_nothing_is_compared():
    assert "Read " not in said(opened("Hamlet"))
    assert "every word as written" not in {trace["name"] for trace in figure(opened("Hamlet"))["data"]}


def test_words_that_are_one_lemma_are_listed_and_are_said_to_be_none_where_there_are_none():
    assert "“see” stands for 3 words, and no other for more: “saw”, “sees”, “see”." in said(
        open_lesson("zipf", "he saw and she saw, who sees I see", form="lemmas")
    )
    assert "No two words of this text have a form in common." in said(
        open_lesson("zipf", "one blue cat, one red dog", form="stems")
    )


# The story.


@pytest.fixture(scope="module")
def hamlet():
    tokens = words(sample("hamlet").read().text)
    return tokens, rank_words(tokens)


def test_half_of_hamlet_is_counted_word_by_word(hamlet):
    tokens, _ranked = hamlet
    times = Counter(tokens)
    total, half = 0, 0
    for _, n in times.most_common():
        total, half = total + n, half + 1
        if total >= len(tokens) / 2:
            break
    told = document("zipf", "half", True)
    assert told["ask"]["answer"] == str(half) == "69" and f"{half} words" in said_in(told)
    assert f"{half:,}" in said_in(document("zipf", "answer"))
    asked = picture("zipf", "half")["figure"]["data"][0]
    assert len(numbers(asked["y"])) == 10  # the curve does not go on before the guess
    first = picture("zipf", "common")["panels"][0]["rows"]
    assert [(row["name"], row["to"]) for row in first] == times.most_common(10)
    assert {row["name"] for row in first} <= STOP_WORDS  # function words


def test_half_grows_far_more_slowly_than_the_text(hamlet):
    tokens, ranked = hamlet
    start = types_for(rank_words(tokens[:3000]), 0.5)
    assert f"first 3,000 words already need {start} for half" in said_in(document("zipf", "answer"))
    assert start < types_for(ranked, 0.5) < 135 and 2.5 * start > 135


def test_the_classes_of_rare_and_frequent_words_are_counted(hamlet):
    tokens, _ = hamlet
    times = Counter(tokens)
    types, share = (panel["rows"] for panel in picture("zipf", "rare")["panels"])
    for i, (low, high) in enumerate(((1, 2), (2, 3), (3, 10), (10, 100), (100, 10**9))):
        kept = [n for n in times.values() if low <= n < high]
        assert types[i]["to"] == pytest.approx(len(kept) / len(times))
        assert share[i]["to"] == pytest.approx(sum(kept) / len(tokens))
    assert sum(row["to"] for row in share) == pytest.approx(1)
    assert percent(types[0]["to"], 0) in said_in(document("zipf", "rare"))


def test_rank_times_count_is_worked_out(hamlet):
    _, ranked = hamlet
    told = said_in(document("zipf", "line"))
    for r in (10, 100):
        n = int(ranked.counts[r - 1])
        assert f"{r} × {n} = {r * n:,} for “{ranked.types[r - 1]}”" in told
    fit = fit_zipf(ranked.counts)
    assert f"−{fit.exponent:.2f}" in told and f"rank 1 has only {ranked.counts[0]:,}" in told
    assert ranked.counts[0] < ranked.counts.sum() * fit.probabilities[0]
    points = picture("zipf", "line")["figure"]["data"][1]
    named = {text for text in points["text"] if text}
    assert named == {ranked.types[r - 1] for r in (1, 3, 10, 30, 100, 300, 1000)}


def test_hamlet_does_not_follow_the_law_and_the_gap_is_drawn_where_it_is_widest(hamlet):
    tokens, ranked = hamlet
    fit = fit_zipf(ranked.counts)
    assert fit.distance > drawn_distances(fit, len(tokens)).max()
    told = said_in(document("zipf", "law"))
    assert f"{fit.distance:.3f}" in told and "it is not exact" in told
    assert f"{fit.probabilities[0]:.1%} of the text, but it is only {ranked.covered[0]:.1%}" in told
    wrong = np.abs(np.log(ranked.counts / (len(tokens) * fit.probabilities)))
    assert wrong.argmax() == 0  # worst for the most frequent word
    gap = picture("zipf", "law")["figure"]["data"][2]
    assert abs(np.diff(numbers(gap["y"]))[0]) == pytest.approx(fit.distance, abs=1e-9)


def test_new_words_are_counted_in_both_halves(hamlet):
    tokens, _ = hamlet
    half = len(tokens) // 2
    before = len(set(tokens[:half]))
    new = len(set(tokens)) - before
    asked, told = document("zipf", "growth"), document("zipf", "growth", True)
    assert f"{before:,}" in said_in(asked) and f"{new:,} more" in said_in(told)
    assert told["ask"]["answer"] == "many" and new > 1000
    assert max(numbers(asked["picture"]["data"]["figure"]["data"][0]["x"])) <= half
    heaps = fit_heaps(type_growth(tokens))
    assert (
        heaps.exponent < 1 and 0.05 < abs(heaps.at(len(tokens)) / len(set(tokens)) - 1) < 0.5
    )  # only roughly


@pytest.mark.parametrize("counted", ["written", "stems", "lemmas"])
def test_words_are_counted_as_stems_and_lemmas(hamlet, counted):
    tokens, _ranked = hamlet
    told = document("zipf", "heads", counted=counted)
    done = str(told["done"]).replace("<strong>", "").replace("</strong>", "")
    kept = rank_words(word_forms(tokens, "as written" if counted == "written" else counted))
    assert f"{len(kept.types):,}" in done
    rows = told["picture"]["data"]["panels"][0]["rows"]
    assert [(row["name"], row["to"]) for row in rows] == list(
        zip(kept.types[:10], kept.counts[:10].tolist(), strict=True)
    )
    assert ("be" in {row["name"] for row in rows}) == (counted == "lemmas")


def test_the_monkey_needs_far_more_words_and_is_farther_from_its_law(hamlet):
    tokens, ranked = hamlet
    typed = rank_words(monkey_tokens(tokens))
    told = document("zipf", "typed", True)
    assert told["ask"]["answer"] == "more" and types_for(typed, 0.5) > 20 * types_for(ranked, 0.5)
    assert f"{types_for(typed, 0.5):,}" in said_in(told)
    far, near = (fit_zipf(each.counts).distance for each in (typed, ranked))
    assert f"({far:.3f} and {near:.3f})" in said_in(told).replace(" = ", "") and far > near
    single = int(said_in(told).split("the first ")[1].split()[0])
    assert {len(word) for word in typed.types[:single]} == {1} and len(typed.types[single]) > 1
    assert percent(float(np.mean(typed.counts == 1)), 0) in said_in(told)


@pytest.mark.parametrize("text", COMPARED)
def test_of_another_text_it_is_said_whether_it_is_long_enough(text):
    tokens = words(sample(COMPARED[text]).read().text)[:200_000]
    ranked = rank_words(tokens)
    done = str(document("zipf", "others", text=text)["done"]).replace("<strong>", "").replace("</strong>", "")
    assert f"{len(tokens):,} words, {len(ranked.types):,} different" in done
    assert f"{types_for(ranked, 0.5)} make" in done
    assert ("too short to judge" in done) == (len(tokens) < JUDGED_FROM)
    assert ("Its words run out" in done) == (text == "world")
