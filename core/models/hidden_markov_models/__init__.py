"""Hidden Markov models and how they are decoded; what they say to a learner is in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
