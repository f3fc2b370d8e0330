"""The shoot-out: five ways to word vectors on one text, each measured by the same tests.

    PPMI-SVD             counts every pair once, and decomposes the matrix
    CBOW, skip-gram      slide a window over the text, again and again
    fastText             the same, with the n-grams of each word
    GloVe                counts every pair once, and fits vectors to the logarithms of the counts

All have the same tokens, vocabulary, window and dimension. What is trained on a tenth of the text has every tenth
sentence, and the same settings, but a window reads it four times as often.

Sources: Levy, Goldberg and Dagan (2015), Improving Distributional Similarity with Lessons Learned from Word Embeddings;
Antoniak and Mimno (2018), Evaluating the Stability of Embedding-based Word Similarities.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from time import process_time

import numpy as np

from core.models.stored import load_card, load_json, load_weights
from core.models.training_error import TrainingError
from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.fasttext import FastText
from core.models.word_vectors.glove import Glove
from core.models.word_vectors.ppmi_svd import PpmiSvd
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.word_vectors import WordVectors
from core.text.tokenization.tokens import sentences, words

METHODS = ("PPMI-SVD", "CBOW", "skip-gram", "fastText", "GloVe")  # in the order of the course
COUNTING = ("PPMI-SVD", "GloVe")  # these read the text once
READ, FEWEST_EPOCHS, MOST_EPOCHS = (
    1_500_000,
    3,
    100,
)  # tokens that a sliding window reads, over all its epochs
TENTH_TIMES = 4  # as often as the whole, a tenth is read
KEPT = 10_000  # of the most frequent words, so that what is trained comes back quickly
MODEL = "shoot_out"  # where the recorded runs are stored
PARTS = ("whole", "tenth")


@dataclass(frozen=True)
class ShootOutSettings:
    """What all methods share, and how often a sliding window reads the text."""

    dimension: int = 50
    window: int = 5
    min_count: int = 2
    epochs: int = 5
    seed: int = 1


def epochs_for(tokens: int) -> int:
    """Return how often a text is read: a short one more often.

    >>> epochs_for(30), epochs_for(30_000), epochs_for(10**7)
    (100, 50, 3)
    """
    return int(np.clip(READ // max(1, tokens), FEWEST_EPOCHS, MOST_EPOCHS))


@dataclass(frozen=True, eq=False)
class Contender:
    """What a method has made of a text: its vectors, the seconds of one core, how many numbers it learnt.

    `examples` are what it learnt from: cells of the matrix of counts, or tokens around which a window was set, over all
    epochs, those left out by subsampling counted too.
    """

    method: str
    vectors: WordVectors
    seconds: float
    parameters: int
    examples: int


@dataclass(frozen=True)
class ShootOutProgress:
    """How far the shoot-out is: which method on which part, the share of it that is done, and what has just ended."""

    method: str
    part: str
    share: float
    ended: Contender | None = None

    @property
    def overall(self) -> float:
        """The share of everything that is done: the whole is ten times as long, and a tenth read TENTH_TIMES as often.

        >>> ShootOutProgress("PPMI-SVD", "tenth", 0.5).overall.__round__(4)
        0.7429
        """
        of_part, whole = (METHODS.index(self.method) + self.share) / len(METHODS), 10 / (10 + TENTH_TIMES)
        return of_part * whole if self.part == PARTS[0] else whole + of_part * (1 - whole)


Run = dict[str, tuple[Contender, ...]]  # by the part of the text: the whole, a tenth


def model_of(method: str, s: ShootOutSettings, tuned: Mapping[str, float] | None = None):
    """Return the method's model with the settings, not yet fitted; `tuned` are settings of its own.

    >>> model_of("GloVe", ShootOutSettings(window=3), {"x_max": 30}).x_max
    30
    """
    own = tuned or {}
    if method == "PPMI-SVD":
        return PpmiSvd(s.dimension, s.window, s.min_count, **own)
    if method == "GloVe":
        return Glove(s.dimension, s.window, min_count=s.min_count, seed=s.seed, **own)
    kind = {"CBOW": Cbow, "skip-gram": SkipGram, "fastText": FastText}[method]
    return kind(s.dimension, s.window, epochs=s.epochs, min_count=s.min_count, seed=s.seed, **own)


def fit_one(
    method: str,
    cut: Sequence[Sequence[str]],
    settings: ShootOutSettings,
    report: Callable[[float], bool | None],
    tuned: Mapping[str, float] | None = None,
) -> Contender | None:
    """Return what a method makes of tokenised sentences, None where `report` ended it early. Raises TrainingError.

    `tuned` are the method's own settings; without them it has those that it begins with.

    >>> fit_one("GloVe", [["a", "cat"], ["a", "dog"]], ShootOutSettings(4, min_count=1), lambda share: None).examples
    4
    """
    model, stopped = model_of(method, settings, tuned), []

    def passed_on(now) -> bool:
        if report(getattr(now, "share", now)) is False:
            stopped.append(True)
        return not stopped

    began = process_time()
    model.fit(cut, passed_on)
    if stopped:
        return None
    vectors = model.vectors_
    seconds = process_time() - began
    if method in COUNTING:
        return Contender(method, vectors, seconds, model.parameters, model.cells_)
    parameters = model.input_.size + model.output_.size
    return Contender(method, vectors, seconds, parameters, sum(model.vocabulary_.counts) * settings.epochs)


def tenth(cut: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return every tenth sentence.

    >>> tenth([["a"], *[["b"]] * 9, ["c"]])
    [['a'], ['c']]
    """
    return list(cut[::10])


def settings_of_tenth(settings: ShootOutSettings) -> ShootOutSettings:
    """Return the settings of a tenth: it is read more often, because it is short.

    >>> settings_of_tenth(ShootOutSettings(epochs=5)).epochs
    20
    """
    return replace(settings, epochs=TENTH_TIMES * settings.epochs)


def fit_each(
    report: Callable[[ShootOutProgress], bool | None],
    text: str | Sequence[Sequence[str]],
    settings: ShootOutSettings,
) -> Run | None:
    """Train all methods on a text, then on a tenth of it; return those that came to their end, None without any.

    For a worker process: `report` may end it early by returning False. Of a tenth in which too few words are left
    there is nothing. Raises TrainingError for a text that is too short as a whole.
    """
    cut = [words(sentence) for sentence in sentences(text)] if isinstance(text, str) else text
    run: Run = dict.fromkeys(PARTS, ())
    parts = ((cut, settings), (tenth(cut), settings_of_tenth(settings)))
    for part, (some, own) in zip(PARTS, parts, strict=True):
        for method in METHODS:
            try:
                made = fit_one(method, some, own, partial(_told, report, method, part))
            except TrainingError:
                if part == PARTS[0]:
                    raise
                return run
            if made is None:
                return run if run[PARTS[0]] else None
            made = replace(made, vectors=first_words(made.vectors))
            run[part] += (made,)
            report(ShootOutProgress(method, part, 1.0, made))
    return run


def _told(report: Callable, method: str, part: str, share: float) -> bool | None:
    return report(ShootOutProgress(method, part, share))


def first_words(vectors: WordVectors) -> WordVectors:
    """Return the most frequent words alone, KEPT at most."""
    return WordVectors(vectors.words[:KEPT], vectors.vectors[:KEPT])


@cache
def load_recorded_run(corpus: str) -> Run:
    """Return the recorded run on a corpus, "mix" or "world", as `python -m core.training shoot_out` stored it.

    >>> [each.method for each in load_recorded_run("world")["whole"]]
    ['PPMI-SVD', 'CBOW', 'skip-gram', 'fastText', 'GloVe']
    """
    weights, listed, costs = load_weights(MODEL), load_json(MODEL, "words"), load_json(MODEL, "costs")
    return {
        part: tuple(
            Contender(
                method,
                WordVectors(listed[corpus][part], weights[f"{corpus}_{part}_{method}"]),
                **costs[corpus][part][method],
            )
            for method in METHODS
        )
        for part in PARTS
    }


@cache
def recorded_text() -> str:
    """Return the digest of the text that was recorded beside the large corpus: the micro-world."""
    return next(each["sha256"] for name, each in load_card(MODEL).corpus.items() if name == "The micro-world")
