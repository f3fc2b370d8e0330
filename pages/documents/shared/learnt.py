"""Classifiers learnt from the documents in use, kept for as long as the controls come back to them, or stored ones."""

from __future__ import annotations

import numpy as np

from core.lesson.cached import cached, is_sample
from core.models.documents.bag_of_words import Bags
from core.models.documents.held_out import Confusion, Judged, judge
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes
from core.models.documents.stored_classifiers import StoredClassifiers
from core.models.documents.tug_of_war import duplicate_features, how_sure, mean_cross_entropy
from core.text.reading.labelled import LabelledDocuments
from pages.documents.shared.labelled_source import split_of
from pages.documents.shared.learnt_source import Learnt

UNPENALISED_STEPS = 60  # of L-BFGS where there is no minimum to arrive at


@cached(4, 4, shared=is_sample)
def bags_read(documents: LabelledDocuments, binary: bool) -> tuple[Bags, Bags]:
    """Return the bags to learn from and the held-out ones, with each word counted once a document if `binary`."""
    learnt, rest, _ = split_of(documents)
    return (learnt.binary, rest.binary) if binary else (learnt, rest)


@cached(24, 8, shared=is_sample)
def naive_bayes_of(source: Learnt, alpha: float, binary: bool) -> NaiveBayes:
    """Return naive Bayes learnt from the documents that are not held out."""
    if isinstance(source, StoredClassifiers):
        return source.naive_bayes(alpha, binary)
    learnt = bags_read(source, binary)[0]
    return NaiveBayes(alpha).fit(learnt.X, learnt.y)


@cached(24, 8, shared=is_sample)
def naive_bayes_judged(source: Learnt, alpha: float, binary: bool) -> Confusion | Judged:
    """Return how naive Bayes did on the held-out documents; stored, without the documents one by one."""
    if isinstance(source, StoredClassifiers):
        return source.bayes_confusion(alpha, binary)
    rest = bags_read(source, binary)[1]
    return judge(naive_bayes_of(source, alpha, binary).posterior(rest.X), rest.y)


def held_out_number(source: Learnt) -> int:
    """Return how many documents are held out."""
    return source.held_out if isinstance(source, StoredClassifiers) else len(split_of(source)[2])


def silenced_of(source: Learnt, alpha: float, binary: bool) -> float:
    """Return the share of the held-out documents that have probability nought in their own class."""
    if isinstance(source, StoredClassifiers):
        return 0.0 if alpha else source.silenced / source.held_out
    rest = bags_read(source, binary)[1]
    joint = naive_bayes_of(source, alpha, binary).joint_log_probability(rest.X)
    return float(np.isneginf(joint[np.arange(len(rest.y)), rest.y]).mean())


@cached(24, 8, shared=is_sample)
def naive_bayes_against_rest(source: Learnt, c: int, alpha: float, copies: int) -> NaiveBayes:
    """Return naive Bayes of class c (1) against the rest (0), of features that stand there so many times."""
    if isinstance(source, StoredClassifiers):
        return source.against_rest(c, alpha, copies)
    learnt = split_of(source)[0]
    return NaiveBayes(alpha).fit(duplicate_features(learnt.X, copies), (learnt.y == c).astype(int))


@cached(24, 8, shared=is_sample)
def regression_of(source: Learnt, c: int, l2: float, copies: int = 1) -> LogisticRegression:
    """Return logistic regression of class c against the rest; without penalty it stops after some steps."""
    if isinstance(source, StoredClassifiers):
        return source.regression(c, l2, copies)
    learnt = split_of(source)[0]
    model = LogisticRegression(l2) if l2 else LogisticRegression(0.0, UNPENALISED_STEPS)
    return model.fit(duplicate_features(learnt.X, copies), (learnt.y == c).astype(int))


@cached(16, 8, shared=is_sample)
def regression_judged(source: Learnt, c: int, l2: float) -> Confusion | Judged:
    """Return how logistic regression did on the held-out documents: of the rest (0), of the class (1)."""
    if isinstance(source, StoredClassifiers):
        return source.regression_confusion(c, l2)
    rest = split_of(source)[1]
    return judge(regression_of(source, c, l2).posterior(rest.X), (rest.y == c).astype(int))


@cached(24, 8, shared=is_sample)
def sure_of(source: Learnt, c: int, alpha: float, l2: float, copies: int) -> np.ndarray:
    """Return of both methods (2, 3) on the held-out documents: the share that is right, how sure, the mean loss."""
    if isinstance(source, StoredClassifiers):
        return source.sure(c, alpha, l2, copies)
    rest = split_of(source)[1]
    X, y, found = duplicate_features(rest.X, copies), (rest.y == c).astype(int), []
    for model in (naive_bayes_against_rest(source, c, alpha, copies), regression_of(source, c, l2, copies)):
        p = model.posterior(X)[:, 1]
        found.append((float(((p > 0.5) == y).mean()), how_sure(p), mean_cross_entropy(p, y)))
    return np.array(found)
