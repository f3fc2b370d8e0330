"""Editing HMM probabilities: a story about how far one number must move, and a lab with every number to edit."""

import numpy as np

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.hidden_markov_models.curves import sweep_figure
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.flips import best_paths
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary

LESSON = Lesson(__name__, icon="sliders-vertical")


def picture() -> Figure:
    """ln p of the best path as p(hot | start) goes from 0 to 1: where the colour changes the path flips."""
    model = ice_cream_diary()
    stretches = best_paths(model, "3 1 3 2 1".split(), "initial", 0, 0)
    return small(sweep_figure(stretches, model.states, float(np.exp(model.log_initial[0])), ""))
