"""Pictures of the next token: bars, the line from 0 to 1 with a random number on it, the text; and the lab's table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.packed import packed
from core.figures.token_label import label_token
from core.figures.worked import number, word
from core.models.generation.sampling import (
    SamplingSettings,
    SamplingTrace,
    count_sampled_tokens,
    draw_next_token,
    misses,
    softmax,
)
from core.words.numbers import format_share
from pages.generation.sampling import LESSON
from pages.generation.shared.shown_tokens import name_token

WORDS = LESSON.words
SHOWN = 10  # tokens with a bar of their own; all others share one
RARE = 0.001  # a token that the model, at T = 1, gave less is rare
REST = "rest"  # the key of the bar that all others share
# A token keeps its hue through the story, by its rank after the story's prompt: the palette's name, its share in percent.
HUES = (
    ("blue", 100),
    ("vermillion", 100),
    ("green", 100),
    ("pink", 100),
    ("ochre", 100),
    ("sky", 75),
    ("vermillion", 55),
    ("green", 55),
    ("blue", 50),
    ("pink", 55),
)
DRAWS = 500
# Where the lab's slider stops: close together where the distribution changes most.
TEMPERATURES = (0, *(round(0.1 * i, 1) for i in range(1, 21)), 2.5, 3, 4, 5, 7, 10, 20, 50, 100, 1000)
COLUMNS = ("new", "rank", "token", "logit", "scaled", "softmax", "cut_by", "p", "cumulative", "drawn")


def colour_tokens(order: Sequence[int]) -> dict[int, tuple[str, int]]:
    """Return the hue of each of the first tokens, {token: (hue, share)}."""
    return dict(zip(map(int, order[: len(HUES)]), HUES, strict=False))


def draw_panel(
    trace: SamplingTrace,
    names: Sequence[str],
    colours: Mapping[int, tuple[str, int]],
    prompt: str,
    note: str = "",
    most: int = SHOWN,
    before: bool = False,
    small: bool = False,
) -> dict:
    """Return one chart of the view "next_token": the bars of the most probable tokens and one of all others.

    `before` draws the model's own probabilities, at T = 1 with nothing cut, as outlines; a token that is cut is its
    outline alone. A `small` chart has short names.
    """
    own, p, kept, order = softmax(trace.logits), trace.probabilities, trace.kept, trace.order
    rows = []
    for token in map(int, order[:most]):
        hue, share = colours.get(token, ("", 100))
        rows.append(
            draw_row(str(token), name_token(names[token]), p[token], own[token], kept[token], before)
            | {"hue": hue, "share": share}
        )
    others = order[most:]
    if len(others):
        label = WORDS.label("row.rest") if small else WORDS.label("row.others", n=len(others))
        rest = draw_row(REST, label, p[others].sum(), own[others].sum(), kept[others].any(), before)
        rows.append(rest | {"hue": "", "share": 100})
    return {"prompt": prompt, "note": note, "rows": rows}


def draw_row(key: str, token: str, p: float, own: float, kept: bool, before: bool) -> dict:
    """Return a bar: what it is called, how long it is, and how long it was."""
    return {
        "key": key,
        "token": token,
        "p": float(p),
        "text": format_share(float(p)) if kept else WORDS.label("row.cut"),
        "before": float(own) if before else None,
        "cut": not kept,
    }


def draw_line(
    panel: dict, trace: SamplingTrace, u: float | None = None, cut_at: float | None = None, drag: bool = False
) -> dict:
    """Return the line from 0 to 1 on which the bars of a chart lie end to end, and where a random number u falls.

    With `cut_at`, top-p's p, the line has the probabilities before the cut, which ends there; else those that are left.
    """
    masses = trace.probabilities if cut_at is None else trace.softmax
    segments, end = [], 0.0
    for row in panel["rows"]:
        tokens = [int(row["key"])] if row["key"] != REST else trace.order[len(panel["rows"]) - 1 :]
        for kept in (True, False):
            mass = float(masses[tokens][trace.kept[tokens] == kept].sum())
            if mass > 0:
                begin, end = end, min(1.0, end + mass)
                segments.append(
                    {
                        "key": row["key"],
                        "token": row["token"],
                        "hue": row["hue"],
                        "share": row["share"],
                        "from": begin,
                        "to": end,
                        "cut": not kept,
                    }
                )
    hit = "" if u is None or misses(trace, u) else find_row(panel, draw_next_token(trace, u))
    return {
        "segments": segments,
        "u": None if u is None else {"at": u, "text": WORDS.label("line.u", u=u), "hit": hit},
        "empty": WORDS.label("line.empty") if end < 1 - 1e-6 else "",
        "cut": None
        if cut_at is None
        else {"at": cut_at, "text": WORDS.label("line.p", p=cut_at), "drag": drag},
        "drag": WORDS.label("line.drag") if drag else "",
        "ticks": [{"at": at, "text": f"{at:g}"} for at in (0, 0.5, 1)],
    }


def find_row(panel: dict, token: int) -> str:
    """Return the key of the bar that a token belongs to."""
    return str(token) if any(row["key"] == str(token) for row in panel["rows"]) else REST


def draw_picture(
    panels: Sequence[dict], texts: Sequence[dict] = (), key: Sequence[str] = (), stairs: bool = False
) -> dict:
    """Return the data of the view "next_token". `key` are ids of what is explained below the picture.

    `stairs` lets every bar begin where the one above it ends.
    """
    explained = [{"kind": kind, "text": WORDS.label(f"key.{kind}", least=RARE)} for kind in key]
    return {"panels": list(panels), "texts": list(texts), "key": explained, "stairs": stairs}


def draw_text(label: str, prompt: str, pieces: Sequence[tuple[str, str]]) -> dict:
    """Return a text that was written: the prompt, then its pieces, each (text, kind); kinds: "", "rare", "again".

    The space before a word that is marked is not marked.
    """
    split = []
    for text, kind in pieces:
        word_of = text.lstrip(" ") if kind else text
        split += [(text[: len(text) - len(word_of)], ""), (word_of, kind)]
    return {
        "label": label,
        "prompt": prompt,
        "pieces": [{"text": text, "kind": kind} for text, kind in split if text],
    }


# The lab.


def sampling_payload(
    logits: np.ndarray,
    said: Sequence[str],
    names: Sequence[str],
    settings: SamplingSettings,
    seed: int,
    total: int,
    renormalise: bool = True,
) -> dict:
    """Return what the view `sampling` needs: logits (places, V), a sentence for each place, and the seed's numbers u.

    The first `DRAWS` uniform numbers of the seed are those of `count_sampled_tokens` in core/models/generation/sampling.py;
    the i-th is that of the i-th new token. `total` counts the places that are still to be guessed too. Without
    `renormalise` what is cut is lost. Logits that are float32 are sent as such.

    >>> payload = sampling_payload(np.array([[1.0, -np.inf]]), ["One."], ["a", "b"], SamplingSettings(0.5), seed=1, total=1)
    >>> payload["exact"], payload["settings"]
    (False, {'temperature': 0.5, 'top_k': 0, 'top_p': 1.0})
    """
    exact = bool((logits.astype("<f4") != logits).any())
    return {
        "tokens": [label_token(name) for name in names],
        "logits": packed(logits, "<f8" if exact else "<f4"),
        "exact": exact,
        "said": list(said),
        "total": total,
        "uniforms": np.random.default_rng(seed).random(DRAWS).tolist(),
        "settings": {
            "temperature": settings.temperature,
            "top_k": settings.top_k,
            "top_p": settings.top_p,
        },
        "temperatures": list(TEMPERATURES),
        "renormalise": renormalise,
        "labels": {key: WORDS.label(f"bars.{key}") for key in ("own", "now")},
    }


def sampling_table(
    traces: Sequence[SamplingTrace], settings: SamplingSettings, names: Sequence[str], seed: int
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return every token's row for each new token, the most probable first, with how often the seed's draws gave it.

    With it comes the formula of a cell, by its row and column.
    """
    labels = {column: WORDS.label(f"column.{column}", n=DRAWS) for column in COLUMNS}
    tables = []
    for place, trace in enumerate(traces, start=1):
        order = trace.order
        columns = {
            "new": place,
            "rank": trace.rank[order],
            "token": [label_token(names[i]) for i in order],
            "logit": trace.logits[order],
            "scaled": trace.scaled[order],
            "softmax": trace.softmax[order],
            "cut_by": trace.cut_by[order],
            "p": trace.probabilities[order],
            "cumulative": trace.cumulative[order],
            "drawn": count_sampled_tokens(trace, DRAWS, seed)[order],
        }
        tables.append(pd.DataFrame({labels[column]: values for column, values in columns.items()}))
    ids = {label: column for column, label in labels.items()}

    def formula(row: int, column: str) -> str | None:
        place, rank = divmod(row, len(names))
        token = int(traces[place].order[rank])
        return worked_sampling(traces[place], settings, token, names[token], ids[column])

    return pd.concat(tables, ignore_index=True), formula


def worked_sampling(
    trace: SamplingTrace, settings: SamplingSettings, token: int, name: str, column: str
) -> str | None:
    """Return the formula of one number of a token's row, filled in; None for a column that has none.

    Exponents are less the largest, which changes no quotient and overflows nowhere.
    """
    z, scaled, T = trace.logits[token], trace.scaled[token], settings.temperature
    largest, p = float(trace.scaled.max()), trace.probabilities[token]
    if T == 0 and column in ("scaled", "softmax"):
        return rf"T = 0:\quad \text{{{WORDS.label('worked.greedy')}}}"
    if column == "scaled":
        return rf"\frac{{z}}{{T}} = \frac{{{number(z)}}}{{{number(T)}}} = {number(scaled)}"
    if column == "softmax":
        total = float(np.exp(trace.scaled - largest).sum())
        letters = r"\frac{e^{z_i/T - m}}{\sum_j e^{z_j/T - m}}"
        return (
            rf"{letters} = \frac{{e^{{{number(scaled)} - ({number(largest)})}}}}{{{number(total)}}} "
            rf"= {number(trace.softmax[token])},\qquad m = \max_j z_j/T"
        )
    if column == "p" and trace.cut_by[token]:
        said = WORDS.label("worked.cut", by=str(trace.cut_by[token]))
        return rf"p({word(label_token(name))}) = 0:\quad \text{{{said}}}"
    if column == "p" and not np.isclose(trace.probabilities.sum(), 1):
        return rf"p({word(label_token(name))}) = {number(p)}:\quad \text{{{WORDS.label('worked.lost')}}}"
    if column == "p":
        kept = float(trace.softmax[trace.kept].sum())
        return (
            rf"p({word(label_token(name))}) = \frac{{{number(trace.softmax[token])}}}{{{number(kept)}}} = "
            rf"{number(p)},\qquad {number(kept)}\text{{: {WORDS.label('worked.kept')}}}"
        )
    if column == "cumulative":
        before = trace.cumulative[token] - p
        return rf"{number(before)} + {number(p)} = {number(trace.cumulative[token])}"
    return None
