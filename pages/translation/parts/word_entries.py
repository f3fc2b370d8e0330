"""A dictionary whose keys are words with vectors, and whose values are numbers or words: typed, read, said."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.lesson.plain import plain
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from core.text.reading.decoding import TextError
from core.text.reading.entries import number_of, read_entries

LEGS = "dog: 4, cat: 4, horse: 4, cow: 4, bird: 2, duck: 2, spider: 8, ant: 6, snake: 0, fish: 0, man: 2, woman: 2"


@dataclass(frozen=True)
class WordEntries:
    """What is looked up: `query` (d,) among `keys` (N, d) with `values`, (N,) numbers or (N, d) vectors of words.

    `words` and `named` are keys and values as written; `asked` is the query's word.
    """

    asked: str
    words: list[str]
    named: list[str]
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray

    @property
    def numbers(self) -> bool:
        """Whether the values are numbers."""
        return self.values.ndim == 1


def _values(named: list[str], vectors: WordVectors) -> np.ndarray:
    """Return the values as numbers if all are; else the vectors of the words that they are."""
    try:
        return np.array([number_of(value) for value in named])
    except TextError:
        return np.array([_vector(vectors, value) for value in named])


def _vector(vectors: WordVectors, word: str) -> np.ndarray:
    """Return a word's vector in double precision; of length one to the last bit if the set is normalised."""
    vector = vectors[word].astype(float)
    return vector / np.linalg.norm(vector) if abs(np.linalg.norm(vector) - 1) < 1e-5 else vector


def word_entries(lesson: str, vectors: WordVectors) -> WordEntries | None:
    """Draw the fields, in the address; return what is asked, or None, and a sentence, while it cannot be read."""
    typed = st.text_area(
        "Keys and values",
        LEGS,
        key=f"{lesson}_entries",
        bind="query-params",
        max_chars=2000,
        height=140,
        help="Each key a word, a colon, its value: a number, or for all keys a word. At first: how many legs.",
    )
    asked = st.text_input(
        "Query word", "wolf", key=f"{lesson}_query", bind="query-params", max_chars=60
    ).strip()
    try:
        entries = read_entries(typed)
        known = [(key, value) for key, value in entries if key in vectors]
        unknown = [key for key, _ in entries if key not in vectors]
        if unknown:
            st.text(f"No vector in this set, left out: {', '.join(unknown)[:200]}")
        if not known:
            raise TextError("None of these keys has a vector. Write common English words as keys.")
        words, named = (list(side) for side in zip(*known, strict=True))
        keys = np.array([_vector(vectors, word) for word in words])
        return WordEntries(asked, words, named, _vector(vectors, asked), keys, _values(named, vectors))
    except (TextError, UnknownWordError) as error:
        st.warning(plain(str(error)))
        return None
