"""Pictures of n-gram models: a window on a sentence, factors, moved probability, a draw."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION, faded
from core.figures.worked import plain_number
from core.models.generation.sampling import Step
from core.models.language_model import bits
from core.models.n_grams.moved_mass import MovedMass
from core.models.n_grams.written_text import Drawn

INSIDE = 0.6  # of the longest bar: a number in a longer one stands in it, for on a phone there is no room beside it


def plain(text: str) -> str:
    """Return a label that plotly shows as it stands: it reads `<s>` as "strike through".

    >>> plain("<s>")
    '&lt;s&gt;'
    """
    return escape(text, quote=False)


def percent(p: float) -> str:
    """Return a probability as a label: with three figures, as the sentences have it.

    >>> percent(0.25), percent(0.0001812), percent(0.00001), percent(0)
    ('0.25', '0.000181', '1·10⁻⁵', '0')
    """
    return plain_number(p)


def window_figure(tokens: Sequence[str], place: int, order: int, height: int = 130) -> Figure:
    """Return a sentence in boxes, with the window of `order` tokens that ends at `place`: context and next."""
    figure = blank(height)
    colours = [
        VERMILLION if i == place else BLUE if place - order < i < place else GREY for i in range(len(tokens))
    ]
    figure.add_trace(
        bar(
            x=list(range(len(tokens))),
            y=[1] * len(tokens),
            width=0.94,
            marker={
                "color": [faded(colour, 0.25 if colour != GREY else 0.08) for colour in colours],
                "line": {"color": colours, "width": [3 if colour != GREY else 1 for colour in colours]},
            },
            text=[plain(token) for token in tokens],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            hovertemplate="%{text}<extra></extra>",
            constraintext="inside",
        )
    )
    first = max(0, min(place - 6, len(tokens) - 12))
    figure.update_xaxes(visible=False, range=[first - 0.5, first + min(12, len(tokens)) - 0.5])
    figure.update_yaxes(visible=False, range=[0, 1])
    return figure


def rarity_figure(types: Sequence[int], once: Sequence[int], height: int = 300) -> Figure:
    """Return how many different n-grams there are for n = 1, 2, ..., and how many of them were seen only once."""
    figure = blank(height, "n", "different n-grams")
    n = list(range(1, len(types) + 1))
    for name, values, colour in (
        ("seen once", list(once), OCHRE),
        ("seen twice or more", [a - b for a, b in zip(types, once, strict=True)], BLUE),
    ):
        shares = [f"{value / total:.0%}" for value, total in zip(values, types, strict=True)]
        figure.add_trace(
            bar(
                x=n,
                y=values,
                name=name,
                marker={"color": colour},
                text=shares,
                hovertemplate="n = %{x}: %{y:,} (%{text})<extra>" + name + "</extra>",
            )
        )
    figure.update_layout(barmode="stack")
    figure.update_xaxes(dtick=1)
    return figure


def factors_figure(
    names: Sequence[str], log_probabilities: np.ndarray, chosen: int | None = None, height: int = 330
) -> Figure:
    """Return a sentence's factors as bars, -log2 p each, with p above it; an impossible token has no end."""
    labels = [plain(name) for name in names]
    surprise, possible = bits(log_probabilities), np.isfinite(log_probabilities)
    top = max(1.0, float(surprise[possible].max(initial=1.0)))
    colours = [VERMILLION if not seen else GREEN if i == chosen else BLUE for i, seen in enumerate(possible)]
    figure = blank(height, y="surprise: −log₂ p, in bits")
    figure.add_trace(
        bar(
            x=list(range(len(names))),
            y=np.where(possible, surprise, 1.15 * top),
            marker={"color": colours, "pattern": {"shape": ["" if seen else "/" for seen in possible]}},
            text=[
                percent(float(p)) if seen else "0: impossible"
                for p, seen in zip(np.exp(log_probabilities), possible, strict=True)
            ],
            textposition="outside",
            cliponaxis=False,
            customdata=labels,
            hovertemplate="%{customdata}: p = %{text}<extra></extra>",
        )
    )
    shown = min(len(names), 16)
    figure.update_xaxes(
        tickvals=list(range(len(names))), ticktext=labels, range=[-0.6, shown - 0.4], tickangle=0
    )
    figure.update_yaxes(range=[0, 1.3 * top])
    return figure


def shared_factors(names: Sequence[str], log_probabilities: np.ndarray) -> dict:
    """Return what `factors_figure` shows as the view "steps" draws it; what is impossible has no bits.

    >>> shared_factors(["a", "b"], np.array([-np.log(8), -np.inf]))
    {'tokens': ['a', 'b'], 'bits': [3.0, None], 'p': ['0.125', '0: impossible'], 'ticks': [0, 1, 2, 3]}
    """
    surprise, possible = bits(log_probabilities), np.isfinite(log_probabilities)
    top = max(1.0, float(surprise[possible].max(initial=1.0)))
    step = next(each for each in (1, 2, 5, 10) if top / each <= 5 or each == 10)
    return {
        "tokens": list(names),
        "bits": [
            round(float(value), 3) if seen else None for value, seen in zip(surprise, possible, strict=True)
        ],
        "p": [
            percent(float(p)) if seen else "0: impossible"
            for p, seen in zip(np.exp(log_probabilities), possible, strict=True)
        ],
        "ticks": list(range(0, int(np.ceil(top / step)) * step + 1, step)),
    }


def moved_mass_figure(moved: MovedMass, names: Sequence[str], most: int = 8, height: int = 450) -> Figure:
    """Return the probabilities after one context before and after smoothing: seen tokens, the rest, unseen.

    `names` are those of `moved.tokens`; all but the first `most` are one pair of bars, all unseen another.
    """
    shown = min(len(names), most)
    labels = [plain(name) for name in names[:shown]]
    before, after = list(moved.before[:shown]), list(moved.after[:shown])
    if len(names) > shown:
        labels.append(f"{len(names) - shown:,} other seen")
        before.append(float(moved.before[shown:].sum()))
        after.append(float(moved.after[shown:].sum()))
    labels.append(f"{moved.unseen:,} unseen, together")
    before.append(0.0)
    after.append(moved.unseen_mass)
    figure = blank(height, x="probability")
    longest = max(*before, *after, 1e-9)
    last = [BLUE] * (len(labels) - 1) + [VERMILLION]
    for name, values, colours in (
        ("before: c(hw) / c(h)", before, [GREY] * len(labels)),
        ("after smoothing", after, last),
    ):
        figure.add_trace(
            bar(
                x=values,
                y=list(range(len(labels))),
                orientation="h",
                name=name,
                marker={"color": colours},
                text=[percent(value) for value in values],
                textposition=["inside" if value > INSIDE * longest else "outside" for value in values],
                textfont={"size": FONT_SIZE},
                insidetextfont={"color": ["#FFFFFF" if colour == BLUE else "#000000" for colour in colours]},
                insidetextanchor="end",
                textangle=0,
                constraintext="none",
                cliponaxis=False,
                customdata=labels,
                hovertemplate="%{customdata}: %{x:.4g}<extra>" + name + "</extra>",
            )
        )
    figure.update_layout(barmode="group", bargap=0.12, bargroupgap=0)
    figure.update_xaxes(range=[0, 1.18 * longest])
    figure.update_yaxes(tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed")
    return figure


def shares_figure(names: Sequence[str], p: Sequence[float], even: float, height: int = 320) -> Figure:
    """Return probabilities as bars, and a line at `even`, what each would get if all got the same."""
    figure = blank(height, "probability")
    figure.add_trace(
        bar(
            x=list(p),
            y=list(range(len(names))),
            orientation="h",
            marker={"color": VERMILLION},
            text=[percent(float(value)) for value in p],
            textposition="outside",
            cliponaxis=False,
            customdata=[plain(name) for name in names],
            hovertemplate="%{customdata}: %{x:.4g}<extra></extra>",
        )
    )
    label = {"text": "if all got the same", "yanchor": "bottom"}
    figure.add_vline(x=even, line={"color": GREY, "dash": "dash"}, annotation=label)
    figure.update_layout(margin={"t": 30})
    figure.update_xaxes(range=[0, 1.2 * max(*p, even, 1e-12)])
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=[plain(name) for name in names], autorange="reversed"
    )
    return figure


def draw_picture(drawn: Drawn, number: dict[int, int], luck: bool = True) -> dict:
    """Return what `draw_figure` shows of a drawn token as the view "steps" draws it; `number` numbers tokens for it.

    >>> from core.models.n_grams.written_text import Drawn
    >>> drawn = Drawn(7, 0.8, 0.3125, 0.8125, 2, 3, np.array([4, 7]), np.array([0.5, 0.3125]))
    >>> {name: draw_picture(drawn, {})[name] for name in ("ids", "p", "others", "rest", "drawn")}
    {'ids': [0, 1], 'p': [0.5, 0.3125], 'others': 1, 'rest': 0.1875, 'drawn': 1}
    """
    ids = drawn.likeliest.tolist()
    named = [number.setdefault(token, len(number)) for token in ids]
    picture = {"kind": "chances", "ids": named, "p": [float(f"{p:.4g}") for p in drawn.p]}
    if others := drawn.possible - len(ids):
        picture |= {"others": others, "rest": float(f"{max(0.0, 1 - drawn.p.sum()):.4g}")}
    if luck:
        picture["u"] = round(drawn.u, 5)
    return picture | {"drawn": min(drawn.rank - 1, len(ids))}


def draw_figure(step: Step, names: Sequence[str], luck: bool = True, height: int = 420) -> Figure:
    """Return the likeliest next tokens as bars laid end to end from 0 to 1, and the u that fell among them.

    `names` are those of the likeliest tokens, in that order; all others are one grey bar. Without
    `luck` no u is drawn: the likeliest was taken.
    """
    trace, order = step.trace, step.trace.order
    ids, others = order[: len(names)], order[len(names) :]
    labels, widths = [plain(name) for name in names], trace.probabilities[ids].tolist()
    bases = (trace.cumulative[ids] - trace.probabilities[ids]).tolist()
    colours = [VERMILLION if each == step.token else BLUE for each in ids]
    if len(others):
        labels.append(f"{len(others):,} others")
        widths.append(float(trace.probabilities[others].sum()))
        bases.append(bases[-1] + widths[-2])
        colours.append(GREY if step.token in ids else VERMILLION)
    figure = blank(height, "probability, laid end to end")
    figure.add_trace(
        bar(
            x=widths,
            base=bases,
            y=list(range(len(labels))),
            orientation="h",
            marker={"color": colours},
            text=[percent(width) for width in widths],
            textposition="outside",
            textfont={"size": 13},
            constraintext="none",
            cliponaxis=False,
            customdata=labels,
            hovertemplate="%{customdata}: %{text}<extra></extra>",
        )
    )
    if luck:
        label = {"text": f"u = {step.u:.3f}", "font": {"color": GREEN}, "yanchor": "bottom"}
        figure.add_vline(x=step.u, line={"color": GREEN, "width": 3}, annotation=label)
    figure.update_layout(margin={"t": 30})
    figure.update_xaxes(range=[0, 1.1])
    figure.update_yaxes(tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed")
    return figure
