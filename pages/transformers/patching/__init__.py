"""Activation patching: a story of one answer on its way through a GPT, and a lab for any two sentences."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="bandage")
A, B = "Let him be put to", "Let him be sent to"
OWN_A, OWN_B = "He gave them silver and", "He gave them bread and"
# What the control takes from: as many of its tokens as B has, so that each place has a partner.
UNRELATED = (
    "I have seen a great number of ships on the sea, and the wind was strong, and the sky was dark and cold."
)
EXAMPLES = (A, B, OWN_A, OWN_B, UNRELATED)


def picture() -> Figure:
    """What the streams of the last tokens restore of A's answer, layer by layer."""
    from core.models.self_attention.attentive_models import BACK, attentive_model
    from core.models.transformers.patching import STREAM, contrast_readings, partners, restored_by_place
    from pages.transformers.patching.figures import layer_names, restored_figure

    model = attentive_model(BACK[0])
    of_A, of_B = (model.read(each).ids for each in (OWN_A, OWN_B))
    found = contrast_readings(model.network, of_A, of_B)
    pairs = partners(of_A.tolist(), of_B.tolist())
    shares = restored_by_place(found, STREAM, pairs, 0, found.A)[:, -3:]
    tokens = [model.vocabulary[i].strip() for i in of_B[-3:]]
    return small(restored_figure(shares, layer_names(STREAM, len(shares) - 1), tokens, ""))
