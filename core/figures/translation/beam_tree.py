"""Beam search over output words, drawn: the beginnings kept after each step as a tree, and one step's candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, scatter
from core.figures.frame import bars
from core.figures.label import label
from core.figures.palette import BLUE, GREY, OCHRE, SKY, faded
from core.figures.worked import number, signed, word
from core.models.translation.beam_history import History, given_up, path_to
from core.models.translation.translate import Beginning

ROW = 40  # pixels of a step
DRAWN_AT_MOST = 16  # candidates of a step


def beam_tree_figure(history: History, names: Sequence[str], steps: int | None = None) -> Figure:
    """Return the tree after so many steps (None: all): steps downwards, ranks across.

    The path of the best hypothesis so far is thick, what has died out by then is grey. The figure has room for all
    steps, so that it stays where it is while the tree grows.
    """
    done = history[:steps]
    winner, lost = set(path_to(done)), given_up(done)
    figure = blank(120 + ROW * len(history), "", "step")
    for step, kept in enumerate(done[1:], 1):
        for rank, beginning in enumerate(kept):
            node = (step, rank)
            colour = OCHRE if node in winner else faded(GREY, 0.6) if node in lost else BLUE
            figure.add_trace(
                scatter(
                    x=[beginning.parent, rank],
                    y=[step, step + 1],
                    mode="lines",
                    line={"color": colour, "width": 4 if node in winner else 1.5},
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
    groups = (
        ("on the way to the likeliest", OCHRE, lambda node: node in winner),
        ("on the way to another that is kept", BLUE, lambda node: node not in winner | lost),
        ("given up", faded(GREY, 0.8), lambda node: node in lost),
    )
    widest = max(map(len, history))
    room = max(4, 40 // widest)  # characters of a word, on a phone
    for name, colour, belongs in groups:
        _add_nodes(figure, done, names, room, name, colour, belongs)
    step = {"y0": len(done) - 0.3, "y1": len(done) + 0.3, "line_width": 0, "fillcolor": faded(SKY, 0.2)}
    figure.add_hrect(**step, layer="below")  # the step that was taken last
    figure.update_xaxes(
        tickvals=list(range(widest)),
        ticktext=["likeliest", *(f"{rank + 1}." for rank in range(1, widest))],
        range=[-0.3, widest],
        side="top",
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(range=[len(history) + 0.4, 0.05], dtick=1, showgrid=False, zeroline=False)
    return figure.update_layout(legend={"y": 0, "yanchor": "top"})


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters; three dots stand for the rest.

    >>> shortened("aujourd'hui", 6), shortened("roi", 6)
    ('aujou…', 'roi')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _add_nodes(
    figure: Figure, history: History, names: Sequence[str], room: int, title: str, colour: str, belongs
) -> None:
    nodes = [(t, k) for t, kept in enumerate(history) for k in range(len(kept)) if belongs((t, k))]
    if not nodes:
        return
    beginnings = [history[t][k] for t, k in nodes]
    figure.add_trace(
        scatter(
            x=[k for _, k in nodes],
            y=[t + 1 for t, _ in nodes],
            mode="markers+text",
            marker={"color": colour, "size": 11},
            text=[
                f"{label(shortened(names[b.words[-1]], room))}<br>{signed(b.log_probability)}"
                for b in beginnings
            ],
            textposition="top right",
            textfont={"size": FONT_SIZE - 3},
            customdata=[" ".join(label(names[i]) for i in b.words) for b in beginnings],
            hovertemplate="%{customdata}<extra></extra>",
            name=title,
        )
    )


def shared_tree(history: History, names: Sequence[str]) -> dict:
    """Return what the steps of a search share as the view "steps" draws them: every beginning kept at every step.

    A beginning is [rank of its parent, its last word, its ln p, the last step (from 0) at which something that is kept
    comes from it], and 1 where it had ended before.

    >>> history = [[Beginning((5,), -1, 0), Beginning((6,), -2, 0)], [Beginning((6, 2), -2, 1)]]
    >>> shared_tree(history, "abcdefg")["steps"][0]
    [[0, 'f', '−1.00', 0], [0, 'g', '−2.00', 1]]
    """
    until = [[t] * len(kept) for t, kept in enumerate(history)]
    for t in range(len(history) - 1, 0, -1):
        for rank, beginning in enumerate(history[t]):
            until[t - 1][beginning.parent] = max(until[t - 1][beginning.parent], until[t][rank])
    steps = []
    for t, kept in enumerate(history):
        again = [bool(t) and len(b.words) == len(history[t - 1][b.parent].words) for b in kept]
        steps.append(
            [
                [b.parent or 0, names[b.words[-1]], signed(b.log_probability), until[t][k], *([1] * again[k])]
                for k, b in enumerate(kept)
            ]
        )
    return {"steps": steps}


def candidates_picture(found: Sequence[Beginning], kept: int, names: Sequence[str]) -> dict:
    """Return the best candidates of one step as bars of ln p, those that were not kept grey.

    >>> candidates_picture([Beginning((5,), -1.25, 0), Beginning((6,), -2, 0)], 1, "abcdefg")["columns"][0]["texts"]
    ['−1.250', '−2.000']
    """
    drawn = found[:DRAWN_AT_MOST]
    values = [b.log_probability for b in drawn]
    column = ("ln p of the whole beginning", values, [signed(value, 3) for value in values])
    return {**bars([_end(b, names) for b in drawn], [column], None), "faint": kept}


def _end(beginning: Beginning, names: Sequence[str], most: int = 4) -> str:
    """Return the last words of a beginning."""
    shown = [names[i] for i in beginning.words[-most:]]
    return ("… " if len(beginning.words) > most else "") + " ".join(shown)


def worked_log_probability(log_p: np.ndarray, name: str, most: int = 6) -> str:
    r"""Return LaTeX of a translation's ln p as the sum over its words.

    >>> worked_log_probability(np.array([-1.0, -0.5]), "1.")
    '\\ln p(\\text{1.}) = (-1) + (-0.5) = -1.5'
    """
    shown = " + ".join(f"({number(float(value), 3)})" for value in log_p[:most])
    rest = rf" + \dots_{{({len(log_p)}\text{{ words}})}}" if len(log_p) > most else ""
    return rf"\ln p({word(name)}) = {shown}{rest} = {number(float(log_p.sum()))}"
