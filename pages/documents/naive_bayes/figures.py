"""What naive Bayes draws in its story: votes of words, their sum step by step, shares and counts, all as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.models.documents.naive_bayes import NaiveBayesReading
from core.words.numbers import percent, signed
from pages.documents.naive_bayes import LESSON

WORDS = LESSON.words
SPAM, HAM = "vermillion", "blue"
LETTERS = 16  # of a word before its bar


@dataclass(frozen=True)
class Bar:
    """One row of a panel: where its bar starts and ends, and what stands at it."""

    key: str
    name: str
    start: float
    end: float
    text: str
    hue: str = SPAM
    kind: str = "plain"


def draw_panels(*panels: tuple[str, float, float, Sequence[Bar]], sum_: str = "") -> dict:
    """Return the view "layer_bars": for each panel its title, the ends of its scale, its bars."""
    return join_panels(
        *(
            make_panel(
                title,
                float(most),
                [
                    make_row(
                        each.name,
                        f"row.{each.key}",
                        float(each.end),
                        each.text,
                        start=float(each.start),
                        kind=each.kind,
                        hue=each.hue,
                    )
                    for each in bars
                ],
                least=float(least),
            )
            for title, least, most, bars in panels
        ),
        sum_=sum_,
    )


def votes_of(reading: NaiveBayesReading) -> list[float]:
    """Return ln p(w | spam) - ln p(w | ham) of each word: above 0 it speaks for spam."""
    return (reading.log_likelihoods[:, 1] - reading.log_likelihoods[:, 0]).tolist()


def hue_of(value: float) -> str:
    """Return the colour of the class that a difference of logarithms speaks for."""
    return SPAM if value > 0 else HAM


def draw_votes(reading: NaiveBayesReading, reach: float, told: bool = True) -> dict:
    """Return each word's vote as a bar from 0; not `told`, the words stand without their bars."""
    bars = [
        Bar(
            f"{i}",
            token[:LETTERS],
            0,
            vote if told else 0,
            signed(vote, 2, "+") if told else "?",
            hue_of(vote) if told else HAM,
        )
        for i, (token, vote) in enumerate(zip(reading.tokens, votes_of(reading), strict=True))
    ]
    return draw_panels((WORDS.label("title.votes"), -reach, reach, bars))


def draw_sum(reading: NaiveBayesReading, reach: float) -> dict:
    """Return the prior and each word's vote as bars that begin where the one before ended, and their sum."""
    at = float(reading.log_prior[1] - reading.log_prior[0])
    bars = [Bar("prior", WORDS.label("row.prior"), 0, at, signed(at, 2, "+"), hue_of(at))]
    for i, (token, vote) in enumerate(zip(reading.tokens, votes_of(reading), strict=True)):
        bars.append(Bar(f"{i}", token[:LETTERS], at, at + vote, signed(vote, 2, "+"), hue_of(vote)))
        at += vote
    p = float(reading.posteriors[-1, 1])
    bars.append(Bar("sum", WORDS.label("row.sum"), 0, at, signed(at, 2, "+"), hue_of(at), "total"))
    lows = [min(each.start, each.end) for each in bars]
    highs = [max(each.start, each.end) for each in bars]
    title = WORDS.label("title.sum")
    ends = (min(-reach, *lows), max(reach, *highs))
    return draw_panels((title, *ends, bars), sum_=WORDS.label("sum.posterior", sum=at, p=percent(p)))
