"""Small tagged texts for exercises: sentences of determiners, nouns, verbs and pronouns that can be counted by hand."""

from __future__ import annotations

from core.exercises.draws import Draws

TAGS = ("DET", "NOUN", "VERB", "PRON")
WORDS = {
    "DET": ("the", "a"),
    "NOUN": ("dog", "cat", "fish", "bark"),
    "VERB": ("bark", "fish", "see", "hear"),
    "PRON": ("they", "we"),
}
PATTERNS = (
    ("PRON", "VERB"),
    ("PRON", "VERB", "NOUN"),
    ("PRON", "VERB", "DET", "NOUN"),
    ("DET", "NOUN", "VERB"),
    ("DET", "NOUN", "NOUN", "VERB"),
    ("NOUN", "VERB", "PRON"),
    ("NOUN", "VERB"),
)


def draw_tagged(draws: Draws, sentences: int) -> list[list[tuple[str, str]]]:
    """Return sentences of (word, tag) pairs."""
    return [[(draws.choose(WORDS[tag]), tag) for tag in draws.choose(PATTERNS)] for _ in range(sentences)]
