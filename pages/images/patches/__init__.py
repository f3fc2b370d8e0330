"""Vision transformer: a story of an image cut into patches, and a lab that reads your own picture."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.images.patches import positions_figure
from core.lesson.lesson import Lesson
from core.models.images.held_out_pictures import SHAPES
from core.models.images.learned_positions import position_similarity
from core.models.images.vision_transformer import stored_vision

LESSON = Lesson(__name__, icon="layout-grid")


def picture() -> Figure:
    """The similarity of the learned positions of the model of shapes."""
    return small(positions_figure(position_similarity(stored_vision(SHAPES).network).numpy()))
