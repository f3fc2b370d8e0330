"""What the course's French translators wrote for held-out sentences: recorded by core/training/translation_outputs.py.

The pairs are generated again from their seed, so only what differs from a reference is in the file.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from core.text.grammar.pairs import Pair
from core.text.samples.course_pairs import CoursePairs

RUN = Path(__file__).resolve().parents[3] / "assets" / "runs" / "translation_outputs.json"
COUNT, LONGEST, SEED = 500, 25, 1  # sentences, words of the longest, seed of the generator
MODELS = {score: f"translate_french_{score}" for score in ("none", "dot", "general", "additive")}


@cache
def references() -> tuple[Pair, ...]:
    """Return the held-out pairs; no translator was trained on their English sentences."""
    return tuple(CoursePairs("English–French", COUNT, longest=LONGEST, seed=SEED).held_out(COUNT))


@cache
def recorded_outputs() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the words of each translator's translations, by the score of its attention, in the order of the pairs."""
    recorded = json.loads(RUN.read_text(encoding="utf-8"))
    return {
        score: tuple(
            tuple(recorded[score][str(place)].split(" ")) if str(place) in recorded[score] else pair.target
            for place, pair in enumerate(references())
        )
        for score in MODELS
    }
