"""`python -m core.training.peeking_runs`: record the two trainings of the lessons on peeking, one run for each mistake.

The lessons show the run at once and train a new one on the learner's text when asked to.
"""

from __future__ import annotations

import json
from dataclasses import asdict

import torch

from core.models.self_attention.fit_peeking import RUNS, PeekConfig, PeekProgress, fit_peeking
from core.models.self_attention.peeking import WAYS
from core.text.samples.shelf import sample

SAMPLE, FIRST_CHARACTERS = "micro-world", 200_000


def record_peeking(way: str) -> list[PeekProgress]:
    """Return all reports of a run with the lessons' first settings."""
    reports: list[PeekProgress] = []
    fit_peeking(reports.append, sample(SAMPLE).read().text[:FIRST_CHARACTERS], PeekConfig(way))
    return reports


def main() -> None:
    """Train with every mistake in turn and write the reports; the clock's reading is left out."""
    torch.set_num_threads(1)
    runs = {}
    for way in WAYS:
        runs[way] = [{**asdict(each), "seconds_left": 0.0} for each in record_peeking(way)]
        print(way, runs[way][-1])
    RUNS.parent.mkdir(parents=True, exist_ok=True)
    RUNS.write_text(json.dumps(runs, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
