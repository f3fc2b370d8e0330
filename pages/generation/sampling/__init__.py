"""Temperature, top-k and top-p: a story of what follows “I love”, and a lab for any prompt and model."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import settings_figure
from core.lesson.lesson import Lesson
from core.models.generation.sampling import SamplingSettings, distribution
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney

LESSON = Lesson(__name__, icon="thermometer")


def picture() -> Figure:
    """What may follow "the", at three temperatures."""
    counted = few_sentences()
    logits = kneser_ney(counted.counts, 2).log_probabilities(counted.encode("the", end=False))
    traces = {f"T = {T}": distribution(logits, SamplingSettings(T)) for T in (0.3, 1.0, 3.0)}
    return small(settings_figure(traces, [counted.name(token) for token in range(len(logits))], most=6))
