"""The sentences that the bidirectional language model reads, and those that neither it nor its mixes ever learn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.models.documents.bag_of_words import held_out_places
from core.models.pretraining.bidirectional_language_model import MARK, OTHER
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences
from core.training import word_text
from core.training.classifiers import without_doubles
from core.training.corpora import movie_snippets
from core.training.recipes import tagger

LONGEST = 40  # words; a longer sentence is cut into parts


@dataclass(frozen=True)
class Labelled:
    """Texts in words with a label each, or with one for every word."""

    words: list[list[str]]
    labels: list


@cache
def tagged() -> tuple[Labelled, Labelled]:
    """Return the sentences of the Brown corpus with universal tags, to learn from and held out, as the taggers have them."""
    return tuple(
        Labelled(tagger.strip_tags(part), [[tag for _, tag in sentence] for sentence in part])
        for part in tagger.split_tagged_sentences()
    )


@cache
def rated() -> tuple[Labelled, Labelled]:
    """Return the sentences of film reviews, to learn from and held out, as the classifiers of documents have them."""
    pairs = without_doubles(movie_snippets())
    held = held_out_places([label for label, _ in pairs])
    cut = [(label, corpus_words(text)) for label, text in pairs]
    kept = [[pair for pair, is_held in zip(cut, held, strict=True) if is_held == h] for h in (False, True)]
    return tuple(Labelled([words for _, words in part], [label for label, _ in part]) for part in kept)


def older(texts: Sequence[str]) -> list[list[str]]:
    """Return every fourth verse of the Bible, the first text, and every fourth sentence of the plays, in words."""
    verses, *plays = texts
    spoken = [each for play in plays for each in sentences(speech_of(play))]
    return [corpus_words(each) for each in (*verses.splitlines()[::4], *spoken[::4])]


def speech_of(play: str) -> str:
    r"""Return a play without its speakers' names, each speech in one line.

    >>> speech_of("FOOL:\nHow now?\nPeace.\n\nLEAR:\nWhy?\n")
    'How now? Peace.\nWhy?'
    """
    blocks = [block.splitlines() for block in play.split("\n\n")]
    return "\n".join(" ".join(line for line in block if not line.endswith(":")) for block in blocks)


def cut_texts(texts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return texts in parts of at most LONGEST words; empty ones are left out.

    >>> [len(part) for part in cut_texts([["a"] * 45, [], ["b"]])]
    [40, 5, 1]
    """
    return [list(text[i : i + LONGEST]) for text in texts for i in range(0, len(text), LONGEST)]


@cache
def sources() -> dict[str, tuple[list[list[str]], list[list[str]]]]:
    """Return what is read and what is held out of each source, in words."""
    read, kept = word_text.texts()
    brown, films = tagged(), rated()
    return {
        "Brown corpus": (cut_texts(brown[0].words), cut_texts(brown[1].words)),
        "film reviews": (cut_texts(films[0].words), cut_texts(films[1].words)),
        "Bible in Basic English and plays": (cut_texts(older(read)), cut_texts(older(kept))),
    }


def guessed_words(texts: Sequence[Sequence[str]], number: int) -> list[str]:
    """Return the words that the model guesses: other words as one, the mark, and the most frequent ones, in lower case.

    >>> guessed_words([["The", "dog"], ["the", "cat", "cat"], ["the"]], number=4)
    ['<other word>', '<s>', 'the', 'cat']
    """
    counts = Counter(word.lower() for words in texts for word in words)
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    return [OTHER, MARK, *ordered[: number - 2]]
