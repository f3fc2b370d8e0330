"""One text, every model of the course: n-grams, a feed-forward network, RNN, GRU, LSTM and GPT on the same task.

    bits a character = -1/N sum_i log2 p(c_i | c_1 .. c_i-1)

    the text            training characters, the first nine tenths | held-out characters, the last tenth's new lines
    the n-grams         are counted on the training characters, all in one pass
    the networks        read the very same windows of them, in the same order: steps * 16 * 64 characters each

All have one vocabulary, the characters of the whole text. One that stands only in the held-out part is therefore
never impossible: an n-gram leaves it a share of what its discounts take off, a network never gives exactly 0.

Sources: Shannon (1951), Prediction and entropy of printed English; Bengio et al. (2003), who first held a network
against n-grams in this way.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.models.generation.character_fit import CharacterProgress
from core.models.generation.character_split import (
    MEASURED,
    hold_out,
    lines_of,
    measured_loss,
    parts,
    start_of,
    vocabulary_of,
)
from core.models.generation.fit_characters import CharacterConfig, fit_characters
from core.models.language_model import bits
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.stored_language_models import CountedLanguageModel
from core.text.tokenization.vocabulary import Vocabulary

RUNS = Path(__file__).resolve().parents[3] / "assets" / "runs" / "one_text.json"
SEED_RUNS = RUNS.with_name("one_text_seeds.json")  # one text again, from other random initializations
READ_AT_MOST = 200_000  # characters, so that all n-grams are counted while a page opens
ORDERS = range(1, 7)
STEPS, SEED = 800, 1  # of the recorded runs, and where the lesson opens
NETWORKS = {  # in the order of the course: what each is, and what is not as it is in fit_characters
    "feed-forward": ("feed-forward", {"context": 8}),
    "RNN": ("recurrent", {"cell": "rnn"}),
    "GRU": ("recurrent", {"cell": "gru"}),
    "LSTM": ("recurrent", {"cell": "lstm"}),
    "GPT": ("gpt", {"context": 64}),
}


@dataclass(frozen=True)
class BoardScore:
    """One model on one text: mean -ln p on the first 4,000 characters of either part, and what the model cost.

    `seconds` are those that one core was busy with counting, or with training and measuring twice; `size` is how many
    numbers the model keeps, parameters or counts; `characters` is how many it read in training, those read twice
    counted twice.
    """

    name: str
    training_loss: float
    held_out_loss: float
    seconds: float
    size: int
    characters: int

    @property
    def held_out_bits(self) -> float:
        """Bits a character on the held-out part.

        >>> round(BoardScore("coin", 1.0, 2.0, 0.1, 1, 10).held_out_bits, 3)
        2.885
        """
        return float(bits(-self.held_out_loss))

    @property
    def training_bits(self) -> float:
        """Bits a character on the part that it was trained on.

        >>> round(BoardScore("coin", 1.0, 2.0, 0.1, 1, 10).training_bits, 3)
        1.443
        """
        return float(bits(-self.training_loss))

    @property
    def too_good(self) -> float:
        """How many bits fewer it needs on the part that it was trained on, of the two as they are shown.

        >>> round(BoardScore("coin", 1.0, 2.0, 0.1, 1, 10).too_good, 2)
        1.45
        """
        return shown_gap(self.held_out_bits, self.training_bits)


@dataclass(frozen=True)
class BoardProgress:
    """How far the networks are: which one is on its way, and the scores of those that are done."""

    network: str
    step: int
    steps: int
    seconds_left: float
    done: tuple[BoardScore, ...]


@dataclass(frozen=True)
class BoardText:
    """The two parts of a text as they are measured: how many characters each has, and which are not alike.

    `measured` is how many of the held-out characters are read; `repeated` of the last tenth's `lines`, with `dropped`
    characters, are lines of the training part and are not held out; `new` are the kinds of character among those read
    that training never showed; `unknown` is the share of the whole text too rare to be told apart.
    """

    training: int
    held_out: int
    measured: int
    kinds: int
    new: tuple[str, ...]
    unknown: float
    lines: int = 0
    repeated: int = 0
    dropped: int = 0

    @property
    def guessing_bits(self) -> float:
        """What a character costs that is guessed blindly among all kinds, log2 of how many there are, in bits.

        >>> BoardText(90, 10, 10, 32, (), 0.0).guessing_bits
        5.0
        """
        return math.log2(self.kinds)


def board_text(text: str) -> BoardText:
    """Return what is held out of a text. Raises TrainingError where there is too little in it.

    >>> board_text("ab" * 140 + "abc" * 7).new, board_text("ab" * 140 + "abc" * 7).held_out
    (('c',), 31)
    """
    vocabulary, found = vocabulary_of(text), hold_out(text)
    training, held_out = found.encode(vocabulary)
    read = held_out[:MEASURED]
    new = sorted(set(read.tolist()) - set(training.tolist()))
    return BoardText(
        len(training),
        len(held_out),
        len(read),
        sum(count > 0 for count in vocabulary.counts),
        tuple(vocabulary.types[i] for i in new),
        vocabulary.counts[0] / len(text),
        found.lines,
        found.repeated,
        found.dropped,
    )


def seen_lines(text: str) -> tuple[tuple[str, bool], ...]:
    """Return whole lines that the last tenth begins with, and whether each is a line of the training part too.

    >>> seen_lines("a cat sat on the mat\\n" * 90 + "a dog sat\\n" * 2)[-3:]
    (('a cat sat on the mat', True), ('a dog sat', False), ('a dog sat', False))
    """
    cut = int(0.9 * len(text))
    known = lines_of(text[:cut])
    last = text[cut : cut + MEASURED].split("\n")[1:-1]
    return tuple((line, line in known) for line in last if line.strip())


def seen_share(lines: Sequence[tuple[str, bool]]) -> float:
    """Return the share of the lines' characters that are in lines seen in training.

    >>> seen_share((("abc", True), ("x", False)))
    0.75
    """
    return sum(len(line) for line, seen in lines if seen) / sum(len(line) for line, _ in lines)


def ngram_bits(text: str, n: int, repeated: bool = False) -> np.ndarray:
    """Return the surprisal of each measured character under the n-gram of one order, in bits, (N,).

    `repeated`: measured are the lines that are not held out, because they are lines of the training part too.

    >>> round(float(ngram_bits("aab" * 400, 3).mean()), 2)
    0.01
    """
    vocabulary = vocabulary_of(text)
    training, held_out = hold_out(text).encode(vocabulary)
    if repeated:
        held_out = vocabulary.encode("\n".join(line for line, seen in seen_lines(text) if seen))
    model = CountedLanguageModel(
        kneser_ney(count_ngrams(training, vocabulary.types, n), n), start_of(vocabulary.types)
    )
    return bits(model.token_log_probabilities(held_out[:MEASURED].tolist()))


def count_each(text: str, orders: Sequence[int] = ORDERS) -> tuple[BoardScore, ...]:
    """Return the scores of modified Kneser-Ney n-grams, one for each n. Raises TrainingError for too little text.

    >>> [round(score.held_out_bits, 2) for score in count_each("aab" * 400, (1, 2, 3))]
    [0.92, 0.67, 0.01]
    """
    vocabulary = vocabulary_of(text)
    both = hold_out(text).encode(vocabulary)
    return tuple(score_ngram_order(vocabulary, *both, n) for n in orders)


def score_ngram_order(
    vocabulary: Vocabulary, training: np.ndarray, held_out: np.ndarray, n: int
) -> BoardScore:
    """Return the score of the n-gram of one order, counted by itself so that its seconds are its own."""
    began = time.thread_time()
    ngram = kneser_ney(count_ngrams(training, vocabulary.types, n), n)
    seconds = time.thread_time() - began
    model = CountedLanguageModel(ngram, start_of(vocabulary.types))
    losses = (measured_loss(model, part) for part in (training, held_out))
    return BoardScore(f"{n}-gram", *losses, seconds, model.parameters, len(training))


def settings(name: str, steps: int, seed: int) -> CharacterConfig:
    """Return how a network is trained: the same windows for each, and nothing written on the way.

    >>> settings("GRU", 400, 1).batch * settings("GRU", 400, 1).window
    1024
    """
    network, shape = NETWORKS[name]
    return CharacterConfig(network, shape, steps, seed=seed, sample_length=1, snapshots=1)


def fit_networks(
    report: Callable[[BoardProgress], bool | None], text: str, steps: int = STEPS, seed: int = SEED
) -> tuple[BoardScore, ...] | None:
    """Train one network after the other and return the scores of those that took all their steps, None without any.

    For a worker process: `report` is called twice a second, and training ends early when it returns False; a network
    that is then on its way is left out, for it has read less than the others. Raises TrainingError for too little text.
    """
    done: list[BoardScore] = []
    for name in NETWORKS:
        score = fit_network(report, name, text, settings(name, steps, seed), tuple(done))
        if score is None:
            break
        done.append(score)
    return tuple(done) or None


def fit_network(
    report: Callable, name: str, text: str, config: CharacterConfig, done: tuple[BoardScore, ...]
) -> BoardScore | None:
    """Train one network and return its score, None where it did not come to its end."""

    def passed_on(now: CharacterProgress) -> bool | None:
        return report(BoardProgress(name, now.step, now.steps, now.seconds_left, done))

    began = time.process_time()
    fit = fit_characters(passed_on, text, config)
    seconds, last = time.process_time() - began, fit.snapshots[-1]
    if last.step < last.steps:
        return None
    window = min(config.window, len(parts(np.empty(len(text), np.int8))[0]) // 2)
    characters = config.steps * config.batch * window
    return BoardScore(name, last.loss, last.held_out_loss, seconds, fit.parameters, characters)


@dataclass(frozen=True)
class BoardRun:
    """A training of all networks: on which text, with which settings, and what came of it."""

    text: str
    steps: int
    seed: int
    networks: tuple[BoardScore, ...]


@dataclass(frozen=True)
class OneTextBoard:
    """What is known of a text: its parts, the n-grams' scores, and the networks' run if there is one.

    `recorded` says that the run was there before the learner came.
    """

    text: BoardText
    ngrams: tuple[BoardScore, ...]
    run: BoardRun | None = None
    recorded: bool = True

    @property
    def networks(self) -> tuple[BoardScore, ...]:
        """The networks' scores, none before a training."""
        return self.run.networks if self.run else ()

    @property
    def scores(self) -> tuple[BoardScore, ...]:
        """All scores in the course's order."""
        return self.ngrams + self.networks

    @property
    def winner(self) -> BoardScore:
        """The model that reads the held-out part best."""
        return best(self.scores)

    @property
    def winner_when_seen(self) -> BoardScore:
        """The model that reads the part that it was trained on best, the first of equals."""
        return min(self.scores, key=lambda each: each.training_bits)

    @property
    def most_flattered(self) -> BoardScore:
        """The model that looks better than it is by most, on the part that it was trained on."""
        return max(self.scores, key=lambda each: each.too_good)


def best(scores: Sequence[BoardScore]) -> BoardScore:
    """Return the model that reads the held-out part best, the first of equals."""
    return min(scores, key=lambda each: each.held_out_bits)


def shown_gap(more: float, fewer: float) -> float:
    """Return the difference of two numbers of bits as they are shown, with two places.

    >>> round(shown_gap(0.6249, 0.4351), 4)
    0.18
    """
    return round(more, 2) - round(fewer, 2)


@cache
def recorded_boards() -> dict[str, BoardRun]:
    """Return the recorded runs by the digest of their text, as `python -m core.training.one_text_runs` wrote them."""
    return {key: board_run(run) for key, run in json.loads(RUNS.read_text(encoding="utf-8")).items()}


@cache
def recorded_seeds() -> tuple[BoardRun, ...]:
    """Return the recorded runs of one text from other random initializations, written by the same program."""
    return tuple(board_run(run) for run in json.loads(SEED_RUNS.read_text(encoding="utf-8")))


def board_run(run: dict) -> BoardRun:
    """Return a run as it was written."""
    return BoardRun(**{**run, "networks": tuple(BoardScore(**score) for score in run["networks"])})
