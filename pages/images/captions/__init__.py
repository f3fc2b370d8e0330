"""Image captioning: a story of a sentence written word by word about an image, and a lab that describes your own."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.images.captions import attention_figure
from core.lesson.lesson import Lesson
from core.models.images.held_out_scenes import KINDS, held_out_scene
from core.models.images.stored_captioner import stored_captioner
from core.models.images.written_caption import write_caption

LESSON = Lesson(__name__, icon="captions")


def picture() -> Figure:
    """Where the recurrent decoder attends before the colour of the first group."""
    network = stored_captioner("captions_recurrent").network
    return small(attention_figure(write_caption(network, held_out_scene(KINDS[0], 0)[1]).weights[0, 0, 1]))
