"""The runs that the lesson on fine-tuning opens with: three ways, several numbers of labelled sentences and seeds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from core.models.pretraining.fine_tuning import FINE_TUNED, SCRATCH, WAYS
from core.models.pretraining.fine_tuning_measured import (
    LONG,
    LONGER,
    RATES,
    RATES_AT,
    SEEDS,
    SIZES,
    Measured,
    key_of,
    load_fine_tuning_quality,
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
    task_of,
)
from core.models.stored import sha256_of_text
from core.text.samples.manners import manners
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Trainings of a sentence classifier: the masked model fine-tuned, frozen, and its shape from scratch."
)
CREDITS = [
    "Sentences by the seeded grammar of this course, core/text/samples/manners.py",
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
    "longer": LONGER,
}
Job = tuple[str, str, FineTuningSettings, int, int]  # key, way, settings, steps, seed


def jobs() -> list[Job]:
    """Return every training: its key, way, settings, steps and seed."""
    kinds = [(way, FineTuningSettings(n), STEPS) for n in SIZES for way in WAYS]
    kinds += [(FINE_TUNED, FineTuningSettings(n, shuffled=True), STEPS) for n in SIZES]
    kinds += [(FINE_TUNED, FineTuningSettings(RATES_AT, rate=rate), STEPS) for rate in RATES if rate != 1]
    kinds += [(SCRATCH, FineTuningSettings(LONG), STEPS * LONGER)]
    return [(key_of(way, at, steps), way, at, steps, seed) for seed in SEEDS for way, at, steps in kinds]


def run_of(job: Job, task: ClassificationTask, checkpoint: Path) -> FineTuningRun:
    """Return a job's run: the one that was kept when it was done before, else it is done and kept."""
    key, way, settings, steps, seed = job
    kept = checkpoint / f"{key}.{seed}.npz"
    if not kept.exists():
        run = fit(way, task, settings, seed, steps=steps)
        np.savez(checkpoint / f"writing.{key}.{seed}.npz", **vars(run))
        (checkpoint / f"writing.{key}.{seed}.npz").replace(kept)
    return FineTuningRun(**np.load(kept))


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Do every training; `seed` is that of the sentences, each training has its own."""
    torch.set_num_threads(1)
    documents = manners(seed=seed)
    task = task_of(documents.texts, documents.labels)
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
        "name": "the course's own sentences, core/text/samples/manners.py",
        "sentences": len(documents.texts),
        "held_out_sentences": len(task.held),
        "sha256": sha256_of_text("\n".join(documents.texts)),
    }
    return Trained(weights, corpus)


def measure() -> dict:
    """Return how often each way is right on held-out sentences, and what the masked model forgets."""
    stored_runs.cache_clear()
    return load_fine_tuning_quality()
