"""Exercises on beam search in translation: the best text of a beam, ln p of a translation, and whose error it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.generation.beam_search import BeamTree, beam_search
from core.models.translation.search_errors import SearchRun

WORDS = ("à", "aux", "trois", "filles")
FIRST = {  # probabilities of the first word, whose two best are near each other
    3: ((0.4, 0.35, 0.25), (0.45, 0.4, 0.15), (0.45, 0.35, 0.2), (0.5, 0.4, 0.1)),
    4: ((0.35, 0.3, 0.2, 0.15), (0.4, 0.35, 0.15, 0.1), (0.4, 0.3, 0.2, 0.1), (0.45, 0.4, 0.1, 0.05)),
}
SENTENCE = ("la", "reine", "vend", "trois", "voitures")


@dataclass(frozen=True)
class WordTable:
    """A model that knows how often a translation begins with each word, (V,), and which word follows, (V, V)."""

    vocabulary: tuple[str, ...]
    first: np.ndarray
    following: np.ndarray

    def log_probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return ln p of each next word, (V,)."""
        return np.log(self.following[context[-1]] if context else self.first)


def write(tree: BeamTree, words: Sequence[str], place: int | None = None) -> str:
    """Return the text of a node, or the best of the search."""
    return " ".join(words[i] for i in (tree.winning_path if place is None else tree.path(place)))


def draw_beam(draws: Draws, difficulty: int) -> Draw | None:
    """What a beam of 2 ends with; mistakes: search greedily, let the last word decide."""
    size, length = (4 if difficulty == 2 else 3), (3 if difficulty == 3 else 2)
    words = WORDS[:size]
    first = draws.shuffle(draws.choose(FIRST[size]))
    rows = [draws.distribution(size, 20) for _ in words]
    following = spread_most_after_the_best(first, rows)
    model = WordTable(words, np.array(first), np.array(following))
    tree, greedy, whole = (beam_search(model, [], width, length, 0.0) for width in (2, 1, size))
    ends = [i for i, node in enumerate(whole.nodes) if node.depth == length]
    factors = [whole.nodes[i].log_probability for i in ends]
    by_depth = [[node.total for node in tree.nodes if node.depth == depth] for depth in range(1, length + 1)]
    cuts = [(each, 1) for each in (factors, *rows, *by_depth)] + [(each, 2) for each in by_depth[:-1]]
    if any(is_close(*each) for each in cuts):
        return None
    last = ends[int(np.argmax(factors))]
    looked_at = [
        (write(tree, words, i), float(np.exp(tree.nodes[i].total)), node.kept)
        for i, node in enumerate(tree.nodes)
        if node.depth
    ]
    return Draw(
        given={
            "first": Table(("p",), words, [first]),
            "following": Table(words, words, following),
            "length": length,
        },
        answer=write(tree, words),
        mistakes={"greedy": write(greedy, words), "last": write(whole, words, last)},
        steps={
            "rows": looked_at,
            "best": float(np.exp(tree.nodes[tree.best].total)),
            "searched": float(np.exp(greedy.nodes[greedy.best].total)),
            "last_p": float(np.exp(whole.nodes[last].log_probability)),
            "last_total": float(np.exp(whole.nodes[last].total)),
            "start": words[greedy.winning_path[0]],
        },
    )


def spread_most_after_the_best(
    first: Sequence[float], rows: Sequence[Sequence[float]]
) -> list[Sequence[float]]:
    """Return the rows so that the most probable first word has the flattest: the less probable it is, the more peaked."""
    ranked = sorted(range(len(first)), key=lambda i: -first[i])
    flattest_first = sorted(rows, key=max)
    return [flattest_first[ranked.index(i)] for i in range(len(first))]


def is_close(numbers: Sequence[float], place: int) -> bool:
    """Return whether the number at a place of the order is as large as the next one.

    >>> is_close([0.5, 0.2, 0.5], 1), is_close([0.5, 0.2, 0.5], 2)
    (True, False)
    """
    ordered = sorted(numbers, reverse=True)
    return place < len(ordered) and ordered[place - 1] - ordered[place] < 1e-6


def draw_log(draws: Draws, difficulty: int) -> Draw:
    """ln p of a translation; mistakes: the logarithm of the sum, the mean per word, logarithms to base 10."""
    words = SENTENCE[: difficulty + 2]
    p = np.array([draws.decimal(0.15, 0.95, 2) for _ in words])
    ln_p = np.log(p)
    return Draw(
        given={"words": words, "factors": Table(("p",), words, [p.tolist()])},
        answer=ln_p.sum(),
        mistakes={"sum": np.log(p.sum()), "mean": ln_p.mean(), "bits": np.log2(p).sum()},
        steps={"logs": ln_p, "n": len(words), "total": float(p.sum()), "product": float(p.prod())},
    )


def draw_errors(draws: Draws, difficulty: int) -> Draw:
    """How many search errors; mistakes: count model errors, every wrong translation, the right ones."""
    n = (6, 8, 10)[difficulty - 1]
    ln_p = [-draws.decimal(1.0, 5.0) for _ in range(n)]
    right = [draws.integer(0, 2) == 0 for _ in range(n)]
    gaps = [0.0 if each else draws.signed(0.1, 1.5) for each in right]
    references = [min(-0.1, round(found + gap, 1)) for found, gap in zip(ln_p, gaps, strict=True)]
    run = SearchRun(np.array(ln_p), np.array(references), np.array(right), np.ones(n, int), np.zeros(n, bool))
    wrong = int((~run.right).sum())
    searched = [i + 1 for i in range(n) if not right[i] and references[i] > ln_p[i]]
    return Draw(
        given={
            "sentences": Table(
                ("ln p(ŷ)", "ln p(y)"),
                tuple(str(i + 1) for i in range(n)),
                [ln_p, references],
            ),
            "right": [i + 1 for i in range(n) if right[i]],
            "n": n,
        },
        answer=run.search_errors,
        mistakes={"model": wrong - run.search_errors, "wrong": wrong, "right": n - wrong},
        steps={
            "searched": searched,
            "modelled": [i + 1 for i in range(n) if not right[i] and i + 1 not in searched],
            "n": n,
        },
    )


MAKERS = (Maker(draw_beam), Maker(draw_log), Maker(draw_errors))
