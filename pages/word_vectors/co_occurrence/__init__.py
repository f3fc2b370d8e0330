"""Co-occurrence and PMI: a story of counted neighbours in Shakespeare's plays, and a lab on any text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.co_occurrence import co_occurrence_figure
from core.lesson.lesson import Lesson
from core.models.word_vectors.co_occurrence import co_occurrences
from core.text.tokenization.tokens import words

LESSON = Lesson(__name__, icon="grid-3x3")
CARD = "the king loves his crown", "the queen loves her crown", "the king and the queen love the throne"
LINES = {  # of the story, by play
    "why the king of france is so suddenly gone": "king-lear",
    "us not live in france let us quit all": "henry-v",
    "have i won in france when as the enemy": "henry-vi-part-3",
    "of the realm of france will be surrendered to": "edward-iii",
    "attend the lords of france and burgundy gloucester": "king-lear",
}
SENTENCE = "no king of england if not king of france"  # Henry V
EXAMPLES = (*CARD, *LINES, SENTENCE)


def picture() -> Figure:
    """The counts of a few sentences as a heat map."""
    found = co_occurrences([words(each) for each in CARD], 2, 9)
    return small(co_occurrence_figure(found.counts, found.words, found.words)).update_traces(showscale=False)
