"""A stored translator with its attention as it is or replaced, and what it then writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import translator_of
from core.models.translation.seq2seq import Seq2Seq
from core.models.translation.translate import Translated, Translator, translated

Break = Callable[[Seq2Seq], Seq2Seq]


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
