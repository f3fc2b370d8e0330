"""Exercises on sentence probability: a bigram's probability, a sentence's product, and its bits."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.exercises.passage import draw_passage
from core.models.language_model import bits, bits_per_token
from core.models.n_grams.ngram import maximum_likelihood
from pages.n_grams.shared.small_text import count_small_text, draw_sentence, draw_text

EASY = (0.5, 0.25, 0.125)  # whole bits


def draw_tokens(draws: Draws, sentences: int, text: str) -> list[str]:
    """Return the tokens of a small text: a passage of the lecturer's own where there is one."""
    return draw_passage(draws, text, 8 * sentences + 12) if text else draw_text(draws, sentences)


def walk(draws: Draws, tokens: list[str], length: int) -> list[str]:
    """Return words of which each follows the one before it somewhere in the text; fewer where the text ends."""
    sentence = [draws.choose(tokens)]
    while len(sentence) < length:
        after = [two for one, two in pairwise(tokens) if one == sentence[-1]]
        if not after:
            break
        sentence.append(draws.choose(after))
    return sentence


def draw_bigram(draws: Draws, difficulty: int, text: str = "") -> Draw | None:
    """p(w | h) from counts; mistakes: divide by all tokens, forget the context, swap word and context."""
    tokens = draw_tokens(draws, difficulty + 2, text)
    counts = count_small_text(tokens)
    followers = Counter(one for one, _ in set(pairwise(tokens)))
    open_ends = [i for i, token in enumerate(tokens[:-1]) if token != "." and followers[token] > 1]
    if not open_ends:
        return None
    at = draws.choose(open_ends)
    h, w = (counts.vocabulary.index(token) for token in tokens[at : at + 2])
    alone = maximum_likelihood(counts, 1).scores([])
    after = maximum_likelihood(counts, 2).scores([h])
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


def draw_product(draws: Draws, difficulty: int, text: str = "") -> Draw | None:
    """The product of a sentence's factors; mistakes: add them, leave out the context, stop one word early."""
    tokens = draw_tokens(draws, difficulty + 1, text)
    counts = count_small_text(tokens)
    sentence = walk(draws, tokens, difficulty + 2) if text else draw_sentence(draws)[: difficulty + 2]
    if not set(sentence) <= set(tokens):
        return None
    ids = [counts.vocabulary.index(token) for token in sentence]
    pairs = list(pairwise(ids))
    if not pairs:
        return None
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
            "bits": bits(ln_p),
            "n": len(p),
            "total": float(np.sum(p)),
            "product": float(np.prod(p)),
        },
        digits=2,
    )


MAKERS = (Maker(draw_bigram, on_text=True), Maker(draw_product, on_text=True), Maker(draw_surprisal))
