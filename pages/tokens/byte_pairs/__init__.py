"""Byte-pair encoding: a story of merges in Hamlet and in GPT-2, and a lab on the learner's text."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.tokens.byte_pairs import PIECES, learn_merges
from core.models.tokens.merge_steps import tokens_by_merges
from core.text.samples.shelf import sample

LESSON = Lesson(__name__, icon="puzzle")


def picture() -> Figure:
    """The tokens of a short text by the vocabulary's size."""
    from pages.tokens.byte_pairs.figures import tokens_figure

    text = sample("the-lighthouse").read().text
    N = tokens_by_merges(learn_merges(text, 1000), text)
    return card(tokens_figure({"own": N}, len(PIECES.findall(text))))
