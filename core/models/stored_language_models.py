"""The project's own trained language models, read back from assets/models."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from torch import nn

from core.models.feedforward_language_model import FeedForwardConfig, FeedForwardLanguageModel
from core.models.n_grams.ngram import NgramModel, kneser_ney
from core.models.n_grams.packed_counts import unpack
from core.models.neural_language_model import NeuralLanguageModel
from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.stored import Card, load_card, load_json, load_weights, stored_models
from core.models.stored_network import with_weights
from core.models.tokens.byte_pairs import BytePairs

NETWORKS = {
    "gpt": (GPT, GPTConfig),
    "recurrent": (RecurrentLanguageModel, RecurrentConfig),
    "feed-forward": (FeedForwardLanguageModel, FeedForwardConfig),
}


def build(network: str, shape: dict) -> nn.Module:
    """Return a network with fresh weights; `network` is a key of NETWORKS, `shape` its configuration's fields.

    >>> build("gpt", {"vocabulary_size": 5, "context": 4, "layers": 1, "heads": 1, "width": 4}).config.width
    4
    """
    kind, config = NETWORKS[network]
    return kind(config(**shape))


@dataclass(frozen=True)
class CountedLanguageModel:
    """An n-gram model that, as the networks do, reads every text as if `start` stood before it."""

    model: NgramModel
    start: int

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The V tokens, by id."""
        return self.model.vocabulary

    @property
    def context(self) -> int:
        """How many tokens it looks back."""
        return self.model.order - 1

    @property
    def parameters(self) -> int:
        """How many different runs of tokens were counted."""
        return sum(len(keys) for keys in self.model.counts.keys[1:])

    def log_probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return ln p(next | context), (V,)."""
        return self.model.log_probabilities((self.start, *context))

    def token_log_probabilities(self, tokens: Sequence[int]) -> np.ndarray:
        """Return ln p of every token, (n,)."""
        return self.model.token_log_probabilities((self.start, *tokens))[1:]


StoredLanguageModel = NeuralLanguageModel | CountedLanguageModel


@cache
def stored_language_model(name: str) -> StoredLanguageModel:
    """Return a stored model, ready to predict. Raises FileNotFoundError when there is none of that name."""
    described, vocabulary = load_json(name, "network"), load_json(name, "vocabulary")
    if described["network"] == "n-gram":
        counts = unpack(load_weights(name), vocabulary, described["order"])
        return CountedLanguageModel(kneser_ney(counts, counts.order), described["start"])
    network = with_weights(build(described["network"], described["shape"]), load_weights(name))
    return NeuralLanguageModel(network, vocabulary, described["start"])


BITS = "bits per character, held out"  # the names of a card's measures
NATS, PERPLEXITY = "nats per character, held out", "perplexity per character, held out"


def character_models() -> list[Card]:
    """Return the cards of the stored models of the plays' characters, the best first.

    All were measured on the same held-out text, so that their `quality[BITS]` may be compared.
    """
    cards = [load_card(name) for name in stored_models() if name.startswith("char_")]
    return sorted(cards, key=lambda card: card.quality[BITS])


@dataclass(frozen=True)
class Prompt:
    """A learner's text as a model reads it: its ids, the text they stand for, and what had to change.

    `replaced` maps characters to the model's own that stand in for them; `left_out` are those it has nothing for;
    `in_bytes` are those that byte pairs have no whole token for, with the number of tokens each is read as.
    """

    ids: tuple[int, ...]
    text: str
    replaced: dict[str, str]
    left_out: tuple[str, ...]
    in_bytes: dict[str, int] = field(default_factory=dict)


def encode(name: str, text: str) -> Prompt:
    """Return a text as the stored model `name` reads it; byte pairs read any text, characters may lack some."""
    if load_json(name, "network").get("tokens") == "byte pairs":
        return encode_byte_pairs(byte_pairs(name), text)
    return encode_characters(stored_language_model(name).vocabulary, text)


def decode_ids(name: str, ids: Sequence[int]) -> str:
    """Return the text of a stored model's ids."""
    if load_json(name, "network").get("tokens") == "byte pairs":
        return byte_pairs(name).decode(ids)
    vocabulary = stored_language_model(name).vocabulary
    return "".join(vocabulary[i] for i in ids)


@cache
def byte_pairs(name: str) -> BytePairs:
    """Return the byte pairs that a stored model's tokens are."""
    return BytePairs(tuple((left, right) for left, right in load_json(name, "merges")))


def encode_byte_pairs(pairs: BytePairs, text: str) -> Prompt:
    """Return a text as byte pairs read it: any text has them, but a rare character is read byte by byte.

    >>> encode_byte_pairs(BytePairs(()), "a\u00e9").in_bytes == {"\u00e9": 2}
    True
    """
    in_bytes = {
        character: len(ids)
        for character in dict.fromkeys(text)
        if not character.isascii() and len(ids := pairs.encode(character)) > 1
    }
    return Prompt(tuple(pairs.encode(text)), text, {}, (), in_bytes)


LOOK_ALIKES = {
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{EM DASH}": "--",
}
LOOK_ALIKES |= {"\N{EN DASH}": "-", "\N{HORIZONTAL ELLIPSIS}": "...", '"': "'", "\t": " ", "(": ",", ")": ","}
LOOK_ALIKES |= {"\N{LEFT DOUBLE QUOTATION MARK}": "'", "\N{RIGHT DOUBLE QUOTATION MARK}": "'", "\r": ""}


def encode_characters(vocabulary: Sequence[str], text: str) -> Prompt:
    """Return a text in a vocabulary of characters: an accent is dropped, a curly quote made straight.

    >>> prompt = encode_characters(("a", "e", "'"), "\u00e9\u2019a7")
    >>> prompt.text, prompt.replaced == {"\u00e9": "e", "\u2019": "'"}, prompt.left_out
    ("e'a", True, ('7',))
    """
    place = {character: i for i, character in enumerate(vocabulary)}
    stands_for = {character: stand_in(character, place) for character in dict.fromkeys(text)}
    read = text.translate(str.maketrans(stands_for))
    replaced = {old: new for old, new in stands_for.items() if new and old != new}
    left_out = tuple(old for old, new in stands_for.items() if not new)
    return Prompt(tuple(map(place.__getitem__, read)), read, replaced, left_out)


def stand_in(character: str, known: Container[str]) -> str:
    """Return the known characters that stand for a character: itself, a look-alike, its letter, or none."""
    if character in known:
        return character
    alike = LOOK_ALIKES.get(character) or unicodedata.normalize("NFKD", character)
    return "".join(part for part in alike if part in known)
