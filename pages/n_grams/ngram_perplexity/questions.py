"""Exercises on perplexity: from the probabilities of a line, from counts on held-out text, and bits per character."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.language_model import bits, bits_per_token, perplexity
from core.models.n_grams.held_out import unseen_share
from core.models.n_grams.ngram import add_alpha
from pages.n_grams.shared.small_text import (
    START,
    STOP,
    count_small_text,
    draw_sentence,
    draw_text,
    sentences_of,
)

POWERS = (1 / 2, 1 / 4, 1 / 8, 1 / 16)  # whole bits


def draw_perplexity(draws: Draws, difficulty: int) -> Draw | None:
    """The perplexity of a line; mistakes: stop at the bits, forget the mean, mix nats and bits, average 1 / p."""
    sentence = draw_sentence(draws)[: difficulty + 2]
    p = [draws.choose(POWERS) if difficulty == 1 else draws.decimal(0.05, 0.9, 2) for _ in sentence]
    ln_p = np.log(p)
    if len(set(p)) == 1:
        return None
    return Draw(
        given={"sentence": " ".join(sentence), "table": Table(("p",), sentence, [p])},
        answer=perplexity(ln_p),
        mistakes={
            "bits": bits_per_token(ln_p),
            "total": float(2 ** bits(ln_p).sum()),
            "nats": float(2 ** -ln_p.mean()),
            "choices": float(np.mean(1 / np.array(p))),
        },
        steps={
            "bits": bits(ln_p),
            "n": len(p),
            "sum": float(bits(ln_p).sum()),
            "mean": bits_per_token(ln_p),
            "nats": float(-ln_p.mean()),
            "fractions": 1 / np.array(p),
        },
        digits=2,
    )


def draw_held_out(draws: Draws, difficulty: int) -> Draw | None:
    """The perplexity of counts on a new sentence; mistakes: leave out the context, the end, the mean."""
    tokens = draw_text(draws, difficulty + 1)
    test = draw_sentence(draws)
    test = test[1:] if difficulty == 1 else test
    if not set(test) <= set(tokens):
        return None
    counts = count_small_text(tokens)
    ids = [counts.vocabulary.index(token) for token in test]
    two, one = add_alpha(counts, 2), add_alpha(counts, 1)
    ln_p = two.token_log_probabilities(ids)[1:]
    rows = [
        (counts.vocabulary[w], counts.vocabulary[h], counts.count((h, w)), counts.count((h,)))
        for h, w in pairwise(ids)
    ]
    return Draw(
        given={
            "text": " ".join(tokens),
            "test": " ".join(test),
            "first": test[0],
            "V": len(counts.vocabulary),
        },
        answer=perplexity(ln_p),
        mistakes={
            "unigrams": perplexity(one.token_log_probabilities(ids)[1:]),
            "end": perplexity(ln_p[:-1]),
            "total": float(np.exp(-ln_p.sum())),
        },
        steps={
            "rows": rows,
            "p": np.exp(ln_p),
            "mean": bits_per_token(ln_p),
            "n": len(ln_p),
            "alone": counts.count(ids[1:2]),
            "tokens": len(tokens),
            "product": float(np.exp(ln_p.sum())),
        },
        digits=2,
    )


def draw_new(draws: Draws, difficulty: int) -> Draw | None:
    """The share of held-out bigrams that are new; mistakes: count words, count what is known, swap the two texts."""
    tokens, test = draw_text(draws, difficulty + 1), draw_text(draws, 1 + (difficulty == 3))
    counts, others = count_small_text(tokens, 2, STOP, test), count_small_text(test, 2, STOP, tokens)
    name = counts.vocabulary
    ids, trained = ([name.index(token) for token in text] for text in (test, tokens))
    new = unseen_share(counts, ids, 2)
    run, _ = counts.locate(ids)[1]
    if new == 0:
        return None
    before = [START, *test[:-1]]
    return Draw(
        given={"sentences": sentences_of(tokens), "tests": sentences_of(test)},
        answer=new,
        mistakes={
            "words": unseen_share(counts, ids, 1),
            "known": 1 - new,
            "swapped": unseen_share(others, trained, 2),
        },
        steps={
            "new": [
                (START if h == STOP else h, w)
                for h, w, seen in zip(before, test, run >= 0, strict=True)
                if not seen
            ],
            "n": len(test),
            "tokens": len(tokens),
            "new_words": sorted({*test} - {*tokens}),
        },
    )


MAKERS = (Maker(draw_perplexity), Maker(draw_held_out), Maker(draw_new))
