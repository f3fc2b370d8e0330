"""Pictures of images in patches, of captions, and of one space for both; their words are in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))


def name_columns(*keys: str) -> list[str]:
    """Return the heads of a table's columns."""
    return [WORDS.label(f"column.{key}") for key in keys]
