"""A recurrent network as a classifier of documents, from the left or from both ends, trained on labelled documents.

Its state after the last word, and that of the other direction after the first, decide: see `RecurrentReader`. What a
state has come to at each word is `Reading.evidence`, which adds up to the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import numpy as np
import torch

from core.models.documents.bag_of_words import held_out_places
from core.models.documents.fit_reader import ReaderFitting, batch_equal_lengths, steps_an_epoch
from core.models.documents.recurrent_reader import (
    ReaderConfig,
    RecurrentReader,
    RecurrentReading,
    read_pieces,
    softmax,
)
from core.models.documents.recurrent_tagger import DIRECTIONS
from core.models.documents.word_pieces import WordPieces, learn_pieces
from core.models.fit_language_model import FitConfig
from core.models.stored import MODELS, load_json, load_weights
from core.models.stored_network import with_weights
from core.text.tokenization.tokens import words

STORED = "review_readers"
WORDS_READ = 60  # of a document: what comes after is not read
WIDTH, UNITS, BATCH, EPOCHS = 16, 32, 16, 10
STEPS_AT_MOST = 1500  # of each network: of many documents there are fewer epochs
RATES = {"muon_rate": 0.02, "adam_rate": 0.01, "warm_up": 20, "cool_down": 0.6}
Report = Callable[[object], bool]


@dataclass(frozen=True, eq=False)
class RecurrentClassifier:
    """A network with the words that it knows and its classes, and what it says of the documents held out (N, C)."""

    network: RecurrentReader
    pieces: WordPieces
    classes: tuple[str, ...]
    posteriors: np.ndarray

    def read(self, tokens: Sequence[str]) -> RecurrentReading:
        """Return every state of reading a document of at least one word."""
        return read_pieces(self.network, self.pieces.of(list(tokens)[:WORDS_READ]))


@dataclass(frozen=True)
class ClassifierProgress:
    """How far a training is: the network, its steps, the mean loss of the last ones."""

    network: str
    step: int
    steps: int
    loss: float


def truncate_document(text: str) -> list[str]:
    """Return a document's first words; of one without a word, the unknown one.

    >>> truncate_document("Not cheap, but sturdy!"), truncate_document("...")
    (['not', 'cheap', 'but', 'sturdy'], ['<unknown>'])
    """
    return words(text)[:WORDS_READ] or ["<unknown>"]


def fit_classifiers(
    report: Report, texts: Sequence[str], labels: Sequence[str], seed: int = 0
) -> dict[str, RecurrentClassifier]:
    """Return the classifier from the left and the one from both ends, trained on documents that are not held out.

    Held out are those of every lesson on documents. `report` is told the progress; where it returns False, training
    ends with what is learnt by then.
    """
    torch.set_num_threads(1)
    held = held_out_places(labels)
    classes, y = np.unique(np.asarray(labels), return_inverse=True)
    tokens = [truncate_document(text) for text in texts]
    pieces = learn_pieces((tokens[i] for i in np.flatnonzero(~held)), least=1, longest=0)
    rows = [pieces.of(each) for each in tokens]
    examples = [(rows[i], torch.tensor([int(y[i])])) for i in np.flatnonzero(~held)]
    steps = min(STEPS_AT_MOST, EPOCHS * steps_an_epoch([len(each) for each, _ in examples], BATCH))
    found = {}
    for name, directions in DIRECTIONS.items():
        torch.manual_seed(seed)
        config = ReaderConfig(len(pieces.names), len(classes), True, directions, WIDTH, UNITS)
        fitting = ReaderFitting(
            RecurrentReader(config), examples, FitConfig(steps, batch=BATCH, seed=seed, **RATES)
        )
        train_classifier(fitting, lambda *at, name=name: report(ClassifierProgress(name, *at)))
        network = fitting.model.eval()
        posteriors = class_probabilities(network, [rows[i] for i in np.flatnonzero(held)])
        found[name] = RecurrentClassifier(network, pieces, tuple(map(str, classes)), posteriors)
    return found


def train_classifier(fitting: ReaderFitting, report: Callable[[int, int, float], bool]) -> None:
    """Take all steps, telling some five times a second how far they are; end early where that returns False."""
    told, losses = monotonic(), []
    while not fitting.done:
        losses.append(fitting.step())
        if monotonic() - told > 0.2 or fitting.done:
            told = monotonic()
            if not report(fitting.step_count, fitting.config.steps, float(np.mean(losses[-50:]))):
                return


@torch.no_grad()
def class_probabilities(network: RecurrentReader, rows: Sequence[torch.Tensor]) -> np.ndarray:
    """Return p(class) of documents' pieces, (N, C), documents of one length at once."""
    p = np.empty((len(rows), network.config.classes))
    for places in batch_equal_lengths([len(each) for each in rows], 256, seed=0):
        p[places] = softmax(network(torch.stack([rows[i] for i in places])).double().numpy())
    return p


def load_review_classifiers(
    held_texts: Sequence[str], folder: Path = MODELS
) -> dict[str, RecurrentClassifier]:
    """Return the classifiers of the course's reviews as they are stored, with what they say of the held-out texts."""
    pieces = WordPieces(tuple(load_json(STORED, "pieces", folder)), longest=0)
    classes, weights = tuple(load_json(STORED, "classes", folder)), load_weights(STORED, folder)
    rows = [pieces.of(truncate_document(text)) for text in held_texts]
    found = {}
    for name, directions in DIRECTIONS.items():
        config = ReaderConfig(len(pieces.names), len(classes), True, directions, WIDTH, UNITS)
        network = with_weights(RecurrentReader(config), weights, f"{name}.")
        found[name] = RecurrentClassifier(network, pieces, classes, class_probabilities(network, rows))
    return found
