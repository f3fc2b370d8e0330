"""Which forms are one word: stems, cut off by rules, and lemmas, looked up in a dictionary. Both are English ones.

A stem need not be a word ("universities" becomes "universiti"), and what is irregular stays apart ("ran" is not "run");
a lemma is what a dictionary lists ("ran" and "runs" are "run"), and what the dictionary lacks stays as it is. Neither
looks at a word's neighbours, so "saw" is always "see".

M. F. Porter (1980), An algorithm for suffix stripping; its English successor by the same author, as snowballstemmer has
it. A. Barbaresi (2021), Simplemma: a simple multilingual lemmatizer for Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

AS_WRITTEN, STEMS, LEMMAS = "as written", "stems", "lemmas"
FORMS = (AS_WRITTEN, STEMS, LEMMAS)


def stem(word: str) -> str:
    """Return a word's stem by Porter's second algorithm for English; capital letters stay as they are.

    >>> [stem(word) for word in ("cats", "relational", "universities", "ran", "kind")]
    ['cat', 'relat', 'universiti', 'ran', 'kind']
    """
    return _stemmer().stemWord(word)


@cache
def _stemmer():
    import snowballstemmer  # what only one switch needs is read when it is turned on

    return snowballstemmer.stemmer("english")


def lemma(word: str) -> str:
    """Return what an English dictionary lists a word under; a word that it lacks stays as it is.

    >>> [lemma(word) for word in ("cats", "relational", "universities", "ran", "mice", "was")]
    ['cat', 'relational', 'university', 'run', 'mouse', 'be']
    """
    import simplemma

    found = simplemma.lemmatize(word, lang="en")
    return found.lower() if word.islower() else found  # it writes "i" as "I", "adam" as "Adam"


def word_forms(tokens: Sequence[str], form: str) -> list[str]:
    """Return tokens in one of FORMS: as written, as stems, or as lemmas; each type is looked up once.

    >>> word_forms("the mice ran and the mouse runs".split(), "lemmas")
    ['the', 'mouse', 'run', 'and', 'the', 'mouse', 'run']
    >>> word_forms("the mice ran and the mouse runs".split(), "stems")
    ['the', 'mice', 'ran', 'and', 'the', 'mous', 'run']
    """
    if form == AS_WRITTEN:
        return list(tokens)
    of = {word: {STEMS: stem, LEMMAS: lemma}[form](word) for word in dict.fromkeys(tokens)}
    return [of[token] for token in tokens]


def merged_most(tokens: Sequence[str], forms: Sequence[str]) -> tuple[str, list[str]]:
    """Return the form that stands for most types, of tokens with their forms, and those, the most frequent first.

    >>> merged_most("she sees and saw he saw I see".split(), "she see and see he see I see".split())
    ('see', ['saw', 'sees', 'see'])
    """
    types: dict[str, list[str]] = {}
    for word, one in dict(zip(tokens, forms, strict=True)).items():
        types.setdefault(one, []).append(word)
    most = max(types, key=lambda one: len(types[one]))
    times = Counter(filter(set(types[most]).__contains__, tokens))
    return most, [word for word, _ in times.most_common()]
