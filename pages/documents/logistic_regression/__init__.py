"""Logistic regression: a story of weights learned from reviews, and a lab on any labelled documents."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="spline")


def picture() -> Figure:
    """The words with the strongest weights for and against a good review."""
    from pages.documents.logistic_regression.figures import weights_figure
    from pages.documents.shared.labelled_source import sample_reviews, split_of
    from pages.documents.shared.learnt import regression_of

    documents = sample_reviews()
    model = regression_of(documents, 1, 1.0)
    return card(weights_figure(split_of(documents)[0].vocabulary, model.coef_, each=4))
