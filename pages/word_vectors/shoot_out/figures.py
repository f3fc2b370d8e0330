"""Pictures of the five methods: lists of nearest words, bars of scores, ratings against cosines, tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, FigurePart, scatter, subplots
from core.figures.layer_bars import make_panel, make_row
from core.figures.palette import BLUE, GREY, HUES
from core.figures.worked import number, write_cosine
from core.models.word_vectors.shoot_out import COUNTING, METHODS
from core.models.word_vectors.shoot_out_board import FEW, MEASURES, Score, named_by
from core.models.word_vectors.vector_tests import spearman_interval
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shoot_out import LESSON

WORDS = LESSON.words
ALL, SOME, ALONE = 2, 1, 0  # how full a word's card is: named by all methods, by some, by one
COUNTS_HUE, WINDOW_HUE = "ochre", "blue"
NO_MORE = "<extra></extra>"  # of a point that is pointed at: no name of its trace
OPEN = "?"  # a score that is still to be guessed
COLUMNS = {  # of the table of every number
    "examples": lambda each: each.examples,
    "parameters": lambda each: each.parameters,
    "seconds": lambda each: each.seconds,
    "spearman": lambda each: each.similarity.spearman if rated(each) else np.nan,
    "low": lambda each: each.interval[0] if rated(each) else np.nan,
    "high": lambda each: each.interval[1] if rated(each) else np.nan,
    "pairs": lambda each: each.similarity.pairs,
    "analogies": lambda each: each.solved if each.asked else np.nan,
    "solved": lambda each: each.right,
    "asked": lambda each: each.asked,
}
RATED = ("word", "other", "rating", "rating_rank", "cosine", "cosine_rank")


def rated(score: Score) -> bool:
    """Return whether enough rated pairs are known for a rank correlation."""
    return score.similarity.pairs >= FEW


def key_of(method: str) -> str:
    """Return a method's id, as words.md and the marks of a picture have it.

    >>> key_of("PPMI-SVD"), key_of("skip-gram"), key_of("fastText")
    ('ppmi_svd', 'skip_gram', 'fasttext')
    """
    return method.lower().replace("-", "_")


def hue_of(method: str) -> str:
    """Return the hue of a method's family: those that count, or those with a window."""
    return COUNTS_HUE if method in COUNTING else WINDOW_HUE


def note_of(method: str) -> str:
    """Return how a method learns, in a few words."""
    return WORDS.label(f"note.{key_of(method)}")


# The story.


def draw_board(
    near: Mapping[str, Sequence[str]], asked: str, lit: Iterable[str] = (), counted: bool = False
) -> dict:
    """Return the data of the view "word_board": each method's nearest words, the fuller the more methods name them.

    Endings `lit` stand out in a word. `counted` writes at each word how many methods name it.
    """
    n, counts = len(near), named_by(near)
    rows = [
        {
            "key": key_of(method),
            "name": method,
            "note": note_of(method),
            "words": [
                {
                    "text": word,
                    "lit": lit_letters(word, lit),
                    "level": level_of(counts[word], n),
                    "note": WORDS.label("card.note", count=counts[word], n=n) if counted else "",
                }
                for word in words
            ],
        }
        for method, words in near.items()
    ]
    drawn = {level_of(count, n) for count in counts.values()}
    key = [
        {"level": each, "text": WORDS.label(f"level.{each}", n=n)}
        for each in (ALL, SOME, ALONE)
        if each in drawn
    ]
    return {"asked": asked, "rows": rows, "key": key}


def level_of(count: int, n: int) -> int:
    """Return how full the card of a word is that `count` of n methods name.

    >>> level_of(5, 5), level_of(2, 5), level_of(1, 5), level_of(1, 1)
    (2, 1, 0, 0)
    """
    return ALONE if count == 1 else ALL if count == n else SOME


def lit_letters(word: str, endings: Iterable[str]) -> list[int]:
    """Return which letters of a word are one of some endings: from, and up to; equal for none.

    >>> lit_letters("morning", ["ing"]), lit_letters("queen", ["ing"])
    ([4, 7], [0, 0])
    """
    for ending in endings:
        if word.endswith(ending):
            return [len(word) - len(ending), len(word)]
    return [0, 0]


def method_panel(
    name: str,
    values: Mapping[str, float],
    texts: Mapping[str, str],
    most: float,
    best: Iterable[str] = (),
    hidden: Iterable[str] = (),
    noted: bool = False,
    **named: object,
) -> dict:
    """Return a panel of bars, a row for each method; values that are `hidden` are not sent. Its title is `named`."""
    rows = []
    for method, value in values.items():
        kind = "open" if method in hidden else "best" if method in best else "plain"
        to, text = (most, OPEN) if method in hidden else (value, texts[method])
        rows.append(
            make_row(
                method,
                f"row.{key_of(method)}",
                to,
                text,
                note=note_of(method) if noted else "",
                kind=kind,
                hue=hue_of(method),
            )
        )
    return make_panel(WORDS.label(f"panel.{name}", **named), most, rows)


def draw_rated(
    pairs: Sequence[tuple[str, str, float]],
    cosines: Sequence[float],
    named: Sequence[str],
    hue: str,
    said: str,
) -> Figure:
    """Return a point for each rated pair: people's rating, and the rank of its cosine; some pairs have their words.

    `said` stands in the corner at the top left.
    """
    n = len(pairs)
    ranks = rankdata(cosines) / n
    figure = blank(420, WORDS.label("axis.rating"), WORDS.label("axis.rank"))
    some = [i for i, (one, other, _) in enumerate(pairs) if f"{one} {other}" in named]
    rest = [i for i in range(n) if i not in some]
    for places, size, opacity, text in ((rest, 8, 0.45, False), (some, 14, 1.0, True)):
        figure.add_trace(
            scatter(
                x=[pairs[i][2] for i in places],
                y=[float(ranks[i]) for i in places],
                mode="markers+text" if text else "markers",
                text=[f"<b>{pairs[i][0]} · {pairs[i][1]}</b>" for i in places],
                textposition=["middle right" if pairs[i][2] < 6.5 else "middle left" for i in places],
                textfont={"size": FONT_SIZE},
                marker={"color": HUES[hue], "size": size, "opacity": opacity},
                customdata=[f"{pairs[i][0]}, {pairs[i][1]}" for i in places],
                hovertemplate="%{customdata}: %{x:.1f}" + NO_MORE,
                cliponaxis=False,
                showlegend=False,
            )
        )
    corner = {"x": 0, "y": 1.06, "xanchor": "left", "yanchor": "middle", "showarrow": False}
    figure.add_annotation(**corner, text=f"<b>{said}</b>", font={"size": FONT_SIZE})
    figure.update_xaxes(range=[-0.3, 10.3], dtick=2, zeroline=False)
    return figure.update_yaxes(range=[-0.03, 1.09], tickformat=".0%", dtick=0.25, zeroline=False)


# The lab.


def scores_figure(scores: Sequence[Score], beside: Sequence[Score] = (), height: int = 370) -> Figure:
    """Return a row a method, and two panels: of rank correlation, analogies and seconds the first two that are known.

    `beside` are the scores before something was taken away, in grey.
    """
    shown = [name for name, (_, known) in MEASURES.items() if all(map(known, (*scores, *beside)))][:2]
    titles = tuple(WORDS.label(f"title.{name}") for name in shown)
    figure = subplots(1, len(shown), titles, horizontal_spacing=0.1, shared_yaxes=True)
    figure.update_layout(blank(height).layout, margin={"t": 30}, showlegend=False)
    for some, colour, size in ((beside, GREY, 10), (scores, BLUE, 13)):
        for column, name in enumerate(shown if some else (), 1):
            figure.add_trace(dots(some, name, colour, size), 1, column)
    for column, name in enumerate(shown, 1):
        form = ".0%" if name == "analogies" else ""
        figure.update_xaxes(
            1, column, nticks=4, rangemode="tozero", tickformat=form, tickfont={"size": FONT_SIZE}
        )
    return figure.update_annotations(font_size=FONT_SIZE).update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=list(METHODS),
        range=[len(METHODS) - 0.5, -0.5],
        tickfont={"size": FONT_SIZE},
    )


def dots(scores: Sequence[Score], name: str, colour: str, size: int) -> FigurePart:
    """Return a dot a method for one of MEASURES, with its interval where it is a rank correlation."""
    told = {
        "analogies": [f"{each.right:,} / {each.asked:,}" for each in scores],
        "seconds": [f"{each.seconds:.1f} s" for each in scores],
    }
    x, reach = [abs(MEASURES[name][0](each)) for each in scores], None
    if name == "similarity":
        x, ends = [each.similarity.spearman for each in scores], [each.interval for each in scores]
        told[name] = [f"{rho:.3f} ({low:.2f}–{high:.2f})" for rho, (low, high) in zip(x, ends, strict=True)]
        reach = {
            "type": "data",
            "symmetric": False,
            "color": colour,
            "array": [high - rho for rho, (_, high) in zip(x, ends, strict=True)],
            "arrayminus": [rho - low for rho, (low, _) in zip(x, ends, strict=True)],
        }
    return scatter(
        x=x,
        y=[each.method for each in scores],
        mode="markers",
        marker={"color": colour, "size": size},
        error_x=reach,
        cliponaxis=False,
        customdata=told[name],
        hovertemplate="%{y}: %{customdata}" + NO_MORE,
    )


def methods_table(scores: Sequence[Score]) -> pd.DataFrame:
    """Return the scores in numbers, a row a method; its columns are ids."""
    rows = [
        {"method": each.method, "learns": WORDS.label(f"learns.{key_of(each.method)}")}
        | {name: value(each) for name, value in COLUMNS.items()}
        for each in scores
    ]
    return pd.DataFrame(rows)


def label_columns(table: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a table with its columns' labels, and the id of each label."""
    labels = {name: WORDS.label(f"column.{name}") for name in table.columns}
    return table.rename(columns=labels), {label: name for name, label in labels.items()}


def worked_method(each: Score, column: str) -> str | None:
    r"""Return the formula of a cell of `methods_table`; None for what was counted or timed.

    >>> from core.models.word_vectors.vector_tests import SimilarityScore
    >>> worked_method(Score("GloVe", SimilarityScore(0.6, 100, 0), 3, 4, 1.0, 1, 1), "low")
    '\\tanh\\left(\\operatorname{artanh} 0.6 - 1.96 \\sqrt{\\frac{1 + 0.6^2 / 2}{100 - 3}}\\right) = 0.4438'
    >>> worked_method(Score("GloVe", SimilarityScore(0.6, 100, 0), 3, 4, 1.0, 1, 1), "analogies")
    '\\frac{3}{4} = 0.75'
    """
    if column == "analogies" and each.asked:
        return rf"\frac{{{each.right}}}{{{each.asked}}} = {number(each.solved)}"
    rho, n = each.similarity.spearman, each.similarity.pairs
    if column in ("low", "high") and n >= FEW:
        end = spearman_interval(rho, n)[column == "high"]
        return (
            rf"\tanh\left(\operatorname{{artanh}} {number(rho)} {'+' if column == 'high' else '-'} 1.96 "
            rf"\sqrt{{\frac{{1 + {number(rho)}^2 / 2}}{{{n} - 3}}}}\right) = {number(end)}"
        )
    return None


def rated_table(vectors: WordVectors, pairs: Sequence[tuple[str, str, float]]) -> tuple:
    """Return the rated pairs whose words are known with both their ranks, and the formula of each cosine.

    Spearman's correlation is the ordinary one of the two columns of ranks, in which equal values share their mean rank.
    """
    known = [pair for pair in pairs if pair[0] in vectors and pair[1] in vectors]
    cosines = [vectors.similarity(one, other) for one, other, _ in known]
    table = pd.DataFrame(known, columns=RATED[:3])
    table["rating_rank"] = rankdata(table["rating"]) if known else []
    table["cosine"] = cosines
    table["cosine_rank"] = rankdata(cosines) if known else []
    named, ids = label_columns(table)

    def formula(row: int, label: str) -> str | None:
        one, other, _ = known[row]
        return write_cosine(vectors[one], vectors[other], one, other) if ids[label] == "cosine" else None

    return named, formula
