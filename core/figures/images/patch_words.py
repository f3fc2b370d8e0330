"""What is said of a picture cut into patches: sentences made from the numbers."""

from __future__ import annotations

import numpy as np

from core.figures.worked import percent, signed
from core.models.images.held_out_pictures import DIGITS
from core.models.images.seen_picture import Found, Seen
from core.models.self_attention.ablation import rank_correlation
from core.models.stored import Card

SAME = 1e-4  # of a probability: what computing in 32 bits in another order may change


def verdict(seen: Seen) -> str:
    """Say what the model takes the picture for, how sure it is, and whether that is what it shows."""
    N, n = seen.model.network.config.patches, len(seen.places)
    some = f"From {n} of {N} patches" if n else "From no patch at all"
    said = f"From {N} patches" if n == N else some
    said += f" the model says “{seen.name}”, p = {percent(seen.p(seen.name))}."
    if not seen.truth:
        return f"{said} It has no other answers than its {len(seen.model.classes)} names."
    if seen.truth == seen.name:
        return f"{said} That is right."
    return f"{said} It is “{seen.truth}”, to which it gives {percent(seen.p(seen.truth))}."


def background(card: Card, found: Found, own: bool) -> str:
    """Say what a model has learnt from and how often it is right; of the learner's picture, what was done to it."""
    what = "handwritten digits" if card.model == DIGITS else "coloured shapes drawn by this course"
    learnt = f"rained on {card.corpus['training_pictures']:,} pictures of {what}"
    if own:
        return (
            f"Your picture: {'; '.join(found.done)}. The model was t{learnt}: yours comes from elsewhere, and how often "
            "it is right on such pictures nobody has measured."
        )
    said = f"T{learnt}; right on {share_of(card, 'held out')} of {card.corpus['held_out_pictures']:,} others."
    if card.model == DIGITS:
        machine = share_of(card, "support vector machine")
        said += f" A support vector machine, learnt from and asked about the same pictures: {machine}."
    return said


def share_of(card: Card, what: str) -> str:
    """Return a share that a card holds, with its interval."""
    share, low, high = (
        percent(card.quality[f"right, {what}{end}"]) for end in ("", ", 95% from", ", 95% to")
    )
    return f"**{share}** (95%: {low} to {high})"


def weighed(drops: np.ndarray, weights: np.ndarray, names: list[str]) -> str:
    """Say which patch matters most, where the one with most attention stands, and how far the two orders agree.

    >>> weighed(np.array([0.5, 0.1, 0.0]), np.array([0.1, 0.7, 0.2]), ["a", "b", "c"]).split(". ")[1]
    'Most attention lies on b, number 2 of 3 by what hiding it takes away'
    """
    most, heaviest = int(drops.argmax()), int(weights.argmax())
    rank = int((drops > drops[heaviest]).sum()) + 1
    if drops[most] <= SAME:
        said = "Hiding no single patch lowers p by more than 0.0001."
    else:
        said = f"Hiding {names[most]} lowers p most, by {drops[most]:.4f}."
    said += f" Most attention lies on {names[heaviest]}, number {rank} of {len(drops)} by what hiding it takes away."
    agreed = rank_correlation(weights, drops)
    if np.isnan(agreed):
        return f"{said} The two orders cannot be compared: all numbers of one are alike."
    return f"{said} Rank correlation of the two orders: {signed(agreed)} (1: the same, 0: no relation)."


def similarity_said(beside: int, chance: float, N: int) -> str:
    """Say for how many places the most similar other position is a neighbour's.

    >>> similarity_said(16, 5.6, 16)[-36:]
    'of the grid would do so for about 6.'
    """
    return (
        f"For {beside} of {N} places the most similar other position is that of a place that touches it; positions that "
        f"knew nothing of the grid would do so for about {chance:.0f}."
    )


def moved_between(one: Seen, other: Seen) -> float:
    """Return the total variation between the probabilities of two readings."""
    return float((one.read.probabilities - other.read.probabilities).abs().sum()) / 2


def order_said(ordered: Seen, broken: Seen) -> str:
    """Say what shuffling alone does where no token is told its place."""
    moved = moved_between(ordered, broken)
    change = "it is the same" if moved <= SAME else f"{percent(moved)} of the probability moved"
    return f"Against the same patches in their order, without positions too: {change}."


def broken_said(whole: Seen, ordered: Seen, broken: Seen, shuffled: bool, blind: bool) -> str:
    """Say what shuffling the patches, or leaving out the positions, does to the answer for this picture.

    `ordered` is as `broken`, its patches not shuffled: what the order alone does is said where no token knows its place.
    """
    moved = moved_between(whole, broken)
    if shuffled and blind:
        what = "With shuffled patches and no positions"
    else:
        what = "With shuffled patches" if shuffled else "Without positions"
    if shuffled and broken.hidden:
        what = f"Other patches stand in the hidden places now. {what}"
    if whole.name != broken.name:
        said = f"{what} “{whole.name}” becomes “{broken.name}”"
    else:
        said = f"{what} it is still “{whole.name}”"
    said += f"; {percent(moved)} of the probability moved." if moved > SAME else ": nothing changes here."
    return f"{said} {order_said(ordered, broken)}" if shuffled and blind and not broken.hidden else said
