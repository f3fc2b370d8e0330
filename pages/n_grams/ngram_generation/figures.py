"""Pictures of a text that is drawn: what a token was drawn from, the text with what it copies, windows, and copies by n."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.n_grams.ngram import escape_label
from core.figures.n_grams.ngram_worked import worked
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_text import END, START, CountedText
from core.models.n_grams.written_text import Drawn
from core.words.numbers import plain_number
from pages.n_grams.ngram_generation import LESSON

WORDS = LESSON.words
SHOWN = 8  # next tokens with a bar of their own
REST, UNSEEN = "rest", "unseen"  # keys of the bars that many tokens share
HIT, OTHER = ("vermillion", 100), ("blue", 55)  # hues of the token that is drawn, and of the others
LARGE = 18  # pixels of the letters in the story's figures


# The story.


def name_token(counted: CountedText, token: int) -> str:
    """Return a token as the story shows it: the start and the end of a sentence have names."""
    name = counted.name(token)
    return WORDS.label(f"token.{'end' if name == END else 'start'}") if name in (START, END) else name


def draw_panel(
    counted: CountedText,
    step: Drawn | None,
    prompt: str,
    u: bool = False,
    hit: bool = True,
    unseen: tuple[int, float] = (0, 0.0),
) -> dict:
    """Return one chart of the view "next_token": what a token is drawn from, and where its u falls.

    Without `hit` the drawn token has no colour of its own. `unseen` are how many tokens were never counted after this
    context, and their probability together. Where there is no `step` nothing can follow.
    """

    def draw_row(key: str, name: str, p: float, hue: tuple[str, int]) -> dict:
        drawn = {"key": key, "token": name, "p": p, "text": WORDS.label("row.p", p=p), "before": None}
        return {**drawn, "cut": False, "hue": hue[0], "share": hue[1]}

    title = WORDS.label("panel.after", context=prompt)
    if step is None:
        row = {**draw_row(REST, WORDS.label("row.none"), 0.0, ("", 100)), "text": ""}
        return {"prompt": title, "note": "", "rows": [row], "line": None}
    rows = [
        draw_row(
            str(token), name_token(counted, token), float(p), HIT if hit and token == step.token else OTHER
        )
        for token, p in list(zip(step.likeliest.tolist(), step.p.tolist(), strict=True))[:SHOWN]
    ]
    count, mass = unseen
    left = step.possible - len(rows) - count
    rest = 1 - sum(row["p"] for row in rows) - mass
    if left > 0:
        rows.append(draw_row(REST, WORDS.label("row.others", n=left), max(0.0, rest), ("", 100)))
    if count:
        rows.append(draw_row(UNSEEN, WORDS.label("row.unseen", n=count), mass, HIT))
    return {"prompt": title, "note": "", "rows": rows, "line": draw_line(rows, step, hit) if u else None}


def draw_line(rows: Sequence[dict], step: Drawn, hit: bool) -> dict:
    """Return the line from 0 to 1 on which the bars of a chart lie end to end, and where u falls, if it may be seen."""
    ends = np.minimum(1.0, np.cumsum([row["p"] for row in rows])).tolist()
    segments = [
        {name: row[name] for name in ("key", "token", "hue", "share", "cut")} | {"from": start, "to": end}
        for row, start, end in zip(rows, [0.0, *ends], ends, strict=False)
    ]
    key = str(step.token) if any(row["key"] == str(step.token) for row in rows) else REST
    pointer = {"at": step.u, "text": WORDS.label("line.u", u=step.u), "hit": key}
    ticks = [{"at": at, "text": f"{at:g}"} for at in (0, 0.5, 1)]
    return {
        "segments": segments,
        "u": pointer if hit else None,
        "empty": "",
        "cut": None,
        "drag": "",
        "ticks": ticks,
    }


def draw_text(
    counted: CountedText,
    label: str,
    prompt: Sequence[int],
    tokens: Sequence[int],
    marked: Collection[int] = (),
    kind: str = "again",
) -> dict:
    """Return a text as the view "next_token" shows it, the tokens at the places `marked` marked."""
    pieces, whole = [], counted.text(prompt)
    for place, piece in enumerate(split_text(counted, prompt, tokens)):
        word = piece.lstrip(" ") if place in marked else piece
        pieces += [
            {"text": piece[: len(piece) - len(word)], "kind": ""},
            {"text": word, "kind": kind if place in marked and word.strip() else ""},
        ]
    return {"label": label, "prompt": whole, "pieces": [each for each in pieces if each["text"]]}


def split_text(counted: CountedText, prompt: Sequence[int], tokens: Sequence[int]) -> list[str]:
    """Return what each token adds to the running text; before a word that is its space."""
    context, whole, pieces = list(prompt), counted.text(prompt), []
    for token in tokens:
        context.append(token)
        longer = counted.text(context)
        pieces.append(longer.removeprefix(whole))
        whole = longer
    return pieces


def draw_picture(
    panels: Sequence[dict], texts: Sequence[dict] = (), key: str = "", stairs: bool = False
) -> dict:
    """Return the data of the view "next_token"; `key` is the id of what marked words are."""
    kind = "rare" if key == "new" else "again"
    explained = [{"kind": kind, "text": WORDS.label(f"key.{key}")}] if key else []
    return {"panels": list(panels), "texts": list(texts), "key": explained, "stairs": stairs}


def draw_windows(counted: CountedText, prompt: Sequence[int], drawn: Sequence[Drawn]) -> dict:
    """Return a row for each draw: the two tokens before, the token that is drawn, u and p."""
    text = [*prompt, *(step.token for step in drawn)]
    rows = []
    for i in range(len(drawn)):
        names = [name_token(counted, token) for token in text[i + len(prompt) - 2 : i + len(prompt) + 1]]
        kinds = ("seen", "seen", "target")
        cells = [{"text": name, "kind": kind} for name, kind in zip(names, kinds, strict=True)]
        rows.append({"name": str(i + 1), "lit": False, "cells": cells})
    numbers = {"u": [f"{step.u:.2f}" for step in drawn], "p": [f"{step.chance:.0%}" for step in drawn]}
    sides = [
        {"title": WORDS.label(f"side.{name}"), "hue": "grey", "texts": texts, "bars": None, "mark": None}
        for name, texts in numbers.items()
    ]
    sides[1] |= {"hue": "ochre", "bars": [step.chance for step in drawn]}
    key = [{"kind": kind, "text": WORDS.label(f"key.{kind}")} for kind in ("seen", "target")]
    return {"widths": [1.3] * 3, "rows": rows, "links": [], "sides": sides, "key": key, "sum": ""}


def copies_figure(copies: Sequence[int], lengths: Sequence[int], known: int) -> Figure:
    """Return the longest copy in the text of each n = 1, 2, ...; only the first `known` of them are drawn."""
    figure = blank(420, WORDS.label("axis.n"), WORDS.label("axis.copy"))
    n = list(range(1, len(copies) + 1))
    shown = [copy if i < known else 0 for i, copy in enumerate(copies)]
    figure.add_trace(
        bar(
            x=n,
            y=shown,
            marker={"color": OCHRE},
            text=[
                WORDS.label("bar.copy" if i < known else "bar.asked", n=copy, of=of)
                for i, (copy, of) in enumerate(zip(copies, lengths, strict=True))
            ],
            textposition="outside",
            textfont={"size": LARGE},
            textangle=0,
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    figure.update_xaxes(dtick=1, tickfont={"size": LARGE})
    return figure.update_yaxes(range=[0, max(lengths) * 1.08])


# The lab.


def step_picture(drawn: Drawn, number: dict[int, int], luck: bool = True) -> dict:
    """Return what `draw_figure` shows of a drawn token as the view "steps" draws it; `number` numbers tokens for it.

    >>> from core.models.n_grams.written_text import Drawn
    >>> drawn = Drawn(7, 0.8, 0.3125, 0.8125, 2, 3, np.array([4, 7]), np.array([0.5, 0.3125]))
    >>> {name: step_picture(drawn, {})[name] for name in ("ids", "p", "others", "rest", "drawn")}
    {'ids': [0, 1], 'p': [0.5, 0.3125], 'others': 1, 'rest': 0.1875, 'drawn': 1}
    """
    ids = drawn.likeliest.tolist()
    named = [number.setdefault(token, len(number)) for token in ids]
    picture = {"kind": "chances", "ids": named, "p": [float(f"{p:.6g}") for p in drawn.p]}
    if others := drawn.possible - len(ids):
        picture |= {"others": others, "rest": float(f"{max(0.0, 1 - drawn.p.sum()):.6g}")}
    if luck:
        picture["u"] = round(drawn.u, 5)
    return picture | {"drawn": min(drawn.rank - 1, len(ids))}


def draw_figure(step: Drawn, names: Sequence[str], height: int = 420) -> Figure:
    """Return the likeliest next tokens as bars laid end to end from 0 to 1, and the u that fell among them.

    `names` are those of the likeliest tokens, in that order; all others are one grey bar.
    """
    labels, widths = [escape_label(name) for name in names], step.p[: len(names)].tolist()
    colours = [VERMILLION if token == step.token else BLUE for token in step.likeliest[: len(names)]]
    if step.possible > len(names):
        labels.append(WORDS.label("row.others", n=step.possible - len(names)))
        widths.append(max(0.0, 1 - sum(widths)))
        colours.append(GREY if VERMILLION in colours else VERMILLION)
    figure = blank(height, WORDS.label("axis.p"))
    figure.add_trace(
        bar(
            x=widths,
            base=np.cumsum([0.0, *widths[:-1]]).tolist(),
            y=list(range(len(labels))),
            orientation="h",
            marker={"color": colours},
            text=[plain_number(width) for width in widths],
            textposition="outside",
            textfont={"size": 13},
            constraintext="none",
            cliponaxis=False,
        )
    )
    label = {"text": WORDS.label("line.u", u=step.u), "font": {"color": GREEN}, "yanchor": "bottom"}
    figure.add_vline(x=step.u, line={"color": GREEN, "width": 3}, annotation=label)
    figure.update_layout(margin={"t": 30})
    figure.update_xaxes(range=[0, 1.1])
    return figure.update_yaxes(tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed")


def next_table(
    counted: CountedText, model: NgramModel, prompt: Sequence[int], drawn: Sequence[Drawn]
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return the table of the likeliest tokens of each draw with their probabilities, and the formula of its cells."""
    rows, contexts, context = [], [], list(prompt)
    for place, step in enumerate(drawn, start=1):
        listed = list(zip(step.likeliest.tolist(), step.p, np.cumsum(step.p), strict=True))
        if step.rank > len(listed):
            listed.append((step.token, step.chance, step.cumulative))
        for token, p, cumulative in listed:
            rows.append((place, counted.name(token), p, cumulative, token == step.token))
            contexts.append((list(context), token))
        context.append(step.token)
    columns = [WORDS.label(f"column.{name}") for name in ("draw", "token", "p", "cumulative", "drawn")]
    table = pd.DataFrame(rows, columns=columns)
    return table, lambda row, column: worked(counted, model, *contexts[row]) if column == columns[2] else None
