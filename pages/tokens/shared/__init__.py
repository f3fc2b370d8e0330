"""What two or more lessons on tokens share; their shared words are in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
