"""What is said of captions: sentences made from the numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.images.captions import counted
from core.figures.worked import percent
from core.models.documents.held_out import wilson
from core.models.images.captioner import END, MARKS, WORDS, ids_of
from core.models.images.group_attention import patches_in, share_on
from core.models.images.held_out_scenes import HELD_OUT, KINDS
from core.models.images.written_caption import WrittenCaption, first_wrong
from core.models.stored import Card
from core.pictures.described_scenes import COMBINATIONS, UNSEEN, DescribedScene

ROUNDING = 1e-6  # of a probability: what computing it again, in another batch, may change
NEEDS = (
    "Each patch is painted over with the ground, alone, and the words are asked again: by how much does the "
    "probability of the word drop? Hollow squares: it rises. Here and above, the largest square of a word is its own "
    "largest number, however small that is."
)
NAMES = {"recurrent": "The recurrent decoder", "transformer": "The transformer"}


def verdict(name: str, written: WrittenCaption, truth: str) -> str:
    """Say what a captioner writes, how likely it takes it to be, and whether it is right to the word."""
    p = percent(float(np.prod(written.p)))
    said = f"{name} writes “{written.caption}” (p = {p})"
    if written.ids[-1] != END:
        said += f" and no `<end>`; it was stopped after {len(written.words)} words"
    if not truth:
        return f"{said}."
    wrong = first_wrong(written, truth)
    return f"{said}: right to the word." if wrong < 0 else f"{said}: {should_be(written, truth, wrong)}."


def should_be(written: WrittenCaption, truth: str, wrong: int) -> str:
    """Say what should stand where a caption leaves the right one."""
    right = ids_of(truth)
    if wrong >= len(right):
        return "it should have ended before"
    if right[wrong] == END:
        return f"it should end after word {wrong}"
    if wrong >= len(written.ids) or written.ids[wrong] == END:
        return f"“{WORDS[right[wrong]]}” should follow"
    return f"word {wrong + 1} should be “{WORDS[right[wrong]]}”"


def background(cards: Mapping[str, Card]) -> str:
    """Say what each captioner has learnt from, and what none has ever seen."""
    never = f"{len(UNSEEN)} of the {len(COMBINATIONS)} combinations of colour, shape and place were never among them"
    learnt = [
        f"{NAMES[each].lower()} from {card.corpus['training_pictures']:,}" for each, card in cards.items()
    ]
    return (
        f"Each has learnt from pictures with their captions, drawn once: {', '.join(learnt)}. In them two groups stand one "
        f"above or beside the other; {never}. Both know {len(WORDS) - len(MARKS)} words. A caption names the larger "
        "group first; of two as large, the upper or the left one."
    )


def of_own(done: str) -> str:
    """Say what was done to the learner's picture, and what can be expected."""
    return (
        f"Your picture: {done}. Both captioners have only ever seen drawn scenes of two groups of shapes, and have no "
        f"other sentences than such: whatever is in your picture, they answer with some of their "
        f"{len(WORDS) - len(MARKS)} words. How often that fits, nobody has measured."
    )


def of_groups(scene: DescribedScene, written: WrittenCaption, weights: np.ndarray) -> str:
    """Say how much attention (T, N) lies on a group while it is named, and on the second before the relation.

    Nothing is said where the caption is not right.
    """
    if first_wrong(written, scene.caption) >= 0:
        return ""
    first = len(scene.first.words.split())
    second = first + len(scene.relation.split())
    spans = range(first), range(second, second + len(scene.second.words.split()))
    N = weights.shape[1]
    own = [
        (percent(share_on(weights, cells, span)), percent(len(patches_in(cells, int(N**0.5))) / N))
        for cells, span in zip((scene.first_cells, scene.second_cells), spans, strict=True)
    ]
    ahead = percent(share_on(weights, scene.second_cells, [first]))
    return (
        f"while it names the first group, {own[0][0]} of its attention lies on that group's cells (evenly spread: "
        f"{own[0][1]}); before “{written.words[first]}”, {ahead} lies on the second's; while it names the second, "
        f"{own[1][0]} (evenly spread: {own[1][1]})."
    )


def agreed(written: WrittenCaption, weights: np.ndarray, drops: np.ndarray) -> str:
    """Say for how many words the patch with most attention is the one whose painting over lowers p most.

    A word whose p no painting over lowers, as on an empty picture, is not counted as one of these.
    """
    same = (weights.argmax(1) == drops.argmax(1)) & (drops.max(1) > ROUNDING)
    return f"for {int(same.sum())} of {len(written.words)} words"


def largest_drop(written: WrittenCaption, drops: np.ndarray) -> str:
    """Say the most that painting over one patch takes from the probability of a word, and of which, if of any."""
    if drops.max() <= ROUNDING:
        return "none"
    word = written.words[int(drops.max(1).argmax())].strip("<>")
    return f"{drops.max():.4f}, at “{word}”"


def measured(cards: Mapping[str, Card]) -> str:
    """Say how many held-out scenes of either kind are described right to the word, with Wilson's intervals."""
    said = []
    for decoder, card in cards.items():
        shares = [
            f"{percent(counted(card, kind) / HELD_OUT)} (95%: {percent(low)} to {percent(high)}) of {HELD_OUT:,} scenes "
            f"with {what}"
            for kind, what in zip(
                KINDS, ("combinations seen in training", "at least one never seen"), strict=True
            )
            for low, high in [wilson(counted(card, kind), HELD_OUT)]
        ]
        said.append(f"{NAMES[decoder]} is right to the word on {' and on '.join(shares)}.")
    return " ".join(said)


def apart(one: Card, other: Card) -> str:
    """Say for each kind whether the two captioners' intervals lie apart."""
    said = []
    for kind in KINDS:
        (low, high), (lower, higher) = (wilson(counted(each, kind), HELD_OUT) for each in (one, other))
        overlap = low <= higher and lower <= high
        said.append(f"on {kind} their intervals {'overlap' if overlap else 'lie apart'}")
    learnt = [card.corpus["training_pictures"] for card in (one, other)]
    unlike = "" if learnt[0] == learnt[1] else " They have not learnt from equally many pictures."
    return f"{said[0].capitalize()}, {said[1]}.{unlike}"


def kinds_apart(cards: Mapping[str, Card]) -> str:
    """Say for each captioner whether combinations never seen cost it more than the intervals leave open."""
    said = []
    for decoder, card in cards.items():
        (low, high), (lower, higher) = (wilson(counted(card, kind), HELD_OUT) for kind in KINDS)
        overlap = low <= higher and lower <= high
        said.append(f"{NAMES[decoder].lower()}'s two intervals {'overlap' if overlap else 'lie apart'}")
    return f"From one kind to the other, {' and '.join(said)}."
