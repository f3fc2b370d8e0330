"""Sentence probability: a story of two sentences that sound the same, and a lab on the learner's text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney

LESSON = Lesson(__name__, icon="percent")
EXAMPLES = ("the king sees the old dog",)


def picture() -> Figure:
    """The surprisal of each word of a sentence, from bigrams."""
    from pages.n_grams.ngram_probability.figures import bits_figure

    counted = few_sentences()
    tokens = counted.encode(EXAMPLES[0])
    ln_p = kneser_ney(counted.counts, 2, 0.75).token_log_probabilities(tokens)
    return small(bits_figure([([counted.name(token) for token in tokens], ln_p)]))
