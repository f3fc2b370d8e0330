"""Sentence pairs with gold word alignments: a meaning said in English and in another language.

Every English sentence has one reading here. "You" is one person known well; "they" and "them" are masculine
or mixed; "I" and "we" are masculine; a doctor, teacher, friend, neighbour or child is masculine where a
language must choose. "Read" without an s is past.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from core.text.english import english
from core.text.meaning import Sentence as Meaning
from core.text.meaning import Word, word
from core.text.pairs import Pair, is_held_out
from core.text.speaker import Speaker

SHORTEST, LONGEST = 3, 25

Language = Callable[[Meaning], list[Word]]


def pair(sentence: Meaning, language: Language) -> Pair:
    """Return a sentence in English and another language with its gold alignment, full stop or "?"
    included.
    """
    mark = word("?" if sentence.question else ".", (sentence, "mark"))
    source, target = [*english(sentence), mark], [*language(sentence), mark]
    links = {
        (t, s)
        for t, there in enumerate(target)
        for s, here in enumerate(source)
        if here.concepts & there.concepts
    }
    return Pair(tuple(w.text for w in source), tuple(w.text for w in target), frozenset(links))


def sentences(
    language: Language,
    seed: int,
    held_out: bool = False,
    lengths: Sequence[int] = range(SHORTEST, LONGEST + 1),
) -> Iterator[Pair]:
    """Yield pairs without end, each length (marks counted) equally often; for training, or held out from it.

    A sentence of another length than the one wanted is kept until its length is called for.
    """
    chance = random.Random(seed)
    kept: dict[int, list[Pair]] = {length: [] for length in lengths}
    while True:
        length = chance.choice(lengths)
        while not kept[length]:
            richness = min(1.0, (length - 2) / 14)
            found = pair(Speaker(chance, richness).sentence(), language)
            others = kept.get(len(found.source))
            if others is not None and len(others) < 100 and is_held_out(found.source) == held_out:
                others.append(found)
        yield kept[length].pop(0)
