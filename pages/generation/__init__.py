"""Generation: the subject's title, and its lessons in order."""

from pages.generation import (
    beam_search,
    character_training,
    generation_tree,
    language_models,
    likely_text,
    next_character,
    one_text,
    sampling,
)

TITLE = "Generation"
LESSONS = (
    next_character,
    language_models,
    sampling,
    generation_tree,
    beam_search,
    likely_text,
    character_training,
    one_text,
)
