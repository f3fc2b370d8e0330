"""What the story of sentence pairs draws: probabilities of candidates, three vectors and their sum, shares as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.words.numbers import percent, signed
from pages.pretraining.two_sentences import LESSON

WORDS = LESSON.words


def draw_candidates(values: Mapping[str, float], told: bool = True, best: str = "") -> dict:
    """Return p(is next) of candidates by their ids."""
    rows = [
        make_row(
            WORDS.label(f"row.{key}"),
            f"row.{key}",
            p if told else 0,
            f"{p:.3f}" if told else "?",
            kind="best" if told and key == best else "plain",
            hue="vermillion" if told and key == best else "blue",
        )
        for key, p in values.items()
    ]
    return join_panels(make_panel(WORDS.label("title.p"), 1.2, rows))


def draw_sum(parts: Mapping[str, float], title: str) -> dict:
    """Return one number of a token's vectors as bars that begin where the one before ended; the last is their sum."""
    at, rows = 0.0, []
    for key, value in parts.items():
        start, end = (0.0, value) if key == "x" else (at, at + value)
        rows.append(
            make_row(
                WORDS.label(f"row.{key}"),
                f"row.{key}",
                end,
                signed(value, 2, "+"),
                start=start,
                kind="total" if key == "x" else "plain",
                hue="vermillion" if value < 0 else "blue",
            )
        )
        at = end
    most = 1.5 * max(abs(row["to"]) for row in rows)
    return join_panels(make_panel(title, most, rows, least=-0.3 * most))


def draw_shares(
    title: str,
    shares: Mapping[str, float],
    digits: int = 0,
    hues: Mapping[str, str] | None = None,
    best: str = "",
) -> dict:
    """Return shares as bars."""
    rows = [
        make_row(
            WORDS.label(f"row.{key}"),
            f"row.{key}",
            float(share),
            percent(float(share), digits),
            kind="best" if key == best else "plain",
            hue=(hues or {}).get(key, "blue"),
        )
        for key, share in shares.items()
    ]
    return join_panels(make_panel(title, 1.25 * max(shares.values()), rows))


def draw_probes(title: str, probes: Mapping[str, Sequence[float]]) -> dict:
    """Return for each question how often a probe of the class vector is right, and of random numbers, in two panels."""
    panels = []
    for c, (name, hue) in enumerate((("vector", "blue"), ("random", "grey"))):
        rows = [
            make_row(WORDS.label(f"asked.{key}"), f"{name}.{key}", values[c], percent(values[c], 0), hue=hue)
            for key, values in probes.items()
        ]
        panels.append(make_panel(WORDS.label(f"title.{name}"), 1.3, rows))
    return join_panels(*panels, sum_=title)


def draw_aucs(panels: Mapping[str, tuple[Mapping[str, float], str]]) -> dict:
    """Return AUCs as bars, a panel each with its own colour."""
    return join_panels(
        *(
            make_panel(
                WORDS.label(f"title.auc_{name}"),
                1.3,
                [
                    make_row(WORDS.label(f"row.{key}"), f"{name}.{key}", value, f"{value:.2f}", hue=hue)
                    for key, value in found.items()
                ],
            )
            for name, (found, hue) in panels.items()
        )
    )
