"""A place in an opened GPT: how far one has zoomed in, and on which number, written as one word of an address."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.figures.transformers.matrices import PARTS, PartSaid
from core.models.transformers.opened_gpt import OpenedGPT

LEVELS = ("model", "block", "part", "matrix", "cell")


@dataclass(frozen=True)
class CellPlace:
    """One number of one matrix, all counted from 0 but the stage, which is 0 for the embedding and L + 1 for the output.

    `level` says how much around it is seen: one of LEVELS.
    """

    level: str
    stage: int
    part: str
    matrix: str
    head: int
    token: int
    number: int

    @property
    def said(self) -> PartSaid:
        """The part in words."""
        return PARTS[self.part]

    @property
    def written(self) -> str:
        """The place as the address has it, counted from 1.

        >>> CellPlace("cell", 3, "attention", "weights", 0, 11, 4).written
        'cell.3.attention.weights.1.12.5'
        """
        counted = (self.head + 1, self.token + 1, self.number + 1)
        return ".".join(map(str, (self.level, self.stage, self.part, self.matrix, *counted)))


def placed(written: str, opened: OpenedGPT) -> CellPlace:
    """Return the place that an address names, brought inside this reading; at first the model at its last token.

    Whatever it leaves out, or names wrongly, is as at first.
    """
    given = (*written.split("."), *[""] * 7)[:7]
    level, stage, part, matrix = given[0], _counted(given[1], len(opened.stages) - 2), given[2], given[3]
    head, token, number = (
        _counted(each, otherwise) - 1 for each, otherwise in zip(given[4:], (1, 10**6, 1), strict=True)
    )
    stage = min(stage, len(opened.stages) - 1)
    parts = opened.stages[stage]
    if part not in parts:
        part = list(parts)[-1] if "feed_forward" not in parts else "feed_forward"
    found = CellPlace(
        level if level in LEVELS else LEVELS[0],
        stage,
        part,
        PARTS[part].named(matrix).name,
        head,
        token,
        number,
    )
    return inside(found, opened)


def inside(place: CellPlace, opened: OpenedGPT) -> CellPlace:
    """Return a place with head, token and number brought into its matrix."""
    tensor = getattr(opened.stages[place.stage][place.part], place.matrix)
    heads = opened.stages[1]["attention"].query.shape[0]
    return replace(
        place,
        head=_within(place.head, heads),
        token=_within(place.token, len(opened.ids)),
        number=_within(place.number, tensor.shape[-1]),
    )


def _within(index: int, n: int) -> int:
    return max(0, min(index, n - 1))


def _counted(written: str, otherwise: int) -> int:
    return int(written[:6]) if written.isascii() and written.isdecimal() else otherwise
