"""Viterbi by hand: a story in which the learner fills in a small table, and a lab for tables of their own."""

import numpy as np

from core.figures.arrow import add_arrow
from core.figures.card import card
from core.figures.figure import Figure, scatter
from core.figures.hidden_markov_models.paths import lattice_frame
from core.figures.palette import GREY, OCHRE, faded
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.decoding import underflow
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary

LESSON = Lesson(__name__, icon="pencil")
EXAMPLES = ("3 1 3 2", "they watch can fish", "they can fish")
FILLED = 2  # columns of the card's table


def picture() -> Figure:
    """A diary's table of scores of which two columns are filled in."""
    model, words = ice_cream_diary(), EXAMPLES[0].split()
    lattice = underflow(model, words)
    n, K = lattice.scores.shape
    figure = lattice_frame(words, model.states, [False] * n, 0, 220)
    places = [(t, j) for t in range(n) for j in range(K)]
    texts = [f"{lattice.scores[t, j]:.4g}" if t < FILLED else "?" if t == FILLED else "" for t, j in places]
    x, y = np.transpose(places)
    figure.add_trace(scatter(x=x, y=y, mode="text", text=texts, textfont={"size": 17}, hoverinfo="skip"))
    edges = {"fillcolor": faded(OCHRE, 0.18), "line": {"color": OCHRE}, "layer": "below"}
    figure.add_vrect(x0=FILLED - 0.5, x1=FILLED + 0.5, **edges)
    for t in range(1, FILLED):
        for j in range(K):
            add_arrow(figure, (t - 0.25, j), (t - 0.75, int(lattice.backpointers[t, j])), GREY)
    return card(figure)
