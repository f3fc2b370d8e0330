"""The Viterbi lattice: stepped cell by cell on any sentence, in logarithms or raw probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.curves import best_scores_figure
from core.figures.hidden_markov_models.formulas import worked_cell
from core.figures.hidden_markov_models.lattice import lattice_payload, window_starts
from core.figures.hidden_markov_models.paths import paths_figure
from core.figures.worked import RAISED, percent, plain_number
from core.lesson.break_it import consequence
from core.lesson.every_number import Formula
from core.lesson.kept_with_text import kept_with_words
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.decoding import Decoded, decode, underflow
from core.models.hidden_markov_models.hmm_tables import noun_verb_toy
from core.models.hidden_markov_models.viterbi import Lattice, fill_lattice, trace_back, viterbi
from pages.hidden_markov_models.parts.given_tables import cell_text, given_tables
from pages.hidden_markov_models.parts.hmm_choice import (
    WINDOW,
    choose_model,
    choose_sentence,
    decoded_by,
    model_of,
    no_such_path,
)
from pages.hidden_markov_models.parts.hmm_take_away import SOURCES, model_cell
from pages.hidden_markov_models.parts.unseen_words import unseen_words

LESSON = Lesson(
    __name__,
    title="The Viterbi lattice",
    question="Which path through the hidden states explains the words best?",
    icon="🪜",
)
REPEATED_AT_MOST = 40
LONG = 400  # words after which products of 32 bits have underflowed, if they ever do


def picture() -> Figure:
    """The best path through the lattice of the noun/verb toy."""
    words = "they watch can fish".split()
    decoded = decode(noun_verb_toy(), words)
    return card(paths_figure(words, decoded.model.states, {"Viterbi": decoded.viterbi.path}))


def page() -> None:
    """A sentence's lattice; why it adds logarithms; the words it never saw; every score."""
    LESSON.open(
        r"v_1(j) = \pi_j\, b_j(o_1) \qquad v_t(j) = \max_i\; v_{t-1}(i)\, a_{ij}\, b_j(o_t) \qquad "
        r"\text{came from}_t(j) = \operatorname*{argmax}_i\; v_{t-1}(i)\, a_{ij}",
        "$\\pi_j$: initial probability of state $j$ (`log_initial`). $a_{ij}$: transition from $i$ to $j$ "
        "(`log_transition`). $b_j(o_t)$: emission of word $t$ in state $j$ (`log_emission`). $v_t(j)$: `scores`. "
        "With logarithms every product is a sum. Ties go to the state listed first.",
    )
    controls, stage = LESSON.stage()
    with controls:
        name = choose_model(LESSON)
        model = model_of(name)
        sentence = choose_sentence(LESSON, name)
        repeated = LESSON.slider(
            "repeat",
            "Repeat the sentence",
            1,
            REPEATED_AT_MOST,
            help="A long sentence without typing one: see what becomes of its probability.",
        )
        words = sentence * repeated
        broken = LESSON.break_it(
            "multiply",
            "Break it: multiply in 32 bits instead of adding logarithms",
            "Probabilities smaller than 1e-45 become 0 in 32-bit numbers, and below 5e-324 in 64-bit ones.",
        )
    decoded = decoded_by(name, words)
    raw = products(name, words, broken)
    with stage:
        tell_lattice(decoded)
        if possible := not no_such_path(decoded):
            first_state = decoded.tags(decoded.viterbi.path)[0]
            about = f"{name}_{' '.join(words)[:200]}_{len(words)}"
            question = "In which state is the first word on the best path?"
            first = first_drawn(raw, broken)
            if LESSON.ask(question, list(model.states), first_state, about):
                payload = lattice(name, words, first, broken)
                LESSON.view("lattice", payload, on={"first": show_from})
                LESSON.says(lost(decoded, raw, repeated) if broken else overruled(decoded))
                LESSON.every_number("scores", score_table, decoded, first)
            given_tables(LESSON, decoded, slice(first, first + WINDOW))

    if possible:
        if why := LESSON.section("logarithms", "Why logarithms?"):
            with why:
                draw_underflow(decoded, words)
        if broken:
            same = np.mean(np.array(raw.path) == np.array(decoded.viterbi.path))
            dead = raw.underflow
            LESSON.tell(
                fate="On this sequence no column is lost."
                if dead is None
                else f"From word {dead + 1} on every score is 0."
            )
            consequence("Words with the best path's state", 1.0, float(same), ".0%")
        if never := LESSON.section("never_seen", "Words it never saw"):
            with never:
                unseen_words(LESSON, model, decoded.emissions.unseen)
    LESSON.closing(
        code=[viterbi, fill_lattice, trace_back, underflow],
        notebook=[
            model_cell(name),
            "from core.models.hidden_markov_models.decoding import decode\n\n"
            f"decoded = decode(model, {words!r})\ndecoded.tags(decoded.viterbi.path), decoded.viterbi.scores",
        ],
        plot=(
            "from core.figures.hidden_markov_models.paths import paths_figure\n\n"
            'draw(paths_figure(decoded.emissions.words, model.states, {"Viterbi": decoded.viterbi.path}))'
        ),
        try_this=[
            (
                "Step through: they can fish. Where does “can” become a verb?",
                {"model": "toy", "toy_sentence": "they can fish"},
            ),
            (
                "200 words: watch raw probabilities die",
                {"model": "tagger", "repeat": 20, "multiply": True},
            ),
            (
                "Words that nobody has seen",
                {"model": "tagger", "tagger_sentence": "The blorfy wugs glimped quietly in Zanderdam ."},
            ),
        ],
        sources=SOURCES,
    )


def products(name: str, words: Sequence[str], broken: bool) -> Lattice:
    """Return the lattice of products, in 32 bits if broken; the learner's own model may be another by now."""
    compute = _products.__wrapped__ if name == "yours" else _products
    return compute(name, tuple(words), broken)


@kept_with_words(100, 10)
def _products(name: str, words: tuple[str, ...], broken: bool) -> Lattice:
    return underflow(model_of(name), words, np.float32 if broken else np.float64)


def lattice(name: str, words: Sequence[str], first: int, broken: bool) -> dict:
    """Return what the view draws, from word `first` on."""
    compute = _lattice.__wrapped__ if name == "yours" else _lattice
    return compute(name, tuple(words), first, broken)


@kept_with_words(100, 10)
def _lattice(name: str, words: tuple[str, ...], first: int, broken: bool) -> dict:
    return lattice_payload(decoded_by(name, words), products(name, words, broken), first, WINDOW, broken)


def first_drawn(raw: Lattice, broken: bool) -> int:
    """Return the place of the first word drawn: of a long sentence only a window is, when broken the one that dies."""
    starts = window_starts(len(raw.scores), WINDOW)
    dies = raw.underflow if broken and raw.underflow is not None else 0
    linked = LESSON.linked("first")
    first = int(linked) if linked.isdecimal() else max(start for start in starts if start <= dies)
    return first if first in starts else 0


def tell_lattice(decoded: Decoded) -> None:
    """Keep for the tour the size of the lattice, numbers of its first two columns, and the best path."""
    lattice, states = decoded.viterbi, decoded.model.states
    n, K = lattice.scores.shape
    tags, last = decoded.tags(lattice.path), K - 1
    many = n * math.log10(K)
    LESSON.tell(
        words="one word" if n == 1 else f"{n} words",
        columns="One column" if n == 1 else f"{n} columns",
        states=K,
        paths=f"{K**n:,}" if many < 9 else f"at least 10{str(int(many)).translate(RAISED)}",
        top=states[0],
        bottom=states[last],
        initial=cell_text(decoded.model.log_initial[0], True),
        emission=cell_text(decoded.emissions.log_emission[0, 0], True),
        first=cell_text(lattice.scores[0, 0], True),
        path=" → ".join(tags[:12]) + (" …" if n > 12 else ""),
        alone=states[int(lattice.scores[0].argmax())],
        end=cell_text(lattice.log_probability, True),
        products=f"{lattice.products:,}",
        share=percent(decoded.posterior),
    )
    if n > 1:
        ways = lattice.candidates[1, :, last]
        LESSON.tell(
            from_top=cell_text(ways[0], True),
            from_bottom=cell_text(ways[last], True),
            kept=cell_text(lattice.scores[1, last], True),
            came=states[lattice.backpointers[1, last]],
        )


def overruled(decoded: Decoded) -> str:
    """Say how often the neighbours overrule the states that a word speaks for by itself; of equals, any."""
    path, emitted = decoded.viterbi.path, decoded.emissions.log_emission
    other = int((emitted[np.arange(len(path)), path] < emitted.max(axis=1)).sum())
    return (
        f"The best path has {percent(decoded.posterior)} of the probability of all paths; for {other} of its {len(path)} "
        f"{'word' if len(path) == 1 else 'words'} it takes a state that does not emit the word most readily."
    )


def lost(decoded: Decoded, raw: Lattice, repeated: int) -> str:
    """Say where the products became nought; where they did not, how long the sentence would have to be."""
    words = decoded.emissions.words
    if raw.underflow is not None:
        same = np.mean(np.array(raw.path) == np.array(decoded.viterbi.path))
        return (
            f"From word {raw.underflow + 1}, “{words[raw.underflow]}”, on every product is 0 in 32 bits: the path keeps "
            f"the right state on {same:.0%} of the words."
        )
    smallest = plain_number(float(raw.scores.max(axis=1).min()))
    once = list(words[: len(words) // repeated])
    dead = underflow(decoded.model, once * math.ceil(LONG / len(once)), np.float32).underflow
    when = ""
    if dead is not None and dead < REPEATED_AT_MOST * len(once):
        when = f" Repeat the sentence: at word {dead + 1} they are."
    elif dead is not None:
        when = f" A sentence of {dead + 1} words would lose them: type a longer one."
    these = "this one word" if len(words) == 1 else f"these {len(words)} words"
    return f"Nothing is lost on {these}: the best scores go down to {smallest}, not to 0.{when}"


def show_from(first: int) -> None:
    """Draw the window that the learner turned to in the view."""
    LESSON.link("first", first)


def draw_underflow(decoded: Decoded, words: Sequence[str]) -> None:
    """Say why scores are added, and draw each word's best score as logarithms keep it and as products lose it."""
    st.markdown(
        "Every word multiplies the score by numbers that are at most 1. A computer's number cannot be arbitrarily "
        "small: below its limit it becomes 0, every candidate ties at 0, and the path is lost. Sums of logarithms never "
        "get there."
    )
    rounded = {
        "products, 64 bits": underflow(decoded.model, words),
        "products, 32 bits": underflow(decoded.model, words, np.float32),
    }
    ends = {
        name: "never 0" if lattice.underflow is None else f"0 from word {lattice.underflow + 1}"
        for name, lattice in rounded.items()
    }
    LESSON.tell(bits_64=ends["products, 64 bits"], bits_32=ends["products, 32 bits"])
    LESSON.figure(
        "underflow",
        best_scores_figure(decoded.viterbi, rounded),
        "Best score of each word; " + "; ".join(f"{name}: {end}" for name, end in ends.items()),
    )


def score_table(decoded: Decoded, first: int) -> tuple[pd.DataFrame, Formula]:
    """Return the cells of the words that are drawn."""
    words, states, lattice = decoded.emissions.words, decoded.model.states, decoded.viterbi
    rows = [
        {
            "place": t + 1,
            "word": words[t],
            "state": state,
            "ln score": float(lattice.scores[t, j]),
            "score": f"{math.exp(lattice.scores[t, j]):.6g}",
            "came from": states[lattice.backpointers[t, j]] if t else "",
            "on the best path": lattice.path[t] == j,
        }
        for t in range(first, min(first + WINDOW, len(words)))
        for j, state in enumerate(states)
    ]

    def formula(row: int, column: str) -> str | None:
        t, j = divmod(row, len(states))
        return worked_cell(decoded, first + t, j, column == "score") if "score" in column else None

    return pd.DataFrame(rows), formula
