"""Word analogies: a story of king − man + woman, and a lab for any sum of words."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.choices.vector_sets import shared_units
from core.lesson.lesson import Lesson
from core.models.word_vectors.projection import project
from core.models.word_vectors.word_arithmetic import arithmetic

LESSON = Lesson(__name__, icon="plus")
EXAMPLES = (
    "king - man + woman",
    "paris - france + italy",
    "2 king - queen",
    "queen - king + man - woman",  # from the sum of the first to queen
)


def picture() -> Figure:
    """King - man + woman in GloVe, as arrows."""
    from pages.word_vectors.word_arithmetic.figures import arithmetic_map  # which needs the lesson's words

    vectors = shared_units("glove")
    sum_ = arithmetic(vectors, EXAMPLES[0], k=2)
    near = vectors.subset(["king", "man", "woman", *(answer.word for answer in sum_.answers)])
    return small(arithmetic_map(near, sum_, project(near.vectors)))
