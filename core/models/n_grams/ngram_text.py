"""A text made ready for n-gram models: sentences cut into tokens, a part held out, a vocabulary, and the counts.

Each sentence is a text of its own that finishes with `</s>`: no n-gram reaches over a full stop, and a model
also learns where sentences end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.models.n_grams.ngram_counts import NgramCounts, count_ngrams
from core.text.tokenization.tokens import characters, sentences, words
from core.text.tokenization.vocabulary import Vocabulary

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
TOKENIZERS = {"words": words, "characters": characters}
TOKENS_AT_MOST = 500_000  # counted and smoothed as 5-grams they take up to 350 MB, where all are different
MARK = re.compile("(</?s>|<unk>)")


@dataclass(frozen=True)
class CountedText:
    """The counts of a text's training sentences, and the sentences that were held out."""

    unit: str  # "words" or "characters"
    vocabulary: Vocabulary
    counts: NgramCounts
    training: np.ndarray  # ids, each sentence with its `</s>`
    held_out: (
        np.ndarray
    )  # ids, likewise, of sentences that training has none of; none when nothing was held out
    repeated: float  # the share of the sentences that stand in the text more than once, word for word
    complete: bool  # whether all of the text was read
    different: tuple[int, int]  # how many different sentences were counted, and how many held out

    def encode(self, text: str, end: bool = True) -> list[int]:
        """Return the ids of a text's tokens, with `</s>` after each sentence, the last one's if `end`."""
        tokens = [token for sentence in tokenized(text, self.unit) for token in sentence]
        return self.vocabulary.encode(tokens if end or not tokens else tokens[:-1]).tolist()

    def unknown(self, text: str) -> list[str]:
        """Return the types of a text that are not in the vocabulary, in the order of the text."""
        tokens = [token for sentence in tokenized(text, self.unit) for token in sentence]
        return list(dict.fromkeys(token for token in tokens if token not in self.vocabulary))

    def read(self, run: str) -> list[int]:
        """Return the ids of a run written as `write` writes it; `<s>` counts as a token.

        Raises KeyError with the first token that is not in the vocabulary.
        """
        parts = run.split() if self.unit == "words" else MARK.split(run.replace("␣", " "))
        tokens = []
        for part in parts:
            tokens += [part] if MARK.fullmatch(part) else TOKENIZERS[self.unit](part)
        unknown = [token for token in tokens if token != START and token not in self.vocabulary]
        if unknown:
            raise KeyError(unknown[0])
        return [len(self.vocabulary) if token == START else self.vocabulary[token] for token in tokens]

    def write(self, run: Iterable[int]) -> str:
        """Return a run of ids as text that can be read: words with spaces between them, `␣` for a space."""
        return (" " if self.unit == "words" else "").join(self.name(token) for token in run)

    def text(self, run: Iterable[int]) -> str:
        """Return a run of ids as running text, each sentence on a line of its own."""
        end = self.vocabulary[END]
        parts = ["\n" if token == end else self.vocabulary.types[token] for token in run]
        return (" " if self.unit == "words" else "").join(parts).replace(" \n", "\n").replace("\n ", "\n")

    def name(self, token: int) -> str:
        """Return how a token is shown: the space as `␣`, the id past the vocabulary as `<s>`."""
        shown = START if token == len(self.vocabulary) else self.vocabulary.types[token]
        return shown.replace(" ", "␣")


def tokenized(text: str, unit: str, at_most: int | None = None) -> list[list[str]]:
    """Return each sentence's tokens, `</s>` last, up to `at_most` tokens in all.

    >>> tokenized("I am Sam. Sam I am.", "words")
    [['i', 'am', 'sam', '</s>'], ['sam', 'i', 'am', '</s>']]
    """
    found, room = [], at_most or len(text) + 1
    for sentence in sentences(text):
        tokens = TOKENIZERS[unit](sentence)[:room]
        if tokens:
            found.append([*tokens, END])
            room -= len(tokens) + 1
        if room <= 0:
            break
    return found


def count_text(
    text: str,
    unit: str = "words",
    order: int = 3,
    min_count: int = 1,
    hold_out: int = 0,
    at_most: int = TOKENS_AT_MOST,
) -> CountedText:
    """Return the n-gram counts of a text, every `hold_out`-th different sentence held out (0: none is).

    A sentence that is held out is so with all its copies: what is measured on was never counted.

    The vocabulary is that of the training sentences: types seen at least `min_count` times, `</s>`, and
    `<unk>`, which stands for all others. Text past `at_most` tokens is not read. A text of fewer different
    sentences than `hold_out` holds out its last one, unless that is its only one. Raises ValueError for a text
    without a token.

    >>> counted = count_text("I am Sam. Sam I am. I do not like green eggs and ham.", order=2)
    >>> counted.counts.count(counted.read("i am")), counted.counts.count(counted.read("<s> i"))
    (2, 2)
    """
    found = list(map(tuple, tokenized(text, unit, at_most)))
    if not found:
        raise ValueError(f"This text has no {unit} to count. Choose or write another one.")
    held, training = hold_out_every(hold_out, found)
    tokens = [token for sentence in training for token in sentence]
    # `</s>` comes once a sentence and must be in the vocabulary, however few sentences there are.
    vocabulary = Vocabulary.of(tokens, min(min_count, len(training)), unknown=UNKNOWN)
    ids = vocabulary.encode(tokens)
    counts = count_ngrams(ids, vocabulary.types, order, end=vocabulary[END])
    rest = [token for sentence in held for token in sentence]
    read = sum(map(len, found))
    return CountedText(
        *(unit, vocabulary, counts, ids, vocabulary.encode(rest)),
        repeated=repeated_share(found),
        complete=read < at_most,
        different=(len(set(training)), len(set(held))),
    )


def repeated_share(found: Sequence[Sequence[str]]) -> float:
    """Return the share of the sentences that stand there more than once.

    >>> repeated_share([["yes"], ["no"], ["yes"], ["well"]])
    0.5
    """
    times = Counter(map(tuple, found))
    return sum(count for count in times.values() if count > 1) / len(found)


def hold_out_every(n: int, found: Sequence) -> tuple[list, list]:
    """Return every n-th different item with all its copies, and the rest; for n = 0, and for one item, all are the rest.

    >>> hold_out_every(3, "abcdefg"), hold_out_every(2, "abab"), hold_out_every(10, "abc")
    ((['c', 'f'], ['a', 'b', 'd', 'e', 'g']), (['b', 'b'], ['a', 'a']), (['c'], ['a', 'b']))
    """
    different = list(dict.fromkeys(found))
    if not n or len(different) < 2:
        return [], list(found)
    n = min(n, len(different))
    chosen = set(different[n - 1 :: n])
    return [item for item in found if item in chosen], [item for item in found if item not in chosen]


class CountedNgram(NamedTuple):
    """A run of tokens, how often it was seen, and how often anything followed its context."""

    tokens: tuple[int, ...]
    count: int  # c(hw)
    context_count: int  # c(h)


def most_frequent(counts: NgramCounts, order: int, most: int) -> list[CountedNgram]:
    """Return the `most` most frequent runs of `order` tokens; equals in the order of their ids.

    >>> counted = count_text("I am Sam. Sam I am.", order=2)
    >>> run = most_frequent(counted.counts, 2, 1)[0]
    >>> counted.write(run.tokens), run.count, run.context_count
    ('i am', 2, 2)
    """
    return runs_of(counts, order, np.flatnonzero(counts.counts[order]), most)


def runs_of(counts: NgramCounts, order: int, nodes: np.ndarray, most: int) -> list[CountedNgram]:
    """Return the `most` most frequent of the runs at some nodes of a level; equals in the order of their ids."""
    A, found = len(counts.vocabulary) + 1, counts.counts[order]
    nodes = nodes[np.argsort(-found[nodes], kind="stable")][:most]
    totals = counts.summed(order - 1, found)[counts.parents[order][nodes]].astype(int)
    tokens, above = [], nodes
    for k in range(order, 0, -1):
        tokens.insert(0, counts.keys[k][above] % A)
        above = counts.parents[k][above]
    runs = map(tuple, np.column_stack(tokens).tolist())
    return [CountedNgram(*row) for row in zip(runs, found[nodes].tolist(), totals.tolist(), strict=True)]


def most_frequent_token(counted: CountedText) -> int:
    """Return the most frequent token's id; a mark or the space only if there is nothing else."""
    tokens = [token for token, _ in counted.counts.continuations([])]
    skipped = (counted.vocabulary[END], counted.vocabulary[UNKNOWN], counted.vocabulary.ids.get(" "))
    return next((token for token in tokens if token not in skipped), tokens[0])
