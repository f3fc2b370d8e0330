"""Break it: a translator's attention made the same everywhere, or moved to the wrong place."""

from __future__ import annotations

from collections.abc import Callable

from core.lesson.lesson import Lesson
from core.models.translation.broken_attention import with_late_attention, with_uniform_attention
from core.models.translation.seq2seq import Seq2Seq

Break = Callable[[Seq2Seq], Seq2Seq]


def choose_break(lesson: Lesson) -> Break | None:
    """Draw two switches; return what breaks a model, or None when both are off. Uniform weights cannot be late."""
    uniform = lesson.break_it(
        "uniform",
        "Break it: the same weight for every input",
        "Every weight is 1/S: the context is the mean of all the encoder's states, at every step the same.",
    )
    late = lesson.break_it(
        "late",
        "Break it: look one place too far right",
        "Every input gets the score of the one before it; the first keeps its own.",
    )
    return with_uniform_attention if uniform else with_late_attention if late else None
