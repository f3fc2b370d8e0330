"""Pictures of the race of attention scores: heat maps side by side, loss curves, multiplications counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap, scatter
from core.figures.label import label
from core.figures.palette import BLUE, CATEGORIES, GREEN, OCHRE, PINK, SEQUENTIAL, VERMILLION
from core.figures.translation.decoder_step import decoder_step, worked_score, worked_weight
from core.figures.worked import percent
from core.models.translation.bottleneck import wilson
from core.models.translation.translate import Translator
from core.models.translation.translation_race import Run, multiplications

ROW, TALL = 15, 540  # pixels: a word, and all of them at most
SMALL, ACROSS = 12, 160  # pixels: the smallest word; what all columns have together, four maps side by side
LABELS_AT_MOST = 30  # words named along an axis; the hover label names each
COLOURS = {"additive": BLUE, "dot": VERMILLION, "general": GREEN, "no attention": PINK}
GOLD = {"color": OCHRE, "width": 1.5}
DASHES = {"additive": "solid", "dot": "dash", "general": "dot", "no attention": "dashdot"}


def heat_figure(
    weights: np.ndarray | None,
    outputs: Sequence[str],
    inputs: Sequence[str],
    gold: Iterable[tuple[int, int]] = (),
) -> Figure:
    """Return weights (T, S) as a heat map, outputs down and inputs across, on the scale 0 to 1; `gold` is outlined.

    Without attention (None) there is one column: the context of every step is the encoder's last state, whole.
    """
    if weights is None:
        inputs, weights = ["h̄_last"], np.ones((len(outputs), 1))
    size = max(SMALL, min(FONT_SIZE, ACROSS // max(len(inputs), len(outputs))))
    figure = blank(80 + min(TALL, (ROW + size - SMALL) * len(outputs)))
    hover = [[f"{label(out)} ← {label(word)}" for word in inputs] for out in outputs]
    figure.add_trace(
        heatmap(
            z=weights, zmin=0, zmax=1, colorscale=SEQUENTIAL, showscale=False, xgap=1, ygap=1,
            customdata=hover, hovertemplate="%{customdata}: %{z:.4f}<extra></extra>",
        )
    )  # fmt: skip
    squares = [
        {"type": "rect", "x0": s - 0.5, "x1": s + 0.5, "y0": t - 0.5, "y1": t + 0.5, "line": GOLD}
        for t, s in gold
    ]
    return figure.update_layout(
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        shapes=squares,
        xaxis={"side": "top", "tickangle": -90, "range": [-0.5, len(inputs) - 0.5], **_words(inputs, size)},
        yaxis={"range": [len(outputs) - 0.5, -0.5], **_words(outputs, size)},
    )


def _words(words: Sequence[str], size: int) -> dict:
    """Return an axis with a word at each place, or at every so manieth where there are very many."""
    places = list(range(0, len(words), 1 + len(words) // LABELS_AT_MOST))
    return {
        "tickvals": places, "ticktext": [label(words[place]) for place in places],
        "title": {"text": "", "standoff": 0},
        "tickfont": {"size": size}, "showgrid": False, "zeroline": False,
    }  # fmt: skip


def loss_curves(losses: Mapping[str, Sequence[tuple[int, float]]], height: int = 320) -> Figure:
    """Return training losses, {score: [(step, loss)]}, on a logarithmic axis."""
    figure = blank(height, "training step", "loss")
    for i, (score, points) in enumerate(losses.items()):
        steps, values = zip(*points, strict=True)
        colour = COLOURS.get(score, CATEGORIES[i % len(CATEGORIES)])
        line = {"color": colour, "width": 2.5, "dash": DASHES.get(score, "solid")}
        figure.add_trace(scatter(x=steps, y=values, mode="lines", name=score, line=line))
    return figure.update_yaxes(type="log", dtick=1)


def worked_multiplications(score: str, T: int, S: int, H: int, total: int) -> str:
    r"""Return LaTeX of how many multiplications all scores of a sentence take.

    >>> worked_multiplications("dot", 2, 3, 4, 24)
    'T S H = 2 \\cdot 3 \\cdot 4 = 24'
    """
    product = rf"{T} \cdot {S} \cdot {H}"
    rule, filled = {
        "none": ("0", "0"),
        "dot": ("T S H", product),
        "general": ("S H^2 + T S H", rf"{S} \cdot {H}^2 + {product}"),
        "additive": ("(T + S) H^2 + T S H", rf"({T} + {S}) \cdot {H}^2 + {product}"),
    }[score]
    return f"{rule} = {filled} = {total}"


def worked_step(
    score: str, translator: Translator, made: Run, words: Sequence[str], t: int
) -> tuple[str, list[str]]:
    """Return a score's formulas with its numbers at output word t, or its last, and the input word that weighs most."""
    own = min(t, len(made.translation.words) - 1)
    step = decoder_step(made.translation, own)
    s = int(step.weights.argmax())
    T, S, H = len(made.translation.words), len(words), translator.model.config.hidden
    count = worked_multiplications(score, T, S, H, multiplications(score, T, S, H))
    output = translator.target.words[made.translation.words[own]]
    return (
        f"{score}: output word {own + 1}, “{output}”, looks most at input word {s + 1}, “{words[s]}”.",
        [
            worked_score(translator.model, step, s, own),
            worked_weight(step, s, own),
            rf"\text{{multiplications for all of its scores: }} {count}",
        ],
    )


def said_of_scores(right: Mapping[str, int], n: int) -> str:
    """Return which of the models' shares right of n held-out sentences lie apart; the last does not look at words.

    >>> print(said_of_scores({"a": 1000, "b": 998, "none": 758}, 1000).replace(". ", ".\\n"))
    95% intervals: a 99.6% to 100.0%, b 99.3% to 99.9%, none 73.0% to 78.4%.
    That of none lies below all the others.
    Of the others no two lie apart.
    One model of each was trained: another beginning may order them otherwise.
    """
    found = {name: wilson(k, n) for name, k in right.items()}
    *looking, blind = found
    ends = ", ".join(f"{name} {percent(each.low)} to {percent(each.high)}" for name, each in found.items())
    below = all(found[blind].high < found[name].low for name in looking)
    clear = [
        f"{one} and {other}" for one, other in combinations(looking, 2) if found[one].lies_apart(found[other])
    ]
    return (
        f"95% intervals: {ends}. That of {blind} {'lies' if below else 'does not lie'} below all the others. Of the others "
        f"{', '.join(clear) + ' lie apart' if clear else 'no two lie apart'}. One model of each was trained: another "
        "beginning may order them otherwise."
    )
