"""Exercises on an encoder-decoder: what cross-attention fetches, the scores of one pass, and a map of two sentences."""

from __future__ import annotations

import numpy as np
import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.attention import attend, average_of_all, bidirectional_mask, causal_mask
from core.models.translation.alignment import heaviest, misaligned

ENGLISH = (("the", "car"), ("the", "white", "car"), ("the", "white", "car", "arrives"))
FRENCH = (("la",), ("la", "voiture"), ("la", "voiture", "blanche"))
PAIRS = (  # English and French words, and of each French word the place of its English word
    (("the", "white", "car", "arrives"), ("la", "voiture", "blanche", "arrive"), (0, 2, 1, 3)),
    (("the", "white", "car", "arrived"), ("la", "voiture", "blanche", "est", "arrivée"), (0, 2, 1, 3, 3)),
    (
        ("my", "queen", "sold", "the", "white", "car"),
        ("ma", "reine", "a", "vendu", "la", "voiture", "blanche"),
        (0, 1, 2, 2, 3, 5, 4),
    ),
)


def draw_fetch(draws: Draws, difficulty: int) -> Draw:
    """What cross-attention gathers; mistakes: from the French words, all words equally, no division."""
    english, french = ENGLISH[difficulty - 1], ("<start>", *FRENCH[difficulty - 1])
    m, y = ([[draws.integer(-3, 3) for _ in range(2)] for _ in words] for words in (english, french))
    memory, stream = (torch.tensor(each, dtype=torch.float64) for each in (m, y))
    query = stream[-1:]
    right = attend(query, memory, memory, 2**-0.5)
    return Draw(
        given={
            "memory": Table(english, ("1", "2"), m),
            "stream": Table([each.strip("<>") for each in french], ("1", "2"), y),
            "newest": french[-1],
        },
        answer=right.context[0],
        mistakes={
            "own": attend(query, stream, stream, 2**-0.5).context[0],
            "equal": average_of_all(memory).context[0],
            "unscaled": attend(query, memory, memory).context[0],
        },
        steps={
            "q": y[-1],
            "scores": right.scores[0].int(),
            "weights": right.weights[0],
            "first": [row[0] for row in m],
            "right": right.context[0],
            "words": english,
            "n": len(english),
        },
        digits=2,
        table=Table(("o",), ("1", "2"), [[None, None]]),
    )


def draw_scores(draws: Draws, difficulty: int) -> Draw:
    """Scores that count in one pass; mistakes: no mask, a mask in the encoder, no cross-attention."""
    S, T = (draws.integer(2 + difficulty, 7 + 3 * difficulty) for _ in range(2))

    def seen(mask: torch.Tensor) -> int:
        return int((mask == 0).sum())

    encoder, decoder, cross = seen(bidirectional_mask(S)), seen(causal_mask(T)), T * S
    return Draw(
        given={"S": S, "T": T},
        answer=encoder + decoder + cross,
        mistakes={
            "unmasked": encoder + seen(bidirectional_mask(T)) + cross,
            "encoder": seen(causal_mask(S)) + decoder + cross,
            "left_out": encoder + decoder,
        },
        steps={"own": encoder, "masked": decoder, "between": cross},
    )


def draw_map(draws: Draws, difficulty: int) -> Draw | None:
    """How many words a head aligns rightly; mistakes: read columns, compare with the diagonal."""
    english, french, right = PAIRS[difficulty - 1]
    T, S = len(french), len(english)
    rows = []
    for t, gold in enumerate(right):
        largest, *rest = sorted(draws.distribution(S, 20), reverse=True)
        best = draws.choose((gold, gold, min(t, S - 1), draws.integer(0, S - 1)))
        if largest == rest[0]:
            return None
        rest = draws.shuffle(rest)
        rows.append([*rest[:best], largest, *rest[best:]])
    weights, links = np.array(rows), set(enumerate(right))
    if (weights == weights.max(axis=0)).sum() > S:
        return None
    chosen = list(enumerate(heaviest(weights)))
    return Draw(
        given={
            "weights": Table(french, english, rows),
            "pairs": [(french[t], english[s]) for t, s in enumerate(right)],
        },
        answer=T - len(misaligned(weights, links)),
        mistakes={
            "columns": len({(t, s) for s, t in enumerate(heaviest(weights.T))} & links),
            "diagonal": T - len(misaligned(weights, {(t, t) for t in range(T)})),
        },
        steps={
            "chosen": [(french[t], english[s], (t, s) in links) for t, s in chosen],
            "n": T,
        },
    )


MAKERS = (Maker(draw_fetch), Maker(draw_scores), Maker(draw_map))
