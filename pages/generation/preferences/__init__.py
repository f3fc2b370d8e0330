"""Preferences: a story of six sentences that voters compare, and a lab that trains on the learner's ranking."""

import numpy as np

from core.figures.card import card
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, GREY
from core.lesson.lesson import Lesson
from core.models.generation.direct_preference import best_policy
from core.models.generation.preferences import fit_bradley_terry
from core.models.generation.preferred_sentences import COMPARED, reference, simulated_votes

LESSON = Lesson(__name__, icon="thumbs-up")
SHOWN = 0.3  # the β of the first beat


def picture() -> Figure:
    """What the GPT gives six sentences, and what it gives them once it has learned from the votes."""
    before = reference(COMPARED)
    rewards = fit_bradley_terry(simulated_votes(), np.eye(len(COMPARED)))
    x = [str(n + 1) for n in range(len(COMPARED))]
    after = best_policy(before, rewards, SHOWN)
    figure = Figure(bar(x=x, y=np.exp(before), marker_color=GREY))
    return card(figure.add_trace(bar(x=x, y=np.exp(after), marker_color=BLUE)))
