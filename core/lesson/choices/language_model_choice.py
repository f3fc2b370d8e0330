"""For the lessons on generation: the choice of a language model and of a prompt, and cached predictions.

The list has every language model in assets/models, and n-gram models of the text in use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import streamlit as st
import torch

from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.ngram_choice import ORDER_AT_MOST, counted_text
from core.lesson.chosen_text import FROM_TEXT, TYPED, choose_sentence, choose_source, type_line
from core.lesson.lesson import Lesson
from core.models.generation.sampling import SamplingSettings, generate
from core.models.language_model import LanguageModel
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_text import CountedText
from core.models.neural_language_model import read, window_start
from core.models.stored import MODELS, load_card, stored_models
from core.models.stored_language_models import Prompt, decode_ids, encode, stored_language_model
from core.text.reading.documents import Document

LABELS = {  # the best first; only stored models are listed
    "char_gpt": "GPT, characters",
    "char_lstm": "LSTM, characters",
    "char_gru": "GRU, characters",
    "char_rnn": "RNN, characters",
    "char_feedforward": "feed-forward, characters",
    "char_ngram": "n-gram, characters",
    "word_gpt": "GPT, byte pairs",
}
OWN = {"n-gram of your text, characters": "characters", "n-gram of your text, words": "words"}
PROMPT_AT_MOST = 2000


@dataclass(frozen=True)
class ChosenModel:
    """A language model with its `encode` and `decode`."""

    label: str
    model: LanguageModel
    encode: Callable[[str], Prompt]
    decode: Callable[[Sequence[int]], str]
    names: tuple[str, ...]
    about: str


@cache
def model_labels() -> dict[str, str]:
    """Return the stored language models, {label: name}, the best first. The default label is the name."""
    stored = [name for name in stored_models() if (MODELS / name / "network.json").exists()]
    ordered = [name for name in LABELS if name in stored] + [name for name in stored if name not in LABELS]
    return {LABELS.get(name, name): name for name in ordered}


def language_model(label: str, document: Document) -> ChosenModel:
    """Return the model of a label: a stored one, or an n-gram model of the document."""
    if label in OWN:
        return of_text(document, label, counted_text(document, OWN[label]))
    name = model_labels()[label]
    model = stored_language_model(name)
    about = load_card(name).description
    return ChosenModel(
        label, model, partial(encoded, name), partial(decode_ids, name), tuple(model.vocabulary), about
    )


encoded = cached(200, 50, shared=no_typed_words)(encode)  # byte-pair encoding is slow


@cached(8, 2, shared=is_sample)
def of_text(document: Document, label: str, _counted: CountedText) -> ChosenModel:
    """Return the Kneser-Ney model of a counted text, n = 5 for characters and 3 for words."""
    counted = _counted
    order = ORDER_AT_MOST if counted.unit == "characters" else 3
    model = kneser_ney(counted.counts, order)

    def read_text(text: str) -> Prompt:
        """Return the ids of a text. Tokens that are not in the counted text become <unk>."""
        unknown = dict.fromkeys(counted.unknown(text), "<unk>")
        return Prompt(tuple(counted.encode(text, end=False)), text, unknown, ())

    names = tuple(counted.name(token) for token in range(len(counted.vocabulary)))
    about = (
        f"Modified Kneser-Ney, n = {order}, on your text's {counted.unit}. It has no logits: "
        "ln p stands in for them, and the softmax at T = 1 gives p back."
    )
    return ChosenModel(label, model, read_text, counted.text, names, about)


def choose_prompt(
    lesson: Lesson, document: Document, chosen: ChosenModel, default: str, type_it: Callable = type_line
) -> Prompt:
    """Draw the choice of a prompt, typed or a sentence of the text in use; return it encoded for the model.

    `type_it` draws the field, `type_line` or `type_text`. Call `say_what_goes_in` below the picture.
    """
    if choose_source(lesson, "Prompt") == TYPED:
        return chosen.encode(type_it(lesson, "Begin with", default, PROMPT_AT_MOST))
    return chosen.encode(without_last_word(choose_sentence(lesson, document)[0][:PROMPT_AT_MOST]))


def say_what_goes_in(lesson: Lesson, chosen: ChosenModel, prompt: Prompt) -> None:
    """Write the prompt if it was not typed, the model's description, and what the model cannot read of the prompt."""
    if lesson.get_state("source") == FROM_TEXT:
        st.text(prompt.text)
    say_which_model(chosen)
    say_what_was_read(chosen, prompt)


def say_which_model(chosen: ChosenModel) -> None:
    """Write the description of a model and the size of its vocabulary."""
    st.caption(f"{chosen.label}: {chosen.about} V = {len(chosen.names):,} tokens.")


def without_last_word(sentence: str) -> str:
    """Return a sentence without its last word, which the model predicts.

    >>> without_last_word("To be or not"), without_last_word("To")
    ('To be or', 'To')
    """
    return sentence.rsplit(" ", 1)[0]


def say_what_was_read(chosen: ChosenModel, prompt: Prompt) -> None:
    """Write what a model cannot read of a prompt, and how many tokens are beyond its context."""
    say_what_changed(prompt)
    if not prompt.ids:
        st.caption("The prompt is empty: this is how a text begins.")
    n, reach = len(prompt.ids), tokens_read(chosen.model, len(prompt.ids))
    if reach < n:
        st.caption(f"The prompt has {n:,} tokens. The model looks back at the last {reach:,} of them only.")


def say_what_changed(prompt: Prompt) -> None:
    """Write which characters of a prompt are replaced, read as bytes, or left out."""
    if prompt.replaced:
        pairs = ", ".join(f"{old} as {new}" for old, new in list(prompt.replaced.items())[:8])
        st.text(f"Not in the model's vocabulary, so read as something else: {pairs}")
    if prompt.in_bytes:
        pieces = ", ".join(f"{character} as {n}" for character, n in list(prompt.in_bytes.items())[:8])
        more = f" and {len(prompt.in_bytes) - 8} more" if len(prompt.in_bytes) > 8 else ""
        st.text(
            f"The model has no token for these characters, so reads their bytes as tokens: {pieces}{more}"
        )
    if prompt.left_out:
        st.text(f"The model has never seen, so leaves out: {' '.join(prompt.left_out[:20])}")


def tokens_read(model: LanguageModel, n: int) -> int:
    """Return how many of a prompt's n tokens a model uses to predict the next one."""
    if hasattr(model, "read"):  # a network: its start token precedes the prompt
        return n if model.context is None else min(n, n + 1 - window_start(n + 1, model.context))
    return min(n, getattr(model, "context", None) or model.order - 1)


@dataclass(frozen=True)
class Continuation:
    """Generated tokens, and the entropy in bits of the distribution that each was drawn from."""

    tokens: tuple[int, ...]
    entropies: tuple[float, ...]


@cached(200, 100, shared=no_typed_words)
def continuation(
    label: str,
    digest: str,
    ids: tuple[int, ...],
    length: int,
    settings: SamplingSettings,
    seed: int,
    _model: LanguageModel,
) -> Continuation:
    """Return `length` tokens generated after the context `ids`."""
    torch.set_num_threads(1)  # one token is too little work for threads, and other learners need the cores
    steps = list(generate(_model, ids, length, settings, seed))
    return Continuation(tuple(step.token for step in steps), tuple(step.trace.entropy for step in steps))


@cached(200, 100, shared=no_typed_words)
def next_logits(label: str, digest: str, ids: tuple[int, ...], _model: LanguageModel) -> np.ndarray:
    """Return the logits of the token after a context, (V,). All sampling settings are computed from them."""
    torch.set_num_threads(1)
    return read(_model, ids).logits
