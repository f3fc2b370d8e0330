"""Inside a transformer block: a story of one token on its way to the next one, and a lab that opens any number of it."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.models.transformers.opened_gpt import open_gpt

LESSON = Lesson(__name__, icon="blocks")
SENTENCE = "The people of Israel went out of the land of"
EXAMPLES = (SENTENCE,)


def picture() -> Figure:
    """How long the vectors are that each part of the GPT of byte pairs adds to the stream, token by token."""
    from pages.transformers.transformer_block.figures import grid_of_lengths

    model = attentive_model(BACK[0])
    return small(grid_of_lengths(open_gpt(model.network, model.read(SENTENCE).ids).added().numpy()))
