"""Classifiers learnt from the documents in use, kept for as long as the controls come back to them."""

from __future__ import annotations

from core.lesson.kept_with_text import kept_with_text
from core.models.documents.bag_of_words import Bags
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes
from core.text.reading.labelled import LabelledDocuments
from pages.documents.parts.labelled_source import split_of

UNPENALISED_STEPS = 60  # of L-BFGS where there is no minimum to arrive at


@kept_with_text(4, 4, "Counting the words")
def bags_read(documents: LabelledDocuments, binary: bool) -> tuple[Bags, Bags]:
    """Return the bags to learn from and the held-out ones, with each word counted once a document if `binary`."""
    learnt, rest, _ = split_of(documents)
    return (learnt.binary, rest.binary) if binary else (learnt, rest)


@kept_with_text(24, 8, "Counting the words by class")
def naive_bayes_of(documents: LabelledDocuments, alpha: float, binary: bool) -> NaiveBayes:
    """Return naive Bayes learnt from the documents that are not held out."""
    learnt = bags_read(documents, binary)[0]
    return NaiveBayes(alpha).fit(learnt.X, learnt.y)


@kept_with_text(16, 8, "Going down the loss")
def regression_of(documents: LabelledDocuments, c: int, l2: float) -> LogisticRegression:
    """Return logistic regression of class c against the rest; without penalty it stops after some steps."""
    learnt = split_of(documents)[0]
    model = LogisticRegression(l2) if l2 else LogisticRegression(0.0, UNPENALISED_STEPS)
    return model.fit(learnt.X, (learnt.y == c).astype(int))
