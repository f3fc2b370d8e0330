"""`python -m core.training.one_text_runs`: record what every network of the course makes of some samples.

The lesson shows the run of such a text at once and trains new ones on the learner's text when asked to. A text that has
a run of these settings already is left as it is, so that a recording that was broken off goes on.
"""

from __future__ import annotations

import json
from dataclasses import asdict

import torch

from core.models.generation.one_text import (
    READ_AT_MOST,
    RUNS,
    SEED,
    SEED_RUNS,
    STEPS,
    BoardProgress,
    BoardRun,
    fit_networks,
)
from core.models.stored import sha256_of_text
from core.text.samples.shelf import sample

SAMPLES = ("micro-world", "the-lighthouse", "hamlet")
AGAIN, SEEDS = "hamlet", (2, 3)  # the sample that is trained on again, from other random initializations


def print_progress(now: BoardProgress) -> None:
    """Print how far a recording is."""
    print(f"\r{now.network}: step {now.step} of {now.steps}  ", end="", flush=True)


def record_one_text(name: str, seed: int = SEED) -> BoardRun:
    """Return the run of a sample with the lesson's first settings, or with another seed."""
    text = sample(name).read().text[:READ_AT_MOST]
    return BoardRun(sample(name).title, STEPS, seed, fit_networks(print_progress, text, STEPS, seed))


def main() -> None:
    """Train on every sample that has no such run yet, and write each run as soon as it is there."""
    torch.set_num_threads(1)
    runs = json.loads(RUNS.read_text(encoding="utf-8")) if RUNS.exists() else {}
    for name in SAMPLES:
        key = sha256_of_text(sample(name).read().text[:READ_AT_MOST])
        if (runs.get(key, {}).get("steps"), runs.get(key, {}).get("seed")) == (STEPS, SEED):
            continue
        runs[key] = asdict(record_one_text(name))
        print(f"\n{name}: {runs[key]}")
        RUNS.write_text(json.dumps(runs, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if not SEED_RUNS.exists():
        again = [asdict(record_one_text(AGAIN, seed)) for seed in SEEDS]
        SEED_RUNS.write_text(json.dumps(again, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
