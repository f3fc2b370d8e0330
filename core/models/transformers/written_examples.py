"""Examples as a person writes them, "zap C, mol F, maf": words with labels, and at the end the word to be labelled."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.models.transformers.rule_tasks import LABELS, WORDS, Example

TOKEN = re.compile(r"[^\W\d_]+")
MOST = 11  # examples that are read, the last ones


@dataclass(frozen=True)
class Written:
    """What was read: the examples, the word that is asked for (None without one), what is unknown, words left alone."""

    examples: tuple[Example, ...]
    word: int | None
    unknown: tuple[str, ...]
    alone: tuple[str, ...]


def read_examples(text: str) -> Written:
    """Return the examples of a text: a word and after it a label; what stands between them does not matter.

    A word without a label is left alone, unless it is the last: then it is asked for. An unknown token is passed over.

    >>> found = read_examples("zap → C; mol: f, dog B, maf")
    >>> found.examples == ((WORDS.index("zap"), 2), (WORDS.index("mol"), 5)), WORDS[found.word], found.unknown
    (True, 'maf', ('dog',))
    """
    examples: list[Example] = []
    waiting: int | None = None
    unknown, alone = [], []
    skipped = False  # an unknown word's label is passed over with it
    for token in TOKEN.findall(text):
        if token.lower() in WORDS:
            if waiting is not None:
                alone.append(WORDS[waiting])
            waiting, skipped = WORDS.index(token.lower()), False
        elif token.upper() in LABELS:
            if waiting is not None:
                examples.append((waiting, LABELS.index(token.upper())))
            elif not skipped:
                unknown.append(token)
            waiting, skipped = None, False
        else:
            unknown.append(token)
            if waiting is not None:
                alone.append(WORDS[waiting])
            waiting, skipped = None, True
    return Written(
        tuple(examples[-MOST:]), waiting, tuple(dict.fromkeys(unknown)), tuple(dict.fromkeys(alone))
    )
