"""Exercises on sentence probability: a bigram's probability, a sentence's product, and its bits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.language_model import bits, bits_per_token
from core.models.n_grams.ngram import maximum_likelihood
from pages.n_grams.shared.small_text import count_small_text, draw_sentence, draw_text

EASY = (0.5, 0.25, 0.125)  # whole bits


def draw_bigram(draws: Draws, difficulty: int) -> Draw | None:
    """p(w | h) from counts; mistakes: divide by all tokens, forget the context, swap word and context."""
    tokens = draw_text(draws, difficulty + 1)
    at = draws.integer(0, len(tokens) - 2)
    counts = count_small_text(tokens)
    h, w = (counts.vocabulary.index(token) for token in tokens[at : at + 2])
    alone = maximum_likelihood(counts, 1).scores([])
    after = maximum_likelihood(counts, 2).scores([h])
    if tokens[at] == "." or after[w] == 1:
        return None
    return Draw(
        given={"text": " ".join(tokens), "word": tokens[at + 1], "context": tokens[at]},
        answer=after[w],
        mistakes={
            "joint": alone[h] * after[w],
            "unigram": alone[w],
            "swapped": counts.count((h, w)) / counts.count((w,)),
        },
        steps={
            "both": counts.count((h, w)),
            "before": counts.count((h,)),
            "times": counts.count((w,)),
            "tokens": len(tokens),
        },
    )


def draw_product(draws: Draws, difficulty: int) -> Draw | None:
    """The product of a sentence's factors; mistakes: add them, leave out the context, stop one word early."""
    tokens = draw_text(draws, difficulty + 1)
    sentence = draw_sentence(draws)[: difficulty + 2]
    counts = count_small_text(tokens)
    if not set(sentence) <= set(tokens):
        return None
    ids = [counts.vocabulary.index(token) for token in sentence]
    pairs = list(pairwise(ids))
    two, one = maximum_likelihood(counts, 2), maximum_likelihood(counts, 1)
    factors = np.array([two.scores([h])[w] for h, w in pairs])
    if not factors.all() or (factors == 1).sum() > 1:
        return None
    return Draw(
        given={"text": " ".join(tokens), "first": sentence[0], "rest": sentence[1:]},
        answer=factors.prod(),
        mistakes={
            "added": factors.sum(),
            "unigrams": one.scores([])[ids[1:]].prod(),
            "early": factors[:-1].prod(),
        },
        steps={
            "factors": [
                (counts.vocabulary[w], counts.vocabulary[h], counts.count((h, w)), counts.count((h,)))
                for h, w in pairs
            ],
            "values": factors,
        },
    )


def draw_surprisal(draws: Draws, difficulty: int) -> Draw:
    """A sentence's surprisal in bits; mistakes: take logarithms to base e, divide by the words, take the sum's logarithm."""
    sentence = draw_sentence(draws)[: difficulty + 2]
    p = [draws.choose(EASY) if difficulty == 1 else draws.decimal(0.1, 0.9) for _ in sentence]
    ln_p = np.log(p)
    return Draw(
        given={"sentence": " ".join(sentence), "factors": Table(("p",), sentence, [p])},
        answer=float(bits(ln_p).sum()),
        mistakes={
            "natural": -ln_p.sum(),
            "mean": bits_per_token(ln_p),
            "sum": bits(np.log(np.sum(p))),
        },
        steps={
            "p": p,
            "bits": bits(ln_p),
            "n": len(p),
            "total": float(np.sum(p)),
            "product": float(np.prod(p)),
        },
        digits=2,
    )


MAKERS = (Maker(draw_bigram), Maker(draw_product), Maker(draw_surprisal))
