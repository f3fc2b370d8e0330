"""BERT's training: a story of one hidden word and two models, and a lab on any text."""

import numpy as np

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.pretraining.gaps import COLOURS, rewritten_gap_figure
from core.figures.token_label import label_token
from core.lesson.lesson import Lesson
from core.models.pretraining.gaps import from_both_sides
from core.models.self_attention.masked_language_model import stored_masked_model

LESSON = Lesson(__name__, icon="rectangle-ellipsis")


def picture() -> Figure:
    """What the masked model puts into a gap, before and after what follows is another text."""
    from pages.pretraining.masked_words.page import ENDING, SENTENCE

    model = stored_masked_model("word_masked")
    beginning, ids = model.pairs.encode("And David"), model.pairs.encode(SENTENCE)
    other = [*beginning, *model.pairs.encode(ENDING)]
    before, after = (from_both_sides(model, each, [1]).ln_p[0] for each in (ids, other))
    names = [label_token(token) for token in model.vocabulary]
    return small(rewritten_gap_figure(np.exp(before), np.exp(after), names, COLOURS[0]))
