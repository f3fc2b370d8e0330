"""Pictures that are tables of cells already: tokens in a grid, scores under a mask, words by contexts, vectors in rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

from core.descriptions.description import (
    HIDDEN,
    Cell,
    Description,
    below,
    compare_all,
    cut_text,
    describe_table,
    number_cell,
    number_of,
    numeral,
    say,
    tell_apart,
    told_cell,
)
from core.words.numbers import percent

BYTES = re.compile(r"(.)·([\d–,-]+)/(\d+)")  # of a character of which a token has a part, as core names it
LISTED = 12  # states that a sentence names


def describe_token_grid(data: Mapping) -> Description:
    """Return the description of a grid with a column for each token; a cell without a text says its kind."""
    kinds = {each["kind"]: each["text"] for each in data["key"]}
    columns = name_columns(data["corner"], [each.get("name") or each["text"] for each in data["columns"]])
    ends = any(row["total"] for row in data["rows"])
    names = tell_apart([row["name"] or number_of(at) for at, row in enumerate(data["rows"])])
    rows, cells = [], []
    for name, row in zip(names, data["rows"], strict=True):
        made = []
        for cell in row["cells"]:
            if cell["kind"] == "level":
                share = cell["text"] or percent(cell["share"], 0)
                known = not cell["text"] or numeral(share).number is not None
                text = (
                    share if known or "level" not in kinds else say("cell", text=share, kind=kinds["level"])
                )
                made.append(Cell(text, cell["share"] if known else None))
            elif not cell["text"]:
                made.append(Cell("" if cell["kind"] == "none" else kinds.get(cell["kind"], cell["kind"])))
            elif cell["kind"] in kinds and cell["text"] != HIDDEN:
                made.append(Cell(say("cell", text=cell["text"], kind=kinds[cell["kind"]])))
            else:
                made.append(Cell(cell["text"]))
        cells.append([name, *made])
        rows.append([*cells[-1], *([numeral(row["total"])] if ends else [])])
    compared = compare_all(kinds.get("level") or say("column.value"), columns, cells)
    if ends:
        columns.append(data["end"] or say("column.total"))
        compared = {**compared, columns[-1]: [(row[-1], row[0]) for row in rows]}
    sentence = say("grid.sentence", rows=len(rows), columns=len(data["columns"]))
    sentence = data.get("told") or sentence
    named = data.get("axes")
    axes = say("matrix.axes", rows=named["row"], columns=named["column"]) if named else ""
    return describe_table(sentence, axes, columns, rows, compared, more=below(data["sum"]))


def name_columns(corner: str, texts: Sequence[str]) -> list[str]:
    """Return the heads of a grid: the corner and the texts; of numbers that are the same, each with what it measures.

    >>> name_columns("token", ["a", "b"]), name_columns("cost", ["1", "0", "1"])[1:]
    (['token', 'a', 'b'], ['column 1, cost 1', 'column 2, cost 0', 'column 3, cost 1'])
    """
    if corner and len(set(texts)) < len(texts) and all(numeral(each).number is not None for each in texts):
        heads = [
            say("token_grid.head", number=at, corner=corner, text=text) for at, text in enumerate(texts, 1)
        ]
        return [say("column.row"), *heads]
    return [corner or say("column.row"), *tell_apart(texts)]


def describe_token_rows(data: Mapping) -> Description:
    """Return the description of a passage cut into tokens in several ways."""
    rows = []
    for row in data["rows"]:
        named = [(BYTES.sub(name_byte, text), number) for text, number, *_ in row["tokens"]]
        tokens = [f"{text} ({number})" if data["ids"] else text for text, number in named]
        flags = [say("token_rows.unknown", tokens=[each[0] for each in row["tokens"] if each[3] == 1])]
        flags.append(say("token_rows.new", tokens=[each[0] for each in row["tokens"] if each[3] == 2]))
        notes = "; ".join(filter(None, (row["said"], *flags)))
        count = Cell(str(len(tokens)), len(tokens)) if tokens else Cell(row["total"] or HIDDEN)
        rows.append((row["name"] or number_of(len(rows)), count, " | ".join(tokens), notes))
    columns = (
        data.get("head") or say("column.tokenizer"),
        say("column.tokens"),
        say("column.pieces"),
        say("column.note"),
    )
    sentence = data.get("told") or say("token_rows.sentence", rows=len(rows))
    return describe_table(sentence, "", columns, rows, more=below(data["sum"]))


def name_byte(found: re.Match[str]) -> str:
    """Return bytes of a character as they are told.

    >>> BYTES.sub(name_byte, "␣ê·1/2"), BYTES.sub(name_byte, "1/2")
    ('␣ê, byte 1 of 2', '1/2')
    """
    return say("token_rows.byte", text=found[1], places=found[2], of=found[3])


def describe_score_table(data: Mapping) -> Description:
    """Return the description of a table of scores, with what is typed into it and the probabilities behind it.

    Where its rows are not named otherwise it is a lattice: a row for each state, a column for each observation.
    """
    typed = {(each["t"], each["j"]): each for each in data["fields"]}
    given = data["given"] or {"groups": [], "rows": []}
    sources = [name_source(group["name"], name) for group in given["groups"] for name in group["columns"]]
    numbers = {row["name"]: [each["text"] for each in row["cells"]] for row in given["rows"]}
    words, axis, lattice = [each["word"] for each in data["columns"]], data["axis"], not data.get("row")
    days = lattice and bool(axis)  # the words are what was counted on each day
    heads = (
        [say("score_table.day", number=t, word=word, axis=axis) for t, word in enumerate(words, start=1)]
        if days
        else tell_apart(words)
    )
    states = tell_apart([each["name"] for each in data["rows"]])
    led = any(each["kind"] == "best" for each in data["arrows"])  # the best cells are a path, in this order
    measure = data.get("measure") or say("column.score")
    rows, marked, asked, path, compared = [], [], [], [], []
    for j, state in enumerate(data["rows"]):
        made = []
        for t, column in enumerate(data["cells"]):
            cell, field = column[j], typed.get((t, j))
            place = name_place(states[j], t, heads, days, lattice)
            if field:
                key = f"score_table.{field['verdict'] or 'open'}"
                made.append(Cell(say(key, value=field["value"])))
            else:
                made.append(numeral(cell["text"]))
            compared.append((made[-1], place))
            if cell["kind"] == "best" and led:
                path.append((t, j, say("cell", text=place, kind=made[-1].text or HIDDEN)))
            elif cell["kind"] == "now" and (cell["text"] == HIDDEN or (field and not field["verdict"])):
                asked.append(place)
            elif cell["kind"] in ("now", "best"):
                marked.append(place)
        known = numbers.get(state["name"], [""] * len(sources))
        rows.append([states[j], *made, *(known if len(known) == len(sources) else [""] * len(sources))])
    columns = (data.get("row") or say("column.state"), *heads, *sources)
    more = [describe_line(line, data.get("operator", "×")) for line in data["lines"]]
    if path:  # from the first cell to the last, which often holds the answer
        more.insert(0, say("path", cells=[each for *_, each in sorted(path)]))
    if asked:
        more.insert(0, say("score_table.asked", names=asked))
    sentence = say("grid.sentence", rows=len(rows), columns=len(heads))
    sentence = data.get("told") or sentence
    if lattice:
        sentence = say("drawn.paths", words=words, states=states, axis=axis, listed=LISTED)
    axes = say("score_table.axes", axis=axis) if axis and not lattice else ""
    return describe_table(sentence, axes, columns, rows, {measure: compared}, marked, more)


def name_source(group: str, name: str) -> str:
    """Return the head of a column of given probabilities.

    >>> name_source("start", ""), name_source("next", "hot")
    ('probability of start', 'probability of next: hot')
    """
    return say("score_table.given", name=say("written", name=group, text=name) if name else group)


def name_place(row: str, t: int, heads: Sequence[str], days: bool, lattice: bool) -> str:
    """Return a cell as a sentence names it: a state on its day or at its word, else its row and its column.

    >>> name_place("hot", 0, ["day 1 (ice creams: 3)"], True, True), name_place("can", 0, ["fish"], False, False)
    ('hot on day 1', 'row can, column fish')
    """
    if days:
        return say("score_table.place", state=row, number=t + 1)
    return say("at.cell" if lattice else "score_table.cell", row=row, column=heads[t])


def describe_line(line: Mapping, operator: str) -> str:
    """Return a product or a sum in words: its name, its factors, its result."""
    factors = f" {operator} ".join(f"{each['text']} ({each['label']})" for each in line["factors"])
    return say("line", name=line["name"], factors=factors, result=line["result"])


def describe_masked_scores(data: Mapping) -> Description:
    """Return the description of attention scores: a row for each query token, a column for each key token."""
    tokens = tell_apart(data["tokens"])
    side = data["side"]
    columns = [data["axes"]["query"], *tokens]
    rows = []
    for at, row in enumerate(data["cells"]):
        made = []
        for cell in row:
            if cell["kind"] in ("masked", "struck"):
                made.append(
                    Cell(say("cell", text=cell["text"], kind=say("masked")), numeral(cell["text"]).number)
                )
            else:
                made.append(numeral(cell["text"]))
        rows.append([tokens[at], *made])
    compared = compare_all(say("column.score"), columns, rows)
    if side:
        columns.append(side["title"] or say("column.note"))
        rows = [[*row, text] for row, text in zip(rows, side["texts"], strict=True)]
    marked = [] if data["row"] is None else [tokens[data["row"]]]
    if data["chosen"]:
        marked.append(say("pair", first=tokens[data["chosen"][0]], second=tokens[data["chosen"][1]]))
    axes = say("matrix.axes", rows=data["axes"]["query"], columns=data["axes"]["key"])
    sentence = say("grid.sentence", rows=len(tokens), columns=len(tokens))
    line = data["sum"].replace("e^{", "e^(").replace("}", ")")
    return describe_table(sentence, axes, columns, rows, compared, marked, below(line))


def describe_word_matrix(data: Mapping) -> Description:
    """Return the description of a matrix of words by contexts, and of the window above it."""
    columns = [data["axes"]["row"], *(each["text"] for each in data["columns"])]
    rows = [
        [row["text"], *(numeral(cell["text"]) for cell in cells)]
        for row, cells in zip(data["rows"], data["cells"], strict=True)
    ]
    compared = compare_all(data["axes"]["cell"], columns, rows)
    if data["side"]:
        columns.append(data["side"]["title"] or say("column.note"))
        rows = [[*row, text] for row, text in zip(rows, data["side"]["texts"], strict=True)]
    marked = [each["text"] for each in (*data["rows"], *data["columns"]) if each["kind"] == "now"]
    more = []
    if data["strip"]:
        near = [each["text"] for each in data["strip"] if each["kind"] == "around"]
        centre = [each["text"] for each in data["strip"] if each["kind"] == "centre"]
        text = " ".join(each["text"] for each in data["strip"])
        more.append(say("word_pairs.window", name="", text=text, centre=centre, near=near))
    axes = say("matrix.axes", rows=data["axes"]["row"], columns=data["axes"]["column"])
    sentence = say("grid.sentence", rows=len(rows), columns=len(data["columns"]))
    return describe_table(sentence, axes, columns, rows, compared, marked, more)


def describe_vector_rows(data: Mapping) -> Description:
    """Return the description of vectors in rows: a column for each number."""
    width = max((len(row["cells"]) for row in data["rows"]), default=0)
    columns = [say("column.vector"), *(number_of(at) for at in range(width))]
    names = tell_apart([row["name"] for row in data["rows"]])
    rows = [
        [name, *map(number_cell, row["cells"]), *([""] * (width - len(row["cells"])))]
        for name, row in zip(names, data["rows"], strict=True)
    ]
    compared = compare_all(say("column.value"), columns, rows)
    columns.append(say("column.note"))
    notes = [" ".join(filter(None, (row["note"], row["text"]))) for row in data["rows"]]
    rows = [[*row, note] for row, note in zip(rows, notes, strict=True)]
    marked = [name for name, row in zip(names, data["rows"], strict=True) if row["kind"] == "total"]
    sentence = say("vector_rows.sentence", rows=len(rows), numbers=width)
    return describe_table(
        sentence, say("vector_rows.axes"), columns, rows, compared, marked, below(data["sum"])
    )


def describe_batch(data: Mapping) -> Description:
    """Return the description of a batch's similarities: a row for each picture, a column for each sentence."""
    names = [say("batch.picture", number=at + 1) for at in range(len(data["products"]))]
    columns = [say("column.picture"), *(say("batch.sentence", number=at + 1) for at in range(len(names)))]
    rows = [
        [name, *map(number_cell, products)] for name, products in zip(names, data["products"], strict=True)
    ]
    compared = compare_all(say("column.similarity"), columns, rows)
    columns.append(say("column.loss"))
    rows = [[*row, number_cell(loss)] for row, loss in zip(rows, data["rows"], strict=True)]
    terms = [f"{each['words']}: {number_cell(each['share']).text}" for each in data["terms"]]
    opened = [say("written", name=data["heading"], text="; ".join(terms))] if terms else []
    more = [*opened, *below(data["sum"])]
    sentence = say("batch.shown", pictures=len(names))
    return describe_table(sentence, say("batch.axes"), columns, rows, compared, more=more)


def describe_staircase(data: Mapping) -> Description:
    """Return the description of a window as training examples, an example a row."""
    kinds = {each["kind"]: each["text"] for each in data["key"]}
    width = len(data["widths"])
    columns = [
        say("column.example"),
        *(number_of(at) for at in range(width)),
        *(side["title"] for side in data["sides"]),
    ]
    rows, compared = [], {}
    for at, row in enumerate(data["rows"]):
        cells = [
            say("cell", text=cell["text"], kind=kinds[cell["kind"]])
            if cell["text"] and cell["kind"] in kinds
            else cell["text"]
            for cell in row["cells"]
        ]
        name = row["name"] or number_of(at)
        target = [cell["text"] for cell in row["cells"] if cell["kind"] in ("target", "leak")]
        told = " ".join([name, *target]) if target else name
        sides = []
        for side in data["sides"]:
            number = side["bars"][at] if side["bars"] else numeral(side["texts"][at]).number
            sides.append(told_cell(side["texts"][at], number))
            compared.setdefault(side["title"], []).append((sides[-1], told))
        rows.append([told, *cells, *sides])
    lit = [rows[at][0] for at, row in enumerate(data["rows"]) if row["lit"]]
    sentence = say("staircase.sentence", rows=len(rows))
    return describe_table(sentence, "", columns, rows, compared, lit, below(data["sum"]))


def describe_two_streams(data: Mapping) -> Description:
    """Return the description of a bidirectional language model: a row for each layer, a column for each word."""
    columns = (say("column.layer"), *tell_apart(data["words"]))
    rows = []
    for layer, name in enumerate(data["layers"]):
        tags = [say("two_streams.vector")] * len(data["words"])
        if data["tags"]:
            tags = [" ".join(filter(None, (each["text"], each["p"]))) for each in data["tags"][layer]]
        rows.append((name, *tags))
    more = []
    if data["at"] >= 0:
        before, after = data["words"][: data["at"] + 1], data["words"][data["at"] :]
        more.append(say("two_streams.inputs", word=data["words"][data["at"]], before=before, after=after))
    sentence = say(f"two_streams.{data['layout']}", words=len(data["words"]), streams=data["streams"])
    marked = [columns[at + 1] for at in data["chosen"]]
    return describe_table(sentence, "", columns, rows, marked=marked, more=more)


def describe_concordance(data: Mapping) -> Description:
    """Return the description of a concordance, a line a row."""
    titles = data["titles"]
    columns = (say("column.line"), titles["before"], titles["word"], titles["after"], say("column.source"))
    rows = [
        (
            number_of(at),
            " ".join(each["before"]),
            HIDDEN if data["hidden"] else each["word"],
            " ".join(each["after"]),
            each["note"],
        )
        for at, each in enumerate(data["lines"])
    ]
    return describe_table(say("concordance.sentence", lines=len(rows)), "", columns, rows)


def describe_text_parts(data: Mapping) -> Description:
    """Return the description of parts of a text, a line a row, or of whole texts to be compared, a text a row."""
    if all("text" in panel for panel in data["panels"]):
        return describe_compared_texts(data["panels"])
    columns = (say("column.line"), say("column.panel"), say("column.note"))
    rows = [
        (
            line["text"],
            panel["title"],
            " ".join(filter(None, (say(f"text_parts.{line['kind']}"), line["tag"]))),
        )
        for panel in data["panels"]
        for line in panel["lines"]
    ]
    shares = [(each["mark"].rpartition(".")[2], each["share"]) for each in data["strip"]]
    more = [say("text_parts.share", name=name, share=share) for name, share in shares]
    titles = [cut_text(panel["title"]) for panel in data["panels"]]
    return describe_table(say("text_parts.sentence", titles=titles), "", columns, rows, more=more)


def describe_compared_texts(panels: Sequence[Mapping]) -> Description:
    """Return the description of whole texts, a text a row, with how far they agree."""
    texts = [" ".join(panel["text"].split()) for panel in panels]
    told = [
        say("text_parts.whole", title=panel["title"], text=cut_text(text))
        for panel, text in zip(panels, texts, strict=True)
    ]
    agreed = sum(1 for _ in takewhile(lambda each: len(set(each)) == 1, zip(*texts, strict=False)))
    equal = len(set(texts)) == 1
    more = [say("text_parts.agreed", characters=agreed, equal=equal)] if len(texts) > 1 else []
    columns = (say("column.version"), say("column.text"))
    rows = [(panel["title"], text) for panel, text in zip(panels, texts, strict=True)]
    return describe_table(" ".join(told), "", columns, rows, more=more)
