"""Exercises on a transformer block: the first vector of the stream, what a block adds, shapes, and the last softmax."""

from __future__ import annotations

import torch
from torch import Tensor

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table

WORDS = ("the", "land", "of", "king")
SUBSCRIPTS = "₀₁₂₃₄₅₆"


def draw_whole(draws: Draws, rows: int, columns: int, most: int) -> list[list[int]]:
    """Return a matrix of random whole numbers, row by row."""
    return draws.integers(-most, most, rows, columns)


def draw_start(draws: Draws, difficulty: int) -> Draw:
    """The first vector of the stream; mistakes: no position, positions from 1, the position of the word's first use."""
    C = 1 + difficulty
    E, P = draw_whole(draws, len(WORDS), C, 9), draw_whole(draws, len(SUBSCRIPTS), C, 5)
    text = [*draws.sample(WORDS, 3), *(draws.choose(WORDS) for _ in range(difficulty - 1))]
    text.append(draws.choose(text[:2]))
    place, word = len(text) - 1, text[-1]
    e, p = torch.tensor(E[WORDS.index(word)]), torch.tensor(P)
    return Draw(
        given={
            "E": Table(
                [f"{word} ({at})" for at, word in enumerate(WORDS)], [str(i + 1) for i in range(C)], E
            ),
            "P": Table([f"P{each}" for each in SUBSCRIPTS], [str(i + 1) for i in range(C)], P),
            "text": text,
            "word": word,
            "id": WORDS.index(word),
            "n": len(text),
        },
        answer=e + p[place],
        mistakes={
            "alone": e,
            "from_one": e + p[place + 1],
            "first": e + p[text.index(word)],
        },
        steps={"place": place, "row": e, "position": p[place], "used": text.index(word)},
        table=Table(("x",), [str(i + 1) for i in range(C)], [[None] * C]),
    )


def draw_block(draws: Draws, difficulty: int) -> Draw | None:
    """The stream after some blocks; mistakes: keep the last addition alone, leave out attention, or feed-forward."""
    C, blocks = (2, 2, 3)[difficulty - 1], difficulty
    x = [draws.decimal(-2, 2) for _ in range(C)]
    added = [[draws.decimal(-2, 2) for _ in range(C)] for _ in range(2 * blocks)]
    stream, parts = torch.tensor(x, dtype=torch.float64), torch.tensor(added, dtype=torch.float64)
    names = [f"{part}{SUBSCRIPTS[block + 1]}" for block in range(blocks) for part in "af"]
    return Draw(
        given={"x": x, "added": Table(names, [str(i + 1) for i in range(C)], added), "blocks": blocks},
        answer=stream + parts.sum(0),
        mistakes={
            "overwritten": parts[-1],
            "without_start": parts.sum(0),
            "attention": stream + parts[::2].sum(0),
            "feed_forward": stream + parts[1::2].sum(0),
        },
        steps={
            "column": [x[0], *(row[0] for row in added)],
            "right": stream + parts.sum(0),
            "last": names[-1],
            "of_last": added[-1],
        },
        digits=1,
        table=Table(("x",), [str(i + 1) for i in range(C)], [[None] * C]),
    )


def draw_shapes(draws: Draws, difficulty: int) -> Draw:
    """How many numbers a pass computes; mistakes: heads as wide as the stream, one token, C neurons, one head's weights."""
    H = draws.choose(((2, 3), (2, 4), (4, 8))[difficulty - 1])
    C = H * draws.integer(2 * difficulty, 4 * difficulty)
    T = draws.integer(3 * difficulty, 8 * difficulty)
    V = 10 * draws.integer(2 * difficulty, 9 * difficulty)
    shapes = {"q": T * (C // H), "w": H * T * T, "a": T * 4 * C, "z": T * V}
    return Draw(
        given={"H": H, "C": C, "T": T, "V": V},
        answer=tuple(shapes.values()),
        mistakes={
            "wide": tuple({**shapes, "q": T * C}.values()),
            "head": tuple({**shapes, "w": T * T}.values()),
            "narrow": tuple({**shapes, "a": T * C}.values()),
            "token": tuple({**shapes, "z": V}.values()),
        },
        steps={"d": C // H, **{f"of_{name}": count for name, count in shapes.items()}},
        table=Table(("q", "w", "a", "z"), ("n",), [[None] for _ in shapes]),
    )


def draw_output(draws: Draws, difficulty: int) -> Draw | None:
    """p of the next token; mistakes: shares of the logits, 2 instead of e, a sigmoid of each logit."""
    tokens, C = WORDS[: min(difficulty + 1, 4)], 2 if difficulty < 3 else 3
    E = draw_whole(draws, len(tokens), C, 2)
    x = [draws.decimal(-1.5, 1.5) for _ in range(C)]
    token = draws.integer(0, len(tokens) - 1)
    logits: Tensor = torch.tensor(E, dtype=torch.float64) @ torch.tensor(x, dtype=torch.float64)
    if abs(float(logits.sum())) < 0.2:
        return None
    return Draw(
        given={"E": Table(tokens, [str(i + 1) for i in range(C)], E), "x": x, "token": tokens[token]},
        answer=float(logits.softmax(0)[token]),
        mistakes={
            "shares": float(logits[token] / logits.sum()),
            "two": float((2**logits)[token] / (2**logits).sum()),
            "sigmoid": float(logits.sigmoid()[token]),
        },
        steps={
            "logits": logits,
            "powers": logits.exp(),
            "own": float(logits.exp()[token]),
            "total": float(logits.exp().sum()),
            "logit": float(logits[token]),
        },
    )


MAKERS = (Maker(draw_start), Maker(draw_block), Maker(draw_shapes), Maker(draw_output))
