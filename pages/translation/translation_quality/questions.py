"""Exercises on BLEU and chrF: a clipped precision, a corpus's BLEU, and the F-score of letters of a word."""

from __future__ import annotations

import math

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.translation.bleu import Bleu, count_ngrams, match_ngrams
from core.models.translation.chrf import BETA, Chrf

NOUNS = ("cat", "dog", "king", "bird", "child", "ship", "tree")
VERBS, PLACES = ("sees", "hears", "finds", "follows"), ("near", "behind", "under", "before")
OLD = ("old", "small", "red")
STEMS = ("petit", "grand", "parl", "chant", "dans", "march", "port", "vert", "froid", "content")
ENDINGS = ("e", "es", "er", "ent", "ons", "ait", "s", "eur")
PRECISIONS = ("p₁", "p₂", "p₃", "p₄")


def draw_lines(draws: Draws, difficulty: int) -> tuple[list[str], list[str]]:
    """Return a translation in which words come again, and its reference."""
    nouns, verbs, places = draws.sample(NOUNS, 4), draws.sample(VERBS, 2), draws.sample(PLACES, 2)
    old = (draws.choose(OLD),) if difficulty == 3 else ()
    reference = ["the", *old, nouns[0], verbs[0], "the", nouns[1], places[0], "the", nouns[2]]
    known = nouns if draws.integer(0, 1) else nouns[:2]
    one, two, three = (draws.choose(known) for _ in range(3))
    kept = old if draws.integer(0, 1) else ()
    written = ["the", *kept, one, draws.choose(verbs), "the", two, draws.choose(places), "the", three]
    longer = written if draws.integer(0, 1) else reference
    longer += [draws.choose(places), "the", draws.choose(known if longer is written else nouns[3:])]
    return written, reference


def draw_precision(draws: Draws, difficulty: int) -> Draw | None:
    """A clipped precision; mistakes: do not clip, divide by the reference, count each n-gram once."""
    n = 1 if difficulty == 1 else 2
    written, reference = draw_lines(draws, difficulty)
    clipped, again = (match_ngrams(written, reference, n, clipped) for clipped in (True, False))
    matched, unclipped = (len(places) - places.count(None) for places in (clipped, again))
    of_written, of_reference = count_ngrams(written, n), count_ngrams(reference, n)
    most = max(
        of_written, key=lambda ngram: of_written[ngram] - of_reference[ngram] if ngram in of_reference else 0
    )
    if len(written) == len(reference):
        return None
    return Draw(
        given={"written": " ".join(written), "reference": " ".join(reference), "n": n},
        answer=matched / len(clipped),
        mistakes={
            "unclipped": unclipped / len(clipped),
            "recall": matched / of_reference.total(),
            "once": len(of_written.keys() & of_reference.keys()) / len(of_written),
        },
        steps={
            "found": [
                (" ".join(ngram), times, of_reference[ngram], min(times, of_reference[ngram]))
                for ngram, times in of_written.items()
            ],
            "matched": matched,
            "unclipped": unclipped,
            "total": len(clipped),
            "known": of_reference.total(),
            "kinds": len(of_written),
            "both": len(of_written.keys() & of_reference.keys()),
            "most": (" ".join(most), of_written[most], of_reference[most]),
        },
    )


def draw_bleu(draws: Draws, difficulty: int) -> Draw:
    """A corpus's BLEU; mistakes: no brevity penalty, the arithmetic mean, no root."""
    sentences = draws.integer(2, 3 * difficulty)
    c = sentences * draws.integer(6, 10)
    r = c + draws.integer(1, c // 3)
    totals = tuple(c - n * sentences for n in range(4))
    matches, left = [], c
    for total in totals:
        left = draws.integer(max(1, min(left, total) // 2), max(1, min(left, total) - 1))
        matches.append(left)
    bleu = Bleu(tuple(matches), totals, c, r)
    p = bleu.precisions
    return Draw(
        given={"counts": Table(("matches", "n-grams"), PRECISIONS, (matches, totals)), "c": c, "r": r},
        answer=bleu.score,
        mistakes={
            "no_penalty": bleu.mean_precision,
            "arithmetic": bleu.brevity_penalty * sum(p) / len(p),
            "no_root": bleu.brevity_penalty * math.prod(p),
        },
        steps={
            "p": p,
            "product": math.prod(p),
            "root": bleu.mean_precision,
            "mean": sum(p) / len(p),
            "penalty": bleu.brevity_penalty,
        },
    )


def weigh(precision: float, recall: float, beta: float) -> float:
    """Return the F-score in which recall counts beta times as much as precision."""
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def draw_letters(draws: Draws, difficulty: int) -> Draw | None:
    """The F-score of letters; mistakes: count both equally, exchange precision and recall, take the plain mean."""
    n = 3 if difficulty == 3 else 2
    stem, (one, two) = draws.choose(STEMS), draws.sample(ENDINGS, 2)
    written, reference = stem + one, stem + two
    of_written, of_reference = count_ngrams(written, n), count_ngrams(reference, n)
    shared = of_written & of_reference
    counts = ((shared.total(),), (of_written.total(),), (of_reference.total(),))
    right, turned = Chrf(*counts), Chrf(counts[0], counts[2], counts[1])
    if not shared:
        return None
    return Draw(
        given={"written": written, "reference": reference, "n": n},
        answer=right.score,
        mistakes={
            "equal": weigh(right.precision, right.recall, 1),
            "exchanged": turned.score,
            "mean": (right.precision + right.recall) / 2,
        },
        steps={
            "runs": ["".join(each) for each in of_written.elements()],
            "others": ["".join(each) for each in of_reference.elements()],
            "matched": shared.total(),
            "p": right.precision,
            "r": right.recall,
            "weight": BETA**2,
        },
    )


MAKERS = (Maker(draw_precision), Maker(draw_bleu), Maker(draw_letters))
