"""Pictures of character models: the window and its shifted target, what a model expects, the value of context."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter, subplots
from core.figures.frame import bars
from core.figures.generation import WORDS
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREY, VERMILLION, faded
from core.figures.token_label import label_token
from core.figures.worked import number, word
from core.models.generation.shifted_window import ScoredWindow

X_ROW, Y_ROW = 1.0, 0.0


def label_character(token: str) -> str:
    """Return a token as a picture's label: spaces and line ends as marks, nothing read as mark-up.

    >>> label_character("<"), label_character(" ")
    ('&lt;', '␣')
    """
    return escape_label(label_token(token))


def shifted_figure(
    scored: ScoredWindow,
    names: Sequence[str],
    place: int,
    hidden: bool = False,
    height: int = 330,
    first: int = 0,
) -> Figure:
    """Return x above y, one column a position with its numbers, and below them -ln p of each target.

    At `place` the context, from `first` on, is blue and the target vermillion; `hidden` leaves out what would give the
    target away.
    """
    T = len(scored.x)
    figure = subplots(2, 1, shared_xaxes=True, row_heights=[0.52, 0.48], vertical_spacing=0.04)
    figure.update_layout(blank(height).layout)
    figure.update_layout(showlegend=False)
    seen = place + 1 if hidden else T
    add_row(figure, scored.x[:seen], names, X_ROW, T, range(first, place + 1))
    seen = place if hidden else T
    add_row(figure, scored.y[:seen], names, Y_ROW, T, range(place, place + 1))
    figure.add_shape(**box(first - 0.5, place + 0.5, X_ROW, BLUE), row=1, col=1)
    figure.add_shape(**box(place - 0.5, place + 0.5, Y_ROW, VERMILLION), row=1, col=1)
    add_losses(figure, scored, names, place, seen)
    figure.update_xaxes(range=[-0.6, T - 0.4], showgrid=False, zeroline=False, visible=False, row=1, col=1)
    figure.update_yaxes(
        tickvals=[X_ROW, Y_ROW], ticktext=["x", "y"], range=[-0.5, 1.5], showgrid=False, zeroline=False, row=1
    )
    return figure


def shared_window(scored: ScoredWindow, names: Sequence[str], reached: int, forgetful: bool) -> dict:
    """Return what `shifted_figure` shows of the first `reached` positions, as the view "steps" draws them.

    Where targets are still to be guessed there is neither a later character nor the mean.
    """
    T = len(scored.x)
    losses = -scored.log_probabilities
    return {
        "x": [[label_token(names[i]), int(i)] for i in scored.x[: min(T, reached)]],
        "y": [[label_token(names[i]), int(i)] for i in scored.y[:reached]],
        "losses": [round(float(loss), 4) for loss in losses[:reached]],
        "mean": round(scored.loss, 4) if reached == T else None,
        "T": T,
        "forgetful": forgetful,
    }


def expected_bars(ln_p: np.ndarray, names: Sequence[str], target: int, most: int = 10) -> dict:
    """Return the likeliest next tokens as bars, the true one marked, last where it is not among them.

    >>> expected_bars(np.log([0.25, 0.625, 0.125]), "abc", 2, most=2)["rows"]
    ['b', 'c']
    """
    order = np.argsort(-ln_p, kind="stable")[:most].tolist()
    if target not in order:
        order[-1] = target
    p = np.exp(ln_p[order])
    column = (WORDS.label("characters.likeliest"), p, [f"{each:.2g}" for each in p])
    return bars([label_token(names[i]) for i in order], [column], order.index(target))


def box(left: float, right: float, row: float, colour: str) -> dict:
    """Return a rounded frame around cells of a row, as plotly takes a shape."""
    return {
        "type": "rect",
        "x0": left,
        "x1": right,
        "y0": row - 0.42,
        "y1": row + 0.42,
        "fillcolor": faded(colour, 0.14),
        "line": {"color": colour, "width": 2},
        "layer": "below",
    }


def add_row(figure: Figure, ids: np.ndarray, names: Sequence[str], row: float, T: int, framed: range) -> None:
    """Write a row of characters with their numbers beneath; those outside the frame are grey."""
    large, little = (22, 13) if T <= 24 else (16, 10)
    for colour, places in (
        (None, [t for t in range(len(ids)) if t in framed]),
        (GREY, [t for t in range(len(ids)) if t not in framed]),
    ):
        for texts, shift, size in (
            ([f"<b>{label_character(names[ids[t]])}</b>" for t in places], 0.12, large),
            ([str(ids[t]) for t in places], -0.27, little),
        ):
            figure.add_trace(
                scatter(
                    x=places,
                    y=[row + shift] * len(places),
                    mode="text",
                    text=texts,
                    textfont={"size": size, "color": colour},
                    hoverinfo="skip",
                ),
                row=1,
                col=1,
            )


def add_losses(figure: Figure, scored: ScoredWindow, names: Sequence[str], place: int, seen: int) -> None:
    """Draw -ln p of the first `seen` targets as bars, and their mean, the loss, once all are seen."""
    losses = -scored.log_probabilities
    figure.add_trace(
        bar(
            x=list(range(seen)),
            y=losses[:seen],
            marker={"color": [VERMILLION if t == place else faded(BLUE, 0.75) for t in range(seen)]},
            customdata=[
                (label_character(names[y]), float(np.exp(p)))
                for y, p in zip(scored.y[:seen], scored.log_probabilities, strict=False)
            ],
            hovertemplate="“%{customdata[0]}”: p = %{customdata[1]:.4f}, −ln p = %{y:.3f}<extra></extra>",
        ),
        row=2,
        col=1,
    )
    if seen == len(losses):
        figure.add_hline(
            y=scored.loss,
            line={"color": GREY, "dash": "dash"},
            annotation={
                "text": WORDS.label("characters.mean", loss=scored.loss),
                "font": {"size": FONT_SIZE},
            },
            row=2,
            col=1,
        )
    figure.update_yaxes(
        title="−ln p (nats)", range=[0, max(1.0, 1.15 * float(losses[:seen].max(initial=0)))], row=2, col=1
    )
    figure.update_xaxes(visible=False, row=2, col=1)


def position_figure(losses: np.ndarray, half_width: np.ndarray | None = None, height: int = 250) -> Figure:
    """Return the mean loss at each position of the window, and its interval: what each further token is worth."""
    figure = blank(height, WORDS.label("characters.context"), WORDS.label("characters.mean_loss"))
    if half_width is not None:
        places = list(range(1, len(losses) + 1))
        figure.add_trace(
            scatter(
                x=[*places, *places[::-1]],
                y=np.concatenate([losses + half_width, (losses - half_width)[::-1]]),
                fill="toself",
                fillcolor=faded(BLUE, 0.18),
                line={"width": 0},
                hoverinfo="skip",
                showlegend=False,
            )
        )
    figure.add_trace(
        scatter(
            x=list(range(1, len(losses) + 1)),
            y=losses,
            mode="lines+markers",
            line={"color": BLUE, "width": 2.5},
            hovertemplate=WORDS.label("characters.context_hover") + "<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_yaxes(rangemode="tozero")
    return figure


def worked_position(
    scored: ScoredWindow, names: Sequence[str], place: int, column: str, forgetful: bool = False
) -> str | None:
    """Return the formula of one number of a position's row, "p", "loss" or "bits", filled in; None for another column."""
    ln_p = float(scored.log_probabilities[place])
    p, target = number(float(np.exp(ln_p))), word(label_token(names[scored.y[place]]))
    if column == "p":
        seen = "" if forgetful or not place else r"x_1 \dots "
        return rf"p(y_{{{place + 1}}} = {target} \mid {seen}x_{{{place + 1}}}) = {p}"
    if column == "loss":
        terms = " + ".join(number(-float(value), 3) for value in scored.log_probabilities[:3])
        rest = r" + \dots" if len(scored.x) > 3 else ""
        return (
            rf"-\ln {p} = {number(-ln_p)} \qquad "
            rf"{word(WORDS.label('characters.loss'))} = \frac{{{terms}{rest}}}{{{len(scored.x)}}} = {number(scored.loss)}"
        )
    if column == "bits":
        return rf"-\log_2 {p} = \frac{{{number(-ln_p)}}}{{\ln 2}} = {number(-ln_p / float(np.log(2)))}"
    return None
