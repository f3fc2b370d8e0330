"""Training an HMM by counting: a story of eight tagged sentences, and a lab that counts any tagged text."""

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.tables import table_figure
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.hmm_tables import count_tagged
from core.text.reading.tagged import read_tagged

LESSON = Lesson(__name__, icon="calculator")
TEXT = """the/DET dog/NOUN barks/VERB
the/DET old/ADJ dog/NOUN walks/VERB
a/DET walk/NOUN helps/VERB the/DET old/ADJ man/NOUN
the/DET man/NOUN walks/VERB the/DET dog/NOUN
dogs/NOUN bark/VERB
she/PRON walks/VERB a/DET small/ADJ dog/NOUN
the/DET bark/NOUN helps/VERB
she/PRON helps/VERB the/DET man/NOUN"""
EXAMPLES = (TEXT, "the bark helps dogs", "old dogs she helps")


def picture() -> Figure:
    """The transitions counted in the example."""
    counts = count_tagged(read_tagged(TEXT))
    return card(table_figure(counts.transition, counts.states, counts.states, "d"))
