"""Exercises on edit distance: a table to fill in, a distance with unequal costs, and a word error rate."""

from __future__ import annotations

from collections.abc import Sequence

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.tokens.edit_distance import (
    SUBSTITUTE,
    Costs,
    EditTable,
    align_positions,
    fill_table,
    trace_back,
)

WORDS = {  # by length; no word has a letter twice, so that every row and column has a name of its own
    3: (
        "cat",
        "act",
        "art",
        "rat",
        "car",
        "arc",
        "tea",
        "eat",
        "ate",
        "ear",
        "are",
        "ice",
        "cue",
        "hat",
        "sea",
    ),
    4: (
        *("cart", "star", "rats", "east", "seat", "tale", "late", "lamp", "plum", "palm", "clap", "rice"),
        *("read", "dare", "care", "race", "acre", "cave", "vase", "save", "slat", "salt", "last", "hare"),
    ),
    5: ("crate", "trace", "react", "heart", "earth", "hater", "stale", "least", "steal", "plate", "clamp"),
}
HEARD = (
    "we",
    "often",
    "read",
    "old",
    "books",
    "in",
    "the",
    "small",
    "quiet",
    "garden",
    "near",
    "home",
    "today",
)
START = "∅"


def draw_words(draws: Draws, *lengths: int) -> tuple[str, ...]:
    """Return words of these lengths."""
    return tuple(draws.choose(WORDS[length]) for length in lengths)


def numbers(table: EditTable) -> list[list[int]]:
    """Return the table's distances as whole numbers."""
    return table.distances.astype(int).tolist()


def compare_places(source: Sequence[str], target: Sequence[str], costs: Costs | None = None) -> int:
    """Return what it costs to turn the source into the target place by place, without the table."""
    return int(sum(edit.cost for edit in align_positions(source, target, costs)))


def show_table(table: EditTable) -> Table:
    """Return the filled table with its start."""
    return Table((START, *table.source), (START, *table.target), numbers(table))


def draw_cells(draws: Draws, difficulty: int) -> Draw | None:
    """The table; mistakes: pay for equal letters, pay 2 for a substitution, compare the beginnings place by place."""
    source, target = draw_words(draws, *((3, 3), (3, 4), (4, 4))[difficulty - 1])
    if source == target or not set(source) & set(target):
        return None
    table, m, n = fill_table(source, target), len(source), len(target)
    inner = [(i, j) for i in range(1, m + 1) for j in range(1, n + 1)]
    border = [[i + j if 0 in (i, j) else None for j in range(n + 1)] for i in range(m + 1)]
    i, j = next((i, j) for i, j in inner if source[i - 1] == target[j - 1])
    unequal = fill_table(source, target.upper())  # no letter has its equal
    double = fill_table(source, target, Costs(substitute=2))
    answer = tuple(int(table.distances[place]) for place in inner)
    places = tuple(compare_places(source[:a], target[:b]) for a, b in inner)
    doubles = tuple(int(double.distances[place]) for place in inner)
    moved, doubled = (
        next(
            (source[:a], target[:b], cell, right)
            for (a, b), cell, right in zip(inner, wrong, answer, strict=True)
            if cell != right
        )
        if wrong != answer
        else None
        for wrong in (places, doubles)
    )
    return Draw(
        given={"source": source, "target": target},
        answer=answer,
        mistakes={
            "paid": tuple(int(unequal.distances[place]) for place in inner),
            "double": doubles,
            "places": places,
        },
        steps={
            "distance": int(table.distance),
            "letter": source[i - 1],
            "before": int(table.distances[i - 1, j - 1]),
            "moved": moved,
            "doubled": doubled,
        },
        table=Table((START, *source), (START, *target), border),
    )


def draw_cost(draws: Draws, difficulty: int) -> Draw | None:
    """A distance with unequal costs; mistakes: count edits, exchange two costs, compare place by place."""
    source, target = draw_words(draws, *((3, 4), (4, 5), (5, 4))[difficulty - 1])
    costs = Costs(draws.integer(1, 4), draws.integer(1, 4), draws.integer(1, 5))
    table = fill_table(source, target, costs)
    edits = trace_back(table)
    return Draw(
        given={
            "source": source,
            "target": target,
            "deletion": costs.delete,
            "insertion": costs.insert,
            "substitution": costs.substitute,
        },
        answer=int(table.distance),
        mistakes={
            "unit": int(fill_table(source, target).distance),
            "swapped": int(
                fill_table(source, target, Costs(costs.insert, costs.delete, costs.substitute)).distance
            ),
            "places": compare_places(source, target, costs),
        },
        steps={
            "table": show_table(table),
            "paid": [int(edit.cost) for edit in edits if edit.cost],
            "edits": [
                (edit.kind, source[min(edit.i, len(source) - 1)], target[min(edit.j, len(target) - 1)])
                for edit in edits
                if edit.cost
            ],
        },
    )


def mishear(draws: Draws, spoken: Sequence[str], edits: int) -> list[str]:
    """Return a sentence after so many words were lost, added or taken for others."""
    heard = list(spoken)
    for _ in range(edits):
        at = draws.integer(0, len(heard) - 1)
        other = draws.choose([word for word in HEARD if word not in heard])
        heard[at : at + draws.integer(0, 1)] = [other] * draws.integer(0, 1)
    return heard


def draw_error_rate(draws: Draws, difficulty: int) -> Draw | None:
    """A word error rate; mistakes: divide by the words heard, compare place by place, count substitutions alone."""
    spoken = draws.sample(HEARD, difficulty + 4)
    heard = mishear(draws, spoken, difficulty + 2)
    table = fill_table(spoken, heard)
    kinds = [edit.kind for edit in trace_back(table)]
    edits, n = int(table.distance), len(spoken)
    if len(heard) < 3 or edits >= n:
        return None
    moved, substituted = compare_places(spoken, heard), kinds.count(SUBSTITUTE)
    return Draw(
        given={"spoken": " ".join(spoken), "heard": " ".join(heard)},
        answer=edits / n,
        mistakes={"heard": edits / len(heard), "places": moved / n, "substituted": substituted / n},
        steps={
            "edits": edits,
            "n": n,
            "m": len(heard),
            "moved": moved,
            "changed": substituted,
            "lost": kinds.count("delete"),
            "added": kinds.count("insert"),
        },
    )


MAKERS = (Maker(draw_cells), Maker(draw_cost), Maker(draw_error_rate))
