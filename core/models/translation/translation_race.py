"""A race: one sentence through translators that differ in the score of their attention alone.

Multiplications for all scores of T output words over S input words, H numbers a state, where W_a h̄_s, W_a h_t and
U_a h̄_s are each computed once:

    dot        T S H
    general    S H² + T S H
    additive   T H² + S H² + T S H         and T S H times tanh
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch

from core.models.translation.fit_translation import encoded_pairs, pad_sentences
from core.models.translation.seq2seq import END, START, Seq2Seq
from core.models.translation.translate import Translation, Translator, greedy, rescored
from core.text.grammar.pairs import Pair
from core.text.tokenization.word_differences import first_difference

SAMPLES = 2000  # of the sentences, to compare two models' alignment errors
FOLDER = Path(__file__).resolve().parents[3] / "assets" / "runs"
RUNS, RARE = FOLDER / "attention_scores.json", FOLDER / "rare_french_words.json"


@dataclass(frozen=True)
class GreedyTranslation:
    """One model's greedy translation: `words` without <end>, every step, and ln p of the reference if there is one."""

    words: tuple[str, ...]
    translation: Translation
    log_probability_of_reference: float | None

    @property
    def weights(self) -> np.ndarray | None:
        """The attention weights a (T, S), a row for <end> included; None without attention."""
        weights = self.translation.steps.weights
        return None if weights is None else weights[0].numpy()


def translate_and_score(
    translator: Translator, source: Sequence[str], reference: Sequence[str] | None = None
) -> GreedyTranslation:
    """Return how a model translates input words, and how likely it finds the reference."""
    ids = translator.source.encode(source)
    made = greedy(translator.model, ids)
    log_p = None
    if reference is not None:
        log_p = rescored(translator.model, ids, [*translator.target.encode(reference), END]).log_probability
    return GreedyTranslation(tuple(translator.target.decode(made.words)), made, log_p)


def encode_growing_text(
    text: str, read: Callable[[str], list[str]], pieces: int = 8, most: int = 60
) -> list[list[str]]:
    r"""Return what is read of a text's first line, of its first two, and so on; empty lines are skipped.

    So many `pieces` are read at most, and of each beginning at `most` so many words.

    >>> encode_growing_text("the cat\n\nsleeps", str.split)
    [['the', 'cat'], ['the', 'cat', 'sleeps']]
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()][:pieces]
    return [read(" ".join(lines[: i + 1]))[:most] for i in range(len(lines))]


def parting_row(source: Sequence[str], attends: GreedyTranslation, without: GreedyTranslation) -> dict:
    """Return a row on two models' translations of one sentence: what each writes, and at which word they part."""
    part = first_difference(without.words, attends.words)
    return {
        "words": len(source),
        "English": " ".join(source),
        "with attention": " ".join(attends.words),
        "without attention": " ".join(without.words),
        "part at word": None if part is None else part + 1,
        "ln p with": attends.translation.log_probability,
        "ln p without": without.translation.log_probability,
    }


def wrong_ones(runs: Mapping[str, GreedyTranslation], reference: Sequence[str]) -> list[str]:
    """Return the names of the models whose translation is not the reference word for word.

    >>> wrong_ones({}, ["le"])
    []
    """
    return [name for name, made in runs.items() if made.words != tuple(reference)]


def without_matrices(model: Seq2Seq) -> Seq2Seq:
    """Return the model with W_a = U_a = I in its score; a copy, and for dot, which has no matrix, an equal one.

    General then scores as dot does: h_t . h̄_s.

    >>> from core.models.translation.seq2seq import Seq2SeqConfig
    >>> without_matrices(Seq2Seq(Seq2SeqConfig(5, 5, 2, 2, "general"))).score.W_a.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    broken = deepcopy(model)
    for name, parameter in [] if broken.score is None else broken.score.named_parameters():
        if name in ("W_a", "U_a"):
            parameter.data = torch.eye(len(parameter))
    return broken


def score_multiplications(score: str, T: int, S: int, H: int) -> int:
    """Return how many multiplications all scores of a sentence take; none without attention.

    >>> [score_multiplications(score, 2, 3, 4) for score in ("dot", "general", "additive")]
    [24, 72, 104]
    """
    matrices = {"none": 0, "dot": 0, "general": S * H * H, "additive": (T + S) * H * H}
    return 0 if score == "none" else matrices[score] + T * S * H


@torch.inference_mode()
def favourites(translator: Translator, pairs: Sequence[Pair]) -> list[np.ndarray]:
    """Return for each pair the place of the input word with the largest weight at each word of the right translation.

    The model reads the right words, so that several models are compared at the same words.
    """
    sources, targets = (
        pad_sentences(ids) for ids in encoded_pairs(pairs, translator.source, translator.target)
    )
    previous = torch.cat((torch.full((len(targets), 1), START), targets[:, :-1]), 1)
    most = translator.model(sources, previous).weights.argmax(2).numpy()  # N, T
    return [row[: len(pair.target)] for row, pair in zip(most, pairs, strict=True)]


def attention_agreement(chosen: Sequence[Sequence[np.ndarray]]) -> tuple[int, int]:
    """Return at how many output words all models attend most to the same input word, and how many words there are.

    `chosen` are the favourites of each model.

    >>> attention_agreement([[np.array([0, 1])], [np.array([0, 2])]])
    (1, 2)
    """
    joined = np.stack([np.concatenate(list(each)) for each in chosen])  # models, words
    return int((joined == joined[0]).all(0).sum()), joined.shape[1]


@dataclass(frozen=True)
class ScoreRecord:
    """What was recorded of the translators: whether each of N held-out sentences is right, {score: (N,)}.

    `broken` is the same for the first sentences without the learned matrices; `agreed` of `words` output words have the
    same favourite under all scores. `harder` is the same as `right` for each harder test, {test: {score: (n,)}}, and
    `misaligned` has of each of its sentences how many words each score aligns wrongly, {test: {score: (n,)}}, of so many
    that are aligned, {test: (n,)}; the held-out sentences are one more of its tests, "usual".
    """

    right: Mapping[str, np.ndarray]
    broken: Mapping[str, np.ndarray]
    agreed: int
    words: int
    harder: Mapping[str, Mapping[str, np.ndarray]]
    misaligned: Mapping[str, Mapping[str, np.ndarray]]
    aligned: Mapping[str, np.ndarray]


@cache
def recorded_scores() -> ScoreRecord:
    """Return the record that core/training/attention_score_runs.py leaves."""
    run = json.loads(RUNS.read_text(encoding="utf-8"))
    right, broken = (
        {score: np.array(each, bool) for score, each in run[key].items()} for key in ("right", "broken")
    )
    harder = {
        test: {score: np.array(each, bool) for score, each in found.items()}
        for test, found in run["harder"].items()
    }
    misaligned = {
        test: {score: np.array(each) for score, each in found.items()}
        for test, found in run["misaligned"].items()
    }
    aligned = {test: np.array(each) for test, each in run["aligned"].items()}
    return ScoreRecord(right, broken, run["agreed"], run["words"], harder, misaligned, aligned)


@cache
def rare_words() -> dict[str, int]:
    """Return the French words that training had fewer than 100 times, and how often, as attention_score_runs counts them.

    >>> max(rare_words().values()) < 100
    True
    """
    return json.loads(RARE.read_text(encoding="utf-8"))


def misalignment_difference(
    one: np.ndarray, other: np.ndarray, aligned: np.ndarray, seed: int = 1
) -> tuple[float, float]:
    """Return the 95% interval of how much larger one model's alignment error is than another's on the same sentences.

    `one` and `other` are the words of each sentence that a model aligns wrongly, of `aligned` (N,). Sentences are drawn
    again with replacement.

    >>> misalignment_difference(np.array([1, 1]), np.array([0, 0]), np.array([2, 2]))
    (0.5, 0.5)
    """
    drawn = np.random.default_rng(seed).integers(len(aligned), size=(SAMPLES, len(aligned)))
    gaps = (one - other)[drawn].sum(1) / aligned[drawn].sum(1)
    low, high = np.quantile(gaps, (0.025, 0.975))
    return float(low), float(high)
