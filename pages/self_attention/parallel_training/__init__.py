"""Parallel training of GPTs: a story of one window that is many examples, and a lab for any sentence."""

import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.parallel_training import triangle
from core.figures.token_label import label_token
from core.lesson.lesson import Lesson
from core.models.self_attention.parallel_training import in_one_pass
from core.models.stored_language_models import encode, stored_language_model

LESSON = Lesson(__name__, icon="fast-forward")


def picture() -> Figure:
    """One window of characters as its examples, with the real p of each target."""
    model = stored_language_model("char_gpt")
    ids = torch.tensor([model.start, *encode("char_gpt", "to be").ids])
    tokens = [label_token(model.vocabulary[i]) for i in ids]
    return small(triangle(tokens, in_one_pass(model.network, ids).losses.tolist()))
