"""Word embeddings: a story of thirty words on a map, and a lab for any words and any set of vectors."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.word_map import word_map
from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.lesson import Lesson
from core.models.word_vectors.projection import project

LESSON = Lesson(__name__, icon="map")
EXAMPLES = ("king queen man woman paris france rome italy cat dog",)


def picture() -> Figure:
    """Ten words of GloVe on their first two principal components."""
    vectors = shared_vectors("glove").subset(EXAMPLES[0].split())
    return small(word_map(vectors.words, project(vectors.vectors)))
