"""The course's grammar of English sentences and of their translations; what it says of words is in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
