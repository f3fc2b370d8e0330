"""The words that all labs share: of the text in use, steps, guesses, training, and what stands below the picture."""

from __future__ import annotations

from pathlib import Path

from core.words.texts import read_words

LAB_WORDS = read_words(Path(__file__).with_name("lab_words.md"))
