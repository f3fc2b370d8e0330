"""N-gram counts: a story of what follows “my lord” in Hamlet, and a lab on the learner's text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="hash")
EXAMPLES = ("the king sees the queen",)


def picture() -> Figure:
    """A window of three words on a sentence."""
    from pages.n_grams.ngram_counts.figures import window_figure

    return small(window_figure(["<s>", "<s>", *EXAMPLES[0].split(), "</s>"], 4, 3))
