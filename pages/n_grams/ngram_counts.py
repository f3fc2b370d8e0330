"""Counting n-grams: a window slides over the text, and its counts make a tree that can be walked."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.ngram import rarity_figure, window_figure
from core.figures.ngram_tree import tree_columns
from core.figures.ngram_worked import worked_probability
from core.lesson.break_it import break_it, consequence
from core.lesson.browser_view import browser_view
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.ngram_choice import (
    ORDER_AT_MOST,
    SOURCES,
    choose_order,
    choose_unit,
    counted_text,
    notebook_cells,
    tokens_by_count,
)
from core.lesson.opening import open_lesson
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.ngram import maximum_likelihood
from core.models.ngram_counts import NgramCounts, count_ngrams
from core.models.ngram_text import most_frequent
from core.models.ngram_worked import explain

LESSON = "ngram_counts"
ROWS_AT_MOST = 1000
WINDOW_AT_MOST = 40
open_lesson(
    LESSON,
    r"p(w \mid h) = \frac{c(hw)}{c(h)}",
    "$h$: the context, a run of tokens; $w$: the token after it; $c(hw)$: how often your text has the run $hw$; "
    "$c(h)$: how often something follows $h$. A run of two tokens is a **bigram**, of $n$ an **n-gram**.",
)
document = text_source()
controls, picture = st.columns([1, 3], gap="medium")
with controls:
    unit = choose_unit(LESSON)
    counted = counted_text(document, unit)
    n = choose_order(LESSON, 3, least=2)
    box, walk = f"{LESSON}_{unit}_path", getattr(st.session_state.get(f"{LESSON}_tree"), "walk", None)
    if walk and walk != st.session_state.get(f"{LESSON}_walked"):
        st.session_state[f"{LESSON}_walked"] = walk
        st.session_state[box] = counted.write(
            token for token in walk["path"] if token <= len(counted.vocabulary)
        )
    common = tokens_by_count(counted)[0][0]
    typed = st.text_input(
        "Walk to",
        placeholder=counted.write([common]),
        key=box,
        bind="query-params",
        live=True,
        max_chars=200,
        help="A run of tokens; <s> begins a sentence. Or click your way through the tree.".replace(
            "<", "&lt;"
        ),
    )
    crossing = break_it(
        LESSON, "crossing", "Break it: one endless sentence", "Windows then reach over the end of a sentence."
    )
whole = counted
if crossing:
    counted = replace(counted, counts=count_ngrams(counted.training, counted.vocabulary.types, ORDER_AT_MOST))
try:
    path = counted.read(typed)[:n] or [common]
except KeyError as error:
    controls.text(f"“{error.args[0]}” is not in your text. Shown instead: {counted.write([common])}")
    path = [common]


def worked(run: list[int]) -> str:
    """Return c(hw) / c(h) of a run, written out with its counts."""
    model = maximum_likelihood(counted.counts, len(run))
    return worked_probability(explain(model, run[:-1], run[-1]), counted.name, len(model.vocabulary))


tree = tree_columns(counted, path, n)
last = tree["columns"][-1]
with picture:
    guesses = [child["token"] for child in last["children"][:4]]
    revealed = not guesses or predict_first(
        LESSON,
        f"After {len(tree['columns']) - 1} tokens of your path: which token is the most frequent next one?",
        sorted(guesses),
        guesses[0],
        f"{path}_{unit}_{crossing}_{len(counted.training)}",
    )
    if revealed:
        browser_view("ngram_tree", tree, f"{LESSON}_tree", {"walk": None})
    if not last["total"]:
        st.text(
            f"Nothing follows “{last['context']}”: your text has it only at the end of a sentence, or not at all."
        )
    if revealed and last["total"] and path and path[-1] < len(counted.vocabulary):
        st.latex(worked(path))

if crossing:
    st.markdown("Without the ends of sentences the text has runs in it that nobody wrote:")
    sizes = [int((each.counts.counts[n] > 0).sum()) for each in (whole, counted)]
    consequence(f"Different {n}-grams", *sizes, ",d", more_is_better=False)

st.header("How the counting goes", anchor=False)
ends = np.flatnonzero(counted.training == counted.vocabulary["</s>"])
number = st.number_input("Sentence", 1, len(ends), 1, key=f"{LESSON}_sentence", bind="query-params")
start = 0 if number == 1 else int(ends[number - 2]) + 1
sentence = counted.training[start : int(ends[number - 1]) + 1][:WINDOW_AT_MOST].tolist()
padded = [len(counted.vocabulary)] * (n - 1) + sentence
place = n - 1 + stepper(LESSON, [f"one window of {n}" for _ in sentence])
window = padded[place - n + 1 : place + 1]
before = sum(padded[i - n + 1 : i + 1] == window for i in range(n - 1, place))
show_figure(
    window_figure([counted.name(token) for token in padded], place, n),
    f"{LESSON}_window",
    f"A window of {n} tokens on sentence {number}; its last token is counted after the others",
)
st.text(
    f"“{counted.write(window)}” is counted once more: {before + 1} in this sentence so far, "
    f"{whole.counts.count(window):,} in the whole text."
)
st.header("The longer, the rarer", anchor=False)
seen = [counts[counts > 0] for counts in counted.counts.counts[1:]]
show_figure(
    rarity_figure([len(each) for each in seen], [int((each == 1).sum()) for each in seen]),
    f"{LESSON}_rarity",
    f"The text has {len(seen[n - 1]):,} different {n}-grams; {(seen[n - 1] == 1).mean():.0%} of them occur once",
)
st.markdown(
    f"Of {len(seen[n - 1]):,} different {n}-grams, **{(seen[n - 1] == 1).mean():.0%}** were seen only once. The longer "
    "the run, the more of what can be said was never counted at all: that is why there is smoothing."
)
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
every_number(
    LESSON,
    f"the most frequent {n}-grams",
    table,
    lambda row, column: worked(list(frequent[row].tokens)) if column == "p" else None,
)
code_that_ran(count_ngrams, NgramCounts.continuations, most_frequent)
take_away(
    LESSON,
    "Counting n-grams",
    [
        *notebook_cells(f"{unit!r}, order=5", "none", n, {}),
        f"counted.counts.continuations(counted.read({counted.write(path)!r}))",
    ],
)
try_this(
    LESSON,
    [
        ("Walk from the beginning of a sentence: how do most of them begin?", {"words_path": "<s>"}),
        ("Characters: what follows “th”?", {"unit": "characters", "characters_path": "th"}),
        ("Let windows cross the ends of sentences: how many runs that nobody wrote?", {"crossing": True}),
    ],
    SOURCES,
)
