"""Generation: the lessons of the subject in order."""

from pages.generation import (
    beam_search,
    character_training,
    generation_tree,
    language_models,
    likely_text,
    next_character,
    one_text,
    preferences,
    sampling,
    speculative_decoding,
)

LESSONS = (
    next_character,
    language_models,
    sampling,
    generation_tree,
    beam_search,
    likely_text,
    character_training,
    one_text,
    preferences,
    speculative_decoding,
)
