"""How n-grams are counted: a window slides over a sentence; and what the counts say of long runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.n_grams.ngram import rarity_figure, window_figure
from core.lesson.break_it import consequence
from core.lesson.choices.ngram_choice import ORDER_AT_MOST
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.stepper import stepper
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.n_grams.ngram_text import END, CountedText, most_frequent
from pages.n_grams.parts.ngram_worked import worked_run

ROWS_AT_MOST = 1000
WINDOW_AT_MOST = 40
CROSSING_CELL = f"""from dataclasses import replace
from core.models.n_grams.ngram_counts import count_ngrams

endless = count_ngrams(counted.training, counted.vocabulary.types, {ORDER_AT_MOST})
counted = replace(counted, counts=endless)"""  # what without_ends does


def without_ends(counted: CountedText) -> CountedText:
    """Return a text counted as one endless sentence: its windows reach over the ends of sentences."""
    counts = count_ngrams(counted.training, counted.vocabulary.types, ORDER_AT_MOST)
    return replace(counted, counts=counts)


def show_crossing(n: int, counted: CountedText, endless: CountedText) -> None:
    """Show how many different runs of n tokens there are, with the ends of sentences and without."""
    st.markdown("Without the ends of sentences the text has runs in it that nobody wrote:")
    different = [int((each.counts.counts[n] > 0).sum()) for each in (counted, endless)]
    consequence(f"Different {n}-grams", *different, ",d", more_is_better=False)


def choose_sentence(lesson: str, counted: CountedText) -> tuple[int, list[int]]:
    """Draw the choice of a sentence of the text; return its number and the ids of its first tokens."""
    ends = np.flatnonzero(counted.training == counted.vocabulary[END])
    number = st.number_input("Sentence", 1, len(ends), 1, key=f"{lesson}_sentence", bind="query-params")
    start = 0 if number == 1 else int(ends[number - 2]) + 1
    return number, counted.training[start : int(ends[number - 1]) + 1][:WINDOW_AT_MOST].tolist()


def show_window(lesson: str, counted: CountedText, n: int) -> None:
    """Step a window of n tokens over a sentence, and say how often the run in it has been counted."""
    number, sentence = choose_sentence(lesson, counted)
    padded = [len(counted.vocabulary)] * (n - 1) + sentence
    place = n - 1 + stepper(lesson, [f"one window of {n}" for _ in sentence])
    window = padded[place - n + 1 : place + 1]
    before = sum(padded[i - n + 1 : i + 1] == window for i in range(n - 1, place))
    show_figure(
        window_figure([counted.name(token) for token in padded], place, n),
        f"{lesson}_window",
        f"A window of {n} tokens on sentence {number}; its last token is counted after the others",
    )
    st.text(
        f"“{counted.write(window)}” is counted once more: {before + 1} in this sentence so far, "
        f"{counted.counts.count(window):,} in the whole text."
    )


def show_rarity(lesson: str, counted: CountedText, n: int) -> None:
    """Draw how many different runs of each length there are, and say how many of n tokens occur only once."""
    seen = [counts[counts > 0] for counts in counted.counts.counts[1:]]
    once = [int((each == 1).sum()) for each in seen]
    different, share = f"{len(seen[n - 1]):,} different {n}-grams", f"{once[n - 1] / len(seen[n - 1]):.0%}"
    show_figure(
        rarity_figure([len(each) for each in seen], once),
        f"{lesson}_rarity",
        f"The text has {different}; {share} of them occur once",
    )
    st.markdown(
        f"Of {different}, **{share}** were seen only once. The longer the run, the more of what can be said was never "
        "counted at all: that is why there is smoothing."
    )


def frequent_table(lesson: str, counted: CountedText, n: int) -> None:
    """Show the most frequent runs of n tokens with their counts, under "Every number"."""
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
        """Divide a run's count by its context's."""
        return worked_run(counted, frequent[row].tokens) if column == "p" else None

    every_number(lesson, f"the most frequent {n}-grams", table, formula)
