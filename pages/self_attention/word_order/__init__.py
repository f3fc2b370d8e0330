"""Attention and word order: a story of two sentences with the same tokens, and a lab for any text and any shuffle."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.word_order import moved_tokens
from core.lesson.lesson import Lesson
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.word_order import shuffle, shuffle_places

LESSON = Lesson(__name__, icon="shuffle")
CARD = ("The dog saw the man.", 1)  # the text of the card, and its shuffle
EXAMPLES = CARD[:1]


def picture() -> Figure:
    """How far each token's output moves when the GPT reads a sentence's words in another order."""
    model = attentive_model("word_gpt")
    read = model.read(CARD[0])
    moved = shuffle(model.network, read.ids, shuffle_places(len(read.ids), CARD[1], len(model.before))).moved
    return small(moved_tokens(moved.numpy(), read.tokens))
