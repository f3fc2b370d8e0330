"""Exercises on n-gram counts: what follows a context, a longer context, and how many bigrams occur once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.n_grams.ngram import maximum_likelihood
from core.models.n_grams.ngram_counts import NgramCounts
from core.models.n_grams.rarity import rarity
from pages.n_grams.shared.small_text import NOUNS, START, STOP, count_small_text, draw_text, sentences_of

COLUMNS = ("c(hw)", "p")


def draw_window(draws: Draws, difficulty: int) -> Draw | None:
    """What follows a context; mistakes: slide over sentence ends, divide by all tokens, count what comes before."""
    tokens = draw_text(draws, difficulty + 2)
    context = draws.choose(NOUNS)
    if not 3 <= tokens.count(context) <= 5:
        return None
    words = [token for token in tokens if token != STOP]
    right = following(count_small_text(tokens, end=STOP), context)
    endless = following(count_small_text(words), context)
    before = following(count_small_text(tokens[::-1]), context)
    rows = sorted({*right, *endless, *before})
    total = sum(right.values())
    first = next(token for token in rows if token in right)
    return Draw(
        given={"text": " ".join(tokens), "context": context, "tokens": len(tokens)},
        answer=entries(right, rows, total),
        mistakes={
            "across": entries(endless, rows, sum(endless.values())),
            "joint": entries(right, rows, len(tokens)),
            "before": entries(before, rows, sum(before.values())),
        },
        steps={
            "total": total,
            "first": first,
            "count": right[first],
            "p": right[first] / total,
            "counted": list(right.items()),
            "ends": right.get(STOP, 0),
            "wrong_rows": sorted(endless.keys() - right.keys()),
            "preceding": sorted(before),
        },
        table=Table(rows, COLUMNS, [[None, None] for _ in rows]),
    )


def following(counts: NgramCounts, context: str) -> dict[str, int]:
    """Return how often each token follows a word, {token: count}, the most frequent first."""
    pairs = counts.continuations([counts.vocabulary.index(context)])
    return {counts.vocabulary[token]: count for token, count in pairs}


def entries(counted: Mapping[str, int], rows: list[str], total: int) -> list[float]:
    """Return the table's entries row by row: of each token its count, and its share of a total."""
    return [value for token in rows for value in (counted.get(token, 0), counted.get(token, 0) / total)]


def draw_longer(draws: Draws, difficulty: int) -> Draw | None:
    """p(w | h) with two words of context; mistakes: one word of context, divide by its count, divide by all tokens."""
    tokens = draw_text(draws, difficulty + 3)
    counts = count_small_text(tokens, 3, STOP)
    at = draws.integer(0, len(tokens) - 3)
    run = tuple(counts.vocabulary.index(token) for token in tokens[at : at + 3])
    if STOP in tokens[at : at + 2]:
        return None
    h, w = run[:2], run[2]
    long = maximum_likelihood(counts, 3).scores(h)
    short = maximum_likelihood(counts, 2).scores(h)
    if long[w] == 1:
        return None
    return Draw(
        given={"text": " ".join(tokens), "context": tokens[at : at + 2], "word": tokens[at + 2]},
        answer=long[w],
        mistakes={
            "short": short[w],
            "denominator": counts.count(run) / counts.count(h[1:]),
            "joint": counts.count(run) / len(tokens),
        },
        steps={
            "both": counts.count(run),
            "before": counts.count(h),
            "last": counts.count(h[1:]),
            "pair": counts.count(run[1:]),
            "tokens": len(tokens),
        },
    )


def draw_rare(draws: Draws, difficulty: int) -> Draw:
    """The share of bigrams that occur once; mistakes: divide by all windows, count words, count what is different."""
    tokens = draw_text(draws, difficulty + 1)
    found = rarity(count_small_text(tokens, end=STOP))
    seen = Counter((START if h == STOP else h, w) for h, w in pairwise([START, *tokens]))
    (words, pairs), (words_once, once) = found.different, found.once
    return Draw(
        given={"sentences": sentences_of(tokens)},
        answer=once / pairs,
        mistakes={
            "windows": once / len(tokens),
            "words": words_once / words,
            "types": pairs / len(tokens),
        },
        steps={
            "different": pairs,
            "once": once,
            "tokens": len(tokens),
            "words": words,
            "words_once": words_once,
            "repeated": [(*pair, times) for pair, times in seen.items() if times > 1],
        },
    )


MAKERS = (Maker(draw_window), Maker(draw_longer), Maker(draw_rare))
