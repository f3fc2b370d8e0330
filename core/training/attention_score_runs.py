"""Translate held-out sentences with each attention score; record which are right and whether the scores agree.

    python -m core.training.attention_score_runs

The lesson "Attention scores: dot, additive" reads the record, because so many translations take a while.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import torch

from core.models.translation.bottleneck import attempts
from core.models.translation.fit_translation import outcomes
from core.models.translation.translate import Translator, stored_translator
from core.models.translation.translation_race import (
    RARE,
    RUNS,
    attention_agreement,
    favourites,
    rare_words,
    without_matrices,
)
from core.text.grammar.english_french import english_french
from core.text.grammar.pairs import Pair
from core.training.translation import CONFIG, FRENCH, harder_tests

SENTENCES, WITHOUT_MATRICES, SEED = 1000, 200, 2  # the sentences on which the models' cards are measured
SCORES = ("additive", "dot", "general", "none")
USUAL = "usual"  # the test of the held-out sentences, beside the harder ones
RARE_BELOW, TRAINING_SEED = 100, 1  # a word is rare that the training pairs of this seed have fewer times


def count_rare_words() -> dict[str, int]:
    """Return how often the training pairs have each of their rare French words, the rarest first."""
    pairs = islice(english_french(TRAINING_SEED), CONFIG["pairs"])
    counts = Counter(word for pair in pairs for word in pair.target)
    return {word: n for word, n in reversed(counts.most_common()) if n < RARE_BELOW}


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
    tests = {USUAL: pairs, **harder_tests(FRENCH)}
    found = {
        test: {score: outcomes(each.model, some, each.source, each.target) for score, each in models.items()}
        for test, some in tests.items()
    }
    return {
        "right": {score: right(each, pairs) for score, each in models.items()},
        "broken": broken,
        "agreed": agreed,
        "words": words,
        "harder": {
            test: {score: [int(one.right) for one in each] for score, each in by_score.items()}
            for test, by_score in found.items()
            if test != USUAL
        },
        "misaligned": {
            test: {score: [one.misaligned for one in by_score[score]] for score in SCORES[:-1]}
            for test, by_score in found.items()
        },
        "aligned": {test: [one.aligned for one in by_score["dot"]] for test, by_score in found.items()},
    }


def main() -> None:
    """Count the rare words, which a harder test is made of, and write the record."""
    torch.set_num_threads(1)
    RARE.write_text(json.dumps(count_rare_words(), ensure_ascii=False) + "\n", encoding="utf-8")
    rare_words.cache_clear()
    RUNS.write_text(json.dumps(record_attention_scores()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
