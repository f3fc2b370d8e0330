"""How good word vectors are: the tests that gensim's wheel carries, read by path and never imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from core.models.word_vectors.vector_tests import (
    analogies,
    read_analogies,
    read_similarities,
    word_similarity,
)
from core.models.word_vectors.word_vectors import WordVectors


def gensim_test_file(file: str) -> str:
    """Return the text of one of gensim's test files, such as wordsim353.tsv."""
    return (Path(find_spec("gensim").origin).parent / "test" / "test_data" / file).read_text(encoding="utf-8")


def word_quality(vectors: WordVectors) -> dict[str, float]:
    """Return the correlation with WordSim-353 and the accuracy of Google's analogies, whole and by category.

    Pairs and questions with an unknown word are left out; their known share is the coverage.
    """
    similarity = word_similarity(vectors, read_similarities(gensim_test_file("wordsim353.tsv").lower()))
    scores = analogies(vectors, read_analogies(gensim_test_file("questions-words.txt").lower()))
    right, asked = sum(score.right for score in scores), sum(score.asked for score in scores)
    unknown = sum(score.unknown for score in scores)
    return {
        "WordSim-353 Spearman": round(similarity.spearman, 4),
        "WordSim-353 coverage": round(similarity.pairs / (similarity.pairs + similarity.unknown), 4),
        "analogies": round(right / max(asked, 1), 4),
        "analogies coverage": round(asked / max(asked + unknown, 1), 4),
        **{f"analogies: {score.category}": round(score.accuracy, 4) for score in scores if score.asked},
    }
