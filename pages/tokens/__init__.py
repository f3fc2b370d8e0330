"""Tokens: the subject's title, and its lessons in order."""

from pages.tokens import (
    byte_pairs,
    edit_distance,
    text_as_tokens,
    zipf,
)

TITLE = "Tokens"
LESSONS = (
    text_as_tokens,
    byte_pairs,
    zipf,
    edit_distance,
)
