"""CLIP: a story of images and captions that become vectors of one space, and a lab that searches with your own words."""

from core.figures.figure import Figure
from core.figures.images.one_space import cosine_figure
from core.lesson.lesson import Lesson
from core.models.images.one_space import stored_space
from core.models.images.retrieval import products_of

LESSON = Lesson(__name__, icon="images")


def picture() -> Figure:
    """The cosines of eight scenes with their captions."""
    from pages.images.one_space.page import scenes_of

    return cosine_figure(products_of(stored_space(), scenes_of(1)[:8]).numpy())
