"""What the story of masked words draws: rankings of tokens, tokens as they are shown, losses and shares as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.words.numbers import percent
from pages.pretraining.masked_words import LESSON

WORDS = LESSON.words
BEST = 5  # tokens of a ranking


def said(token: str) -> str:
    """Return a token as a row names it.

    >>> said(" David"), said("en")
    ('David', 'en…')
    """
    if token.startswith(" ") or not token.isalpha():
        return token.strip() or "␣"
    return f"{token}…" if token.islower() else token


def rank_tokens(
    title: str, p: np.ndarray, names: Sequence[str], hidden: int, most: float, told: bool = True
) -> dict:
    """Return a panel with the most probable tokens, and the hidden one in full colour, below them if it is not there."""
    order = [int(i) for i in np.argsort(-p, kind="stable")[:BEST]]
    shown = order if hidden in order else [*order, hidden]
    shown = shown if told else sorted(shown, key=lambda i: said(names[i]).lower())
    rows = [
        make_row(
            said(names[i]),
            f"token.{i}",
            float(p[i]) if told else 0,
            percent(float(p[i])) if told else "?",
            kind="best" if told and i == hidden else "plain",
            hue="vermillion" if told and i == hidden else "blue",
        )
        for i in shown
    ]
    return make_panel(title, most, rows)


def draw_ranking(*panels: dict, sum_: str = "") -> dict:
    """Return panels of tokens."""
    return join_panels(*panels, sum_=sum_)


def draw_losses(losses: Sequence[tuple[str, float]], mean: float) -> dict:
    """Return -ln p of each drawn token as a bar, and their mean."""
    rows = [make_row(said(token), f"loss.{i}", loss, f"{loss:.2f}") for i, (token, loss) in enumerate(losses)]
    rows.append(make_row(WORDS.label("row.mean"), "loss.mean", mean, f"{mean:.2f}", kind="total"))
    most = 1.3 * max(loss for _, loss in losses)
    return join_panels(make_panel(WORDS.label("title.losses"), most, rows))


def draw_shares(title: str, shares: Mapping[str, float]) -> dict:
    """Return shares as bars."""
    rows = [
        make_row(
            WORDS.label(f"row.{key}"),
            f"row.{key}",
            share,
            percent(share, 1),
            kind="best" if i == 0 else "plain",
            hue="blue" if i == 0 else "grey",
        )
        for i, (key, share) in enumerate(shares.items())
    ]
    return join_panels(make_panel(title, 1.3 * max(shares.values()), rows))
