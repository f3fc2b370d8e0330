"""What a description is, and how the sentence about a table of numbers is made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import TypeVar

from core.words.numbers import RAISED, format_number, plain_number
from core.words.texts import FILE, read_words

T = TypeVar("T")
COLUMNS_AT_MOST = 24  # of more, each row tells its largest numbers alone
ROWS_AT_MOST = 200  # with more, rows at even distances stand for all
HIDDEN = "?"  # what core writes of a number that is not told yet
MEASURES_AT_MOST = 6  # whose largest numbers a sentence tells
NEARLY_ZERO = 1e-9  # what is nearer to 0 is 0
THOUSAND = 1000  # from here on numbers are written without a fraction
TEXT_AT_MOST = 160  # characters of a text that is quoted
TEXT_TOLD, CHARACTERS_TOLD = 64, 10  # characters of a longer text that are told, and of a random one
LOST = "�"  # bytes that are no character
LOWERED = {raised: plain for plain, raised in RAISED.items()}
POWER = re.compile(rf"·10([{''.join(map(chr, LOWERED))}]+)$")
MARKUP = re.compile(r"<[^>]*>")
STOPPED = re.compile(r"(?<!\.)([.?!…])\.(?=\s|$)")
STRANGE = 0.12  # of a text's characters that are no letters or spaces, and it is random
WORDS = read_words(Path(__file__).with_name(FILE))


def say(key: str, /, **values: object) -> str:
    """Return a text of the descriptions' own words. Raises KeyError where there is no such text."""
    return WORDS.label(key, **values)


@dataclass(frozen=True)
class Cell:
    """A cell of the table: how it is written, and the number that it is compared by; None where it has none."""

    text: str
    number: float | None = None


@dataclass(frozen=True)
class Extreme:
    """The largest cell of what is compared: its measure, its text, and the row that it stands in."""

    measure: str
    text: str
    row: str


@dataclass(frozen=True)
class Description:
    """A picture in words: a sentence of what it shows now, its axes, and its numbers as a table.

    The first of `columns` names the rows; the first cell of each row is its name. `largest` says what `sentence` says of
    the largest number of each measure, so that a player can tell what a change did to it.
    """

    sentence: str
    axes: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    largest: tuple[Extreme, ...] = field(default=())


Compared = Mapping[
    str, Sequence[tuple[Cell, str]]
]  # by measure: cells, each with the row that it is named by


def describe_table(
    sentence: str,
    axes: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell | str]],
    compared: Compared | None = None,
    marked: Sequence[str] = (),
    more: Sequence[str] = (),
) -> Description:
    """Return the description of a table. Its sentence ends with the largest numbers, what is marked, and `more`.

    Numbers are compared within each column, or as `compared` says. A row begins with its name. What is empty in every row
    is no column.

    >>> made = describe_table("Two bars.", "", ("Bar", "p"), [("a", Cell("0.2", 0.2)), ("b", Cell("0.8", 0.8))])
    >>> made.sentence, made.largest
    ('Two bars. p: largest 0.8 (b), smallest 0.2 (a).', (Extreme(measure='p', text='0.8', row='b'),))
    """
    written = [[each if isinstance(each, Cell) else Cell(str(each)) for each in row] for row in rows]
    largest, parts, told = [], [sentence], set()  # told: the cells that the sentence names
    for measure, cells in (compare_columns(columns, written) if compared is None else compared).items():
        found = find_extremes(cells)
        if not found or len(largest) == MEASURES_AT_MOST:
            continue
        (most, row), (least, least_row) = found
        largest.append(Extreme(measure, most.text, row))
        told |= {id(most), id(least)}
        named, least_named = name_place(cells, most, row), name_place(cells, least, least_row)
        several = sum(cell.number is not None for cell, _ in cells) > 1
        key = "extremes" if least.text != most.text else "all" if several else "largest"
        parts.append(
            say(key, measure=measure, text=most.text, row=named, least=least.text, least_row=least_named)
        )
    if marked:
        parts.append(say("marked", names=list(dict.fromkeys(marked))))
    step = max(1, -(-len(written) // ROWS_AT_MOST))
    if step > 1:
        parts.append(say("sampled", step=step, rows=len(written)))
    parts += [end_sentence(each) for each in dict.fromkeys(more) if each]
    kept = [
        row
        for at, row in enumerate(written)
        if at % step == 0 or at == len(written) - 1 or told & set(map(id, row))
    ]
    held = [at for at in range(len(columns)) if at == 0 or any(row[at].text for row in kept)]
    shown = tuple(tuple(row[at].text for at in held) for row in kept)
    heads = tuple(columns[at] for at in held)
    return Description(
        once_stopped(" ".join(filter(None, parts))), once_stopped(axes), heads, shown, tuple(largest)
    )


def find_extremes(cells: Sequence[tuple[Cell, T]]) -> tuple[tuple[Cell, T], ...]:
    """Return the largest and the smallest of cells, each with what names it; nothing where none has a number."""
    numbered = [each for each in cells if each[0].number is not None]
    if not numbered:
        return ()
    return tuple(end(numbered, key=lambda each: each[0].number) for end in (max, min))


def name_place(cells: Sequence[tuple[Cell, str]], end: Cell, name: str) -> str:
    """Return what names the largest or the smallest cell, and how many others are written as it is.

    >>> name_place([(Cell("0.00", 0.001), "a"), (Cell("0.00", 0.002), "b"), (Cell("1", 1.0), "c")], Cell("0.00", 0.001), "a")
    'a and 1 more'
    """
    others = sum(cell.text == end.text and cell.number is not None for cell, _ in cells) - 1
    return say("tied", name=name, others=others) if others > 0 else name


def below(line: str) -> list[str]:
    """Return the line of arithmetic below a picture as a sentence, where there is one."""
    return [say("below", text=line)] if line else []


def end_sentence(text: str) -> str:
    """Return a text with a full stop where it ends without one.

    >>> end_sentence("Sum: 3"), end_sentence("Why?")
    ('Sum: 3.', 'Why?')
    """
    return text if text.rstrip().endswith((".", "?", "!", "…")) else f"{text.rstrip()}."


def once_stopped(text: str) -> str:
    """Return a text in which no full stop follows another sign that ends a sentence.

    >>> once_stopped("Text: Is it cold?. So it is.. Wait…. Then ... 3")
    'Text: Is it cold? So it is. Wait… Then ... 3'
    """
    return STOPPED.sub(r"\1", text)


def compare_columns(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Compared:
    """Return the cells of each column, to be compared within it."""
    return {head: [(row[at], row[0].text) for row in rows] for at, head in enumerate(columns[1:], start=1)}


def compare_all(measure: str, columns: Sequence[str], rows: Sequence[Sequence[Cell | str]]) -> Compared:
    """Return the cells of a whole matrix, to be compared with one another; each is named by its row and column."""
    return {
        measure: [
            (cell, say("at.cell", row=row[0], column=head))
            for row in rows
            for head, cell in zip(columns[1:], row[1:], strict=True)
            if isinstance(cell, Cell)
        ]
    }


def number_in(text: str) -> float | None:
    """Return the number that a text is, as core formats numbers; None where it is none.

    >>> number_in("−1.5"), number_in("8.1·10⁻⁵"), number_in("35%"), number_in("1,200"), number_in("−∞"), number_in("?")
    (-1.5, 8.1e-05, 0.35, 1200.0, None, None)
    """
    plain = text.strip().replace("−", "-").replace(",", "").lstrip("+")
    power = POWER.search(plain)
    if power:
        plain = f"{plain[: power.start()]}e{power[1].translate(LOWERED)}"
    if not re.fullmatch(r"-?(\d+\.?\d*|\.\d+)(e-?\d+)?%?", plain):
        return None
    return float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)


def numeral(text: str) -> Cell:
    """Return a cell that is compared by the number that its text is."""
    return Cell(text, number_in(text))


def number_cell(value: float | None, text: str = "") -> Cell:
    """Return a cell of a number, written with three digits where it has no text of its own."""
    if value is None:
        return Cell(text)
    value = 0.0 if abs(value) < NEARLY_ZERO else value
    if not text:
        large = abs(value) >= THOUSAND
        text = format_number(value, 0) if large else plain_number(value).replace("-", "−")
    return Cell(text, value)


def told_cell(text: str, number: float) -> Cell:
    """Return a cell that is compared by a number, or by none where its text does not tell it.

    >>> told_cell("0.5", 0.5).number, told_cell(HIDDEN, 0.5).number
    (0.5, None)
    """
    return Cell(text, None if text in ("", HIDDEN) else number)


def cut_text(text: str) -> str:
    """Return a text; of a long one its first words and its length, of a random one its first characters.

    >>> cut_text("so it goes " * 100)
    'so it goes so it goes so it goes so it goes so it goes so it… (1,099 characters)'
    >>> cut_text("G?U?iCqQook.GJst�W-WgiU-.;OGDfbOhQLuUI ?&;?�IKea")
    '48 random characters, from G?U?iCqQoo…'
    """
    joined = " ".join(text.split())
    odd = sum(not (each.isalnum() or each in " ,.'") for each in joined)
    if LOST in joined or (len(joined) > TEXT_AT_MOST and odd > STRANGE * len(joined)):
        first = joined.partition(LOST)[0][:CHARACTERS_TOLD]
        return say("text.random", text=first, count=len(joined))
    if len(joined) <= TEXT_AT_MOST:
        return joined
    first = joined[:TEXT_TOLD].rpartition(" ")[0] or joined[:TEXT_TOLD]
    return say("text.long", text=first, count=len(joined))


def without_markup(text: str) -> str:
    """Return the words of a text of plotly's, which may hold tags.

    >>> without_markup("<b>dog</b><br>25%"), without_markup("&lt;end&gt;")
    ('dog 25%', '<end>')
    """
    return unescape(" ".join(MARKUP.sub(" ", text).split()))


def tell_apart(names: Sequence[str]) -> list[str]:
    """Return names, each with its place in front where two are the same or one is empty.

    >>> tell_apart(["a", "b"]), tell_apart(["the", "king", "the"])
    (['a', 'b'], ['1. the', '2. king', '3. the'])
    >>> tell_apart(["3", "3"])
    ['position 1: 3', 'position 2: 3']
    """
    if len(set(names)) == len(names) and all(names):
        return list(names)
    return [
        say("numbered" if number_in(name) is None else "numbered.number", number=number, name=name)
        for number, name in enumerate(names, start=1)
    ]


def number_of(index: int) -> str:
    """Return the place of what is counted from 0, as people count."""
    return str(index + 1)
