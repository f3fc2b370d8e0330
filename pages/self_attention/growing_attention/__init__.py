"""Self-attention, step by step: a story of one token's weights, and a lab for any sentence and any head."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.causal_mask import matrix_figure
from core.figures.self_attention.heads import names_of
from core.lesson.lesson import Lesson
from core.models.self_attention.attentive_models import BOTH, attentive_model
from core.models.self_attention.growing_attention import grow

LESSON = Lesson(__name__, icon="combine")
EXAMPLES = ("The king saw the queen.", "the king saw the queen")


def picture() -> Figure:
    """A trained head's weights on five words, from its queries and keys."""
    model = attentive_model(BOTH)
    read = model.read(EXAMPLES[1])
    weights = grow(model.network, read.ids, layer=0, head=0).steps[-1].trace.weights
    return small(matrix_figure(weights.double().numpy(), names_of(read.tokens)))
