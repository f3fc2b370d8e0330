"""Exercises on forced attention: the context of a forced step, the word it writes, and how many words change."""

from __future__ import annotations

import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.translation.translate import onto
from core.models.translation.what_if import aligned_places, changed_places, changes

INPUTS = ("the", "rich", "queen", "sells")
OUTPUTS = ("riche", "riches", "reine", "vend", "vendent")
FRENCH = "la reine riche ne vend pas les voitures blanches".split()
OTHERS = ("roi", "riches", "vendent", "jamais", "arbres", "école", "voiture")


def draw_context(draws: Draws, difficulty: int) -> Draw | None:
    """The context of a forced step; mistakes: keep its own weights, add the forced weight, weigh all equally."""
    words = INPUTS[: difficulty + 1]
    a = torch.tensor(draws.distribution(len(words)), dtype=torch.float64)
    states = torch.tensor(
        [[draws.signed() for _ in range(2)] for _ in words],
        dtype=torch.float64,
    )
    s, j = draws.integer(0, len(words) - 1), draws.integer(0, 1)
    forced = onto(s, len(words)).double()
    added = torch.where(forced > 0, forced, a)
    if a[s] == a.max():
        return None
    return Draw(
        given={
            "words": words,
            "states": Table(("h̄, 1", "h̄, 2"), words, states.T.tolist()),
            "weights": Table(("a",), words, [a.tolist()]),
            "word": words[s],
            "j": j + 1,
        },
        answer=(forced @ states)[j],
        mistakes={
            "own": (a @ states)[j],
            "added": (added @ states)[j],
            "equal": states.mean(0)[j],
        },
        steps={"own_weight": float(a[s])},
        digits=2,
    )


def draw_written(draws: Draws, difficulty: int) -> Draw | None:
    """The word that a forced step writes; mistakes: the context alone, the decoder's state alone, the step not forced."""
    inputs, outputs = INPUTS[: difficulty + 1], OUTPUTS[: max(4, difficulty + 2)]
    s = draws.integer(0, len(inputs) - 1)
    rows = [[draws.integer(-5, 5) for _ in outputs] for _ in inputs]
    state = [draws.integer(-4, 1) for _ in outputs]
    one, other, both = draws.sample(
        range(len(outputs)), 3
    )  # each is preferred: by the context, by h, by the sum
    rows[s] = [draws.integer(-4, 1) for _ in outputs]
    rows[s][one], state[other] = draws.integer(3, 5), draws.integer(3, 5)
    rows[s][both], state[both] = draws.integer(1, 4), draws.integer(1, 4)
    parts, own = (torch.tensor(each, dtype=torch.float64) for each in (rows, state))  # (S, V) and (V,)
    context = onto(s, len(inputs)).double() @ parts
    logits = context + own
    if any(each.topk(2).values.diff() == 0 for each in (context, own, logits)):
        return None
    return Draw(
        given={
            "inputs": inputs,
            "parts": Table(inputs, outputs, parts.int().tolist()),
            "own": Table(("h",), outputs, [own.int().tolist()]),
            "word": inputs[s],
        },
        answer=outputs[int(logits.argmax())],
        mistakes={"context": outputs[int(context.argmax())], "state": outputs[int(own.argmax())]},
        steps={
            "sums": [
                (word, int(a), int(b), int(a + b)) for word, a, b in zip(outputs, context, own, strict=True)
            ],
            "best": int(logits.max()),
        },
    )


def draw_changes(draws: Draws, difficulty: int) -> Draw | None:
    """How many words change; mistakes: compare place by place, count the new words only, replaced twice."""
    begin = draws.integer(0, 3)
    before = FRENCH[begin : begin + 5 + difficulty]
    after = list(before)
    for _ in range(draws.integer(difficulty, difficulty + 2)):
        at = draws.integer(0, len(after) - 1)
        kind = draws.integer(0, 2)
        if kind == 0:
            after[at] = draws.choose(OTHERS)
        elif kind == 1:
            del after[at]
        else:
            after.insert(at, draws.choose(OTHERS))
    del after[draws.integer(0, len(after) - 1)]
    places = [a != b for a, b in zip(before, after, strict=False)]
    if len(set(after)) < len(after):
        return None
    rows = aligned_places(before, after)
    return Draw(
        given={"before": " ".join(before), "after": " ".join(after)},
        answer=changes(before, after),
        mistakes={
            "places": sum(places) + abs(len(before) - len(after)),
            "new": len(changed_places(before, after)),
            "both": len(set(before) ^ set(after)),
        },
        steps={
            "pairs": [
                ("" if i is None else before[i], "" if j is None else after[j])
                for i, j in rows
                if i is None or j is None or before[i] != after[j]
            ]
        },
    )


MAKERS = (Maker(draw_context), Maker(draw_written), Maker(draw_changes))
