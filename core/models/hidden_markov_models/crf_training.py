"""The weights of a conditional random field by the exact gradient: observed minus expected counts.

    loss     = -sum over sentences of (s(y, x) - ln Z(x)) + c/2 |w|^2
    gradient = expected counts of each feature under p(y | x) - observed counts + c w

Expected counts come from the forward and backward sums of all sentences side by side. The sentences stand in order of
falling length and their words in order of place, so that the words at place t are neighbouring rows. Probabilities are
rescaled at every word, which is ln Z in pieces.

Source: Sutton and McCallum, An introduction to conditional random fields (2012), sections 4 and 5; Rabiner (1989) on
scaling; Nocedal (1980), L-BFGS.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from core.models.hidden_markov_models.crf import ConditionalRandomField, kind_of, word_features

Tagged = Sequence[tuple[str, str]]
KINDS = ("word", "suffix", "capital", "digit", "hyphen", "first", "last", "before", "after")


@dataclass(frozen=True)
class TaggedRows:
    """Sentences as the sums read them: the words at place 0 of all sentences, then those at place 1, and so on."""

    features: tuple[str, ...]
    states: tuple[str, ...]
    held: csr_matrix  # (N, F) 1 where a feature holds at a word
    tags: np.ndarray  # (N,)
    running: np.ndarray  # (n,) sentences that have a word at each place
    order: tuple[int, ...]  # which sentence stands in each column

    @property
    def starts(self) -> np.ndarray:
        """The first row of each place, (n + 1,)."""
        return np.concatenate([[0], np.cumsum(self.running)])


def list_features(
    sentences: Iterable[Tagged], kinds: Sequence[str] = KINDS, least: int = 1
) -> tuple[str, ...]:
    """Return the features of some kinds that hold at `least` words, in alphabetical order.

    >>> list_features([[("a", "X"), ("b", "Y")]], ("word", "first"))
    ('first', 'word=a', 'word=b')
    """
    found: Counter[str] = Counter()
    for sentence in sentences:
        words = [word for word, _ in sentence]
        for t in range(len(words)):
            found.update(word_features(words, t))
    return tuple(sorted(name for name, n in found.items() if n >= least and kind_of(name) in kinds))


def lay_out(sentences: Sequence[Tagged], states: Sequence[str], features: Sequence[str]) -> TaggedRows:
    """Return tagged sentences as rows; raises ValueError when there is no word.

    >>> rows = lay_out([[("a", "X")], [("b", "Y"), ("a", "X")]], ("X", "Y"), ("word=a", "word=b"))
    >>> rows.held.toarray().astype(int).tolist(), rows.tags.tolist(), rows.running.tolist(), rows.order
    ([[0, 1], [1, 0], [1, 0]], [1, 0, 0], [2, 1], (1, 0))
    """
    order = sorted((i for i, each in enumerate(sentences) if each), key=lambda i: -len(sentences[i]))
    if not order:
        raise ValueError("There is no tagged sentence to learn from: give at least one.")
    row_of, state_of = ({name: i for i, name in enumerate(names)} for names in (features, states))
    texts = [[word for word, _ in sentences[i]] for i in order]
    columns, ends, tags, running = [], [0], [], []
    for t in range(len(texts[0])):
        going_on = [column for column, words in enumerate(texts) if len(words) > t]
        running.append(len(going_on))
        for column in going_on:
            columns += [row_of[name] for name in word_features(texts[column], t) if name in row_of]
            ends.append(len(columns))
            tags.append(state_of[sentences[order[column]][t][1]])
    held = csr_matrix((np.ones(len(columns)), columns, ends), (len(tags), len(features)))
    return TaggedRows(tuple(features), tuple(states), held, np.array(tags), np.array(running), tuple(order))


@dataclass(frozen=True)
class Expected:
    """What the sums over all paths give: ln Z of all sentences together, and expected counts of tags and of steps."""

    log_partition: float
    tags: np.ndarray  # (N, K) p(y_t = j | x)
    steps: np.ndarray  # (K, K) of all sentences together


def expect_paths(scores: np.ndarray, steps: np.ndarray, rows: TaggedRows) -> Expected:
    """Return the expected counts of the conditional random field, whose sentences are normalised whole."""
    starts, n = rows.starts, len(rows.running)
    largest, highest = scores.max(axis=1), steps.max()
    word, step = np.exp(scores - largest[:, None]), np.exp(steps - highest)  # (N, K), (K, K)
    alpha, scale = np.empty_like(word), np.empty(len(word))
    for t in range(n):
        here = slice(starts[t], starts[t + 1])
        alpha[here] = word[here]
        if t:
            alpha[here] *= alpha[starts[t - 1] : starts[t - 1] + rows.running[t]] @ step
        scale[here] = alpha[here].sum(axis=1)
        alpha[here] /= scale[here, None]
    beta, expected = np.ones_like(word), np.zeros_like(step)
    for t in range(n - 1, 0, -1):
        here = slice(starts[t], starts[t + 1])
        before = slice(starts[t - 1], starts[t - 1] + rows.running[t])
        arriving = word[here] * beta[here] / scale[here, None]
        beta[before] = arriving @ step.T
        expected += alpha[before].T @ arriving
    log_partition = np.log(scale).sum() + largest.sum() + highest * (len(scores) - rows.running[0])
    return Expected(float(log_partition), alpha * beta, expected * step)


def expect_steps(scores: np.ndarray, steps: np.ndarray, rows: TaggedRows) -> Expected:
    """Return those of the MEMM: each word is normalised by itself, given the true tag before it."""
    starts, n = rows.starts, len(rows.running)
    given = scores.copy()
    before = np.concatenate(
        [np.arange(starts[t - 1], starts[t - 1] + rows.running[t]) for t in range(1, n)] or [[]]
    ).astype(int)
    given[starts[1] :] += steps[rows.tags[before]]
    log_partition = np.logaddexp.reduce(given, axis=1)
    tags = np.exp(given - log_partition[:, None])
    expected = np.zeros_like(steps)
    np.add.at(expected, rows.tags[before], tags[starts[1] :])
    return Expected(float(log_partition.sum()), tags, expected)


Expect = Callable[[np.ndarray, np.ndarray, TaggedRows], Expected]


def count_observed(rows: TaggedRows) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each feature held with each tag (F, K), and each tag followed each other (K, K)."""
    K, starts = len(rows.states), rows.starts
    tagged = np.eye(K)[rows.tags]
    steps = np.zeros((K, K))
    for t in range(1, len(rows.running)):
        before = rows.tags[starts[t - 1] : starts[t - 1] + rows.running[t]]
        np.add.at(steps, (before, rows.tags[starts[t] : starts[t + 1]]), 1)
    return rows.held.T @ tagged, steps


def loss_and_gradient(
    weights: np.ndarray,
    steps: np.ndarray,
    rows: TaggedRows,
    penalty: float,
    expect: Expect = expect_paths,
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return -ln p(tags | words) + penalty/2 |w|^2, and its gradient for weights (F, K) and steps (K, K).

    >>> rows = lay_out([[("a", "X")]], ("X", "Y"), ("word=a",))
    >>> loss, gradient, _ = loss_and_gradient(np.zeros((1, 2)), np.zeros((2, 2)), rows, 1.0)
    >>> round(loss, 3), gradient.tolist()  # ln 2; expected 0.5 each, observed 1 and 0
    (0.693, [[-0.5, 0.5]])
    """
    observed, observed_steps = count_observed(rows)
    scores = rows.held @ weights  # (N, K)
    found = expect(scores, steps, rows)
    allowed = np.isfinite(steps)
    finite = np.where(allowed, steps, 0)
    score = (observed * weights).sum() + (observed_steps * finite).sum()
    loss = found.log_partition - score + penalty / 2 * ((weights**2).sum() + (finite**2).sum())
    gradient = rows.held.T @ found.tags - observed + penalty * weights
    return float(loss), gradient, np.where(allowed, found.steps - observed_steps + penalty * finite, 0)


@dataclass(frozen=True)
class Fit:
    """Trained weights, and the loss after each iteration of L-BFGS, the first before any."""

    crf: ConditionalRandomField
    losses: tuple[float, ...]


def fit_crf(
    rows: TaggedRows,
    penalty: float = 1.0,
    iterations: int = 100,
    expect: Expect = expect_paths,
    allowed: np.ndarray | None = None,
    report: Callable[[int, float], None] = lambda done, loss: None,
) -> Fit:
    """Return the model whose loss L-BFGS has lowered for so many iterations, from weights of 0.

    Where `allowed` (K, K) is false, the step's score is -inf and stays so.

    >>> sentence = [("a", "X"), ("b", "Y")]
    >>> rows = lay_out([sentence], ("X", "Y"), list_features([sentence], ("word",)))
    >>> fit = fit_crf(rows, penalty=0.1)
    >>> fit.losses[-1] < fit.losses[0], fit.crf.weights.round(2).tolist()
    (True, [[0.65, -0.65], [-0.65, 0.65]])
    """
    F, K = len(rows.features), len(rows.states)
    barred = np.zeros((K, K)) if allowed is None else np.where(allowed, 0, -np.inf)
    losses: list[float] = []

    def split(vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return vector[: F * K].reshape(F, K), vector[F * K :].reshape(K, K) + barred

    def objective(vector: np.ndarray) -> tuple[float, np.ndarray]:
        loss, *gradients = loss_and_gradient(*split(vector), rows, penalty, expect)
        if not losses:
            losses.append(loss)
        return loss, np.concatenate([each.ravel() for each in gradients])

    def note(intermediate_result) -> None:
        losses.append(float(intermediate_result.fun))
        report(len(losses) - 1, losses[-1])

    zeros = np.zeros(F * K + K * K)
    found = zeros
    if iterations:
        options = {"maxiter": iterations, "maxcor": 10, "ftol": 1e-9, "gtol": 1e-6}
        found = minimize(objective, zeros, jac=True, method="L-BFGS-B", callback=note, options=options).x
    else:
        objective(zeros)
    weights, steps = split(found)
    return Fit(ConditionalRandomField(rows.states, rows.features, weights, steps), tuple(losses))
