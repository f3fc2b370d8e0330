"""Hidden Markov models: what the story shows beat by beat, and the lab, in which the machine writes a diary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.formulas import worked_draw
from core.figures.hidden_markov_models.tables import table_figure
from core.lesson.every_number import Formula
from core.lesson.settings import Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.models.hidden_markov_models.speaking import Draw, chosen_by, drawn, expected_run, mean_run, speak
from core.models.hidden_markov_models.what_if import with_probability, without_memory
from pages.hidden_markov_models.hidden_markov_model import LESSON
from pages.hidden_markov_models.hidden_markov_model.figures import (
    draw_line,
    draw_machine,
    draw_picture,
    draw_run,
    format_probability,
    write_product,
)
from pages.hidden_markov_models.shared.given_tables import following, following_logs
from pages.hidden_markov_models.shared.hmm_take_away import list_sources

WORDS = LESSON.words
DAYS = 10  # of the lab's diary
LONG = 10_000  # days over which the lab measures what the memory is worth
SEED = 2255  # of the story: its first five days are Viterbi's diary, 3 1 3 2 1
STRIP = 30  # days of a long run
HOT = Slider("hot", 0.5, 0.05, 0.95, 0.05)
COLD = Slider("cold", 0.8, 0.05, 0.95, 0.05)
FORGET = Switch("forget")
LAB = (HOT, COLD, FORGET)


# The story: what each beat shows.


def show_diary(settings: Settings) -> Part:
    """The diary alone: the ice creams, and a question mark for each day's weather."""
    model, draws = written(settings)
    run = draw_run(model, draws, settings.days, range(settings.days))
    return Part("hidden_machine", draw_picture(runs=[run]))


def show_states(settings: Settings) -> Part:
    """The states and the arrows between them, each as thick as its probability."""
    model = machine_of(settings)
    stays = [format_probability(p) for p in np.exp(np.diag(model.log_transition))]
    return Part(
        "hidden_machine",
        draw_picture(draw_machine(model, emissions=False, start=False)),
        {"stays": dict(zip(model.states, stays, strict=True))},
    )


def show_emissions(settings: Settings) -> Part:
    """The bars of each state, beside its arrows."""
    model = machine_of(settings)
    emitted = {
        state: [format_probability(p) for p in row]
        for state, row in zip(model.states, np.exp(model.log_emission), strict=True)
    }
    return Part("hidden_machine", draw_picture(draw_machine(model, arrows=False)), {"emitted": emitted})


def show_weather(settings: Settings) -> Part:
    """One draw of the weather: the arrows that leave a state, their line, and the random number on it."""
    model, draws = written(settings)
    draw = draws[2 * settings.day - 2]
    past = draws[: 2 * settings.day - 1]
    picture = draw_picture(
        draw_machine(model, draw, emissions=False),
        draw_line(model, draw),
        [draw_run(model, past, settings.days, now=True)],
    )
    return Part("hidden_machine", picture, describe_draw(model, draw))


def show_eaten(settings: Settings) -> Part:
    """One draw of the ice creams: until it is revealed, the line has nothing but the random number."""
    model, draws = written(settings)
    at = 2 * settings.day - 1
    draw, past = draws[at], draws[: at + 1 if settings.revealed else at]
    if settings.revealed:
        machine = draw_machine(model, draw, arrows=False)
        values = describe_draw(model, draw)
    else:
        machine = draw_machine(model, replace(draw, chosen=-1), arrows=False)
        values = {"u": f"{draw.uniform:.3f}", "state": model.states[draw.row], "at": settings.day}
    line = draw_line(model, draw, hidden=not settings.revealed)
    run = draw_run(model, past, settings.days, now=True)
    picture = draw_picture(machine, line, [run])
    return Part(
        "hidden_machine", picture, values, choices=model.vocabulary, answer=model.vocabulary[draw.chosen]
    )


def show_product(settings: Settings) -> Part:
    """Every draw of the five days with its probability, and the product of them all."""
    model, draws = written(settings)
    run = draw_run(model, draws, settings.days, factors=True)
    total = write_product(draws)
    values = {"factors": len(draws), "product": total.rpartition(" = ")[2]}
    return Part("hidden_machine", draw_picture(runs=[run], total=total), values)


def show_memory(settings: Settings) -> Part:
    """The same random numbers with and without memory: long spells of weather above, short ones below."""
    whole = machine_of(settings)
    runs, spells = [], []
    for name, model in (("memory", whole), ("forgets", without_memory(whole))):
        spells.append(f"{expected_run(model):.3g}")
        names = {
            "title": WORDS.label(f"strip.{name}"),
            "note": WORDS.label("strip.spell", spell=spells[-1]),
        }
        runs.append(draw_run(model, speak(model, STRIP, settings.seed), STRIP, names=names))
    stays = format_probability(float(np.exp(whole.log_transition[0, 0])))
    return Part("hidden_machine", draw_picture(runs=runs), {"spells": spells, "stays": stays, "n": STRIP})


def show_own(settings: Settings) -> Part:
    """The learner's machine, and thirty days that it wrote."""
    model = machine_of(settings)
    draws = speak(model, STRIP, settings.seed)
    weather = drawn(draws, "state")
    names = {"title": WORDS.label("strip.own", days=STRIP)}
    values = {
        "spells": [f"{1 / (1 - p):.3g}" for p in np.exp(np.diag(model.log_transition))],
        "turns": sum(before != after for before, after in pairwise(weather)),
        "n": STRIP,
    }
    picture = draw_picture(
        draw_machine(model, emissions=False, start=False), runs=[draw_run(model, draws, STRIP, names=names)]
    )
    return Part("hidden_machine", picture, values)


def show_machine(settings: Settings) -> Part:
    """The whole machine, and what we see of its run."""
    model, draws = written(settings)
    probabilities = model.log_initial.size + model.log_transition.size + model.log_emission.size
    picture = draw_picture(
        draw_machine(model), runs=[draw_run(model, draws, settings.days, range(settings.days))]
    )
    return Part("hidden_machine", picture, {"probabilities": probabilities})


DIARY = {"seed": SEED, "days": 5}
STORY = (
    look("diary", show_diary, **DIARY),
    look("states", show_states),
    look("emissions", show_emissions),
    look("weather", show_weather, day=2, **DIARY),
    ask("eaten", show_eaten, day=3, **DIARY),
    look("product", show_product, **DIARY),
    look("memory", show_memory, hot=0.8, cold=0.8, seed=42),
    do("own", show_own, HOT, COLD, seed=6),
    end("answer", show_machine, seed=SEED, days=5),
)


def machine_of(settings: Settings) -> HiddenMarkovModel:
    """Return the diary's machine, with a beat's probabilities that the weather stays as it is."""
    return build_machine(settings.get("hot", HOT.default), settings.get("cold", COLD.default))


def written(settings: Settings) -> tuple[HiddenMarkovModel, list[Draw]]:
    """Return a beat's machine and the draws of its days."""
    model = machine_of(settings)
    return model, speak(model, settings.days, settings.seed)


def build_machine(hot: float, cold: float) -> HiddenMarkovModel:
    """Return the diary's machine with these probabilities that the weather stays as it is."""
    model = with_probability(ice_cream_diary(), "transition", 0, 0, hot)
    return with_probability(model, "transition", 1, 1, cold)


def describe_draw(model: HiddenMarkovModel, draw: Draw) -> dict:
    """Return what the words name of a draw: its number, its row, what came out, and how probable that was."""
    names = model.states if draw.kind == "state" else model.vocabulary
    return {
        "u": f"{draw.uniform:.3f}",
        "at": draw.t + 1,
        "state": "" if draw.row < 0 else model.states[draw.row],
        "drawn": names[draw.chosen],
        "p": format_probability(float(draw.probabilities[draw.chosen])),
        "ends": [format_probability(end) for end in draw.cumulative],
    }


# The lab: the machine writes ten days, draw by draw.


def lab() -> None:
    """The machine and one of its draws; the line of it; the diary so far; below, its tables."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        hot, cold = LESSON.draw(HOT), LESSON.draw(COLD)
        forget = LESSON.draw(FORGET)
        with LESSON.options():
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1, help=WORDS.label("seed.help"))
    whole = build_machine(hot, cold)
    model = without_memory(whole) if forget else whole
    draws = speak(model, DAYS, seed)
    with stage:
        step = LESSON.step([WORDS.label(f"step.{draw.kind}", day=draw.t + 1) for draw in draws], start=3)
        draw, past = draws[step], draws[: step + 1]
        words = [model.vocabulary[word] for word in drawn(past, "word")]
        revealed = LESSON.ask(
            WORDS.label("question", day=draw.t + 1, words=words),
            list(model.states),
            model.states[drawn(draws, "state")[draw.t]],
            f"{hot}_{cold}_{seed}_{forget}_{draw.t}",
        )
        LESSON.view("hidden_machine", bench_picture(model, draw, past, revealed))
        if revealed:
            LESSON.say(*describe_step(model, draw))
            LESSON.every_number(WORDS.label("table.draws"), every_draw, model, past)
            st.latex(worked_draw(draw, names_of(model, draw)))
    if forget:
        weather = [long_weather(hot, cold, each, seed) for each in (False, True)]
        (run, share), (run_forgets, share_forgets) = weather
        LESSON.compare("forget", run, run_forgets, more_is_better=None)
        st.caption(WORDS.markdown("says.shares", n=LONG, share=share, other=share_forgets))
    if tables := LESSON.fold("tables"):
        with tables:
            show_tables(model)
    LESSON.close_lab(
        code=[speak, chosen_by, without_memory, mean_run, expected_run],
        parameters={"hot": hot, "cold": cold, "forget": forget, "days": DAYS, "seed": seed},
        prompts={
            "stays": {"hot": 0.95, "cold": 0.95, "step": 2 * DAYS},
            "forget": {"forget": True, "step": 2 * DAYS},
            "guess": {"predict": True, "step": 6},
        },
        credits=list_sources(),
    )


def bench_picture(model: HiddenMarkovModel, draw: Draw, past: Sequence[Draw], revealed: bool) -> dict:
    """Return the lab's picture of one step; until the guess it holds no weather and no draw."""
    if not revealed:
        run = draw_run(model, past, DAYS, range(DAYS))
        return draw_picture(draw_machine(model), runs=[run])
    return draw_picture(
        draw_machine(model, draw), draw_line(model, draw), [draw_run(model, past, DAYS, now=True)]
    )


def names_of(model: HiddenMarkovModel, draw: Draw) -> Sequence[str]:
    """Return the names of the things that a draw chooses among."""
    return model.states if draw.kind == "state" else model.vocabulary


def describe_step(model: HiddenMarkovModel, draw: Draw) -> tuple[str, dict]:
    """Return the key and the values of the sentence on a draw: what it was drawn from, and what came out."""
    row = "start" if draw.row < 0 else "row"
    return f"says.{draw.kind}.{row}", describe_draw(model, draw)


@lru_cache(maxsize=4096)
def long_weather(hot: float, cold: float, forget: bool, seed: int) -> tuple[float, float]:
    """Return how long a spell of weather lasts in the mean of many days, and the share of hot days."""
    whole = build_machine(hot, cold)
    weather = drawn(speak(without_memory(whole) if forget else whole, LONG, seed), "state")
    return mean_run(weather), float((np.array(weather) == 0).mean())


def show_tables(model: HiddenMarkovModel) -> None:
    """Draw the machine's two tables."""
    left, right = st.columns(2)
    with left:
        st.caption(WORDS.label("table.transition"))
        rows, columns = following(model)
        figure = table_figure(np.exp(following_logs(model)), rows, columns, ".3g")
        LESSON.figure("transition", figure, WORDS.label("table.transition"))
    with right:
        st.caption(WORDS.label("table.emission"))
        figure = table_figure(np.exp(model.log_emission), model.states, model.vocabulary, ".3g")
        LESSON.figure("emission", figure, WORDS.label("table.emission"))


def every_draw(model: HiddenMarkovModel, draws: Sequence[Draw]) -> tuple[pd.DataFrame, Formula]:
    """Return the draws made so far."""
    names = {name: WORDS.label(f"column.{name}") for name in ("day", "drawn", "from", "u", "out", "p")}
    rows = [
        {
            names["day"]: draw.t + 1,
            names["drawn"]: WORDS.label(f"drawn.{draw.kind}"),
            names["from"]: WORDS.label("machine.start") if draw.row < 0 else model.states[draw.row],
            names["u"]: draw.uniform,
            names["out"]: names_of(model, draw)[draw.chosen],
            names["p"]: float(draw.probabilities[draw.chosen]),
        }
        for draw in draws
    ]

    def formula(row: int, column: str) -> str | None:
        shown = (names["u"], names["out"], names["p"])
        return worked_draw(draws[row], names_of(model, draws[row])) if column in shown else None

    return pd.DataFrame(rows), formula
