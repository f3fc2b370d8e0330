"""Word vectors: how they are learned, compared and added up; what may be wrong with them is said in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
