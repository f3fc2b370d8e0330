"""Exercises on beam search: the text that a beam finds, a score with a length penalty, and what a search costs."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker
from core.models.generation.beam_search import beam_search
from core.models.language_model import UniformModel
from pages.generation.shared.small_model import draw_model

TRIED = 10  # models, until the beam finds another text than greedy search
NEAR = 0.02  # nats: scores that differ by less are too close to call


def draw_found(draws: Draws, difficulty: int) -> Draw | None:
    """The text that a beam of two finds; mistakes: search greedily, read every token in the first row."""
    length = (2, 2, 3)[difficulty - 1]
    for _ in range(TRIED):
        model, start = draw_model(draws, 4, 20 if difficulty == 1 else 100), draws.integer(0, 3)
        tree, greedy = (beam_search(model, [start], width, length) for width in (2, 1))
        if tree.winning_path != greedy.winning_path:
            break
    steps = [
        sorted(node.total for node in tree.nodes if node.depth == depth) for depth in range(1, length + 1)
    ]
    if any(np.diff(totals).min() < NEAR for totals in steps if len(totals) > 1):
        return None
    favourite = int(model.p[start].argmax())
    return Draw(
        given={"table": model.table, "start": model.vocabulary[start], "length": length},
        answer=model.spell(tree.winning_path),
        mistakes={
            "greedy": model.spell(greedy.winning_path),
            "stuck": model.spell([favourite] * length),
        },
        steps={
            "kept": [
                (
                    depth,
                    [
                        (model.spell(tree.path(place)), float(np.exp(node.total)))
                        for place, node in enumerate(tree.nodes)
                        if node.depth == depth and node.kept
                    ],
                )
                for depth in range(1, length + 1)
            ],
            "p": float(np.exp(tree.nodes[tree.best].total)),
            "p_greedy": float(np.exp(greedy.nodes[greedy.best].total)),
            "favourite": model.vocabulary[favourite],
            "row": model.p[favourite].tolist(),
        },
    )


def draw_score(draws: Draws, difficulty: int) -> Draw:
    """The score of a text; mistakes: no penalty, divide by the length, multiply by the power."""
    n = draws.choose((4, 9, 16) if difficulty == 1 else (3, 5, 6, 8, 10))
    a = 0.5 if difficulty < 3 else draws.choose((0.3, 0.6, 0.7))
    total = -draws.decimal(4, 20)
    return Draw(
        given={"n": n, "a": a, "total": total},
        answer=total / n**a,
        mistakes={"none": total, "mean": total / n, "times": total * n**a},
        steps={"power": n**a},
        digits=2,
    )


def draw_cost(draws: Draws, difficulty: int) -> Draw | None:
    """How many candidates a search scores; mistakes: give step 1 as many, keep every candidate, extend one text only."""
    width, length = draws.integer(2, 5 + 2 * difficulty), draws.integer(3, 7 + 3 * difficulty)
    tree = beam_search(UniformModel(tuple(map(str, range(2 * width)))), [], width, length)
    count = len(tree.nodes) - 1
    return Draw(
        given={"width": width, "length": length},
        answer=count,
        mistakes={
            "first": length * width**2,
            "all": sum(width**depth for depth in range(1, length + 1)),
            "one": length * width,
        },
        steps={"later": length - 1, "each": width**2, "third": width**3},
    )


MAKERS = (Maker(draw_found), Maker(draw_score), Maker(draw_cost))
