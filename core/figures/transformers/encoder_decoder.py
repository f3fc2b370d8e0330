"""Pictures of a transformer that translates: its three attentions at a step, and both translators by length."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure
from core.figures.frame import matrices, panel
from core.figures.palette import BLUE, PINK
from core.figures.share_line import share_line
from core.figures.worked import dot_product, number, word
from core.models.self_attention.attention import AttentionTrace
from core.models.transformers.transformer_translation import Written
from core.models.translation.bottleneck import Estimate, wilson

TRANSFORMER, RECURRENT = "transformer", "recurrent, additive attention"
STYLES = {TRANSFORMER: (BLUE, "circle", "solid"), RECURRENT: (PINK, "square", "dash")}
START = "<start>"


def three_attentions(
    made: Written, t: int, layer: int, head: int, inputs: Sequence[str], outputs: Sequence[str]
) -> dict:
    """Return one head's weights when word t is written: encoder, decoder and cross, as the view "steps" draws them.

    A row of the last two is named after the word that is written from it; columns are the words that it may look at.
    The encoder's are the same at every step: they are sent once, by `encoder_weights`.
    """
    written, step = list(outputs[: t + 1]), made.steps[t]
    own = step.attention[layer].weights[0, head]
    hidden = step.attention[layer].masked[0, head] == -np.inf
    letters = max(map(len, [START, *inputs, *outputs]))
    S, T = len(inputs), len(outputs)
    drawn = [
        attention_panel("encoder: all look at all", None, inputs, inputs, (S, S, letters)),
        attention_panel(
            "decoder: none looks ahead" if bool(hidden.any()) else "decoder: itself",
            own.masked_fill(hidden, np.nan).numpy(),
            written,
            [START, *written[:-1]],
            (T, T, letters),
        ),
        attention_panel(
            "cross: output looks at input",
            step.cross[layer].weights[0, head].numpy(),
            written,
            inputs,
            (T, S, letters),
        ),
    ]
    return matrices(drawn, written, inputs)


def attention_panel(
    title: str,
    weights: np.ndarray | None,
    rows: Sequence[str],
    columns: Sequence[str],
    room: tuple[int, int, int],
) -> dict:
    """Return one heat map with rows and columns of its own; without weights it shows those that all steps share.

    `room` is for how many rows, columns and letters of a name there will be in the end.

    >>> attention_panel("", None, ["a"], ["b", "c"], (1, 2, 1))["room"]
    {'rows': 1, 'columns': 2, 'letters': 1}
    """
    made = {"title": title, "width": len(columns)} if weights is None else panel(title, weights)
    names = {"rows": list(rows), "columns": list(columns)}
    return {**made, **names, "reach": 1, "room": dict(zip(("rows", "columns", "letters"), room, strict=True))}


def added_for_distance(trace: AttentionTrace, head: int, t: int, s: int) -> float:
    """Return b_ts, what a head adds to a scaled score for the distance of its two places; no mask hides them."""
    return float(trace.masked[0, head, t, s].double() - trace.scaled[0, head, t, s].double())


def worked_weight(trace: AttentionTrace, head: int, t: int, s: int, written: str, looked: str) -> str:
    """Return LaTeX of the weight that query t gives key s: its score, scaled, the distance's part, its share of the row."""
    q, k = trace.query[0, head, t].numpy(), trace.key[0, head, s].numpy()
    score, scaled = float(trace.scores[0, head, t, s]), float(trace.scaled[0, head, t, s])
    added, whole = added_for_distance(trace, head, t, s), float(trace.masked[0, head, t, s])
    shift = float(trace.shift[0, head, t, 0])
    less = "" if not shift else f" - {number(shift)}" if shift > 0 else f" + {number(-shift)}"
    power, total = float(trace.exponentials[0, head, t, s]), float(trace.row_sums[0, head, t, 0])
    ends = rf"t = {t + 1}\;({word(written)}),\; s = {s + 1}\;({word(looked)})\quad "
    plus = f"- {number(-added)}" if added < 0 else f"+ {number(added)}"
    return (
        rf"\begin{{aligned}}&{ends}q_t \cdot k_s = {dot_product(q, k, terms=2)}\\[4pt]"
        rf"&e_{{ts}} = \frac{{{number(score)}}}{{\sqrt{{{len(q)}}}}} + b_{{{s - t}}} = {number(scaled)} {plus} = "
        rf"{number(whole)}\qquad a_{{ts}} = \frac{{e^{{{number(whole)}{less}}}}}{{\sum_j e^{{e_{{tj}}{less}}}}} = "
        rf"\frac{{{number(power)}}}{{{number(total)}}} = {number(power / total)}\end{{aligned}}"
    )


def by_length(quality: Mapping[str, float]) -> dict[str, dict[str, Estimate]]:
    """Return each translator's share right by the range of input words, as a card counts it.

    >>> card = {"pairs_3_to_7_words": 10, "right_3_to_7_words": 5, "recurrent_right_3_to_7_words": 10}
    >>> [(name, {at: each.value for at, each in of.items()}) for name, of in by_length(card).items()]
    [('transformer', {'3–7': 0.5}), ('recurrent, additive attention', {'3–7': 1.0})]
    """
    ranges = [
        found.groups() for key in quality if (found := re.fullmatch(r"pairs_(\d+)_to_(\d+)_words", key))
    ]
    return {
        name: {
            f"{a}–{b}": wilson(
                int(quality[f"{prefix}right_{a}_to_{b}_words"]), int(quality[f"pairs_{a}_to_{b}_words"])
            )
            for a, b in ranges
        }
        for name, prefix in ((TRANSFORMER, ""), (RECURRENT, "recurrent_"))
    }


def length_figure(quality: Mapping[str, float], height: int = 360) -> Figure:
    """Return both translators' shares right against the length of the sentence, with 95% intervals."""
    figure = blank(height, "words of the English sentence", "translated word for word")
    for name, estimates in by_length(quality).items():
        figure.add_trace(share_line(name, estimates, *STYLES[name]))
    figure.update_xaxes(type="category")
    return figure.update_yaxes(tickformat=".0%", range=[-0.03, 1.05])


def length_rows(quality: Mapping[str, float]) -> list[dict]:
    """Return a row for each translator and range of lengths: how many pairs, how many right, the share's interval."""
    return [
        {
            "model": name,
            "words": words,
            "sentences": each.n,
            "right": round(each.value * each.n),
            "share right": each.value,
            "95% from": each.low,
            "95% to": each.high,
        }
        for name, estimates in by_length(quality).items()
        for words, each in estimates.items()
    ]


def head_errors(quality: Mapping[str, float]) -> dict[tuple[int, int], float]:
    """Return the alignment error of each head of cross-attention, (layer, head) from 1, as a card tells it.

    >>> head_errors({"alignment_error_layer_2_head_3": 0.25})
    {(2, 3): 0.25}
    """
    named = {key: re.fullmatch(r"alignment_error_layer_(\d+)_head_(\d+)", key) for key in quality}
    return {(int(m[1]), int(m[2])): quality[key] for key, m in named.items() if m}


def heads_table(quality: Mapping[str, float]) -> pd.DataFrame:
    """Return the alignment error of every head and of the recurrent translator."""
    errors = head_errors(quality)
    rows = [(f"{TRANSFORMER}, layer {layer}, head {head}", error) for (layer, head), error in errors.items()]
    rows.append((RECURRENT, quality["recurrent_alignment_error"]))
    return pd.DataFrame(rows, columns=["looks at the input", "alignment error"])


def weights_table(
    made: Written, layer: int, head: int, inputs: Sequence[str], outputs: Sequence[str]
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return what every weight is made of, step by step and input word by input word, and the formula behind it."""
    places = [(t, s) for t in range(len(outputs)) for s in range(len(inputs))]
    traces = [step.cross[layer] for step in made.steps]
    made_of = {
        "score q·k": [float(traces[t].scores[0, head, t, s]) for t, s in places],
        "scaled": [float(traces[t].scaled[0, head, t, s]) for t, s in places],
        "added b": [added_for_distance(traces[t], head, t, s) for t, s in places],
        "sum e": [float(traces[t].masked[0, head, t, s]) for t, s in places],
        "weight a": [float(traces[t].weights[0, head, t, s]) for t, s in places],
    }
    named = {
        "step": [t + 1 for t, _ in places],
        "writing": [outputs[t] for t, _ in places],
        "input": [f"{s + 1} {inputs[s]}" for _, s in places],
        "distance s − t": [s - t for t, s in places],
    }

    def formula(row: int, column: str) -> str | None:
        t, s = places[row]
        return worked_weight(traces[t], head, t, s, outputs[t], inputs[s]) if column in made_of else None

    return pd.DataFrame({**named, **made_of}), formula
