"""Pictures of attention weights: a heat map, its replay over a training run, all heads, one query's row, the softmax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, sqrt

import numpy as np

from core.descriptions.description import (
    COLUMNS_AT_MOST,
    Cell,
    Compared,
    Description,
    describe_table,
    find_extremes,
    say,
    tell_apart,
)
from core.descriptions.frame_tables import write_weight
from core.descriptions.plots import tell_trend
from core.figures.packed import unpacked
from core.words.numbers import format_number, percent, signed

NEXT_TOLD = 2  # weights of such a row after the largest
LINES_AT_MOST = 40  # tokens a side, between which the view draws lines
SHADED_BY_ROW_FROM = 65  # inputs: then the view shades each row by its largest weight
DIGITS, DIGITS_IN_ROW = 4, 3  # of a weight, after the point
LOSSES_TOLD = 8
END = "<end>"  # what a translator outputs last, which is no part of its text
SHADE = 255  # of the weight 1 in the picture of all heads
SAFE = 60  # as in core/models/self_attention/attention.py: beyond it a row is shifted by its largest score
SMALL, LARGE, ROUND = 0.005, 1e4, 100  # between which a cell's number has two decimals, one or none
NEARLY_WHOLE = 1e-9
SHARES = ("softmax", "weights")  # stages whose numbers are weights
STRUCK = {  # by how the mask is broken: the stages at which a hidden cell is masked
    None: ("masked", "exponentials", "softmax", "weights"),
    "zero": (),
    "late": ("weights",),
}


# Heat maps


def describe_attention(data: Mapping) -> Description:
    """Return the description of a heat map of attention weights, of one head or the mean of several."""
    outputs, inputs, heads = data["outputs"], data["inputs"], data["heads"]
    shape = len(outputs), len(inputs)
    each = [unpacked(head["weights"]).reshape(shape) for head in heads]
    weights = np.mean(each, axis=0)
    several = len(heads) > 1
    measure = say("attention.mean_weight") if several else say("column.weight")
    columns, rows, compared = tabulate(weights, outputs, inputs, (data["from"], data["to"]), measure)
    names, keys = tell_apart(outputs), tell_apart(inputs)
    more = []
    if several:
        columns += [head["name"] for head in heads]
        tops = [[tell_largest(row, keys, 1) for row in matrix] for matrix in each]
        rows = [[*row, *(top[t] for top in tops)] for t, row in enumerate(rows)]
        told = [tell_top(head["name"], matrix, names, keys) for head, matrix in zip(heads, each, strict=True)]
        more += [say("attention.heads", heads=list(filter(None, told)))] if any(told) else []
    if data["gold"]:
        columns.append(say("attention.gold"))
        links = [", ".join(keys[s] for t, s in data["gold"] if t == row) for row in range(len(rows))]
        rows = [[*row, linked] for row, linked in zip(rows, links, strict=True)]
    if np.isnan(weights).any():
        more.append(say("attention.masked", masked=int(np.isnan(weights).sum()), count=weights.size))
    more.append(tell_selected(data, weights, names, keys))
    marked = [say("pair", first=names[t], second=keys[s]) for t, s in data["marked"]]
    sentence = say(
        "attention.sentence",
        rows=shape[0],
        columns=shape[1],
        row=data["from"],
        column=data["to"],
        heads=[head["name"] for head in heads],
    )
    axes = say(
        "attention.axes",
        rows=data["from"],
        columns=data["to"],
        by_row=len(inputs) >= SHADED_BY_ROW_FROM,
        lines=max(shape) <= LINES_AT_MOST,
    )
    return describe_table(sentence, axes, columns, rows, compared, marked, more)


def tell_selected(data: Mapping, weights: np.ndarray, names: Sequence[str], keys: Sequence[str]) -> str:
    """Return the cell that the view looks at first with its weight; nothing where it looks at none."""
    selected = selected_cell(data, weights)
    if not selected:
        return ""
    t, s = selected
    place = {"row": data["from"], "output": names[t], "column": data["to"]}
    if s is None:
        return say("attention.row", **place)
    return say("attention.cell", **place, input=keys[s], weight=weight_cell(weights[t, s]).text)


def selected_cell(data: Mapping, weights: np.ndarray) -> tuple[int, int | None] | None:
    """Return the cell that the view looks at first: the pinned one, or the one of the step that it follows.

    There it is the chosen input, else the one with the largest weight; None for a row that is not computed yet.
    """
    if not data.get("follows"):
        pinned = data["pinned"]
        inside = pinned and pinned[0] < weights.shape[0] and pinned[1] < weights.shape[1]
        return (pinned[0], pinned[1]) if inside else None
    if not weights.size:
        return None
    t = len(weights) - 1 if data.get("predicting") else 0
    s = data.get("chosen")
    if s is None and not np.isnan(weights[t]).any():
        s = int(weights[t].argmax())
    return t, s if s is None or s < weights.shape[1] else None


def weight_cell(weight: float) -> Cell:
    """Return a cell of a weight, written as under the pointer."""
    return Cell(say("masked")) if np.isnan(weight) else Cell(write_weight(weight, DIGITS), float(weight))


def tabulate(
    weights: np.ndarray, outputs: Sequence[str], inputs: Sequence[str], ends: tuple[str, str], measure: str
) -> tuple[list[str], list[list[Cell | str]], Compared]:
    """Return weights (T, S) as columns, rows and what is compared: the largest and the smallest of all.

    Each row begins with the input of its largest weight. Of many inputs it has its largest weights alone. An output that
    is not written yet has an empty row.
    """
    names, keys = tell_apart(outputs), tell_apart(inputs)
    known = ~np.isnan(weights)
    ends_of = (np.nanargmax, np.nanargmin) if known.any() else ()
    places = [np.unravel_index(find(weights), weights.shape) for find in ends_of]
    told = {place: weight_cell(weights[place]) for place in places}  # no other is compared
    compared = {
        measure: [(cell, say("pair", first=names[t], second=keys[s])) for (t, s), cell in told.items()]
    }
    few = len(keys) <= COLUMNS_AT_MOST
    rows = []
    for t, name in enumerate(names):
        cells = (
            [told.get((t, s)) or weight_cell(weight) for s, weight in enumerate(weights[t])] if few else []
        )
        if not known[t].any():
            written = [Cell("")] * len(cells) if not outputs[t] else cells
            rows.append([name, "", *(written if few else (Cell(""), ""))])
            continue
        most = int(np.nanargmax(weights[t]))
        others = np.where(np.arange(len(keys)) == most, np.nan, weights[t])
        seen = [told.get((t, most)) or weight_cell(weights[t, most]), tell_largest(others, keys, NEXT_TOLD)]
        rows.append([name, keys[most], *(cells if few else seen)])
    heads = keys if few else [measure, say("attention.next")]
    return [ends[0], say("attention.largest", column=ends[1]), *heads], rows, compared


def tell_largest(row: np.ndarray, keys: Sequence[str], count: int) -> str:
    """Return the largest weights of a row, each after its key; masked ones are left out."""
    order = [s for s in np.argsort(-row, kind="stable")[:count] if not np.isnan(row[s])]
    return "; ".join(say("attention.key", key=keys[s], weight=weight_cell(row[s]).text) for s in order)


def tell_top(name: str, weights: np.ndarray, names: Sequence[str], keys: Sequence[str]) -> str:
    """Return a head's largest weight with its place, among the rows that see several inputs: one alone has the weight 1."""
    several = np.where((~np.isnan(weights)).sum(-1, keepdims=True) > 1, weights, np.nan)
    if np.isnan(several).all():
        return ""
    t, s = np.unravel_index(np.nanargmax(several), several.shape)
    place = say("pair", first=names[t], second=keys[s])
    return say("attention.head", name=name, weight=weight_cell(weights[t, s]).text, place=place)


def describe_attention_replay(data: Mapping) -> Description:
    """Return the description of one sentence's attention in a training run, at its last snapshot."""
    shots, unit = data["shots"], data["unit"]
    shot = shots[-1]
    outputs, inputs = (
        [name_character(each) for each in found] for found in (shot["outputs"], data["inputs"])
    )
    weights = unpacked(shot["weights"]).reshape(len(outputs), len(inputs))
    ends = say("attention_replay.output", unit=unit), say("attention_replay.input", unit=unit)
    columns, rows, compared = tabulate(weights, outputs, inputs, ends, say("column.weight"))
    written = (" " if unit == "word" else "").join(each for each in shot["outputs"] if each != END)
    known = [each for each in shots if each["loss"] is not None]
    losses = [Cell(format_number(each["loss"], DIGITS_IN_ROW), each["loss"]) for each in known]
    more = [say("attention_replay.written", text=written)]
    if len(losses) > 1:
        more.append(tell_trend(say("attention_replay.loss", unit=unit), losses))
        places = sorted(set(np.linspace(0, len(known) - 1, LOSSES_TOLD).round().astype(int).tolist()))
        told = [say("attention_replay.at", loss=losses[at].text, step=known[at]["step"]) for at in places]
        more.append(say("attention_replay.losses", losses=told))
    sentence = say(
        "attention_replay.sentence",
        number=len(shots),
        count=len(shots),
        step=shot["step"],
        share=percent(shot["share"], 0),
        loss=None if shot["loss"] is None else format_number(shot["loss"], DIGITS_IN_ROW),
    )
    size = say(
        "attention.sentence",
        rows=len(outputs),
        columns=len(inputs),
        row=ends[0],
        column=ends[1],
        heads=[],
    )
    axes = say("attention.axes", rows=ends[0], columns=ends[1], by_row=False, lines=False)
    return describe_table(f"{sentence} {size}", axes, columns, rows, compared, more=more)


def name_character(text: str) -> str:
    """Return a word or character as the heat map names it."""
    return "␣" if text == " " else text


# All heads


def describe_head_grid(data: Mapping) -> Description:
    """Return the description of all heads' heat maps: a row for each head, with how much weight goes where."""
    layers, heads, side, size = data["layers"], data["heads"], data["side"], data["cell"]
    weights = (unpacked(data["shades"], "u1") / SHADE) ** 2
    weights = weights.reshape(layers * heads, side, side)
    measures = measure_heads(weights, size)
    names = [
        say("head_grid.head", layer=layer + 1, head=head + 1)
        for layer in range(layers)
        for head in range(heads)
    ]
    columns = [say("column.head"), *(say(f"head_grid.{key}", cell=size) for key in measures)]
    found = list(zip(*measures.values(), strict=True))
    rows = [
        [name, *(Cell(percent(value, 0), float(value)) for value in values)]
        for name, values in zip(names, found, strict=True)
    ]
    layer, head = data["chosen"]
    at = layer * heads + head
    marked = names[at : at + 1]
    sentence = say("head_grid.sentence", layers=layers, heads=heads, count=len(names), side=side, cell=size)
    return describe_table(sentence, say("head_grid.axes"), columns, rows, marked=marked)


def measure_heads(weights: np.ndarray, size: int = 1) -> dict[str, np.ndarray]:
    """Return where the weight of each head (heads, n, n) goes, as shares, each a mean over the queries after the first.

    A cell stands for `size` by `size` weights. A causal head has nothing to the right of the diagonal.

    >>> found = measure_heads(np.array([[[1.0, 0.0], [0.25, 0.75]]]))
    >>> {key: values.tolist() for key, values in found.items()}
    {'first': [0.25], 'same': [0.75], 'before': [0.25], 'largest': [0.75]}
    """
    n = weights.shape[-1]
    causal = not np.triu(weights, 1).any()
    weights = weights.copy()
    if causal and size > 1:  # half of a cell on the diagonal is masked, and no part of its mean
        weights[:, range(n), range(n)] *= (size + 1) / (2 * size)
    totals = weights.sum(-1, keepdims=True)
    shares = np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)
    rows = range(min(1, n - 1), n)  # the first query of a causal head sees itself alone
    places = {"first": [0] * len(rows), "same": list(rows), "before": [max(0, t - 1) for t in rows]}
    if not causal:
        places |= {"after": [t + 1 for t in rows], "last": [n - 1] * len(rows)}
    padded = np.pad(shares, ((0, 0), (0, 0), (0, 1)))  # nothing is to the right of the last
    found = {key: padded[:, list(rows), keys].mean(-1) for key, keys in places.items()}
    return {**found, "largest": shares[:, list(rows)].max(-1).mean(-1)}


# One query's row


def describe_weight_row(data: Mapping) -> Description:
    """Return the description of one query's attention weights on sliders, a key a row."""
    names = tell_apart(data["names"])
    edited = data["weights"] != data["own"]
    columns = (
        say("column.key"),
        say("column.weight"),
        *([say("weight_row.own")] if edited else []),
    )
    rows = []
    for name, weight, own in zip(names, data["weights"], data["own"], strict=True):
        cells = [weight, own] if edited else [weight]
        rows.append([name, *(Cell(format_number(each, DIGITS_IN_ROW), each) for each in cells)])
    more = [] if edited else [say("weight_row.unedited")]
    if data["last"]:
        key, row = data["last"]["key"], data["last"]["row"]
        if key < min(len(row), len(names)):
            before, now = (format_number(each[key], DIGITS_IN_ROW) for each in (row, data["weights"]))
            more.append(say("weight_row.last", key=names[key], before=before, now=now))
    sentence = say("weight_row.sentence", title=data["label"], keys=len(names))
    return describe_table(sentence, say("weight_row.axes"), columns, rows, more=more)


# The softmax, stage by stage


def describe_causal_mask(data: Mapping) -> Description:
    """Return the description of attention scores on their way through the softmax: a row for each query and key."""
    tokens, way = tell_apart(data["tokens"]), data["way"]
    size = len(tokens)
    hidden = np.array(data["hidden"], bool).reshape(size, size)
    scores = np.array(data["scores"], float).reshape(size, size)
    edits = {(t, s): score for t, s, score in data["edits"]}
    for place, score in edits.items():
        scores[place] = score
    found = attend(scores, data["d_k"], hidden, way)
    order = [key for key in found if key != ("masked" if way == "late" else "weights")]
    heads = [say(f"causal_mask.{key}", d_k=data["d_k"], way=way) for key in order]
    rows = []
    for t, s in np.ndindex(size, size):
        struck = STRUCK[way] if hidden[t, s] else ()
        cells = [stage_cell(found[key][t, s], key in SHARES, key in struck) for key in order]
        notes = [say("causal_mask.typed")] if (t, s) in edits else []
        notes += [say("causal_mask.hidden")] if hidden[t, s] and way else []  # else its cells say so
        rows.append([say("pair", first=tokens[t], second=tokens[s]), *cells, "; ".join(notes)])
    compared = {heads[at]: [(row[at + 1], row[0]) for row in rows] for at in (0, len(order) - 1)}
    last = [(row[len(order)], row[0]) for row in rows]
    more = [
        say("causal_mask.mask", hidden=int(hidden.sum()), count=hidden.size, way=way),
        *tell_weights(found["weights"], tokens, last),
    ]
    if way == "zero":
        leaked = found["weights"][hidden].sum() / found["weights"].sum()
        more.append(say("causal_mask.leaked", share=percent(float(leaked), 0)))
    marked = [rows[-size][0]] if rows else []  # where the view begins: the last query, the first key
    sentence = say(
        "causal_mask.sentence",
        tokens=size,
        learned=data["learned"],
        number=len(order),
        count=len(order),
        stage=heads[-1],
    )
    columns = (say("column.pair"), *heads, say("column.note"))
    return describe_table(sentence, say("causal_mask.axes"), columns, rows, compared, marked, more)


def stage_cell(value: float, share: bool, struck: bool) -> Cell:
    """Return a cell of a stage; what is masked there is compared with nothing."""
    text = short_number(value, share)
    if struck:
        return Cell(say("cell", text=text, kind=say("masked")))
    return Cell(text, float(value) if isfinite(value) else None)


def tell_weights(
    weights: np.ndarray, tokens: Sequence[str], cells: Sequence[tuple[Cell, str]]
) -> Iterator[str]:
    """Yield the largest weight of each query; and what its weights add up to, where that is not 1 for all."""
    size = len(tokens)
    found = [find_extremes(cells[t * size : (t + 1) * size]) for t in range(size)]
    tops = [say("cell", text=each[0][1], kind=each[0][0].text) for each in found if each]
    if tops:
        yield say("causal_mask.tops", tops=tops)
    sums = weights.sum(-1)
    if np.any(np.abs(sums - 1) > NEARLY_WHOLE):
        told = zip(tokens, map(short_number, sums), strict=True)
        yield say("causal_mask.totals", sums=[say("cell", text=name, kind=total) for name, total in told])


def attend(scores: np.ndarray, d_k: int, hidden: np.ndarray, way: str | None) -> dict[str, np.ndarray]:
    """Return the stages of a softmax behind a mask, as the view computes them; each is (T, T), the row sums repeated.

    >>> found = attend(np.zeros((2, 2)), 4, np.array([[False, True], [False, False]]), None)
    >>> found["masked"].tolist(), found["weights"].tolist()
    ([[0.0, -inf], [0.0, 0.0]], [[1.0, 0.0], [0.5, 0.5]])
    """
    scaled = scores / sqrt(d_k)
    masked = np.where(hidden, {"zero": 0.0, "late": scaled}.get(way, -np.inf), scaled)
    largest = masked.max(-1, keepdims=True, initial=-np.inf)
    shift = np.where((np.abs(largest) > SAFE) & (largest > -np.inf), largest, 0)
    exponentials = np.exp(masked - shift)
    sums = exponentials.sum(-1, keepdims=True)
    softmax = np.divide(exponentials, sums, out=np.zeros_like(exponentials), where=sums > 0)
    weights = np.where(hidden, 0, softmax) if way == "late" else softmax
    return {
        "scores": scores,
        "scaled": scaled,
        "masked": masked,
        "exponentials": exponentials,
        "sums": np.broadcast_to(sums, scores.shape),
        "softmax": softmax,
        "weights": weights,
    }


def short_number(value: float, share: bool = False) -> str:
    """Return a number as a cell of the view has it: two decimals, a whole number as it is, a power of ten.

    >>> [short_number(each) for each in (5.4, -2.0, 213.2, 2e-5, 123456.0, float("-inf"))]
    ['5.40', '−2', '213', '2e−5', '1e5', '−∞']
    >>> short_number(1e-12, share=True)
    '0.00'
    """
    if not isfinite(value):
        return format_number(value)
    size = abs(value)
    if size >= LARGE or (value and size < SMALL and not share):
        figure, power = f"{value:.0e}".split("e")
        return f"{figure}e{int(power)}".replace("-", "−")
    whole = value == 0 or (size > 0.5 and abs(value - round(value)) < NEARLY_WHOLE)  # a row's sum is 1
    return signed(value, 0 if whole or size >= ROUND else 2)
