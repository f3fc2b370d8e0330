"""Fine-tuned, frozen and from scratch on the same labelled sentences, with the same seeds, measured as they learn.

A seed draws which n sentences are labelled, the batches, and, from scratch, the first weights. All ways take the same
steps of AdamW with the same rates, which rise over the first tenth and then fall to nought in a straight line.

Source: Loshchilov and Hutter (2019), Decoupled Weight Decay Regularization, for AdamW.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from core.models.descent import Descent
from core.models.documents.bag_of_words import bags_of, held_out_places
from core.models.documents.naive_bayes import NaiveBayes
from core.models.pretraining.fine_tuning import (
    FROZEN,
    MODEL,
    WAYS,
    SentenceClassifier,
    classifier,
    token_ids,
)
from core.models.pretraining.forgetting import masked_losses, passages
from core.models.self_attention.masked_language_model import stored_masked_model
from core.text.tokenization.tokens import words

STEPS, BATCH = 120, 16
MEASURED_AT = (0, 8, 16, 32, 64, 120)  # steps
BODY_RATE, TASK_RATE = 3e-4, 1e-2
HELD_OUT_AT_MOST, KINDS_HELD_OUT = 240, 0.4
Report = Callable[[object], bool]


@dataclass(frozen=True)
class FineTuningSettings:
    """How to train: on n labelled sentences, the body's rate `rate` times BODY_RATE, its first layers frozen.

    `shuffled`: the labels of the n sentences are dealt out anew among them, at random.
    """

    n: int
    rate: float = 1.0
    frozen_layers: int = 0
    shuffled: bool = False


@dataclass(frozen=True, eq=False)
class ClassificationTask:
    """Labelled texts as token ids, the numbers of their classes, and the places of the pool and of those held out."""

    ids: Sequence[Sequence[int]]
    y: np.ndarray
    pool: np.ndarray
    held: np.ndarray


@dataclass(frozen=True, eq=False)
class FineTuningRun:
    """One training, measured at steps MEASURED_AT: which held-out texts are right (S, N), their vectors (S, N, C).

    `masked` (S, P) is the masked loss on each passage, empty where it cannot move or was never known; `learnt` the share
    of the n labelled sentences that are right at the end, by the labels they were given; `loss` that of each step.
    """

    right: np.ndarray
    vectors: np.ndarray
    masked: np.ndarray
    learnt: float
    loss: np.ndarray


@dataclass(frozen=True)
class FineTuningProgress:
    """How far a training is: the way, which seed of how many, the step, and the share that is right by now."""

    way: str
    seed: int
    share: float
    right: float


def task_of(texts: Sequence[str], labels: Sequence[str], kinds: Sequence[str] = ()) -> ClassificationTask:
    """Return labelled texts as a task; of their kinds, where they are known, each is held out or labelled as one."""
    return places_of(labels, kinds, token_ids(texts))


def places_of(
    labels: Sequence[str], kinds: Sequence[str] = (), ids: Sequence[Sequence[int]] = ()
) -> ClassificationTask:
    """Return the task without reading its texts: the numbers of the classes, and which texts are held out.

    Without `kinds` they are those of every lesson on documents, so many at most.

    >>> places_of(["stage", "scripture"] * 5).held.tolist()
    [5, 8]
    >>> places_of(["x", "x", "y", "y"] * 2, kinds=list("abcd") * 2).held.tolist()
    [0, 2, 4, 6]
    """
    held = held_out_kinds(kinds, labels) if len(kinds) else held_out_places(labels)
    y = np.unique(np.asarray(labels), return_inverse=True)[1]
    return ClassificationTask(ids, y, np.flatnonzero(~held), np.flatnonzero(held)[:HELD_OUT_AT_MOST])


def held_out_kinds(kinds: Sequence[str], labels: Sequence[str]) -> np.ndarray:
    """Return which texts are of a kind that is held out: KINDS_HELD_OUT of every label's kinds, drawn at random.

    >>> held_out_kinds(["a", "b", "a", "c", "d"], ["x", "x", "x", "y", "y"]).tolist()
    [True, False, True, True, False]
    """
    names, first = np.unique(kinds, return_index=True)
    held = held_out_places(np.asarray(labels)[first], KINDS_HELD_OUT)
    return np.isin(kinds, names[held])


def labelled(
    task: ClassificationTask, n: int, seed: int, shuffled: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the n sentences that a seed draws from the pool, and the labels they are given.

    >>> task = ClassificationTask([[1]] * 6, np.array([0, 1, 0, 1, 1, 0]), np.arange(4), np.arange(4, 6))
    >>> places, y = labelled(task, 3, seed=2)
    >>> places.tolist(), y.tolist()
    ([3, 2, 0], [1, 0, 0])
    """
    rng = np.random.default_rng(seed)
    places = rng.permutation(task.pool)[:n]
    y = task.y[places]
    return places, rng.permutation(y) if shuffled else y


def right_by_counting(
    texts: Sequence[str],
    labels: Sequence[str],
    n: int,
    seed: int,
    shuffled: bool = False,
    kinds: Sequence[str] = (),
) -> np.ndarray:
    """Return which held-out texts (N,) naive Bayes is right on, which counts the words of the same n labelled texts.

    `shuffled`: it is given their labels as they were dealt out, like the network.

    >>> right_by_counting(["a b", "c d"] * 10, ["x", "y"] * 10, 8, seed=1).tolist()
    [True, True, True, True]
    """
    task = places_of(labels, kinds)
    places, y = labelled(task, n, seed, shuffled)
    index: dict[str, int] = {}
    learnt = bags_of([words(texts[place]) for place in places], index)
    rest = bags_of([words(texts[place]) for place in task.held], index, grow=False)
    classes, y = np.unique(y, return_inverse=True)  # of few texts some classes may have none
    given = NaiveBayes().fit(learnt, y).joint_log_probability(rest).argmax(axis=1)
    return classes[given] == task.y[task.held]


def share_of_rate(step: int, steps: int) -> float:
    """Return the share of the full rate at a step: up over the first tenth, then down in a straight line.

    >>> [round(share_of_rate(step, 20), 2) for step in (0, 1, 2, 11, 19)]
    [0.5, 1.0, 1.0, 0.5, 0.06]
    """
    rise = max(1, steps // 10)
    return min(1.0, (step + 1) / rise, (steps - step) / max(1, steps - rise))


def fit(
    way: str,
    task: ClassificationTask,
    settings: FineTuningSettings,
    seed: int,
    report: Callable[[int, float], bool] = lambda step, right: True,
    steps: int = STEPS,
) -> FineTuningRun:
    """Return one training of a way; where `report(step, share right)` is False it ends with what it has by then."""
    return fit_classifier(way, task, settings, seed, report, steps)[1]


def fit_classifier(
    way: str,
    task: ClassificationTask,
    settings: FineTuningSettings,
    seed: int,
    report: Callable[[int, float], bool] = lambda step, right: True,
    steps: int = STEPS,
) -> tuple[SentenceClassifier, FineTuningRun]:
    """Return the classifier of one training, and what was measured on the way."""
    places, y = labelled(task, settings.n, seed, settings.shuffled)
    texts, target = [task.ids[place] for place in places], torch.tensor(y)
    model = classifier(way, int(task.y.max()) + 1, seed, settings.frozen_layers)
    body = [parameter for parameter in model.body.parameters() if parameter.requires_grad]
    rates = [(model.task.parameters(), TASK_RATE), *[(body, BODY_RATE * settings.rate)] * bool(body)]
    optimisers = [torch.optim.AdamW(parameters, lr=rate) for parameters, rate in rates]
    descent = Descent(model, optimisers, lambda step: share_of_rate(step, steps))
    seen = None if body else embed_texts(model, texts)  # a body that stays the same reads each text once
    measures, losses = [measure_fine_tuned(model, task, way, bool(body))], []

    def loss() -> torch.Tensor:
        generator = torch.Generator().manual_seed(seed * 1_000_000 + descent.step_count)
        batch = torch.randperm(len(texts), generator=generator)[:BATCH]
        logits = model([texts[i] for i in batch]) if seen is None else model.task(seen[batch])
        return functional.cross_entropy(logits, target[batch])

    for step in range(1, steps + 1):
        losses.append(descent.step(loss))
        if step in MEASURED_AT or step == steps:
            measures.append(measure_fine_tuned(model, task, way, bool(body), measures[0]))
        if not report(step, float(measures[-1][0].mean())):
            break
    learnt = float((logits_of(model, texts).argmax(1) == target).float().mean())
    measured = (np.stack([each[i] for each in measures]) for i in range(3))
    return model, FineTuningRun(*measured, learnt, np.array(losses))


@torch.inference_mode()
def embed_texts(model, texts: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return one vector a text, (N, C), by 64 at once."""
    parts = [model.vectors(texts[at : at + 64]) for at in range(0, len(texts), 64)]
    return torch.cat(parts).clone()


@torch.inference_mode()
def logits_of(model, texts: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return the logits of texts, (N, K)."""
    return model.task(embed_texts(model, texts))


@torch.inference_mode()
def measure_fine_tuned(
    model, task: ClassificationTask, way: str, moves: bool, first: tuple | None = None
) -> tuple:
    """Return which held-out texts are right (N,), their vectors (N, C), and the masked losses (P,).

    Where the body cannot move its vectors are the `first` ones; its masked loss is not measured then, nor one from
    scratch, which never learnt to fill gaps.
    """
    if first is not None and not moves:
        vectors = torch.from_numpy(first[1])
    else:
        vectors = embed_texts(model, [task.ids[place] for place in task.held])
    right = model.task(vectors).argmax(1).numpy() == task.y[task.held]
    knows = way == WAYS[0] and moves
    masked = (
        masked_losses(model.body, *passages(MODEL), stored_masked_model(MODEL).mask) if knows else np.zeros(0)
    )
    return right, vectors.numpy(), masked


def fit_three_ways(
    report: Report,
    texts: Sequence[str],
    labels: Sequence[str],
    settings: FineTuningSettings,
    seeds: int,
    kinds: Sequence[str] = (),
) -> dict[str, list[FineTuningRun]]:
    """Return a run for each way and seed, those that were finished before `report` said to stop.

    Raises ValueError where there are fewer labelled texts than n.
    """
    torch.set_num_threads(1)
    task = task_of(texts, labels, kinds)
    if len(task.pool) < settings.n:
        raise ValueError(
            f"Only {len(task.pool)} of these texts can be learnt from, fewer than {settings.n}. Choose a smaller number."
        )
    found: dict[str, list[FineTuningRun]] = {way: [] for way in WAYS}
    order = [(way, seed) for seed in range(1, seeds + 1) for way in (FROZEN, WAYS[0], WAYS[2])]
    for place, (way, seed) in enumerate(order):
        going = True

        def told(step: int, right: float, way=way, seed=seed, place=place) -> bool:
            nonlocal going
            going = report(FineTuningProgress(way, seed, (place + step / STEPS) / len(order), right))
            return going

        run = fit(way, task, settings, seed, told)
        if not going and len(run.right) < len(MEASURED_AT):
            break
        found[way].append(run)
    return found
