"""Pictures of texts: a text and its targets, surprisal by character, two orders, lists of words, pieces of a word."""

from __future__ import annotations

from collections.abc import Mapping

from core.descriptions.description import (
    HIDDEN,
    Cell,
    Description,
    below,
    describe_table,
    number_cell,
    number_of,
    numeral,
    say,
    told_cell,
)
from core.words.numbers import percent


def describe_shifted_text(data: Mapping) -> Description:
    """Return the description of a text and its targets, a position a row."""
    labels = data["labels"]
    columns = [say("column.position"), labels["x"], labels["y"], labels["loss"]]
    if data["before"]:
        columns.append(labels["before"])
    rows, losses, others = [], [], []
    for at, each in enumerate(data["columns"]):
        target = HIDDEN if each["y"] is None else each["y"]
        loss = number_cell(each["loss"], each["number"])
        row = [number_of(at), HIDDEN if each["x"] is None else each["x"], target, loss]
        losses.append((loss, say("shifted_text.at", number=at + 1, target=target)))
        if data["before"]:
            row.append(number_cell(each["before"]))
            others.append((row[-1], losses[-1][1]))
        rows.append(row)
    compared = {labels["loss"]: losses, labels["before"]: others}
    marked = [] if data["at"] is None else [losses[data["at"]][1]]
    more = [data["mean"]["text"]] if data["mean"] else []
    sentence = say("shifted_text.sentence", positions=len(rows))
    return describe_table(sentence, "", columns, rows, compared, marked, more)


def describe_surprisal_lines(data: Mapping) -> Description:
    """Return the description of a text by surprisal: a row for each character, a column for each model."""
    models, key = data["rows"], data["key"]
    columns = (say("column.character"), *(row["name"] for row in models))
    length = max((len(row["cells"]) for row in models), default=0)
    rows, compared = [], {row["name"]: [] for row in models}
    for at in range(length):
        texts = [row["cells"][at]["text"] if at < len(row["cells"]) else "" for row in models]
        name = say("surprisal_lines.at", number=at + 1, text=texts[0] or "".join(texts))
        cells = []
        for row, text in zip(models, texts, strict=True):
            if at >= len(row["cells"]):
                cells.append(Cell(""))
                continue
            share = row["cells"][at]["share"]
            written = percent(share, 0)
            cells.append(Cell(written if text == texts[0] else say("cell", text=written, kind=text), share))
            compared[row["name"]].append((cells[-1], name))
        rows.append([name, *cells])
    more = [say("written", name=row["name"], text=row["note"]) for row in models if row["note"]]
    for row in models:
        for each in row["frames"]:
            held = "".join(cell["text"] for cell in row["cells"][each["from"] : each["to"] + 1])
            more += [say("surprisal_lines.frame", model=row["name"], text=held.strip(), cost=each["text"])]
    marked = [row["name"] for row in models if row["best"]]
    axes = say("surprisal_lines.axes", label=key["label"], least=key["least"], most=key["most"])
    sentence = say("surprisal_lines.sentence", models=len(models), characters=length)
    return describe_table(sentence, axes, columns, rows, compared, marked, more)


def describe_two_orders(data: Mapping) -> Description:
    """Return the description of tokens in two orders: a row for each token of each line."""
    rows, compared, marked = [], {}, []
    for number, line in enumerate(data["lines"], start=1):
        bars, strips = line["bars"], line["cells"]
        name = say("two_orders.line", number=number)
        measure = say("two_orders.measure", line=name, title=bars["title"]) if bars else ""
        for at, token in enumerate(line["tokens"]):
            value = Cell("")
            if bars:
                each = bars["values"][at]
                value = number_cell(each["value"], each["text"])
                compared.setdefault(measure, []).append((value, token["text"]))
            elif strips:
                value = Cell(", ".join(number_cell(each).text for each in strips["values"][at]))
            rows.append((token["text"], name, value, token["note"]))
            marked += [token["text"]] if token["on"] else []
    titles = [part["title"] for line in data["lines"] for part in (line["bars"], line["cells"]) if part]
    columns = (
        say("column.token"),
        say("column.line"),
        titles[0] if titles else say("column.value"),
        say("column.note"),
    )
    more = [
        say("written", name=say("two_orders.line", number=number), text=line["name"])
        for number, line in enumerate(data["lines"], start=1)
        if line["name"]
    ]
    sentence = say("two_orders.sentence", tokens=len(data["lines"][0]["tokens"]) if data["lines"] else 0)
    return describe_table(sentence, "", columns, rows, compared, marked, more)


def describe_word_board(data: Mapping) -> Description:
    """Return the description of lists of words: a row for each list, a column for each place in it."""
    width = max((len(row["words"]) for row in data["rows"]), default=0)
    levels = {each["level"]: each["text"] for each in data["key"]}
    columns = (say("column.list"), *(number_of(at) for at in range(width)), say("column.note"))
    rows, full = [], []
    for row in data["rows"]:
        cells = []
        for word in row["words"]:
            notes = "; ".join(filter(None, (levels.get(word["level"]), word["note"])))
            cells.append(say("cell", text=word["text"], kind=notes) if notes else word["text"])
            full += [word["text"]] if word["level"] == 2 else []
        rows.append([row["name"], *cells, *([""] * (width - len(cells))), row["note"]])
    more = (
        [say("word_board.level", level=levels[2], words=list(dict.fromkeys(full)))]
        if full and 2 in levels
        else []
    )
    sentence = say("word_board.sentence", lists=len(rows), asked=data["asked"])
    return describe_table(sentence, "", columns, rows, more=more)


def describe_word_pieces(data: Mapping) -> Description:
    """Return the description of a word's n-grams, each with its number, and of the words nearest to it."""
    kinds = {each["kind"]: each["text"] for each in data["key"]}
    columns = (say("column.piece"), say("column.panel"), say("column.value"), say("column.note"))
    measure = say("word_pieces.pieces")
    rows, compared, marked = [], {}, []
    for row in data["rows"]:
        for chip in row["chips"]:
            cell = numeral(chip["value"])
            rows.append((chip["text"], row["name"], cell, kinds.get(chip["kind"], "")))
            compared.setdefault(measure, []).append((cell, chip["text"]))
    for side in data["sides"]:
        for each in side["rows"]:
            cell = told_cell(each["value"], each["share"])
            rows.append((each["name"], side["title"], cell, ""))
            compared.setdefault(side["title"], []).append((cell, each["name"]))
            marked += [each["name"]] if each["kind"] == "best" else []
    word = "".join(each["text"] for each in data["letters"] if not each["edge"])
    totals = [say("written", name=row["name"], text=row["total"]) for row in data["rows"] if row["total"]]
    empty = [each["empty"] for each in data["sides"] if not each["rows"] and each["empty"]]
    if not data["rows"]:
        empty.append(data["empty"])
    sentence = say("word_pieces.sentence", word=word, pieces=sum(len(row["chips"]) for row in data["rows"]))
    more = [*totals, *empty, *below(data["sum"])]
    return describe_table(sentence, "", columns, rows, compared, marked, more)
