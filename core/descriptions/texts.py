"""Pictures of texts: a text and its targets, surprisal, two orders, lists of words, pieces of a word, tags, gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.descriptions.description import (
    HIDDEN,
    ROWS_AT_MOST,
    TEXT_AT_MOST,
    Cell,
    Description,
    below,
    cut_text,
    describe_table,
    end_sentence,
    number_cell,
    number_of,
    numeral,
    say,
    told_cell,
)
from core.words.numbers import format_number, percent, probability

BEFORE = 16  # characters of left context that are told at most, as in the view
AROUND = 12  # words of a text on either side of a gap that are told
MASK = "<mask>"
SPACE = "␣"


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
    heads = [say("word_board.place", number=number_of(at)) for at in range(width)]
    columns = (say("column.list"), *heads, say("column.note"))
    counts = Counter(each for row in data["rows"] for each in {word["text"] for word in row["words"]})
    counts.pop(HIDDEN, None)
    lists = len(data["rows"])
    rows, full = [], []
    for row in data["rows"]:
        cells = []
        for word in row["words"]:
            text, note = word["text"], levels.get(word["level"])
            if word["note"] == f"{counts[text]}/{lists}":
                cells.append(say("word_board.in", text=text, count=counts[text], lists=lists))
            else:
                notes = "; ".join(filter(None, (note, word["note"])))
                cells.append(say("cell", text=text, kind=notes) if notes else text)
            full += [word["text"]] if word["level"] == 2 else []
        rows.append([row["name"], *cells, *([""] * (width - len(cells))), row["note"]])
    more = (
        [say("word_board.level", level=levels[2], words=list(dict.fromkeys(full)))]
        if full and 2 in levels
        else []
    )
    most = max(counts.values(), default=0)
    if not full and lists > 2 and most > 1:
        shared = [word for word, count in counts.items() if count == most]
        more.append(say("word_board.shared", words=shared, count=most, lists=lists))
    sentence = say("word_board.sentence", lists=len(rows), asked=data["asked"])
    return describe_table(sentence, "", columns, rows, more=more)


def describe_word_pieces(data: Mapping) -> Description:
    """Return the description of a word's n-grams, each with its number, and of the words nearest to it."""
    kinds = {each["kind"]: each["text"] for each in data["key"]}
    columns = (
        say("column.piece"),
        say("column.panel"),
        data.get("measure") or say("column.value"),
        say("column.similarity"),
        say("column.note"),
    )
    measure = data.get("measure") or say("word_pieces.pieces")
    rows, compared, marked = [], {}, []
    for row in data["rows"]:
        for chip in row["chips"]:
            cell = numeral(chip["value"])
            rows.append((chip["text"], row["name"], cell, "", kinds.get(chip["kind"], "")))
            compared.setdefault(measure, []).append((cell, chip["text"]))
    for side in data["sides"]:
        for each in side["rows"]:
            cell = told_cell(each["value"], each["share"])
            rows.append((each["name"], side["title"], "", cell, ""))
            compared.setdefault(side["title"], []).append((cell, each["name"]))
            marked += [each["name"]] if each["kind"] == "best" else []
    word = "".join(each["text"] for each in data["letters"] if not each["edge"])
    totals = [say("written", name=row["name"], text=row["total"]) for row in data["rows"] if row["total"]]
    empty = [
        say("written", name=each["title"], text=each["empty"])
        for each in data["sides"]
        if not each["rows"] and each["empty"]
    ]
    if not data["rows"]:
        empty.append(data["empty"])
    sentence = say("word_pieces.sentence", word=word, pieces=sum(len(row["chips"]) for row in data["rows"]))
    more = [*totals, *empty, *below(data["sum"])]
    return describe_table(sentence, "", columns, rows, compared, marked, more)


def describe_tagged_text(data: Mapping) -> Description:
    """Return the description of tagged lines, a word a row; a tag that another tagger gives is told where it differs."""
    words = [(number, each) for number, line in enumerate(data["sentences"], start=1) for each in line]
    several = len(data["sentences"]) > 1
    rows = []
    for number, each in words:
        notes = [say("tag_cards.unseen")] if each["unseen"] else []
        notes += [say("tagged_text.differs", tag=each["differs"])] if each["differs"] else []
        rows.append((each["word"], each["tag"], str(number) if several else "", "; ".join(notes)))
    columns = (say("column.word"), say("column.tag"), say("column.line"), say("column.note"))
    at = data["chosen"]
    more = (
        [say("tagged_text.chosen", number=at + 1, word=rows[at][0], tag=rows[at][1])]
        if 0 <= at < len(rows)
        else []
    )
    unseen = list(dict.fromkeys(each["word"] for _, each in words if each["unseen"]))
    others = [f"{each['word']} {each['tag']} ({each['differs']})" for _, each in words if each["differs"]]
    more += [say("tagged_text.unseen", words=unseen)] if unseen else []
    more += [say("tagged_text.others", words=others)] if others else []
    told = say("tagged_text.sentence", words=len(words), lines=len(data["sentences"]))
    label = data.get("label", "")
    sentence = f"{end_sentence(label)} {told}" if label else told
    return describe_table(sentence, say("tagged_text.axes"), columns, rows, more=more)


def describe_surprise_text(data: Mapping) -> Description:
    """Return the description of a text by one model's surprisal, and of what each model gives the first character.

    A row is a character; of a long text it is a word, and its bits are the sum over its characters. Of each character
    that a sentence names, the left context is told.
    """
    models, shown = data["models"], [SPACE if each == " " else each for each in data["characters"]]
    pairs = zip(data["characters"], data["breaks"], strict=False)
    plain = "".join(" " if ends else each for each, ends in pairs)
    words = len(shown) > ROWS_AT_MOST
    runs = word_runs(data) if words else [range(at, at + 1) for at in range(len(shown))]
    rows, compared = [], []
    for number, run in enumerate(runs, start=1):
        text = "".join(shown[at] for at in run)
        text = text.rstrip(SPACE) or text
        cells = [bits_cell(sum(model["bits"][at] for at in run)) for model in models]
        left = left_of(plain, run.start)
        rows.append([say("surprisal_lines.at", number=number, text=text), *cells])
        compared += [(cells[0], say("after", token=text, text=left))] if cells else []
    names = [each["name"] for each in models]
    more = []
    if models:
        means = [f"{each['name']} {format_number(each['mean'])}" for each in models]
        more.append(say("surprise_text.means", means=means))
    if models and shown:
        told = [f"{each['name']} {probability(2 ** -each['bits'][0])}" for each in models]
        more.append(say("surprise_text.asked", character=shown[0], models=told))
    more += [say("surprise_text.words")] if words else []
    text = plain.strip() if len(plain) <= TEXT_AT_MOST else f"{plain[:TEXT_AT_MOST].rstrip()}…"
    sentence = say("surprise_text.sentence", characters=len(shown), model="".join(names[:1]), text=text)
    columns = (say("column.word" if words else "column.character"), *names)
    measure = say("surprise_text.measure", model="".join(names[:1]), words=words)
    axes = say("surprise_text.axes", full=format_number(data["full"], 0))
    return describe_table(sentence, axes, columns, rows, {measure: compared}, more=more)


def left_of(text: str, place: int) -> str:
    """Return the left context of a place, from the beginning of a word where it has one.

    >>> left_of("photographs of the streets of Cairo", 30), left_of("to be", 3), left_of("internationalization", 18)
    ('the streets of', 'to', 'ternationalizati')
    """
    first = max(0, place - BEFORE)
    left = text[first:place]
    whole = left.partition(" ")[2] if first and text[first - 1] != " " else left
    return whole.strip() or left.strip()


def word_runs(data: Mapping) -> list[range]:
    """Return the places of each word's characters; a space and a line's end belong to the word before.

    >>> word_runs({"characters": ["a", " ", "b", "c"], "breaks": [False] * 4})
    [range(0, 2), range(2, 4)]
    """
    characters, breaks = data["characters"], data["breaks"]
    ends = [
        at + 1
        for at, each in enumerate(characters)
        if breaks[at] or (each == " " and characters[at + 1 : at + 2] != [" "])
    ]
    ends += [len(characters)] if characters and ends[-1:] != [len(characters)] else []
    return [range(first, last) for first, last in zip([0, *ends], ends, strict=False)]


def bits_cell(bits: float) -> Cell:
    """Return a cell of bits with two decimals, as the view writes them."""
    return Cell(format_number(bits), bits)


def describe_gaps(data: Mapping) -> Description:
    """Return the description of a text with masked words: both models' tokens for the gap at its step.

    Before a guess no gap is sent, and the table is the text. What a mask hides is never read from the words: only a
    gap tells it.
    """
    hidden = [at for at, each in enumerate(data["words"]) if each["masks"]]
    gaps = data["gaps"]
    if not gaps:
        columns = (say("column.position"), say("column.word"), say("column.note"))
        rows = [
            (number_of(at), show_word(each), say("masked") if each["masks"] else "")
            for at, each in enumerate(data["words"])
        ]
        return describe_table(gaps_sentence(data, hidden, hidden[:1]), "", columns, rows)
    gap = gaps[max(0, min(data["start"], len(gaps) - 1))]
    rows, compared, ranks = [], {}, []
    for model in gap["models"]:
        for each in model["rows"]:
            cell = told_cell(each["text"], each["p"])
            note = say("gaps.own") if each["hidden"] else ""
            rows.append((each["token"], model["name"], cell, Cell(str(each["rank"])), note))
            compared.setdefault(model["name"], []).append((cell, each["token"]))
            if each["hidden"]:
                ranks.append(say("gaps.ranks", model=model["name"], **each))
    more = [*ranks, *describe_guesses(data, gap, hidden)]
    sentence = f"{gaps_sentence(data, hidden, [gap['word']])} {end_sentence(gap['said'])}"
    columns = (
        say("column.token"),
        say("gaps.model"),
        say("column.probability"),
        say("gaps.rank"),
        say("column.note"),
    )
    return describe_table(sentence, say("gaps.axes"), columns, rows, compared, more=more)


def gaps_sentence(data: Mapping, hidden: Sequence[int], near: Sequence[int]) -> str:
    """Return how many words are masked, and the text with its masks; of a long text what is near a gap."""
    words = data["words"]
    text = " ".join("".join(map(show_word, words)).replace(SPACE, " ").split())
    if near and cut_text(text) != text:
        first, last = max(0, near[0] - AROUND), near[0] + AROUND + 1
        text = " ".join("".join(map(show_word, words[first:last])).replace(SPACE, " ").split())
        text = f"{'…' if first else ''}{text}{'…' if last < len(words) else ''}"
    else:
        text = cut_text(text)
    marks = sum(not each["masks"] and not any(map(str.isalnum, each["word"])) for each in words)
    values = {"words": len(words) - marks, "marks": marks, "hidden": len(hidden)}
    return end_sentence(say("gaps.sentence", **values, text=text))


def show_word(word: Mapping) -> str:
    """Return a word as it is seen: its masks where it is hidden.

    >>> show_word({"word": "␣king", "masks": 0}), show_word({"word": "␣playing", "masks": 2})
    ('␣king', '␣<mask>␣<mask>')
    """
    return f"{SPACE}{MASK}" * word["masks"] if word["masks"] else word["word"]


def describe_guesses(data: Mapping, gap: Mapping, hidden: Sequence[int]) -> list[str]:
    """Return what each model puts into each masked word, where there are several gaps."""
    names = {each["hue"]: each["name"] for each in gap["models"]}
    if len(data["gaps"]) < 2:
        return []
    told = []
    for at in hidden:
        guesses = [
            say("written", name=names.get(hue, hue), text=text) for hue, text in data["words"][at]["guesses"]
        ]
        told.append(say("gaps.word", number=at + 1, guesses=guesses))
    return [say("gaps.guesses", words=told)]
