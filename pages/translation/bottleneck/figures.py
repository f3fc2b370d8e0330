"""What the story of the bottleneck draws: the vector, what each word leaves in it, both models; and the lab's pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, FigurePart, bar, heatmap, scatter
from core.figures.label import label
from core.figures.machine import TOKEN_NARROW, TOKEN_WIDE, arrow, machine, node
from core.figures.palette import BLUE, DIVERGING, GREY, OCHRE, PINK, VERMILLION, faded
from core.figures.share_line import share_line
from core.models.translation.bottleneck import Estimate
from core.text.tokenization.word_differences import EXTRA, MISSING, compare_words

ATTENDS, NOT, BROKEN = "attends", "without", "_broken"
STYLES = {ATTENDS: (BLUE, "circle", "solid"), NOT: (PINK, "square", "dash")}
ENGLISH_HUE, FRENCH_HUE, WRONG = "pink", "ochre", "vermillion"
LEAST = 0.005  # a weight below which no arrow is drawn
Say = Callable[..., str]  # a label by its key


# The story: shares as bars.


def bars_figure(
    groups: Mapping[str, tuple[str, Mapping[str, float]]], x: str, y: str, most: float = 1.0
) -> Figure:
    """Return shares as bars with their numbers, of a second group only the last: {name: (colour, {bar: share})}."""
    figure = blank(420, x, y)
    for place, (name, (colour, shares)) in enumerate(groups.items()):
        texts = [format_share(share) for share in shares.values()]
        figure.add_trace(
            bar(
                x=list(shares),
                y=list(shares.values()),
                name=name,
                marker={"color": colour},
                text=["" if place and len(texts) > 2 else text for text in texts[:-1]] + texts[-1:],
                textposition="outside",
                textfont={"size": 18},
                constraintext="none",
                cliponaxis=False,
                hoverinfo="skip",
                showlegend=len(groups) > 1,
            )
        )
    figure.update_layout(barmode="group", bargap=0.25)
    figure.update_xaxes(type="category")
    return figure.update_yaxes(tickformat=".0%", range=[0, 1.12 * most], tickvals=[0, most / 2, most])


def format_share(share: float) -> str:
    """Return a share in per cent; one that is near 100% keeps a decimal.

    >>> format_share(0.995), format_share(1.0), format_share(0.319)
    ('99.5%', '100%', '32%')
    """
    return f"{share:.1%}" if 0.99 < share < 1 else f"{share:.0%}"


# The story: the machine.


def draw_seq2seq(
    say: Say,
    words: Sequence[str],
    outputs: Sequence[str],
    vector: np.ndarray,
    weights: np.ndarray | None = None,
    t: int = 0,
) -> dict:
    """Return an encoder and a decoder: with one vector between them, or with one for each word where there are weights.

    `weights` (S,) are those of step t.
    """
    H, S = len(vector), len(words)
    columns = 98 / max(S, len(outputs))
    nodes = [
        node("encoder", "frame", (0, 10, 100, 19), title=say("box.encoder")),
        node("decoder", "frame", (0, 65, 100, 19), title=say("box.decoder")),
    ]
    arrows = []
    for s, word in enumerate(words):
        x, wide = 1.5 + s * columns, columns - 3
        nodes.append(node(f"english.{s}", "token", (x, 0, wide, 7), title=word, hue=ENGLISH_HUE))
        nodes.append(node(f"reads.{s}", "box", (x, 18, wide, 9), title=say("box.cell"), hue=ENGLISH_HUE))
        arrows.append(arrow(f"english.{s}", f"reads.{s}", hue=ENGLISH_HUE))
        if s:
            arrows.append(arrow(f"reads.{s - 1}", f"reads.{s}", hue=ENGLISH_HUE))
            arrows.append(arrow(f"reads.{s}", f"reads.{s - 1}", hue=ENGLISH_HUE))
        if weights is not None:
            note = say("note.weight", weight=f"{weights[s]:.2f}")
            place = (x, 34, wide, 18)
            title = say("box.numbers", n=H)
            nodes.append(node(f"state.{s}", "box", place, title=title, note=note, hue=ENGLISH_HUE))
            arrows.append(arrow(f"reads.{s}", f"state.{s}", hue=ENGLISH_HUE))
            if weights[s] >= LEAST:
                arrows.append(arrow(f"state.{s}", f"writes.{t}", hue=ENGLISH_HUE, weight=float(weights[s])))
    if weights is None:
        title = say("box.vector", n=H)
        shades = [round(float(each), 2) for each in vector]
        place = (24, 35, 52, 23), (6, 35, 88, 23)
        nodes.append(node("vector", "grid", *place, title=title, hue=ENGLISH_HUE, grid=shades))
        ends = dict.fromkeys((0, S - 1))
        arrows += [arrow(f"reads.{s}", "vector", hue=ENGLISH_HUE, weight=0.35) for s in ends]
    for i, word in enumerate(outputs):
        x, wide = 1.5 + i * columns, columns - 3
        state = "now" if weights is not None and i == t else ""
        nodes.append(
            node(f"writes.{i}", "box", (x, 73, wide, 9), title=say("box.cell"), hue=FRENCH_HUE, state=state)
        )
        nodes.append(node(f"french.{i}", "token", (x, 91, wide, 8), title=word, hue=FRENCH_HUE))
        arrows.append(arrow(f"writes.{i}", f"french.{i}", hue=FRENCH_HUE))
        if weights is None:
            arrows.append(arrow("vector", f"writes.{i}", hue=ENGLISH_HUE, weight=0.2))
        if i:
            arrows.append(arrow(f"writes.{i - 1}", f"writes.{i}", hue=FRENCH_HUE))
    return machine(nodes, arrows)


def draw_two(say: Say, words: int, numbers: int, right: Mapping[str, str]) -> dict:
    """Return both models side by side: what the decoder can look at is one box, or a box for each word."""
    nodes, arrows = [], []
    for name, x in ((NOT, 0), (ATTENDS, 52)):
        each = name == ATTENDS
        nodes += [
            node(f"title.{name}", "text", (x, 0, 48, 7), title=say(f"name.{name}")),
            node(f"input.{name}", "box", (x, 10, 48, 12), title=say("box.words", n=words), hue=ENGLISH_HUE),
            node(f"output.{name}", "box", (x, 82, 48, 16), title=right[name], hue=FRENCH_HUE, state="now"),
        ]
        if each:
            total = f"{words * numbers:,}"
            nodes.append(node("total", "text", (x, 55, 48, 7), title=say("box.total", n=words, total=total)))
            for s in range(words):
                place = (x + s * 48 / words, 38, 48 / words - 0.4, 14)
                nodes.append(node(f"state.{s}", "box", place, hue=ENGLISH_HUE))
                nodes.append(node(f"top.{s}", "text", (place[0] + place[2] / 2, 22, 0, 0)))
                arrows.append(arrow(f"top.{s}", f"state.{s}", "away", ENGLISH_HUE, weight=0.08))
            arrows.append(arrow("total", f"output.{name}", "stream", ENGLISH_HUE))
        else:
            place = (x + 23, 38, 2, 14)
            nodes.append(node("vector", "box", place, hue=ENGLISH_HUE))
            nodes.append(node("one", "text", (x, 55, 48, 7), title=say("box.one", n=numbers)))
            arrows.append(arrow(f"input.{name}", "vector", "stream", ENGLISH_HUE))
            arrows.append(arrow("one", f"output.{name}", "stream", ENGLISH_HUE))
    return machine(nodes, arrows)


# The story: sentences, word by word.


def draw_sentences(rows: Sequence[tuple[str, str, Sequence[str], Sequence[str]]]) -> dict:
    """Return sentences below one another, each (key, title, words, a hue for each word), with as many lines as they need."""
    wide, narrow = (
        lay_words([words for _, _, words, _ in rows], sizes) for sizes in (TOKEN_WIDE, TOKEN_NARROW)
    )
    nodes = []
    for r, (key, title, words, hues) in enumerate(rows):
        places = wide[r][0], narrow[r][0]
        nodes.append(node(f"title.{key}", "text", *places, title=title))
        for i, (word, hue) in enumerate(zip(words, hues, strict=True)):
            nodes.append(node(f"{key}.{i}", "token", wide[r][1][i], narrow[r][1][i], title=word, hue=hue))
    return machine(nodes, [])


def lay_words(
    sentences: Sequence[Sequence[str]], sizes: tuple[float, float], most: float = 9.0
) -> list[tuple[tuple, list[tuple]]]:
    """Return for each sentence the place of its title and of each word, lines broken where the room ends.

    >>> [(title, places)] = lay_words([["ab", "c"]], (10.0, 10.0))
    >>> title, places
    ((0, 0.0, 100, 9.0), [(0, 9.0, 30.0, 7.74), (34.0, 9.0, 20.0, 7.74)])
    """
    letter, around = sizes
    laid = []
    for words in sentences:
        x, line, found = 0.0, 0, []
        for word in words:
            width = letter * max(1, len(word)) + around
            if x and x + width > 100:
                x, line = 0.0, line + 1
            found.append((round(x, 2) or 0, line, round(width, 2)))
            x += width + around * 0.4
        laid.append(found)
    lines = sum(2 + (found[-1][1] if found else 0) for found in laid)
    high, y, placed = min(most, 100 / lines), 0.0, []
    for found in laid:
        title = (0, round(y, 2), 100, round(high, 2))
        y += high
        places = [(x, round(y + line * high, 2), wide, round(high * 0.86, 2)) for x, line, wide in found]
        placed.append((title, places))
        y += high * (1 + (found[-1][1] if found else 0))
    return placed


def wrong_words(written: Sequence[str], wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what was written with gaps where words are missing, and a hue for each: one for what is wrong or missing.

    >>> wrong_words(["le", "chien"], ["le", "petit", "chat"])
    (['le', '…', 'chien'], ['', 'vermillion', 'vermillion'])
    """
    words, hues = [], []
    for each in compare_words(written, wanted):
        if each.mark == MISSING:
            if words[-1:] != ["…"]:
                words.append("…")
                hues.append(WRONG)
        else:
            words.append(each.word)
            hues.append(WRONG if each.mark == EXTRA else "")
    return words, hues


# The lab.


def by_range(quality: Mapping[str, float]) -> dict[tuple[int, int], float]:
    """Return the exact match that a card tells for each range of input lengths.

    >>> by_range({"exact_match": 0.9, "exact_match_3_to_7_words": 1.0})
    {(3, 7): 1.0}
    """
    named = {key: re.fullmatch(r"exact_match_(\d+)_to_(\d+)_words", key) for key in quality}
    return {(int(m[1]), int(m[2])): quality[key] for key, m in named.items() if m}


def length_figure(
    say: Say,
    measured: Mapping[str, Mapping[int, Estimate]],
    stored: Mapping[str, Mapping[tuple[int, int], float]] | None = None,
    measure: str = "whole",
    height: int = 390,
) -> Figure:
    """Return shares against the number of input words: points with 95% intervals, over steps from the cards.

    `measured` is {model: {words: estimate}}, `stored` {model: {(from, to): share}}.
    """
    figure = blank(height, say("axis.words"), say(f"axis.{measure}"))
    for name, ranges in (stored or {}).items():
        figure.add_trace(draw_steps(say, name, ranges))
    for name, estimates in measured.items():
        if estimates:
            style = STYLES[name.removesuffix(BROKEN)]
            called = say(f"name.here.{name}" if name in (stored or {}) else f"name.{name}")
            figure.add_trace(share_line(called, estimates, *style, hollow=name.endswith(BROKEN)))
    figure.update_xaxes(range=[2, 26], dtick=5, tick0=5)
    return figure.update_yaxes(tickformat=".0%", range=[-0.03, 1.05])


def draw_steps(say: Say, model: str, ranges: Mapping[tuple[int, int], float]) -> FigurePart:
    """Return a level line over each range of lengths, from its shortest to its longest, with the range as its text."""
    name = say(f"name.card.{model}")
    ends = [
        (x, share, text)
        for (first, last), share in ranges.items()
        for text in [say("lengths.range", first=first, last=last)]
        for x, share, text in ((first, share, text), (last, share, text), (None, None, ""))
    ]
    x, y, texts = zip(*ends, strict=True) if ends else ((), (), ())
    return scatter(
        x=list(x),
        y=list(y),
        text=list(texts),
        mode="lines",
        name=name,
        line={"color": faded(STYLES[model][0], 0.45), "width": 7},
        hovertemplate="%{y:.1%}<extra>" + name + "</extra>",
    )


def strip_figure(say: Say, vector: np.ndarray, height: int = 130) -> Figure:
    """Return a vector (H,) as a strip of cells from -1 to 1; a line parts what the two readers left in it."""
    figure = blank(height, say("axis.number"))
    figure.add_trace(
        heatmap(
            z=vector[None, :],
            x=np.arange(1, len(vector) + 1),
            y=["h̄_last"],
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            showscale=False,
            hovertemplate="%{x}: %{z:.4f}<extra></extra>",
        )
    )
    half = len(vector) // 2 + 0.5
    figure.add_vline(x=half, line={"color": GREY, "width": 4})
    return figure.update_yaxes(showticklabels=False)


def movement_figure(say: Say, words: Sequence[str], movement: Sequence[float], height: int = 230) -> Figure:
    """Return for each input word how far the vector moves when the word is left out, as bars."""
    figure = blank(height, "", say("axis.moved"))
    places = list(range(len(words)))
    figure.add_trace(
        bar(x=places, y=list(movement), marker={"color": BLUE}, hovertemplate="%{y:.1%}<extra></extra>")
    )
    figure.update_xaxes(tickvals=places, ticktext=[label(word) for word in words], tickangle=-60)
    return figure.update_yaxes(tickformat=".0%", rangemode="tozero")


def sureness_figure(
    say: Say, steps: Mapping[str, tuple[Sequence[str], Sequence[float]]], drift: int | None, height: int = 270
) -> Figure:
    """Return how probable each model found the word that it wrote, step by step; `drift` is the first wrong one.

    `steps` is {model: (output words, their probabilities)}.
    """
    figure = blank(height, say("axis.output"), say("axis.p"))
    for model, (words, probabilities) in steps.items():
        colour, symbol, dash = STYLES[model]
        name = say(f"name.{model}")
        figure.add_trace(
            scatter(
                x=list(range(1, len(words) + 1)),
                y=list(probabilities),
                mode="lines+markers",
                name=name,
                line={"color": colour, "dash": dash, "width": 2.5},
                marker={"symbol": symbol, "size": 9},
                text=[label(word) for word in words],
                hovertemplate="%{x}. %{text}: p = %{y:.4f}<extra>" + name + "</extra>",
            )
        )
    if drift is not None:
        line = {"color": OCHRE, "dash": "dot", "width": 2}
        note = {"text": say("note.drift"), "font": {"color": VERMILLION}}
        figure.add_vline(x=drift + 1, line=line, annotation=note)
    return figure.update_yaxes(range=[-0.05, 1.3], tickvals=[0, 0.5, 1])
