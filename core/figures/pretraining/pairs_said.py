"""What is to be said of pairs of sentences: made from the numbers that the pictures show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.pretraining.gaps import probability, several
from core.models.documents.held_out import compare_shares, wilson
from core.models.pretraining.pair_measures import (
    BOOKS,
    MAJORITY,
    MEASURABLE,
    NEW_PAIRS,
    NEW_SCRIPTS,
    STORIES,
    TRUE,
    VECTORS,
    OwnPairs,
)
from core.models.pretraining.pair_training import KINDS, OTHER_BOOK, SAME_BOOK, SWAPPED
from core.models.pretraining.sentence_pairs import NEGATIVES, WITHOUT_SEGMENTS, PairTrace
from core.words.numbers import percent

BY_WORDS = " by shared words"  # behind a measure of the card
FOLLOWS, NOT = "it follows", "it does not"
BROKEN = ("no [SEP]", WITHOUT_SEGMENTS)  # what the page can break and the card has measured


def describe_next_sentence(p: float) -> str:
    """Return what p(is next) says.

    >>> describe_next_sentence(0.6), describe_next_sentence(0.5)
    ('it follows', 'it does not')
    """
    return FOLLOWS if p > 0.5 else NOT


def pair_said(trace: PairTrace) -> str:
    """Say what the model makes of a pair, and from how many tokens it does."""
    T, p = len(trace.pair.ids), trace.p_next
    say = "the second follows the first" if p > 0.5 else "the second does not follow the first"
    return f"{several(T, 'token')} in, one number out: p(is next) = {probability(p)}, so the model predicts that {say}."


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
    """Say for how many sentences the next one has the largest p(is next), and what guessing would find."""
    n = len(p) - 1
    low, high = wilson(found, n)
    return (
        f"For {found} of {several(n, 'sentence')} the one that follows in the text has the largest p(is next) of its row "
        f"(95% interval {percent(low, 0)} to {percent(high, 0)}); guessing would find {percent(1 / n, 0)}."
    )


def pairs_of_each_kind(quality: Mapping[str, float], text: str = STORIES) -> int:
    """Return how many held-out pairs of each kind were measured."""
    return int(quality[f"{text}, pairs of each kind"])


def gap_costs(quality: Mapping[str, float]) -> tuple[int, float, float]:
    """Return how many hidden tokens were measured, and their nats per token before and after this training."""
    before, after = (quality[f"nats per hidden token, {when}"] for when in ("before", "after"))
    return int(quality["hidden tokens"]), before, after


def called(quality: Mapping[str, float], kind: str, by: str = "", text: str = STORIES) -> int:
    """Return how many held-out pairs of a kind are called next, by the model or `by` shared words."""
    return round(quality[f"{text}, {kind}: called next{by}"] * pairs_of_each_kind(quality, text))


def measured_auc(quality: Mapping[str, float], kind: str, text: str = STORIES) -> tuple[float, float, float]:
    """Return the AUC of true pairs against pairs of a kind, and the ends of its 95% interval."""
    key = f"{text}, {kind}: AUC"
    return quality[key], quality[f"{key}, from"], quality[f"{key}, to"]


def auc_with_ends(auc: float, low: float, high: float) -> str:
    """Return an AUC with its interval.

    >>> auc_with_ends(0.8123, 0.79, 0.83)
    '0.81 (95% CI 0.79 to 0.83)'
    """
    return f"{auc:.2f} (95% CI {low:.2f} to {high:.2f})"


SHORT = {OTHER_BOOK: "another story", SAME_BOOK: "the same story", SWAPPED: "the swapped order"}
SHORT_BOOKS = {OTHER_BOOK: "another book", SAME_BOOK: "the same book", SWAPPED: "the swapped order"}


def aucs_said(quality: Mapping[str, float]) -> str:
    """Say how well the model separates true pairs of held-out stories from pairs of each kind."""
    parts = [f"{auc_with_ends(*measured_auc(quality, kind))} against {SHORT[kind]}" for kind in KINDS]
    return f"On held-out stories the AUC is {parts[0]}, {parts[1]} and {parts[2]}."


def words_said(quality: Mapping[str, float], text: str = STORIES) -> str:
    """Say how a count of shared words does on the same pairs, and whether the model does better than that."""
    said = []
    for kind in KINDS:
        key = f"{text}, {kind}: AUC"
        low, high = (quality[f"{key} ahead of shared words, {end}"] for end in ("from", "to"))
        than = "the model is better" if low > 0 else "the model is worse" if high < 0 else "too close to call"
        said.append(f"{quality[f'{key} by shared words']:.2f} against {SHORT[kind]} ({than})")
    return (
        f"A logistic regression that only counts shared words reaches {said[0]}, {said[1]} and {said[2]}. "
        f"It cannot see the order of the two, because both orders share the same words."
    )


def elsewhere_said(quality: Mapping[str, float]) -> str:
    """Say how far the model carries: to new combinations and new scripts, and to books."""

    def found(text: str, names: Mapping[str, str]) -> str:
        parts = [
            f"{auc_with_ends(*measured_auc(quality, kind, text))} against {names[kind]}" for kind in KINDS
        ]
        return f"{parts[0]}, {parts[1]} and {parts[2]}"

    return (
        f"Where two known phrasings meet for the first time: {found(NEW_PAIRS, SHORT)}. On stories of scripts that it was "
        f"not trained on: {found(NEW_SCRIPTS, SHORT)}. On held-out parts of the Bible and of plays: "
        f"{found(BOOKS, SHORT_BOOKS)}."
    )


def order_said(quality: Mapping[str, float]) -> str:
    """Say how many held-out pairs are called next in their order and swapped, and whether their order counts."""
    n = pairs_of_each_kind(quality)
    true, swapped = called(quality, TRUE), called(quality, SWAPPED)
    _, low, high = measured_auc(quality, SWAPPED)
    verdict = (
        "so the model sees the order"
        if low > 0.5
        else "so it takes the wrong order for the right one"
        if high < 0.5
        else "which is too close to call, so it does not see the order"
    )
    return (
        f"Of {n:,} true held-out pairs it calls {true:,} next; with the two swapped {swapped:,}, {verdict}."
    )


def breaks_said(quality: Mapping[str, float]) -> str:
    """Say how well the model sees the order with a piece of the input out, and whether that is a loss."""
    said = []
    for name in BROKEN:
        low, high = (quality[f"{name}: AUC lost, {end}"] for end in ("from", "to"))
        than = "worse" if low > 0 else "better" if high < 0 else "too close to call"
        said.append(f"with {name} {quality[f'{name}: AUC']:.2f} ({than})")
    return (
        f"On held-out stories, true or swapped, the AUC is {measured_auc(quality, SWAPPED)[0]:.2f}; "
        f"{'; '.join(said)}."
    )


def drawn_said(config: Mapping[str, Mapping[str, float]]) -> str:
    """Say which pairs that do not follow the network was trained on, and what BERT was."""
    shares = [percent(config[NEGATIVES][kind], 0) for kind in KINDS]
    return (
        f"Of the training pairs that do not follow, {shares[0]} take the second sentence from another book or story, "
        f"{shares[1]} from the same one, and {shares[2]} are swapped. All of BERT’s were from another document."
    )


def own_said(own: OwnPairs, seed: int) -> str:
    """Say how many pairs of the learner's text are called next, by kind, and the AUC where there are enough of them."""
    called_next, n = own.called_next, len(own.true)
    said = (
        f"In your text: {called_next[TRUE]} of {several(n, 'true pair')} are called next, {called_next[SWAPPED]} with the "
        f"two swapped, and {called_next[SAME_BOOK]} with another sentence of the text instead."
    )
    found = own.measure_auc(seed)
    if found is None:
        return f"{said} An AUC needs at least {MEASURABLE} pairs, so we cannot measure it on this text."
    parts = []
    for kind, (auc, low, high) in found.items():
        chance = " (too close to chance to call)" if low <= 0.5 <= high else ""
        against = "its other sentences" if kind == SAME_BOOK else "the swapped order"
        parts.append(f"{auc_with_ends(auc, low, high)} against {against}{chance}")
    return f"{said} The AUC is {parts[0]}, and {parts[1]}."


def probes_said(asked: Sequence[str], quality: Mapping[str, float]) -> str:
    """Say for which questions the class vector does better than the most frequent answer and than random numbers."""
    n = int(quality["probed pairs"])
    held, not_held = [], []
    for each in asked:
        k, *others = (round(quality[f"{each}: {name}"] * n) for name in (VECTORS[0], MAJORITY, VECTORS[-1]))
        (held if compare_shares((k, n), (max(others), n)) > 0 else not_held).append(each)
    said = [f"The class vector holds something about {len(held)} of {several(len(asked), 'question')}"]
    if held:
        said[0] += (
            f" ({'; '.join(held)}): its probe beats the most frequent answer and a probe of random numbers"
        )
    if not_held:
        said.append(
            f"About {several(len(not_held), 'question')} it is too close to call ({'; '.join(not_held)})"
        )
    return ". ".join(said) + "."
