"""The feed-forward layer: a story of one neuron, of what fires it and what it promotes, and a lab on any neuron."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.heads import names_of
from core.lesson.lesson import Lesson
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.models.transformers.key_value_neurons import firing

LESSON = Lesson(__name__, icon="zap")
LAYER, NEURON = 3, 304  # of the story and of the lab as it opens, counted from 1
SENTENCE = "To be, or not to"
CARD = "If you go to the king he will have to give you what you must have"
EXAMPLES = (SENTENCE, CARD)


def picture() -> Figure:
    """A sentence, each token as blue as it makes a neuron fire."""
    from pages.transformers.feed_forward.figures import fired_text

    model = attentive_model(BACK[0])
    read = model.read(CARD)
    activations = firing(model.network, read.ids, LAYER - 1).activations[:, NEURON - 1].numpy()
    return small(fired_text(activations, names_of(read.tokens), len(read.ids) - 1))
