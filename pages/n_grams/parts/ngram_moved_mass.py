"""What smoothing moves after a context: from the tokens seen there to the others, and what that is worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.n_grams.ngram import moved_mass_figure, shares_figure
from core.lesson.break_it import consequence
from core.lesson.choices.ngram_choice import NO_SMOOTHING, SMOOTHINGS, ChosenSmoothing, standard
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.models.n_grams.ngram import MovedMass, NgramModel, moved_mass
from core.models.n_grams.ngram_text import END, UNKNOWN, CountedText, most_frequent
from pages.n_grams.parts.ngram_input import most_frequent_token, read_run, type_tokens
from pages.n_grams.parts.ngram_worked import worked

ROWS_AT_MOST = 500
SHARES = ("less than a tenth", "a tenth to a half", "more than a half")


def choose_context(lesson: str, counted: CountedText, order: int) -> list[int]:
    """Draw the field for a context, in the address as `<lesson>_<unit>_after`, and return its tokens' ids.

    Empty, or with a token that the text does not have, it is an example in which smoothing is seen at work.
    """
    example = example_context(counted, order)
    typed = type_tokens(
        lesson,
        counted,
        "after",
        "After",
        counted.write(example),
        "The context; its last n − 1 tokens count, and fewer stand at the beginning of a sentence (&lt;s&gt;). "
        "Empty, it is an example that is neither very frequent nor rare.",
    )
    return read_run(counted, typed, example, f"after “{counted.write(example)}”.")


def example_context(counted: CountedText, order: int) -> list[int]:
    """Return the most frequent context of a model of `order` seen at most V times and before five types or more.

    Adding one to every count then moves a good part of its probability. If there is none, the most frequent.
    """
    if order == 1:
        return []
    marks = {counted.vocabulary[END], counted.vocabulary[UNKNOWN], len(counted.vocabulary)}
    runs = [run for run in most_frequent(counted.counts, order - 1, 500) if marks.isdisjoint(run.tokens)]
    varied = (
        run
        for run in runs
        if run.count <= len(counted.vocabulary) and len(counted.counts.continuations(run.tokens)) >= 5
    )
    chosen = next(varied, runs[0] if runs else None)
    return list(chosen.tokens) if chosen else [most_frequent_token(counted)]


def predict_unseen(lesson: str, moved: MovedMass, about: str) -> bool:
    """Ask how much of the probability goes to unseen tokens; return whether it may be shown."""
    answer = SHARES[(moved.unseen_mass >= 0.1) + (moved.unseen_mass > 0.5)]
    question = "How much of the probability goes to the tokens not seen here?"
    return predict_first(lesson, question, SHARES, answer, about)


def show_moved(lesson: str, counted: CountedText, h: Sequence[int], moved: MovedMass, smoothing: str) -> None:
    """Draw the seen tokens' probabilities before and after, beside what all unseen ones get."""
    seen = len(moved.tokens)
    st.text(
        f"After {counted.write(h) or 'any token'}: {seen:,} of {seen + moved.unseen:,} tokens were seen. "
        f"The other {moved.unseen:,} get {moved.unseen_mass:.1%} of the probability."
    )
    show_figure(
        moved_mass_figure(moved, [counted.name(token) for token in moved.tokens]),
        f"{lesson}_figure",
        f"Probabilities before and after smoothing ({smoothing}); {moved.unseen_mass:.1%} moved to unseen tokens",
    )


def show_impossible(held: CountedText, order: int, smoothing: ChosenSmoothing) -> None:
    """Show the share of held-out tokens that have no probability at all, with the smoothing and without it."""
    if not len(held.held_out):
        return
    st.markdown("Count nine sentences of ten, and ask for the probability of every token of the tenth:")
    impossible = [
        float(np.isinf(way.fit(held.counts, order).token_log_probabilities(held.held_out)).mean())
        for way in (smoothing, NO_SMOOTHING)
    ]
    consequence("Tokens called impossible", *impossible, ".1%", more_is_better=False)


def show_unseen(
    lesson: str, counted: CountedText, model: NgramModel, context: Sequence[int], moved: MovedMass
) -> None:
    """Draw which of the unseen tokens get the most, against an even share."""
    st.markdown(
        "Add-α gives every unseen token the same. The others ask a shorter context: a token that is likely there "
        "gets more."
    )
    scores = model.scores(context)
    p, unseen = np.delete(scores, moved.tokens), np.delete(np.arange(len(scores)), moved.tokens)
    best = np.argsort(-p, kind="stable")[:8]
    show_figure(
        shares_figure([counted.name(token) for token in unseen[best]], p[best], p.mean()),
        f"{lesson}_unseen",
        "The eight likeliest of the unseen tokens, against an even share",
    )


def show_every_smoothing(counted: CountedText, order: int, context: Sequence[int]) -> None:
    """Show the table of what every smoothing, its parameter at the default, moves after this context."""
    every = {name: moved_mass(standard(name).fit(counted.counts, order), context) for name in SMOOTHINGS}
    share = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    st.dataframe(
        pd.DataFrame(
            {
                "smoothing": list(every),
                "to all unseen tokens": [each.unseen_mass for each in every.values()],
                "left to all seen tokens": [float(each.after.sum()) for each in every.values()],
            }
        ),
        hide_index=True,
        column_config={"to all unseen tokens": share},
    )


def seen_table(
    lesson: str, counted: CountedText, model: NgramModel, context: Sequence[int], moved: MovedMass
) -> None:
    """Show the seen tokens' counts and probabilities before and after, under "Every number"."""
    h, tokens = counted.counts.look_back(context, model.order - 1), moved.tokens[:ROWS_AT_MOST]
    total = counted.counts.count(h) if h else len(counted.training)
    table = pd.DataFrame(
        {
            "token": [counted.name(token) for token in tokens],
            "count": [counted.counts.count((*h, int(token))) for token in tokens],
            "before": moved.before[:ROWS_AT_MOST],
            "after": moved.after[:ROWS_AT_MOST],
            "adjusted count": moved.after[:ROWS_AT_MOST] * total,
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the smoothed probability of a token."""
        smoothed = column in ("after", "adjusted count")
        return worked(counted, model, context, tokens[row]) if smoothed else None

    every_number(lesson, "seen tokens", table, formula)
