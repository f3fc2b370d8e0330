"""Naive Bayes against logistic regression: a story of one review and two sums, and a lab on any labelled documents."""

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, VERMILLION
from core.lesson.lesson import Lesson
from core.models.documents.tug_of_war import pulls
from core.text.tokenization.tokens import words

LESSON = Lesson(__name__, icon="arrow-left-right")


def picture() -> Figure:
    """What four words of a review add to the score of either classifier."""
    from pages.documents.shared.labelled_source import EXAMPLE, sample_reviews, split_of
    from pages.documents.shared.learnt import naive_bayes_against_rest, regression_of

    source = sample_reviews()
    models = naive_bayes_against_rest(source, 1, 1.0, 1), regression_of(source, 1, 1.0, 1)
    pulled, figure = pulls(*models, split_of(source)[0].index, words(EXAMPLE)[1:6]), blank(190)
    for terms, colour in zip(pulled.terms, (BLUE, VERMILLION), strict=True):
        figure.add_trace(bar(y=list(pulled.tokens), x=terms, orientation="h", marker={"color": colour}))
    return small(figure.update_yaxes(autorange="reversed"))
