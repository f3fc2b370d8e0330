"""Pictures of what a network holds along a text: units of a recurrent network, layers and their weighted average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.descriptions.description import (
    Cell,
    Description,
    below,
    compare_all,
    cut_text,
    describe_table,
    say,
    tell_apart,
)
from core.figures.packed import unpacked
from core.words.numbers import percent, probability, signed

UNITS_AT_MOST = 23  # with a column for the characters, 24
RUNS_AT_MOST = 12  # of characters after which a unit is high
SPACES = str.maketrans("␣↵", "  ")  # as a text is read aloud
DIGITS = 3  # after the point, of a state


def describe_hidden_state(data: Mapping) -> Description:
    """Return the description of units of a recurrent network after each character: a column for each unit."""
    characters, name = data["characters"], data["name"]
    values = unpacked(data["values"]).reshape(len(data["rows"]), len(characters))
    units = [each["unit"] for each in data["rows"]]
    at = units.index(data["unit"]) if data["unit"] in units else 0
    step = min(data["step"], max(0, len(characters) - 1))
    others = [i for i in range(len(units)) if i != at]
    kept = sorted([at, *others][:UNITS_AT_MOST]) if units else []
    heads = [name_unit(data["rows"][i]) for i in kept]
    columns = (say("column.character"), *heads)
    rows = [
        [each, *(Cell(signed(values[i, t], DIGITS), float(values[i, t])) for i in kept)]
        for t, each in enumerate(tell_apart(characters))
    ]
    compared, marked, more = {}, [], []
    if rows and heads:
        head = heads[kept.index(at)]
        own = [(row[1 + kept.index(at)], row[0]) for row in rows]
        compared = {say("hidden_state.own", name=name, unit=units[at]): own}
        compared |= compare_all(say("hidden_state.all", name=name), columns, rows)
        marked = [say("at", row=rows[step][0], column=head)]
        more = [
            say("hidden_state.now", name=name, unit=units[at], step=step + 1, value=own[step][0].text),
            say_runs(characters, values[at], data["reach"] / 2),
        ]
    shown = data["next"][step] if step < len(data["next"]) else []
    if shown:
        told = [f"{token} {probability(p)}" for token, p in shown]
        more.append(say("hidden_state.next", tokens=told))
    sentence = say(
        "hidden_state.sentence",
        name=name,
        units=len(units),
        characters=len(characters),
        text=cut_text("".join(characters).translate(SPACES)),
    )
    return describe_table(
        sentence, say("hidden_state.axes", name=name), columns, rows, compared, marked, more
    )


def name_unit(row: Mapping) -> str:
    """Return a unit's name: its number, and what it follows where that is known."""
    follows = row["label"].removeprefix(str(row["unit"])).lstrip(", ")
    return say("hidden_state.unit", unit=row["unit"], follows=follows)


def say_runs(characters: Sequence[str], values: np.ndarray, half: float) -> str:
    """Return after which characters a unit is beyond half of the strongest colour, above 0 and below."""
    told = {}
    for sign, high in (("above", values > half), ("below", values < -half)):
        edges = np.flatnonzero(np.diff([0, *high.astype(int), 0]))
        told[sign] = ["".join(characters[first:last]) for first, last in edges.reshape(-1, 2)]
    lists = {sign: (runs[:RUNS_AT_MOST], max(0, len(runs) - RUNS_AT_MOST)) for sign, runs in told.items()}
    return say("hidden_state.runs", half=half, **lists)


def describe_layer_mix(data: Mapping) -> Description:
    """Return the description of a weighted average of layers: a row for each word, a column for each layer."""
    words, mix = tell_apart(data["words"]), data["labels"]["name"]
    z, p = scores_of(data)
    averaged = [
        [data["classes"][z[at].argmax()], float(p[at].max())] if asked else ["", 0.0]
        for at, asked in enumerate(data["asked"])
    ]
    columns = (say("column.word"), mix, *(each["name"] for each in data["rows"]))
    found = [averaged, *(each["cells"] for each in data["rows"])]
    rows = [[word, *(predicted(*cells[at][:2]) for cells in found)] for at, word in enumerate(words)]
    compared = {say("layer_mix.measure", name=mix): [(row[1], row[0]) for row in rows]}
    weights = {name: signed(each) for name, each in zip(data["names"], data["s"], strict=True)}
    rows.append([data["labels"]["weight"], "", *(weights.get(each["layer"], "") for each in data["rows"])])
    more = [say_weights("layer_mix.weights", data["names"], data["s"])]
    if data["s"] != data["learned"]:
        more.append(say_weights("layer_mix.learned", data["names"], data["learned"]))
    apart = [
        say("layer_mix.layer", name=row["name"], words=other)
        for row in data["rows"]
        if (other := [words[at] for at, cell in enumerate(row["cells"]) if cell[0] != averaged[at][0]])
    ]
    more.append(say("layer_mix.apart", name=mix, layers=apart))
    first, chosen = data["first"], []
    if first < len(words) and data["asked"][first]:
        chosen = [words[first]]
        more += below(say_score(data, first, z[first], p[first]))
    text = cut_text(" ".join(data["words"]))
    sentence = say("layer_mix.sentence", words=len(words), asked=sum(data["asked"]), text=text)
    axes = say("layer_mix.axes", name=mix, classes=data["classes"])
    return describe_table(sentence, axes, columns, rows, compared, chosen, more)


def scores_of(data: Mapping) -> tuple[np.ndarray, np.ndarray]:
    """Return z = gamma sum_j s_j a_j + b of each word and class, and p = softmax(z), (n, C) each.

    core.models.pretraining.layer_mix computes both with torch, which a description does without.
    """
    shape = (len(data["words"]), len(data["s"]), len(data["classes"]))
    parts = np.array(data["parts"], float).reshape(shape)
    z = data["gamma"] * np.tensordot(parts, data["s"], axes=(1, 0)) + np.array(data["b"])
    e = np.exp(z - z.max(axis=1, keepdims=True, initial=-np.inf))
    return z, e / e.sum(axis=1, keepdims=True)


def predicted(tag: str, p: float) -> Cell:
    """Return the cell of a tag that is predicted, compared by its probability; an empty one of no prediction."""
    return Cell(f"{tag} {percent(p, 0)}", p) if tag else Cell("")


def say_weights(key: str, names: Sequence[str], weights: Sequence[float]) -> str:
    """Return the layers' weights in words."""
    told = [say("layer_mix.weight", name=name, s=signed(s)) for name, s in zip(names, weights, strict=True)]
    return say(key, weights=told)


def say_score(data: Mapping, at: int, z: np.ndarray, p: np.ndarray) -> str:
    """Return a word's score for the class that is predicted, each letter of the formula with its number."""
    k = int(z.argmax())
    terms = [
        f"{signed(s, DIGITS)} · {in_brackets(part[k])}"
        for s, part in zip(data["s"], data["parts"][at], strict=True)
    ]
    return say(
        "layer_mix.score",
        word=data["words"][at],
        tag=data["classes"][k],
        gamma=signed(data["gamma"], DIGITS),
        terms=terms,
        b=in_brackets(data["b"][k]),
        z=signed(z[k]),
        p=signed(p[k]),
    )


def in_brackets(value: float) -> str:
    """Return a factor of a product, in brackets where it is negative.

    >>> in_brackets(8.366), in_brackets(-1.263)
    ('8.37', '(−1.26)')
    """
    return f"({signed(value)})" if value < 0 else signed(value)
