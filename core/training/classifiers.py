"""What the recipes of stored classifiers share: learning from labelled documents, and judging on those held out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression as PeerRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import MultinomialNB

from core.models.documents.bag_of_words import Bags, learnt_and_held_out
from core.models.documents.held_out import judge, wilson
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import class_counts
from core.models.documents.stored_classifiers import (
    ALPHAS,
    COPIES,
    LEARNT_AT,
    PENALTIES,
    StoredClassifiers,
    stored_classifiers,
)
from core.models.documents.tug_of_war import duplicate_features, how_sure, mean_cross_entropy
from core.models.stored import load_json, sha256_of_text
from core.training.near_doubles import without_near_doubles
from core.training.recipe import Progress, Trained

Pair = tuple[str, str]  # (label, text)


def without_doubles(pairs: Sequence[Pair]) -> list[Pair]:
    """Return each text once, in the order in which they stand there last: else one is learnt from and its double held out.

    >>> without_doubles([("ham", "see you"), ("spam", "win"), ("ham", "see you")])
    [('spam', 'win'), ('ham', 'see you')]
    """
    return list({text: (label, text) for label, text in reversed(pairs)}.values())[::-1]


def leave_out_doubles(pairs: Sequence[Pair], least: float | None) -> list[Pair]:
    """Return the pairs without doubles and, given the resemblance `least`, without near doubles, whatever their labels."""
    once = without_doubles(pairs)
    if least is None:
        return once
    return [once[place] for place in without_near_doubles([text for _, text in once], least)]


def split(pairs: Sequence[Pair], in_documents: int, near_doubles: float | None = None) -> tuple[Bags, Bags]:
    """Return the bags to learn from and those held out, of words that stand in so many documents to learn from."""
    labels, texts = zip(*leave_out_doubles(pairs, near_doubles), strict=True)
    learnt, rest, _ = learnt_and_held_out(texts, labels)
    kept = np.flatnonzero(np.bincount(learnt.X.indices, minlength=len(learnt.vocabulary)) >= in_documents)
    words = tuple(learnt.vocabulary[v] for v in kept)
    return tuple(Bags(words, bags.classes, bags.X[:, kept], bags.y) for bags in (learnt, rest))


def train_classifiers(
    pairs: Sequence[Pair], in_documents: int, progress: Progress, near_doubles: float | None = None
) -> Trained:
    """Count, learn the weights for every penalty, judge both on what is held out, and let scikit-learn do the same."""
    kept = leave_out_doubles(pairs, near_doubles)
    learnt, rest = split(kept, in_documents)
    C = len(learnt.classes)
    ones = [1] if C == 2 else list(range(C))
    counts, documents = class_counts(learnt.X, learnt.y)
    once, _ = class_counts(learnt.binary.X, learnt.y)
    models = []
    for number, l2 in enumerate(LEARNT_AT):
        models.append([LogisticRegression(l2).fit(learnt.X, (learnt.y == c).astype(int)) for c in ones])
        progress((number + 1) / (len(LEARNT_AT) + 1), f"penalty {l2:.3g}")
    arrays = {
        "counts": np.stack([counts, once]).astype(np.uint16),
        "documents": documents.astype(np.int32),
        "silenced": np.array(silenced(counts, rest), dtype=np.int32),
        "coef": np.array([[model.coef_ for model in row] for row in models]).astype(np.float16),
        "intercept": np.array([[model.intercept_ for model in row] for row in models], dtype=np.float32),
    }
    assert counts.max() < 2**16
    stored = StoredClassifiers("", learnt.classes, learnt.vocabulary, arrays)
    arrays |= evaluate_classifiers(stored, rest, ones)
    files = {
        "vocabulary": {"classes": list(learnt.classes), "words": list(learnt.vocabulary)},
        "peer": peer(learnt, rest),
    }
    corpus = {
        "documents": len(learnt.y) + len(rest.y),
        "held out": len(rest.y),
        "classes": {
            name: int((learnt.y == c).sum() + (rest.y == c).sum()) for c, name in enumerate(learnt.classes)
        },
        "sha256": sha256_of_text("\n".join(f"{label}\t{text}" for label, text in kept)),
    }
    if near_doubles is not None:
        corpus["doubles and near doubles left out"] = len(pairs) - len(kept)
        corpus["near doubles"] = f"texts whose pairs of words have a Jaccard index of {near_doubles} or more"
    return Trained(arrays, corpus, files)


def silenced(counts: np.ndarray, rest: Bags) -> int:
    """Return how many held-out documents have a word that their own class never said."""
    never = csr_matrix((counts == 0).astype(float))  # (C, V)
    return int((np.asarray(rest.X.multiply(never[rest.y]).sum(axis=1)).ravel() > 0).sum())


def evaluate_classifiers(stored: StoredClassifiers, rest: Bags, ones: Sequence[int]) -> dict[str, np.ndarray]:
    """Return how the stored counts and weights do on the held-out documents, as StoredClassifiers keeps it."""
    bayes = [
        [judge(stored.naive_bayes(alpha, binary).posterior(bags.X), rest.y).confusion for alpha in ALPHAS]
        for binary, bags in ((False, rest), (True, rest.binary))
    ]
    truth = {c: (rest.y == c).astype(int) for c in ones}
    regression = [
        [judge(stored.regression(c, l2).posterior(rest.X), truth[c]).confusion for c in ones]
        for l2 in PENALTIES
    ]
    copies = {n: duplicate_features(rest.X, n) for n in (1, COPIES)}

    def sure(model_of: Callable, settings: Sequence[float]) -> np.ndarray:
        return np.array(
            [
                [
                    [measures(model_of(c, each, n).posterior(X)[:, 1], truth[c]) for c in ones]
                    for n, X in copies.items()
                ]
                for each in settings
            ],
            dtype=np.float32,
        )

    some = sure(stored.against_rest, ALPHAS[1:])
    return {
        "bayes": np.array(bayes).astype(np.uint16),
        "regression": np.array(regression).astype(np.uint16),
        "bayes_sure": np.concatenate(
            [np.full_like(some[:1], np.nan), some]
        ),  # without alpha nothing may be sure
        "regression_sure": sure(stored.regression, PENALTIES),
    }


def measures(p: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Return the share that is right, how sure, and the mean loss, of probabilities p (N,) and classes y (N,).

    >>> tuple(round(each, 3) for each in measures(np.array([0.9, 0.4]), np.array([1, 1])))
    (0.5, 0.75, 0.511)
    """
    return float(((p > 0.5) == y).mean()), how_sure(p), mean_cross_entropy(p, y)


def peer(learnt: Bags, rest: Bags) -> dict[str, float]:
    """Return the shares that scikit-learn's two classifiers get right on the same split."""
    bayes = MultinomialNB(alpha=1.0).fit(learnt.X, learnt.y)
    regression = OneVsRestClassifier(PeerRegression(C=1.0, max_iter=5000)).fit(learnt.X, learnt.y)
    return {
        "naive Bayes": float(bayes.score(rest.X, rest.y)),
        "logistic regression": float(regression.score(rest.X, rest.y)),
    }


def measure_classifiers(
    name: str, pairs: Sequence[Pair], in_documents: int, near_doubles: float | None = None
) -> dict:
    """Return what the stored classifiers get right of the held-out documents, and beside it what scikit-learn's do.

    Of more than two classes logistic regression chooses the one whose weights against the rest add up to most.
    """
    stored, (_, rest) = stored_classifiers(name), split(pairs, in_documents, near_doubles)
    models = [
        stored.regression(c, 1.0) for c in ([1] if len(stored.classes) == 2 else range(len(stored.classes)))
    ]
    z = np.stack([model.decision(rest.X) for model in models])  # (K, N)
    given = {
        "naive Bayes": stored.naive_bayes(1.0).posterior(rest.X).argmax(axis=1),
        "logistic regression": z.argmax(axis=0) if len(models) > 1 else (z[0] > 0).astype(int),
    }
    found, n = {}, len(rest.y)
    for method, classes in given.items():
        right = int((classes == rest.y).sum())
        low, high = wilson(right, n)
        found |= {method: right / n, f"{method}, 95% from": low, f"{method}, 95% to": high}
        found[f"{method} of scikit-learn"] = load_json(name, "peer")[method]
    found["always the most frequent class"] = float(np.bincount(rest.y).max() / n)
    return found
