"""The hidden state: a story of one unit that follows the line, and a lab that reads any sentence, unit by unit."""

import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.recurrent_models.broken_memory import bits_when_wiped
from core.models.stored_language_models import encode, stored_language_model

LESSON = Lesson(__name__, icon="brain")
EXAMPLES = ("The king and the queen of France walk in the garden, and all the people follow them.\n",)


def picture() -> Figure:
    """Bits per character when the stored RNN's memory is wiped every so many characters."""
    from pages.recurrent_models.hidden_state.figures import WIPED_EVERY, memory_figure  # it needs LESSON

    model, lengths = stored_language_model("char_rnn"), WIPED_EVERY[:-1]
    ids = torch.tensor((model.start, *encode("char_rnn", EXAMPLES[0]).ids))
    wiped = [bits_when_wiped(model.network, ids, k).mean().item() for k in lengths]
    return small(memory_figure(lengths, wiped, bits_when_wiped(model.network, ids).mean().item()))
