"""Naive Bayes: a story of one text message and its words' votes, and a lab on any labelled documents."""

from core.figures.card import card
from core.figures.documents.naive_bayes import posterior_figure
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.documents.naive_bayes import explain_words
from core.models.documents.stored_classifiers import stored_classifiers

LESSON = Lesson(__name__, icon="vote")
EXAMPLES = ("Call me, I have a free prize for you",)


def picture() -> Figure:
    """The posterior of spam, word by word, in a text message."""
    stored = stored_classifiers("classify_sms")
    tokens = EXAMPLES[0].lower().split()[3:]
    return card(posterior_figure(explain_words(stored.naive_bayes(1.0), stored, tokens), "spam", 1))
