"""Training time of naive Bayes and logistic regression against scikit-learn's, in one run, on the same documents.

Each is timed from bags of words, and naive Bayes also from texts, where scikit-learn has its CountVectorizer cut words
as we do. What both learn is compared: the largest difference of a held-out posterior.
`python -m tests.benchmarks.bench_naive_bayes`
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression as PeerRegression
from sklearn.naive_bayes import MultinomialNB

from core.models.documents.bag_of_words import bags_of, learnt_and_held_out
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes
from core.text.samples.reviews import reviews
from core.text.tokenization.tokens import words

SIZES = (1_000, 10_000)


def seconds(work, repeats: int = 5) -> float:
    """Return the shortest processor time of some repeats."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def counted(texts: list[str]) -> object:
    """Return the bags of texts, counted as the lessons do."""
    return bags_of([words(text) for text in texts], {})


def main() -> None:
    """Print each time, the ratio to scikit-learn's, and how far the posteriors are apart."""
    for size in SIZES:
        documents = reviews(size, seed=1)
        learnt, rest, held = learnt_and_held_out(documents.texts, documents.labels)
        texts = [documents.texts[place] for place in np.flatnonzero(~held)]
        X, y = learnt.X, learnt.y
        print(f"{len(texts):,} documents, {X.shape[1]:,} different words")
        report(
            "count the words",
            seconds(lambda: counted(texts)),  # noqa: B023
            seconds(lambda: CountVectorizer(analyzer=words).fit_transform(texts)),  # noqa: B023
            abs(counted(texts).sum() - X.sum()),
        )
        pairs = {
            "naive Bayes, from bags": (NaiveBayes(1.0), MultinomialNB(alpha=1.0)),
            "logistic regression, from bags": (
                LogisticRegression(1.0),
                PeerRegression(C=1.0, tol=1e-7, max_iter=10_000),
            ),
        }
        for name, (ours, peer) in pairs.items():
            mine = seconds(lambda: ours.fit(X, y))  # noqa: B023
            theirs = seconds(lambda: peer.fit(X, y))  # noqa: B023
            report(name, mine, theirs, np.abs(ours.posterior(rest.X) - peer.predict_proba(rest.X)).max())


def report(name: str, mine: float, theirs: float, apart: float) -> None:
    """Print one comparison."""
    times = f"{mine * 1e3:9.2f} ms, scikit-learn {theirs * 1e3:9.2f} ms, ratio {mine / theirs:5.2f}"
    print(f"  {name:<32} {times}, {apart:.1g} apart")


if __name__ == "__main__":
    main()
