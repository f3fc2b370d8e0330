"""Pictures of a hidden Markov model as a machine: its arrows and bars, one draw on its line, and what it has written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.speaking import Draw
from core.words.numbers import plain_number
from pages.hidden_markov_models.hidden_markov_model import LESSON

WORDS = LESSON.words
HUES = {"hot": "vermillion", "cold": "blue"}  # the same as in the lesson on Viterbi
UNKNOWN = "?"  # the weather of a day that the diary does not tell
START = -1


def format_probability(p: float) -> str:
    """Return a probability as an arrow or a bar shows it.

    >>> format_probability(0.5), format_probability(0.28571), format_probability(0.00082944)
    ('0.5', '0.286', '0.000829')
    """
    return plain_number(p, 3)


def draw_machine(
    model: HiddenMarkovModel,
    draw: Draw | None = None,
    arrows: bool = True,
    emissions: bool = True,
    start: bool = True,
) -> dict:
    """Return the machine as the view "hidden_machine" draws it; of a `draw`, the row that it was drawn from stands out.

    `arrows` are the transitions, and `start` those from the start; `emissions` are the bars of each state.
    """
    states = range(len(model.states))
    rows = [(i, np.exp(model.log_transition[i])) for i in states] if arrows else []
    if arrows and start:
        rows.insert(0, (START, np.exp(model.log_initial)))
    here = None if draw is None else (draw.kind, draw.row)
    return {
        "start": WORDS.label("machine.start") if arrows and start else "",
        "states": [
            {
                "name": state,
                "hue": HUES[state],
                "faint": here is not None and here[0] == "word" and here[1] != i,
            }
            for i, state in enumerate(model.states)
        ],
        "arrows": [
            {
                "from": i,
                "to": j,
                "p": float(p),
                "text": format_probability(p),
                "kind": kind_of(draw, "state", i, j),
            }
            for i, row in rows
            for j, p in enumerate(row)
        ],
        "emits": [
            {
                "title": WORDS.label("machine.emits", state=state),
                "bars": [
                    {
                        "count": int(word),
                        "p": float(p),
                        "text": format_probability(p),
                        "hit": kind_of(draw, "word", i, j) == "took",
                    }
                    for j, (word, p) in enumerate(
                        zip(model.vocabulary, np.exp(model.log_emission[i]), strict=True)
                    )
                ],
            }
            for i, state in enumerate(model.states)
        ]
        if emissions
        else [],
    }


def kind_of(draw: Draw | None, kind: str, row: int, column: int) -> str:
    """Return how a probability is drawn: plain without a draw; else took, of the same row, or faint.

    >>> draw = Draw("state", 1, 0, np.array([0.5, 0.5]), 0.883, 1)
    >>> kind_of(None, "state", 0, 1), kind_of(draw, "state", 0, 1), kind_of(draw, "state", 0, 0), kind_of(draw, "word", 0, 0)
    ('plain', 'took', 'row', 'faint')
    """
    if draw is None:
        return "plain"
    if (draw.kind, draw.row) != (kind, row):
        return "faint"
    return "took" if draw.chosen == column else "row"


def draw_line(model: HiddenMarkovModel, draw: Draw, hidden: bool = False) -> dict:
    """Return the line from 0 to 1 of a draw with its random number; `hidden` draws nothing else on it."""
    ends = [0.0, *draw.cumulative]
    names = model.states if draw.kind == "state" else model.vocabulary
    row = "start" if draw.row == START else "row"
    state = "" if draw.row == START else model.states[draw.row]
    segments = [
        {
            "name": name,
            "count": int(name) if draw.kind == "word" else 0,
            "hue": HUES[name if draw.kind == "state" else state],
            "from": float(ends[j]),
            "to": float(ends[j + 1]),
            "hit": j == draw.chosen,
        }
        for j, name in enumerate(names)
    ]
    marks = (0.0, 1.0) if hidden else ends
    return {
        "title": WORDS.label(f"line.{draw.kind}.{row}", day=draw.t + 1, state=state),
        "segments": [] if hidden else segments,
        "ticks": [{"at": min(1.0, float(at)), "text": f"{at:.3g}"} for at in marks],
        "u": {"at": draw.uniform, "text": WORDS.label("line.u", u=draw.uniform)},
    }


def draw_run(
    model: HiddenMarkovModel,
    draws: Sequence[Draw],
    days: int,
    unknown: Sequence[int] = (),
    factors: bool = False,
    now: bool = False,
    names: Mapping[str, str] | None = None,
) -> dict:
    """Return what the draws so far have written, on a sheet of `days` days.

    The weather of the days in `unknown` is not told. `factors` writes each draw's probability at its arrow, `now` marks
    the last draw, `names` holds the "title" and the "note" of a strip.
    """
    sheet = [{"name": "", "hue": None, "count": 0, "into": "", "down": "", "now": ""} for _ in range(days)]
    for draw in draws:
        day, written = sheet[draw.t], ""
        if factors:
            written = format_probability(draw.probabilities[draw.chosen])
        if draw.kind == "word":
            day |= {"count": int(model.vocabulary[draw.chosen]), "down": written}
        elif draw.t in unknown:
            day |= {"name": UNKNOWN}
        else:
            state = model.states[draw.chosen]
            into = WORDS.label("run.start", p=written) if written and draw.row == START else written
            day |= {"name": state, "hue": HUES[state], "into": into}
    if now and draws:
        sheet[draws[-1].t]["now"] = draws[-1].kind
    return {"title": "", "note": "", **(names or {}), "days": sheet}


def draw_picture(
    machine: dict | None = None, line: dict | None = None, runs: Sequence[dict] = (), total: str = ""
) -> dict:
    """Return the data of the view "hidden_machine"."""
    labels = {
        "day": WORDS.label("run.day"),
        "hidden": [WORDS.label("run.hidden"), WORDS.label("run.hidden.how")],
        "observed": [WORDS.label("run.observed"), WORDS.label("run.observed.how")],
    }
    return {"machine": machine, "line": line, "runs": list(runs), "labels": labels, "sum": total}


def write_product(draws: Sequence[Draw]) -> str:
    """Return the probabilities of some draws multiplied out.

    >>> write_product([Draw("state", 0, -1, np.array([0.6, 0.4]), 0.1, 0), Draw("word", 0, 0, np.array([0.5, 0.5]), 0.1, 0)])
    '0.6 × 0.5 = 0.3'
    """
    factors = [float(draw.probabilities[draw.chosen]) for draw in draws]
    return f"{' × '.join(map(format_probability, factors))} = {format_probability(math.prod(factors))}"
