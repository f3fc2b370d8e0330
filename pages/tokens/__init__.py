"""Tokens: the lessons of the subject in order."""

from pages.tokens import (
    byte_pairs,
    edit_distance,
    text_as_tokens,
    token_prices,
    zipf,
)

LESSONS = (
    text_as_tokens,
    byte_pairs,
    token_prices,
    zipf,
    edit_distance,
)
