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
KINDS = ("NOUN", "VERB")
LEAST = 5  # times that a word is noun, and verb, in training: fewer may be slips of those who tagged


@dataclass(frozen=True)
class Labelled:
    """Sentences in words with a label for every word."""

    words: list[list[str]]
    labels: list[list[str]]


@cache
def tagged() -> tuple[Labelled, Labelled]:
    """Return the sentences of the Brown corpus with universal tags, to learn from and held out, as the taggers have them."""
    return tuple(
        Labelled(tagger.strip_tags(part), [[tag for _, tag in sentence] for sentence in part])
        for part in tagger.split_tagged_sentences()
    )


@cache
def noun_verb_forms() -> tuple[str, ...]:
    """Return the words, in lower case, that the training sentences have at least LEAST times as noun and as verb each."""
    return both_ways(tagged()[0], LEAST)


def both_ways(data: Labelled, least: int) -> tuple[str, ...]:
    """Return the words that are nouns at least so often, and verbs at least so often, in alphabetical order.

    >>> both_ways(Labelled([["They", "play", "a", "play"]], [["PRON", "VERB", "DET", "NOUN"]]), least=1)
    ('play',)
    """
    pairs = zip(data.words, data.labels, strict=True)
    counts = Counter(
        (word.lower(), tag) for words, tags in pairs for word, tag in zip(words, tags, strict=True)
    )
    nouns, verbs = (
        {word for (word, tag), n in counts.items() if tag == each and n >= least} for each in KINDS
    )
    return tuple(sorted(nouns & verbs))


@cache
def reviewed() -> tuple[list[list[str]], list[list[str]]]:
    """Return the sentences of film reviews, to learn from and held out, as the classifiers of documents have them."""
    pairs = without_doubles(movie_snippets())
    held = held_out_places([label for label, _ in pairs])
    cut = [corpus_words(text) for _, text in pairs]
    return tuple(
        [words for words, is_held in zip(cut, held, strict=True) if is_held == h] for h in (False, True)
    )


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
    brown, films = tagged(), reviewed()
    return {
        "Brown corpus": (cut_texts(brown[0].words), cut_texts(brown[1].words)),
        "film reviews": (cut_texts(films[0]), cut_texts(films[1])),
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
