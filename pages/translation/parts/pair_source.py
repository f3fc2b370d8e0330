"""The pairs a translator is trained on: dates, the course's own sentences, or what the learner uploads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import streamlit as st

from core.lesson.plain import plain
from core.text.grammar.grammar import LONGEST, SHORTEST
from core.text.grammar.pairs import Pair, is_held_out
from core.text.reading.decoding import TextError
from core.text.reading.pair_files import MOST_PAIRS, UNITS, PairFile, read_pair_file, units_of, written_pairs
from core.text.samples.course_pairs import CoursePairs
from pages.translation.parts.translator_choice import DATES, DUTCH, FRENCH, TASKS, Task

OWN = "your own pairs"
GENERATORS = {DATES: "dates", FRENCH: "English–French", DUTCH: "English–Dutch"}
FEWEST = 200


@lru_cache(maxsize=16)
def _first(pairs: CoursePairs, count: int) -> list[Pair]:
    return list(islice(pairs, count))


_held_out = lru_cache(maxsize=16)(CoursePairs.held_out)


@dataclass(frozen=True)
class Material:
    """Pairs to train on, what they are in a line (`about`), and how a text is read (`task`; own pairs by `unit`)."""

    pairs: tuple[Pair, ...] | CoursePairs
    task: Task
    about: str
    unit: str = ""

    def first(self, count: int) -> list[Pair]:
        """Return the first pairs."""
        return _first(self.pairs, count) if isinstance(self.pairs, CoursePairs) else list(self.pairs[:count])

    def held_out(self, count: int) -> list[Pair]:
        """Return the first of the pairs that are kept from training."""
        if isinstance(self.pairs, CoursePairs):
            return _held_out(self.pairs, count)
        return list(islice((pair for pair in self.pairs if is_held_out(pair.source)), count))

    def read(self, text: str) -> list[str]:
        """Return what the model reads of a text."""
        return list(units_of(text, self.unit)) if self.unit else self.task.read(text)


def choose_pairs(lesson: str, seed: int) -> Material | None:
    """Draw the choice, in the address but for a file; return the pairs, or None while there is no file to read."""
    label = st.selectbox("Train on", [*GENERATORS, OWN], key=f"{lesson}_on", bind="query-params")
    if label == OWN:
        return _own_pairs(lesson)
    kind = GENERATORS[label]
    count = st.slider("Pairs", FEWEST, MOST_PAIRS, 6000, 200, key=f"{lesson}_pairs", bind="query-params")
    longest = LONGEST
    if label != DATES:
        longest = st.slider(
            "Words in the longest sentence",
            SHORTEST + 1,
            LONGEST,
            8,
            key=f"{lesson}_longest",
            bind="query-params",
        )
    return Material(CoursePairs(kind, count, longest, seed), TASKS[label], f"{count:,} pairs, {label}")


@st.cache_data(scope="session", max_entries=2, show_spinner="Reading the pairs")
def _read(data: bytes, unit: str) -> PairFile:
    return read_pair_file(data, unit)


@st.cache_data(show_spinner=False)
def _pattern() -> str:
    return written_pairs(CoursePairs("English–French", 1000, 6, seed=1))


def _uploaded(lesson: str) -> tuple[str, bytes] | None:
    """Draw the upload and a file to follow; return the name and bytes, also of a file that was given before."""
    file = st.file_uploader(
        f"Two columns, at most {MOST_PAIRS:,} pairs",
        type=["csv", "tsv", "txt"],
        key=f"{lesson}_file",
        max_upload_size=10,
    )
    st.download_button(
        "A file as a pattern",
        _pattern,
        file_name="pairs.tsv",
        mime="text/tab-separated-values",
        key=f"{lesson}_pattern",
        on_click="ignore",
        help="1,000 English sentences, each with a tab and its French translation.",
    )
    if file is not None:
        st.session_state[f"{lesson}_kept"] = file.name, file.getvalue()  # still there when the page is left
    return st.session_state.get(f"{lesson}_kept")


def _own_pairs(lesson: str) -> Material | None:
    unit = st.segmented_control(
        "A sentence is read as",
        UNITS,
        default=UNITS[0],
        required=True,
        key=f"{lesson}_unit",
        bind="query-params",
    )
    kept = _uploaded(lesson)
    if kept is None:
        st.info("Choose a file. Each line: a sentence, a tab or a comma, its translation.")
        return None
    name, data = kept
    try:
        read = _read(data, unit)
    except TextError as error:
        st.warning(plain(str(error)))
        return None
    for note in read.notes:
        st.text(note)
    language = "own" if unit == UNITS[0] else ""
    example = Task(OWN, {}, language, CoursePairs, "").write(read.pairs[0].source, output=False)
    task = Task(OWN, {}, language, CoursePairs, example)
    return Material(read.pairs, task, f"{len(read.pairs):,} pairs of {name}", unit)
