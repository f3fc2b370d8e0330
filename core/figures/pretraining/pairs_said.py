"""What is to be said of pairs of sentences: made from the numbers that the pictures show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.pretraining import WORDS, name
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
from core.words.numbers import probability

BY_WORDS = " by shared words"  # behind a measure of the card
BROKEN = ("no [SEP]", WITHOUT_SEGMENTS)  # what the page can break and the card has measured


def describe_next_sentence(p: float) -> str:
    """Return what p(is next) says.

    >>> describe_next_sentence(0.6), describe_next_sentence(0.5)
    ('it follows', 'it does not')
    """
    return WORDS.label("pairs.follows" if p > 0.5 else "pairs.follows_not")


def pair_said(trace: PairTrace) -> str:
    """Say what the model makes of a pair, and from how many tokens it does."""
    T, p = len(trace.pair.ids), trace.p_next
    return WORDS.label("pairs.one", T=T, p=probability(p), follows=p > 0.5)


def looks_said(from_class: np.ndarray, names: Sequence[str], segments: Sequence[int]) -> str:
    """Say where [CLS] attends: its largest weight, and the shares of the special tokens and of either sentence.

    `from_class` is (L, H, T).
    """
    layer, head, place = np.unravel_index(from_class.argmax(), from_class.shape)
    mean = from_class.mean(axis=(0, 1))
    marked = np.array([name in ("[CLS]", "[SEP]") for name in names])
    second = np.array(segments, dtype=bool)
    return WORDS.label(
        "pairs.looks",
        marks=int(marked.sum()),
        special=float(mean[marked].sum()),
        a=float(mean[~marked & ~second].sum()),
        b=float(mean[~marked & second].sum()),
        layer=layer + 1,
        head=head + 1,
        token=names[place],
        place=place + 1,
        weight=float(from_class[layer, head, place]),
    )


def orders_said(p: np.ndarray, found: int) -> str:
    """Say for how many sentences the next one has the largest p(is next), and what guessing would find."""
    n = len(p) - 1
    low, high = wilson(found, n)
    return WORDS.label("pairs.orders", found=found, n=n, low=low, high=high, chance=1 / n)


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
    return WORDS.label("pairs.auc", auc=auc, low=low, high=high)


AGAINST = {OTHER_BOOK: "other_book", SAME_BOOK: "same_book", SWAPPED: "swapped"}


def against(kind: str, auc: str, note: str = "", text: str = STORIES) -> str:
    """Return an AUC with what true pairs are separated from.

    >>> against(SAME_BOOK, "0.81"), against(OTHER_BOOK, "0.60", "too close to call", BOOKS)
    ('0.81 against the same story', '0.60 against another book (too close to call)')
    """
    return WORDS.label(f"pairs.{AGAINST[kind]}", auc=auc, note=note, book=text == BOOKS)


def auc_of_each_kind(quality: Mapping[str, float], text: str = STORIES) -> list[str]:
    """Return the AUC with its interval against each kind of pair."""
    return [against(kind, auc_with_ends(*measured_auc(quality, kind, text)), text=text) for kind in KINDS]


def aucs_said(quality: Mapping[str, float]) -> str:
    """Say how well the model separates true pairs of held-out stories from pairs of each kind."""
    return WORDS.label("pairs.aucs", aucs=auc_of_each_kind(quality))


def words_said(quality: Mapping[str, float], text: str = STORIES) -> str:
    """Say how a count of shared words does on the same pairs, and whether the model does better than that."""
    said = []
    for kind in KINDS:
        key = f"{text}, {kind}: AUC"
        low, high = (quality[f"{key} ahead of shared words, {end}"] for end in ("from", "to"))
        than = WORDS.label(f"pairs.{'better' if low > 0 else 'worse' if high < 0 else 'close'}")
        said.append(against(kind, f"{quality[f'{key}{BY_WORDS}']:.2f}", than))
    return WORDS.label("pairs.by_words", aucs=said)


def elsewhere_said(quality: Mapping[str, float]) -> str:
    """Say how far the model carries: to new combinations and new scripts, and to books."""
    texts = {"new_pairs": NEW_PAIRS, "new_scripts": NEW_SCRIPTS, "books": BOOKS}
    return WORDS.label(
        "pairs.elsewhere", **{key: auc_of_each_kind(quality, text) for key, text in texts.items()}
    )


def order_said(quality: Mapping[str, float]) -> str:
    """Say how many held-out pairs are called next in their order and swapped, and whether their order counts."""
    n = pairs_of_each_kind(quality)
    true, swapped = called(quality, TRUE), called(quality, SWAPPED)
    _, low, high = measured_auc(quality, SWAPPED)
    order = "seen" if low > 0.5 else "wrong" if high < 0.5 else "close"
    return WORDS.label("pairs.order", n=n, in_order=true, swapped=swapped, order=order)


def breaks_said(quality: Mapping[str, float]) -> str:
    """Say how well the model sees the order with a piece of the input out, and whether that is a loss."""
    said = []
    for each in BROKEN:
        low, high = (quality[f"{each}: AUC lost, {end}"] for end in ("from", "to"))
        than = "worse" if low > 0 else "better" if high < 0 else "close"
        said.append(WORDS.label("pairs.broken", name=name(each), auc=quality[f"{each}: AUC"], verdict=than))
    return WORDS.label("pairs.breaks", auc=measured_auc(quality, SWAPPED)[0], broken=said)


def drawn_said(config: Mapping[str, Mapping[str, float]]) -> str:
    """Say which pairs that do not follow the network was trained on, and what BERT was."""
    return WORDS.label("pairs.drawn", **{AGAINST[kind]: config[NEGATIVES][kind] for kind in KINDS})


def own_said(own: OwnPairs, seed: int) -> str:
    """Say how many pairs of the learner's text are called next, by kind, and the AUC where there are enough of them."""
    called_next, aucs = own.called_next, []
    for kind, ends in (own.measure_auc(seed) or {}).items():
        note = WORDS.label("pairs.chance") if ends[1] <= 0.5 <= ends[2] else ""
        key = "pairs.own_others" if kind == SAME_BOOK else "pairs.swapped"
        aucs.append(WORDS.label(key, auc=auc_with_ends(*ends), note=note))
    return WORDS.label(
        "pairs.own",
        n=len(own.true),
        in_order=called_next[TRUE],
        swapped=called_next[SWAPPED],
        other=called_next[SAME_BOOK],
        aucs=aucs,
        least=MEASURABLE,
    )


def probes_said(asked: Sequence[str], quality: Mapping[str, float]) -> str:
    """Say for which questions the class vector does better than the most frequent answer and than random numbers."""
    n = int(quality["probed pairs"])
    held, not_held = [], []
    for each in asked:
        k, *others = (round(quality[f"{each}: {read}"] * n) for read in (VECTORS[0], MAJORITY, VECTORS[-1]))
        (held if compare_shares((k, n), (max(others), n)) > 0 else not_held).append(name(each))
    return WORDS.label("pairs.probes", n=len(asked), held=held, rest=not_held)
