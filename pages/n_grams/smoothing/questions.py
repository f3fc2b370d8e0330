"""Exercises on smoothing: Laplace's rule, absolute discounting, and the numbers that Kneser-Ney shares out by."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.n_grams.ngram import add_alpha, maximum_likelihood
from core.models.n_grams.ngram_counts import NgramCounts, count_ngrams

CONTEXT, UNSEEN = "sweet", "king"
FOLLOWERS = ("prince", "lord", "lady", "queen", "flowers")
CONTEXTS, WORDS = ("my", "good", "sweet", "dear", "noble"), ("lord", "love", "king", "friend")
END = "</s>"


def count_pairs(pairs: Mapping[tuple[str, str], int], size: int = 0) -> NgramCounts:
    """Return the counts of a text that has each pair of words so often, its vocabulary filled up to `size` tokens.

    >>> counts = count_pairs({("my", "lord"): 2, ("my", "love"): 1})
    >>> [counts.vocabulary[token] for token, _ in counts.continuations([counts.vocabulary.index("my")])]
    ['lord', 'love']
    """
    words = list(dict.fromkeys(word for pair in pairs for word in pair))
    vocabulary = [END, *words, *map(str, range(size - len(words) - 1))]
    lines = [[*pair, END] for pair, times in pairs.items() for _ in range(times)]
    return count_ngrams([vocabulary.index(token) for line in lines for token in line], vocabulary, 2, end=0)


def draw_laplace(draws: Draws, difficulty: int) -> Draw:
    """Add-alpha from counts; mistakes: keep the old total, add alpha once to the total, add nothing to the count."""
    alpha = (1, 1, 0.5)[difficulty - 1]
    words = draws.sample(FOLLOWERS, difficulty + 1)
    times = [draws.integer(1, 4) for _ in words]
    V = 10 * draws.integer(2, 6)
    word = draws.choose((UNSEEN, words[0]))
    pairs = {(CONTEXT, each): count for each, count in zip(words, times, strict=True)}
    counts = count_pairs({**pairs, (UNSEEN, words[0]): 1}, V)
    h, w = counts.vocabulary.index(CONTEXT), counts.vocabulary.index(word)
    count, total = counts.count((h, w)), sum(times)
    return Draw(
        given={"table": Table(("c",), words, [times]), "alpha": alpha, "V": V, "word": word},
        answer=add_alpha(counts, 2, alpha).scores([h])[w],
        mistakes={
            "total": maximum_likelihood(counts, 2).scores([h])[w] + alpha / total,
            "once": (count + alpha) / (total + alpha),
            "count": count / (total + alpha * V),
        },
        steps={"count": count, "total": total, "added": alpha * V, "sum": total + alpha * V},
        digits=4,
    )


def draw_discount(draws: Draws, difficulty: int) -> Draw:
    """A distribution by absolute discounting; mistakes: share out nothing, free d only once, take nothing off."""
    words = (*draws.sample(FOLLOWERS, difficulty + 1), UNSEEN)
    times = np.array([*(draws.integer(1, 4) for _ in words[:-1]), 0])
    shorter, d = np.array(draws.distribution(len(words))), draws.choose((0.5, 0.75))
    seen, total = times > 0, times.sum()
    kept, freed = (times - d * seen) / total, d * seen.sum() / total
    return Draw(
        given={
            "table": Table(("c(hw)", "p(w)"), words, [times.tolist(), shorter.tolist()]),
            "d": d,
        },
        answer=kept + freed * shorter,
        mistakes={
            "kept": kept,
            "once": kept + d / total * shorter,
            "whole": times / total + freed * shorter,
        },
        steps={
            "total": int(total),
            "types": int(seen.sum()),
            "freed": float(freed),
            "free_once": float(d / total),
            "word": words[0],
            "count": int(times[0]),
            "p_word": float(shorter[0]),
            "p_unseen": float(shorter[-1]),
            "first": float((kept + freed * shorter)[0]),
            "last": float(freed * shorter[-1]),
            "sum_kept": float(kept.sum()),
            "sum_whole": float(1 + freed),
        },
        table=Table(("p",), words, [[None] * len(words)]),
    )


def draw_kneser_ney(draws: Draws, difficulty: int) -> Draw | None:
    """Contexts of a word and their share; mistakes: share by frequency, divide by contexts, divide by all counts."""
    words, contexts = WORDS[: 2 if difficulty == 1 else 3], CONTEXTS[: difficulty + 2]
    rows = [[max(0, draws.integer(-3, 6)) for _ in words] for _ in contexts]
    pairs = {
        (h, w): count
        for h, row in zip(contexts, rows, strict=True)
        for w, count in zip(words, row, strict=True)
    }
    if not all(map(sum, rows)) or not all(map(sum, zip(*rows, strict=True))):
        return None
    counts = count_pairs(pairs)
    at = [counts.vocabulary.index(word) for word in words]
    times = np.array([counts.count((w,)) for w in at])
    places = np.array([counts.predecessors[1][counts.node((w,))] for w in at])
    return Draw(
        given={"table": Table(contexts, words, rows), "words": words},
        answer=columns(times, places, places / places.sum()),
        mistakes={
            "frequency": columns(times, places, times / times.sum()),
            "contexts": columns(times, places, places / len(contexts)),
            "all": columns(times, places, places / times.sum()),
        },
        steps={
            "word": words[0],
            "times": int(times[0]),
            "places": int(places[0]),
            "before": [h for h, row in zip(contexts, rows, strict=True) if row[0]],
            "all_times": int(times.sum()),
            "all_places": int(places.sum()),
            "n": len(contexts),
            "share": float(places[0] / places.sum()),
        },
        table=Table(words, ("c(w)", "N(w)", "p(w)"), [[None] * 3 for _ in words]),
    )


def columns(times: np.ndarray, places: np.ndarray, p: np.ndarray) -> list[float]:
    """Return the table's entries word by word: how often it occurs, after how many different words, and its share."""
    rows = zip(times.tolist(), places.tolist(), p.tolist(), strict=True)
    return [value for row in rows for value in row]


MAKERS = (Maker(draw_laplace), Maker(draw_discount), Maker(draw_kneser_ney))
