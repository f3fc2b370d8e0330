"""Zipf's law: words by rank, how far the law holds, what the top k cover, how the types grow, and a typing monkey."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.tokens.zipf import covered_figure, growth_figure, rank_figure, worked_growth, worked_rank
from core.figures.worked import how_often
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.lesson.text_source import notebook_text, reading, text_source
from core.models.tokens.word_forms import AS_WRITTEN, FORMS, LEMMAS, lemma, merged_most, stem, word_forms
from core.models.tokens.zipf import (
    STOP_WORDS,
    HeapsFit,
    RankedWords,
    ZipfFit,
    drawn_distances,
    fit_heaps,
    fit_zipf,
    heaps_places,
    monkey_tokens,
    rank_words,
    rarer_half,
    type_growth,
    types_for,
    without_stop_words,
    zipf_probabilities,
)
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words

LESSON = Lesson(
    __name__,
    title="Zipf's law",
    question="How many of a text's words does one need to know?",
    icon="chart-no-axes-column-decreasing",
)
TOKENS_AT_MOST = 200_000
ROWS_AT_MOST = 2_000
ROUNDING = 1e-9  # of D: with two words every text follows the law exactly, but for the computer's rounding
TOP = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000)
STOP_WORDS_LISTED = f"{len(STOP_WORDS)} English words: {', '.join(sorted(STOP_WORDS))}"
FORMS_HELP = (
    "As written: “love” and “loved” are two words. Stems: endings are cut off by Porter's second set "
    "of rules, Snowball's. Lemmas: each is looked up in a dictionary. Both are for English; stop words are left out first."
)
RANGES = {"1 to 9": 9, "10 to 99": 99, "100 to 999": 999, "1,000 or more": np.inf}


@dataclass(frozen=True)
class Curves:
    """What is measured in some tokens: their ranks with the law, and how their types grow."""

    ranked: RankedWords
    fit: ZipfFit
    drawn: np.ndarray
    growth: np.ndarray
    heaps: HeapsFit
    merged: tuple[str, list[str]]  # the form that stands for most types, and those
    cut: bool  # whether the text goes on after the tokens that were read

    @cached_property
    def half(self) -> int:
        """Return how many types are half of the tokens."""
        return types_for(self.ranked, 0.5)


def picture() -> Figure:
    """The short sample's counts by rank, with the law's line."""
    ranked = rank_words(words(sample("the-lighthouse").read().text))
    figure = rank_figure(ranked, fit_zipf(ranked.counts), 10)
    return card(figure.update_traces(mode="markers", selector={"mode": "markers+text"}))  # words have no room


def page() -> None:
    """Ranks and counts; how good the law is; what a monkey types; how the types grow; every number."""
    LESSON.open(
        r"p(r) = \frac{r^{-s}}{\sum_{i=1}^{V} i^{-s}} \qquad D = \max_r |F(r) - F_{law}(r)| \qquad V(n) = K n^b",
        "$r$: a word's rank, 1 for the most frequent; $V$: the types; $s$: Zipf's exponent, of maximum likelihood; "
        "$F(r)$: the share of the text that the top $r$ words are, $F_{law}(r)$: that the law gives them; $V(n)$: types "
        "among the first $n$ tokens; $K, b$: Heaps' law, of least squares on logarithms.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        lower = LESSON.toggle("lower", "Lower case", True, help="Off: “The” and “the” are two words.")
        stops = LESSON.toggle("stops", "Leave out stop words", help=STOP_WORDS_LISTED)
        form = LESSON.choose("form", "A word is", FORMS, help=FORMS_HELP)
        k = LESSON.select_slider("k", "The k most frequent words", TOP, value=100, width=220)
        broken = LESSON.break_it(
            "monkey",
            "Break it: a monkey types the text",
            "As many characters as your words have, drawn at random from them, spaces included: does the law need "
            "language?",
        )
    try:
        whole = curves(document, lower, stops, form)
        used = monkey_curves(document, lower, stops, form) if broken else whole
        written = curves(document, lower, False, AS_WRITTEN)
    except ValueError as error:
        stage.warning(str(error))
    else:
        k = min(k, len(used.ranked.types))
        switches = ["without stop words"] * stops + [f"as {form}"] * (form != AS_WRITTEN)
        with stage:
            answer = next(name for name, most in RANGES.items() if used.half <= most)
            about = f"{document.digest[:16]}_{lower}_{stops}_{form}_{broken}"
            if revealed := LESSON.ask(
                "How many different words make up half of this text?", list(RANGES), answer, about
            ):
                before = whole if broken else written if switches else None
                show_ranks(before, used, k, broken)
                if switches:
                    show_switched(written, whole, " and ".join(switches))
                    show_merged(whole, form)
        if revealed:
            if broken:
                show_monkey(whole, used)
            st.header("How good is the law?", anchor=False)
            show_fit(used, k)
        st.header("Do new words ever end?", anchor=False)
        show_growth(used)
        LESSON.every_number("growth", growth_table, used)
        if revealed:
            V = len(used.ranked.types)
            name = "words" if V <= ROWS_AT_MOST else f"the first {ROWS_AT_MOST:,} words"
            LESSON.every_number(name, words_table, used)
    LESSON.closing(
        code=[
            *(stem, lemma, word_forms, rank_words, zipf_probabilities, fit_zipf, drawn_distances, types_for),
            *(fit_heaps, monkey_tokens),
        ],
        notebook=notebook_cells(lower, stops, form, broken),
        plot=(
            "from core.figures.tokens.zipf import rank_figure\n\n"
            "draw(rank_figure(ranked, fit, min(20, len(ranked.counts))))"
        ),
        try_this=[
            ("Hamlet: is it as far from the law as the micro-world?", {"text:": "Hamlet"}),
            ("Leave out the stop words of Hamlet: what becomes of s?", {"text:": "Hamlet", "stops": True}),
            (
                "Hamlet in lemmas: what does the curve lose, its head or its tail?",
                {"text:": "Hamlet", "form": LEMMAS},
            ),
            (
                "A monkey types Hamlet: how many of its words must one know?",
                {"text:": "Hamlet", "monkey": True},
            ),
        ],
        sources=[
            "George Kingsley Zipf (1949), Human Behavior and the Principle of Least Effort.",
            "Harold Stanley Heaps (1978), Information Retrieval: Computational and Theoretical Aspects, section 7.5.",
            "Martin Porter (1980), An algorithm for suffix stripping; and English (Porter2), at snowballstem.org.",
            "Adrien Barbaresi (2021), Simplemma: a simple multilingual lemmatizer for Python.",
            "George A. Miller (1957), Some effects of intermittent silence.",
            "Aaron Clauset, Cosma Rohilla Shalizi and Mark E. J. Newman (2009), Power-law distributions in empirical data.",
        ],
    )


@cached(36, 12, "Counting the words", shared=is_sample)
def curves(document: Document, lower: bool, stops: bool, form: str) -> Curves:
    """Return what is measured in a text's first tokens. Raises ValueError where they are too few."""
    written, cut = tokens_of(document, lower, stops)
    tokens = word_forms(written, form)
    return measured(tokens, merged_most(written, tokens) if tokens else ("", []), cut)


@cached(8, 3, "The monkey types", shared=is_sample)
def monkey_curves(document: Document, lower: bool, stops: bool, form: str) -> Curves:
    """Return what is measured in as many characters as a text's tokens have, typed by a monkey."""
    whole = curves(document, lower, stops, form)  # a text that is too short is so before the monkey types
    tokens = word_forms(tokens_of(document, lower, stops)[0], form)
    return measured(monkey_tokens(tokens), whole.merged, whole.cut)


def measured(tokens: list[str], merged: tuple[str, list[str]], cut: bool) -> Curves:
    """Return what is measured in some tokens. Raises ValueError where they are too few."""
    ranked, growth = rank_words(tokens), type_growth(tokens)
    fit = fit_zipf(ranked.counts)
    return Curves(ranked, fit, drawn_distances(fit, len(tokens)), growth, fit_heaps(growth), merged, cut)


@cached(8, 4, False, shared=is_sample)
def tokens_of(document: Document, lower: bool, stops: bool) -> tuple[list[str], bool]:
    """Return a text's first tokens, and whether there are more."""
    if stops:
        tokens, cut = tokens_of(document, lower, False)
        return without_stop_words(tokens), cut
    every = reading(document).tokens if lower else words(document.text, lower)
    return every[:TOKENS_AT_MOST], len(every) > TOKENS_AT_MOST


def show_ranks(before: Curves | None, used: Curves, k: int, broken: bool) -> None:
    """Draw counts against ranks, beside those before a switch was turned on or the monkey came; say what k cover."""
    V, N = len(used.ranked.types), len(used.growth)
    share = used.ranked.covered[k - 1]
    name = "your text" if broken else "every word as written"
    alt = f"Counts of {V:,} words by rank on logarithmic axes, with Zipf's law of exponent {used.fit.exponent:.2f}."
    LESSON.figure("ranks", rank_figure(used.ranked, used.fit, k, before and before.ranked, name), alt)
    top = (
        f"The most frequent of {V:,} words covers"
        if k == 1
        else f"The {k:,} most frequent of {V:,} words cover"
    )
    half = f"{used.half:,} {'covers' if used.half == 1 else 'cover'} half"
    LESSON.caption(f"{top} {share:.0%} of {N:,} tokens; {half}.")
    LESSON.set_values(half=f"{used.half:,}", N=f"{N:,}", V=f"{V:,}", s=f"{used.fit.exponent:.2f}")
    if used.cut:
        st.caption(f"The first {TOKENS_AT_MOST:,} tokens of the text are read.")


def show_switched(written: Curves, whole: Curves, how: str) -> None:
    """Say what the switches that are on do to the tokens, the types, the exponent and the fit."""
    (N, V), (n, v) = ((len(each.growth), len(each.ranked.types)) for each in (written, whole))
    D, d = (round(each.fit.distance, 3) for each in (written, whole))
    law = (
        "farther from its law" if d > D else "nearer to its law" if d < D else "as near to its law as before"
    )
    sentence = (
        f"Read {how}: {N:,} tokens → {n:,}, types {V:,} → {v:,}, exponent s {written.fit.exponent:.2f} → "
        f"{whole.fit.exponent:.2f}, widest gap D {D:.3f} → {d:.3f}: {law}."
    )
    st.markdown(sentence)
    LESSON.set_values(switched=sentence)


def show_merged(whole: Curves, form: str) -> None:
    """Say which form stands for as many words as any, and for which."""
    one, types = whole.merged
    if len(types) < 2:
        found = "" if form == AS_WRITTEN else "No two words of this text have a form in common."
    else:
        listed = ", ".join(f"“{word[:30]}”" for word in types[:8]) + (", …" if len(types) > 8 else "")
        found = f"“{one[:30]}” stands for {len(types)} words, and none for more: {listed}."
    if found:
        st.text(found)
    LESSON.set_values(merged=found)


def show_monkey(whole: Curves, used: Curves) -> None:
    """Set the monkey's words beside the text's."""
    consequence("Words for half of the text", whole.half, used.half, ",.0f", more_is_better=False)
    than = "farther from" if used.fit.distance > whole.fit.distance else "no farther from"
    falls, fell = (each.ranked.counts[0] > each.ranked.counts[-1] for each in (used, whole))
    shape = (
        f"their counts fall with their rank{' as well' if fell else ''}"
        if falls
        else "all occur equally often"
    )
    st.info(
        f"Nobody chose these words, and {shape}: s = {used.fit.exponent:.2f}, your "
        f"text's {whole.fit.exponent:.2f}. They are {than} their law than your text: D = {used.fit.distance:.3f} and "
        f"{whole.fit.distance:.3f}. {np.mean(used.ranked.counts == 1):.0%} of the monkey's words occur once, "
        f"{np.mean(whole.ranked.counts == 1):.0%} of yours."
    )


def show_fit(used: Curves, k: int) -> None:
    """Draw the coverage beside the law's, and say how far apart they are and what happens at both ends."""
    fit, ranked, drawn = used.fit, used.ranked, used.drawn
    N, p = len(used.growth), ranked.counts / ranked.counts.sum()
    alt = f"Share of the text that the top words cover, and the law's: at most {fit.distance:.3f} apart."
    LESSON.figure("covered", covered_figure(ranked, fit, k), alt)
    if fit.distance > drawn.max() + ROUNDING:
        verdict = "does not follow the law"
    elif fit.distance < drawn.min() - ROUNDING:
        verdict = "is nearer to the law than chance lets them be"
    else:
        verdict = "cannot be told from one that does"
    law = f"{drawn.min():.3f} to {drawn.max():.3f}: this one {verdict}."
    LESSON.caption(f"The widest gap is D = {fit.distance:.3f}; texts drawn from the law itself have {law}")
    LESSON.set_values(D=f"{fit.distance:.3f}", verdict=f"Texts drawn from the law itself have {law}")
    st.markdown(
        f"**The head.** The most frequent word occurs {how_often(int(ranked.counts[0]))}; "
        f"the law foresees {N * fit.probabilities[0]:,.0f}. "
        f"**The tail.** The rarer half of the words is {rarer_half(p):.1%} of the text; the law foresees "
        f"{rarer_half(fit.probabilities):.1%}. {len(drawn)} texts of {N:,} tokens were drawn, ranked and fitted."
    )


def show_growth(used: Curves) -> None:
    """Draw types against tokens with Heaps' law, and say how new the end of the text still is."""
    growth, N = used.growth, len(used.growth)
    alt = f"Types among the first tokens, up to {growth[-1]:,} among {N:,}, with Heaps' law."
    LESSON.figure("growth", growth_figure(growth, used.heaps), alt)
    half = N // 2
    new = growth[-1] - growth[half - 1]
    LESSON.set_values(b=f"{used.heaps.exponent:.2f}", new=f"{new:,}", before=f"{growth[half - 1]:,}")
    LESSON.caption(
        f"The second half of the text brings {new:,} new {'word' if new == 1 else 'words'}, the first {growth[half - 1]:,}; "
        f"Heaps' law (b = {used.heaps.exponent:.2f}) ends at {used.heaps.at(N):,.0f}, the text at {growth[-1]:,}."
    )


def growth_table(used: Curves) -> tuple:
    """Return the table of types among the first tokens, and the formula of its cells."""
    n, growth = heaps_places(len(used.growth)), used.growth
    table = pd.DataFrame({"tokens": n, "types": growth[n - 1], "types by the law": used.heaps.at(n)})
    return table, lambda row, column: worked_growth(int(n[row]), int(growth[n[row] - 1]), used.heaps, column)


def words_table(used: Curves) -> tuple:
    """Return the table of the words' ranks, counts and shares, and the formula of its cells."""
    ranked, N, V = used.ranked, len(used.growth), len(used.ranked.types)
    table = pd.DataFrame(
        {
            "rank r": np.arange(1, V + 1),
            "word": ranked.types,
            "times": ranked.counts,
            "share": ranked.counts / N,
            "share of the top r": ranked.covered,
            "times by the law": N * used.fit.probabilities,
        }
    )[:ROWS_AT_MOST]
    return table, lambda row, column: worked_rank(ranked, used.fit, row, column)


def notebook_cells(lower: bool, stops: bool, form: str, broken: bool) -> list[str]:
    """Return the cells that read the text, with the switches as they are, and measure it."""
    steps = [
        notebook_text(),
        f"tokens = words(text, lower={lower})[:{TOKENS_AT_MOST}]",
        *(["tokens = without_stop_words(tokens)"] if stops else []),
        *([f"tokens = word_forms(tokens, {form!r})"] if form != AS_WRITTEN else []),
        *(["tokens = monkey_tokens(tokens)"] if broken else []),
    ]
    names = (
        "drawn_distances, fit_heaps, fit_zipf, monkey_tokens, rank_words, type_growth, types_for, "
        "without_stop_words"
    )
    return [
        "from core.models.tokens.word_forms import word_forms\n"
        f"from core.models.tokens.zipf import {names}\nfrom core.text.tokenization.tokens import words\n"
        + "\n".join(steps),
        "ranked = rank_words(tokens)\nfit = fit_zipf(ranked.counts)\n"
        "print(fit.exponent, fit.distance, drawn_distances(fit, len(tokens)), types_for(ranked, 0.5))",
        "fit_heaps(type_growth(tokens))",
    ]
