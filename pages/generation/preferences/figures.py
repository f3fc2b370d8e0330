"""Pictures of preferences: probabilities and rewards as bars, the votes on their curve, and rewards as the policy moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from core.figures.blank import STORY_MARGIN, blank, enlarge
from core.figures.figure import Figure, scatter
from core.figures.layer_bars import make_panel, make_row
from core.figures.palette import BLUE, GREY, VERMILLION
from core.lesson.every_number import Formula
from core.models.generation.preferences import Votes
from core.models.generation.preferred_sentences import EVERY
from core.words.numbers import percent, signed
from pages.generation.preferences import LESSON

WORDS = LESSON.words
SHORT = {sentence: n for n, sentence in enumerate(EVERY, 1)}  # sentences that have a short name
LONGEST = 12  # letters of a name
COLUMNS = ("sentence", "reference", "reward", "exact", "trained")


@dataclass(frozen=True)
class Moved:
    """A policy at one β: how far it is from the reference, and the mean reward and share of different bigrams."""

    beta: float
    divergence: float
    reward: float
    distinct: float


def name_row(sentence: str) -> str:
    """Return a name that fits before a bar: the story's own for its sentences, else how the sentence begins.

    >>> name_row("he gave peace to his happy people.")
    'he gave pea…'
    """
    if sentence in SHORT:
        return WORDS.label(f"short.{SHORT[sentence]}")
    return sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 1]}…"


def probability_panel(title: str, sentences: Sequence[str], log_policy: np.ndarray, name: str) -> dict:
    """Return a panel with each sentence's probability; the most probable one is in full colour."""
    p = np.exp(log_policy)
    rows = [
        make_row(
            name_row(sentence),
            f"{name}.{i}",
            float(p[i]),
            percent(float(p[i]), 0),
            kind="best" if i == p.argmax() else "plain",
            whole=sentence,
        )
        for i, sentence in enumerate(sentences)
    ]
    return make_panel(title, 1.25, rows)


def reward_panel(
    title: str, sentences: Sequence[str], rewards: np.ndarray, name: str, hidden: Sequence[int] = ()
) -> dict:
    """Return a panel with each sentence's reward, red below 0; those of `hidden` are open and have no number."""
    shown = [float(r) for i, r in enumerate(rewards) if i not in hidden]
    reach = 2.5 * max(*map(abs, shown), 0.5)
    rows = []
    for i, (sentence, r) in enumerate(zip(sentences, map(float, rewards), strict=True)):
        if i in hidden:
            rows.append(make_row(name_row(sentence), f"{name}.{i}", 0, "?", kind="open", whole=sentence))
        else:
            hue = "blue" if r >= 0 else "vermillion"
            text = signed(r, 2)
            rows.append(make_row(name_row(sentence), f"{name}.{i}", r, text, hue=hue, whole=sentence))
    return make_panel(title, reach, rows, -reach)


def draw_votes_curve(votes: Votes, rewards: np.ndarray) -> Figure:
    """Return the sigmoid, and each pair's share of votes at the difference of its rewards, the larger reward first."""
    figure = blank(420, WORDS.label("axis.difference"), WORDS.label("axis.share"))
    x = np.linspace(0, 4, 81)
    curve = {"mode": "lines", "line_color": GREY, "line_width": 3}
    figure.add_trace(scatter(x=x, y=expit(x), name=WORDS.label("key.model"), **curve))
    a, b = np.array(votes.pairs).T
    differences, shares = rewards[a] - rewards[b], votes.shares
    figure.add_trace(
        scatter(
            x=np.abs(differences),
            y=np.where(differences < 0, 1 - shares, shares),
            mode="markers",
            marker={"color": BLUE, "size": 14},
            name=WORDS.label("key.pair"),
        )
    )
    figure.update_xaxes(range=[-0.1, 4])
    figure.update_yaxes(range=[0.35, 1.05], tickformat=".0%")
    figure.update_layout(showlegend=True)
    return enlarge(figure, margin={**STORY_MARGIN, "t": 40})


def draw_moved(curve: Sequence[Moved], now: Moved) -> Figure:
    """Return the mean reward and the share of different bigrams by the distance to the reference, with one point marked."""
    figure = blank(420, WORDS.label("axis.divergence"), WORDS.label("axis.value"))
    x = [each.divergence for each in curve]
    for name, colour in (("reward", BLUE), ("distinct", VERMILLION)):
        y = [getattr(each, name) for each in curve]
        figure.add_trace(
            scatter(x=x, y=y, mode="lines", line_color=colour, line_width=4, name=WORDS.label(f"key.{name}"))
        )
        figure.add_trace(
            scatter(
                x=[now.divergence],
                y=[getattr(now, name)],
                mode="markers",
                marker={"color": colour, "size": 16},
                showlegend=False,
            )
        )
    figure.update_layout(showlegend=True)
    return enlarge(figure, margin={**STORY_MARGIN, "t": 40})


def policies_table(
    sentences: Sequence[str],
    log_reference: np.ndarray,
    rewards: np.ndarray,
    exact: np.ndarray,
    trained: np.ndarray | None,
    beta: float,
) -> tuple[pd.DataFrame, Formula]:
    """Return each sentence's probabilities and reward, and how p* comes about."""
    columns = [list(sentences), np.exp(log_reference), rewards, np.exp(exact)]
    names = [WORDS.label(f"column.{each}") for each in COLUMNS]
    if trained is not None:
        columns.append(np.exp(trained))
    table = pd.DataFrame(dict(zip(names, columns, strict=False)))
    weights = np.exp(log_reference + rewards / beta)

    def formula(row: int, label: str) -> str | None:
        if label != names[3]:
            return None
        p, r = np.exp(log_reference[row]), rewards[row]
        top = rf"{p:.4g} \cdot e^{{{r:.3f} / {beta:.2g}}}"
        return rf"p^* = \frac{{{top}}}{{{weights.sum():.4g}}} = {np.exp(exact[row]):.4g}"

    return table, formula
