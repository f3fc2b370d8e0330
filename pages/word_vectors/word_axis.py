"""An axis of meaning: words placed along the line between two lists of words, and the bias this shows."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.figures import worked
from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.axis import axis_figure, axis_view
from core.figures.worked import percent, signed
from core.lesson.break_it import consequence
from core.lesson.choices.vector_sets import (
    choose_vectors,
    credits,
    notebook_vectors,
    scaled,
    shared_vectors,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.word_vectors.word_axis import Axis, Placement, Spread, axis, mean_shift
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from pages.word_vectors.shared.word_choice import word_list

LESSON = Lesson(
    __name__,
    title="An axis of meaning",
    question="What do vectors learn about people from the text they read?",
    icon="compass",
)
PROFESSIONS = (
    "nurse teacher librarian dancer artist doctor lawyer scientist engineer programmer soldier pilot farmer boss "
    "secretary president"
)
TOLD = (  # what the tour says, where there is an axis
    *("left", "right", "V", "furthest", "position", "mean", "deviation", "standard", "as_far", "leftmost"),
    *("rightmost", "halfway", "measure", "whole", "broken"),
)
# Where both ends are made of these, the axis is one of people.
PEOPLE = set(
    "he him his himself man men boy boys father son brother husband uncle male king mr sir gentleman "
    "she her hers herself woman women girl girls mother daughter sister wife aunt female queen mrs lady".split()
)
RARE = 0.05  # no more than one word in twenty lies as far from the average word


def picture() -> Figure:
    """Five professions between he and she in GloVe."""
    vectors = shared_vectors("glove").normalised()
    line = axis(vectors, ["he"], ["she"])
    placed = line.place(vectors, "nurse dancer doctor engineer boss".split())
    figure = axis_figure(line, line.spread(vectors), placed, [])
    return small(figure.update_layout(annotations=[]))


def page() -> None:
    """Words between two lists of words, measured from where the average word lies."""
    LESSON.open(
        r"u = \frac{\bar{x}_{+} - \bar{x}_{-}}{\lVert \bar{x}_{+} - \bar{x}_{-} \rVert} \qquad "
        r"\text{position}(x) = \left(x - \tfrac{1}{2}(\bar{x}_{+} + \bar{x}_{-})\right) \cdot u \qquad "
        r"\text{standard}(x) = \frac{\text{position}(x) - \mu}{\sigma}",
        "$\\bar{x}_{-}, \\bar{x}_{+}$: the means of the left and of the right list. $x$: the vector of the word placed. "
        "$\\mu, \\sigma$: mean and standard deviation of the positions of all words of the set.",
    )
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        left_end, right_end, words = (st.container(width=width) for width in (150, 150, 300))
        unit = not LESSON.break_it(
            "raw",
            "Break it: vectors at full length",
            "A word's place then depends on how long its vector is as well, not on its direction alone.",
        )
        with LESSON.more():
            name, stored = choose_vectors(LESSON)
        vectors = scaled(name, stored) if unit else stored
        with left_end:
            left = word_list(LESSON, "left", "Left end", "he him man", vectors, remarks, 150)
        with right_end:
            right = word_list(LESSON, "right", "Right end", "she her woman", vectors, remarks, 150)
        with words:
            placed = word_list(LESSON, "placed", "Words to place", PROFESSIONS, vectors, remarks, 300)

    LESSON.set_values(**dict.fromkeys(TOLD, "(no axis)"))
    with stage:
        line = drawn_axis(vectors, left, right, placed)
        if line is not None:
            spread = line.spread(vectors)
            placements = line.place(vectors, placed, spread)
            furthest = max(placements, key=lambda placement: abs(placement.standard)).word
            tell_places(line, spread, placements, stored)
            choices = sorted({furthest, *(placement.word for placement in placements[:5])})
            question = "Which word lies furthest from the average word?"
            if LESSON.ask(question, choices, furthest, f"{name}_{left}_{right}_{placed}_{unit}"):
                ends = line.place(vectors, [*left, *right], spread)
                LESSON.view("axis", axis_view(line, spread, placements, ends), "figure")
                LESSON.caption(differing(placements))
                explain(line, spread)
                if not unit:
                    units = scaled(name, stored)
                    show_consequence(axis(units, left, right).place(units, placed), placements, vectors)
                LESSON.every_number("positions", placement_table, vectors, line, placements)

    LESSON.closing(
        code=[axis, Axis.positions, Axis.spread, Axis.place, mean_shift],
        notebook=[
            notebook_vectors(name) + ("\nvectors = vectors.normalised()" if unit else ""),
            "from core.models.word_vectors.word_axis import axis\n\n"
            f"left, right = {left!r}, {right!r}\nplaced = {placed!r}\nline = axis(vectors, left, right)\n"
            "line.place(vectors, placed)",
        ],
        plot=(
            "from core.figures.word_vectors.axis import axis_figure\n\n"
            "draw(axis_figure(line, line.spread(vectors), line.place(vectors, placed), line.place(vectors, left + right)))"
        ),
        try_this=[
            (
                "From bad to good: where do foods, animals and feelings lie?",
                {
                    "left": "bad terrible awful",
                    "right": "good great excellent",
                    "placed": "war peace cake poison horse spider love fear",
                },
            ),
            (
                "From small to large: is the order right?",
                {
                    "left": "small tiny little",
                    "right": "large huge big",
                    "placed": "mouse cat dog horse elephant whale ant city planet",
                },
            ),
            ("The same question to our own vectors, trained on other text", {"vectors": "our skip-gram"}),
        ],
        sources=[
            *credits(name),
            "Tolga Bolukbasi and others (2016), Man is to Computer Programmer as Woman is to Homemaker? "
            "Debiasing Word Embeddings.",
        ],
    )


def drawn_axis(
    vectors: WordVectors, left: Sequence[str], right: Sequence[str], placed: Sequence[str]
) -> Axis | None:
    """Return the axis; None, and a sentence, where there is none or nothing to place on it."""
    try:
        line = axis(vectors, left, right)
    except (ValueError, UnknownWordError) as error:
        st.warning(plain(str(error)))
        return None
    if not placed:
        st.warning("Write at least one word to place on the axis.")
        return None
    return line


def tell_places(line: Axis, spread: Spread, placements: Sequence[Placement], stored: WordVectors) -> None:
    """Keep for the tour the two ends, the words that lie furthest out, and where the middle between the ends is."""
    furthest = max(placements, key=lambda placement: abs(placement.standard))
    leftmost, *_, rightmost = sorted([*placements, *placements], key=lambda placement: placement.standard)
    halfway = float(spread.standard(0.0))
    LESSON.set_values(
        left=", ".join(line.negative),
        right=", ".join(line.positive),
        V=f"{len(stored):,}",
        furthest=furthest.word,
        position=signed(furthest.position, 3),
        mean=signed(spread.mean, 3),
        deviation=f"{spread.deviation:.3f}",
        standard=signed(furthest.standard),
        as_far=percent(furthest.as_far),
        leftmost=f"“{leftmost.word}” at {signed(leftmost.standard)}",
        rightmost=f"“{rightmost.word}” at {signed(rightmost.standard)}",
        halfway=f"{abs(halfway):.2f} to the {'right' if halfway > 0 else 'left'}",
    )


def differing(placements: Sequence[Placement]) -> str:
    """Say which words lie so far out that few others do, on which side, and how many do not."""
    sides = []
    for side, sign in (("left", -1), ("right", 1)):
        far = [each for each in placements if each.as_far <= RARE and each.standard * sign > 0]
        words = sorted(far, key=lambda each: -abs(each.standard))
        if words:
            sides.append(f"to the {side} {', '.join(plain(each.word) for each in words)}")
    within = sum(each.as_far > RARE for each in placements)
    if not sides and within == 1:
        return "This word does not stand out: it lies where 95% of all words lie."
    if not sides:
        return f"None of these {within} words stands out: all lie where 95% of all words lie."
    lie = "lies" if within == 1 else "lie"
    others = f" The other {within} {lie} where 95% of all words lie." if within else ""
    return f"Further out than 95% of all words: {'; '.join(sides)}.{others}"


def explain(line: Axis, spread: Spread) -> None:
    """Say where zero is, and of an axis of people what a place far from it means."""
    halfway = float(spread.standard(0.0))
    side = "right" if halfway > 0 else "left"
    about = (
        f"Zero is the mean of all {len(spread.positions):,} words (grey). Halfway between the two lists lies "
        f"{abs(halfway):.2f} standard deviations to the {side} of it, so zero is not where a word is as near to one list "
        "as to the other."
    )
    if set(line.negative) | set(line.positive) <= PEOPLE:
        about += (
            " Nobody told the model about people: a place far from zero repeats how the text that it read speaks of "
            "them."
        )
    st.markdown(about)


def show_consequence(whole: Sequence[Placement], broken: Sequence[Placement], vectors: WordVectors) -> None:
    """Say how far the words moved, how much longer some vectors are than others, and which word moved most."""
    consequence(
        "Mean shift of a word, standard deviations", 0.0, mean_shift(whole, broken), more_is_better=False
    )
    words = [each.word for each in broken]
    lengths = dict(zip(words, vectors.subset(words).lengths, strict=True))
    longest, shortest = max(words, key=lengths.get), min(words, key=lengths.get)
    was, now = max(zip(whole, broken, strict=True), key=lambda pair: abs(pair[1].standard - pair[0].standard))
    ratio = f"{lengths[longest] / lengths[shortest]:.2f} times as long as that of “{plain(shortest)}”"
    st.markdown(
        (f"The vector of “{plain(longest)}” is {ratio}. " if len(words) > 1 else "")
        + f"“{plain(now.word)}” moved most, from {signed(was.standard)} to {signed(now.standard)}."
    )


def placement_table(vectors: WordVectors, line: Axis, placements: Sequence[Placement]) -> tuple:
    """Return the table of the words from the left end to the right one, and the formula of its cells."""
    table = pd.DataFrame([vars(placement) for placement in placements])
    table = table.rename(columns={"as_far": "share of all words that lie as far out"})
    table = table.sort_values("position", ignore_index=True)
    spread = line.spread(vectors)

    def formula(row: int, column: str) -> str | None:
        word = table.word[row]
        if column == "position":
            return worked.projection(vectors[word], line.midpoint, line.direction, word)
        if column == "standard":
            shown = [worked.number(float(x)) for x in (table.position[row], spread.mean, spread.deviation)]
            return rf"\frac{{{shown[0]} - ({shown[1]})}}{{{shown[2]}}} = {worked.number(float(table.standard[row]))}"
        return worked.cosine(vectors[word], line.direction, word, "u") if column == "cosine" else None

    return table, formula
