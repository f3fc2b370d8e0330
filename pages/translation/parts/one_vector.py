"""A sentence seen through the bottleneck: both translations, the one vector, and what each word puts into it."""

from __future__ import annotations

import numpy as np
import streamlit as st
import torch

from core.figures.translation.bottleneck import movement_figure, strip_figure, sureness_figure
from core.lesson.figure import show_figure
from core.models.translation.bottleneck import Attempt, last_state, movement
from core.models.translation.translate import Translation, Translator, greedy
from core.text.grammar.pairs import Pair, sentence_of
from pages.translation.parts.growing_measure import AT_ONCE, Measured, measured_translator
from pages.translation.parts.length_accuracy import ATTENDS, NOT
from pages.translation.parts.marked_translation import LEGEND, show_marked


def failures(measured: Measured) -> list[Pair]:
    """Return the sentences that the model without attention got wrong, as they were measured, long ones first."""
    placed = [
        (place // AT_ONCE, -length, place, attempt)
        for length, made in measured.get(NOT, {}).items()
        for place, attempt in enumerate(made)
    ]
    return [attempt.pair for *_, attempt in sorted(placed, key=lambda each: each[:3]) if not attempt.right]


def choose_failed(lesson: str, measured: Measured) -> Pair | None:
    """Draw the choice among the sentences that the model without attention got wrong; None when there are none yet."""
    failed = failures(measured)
    if not failed:
        st.info(
            "The model without attention has not failed on any sentence measured so far. Measure more, or longer ones."
        )
        return None
    key = f"{lesson}_failed"
    if st.session_state.get(key, 1) > len(failed):
        st.session_state[key] = len(failed)
    label = f"One of the {len(failed)} sentences that the model without attention got wrong"
    place = st.number_input(label, 1, len(failed), key=key)
    return failed[place - 1]


def sureness(translator: Translator, translation: Translation) -> tuple[list[str], np.ndarray]:
    """Return the output words with <end>, and how probable the model found each."""
    words = torch.tensor(translation.words)
    p = translation.steps.probabilities[0, range(len(words)), words]
    return [translator.target.words[i] for i in translation.words], p.numpy()


def show_both(lesson: str, score: str, pair: Pair) -> None:
    """Write both models' translations with their mistakes marked, and how sure each was, word by word."""
    st.text(sentence_of(pair.source))
    steps, drift = {}, None
    for column, (name, own) in zip(st.columns(2), ((ATTENDS, score), (NOT, "none")), strict=True):
        translator = measured_translator(own, False)
        translation = greedy(translator.model, translator.source.encode(pair.source))
        attempt = Attempt(pair, tuple(translator.target.decode(translation.words)))
        steps[name] = (own != "none", *sureness(translator, translation))
        drift = attempt.drift if own == "none" else drift
        with column:
            st.markdown(f"**{name}**")
            show_marked(attempt.output, pair.target, f"{attempt.kept:.0%} of the reference's words kept")
    st.caption(LEGEND)
    where = "it does not go wrong" if drift is None else f"it first goes wrong at word {drift + 1}"
    show_figure(
        sureness_figure(steps, drift),
        f"{lesson}_sureness",
        f"How probable each model found each word it wrote; without attention {where}",
    )


def show_vector(lesson: str, pair: Pair) -> None:
    """Draw the one vector, count how many numbers carry how many words, and how far each word moves it."""
    translator = measured_translator("none", False)
    ids = translator.source.encode(pair.source)
    vector, S = last_state(translator.model, ids), len(ids)
    H = len(vector)
    for column, (name, count) in zip(st.columns(2), ((NOT, H), (ATTENDS, S * H)), strict=True):
        column.metric(f"Numbers the decoder can look at, {name}", f"{count:,}")
        column.caption(
            f"One vector of {H}: {H / S:.1f} numbers for each of {S} words."
            if count == H
            else f"A vector of {H} for each of {S} words: it grows with the sentence."
        )
    show_figure(
        strip_figure(vector), f"{lesson}_strip", f"The {H} numbers of the encoder's last state, from −1 to 1"
    )
    st.caption(
        f"Blue: above 0; orange: below. Numbers 1 to {H // 2}: the reader from left to right, which has just read the "
        f"last word. {H // 2 + 1} to {H}: the reader from right to left, which has just read the first."
    )
    if S < 2:
        return
    st.markdown(
        "How far does the vector move when a word is left out? Compare a long sentence with a short one."
    )
    moved = movement(translator.model, ids)
    show_figure(
        movement_figure(pair.source, moved),
        f"{lesson}_movement",
        "How far the vector moves when each input word is left out, as a share of its length",
    )
