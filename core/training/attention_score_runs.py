"""Translate held-out sentences with each attention score; record which are right and whether the scores agree.

    python -m core.training.attention_score_runs

The lesson "Attention scores: dot, additive" reads the record, because so many translations take a while.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import torch

from core.models.translation.bottleneck import attempts
from core.models.translation.translate import Translator, stored_translator
from core.models.translation.translation_race import RUNS, attention_agreement, favourites, without_matrices
from core.text.grammar.english_french import english_french
from core.text.grammar.pairs import Pair

SENTENCES, WITHOUT_MATRICES, SEED = 1000, 200, 2  # the sentences on which the models' cards are measured
SCORES = ("additive", "dot", "general", "none")


def right(translator: Translator, pairs: Sequence[Pair]) -> list[int]:
    """Return for each pair whether its translation is the reference."""
    parts = [pairs[i : i + 100] for i in range(0, len(pairs), 100)]
    return [int(attempt.right) for part in parts for attempt in attempts(translator, part)]


def record_attention_scores(sentences: int = SENTENCES, without: int = WITHOUT_MATRICES) -> dict[str, object]:
    """Return what is recorded of the four translators."""
    pairs = list(islice(english_french(SEED, held_out=True), sentences))
    models = {score: stored_translator(f"translate_french_{score}") for score in SCORES}
    looking = [models[score] for score in SCORES[:-1]]
    agreed, words = attention_agreement([favourites(each, pairs[:without]) for each in looking])
    broken = {
        score: right(replace(each, model=without_matrices(each.model)), pairs[:without])
        for score, each in zip(SCORES, looking, strict=False)
    }
    return {
        "right": {score: right(each, pairs) for score, each in models.items()},
        "broken": broken,
        "agreed": agreed,
        "words": words,
    }


def main() -> None:
    """Write the record."""
    torch.set_num_threads(1)
    RUNS.write_text(json.dumps(record_attention_scores()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
