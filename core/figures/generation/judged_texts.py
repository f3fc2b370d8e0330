"""What is found in likely texts, in tables and sentences: circles, variety, what repeating a phrase does to its p."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.generation.sampling import shown
from core.figures.generation.text_numbers import Formula, worked_text
from core.figures.worked import how_often, number, signed
from core.models.generation.degeneration import Cycle, Judged, Pooled
from core.models.generation.repetition import Repetitions

ROUNDING = 1e-5  # bits: the same text scored with more behind it comes out a little different in float32


def circle(cycle: Cycle | None) -> str:
    """Say since when a text runs in a circle.

    >>> circle(Cycle(12, 5, 4.0)), circle(Cycle(0, 1, 9.0)), circle(None)
    ('from token 13 on the same 5 tokens, 4.0 times', 'from token 1 on the same token, 9.0 times', 'no circle')
    """
    if cycle is None:
        return "no circle"
    same = "the same token" if cycle.length == 1 else f"the same {cycle.length} tokens"
    return f"from token {cycle.start + 1} on {same}, {cycle.times:.1f} times"


def verdict(ways: Mapping[str, Pooled], real_text: str) -> str:
    """Say how likely and how varied the beam's text is beside the real one, and which way comes nearest to it."""
    real, beam = ways[real_text], next(way for way in ways if way.startswith("beam"))
    times = float(np.exp(ways[beam].mean - real.mean))
    nearest = min((way for way in ways if way != real_text), key=lambda way: abs(ways[way].mean - real.mean))
    return (
        f"To the model a token of the **{beam}** is {times:.1f} times as likely as one of {real_text} (geometric mean). "
        f"Of the beam's word pairs **{ways[beam].varied:.0%}** differ, of the real text's **{real.varied:.0%}**. "
        f"Sampled text has ln p {signed(ways['sampled'].mean)} a token, {real_text} {signed(real.mean)}; the nearest to "
        f"{real_text} is **{nearest}** with {signed(ways[nearest].mean)}."
    )


def what_they_cost(real_text: str, cost: Mapping[str, float], circles: Sequence[str]) -> str:
    """Say what a token of the real text costs in bits, which text is cheapest, and which run in a circle."""
    least = min(cost.values())
    cheapest = [way for way in cost if cost[way] - least < ROUNDING]  # two where two ways wrote the same text
    said = (
        "the least of all" if real_text in cheapest else f"{' and '.join(cheapest)} least of all, {least:.2f}"
    )
    run = "one runs" if len(circles) == 1 else "these run"
    ends = f"{run} in a circle: {', '.join(circles)}" if circles else "no text runs in a circle"
    return f"{real_text.capitalize()} costs {cost[real_text]:.2f} bits a token, {said}; {ends}."


def circles_begin(whole: Cycle | None, broken: Cycle | None, length: int) -> str:
    """Say whether greedy search runs in its circle sooner with little memory than with all of it.

    >>> circles_begin(Cycle(9, 5, 4.0), Cycle(3, 5, 4.0), 40), circles_begin(Cycle(9, 5, 4.0), None, 40)
    ('With so little memory it begins sooner here.', 'With so little memory it closes none here.')
    """
    if whole is None and broken is None:
        return f"Here neither closes a circle in {length} tokens."
    if broken is None:
        return "With so little memory it closes none here."
    if whole is None:
        return "Only with so little memory does it close one here."
    order = (broken.start > whole.start) - (broken.start < whole.start)
    return f"With so little memory it begins {('sooner', 'at the same token', 'later')[order + 1]} here."


def circles_counted(ways: Mapping[str, Pooled], passages: int) -> str:
    """Say of how many texts of each way the end is a circle."""
    counts = ", ".join(f"{way} {found.circles}" for way, found in ways.items())
    return (
        f"Texts that end in a circle, the same tokens three times or more, of {passages} each: {counts}."
        + ("" if ways["greedy"].circles else " Greedy search did not close a circle here; longer texts may.")
    )


def no_circle_drawn(cycle: Cycle | None) -> str:
    """Say why greedy's circle is not the phrase that is drawn: it is too long, or there is none.

    >>> no_circle_drawn(None)
    'Greedy runs in no circle here: so this is how the real text goes on, said again and again.'
    """
    why = f"Greedy's circle is {cycle.length} tokens long" if cycle else "Greedy runs in no circle here"
    return f"{why}: so this is how the real text goes on, said again and again."


def texts_table(every: Sequence[Judged]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each text, and the rows' formulas."""
    table = pd.DataFrame(
        {
            "after": [each.source for each in every],
            "written by": [each.way for each in every],
            "tokens": [len(each.scored.tokens) for each in every],
            "ln p": [each.scored.total for each in every],
            "ln p / tokens": [each.scored.mean for each in every],
            "different pairs": [each.pairs[0] for each in every],
            "word pairs": [each.pairs[1] for each in every],
            "distinct-2": [each.pairs[0] / max(1, each.pairs[1]) for each in every],
            "circle": [circle(each.cycle) for each in every],
            "text": [shown(each.text) for each in every],
        }
    )

    def formula(row: int, column: str) -> str | None:
        different, pairs = every[row].pairs
        if column == "distinct-2":
            return rf"\frac{{{different}}}{{{pairs}}} = {number(different / max(1, pairs))}"
        return worked_text(every[row].scored.ln_p, column)

    return table, formula


def repetitions_said(found: Repetitions) -> str:
    """Say what repeating a phrase does to its p, and whether greedy search would say it once more.

    >>> repetitions_said(Repetitions(np.log([[0.1], [0.2], [0.4]]), np.array([[False], [True], [True]])))[:90]
    'A token of it has p = 0.100 the first time, 0.200 the second and 0.400 the last (geometric'
    """
    means, n = found.means, found.ln_p.shape[1]
    change = np.diff(means)
    if np.allclose(change[1:], 0.0, atol=1e-6):
        direction = "from the second time on nothing changes, for this model does not look so far back"
    elif (change > 0).all():
        direction = "each time that it is said the model is surer of it"
    elif (change < 0).all():
        direction = "each time that it is said the model is less sure of it"
    else:
        direction = f"{how_often(np.sum(change > 0))} it rises, {how_often(np.sum(change < 0))} it falls"
    first = int(found.likeliest[-1].sum())
    end = "all are" if first == n else f"{first} of {n} {'is' if first == 1 else 'are'}"
    return (
        f"A token of it has p = {means[0]:.3f} the first time, {means[1]:.3f} the second and {means[-1]:.3f} the last "
        f"(geometric mean): {direction}. Of its tokens, the last time, {end} the model's first choice, so greedy search "
        + ("says it again." if first == n else "would leave it.")
    )


def repetitions_table(found: Repetitions, names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each token each time the phrase is said, and the rows' formulas.

    >>> found = Repetitions(np.log([[0.25, 0.5]]), np.array([[False, True]]))
    >>> repetitions_table(found, "ab")[0]["p"].tolist()
    [0.25, 0.5]
    """
    times, n = found.ln_p.shape
    ln_p = found.ln_p.ravel()
    table = {
        "time": np.repeat(np.arange(1, times + 1), n),
        "token": list(names) * times,
        "ln p": ln_p,
        "p": np.exp(ln_p),
        "the model's first choice": found.likeliest.ravel(),
    }

    def formula(row: int, column: str) -> str | None:
        p = rf"p = e^{{{number(ln_p[row])}}} = {number(float(np.exp(ln_p[row])))}"
        return p if column == "p" else None

    return pd.DataFrame(table), formula
