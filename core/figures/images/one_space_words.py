"""What the lesson on one space says, made from its numbers."""

from __future__ import annotations

from math import log

import numpy as np
import pandas as pd
from torch import Tensor

from core.figures.worked import percent, signed
from core.models.images.contrastive_loss import Contrast
from core.models.images.naming import Named
from core.models.images.one_space import Read
from core.models.images.retrieval import MEASURED_PAIRS, ROUNDING, Ranking
from core.models.stored import Card

ENDS = ("", ", 95% from", ", 95% to")  # of a measure and of its interval, in a card


def read_said(read: Read) -> str:
    """Say which of a sentence's words were read, which are unknown, and which came too late; plain text.

    >>> read_said(Read((3, 1), ("red", "ring"), ("dog",)))
    'Read: red ring. The model has no such word, so it is left out: dog.'
    """
    said = (
        f"Read: {' '.join(read.known)}."
        if read.known
        else "Not one word is known: this is the empty sentence."
    )
    if read.unknown:
        said += f" The model has no such word, so it is left out: {', '.join(read.unknown)}."
    if read.beyond:
        said += f" Beyond the {len(read.ids)} words that it reads: {' '.join(read.beyond)}."
    return said


def ranked_said(ranking: Ranking, true: np.ndarray, product: str) -> str:
    """Say which scene comes first, by how much, and of which scenes the sentence is true.

    >>> ranking = Ranking(np.array([0.2, 0.9, 0.5]), np.array([1, 2, 0]), np.eye(3), np.ones(3))
    >>> ranked_said(ranking, np.array([False, False, True]), "cosine").split(". ")[1]
    'It is true of scene 3 alone, which has rank 2.'
    """
    first, second = ranking.order[:2]
    said = (
        f"Of {len(true)} scenes, scene {first + 1} comes first for this sentence, {product} "
        f"{signed(ranking.products[first], 3)}; scene {second + 1} follows with {signed(ranking.products[second], 3)}. "
    )
    n = int(true.sum())
    if n == 0:
        return said + "It is no scene's own sentence, word for word, so nothing here says which is right."
    if n == 1:
        only = int(np.flatnonzero(true)[0])
        return said + f"It is true of scene {only + 1} alone, which has rank {ranking.rank(only)}."
    among = int(true[ranking.order[:n]].sum())
    return said + f"It is true of {n} scenes; {among} of them are among the first {n}."


def batch_said(found: Contrast) -> str:
    """Say a batch's loss, what it is the mean of, and how many choose their own partner."""
    B = len(found.rows)
    right = int((found.by_picture.argmax(1) == found.by_picture.new_tensor(range(B))).sum())
    back = int((found.by_sentence.argmax(0) == found.by_sentence.new_tensor(range(B))).sum())
    return (
        f"The loss is {float(found.loss):.4f}: the mean of the rows' {float(found.rows.mean()):.4f} and the columns' "
        f"{float(found.columns.mean()):.4f}. {right} of {B} pictures give their own sentence the highest probability, and "
        f"{back} of {B} sentences their own picture."
    )


def chance_said(loss: float, B: int) -> str:
    """Say how a loss stands to that of a model that gives all B the same probability.

    >>> chance_said(3.0, 4)
    'Who gives each of 4 the same probability pays ln 4 = 1.3863; this loss is larger, by 1.6137.'
    """
    beyond = loss - log(B)
    how = "larger" if beyond > 0 else "smaller"
    blind = f"Who gives each of {B} the same probability pays ln {B} = {log(B):.4f}"
    return f"{blind}; this loss is {how}, by {abs(beyond):.4f}."


def temperature_said(
    scales: np.ndarray, losses: np.ndarray, learned: float, at_learned: float, at_one: float
) -> str:
    """Say what this batch's loss is at the learned place and at 1, and where on the drawn line it is least."""
    least = int(losses.argmin())
    end = ", the end of the line" if least in (0, len(scales) - 1) else ""
    return (
        f"The model learned exp(t) = {learned:.1f}, that is τ = {1 / learned:.3f}; there this batch's loss is "
        f"{at_learned:.4f}; at exp(t) = 1, the cosines as they are, it is {at_one:.4f}. "
        f"Of the places drawn it is least at exp(t) = {scales[least]:.3g}{end}: {losses[least]:.4f}."
    )


def twins_said(cosines: Tensor) -> str:
    """Say of each of two sentences whether its own picture is nearer; cosines (2, 2), the pictures' rows."""
    parts = []
    for place, name in enumerate(("first", "second")):
        own, other = float(cosines[place, place]), float(cosines[1 - place, place])
        if abs(own - other) <= ROUNDING:
            how = "equally near to both pictures"
        else:
            how = "nearer to its own picture" if own > other else "nearer to the other's picture"
        parts.append(f"the {name} sentence is {how} ({signed(own, 3)} against {signed(other, 3)})")
    return f"{parts[0][0].upper()}{parts[0][1:]}; {parts[1]}."


def share_of(card: Card, what: str) -> str:
    """Return a share that a card holds, with its interval."""
    share, low, high = (percent(card.quality[f"{what}{end}"]) for end in ENDS)
    return f"**{share}** (95%: {low} to {high})"


def order_said(card: Card) -> str:
    """Say how many pairs of the same words in another order were told apart, with word order and without it."""
    parts = []
    for change in ("mirrored", "recoloured"):
        whole, blind = (share_of(card, f"told apart, {change}{how}") for how in ("", ", no positions"))
        parts.append(f"{change}, told apart in {whole}, with no word order in {blind}")
    guessed = (
        "Who guesses for each sentence is right on a quarter of the pairs. With no word order both sentences are one "
        "vector, nearer to one and the same picture: never is each nearer to its own."
    )
    return f"Measured on {MEASURED_PAIRS} held-out pairs each: {'; '.join(parts)}. {guessed}"


def measures_said(card: Card) -> str:
    """Say what recall at k is, among how many scenes, what guessing finds, and which scenes stand below."""
    n = card.corpus["held_out_pictures"]
    return (
        f"Recall@k: how often the partner is among the k nearest of {n:,} held-out scenes, no two with one caption; who "
        f"guesses finds it first once in {n:,}. Below, as many scenes with a combination of colour, shape and place that "
        "training never showed and never named."
    )


def measures_table(card: Card) -> pd.DataFrame:
    """Return how often the right one is found, both ways, on combinations that were learnt from and on others."""
    rows = []
    for way in ("sentence to picture", "picture to sentence"):
        for which in ("held out", "combination never seen"):
            shares = [card.quality[f"{way}, recall@{k}, {which}{end}"] for k in (1, 5) for end in ENDS]
            one, five = (
                f"{percent(a)} ({percent(b)} to {percent(c)})" for a, b, c in (shares[:3], shares[3:])
            )
            rows.append({"search": way, "scenes": which, "recall@1 (95%)": one, "recall@5 (95%)": five})
    return pd.DataFrame(rows)


def named_said(named: Named, truth: str, ours: bool, card: Card) -> str:
    """Say what a picture is named, how sure that is, whether it is right, and how often it is.

    The sentences are `ours`, or the learner's, which stand in the picture alone; without a `truth` nobody knows it.
    """
    nearest = f"“{named.name}”" if ours else "the one on top"
    said = f"Of {len(named.sentences)} sentences the nearest is {nearest}, p = {percent(float(named.probabilities.max()))}."
    if not truth:
        drawn = "The model has only ever seen scenes drawn by this course: one of the sentences comes first in any case."
        return f"{said} {drawn}"
    right = "That is right" if truth == named.name else f"It is “{truth}”"
    often, n = share_of(card, "named by a sentence, one shape alone"), card.corpus["held_out_pictures"]
    return (
        f"{said} {right}. Of {n:,} held-out pictures of one shape alone, as no scene shows it, it names {often} right; who "
        f"guesses among {len(named.sentences)} names, {percent(1 / len(named.sentences))}."
    )


def sentences_of(text: str, most: int) -> list[str]:
    """Return the lines of a text that hold anything, each once, so many at most.

    >>> sentences_of("a ring\\n\\n a cross \\na ring", most=5)
    ['a ring', 'a cross']
    """
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))[:most]
