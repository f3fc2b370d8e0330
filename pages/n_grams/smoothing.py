"""Smoothing: probability that moves from the tokens seen after a context to those that were not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.n_grams.ngram import moved_mass_figure, shares_figure
from core.figures.n_grams.ngram_worked import worked
from core.lesson.break_it import consequence, written
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    NO_SMOOTHING,
    SMOOTHINGS,
    ChosenSmoothing,
    choose_counts,
    choose_order,
    choose_smoothing,
    counts_of,
    standard,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.held_out import impossible_share
from core.models.n_grams.moved_mass import MovedMass, moved_mass, unseen_tokens
from core.models.n_grams.ngram import (
    NgramModel,
    add_alpha,
    discounted_level,
    estimated_discounts,
    plain_level,
)
from core.models.n_grams.ngram_text import END, UNKNOWN, CountedText, most_frequent, most_frequent_token
from core.text.reading.documents import Document
from pages.n_grams.shared.take_away import SOURCES, model_cells
from pages.n_grams.shared.typed_tokens import read_run, type_tokens

LESSON = Lesson(
    __name__,
    title="Smoothing",
    question="What is the chance of something that was never seen?",
    icon="scale",
)
ROWS_AT_MOST = 500
EVERY = 10  # one different sentence in so many is held out
SHARES = ("less than a tenth", "a tenth to a half", "more than a half")


def picture() -> Figure:
    """What add-one moves from the words seen after "the" to those that were not."""
    counted = few_sentences()
    moved = moved_mass(add_alpha(counted.counts, 2), counted.encode("the", end=False))
    figure = small(moved_mass_figure(moved, [counted.name(token) for token in moved.tokens], most=3))
    return figure.update_traces(textposition="outside")


def page() -> None:
    """What one smoothing moves after a context; what is impossible without; who gets it; all ways side by side."""
    LESSON.open(
        r"\text{add-}\alpha:\; \frac{c(hw)+\alpha}{c(h)+\alpha V} \qquad \text{discounting:}\; "
        r"\frac{c(hw)-d}{c(h)} + \lambda(h)\,p(w\mid h') \qquad "
        r"\text{back-off:}\; \alpha(h)\,p(w\mid h')\ \text{if}\ c(hw)=0",
        "$h$: the context; $h'$: the same without its oldest token; $c$: counts; $V$: size of the vocabulary; $d$: what is "
        "taken off each count; $\\lambda(h)$, $\\alpha(h)$: what that leaves for the shorter context. Kneser-Ney asks the "
        "shorter context how many different tokens came before $w$, not how often $w$ came. Stupid back-off takes "
        "nothing off, and a fixed factor for $\\alpha(h)$: its scores do not sum to one.",
    )
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source("hamlet")
        counted = choose_counts(LESSON, document, remarks)
        order = choose_order(LESSON)
        context = choose_context(counted, order, remarks)
        chosen = choose_smoothing(LESSON, "add-alpha", without_none=True, without_scores=False)
        broken = LESSON.break_it(
            "raw", "Break it: no smoothing", "Then nothing is left for what was not seen."
        )

    smoothing = NO_SMOOTHING if broken else chosen
    model = smoothing.fit(counted.counts, order)
    moved = moved_mass(model, context)
    h = counted.counts.look_back(context, order - 1)
    tell_moved(counted, h, moved, smoothing)
    with stage:
        about = f"{h}_{chosen.name}_{chosen.arguments}_{broken}_{len(counted.training)}"
        answer = SHARES[(moved.unseen_mass >= 0.1) + (moved.unseen_mass > 0.5)]
        question = "How much do all the tokens not seen here get together?"
        if revealed := LESSON.ask(question, SHARES, answer, about):
            LESSON.figure(
                "figure",
                moved_mass_figure(moved, [counted.name(token) for token in moved.tokens], most=5, height=370),
                f"Before and after smoothing ({smoothing.name}); {moved.unseen_mass:.1%} goes to unseen tokens",
            )
            LESSON.caption(said_of(counted, h, moved, model))
    if broken:
        show_impossible(document, counted.unit, order, chosen)
    if revealed:
        st.header("Which unseen tokens get it?", anchor=False)
        show_unseen(counted, model, context)
        st.header("All ways, side by side", anchor=False)
        show_every_smoothing(every_smoothing(document, counted.unit, order, h))
        LESSON.every_number("seen tokens", seen_table, counted, model, context, moved)
    fit = SMOOTHINGS[smoothing.name].fit
    estimates = [estimated_discounts] if smoothing.name == "modified Kneser-Ney" else []
    LESSON.closing(
        code=[fit, *estimates, plain_level, discounted_level, NgramModel.scores, moved_mass, unseen_tokens],
        notebook=[
            *model_cells(counted.unit, smoothing, order),
            "from core.models.n_grams.moved_mass import moved_mass\n\n"
            f"moved = moved_mass(model, {list(map(int, context))})\nmoved",
        ],
        plot=(
            "from core.figures.n_grams.ngram import moved_mass_figure\n\n"
            "draw(moved_mass_figure(moved, [counted.name(token) for token in moved.tokens]))"
        ),
        try_this=[
            (
                "Add 10 to every count: how little is left to what was really seen?",
                {"smoothing": "add-alpha", "alpha": 10.0},
            ),
            ("Kneser-Ney: who gets the unseen words' share now?", {"smoothing": "Kneser-Ney", "n": 3}),
            (
                "Stupid back-off: do its scores sum to more than one, or to less?",
                {"smoothing": "stupid back-off", "n": 3},
            ),
            ("Take it away: how many tokens of new sentences are impossible?", {"raw": True, "n": 3}),
        ],
        sources=[*SOURCES, "Thorsten Brants et al. (2007), Large language models in machine translation."],
    )


def choose_context(counted: CountedText, order: int, remarks) -> list[int]:
    """Draw the field for a context, in the address as `<lesson>_<unit>_after`, and return its tokens' ids."""
    example = example_context(counted, order)
    typed = type_tokens(
        *(LESSON, counted, "after", "After", counted.write(example)),
        "The context; its last n − 1 tokens count, and fewer stand at the beginning of a sentence (&lt;s&gt;). "
        "Empty, it is an example that is neither very frequent nor rare.",
    )
    with remarks:
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


def said_of(counted: CountedText, h: Sequence[int], moved: MovedMass, model: NgramModel) -> str:
    """Say what the unseen tokens get; of scores, what they sum to."""
    seen, total = len(moved.tokens), moved.unseen_mass + float(moved.after.sum())
    after = f"After “{plain(counted.write(h))}”" if h else "After any token"
    if not total:
        return (
            f"{after}: this context was never seen in your text, and without smoothing it has no probabilities at "
            "all (0 / 0)."
        )
    if not moved.unseen:
        return (
            f"{after}, all {seen:,} types of the vocabulary were seen: there is nobody to give anything to."
        )
    others = "one other gets" if moved.unseen == 1 else f"other {moved.unseen:,} get"
    share = (
        f"{after}, {seen:,} of the vocabulary's {seen + moved.unseen:,} types {'was' if seen == 1 else 'were'} seen; "
        f"the {others} "
    )
    if model.normalised:
        return f"{share}{moved.unseen_mass:.1%} of the probability."
    return f"{share}{moved.unseen_mass:.3f}. These are scores, no probabilities: together they sum to {total:.3f}."


def tell_moved(counted: CountedText, h: Sequence[int], moved: MovedMass, smoothing: ChosenSmoothing) -> None:
    """Keep for the tour what was seen after the context, what its most frequent token had and has, and the sum."""
    total = sum(count for _, count in counted.counts.continuations(h))
    first = "This context was never seen."
    if len(moved.tokens):
        name, count = counted.name(moved.tokens[0]), counted.counts.count((*h, int(moved.tokens[0])))
        first = (
            f"“{name}” was seen {count:,} of {total:,} times: before it has {moved.before[0]:.3g}, now "
            f"{moved.after[0]:.3g}."
        )
    LESSON.set_values(
        after=f"after “{counted.write(h)}”" if h else "after any token",
        seen="1 token was" if len(moved.tokens) == 1 else f"{len(moved.tokens):,} different tokens were",
        unseen=said_of_others(moved.unseen),
        V=f"{len(moved.tokens) + moved.unseen:,}",
        mass=f"{moved.unseen_mass:.1%}",
        sum=f"{moved.unseen_mass + float(moved.after.sum()):.3f}",
        value=f"{next(iter(smoothing.arguments.values()), 0):g}",
        first=first,
    )


def said_of_others(unseen: int) -> str:
    """Say what the counts alone make of so many tokens that were not seen after a context."""
    if not unseen:
        return "No other token is left."
    counts = "not seen after this context, so by the counts alone"
    if unseen == 1:
        return f"The other one was {counts} it is impossible. Is it?"
    return f"The other {unseen:,} were {counts} they are impossible. Are they?"


@cached(64, 16, "Measuring", shared=is_sample)
def impossible(document: Document, unit: str, order: int, smoothing: str, arguments: tuple) -> float:
    """Return the share of the held-out tokens that a smoothing calls impossible."""
    held = counts_of(document, unit, hold_out=EVERY)
    return impossible_share(
        ChosenSmoothing(smoothing, dict(arguments)).fit(held.counts, order), held.held_out
    )


def show_impossible(document: Document, unit: str, order: int, smoothing: ChosenSmoothing) -> None:
    """Show the share of held-out tokens that have no probability at all, with the smoothing and without it."""
    held = counts_of(document, unit, hold_out=EVERY)
    if not len(held.held_out):
        cannot = "Your text has no second sentence to hold out: what is impossible cannot be measured."
        LESSON.set_values(cost=cannot)
        st.markdown(cannot)
        return
    counted, rest = held.different
    st.markdown(
        f"Count {counted:,} of {counted + rest:,} different sentences"
        f"{'' if held.unit == 'words' else ', in characters'}, and ask for the probability of every token of the "
        f"{'other' if rest == 1 else 'others'}:"
    )
    whole, broken = (
        impossible(document, unit, order, way.name, tuple(way.arguments.items()))
        for way in (smoothing, NO_SMOOTHING)
    )
    consequence("Tokens called impossible", whole, broken, ".1%", more_is_better=False)
    whole_share, broken_share = (written(share, ".1%") for share in (whole, broken))
    LESSON.set_values(cost=f"Tokens called impossible: {whole_share} whole, {broken_share} broken.")
    if whole == broken:
        st.markdown(
            f"The held-out sentences have no run of {order} that is new: nothing changes on this text."
        )


def show_unseen(counted: CountedText, model: NgramModel, context: Sequence[int]) -> None:
    """Draw which of the unseen tokens get the most, against an even share, and say how uneven it is."""
    tokens, p = unseen_tokens(model, context)
    if not p.any():
        who = "Here nothing is left for them." if len(p) else "Here no token is unseen."
    elif np.isclose(p[0], p[-1]):
        who = "Here all of them get the same."
    else:
        most = f"“{counted.name(tokens[0])}”, which has {p[0] / p.mean():,.1f} times an even share"
        who = f"None of them gets more than {most}."
    LESSON.set_values(who=who)
    if not p.any():
        st.markdown("None of them: nothing is left for what was not seen." if len(p) else "All were seen.")
        return
    LESSON.figure(
        "unseen",
        shares_figure([counted.name(token) for token in tokens[:8]], p[:8], float(p.mean())),
        "The likeliest of the unseen tokens, against an even share",
    )
    if len(p) == 1:
        st.markdown(f"There is only one: “{plain(counted.name(tokens[0]))}”.")
    elif np.isclose(p[0], p[-1]):
        st.markdown("All unseen tokens get the same: no shorter context tells them apart.")
    else:
        st.markdown(
            f"The shorter context tells them apart: “{plain(counted.name(tokens[0]))}” is likely there and gets "
            f"{p[0] / p.mean():,.1f} times an even share."
        )


@cached(128, 32, "Smoothing in every way", shared=is_sample)
def every_smoothing(
    document: Document, unit: str, order: int, h: tuple[int, ...]
) -> dict[str, tuple[float, float]]:
    """Return what every smoothing, its parameter at the default, gives after h: to the unseen tokens, to the seen."""
    counts = counts_of(document, unit).counts
    every = {name: moved_mass(standard(name).fit(counts, order), h) for name in SMOOTHINGS}
    return {name: (moved.unseen_mass, float(moved.after.sum())) for name, moved in every.items()}


def show_every_smoothing(every: dict[str, tuple[float, float]]) -> None:
    """Show the table of what every smoothing moves after this context."""
    share = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    unseen, seen = zip(*every.values(), strict=True)
    st.dataframe(
        pd.DataFrame(
            {
                "smoothing": list(every),
                "to all unseen tokens": unseen,
                "left to all seen tokens": seen,
                "sum": np.add(unseen, seen),
            }
        ),
        hide_index=True,
        column_config={"to all unseen tokens": share},
        alt="What each smoothing gives to all unseen tokens and leaves to the seen ones",
    )


def seen_table(counted: CountedText, model: NgramModel, context: Sequence[int], moved: MovedMass) -> tuple:
    """Return the table of the seen tokens' counts and probabilities before and after, and the formula of its cells."""
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
        smoothed = column in ("after", "adjusted count")
        return worked(counted, model, context, tokens[row]) if smoothed else None

    return table, formula
