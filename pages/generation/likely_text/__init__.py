"""Why likely text loops: a story of a greedy text that says one line over and over, and a lab of five ways to write."""

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, PINK
from core.lesson.lesson import Lesson
from core.models.generation.degeneration import DRAWN, drawn_beside
from core.models.generation.generation_tree import continuation_log_probabilities
from core.models.language_model import bits
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney

LESSON = Lesson(__name__, icon="repeat")
COLOURS = {"greedy": BLUE, "sampled": PINK}


def picture() -> Figure:
    """The bits that greedy and sampled text of an n-gram model have cost, token by token."""
    counted = few_sentences()
    model, prompt = kneser_ney(counted.counts, 3), counted.encode("the", end=False)
    drawn = drawn_beside(model, prompt, 20, [DRAWN[way] for way in COLOURS], seed=1)
    figure = blank(380)
    for colour, tokens in zip(COLOURS.values(), drawn, strict=True):
        y = [0.0, *bits(continuation_log_probabilities(model, prompt, tokens)).cumsum().tolist()]
        figure.add_trace(scatter(x=[*range(len(y))], y=y, mode="lines", line={"color": colour, "width": 4}))
    return small(figure)
