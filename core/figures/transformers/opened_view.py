"""What the browser view of an opened GPT is sent: the numbers around one place, at one of five levels of zoom.

model: a row a part that adds to the stream, a column a token; a number is a vector's length. block: the same with every
part of one block. part: one token's numbers in each matrix of a part. matrix: one matrix, a row a token. cell: the
numbers around one, with the two vectors that it is the product of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from core.figures.packed import packed, packed_shares
from core.figures.self_attention.head_effects import select_compared_tokens
from core.figures.transformers import WORDS
from core.figures.transformers.matrices import PARTS, Matrix, code_line, shape_said
from core.figures.transformers.place import LEVELS, CellPlace
from core.figures.transformers.worked_cells import worked_cell
from core.figures.worked import number
from core.models.self_attention.gpt import GPT
from core.models.transformers.opened_gpt import OpenedGPT
from core.words.numbers import percent

WINDOW, CELLS = 192, 10_000  # columns and numbers of a matrix sent at once: a move stays below 60 kB
AROUND = (3, 4)  # rows and columns to each side of an opened cell
CHANCES = 6
PART_OF = {"norm_1": "attention", "add_1": "attention", "norm_2": "feed_forward", "add_2": "feed_forward"}


@dataclass(frozen=True)
class LabelledReading:
    """A model's reading of a text, and how its tokens and its vocabulary are named.

    `whole` are the probabilities (T, V) that the model gives with every part in place, where one is left out.
    """

    model: GPT
    opened: OpenedGPT
    names: Sequence[str]
    vocabulary: np.ndarray
    whole: np.ndarray | None = None

    @property
    def sizes(self) -> dict[str, int]:
        """What the letters of a shape are here."""
        c = self.model.config
        return {
            "T": len(self.opened.ids),
            "C": c.width,
            "4C": 4 * c.width,
            "H": c.heads,
            "d": c.width // c.heads,
            "V": c.vocabulary_size,
        }

    def tensor(self, place: CellPlace) -> np.ndarray:
        """Return the matrix that a place is in, that of its head where each head has one: a row a token."""
        whole: Tensor = getattr(self.opened.stages[place.stage][place.part], place.matrix)
        return (whole[place.head] if place.said.named(place.matrix).has_heads else whole).numpy()


def opened_view(reading: LabelledReading, place: CellPlace) -> dict:
    """Return the payload: rows, their numbers, the trail of places, and what is said of the chosen number."""
    rows = {"model": model_rows, "block": block_rows, "part": part_rows}.get(place.level)
    data = (
        rows(reading, place)
        if rows
        else {"matrix": matrix_rows, "cell": cell_rows}[place.level](reading, place)
    )
    return {
        "level": LEVELS.index(place.level),
        "place": {
            name: getattr(place, name) for name in ("stage", "part", "matrix", "head", "token", "number")
        },
        "trail": trail(reading, place),
        "heads": reading.model.config.heads if heads_matter(place) else 0,
        "T": len(reading.opened.ids),
        "panel": describe_matrix(reading, place),
        **data,
    }


def closed_view(reading: LabelledReading, place: CellPlace) -> dict:
    """Return the model's parts and the tokens without a number, and nothing that opens: what is shown before a guess."""
    data = opened_view(reading, place)
    T, rows = len(reading.names), [{**row, "reach": 1.0} for row in data["rows"]]
    return {**data, "rows": rows, "values": packed(np.zeros(T * len(rows))), "panel": {}, "closed": True}


def heads_matter(place: CellPlace) -> bool:
    """Return whether another head would show other numbers."""
    whole_part = place.level == "part" and place.part == "attention"
    return whole_part or (place.level in ("matrix", "cell") and place.said.named(place.matrix).has_heads)


def stage_said(reading: LabelledReading, stage: int) -> str:
    """Return what a stage is called."""
    last = len(reading.opened.stages) - 1
    return WORDS.label({0: "stage.embedding", last: "stage.output"}.get(stage, "stage.block"), k=stage)


def trail(reading: LabelledReading, place: CellPlace) -> list[str]:
    """Return what each level shows, from the whole model to one number."""
    matrix = place.said.named(place.matrix)
    head = place.head + 1 if matrix.has_heads else None
    return [
        WORDS.label("trail.model"),
        stage_said(reading, place.stage),
        place.said.title,
        WORDS.label("trail.matrix", matrix=matrix.title, head=head),
        WORDS.label("trail.cell", row=place.token + 1, column=place.number + 1),
    ]


# The levels


def vector_lengths(reading: LabelledReading, rows: Sequence[tuple[int, str, str]]) -> list[np.ndarray]:
    """Return how long each token's vector is in each of some matrices."""
    stages = reading.opened.stages
    return [getattr(stages[stage][part], matrix).norm(dim=-1).numpy() for stage, part, matrix in rows]


def model_rows(reading: LabelledReading, place: CellPlace) -> dict:
    """Return the lengths of the embedding, of what each block's two parts add, of the last norm and of the logits."""
    last = len(reading.opened.stages) - 1
    rows = [(0, "embedding", "stream")]
    for block in range(1, last):
        rows += [(block, "attention", "gathered"), (block, "feed_forward", "written")]
    rows += [(last, "norm", "read"), (last, "output", "logits")]
    labels = [WORDS.label(f"row.{each}") for _, each, _ in rows]
    part = PART_OF.get(place.part, place.part)
    at = next(i for i, row in enumerate(rows) if row[:2] == (place.stage, part))
    return by_token(reading, place, rows, labels, at, [stage_said(reading, row[0]) for row in rows])


def block_rows(reading: LabelledReading, place: CellPlace) -> dict:
    """Return the lengths of what each part of one stage hands on."""
    parts = list(reading.opened.stages[place.stage])
    rows = [(place.stage, part, "logits" if part == "output" else PARTS[part].last.name) for part in parts]
    labels = [PARTS[part].title for part in parts]
    return by_token(reading, place, rows, labels, parts.index(place.part), [""] * len(rows))


def by_token(
    reading: LabelledReading,
    place: CellPlace,
    rows: Sequence[tuple[int, str, str]],
    labels: Sequence[str],
    at: int,
    groups: Sequence[str],
) -> dict:
    """Return rows with a column a token; what parts add is shaded by one measure, so that it can be compared."""
    values = vector_lengths(reading, rows)
    adding = [
        v.max() for v, (_, part, _) in zip(values, rows, strict=True) if part in ("attention", "feed_forward")
    ]
    common = float(max(adding, default=1.0))
    into = [{"stage": stage, "part": part, "matrix": matrix} for stage, part, matrix in rows]
    if rows[-1][1] == "output":  # its likeliest token
        logits = reading.opened.stages[-1]["output"].logits
        into[-1]["number"] = int(logits[place.token].argmax())
    return {
        "rows": [
            {
                "label": label,
                "group": group,
                "n": len(v),
                "reach": common if row["part"] in ("attention", "feed_forward") else float(v.max()),
                "place": row,
            }
            for label, group, v, row in zip(labels, groups, values, into, strict=True)
        ],
        "values": packed(np.concatenate(values)),
        "columns": list(reading.names),
        "row": at,
        "column": place.token,
        "moves": ["row", "token"],
    }


def part_rows(reading: LabelledReading, place: CellPlace) -> dict:
    """Return the numbers of one token in each matrix of a part."""
    t, rows, values = place.token, [], []
    for matrix in place.said.matrices:
        at = CellPlace(place.level, place.stage, place.part, matrix.name, place.head, t, place.number)
        v = reading.tensor(at)[t]
        v = v[: t + 1] if matrix.causal else v
        into = {"stage": place.stage, "part": place.part, "matrix": matrix.name}
        reach = float(np.abs(v).max()) or 1.0
        rows.append({"label": matrix.title, "group": "", "n": len(v), "reach": reach, "place": into})
        values.append(v)
    names = [each.name for each in place.said.matrices]
    at = names.index(place.matrix)
    column = min(place.number, rows[at]["n"] - 1)
    return {
        "rows": rows,
        "values": packed(np.concatenate(values)),
        "columns": [],
        "row": at,
        "column": column,
        "moves": ["row", "number"],
    }


def matrix_rows(reading: LabelledReading, place: CellPlace) -> dict:
    """Return a matrix, or the window of its columns that the place is in; shades are 16-bit shares of the greatest."""
    matrix, whole = place.said.named(place.matrix), reading.tensor(place)
    window = min(WINDOW, CELLS // len(whole))
    first = place.number // window * window
    values = whole[:, first : first + window]
    seen = np.where(np.isfinite(values), values, 0.0)
    reach = float(np.abs(seen).max()) or 1.0
    return {
        "rows": describe_tokens(reading, range(len(whole)), values.shape[1], reach),
        "shares": packed_shares(seen / reach),
        "columns": column_names(reading, matrix, range(first, first + values.shape[1])),
        "first": first,
        "of": whole.shape[1],
        "causal": matrix.causal,
        "row": place.token,
        "column": place.number - first,
        "moves": ["token", "number"],
    }


def cell_rows(reading: LabelledReading, place: CellPlace) -> dict:
    """Return the numbers around one, exactly."""
    matrix, whole = place.said.named(place.matrix), reading.tensor(place)
    rows, columns = (
        range(max(0, at - side), min(n, at + side + 1))
        for at, side, n in zip((place.token, place.number), AROUND, whole.shape, strict=True)
    )
    values = whole[rows.start : rows.stop, columns.start : columns.stop]
    seen = np.where(np.isfinite(values), values, 0.0)
    return {
        "rows": describe_tokens(reading, rows, len(columns), float(np.abs(seen).max()) or 1.0),
        "values": packed(seen),
        "columns": column_names(reading, matrix, columns),
        "first": columns.start,
        "firstRow": rows.start,
        "of": whole.shape[1],
        "causal": matrix.causal,
        "row": place.token - rows.start,
        "column": place.number - columns.start,
        "moves": ["token", "number"],
    }


def describe_tokens(reading: LabelledReading, places: Sequence[int], n: int, reach: float) -> list[dict]:
    """Return a row for each of some tokens."""
    return [
        {"label": f"{t + 1} {reading.names[t]}", "group": "", "n": n, "reach": reach, "place": {}}
        for t in places
    ]


def column_names(reading: LabelledReading, matrix: Matrix, columns: Sequence[int]) -> list[str]:
    """Return what a matrix's columns are: keys, tokens of the vocabulary, or just numbers."""
    kind = matrix.shape[-1]
    if kind == "T":
        return [f"{s + 1} {reading.names[s]}" for s in columns]
    if kind == "V":
        return [str(reading.vocabulary[i]) for i in columns]
    return [str(i + 1) for i in columns]


# What is said of the chosen number


def describe_matrix(reading: LabelledReading, place: CellPlace) -> dict:
    """Return the chosen matrix's formula, shape and line of code, and what the level has more to say."""
    matrix = place.said.named(place.matrix)
    t, name = place.token, reading.names[place.token]
    said = {
        "title": WORDS.label(
            "panel.title",
            stage=stage_said(reading, place.stage),
            part=place.said.title,
            matrix=matrix.title,
        ),
        "formula": matrix.formula,
        "shape": shape_said(matrix.shape, reading.sizes),
        "code": code_line(matrix.code),
        "file": f"{matrix.code[0].__module__.replace('.', '/')}.py",
    }
    if place.level in ("model", "block"):
        if place.level == "model":
            said["chances"] = chances(reading, t)
        alone = place.part in ("embedding", "norm", "output")  # not in each block
        values = {"block": None if alone else place.stage, "part": place.said.title, "token": name}
        return {**said, "says": WORDS.label("panel.length", place=t + 1, **values)}
    numbers = reading.tensor(place)
    worked = worked_cell(reading.model, reading.opened, place)
    column = column_names(reading, matrix, [place.number])[0]
    values = {"token": name, "row": t + 1, "column": place.number + 1}
    said["says"] = WORDS.label("panel.cell", name=column if matrix.shape[-1] in "TV" else "", **values)
    said["worked"] = worked.filled
    value = float(numbers[t, place.number])
    said["value"] = number(value) if np.isfinite(value) else r"-\infty"
    if place.level == "cell" and worked.one is not None:
        said["one"], said["other"], said["terms"] = packed(worked.one), packed(worked.other), len(worked.one)
    return said


def chances(reading: LabelledReading, t: int) -> dict:
    """Return the likeliest tokens after token t, and what all others have together: the whole vocabulary's sum is 1."""
    p = reading.opened.stages[-1]["output"].probabilities[t].numpy()
    before = p if reading.whole is None else reading.whole[t]
    top = select_compared_tokens(before, p, CHANCES)
    rest = len(p) - len(top)
    return {
        "heading": WORDS.label("chances.heading", token=reading.names[t]),
        "top": [
            {
                "name": str(reading.vocabulary[i]),
                "p": float(p[i]),
                "said": percent(float(p[i])),
                "before": float(before[i]),
            }
            for i in top
        ],
        "rest": WORDS.label("chances.rest", n=rest, share=max(0.0, 1 - float(p[top].sum()))) if rest else "",
        "broken": reading.whole is not None,
    }
