"""Edited attention: a story of two heads whose weights are set by hand, and a lab for any edit on any sentence."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.head_effects import before_after, select_compared_tokens
from core.lesson.lesson import Lesson
from core.models.self_attention.attention_edits import Edit, effect
from core.models.self_attention.attentive_models import BACK, attentive_model

LESSON = Lesson(__name__, icon="sliders-horizontal")
SENTENCE = "And it came about that when the people of Israel went out of the land of"  # the lab's
EXAMPLES = ("The people of Israel went out of the land of", SENTENCE)


def picture() -> Figure:
    """The next token's likeliest answers, before and after a head may look at the first token only."""
    model = attentive_model(BACK[0])
    ids = model.read(EXAMPLES[0]).ids
    query = len(ids) - 1
    found = effect(model, ids, query, [Edit(layer, 0, query, 0, 1.0) for layer in range(4)])
    top = select_compared_tokens(found.before, found.after, most=6)
    return small(before_after(found.before[top], found.after[top], [model.vocabulary[i] for i in top], "p"))
