"""The machine: two hidden states, the arrows between them, what each emits; it speaks, one draw at a time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.formulas import worked_draw
from core.figures.hidden_markov_models.machine import draw_figure, machine_figure, spoken_figure
from core.figures.hidden_markov_models.tables import table_figure
from core.figures.worked import plain_number
from core.lesson.break_it import consequence
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.models.hidden_markov_models.speaking import Draw, chosen_by, drawn, mean_run, speak
from core.models.hidden_markov_models.what_if import with_probability, without_memory
from pages.hidden_markov_models.shared.given_tables import following, following_logs
from pages.hidden_markov_models.shared.hmm_take_away import SOURCES

LESSON = Lesson(
    __name__,
    title="A hidden Markov model",
    question="What is hidden, and what does the machine say?",
    icon="cloud-sun",
)
DAYS = 10
LONG = 10_000  # days over which the consequence of breaking it is measured


def picture() -> Figure:
    """The machine of the ice-cream diary."""
    return card(machine_figure(ice_cream_diary()))


def page() -> None:
    """The machine and one of its draws; the line from 0 to 1 that it was drawn on; the diary so far; its tables."""
    LESSON.open(
        r"p(q, o) = \pi_{q_1}\, b_{q_1}(o_1) \prod_{t=2}^{n} a_{q_{t-1} q_t}\, b_{q_t}(o_t) \qquad "
        r"\text{drawn: the first } j \text{ with } p_1 + \dots + p_j > u",
        "$q_t$: the hidden state of day $t$; $o_t$: what it says, the ice creams eaten. $\\pi$: initial probabilities, "
        "$a_{ij}$: from state $i$ to state $j$, $b_i(o)$: how likely state $i$ says $o$. $u$: a random number, uniform "
        "between 0 and 1.",
    )
    controls, stage = LESSON.stage()
    with controls:
        stays = "How likely a {} day is followed by another one."
        hot = LESSON.slider("hot", "p(hot | hot)", 0.05, 0.95, 0.5, 0.05, help=stays.format("hot"))
        cold = LESSON.slider("cold", "p(cold | cold)", 0.05, 0.95, 0.8, 0.05, help=stays.format("cold"))
        broken = LESSON.break_it(
            "forget",
            "Break it: no memory, each day's weather drawn afresh",
            "In the long run hot and cold days are as frequent as before, but yesterday no longer matters.",
        )
        with LESSON.more():
            seed = LESSON.number("seed", "Seed: another one, another summer", 0, 9999, 1)
    whole = machine_of(hot, cold)
    model = without_memory(whole) if broken else whole
    draws = speak(model, DAYS, seed)
    with stage:
        step = LESSON.step([name_of(model, draw) for draw in draws], start=2)
        draw = draws[step]
        state = model.states[drawn(draws, "state")[draw.t]]
        words = [model.vocabulary[word] for word in drawn(draws[: step + 1], "word")]
        revealed = LESSON.ask(
            f"Is day {draw.t + 1} hot or cold? You see only the ice creams: {', '.join(words) or 'none yet'}.",
            list(model.states),
            state,
            f"{hot}_{cold}_{seed}_{broken}_{draw.t}",
        )
        LESSON.figure(
            "machine",
            machine_figure(model, draw if revealed else None),
            f"Two hidden states, {' and '.join(model.states)}, with arrows between them and to what each says",
        )
        if revealed:
            LESSON.caption(happened(model, draw))
            past = draws[: step + 1]
            LESSON.set_values(
                row="the start" if draw.row < 0 else model.states[draw.row],
                u=f"{draw.uniform:.4f}",
                chosen=names_of(model, draw)[draw.chosen],
                p=f"{draw.probabilities[draw.chosen]:.3g}",
                day=draw.t + 1,
                factors=len(past),
                joint=plain_number(float(np.prod([each.probabilities[each.chosen] for each in past]))),
                run=f"{mean_run(drawn(past, 'state')):.1f}",
            )
            LESSON.figure("draw", draw_figure(draw, names_of(model, draw)), alt_of(model, draw))
            st.latex(worked_draw(draw, names_of(model, draw)))
        so_far = [model.states[each] for each in drawn(draws[: step + 1], "state")] if revealed else []
        LESSON.figure(
            "said",
            spoken_figure(so_far, model.states, words, draw.t, hidden=not revealed),
            f"What was said up to now: {' '.join(words) or 'nothing'}",
        )
    if broken:
        (run, share), (run_broken, share_broken) = (
            long_weather(hot, cold, forgets, seed) for forgets in (False, True)
        )
        consequence(
            f"Days in a row with the same weather, mean of {LONG:,} days",
            run,
            run_broken,
            more_is_better=None,
        )
        st.caption(f"Share of hot days: {share:.1%} whole, {share_broken:.1%} broken.")
    st.header("All that the machine is", anchor=False)
    st.markdown(
        "Two tables. The lessons that follow count them in a text, and ask which hidden path a sentence took."
    )
    tables(model)
    if revealed:
        LESSON.every_number("draws", every_draw, model, draws[: step + 1])
    LESSON.closing(
        code=[speak, chosen_by, without_memory, mean_run],
        notebook=[
            "from core.models.hidden_markov_models.hmm_tables import ice_cream_diary\n"
            "from core.models.hidden_markov_models.what_if import with_probability\n\n"
            f"model = with_probability(ice_cream_diary(), 'transition', 0, 0, {hot})\n"
            f"model = with_probability(model, 'transition', 1, 1, {cold})",
            *(
                [
                    "from core.models.hidden_markov_models.what_if import without_memory\n\nmodel = without_memory(model)"
                ]
                if broken
                else []
            ),
            "from core.models.hidden_markov_models.speaking import speak\n\n"
            f"[(draw.kind, draw.uniform, draw.chosen) for draw in speak(model, {DAYS}, {seed})]",
        ],
        plot=(
            "from core.figures.hidden_markov_models.machine import machine_figure\n\n"
            "draw(machine_figure(model))"
        ),
        try_this=[
            (
                "Weather that hardly ever changes: what does the diary look like?",
                {"hot": 0.95, "cold": 0.95, "step": 2 * DAYS},
            ),
            ("The same luck, no memory: which days turn?", {"forget": True, "step": 2 * DAYS}),
            ("Only the ice creams are seen: guess the weather", {"predict": True, "step": 6}),
        ],
        sources=SOURCES,
    )


def machine_of(hot: float, cold: float) -> HiddenMarkovModel:
    """Return the diary's machine with these probabilities that the weather stays as it is."""
    model = with_probability(ice_cream_diary(), "transition", 0, 0, hot)
    return with_probability(model, "transition", 1, 1, cold)


def name_of(model: HiddenMarkovModel, draw: Draw) -> str:
    """Return what a step draws, without its answer."""
    return f"day {draw.t + 1}, " + ("the weather" if draw.kind == "state" else "the ice creams")


def names_of(model: HiddenMarkovModel, draw: Draw) -> Sequence[str]:
    """Return the names of the things that a draw chooses among."""
    return model.states if draw.kind == "state" else model.vocabulary


def happened(model: HiddenMarkovModel, draw: Draw) -> str:
    """Say what was drawn, from where, and how likely that was."""
    chosen, p = names_of(model, draw)[draw.chosen], draw.probabilities[draw.chosen]
    hidden = draw.kind == "state"
    eaten = "" if hidden else " ice cream" if chosen == "1" else " ice creams"
    day = (
        f"Day {draw.t + 1}, {'hidden' if hidden else 'seen'}: the random number u = {draw.uniform:.4f} falls on "
        f"{chosen}{eaten}, {p:.3g} of the line"
    )
    if draw.row < 0:
        return f"{day} of the first day."
    what = "of a day after a" if hidden else "of what is eaten on a"
    return f"{day} {what} {model.states[draw.row]} day."


def alt_of(model: HiddenMarkovModel, draw: Draw) -> str:
    """Return in words what the line from 0 to 1 shows."""
    parts = zip(names_of(model, draw), draw.probabilities, strict=True)
    return "The line from 0 to 1 cut into " + ", ".join(f"{name} {p:.3g}" for name, p in parts)


@lru_cache(maxsize=4096)
def long_weather(hot: float, cold: float, broken: bool, seed: int) -> tuple[float, float]:
    """Return the mean run of days with the same weather over many days, and the share of hot ones."""
    whole = machine_of(hot, cold)
    weather = drawn(speak(without_memory(whole) if broken else whole, LONG, seed), "state")
    return mean_run(weather), float((np.array(weather) == 0).mean())


def tables(model: HiddenMarkovModel) -> None:
    """Draw the machine's two tables."""
    left, right = st.columns(2)
    with left:
        st.caption("From each state (row) to the next (column)")
        rows, columns = following(model)
        LESSON.figure(
            "transition", table_figure(np.exp(following_logs(model)), rows, columns, ".3g"), "Transitions"
        )
    with right:
        st.caption("What each state says")
        emission = np.exp(model.log_emission)
        LESSON.figure("emission", table_figure(emission, model.states, model.vocabulary, ".3g"), "Emissions")


def every_draw(model: HiddenMarkovModel, draws: Sequence[Draw]) -> tuple[pd.DataFrame, Formula]:
    """Return the draws made so far."""
    rows = [
        {
            "day": draw.t + 1,
            "drawn": "weather" if draw.kind == "state" else "ice creams",
            "from": "start" if draw.row < 0 else model.states[draw.row],
            "u": draw.uniform,
            "came out": names_of(model, draw)[draw.chosen],
            "p": float(draw.probabilities[draw.chosen]),
        }
        for draw in draws
    ]

    def formula(row: int, column: str) -> str | None:
        return (
            worked_draw(draws[row], names_of(model, draws[row])) if column in ("u", "came out", "p") else None
        )

    return pd.DataFrame(rows), formula
