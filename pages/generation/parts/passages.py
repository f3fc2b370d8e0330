"""Passages of real text that a model may go on from: its own held-out plays, or the end of the learner's text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import streamlit as st
import torch

from core.lesson.choices.language_model_choice import OWN, ChosenModel
from core.models.generation.degeneration import written_in_every_way
from core.models.generation.generation_tree import continuation_log_probabilities
from core.text.reading.documents import Document
from core.text.samples.shelf import Sample, plays

PLAYS, YOUR_TEXT = "plays, held out", "your text"
REAL = "the real text"
MOST = 6  # passages
PROMPT = 40  # tokens of a passage that the model is given
CHARACTERS = 12_000  # of a text's end that are looked at


@dataclass(frozen=True)
class Passage:
    """A few lines of real text: the beginning, which the model reads, and how the text itself goes on."""

    source: str
    prompt: tuple[int, ...]
    real: tuple[int, ...]
    held_out: bool  # of a play's end, which no stored model was trained on


@dataclass(frozen=True)
class Measured:
    """A text's tokens after the prompt, and ln p of each, (n,)."""

    tokens: tuple[int, ...]
    ln_p: tuple[float, ...]


def end_of(text: str, share: float) -> str:
    """Return the last part of a text, from the beginning of a line where it has lines.

    >>> end_of("one\\ntwo\\nthree four", 0.7)
    'three four'
    """
    end = text[-min(CHARACTERS, int(share * len(text))) :]
    return end.split("\n", 1)[1] if "\n" in end[: len(end) // 2] else end


@cache
def every_play() -> list[Sample]:
    """Return the plays on the shelf; none when their package is missing."""
    return plays()


def play_passages(chosen: ChosenModel, count: int, length: int) -> list[Passage]:
    """Return the beginning of the last twentieth of some plays: no stored model was trained on a play's last tenth."""
    wanted = every_play()[:: max(1, len(every_play()) // MOST)][:count]
    return [passage_of(play.title, chosen, end_of(play.text(), 0.05), 0, length, True) for play in wanted]


def own_passages(chosen: ChosenModel, document: Document, count: int, length: int) -> list[Passage]:
    """Return passages of the last tenth of the learner's text, or, where that is short, of all of it."""
    tail = end_of(document.text, 0.1)
    need = count * (PROMPT + length)
    tail = tail if len(tail) > 4 * need else document.text[-CHARACTERS:]
    n = len(chosen.encode(tail).ids)
    starts = [i * max(0, n - PROMPT - length) // count for i in range(count)]
    found = [passage_of(f"passage {i + 1}", chosen, tail, start, length) for i, start in enumerate(starts)]
    return [passage for passage in dict.fromkeys(found) if len(passage.real) >= 2]


def passage_of(
    source: str, chosen: ChosenModel, text: str, start: int, length: int, held_out: bool = False
) -> Passage:
    """Return the passage that begins at a token of a text; a short text has a shorter prompt."""
    ids = chosen.encode(text).ids[start : start + PROMPT + length]
    cut = min(PROMPT, max(len(ids) // 3, len(ids) - length))
    return Passage(source, tuple(ids[:cut]), tuple(ids[cut:]), held_out)


def choose_passages(lesson: str, chosen: ChosenModel, document: Document, length: int) -> list[Passage]:
    """Draw the choice of passages; where there are none, say so and stop the page."""
    counted_here = chosen.label.split(", memory")[0] in OWN
    sources = [PLAYS, YOUR_TEXT] if every_play() and not counted_here else [YOUR_TEXT]
    source = st.selectbox("Passages from", sources, key=f"{lesson}_source", bind="query-params")
    count = st.slider("How many passages", 1, MOST, 3, key=f"{lesson}_count", bind="query-params")
    if source == PLAYS:
        return play_passages(chosen, count, length)
    found = own_passages(chosen, document, count, length)
    if not found:
        st.info("Your text is too short to be cut into a beginning and what follows: give a few sentences.")
        st.stop()
    if counted_here:
        st.caption("This model was counted on this very text: the real text is no news to it.")
    return found


def _measure(label: str, digest: str, passage: Passage, length: int, width: int, seed: int, _model):
    torch.set_num_threads(1)
    texts = written_in_every_way(_model, passage.prompt, length, width, seed)
    texts = {REAL: list(passage.real), **texts}
    return {
        way: Measured(tuple(tokens), tuple(continuation_log_probabilities(_model, passage.prompt, tokens)))
        for way, tokens in texts.items()
    }


_of_plays = st.cache_data(max_entries=200, show_spinner="The model writes")(_measure)
_of_own = st.cache_data(scope="session", max_entries=50, show_spinner="The model writes")(_measure)


def measured(
    chosen: ChosenModel, document: Document, passage: Passage, length: int, width: int, seed: int
) -> dict[str, Measured]:
    """Return the real text and what the model writes in every way; what concerns the plays alone is shared by all."""
    keep, digest = (_of_plays, "") if passage.held_out else (_of_own, document.digest)
    return keep(chosen.label, digest, passage, length, width, seed, chosen.model)
