"""Texts after a prompt as a model writes and scores them, each computed once."""

from __future__ import annotations

import numpy as np
import torch

from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import ChosenModel, continuation
from core.models.generation.beam_search import BeamTree, beam_search
from core.models.generation.generation_tree import (
    GenerationTree,
    continuation_log_probabilities,
    node_log_probabilities,
)
from core.models.generation.sampling import SamplingSettings
from core.models.language_model import LanguageModel
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document

BEGINNINGS = (  # beginnings of a line on which a story counts
    "You have",
    "I love",
    "The king",
    "My father",
    "My heart is",
    "Good night, good",
    "To be, or not to",
    "I will",
    "The queen",
    "O, what a",
    "I have a",
    "Who is",
    "He is",
    "I never",
    "Love is",
    "The world is",
    "Give me",
    "Come,",
    "They would",
    "She is",
)
GREEDY = SamplingSettings(temperature=0.0)


def written(
    chosen: ChosenModel,
    document: Document,
    ids: tuple[int, ...],
    length: int,
    settings: SamplingSettings,
    seed: int,
) -> tuple[int, ...]:
    """Return the tokens with which a model goes on after the ids."""
    return continuation(chosen.label, document.digest, ids, length, settings, seed, chosen.model).tokens


@cached(2000, 1000, shared=no_typed_words)
def path_log_probabilities(
    label: str, digest: str, prompt: tuple[int, ...], tokens: tuple[int, ...], _model: LanguageModel
) -> np.ndarray:
    """Return ln p of each token of a path, (n,)."""
    return continuation_log_probabilities(_model, prompt, tokens)


def scored(chosen: ChosenModel, document: Document, prompt: Prompt, tree: GenerationTree) -> np.ndarray:
    """Return ln p of each node of a tree under a model, (N,)."""
    about = chosen.label, document.digest, prompt.ids
    return node_log_probabilities(tree, lambda y: path_log_probabilities(*about, y, chosen.model))


@cached(30, 15, shared=no_typed_words)
def searched(
    label: str,
    digest: str,
    ids: tuple[int, ...],
    width: int,
    length: int,
    penalty: float,
    end: int | None,
    _model: LanguageModel,
) -> BeamTree:
    """Return the tree of a beam search."""
    torch.set_num_threads(1)
    return beam_search(_model, ids, width, length, penalty, end)
