"""Comparing two embeddings: a story of one word's neighbours in two sets, and a lab for any word and any two sets."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.vector_duel import neighbour_bars
from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.lesson import Lesson
from core.models.word_vectors.vector_agreement import agreement, shared_words

LESSON = Lesson(__name__, icon="blend")


def picture() -> Figure:
    """The neighbours of king in GloVe; filled are those that our own vectors share."""
    found = agreement(*shared_words(shared_vectors("glove"), shared_vectors("skipgram")), "king", 6)
    figure = small(neighbour_bars(found.first, set(found.shared), "first"))
    return figure.update_yaxes(showticklabels=True)
