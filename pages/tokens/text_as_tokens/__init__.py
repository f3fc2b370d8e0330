"""Tokenization: a story of one line cut into characters, subwords and words, and a lab on the learner's text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.tokens.byte_pairs import learn_merges
from core.models.tokens.three_ways import three_ways

LESSON = Lesson(__name__, icon="scissors")
EXAMPLES = ("unhappy unhappy happy unlike likely",)  # the card's text


def picture() -> Figure:
    """Two words as characters, byte pairs and words."""
    from pages.tokens.text_as_tokens.figures import IDS, cut_figure

    (text,), passage = EXAMPLES, "unlikely happy"
    ways = three_ways(text, learn_merges(text, 14))
    cuts = {LESSON.words.label(f"card.{IDS[name]}"): way.cut(passage) for name, way in ways.items()}
    return small(cut_figure(cuts, passage)).update_yaxes(showticklabels=True)
