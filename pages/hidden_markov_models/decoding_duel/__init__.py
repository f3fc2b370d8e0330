"""Viterbi, beam search and greedy search on one trellis: a story of what pruning loses, and a lab for any sentence."""

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.paths import paths_figure
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import noun_verb_toy

LESSON = Lesson(__name__, icon="swords")
EXAMPLES = ("they watch can fish",)


def picture() -> Figure:
    """Viterbi's path and the greedy one on the same sentence."""
    words = EXAMPLES[0].split()
    decoded = decode(noun_verb_toy(), words, width=1)
    paths = {"Viterbi": decoded.viterbi.path, "greedy": decoded.greedy.path}
    return card(paths_figure(words, decoded.model.states, paths))
