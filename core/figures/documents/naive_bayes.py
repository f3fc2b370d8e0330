"""Naive Bayes word by word: bars of each word's logarithms, their sums, the posterior, and the formulas filled in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np

from core.figures.blank import blank
from core.figures.documents import WORDS
from core.figures.figure import Figure, scatter
from core.figures.frame import bars, frame
from core.figures.palette import BLUE
from core.figures.worked import number, word
from core.models.documents.naive_bayes import NaiveBayes, NaiveBayesReading
from core.words.numbers import percent, signed

MINUS_INFINITY = "−∞"
BEYOND = 1.2  # times the longest bar: how long the bar of ln 0 is drawn


def say(what: str, **values: object) -> str:
    """Return one of the words of this file's figures."""
    return WORDS.label(f"naive_bayes.{what}", **values)


def logarithm(value: float, digits: int = 2) -> str:
    """Return a logarithm as plain text.

    >>> logarithm(-1.234), logarithm(-np.inf)
    ('−1.23', '−∞')
    """
    return MINUS_INFINITY if value == -np.inf else signed(value, digits)


def posterior_figure(reading: NaiveBayesReading, name: str, place: int) -> Figure:
    """Return the posterior of the class at a place after the prior and after each word."""
    figure = blank(300, "", f"p({name})")
    rows = np.arange(len(reading.tokens) + 1)
    figure.add_trace(
        scatter(
            x=rows,
            y=reading.posteriors[:, place],
            mode="lines+markers",
            line={"color": BLUE, "width": 3},
            marker={"size": 9},
            showlegend=False,
        )
    )
    names = ["", *(escape(token[:10], quote=False) for token in reading.tokens)]
    figure.update_xaxes(tickvals=rows.tolist(), ticktext=names, showgrid=False)
    return figure.update_yaxes(range=[-0.05, 1.05], tickvals=[0, 0.5, 1])


def reading_frames(
    model: NaiveBayes, reading: NaiveBayesReading, classes: Sequence[str], shown: Sequence[int]
) -> list[dict]:
    """Return a frame for the prior, one for each word, one for the posterior; of the classes those `shown` as columns.

    The first of `shown` is the class whose posterior the last column holds.
    """
    sums, posteriors, names = reading.sums, reading.posteriors, [say("prior"), *reading.tokens]
    every = bars(names, _columns(reading, sums, posteriors, classes, shown), -1)
    every["together"] = len(shown)  # the classes' bars have one scale
    every["columns"] = [
        *(
            {**column, "told": _tell_apart(reading, sums, classes, c)}
            for column, c in zip(every["columns"], shown, strict=False)
        ),
        {**every["columns"][-1], "runs": True},
    ]
    frames = []
    for place, name in enumerate(names):
        said = (
            said_of_word(model, reading, classes, shown, place - 1)
            if place
            else said_of_prior(model, classes)
        )
        formulas = [write_class_sum(model, reading, sums, classes, c, place) for c in shown[:2]]
        frames.append(frame(f"“{name}”" if place else name, _up_to(every, place), said, said, (), formulas))
    said, formula = (
        said_of_posterior(sums[-1], posteriors[-1], classes),
        worked_posterior(sums[-1], classes, shown),
    )
    return [*frames, frame(say("posterior"), every, said, said, _left_out(reading), [formula])]


def _up_to(picture: dict, place: int) -> dict:
    """Return bars up to a row, which is marked."""
    columns = [
        {**_first_rows(column, place + 1), "values": column["values"][: place + 1]}
        | ({"told": [_first_rows(each, place + 1) for each in column["told"]]} if "told" in column else {})
        for column in picture["columns"]
    ]
    return {**picture, "rows": picture["rows"][: place + 1], "columns": columns, "marked": place}


def _first_rows(column: dict, count: int) -> dict:
    return {**column, "texts": column["texts"][:count]}


def _tell_apart(reading: NaiveBayesReading, sums: np.ndarray, classes: Sequence[str], c: int) -> list[dict]:
    """Return the two numbers of a class's texts as columns: each word's logarithm, and the sum up to it."""
    terms = [
        "",
        *map(logarithm, reading.log_likelihoods[:, c]),
    ]  # the prior is no word: the sum begins with it
    columns = (("term", terms, False), ("sum", list(map(logarithm, sums[:, c])), True))
    return [
        {"title": say(key, name=classes[c]), "texts": texts, "runs": runs} for key, texts, runs in columns
    ]


def _columns(
    reading: NaiveBayesReading,
    sums: np.ndarray,
    posteriors: np.ndarray,
    classes: Sequence[str],
    shown: Sequence[int],
) -> list[tuple]:
    """Return for each shown class its terms with the sum so far, and the first one's posterior."""
    terms = np.vstack([reading.log_prior, reading.log_likelihoods])
    finite = terms[:, shown][np.isfinite(terms[:, shown])]
    longest = BEYOND * float(finite.min(initial=-1.0))
    columns = []
    for c in shown:
        texts = [
            f"{logarithm(term)} → {logarithm(total)}" if i else logarithm(term)
            for i, (term, total) in enumerate(zip(terms[:, c], sums[:, c], strict=True))
        ]
        columns.append((say("terms", name=classes[c]), np.maximum(terms[:, c], longest).round(4), texts))
    chances = posteriors[:, shown[0]]
    texts = [say("no_class") if math.isnan(p) else percent(p) for p in chances]
    return [*columns, (say("so_far", name=classes[shown[0]]), np.nan_to_num(chances).round(4), texts)]


def _left_out(reading: NaiveBayesReading) -> list[str]:
    if not reading.unknown:
        return []
    return [say("left_out", words=[f"“{token[:30]}”" for token in reading.unknown[:8]])]


def said_of_prior(model: NaiveBayes, classes: Sequence[str]) -> str:
    """Return the sentence on what is known before any word is read."""
    N, most = int(model.documents_.sum()), int(model.documents_.argmax())
    ln_p = logarithm(model.log_prior_[most])
    return say("said_prior", n=int(model.documents_[most]), N=N, name=classes[most], ln_p=ln_p)


def said_of_word(
    model: NaiveBayes, reading: NaiveBayesReading, classes: Sequence[str], shown: Sequence[int], place: int
) -> str:
    """Return the sentence on one word: in which of two classes it is more likely, and by what factor."""
    token, logs = reading.tokens[place], reading.log_likelihoods[place]
    one, other = sorted(shown[:2], key=lambda c: -logs[c])
    if logs[one] == -np.inf:
        return say("neither", token=token)
    if logs[other] == -np.inf:
        return say("never", token=token, other=classes[other])
    factor = math.exp(logs[one] - logs[other])
    if factor < 1.005:
        return say("same", token=token)
    return say("factor", token=token, factor=factor, one=classes[one], other=classes[other])


def said_of_posterior(sums: np.ndarray, posterior: np.ndarray, classes: Sequence[str]) -> str:
    """Return the sentence on the decision."""
    if np.isnan(posterior).any():
        return say("said_none")
    best = int(posterior.argmax())
    return say("said_posterior", name=classes[best], sum=logarithm(sums[best]), p=float(posterior[best]))


def write_class_sum(
    model: NaiveBayes,
    reading: NaiveBayesReading,
    sums: np.ndarray,
    classes: Sequence[str],
    c: int,
    place: int,
) -> str:
    """Return LaTeX of one class's sum after the prior (place 0) or after a word."""
    total = latex_log(sums[place, c])
    if place == 0:
        return worked_prior(model, classes, c)
    before, term = sums[place - 1, c], worked_likelihood(model, reading, classes, c, place - 1)
    return rf"{latex_log(before)} + {term} \;\to\; {total}"


def worked_prior(model: NaiveBayes, classes: Sequence[str], c: int) -> str:
    r"""Return LaTeX of a class's prior.

    >>> from scipy.sparse import csr_matrix
    >>> model = NaiveBayes(1.0).fit(csr_matrix([[2.0, 1.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0, 1, 0]))
    >>> worked_prior(model, ["x", "y"], 0)
    '\\ln p(\\text{x}) = \\ln \\frac{2}{3} = -0.4055'
    """
    n, N = int(model.documents_[c]), int(model.documents_.sum())
    return rf"\ln p({word(classes[c])}) = \ln \frac{{{n}}}{{{N}}} = {latex_log(model.log_prior_[c])}"


def worked_likelihood(
    model: NaiveBayes, reading: NaiveBayesReading, classes: Sequence[str], c: int, place: int
) -> str:
    """Return LaTeX of ln p(word | class) with its counts."""
    column, V = int(reading.columns[place]), model.counts_.shape[1]
    n, total, a = int(model.counts_[c, column]), int(model.counts_[c].sum()), number(model.alpha)
    return (
        rf"\ln p({word(reading.tokens[place][:30])} | {word(classes[c])}) = \ln \frac{{{n} + {a}}}"
        rf"{{{total} + {a} \cdot {V}}} = {latex_log(reading.log_likelihoods[place, c])}"
    )


def worked_posterior(sums: np.ndarray, classes: Sequence[str], shown: Sequence[int]) -> str:
    """Return LaTeX of the first shown class's posterior from all classes' sums."""
    first, total = shown[0], sums.max()
    if total == -np.inf:
        return r"\frac{e^{-\infty}}{\sum_c e^{-\infty}} = \frac{0}{0}"
    below = " + ".join(rf"e^{{{latex_log(sums[c])}}}" for c in list(shown)[:4])
    below += r" + \dots" if len(classes) > len(list(shown)[:4]) else ""
    p = math.exp(sums[first] - total - math.log(np.exp(sums - total).sum()))
    above = rf"e^{{{latex_log(sums[first])}}}"
    return rf"p({word(classes[first])} | {word(say('document'))}) = \frac{{{above}}}{{{below}}} = {number(p)}"


def latex_log(value: float) -> str:
    """Return a logarithm as LaTeX."""
    return r"-\infty" if value == -np.inf else number(float(value))
