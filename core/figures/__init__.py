"""Pure functions from arrays and labels to pictures; one palette for all of them. Words of several are in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
