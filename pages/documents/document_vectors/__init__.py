"""Document vectors: a story of a search in Shakespeare's scenes, and a lab on labelled documents."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.lesson import Lesson
from core.models.documents.document_space import count_documents, document_space

LESSON = Lesson(__name__, icon="magnet")


def picture() -> Figure:
    """Some reviews' map by the mean of word vectors."""
    from pages.documents.document_vectors.figures import map_picture
    from pages.documents.shared.labelled_source import sample_reviews

    documents = sample_reviews()
    counted = count_documents(documents.texts, documents.labels, most=250)
    space = document_space(counted, shared_vectors("skipgram"))
    return small(map_picture(counted.labels, space.projection))
