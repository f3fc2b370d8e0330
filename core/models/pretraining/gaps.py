"""Hidden words, guessed from both sides or from the left alone.

    both sides    p(x_t | x_1 .. <mask> .. x_T)        <mask> at every hidden place, all gaps at once
    the left      p(x_t | x_1 .. x_(t-1))              the text so far; at an earlier gap, the model's own best guess

The first is a masked model's question, the second a causal one's: its mask of weights hides all that follows, so what
stands after a gap cannot move its answer. A word of several byte pairs is several gaps, and each of them is guessed
without knowing what was put into the others.

Source: Devlin, Chang, Lee and Toutanova (2019), BERT: Pre-training of Deep Bidirectional Transformers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from core.models.neural_language_model import NeuralLanguageModel, log_softmax
from core.models.self_attention.masked_language_model import MaskedLanguageModel
from core.models.tokens.byte_pairs import PIECES, BytePairs


@dataclass(frozen=True)
class TokenisedWord:
    """A word as byte pairs cut a text, with the space before it: its tokens are `start` to `stop` - 1."""

    text: str
    start: int
    stop: int


def group_tokens_by_word(pairs: BytePairs, text: str, T: int) -> list[TokenisedWord]:
    """Return the words of a text's first T tokens; punctuation and white space are words of their own.

    >>> [(word.text, word.start, word.stop) for word in group_tokens_by_word(BytePairs(()), "ab c.", 5)]
    [('ab', 0, 2), (' c', 2, 4), ('.', 4, 5)]
    """
    words, start = [], 0
    for piece in PIECES.findall(text):
        if start >= T:
            break
        stop = min(T, start + len(pairs.encode(piece)))
        words.append(TokenisedWord(piece, start, stop))
        start = stop
    return words


def hidden_words(written: str, words: Sequence[TokenisedWord]) -> list[int]:
    """Return the places of the words whose numbers, from 1, are written; if the text has none of them, its longest word's.

    >>> words = [TokenisedWord("The", 0, 1), TokenisedWord(" king", 1, 2)]
    >>> hidden_words("1", words), hidden_words("7", words), hidden_words("", words)
    ([0], [1], [])
    """
    numbers = {int(each) - 1 for each in written.replace(",", " ").split() if each.isdecimal()}
    found = sorted(number for number in numbers if 0 <= number < len(words))
    if found or not words or not written.strip():
        return found
    return [max(range(len(words)), key=lambda place: len(words[place].text))]


def hidden_token_places(words: Sequence[TokenisedWord], hidden: Iterable[int]) -> tuple[int, ...]:
    """Return the places of the hidden words' tokens.

    >>> hidden_token_places([TokenisedWord("The", 0, 1), TokenisedWord(" river", 1, 3)], [1])
    (1, 2)
    """
    return tuple(t for place in hidden for t in range(words[place].start, words[place].stop))


@dataclass(frozen=True)
class Filled:
    """What a model says of n gaps: their places and the hidden tokens (n,), and ln p of every token there (n, V)."""

    places: np.ndarray
    hidden: np.ndarray
    ln_p: np.ndarray

    @property
    def ln_p_hidden(self) -> np.ndarray:
        """ln p of each hidden token, (n,)."""
        return self.ln_p[np.arange(len(self.hidden)), self.hidden]

    @cached_property
    def guesses(self) -> np.ndarray:
        """The likeliest token at each gap, (n,)."""
        return self.ln_p.argmax(axis=1)

    @cached_property
    def ranks(self) -> np.ndarray:
        """At which place the hidden token stands among all tokens, the likeliest first: 1 is guessed right, (n,)."""
        return 1 + (self.ln_p > self.ln_p_hidden[:, None]).sum(axis=1)

    @property
    def bits(self) -> np.ndarray:
        """-log2 p of each hidden token, (n,)."""
        return -self.ln_p_hidden / np.log(2)


@torch.inference_mode()
def from_both_sides(model: MaskedLanguageModel, ids: Sequence[int], places: Sequence[int]) -> Filled:
    """Return what a masked model says of the hidden `places` of ids (T,): one reading, <mask> at all of them."""
    where = np.array(places, dtype=int)
    shown = torch.tensor([list(ids)])  # (1, T)
    shown[0, where] = model.mask
    logits = model.network(shown)[0][0, where].double().numpy()  # (n, V + 1)
    return Filled(where, np.array(ids)[where], np.array([log_softmax(each) for each in logits]))


def from_the_left(model: NeuralLanguageModel, ids: Sequence[int], places: Sequence[int]) -> Filled:
    """Return what a causal model says of the same places; where a word is hidden it reads on with its own guess."""
    where, reading, ln_p = set(places), model.read(()), []
    for t, token in enumerate(ids[: max(places) + 1]):
        if t in where:
            ln_p.append(reading.log_probabilities)
            token = int(ln_p[-1].argmax())
        reading = reading.then(int(token))
    at = np.array(sorted(where), dtype=int)
    return Filled(at, np.array(ids)[at], np.array(ln_p))


@torch.inference_mode()
def next_after_all(model: NeuralLanguageModel, ids: Sequence[int], place: int) -> np.ndarray:
    """Return ln p of each token at a place, (V,), when the causal model is given all of ids (T,), what follows too."""
    logits, _ = model.network(torch.tensor([[model.start, *ids]]))
    return log_softmax(logits[0, place].double().numpy())
