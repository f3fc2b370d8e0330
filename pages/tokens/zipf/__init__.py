"""Zipf's law: a story of how few words make up half of Hamlet, and a lab that ranks the words of any text."""

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.tokens.zipf import rank_figure
from core.lesson.lesson import Lesson
from core.models.tokens.zipf import fit_zipf, rank_words
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words

LESSON = Lesson(__name__, icon="chart-no-axes-column-decreasing")


def picture() -> Figure:
    """The short sample's counts by rank, with the law's line."""
    ranked = rank_words(words(sample("the-lighthouse").read().text))
    figure = rank_figure(ranked, fit_zipf(ranked.counts), 10)
    return card(figure.update_traces(mode="markers", selector={"mode": "markers+text"}))  # words have no room
