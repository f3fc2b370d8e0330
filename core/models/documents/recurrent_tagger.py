"""The two recurrent taggers stored in assets/models/two_directions: one reads from the left, one from both ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from core.models.documents.fit_reader import batch_equal_lengths
from core.models.documents.recurrent_reader import (
    ReaderConfig,
    RecurrentReader,
    RecurrentReading,
    read_pieces,
    softmax,
)
from core.models.documents.word_pieces import WordPieces
from core.models.stored import MODELS, load_json, load_weights
from core.models.stored_network import with_weights

STORED = "two_directions"
AHEAD, BOTH = "forward", "both"
DIRECTIONS = {AHEAD: 1, BOTH: 2}
BATCH = 256  # sentences side by side


@dataclass(frozen=True)
class RecurrentTagger:
    """A network with the pieces of words that it reads and the tags that it gives."""

    network: RecurrentReader
    pieces: WordPieces
    tags: tuple[str, ...]

    def read(self, words: Sequence[str]) -> RecurrentReading:
        """Return every state of reading a sentence of at least one word."""
        return read_pieces(self.network, self.pieces.of(words))

    @torch.no_grad()
    def tag_probabilities(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return p(tag) of every word, (n, K) for each sentence, many sentences at once, none of them empty."""
        found: list[np.ndarray] = [np.empty(0)] * len(sentences)
        for places in batch_equal_lengths([len(words) for words in sentences], BATCH, seed=0):
            pieces = [self.pieces.of(sentences[i]) for i in places]
            for i, logits in zip(places, self.network(torch.stack(pieces)).numpy(), strict=True):
                found[i] = softmax(logits)
        return found


def load_recurrent_tagger(name: str, folder: Path = MODELS) -> RecurrentTagger:
    """Return one of the stored taggers, AHEAD or BOTH, ready to read."""
    shape, pieces = load_json(STORED, "shape", folder), load_json(STORED, "pieces", folder)
    return recurrent_tagger(load_weights(STORED, folder), shape, DIRECTIONS[name], pieces, f"{name}.")


def recurrent_tagger(
    weights: dict, shape: dict, directions: int, pieces: Sequence[str], prefix: str = ""
) -> RecurrentTagger:
    """Return a tagger of stored weights whose names begin with `prefix`; `shape` has tags, longest, width, units."""
    tags = tuple(shape["tags"])
    config = ReaderConfig(len(pieces), len(tags), False, directions, shape["width"], shape["units"])
    network = with_weights(RecurrentReader(config), weights, prefix)
    return RecurrentTagger(network, WordPieces(tuple(pieces), shape["longest"]), tags)
