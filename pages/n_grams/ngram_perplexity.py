"""Perplexity: how well n-gram models of several orders and smoothings foresee held-out sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.n_grams.ngram_perplexity import perplexity_by_alpha, perplexity_by_order, unseen_figure
from core.figures.n_grams.ngram_worked import worked_measure
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    ALPHAS,
    ORDER_AT_MOST,
    SMOOTHINGS,
    ChosenSmoothing,
    choose_unit,
    counted_text,
    counts_of,
    standard,
)
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.language_model import UniformModel, perplexity, sequence_log_probability
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.held_out import bits_a_character, characters_of, held_out, unseen_share
from core.models.n_grams.ngram import NgramModel, add_alpha, katz_backoff, kneser_ney
from core.models.n_grams.ngram_text import UNKNOWN, CountedText, hold_out_every, repeated_share
from core.text.reading.documents import Document
from pages.n_grams.shared.take_away import SOURCES, model_cells

LESSON = Lesson(
    __name__,
    title="Perplexity",
    question="How do we measure which model foresees new text better?",
    icon="ruler",
)
EVERY = 10  # one different sentence in so many is held out
MEASURED_AT_MOST = 20_000  # tokens: enough for three digits of a perplexity, and quick
ORDERS = range(1, ORDER_AT_MOST + 1)
ALPHA_ORDERS = (1, 2, 3)
COMPARED = [name for name, way in SMOOTHINGS.items() if way.normalised and name != "none"]
LETTERS = {"alpha": "α", "weight": "λ", "discount": "d"}
PARAMETERS = "; ".join(
    f"{name}: {LETTERS[way.parameter]} = {way.default:g}"
    for name, way in SMOOTHINGS.items()
    if name in COMPARED and way.parameter
)
TOLD = (  # what the tour says, where something can be measured
    *("held", "V", "best", "n", "perplexity", "single", "trigrams", "longest", "runs", "alpha", "at_alpha"),
    *("laplace", "measure", "whole", "broken", "finite"),
)
AT_FIRST = ("add-alpha", "interpolation", "Kneser-Ney", "Katz back-off")


def picture() -> Figure:
    """Perplexity against n for three smoothings."""
    counted, orders = few_sentences(), (1, 2, 3, 4)
    lines = {
        fit.__name__: [held_out(fit(counted.counts, n), counted.held_out).perplexity for n in orders]
        for fit in (add_alpha, kneser_ney, katz_backoff)
    }
    return small(perplexity_by_order(orders, lines, len(counted.vocabulary)))


def page() -> None:
    """Perplexity against n on held-out sentences; what is new in them; how much alpha is enough."""
    LESSON.open(
        r"\text{perplexity} = \exp\Big(-\frac{1}{m}\sum_{i=1}^{m} \ln p(w_i \mid h_i)\Big) \qquad "
        r"\text{bits a token} = \log_2 \text{perplexity}",
        "$w_1 \\dots w_m$: the tokens of the held-out sentences, `</s>` among them; $h_i$: the $n-1$ tokens before $w_i$. "
        "A perplexity of 50 means: on average as unsure as with 50 tokens to choose from, all equally likely.",
    )
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source("hamlet")
        unit = choose_unit(LESSON)
        with LESSON.more():
            min_count = LESSON.slider(
                *("min_count", "Fewest times a type is seen", 1, 5, 2),
                help="Rarer types become one unknown type. A smaller vocabulary is easier to foresee: compare only "
                "within one.",
            )
        names = LESSON.pills("models", "Models", COMPARED, AT_FIRST, help=PARAMETERS) or ["Kneser-Ney"]
        broken = LESSON.break_it(
            "raw", "Break it: no smoothing", "One unseen n-gram in the held-out text is enough."
        )
        names = [*names, *(["none"] if broken else [])]
    with remarks:
        counted = counted_text(document, unit, min_count, EVERY)
    if len(counted.held_out):
        text = document, counted.unit, min_count
        table = pd.concat([by_order(*text, name) for name in names], ignore_index=True)
        best = table.loc[table["perplexity"].idxmin()]
        LESSON.set_values(held=f"{len(measured_tokens(counted)):,}")
        with stage:
            about = f"{unit}_{min_count}_{names}_{len(counted.training)}"
            question = "Which n foresees the held-out sentences best?"
            if revealed := LESSON.ask(question, [str(n) for n in ORDERS], str(best.n), about):
                show_by_order(counted, table, best)
        show_split(counted, uniform_perplexity(*text))
        if revealed and broken:
            show_infinite(names[0], by_order(*text, names[0]), by_order(*text, "none"))
        if revealed:
            left, right = st.columns(2)
            with left:
                st.header("How many n-grams are new?", anchor=False)
                show_sparsity(table["unseen n-grams"][: len(ORDERS)].tolist())
            with right:
                st.header("How much should α be?", anchor=False)
                show_alphas(by_alpha(*text), len(counted.vocabulary))
            show_spelt(counted)
            LESSON.every_number("perplexities", measure_table, counted, table)
    else:
        LESSON.set_values(**dict.fromkeys(TOLD, "(nothing is held out)"))
        stage.info(
            "Perplexity needs sentences to hold out: choose a text of at least two different sentences."
        )
    LESSON.closing(
        code=[
            *(held_out, NgramModel.token_log_probabilities, NgramModel.token_scores, perplexity),
            *(unseen_share, bits_a_character, characters_of, hold_out_every, repeated_share, UniformModel),
        ],
        notebook=[
            *model_cells(counted.unit, standard(names[0]), 3, min_count=min_count, hold_out=EVERY),
            "from core.models.n_grams.held_out import held_out\n\n"
            f"held_out(model, counted.held_out[:{MEASURED_AT_MOST}])",
        ],
        plot=(
            "from core.figures.n_grams.ngram_perplexity import unseen_figure\n"
            "from core.models.n_grams.held_out import unseen_share\n\n"
            "draw(unseen_figure([unseen_share(counted.counts, counted.held_out, n) for n in range(1, 6)]))"
        ),
        try_this=[
            ("Take the smoothing away: for which n is it still finite?", {"raw": True}),
            ("Characters: how far back is it worth looking?", {"unit": "characters"}),
            (
                "The micro-world, made by a grammar: how many of its sentences repeat, and how far down does it go?",
                {"text:": "The micro-world"},
            ),
            ("Keep every word, seen once or not: what happens to V and to the curves?", {"min_count": 1}),
        ],
        sources=SOURCES,
    )


@cached(256, 64, "Measuring", shared=is_sample)
def by_order(document: Document, unit: str, min_count: int, name: str) -> pd.DataFrame:
    """Return one row for each n: how the smoothing `name` does on the measured tokens."""
    counted = counts_of(document, unit, min_count, EVERY)
    held = measured_tokens(counted)
    measured = [held_out(standard(name).fit(counted.counts, n), held) for n in ORDERS]
    columns = {
        "model": [name] * len(ORDERS),
        "n": list(ORDERS),
        "perplexity": [one.perplexity for one in measured],
        "bits a token": [one.bits for one in measured],
        "unseen n-grams": [one.unseen for one in measured],
    }
    if characters_of(counted, held):
        columns["bits a character"] = [bits_a_character(one.bits, counted, held) for one in measured]
    return pd.DataFrame(columns)


@cached(32, 8, "Measuring", shared=is_sample)
def uniform_perplexity(document: Document, unit: str, min_count: int) -> float:
    """Return the perplexity of the uniform model on the measured tokens."""
    counted = counts_of(document, unit, min_count, EVERY)
    uniform = UniformModel(counted.vocabulary.types)
    return sequence_log_probability(uniform, measured_tokens(counted)).perplexity


@cached(32, 8, "Measuring", shared=is_sample)
def by_alpha(document: Document, unit: str, min_count: int) -> dict[int, list[float]]:
    """Return the perplexity of add-alpha on the measured tokens, for each n a list along ALPHAS."""
    counted = counts_of(document, unit, min_count, EVERY)
    held, counts = measured_tokens(counted), counted.counts
    ways = [ChosenSmoothing("add-alpha", {"alpha": alpha}) for alpha in ALPHAS]
    return {n: [held_out(way.fit(counts, n), held).perplexity for way in ways] for n in ALPHA_ORDERS}


def measured_tokens(counted: CountedText) -> np.ndarray:
    """Return the first held-out tokens: what is measured."""
    return counted.held_out[:MEASURED_AT_MOST]


def show_by_order(counted: CountedText, table: pd.DataFrame, best: pd.Series) -> None:
    """Draw every model's perplexity against n, and say which is the lowest."""
    lines = {name: rows["perplexity"].tolist() for name, rows in table.groupby("model", sort=False)}
    LESSON.figure(
        "figure",
        perplexity_by_order(ORDERS, lines, len(counted.vocabulary), 370),
        f"Perplexity against n for {len(lines)} models; the best is {best.model} with n = {best.n}",
    )
    longest = lines[best.model][-1]
    further = "" if best.n == ORDERS[-1] else f"; with n = {ORDERS[-1]} among {longest:,.1f}"
    LESSON.caption(
        f"Best: {best.model}, n = {best.n}, with the lowest perplexity: as unsure of the next token as among "
        f"{best.perplexity:,.1f} equally likely ones{further}."
    )
    LESSON.set_values(
        V=f"{len(counted.vocabulary):,}",
        best=best.model,
        n=best.n,
        perplexity=f"{best.perplexity:,.1f}",
    )


def show_split(counted: CountedText, uniform: float) -> None:
    """Say what was counted and what is measured, and what the uniform model's perplexity on it is."""
    held = measured_tokens(counted)
    st.markdown(
        f"Counted on {len(counted.training):,} tokens, measured on {len(held):,} tokens of held-out sentences. Held out: "
        f"{counted.different[1]:,} of {sum(counted.different):,} different sentences. "
        f"{counted.repeated:.1%} of the text's sentences stand in it more than once, "
        "word for word; a held-out sentence is held out with all its copies, so none that is measured was counted."
    )
    st.markdown(
        f"The dashed line is the **uniform model**: all {len(counted.vocabulary):,} types equally likely, everywhere. "
        f"Its perplexity on these sentences is {uniform:,.1f}, the size of the vocabulary. A model above "
        "that line foresees them worse than one that knows nothing but the vocabulary."
    )


def show_infinite(name: str, smoothed: pd.DataFrame, unsmoothed: pd.DataFrame) -> None:
    """Show the perplexity of trigrams with the smoothing `name` and without, and for which n it is still finite without."""
    whole, broken = smoothed["perplexity"], unsmoothed["perplexity"]
    consequence("Perplexity at n = 3", whole[2], broken[2], ",.1f", more_is_better=False)
    finite = [str(n) for n, value in zip(ORDERS, broken, strict=True) if np.isfinite(value)]
    LESSON.set_values(finite=f"n = {', '.join(finite)}" if finite else "no n")
    st.info(
        f"Whole is with {name}. Without smoothing the perplexity is infinite as soon as the held-out text has one n-gram "
        f"that the training text lacks. Finite here: {'n = ' + ', '.join(finite) if finite else 'for no n'}."
    )


def show_sparsity(shares: Sequence[float]) -> None:
    """Draw the share of held-out n-grams that were never counted, for each n."""
    LESSON.figure("unseen", unseen_figure(shares), f"{shares[2]:.0%} of held-out trigrams are unseen")
    LESSON.set_values(
        single=f"{shares[0]:.1%}", trigrams=f"{shares[2]:.1%}", longest=f"{shares[-1]:.1%}", runs=len(shares)
    )
    st.markdown(
        f"Sparsity: of single tokens {shares[0]:.1%} were never counted, of runs of {len(shares)} {shares[-1]:.1%}. "
        f"A type that is not in the vocabulary is read as `{UNKNOWN}`. A run that has a new run in it is new itself."
    )


def show_alphas(perplexities: dict[int, list[float]], types: int) -> None:
    """Draw the perplexity of add-alpha against alpha, and say what the best one gains over adding 1."""
    LESSON.figure(
        "alpha",
        perplexity_by_alpha(ALPHAS, perplexities, types, 300),
        "Perplexity of add-alpha against alpha for n = 1, 2 and 3",
    )
    best = {n: int(np.argmin(values)) for n, values in perplexities.items()}
    LESSON.set_values(
        alpha=f"{ALPHAS[best[2]]:g}",
        at_alpha=f"{perplexities[2][best[2]]:,.1f}",
        laplace=f"{perplexities[2][ALPHAS.index(1.0)]:,.1f}",
    )
    found = "; ".join(
        f"n = {n}: α = {ALPHAS[i]:g}, {perplexities[n][i]:,.1f} against {perplexities[n][ALPHAS.index(1.0)]:,.1f}"
        for n, i in best.items()
    )
    st.markdown(
        f"Stars: the best of the values tried, and its perplexity against that of adding 1 (Laplace). {found}."
    )


def show_spelt(counted: CountedText) -> None:
    """Say how many characters the measured tokens spell, or why that cannot be said."""
    held = measured_tokens(counted)
    characters = characters_of(counted, held)
    if characters is None:
        unknown = float(np.mean(held == counted.vocabulary[UNKNOWN]))
        st.caption(
            f"No bits a character: {unknown:.1%} of the measured tokens are `{UNKNOWN}`, which spells nothing."
        )
    else:
        st.caption(
            f"The measured tokens spell {characters:,} characters"
            + (", in lower case without punctuation." if counted.unit == "words" else ".")
        )


def measure_table(counted: CountedText, table: pd.DataFrame) -> tuple:
    """Return the table of every measure of every model, and the formula of its cells."""
    held = measured_tokens(counted)
    characters = characters_of(counted, held)

    def formula(row: int, column: str) -> str | None:
        measured = table.loc[row]
        return worked_measure(
            column, measured["bits a token"], len(held), characters, measured["unseen n-grams"]
        )

    return table, formula
