"""What a room refuses, as a sentence of words.md, in the language of whoever asked."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))


class RoomError(Exception):
    """A sentence for whoever asked: why a room cannot do this."""
