"""Sentence pairs with gold word alignments: a meaning said in English and in another language.

Every English sentence has one reading here. "You" is one person known well; "they" and "them" are masculine
or mixed; "I" and "we" are masculine; a doctor, teacher, friend, neighbour or child is masculine where a
language must choose. "Read" without an s is past.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from core.text.grammar.english import english
from core.text.grammar.english_reading import meaning_of
from core.text.grammar.meaning import Sentence as Meaning
from core.text.grammar.meaning import Word, concept_word
from core.text.grammar.pairs import Pair, is_held_out
from core.text.grammar.speaker import Speaker

SHORTEST, LONGEST = 3, 25

Language = Callable[[Meaning], list[Word]]


def marked(sentence: Meaning, language: Language) -> list[Word]:
    """Return a sentence in a language with its full stop or question mark."""
    return [*language(sentence), concept_word("?" if sentence.question else ".", (sentence, "mark"))]


def pair(sentence: Meaning, language: Language) -> Pair:
    """Return a sentence in English and another language with its gold alignment."""
    source, target = marked(sentence, english), marked(sentence, language)
    links = {
        (t, s)
        for t, there in enumerate(target)
        for s, here in enumerate(source)
        if here.concepts & there.concepts
    }
    return Pair(tuple(w.text for w in source), tuple(w.text for w in target), frozenset(links))


def known_pair(words: Sequence[str], language: Language) -> Pair | None:
    """Return an English sentence, its mark last, with its translation and gold alignment; None if nothing here says it.

    >>> from core.text.grammar.english_french import french
    >>> known_pair("the old man sleeps .".split(), french).target
    ('le', 'vieil', 'homme', 'dort', '.')
    """
    meaning = meaning_of(words)
    return meaning and pair(meaning, language)


def generate_pairs(
    language: Language,
    seed: int,
    held_out: bool = False,
    lengths: Sequence[int] = range(SHORTEST, LONGEST + 1),
) -> Iterator[Pair]:
    """Yield pairs without end, each length (marks counted) equally often; for training, or held out from it.

    A sentence of another length than the one wanted is kept until its length is called for.
    """
    chance = random.Random(seed)
    kept: dict[int, list[Meaning]] = {length: [] for length in lengths}
    while True:
        length = chance.choice(lengths)
        while not kept[length]:
            meaning = Speaker(chance, richness=min(1.0, (length - 2) / 14)).sentence()
            words = [w.text for w in marked(meaning, english)]
            others = kept.get(len(words))
            if others is not None and len(others) < 100 and is_held_out(words) == held_out:
                others.append(meaning)
        yield pair(kept[length].pop(0), language)
