"""Generating text with n-grams: a story of a text that the counts of Hamlet write, and a lab on the learner's text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.written_text import writing

LESSON = Lesson(__name__, icon="dices")


def picture() -> Figure:
    """What may follow "the king", and where a random number fell."""
    from pages.n_grams.ngram_generation.figures import draw_figure

    counted = few_sentences()
    prompt = counted.encode("the king", end=False)
    step = next(writing(kneser_ney(counted.counts, 3, 0.75), prompt, 1, seed=1))
    return small(draw_figure(step, [counted.name(token) for token in step.likeliest[:6]]))
