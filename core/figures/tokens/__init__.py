"""Rows of tokens, and pictures of Zipf's and Heaps' laws; their words are in words.md."""

from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
