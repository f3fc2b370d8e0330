"""Residual connections, layer norm: a story of one stream and what is added to it, and a lab with six small GPTs."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="waves")
SENTENCE = "ROMEO:\nI will not go to the kin"
EXAMPLES = (SENTENCE, "Good morrow, my lor")


def picture() -> Figure:
    """The small GPT's stream, token by token, and what each sublayer adds to it."""
    from core.models.transformers.ablated_gpt import WHOLE
    from core.models.transformers.ablated_gpts import stored_ablated_gpt
    from core.models.transformers.residual_stream import read_stream
    from pages.transformers.residual_norm.figures import length_figure

    model = stored_ablated_gpt(WHOLE)
    read = model.read(SENTENCE)
    return small(length_figure(read_stream(model.network, read.ids), len(read.ids) - 1, read.tokens))
