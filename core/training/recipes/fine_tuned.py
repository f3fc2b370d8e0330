"""The runs that the lesson on fine-tuning opens with: three ways, several numbers of labelled sentences and seeds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from core.models.pretraining.fine_tuning import FINE_TUNED, WAYS
from core.models.pretraining.fine_tuning_measured import (
    RATES,
    RATES_AT,
    SEEDS,
    SIZES,
    Measured,
    accuracy_difference,
    key_of,
    load_fine_tuning_quality,
    select_runs,
    stored_runs,
)
from core.models.pretraining.fine_tuning_runs import (
    BATCH,
    BODY_RATE,
    STEPS,
    TASK_RATE,
    ClassificationTask,
    FineTuningRun,
    FineTuningSettings,
    fit,
    places_of,
    right_by_counting,
    task_of,
)
from core.models.stored import sha256_of_text
from core.text.samples.feelings import feelings
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Trainings of a sentence classifier: the masked model fine-tuned, frozen, and its shape from scratch, each for the "
    "same steps. No word that tells a held-out sentence's label is in any other sentence."
)
CREDITS = [
    "Sentences by the seeded grammar of this course, core/text/samples/feelings.py",
    "The masked model's training: the Bible in Basic English and the plays, see word_masked",
]
CONFIG = {
    "steps": STEPS,
    "batch": BATCH,
    "body_rate": BODY_RATE,
    "task_rate": TASK_RATE,
    "labelled": list(SIZES),
    "seeds": list(SEEDS),
    "rates": list(RATES),
    "rates_at": RATES_AT,
}
Job = tuple[str, str, FineTuningSettings, int]  # key, way, settings, seed


def jobs() -> list[Job]:
    """Return every training: its key, way, settings and seed; all take the same steps."""
    asked = [(way, FineTuningSettings(n)) for n in SIZES for way in WAYS]
    asked += [(FINE_TUNED, FineTuningSettings(n, shuffled=True)) for n in SIZES]
    asked += [(FINE_TUNED, FineTuningSettings(RATES_AT, rate=rate)) for rate in RATES if rate != 1]
    return [(key_of(way, at), way, at, seed) for seed in SEEDS for way, at in asked]


def run_of(job: Job, task: ClassificationTask, checkpoint: Path) -> FineTuningRun:
    """Return a job's run: the one that was kept when it was done before, else it is done and kept."""
    key, way, settings, seed = job
    kept = checkpoint / f"{key}.{seed}.npz"
    if not kept.exists():
        run = fit(way, task, settings, seed)
        np.savez(checkpoint / f"writing.{key}.{seed}.npz", **vars(run))
        (checkpoint / f"writing.{key}.{seed}.npz").replace(kept)
    return FineTuningRun(**np.load(kept))


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Do every training; `seed` is that of the sentences, each training has its own."""
    torch.set_num_threads(1)
    documents = feelings(seed=seed)
    task = task_of(documents.texts, documents.labels, documents.kinds)
    found: dict[str, list[FineTuningRun]] = {}
    every = jobs()
    for place, job in enumerate(every, 1):
        found.setdefault(job[0], []).append(run_of(job, task, checkpoint))
        progress(place / len(every), f"{job[0]}, seed {job[-1]}: {found[job[0]][-1].right[-1].mean():.3f}")
    weights = {
        f"{name}.{key}": array
        for key, runs in found.items()
        for name, array in vars(Measured.of(runs)).items()
    }
    corpus = {
        "name": "the course's own sentences, core/text/samples/feelings.py",
        "sentences": len(documents.texts),
        "held_out_sentences": len(task.held),
        "split": "two fifths of the pairs of words that tell a label, with all of their sentences",
        "sha256": sha256_of_text("\n".join(documents.texts)),
    }
    return Trained(weights, corpus)


def measure() -> dict:
    """Return how often each way is right on held-out sentences, and what the masked model forgets.

    "ahead of" are differences to fine-tuned with their 95% intervals, paired over the held-out pairs of words.
    """
    stored_runs.cache_clear()
    documents = feelings()
    kinds = [documents.kinds[place] for place in places_of(documents.labels, documents.kinds).held]
    found = load_fine_tuning_quality()
    for n in SIZES:
        given = (documents.texts, documents.labels, n)
        others = {
            way: each.right[:, -1] for way, each in select_runs(stored_runs(), FineTuningSettings(n)).items()
        }
        fine = others.pop(FINE_TUNED)
        others["naive Bayes"] = np.stack(
            [right_by_counting(*given, seed, kinds=documents.kinds) for seed in SEEDS]
        )
        found[f"right, naive Bayes.{n}"] = float(others["naive Bayes"].mean())
        mixed = [right_by_counting(*given, seed).mean() for seed in SEEDS]
        found[f"right, naive Bayes.{n}, sentences held out at random"] = float(np.mean(mixed))
        for way, each in others.items():
            ends = zip(("", ", low", ", high"), accuracy_difference(fine, each, kinds), strict=True)
            found |= {f"ahead of {way}.{n}{end}": value for end, value in ends}
    return found
