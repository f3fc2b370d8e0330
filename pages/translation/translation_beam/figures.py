"""Pictures of a beam of translations: partial translations behind the words they share, bars, and the lab's table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from textwrap import shorten

import numpy as np
import pandas as pd

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.text_tree import BEST, OPEN, PLAIN, Box, draw_boxes
from core.figures.worked import number, word
from core.lesson.choices.translator_choice import Task
from core.lesson.every_number import Formula
from core.models.translation.translate import Beginning, Translator, rescored
from core.words.numbers import format_share
from pages.translation.translation_beam import LESSON

WORDS = LESSON.words
LETTERS = 18  # of a box that holds several words
RUN_HUES = (1, 0, 2)  # of the best translation, of the second, of the third
KINDS = {"pruned": "faint", "candidate": "open"}  # what marks are called in the view


def draw_texts(
    behind: Sequence[str],
    boxes: Sequence[Box],
    name: Callable[[Box], str],
    key: Sequence[str],
    first: int = 0,
    number: Callable[[Box], str] | None = None,
) -> dict:
    """Return the data of the view "text_tree": partial translations behind some words, with their probabilities.

    `name` is what stands in a box, `number` its number; `first` is the place of the first word that is drawn, 0 where
    columns have no heads. A candidate that is still open shows the probability of its word alone.
    """

    def write(box: Box) -> tuple[str, str]:
        return name(box), (number or share_of)(box)

    def head(depth: int) -> str:
        case = "more" if depth > 1 else "word" if depth else "prompt"
        return WORDS.label(f"head.{case}", i=first + depth - 1) if first else ""

    explained = {KINDS.get(each, each): WORDS.label(f"key.{each}") for each in key}
    return draw_boxes(cut_words(behind) or WORDS.label("start"), boxes, write, head, explained)


def share_of(box: Box, digits: int = 0) -> str:
    """Return the probability of a partial translation; of a candidate that is still open that of its word."""
    p = box.p if box.kind == OPEN else float(np.exp(box.total))
    return f"{p:.{digits}%}" if digits else format_share(p)


def lay_words(
    words: Sequence[int],
    ln_p: Sequence[float],
    first: int,
    last: int,
    row: int,
    name: str,
    ends: Sequence[str],
    best: bool,
) -> list[Box]:
    """Return the boxes of one translation in a row, a word each, from the one after `first` until `last`."""
    return [
        Box(
            tuple(words[first:i]),
            float(np.exp(ln_p[i - 1])),
            float(sum(ln_p[:i])),
            row,
            row,
            BEST if best else PLAIN,
            f"{name}.{i - first}",
            tuple(ends) if i == last else (),
            best,
        )
        for i in range(first + 1, last + 1)
    ]


def lay_runs(
    texts: Sequence[Sequence[str]], ln_p: Sequence[Sequence[float]], ends: Sequence[Sequence[str]]
) -> tuple[list[str], list[Box]]:
    """Return what all translations begin with, and the boxes behind it: a run of words each. The first one is best.

    Translations share their boxes as long as they are the same. Then a run is as long as a translation differs from the
    best one, or agrees with it, place by place.
    """
    n = shared_words(texts) if len(texts) > 1 else 0
    boxes: list[Box] = []
    ended: list[int] = []  # translations that are drawn, from top to bottom

    def grow(rows: Sequence[int], path: tuple[str, ...], start: int) -> None:
        """Add the boxes of some translations, of which the boxes of a path are drawn: all words before `start`."""
        for first in dict.fromkeys(texts[row][start] for row in rows if start < len(texts[row])):
            group = [row for row in rows if texts[row][start : start + 1] == [first]]
            row, place, after = group[0], len(ended), path
            other = texts[0 if row else min(1, len(texts) - 1)]
            rest = [list(texts[each][start:]) for each in group]
            runs = [rest[0][: shared_words(rest)]] if len(group) > 1 else runs_of(rest[0], other[start:])
            end = start
            for run in runs:
                begin, end, after = end, end + len(run), (*after, " ".join(run))
                last = end == len(texts[row])
                total = float(sum(ln_p[row] if last else ln_p[row][:end]))
                p, kind = float(np.exp(sum(ln_p[row][begin:end]))), PLAIN if row else BEST
                mark, closing = f"text.{row + 1}.{len(after)}", tuple(ends[row]) if last else ()
                boxes.append(Box(after, p, total, place, RUN_HUES[row], kind, mark, closing, not row))
            if len(group) > 1:
                grow(group, after, end)
            else:
                ended.append(row)

    grow(range(len(texts)), (), n)
    return list(texts[0][:n]), boxes


def shared_words(texts: Sequence[Sequence[str]]) -> int:
    """Return with how many words all texts begin.

    >>> shared_words([["le", "chat", "dort"], ["le", "chien"]])
    1
    """
    same = [len(set(column)) == 1 for column in zip(*texts, strict=False)]
    return same.index(False) if False in same else len(same)


def runs_of(text: Sequence[str], other: Sequence[str], most: int = 4) -> list[list[str]]:
    """Return a text cut where it begins or ceases to agree with another, place by place; the same one every few words.

    >>> runs_of("petits chiens ont la grande".split(), "grands chiens ont la petite".split())
    [['petits'], ['chiens', 'ont', 'la'], ['grande']]
    >>> runs_of("un deux trois".split(), "un deux trois".split(), most=2)
    [['un', 'deux'], ['trois']]
    """
    if list(text) == list(other):
        return [list(text[i : i + most]) for i in range(0, len(text), most)]
    same = [i < len(other) and each == other[i] for i, each in enumerate(text)]
    return [
        [each for each, _ in group]
        for _, group in groupby(zip(text, same, strict=True), lambda pair: pair[1])
    ]


def join_words(words: Sequence[str]) -> str:
    """Return some words of a French or Dutch sentence as they are written.

    >>> join_words(["l'", "homme", "dort", "."])
    "l'homme dort."
    """
    return re.sub(r"(?<=') | (?=[.,])", "", " ".join(words))


def cut_words(words: Sequence[str]) -> str:
    """Return the last of some words for which a box has room.

    >>> cut_words("ma mère va apporter trois gâteaux".split()), cut_words(["le", "chat"])
    ('… trois gâteaux', 'le chat')
    """
    for first in range(len(words)):
        text = ("… " if first else "") + join_words(words[first:])
        if len(text) <= LETTERS:
            return text
    return "…" if words else ""


def name_run(box: Box) -> str:
    """Return a run of words in as little room as a box has."""
    return shorten(join_words(str(box.path[-1]).split()), LETTERS, placeholder=" …")


def draw_bars(panels: Sequence[tuple[str, float, Sequence[Mapping[str, object]]]]) -> dict:
    """Return the data of the view "layer_bars": panels with their title, the end of the scale, and bars from 0."""
    return join_panels(
        *(
            make_panel(
                title,
                most,
                [make_row(**row) for row in rows],
            )
            for title, most, rows in panels
        )
    )


# The lab.


def hypotheses_table(
    task: Task, translator: Translator, source: Sequence[int], last: Sequence[Beginning]
) -> tuple[pd.DataFrame, Formula]:
    """Return the hypotheses with their probabilities, each the product over its words, and the formula of a cell."""
    label = WORDS.label
    table = {
        "rank": range(1, len(last) + 1),
        "text": [task.write(translator.target.decode(b.words)) for b in last],
        "ln_p": [b.log_probability for b in last],
        "p": [float(np.exp(b.log_probability)) for b in last],
        "n": [len(b.words) for b in last],
        "mean": [b.log_probability / len(b.words) for b in last],
    }

    def formula(row: int, column: str) -> str | None:
        """Add up the logarithms of a hypothesis' words."""
        if column != label("column.ln_p"):
            return None
        words = list(last[row].words)
        log_p = rescored(translator.model, source, words).steps.logits[0].log_softmax(-1)
        return worked_log_probability(log_p[range(len(words)), words].numpy(), f"{row + 1}.")

    return pd.DataFrame({label(f"column.{column}"): list(each) for column, each in table.items()}), formula


def worked_log_probability(log_p: np.ndarray, name: str, most: int = 6) -> str:
    r"""Return LaTeX of a translation's ln p as the sum over its words.

    >>> worked_log_probability(np.array([-1.0, -0.5]), "1.")
    '\\ln p(\\text{1.}) = (-1) + (-0.5) = -1.5'
    """
    shown = " + ".join(f"({number(float(value), 3)})" for value in log_p[:most])
    rest = rf" + \dots_{{({len(log_p)})}}" if len(log_p) > most else ""
    return rf"\ln p({word(name)}) = {shown}{rest} = {number(float(log_p.sum()))}"
