"""Pictures of hidden Markov models: paths through the lattice, underflow, endings, confusions, formulas filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import cycle

import numpy as np
import plotly.graph_objects as go

from core.figures.blank import FONT_SIZE, blank
from core.figures.palette import BLUE, CATEGORIES, GREEN, GREY, OCHRE, SEQUENTIAL, VERMILLION, faded
from core.figures.worked import number, word
from core.models.hidden_markov_models.hmm import Decoded, HiddenMarkovModel, Lattice
from core.models.hidden_markov_models.suffix_model import SuffixGuess
from core.models.hidden_markov_models.what_if import Sweep

LABEL_AT_MOST = 14  # characters of a word on an axis; the hover label has all of it
STYLES = {0: (BLUE, "solid", "circle"), 1: (OCHRE, "dash", "diamond"), 2: (VERMILLION, "dot", "square")}


def label(text: str, unknown: bool = False) -> str:
    """Return a word as an axis writes it: short, its signs not read as mark-up, a star when it was never seen.

    >>> label("<b>"), label("counterrevolutionary", unknown=True)
    ('&lt;b&gt;', 'counterrevolu…*')
    """
    short = text if len(text) <= LABEL_AT_MOST else text[: LABEL_AT_MOST - 1] + "…"
    return escape(short, quote=False) + ("*" if unknown else "")


def lattice_frame(
    words: Sequence[str], states: Sequence[str], unknown: Sequence[bool], first: int, height: int
) -> go.Figure:
    """Return an empty lattice: words across, numbered from `first`, and states down."""
    figure = blank(height)
    places = list(range(first, first + len(words)))
    names = [label(*pair) for pair in zip(words, unknown, strict=True)]
    figure.update_xaxes(
        tickvals=places,
        ticktext=names,
        side="top",
        range=[first - 0.5, places[-1] + 0.5],
        showgrid=False,
        zeroline=False,
        tickangle=0 if len(words) <= 12 else -60,
        tickfont={"size": FONT_SIZE + 2},
    )
    figure.update_yaxes(
        tickvals=list(range(len(states))),
        ticktext=[label(state) for state in states],
        range=[len(states) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        tickfont={"size": FONT_SIZE + 1},
    )
    figure.update_layout(legend={"y": 0, "yanchor": "top"})
    return figure


def lattice_height(states: Sequence[str]) -> int:
    """Return a height in pixels at which every state of a lattice can be told from the next."""
    return max(330, 110 + (38 if len(states) <= 13 else 22) * len(states))


def paths_figure(
    words: Sequence[str],
    states: Sequence[str],
    paths: Mapping[str, Sequence[int]],
    unknown: Sequence[bool] | None = None,
    kept: np.ndarray | None = None,
    first: int = 0,
) -> go.Figure:
    """Return up to three paths, named, through one lattice, side by side where they share a node.

    `kept` (n, K) rings the nodes that a search kept; the others it pruned.
    """
    n, K = len(words), len(states)
    unknown = [False] * n if unknown is None else unknown
    figure = lattice_frame(words, states, unknown, first, lattice_height(states))
    times, tags = np.divmod(np.arange(n * K), K)
    ring = kept[times, tags] if kept is not None else np.zeros(n * K, dtype=bool)
    for group, name, marker in (
        (~ring, "not kept by the beam", {"color": faded(GREY, 0.35), "size": 9}),
        (
            ring,
            "kept by the beam",
            {"color": "rgba(0,0,0,0)", "size": 20, "line": {"color": OCHRE, "width": 2}},
        ),
    ):
        if group.any():
            figure.add_trace(
                go.Scatter(
                    x=times[group] + first,
                    y=tags[group],
                    mode="markers",
                    marker=marker,
                    name=name,
                    hoverinfo="skip",
                    showlegend=kept is not None,
                )
            )
    for i, (name, path) in enumerate(paths.items()):
        add_path(figure, name, path, words, states, first, i, 0.14 * (i - (len(paths) - 1) / 2))
    return figure


def add_path(
    figure: go.Figure,
    name: str,
    path: Sequence[int],
    words: Sequence[str],
    states: Sequence[str],
    first: int,
    style: int,
    shift: float,
) -> None:
    """Draw one path; `shift` moves it up or down by part of a row, so that it hides no other."""
    colour, dash, symbol = STYLES[style]
    figure.add_trace(
        go.Scatter(
            x=list(range(first, first + len(path))),
            y=[state + shift for state in path],
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 3.5},
            marker={"symbol": symbol, "size": 11},
            name=name,
            text=[f"{label(words[t])}: {label(states[state])}" for t, state in enumerate(path)],
            hovertemplate="%{text}<extra></extra>",
        )
    )


def best_scores_figure(exact: Lattice, rounded: Mapping[str, Lattice], height: int = 260) -> go.Figure:
    """Return each word's best score as a power of ten: by logarithms, and by products until they underflow."""
    figure = blank(height, "word", "best score, log₁₀")
    figure.update_xaxes(dtick=1 if len(exact.scores) <= 20 else None)
    places = np.arange(1, len(exact.scores) + 1)
    lines = {"logarithms added": exact.scores.max(axis=1) / np.log(10)}
    with np.errstate(divide="ignore"):
        lines |= {name: np.log10(lattice.scores.max(axis=1)) for name, lattice in rounded.items()}
    for i, (name, line) in enumerate(lines.items()):
        colour, dash, _ = STYLES[i]
        alive = np.isfinite(line)
        figure.add_trace(
            go.Scatter(
                x=places[alive],
                y=line[alive],
                mode="lines+markers" if alive.sum() < 2 else "lines",
                name=name,
                line={"color": colour, "dash": dash, "width": 7 - 2 * i},
            )
        )
        if not alive.all():
            gone = int(places[~alive][0])
            figure.add_vline(
                x=gone,
                line={"color": colour, "dash": dash},
                annotation_text=f"0 from word {gone}",
                annotation_position="bottom right",
            )
    return figure


def share_lost_figure(widths: Sequence[int], shares: Sequence[float], chosen: int) -> go.Figure:
    """Return for each beam width the share of sentences on which the beam missed the best path."""
    figure = blank(260, "beam width", "best path missed")
    figure.add_trace(
        go.Bar(
            x=list(widths),
            y=list(shares),
            marker={"color": [OCHRE if width == chosen else faded(GREY, 0.6) for width in widths]},
            text=[f"{share:.0%}" for share in shares],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="width %{x}: %{y:.1%} of sentences<extra></extra>",
        )
    )
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(tickformat=".0%", range=[0, max(0.05, 1.2 * max(shares))])
    return figure


def write_in_cells(figure: go.Figure, size: float = FONT_SIZE) -> None:
    """Write the text of a heat map's cells in the page's own colour.

    plotly would choose black or white for each cell's colour as if the colour were opaque, which it is not.
    """
    heat = figure.data[0]
    cells = [
        (x, y, text)
        for y, row in zip(heat.y, heat.text, strict=True)
        for x, text in zip(heat.x, row, strict=True)
    ]
    xs, ys, texts = zip(*cells, strict=True)
    figure.add_trace(
        go.Scatter(
            x=xs,
            y=ys,
            text=texts,
            mode="text",
            hoverinfo="skip",
            showlegend=False,
            textfont={"size": size},
        )
    )


def suffix_figure(guess: SuffixGuess, states: Sequence[str]) -> go.Figure:
    """Return p(tag | ending) as a heat map, one row an ending, from knowing nothing to the longest ending."""
    names = ["any rare word", *(f"{step.shape} …{label(step.suffix)}" for step in guess.steps[1:])]
    figure = blank(90 + 34 * len(names))
    values = np.array([step.probabilities for step in guess.steps])
    figure.add_trace(
        go.Heatmap(
            x=list(states),
            y=names,
            z=values,
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            showscale=False,
            text=[[f"{value:.2f}" if value >= 0.005 else "" for value in row] for row in values],
            customdata=np.array([step.counts for step in guess.steps]),
            hovertemplate="%{y}, %{x}: p = %{z:.4f}, counted %{customdata}<extra></extra>",
        )
    )
    figure.update_xaxes(side="top")
    figure.update_yaxes(autorange="reversed")
    write_in_cells(figure)
    return figure


def table_figure(
    values: np.ndarray, rows: Sequence[str], columns: Sequence[str], form: str = ".2f"
) -> go.Figure:
    """Return a table of probabilities or counts as a heat map with each number written in its cell."""
    figure = blank(54 + 32 * len(rows))
    figure.add_trace(
        go.Heatmap(
            x=[label(column) for column in columns],
            y=[label(row) for row in rows],
            z=values / (values.max() or 1),
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1.6,  # the largest stays light enough to read the number in it
            showscale=False,
            text=[[f"{value:{form}}" for value in row] for row in values],
            hovertemplate="%{y} → %{x}: %{text}<extra></extra>",
        )
    )
    figure.update_xaxes(side="top", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    figure.update_yaxes(autorange="reversed", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    write_in_cells(figure)
    return figure


def confusion_figure(confusion: np.ndarray, states: Sequence[str], height: int = 520) -> go.Figure:
    """Return a confusion matrix (K true, K given) as a heat map of the share of each true tag's words.

    Shares are coloured by their square root, so that the rare confusions can be seen at all.
    """
    shares = confusion / np.maximum(confusion.sum(axis=1, keepdims=True), 1)
    figure = blank(height, "tag given", "true tag")
    figure.add_trace(
        go.Heatmap(
            x=list(states),
            y=list(states),
            z=np.sqrt(shares),
            zmin=0,
            zmax=1.3,
            colorscale=SEQUENTIAL,
            showscale=False,
            text=[
                [f"{share:.1%}" if count else "" for share, count in zip(*row, strict=True)]
                for row in zip(shares, confusion, strict=True)
            ],
            customdata=confusion,
            hovertemplate="true %{y}, given %{x}: %{customdata:,} words<extra></extra>",
        )
    )
    figure.update_xaxes(side="top", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    figure.update_yaxes(autorange="reversed", type="category", tickfont={"size": FONT_SIZE}, showgrid=False)
    write_in_cells(figure)
    return figure


def hand_figure(
    decoded: Decoded, lattice: Lattice, column: int, right: Sequence[bool | None], revealed: bool
) -> go.Figure:
    """Return the table of scores up to a column that the student fills in: right, wrong or still to do.

    Columns before it are filled; in it stand the right answers only; what comes after is empty.
    """
    n, K = lattice.scores.shape
    words, states = decoded.emissions.words, decoded.model.states
    figure = lattice_frame(words, states, decoded.emissions.unknown, 0, max(220, 90 + 60 * K))
    figure.add_vrect(
        x0=column - 0.5, x1=column + 0.5, fillcolor=faded(OCHRE, 0.18), line={"color": OCHRE}, layer="below"
    )
    filled = [(t, j) for t in range(min(column, n)) for j in range(K)]
    groups = [(filled, None, GREY)]
    if column < n:
        shown = [(column, j) for j in range(K) if revealed or right[j]]
        wrong = [(column, j) for j in range(K) if right[j] is False and not revealed]
        groups += [(shown, None, GREEN), (wrong, "✗", VERMILLION)]
        asked = [(column, j) for j in range(K) if right[j] is None and not revealed]
        groups += [(asked, "?", OCHRE)]
    for places, text, colour in groups:
        if places:
            figure.add_trace(
                go.Scatter(
                    x=[t for t, _ in places],
                    y=[j for _, j in places],
                    mode="text",
                    text=[text or f"{lattice.scores[place]:.4g}" for place in places],
                    textfont={"color": colour, "size": 17},
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
    return figure


def factor_names(model: HiddenMarkovModel, words: Sequence[str], path: Sequence[int]) -> list[str]:
    """Return the name of each factor of p(path, words), in the order of `joint_log_probability`."""
    states = [model.states[state] for state in path]
    names = [f"p({states[0]})", f"p({words[0]} | {states[0]})"]
    for t in range(1, len(path)):
        names += [f"p({states[t]} | {states[t - 1]})", f"p({words[t]} | {states[t]})"]
    return names if model.log_end is None else [*names, f"p(end | {states[-1]})"]


def worked_cell(decoded: Decoded, t: int, state: int, raw: bool) -> str:
    """Return LaTeX that fills in the score of one cell: its best predecessor's score, transition and emission."""
    model, lattice = decoded.model, decoded.viterbi
    before = int(lattice.backpointers[t, state])
    logs = [decoded.emissions.log_emission[t, state]]
    if t == 0:
        logs.insert(0, model.log_initial[state])
        rule = rf"v_1({word(model.states[state])}) = \pi \cdot b"
    else:
        logs = [lattice.scores[t - 1, before], model.log_transition[before, state], *logs]
        rule = rf"v_{{{t + 1}}}({word(model.states[state])}) = \max_i v_{{{t}}}(i)\, a_{{i}}\, b"
    if raw:
        filled, value = r" \cdot ".join(number(np.exp(x)) for x in logs), np.exp(sum(logs))
    else:
        rule = rf"\ln {rule}"
        filled, value = " + ".join(f"({number(x)})" for x in logs), sum(logs)
    came = "" if t == 0 else rf" \quad \text{{from }} {word(model.states[before])}"
    return f"{rule} = {filled} = {number(value)}{came}".replace("-inf", r"-\infty")


def worked_factors(log_factors: np.ndarray, most: int = 8) -> str:
    r"""Return LaTeX of a path's probability as the product of its factors.

    >>> worked_factors(np.log([0.5, 0.2]))
    'p(\\text{path, words}) = 0.5 \\cdot 0.2 = 0.1 \\qquad \\ln p = -2.303'
    """
    shown = r" \cdot ".join(number(np.exp(factor)) for factor in log_factors[:most])
    rest = rf" \cdots_{{({len(log_factors)}\text{{ factors}})}}" if len(log_factors) > most else ""
    total = float(log_factors.sum())
    product = number(np.exp(total)) if total > -700 else rf"e^{{{number(total)}}}"
    worked = rf"p(\text{{path, words}}) = {shown}{rest} = {product} \qquad \ln p = {number(total)}"
    return worked.replace("-inf", r"-\infty")


def worked_candidates(decoded: Decoded, lattice: Lattice, t: int, j: int, answer: bool) -> str:
    """Return LaTeX of all candidate products of a cell of raw probabilities, with their values if `answer`."""
    model, states = decoded.model, decoded.model.states
    emission = number(np.exp(decoded.emissions.log_emission[t, j]))
    cell = rf"v_{{{t + 1}}}({word(states[j])})"
    if t == 0:
        product = rf"{number(np.exp(model.log_initial[j]))} \cdot {emission}"
        return rf"{cell} = {product}" + (rf" = {number(lattice.scores[0, j])}" if answer else "")
    products = []
    for i, state in enumerate(states):
        factors = (lattice.scores[t - 1, i], np.exp(model.log_transition[i, j]))
        product = r" \cdot ".join([*map(number, factors), emission])
        value = f" = {number(lattice.candidates[t, i, j])}" if answer else ""
        products.append(rf"\text{{from }}{word(state)}: & \; {product}{value}")
    best = ""
    if answer:
        came = word(states[lattice.backpointers[t, j]])
        best = rf" = {number(lattice.scores[t, j])} \;\text{{ from }}\; {came}"
    rows = r" \\ ".join(products)
    return rf"{cell} = \max \left\{{ \begin{{aligned}} {rows} \end{{aligned}} \right. {best}"


def worked_suffix(guess: SuffixGuess, weight: float, states: Sequence[str], state: int) -> str:
    """Return LaTeX of p(tag | longest ending) from its counts and the shorter ending's opinion."""
    step = guess.steps[-1]
    tag, count, total = word(states[state]), int(step.counts[state]), int(step.counts.sum())
    value = number(step.probabilities[state])
    if len(guess.steps) == 1:
        return rf"p({tag}) = \frac{{{count}}}{{{total}}} = {value}"
    shorter = number(guess.steps[-2].probabilities[state])
    return (
        rf"p({tag} \mid {word('…' + step.suffix)}) = "
        r"\frac{c + w\, p_{\text{shorter}}}{c_{\text{all}} + w} = "
        rf"\frac{{{count} + {weight:g} \cdot {shorter}}}{{{total} + {weight:g}}} = {value}"
    )


def sweep_figure(sweep: Sweep, states: Sequence[str], now: float, name: str) -> go.Figure:
    """Return ln p of the best path against one probability, coloured by which path is best there."""
    figure = blank(300, name, "ln p of the best path")
    colours = cycle(CATEGORIES)
    for path in dict.fromkeys(sweep.paths):
        here = np.array([other == path for other in sweep.paths])
        places = " ".join(label(states[state]) for state in path[:12]) + (" …" if len(path) > 12 else "")
        line = np.where(here & np.isfinite(sweep.log_probabilities), sweep.log_probabilities, np.nan)
        figure.add_trace(
            go.Scatter(
                x=sweep.values[~np.isnan(line)],
                y=line[~np.isnan(line)],
                mode="markers",
                marker={"color": next(colours), "size": 8},
                name=places,
                hovertemplate="p = %{x:.2f}: ln p = %{y:.3f}<extra>%{fullData.name}</extra>",
            )
        )
    figure.add_vline(x=now, line={"color": GREY, "dash": "dot"}, annotation_text="now")
    return figure


def worked_estimate(before: str, after: str, counts: np.ndarray, place: int, alpha: float) -> str:
    r"""Return LaTeX of one probability as its count divided by its row's, alpha added to each.

    >>> worked_estimate("N", "V", np.array([1, 3]), 1, 0)
    'p(\\text{V} \\mid \\text{N}) = \\frac{3}{4} = 0.75'
    """
    total, n = int(counts.sum()), len(counts)
    value = number((counts[place] + alpha) / (total + alpha * n))
    added = (f" + {alpha:g}", rf" + {n} \cdot {alpha:g}") if alpha else ("", "")
    fraction = rf"\frac{{{int(counts[place])}{added[0]}}}{{{total}{added[1]}}}"
    return rf"p({word(after)} \mid {word(before)}) = {fraction} = {value}"


def worked_share(confusion: np.ndarray, states: Sequence[str], true: int, given: int) -> str:
    """Return LaTeX of one cell of a confusion matrix as a share of its row."""
    count, total = int(confusion[true, given]), int(confusion[true].sum())
    names = rf"{word(states[true])} \to {word(states[given])}"
    return rf"{names}: \frac{{{count:,}}}{{{total:,}}} = {number(count / total)}".replace(",", "{,}")
