"""Positions: sinusoids and learned tables, what their dot products say, and what lies past the last one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, sin

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.word_order import (
    bits_figure,
    clock_hands,
    position_heatmap,
    similarity_figure,
    similarity_heatmap,
)
from core.figures.worked import number, plain_number, signed
from core.lesson.break_it import consequence, written
from core.lesson.cached import cached, no_typed_words
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.positions import alike, rotation, similarity_by_distance, sinusoidal_positions
from core.models.self_attention.word_order import BEYOND, bits_by_place, with_positions_for
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="Positions",
    question="How can a vector say where a word stands?",
    icon="map-pin",
)
SINUSOIDS = "sinusoids"
LEARNED = {"learned by the GPT": "word_gpt", "learned by the masked model": "word_masked"}
WIDTHS, BASES = [8, 16, 32, 64, 128, 256], [10, 100, 1000, 10_000, 100_000]
READER, RUNS, STEP = "char_gpt", 12, 16
CHARACTERS_AT_MOST = 200_000  # of the learner's text, over which the windows are spread


@dataclass(frozen=True, eq=False)
class ChosenPositions:
    """A table of positions (T, C), the notebook's cell that makes it, and the base of the sinusoids, 0 if learned."""

    kind: str
    table: Tensor
    cell: str
    base: int = 0


def picture() -> Figure:
    """Sinusoids of 64 positions."""
    return small(position_heatmap(sinusoidal_positions(64, 64).numpy(), 20))


def page() -> None:
    """The table and its cosines; clock hands; dot products against distance; past the trained length."""
    LESSON.open(
        r"PE(t, 2i) = \sin\frac{t}{b^{\,2i/C}} \qquad PE(t, 2i{+}1) = \cos\frac{t}{b^{\,2i/C}} \qquad "
        r"PE(t + k) = R(k)\, PE(t) \qquad PE(t) \cdot PE(t + k) = \sum_i \cos\frac{k}{b^{\,2i/C}}",
        "$t$: the position, counted from 0; $C$: numbers in a position; $b$: the base, 10,000 in the paper. Each pair of "
        "dimensions is the hand of a clock with its own speed; $R(k)$ turns every hand by $k$ places. Learned positions "
        "are a table instead: one row a position, found in training, none past the last.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        t = LESSON.number("t", "A position to look at", 0, 511, 10, width=150)
        broken = LESSON.break_it(
            "one_hand", "Break it: one hand only", "Keeps the first two numbers of every position, no more."
        )
        chosen = choose_positions(notes)
    positions = chosen.table[:, :2] if broken else chosen.table
    T, C = positions.shape
    if t >= T:
        notes.caption(f"There are {T} positions: the last is {T - 1}.")
        t = T - 1
    products = (positions @ positions[t]).numpy()
    likest = int(np.argmax(np.where(np.arange(T) == t, -np.inf, products)))
    with stage:
        choices = ["its neighbour, before or after", "another one"]
        question = f"Which other position has the largest dot product with position {t}?"
        about = f"{chosen.kind}_{T}_{C}_{chosen.base}_{t}"
        if revealed := LESSON.ask(question, choices, choices[abs(likest - t) > 1], about):
            left, right = st.columns(2)
            with left:
                LESSON.figure(
                    "table",
                    position_heatmap(positions.numpy(), t),
                    f"{T} positions of {C} numbers as a heat map",
                )
            with right:
                LESSON.figure(
                    "cosines", similarity_heatmap(positions.numpy()), "The cosine of every two positions"
                )
            LESSON.caption(
                f"Position {t} is most like {all_likest(products, t)}: a dot product of {products[likest]:.3f}, with itself "
                f"{products[t]:.3f}."
            )
            LESSON.set_values(product=written(products[likest], ".3f"), itself=written(products[t], ".3f"))
            LESSON.set_values(T=T, C=C, t=t, likest=all_likest(products, t))
    if broken:
        consequence(
            "Pairs of positions with a cosine above 0.99",
            alike_pairs(chosen, False),
            alike_pairs(chosen, True),
            ",.0f",
            more_is_better=False,
        )

    if chosen.base:
        st.header("Clock hands: k places on", anchor=False)
        show_hands(chosen, t)
    if revealed:
        st.header("Dot products and distance", anchor=False)
        lines = {
            f"position {t} and those after it": products[t:],
            "mean over all pairs": by_distance(chosen, broken),
        }
        LESSON.figure(
            "distance", similarity_figure(lines), "Dot product of two positions against their distance"
        )
        st.markdown(
            "A dot product cannot tell *k* places back from *k* places ahead: both are as far away. A head that multiplies "
            "by a matrix first can, because turning the hands back and turning them on are two different matrices."
            if chosen.base
            else "A learned table need not give equal distances equal products. It has to find out about distance by "
            "itself, if it is of use."
        )

    st.header("Past the trained length", anchor=False)
    st.markdown(
        "A learned table has no row past its last. The course's GPT of characters has "
        f"{len(learned_positions(READER))}; to read twice as far, something must stand in the rows that were never "
        "trained. This is what it then pays for the characters of your text."
    )
    show_past_the_end(document)
    if revealed:
        LESSON.every_number("positions", positions_table, positions, chosen)
    LESSON.closing(
        code=[
            sinusoidal_positions,
            rotation,
            similarity_by_distance,
            alike,
            with_positions_for,
            bits_by_place,
        ],
        notebook=[
            chosen.cell,
            "from core.models.self_attention.positions import similarity_by_distance\n\n"
            "print(similarity_by_distance(positions))",
        ],
        plot=(
            "from core.figures.self_attention.word_order import position_heatmap\n\n"
            "draw(position_heatmap(positions.numpy(), 0))"
        ),
        try_this=[
            (
                "A base of 10 and eight numbers: how far apart do two positions look alike again?",
                {"kind": SINUSOIDS, "base": 10, "width": 8, "length": 512},
            ),
            (
                "Eight numbers only: can 512 positions still be told apart?",
                {"kind": SINUSOIDS, "base": 10_000, "width": 8, "length": 512},
            ),
            ("What the GPT learned: is distance in it?", {"kind": next(iter(LEARNED))}),
        ],
        sources=[
            "Ashish Vaswani et al. (2017), Attention Is All You Need, section 3.5.",
            "Ofir Press, Noah Smith and Mike Lewis (2022), Train Short, Test Long: Attention with Linear Biases Enables "
            "Input Length Extrapolation.",
        ],
    )


def choose_positions(notes: DeltaGenerator) -> ChosenPositions:
    """Draw the choice of sinusoids, with their settings, or of a trained model's positions, and return the table."""
    kind = LESSON.select("kind", "Positions", [SINUSOIDS, *LEARNED], width=240)
    if kind == SINUSOIDS:
        T = LESSON.slider("length", "T, positions", 16, 512, 128, width=200)
        C = LESSON.select_slider("width", "C, numbers in each", WIDTHS, value=64, width=200)
        base = LESSON.select_slider("base", "b, the base", BASES, value=10_000, width=200)
        return sinusoids(T, C, base)
    chosen = learned(kind)
    notes.caption(f"{len(chosen.table)} positions of {chosen.table.shape[1]} numbers, found in training.")
    return chosen


@lru_cache(maxsize=32)
def sinusoids(T: int, C: int, base: int) -> ChosenPositions:
    """Return a table of sinusoids; all sessions share it."""
    cell = (
        "from core.models.self_attention.positions import sinusoidal_positions\n\n"
        f"positions = sinusoidal_positions({T}, {C}, {base})"
    )
    return ChosenPositions(SINUSOIDS, sinusoidal_positions(T, C, base), cell, base)


@cache
def learned(kind: str) -> ChosenPositions:
    """Return a trained model's positions; all sessions share them."""
    cell = (
        "from core.models.self_attention.attentive_models import attentive_model\n\n"
        f"positions = attentive_model({LEARNED[kind]!r}).network.position_embedding.weight.detach()"
    )
    return ChosenPositions(kind, learned_positions(LEARNED[kind]), cell)


@lru_cache(maxsize=64)
def by_distance(chosen: ChosenPositions, broken: bool) -> np.ndarray:
    """Return the mean dot product of two positions by their distance, of one hand only if broken."""
    return similarity_by_distance(chosen.table[:, :2] if broken else chosen.table).numpy()


@lru_cache(maxsize=64)
def alike_pairs(chosen: ChosenPositions, broken: bool) -> int:
    """Return how many pairs of positions are as good as the same, with one hand only if broken."""
    return alike(chosen.table[:, :2] if broken else chosen.table)


def all_likest(products: np.ndarray, t: int) -> str:
    """Return the position with the largest product, or those, where several have it to the digits that are shown."""
    others = np.delete(np.arange(len(products)), t)
    first = others[products[others].max() - products[others] < 5e-5].tolist()
    if len(first) > 2:
        return f"{len(first)} others, position {first[0]} the first of them"
    return f"position {first[0]}" if len(first) == 1 else f"positions {first[0]} and {first[1]}"


def learned_positions(name: str) -> Tensor:
    """Return a trained model's position embeddings, (T, C)."""
    return attentive_model(name).network.position_embedding.weight.detach()


def show_hands(chosen: ChosenPositions, t: int) -> None:
    """Draw position t's hands and those k places on, and say how well one matrix turns every position so."""
    T, C = chosen.table.shape
    k = LESSON.slider("k", "k: places on, or back", -8, 8, 3)
    at = min(max(t, -k), T - 1 - max(k, 0))
    there = chosen.table[at + k].numpy()
    figure = clock_hands(chosen.table[at].numpy(), there, (f"position {at}", f"position {at + k}"))
    LESSON.figure("hands", figure, f"The first hands of positions {at} and {at + k}")
    starts = range(max(0, -k), T - max(0, k))
    turned = chosen.table[list(starts)] @ rotation(k, C, chosen.base).T
    miss = (turned - chosen.table[[start + k for start in starts]]).abs().max().item()
    where = f"{abs(k)} {'place' if abs(k) == 1 else 'places'} {'back' if k < 0 else 'on'}"
    LESSON.set_values(at=at, where=where, miss=f"{plain_number(miss, 1)}, rounding" if miss else "nothing")
    st.markdown(
        f"**One matrix turns all {len(starts)} positions to the one {where}**: R({signed(k, 0)}) PE(t) misses "
        f"PE(t {'−' if k < 0 else '+'} {abs(k)}) by "
        + (f"at most {plain_number(miss, 1)}, which is rounding" if miss else "nothing")
        + f". So “{where}” is the same question at every place of a text."
    )


@dataclass(frozen=True)
class PastTheEnd:
    """Bits a character at each place of a window twice as long as the model was trained on; `trained` places."""

    bits: np.ndarray
    trained: int


@cached(48, 12, "The model reads past its end", shared=no_typed_words)
def bits_past_the_end(digest: str, beyond: str, _text: str) -> PastTheEnd | None:
    """Return what the GPT of characters pays for a text past its last position, None where the text is too short."""
    torch.set_num_threads(1)
    model = attentive_model(READER)
    ids = torch.tensor(model.encode(_text[:CHARACTERS_AT_MOST]).ids)
    T = 2 * model.context
    if len(ids) < T:
        return None
    longer = with_positions_for(model.network, T, beyond)
    return PastTheEnd(bits_by_place(longer, ids, T, RUNS).numpy(), model.context)


def show_past_the_end(document: Document) -> None:
    """Draw what the GPT pays at each place for each way to go past its last position, and say the means."""
    way = LESSON.choose("beyond", "Past the last position", [*BEYOND, "all three"], "all three")
    ways = list(BEYOND) if way == "all three" else [way]
    measured = {way: bits_past_the_end(document.digest, way, document.text) for way in ways}
    if None in measured.values():
        least = 2 * attentive_model(READER).context
        LESSON.set_values(past="Your text is too short to measure what that costs.")
        st.info(
            f"This needs a text of at least {least} characters that the model knows. Choose a longer one."
        )
        return
    trained = next(iter(measured.values())).trained
    lines = {way: found.bits for way, found in measured.items()}
    LESSON.figure(
        "bits", bits_figure(lines, trained, STEP), "Bits per character against the place in the window"
    )
    LESSON.set_values(past=past_said(lines, trained))
    for way, bits in lines.items():
        inside, outside = bits[: trained - 1].mean(), bits[trained - 1 :].mean()
        st.markdown(
            f"**{way}**: {inside:.2f} bits per character on the first {trained} places, {outside:.2f} after them."
        )


def past_said(lines: dict[str, np.ndarray], trained: int) -> str:
    """Say what the characters of a text cost before the trained length ends, and after it in each way."""
    before = next(iter(lines.values()))[: trained - 1].mean()
    after = ", ".join(f"{bits[trained - 1 :].mean():.2f} ({way})" for way, bits in lines.items())
    return (
        f"A character of your text costs {before:.2f} bits on the first {trained} places, after them {after}."
    )


def positions_table(
    positions: Tensor, chosen: ChosenPositions
) -> pd.DataFrame | tuple[pd.DataFrame, Formula]:
    """Return the table of positions, for sinusoids with the formula of a cell."""
    T, C = positions.shape
    table = pd.DataFrame(positions.numpy(), columns=[str(i) for i in range(C)])
    table.insert(0, "position", range(T))
    if not chosen.base:
        return table
    return table, lambda row, column: worked_sinusoid(row, column, chosen.table.shape[1], chosen.base)


def worked_sinusoid(t: int, column: str, C: int, base: float) -> str | None:
    """Return one number of a table of sinusoids, filled in; None for the label of its row."""
    if not column.isdigit():
        return None
    dimension = int(column)
    i, name, function = dimension // 2, ("sin", "cos")[dimension % 2], (sin, cos)[dimension % 2]
    angle = t / base ** (2 * i / C)
    return (
        rf"\{name}\!\left(\frac{{{t}}}{{{number(base)}^{{{2 * i}/{C}}}}}\right) = \{name}({number(angle)}) = "
        rf"{number(function(angle))}"
    )
