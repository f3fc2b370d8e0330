"""Pictures of images: patches with what lies over them, captions word by word, and scenes in an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.descriptions.description import (
    Cell,
    Description,
    describe_table,
    number_cell,
    numeral,
    say,
)
from core.figures.packed import unpacked
from core.words.numbers import percent

CHANNELS = 3
BRIGHTEST = 255
END = "<end>"  # what a captioner writes last, which is no part of its caption
LEAST_TOLD = 0.001  # the smallest probability of a word that is told


def brightness_of(pixels: str, side: int, across: int) -> np.ndarray:
    """Return the mean brightness of each patch of an image, from 0 to 1, row after row.

    >>> from base64 import b64encode
    >>> brightness_of(b64encode(bytes([255] * 6 + [0] * 6)).decode(), 2, 2).tolist()
    [1.0, 1.0, 0.0, 0.0]
    """
    image = unpacked(pixels, "u1").reshape(side, side, CHANNELS)
    size = side // across
    patches = image.reshape(across, size, across, size, CHANNELS)
    return patches.mean((1, 3, 4)).ravel() / BRIGHTEST


def name_patches(across: int) -> list[str]:
    """Return the name of each place of a grid of patches: its row and column."""
    return [say("patch", row=row + 1, column=column + 1) for row in range(across) for column in range(across)]


def describe_patches(data: Mapping) -> Description:
    """Return the description of an image in patches: how bright each is, and what lies over it in each copy."""
    across, panels = data["across"], data["panels"]
    order = data.get("order") or list(range(across**2))
    bright = brightness_of(data["pixels"], data["side"], across)[order]
    hidden = [order.index(each) for each in data["hidden"] if each in order]
    shown = [each for each in panels if each["values"] is not None]
    columns = (
        say("column.patch"),
        say("column.brightness"),
        *(each["title"] or say("column.value") for each in shown),
    )
    names = name_patches(across)
    rows = []
    for at, name in enumerate(names):
        dark = at in hidden
        first = Cell(say("patches.hidden")) if dark else Cell(percent(bright[at], 0), float(bright[at]))
        rows.append([name, first, *(number_cell(each["values"][order[at]]) for each in shown)])
    marked = [names[order.index(data["chosen"])]] if data["chosen"] >= 0 else []
    titles = [each["title"] for each in panels if each["title"]]
    more = [say("patches.titles", titles=titles)] if titles else []
    sentence = say("patches.sentence", across=across, hidden=len(hidden))
    if order != sorted(order):
        more.append(say("patches.moved"))
    return describe_table(sentence, say("patches.axes"), columns, rows, marked=marked, more=more)


def sizes_at(values: str, words: Sequence[str], step: int, patches: int) -> np.ndarray:
    """Return the size of each patch's square at one word of a caption."""
    return unpacked(values).reshape(-1, patches)[min(step, max(0, len(words) - 1))]


def describe_captions(data: Mapping) -> Description:
    """Return the description of an image captioned word by word, at the word that is shown: a patch a row."""
    across, step = data["across"], data["start"]
    names = name_patches(across)
    bright = brightness_of(data["pixels"], data["side"], across)
    columns = [say("column.patch"), say("column.brightness")]
    rows = [[name, Cell(percent(each, 0), float(each))] for name, each in zip(names, bright, strict=True)]
    more = tell_captions(data["columns"], step)
    for column in data["columns"]:
        sizes = sizes_at(column["values"], column["words"], step, across**2) if column["values"] else []
        if np.any(sizes):
            columns.append(column["title"] or say("column.value"))
            for place, row in enumerate(rows):
                gone = place in data["hidden"] or np.isnan(sizes[place])
                row.append(Cell(say("patches.hidden")) if gone else number_cell(float(sizes[place])))
    marked = [names[data["chosen"]]] if data["chosen"] >= 0 else []
    sentence = say("captions.sentence", captions=len(data["columns"]), patches=len(names))
    return describe_table(sentence, say("patches.axes"), columns, rows, marked=marked, more=more)


def tell_captions(columns: Sequence[Mapping], step: int) -> list[str]:
    """Return each caption with its current word, after the models that wrote it, and what each predicted for the word."""
    named, wrong, likely = {}, [], []
    for column in columns:
        words, name = column["words"], column.get("name", "")
        if words:
            named.setdefault(tuple(words), []).append(name)
        if column["wrong"] >= 0:
            wrong.append(say("captions.wrong", name=name, word=words[column["wrong"]]))
        if column["likeliest"]:
            at = min(step, len(column["likeliest"]) - 1)
            told = tell_likeliest(column["likeliest"][at])
            likely.append(say("captions.likeliest", name=name, number=at + 1, **told))
    said = []
    for words, names in named.items():
        at = min(step, len(words) - 1)
        text = " ".join(words[:-1] if words[-1] == END and len(words) > 1 else words)
        names = list(filter(None, names))
        values = {"text": text, "word": words[at], "number": at + 1, "count": len(words)}
        said.append(say("captions.said", names=names, **values))
    return [*said, *wrong, *likely]


def tell_likeliest(likeliest: Sequence[tuple[str, float]]) -> dict[str, object]:
    """Return the most probable words, each with its probability, and how many others have less than is written.

    >>> tell_likeliest([["two", 0.9999997], ["a", 3e-07], ["three", 0.0]])
    {'words': ['“two” more than 99.9%'], 'others': 2}
    """
    told = [(word, p) for at, (word, p) in enumerate(likeliest) if not at or p >= LEAST_TOLD]
    words = [say("captions.word", word=word, p=percent(p)) for word, p in told]
    return {"words": words, "others": len(likeliest) - len(told)}


def describe_ranked_scenes(data: Mapping) -> Description:
    """Return the description of small images in an order, an image a row."""
    measure = data.get("measure", "")
    columns = (
        say("column.picture"),
        say("column.caption"),
        measure or say("column.value"),
        say("column.true"),
    )
    rows, marked, compared = [], [], []
    for scene in data["scenes"]:
        truth = say("yes") if scene["true"] else ""  # what is false is drawn as what nobody knows yet
        name = scene["name"].rstrip(".") or say("batch.picture", number=scene["number"])
        caption, number = scene.get("caption", ""), numeral(scene["line"])
        rows.append((name, caption, number, truth))
        compared.append((number, say("ranked_scenes.named", name=name, caption=caption)))
        marked += [name] if scene["chosen"] else []
    ordered = {"measure": measure, "text": data.get("sentence", "")}
    sentence = say("ranked_scenes.sentence", scenes=len(rows), **ordered)
    said = [say("ranked_scenes.caption", text=each) for each in data.get("said", ())]
    more = [] if measure else [*said, data["note"]]  # of scenes in an order the sentence says it
    return describe_table(sentence, "", columns, rows, {columns[2]: compared}, marked, more)
