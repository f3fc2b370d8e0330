"""Counting n-grams: a window slides over the text, and its counts make a tree that can be walked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.n_grams.ngram import rarity_figure, window_figure
from core.figures.n_grams.ngram_tree import tree_columns
from core.figures.n_grams.ngram_worked import worked_run
from core.figures.worked import how_often
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import NO_SMOOTHING, choose_counts, choose_order, counts_of
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.n_grams.ngram_counts import NgramCounts, count_ngrams
from core.models.n_grams.ngram_text import END, CountedText, Run, most_frequent, most_frequent_token, runs_of
from core.models.n_grams.rarity import rarity, runs_over_ends, without_ends
from core.text.reading.documents import Document
from pages.n_grams.shared.take_away import SOURCES, model_cells
from pages.n_grams.shared.typed_tokens import read_run, type_tokens

LESSON = Lesson(
    __name__,
    title="Counting n-grams",
    question="What can a text's own counts say about the next word?",
    icon="hash",
)
ROWS = 9  # tokens in a column of the tree, so that all of it is seen at once
ROWS_AT_MOST = 1000
LONG = 6  # tokens of the sentence that is shown first, at least, if there is one
WINDOW_AT_MOST = 40  # tokens of a sentence that the window slides over


def picture() -> Figure:
    """A window of three words on a sentence."""
    return small(window_figure("<s> <s> the king sees the queen </s>".split(), 4, 3))


def page() -> None:
    """The tree of a text's runs, walked; how its counts come about; how rare long runs are."""
    LESSON.open(
        r"p(w \mid h) = \frac{c(hw)}{c(h)}",
        "$h$: the context, a run of tokens; $w$: the token after it; $c(hw)$: how often your text has the run $hw$; "
        "$c(h)$: how often something follows $h$. A run of two tokens is a **bigram**, of $n$ an **n-gram**.",
    )
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source("hamlet")
        whole = choose_counts(LESSON, document, remarks)
        n = choose_order(LESSON, 3, least=2)
        example = [most_frequent_token(whole)]
        typed = type_tokens(
            *(LESSON, whole, "path", "Walk to", whole.write(example)),
            "A run of tokens; &lt;s> begins a sentence. Or click your way through the tree.",
        )
        crossing = LESSON.break_it(
            "crossing", "Break it: one endless sentence", "Windows then reach over the end of a sentence."
        )
    with remarks:
        path = read_run(whole, typed, example, whole.write(example))[:n]

    counted = endless(document, whole.unit) if crossing else whole
    tree = tree_columns(counted, path, n, ROWS)
    tell_tree(tree)
    with stage:
        if revealed := ask_next(tree, f"{path}_{counted.unit}_{crossing}_{len(counted.training)}"):
            LESSON.view("ngram_tree", tree, "tree", on={"walk": partial(walk, whole)})
            LESSON.caption(said_of(tree, "the text" if crossing else "a sentence"))
            if best := next((child for child in tree["columns"][-1]["children"] if child["share"]), None):
                st.latex(worked_run(counted, [*path[: n - 1], best["id"]]))  # the p of that sentence
    if crossing:
        show_crossing(n, document, whole, counted)

    st.header("How the counting goes", anchor=False)
    show_window(n, whole, counted, revealed)
    st.header("How rare are long runs?", anchor=False)
    show_rarity(n, counted)
    if revealed:
        LESSON.every_number(f"the most frequent {n}-grams", frequent_table, n, counted)
    recount = "from core.models.n_grams.rarity import without_ends\n\ncounted = without_ends(counted)"
    LESSON.closing(
        code=[
            *(count_ngrams, NgramCounts.continuations, rarity, most_frequent, runs_of),
            *((without_ends, runs_over_ends) if crossing else ()),
        ],
        notebook=[
            *model_cells(whole.unit, NO_SMOOTHING, n),
            *([recount] if crossing else []),
            f"counted.counts.continuations(counted.read({counted.write(path)!r}))",
        ],
        plot=(
            "from core.figures.n_grams.ngram import rarity_figure\n"
            "from core.models.n_grams.rarity import rarity\n\n"
            "found = rarity(counted.counts)\n"
            "draw(rarity_figure(found.different, found.once))"
        ),
        try_this=[
            (
                "Walk from the beginning of a sentence: how do most of them begin?",
                {"unit": "words", "words_path": "<s>"},
            ),
            ("Characters: what follows “th”?", {"unit": "characters", "characters_path": "th"}),
            (
                "Let windows cross the ends of sentences: how many runs that nobody wrote?",
                {"crossing": True},
            ),
        ],
        sources=SOURCES,
    )


def walk(counted: CountedText, path: list[int]) -> None:
    """Write the path that was clicked in the tree into the field."""
    known = [token for token in path if token <= len(counted.vocabulary)]
    LESSON.set_state(f"{counted.unit}_path", counted.write(known))


def ask_next(tree: dict, about: str) -> bool:
    """Ask for the most frequent token after the path, among rarer ones; return whether the tree may be shown."""
    children = tree["columns"][-1]["children"]
    rarer = [child["token"] for child in children if child["count"] < children[0]["count"] and child["share"]]
    if not rarer:
        return True
    place = len(tree["columns"]) - 1
    first = "the first token" if place == 1 else f"the first {place} tokens"
    question = f"After {first} of your path: which token is the most frequent next one?"
    if not place:
        question = "Anywhere in your text: which token is the most frequent?"
    answer = children[0]["token"]
    return LESSON.ask(question, sorted([answer, *rarer[:3]]), answer, about)


def tell_tree(tree: dict) -> None:
    """Keep for the tour how many tokens were counted, and the count, the context's count and the share after the path."""
    first, last = tree["columns"][0], tree["columns"][-1]
    divided = "Here nothing follows, so there is nothing to divide."
    if last["total"]:
        child = last["children"][0]
        divided = f"For “{child['token']}” it is {child['count']:,} divided by {last['total']:,}, {child['share']:.3g}."
    context = f"after “{last['context']}”" if len(tree["columns"]) > 1 else "anywhere"
    LESSON.set_values(
        total=f"{first['total']:,}", types=f"{first['types']:,}", context=context, divided=divided
    )


def said_of(tree: dict, what_ends: str) -> str:
    """Say which token comes most often after the path, and how often; `what_ends` has an end after which nothing comes."""
    last = tree["columns"][-1]
    context = plain(last["context"])
    if not last["total"]:
        return f"Nothing follows “{context}”: your text has it only at the end of {what_ends}, or not at all."
    first, *others = (child for child in last["children"] if child["share"])
    after = f"After “{context}”" if len(tree["columns"]) > 1 else "Anywhere"
    name = f"“{plain(first['token'])}”"
    tied = any(child["count"] == first["count"] for child in others)
    said = f"no token is more frequent than {name}" if tied else f"{name} is the most frequent"
    return (
        f"{after}, {said}: {first['count']:,} of {last['total']:,} "
        f"{'time' if last['total'] == 1 else 'times'}, "
        f"p = {first['share']:.3g}."
    )


@cached(2, 1, "Counting without ends", shared=is_sample)
def endless(document: Document, unit: str) -> CountedText:
    """Return the text counted as one endless sentence."""
    return without_ends(counts_of(document, unit))


@cached(16, 4, "Looking for what nobody wrote", shared=is_sample)
def in_no_sentence(document: Document, unit: str, n: int) -> tuple[int, Run | None]:
    """Return `runs_over_ends` of the endless text."""
    return runs_over_ends(counts_of(document, unit), endless(document, unit), n)


def show_crossing(n: int, document: Document, whole: CountedText, endless: CountedText) -> None:
    """Show how many runs of n tokens the endless text has that stand in no sentence."""
    different, frequent = in_no_sentence(document, whole.unit, n)
    LESSON.set_values(
        across=f"None of them is more frequent than “{endless.write(frequent.tokens)}”, "
        f"counted {how_often(frequent.count)}."
        if frequent
        else "On this text no new run is made."
    )
    if frequent:
        every = int((endless.counts.counts[n] > 0).sum())
        st.markdown(
            f"Without ends, {different:,} of {every:,} different {n}-grams run from one sentence into the next and "
            f"stand in no sentence. None of these is more frequent than “{plain(endless.write(frequent.tokens))}”, "
            f"counted {how_often(frequent.count)}."
        )
    else:
        st.markdown(
            "This text has no window over an end that a sentence does not have too: no new run is made."
        )
    # With its ends a text has no such run: all its runs are those of its sentences.
    consequence(f"Different {n}-grams that stand in no sentence", 0, different, ",d", False)


def show_window(n: int, whole: CountedText, counted: CountedText, revealed: bool) -> None:
    """Step a window of n tokens over a sentence, and say how often the run in it has been counted.

    What is counted in the whole text may be what is still to be guessed: it is said once that is `revealed`.
    """
    number, before, sentence = choose_sentence(n, whole, counted)
    padded = [len(counted.vocabulary)] * (n - 1 - len(before)) + before + sentence
    windows = [padded[place - n + 1 : place + 1] for place in range(n - 1, len(padded))]
    times = how_often(counted.counts.count(windows[0]))
    LESSON.set_values(n=n, window=counted.write(windows[0]), times=times)
    shared = {"tokens": [counted.name(token) for token in padded], "order": n}
    LESSON.steps(
        [
            frame(
                f"one window of {n}",
                {"kind": "window", "place": n - 1 + i},
                f"A window of {n} tokens on sentence {number}; its last token is counted after the others",
                f"“{counted.write(window)}” is counted once more: {windows[: i + 1].count(window)} in this sentence so "
                f"far{f', {counted.counts.count(window):,} in the whole text' if revealed else ''}.",
            )
            for i, window in enumerate(windows)
        ],
        shared=shared,
    )


def choose_sentence(n: int, whole: CountedText, counted: CountedText) -> tuple[int, list[int], list[int]]:
    """Draw the choice of a sentence; return its number, what the window sees before it, and its first tokens.

    Where sentences have no ends, each is one token shorter, and the window begins on the tokens of the one before.
    """
    ends = np.flatnonzero(whole.training == whole.vocabulary[END]) + 1
    long = np.flatnonzero(np.diff(ends, prepend=0) > LONG)  # a play's first sentence is its title
    first = int(long[0]) + 1 if len(long) else 1
    number = LESSON.number("sentence", f"Sentence, 1 to {len(ends):,}", 1, len(ends), first)
    start, stop = (0, *ends)[number - 1 : number + 1]
    if counted is whole:
        return number, [], whole.training[start:stop][:WINDOW_AT_MOST].tolist()
    start, stop = start - number + 1, stop - number
    before = counted.training[max(0, start - n + 1) : start]
    return number, before.tolist(), counted.training[start:stop][:WINDOW_AT_MOST].tolist()


def show_rarity(n: int, counted: CountedText) -> None:
    """Draw how many different runs of each length there are, and say what share of them occurs only once."""
    found = rarity(counted.counts)
    written = told_apart(found.shares)
    shares = ", ".join(f"{share} for n = {k}" for k, share in enumerate(written, start=1))
    LESSON.figure(
        "rarity",
        rarity_figure(found.different, found.once),
        f"The text has {found.different[n - 1]:,} different {n}-grams; {written[n - 1]} occur once",
    )
    rises = all(shorter < longer for shorter, longer in pairwise(found.shares))
    LESSON.set_values(
        different=f"{found.different[n - 1]:,}",
        once=written[n - 1],
        single=written[0],
        growth="It grows with every step of n."
        if rises
        else "On this text it does not grow with every step.",
    )
    st.markdown(
        f"Of {found.different[n - 1]:,} different {n}-grams, **{written[n - 1]}** were seen only once. "
        f"That share is {shares}: "
        + ("the longer, the rarer. " if rises else "in this text it does not grow with every step. ")
        + "What was seen once could as well not have been seen: that is why there is smoothing."
    )


def told_apart(shares: Sequence[float]) -> list[str]:
    """Write shares with as few digits as tell any two apart that differ, and each from all, at most three.

    >>> told_apart([0.5, 0.981, 0.984]), told_apart([0.5, 1.0, 1.0]), told_apart([0.5, 0.98, 0.996])
    (['50.0%', '98.1%', '98.4%'], ['50%', '100%', '100%'], ['50.0%', '98.0%', '99.6%'])
    """
    every = [[f"{share:.{digits}%}" for share in (1.0, *shares)] for digits in range(4)]
    return next((each for each in every if len(set(each)) == len({1.0, *shares})), every[-1])[1:]


def frequent_table(n: int, counted: CountedText) -> tuple:
    """Return the table of the most frequent runs of n tokens with their counts, and the formula of its cells."""
    frequent = most_frequent(counted.counts, n, ROWS_AT_MOST)
    table = pd.DataFrame(
        {
            "context": [counted.write(run.tokens[:-1]) for run in frequent],
            "next": [counted.name(run.tokens[-1]) for run in frequent],
            "c(hw)": [run.count for run in frequent],
            "c(h)": [run.context_count for run in frequent],
            "p": [run.count / run.context_count for run in frequent],
        }
    )

    def formula(row: int, column: str) -> str | None:
        return worked_run(counted, frequent[row].tokens) if column == "p" else None

    return table, formula
