"""Every stored language model on one text: the cards' held-out measures beside what is measured on the learner's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.generation.model_comparison import comparison_figure, surprise_payload, worked_quality
from core.lesson.break_it import consequence
from core.lesson.browser_view import browser_view
from core.lesson.choices.language_model_choice import model_labels
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.language_model import bits_per_character
from core.models.neural_language_model import average_log_probability
from core.models.stored import Card
from core.models.stored_language_models import (
    BITS,
    Prompt,
    character_models,
    encode,
    stored_language_model,
)
from pages.generation.parts.character_text import character_labels

NATS, PERPLEXITY = "nats per character, held out", "perplexity per character, held out"
PIECE = 4  # characters: what is left of the context when the text is torn


@dataclass(frozen=True)
class Comparison:
    """The cards of the character models by label, best first, and what each model gives the learner's characters.

    `scored` has ln p of each character, (n,), by label; `other` those of each token of the models of byte pairs.
    """

    cards: dict[str, Card]
    text: str
    scored: dict[str, np.ndarray]
    other: dict[str, np.ndarray]

    @property
    def held_out(self) -> dict[str, float]:
        """Bits a character on the held-out plays."""
        return {label: card.quality[BITS] for label, card in self.cards.items()}

    @property
    def own(self) -> dict[str, float]:
        """Bits a character on the learner's text."""
        return {
            label: bits_per_character(p, len(self.text)) for label, p in (self.scored | self.other).items()
        }


@st.cache_data(scope="session", max_entries=60, show_spinner="The models read your text")
def scored_text(name: str, text: str) -> np.ndarray:
    """Return ln p of each token of a text, (n,), computed once a session."""
    torch.set_num_threads(1)
    return stored_language_model(name).token_log_probabilities(encode(name, text).ids)


def compare(prompt: Prompt) -> Comparison:
    """Return every stored model's measures; all read the same characters."""
    label_of = {name: label.removesuffix(", characters") for label, name in character_labels().items()}
    cards = {label_of[card.model]: card for card in character_models()}
    others = {label: name for label, name in model_labels().items() if name not in label_of}
    return Comparison(
        cards,
        prompt.text,
        {label: scored_text(card.model, prompt.text) for label, card in cards.items()},
        {label: scored_text(name, prompt.text) for label, name in others.items()},
    )


def show_comparison(lesson: str, found: Comparison) -> None:
    """Draw bits a character by model, on the held-out plays and on the learner's text."""
    best = min(found.own, key=found.own.get)
    show_figure(
        comparison_figure(found.held_out, found.own),
        f"{lesson}_bars",
        f"Bits a character of {len(found.own)} models; on your text {best} needs fewest, {found.own[best]:.2f}",
    )


def show_surprise(lesson: str, found: Comparison) -> None:
    """Draw the learner's text coloured by each character model's surprise."""
    browser_view("surprise_text", surprise_payload(found.text, found.scored), f"{lesson}_surprise")


def show_torn(found: Comparison, label: str, ids: Sequence[int]) -> None:
    """Show what a model loses when the text is torn into pieces of a few characters, each read from its start."""
    pieces = [ids[start : start + PIECE] for start in range(0, len(ids), PIECE)]
    torn = -average_log_probability(stored_language_model(found.cards[label].model), pieces) / np.log(2)
    consequence(f"Bits a character, {label}", found.own[label], torn, more_is_better=False)


def quality_table(lesson: str, found: Comparison) -> None:
    """Show each model's parameters, nats, bits and perplexity on the held-out plays, and bits on the learner's text."""
    rows = [
        (label, card.quality["parameters"], card.quality[NATS], card.quality[BITS], card.quality[PERPLEXITY])
        for label, card in found.cards.items()
    ]
    columns = ["model", "parameters", "nats, held out", "bits, held out", "perplexity, held out"]
    table = pd.DataFrame(rows, columns=columns)
    table["bits, your text"] = [found.own[label] for label in found.cards]

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of one number."""
        scored = found.scored[table["model"][row]]
        return worked_quality(table["nats, held out"][row], -float(scored.sum()), len(found.text), column)

    every_number(lesson, "models", table, formula)


def about_text(cards: Mapping[str, Card]) -> str:
    """Return, from the cards, what the models trained on and what they were measured on."""
    (name, corpus), *_ = next(iter(cards.values())).corpus.items()
    return (
        f"Trained on {corpus['training characters']:,} characters of {name}. Held out: {corpus['held out']}; measured "
        f"on {corpus['measured on']}."
    )
