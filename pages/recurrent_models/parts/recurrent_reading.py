"""What the lessons on recurrent models share: the choice of a cell and of a sentence, and the reading of it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from core.lesson.choices.language_model_choice import (
    ChosenModel,
    language_model,
    model_labels,
    say_what_was_read,
)
from core.lesson.chosen_text import TYPED, choose_sentence, choose_source, type_text
from core.models.recurrent_language_model import RecurrentLanguageModel, RecurrentTrace, trace
from core.models.recurrent_models.telling_units import TellingUnit, telling_units
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document

CELLS = {"LSTM": "LSTM, characters", "GRU": "GRU, characters", "RNN": "RNN, characters"}
SENTENCE_AT_MOST = 400
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

    @property
    def cells(self) -> list[str]:
        """The notebook's cells that load the model and read the sentence as `ids`."""
        last = (
            "import torch\n\nids = torch.tensor((model.start, "
            f"*read({self.prompt.text!r})))\nnetwork = model.network"
        )
        return [*self.chosen.cells, last]


def choose_cell(lesson: str, document: Document) -> tuple[str, ChosenModel]:
    """Draw the choice among the stored recurrent models, in the address as `<lesson>_cell`, and return it."""
    stored = [cell for cell, label in CELLS.items() if label in model_labels()]
    cell = st.segmented_control(
        "Model", stored, default=stored[0], required=True, key=f"{lesson}_cell", bind="query-params"
    )
    return cell, language_model(CELLS[cell], document)


def choose_reading(lesson: str, document: Document, default: str = SENTENCE) -> Sentence:
    """Draw the choice of a model and of a sentence, typed or of the learner's text; say what could not be read."""
    cell, chosen = choose_cell(lesson, document)
    prompt = chosen.encode(choose_text(lesson, document, default))
    say_what_was_read(chosen, prompt)
    return Sentence(cell, chosen, prompt)


def choose_text(lesson: str, document: Document, default: str = SENTENCE) -> str:
    """Draw the choice of a sentence, typed or of the learner's text; say when only its beginning is read."""
    if choose_source(lesson, "Sentence") == TYPED:
        return type_text(lesson, "Read this", default, SENTENCE_AT_MOST)
    whole = choose_sentence(lesson, document)[0]
    if len(whole) > SENTENCE_AT_MOST:
        st.caption(f"The sentence has {len(whole):,} characters. Its first {SENTENCE_AT_MOST} are read.")
    text = whole[:SENTENCE_AT_MOST]
    st.text(text)
    return text


@st.cache_resource(scope="session", max_entries=8, show_spinner="The model reads")
def read_sentence(
    name: str, ids: tuple[int, ...], _network: RecurrentLanguageModel, wiped: int | None
) -> RecurrentTrace:
    """Return the reading of a sentence, traced step by step; `name` says which network it is, broken or whole."""
    torch.set_num_threads(1)
    return trace(_network, torch.tensor(ids), wiped)


def beginning(chosen: ChosenModel, document: Document, most: int = FIRST_CHARACTERS) -> Prompt:
    """Return the first characters of the learner's text as a model reads them."""
    return chosen.encode(document.text[:most])


@st.cache_data(scope="session", max_entries=12, show_spinner="Looking for units that tell something")
def told_by_units(label: str, digest: str, _chosen: ChosenModel, _document: Document) -> list[TellingUnit]:
    """Return the units that follow a feature of the learner's text best; none for a text too short to tell."""
    torch.set_num_threads(1)
    prompt, network = beginning(_chosen, _document), _chosen.model.network
    ids = torch.tensor([(_chosen.model.start, *prompt.ids)])
    with torch.inference_mode():
        hidden, _ = network.layer(network.embedding(ids))
    try:
        return telling_units(hidden[0, 1:].double().numpy(), prompt.text)
    except ValueError:
        return []
