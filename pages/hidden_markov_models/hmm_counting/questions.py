"""Exercises on training an HMM by counting: a transition, a smoothed row, and the tag of an ending."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.hmm_tables import count_tagged, estimate
from core.models.hidden_markov_models.suffix_model import SuffixModel

TAGS = ("DET", "NOUN", "VERB", "PRON")
WORDS = {
    "DET": ("the", "a"),
    "NOUN": ("dog", "cat", "fish", "bark"),
    "VERB": ("bark", "fish", "see", "hear"),
    "PRON": ("they", "we"),
}
PATTERNS = (
    ("PRON", "VERB"),
    ("PRON", "VERB", "NOUN"),
    ("PRON", "VERB", "DET", "NOUN"),
    ("DET", "NOUN", "VERB"),
    ("DET", "NOUN", "NOUN", "VERB"),
    ("NOUN", "VERB", "PRON"),
    ("NOUN", "VERB"),
)
END = "end"
ENDINGS = ("ly", "ed", "er", "ing", "ful")
WEIGHT = 3  # tokens that the shorter ending's opinion is worth


def draw_tagged(draws: Draws, sentences: int) -> list[list[tuple[str, str]]]:
    """Return sentences of (word, tag) pairs."""
    return [[(draws.choose(WORDS[tag]), tag) for tag in draws.choose(PATTERNS)] for _ in range(sentences)]


def draw_transition(draws: Draws, difficulty: int) -> Draw | None:
    """p(j | i) with the end counted; mistakes: divide by the column, by all words, leave out the ends."""
    sentences = draw_tagged(draws, difficulty + 3)
    counts = count_tagged(sentences, TAGS)
    i, j = draws.integer(0, len(TAGS) - 1), draws.integer(0, len(TAGS) - 1)
    both, total = counts.transition[i, j], counts.tokens[i]
    followed = counts.transition[i].sum()
    if both in (0, total) or counts.end[i] == 0:
        return None
    model = estimate(count_tagged([list(each) for each in sentences]))
    at = model.states.index(TAGS[i]), model.states.index(TAGS[j])
    return Draw(
        given={"sentences": sentences, "before": TAGS[i], "after": TAGS[j]},
        answer=float(np.exp(model.log_transition[at])),
        mistakes={
            "column": both / counts.tokens[j],
            "words": both / counts.tokens.sum(),
            "ends": both / followed,
        },
        steps={
            "both": int(both),
            "total": int(total),
            "after_total": int(counts.tokens[j]),
            "n": int(counts.tokens.sum()),
            "ended": int(counts.end[i]),
            "followed": int(followed),
        },
    )


def draw_smoothed(draws: Draws, difficulty: int) -> Draw:
    """A row with alpha added; mistakes: add nothing, keep the old total, add alpha to the total only once."""
    alpha = (1, 0.5, 0.1)[difficulty - 1] if draws.integer(0, 1) else 1
    names = [*TAGS[: difficulty + 1], END]
    row = np.array([draws.integer(1, 6), *(max(0, draws.integer(-2, 4)) for _ in names[1:])])
    total, added = int(row.sum()), alpha * len(names)
    return Draw(
        given={
            "tag": TAGS[0] if difficulty == 3 else "PRON",
            "table": Table(("c",), names, [row.tolist()]),
            "alpha": alpha,
        },
        answer=(row + alpha) / (total + added),
        mistakes={
            "raw": row / total,
            "old": (row + alpha) / total,
            "once": (row + alpha) / (total + alpha),
        },
        steps={
            "total": total,
            "n": len(names),
            "sum": total + added,
            "first": names[0],
            "count": int(row[0]),
            "p": float((row[0] + alpha) / (total + added)),
            "wrong_sum": float((row + alpha).sum() / total),
            "once_sum": float((row + alpha).sum() / (total + alpha)),
        },
        table=Table(("p",), names, [[None] * len(names)]),
    )


def draw_ending(draws: Draws, difficulty: int) -> Draw:
    """p(tag | ending); mistakes: ask the ending alone, average the two endings, leave the weight out of the total."""
    ending = draws.choose(ENDINGS)
    tags = ("NOUN", "VERB", "ADJ")[: 2 if difficulty == 1 else 3]
    times = np.array([draws.integer(0, 4) for _ in tags])
    shorter = np.array(draws.distribution(len(tags)))
    times[0] += 1
    at = draws.integer(0, len(tags) - 1)
    total = int(times.sum())
    p = SuffixModel(weight=WEIGHT).smoothed(times, shorter)
    return Draw(
        given={
            "ending": ending,
            "weight": WEIGHT,
            "table": Table((f"-{ending}", f"-{ending[1:]}"), tags, [times.tolist(), shorter.tolist()]),
            "tag": tags[at],
        },
        answer=p[at],
        mistakes={
            "alone": times[at] / total,
            "mean": (times[at] / total + shorter[at]) / 2,
            "total": (times[at] + WEIGHT * shorter[at]) / total,
        },
        steps={
            "count": int(times[at]),
            "total": total,
            "p_shorter": float(shorter[at]),
            "share": float(times[at] / total),
            "sum": total + WEIGHT,
        },
    )


MAKERS = (Maker(draw_transition), Maker(draw_smoothed), Maker(draw_ending))
