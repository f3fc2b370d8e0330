"""The course: its subjects in order. A subject names its lessons; a lesson is one file, which declares its own card."""

from pages import (
    documents,
    generation,
    hidden_markov_models,
    n_grams,
    recurrent_models,
    self_attention,
    tokens,
    translation,
    word_vectors,
)

SUBJECTS = (
    tokens,
    documents,
    word_vectors,
    n_grams,
    hidden_markov_models,
    generation,
    recurrent_models,
    translation,
    self_attention,
)
LESSONS = tuple(module.LESSON for subject in SUBJECTS for module in subject.LESSONS)
