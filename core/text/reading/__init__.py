"""Texts and files that a learner brings, read; whatever is wrong is said in a sentence of words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
