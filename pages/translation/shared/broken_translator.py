"""Break it: a translator's attention made the same everywhere, or moved to the wrong place; and what it then writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import translator_of
from core.lesson.lesson import Lesson
from core.models.translation.broken_attention import with_late_attention, with_uniform_attention
from core.models.translation.seq2seq import Seq2Seq
from core.models.translation.translate import Translated, Translator, translated

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


@cache
def broken_translator(name: str, broken: Break | None) -> Translator:
    """Return a stored translator as it is (None) or broken, made once for all sessions: never change it."""
    whole = translator_of(name)
    return whole if broken is None else replace(whole, model=broken(whole.model))


def translated_by(name: str, words: Sequence[str], broken: Break | None = None) -> Translated:
    """Return what a stored translator, as it is or broken, writes for words; the last ones are kept."""
    return _translated_by(name, broken.__name__ if broken else "", tuple(words), broken)


@cached(32, 6, shared=no_typed_words)
def _translated_by(name: str, break_name: str, words: tuple[str, ...], _broken: Break | None) -> Translated:
    return translated(broken_translator(name, _broken), words)
