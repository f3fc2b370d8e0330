"""The Viterbi algorithm: a story of two days and two kinds of weather, and a lab for any sentence."""

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.paths import paths_figure
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import noun_verb_toy

LESSON = Lesson(__name__, icon="route")
EXAMPLES = ("they watch can fish",)


def picture() -> Figure:
    """The best path through the lattice of the noun/verb toy."""
    words = EXAMPLES[0].split()
    decoded = decode(noun_verb_toy(), words)
    return card(paths_figure(words, decoded.model.states, {"Viterbi": decoded.viterbi.path}))
