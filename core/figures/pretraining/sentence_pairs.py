"""Pairs of sentences: the three rows that are added, where [CLS] looks, every order of some sentences, what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.palette import BLUE, GREY, OCHRE, SEQUENTIAL, SKY
from core.figures.pretraining import WORDS, heads, name
from core.figures.share_bars import share_bars
from core.figures.worked import number
from core.models.documents.held_out import wilson
from core.models.pretraining.pair_measures import MAJORITY, TEXTS, VECTORS
from core.models.pretraining.pair_training import KINDS
from core.models.pretraining.sentence_pairs import PairTrace, SentencePairs

ROWS = ("x", "position", "segment", "token")  # from below
WRITTEN_UP_TO = 34  # tokens whose numbers have room in a cell
PROBED = (VECTORS[0], VECTORS[2], MAJORITY)
SHOWN_NUMBERS = 3  # of the C in a vector


def input_figure(trace: PairTrace, names: Sequence[str]) -> Figure:
    """Return the three rows that are added and their sum: a column a token, a cell's blue the length of its vector.

    Written in the cells are the lengths of token and sum, the place for the position, A or B for the segment.
    """
    rows = (trace.summed, trace.positions, trace.segments, trace.tokens)
    lengths = np.stack([each.norm(dim=1).numpy() for each in rows])
    T = len(names)
    places = [str(t + 1) for t in range(T)]
    figure = blank(330)
    segments = ["AB"[segment] for segment in trace.pair.segments]
    named = [[f"x{place}" for place in places], places, segments, escaped(names)]
    long = [[f"{value:.1f}" for value in row] for row in lengths]
    written = [long[0], places, segments, long[3]]
    figure.add_trace(
        heatmap(
            z=lengths.round(4).tolist(),
            x=list(range(T)),
            y=list(range(len(ROWS))),
            text=[[each if T <= WRITTEN_UP_TO else "" for each in row] for row in written],
            customdata=named,
            hovertemplate=WORDS.label("sentence_pairs.input.hover") + "<extra></extra>",
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=float(lengths.max()) * 1.25,  # so that the page's own ink is read on every cell
            showscale=False,
            xgap=2,
            ygap=6,
        )
    )
    write_in_cells(figure)
    figure.update_layout(margin={"r": 34})  # the last token's name leans over the edge
    figure.update_xaxes(
        tickvals=list(range(T)),
        ticktext=escaped(names),
        tickangle=0 if T <= 12 else -60,
        side="top",
        range=[-0.5, T - 0.5],  # the numbers' own room at both ends would narrow every cell
        showgrid=False,
    )
    rows = [WORDS.label(f"sentence_pairs.row.{row}") for row in ROWS]
    return figure.update_yaxes(tickvals=list(range(len(rows))), ticktext=rows, showgrid=False, zeroline=False)


def escaped(names: Sequence[str]) -> list[str]:
    """Return tokens so that plotly shows them as they stand.

    >>> escaped(["<b>"])
    ['&lt;b>']
    """
    return [name.replace("<", "&lt;") for name in names]


def input_table(trace: PairTrace, names: Sequence[str]) -> tuple[pd.DataFrame, object]:
    """Return the first numbers of each token's three vectors and of their sum, and the formula of a sum."""
    parts = {"E": trace.tokens, "S": trace.segments, "P": trace.positions, "x": trace.summed}
    position, token = heads("position", "token")
    columns: dict[str, object] = {
        position: range(1, len(names) + 1),
        token: list(names),
        WORDS.label("sentence_pairs.row.segment"): ["AB"[segment] for segment in trace.pair.segments],
    }
    for i in range(SHOWN_NUMBERS):
        columns |= {f"{part}, {i + 1}": each[:, i].numpy() for part, each in parts.items()}

    def formula(row: int, column: str) -> str | None:
        if not column.startswith("x, "):
            return None
        i = int(column[3:]) - 1
        e, s, p, x = (number(float(each[row, i])) for each in parts.values())
        return rf"x = E + S + P = {e} + ({s}) + ({p}) = {x}"

    return pd.DataFrame(columns), formula


def class_figure(trace: PairTrace, names: Sequence[str]) -> Figure:
    """Return where [CLS] looks: a row a head, layer by layer from above, a column a token."""
    weights = trace.from_class  # (L, H, T)
    L, H, T = weights.shape
    figure = blank(380, y=WORDS.label("sentence_pairs.class.axis"))
    labels = [f"{layer + 1}.{head + 1}" for layer in range(L) for head in range(H)]
    figure.add_trace(
        heatmap(
            z=weights.reshape(L * H, T),
            x=list(range(T)),
            y=list(range(L * H)),
            customdata=[escaped(names)] * (L * H),
            hovertemplate=WORDS.label("sentence_pairs.class.hover") + "<extra></extra>",
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    figure.update_xaxes(tickvals=list(range(T)), ticktext=escaped(names), tickangle=-60, showgrid=False)
    return figure.update_yaxes(
        tickvals=list(range(L * H)), ticktext=labels, autorange="reversed", showgrid=False
    )


def class_vector_table(trace: PairTrace, model: SentencePairs) -> tuple[pd.DataFrame, object]:
    """Return the C numbers of the class vector with their weights and products; all products and b make the logit."""
    c, w = trace.c.numpy(), model.network.next_output.weight[0].numpy()
    b = model.network.next_output.bias.item()
    product = WORDS.label("sentence_pairs.product")
    columns = {WORDS.label("sentence_pairs.number"): range(1, len(c) + 1), "c": c, "w": w, product: w * c}

    def formula(row: int, column: str) -> str | None:
        if column != product:
            return None
        return (
            rf"w_{{{row + 1}}} c_{{{row + 1}}} = {number(float(w[row]))} \cdot ({number(float(c[row]))}) = "
            rf"{number(float(w[row] * c[row]))}; \quad w c + b = {number(float(w @ c))} + ({number(b)}) = "
            rf"{number(trace.logit)}; \quad \frac{{1}}{{1 + e^{{-({number(trace.logit)})}}}} = {number(trace.p_next)}"
        )

    return pd.DataFrame(columns), formula


def orders_figure(p: np.ndarray) -> Figure:
    """Return p(is next) of every ordered pair of n sentences; the true next ones are framed."""
    n = len(p)
    numbers = [str(i + 1) for i in range(n)]
    figure = blank(420, WORDS.label("sentence_pairs.then"), WORDS.label("sentence_pairs.first"))
    figure.add_trace(
        heatmap(
            z=[[None if np.isnan(value) else round(float(value), 4) for value in row] for row in p],
            x=list(range(n)),
            y=list(range(n)),
            text=[["" if np.isnan(value) else f"{value:.2f}" for value in row] for row in p],
            hovertemplate=WORDS.label("sentence_pairs.orders.hover") + "<extra></extra>",
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    write_in_cells(figure)
    for i in range(n - 1):
        figure.add_shape(
            type="rect", x0=i + 0.5, x1=i + 1.5, y0=i - 0.5, y1=i + 0.5, line={"color": OCHRE, "width": 3}
        )
    figure.update_xaxes(tickvals=list(range(n)), ticktext=numbers, showgrid=False, zeroline=False)
    return figure.update_yaxes(
        tickvals=list(range(n)), ticktext=numbers, autorange="reversed", showgrid=False, zeroline=False
    )


def orders_table(p: np.ndarray) -> pd.DataFrame:
    """Return the same numbers as a table: a row for “i, then j”."""
    rows = [(i + 1, j + 1, p[i, j], j == i + 1) for i in range(len(p)) for j in range(len(p)) if i != j]
    columns = [WORDS.label(f"sentence_pairs.orders.{key}") for key in ("first", "then", "p", "true")]
    return pd.DataFrame(rows, columns=columns)


Series = tuple[str, Mapping[str, int], int, str]


def called_series(
    held_out: Mapping[str, int],
    by_words: Mapping[str, int],
    n: int,
    own: Mapping[str, int] | None,
    own_n: int,
) -> list[Series]:
    """Return who calls how many of how many pairs next by their kind, and a colour: on held-out pairs, on the learner's."""
    series = [("model", held_out, n, BLUE), ("words", by_words, n, GREY)]
    if own:
        series.append(("own", own, own_n, OCHRE))
    return [
        (WORDS.label(f"sentence_pairs.{who}"), {name(kind): k for kind, k in counts.items()}, of, colour)
        for who, counts, of, colour in series
    ]


def kinds_figure(
    held_out: Mapping[str, int],
    by_words: Mapping[str, int],
    n: int,
    own: Mapping[str, int] | None,
    own_n: int,
) -> Figure:
    """Return the share of pairs of each kind that are called next, with 95% intervals: held-out ones and the learner's."""
    series = called_series(held_out, by_words, n, own, own_n)
    return share_bars(series, WORDS.label("sentence_pairs.called_next"))


def auc_table(quality: Mapping[str, float]) -> pd.DataFrame:
    """Return the AUC of the model and of counted words, by text and kind of pair, with 95% bootstrap intervals."""
    rows = []
    for text in TEXTS:
        for kind in KINDS:
            key = f"{text}, {kind}: AUC"
            ends = (quality[f"{key}, from"], quality[f"{key}, to"])
            rows.append((name(text), name(kind), quality[key], *ends, quality[f"{key} by shared words"]))
    held_out, second, by_words = (
        WORDS.label(f"sentence_pairs.{key}") for key in ("held_out", "second", "by_words")
    )
    return pd.DataFrame(rows, columns=[held_out, second, "AUC", *heads("from", "to"), by_words])


def kinds_table(
    held_out: Mapping[str, int],
    by_words: Mapping[str, int],
    n: int,
    own: Mapping[str, int] | None,
    own_n: int,
) -> pd.DataFrame:
    """Return the counts behind `kinds_figure`, with Wilson's intervals."""
    rows = [
        (who, kind, k, of, k / of, *wilson(k, of))
        for who, counts, of, _ in called_series(held_out, by_words, n, own, own_n)
        for kind, k in counts.items()
    ]
    first = [WORDS.label(f"sentence_pairs.{key}") for key in ("who", "second", "called")]
    return pd.DataFrame(rows, columns=[*first, *heads("of", "share", "from", "to")])


def probes_figure(asked: Sequence[str], quality: Mapping[str, float]) -> Figure:
    """Return how often lines through the vectors are right about what a pair is like, with 95% intervals."""
    n = int(quality["probed pairs"])
    series = [
        (name(read), {name(each): round(quality[f"{each}: {read}"] * n) for each in asked}, n, colour)
        for read, colour in zip(PROBED, (BLUE, SKY, GREY), strict=True)
    ]
    return share_bars(series, WORDS.label("sentence_pairs.right"))


def probes_table(asked: Sequence[str], quality: Mapping[str, float]) -> pd.DataFrame:
    """Return the shares behind `probes_figure`, those of the other vectors too, with Wilson's intervals."""
    n = int(quality["probed pairs"])
    rows = []
    for each in asked:
        for read in (*VECTORS, MAJORITY):
            k = round(quality[f"{each}: {read}"] * n)
            rows.append((name(each), name(read), k, n, k / n, *wilson(k, n)))
    first = [WORDS.label(f"sentence_pairs.{key}") for key in ("asked", "read_off")]
    return pd.DataFrame(rows, columns=[*first, *heads("right", "of", "share", "from", "to")])
