"""What is said of the three ways: shares with intervals, which differences can be told, what was forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.pretraining import WORDS, name
from core.figures.pretraining.fine_tuning import COUNTING, name_rate
from core.models.pretraining.fine_tuning import FINE_TUNED, WAYS
from core.models.pretraining.fine_tuning_measured import (
    Ends,
    Measured,
    accuracy_difference,
    mean_interval,
)
from core.models.pretraining.fine_tuning_runs import places_of


def describe_interval(ends: Ends) -> str:
    """Return a share with its interval.

    >>> describe_interval((0.5, 0.4, 0.6))
    '50.0% (40.0% to 60.0%)'
    """
    mean, low, high = ends
    return WORDS.label("fine_tuning.share", mean=mean, low=max(0.0, low), high=min(1.0, high))


def points_said(ends: Ends) -> str:
    """Return a difference of shares in percentage points, with its interval.

    >>> points_said((0.05, -0.01, 0.11))
    '5.0 points (−1.0 to 11.0)'
    """
    mean, low, high = (100 * each for each in ends)
    return WORDS.label("fine_tuning.points", mean=mean, low=low, high=high)


def verdict(ends: Ends, one: str, other: str) -> str:
    """Say which of two is ahead, if the interval of their difference lets it be told.

    >>> verdict((0.05, -0.01, 0.11), "A", "B")
    'A and B are too close to call: 5.0 points (−1.0 to 11.0)'
    >>> verdict((-0.05, -0.09, -0.01), "A", "B")
    'A is behind B: −5.0 points (−9.0 to −1.0)'
    """
    _, low, high = ends
    return WORDS.label(
        "fine_tuning.verdict", one=one, other=other, low=low, high=high, points=points_said(ends)
    )


def by_seed(one: np.ndarray, other: np.ndarray) -> str:
    """Say with how many seeds one has the larger share, (R,); nothing where there is only one seed.

    >>> by_seed(np.array([0.5, 0.75]), np.array([0.5, 0.25])), by_seed(np.ones(1), np.ones(1))
    (', larger with 1 of 2 seeds', '')
    """
    if len(one) == 1:
        return ""
    return WORDS.label("fine_tuning.seeds", larger=int((one > other).sum()), n=len(one))


def verdicts(found: Mapping[str, Measured], kinds: Sequence[str] = ()) -> str:
    """Say in a sentence each how the fine-tuned classifier compares with the other ones on the same held-out texts.

    `kinds` are those of the held-out texts, where they are known.
    """
    fine = found[FINE_TUNED]
    told = [
        verdict(accuracy_difference(fine.right[:, -1], each.right[:, -1], kinds), name(FINE_TUNED), name(way))
        + by_seed(fine.accuracy[:, -1], each.accuracy[:, -1])
        for way, each in found.items()
        if way != FINE_TUNED
    ]
    return " ".join(f"{each[0].upper()}{each[1:]}." for each in told)


def dealt_said(broken: Measured, n: int, labels: Sequence[str], kinds: Sequence[str] = ()) -> str:
    """Say what was learned of n shuffled labels, and what always predicting the most frequent label would get right."""
    held = np.asarray(labels)[places_of(labels, kinds).held]
    frequent = np.unique(held, return_counts=True)[1].max() / len(held)
    share, learned = (mean_interval(each) for each in (broken.accuracy[:, -1], broken.learnt.astype(float)))
    return WORDS.label(
        "fine_tuning.shuffled",
        n=n,
        learned=describe_interval(learned),
        right=describe_interval(share),
        frequent=frequent,
    )


def shares_said(ends: Mapping[str, Ends]) -> str:
    """Return each way's share with its interval.

    >>> shares_said({"frozen": (0.5, 0.4, 0.6), "naive Bayes": (0.25, 0.25, 0.25)})
    'frozen 50.0% (40.0% to 60.0%), naive Bayes 25.0%'
    """
    return ", ".join(f"{name(way)} {describe_interval(each)}" for way, each in ends.items())


def worth_said(ends: Mapping[str, Mapping[int, Ends]]) -> str:
    """Say from where to where each way goes from the fewest labels to all.

    >>> few, all_ = (0.5, 0.4, 0.6), (0.75, 0.7, 0.8)
    >>> worth_said({"frozen": {16: few, 64: all_}, "naive Bayes": {16: few, 64: few}})
    'From 16 labels to 64: frozen 50.0% to 75.0%, naive Bayes 50.0% to 50.0%.'
    """
    sizes = list(next(iter(ends.values())))
    ways = [
        WORDS.label("fine_tuning.worth.way", way=name(way), few=by_n[sizes[0]][0], all=by_n[sizes[-1]][0])
        for way, by_n in ends.items()
    ]
    return WORDS.label("fine_tuning.worth", first=sizes[0], last=sizes[-1], ways=ways)


def standings(
    by_n: Mapping[int, Mapping[str, Measured]],
    counts: Mapping[int, np.ndarray],
    kinds: Sequence[str] = (),
) -> tuple[list[str], list[str]]:
    """Say where the fine-tuned classifier is ahead of another, and where it is not, naive Bayes (R, N) among them."""
    ahead, rest = [], []
    for n, found in by_n.items():
        fine = found[FINE_TUNED].right[:, -1]
        for other, each in [*((way, found[way].right[:, -1]) for way in WAYS[1:]), (COUNTING, counts[n])]:
            ends = accuracy_difference(fine, each, kinds)
            seeds = by_seed(fine.mean(axis=1), each.mean(axis=1))
            told = WORDS.label(
                "fine_tuning.standing", n=n, verdict=verdict(ends, name(FINE_TUNED), name(other))
            )
            (ahead if ends[1] > 0 else rest).append(f"{told}{seeds}")
    return ahead, rest


def change_said(ends: Ends) -> str:
    """Return by how much the masked loss has changed, with its interval.

    >>> change_said((0.3, -0.1, 0.7))
    '+0.30 nats (−0.10 to +0.70)'
    """
    mean, low, high = ends
    return WORDS.label("fine_tuning.change", mean=mean, low=low, high=high)


def rates_said(rates: Mapping[float, Measured]) -> str:
    """Say for each multiple of the body's rate how often it is right and what it forgets."""
    return "; ".join(
        WORDS.label(
            "fine_tuning.at_rate",
            rate=name_rate(rate),
            share=describe_interval(mean_interval(each.accuracy[:, -1])),
            change=change_said(mean_interval(each.forgotten)),
        )
        for rate, each in rates.items()
    )
