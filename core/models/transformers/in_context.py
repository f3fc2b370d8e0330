r"""Learning in the context: a small transformer reads examples of a rule and answers for one more word; no weight changes.

    x_1 y_1 x_2 y_2 ... x_n y_n x      words and labels in turn (core/models/transformers/rule_tasks.py)
    p(y | x_1 .. y_n, x)               softmax over the labels of the logits at the last word
    loss after n examples              -log2 p(the rule's label), in bits, mean over rules that training never drew
    score of a head                    its mean weight, from the query, on labels right after a word that has the query's
                                       letter at the deciding place

A head with a high score does what an induction head does, with one change: it does not need the same word, only the same
letter at the place that matters. The network is attention alone, as in core/models/transformers/copier.py.

Sources: Brown et al. (2020), Language Models are Few-Shot Learners; Olsson et al. (2022), In-context Learning and Induction
Heads; Min et al. (2022), Rethinking the Role of Demonstrations; Lu et al. (2022), Fantastically Ordered Prompts.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import islice, permutations
from math import factorial

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.fit_language_model import Fitting
from core.models.self_attention.ablation import Head, without_heads
from core.models.stored import load_card, load_weights
from core.models.stored_network import with_weights
from core.models.transformers.copier import Copier, CopierConfig
from core.models.transformers.copying import INDUCTION
from core.models.transformers.rule_tasks import (
    KINDS,
    SPELLED,
    WORDS,
    Example,
    Tasks,
    as_tokens,
    draw_tasks,
    predict_along,
    predict_bayes,
    predict_nearest,
)

IN_CONTEXT = "in_context"  # its name in assets/models
VOCABULARY = len(WORDS) + KINDS
WINDOW = 12  # the most it was trained on, the query among them
MEASURED, MEASURED_SEED = 1000, 2  # held-out sequences that are measured, of another seed than training's
Z_95 = 1.96  # of a normal distribution: 95% of it is nearer to its mean


def label_logits(network: nn.Module, ids: Tensor) -> Tensor:
    """Return the logits of the labels at every word of `ids` (B, 2 n or 2 n - 1), (B, n, K)."""
    return network(ids)[0][:, ::2, len(WORDS) :]


class InContextFitting(Fitting):
    """A network on its way down the loss of every label, on rules drawn for each sequence; held-out rules are not drawn."""

    def loss(self) -> Tensor:
        """Return the mean of -ln p(y_t | examples before, x_t) in the step to come, in nats."""
        generator = torch.Generator().manual_seed(self.draw)
        tasks = draw_tasks(self.config.batch, self.config.window, generator, held_out=False)
        ids = as_tokens(tasks.words, tasks.labels)
        logits = label_logits(self.model, ids[:, :-1])
        return functional.cross_entropy(logits.flatten(0, 1), torch.from_numpy(tasks.labels).flatten())


@cache
def stored_learner() -> Copier:
    """Return the trained network, ready to read; everybody shares it: never change it."""
    shape = CopierConfig(**load_card(IN_CONTEXT).config["shape"])
    return with_weights(Copier(shape), load_weights(IN_CONTEXT))


@dataclass(frozen=True)
class Read:
    """A prompt as the network reads it: p(label) (K,), and the attention weights of all heads from the query, (L, H, T)."""

    labels: np.ndarray
    weights: np.ndarray


@torch.no_grad()
def answer(network: nn.Module, examples: Sequence[Example], word: int) -> Read:
    """Return the probabilities of a word's label after some examples, and where each head looks from the word."""
    ids = torch.tensor([[*(i for x, y in examples for i in (x, len(WORDS) + y)), word]])
    logits, traces = network(ids)
    p = logits[0, -1, len(WORDS) :].double().softmax(-1).numpy()
    return Read(p, np.stack([trace.weights[0, :, -1].numpy() for trace in traces]))


@torch.no_grad()
def predict_network(network: nn.Module, words: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return p(y_t | examples before, x_t) at every word of sequences (B, n), (B, n, K)."""
    return label_logits(network, as_tokens(words, labels)[:, :-1]).double().softmax(-1).numpy()


# How well it learns a rule that it has never met


def measured_tasks(held_out: bool = True, tasks: int = MEASURED, seed: int = MEASURED_SEED) -> Tasks:
    """Return the sequences on which the model is measured."""
    return draw_tasks(tasks, WINDOW, torch.Generator().manual_seed(seed), held_out)


def bits(p: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return -log2 of the probabilities (..., K) of the true labels (...); infinite where a predictor rules them out.

    >>> bits(np.array([[0.5, 0.25, 0.25]]), np.array([1])).tolist()
    [2.0]
    """
    with np.errstate(divide="ignore"):
        return -np.log2(np.take_along_axis(p, labels[..., None], axis=-1)[..., 0])


@dataclass(frozen=True)
class Curve:
    """Of a predictor, after 0 to n - 1 examples: bits and whether it is right, (B, n); means and intervals by column."""

    bits: np.ndarray
    right: np.ndarray

    @property
    def loss(self) -> np.ndarray:
        """The mean bits after each number of examples, (n,)."""
        return self.bits.mean(axis=0)

    @property
    def accuracy(self) -> np.ndarray:
        """The share of right answers after each number of examples, (n,)."""
        return self.right.mean(axis=0)

    @property
    def margin(self) -> np.ndarray:
        """Half of the 95% interval of the mean bits, (n,): sequences are independent."""
        return Z_95 * self.bits.std(axis=0, ddof=1) / len(self.bits) ** 0.5


def curve_of(p: np.ndarray, labels: np.ndarray) -> Curve:
    """Return the curve of a predictor's probabilities (B, n, K). Of equally probable labels each is right in part."""
    best = np.isclose(p, p.max(axis=-1, keepdims=True), rtol=1e-9)
    own = np.take_along_axis(best, labels[..., None], axis=-1)[..., 0]
    return Curve(bits(p, labels), own / best.sum(axis=-1))


@dataclass(frozen=True)
class Recorded:
    """A curve as the card has it, after 0 to n - 1 examples: mean bits, half of their 95% interval, share right, (n,)."""

    loss: np.ndarray
    margin: np.ndarray
    accuracy: np.ndarray


COLUMNS = ("loss", "margin", "accuracy")


def record_curve(name: str, curve: Curve) -> dict[str, float]:
    """Return the numbers of a curve as a card keeps them."""
    return {
        f"{name}, {column}, {n}": float(x) for column in COLUMNS for n, x in enumerate(getattr(curve, column))
    }


@cache
def recorded_curve(name: str) -> Recorded:
    """Return a curve from the card: "model", "bayes", "nearest"; or what a break leaves after the most examples, (1,)."""
    quality = load_card(IN_CONTEXT).quality
    columns = (
        [quality[key] for n in range(WINDOW) if (key := f"{name}, {column}, {n}") in quality]
        for column in COLUMNS
    )
    return Recorded(*map(np.array, columns))


def recorded_distance() -> tuple[float, float]:
    """Return from the card how many bits the model is above Bayes, and half of the 95% interval of this."""
    quality = load_card(IN_CONTEXT).quality
    return quality["bits above Bayes"], quality["bits above Bayes, half of the 95% interval"]


def recorded_training_bits() -> float:
    """Return from the card the model's mean bits on rules of training."""
    return load_card(IN_CONTEXT).quality["bits, mean of 0 to 11 examples, model on rules of training"]


def recorded_spread() -> float:
    """Return from the card what `measure_order` found."""
    return load_card(IN_CONTEXT).quality["orders, standard deviation"]


def record_heads(scores: np.ndarray, costs: np.ndarray) -> dict[str, float]:
    """Return each head's score, and the bits without it, as a card keeps them."""
    return {
        f"{name}, head {layer + 1}.{head + 1}": float(values[layer, head])
        for name, values in (("score", scores), ("bits without", costs))
        for layer, head in np.ndindex(scores.shape)
    }


@cache
def recorded_heads(name: str) -> np.ndarray:
    """Return from the card the "score" of each head or the "bits without" it, (L, H)."""
    card = load_card(IN_CONTEXT)
    layers, heads = (card.config["shape"][part] for part in ("layers", "heads"))
    found = [
        card.quality[f"{name}, head {layer + 1}.{head + 1}"] for layer, head in np.ndindex(layers, heads)
    ]
    return np.array(found).reshape(layers, heads)


SMOOTHED = 0.1  # of the nearest-example predictor, spread over all labels: a ruled-out label would cost infinite bits


def held_out_curves() -> dict[str, Curve]:
    """Return the curves of the model, of Bayes, and of the nearest example, on the same held-out sequences."""
    tasks = measured_tasks()
    nearest = predict_along(predict_nearest, tasks.words, tasks.labels)
    found = {
        "model": predict_network(stored_learner(), tasks.words, tasks.labels),
        "bayes": predict_along(predict_bayes, tasks.words, tasks.labels),
        "nearest": (1 - SMOOTHED) * nearest + SMOOTHED / KINDS,
    }
    return {name: curve_of(p, tasks.labels) for name, p in found.items()}


# What breaks it

ONE_BACK_OFF, HEADS_OFF, SHIFTED, RANDOM = "distances", "heads_off", "shifted", "random"


def shift_labels(labels: np.ndarray) -> np.ndarray:
    """Return labels (B, n) moved by one: each example gets the label of the one before, the first that of the last.

    >>> shift_labels(np.array([[1, 2, 3]])).tolist()
    [[3, 1, 2]]
    """
    return np.roll(labels, 1, axis=-1)


def draw_labels(labels: np.ndarray, seed: int = MEASURED_SEED) -> np.ndarray:
    """Return labels of the same shape, each drawn uniformly: no rule has made them."""
    return np.random.default_rng(seed).integers(KINDS, size=labels.shape)


def without_distances(network: Copier) -> Copier:
    """Return a copy whose heads add nothing for the distance of two tokens: it cannot tell which label follows a word."""
    changed = deepcopy(network)
    for block in changed.blocks:
        nn.init.zeros_(block.attention.distance_embedding.weight)
    return changed


def after(network: nn.Module, tasks: Tasks, examples: int, change=None) -> Curve:
    """Return bits and right answers of word `examples` + 1, (B, 1), with the labels before it changed by `change`."""
    before = tasks.labels[:, :examples]
    shown = before if change is None else change(before)
    answers = tasks.labels[:, examples : examples + 1]
    p = predict_network(network, tasks.words[:, : examples + 1], np.concatenate((shown, answers), axis=1))
    return curve_of(p[:, -1:], answers)


def head_scores(examples: int = WINDOW - 1) -> np.ndarray:
    """Return each head's mean weight, from the query, on labels after words that share the deciding letter, (L, H).

    Sequences without such a word are left out.
    """
    tasks = measured_tasks()
    words, labels = tasks.words[:, : examples + 1], tasks.labels[:, : examples + 1]
    with torch.no_grad():
        traces = stored_learner()(as_tokens(words, labels)[:, :-1])[1]
    weights = torch.stack([trace.weights[:, :, -1, 1::2] for trace in traces]).numpy()  # (L, B, H, n)
    letters = np.take_along_axis(SPELLED[words], tasks.places[:, None, None], axis=2)[..., 0]
    same = letters[:, :-1] == letters[:, -1:]  # (B, n)
    on_same = (weights * same[None, :, None]).sum(-1)[:, same.any(axis=1)]
    return on_same.mean(axis=1)


@torch.no_grad()
def one_back(network: Copier, sequences: int = 100) -> np.ndarray:
    """Return each head's mean weight, from every label, on the word right before it, (L, H)."""
    tasks = measured_tasks(tasks=sequences)
    traces = network(as_tokens(tasks.words, tasks.labels))[1]
    labels = torch.arange(1, 2 * WINDOW, 2)
    return np.stack([trace.weights[:, :, labels, labels - 1].mean(dim=(0, 2)).numpy() for trace in traces])


def head_costs(examples: int = WINDOW - 1) -> np.ndarray:
    """Return the mean bits after some examples without each head, (L, H)."""
    network, tasks = stored_learner(), measured_tasks()
    shape = network.config
    return np.array(
        [
            [
                float(after(without_heads(network, [(layer, head)]), tasks, examples).loss[0])
                for head in range(shape.heads)
            ]
            for layer in range(shape.layers)
        ]
    )


def induction_heads(scores: np.ndarray | None = None) -> tuple[Head, ...]:
    """Return all heads with at least half of their weight on matching labels, the highest score first."""
    scores = recorded_heads("score") if scores is None else scores
    found = sorted(zip(*np.nonzero(scores >= INDUCTION), strict=True), key=lambda head: -scores[head])
    return tuple((int(layer), int(head)) for layer, head in found)


def broken_curve(kind: str, examples: int = WINDOW - 1, heads: Sequence[Head] = ()) -> Curve:
    """Return what is left after some examples with one piece broken: ONE_BACK_OFF, HEADS_OFF, SHIFTED or RANDOM.

    `heads` are those that HEADS_OFF switches off; without any, the induction heads.
    """
    network, tasks = stored_learner(), measured_tasks()
    if kind == ONE_BACK_OFF:
        return after(without_distances(network), tasks, examples)
    if kind == HEADS_OFF:
        return after(without_heads(network, heads or induction_heads()), tasks, examples)
    return after(network, tasks, examples, {SHIFTED: shift_labels, RANDOM: draw_labels}[kind])


def order_probabilities(
    network: nn.Module, examples: Sequence[Example], word: int, label: int, orders: int = 720, seed: int = 1
) -> np.ndarray:
    """Return p(label) for the same examples in different orders: all of them, or so many drawn ones.

    No examples have one order.
    """
    n = len(examples)
    if factorial(n) <= orders:
        chosen = np.array(list(islice(permutations(range(n)), orders)), dtype=int)
    else:
        generator = np.random.default_rng(seed)
        chosen = np.stack([generator.permutation(n) for _ in range(orders)])
    xs, ys = (np.array([each[part] for each in examples], dtype=int)[chosen] for part in (0, 1))
    words = np.concatenate((xs, np.full((len(chosen), 1), word)), axis=1)
    labels = np.concatenate((ys, np.full((len(chosen), 1), label)), axis=1)
    return predict_network(network, words, labels)[:, -1, label]


ORDERED, ORDERS, FEW = 100, 100, 6  # sequences, orders of each, and examples in each


def measure_order(network: nn.Module, sequences: int = ORDERED) -> float:
    """Return the standard deviation of p(true label) over orders of the same six examples, mean of held-out sequences."""
    tasks = measured_tasks(tasks=sequences)
    spreads = []
    for words, labels in zip(tasks.words.tolist(), tasks.labels.tolist(), strict=True):
        examples = list(zip(words, labels, strict=True))[:FEW]
        spreads.append(order_probabilities(network, examples, words[FEW], labels[FEW], ORDERS).std())
    return float(np.mean(spreads))
