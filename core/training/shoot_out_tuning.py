"""`python -m core.training.shoot_out_tuning`: choose each method's settings for the shoot-out.

Every candidate is trained on a tenth of the mix, and measured by its rank correlation with SimLex-999, without the pairs
that WordSim-353 has too. WordSim-353 and the analogies, which the lesson reports, are never looked at. The usual settings
stay unless the best candidate is better by more than a standard error: √((1 + ρ²/2) / (n - 3)).

L. Breiman, J. Friedman, R. Olshen and C. Stone (1984), Classification and Regression Trees, for the one-standard-error
rule; D. Bonett and T. Wright (2000), for the error.
"""

from __future__ import annotations

import json
from itertools import product
from math import log2

from core.models.word_vectors.shoot_out import ShootOutSettings, model_of, tenth
from core.models.word_vectors.shoot_out_board import TUNING, TuningRow
from core.models.word_vectors.vector_tests import SimilarityScore, read_similarities, word_similarity
from core.models.word_vectors.word_vectors import WordVectors
from core.text.tokenization.tokens import sentences, words
from core.training.recipes import skipgram
from core.training.word_quality import gensim_test_file

SETTINGS = ShootOutSettings(dimension=50, window=5, min_count=5, epochs=20, seed=1)


def with_rates(rates: tuple, subsampling: tuple) -> list[dict[str, float]]:
    """Return each learning rate with each subsampling."""
    return [{"learning_rate": rate, "subsampling": some} for rate, some in product(rates, subsampling)]


CANDIDATES: dict[str, list[dict[str, float]]] = {
    "PPMI-SVD": [{"shift": s, "power": p} for s, p in product((0.0, log2(5)), (0.0, 0.25, 0.5, 1.0))],
    "CBOW": with_rates((0.05, 0.1), (1e-3, 1e-4)),
    "skip-gram": with_rates((0.025, 0.05), (1e-3, 1e-4)),
    "fastText": [
        {"learning_rate": 0.025, "subsampling": 1e-3, "buckets": 10_000},
        {"learning_rate": 0.025, "subsampling": 1e-3, "buckets": 200_000},
        {"learning_rate": 0.025, "subsampling": 1e-4, "buckets": 200_000},
        {"learning_rate": 0.05, "subsampling": 1e-3, "buckets": 200_000},
    ],
    "GloVe": [
        *({"learning_rate": r, "x_max": x, "epochs": 50} for r, x in product((0.05, 0.1, 0.2), (3, 10))),
        {"learning_rate": 0.4, "x_max": 3, "epochs": 50},
        *({"learning_rate": 1.0, "x_max": x, "epochs": 25} for x in (10, 30)),
    ],
}
USUAL: dict[str, dict[str, float]] = {
    "PPMI-SVD": {"shift": 0.0, "power": 0.5},
    "CBOW": {"learning_rate": 0.1, "subsampling": 1e-3},
    "skip-gram": {"learning_rate": 0.025, "subsampling": 1e-3},
    "fastText": {"learning_rate": 0.025, "subsampling": 1e-3, "buckets": 10_000},
    "GloVe": {"learning_rate": 0.05, "x_max": 10, "epochs": 50},
}


def simlex_pairs() -> list[tuple[str, str, float]]:
    """Return SimLex-999's rated pairs that are not among those of WordSim-353."""
    reported = {frozenset(pair[:2]) for pair in read_similarities(gensim_test_file("wordsim353.tsv").lower())}
    every = read_similarities(gensim_test_file("simlex999.txt").lower())
    return [pair for pair in every if frozenset(pair[:2]) not in reported]


def validate(vectors: WordVectors) -> SimilarityScore:
    """Return the rank correlation by which settings are chosen."""
    return word_similarity(vectors, simlex_pairs())


def main() -> None:
    """Train every candidate and write how it did."""
    mix = [
        words(sentence)
        for source in skipgram.read_sources().values()
        for text in source
        for sentence in sentences(text)
    ]
    rows = []
    for method, candidates in CANDIDATES.items():
        for tuned in candidates:
            found = validate(model_of(method, SETTINGS, tuned).fit(tenth(mix)).vectors_)
            rows.append(
                TuningRow(method, tuned, round(found.spearman, 4), found.pairs, tuned == USUAL[method])
            )
            print(rows[-1], flush=True)
    TUNING.write_text(json.dumps([row.__dict__ for row in rows], indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
