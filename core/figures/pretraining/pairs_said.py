"""What is to be said of pairs of sentences: made from the numbers that the pictures show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.pretraining.gaps import probability, several
from core.figures.worked import percent
from core.models.documents.held_out import wilson
from core.models.pretraining.pair_measures import MAJORITY, OTHER_BOOK, SAME_BOOK, SWAPPED, TRUE, VECTORS
from core.models.pretraining.sentence_pairs import PairTrace

FOLLOWS, NOT = "it follows", "it does not"


def verdict(p: float) -> str:
    """Return what P(is next) says.

    >>> verdict(0.6), verdict(0.5)
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
        f"Over all heads, {to_marks} of [CLS]’s attention stays on {'marks' if marks > 1 else 'itself'}, {to_a} goes to "
        f"words of segment A and {to_b} to words of segment B. The heaviest single weight is that of layer {layer + 1}, "
        f"head {head + 1}, on “{names[place]}” (place {place + 1}): {from_class[layer, head, place]:.2f}."
    )


def orders_said(p: np.ndarray, found: int) -> str:
    """Say for how many sentences the next one has the largest P(is next), and what guessing would find."""
    n = len(p) - 1
    low, high = wilson(found, n)
    return (
        f"For {found} of {several(n, 'sentence')} the one that follows in the text has the largest P(is next) of its row "
        f"(95% interval {percent(low, 0)} to {percent(high, 0)}); guessing would find {percent(1 / n, 0)}."
    )


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
    apart = wilson(*near)[1] < wilson(*far)[0]
    said += (
        f"That is {100 * drop:.1f} percentage points less: where both are about the same, the next is harder to tell."
        if apart
        else "The intervals meet: which of the two is harder cannot be told from so many pairs."
    )
    return said


def words_said(quality: Mapping[str, float]) -> str:
    """Say how a count of shared words does on the same pairs, and whether the model does better than that."""
    said = []
    for kind in (OTHER_BOOK, SAME_BOOK):
        own, words = balanced(quality, kind), balanced(quality, kind, " by shared words")
        (low, high), (least, most) = wilson(*own), wilson(*words)
        than = (
            "less than the model"
            if most < low
            else "more than the model"
            if high < least
            else "which is better cannot be told"
        )
        said.append(f"against {kind} {with_ends(*words)}, {than}")
    return (
        f"A logistic regression that only counts shared words, fitted to true pairs and to others of both sorts: "
        f"{'; '.join(said)}."
    )


def swapped_said(quality: Mapping[str, float]) -> str:
    """Say how many held-out pairs are called next in their order and swapped."""
    n = int(quality["pairs of each kind, held out"])
    true, swapped = called(quality, TRUE), called(quality, SWAPPED)
    apart = wilson(swapped, n)[1] < wilson(true, n)[0]
    verdict = (
        "so their order counts for something, but not for much"
        if apart and true - swapped < n / 4
        else "so their order counts"
        if apart
        else "so the order of the two can hardly be told by it"
    )
    return f"Of {n:,} true pairs it calls {true:,} next; with the two swapped, still {swapped:,}, {verdict}."


def own_said(own: Mapping[str, int], n: int) -> str:
    """Say how many pairs of the learner's text are called next, by kind."""
    return (
        f"In your text: {own[TRUE]} of {several(n, 'true pair')} are called next, {own[SWAPPED]} with the two swapped, and "
        f"{own[SAME_BOOK]} with another sentence of the text instead."
    )


def probes_said(asked: Sequence[str], quality: Mapping[str, float]) -> str:
    """Say for which questions the class vector does better than always naming the most frequent answer, and where not."""
    n = int(quality["probed pairs"])
    held, not_held = [], []
    for each in asked:
        k, common = (round(quality[f"{each}: {name}"] * n) for name in (VECTORS[0], MAJORITY))
        (low, _), (_, high) = wilson(k, n), wilson(common, n)
        (held if low > high else not_held).append(each)
    said = [f"The class vector holds something about {len(held)} of {several(len(asked), 'question')}"]
    if held:
        said[0] += (
            f" ({'; '.join(held)}): a line through it is right more often than the most frequent answer"
        )
    if not_held:
        said.append(f"About {len(not_held)} it cannot be told to ({'; '.join(not_held)})")
    return ". ".join(said) + "."
