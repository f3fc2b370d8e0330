"""Pictures of Transformers: an opened model with all its matrices, and how large one is; their words are in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
