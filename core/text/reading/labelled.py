"""Labelled documents as a learner brings them: lines of label and text, a table with two such columns, a ZIP of folders.

Whatever is wrong is said in a sentence; what is left out is counted and said.
"""

from __future__ import annotations

import csv
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from pathlib import PurePosixPath
from random import Random

from core.text.reading import WORDS
from core.text.reading.decoding import TextError, decode_bytes
from core.text.reading.documents import BYTES_AT_MOST, delimiter_of, tidy
from core.text.reading.languages import said_of_languages

DOCUMENTS_AT_MOST, DOCUMENTS_AT_LEAST = 20_000, 10
CLASSES_AT_MOST = 20
CHARACTERS_AT_MOST = 10_000  # of one document
UNPACKED_AT_MOST, FILES_AT_MOST = 100 << 20, 100_000  # of a ZIP archive
LABEL_AT_MOST, HEADING_AT_MOST, COLUMNS_AT_MOST = 40, 60, 50
NAMED_LABEL = "label class category sentiment target tag topic spam rating stars y".split()
NAMED_TEXT = "text document review message sentence content body tweet comment".split()
ENDINGS = ("csv", "tsv", "txt", "zip")

Pair = tuple[str, str]  # (label, text)


@dataclass(frozen=True)
class LabelledDocuments:
    """Documents with a label each, in the order in which they were given.

    `notes` say what was left out; `columns` are those of a table, `label_column` and `text_column` the two that were
    read. `kinds` names what tells each document's label, where that is known: a kind is held out as one. `own` documents
    are a learner's, which no other session may see.
    """

    name: str
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    notes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    label_column: str = ""
    text_column: str = ""
    kinds: tuple[str, ...] = ()
    own: bool = False

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Return the different labels, sorted."""
        return tuple(sorted(set(self.labels)))

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of labels and texts, by which caches know them without reading them at every run."""
        return sha256(repr((self.labels, self.texts)).encode("utf-8", "replace")).hexdigest()


def read_lines(text: str, name: str = "") -> LabelledDocuments:
    r"""Return the documents in lines of a label, a tab and a text. Raises TextError, with a sentence for the learner.

    >>> read_lines("spam\tbuy now\nham\tsee you\n" * 5).classes
    ('ham', 'spam')
    """
    lines = [line for line in tidy(text).split("\n") if line.strip()]
    if not lines:
        raise TextError(WORDS.label("labelled.nothing", wanted=WORDS.label("labelled.wanted")))
    cut = [line.partition("\t") for line in lines]
    pairs = [(label, said) for label, tab, said in cut if tab]
    if not pairs:
        raise TextError(WORDS.label("labelled.no_tab", wanted=WORDS.label("labelled.wanted")))
    first, *others = (label.strip() for label, _ in pairs)
    if first.lower() in NAMED_LABEL and first not in others:
        pairs = pairs[1:]  # the names of the columns
    without = len(lines) - sum(bool(tab) for _, tab, _ in cut)
    notes = [WORDS.label("labelled.without", n=without)] if without else []
    return documents_of(name or WORDS.label("labelled.pasted"), pairs, notes)


def read_labelled_file(name: str, data: bytes, label: str = "", text: str = "") -> LabelledDocuments:
    """Return the documents in a file's bytes; the ending of its name says which kind it is.

    `label` and `text` name the columns of a table; without them those are read that look like it. Raises TextError,
    with a sentence for the learner, for anything that cannot be read.
    """
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if ending not in ENDINGS:
        raise TextError(WORDS.label("labelled.ending"))
    if not data:
        raise TextError(WORDS.label("labelled.empty", wanted=WORDS.label("labelled.wanted")))
    if len(data) > BYTES_AT_MOST:
        raise TextError(WORDS.label("large", megabytes=len(data) / 2**20))
    if ending == "zip":
        return documents_of(name, list(_archived(data)), [])
    written = tidy(decode_bytes(data)[0])
    return read_lines(written, name) if ending == "txt" else read_table(name, written, label, text)


def read_table(name: str, written: str, label: str = "", text: str = "") -> LabelledDocuments:
    r"""Return the documents in two columns of a table whose first row names them, or is a row like the others.

    >>> read_table("sms.csv", "kind,text\n" + "ham,see you\nspam,buy now\n" * 5).label_column
    'kind'
    """
    try:
        rows = list(csv.reader(written.splitlines(keepends=True), delimiter=delimiter_of(written)))
    except csv.Error as error:
        raise TextError(WORDS.label("labelled.table")) from error
    rows = [
        [cell.strip() for cell in row[:COLUMNS_AT_MOST]] for row in rows if any(cell.strip() for cell in row)
    ]
    if not rows:
        raise TextError(WORDS.label("labelled.empty_table", wanted=WORDS.label("labelled.wanted")))
    width = max(map(len, rows[:1000]))
    if width < 2:
        raise TextError(WORDS.label("labelled.one_column"))
    headings = _headings(rows[0], width)
    cells = [_column(rows[1:], place) for place in range(width)]
    places = _find_columns(headings, cells, label, text)
    if "".join(rows[0][places[0] :][:1]) in cells[places[0]]:  # a label like others, so no name of a column
        headings, cells = (
            [WORDS.label("column", n=place + 1) for place in range(width)],
            [_column(rows, p) for p in range(width)],
        )
        places = _find_columns(headings, cells, label, text)
    pairs = list(zip(cells[places[0]], cells[places[1]], strict=True))
    read = documents_of(name, pairs, [])
    return replace(
        read, columns=tuple(headings), label_column=headings[places[0]], text_column=headings[places[1]]
    )


def documents_of(name: str, pairs: Sequence[Pair], notes: Sequence[str]) -> LabelledDocuments:
    """Return the documents of pairs of label and text, checked. Raises TextError with a sentence for the learner.

    Of too many, some are read that are drawn at random; of a long one its beginning.
    """
    notes, given = list(notes), len(pairs)
    whole = [
        (" ".join(label.split())[:LABEL_AT_MOST], text)
        for label, text in pairs
        if label.strip() and text.strip()
    ]
    if len(whole) < given:
        notes.append(WORDS.label("labelled.lacking", n=given - len(whole), given=given))
    if len(whole) > DOCUMENTS_AT_MOST:
        notes.append(WORDS.label("labelled.many", n=len(whole), most=DOCUMENTS_AT_MOST))
        whole = [whole[i] for i in some_places(len(whole), DOCUMENTS_AT_MOST)]
    if len(whole) < DOCUMENTS_AT_LEAST:
        raise TextError(WORDS.label("labelled.few", n=len(whole), wanted=WORDS.label("labelled.wanted")))
    counts = Counter(label for label, _ in whole)
    if len(counts) == 1:
        raise TextError(WORDS.label("labelled.one_label", n=len(whole), label=next(iter(counts))))
    once = [label for label, times in counts.items() if times == 1]
    if len(once) > len(whole) / 2:
        raise TextError(WORDS.label("labelled.different", n=len(whole), labels=len(counts)))
    if once:
        notes.append(WORDS.label("labelled.once", n=len(once)))
        whole = [(label, text) for label, text in whole if counts[label] > 1]
        counts = Counter(label for label, _ in whole)
    if len(counts) == 1:
        raise TextError(WORDS.label("labelled.one_left", label=next(iter(counts))))
    if len(counts) > CLASSES_AT_MOST:
        raise TextError(WORDS.label("labelled.many_labels", n=len(counts), most=CLASSES_AT_MOST))
    if len(whole) < DOCUMENTS_AT_LEAST:
        raise TextError(WORDS.label("labelled.few_left", n=len(whole)))
    long = sum(len(text) > CHARACTERS_AT_MOST for _, text in whole)
    if long:
        notes.append(WORDS.label("labelled.long", n=long, most=CHARACTERS_AT_MOST))
    texts = tuple(text[:CHARACTERS_AT_MOST] for _, text in whole)
    notes += filter(None, [said_of_languages(texts)])
    return LabelledDocuments(name, texts, tuple(label for label, _ in whole), tuple(notes), own=True)


def some_places(N: int, most: int, seed: int = 0) -> list[int]:
    """Return the places of `most` of N documents, drawn at random, in order; of all where they are no more.

    Every k-th one would do only where labels do not come in turn.

    >>> some_places(3, 5), some_places(8, 3)
    ([0, 1, 2], [3, 6, 7])
    """
    return list(range(N)) if most >= N else sorted(Random(seed).sample(range(N), most))


def _column(rows: Sequence[Sequence[str]], place: int) -> list[str]:
    return [row[place] if place < len(row) else "" for row in rows]


def _headings(first: Sequence[str], width: int) -> list[str]:
    """Return the columns' names, each another; a column without name is called by its number."""
    names: list[str] = []
    for place in range(width):
        name = " ".join(first[place].split())[:HEADING_AT_MOST] if place < len(first) else ""
        name = name or WORDS.label("column", n=place + 1)
        names.append(name if name not in names else f"{name} ({place + 1})")
    return names


def _find_columns(
    headings: Sequence[str], cells: Sequence[Sequence[str]], label: str, text: str
) -> tuple[int, int]:
    """Return the places of the columns of labels and of texts: those named, else those that look like it."""
    if label and label == text:
        raise TextError(WORDS.label("labelled.same_column"))
    if label in headings and text in headings:
        return headings.index(label), headings.index(text)
    lower = [heading.lower() for heading in headings]
    lengths = [sum(map(len, column)) for column in cells]
    by_name = [place for place, name in enumerate(lower) if name in NAMED_TEXT and lengths[place]]
    by_length = max(range(len(cells)), key=lambda place: lengths[place])
    texts = (
        headings.index(text)
        if text in headings
        else max(by_name, key=lambda p: lengths[p], default=by_length)
    )
    if label in headings and headings.index(label) != texts:
        return headings.index(label), texts
    filled = [list(filter(None, column)) for column in cells]
    different = [len(set(column)) for column in filled]
    recurring = [
        place
        for place, n in enumerate(different)
        if place != texts
        and n
        and (n <= min(CLASSES_AT_MOST, len(filled[place]) / 2) or lower[place] in NAMED_LABEL)
    ]
    if not recurring:
        raise TextError(WORDS.label("labelled.no_labels"))
    order = [(lower[place] not in NAMED_LABEL, different[place] < 2, place) for place in recurring]
    return min(order)[-1], texts


def _archived(data: bytes) -> Iterator[Pair]:
    """Yield the label and text of each text file in an archive: its folder's name is its label."""
    try:
        archive = zipfile.ZipFile(BytesIO(data))
        files = [each for each in archive.infolist() if _is_document(each)]
        if len(files) > FILES_AT_MOST or sum(each.file_size for each in files) > UNPACKED_AT_MOST:
            raise TextError(WORDS.label("labelled.large_archive"))
        if not files:
            raise TextError(WORDS.label("labelled.no_folder"))
        for place in some_places(len(files), DOCUMENTS_AT_MOST):
            each = files[place]
            with archive.open(each) as file:
                text = decode_bytes(file.read(4 * CHARACTERS_AT_MOST))[0] if each.file_size else ""
            yield PurePosixPath(each.filename).parent.name, tidy(text)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError, EOFError) as error:
        raise TextError(WORDS.label("labelled.archive")) from error


def _is_document(each: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(each.filename)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return path.suffix.lower() == ".txt" and len(path.parts) > 1 and not hidden
