"""Beam search: a story of what follows “You have” if two texts are kept, and a lab in which a beam is followed."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.beam_search import beam_payload
from core.figures.generation.generation_tree import small_tree
from core.lesson.lesson import Lesson
from core.models.generation.beam_search import beam_search
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney

LESSON = Lesson(__name__, icon="flashlight")


def picture() -> Figure:
    """A beam of two texts after "the": what was kept, what was pruned, and the best."""
    counted = few_sentences()
    prompt = counted.encode("the", end=False)
    found = beam_search(kneser_ney(counted.counts, 3), prompt, width=2, length=4)
    names = [counted.name(token) for token in range(len(counted.vocabulary))]
    return small(small_tree(beam_payload(found, names, counted.text, 4, rows=4)))
