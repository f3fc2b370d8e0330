"""The table that is filled in by hand: what the view "score_table" is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.models.hidden_markov_models.decoding import DecodedSentence
from core.models.hidden_markov_models.viterbi import Lattice
from pages.hidden_markov_models.shared import WORDS as SUBJECT_WORDS
from pages.hidden_markov_models.shared.trellis import HUES, count_scoops, format_probability
from pages.hidden_markov_models.viterbi_by_hand import LESSON

WORDS = LESSON.words
UNKNOWN = "?"  # a number that is still to come
VOCABULARY_AT_MOST = 3  # words of a model whose emissions are all drawn


def draw_table(
    decoded: DecodedSentence,
    cells: Mapping[tuple[int, int], tuple[str, str]],
    fields: Sequence[dict] = (),
    arrows: Iterable[dict] = (),
    lines: Sequence[dict] = (),
    given: dict | None = None,
) -> dict:
    """Return the data of the view "score_table"; `cells` {(t, j): (text, kind)} are those that are not empty."""
    words, states = decoded.emissions.words, decoded.model.states
    shown = [[cells.get((t, j), ("", "empty")) for j in range(len(states))] for t in range(len(words))]
    return {
        "columns": [{"word": word, "count": count_scoops(word)} for word in words],
        "rows": [{"name": state, "hue": HUES.get(state)} for state in states],
        "cells": [[{"text": text, "kind": kind} for text, kind in column] for column in shown],
        "fields": list(fields),
        "arrows": list(arrows),
        "lines": list(lines),
        "given": given,
        "axis": SUBJECT_WORDS.label("axis.diary") if any(map(count_scoops, words)) else "",
    }


def filled_cells(
    lattice: Lattice, columns: int, kind: str = "filled"
) -> dict[tuple[int, int], tuple[str, str]]:
    """Return the cells of the first columns, with their scores."""
    K = lattice.scores.shape[1]
    return {
        (t, j): (format_probability(lattice.scores[t, j]), kind) for t in range(columns) for j in range(K)
    }


def came_from(lattice: Lattice, t: int, j: int, kind: str = "way") -> dict:
    """Return the arrow from a cell to the one that its score came from."""
    return {"t": t, "i": int(lattice.backpointers[t, j]), "j": j, "kind": kind}


def pointer_arrows(lattice: Lattice, columns: int) -> list[dict]:
    """Return the arrows of all cells of the first columns."""
    return [came_from(lattice, t, j) for t in range(1, columns) for j in range(lattice.scores.shape[1])]


def path_arrows(path: Sequence[int]) -> list[dict]:
    """Return the arrows of the best path.

    >>> path_arrows([1, 0])
    [{'t': 1, 'i': 1, 'j': 0, 'kind': 'best'}]
    """
    return [{"t": t, "i": path[t - 1], "j": path[t], "kind": "best"} for t in range(1, len(path))]


def product_lines(
    decoded: DecodedSentence, lattice: Lattice, t: int, j: int, results: bool, kinds: bool = False
) -> list[dict]:
    """Return the products of a cell, factor by factor: with their `results`, and marked as kept or dropped if `kinds`."""
    model, states = decoded.model, decoded.model.states
    emitted = (
        float(np.exp(decoded.emissions.log_emission[t, j])),
        WORDS.label("factor.emission", state=states[j], word=decoded.emissions.words[t]),
    )
    if t == 0:
        start = (float(np.exp(model.log_initial[j])), WORDS.label("factor.start", state=states[j]))
        return [draw_line("", [start, emitted], lattice.scores[0, j], results, "plain")]
    lines = []
    for i, state in enumerate(states):
        score = (float(lattice.scores[t - 1, i]), WORDS.label("factor.score", state=state))
        step = (
            float(np.exp(model.log_transition[i, j])),
            WORDS.label("factor.step", before=state, after=states[j]),
        )
        kind = "plain" if not kinds else "kept" if i == lattice.backpointers[t, j] else "dropped"
        name = WORDS.label("line.from", state=state)
        lines.append(draw_line(name, [score, step, emitted], lattice.candidates[t, i, j], results, kind))
    return lines


def draw_line(
    name: str, factors: Sequence[tuple[float, str]], product: float, result: bool, kind: str
) -> dict:
    """Return one product as the view draws it."""
    return {
        "name": name,
        "factors": [{"text": format_probability(value), "label": label} for value, label in factors],
        "result": format_probability(float(product)) if result else UNKNOWN,
        "kind": kind,
    }


def draw_given(
    decoded: DecodedSentence, used: Iterable[tuple[int, int]] = (), past_the_end: bool = False
) -> dict:
    """Return the model's probabilities; marked are those that the cells `used` (t, j) are computed from.

    Of a large vocabulary only the emissions of the used cells' word are drawn; `past_the_end` marks the ends.
    """
    model, words, states = decoded.model, decoded.emissions.words, decoded.model.states
    used = set(used)
    times = sorted({t for t, _ in used})
    K, ends = len(states), model.log_end is not None
    small = len(model.vocabulary) <= VOCABULARY_AT_MOST and set(words) <= set(model.vocabulary)
    shown = list(model.vocabulary) if small else [words[t] for t in times]
    emission = np.exp(model.log_emission if small else decoded.emissions.log_emission[times].T)  # (K, shown)
    groups = [
        {"name": WORDS.label("given.start"), "columns": [""]},
        {
            "name": WORDS.label("given.next"),
            "columns": [*states, *([WORDS.label("given.end")] if ends else [])],
        },
    ]
    if shown:
        diary = (
            SUBJECT_WORDS.label("axis.diary") if any(map(count_scoops, shown)) else WORDS.label("given.emits")
        )
        groups.append({"name": diary, "columns": shown})
    rows = []
    for i, state in enumerate(states):
        numbers = [float(np.exp(model.log_initial[i])), *np.exp(model.log_transition[i]).tolist()]
        marked = [
            (0, i) in used,
            *((t > 0 and (t, j) in used) for j in range(K) for t in [max(times, default=0)]),
        ]
        if ends:
            numbers.append(float(np.exp(model.log_end[i])))
            marked.append(past_the_end)
        numbers += emission[i].tolist() if shown else []
        marked += [any((t, i) in used and words[t] == word for t in times) for word in shown]
        cells = [
            {"text": format_probability(p), "used": bool(mark)}
            for p, mark in zip(numbers, marked, strict=True)
        ]
        rows.append({"name": state, "cells": cells})
    return {"groups": groups, "rows": rows}
