"""Contextual embeddings: a story of one word in ten sentences, and a lab on twelve words and your own sentence."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.pretraining.uses import senses_map
from core.lesson.lesson import Lesson
from core.models.pretraining.uses import on_one_map, use_vectors, uses_of
from core.models.self_attention.attentive_models import BOTH, attentive_model
from core.text.samples.senses import SENSES

LESSON = Lesson(__name__, icon="drama")


def picture() -> Figure:
    """The uses of a word on the map of the last layer."""
    uses = uses_of(next(iter(SENSES)), SENSES)
    _, places = on_one_map(use_vectors(attentive_model(BOTH), uses))
    return small(senses_map(uses, places[-1]))
