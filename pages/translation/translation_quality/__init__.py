"""Translation quality: a story of exact match, BLEU and chrF, and a lab for any translation."""

from core.figures.card import card
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE
from core.lesson.lesson import Lesson
from core.models.translation.bleu import sentence_bleu
from core.text.grammar.pairs import tokenise_sentence

LESSON = Lesson(__name__, icon="gauge")
ENGLISH = "His brothers worked because they laughed."
REFERENCE = "Ses frères ont travaillé parce qu'ils ont ri."
WRITTEN = "Ses frères ont ri parce qu'ils ont ri."
EXAMPLES = (ENGLISH, REFERENCE, WRITTEN)


def picture() -> Figure:
    """The precisions of a translation's n-grams, for n = 1 to 4."""
    bleu = sentence_bleu(tokenise_sentence(WRITTEN), tokenise_sentence(REFERENCE))
    return card(Figure(bar(x=["1", "2", "3", "4"], y=list(bleu.precisions), marker_color=BLUE)))
