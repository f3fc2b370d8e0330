"""What the model of sentence pairs reads: books and plays, and the course's small stories; and what it is measured on."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from core.models.pretraining.pair_training import LEAST, Passages, join_short_sentences
from core.models.stored import sha256_of_text
from core.models.tokens.byte_pairs import BytePairs
from core.text.samples.stories import TRAINED_SCRIPTS, Told, scripts, stories_to_train_on
from core.text.tokenization.tokens import sentences
from core.training.corpora import bible_books
from core.training.play_text import play_text

SPEAKER = re.compile(r"^[A-Z][A-Z ,.'&-]*:$", re.M)


def books_of_text() -> tuple[list[str], list[str], int]:
    """Return the books to train on, what is held out of each, and how many of them are the Bible's; the rest are plays.

    The last tenth of the verses and of every play is held out, as for word_masked.
    """
    books = bible_books("3")
    cut = int(0.9 * sum(map(len, books)))
    read, kept, before = [], [], 0
    for verses in books:
        here = max(0, min(len(verses), cut - before))
        read.append("\n".join(verses[:here]))
        kept.append("\n".join(verses[here:]))
        before += len(verses)
    plays = play_text()
    read += [spoken(text) for text in plays.training]
    kept += [spoken(text) for text in plays.held_out]
    return read, kept, len(books)


def spoken(text: str) -> str:
    """Return a play's text without the names of the speakers: who speaks next would often tell what is next.

    >>> spoken("FOOL:\\nHow now?\\n\\nLEAR, a king:\\nPeace!\\n")
    '\\nHow now?\\n\\nLEAR, a king:\\nPeace!\\n'
    """
    return SPEAKER.sub("", text)


def split_books(texts: list[str], pairs: BytePairs) -> Passages:
    """Return the sentences of texts, in order, each text a book."""
    found = [join_short_sentences(sentences(text), pairs, LEAST) for text in texts]
    books = [book for book, each in enumerate(found) for _ in each]
    return Passages([tuple(ids) for each in found for _, ids in each], np.array(books))


def join_passages(*parts: Passages) -> Passages:
    """Return several texts as one; the books of each are numbered after those of the one before."""
    books, first = [], 0
    for part in parts:
        books.append(part.books + first)
        first = int(books[-1][-1]) + 1
    return Passages([ids for part in parts for ids in part.ids], np.concatenate(books))


def split_stories(stories: list[list[Told]], pairs: BytePairs) -> Passages:
    """Return the sentences of stories, in order, each story a book."""
    ids = [tuple(pairs.encode(told.text)) for story in stories for told in story]
    return Passages(ids, np.repeat(np.arange(len(stories)), [len(story) for story in stories]))


def drawn_places(
    stories: list[list[Told]], wanted: Callable[[Told, Told], bool], draw: np.random.Generator
) -> np.ndarray:
    """Return the place of one sentence of each story, drawn among those that are `wanted` with the next one.

    A story that has no such pair has no place here.
    """
    found, before = [], 0
    for story in stories:
        places = [before + i for i, (one, other) in enumerate(pairwise(story)) if wanted(one, other)]
        before += len(story)
        found += [int(draw.choice(places))] if places else []
    return np.array(found)


def trained_pairs(n: int, seed: int) -> set[tuple[str, str]]:
    """Return the true pairs of the stories trained on, as they are written."""
    return {
        (one.text, other.text) for story in stories_to_train_on(n, seed) for one, other in pairwise(story)
    }


def story_corpus(n: int, seed: int, tokens: int) -> dict:
    """Return what a card says of the stories trained on."""
    stories = stories_to_train_on(n, seed)
    texts = [" ".join(told.text for told in story) for story in stories]
    return {
        "stories of this course, written by a grammar (core/text/samples/stories.py)": {
            "training stories": n,
            "training characters": sum(map(len, texts)),
            "training tokens": tokens,
            "training sha256": sha256_of_text("\n".join(texts)),
            "held out": f"a quarter of the combinations of two phrasings that follow each other, and "
            f"{len(scripts()) - TRAINED_SCRIPTS} of {len(scripts())} scripts as a whole",
            "near doubles": "no measured pair of sentences was trained on; in “stories” it was with other names or words",
        }
    }
