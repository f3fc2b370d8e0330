"""Tokens: the subject's title, and its lessons in order."""

from pages.tokens import zipf

TITLE = "Tokens"
LESSONS = (zipf,)
