"""CRF: a story from an HMM's lattice to learned scores, and a lab for any sentence."""

import numpy as np

from core.figures.card import card
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, VERMILLION
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.crf_tagger import shared_crf

LESSON = Lesson(__name__, icon="waypoints")
PICTURED = ("ed", "ly", "ous", "ing", "ful")


def picture() -> Figure:
    """The weights of some suffixes for a verb, and for an adjective."""
    crf = shared_crf()
    weights = {tag: [_weight(crf, suffix, tag) for suffix in PICTURED] for tag in ("VERB", "ADJ")}
    names = [f"-{suffix}" for suffix in PICTURED]
    bars = [
        bar(x=names, y=weights[tag], marker_color=colour)
        for tag, colour in (("VERB", VERMILLION), ("ADJ", BLUE))
    ]
    figure = Figure()
    for each in bars:
        figure.add_trace(each)
    return card(figure)


def _weight(crf, suffix: str, tag: str) -> float:
    return float(np.round(crf.weights[crf.index[f"suffix={suffix}"], crf.states.index(tag)], 2))
