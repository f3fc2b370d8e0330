"""Activation patching in words: who takes what, what it did to the prediction, where the answer is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from core.figures.transformers.patching import ROUNDING
from core.figures.worked import percent
from core.models.transformers.patching import ATTENTION, FEED_FORWARD, HEAD, STREAM, Contrast, Pairs, Part

CLOSE = 0.005  # shares that are written alike
NAMED = 6  # tokens without a partner that are named


def said_of_pairs(pairs: Pairs, of_A: Sequence[str], of_B: Sequence[str], whose: str = "A") -> str:
    """Say which places take which, and when the two are not equally long, which have no partner; `whose` parts are taken.

    >>> said_of_pairs([(0, 0), (2, 1)], ["a", "c"], ["a", "b", "c"])[-108:]
    'Of B “b” (2) has no partner. In 1 of 2 pairs the places differ: a stream brings the place it had in A along.'
    """
    if len(of_A) == len(of_B):
        same = "1 token" if len(of_B) == 1 else f"{len(of_B)} tokens"
        return f"B and {whose} have {same} each: a place of B takes what stands at the same place of {whose}."
    known = {here for here, _ in pairs}
    left = [f"“{token}” ({t + 1})" for t, token in enumerate(of_B) if t not in known]
    others = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
    has = "has" if len(left) == 1 else "have"
    moved = sum(here != there for here, there in pairs)
    return (
        f"A has {len(of_A)} of the model's tokens, B {len(of_B)}: their places are paired from the left while the tokens "
        "agree, and the rest from the right."
        + (f" Of B {', '.join(left[:NAMED])}{others} {has} no partner." if left else "")
        + (
            f" In {moved} of {len(pairs)} pairs the places differ: a stream brings the place it had in A along."
            if moved
            else ""
        )
    )


def part_named(part: Part, token: str) -> str:
    """Name the part that is taken.

    >>> part_named(Part(HEAD, 2, [], head=0), "and")
    'what head 2.1 hands on at “and”'
    """
    if part.kind == STREAM:
        return f"the stream at “{token}” " + (
            f"after layer {part.layer}" if part.layer else "before any layer"
        )
    what = {
        ATTENTION: f"what attention adds in layer {part.layer}",
        FEED_FORWARD: f"what the feed-forward network adds in layer {part.layer}",
        HEAD: f"what head {part.layer}.{part.head + 1} hands on",
    }
    return f"{what[part.kind]} at “{token}”"


def said_of_answers(found: Contrast, names: Sequence[str]) -> str:
    """Say what A and B are answered with, or where both have one answer, which tokens speak for them."""
    of_A, of_B = (each.logits[-1].double().softmax(-1) for each in (found.A, found.B))
    if not found.same:
        return (
            f"A is answered with “{names[found.a]}” ({percent(float(of_A[found.a]))}), B with “{names[found.b]}” "
            f"({percent(float(of_B[found.b]))})."
        )
    answer = int(of_B.argmax())
    return (
        f"Both are answered with “{names[answer]}” ({percent(float(of_A[answer]))} and {percent(float(of_B[answer]))}). "
        f"“{names[found.a]}”, which A makes likelier by most, speaks for A, “{names[found.b]}” for B."
    )


def said_of_patch(
    part: Part, token: str, whose: str, after: np.ndarray, share: float, names: Sequence[str]
) -> str:
    """Say what B is answered with when a part is put in at `token`, and what that restores."""
    if not part.pairs:
        return f"“{token}” has no partner, so there is nothing to take: choose another place."
    now = int(after.argmax())
    return (
        f"With {part_named(part, token)} taken from {whose}, B is answered with “{names[now]}” "
        f"({percent(float(after[now]))}): {share_said(share)} of the difference in logit is restored."
    )


def share_said(share: float) -> str:
    """Return a share as a sentence says it; what is not quite nothing or all is not rounded to it.

    >>> share_said(0.25), share_said(-0.1), share_said(1.31), share_said(-0.0001)
    ('25.0%', 'minus 10.0%', '131.0%', 'minus less than 0.1%')
    """
    size = abs(share) if abs(share) > ROUNDING else 0.0  # what rounding leaves is nothing
    close = 1.0 if abs(size - 1) < ROUNDING else size
    return ("minus " if share < 0 and size else "") + percent(close)


def most_restored(shares: np.ndarray) -> str:
    """Return the most that one place restores in one layer, as a sentence says it."""
    return "nothing" if np.isnan(shares).all() else share_said(float(np.nanmax(shares)))


def where_it_is(shares: np.ndarray, rows: Sequence[str], columns: Sequence[str], kind: str) -> str:
    """Say which place restores most in each layer, layers alike together; where nothing restores anything, that."""
    if np.isnan(shares).all():
        return "No token of B has a partner in A, so there is nothing to take."
    best = [int(np.nanargmax(row)) for row in shares]
    most = [float(np.nanmax(row)) for row in shares]
    named = [best[i] if most[i] > CLOSE else None for i in range(len(best))]
    said, at = [], 0
    for place, run in groupby(named):
        n = len(list(run))
        layers, of = rows[at : at + n], most[at : at + n]
        where = f"layer {layers[0]}" if n == 1 else f"layers {layers[0]} to {layers[-1]}"
        low, high = share_said(min(of)), share_said(max(of))
        between = low if low == high else f"{low} to {high}"
        said.append(
            f"in {where} no place restores more than {CLOSE:.1%}"
            if place is None
            else f"in {where} “{columns[place]}” ({between})"
        )
        at += n
    what = {
        STREAM: "the stream after each layer (0: before any)",
        ATTENTION: "what attention adds in each layer",
        FEED_FORWARD: "what the feed-forward network adds in each layer",
        HEAD: "what the chosen head of each layer hands on",
    }
    return f"Place by place, of {what[kind]}, most is restored by: {'; '.join(said)}."


def which_head(shares: np.ndarray) -> str:
    """Say which head restores most when its output is taken from A, and how many push the other way."""
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    against = int((shares < -CLOSE).sum())
    most = float(shares.max())
    if most <= CLOSE:
        return f"None of the {shares.size} heads restores more than {CLOSE:.1%} alone."
    other = f"{against or 'none'} of the {shares.size} {'push' if against > 1 else 'pushes'}"
    return (
        f"Head {layer + 1}.{head + 1} restores most alone, {share_said(most)}; {other} the difference in logit away from "
        f"A's by more than {CLOSE:.1%}."
    )
