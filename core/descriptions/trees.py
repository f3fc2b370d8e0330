"""Trees of texts that a learner grows, and the steps of a beam search: a row for each token."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.descriptions.description import (
    Cell,
    Description,
    describe_table,
    number_in,
    numeral,
    say,
    told_cell,
)
from core.words.numbers import plain_number

SPACE = "␣"  # how a space is written in a token
BLANKS = f" {SPACE}"
CUT = "…"
CONTEXT = 32  # characters of a left context that are told
TEXT_TOLD = 64  # characters of a text of which a row or an end is
WHOLE_TOLD = 160  # characters of the best text
ENDS_TOLD = 6  # ends of texts that a sentence tells
WITH_POWER = re.compile(r"\d(\.\d+)?e-\d+")  # as a picture writes a small probability
NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?")  # as `signed` writes it among words
_, TOKEN, P, LN_P, SCORE, UNTIL, TEXT = range(7)  # of a beam's candidate


def describe_generation_tree(data: Mapping) -> Description:
    """Return the description of a tree of texts, or of the step of a beam search at which the view begins."""
    if data.get("beam"):
        return describe_beam(data)
    nodes, runs = data["nodes"], bool(data.get("most"))  # runs: a box is many tokens, with their ln p
    texts = texts_of(nodes)
    measure = say("generation_tree.total" if runs else "column.probability")
    columns = (
        say("column.token"),
        say("column.after"),
        measure,
        say("column.note"),
        say("generation_tree.whole"),
        say("generation_tree.end"),
    )
    rows, compared, ends = read_nodes(nodes, texts, runs)
    choices = data["choices"]
    chosen = texts[data["opened"] :][:1] if data["opened"] is not None else ()
    opened = last_of(chosen[0]) if chosen else None
    more = [say("generation_tree.opened", text=opened)] if opened is not None else []
    more += [say("generation_tree.ends", texts=[each for *_, each in ends], told=ENDS_TOLD)] if ends else []
    if choices:
        listed = [say("generation_tree.choice", **row) for row in choices["rows"]]
        heads = {each: choices[each] for each in ("title", "head", "rest")}
        more.append(say("generation_tree.choices", choices=listed, **heads))
        for row in choices["rows"]:
            if not row["taken"]:
                number = numeral(row["numbers"][0] if row["numbers"] else "")
                rows.append((row["token"], opened or "", number, say("generation_tree.candidate"), "", ""))
    sentence = say("generation_tree.sentence", tokens=max(0, len(nodes) - 1), ends=len(ends), runs=runs)
    found = {measure: compared, columns[4]: [(cell, text) for cell, text, _ in ends]}
    rows = rows or [(node["token"], *[""] * (len(columns) - 1)) for node in nodes]
    axes = say("generation_tree.runs.axes" if runs else "generation_tree.axes")
    return describe_table(sentence, axes, columns, rows, found, more=more)


def read_nodes(
    nodes: Sequence[Mapping], texts: Sequence[str], runs: bool
) -> tuple[list[tuple], list[tuple[Cell, str]], list[tuple[Cell, str, str]]]:
    """Return a row for each token, what is compared of them, and of each whole text its ln p, its end, and both in words."""
    rows, compared, ends = [], [], []
    for node, text in zip(nodes, texts, strict=True):
        if node["parent"] < 0:
            continue
        before = texts[node["parent"]]
        cell = total_of(node["chance"]) if runs else told_cell(node["chance"], node["p"])
        total = total_of(node["end"][1]) if node["end"] else Cell("")
        way = say(f"generation_tree.{'searched' if node['kind'] == 'beam' else node['kind']}")
        end = ", ".join(filter(None, node["end"] or ()))
        rows.append((node["token"], last_of(before), cell, way, total, end))
        token, told = last_of(node["token"], TEXT_TOLD), last_of(text, TEXT_TOLD)
        if not (runs and node["end"]):  # the ln p of a whole text is told as such
            name = say("after", token=token, text=last_of(before)) if before else token
            compared.append((cell, name))
        if node["end"]:
            ends.append((total, told, say("cell", text=told, kind=end)))
    return rows, compared, ends


def texts_of(nodes: Sequence[Mapping]) -> list[str]:
    """Return the text of each node, from its first token to its own; that of the prompt is empty.

    Tokens that hold their own spaces stand close together, as do single characters; words stand apart.

    >>> texts_of([{"parent": -1, "token": "prompt"}, {"parent": 0, "token": "I␣"}, {"parent": 1, "token": "am"}])
    ['', 'I␣', 'I␣am']
    >>> texts_of([{"parent": -1, "token": "prompt"}, {"parent": 0, "token": "the"}, {"parent": 1, "token": "cat"}])
    ['', 'the', 'the cat']
    """
    glue = glue_of([node["token"] for node in nodes if node["parent"] >= 0])
    texts: list[str] = []
    for node in nodes:
        before = texts[node["parent"]] if 0 <= node["parent"] < len(texts) else ""
        texts.append(glue.join(filter(None, (before, node["token"]))) if node["parent"] >= 0 else "")
    return texts


def glue_of(tokens: Sequence[str]) -> str:
    """Return what stands between the tokens of a text: a space between words, nothing where tokens hold their spaces.

    >>> glue_of(["the", "cat"]), glue_of(["␣the", "␣cat"]), glue_of(["t", "h", "e"])
    (' ', '', '')
    """
    return "" if any(SPACE in each for each in tokens) or all(len(each) <= 1 for each in tokens) else " "


def last_of(text: str, most: int = CONTEXT) -> str:
    """Return the end of a text, where it is long: from a word's beginning where there is one.

    >>> last_of("abc"), last_of("a" * 40) == "…" + "a" * 32, last_of("we have done what you have", 16)
    ('abc', True, '… what you have')
    """
    if len(text) <= most:
        return text
    left, tail = text[-most - 1], text[-most:]
    whole = tail if left in BLANKS else re.split(f"[{BLANKS}]", tail, maxsplit=1)[-1]
    begins = whole.strip(BLANKS) and (left in BLANKS or whole != tail)
    return f"{CUT} {whole.lstrip(BLANKS)}" if begins else f"{CUT}{tail}"


def in_words(text: str) -> str:
    """Return a text with plain spaces between its words; a space at its end is still seen.

    >>> in_words("␣done,␣and␣you"), in_words("that␣"), in_words("␣")
    ('done, and you', 'that␣', '␣')
    """
    if not text.strip(BLANKS):
        return text
    end = SPACE if text.endswith(SPACE) else ""
    return text.strip(BLANKS).replace(SPACE, " ") + end


def total_of(text: str) -> Cell:
    """Return the first number in a text as a cell.

    >>> total_of("ln p −8.39"), total_of("")
    (Cell(text='−8.39', number=-8.39), Cell(text='', number=None))
    """
    found = NUMBER.search(text)
    return Cell(found[0], number_in(found[0])) if found else Cell(text)


def describe_beam(data: Mapping) -> Description:
    """Return the description of one step of a beam search: the tree until then, and the candidates of the step.

    All candidates of the step are rows; of the steps before it those that the tree has room for.
    """
    beam = data["beam"]
    steps, shown = beam["steps"], beam["rows"]
    newest = len(steps) - 1
    at = newest if data.get("predicting") else max(0, min(data.get("start", 0), newest))
    columns = (
        say("generation_tree.text"),
        say("column.step"),
        say("column.token"),
        say("column.probability"),
        say("generation_tree.total"),
        beam.get("score") or say("column.score"),
        say("column.note"),
    )
    if not steps:
        return describe_table(say("generation_tree.no_step"), "", columns, ())
    rows, kept = [], []
    for number, step in enumerate(steps[: at + 1], start=1):
        now = number == at + 1
        for each in step["level"] if now else step["level"][:shown]:
            kind = "pruned" if not each[UNTIL] else "beam" if each[UNTIL] > at else "dropped"
            numbers = [chance_of(each[P]), *(numeral(each[place]) for place in (LN_P, SCORE))]
            text = last_of(in_words(each[TEXT]), TEXT_TOLD)
            rows.append((text, str(number), each[TOKEN], *numbers, say(f"generation_tree.{kind}")))
            kept += [rows[-1]] if now and each[UNTIL] else []
    step = steps[at]
    compared = {
        say("generation_tree.of_kept", measure=columns[place]): [(row[place], row[0]) for row in kept]
        for place in (5, 4)  # the score first, by which they are kept
    }
    more = [tell_best(steps, step["best"])]
    if step["candidates"] > len(step["level"]):
        more.append(say("generation_tree.left", count=step["candidates"] - len(step["level"])))
    numbers = {"number": at + 1, "total": data["total"]}
    sentence = say("generation_tree.step", candidates=step["candidates"], kept=step["kept"], **numbers)
    return describe_table(sentence, say("generation_tree.beam.axes"), columns, rows, compared, more=more)


def chance_of(text: str) -> Cell:
    """Return the cell of a probability, which a picture may write with an e.

    >>> chance_of("6e-5"), chance_of("0.07").text
    (Cell(text='6·10⁻⁵', number=6e-05), '0.07')
    """
    if not WITH_POWER.fullmatch(text):
        return numeral(text)
    return Cell(plain_number(float(text)), float(text))


def tell_best(steps: Sequence[Mapping], best: Sequence[int]) -> str:
    """Return the best text of a step with its score; or with its ln p where that is the score."""
    depth, row = best
    if not 0 < depth <= len(steps) or row >= len(steps[depth - 1]["level"]):
        return ""
    found = steps[depth - 1]["level"][row]
    scored = bool(found[SCORE])
    text, value = last_of(in_words(found[TEXT]), WHOLE_TOLD), found[SCORE if scored else LN_P]
    return say("generation_tree.best", text=text, scored=scored, value=value)
