"""A GPT that writes, with its cache growing by a row a token; and how well a model copies what it has read before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.frame import bars, frame, matrices, panel
from core.figures.palette import BLUE, GREY, SEQUENTIAL, VERMILLION
from core.figures.transformers.model_size import in_words
from core.figures.worked import percent, plain_number
from core.models.transformers.ablated_gpts import interval
from core.models.transformers.cached_writing import WrittenToken
from core.models.transformers.copying import Copying

ROWS, HIGH = (
    10,
    24,
)  # rows of the cache that are drawn, the newest, and pixels of one: above the fold with its sentence
LIKELIEST = 4
INDUCTION = 0.5  # from this mean weight on a head is called an induction head
COUNTED = {"with the cache": BLUE, "without": VERMILLION}


def cache_frames(
    written: Sequence[WrittenToken],
    names: Sequence[str],
    vocabulary: Sequence[str],
    head: tuple[int, int],
    operations: Mapping[str, Sequence[int]],
    layers: int,
    kept: bool = True,
) -> list[dict]:
    """Return a step for each written token: a head's keys and values so far, the likeliest tokens, what it cost.

    `names` are those of the prompt's tokens and of all that were written; `kept` is whether the cache was.
    """
    frames = []
    known = written[0].rows
    for i, each in enumerate(written):
        layer, h = head
        keys, values = (part[0, h].numpy() for part in each.cache[layer])  # (T, d)
        T = len(keys)
        read = names[known + i - T : known + i]  # less than all where the cache was thrown away
        first = max(0, T - ROWS)
        rows = [f"{known + i - T + t + 1} {read[t]}" for t in range(first, T)]
        picture = matrices(
            [
                panel(title, part[first:], signed=True)
                for title, part in (("keys K", keys), ("values V", values))
            ],
            rows,
            None,
        ) | {"most": HIGH}
        frames.append(
            frame(
                f"“{vocabulary[each.token]}” is written",
                picture,
                f"Keys and values of layer {layer + 1}, head {h + 1}: {T} rows",
                cache_sentence(
                    T, layers, vocabulary[each.token], [counts[i] for counts in operations.values()], kept
                ),
                notes=[f"The first {first} {'row is' if first == 1 else 'rows are'} not drawn."]
                if first
                else [],
                below=likeliest_bars(each, vocabulary),
            )
        )
    return frames


def cache_sentence(T: int, layers: int, token: str, counts: Sequence[int], cached: bool = True) -> str:
    """Say how many rows there are, which token was chosen with them, and what that took beside reading all anew.

    >>> cache_sentence(1, 4, "a", [2, 9], cached=False)
    'With 1 row of keys and of values in each of 4 layers, “a” is chosen. 2 operations; 9 if all were read anew.'
    """
    kept, anew = counts
    other = "without the cache" if cached else "if all were read anew"
    rows = f"{T} {'row' if T == 1 else 'rows'} of keys and of values in each of {layers} layers"
    same = f"as many {other}" if kept == anew else f"{in_words(anew)} {other}"
    return f"With {rows}, “{token}” is chosen. {in_words(kept)} operations; {same}."


def writing_said(text: str, tokens: int, saved: int, off: float, broken: bool = False) -> str:
    """Say what was written in so many tokens, and what the cache saved: operations, and how far off a logit is.

    >>> writing_said("[a][b]", 2, 3000, 0.00025)
    'It writes [a][b]. The cache saves 3,000 operations, and no logit differs by more than 0.00025 from reading all anew.'
    """
    if tokens == 1:
        return f"It writes {text}. The first token needs no cache: the prompt is read for it anyway."
    if broken:
        return f"Without a past it writes {text}: only the first token was chosen with the prompt read."
    return (
        f"It writes {text}. The cache saves {in_words(saved)} operations, and no logit differs by more than "
        f"{plain_number(off, 2)} from reading all anew."
    )


def likeliest_bars(written: WrittenToken, vocabulary: Sequence[str]) -> dict:
    """Return the likeliest tokens as bars, the one that was drawn marked."""
    p = written.probabilities
    top = np.argsort(-p, kind="stable")[:LIKELIEST].tolist()
    if written.token not in top:
        top[-1] = written.token
    return bars(
        [vocabulary[i] for i in top],
        [("p of the next token", p[top].tolist(), [f"{p[i]:.3f}" for i in top])],
        top.index(written.token),
    )


def cost_figure(operations: Mapping[str, Sequence[int]], names: Sequence[str], height: int = 320) -> Figure:
    """Return the operations before each written token as bars, with the cache and without."""
    figure = blank(height, "token that is written", "operations")
    places = [f"{i + 1} {name}" for i, name in enumerate(names)]
    for (name, counts), colour in zip(operations.items(), COUNTED.values(), strict=True):
        figure.add_trace(
            bar(
                x=places,
                y=list(counts),
                name=name,
                marker={"color": colour},
                hovertemplate="%{x}, " + name + ": %{y:.3s}<extra></extra>",
            )
        )
    figure.update_xaxes(type="category")
    return figure.update_layout(barmode="group")


def copying_figure(found: Copying, names: Sequence[str] | None, height: int = 340) -> Figure:
    """Return bits of each token the first and the second time, means over sequences; `names` of a single text's."""
    figure = blank(height, "token of the half", "bits")
    places = list(range(2, found.first.shape[1] + 2))
    shown = [f"{t} {names[t - 1]}" for t in places] if names else [f"token {t}" for t in places]
    for name, bits, colour in (("first time", found.first, GREY), ("second time", found.second, BLUE)):
        figure.add_trace(
            scatter(
                x=places,
                y=bits.mean(0),
                name=name,
                mode="lines+markers",
                line={"color": colour, "width": 3},
                customdata=shown,
                hovertemplate="%{customdata}, " + name + ": %{y:.2f} bits<extra></extra>",
            )
        )
    figure.update_xaxes(tick0=places[0], dtick=max(1, len(places) // 8))  # a token has a whole number
    return figure.update_yaxes(rangemode="tozero")


def scores_figure(scores: np.ndarray, height: int = 340) -> Figure:
    """Return each head's score, layers downwards, (L, H)."""
    figure = blank(height)
    layers, heads = scores.shape
    figure.add_trace(
        heatmap(
            z=scores,
            x=[f"head {h + 1}" for h in range(heads)],
            y=[f"layer {layer + 1}" for layer in range(layers)],
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            showscale=False,
            text=[[f"{score:.2f}" for score in row] for row in scores],
            texttemplate="%{text}",
            xgap=3,
            ygap=3,
            hovertemplate="%{y}, %{x}: %{z:.4f}<extra></extra>",
        )
    )
    figure.update_xaxes(side="top")
    return figure.update_yaxes(autorange="reversed", type="category")


def twice_table(whole: Copying, without: Copying) -> pd.DataFrame:
    """Return bits of each token the first and the second time, and the second without the best head."""
    return pd.DataFrame(
        {
            "token of the half": range(2, whole.first.shape[1] + 2),
            "bits, first time": whole.first.mean(0),
            "bits, second time": whole.second.mean(0),
            "second time, best head off": without.second.mean(0),
        }
    )


def heads_said(model: str, found: Copying, alike: float) -> str:
    """Say whether a model has an induction head, by the highest score; `alike` is the score of looking everywhere alike."""
    (layer, head), score = found.best, float(found.scores.max())
    where = f"layer {layer + 1}, head {head + 1}"
    if score >= INDUCTION:
        return (
            f"**An induction head**: in {model}, {where} puts {percent(score)} of its weight on what followed the same "
            f"token before; to look everywhere alike would put {percent(alike)} there."
        )
    return (
        f"**No induction head**: in {model} the highest score is {percent(score)}, of {where}; to look everywhere alike "
        f"would give {percent(alike)}; from {percent(INDUCTION, 0)} on it would be called one here."
    )


def twice_said(found: Copying) -> str:
    """Say what the second time costs beside the first, with an interval where there are several sequences."""
    first, second = float(found.first.mean()), float(found.second.mean())
    saved = (found.first - found.second).mean(1)  # by sequence
    told = f"The first time a token costs {first:.2f} bits, the second time {second:.2f}"
    if len(saved) == 1:
        return f"{told}, on this one text of {found.first.shape[1] + 1} tokens."
    between = interval(saved)
    if between.low <= 0 <= between.high:
        return f"{told}: no difference that {len(saved)} sequences could show."
    less = "less" if between.low > 0 else "more"
    low, high = sorted((abs(between.low), abs(between.high)))
    return f"{told}: between {low:.2f} and {high:.2f} {less} (95% interval, {len(saved)} sequences)."


def switched_off_said(whole: Copying, without: Copying) -> str:
    """Say what a token costs more without a head, the first time too: what rises alike there is not copying."""
    parts = []
    for time, before, after in (
        ("first time", whole.first, without.first),
        ("second time", whole.second, without.second),
    ):
        more = (after - before).mean(1)  # by sequence
        told = f"the {time} {change(float(more.mean()))} bits a token"
        if len(more) > 1:
            between = interval(more)
            told = f"{told} (95% interval {change(between.low)} to {change(between.high)})"
        parts.append(told)
    what = "this one text" if len(whole.first) == 1 else f"{len(whole.first)} sequences"
    return f"Without the head, on {what}: {'; '.join(parts)}. Only the second time can copy."


def change(bits: float) -> str:
    """Return a difference with its sign.

    >>> change(0.449), change(-0.2), change(-0.001)
    ('+0.45', '−0.20', '0.00')
    """
    return "0.00" if abs(bits) < 0.005 else f"{bits:+.2f}".replace("-", "−")
