"""What is said of layers and their mix, made from the numbers: of a sentence, of what is held out, of the weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.pretraining.layer_mix import NAMES, TASK_NAMES
from core.figures.worked import percent, signed
from core.models.documents.held_out import wilson
from core.models.documents.sign_test import SignTest
from core.models.pretraining.both_ways_surprise import BothWaysSurprise
from core.models.pretraining.elmo import MIX, SINGLE, TAGS, HeldOut
from core.models.pretraining.layer_mix import LayerMix

SURE = 0.05  # luck that splits so unevenly more rarely than this is no luck
TIED = "too close to tell"


def wanted(held_out: HeldOut) -> str:
    """Return the layer that alone gets the most held-out examples right, TIED where another may be as good.

    >>> alone = {"0": {"1": 1, "2": 2}, "1": {"0": 9, "2": 20}, "2": {"0": 9, "1": 2}}
    >>> wanted(HeldOut(50, {"0": 20, "1": 40, "2": 30}, alone))
    'layer 1'
    """
    first, second = sorted(SINGLE, key=lambda each: -held_out.right[each])[:2]
    return NAMES[first] if held_out.compared(first, second).p < SURE else TIED


def luck(test: SignTest) -> str:
    """Return how often luck would split so unevenly, in per cent; never quite nought.

    >>> luck(SignTest(2000, 10)), luck(SignTest(4, 1))
    ('less than 0.1%', '37.5%')
    """
    return percent(max(test.p, 1e-300))


def said_of_tags(
    words: Sequence[str], h: np.ndarray, mixes: Mapping[str, LayerMix], rows: Sequence[str]
) -> str:
    """Return how many words the layers alone, `rows` but its last, tag otherwise than the mix, its last."""
    tags = {each: mixes[each].tag_probabilities(h).argmax(axis=1) for each in rows}
    mix = rows[-1]
    counts = [int((tags[each] != tags[mix]).sum()) or "none" for each in rows[:-1]]
    first, *rest = (f"{NAMES[each]} alone" for each in rows[:-1])
    other = [
        f"{first} tags {counts[0]} otherwise",
        *map(" ".join, zip(rest, map(str, counts[1:]), strict=True)),
    ]
    size = "1 word or sign" if len(words) == 1 else f"{len(words)} words and signs"
    return f"The {NAMES[mix]} tags {size}; {', '.join(other)}."


def said_of_rating(
    words: Sequence[str], h: np.ndarray, mixes: Mapping[str, LayerMix], rows: Sequence[str]
) -> str:
    """Return p(positive) by the mix, the last of `rows`, and by each layer alone, and the word that says most."""
    p = {each: float(mixes[each].sentence_probabilities(h)[1]) for each in rows}
    shares = mixes[rows[-1]].shares(h)
    t = int(np.abs(shares).argmax())
    alone = ", ".join(f"{NAMES[each]} {p[each]:.2f}" for each in rows[:-1])
    return (
        f"The {NAMES[rows[-1]]} rates the sentence p(positive) = {p[rows[-1]]:.2f}; alone, {alone}. "
        f"“{words[t]}” moves the {NAMES[rows[-1]]} furthest, by {signed(float(shares[t]), 2, '+')}."
    )


def said_by_hand(words: Sequence[str], h: np.ndarray, learned: LayerMix, s: np.ndarray, task: str) -> str:
    """Return what other weights s than the learned ones change."""
    with np.errstate(divide="ignore"):
        mine = learned.with_weights(np.log(s))
    written = ", ".join(f"{each:.2f}" for each in s)
    if task == TAGS:
        changed = mine.scores(h).argmax(axis=1) != learned.scores(h).argmax(axis=1)
        return (
            f"With s = {written}, set by hand, {int(changed.sum())} of {len(words)} tags are others than with the learned "
            "weights."
        )
    p, own = (float(each.sentence_probabilities(h)[1]) for each in (mine, learned))
    return f"With s = {written}, set by hand, p(positive) is {p:.2f}; with the learned weights {own:.2f}."


def said_of_held_out(task: str, held_out: HeldOut) -> str:
    """Return what each layer alone and the mix get right, and whether the difference of the two first is luck."""
    what, does = ("words", "tags") if task == TAGS else ("sentences", "rates")
    shares = ", ".join(f"{NAMES[each]} {held_out.share(each):.1%}" for each in SINGLE)
    low, high = held_out.interval(MIX)
    said = (
        f"Of {held_out.n:,} held-out {what} each layer alone {does} right: {shares}; the mix {held_out.share(MIX):.1%} "
        f"(95% interval {low:.1%} to {high:.1%})."
    )
    first, second = sorted(SINGLE, key=lambda each: -held_out.right[each])[:2]
    test, tied = held_out.compared(first, second), wanted(held_out) == TIED
    verdict = "which of them is better cannot be told" if tied else f"{NAMES[first]} is what this task wants"
    return (
        f"{said} {NAMES[first].capitalize()} alone is right on {test.one:,} where {NAMES[second]} is wrong, and wrong on "
        f"{test.other:,} where that is right (luck splits so unevenly in {luck(test)} of cases): {verdict}."
    )


def said_of_mix(held_out: HeldOut) -> str:
    """Return whether the mix is better than the layer that is right most often alone."""
    best = max(SINGLE, key=lambda each: held_out.right[each])
    test = held_out.compared(MIX, best)
    more = held_out.share(MIX) - held_out.share(best)
    chance = f"(luck splits so unevenly in {luck(test)} of cases)"
    if test.p >= SURE:
        return f"Whether the mix is better than {NAMES[best]} alone cannot be told {chance}."
    which = "more" if more > 0 else "fewer"
    return f"The mix is right on {abs(more) * 100:.2f} percentage points {which} than {NAMES[best]} alone {chance}."


def said_of_left(held_out: HeldOut) -> str:
    """Return whether the mix of both directions is better than the one from the left only.

    >>> alone = {"mix": {"mix→": 30}, "mix→": {"mix": 2}}
    >>> said_of_left(HeldOut(90, {"mix": 80, "mix→": 52}, alone))[-34:]
    'the states from the right do help.'
    """
    test = held_out.compared(MIX, "mix→")
    verdict = "the states from the right do help" if test.one > test.other else "they do harm"
    return (
        f"The whole mix is right on {test.one:,} where the one from the left is wrong, and wrong on {test.other:,} where "
        f"that is right (luck splits so unevenly in {luck(test)} of cases): "
        f"{verdict if test.p < SURE else 'whether the states from the right help cannot be told'}."
    )


def said_of_others(held_out: HeldOut, others: Mapping[str, float]) -> str:
    """Return how far the mix is from other models on the same held-out examples.

    >>> said_of_others(HeldOut(10, {"mix": 7}, {}), {"naive Bayes": 0.8})
    'On the same held-out examples: naive Bayes 80.0%. The mix is 10.0 percentage points below naive Bayes.'
    """
    listed = "; ".join(f"{name} {share:.1%}" for name, share in others.items())
    best = max(others, key=lambda name: others[name])
    more = held_out.share(MIX) - others[best]
    where = "below" if more < 0 else "above"
    return f"On the same held-out examples: {listed}. The mix is {abs(more) * 100:.1f} percentage points {where} {best}."


def said_of_pieces(held_out: HeldOut, by_pieces: float) -> str:
    """Return whether naive Bayes on the pieces that the language model reads is right more often than the mix.

    >>> said_of_pieces(HeldOut(1000, {"mix": 640}, {}), 0.77)[-75:]
    'the words are not lost in reading; a line through their vectors finds less.'
    """
    low, high = wilson(round(by_pieces * held_out.n), held_out.n)
    mix_low, mix_high = held_out.interval(MIX)
    verdict = "whether a line through the vectors finds less cannot be told"
    if low > mix_high:
        verdict = "the words are not lost in reading; a line through their vectors finds less"
    if high < mix_low:
        verdict = "a line through their vectors finds more"
    return (
        f"Naive Bayes on the pieces of words that the language model reads gets {by_pieces:.1%} (95% interval {low:.1%} to "
        f"{high:.1%}): {verdict}."
    )


def said_of_weights(task: str, s: np.ndarray, ends: np.ndarray) -> str:
    """Return the learned weights with their intervals, and whether one is surely the largest.

    >>> said_of_weights("tags", np.array([0.2, 0.5, 0.3]), np.array([[0.1, 0.3], [0.4, 0.6], [0.2, 0.41]]))[-47:]
    'which layer has the most weight cannot be told.'
    """
    each = ", ".join(
        f"layer {j} {weight:.2f} ({low:.2f} to {high:.2f})"
        for j, (weight, (low, high)) in enumerate(zip(s, ends, strict=True))
    )
    j = int(s.argmax())
    clear = all(ends[j, 0] > ends[i, 1] for i in range(len(s)) if i != j)
    verdict = f"layer {j} has the most weight" if clear else "which layer has the most weight cannot be told"
    return f"For {TASK_NAMES[task]} the mix learned {each}: {verdict}."


def said_of_samples(again: np.ndarray) -> str:
    """Return which layer has the most weight in how many of the samples drawn again, s (B, L) of each.

    >>> said_of_samples(np.array([[0.6, 0.4], [0.7, 0.3], [0.1, 0.9]]))
    'Of 3 samples drawn again layer 0 has the most in 2, layer 1 in 1.'
    """
    most = np.bincount(again.argmax(axis=1), minlength=again.shape[1])
    first, *others = [f"layer {j}{{}} in {most[j]}" for j in np.argsort(-most, kind="stable") if most[j]]
    counts = ", ".join([first.format(" has the most"), *(each.format("") for each in others)])
    return f"Of {len(again)} samples drawn again {counts}."


def said_of_most(s: np.ndarray, ends: np.ndarray, held_out: HeldOut) -> str:
    """Return why the layer with the most weight need not be the one that is best alone; nothing where it is.

    >>> alone = {"0": {"1": 1, "2": 9}, "1": {"0": 20, "2": 20}, "2": {"0": 1, "1": 2}}
    >>> found = HeldOut(50, {"0": 30, "1": 40, "2": 20}, alone)
    >>> said_of_most(np.array([0.8, 0.1, 0.1]), np.array([[0.7, 0.9], [0, 0.2], [0, 0.2]]), found)
    'Alone layer 1 is better: a weight says how much is taken of a layer beside the others.'
    """
    j, best = int(s.argmax()), wanted(held_out)
    clear = all(ends[j, 0] > ends[i, 1] for i in range(len(s)) if i != j)
    if not clear or best in (TIED, NAMES[str(j)]):
        return ""
    return f"Alone {best} is better: a weight says how much is taken of a layer beside the others."


def said_of_surprise(found: BothWaysSurprise) -> str:
    """Return both perplexities of a text, and whether one direction is less surprised."""
    left, right = found.perplexities
    n = found.bits.shape[1]
    said = (
        f"On the first {n:,} words and signs of the text: perplexity {left:.0f} from the "
        f"left, {right:.0f} from the right."
    )
    if found.interval is None:
        return f"{said} So few words say nothing of which is less."
    low, high = found.interval
    verdict = "which is less cannot be told"
    if low > 0 or high < 0:
        verdict = f"from the {'right' if low > 0 else 'left'} the text is less of a surprise"
    ends = f"{signed(low)} to {signed(high)}"
    return f"{said} The mean difference is {signed(found.difference)} bits a word (95% interval {ends}): {verdict}."
