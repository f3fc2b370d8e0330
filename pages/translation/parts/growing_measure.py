"""Accuracy against length, measured live: a few held-out sentences at a time, until all are done or it is stopped.

What has been measured is kept for all sessions: nothing in it comes from a learner.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice

import streamlit as st

from core.models.translation.bottleneck import Attempt, Narrowed, attempts
from core.models.translation.translate import Translator
from core.text.grammar.english_french import english_french
from core.text.grammar.pairs import Pair
from pages.translation.parts.translator_choice import FRENCH, TASKS, translator_of

MODELS = TASKS[FRENCH].models
AT_ONCE = 5  # sentences of one length that are measured together
SECONDS = 0.25  # of work before the picture is drawn again
EVERY = 2  # in the broken models every second number of the vector is 0


@dataclass(frozen=True)
class Measurement:
    """What is asked for: sentences of each length, by these models {name: (score, broken)}, and where they start."""

    models: tuple[tuple[str, tuple[str, bool]], ...]
    lengths: tuple[int, ...]
    count: int
    seed: int

    @property
    def parts(self) -> list[tuple[int, int]]:
        """The pieces of work, (number, length), the lengths by turns."""
        return [(number, length) for number in range(self.count // AT_ONCE) for length in self.lengths]


@dataclass
class Growth:
    """How far this session's measurement has come: so many of its parts, and whether the learner stopped it."""

    measurement: Measurement
    done: int = 0
    stopped: bool = False

    @property
    def growing(self) -> bool:
        """Whether there is more to do."""
        return not self.stopped and self.done < len(self.measurement.parts)


Measured = dict[str, dict[int, list[Attempt]]]  # by the model's name, then by the length of the input


@cache
def measured_translator(score: str, broken: bool) -> Translator:
    """Return the translator of a score, or a copy that half of its vector does not reach."""
    whole = translator_of(MODELS[score])
    return replace(whole, model=Narrowed(whole.model, EVERY)) if broken else whole


@lru_cache(maxsize=2000)
def pairs_of(seed: int, number: int, length: int) -> tuple[Pair, ...]:
    """Return held-out pairs of one length; each seed and number draws its own."""
    return tuple(islice(english_french(1000 * number + seed, held_out=True, lengths=(length,)), AT_ONCE))


@lru_cache(maxsize=4000)
def attempts_of(score: str, broken: bool, seed: int, number: int, length: int) -> tuple[Attempt, ...]:
    """Return what a model writes for those pairs."""
    return tuple(attempts(measured_translator(score, broken), pairs_of(seed, number, length)))


def measured(measurement: Measurement, done: int) -> Measured:
    """Return the attempts of the first `done` parts."""
    found = {name: {} for name, _ in measurement.models}
    for number, length in measurement.parts[:done]:
        for name, (score, broken) in measurement.models:
            part = attempts_of(score, broken, measurement.seed, number, length)
            found[name].setdefault(length, []).extend(part)
    return found


def _grow(growth: Growth) -> None:
    """Measure part after part for a moment."""
    began = time.monotonic()
    while growth.growing and time.monotonic() - began < SECONDS:
        number, length = growth.measurement.parts[growth.done]
        for _, (score, broken) in growth.measurement.models:
            attempts_of(score, broken, growth.measurement.seed, number, length)
        growth.done += 1


def _turn(growth: Growth, stopped: bool) -> None:
    growth.stopped = stopped


def growing_measure(lesson: str, measurement: Measurement, draw: Callable[[Measured], None]) -> Measured:
    """Measure and draw again and again what there is so far, with a button to stop; return what there is now.

    The rest of the page runs again when all is measured or the learner stops it.
    """
    growth = st.session_state.get(f"{lesson}_growth")
    if growth is None or growth.measurement != measurement:
        growth = st.session_state[f"{lesson}_growth"] = Growth(measurement)
    _grow(growth)
    running = growth.growing

    @st.fragment(run_every=0.4 if running else None)
    def panel() -> None:
        if running:
            _grow(growth)
        if running != growth.growing:
            st.rerun()  # the whole page, with all that was measured: this fragment gains or loses its clock
        total = len(measurement.parts)
        draw(measured(measurement, growth.done))
        with st.container(horizontal=True, vertical_alignment="center"):
            if growth.growing:
                st.button("Stop", key=f"{lesson}_stop", icon="⏹️", on_click=_turn, args=(growth, True))
            elif growth.stopped:
                st.button("Go on", key=f"{lesson}_go_on", icon="▶️", on_click=_turn, args=(growth, False))
            st.caption(f"{growth.done * AT_ONCE:,} of {total * AT_ONCE:,} sentences measured.")

    panel()
    return measured(measurement, growth.done)
