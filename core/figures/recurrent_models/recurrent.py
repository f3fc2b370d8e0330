"""A recurrent network at work: its hidden states for the browser view, sums filled in, what its memory is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter, waterfall
from core.figures.generation.sampling import shown
from core.figures.packed import packed
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION
from core.figures.worked import number, signed, word
from core.models.recurrent_language_model import RecurrentLanguageModel, RecurrentTrace
from core.models.recurrent_models.telling_units import TellingUnit
from core.models.recurrent_models.weighted_sum import (
    GATES,
    TANH,
    WeightedSum,
    largest_terms,
    state_before,
    weighted_sum,
)

TOP_TOKENS = 8
ROWS = 18
SIGNED = ("h", "n", "g", "c")
LETTERS = {"r": "r", "z": "z", "n": "n", "i": "i", "f": "f", "g": "g", "o": "o", "c": "c", "h": "h"}


def hidden_state_payload(
    name: str,
    values: np.ndarray,
    labels: Mapping[int, str],
    characters: Sequence[str],
    probabilities: np.ndarray | None,
    vocabulary: Sequence[str],
    unit: int,
    step: int,
) -> dict:
    """Return what the view `hidden_state` draws: `values` (T, H) of the units in `labels`, {unit: its label}.

    `probabilities` (T, V) are those of the next token at each step; None hides them.

    >>> payload = hidden_state_payload("h", np.eye(2), {1: "1"}, "ab", np.eye(2), "xy", 1, 0)
    >>> payload["rows"], payload["next"][1][0]
    ([{'unit': 1, 'label': '1'}], ['y', 1.0])
    """
    units = list(labels)
    rows = values[:, units].T
    signed = name in SIGNED
    return {
        "name": name,
        "characters": [shown(character) for character in characters],
        "rows": [{"unit": int(each), "label": label} for each, label in labels.items()],
        "values": packed(rows),
        "reach": float(max(1.0, np.abs(rows).max())) if signed else 1.0,
        "next": [] if probabilities is None else [likeliest(p, vocabulary) for p in probabilities],
        "unit": int(unit),
        "step": int(step),
        "colours": [BLUE, VERMILLION],
    }


def rows_shown(values: np.ndarray, told: Sequence[TellingUnit], unit: int) -> dict[int, str]:
    """Return the units drawn, {unit: label}: the measured ones, the one looked at, and those that vary most.

    >>> rows_shown(np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.1]]), [], 0)
    {0: '0', 1: '1', 2: '2'}
    """
    labels: dict[int, str] = {}
    for each in told:
        both = [labels[each.unit]] if each.unit in labels else [str(each.unit)]
        labels[each.unit] = ", ".join([*both, each.feature])
    labels.setdefault(unit, str(unit))
    for other in np.argsort(-values.var(axis=0), kind="stable"):
        if len(labels) >= ROWS:
            break
        labels.setdefault(int(other), str(other))
    return labels


def likeliest(p: np.ndarray, vocabulary: Sequence[str]) -> list[list]:
    """Return the likeliest tokens as they are shown, with their probabilities, [[token, p]]."""
    return [[shown(vocabulary[i]), float(p[i])] for i in np.argsort(-p, kind="stable")[:TOP_TOKENS]]


def named_terms(found: WeightedSum, most: int = 4) -> dict[str, float]:
    """Return the sum's parts in words: the character's, the bias, the largest of h_t-1, and the rest of these.

    They add up to `found.total`.
    """
    places = largest_terms(found.state_terms, most)
    largest = {f"unit {k} of h": float(found.state_terms[k]) for k in places}
    rest = float(np.delete(found.state_terms, places).sum())
    count = len(found.state_terms) - len(places)
    return {
        "the character": float(found.input_terms.sum()),
        "bias": found.bias,
        **largest,
        f"other {count} of h": rest,
    }


def terms_figure(found: WeightedSum, most: int = 4, height: int = 330) -> Figure:
    """Return the sum as a staircase: each part starts where the one before ended; the last bar is the total."""
    parts = named_terms(found, most)
    figure = blank(height, f"running total of {found.name}'s sum")
    figure.add_trace(
        waterfall(
            orientation="h",
            y=[*parts, "total"],
            x=[*parts.values(), 0],
            measure=["relative"] * len(parts) + ["total"],
            text=[signed(value, 3, "+") for value in parts.values()] + [signed(found.total, 3)],
            textposition="outside",
            textfont={"size": FONT_SIZE},
            constraintext="none",
            cliponaxis=False,
            increasing={"marker": {"color": BLUE}},
            decreasing={"marker": {"color": VERMILLION}},
            totals={"marker": {"color": GREY}},
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    reach = np.cumsum([0, *parts.values()])
    room = 0.4 * (reach.max() - reach.min() or 1)  # for the numbers, on a phone too
    figure.update_xaxes(range=[min(reach.min() - room, 0), max(reach.max() + room, 0)])
    return figure.update_yaxes(autorange="reversed")


def worked_sum(found: WeightedSum, character: str, most: int = 3) -> str:
    r"""Return the sum behind a unit's value filled in, as LaTeX lines: terms, the rest as a sum, total, squashed."""
    j, name = found.unit, found.name
    x_part = _largest(found.input_weights, found.x, most, "x_t")
    h_part = _largest(found.state_weights, found.state, most, "h_{t-1}")
    if found.scale != 1 and found.state.any():
        h_part = rf"{number(found.scale)}\,(\text{{the gate }} r)\cdot\big({h_part}\big)"
    squash = r"\tanh" if name in TANH else r"\sigma"
    return (
        r"\begin{aligned}"
        rf"&\text{{from the character }}{word(shown(character))}:\ {x_part} = {number(found.input_terms.sum())}\\"
        rf"&\text{{from }}h_{{t-1}}:\ {h_part} = {number(found.state_terms.sum())}\\"
        rf"&a = {number(found.input_terms.sum())} + ({number(found.state_terms.sum())}) + ({number(found.bias)})"
        rf"\ \text{{(bias)}} = {number(found.total)}\\"
        rf"&{LETTERS[name]}_t[{j}] = {squash}({number(found.total)}) = \mathbf{{{number(found.value)}}}"
        r"\end{aligned}"
    )


def _largest(weights: np.ndarray, values: np.ndarray, most: int, letter: str) -> str:
    """Return the largest products written out with their places, and the others as one number."""
    products = weights * values
    if not values.any():
        return r"\text{every number is 0}"
    places = largest_terms(products, most)
    terms = " + ".join(
        rf"\underset{{{k}}}{{{_bracketed(weights[k])}\cdot{_bracketed(values[k])}}}" for k in places
    )
    rest = float(np.delete(products, places).sum())
    left = len(products) - len(places)
    return terms + (
        rf" + \underset{{\text{{other }}{left}\text{{ of }}{letter}}}{{({number(rest)})}}" if left else ""
    )


def _bracketed(value: float) -> str:
    text = number(value, 3)
    return f"({text})" if value < 0 else text


def worked_mixture(
    cell: str, name: str, traced: RecurrentTrace, unit: int, t: int, before: np.ndarray
) -> str:
    """Return how an LSTM's c or h, or a GRU's h, is put together from the gates; `before` is c_t-1 or h_t-1, (H,)."""
    gate = {key: number(values[t, unit].item()) for key, values in traced.gates.items()}
    h, last = number(traced.hidden[t, unit].item()), number(float(before[unit]))
    if cell == "gru":
        return (
            rf"h_t[{unit}] = (1 - z)\, n + z\, h_{{t-1}} = (1 - {gate['z']}) \cdot ({gate['n']}) + "
            rf"{gate['z']} \cdot ({last}) = \mathbf{{{h}}}"
        )
    if name == "c":
        return (
            rf"c_t[{unit}] = f\, c_{{t-1}} + i\, g = {gate['f']} \cdot ({last}) + "
            rf"{gate['i']} \cdot ({gate['g']}) = \mathbf{{{gate['c']}}}"
        )
    return rf"h_t[{unit}] = o \tanh(c_t) = {gate['o']} \cdot \tanh({gate['c']}) = \mathbf{{{h}}}"


class Moment:
    """One step of a reading: what the network held before it, and every sum that it formed."""

    def __init__(
        self,
        network: RecurrentLanguageModel,
        traced: RecurrentTrace,
        t: int,
        wiped: int | None,
        character: str,
    ):
        self.network, self.traced, self.t, self.character = network, traced, t, character
        self.cell = network.config.cell
        self.sums = GATES[self.cell]  # the letters that are a squashed sum
        self.state, self.cell_state = state_before(traced, t, wiped)

    def sum(self, name: str, unit: int) -> WeightedSum:
        """Return the sum behind a letter's value for a unit."""
        return weighted_sum(self.network, self.traced, name, unit, self.t, self.state)

    def formula(self, name: str, unit: int) -> str:
        """Return how a letter's value for a unit was computed, as LaTeX with its numbers."""
        if name in self.sums:
            return worked_sum(self.sum(name, unit), self.character)
        before = self.cell_state if name == "c" else self.state
        return worked_mixture(self.cell, name, self.traced, unit, self.t, before)


def memory_figure(lengths: Sequence[int], bits: Sequence[float], whole: float, height: int = 320) -> Figure:
    """Return bits per character against how often the memory is wiped, with the whole memory as a line."""
    figure = blank(height, "the memory is wiped every so many characters", "bits per character")
    figure.add_trace(
        scatter(
            x=list(lengths),
            y=list(bits),
            mode="lines+markers",
            line={"color": VERMILLION, "width": 3},
            marker={"size": 9},
            name="wiped",
            hovertemplate="every %{x}: %{y:.3f} bits<extra></extra>",
        )
    )
    figure.add_hline(whole, line={"color": BLUE, "width": 2, "dash": "dash"})
    figure.add_annotation(
        x=0,
        xref="paper",
        y=whole,
        text=f"never wiped: {whole:.3f}",
        showarrow=False,
        yshift=-12,
        xanchor="left",
    )
    figure.update_xaxes(type="log", tickvals=list(lengths))
    return figure.update_layout(showlegend=False)


def frozen_figure(bits: Mapping[str, float], whole: float, height: int = 320) -> Figure:
    """Return bits per character with each gate held at one value, {what was frozen: bits}, beside the whole's."""
    figure = blank(height, "bits per character")
    parts = {"whole": whole, **bits}
    figure.add_trace(
        bar(
            x=list(parts.values()),
            y=list(parts),
            orientation="h",
            text=[f"{value:.2f}" for value in parts.values()],
            textposition="outside",
            cliponaxis=False,
            marker={"color": [BLUE, *[OCHRE] * len(bits)]},
            hovertemplate="%{y}: %{x:.3f} bits<extra></extra>",
        )
    )
    figure.update_xaxes(range=[0, 1.15 * max(parts.values())])
    return figure.update_yaxes(autorange="reversed")
