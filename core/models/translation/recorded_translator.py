"""A recorded training of a translator of dates: what it writes, where it attends, and how good it is, by step."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.text.grammar.pairs import Pair
from core.text.samples.dates import links_of

RUN = Path(__file__).resolve().parents[3] / "assets" / "runs" / "translation_training.json"


@dataclass(frozen=True)
class RecordedMoment:
    """A translator after some steps.

    `loss` is in nats per output character of held-out dates, `right` the share of them that it translates without a
    mistake; of their linked output characters `aligned` is the share whose heaviest weight is on a right input, and
    `characters` the share that is the most probable one after the right beginning. Of the watched date: `written` is
    what the model writes by itself; given the right beginning, `weights` (T, S) are its attention, `p` (T,) the
    probability of each right character, `push` (T, S) how one step changes each score: -d(-ln p_t)/d e_ts.
    """

    step: int
    loss: float
    right: float
    aligned: float
    characters: float
    written: str
    weights: np.ndarray
    p: np.ndarray
    push: np.ndarray
    split: dict[str, object] | None = (
        None  # at one step: the share right of aligned characters, and of others
    )


Course = list[tuple[int, float, float, float]]  # of a run: (step, right, aligned, characters)


@dataclass(frozen=True)
class RecordedTraining:
    """The run on true pairs, and the course of others: on shuffled outputs (`shuffled`), and by seed (`seeds`).

    `mixed` are some of the shuffled pairs: (input, output given, right output). `uniform` is the share of held-out dates
    that the last moment translates with weight 1/S everywhere, `chance` the share of links that a random input hits.
    """

    source: str
    target: str
    pairs: int
    held_out: int
    parameters: int
    moments: tuple[RecordedMoment, ...]
    shuffled: Course
    mixed: list[tuple[str, str, str]]
    uniform: float
    chance: float
    seeds: dict[int, Course]

    @property
    def pair(self) -> Pair:
        """The watched date with its gold alignment."""
        source, target = tuple(self.source), tuple(self.target)
        return Pair(source, target, links_of(source, target))

    @property
    def steps(self) -> int:
        """How many steps the training took."""
        return self.moments[-1].step

    @property
    def course(self) -> Course:
        """The run's own course."""
        return [(each.step, each.right, each.aligned, each.characters) for each in self.moments]

    def at(self, step: int) -> RecordedMoment:
        """Return the moment after so many steps."""
        return next(moment for moment in self.moments if moment.step == step)


def pushes(weights: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """Return -dL/de_ts = a_ts (gain_ts - sum_s' a_ts' gain_ts'), where gain_ts = -dL/da_ts; all are (T, S).

    A score rises where more weight would have lowered the loss by more than the mean of the inputs does.

    >>> pushes(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])).tolist()
    [[0.25, -0.25]]
    """
    return weights * (gain - (weights * gain).sum(-1, keepdims=True))


def read_moment(fields: dict) -> RecordedMoment:
    """Return a moment as it was written, its tables as arrays."""
    return RecordedMoment(
        **{key: np.array(each) if isinstance(each, list) else each for key, each in fields.items()}
    )


@cache
def recorded_training() -> RecordedTraining:
    """Return the run that `python -m core.training.translation_runs` wrote."""
    run = json.loads(RUN.read_text(encoding="utf-8"))
    seeds = {int(seed): course for seed, course in run["seeds"].items()}
    return RecordedTraining(**{**run, "moments": tuple(map(read_moment, run["moments"])), "seeds": seeds})
