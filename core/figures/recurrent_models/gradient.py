"""The gradient through time: its norm against distance, the unrolled graph, and the chain rule filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.arrow import add_arrow
from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, FigurePart, scatter
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION, faded
from core.figures.recurrent_models import WORDS
from core.figures.token_label import label_token
from core.figures.worked import number, word
from core.models.recurrent_models.unrolled_word import Unrolled

LINEAR = "RNN without tanh, h"
LINES = {  # colour and dash of each curve
    "RNN, h": (VERMILLION, "solid"),
    LINEAR: (OCHRE, "dashdot"),
    "GRU, h": (GREEN, "solid"),
    "LSTM, h": (BLUE, "dot"),
    "LSTM, c": (BLUE, "solid"),
}
SMALLEST = 1e-300  # a logarithm has no place for 0


def name_curve(name: str) -> str:
    """Return what one of LINES is called.

    >>> name_curve("LSTM, c"), name_curve(LINEAR)
    ('LSTM, c', 'RNN without tanh, h')
    """
    return WORDS.label("gradient.linear") if name == LINEAR else name


def flow_figure(runs: Mapping[str, np.ndarray], radius: float | None = None, height: int = 380) -> Figure:
    """Return |dL/dh_t| against the distance from the loss, {name: (seeds, T)}, on a logarithmic axis.

    Each seed is a thin line, their median a thick one. With `radius` its powers are drawn as a dashed line.
    """
    figure = blank(height, WORDS.label("gradient.steps_back"), WORDS.label("gradient.norm"))
    for name, norms in runs.items():
        colour, dash = LINES[name]
        x = np.arange(norms.shape[1])
        for seed, run in enumerate(norms if len(norms) > 1 else (), 1):
            one = WORDS.label("gradient.seed", name=name_curve(name), seed=seed)
            thin = _gradient_curve(x, run, one, faded(colour, 0.45), dash, 1)
            figure.add_trace({**thin, "showlegend": False})
        figure.add_trace(_gradient_curve(x, np.median(norms, axis=0), name_curve(name), colour, dash))
    if radius is not None:
        x = np.arange(max(norms.shape[1] for norms in runs.values()))
        name = WORDS.label("gradient.power", radius=f"{radius:g}")
        figure.add_trace(_gradient_curve(x, radius**x, name, GREY, "dash", 2))
    figure.update_layout(legend={"traceorder": "normal"})
    return _logarithmic(figure)


def _logarithmic(figure: Figure) -> Figure:
    """Return the figure with a logarithmic axis, marked at eight powers of ten at most where there are several."""
    values = np.concatenate([np.asarray(trace.y, dtype=float) for trace in figure.data])
    powers = np.log10(values.max()) - np.log10(values.min())
    return figure.update_yaxes(
        type="log",
        exponentformat="power",
        showexponent="all",
        dtick=int(np.ceil(powers / 8)) if powers > 2 else "D2",
    )


def _gradient_curve(
    x: np.ndarray, y: np.ndarray, name: str, colour: str, dash: str, width: float = 3
) -> FigurePart:
    return scatter(
        x=x,
        y=[float(f"{each:.5g}") for each in np.maximum(y, SMALLEST)],  # its words show four digits
        name=name,
        mode="lines",
        line={"color": colour, "dash": dash, "width": width},
        hovertemplate=WORDS.label("gradient.hover") + "<extra>" + name + "</extra>",
    )


def reading_figure(norms: Mapping[str, np.ndarray], characters: Sequence[str], height: int = 420) -> Figure:
    """Return each model's gradient norms at the characters it read, {name: (T,)}, on a logarithmic axis."""
    figure = blank(height, WORDS.label("gradient.character"), WORDS.label("gradient.norm"))
    x = np.arange(len(characters))
    for name, values in norms.items():
        colour, dash = LINES[name]
        curve = _gradient_curve(x, values, name_curve(name), colour, dash)
        curve.update(
            customdata=[escape_label(label_token(each)) for each in characters],
            hovertemplate="“%{customdata}”: %{y:.3e}<extra>" + name_curve(name) + "</extra>",
        )
        figure.add_trace(curve)
    if len(characters) <= 90:
        figure.update_xaxes(
            tickvals=x, ticktext=[escape_label(label_token(each)) for each in characters], tickangle=0
        )
    return _logarithmic(figure)


def training_figure(losses: Mapping[str, Sequence[float]], height: int = 320) -> Figure:
    """Return the loss before every step of each named training, on a logarithmic axis."""
    figure = blank(height, WORDS.label("gradient.training"), WORDS.label("gradient.loss"))
    for (name, values), colour in zip(losses.items(), (BLUE, VERMILLION), strict=False):
        x = np.arange(1, len(values) + 1)
        figure.add_trace(_gradient_curve(x, np.array(values), name, colour, "solid", 2.5))
        figure.data[-1].hovertemplate = WORDS.label("gradient.training_hover") + "<extra>" + name + "</extra>"
    return _logarithmic(figure)


def unrolled_figure(
    characters: Sequence[str],
    target: str,
    norms: Sequence[float],
    ratios: Sequence[float],
    reached: int,
    kept: int | None = None,
    height: int = 330,
) -> Figure:
    """Return the unrolled network: characters in, states along, the loss at the end, and the way back so far.

    `norms` (T,) are |dL/dh_t|, `ratios` (T - 1,) what each step back multiplied them by; of the way back the last
    `reached` states (one at least) are drawn. Beyond the last `kept` it is cut.
    """
    T = len(characters)
    figure, inset = blank(height), 0.1 + 0.025 * T
    states, known = list(range(T)), [t >= T - reached for t in range(T)]
    for t in states:
        add_arrow(figure, (t, 0.24), (t, 0.78), GREY)
        add_arrow(figure, (t + inset, 1.0), (t + 1 - inset, 1.0), GREY)
        if known[t]:
            add_arrow(figure, (t + 1 - inset, 1.28), (t + inset, 1.28), VERMILLION, 3)
    size = FONT_SIZE if T <= 8 else FONT_SIZE - 3
    back = [*(f"× {ratio:.2g}" for ratio in ratios), "p − y"]
    told = [f"{norm:.2g}" for norm in norms]
    _circles(figure, known, 42 if T <= 8 else 34)
    _labels(figure, states, 0.1, [escape_label(label_token(each)) for each in characters], FONT_SIZE + 5)
    _labels(figure, states, 1.0, [f"h<sub>{t + 1}</sub>" for t in states], size + 2)
    _labels(figure, [T], 1.0, ["L"], FONT_SIZE + 5)
    _labels(figure, [T], 0.1, [f"“{escape_label(label_token(target))}”?"], FONT_SIZE + 3)
    _labels(figure, [t + 0.5 for t in states[-reached:]], 1.46, back[-reached:], size, VERMILLION)
    _labels(figure, states[-reached:], 1.78, told[-reached:], size + 1)
    if kept and kept < T:
        _labels(figure, [T - kept - 0.5], 1.28, [WORDS.label("gradient.cut")], size, GREY)
    figure.update_xaxes(visible=False, range=[-0.7, T + 0.5])
    figure.update_yaxes(visible=False, range=[-0.1, 2.0])
    return figure


def unrolled_states(read: Unrolled, reached: int, kept: int) -> dict:
    """Return what the view "steps" draws an unrolled network from; of the last `reached` states, the lengths too.

    >>> from core.models.recurrent_models.unrolled_word import unrolled_word
    >>> unrolled_states(unrolled_word("abc", 2, 0.9, 1), 1, 3)["ratios"]
    ['p − y']
    """
    back = [*(f"× {ratio:.2g}" for ratio in read.ratios), "p − y"]
    first = read.T - reached
    return {
        "characters": [label_token(each) for each in read.characters],
        "target": label_token(read.target),
        "norms": [f"{norm:.2g}" for norm in read.norms[first:]],
        "ratios": back[first:],
        "kept": kept,
        "cut": WORDS.label("gradient.cut"),
    }


def _circles(figure: Figure, known: Sequence[bool], size: int) -> None:
    colours = [VERMILLION if told else GREY for told in known]
    marker = {"size": size, "color": [faded(colour, 0.16) for colour in colours]}
    marker["line"] = {"color": colours, "width": 2}
    places = list(range(len(known)))
    circles = scatter(x=places, y=[1.0] * len(places), mode="markers", marker=marker, hoverinfo="skip")
    figure.add_trace({**circles, "showlegend": False})


def _labels(
    figure: Figure, x: list, y: float, texts: list[str], size: int, colour: str | None = None
) -> None:
    font = {"size": size} | ({"color": colour} if colour else {})
    labels = scatter(x=x, y=[y] * len(x), mode="text", text=texts, textfont=font, hoverinfo="skip")
    figure.add_trace({**labels, "showlegend": False})


def matrix(values: np.ndarray) -> str:
    r"""Return a vector (a column) or a matrix as LaTeX.

    >>> matrix(np.array([1.0, 0.25]))
    '\\begin{pmatrix}1\\\\0.25\\end{pmatrix}'
    """
    rows = values[:, None] if values.ndim == 1 else values
    lines = r"\\".join("&".join(number(value, 3) for value in row) for row in rows)
    return rf"\begin{{pmatrix}}{lines}\end{{pmatrix}}"


def worked_last(
    E: np.ndarray, p: np.ndarray, target: int, gradient: np.ndarray, tokens: Sequence[str]
) -> str:
    """Return dL/dh_T = E^T (p - y), the sum over the tokens k of (p_k - y_k) E_k, filled in; 3 terms a line."""
    terms = [
        rf"\underset{{{word(token)}}}{{({number(p[k], 3)}{' - 1' if k == target else ''})\, {matrix(E[k])}}}"
        for k, token in enumerate(tokens)
    ]
    lines = [" + ".join(terms[i : i + 3]) for i in range(0, len(terms), 3)]
    formula = r"\frac{\partial L}{\partial h_T} = E^\top (p - y) &= \sum_k (p_k - y_k)\, E_k \\ &= "
    terms = r" \\ &+ ".join(lines)
    return rf"\begin{{aligned}}{formula}{terms} \\ &= {matrix(gradient)}\end{{aligned}}"


def worked_back(W_h: np.ndarray, h: np.ndarray, gradient: np.ndarray, before: np.ndarray, t: int) -> str:
    """Return dL/dh_t-1 = W_h^T diag(1 - h_t^2) dL/dh_t filled in, with the factor multiplied out; t counts from 1."""
    slope, factor = np.diag(1 - h**2), word(WORDS.label("gradient.factor"))
    return (
        r"\begin{aligned}"
        rf"\frac{{\partial L}}{{\partial h_{{{t - 1}}}}} &= W_h^\top \operatorname{{diag}}(1 - h_{{{t}}}^2)\, "
        rf"\frac{{\partial L}}{{\partial h_{{{t}}}}} \\ "
        rf"&= {matrix(W_h.T)} {matrix(slope)} {matrix(gradient)} \\ "
        rf"&= \underset{{{factor}}}{{{matrix(W_h.T @ slope)}}} {matrix(gradient)} = {matrix(before)}"
        r"\end{aligned}"
    )


def worked_most(factor: np.ndarray, most: float, t: int) -> str:
    """Return the spectral norm of a step's factor filled in: the most by which it can lengthen a gradient."""
    name = rf"\big\lVert W_h^\top \operatorname{{diag}}(1 - h_{{{t}}}^2) \big\rVert_2"
    return rf"{name} = \Big\lVert {matrix(factor)} \Big\rVert_2 = {number(most)}"


def worked_ratio(name: str, norms: np.ndarray, distance: int) -> str:
    """Return how much of a gradient is left at a distance, and the factor of this one step back."""
    here, start = number(norms[distance]), number(norms[0])
    share = number(norms[distance] / norms[0]) if norms[0] else "0"
    norm = rf"\lVert \partial L / \partial {name}_{{T-{distance}}} \rVert"
    line = rf"\frac{{{norm}}}{{\lVert \partial L / \partial {name}_T \rVert}}"
    step = ""
    if distance and norms[distance - 1]:
        said = WORDS.label("gradient.this_step")
        step = rf",\qquad \text{{{said} }} \times {number(norms[distance] / norms[distance - 1])}"
    return rf"{line} = \frac{{{here}}}{{{start}}} = {share}{step}"


def worked_weights(parts: np.ndarray, last: int, most: int = 3) -> str:
    """Return dL/dW_h as the sum of the parts (k, H, H) of the steps up to `last`: the last ones written out."""
    shown_parts = list(parts[-most:][::-1])
    lines = [rf"\underset{{t={last - i}}}{{{matrix(part)}}}" for i, part in enumerate(shown_parts)]
    if len(parts) > most:
        other = word(WORDS.label("gradient.other", n=len(parts) - most))
        lines.append(rf"\underset{{{other}}}{{{matrix(parts[:-most].sum(0))}}}")
    formula = r"\sum_t \Big(\operatorname{diag}(1 - h_t^2) \tfrac{\partial L}{\partial h_t}\Big) h_{t-1}^\top"
    each = 2 if parts.shape[1] == 2 else 1  # so many matrices fit beside one another
    terms = r" \\ &+ ".join(" + ".join(lines[i : i + each]) for i in range(0, len(lines), each))
    return (
        rf"\begin{{aligned}}\frac{{\partial L}}{{\partial W_h}} &= {formula} \\ &= {terms} \\ "
        rf"&= {matrix(parts.sum(0))}\end{{aligned}}"
    )
