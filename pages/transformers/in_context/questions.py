"""Exercises on learning in the context: rules that fit examples, the place that decides, and the label of a new word."""

from __future__ import annotations

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.transformers.rule_tasks import (
    CHOICES,
    LABELS,
    PLACES,
    SPELLED,
    WORDS,
    Belief,
    Example,
    count_rules,
    predict_bayes,
)

NAMES = tuple(str(a + 1) for a in range(PLACES))  # of the places


def draw_examples(draws: Draws, examples: int, kinds: int) -> tuple[list[Example], int]:
    """Return words with labels under a rule of so many labels, and one more word."""
    place = draws.integer(0, PLACES - 1)
    rule = [draws.integer(0, kinds - 1) for _ in range(CHOICES)]
    *seen, word = draws.sample(range(len(WORDS)), examples + 1)
    return [(x, rule[int(SPELLED[x, place])]) for x in seen], word


def examples_table(examples: list[Example]) -> Table:
    """Return examples as the question shows them."""
    return Table([WORDS[x] for x, _ in examples], ("y",), [[LABELS[y]] for _, y in examples], "x")


def count_letters(examples: list[Example]) -> list[int]:
    """Return how many different letters were seen at each place."""
    return [len({int(SPELLED[x, a]) for x, _ in examples}) for a in range(PLACES)]


def draw_rules(draws: Draws, difficulty: int) -> Draw | None:
    """How many rules fit; mistakes: keep places that contradict, count seen letters, count places."""
    kinds = draws.integer(2, 3 + difficulty)
    examples, word = draw_examples(draws, 2 + (difficulty > 1), kinds)
    fits = predict_bayes(examples, word, kinds).places > 0
    seen = count_letters(examples)
    if fits.all():
        return None
    left = [kinds ** (CHOICES - m) for m in seen]
    kept = [n for n, fit in zip(left, fits, strict=True) if fit]
    return Draw(
        given={"kinds": kinds, "every": PLACES * kinds**CHOICES, "seen": examples_table(examples)},
        answer=count_rules(examples, kinds),
        mistakes={
            "all": sum(left),
            "seen": sum(kinds**m for m, fit in zip(seen, fits, strict=True) if fit),
            "bare": len(kept),
        },
        steps={"places": [list(each) for each in zip(NAMES, map(bool, fits), seen, left, strict=True)]},
    )


def share_out(weights: list[float]) -> list[float]:
    """Return weights divided by their sum."""
    return [each / sum(weights) for each in weights]


def is_dull(belief: Belief) -> bool:
    """Return whether the places say too little for a question: one alone fits, or all that fit are equally probable."""
    fitting = sorted(float(p) for p in belief.places if p > 0)
    return len(fitting) < 2 or fitting[-1] - fitting[0] < 1e-9


def draw_places(draws: Draws, difficulty: int) -> Draw | None:
    """The posterior of the places; mistakes: fitting places equal, contradictions kept, more letters count for more."""
    kinds = draws.integer(2, 4)
    examples, word = draw_examples(draws, 3 + (difficulty > 1), kinds)
    belief, seen = predict_bayes(examples, word, kinds), count_letters(examples)
    fits = [bool(p > 0) for p in belief.places]
    if is_dull(belief) or all(fits):
        return None
    evidence = [float(kinds) ** -m if fit else 0.0 for m, fit in zip(seen, fits, strict=True)]
    shown = {1: 1, 2: 0, 3: 0}[difficulty]
    entries = [[float(p)] if a < shown else [None] for a, p in enumerate(belief.places)]
    return Draw(
        given={"kinds": kinds, "seen": examples_table(examples)},
        answer=tuple(float(p) for p in belief.places[shown:]),
        mistakes={
            "equal": tuple(share_out([float(fit) for fit in fits])[shown:]),
            "kept": tuple(share_out([float(kinds) ** -m for m in seen])[shown:]),
            "examples": tuple(
                share_out([float(m) if fit else 0.0 for m, fit in zip(seen, fits, strict=True)])[shown:]
            ),
        },
        steps={"evidence": evidence, "total": sum(evidence)},
        table=Table(NAMES, ("P",), entries, "a"),
        digits=3,
    )


def draw_label(draws: Draws, difficulty: int) -> Draw | None:
    """The probability of a word's label; mistakes: unseen letters give 0, places equal, the best place alone."""
    kinds = draws.integer(2, 4)
    examples, word = draw_examples(draws, 2 + (difficulty > 1), kinds)
    belief = predict_bayes(examples, word, kinds)
    if is_dull(belief):
        return None
    label = draws.choose(sorted({y for _, y in examples}))
    known = [{int(SPELLED[x, a]): y for x, y in examples} for a in range(PLACES)]
    letters = [int(SPELLED[word, a]) for a in range(PLACES)]
    given = [
        float(seen[letter] == label) if letter in seen else 1 / kinds
        for seen, letter in zip(known, letters, strict=True)
    ]
    counted = [g if letter in seen else 0.0 for g, seen, letter in zip(given, known, letters, strict=True)]
    places = [float(p) for p in belief.places]
    return Draw(
        given={
            "kinds": kinds,
            "seen": examples_table(examples),
            "places": Table(NAMES, ("P",), [[round(p, 3)] for p in places], "a"),
            "word": WORDS[word],
            "label": LABELS[label],
        },
        answer=float(belief.labels[label]),
        mistakes={
            "unseen": sum(p * g for p, g in zip(places, counted, strict=True)),
            "uniform": sum(given) / PLACES,
            "best": given[places.index(max(places))],
        },
        steps={"terms": [list(each) for each in zip(places, given, strict=True)]},
        digits=3,
    )


MAKERS = (Maker(draw_rules), Maker(draw_places), Maker(draw_label))
