"""Pictures as arrays of numbers: read from a file, drawn by a seed, scaled to a model's size; words are in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
