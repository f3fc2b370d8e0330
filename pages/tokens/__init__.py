"""Tokens: the subject's title, and its lessons in order."""

from pages.tokens import (
    byte_pairs,
    edit_distance,
    text_as_tokens,
    token_prices,
    zipf,
)

TITLE = "Tokens"
LESSONS = (
    text_as_tokens,
    byte_pairs,
    token_prices,
    zipf,
    edit_distance,
)
