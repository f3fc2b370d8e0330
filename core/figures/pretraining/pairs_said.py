"""What is to be said of pairs of sentences: made from the numbers that the pictures show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.pretraining.gaps import probability, several
from core.figures.worked import percent
from core.models.documents.held_out import compare_shares, wilson
from core.models.pretraining.pair_measures import (
    FITTED_KINDS,
    MAJORITY,
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    TRUE,
    VECTORS,
)
from core.models.pretraining.sentence_pairs import PairTrace

BY_WORDS = " by shared words"  # behind a measure of the card
FOLLOWS, NOT = "it follows", "it does not"
BROKEN = ("no [SEP]", "one segment for both")  # what the page can break and the card has measured


def describe_next_sentence(p: float) -> str:
    """Return what P(is next) says.

    >>> describe_next_sentence(0.6), describe_next_sentence(0.5)
    ('it follows', 'it does not')
    """
    return FOLLOWS if p > 0.5 else NOT


def pair_said(trace: PairTrace) -> str:
    """Say what the model makes of a pair, and from how many tokens it does."""
    T, p = len(trace.pair.ids), trace.p_next
    say = "the second follows the first" if p > 0.5 else "the second does not follow the first"
    return f"{several(T, 'token')} in, one number out: P(is next) = {probability(p)}, so the model says that {say}."


def looks_said(from_class: np.ndarray, names: Sequence[str], segments: Sequence[int], marks: int) -> str:
    """Say where [CLS] looks: its heaviest weight, and how much of its attention goes to marks and to either sentence.

    `from_class` is (L, H, T); a place is a mark where its name is in brackets, `marks` of them are there.
    """
    layer, head, place = np.unravel_index(from_class.argmax(), from_class.shape)
    mean = from_class.mean(axis=(0, 1))
    marked = np.array([name in ("[CLS]", "[SEP]") for name in names])
    second = np.array(segments, dtype=bool)
    shares = [mean[marked].sum(), mean[~marked & ~second].sum(), mean[~marked & second].sum()]
    to_marks, to_a, to_b = (percent(float(each), 0) for each in shares)
    return (
        f"On average over all heads, {to_marks} of [CLS]’s attention stays on {'marks' if marks > 1 else 'itself'}, {to_a} "
        f"goes to tokens of segment A and {to_b} to those of segment B. The heaviest single weight is that of "
        f"layer {layer + 1}, head {head + 1}, on “{names[place]}” (place {place + 1}): {from_class[layer, head, place]:.2f}."
    )


def orders_said(p: np.ndarray, found: int) -> str:
    """Say for how many sentences the next one has the largest P(is next), and what guessing would find."""
    n = len(p) - 1
    low, high = wilson(found, n)
    return (
        f"For {found} of {several(n, 'sentence')} the one that follows in the text has the largest P(is next) of its row "
        f"(95% interval {percent(low, 0)} to {percent(high, 0)}); guessing would find {percent(1 / n, 0)}."
    )


def pairs_of_each_kind(quality: Mapping[str, float]) -> int:
    """Return how many held-out pairs of each kind were measured."""
    return int(quality["pairs of each kind, held out"])


def gap_costs(quality: Mapping[str, float]) -> tuple[int, float, float]:
    """Return how many hidden tokens were measured, and their nats per token before and after this training."""
    before, after = (quality[f"nats per hidden token, {when}"] for when in ("before", "after"))
    return int(quality["hidden tokens"]), before, after


def called(quality: Mapping[str, float], kind: str, by: str = "") -> int:
    """Return how many held-out pairs of a kind are called next, by the model or `by` shared words."""
    return round(quality[f"{kind}: called next{by}"] * quality["pairs of each kind, held out"])


def balanced(quality: Mapping[str, float], kind: str, by: str = "") -> tuple[int, int]:
    """Return how many pairs are judged right when half are true and half of a kind, and of how many."""
    n = int(quality["pairs of each kind, held out"])
    return called(quality, TRUE, by) + n - called(quality, kind, by), 2 * n


def with_ends(right: int, of: int) -> str:
    """Return a share with its interval.

    >>> with_ends(80, 100)
    '80.0% (95% interval 71.1% to 86.7%)'
    """
    low, high = wilson(right, of)
    return f"{right / of:.1%} (95% interval {low:.1%} to {high:.1%})"


def kinds_said(quality: Mapping[str, float]) -> str:
    """Say how often the model is right by where the other sentence is from, and whether words alone do as well."""
    far, near = balanced(quality, OTHER_BOOK), balanced(quality, SAME_BOOK)
    said = (
        f"True or from another book: the model is right about {with_ends(*far)} of the held-out pairs. True or from the "
        f"same book: {with_ends(*near)}. "
    )
    drop = far[0] / far[1] - near[0] / near[1]
    return (
        said
        + {
            1: f"That is {100 * drop:.1f} percentage points less: within one book the next one is harder to find.",
            0: "That is too close to call.",
            -1: f"That is {-100 * drop:.1f} percentage points more.",
        }[compare_shares(far, near)]
    )


def words_said(quality: Mapping[str, float]) -> str:
    """Say how a count of shared words does on the same pairs, and whether the model does better than that."""
    said = []
    for kind in (OTHER_BOOK, SAME_BOOK):
        own, words = balanced(quality, kind), balanced(quality, kind, BY_WORDS)
        than = {
            1: "less than the model",
            0: "too close to call",
            -1: "more than the model",
        }[compare_shares(own, words)]
        said.append(f"against {kind} {with_ends(*words)}, {than}")
    return (
        f"A logistic regression that only counts shared words, fitted to true pairs and to others of both sorts: "
        f"{'; '.join(said)}."
    )


def swapped_said(quality: Mapping[str, float]) -> str:
    """Say how many held-out pairs are called next in their order and swapped."""
    n = int(quality["pairs of each kind, held out"])
    true, swapped = called(quality, TRUE), called(quality, SWAPPED)
    points = f"{100 * abs(true - swapped) / n:.1f} percentage points"
    verdict = {
        1: f"{points} fewer, so their order counts",
        0: "which is too close to call, so it does not see their order",
        -1: f"{points} more, so it sees their order, and takes the wrong one for the right one",
    }[compare_shares((true, n), (swapped, n))]
    return (
        f"Of {n:,} true held-out pairs it calls {true:,} next; with the two swapped {swapped:,}, {verdict}."
    )


def breaks_said(quality: Mapping[str, float]) -> str:
    """Say how often the model is right about held-out pairs of a broken input, and whether that differs from the whole."""
    whole, n = balanced(quality, OTHER_BOOK), int(quality["pairs of each kind, broken"])
    said = []
    for name in BROKEN:
        true, far = (round(quality[f"{name}, {kind}: called next"] * n) for kind in (TRUE, OTHER_BOOK))
        broken = (true + n - far, 2 * n)
        than = {1: "clearly less", 0: "too close to call", -1: "clearly more"}[compare_shares(whole, broken)]
        said.append(f"{name}: {with_ends(*broken)}, {than}")
    return (
        f"Over held-out pairs, true or from another book, the model is right about {with_ends(*whole)} of {whole[1]:,}; of "
        f"{2 * n:,} broken ones with {'; with '.join(said)}."
    )


def drawn_said(config: Mapping[str, float]) -> str:
    """Say where the second sentence of a false pair came from in training, and in what the count was fitted to."""
    drawn, false = config["drawn from the same book"], [kind for kind in FITTED_KINDS if kind != TRUE]
    trained = (
        f"in {percent(drawn, 0)} of the false pairs that the network was trained on, in the rest from anywhere in the corpus"
        if drawn
        else "in none of the false pairs that the network was trained on but by chance: it came from anywhere in the corpus"
    )
    return (
        f"The second sentence was drawn from the same book {trained}, as all of BERT’s did; the count of shared words was "
        f"fitted to held-out books, where {percent(false.count(SAME_BOOK) / len(false), 0)} of the false ones are."
    )


def own_said(own: Mapping[str, int], n: int) -> str:
    """Say how many pairs of the learner's text are called next, by kind."""
    return (
        f"In your text: {own[TRUE]} of {several(n, 'true pair')} are called next, {own[SWAPPED]} with the two swapped, and "
        f"{own[SAME_BOOK]} with another sentence of the text instead."
    )


def probes_said(asked: Sequence[str], quality: Mapping[str, float]) -> str:
    """Say for which questions the class vector does better than the most frequent answer and than random numbers."""
    n = int(quality["probed pairs"])
    held, not_held = [], []
    for each in asked:
        k, *others = (round(quality[f"{each}: {name}"] * n) for name in (VECTORS[0], MAJORITY, VECTORS[-1]))
        (held if compare_shares((k, n), (max(others), n)) > 0 else not_held).append(each)
    said = [f"The class vector tells something about {len(held)} of {several(len(asked), 'question')}"]
    if held:
        said[0] += (
            f" ({'; '.join(held)}): its probe beats the most frequent answer and a probe of random numbers"
        )
    if not_held:
        said.append(
            f"About {several(len(not_held), 'question')} it is too close to call ({'; '.join(not_held)})"
        )
    return ". ".join(said) + "."
