"""The cards' pictures of the lessons on hidden Markov models, from the ice-cream diary and the noun/verb toy."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.figures.card import card, small
from core.figures.hidden_markov_models.hmm import (
    confusion_figure,
    hand_figure,
    paths_figure,
    sweep_figure,
    table_figure,
)
from core.models.hidden_markov_models.hmm import decode, underflow
from core.models.hidden_markov_models.hmm_tables import count_tagged, ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.what_if import sweep
from core.models.stored import load_json

SENTENCE = "they watch can fish".split()
DIARY = "3 1 3 2 1".split()


def viterbi_by_hand() -> go.Figure:
    """A diary's table of scores of which two columns are filled in."""
    model = ice_cream_diary()
    lattice = underflow(model, DIARY[:4])
    return card(hand_figure(decode(model, DIARY[:4]), lattice, 2, [None, None], revealed=False))


def decoding_duel() -> go.Figure:
    """Viterbi's path and the greedy one on the same sentence."""
    decoded = decode(noun_verb_toy(), SENTENCE, width=1)
    paths = {"Viterbi": decoded.viterbi.path, "greedy": decoded.greedy.path}
    return card(paths_figure(SENTENCE, decoded.model.states, paths))


def hmm_tables() -> go.Figure:
    """ln p of the best path as p(hot | start) goes from 0 to 1: where the colour changes the path flips."""
    model = ice_cream_diary()
    return small(sweep_figure(sweep(model, DIARY, "initial", 0, 0, 41), model.states, 0.6, ""))


def hmm_counting() -> go.Figure:
    """The transitions counted in three tagged sentences."""
    tagged = "the/DET dog/NOUN barks/VERB", "dogs/NOUN bark/VERB", "the/DET old/ADJ dog/NOUN walks/VERB"
    counts = count_tagged([[tuple(pair.split("/")) for pair in line.split()] for line in tagged])
    return card(table_figure(counts.transition, counts.states, counts.states, "d"))


def tagging() -> go.Figure:
    """The stored tagger's confusion matrix on held-out text."""
    confusion, states = np.array(load_json("tagger", "confusion")), load_json("tagger", "states")
    figure = confusion_figure(confusion, states)
    figure.data = figure.data[:1]  # too small for numbers
    return small(figure)
