"""Beam search over many sentences at once, and whose fault a wrong translation is: the search's or the model's.

search error     a wrong translation whose reference has a larger p(y | x): the search has missed it
model error      a wrong translation that has a larger p(y | x) than its reference: no search helps

Source: Stahlberg and Byrne (2019), On NMT Search Errors and Model Errors: Cat Got Your Tongue?
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from core.models.translation.fit_translation import encoded_pairs, pad_sentences
from core.models.translation.seq2seq import END, PADDING, START, Seq2Seq
from core.models.translation.translate import Translator
from core.text.grammar.pairs import Pair

RUNS = Path(__file__).resolve().parents[3] / "assets" / "runs" / "translation_searches.json"
ROUNDING = 1e-3  # nats: the same text scored in another batch comes out a little different in float32


@torch.inference_mode()
def beam_all(
    model: Seq2Seq, source: Tensor, width: int, limit: int = 60
) -> tuple[list[list[int]], np.ndarray]:
    """Return the best translation that a beam finds of each of many sentences, ids (B, S), and its ln p, (B,).

    The same search as `beam`, of all sentences at once: each has `width` rows of the batch.
    """
    B, vocabulary = len(source), model.config.target_words
    encoded = model.encode(source.repeat_interleave(width, 0))  # B * width rows
    state, previous = model.first_state(encoded), torch.full((B * width, 1), START)
    total = torch.full((B, width), -torch.inf)
    total[:, 0] = 0.0  # at first all rows of a sentence are the same one
    words, ended = torch.empty(B, width, 0, dtype=torch.long), torch.zeros(B, width, dtype=torch.bool)
    only_end = torch.full((vocabulary,), -torch.inf).index_fill(0, torch.tensor(END), 0.0)
    while words.shape[2] < limit and not ended.all():
        step = model.decode(previous, state, encoded)
        log_p = step.logits[:, 0].log_softmax(-1).view(B, width, vocabulary)
        log_p = torch.where(ended.unsqueeze(2), only_end, log_p)
        total, place = (total.unsqueeze(2) + log_p).flatten(1).topk(width)  # B, width
        parent, word = place // vocabulary, place % vocabulary
        words = torch.cat(
            (words.gather(1, parent.unsqueeze(2).expand(-1, -1, words.shape[2])), word.unsqueeze(2)), 2
        )
        ended = word == END
        rows = (torch.arange(B).unsqueeze(1) * width + parent).flatten()
        state, previous = step.state[:, 0][rows], word.view(-1, 1)
    return words[:, 0].tolist(), total[:, 0].numpy()


@dataclass(frozen=True)
class Searched:
    """What a search finds for N pairs: each translation, its ln p (N,), and whether it is the reference (N,)."""

    texts: tuple[tuple[str, ...], ...]
    log_probabilities: np.ndarray
    right: np.ndarray


@torch.inference_mode()
def search_all(translator: Translator, pairs: Sequence[Pair], width: int) -> Searched:
    """Return what a beam of some width finds for each pair; a width of 1 is greedy search."""
    sources, _ = encoded_pairs(pairs, translator.source, translator.target)
    words, ln_p = beam_all(translator.model, pad_sentences(sources), width)
    texts = tuple(tuple(translator.target.decode(each)) for each in words)
    right = [text == pair.target for text, pair in zip(texts, pairs, strict=True)]
    return Searched(texts, ln_p, np.array(right))


@torch.inference_mode()
def reference_log_probabilities(translator: Translator, pairs: Sequence[Pair]) -> np.ndarray:
    """Return ln p of each pair's right translation, <end> included, (N,)."""
    sources, targets = (
        pad_sentences(ids) for ids in encoded_pairs(pairs, translator.source, translator.target)
    )
    previous = torch.cat((torch.full((len(targets), 1), START), targets[:, :-1]), 1)
    ln_p = translator.model(sources, previous).logits.log_softmax(-1)
    ln_p = ln_p.gather(2, targets.unsqueeze(2)).squeeze(2)  # N, T
    return ln_p.masked_fill(targets == PADDING, 0.0).sum(1).numpy()


@dataclass(frozen=True)
class SearchRun:
    """A recorded search over N held-out sentences of a translator, all arrays (N,).

    ln p of each translation and of its reference, whether both are the same, how many words it has, <end> included, and
    whether greedy search writes another one.
    """

    log_probabilities: np.ndarray
    references: np.ndarray
    right: np.ndarray
    words: np.ndarray
    changed: np.ndarray

    @property
    def search_errors(self) -> int:
        """How many wrong translations are less probable than their reference."""
        return int((~self.right & (self.references > self.log_probabilities + ROUNDING)).sum())

    @property
    def mean_probability(self) -> float:
        """The geometric mean of the probabilities of all words that were written."""
        return float(np.exp(self.log_probabilities.sum() / self.words.sum()))


@cache
def recorded_search(name: str, width: int) -> SearchRun:
    """Return the recorded search of a stored translator with a beam of some width; 1 is greedy search."""
    run = json.loads(RUNS.read_text(encoding="utf-8"))[name]
    arrays = {key: np.array(each) for key, each in run[str(width)].items()}
    return SearchRun(
        arrays["ln_p"],
        np.array(run["references"]),
        arrays["right"].astype(bool),
        arrays["words"],
        arrays["changed"].astype(bool),
    )
