"""Exercises on co-occurrence: a window's counts, a count by chance with its PMI, and the cosine of two weighted rows."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.word_vectors.co_occurrence import CoOccurrence, co_occurrences, pmi, weighted
from pages.word_vectors.shared.small_vectors import cosine_of

WORDS = ("the", "king", "crown", "sea", "loves")


def draw_window(draws: Draws, difficulty: int) -> Draw | None:
    """A row of counts; mistakes: look to the right only, count each neighbour once, count the word itself."""
    size = 1 if difficulty == 1 else 2
    sentence = [draws.choose(WORDS) for _ in range(5 + difficulty)]
    word = max(WORDS, key=sentence.count)
    shown = sorted(set(sentence), key=sentence.index)
    found = co_occurrences([sentence], size, len(shown))
    row = found.counts[found.index[word]]
    answer = [int(row[found.index[each]]) for each in shown]
    places = [i for i, each in enumerate(sentence) if each == word]
    if len(places) < 2 or len(shown) < 3:
        return None
    right = [sum(each in sentence[i + 1 : i + 1 + size] for i in places) for each in shown]
    once = [min(1, each) for each in answer]
    first = [max(0, places[0] - size), places[0], places[0] + size + 1]
    return Draw(
        given={"sentence": " ".join(sentence), "word": word, "size": size},
        answer=answer,
        mistakes={
            "right": right,
            "once": once,
            "itself": [
                n + (len(places) if each == word else 0) for n, each in zip(answer, shown, strict=True)
            ],
        },
        steps={
            "places": len(places),
            "around": sentence[first[0] : first[1]] + sentence[first[1] + 1 : first[2]],
            "most": shown[int(np.argmax(answer))],
            "most_count": max(answer),
            "own": answer[shown.index(word)],
        },
        table=Table((word,), shown, [[None] * len(shown)]),
    )


def draw_counts(draws: Draws, size: int) -> CoOccurrence:
    """Return words with symmetric counts, 0 of a word with itself."""
    C = np.zeros((size, size), dtype=int)
    for i in range(size):
        for j in range(i):
            C[i, j] = C[j, i] = draws.choose((0, 1, 2, 3, 4, 6, 8))
    return CoOccurrence(WORDS[:size], C)


def draw_pmi(draws: Draws, difficulty: int) -> Draw | None:
    """PMI of two words in bits; mistakes: natural logarithms, the ratio itself, the share of the row."""
    found = draw_counts(draws, 2 + difficulty)
    C, N = found.counts, int(found.total)
    i, j = 0, 1 + draws.integer(0, difficulty)
    if not C[i, j] or not C.sum(axis=1).all():
        return None
    bits = float(pmi(found)[i, j])
    rows, columns = int(C.sum(axis=1)[i]), int(C.sum(axis=0)[j])
    return Draw(
        given={
            "counts": Table(found.words, found.words, C, "C"),
            "one": found.words[i],
            "other": found.words[j],
        },
        answer=bits,
        mistakes={
            "natural": bits * np.log(2),
            "ratio": 2**bits,
            "share": np.log2(C[i, j] / rows),
        },
        steps={
            "n": int(C[i, j]),
            "row": rows,
            "column": columns,
            "N": N,
            "chance": rows * columns / N,
            "times": 2**bits,
        },
        digits=2,
    )


def draw_rows(draws: Draws, difficulty: int) -> Draw | None:
    """The cosine of two PPMI rows; mistakes: negative PMI kept, the dot product, one length only."""
    found = draw_counts(draws, 3 + difficulty)
    C = found.counts
    if not C.sum(axis=1).all():
        return None
    M = weighted(found, "PPMI").astype(float).round(2)
    P = np.where(C > 0, pmi(found), 0.0).astype(float).round(2)
    x, y = M[1], M[2]
    if not (x @ y) or not (P[[1, 2]] < 0).any():
        return None
    return Draw(
        given={
            "rows": Table(found.words[1:3], [f"{each}" for each in found.words], P[1:3].tolist(), "PMI"),
            "one": found.words[1],
            "other": found.words[2],
        },
        answer=cosine_of(x, y),
        mistakes={
            "kept": cosine_of(P[1], P[2]),
            "product": float(x @ y),
            "half": float(x @ y) / float(np.linalg.norm(x)),
        },
        steps={
            "x": x,
            "y": y,
            "dot": float(x @ y),
            "lengths": [float(np.linalg.norm(x)), float(np.linalg.norm(y))],
            "negative": float(P[[1, 2]].min()),
        },
        digits=2,
    )


MAKERS = (Maker(draw_window), Maker(draw_pmi), Maker(draw_rows))
