"""For the lessons on generation: the choice of a language model and of a prompt, and cached predictions.

The list has every language model in assets/models, and n-gram models of the text in use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import streamlit as st
import torch

from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.ngram_choice import ORDER_AT_MOST, counted_text
from core.lesson.lab_words import LAB_WORDS
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
NAMED_AT_MOST = 8  # characters that are read as something else


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
    about = LAB_WORDS.label("model.of_text", order=order, unit=LAB_WORDS.label(f"unit.{counted.unit}"))
    return ChosenModel(label, model, read_text, counted.text, names, about)


def say_which_model(chosen: ChosenModel, name: str) -> None:
    """Write what a reader calls a model, its description and the size of its vocabulary."""
    st.caption(LAB_WORDS.label("model.about", name=name, about=chosen.about, n=len(chosen.names)))


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
        st.caption(LAB_WORDS.label("prompt.empty"))
    n, reach = len(prompt.ids), tokens_read(chosen.model, len(prompt.ids))
    if reach < n:
        st.caption(LAB_WORDS.label("prompt.reach", n=n, reach=reach))


def say_what_changed(prompt: Prompt) -> None:
    """Write which characters of a prompt are replaced, read as bytes, or left out."""
    if prompt.replaced:
        st.text(LAB_WORDS.label("prompt.replaced", pairs=describe_pairs(prompt.replaced)))
    if prompt.in_bytes:
        more = max(0, len(prompt.in_bytes) - NAMED_AT_MOST)
        st.text(LAB_WORDS.label("prompt.in_bytes", pairs=describe_pairs(prompt.in_bytes), more=more))
    if prompt.left_out:
        st.text(LAB_WORDS.label("prompt.left_out", characters=" ".join(prompt.left_out[:20])))


def describe_pairs(pairs: Mapping[str, object]) -> str:
    """Return in words what each of the first characters is read as."""
    first = list(pairs.items())[:NAMED_AT_MOST]
    return ", ".join(LAB_WORDS.label("prompt.pair", old=old, new=new) for old, new in first)


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
