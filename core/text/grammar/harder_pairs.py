"""Pairs that are harder than those of training, each in one way: rarer words, or a structure that training lacks.

    rare      a target word that training had only a few times, in a sentence that was kept from training
    joined    three sentences joined by "and", no longer than the longest of training, where no sentence has two "and"

Longer sentences are those of `generate_pairs`, asked for lengths that training does not have.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import replace

from core.text.grammar.english import english
from core.text.grammar.grammar import LONGEST, Language, marked, pair
from core.text.grammar.meaning import Sentence
from core.text.grammar.pairs import Pair, is_held_out
from core.text.grammar.speaker import Speaker

JOINED = 3  # sentences in one


def rare_pairs(language: Language, seed: int, rare: Collection[str]) -> Iterator[Pair]:
    """Yield held-out pairs without end that have a rare word in the target, as long as those of training.

    >>> from core.text.grammar.english_french import french
    >>> "arbres" in next(rare_pairs(french, 1, {"arbres", "chaises"})).target
    True
    """
    chance = random.Random(seed)
    while True:
        meaning = Speaker(chance, richness=1.0).sentence()
        if suits(meaning):
            found = pair(meaning, language)
            if any(word in rare for word in found.target):
                yield found


def joined_pairs(language: Language, seed: int, sentences: int = JOINED) -> Iterator[Pair]:
    """Yield held-out pairs without end of several statements joined by "and", as long as those of training.

    >>> from core.text.grammar.english_french import french
    >>> next(joined_pairs(french, 1)).source.count("and") >= 2
    True
    """
    chance = random.Random(seed)
    while True:
        meaning = joined([statement(chance) for _ in range(sentences)])
        if suits(meaning):
            yield pair(meaning, language)


def statement(chance: random.Random) -> Sentence:
    """Return a sentence that is not a question, plain or rich."""
    while (meaning := Speaker(chance, chance.random()).sentence()).question:
        continue
    return meaning


def joined(sentences: list[Sentence]) -> Sentence:
    """Return sentences as one: the first, and the second, and so on."""
    first, *rest = sentences
    return followed_by(first, joined(rest)) if rest else first


def followed_by(sentence: Sentence, more: Sentence) -> Sentence:
    """Return a sentence with another one joined to its last clause by "and"."""
    if sentence.second is None:
        return replace(sentence, link="and", second=more)
    return replace(sentence, second=followed_by(sentence.second, more))


def suits(meaning: Sentence) -> bool:
    """Return whether its English is no longer than that of training, and held out from it."""
    words = [word.text for word in marked(meaning, english)]
    return len(words) <= LONGEST and is_held_out(words)
