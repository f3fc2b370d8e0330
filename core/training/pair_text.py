"""The Bible in Basic English and the plays as sentences in order, book by book, and what none is trained on."""

from __future__ import annotations

import re

import numpy as np

from core.models.pretraining.pair_training import LEAST, Passages, join_short_sentences
from core.models.pretraining.sentence_pairs import LONGEST
from core.models.tokens.byte_pairs import BytePairs
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
    found = [join_short_sentences(sentences(text), pairs, LEAST, LONGEST) for text in texts]
    books = [book for book, each in enumerate(found) for _ in each]
    return Passages([tuple(ids) for each in found for _, ids in each], np.array(books))
