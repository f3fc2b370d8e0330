"""What the lessons on recurrent models share: the choice of a cell and of a sentence, and the reading of it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.language_model_choice import (
    ChosenModel,
    language_model,
    model_labels,
    say_what_was_read,
)
from core.lesson.chosen_text import TYPED, choose_sentence, choose_source, type_text
from core.lesson.lesson import Lesson
from core.models.recurrent_language_model import RecurrentLanguageModel, RecurrentTrace, trace_recurrent
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document
from pages.recurrent_models.shared import WORDS

CELLS = {"LSTM": "LSTM, characters", "GRU": "GRU, characters", "RNN": "RNN, characters"}
SENTENCE_AT_MOST = 400
PASTED_AT_MOST = 5000  # what the field takes; a paste that is cut is said
FIRST_CHARACTERS = 4000
SENTENCE = "My lord, I will not go to Rome.\nWhat says my father?"


@dataclass(frozen=True)
class Sentence:
    """A learner's sentence as a recurrent model reads it: the start token, then its characters."""

    cell: str
    chosen: ChosenModel
    prompt: Prompt

    @property
    def network(self) -> RecurrentLanguageModel:
        """The stored network; all sessions share it."""
        return self.chosen.model.network

    @property
    def ids(self) -> Tensor:
        """The ids read, (T,), the start token first."""
        return torch.tensor((self.chosen.model.start, *self.prompt.ids))

    @property
    def characters(self) -> list[str]:
        """What stands for each of the ids."""
        return [self.chosen.names[i] for i in self.ids]


def choose_reading(
    lesson: Lesson, document: Document, notes: DeltaGenerator, default: str = SENTENCE
) -> Sentence:
    """Draw the choice of a model and of a sentence, typed or of the learner's text; `notes` says what is not read."""
    cell = lesson.choose(
        "cell", WORDS.label("cell"), [cell for cell, label in CELLS.items() if label in model_labels()]
    )
    chosen = language_model(CELLS[cell], document)
    prompt = chosen.encode(choose_text(lesson, document, notes, default))
    with notes:
        say_what_was_read(chosen, prompt)
    return Sentence(cell, chosen, prompt)


def choose_text(lesson: Lesson, document: Document, notes: DeltaGenerator, default: str = SENTENCE) -> str:
    """Draw the choice of a sentence, typed or of the learner's text; say when only its beginning is read."""
    if typed := choose_source(lesson, WORDS.label("source")) == TYPED:
        whole = type_text(lesson, WORDS.label("typed"), default, PASTED_AT_MOST)
    else:
        whole = choose_sentence(lesson, document)[0]
    text = whole[:SENTENCE_AT_MOST]
    if len(whole) > SENTENCE_AT_MOST:
        notes.caption(WORDS.label("cut", n=len(whole), most=SENTENCE_AT_MOST))
    if not typed:
        notes.text(text)
    return text


@cached(32, 8, shared=no_typed_words)
def read_sentence(
    name: str, ids: tuple[int, ...], _network: RecurrentLanguageModel, wiped: int | None
) -> RecurrentTrace:
    """Return the reading of a sentence, traced step by step; `name` says which network it is, broken or whole."""
    torch.set_num_threads(1)
    return trace_recurrent(_network, torch.tensor(ids), wiped)


def beginning(chosen: ChosenModel, document: Document, most: int = FIRST_CHARACTERS) -> Prompt:
    """Return the first characters of the learner's text as a model reads them."""
    return _beginning(document, chosen.label, most, chosen)


@cached(32, 8, shared=is_sample)
def _beginning(document: Document, label: str, most: int, _chosen: ChosenModel) -> Prompt:
    return _chosen.encode(document.text[:most])
