"""The logit lens: a story of one token read after every layer of a GPT, and a lab."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="scan-search")
SENTENCE, GOLD = "Let him be put to", "He gave them silver and gold"
FULL = "Let him be put to death"  # of the lab
CARD = "them silver and"
EXAMPLES = (SENTENCE, GOLD, FULL, "Thou shalt not", CARD)


def picture() -> Figure:
    """What the lens predicts after each layer at four tokens."""
    from core.figures.self_attention.heads import names_of
    from core.lesson.choices.transformer_choice import vocabulary_named
    from core.models.self_attention.attentive_models import BACK, attentive_model
    from core.models.transformers.logit_lens import logit_lens
    from pages.transformers.logit_lens.figures import grid_figure

    model = attentive_model(BACK[0])
    read = model.read(CARD)
    found = logit_lens(model.network, read.ids)
    return small(grid_figure(found, names_of(read.tokens), vocabulary_named(model.name), 190))
