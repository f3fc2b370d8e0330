"""Sentence pairs for translation: words, gold alignments, vocabularies, near words."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from core.text.grammar import WORDS

MOST_WORDS = 60
SPECIAL = ("<padding>", "<start>", "<end>", "<unknown>")
WORD = re.compile(r"aujourd'hui|'s\b|(?:l|d|j|m|t|s|n|c|qu)'(?=\w)|\w+(?:[-.]\w+)*|[^\w\s]", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """A sentence, its translation, and which words belong together: `links`, (output word, input word) by index.

    `links` is empty when the alignment is not known.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: frozenset[tuple[int, int]] = frozenset()


CONTRACTED = (("can't", "cannot"), ("won't", "will not"), ("n't", " not"), ("'m", " am"), ("'re", " are"))


def tokenise_sentence(sentence: str) -> list[str]:
    """Return the words and marks of an English, French or Dutch sentence, in small letters but for "I".

    "Isn't" is read as "is not".

    >>> tokenise_sentence("The king's friend isn't here, I think.")
    ['the', 'king', "'s", 'friend', 'is', 'not', 'here', ',', 'I', 'think', '.']
    >>> tokenise_sentence("L'homme n'arrive pas aujourd'hui.")
    ["l'", 'homme', "n'", 'arrive', 'pas', "aujourd'hui", '.']
    """
    text = sentence.lower().replace("’", "'")
    for short, full in CONTRACTED:
        text = re.sub(rf"{short}\b", full, text)
    return ["I" if word == "i" else word for word in WORD.findall(text)]


def sentence_of(words: Sequence[str], language: str = "en") -> str:
    """Return words as a sentence: a capital, no space before marks (French: one before "?") nor after l', d'.

    >>> sentence_of(["le", "chat", "de", "l'", "homme", "dort", "."], "fr")
    "Le chat de l'homme dort."
    >>> sentence_of(["the", "king", "'s", "cat"]), sentence_of(["dort-il", "?"], "fr")
    ("The king's cat", 'Dort-il ?')
    """
    text = " ".join(words)
    text = re.sub(r" (?=[.,])| (?='s\b)", "", text)
    text = text if language == "fr" else re.sub(r" (?=[?!])", "", text)
    text = re.sub(r"\b((?:l|d|j|m|t|s|n|c|qu)') ", r"\1", text)
    return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class TranslationVocabulary:
    """The words of one side, each with its id; ids 0 to 3 are <padding>, <start>, <end> and <unknown>."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], at_most: int | None = None) -> TranslationVocabulary:
        """Return the vocabulary of sentences, in alphabetical order; of their `at_most` most frequent words."""
        counts = Counter(word for sentence in sentences for word in sentence)
        return cls((*SPECIAL, *sorted(word for word, _ in counts.most_common(at_most))))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def ids(self) -> dict[str, int]:
        """Each word's id."""
        return {word: i for i, word in enumerate(self.words)}

    def encode(self, words: Sequence[str]) -> list[int]:
        """Return the ids of words; a word that is not known becomes <unknown>."""
        ids = self.ids
        return [ids.get(word, SPECIAL.index("<unknown>")) for word in words]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Return the words of ids up to <end>, <end> left out.

        >>> TranslationVocabulary((*SPECIAL, "chat", "le")).decode([5, 4, 2, 0])
        ['le', 'chat']
        """
        words = []
        for i in ids:
            if self.words[i] == "<end>":
                break
            words.append(self.words[i])
        return words


def near_words(word: str, vocabulary: TranslationVocabulary) -> list[str]:
    """Return up to three known words that are spelt much like a word, the nearest first.

    >>> near_words("catt", TranslationVocabulary((*SPECIAL, "cat", "the")))
    ['cat']
    """
    return get_close_matches(word, vocabulary.words[len(SPECIAL) :], n=3, cutoff=0.6)


def unknown_words(words: Sequence[str], vocabulary: TranslationVocabulary) -> str:
    """Return a sentence naming the words that are not in the vocabulary, with near ones; "" when all are.

    >>> unknown_words(["the", "catt"], TranslationVocabulary((*SPECIAL, "cat", "the")))
    'The model does not know “catt” (near it: cat).'
    """
    unknown = dict.fromkeys(word for word in words if word not in vocabulary.ids or word in SPECIAL)
    near = {word: near_words(word, vocabulary) for word in unknown}
    return WORDS.label("pairs.unknown", near=near) if near else ""


def script_of(word: str) -> str:
    """Return the script of a word's first letter, as Unicode names it; "" for Latin letters and where there is none.

    >>> script_of("مرحبا"), script_of("кот"), script_of("我们"), script_of("chat"), script_of("3")
    ('Arabic', 'Cyrillic', 'Chinese', '', '')
    """
    letter = next((character for character in word if character.isalpha()), None)
    name = "LATIN" if letter is None else unicodedata.name(letter, "UNNAMED").split()[0]
    return "" if name == "LATIN" else "Chinese" if name == "CJK" else name.title()


def is_held_out(words: Sequence[str]) -> bool:
    """Return whether a sentence is kept from training: one in eight is, by the hash of its words.

    >>> sum(is_held_out([str(i)]) for i in range(8000))
    1027
    """
    return hashlib.sha256(" ".join(words).encode()).digest()[0] % 8 == 0
