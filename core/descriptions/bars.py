"""Pictures whose marks are bars: each bar is a row, each panel or measure a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from core.descriptions.description import (
    Cell,
    Description,
    below,
    cut_text,
    describe_table,
    number_cell,
    number_in,
    number_of,
    numeral,
    say,
    tell_apart,
    told_cell,
)
from core.figures.packed import unpacked
from core.models.generation.sampling import (
    SamplingSettings,
    SamplingTrace,
    distribution,
    draw_next_token,
    misses,
    not_renormalised,
    softmax,
)
from core.words.numbers import format_number, percent, plain_number

WHOLE = 0.1  # a share from here on is written without decimals
CLOSE = 0.05  # by which a rounded number may differ from a bar's length
TOKENS_TOLD = 64  # the most probable ones
UNCHANGED = 1e-8  # by which p may differ from the model's own, as bars.js has it
SAMPLED = ("token", "rank", "z", "scaled", "softmax", "cut", "p", "cumulative", "count")


@dataclass(frozen=True)
class Bar:
    """A bar in words: its name, its number, a note, and whether it stands out."""

    name: str
    cell: Cell
    note: str = ""
    stands_out: bool = False


def describe_panels(
    key: str, panels: Sequence[tuple[str, Sequence[Bar]]], axes: str, more: Sequence[str] = ()
) -> Description:
    """Return the description of panels of bars: (title, bars); `key` is the text of its sentence.

    Panels with the same bars, or most of them, are columns of one table.
    """
    names = [[bar.name for bar in bars] for _, bars in panels]
    titles = [title or say("column.value") for title, _ in panels]
    sentence = say(key, panels=len(panels), bars=sum(map(len, names)))
    marked = [bar.name for _, bars in panels for bar in bars if bar.stands_out]
    unlike = any(each != names[0] for each in names) or len(set(titles)) < len(titles)
    noted = any(bar.note for _, bars in panels for bar in bars)
    if not unlike and panels:
        columns = (say("column.bar"), *titles, *([say("column.note")] if noted else []))
        rows = []
        for at, name in enumerate(names[0]):
            notes = " ".join(filter(None, dict.fromkeys(bars[at].note for _, bars in panels)))
            rows.append([name, *(bars[at].cell for _, bars in panels), *([notes] if noted else [])])
        return describe_table(sentence, axes, columns, rows, marked=marked, more=more)
    if are_alike(names) and len(set(titles)) == len(titles) and not noted:
        rows = merge_panels([bars for _, bars in panels])
        return describe_table(sentence, axes, (say("column.bar"), *titles), rows, marked=marked, more=more)
    columns = (say("column.bar"), say("column.panel"), say("column.value"), say("column.note"))
    rows = [
        (bar.name, title, bar.cell, bar.note)
        for title, (_, bars) in zip(titles, panels, strict=True)
        for bar in bars
    ]
    compared = {}
    for title, (_, bars) in zip(titles, panels, strict=True):
        compared.setdefault(title, []).extend((bar.cell, bar.name) for bar in bars)
    return describe_table(sentence, axes, columns, rows, compared, marked, more)


def are_alike(names: Sequence[Sequence[str]]) -> bool:
    """Return whether at least half of the bars of several panels are in all of them, each once.

    >>> are_alike([["a", "b", "c"], ["b", "a", "d"]]), are_alike([["a", "b"], ["c", "d"]])
    (True, False)
    """
    once = all(len(set(each)) == len(each) for each in names)
    return once and 2 * len(set.intersection(*map(set, names))) >= len(set().union(*names)) > 0


def merge_panels(panels: Sequence[Sequence[Bar]]) -> list[list[Cell | str]]:
    """Return a row for each bar of panels without notes, a column for each panel; a bar may not be in each of them."""
    cells = [{bar.name: bar.cell for bar in bars} for bars in panels]
    names = dict.fromkeys(bar.name for bars in panels for bar in bars)
    return [[name, *(each.get(name, say("bars.absent")) for each in cells)] for name in names]


def describe_layer_bars(data: Mapping) -> Description:
    """Return the description of bars by layer; a bar that begins where another ends is as long as its difference."""
    panels = []
    for panel in data["panels"]:
        moving = len({row["from"] for row in panel["rows"]}) > 1
        bars = [
            Bar(
                row.get("whole") or row["name"],
                told_cell(row["text"], row["to"] - (row["from"] if moving else 0)),
                row["note"],
                row["kind"] == "best",
            )
            for row in panel["rows"]
        ]
        panels.append((panel["title"], bars))
    scales = [
        say("scale", name=each["title"] or say("column.value"), least=each["least"], most=each["most"])
        for each in data["panels"]
        if is_on_scale(each)
    ]
    return describe_panels("bars.sentence", panels, " ".join(scales), below(data["sum"]))


def is_on_scale(panel: Mapping) -> bool:
    """Return whether the numbers at a panel's bars are those of its scale, not percentages or other amounts.

    >>> row = {"from": 0, "to": 0.5, "text": "0.50"}
    >>> is_on_scale({"rows": [row]}), is_on_scale({"rows": [{**row, "text": "50%"}]})
    (True, False)
    """
    texts = [(row["text"], row["to"] - row["from"], row["to"]) for row in panel["rows"]]
    known = [each for each in texts if number_in(each[0]) is not None]
    return bool(known) and all(
        "%" not in text and any(abs(number_in(text) - each) <= CLOSE * max(1, abs(each)) for each in lengths)
        for text, *lengths in known
    )


def describe_next_token(data: Mapping) -> Description:
    """Return the description of the probabilities of the next token, what was drawn, and what was written."""
    more = []
    for panel in data["panels"]:
        line = panel["line"]
        if line and line["u"]:
            names = {row["key"]: row["token"] for row in panel["rows"]} | {
                each["key"]: each["token"] for each in line["segments"]
            }
            hit = names.get(line["u"]["hit"], "")
            more.append(say("next_token.drawn", u=line["u"]["text"], token=hit))
        if line and line["cut"]:
            more.append(say("next_token.cut", text=line["cut"]["text"]))
    texts = [
        (each["label"], each["prompt"] + "".join(piece["text"] for piece in each["pieces"]))
        for each in data["texts"]
    ]
    if not data["panels"]:
        columns = (say("column.text"), say("column.written"))
        return describe_table(say("texts.sentence", texts=len(texts)), "", columns, texts)
    more += [say("written", name=name, text=cut_text(text)) for name, text in texts]
    panels = []
    for panel in data["panels"]:
        bars = []
        for row in panel["rows"]:
            notes = [say("next_token.left_out")] if row["cut"] else []
            if row["before"] is not None and row["before"] != row["p"]:
                notes.append(say("next_token.before", p=number_cell(row["before"]).text))
            cell = Cell(row["text"]) if row["key"] == "rest" else told_cell(row["text"], row["p"])
            bars.append(Bar(row["token"], cell, "; ".join(notes)))
        panels.append((" ".join(filter(None, (panel["prompt"], panel["note"]))), bars))
    return describe_panels("next_token.sentence", panels, say("next_token.axes"), more)


def describe_sampling(data: Mapping) -> Description:
    """Return the description of the next-token distribution with temperature, top-k and top-p, at the step that is shown."""
    V = len(data["tokens"])
    logits = unpacked(data["logits"], "<f8" if data["exact"] else "<f4")
    count = len(logits) // V if V else 0
    at = count - 1 if data["predicting"] else min(data["start"], count - 1)
    columns = tuple(say(f"sampling.{name}") for name in SAMPLED)
    if not count:
        return describe_table(say("sampling.nothing"), "", columns, ())
    chosen = data["settings"]
    temperature = inf if chosen["temperature"] is None else chosen["temperature"]
    settings = SamplingSettings(temperature, chosen["top_k"], chosen["top_p"])
    trace = distribution(logits.reshape(count, V)[at], settings)
    trace = trace if data["renormalise"] else not_renormalised(trace)
    luck = np.array(data["uniforms"])
    drawn = np.bincount([draw_next_token(trace, u) for u in luck[~misses(trace, luck)]], minlength=V)
    u = luck[at] if at < len(luck) else None
    hit = None if u is None or misses(trace, u) else draw_next_token(trace, u)
    names = tell_apart(data["tokens"])
    told = trace.order[:TOKENS_TOLD].tolist()
    told += [hit] if hit is not None and hit not in told else []
    rows = tabulate(trace, drawn, names, told)
    kept = [(row[6], row[0]) for i, row in zip(told, rows, strict=False) if trace.kept[i]]
    compared = {
        columns[6]: kept if len(kept) == trace.kept.sum() else kept[:1]
    }  # of fewer no smallest is known
    more = [
        say("sampling.settings", temperature=f"{temperature:g}", k=settings.top_k, p=f"{settings.top_p:g}"),
        say(
            "sampling.kept",
            kept=int(trace.kept.sum()),
            of=V,
            tail=f"{trace.tail_mass:.4f}",
            entropy=f"{trace.entropy:.3f}",
            total=None if data["renormalise"] else f"{trace.probabilities.sum():.4f}",
        ),
    ]
    if u is not None:
        token = "" if hit is None else names[hit]
        more.append(say("sampling.drawn", u=f"{u:.4f}", token=token))
    more += data["said"][at : at + 1]
    sentence = say("sampling.sentence", number=at + 1, total=data["total"], tokens=V)
    own = softmax(trace.logits)
    changed = bool(np.any(np.abs(own - trace.probabilities) > UNCHANGED))
    axes = say("sampling.axes", draws=len(luck), changed=changed, **data["labels"])
    return describe_table(sentence, axes, columns, rows, compared, more=more)


def tabulate(
    trace: SamplingTrace, drawn: np.ndarray, names: Sequence[str], told: Sequence[int]
) -> list[tuple[Cell | str, ...]]:
    """Return the rows of the tokens that are told, and one of all the others together."""
    rows: list[tuple[Cell | str, ...]] = []
    for i in told:
        measured = (trace.logits, trace.scaled, trace.softmax, trace.probabilities, trace.cumulative)
        z, scaled, full, p, cumulative = (sampled_number(float(each[i])) for each in measured)
        rank, cut = str(trace.rank[i]), str(trace.cut_by[i])
        rows.append((names[i], rank, z, scaled, full, cut, p, cumulative, str(drawn[i])))
    left = np.setdiff1d(np.arange(len(names)), told)
    if len(left):
        full, p = (
            sampled_number(float(each[left].sum())).text for each in (trace.softmax, trace.probabilities)
        )
        name = say("sampling.rest", count=len(left))
        rows.append((name, "", "", "", full, "", p, "", str(drawn[left].sum())))
    return rows


def sampled_number(value: float) -> Cell:
    """Return a number with four digits, as the table of the view has it.

    >>> sampled_number(0.162682).text, sampled_number(-3.28844).text, sampled_number(-inf)
    ('0.1627', '−3.288', Cell(text='−∞', number=None))
    """
    if not isfinite(value):
        return Cell(format_number(value))
    return Cell(plain_number(value, 4).replace("-", "−"), value)


def describe_score_weights(data: Mapping) -> Description:
    """Return the description of one query's scores and weights, a key a row."""
    several = len(data["panels"]) > 1
    first = data["panels"][0]
    columns = [
        say("column.key"),
        *([say("column.panel")] if several else []),
        first["score"] or say("column.score"),
        first["weight"] or say("column.weight"),
    ]
    rows, marked, compared = [], [], {}
    for panel in data["panels"]:
        for row in panel["rows"]:
            score = told_cell(row["scoreText"], row["score"])
            weight = Cell(row["weightText"], row["weight"])
            rows.append([row["name"], *([panel["title"]] if several else []), score, weight])
            marked += [row["name"]] if row["kind"] == "strong" else []
            before = f"{panel['title']}: " if several else ""
            compared.setdefault(f"{before}{columns[-2]}", []).append((score, row["name"]))
            compared.setdefault(f"{before}{columns[-1]}", []).append((weight, row["name"]))
    axes = say("scale", name=columns[-2], least=data["least"], most=data["most"])
    titles = [panel["title"] for panel in data["panels"] if panel["title"]]
    sentence = say("score_weights.sentence", keys=len(first["rows"]), titles=titles)
    return describe_table(sentence, axes, columns, rows, compared, marked)


def describe_tag_cards(data: Mapping) -> Description:
    """Return the description of a tagged sentence, or of the bars below it."""
    cards = [f"{each['word']} {each['tag']}" for each in data["cards"]]
    if data["panels"]:
        panels = []
        for panel in data["panels"]:
            bars = []
            for row in panel["rows"]:
                tags = " ".join(each["tag"] for each in row["tags"])
                bars.append(
                    Bar(
                        " ".join(filter(None, (row["name"], tags))),
                        told_cell(row["text"], row["share"]),
                        "",
                        row["kind"] == "best",
                    )
                )
            panels.append((panel["title"], bars))
        more = [say("tag_cards.tagged", cards=cards)] if cards else []
        return describe_panels("bars.sentence", panels, "", [*more, *below(data["sum"])])
    rows = []
    for each in data["cards"]:
        notes = [say("tag_cards.unseen")] if each["unseen"] else []
        if each["struck"]:
            notes.append(say("tag_cards.struck", tag=each["struck"]["tag"]))
        rows.append((each["word"], each["tag"], "; ".join(notes)))
    marked = [each["word"] for each in data["cards"] if each["kind"] != "plain"]
    columns = (say("column.word"), say("column.tag"), say("column.note"))
    sentence = say("tag_cards.words", cards=len(rows))
    return describe_table(sentence, "", columns, rows, marked=marked, more=below(data["sum"]))


def describe_word_pairs(data: Mapping) -> Description:
    """Return the description of word pairs with their bars; without pairs, of the sentences and the links between them."""
    if not data["rows"]:
        return describe_linked_words(data)
    more = []
    for each in data["sentences"]:
        centre = [token["text"] for token in each["tokens"] if token["kind"] in ("centre", "focus")]
        near = [token["text"] for token in each["tokens"] if token["kind"] in ("near", "other")]
        text = " ".join(token["text"] for token in each["tokens"])
        if text:
            more.append(say("word_pairs.window", name=each["label"], text=text, centre=centre, near=near))
    count = max((len(row["bars"]) for row in data["rows"]), default=0)
    heads = [
        data["key"][at]["text"] if len(data["key"]) == count else say("column.bar_of", number=at + 1)
        for at in range(count)
    ]
    if count == 1:
        heads = [data["title"] or say("column.value")]
    columns = (say("column.pair"), *heads, say("column.note"))
    rows = []
    for row in data["rows"]:
        cells = [told_cell(bar["text"], bar["share"]) for bar in row["bars"]]
        rows.append([row["name"], *cells, *([""] * (count - len(cells))), row["note"]])
    axes = say("word_pairs.axes", ends=data["ends"]) if data["ends"] else ""
    return describe_table(say("word_pairs.sentence", pairs=len(rows)), axes, columns, rows, more=more)


def describe_linked_words(data: Mapping) -> Description:
    """Return the description of sentences alone: a word a row, with the words of the other sentence that it is linked to."""
    sentences = [[token["text"] for token in each["tokens"]] for each in data["sentences"]]
    links = data.get("links", ())
    rows, marked = [], []
    for number, each in enumerate(data["sentences"]):
        for at, token in enumerate(each["tokens"]):
            here = [link[1 - number] for link in links if number < 2 and link[number] == at]
            linked = " ".join(sentences[1 - number][there] for there in here)
            rows.append((token["text"], each["label"], linked))
            marked += [token["text"]] if token["kind"] in ("centre", "focus") else []
    columns = (say("column.word"), say("column.sentence"), say("column.linked"))
    sentence = say("word_pairs.linked", sentences=len(sentences), links=len(links))
    return describe_table(sentence, "", columns, rows, marked=marked)


def describe_tallies(data: Mapping) -> Description:
    """Return the description of what was counted in tagged sentences; without counts, of the sentences or the chain."""
    chain, more = data["chain"], []
    tagged = [
        ", ".join(f"{token['word']} {token['tag']}" for token in each["tokens"]) for each in data["sentences"]
    ]
    if chain:
        steps = [f"{step['word']} {step['tag']}: {step['into']} {step['down']}" for step in chain["steps"]]
        more.append(
            say("tallies.chain", steps=[" ".join(each.split()) for each in steps], total=chain["total"])
        )
    if not data["panels"]:
        columns = (say("column.sentence"), say("column.tagged"), say("column.note"))
        rows = [
            (number_of(at), text, each["note"])
            for at, (text, each) in enumerate(zip(tagged, data["sentences"], strict=True))
        ]
        return describe_table(say("tallies.sentences", sentences=len(rows)), "", columns, rows, more=more)
    columns = (say("column.counted"), say("column.panel"), say("column.count"), say("column.probability"))
    rows, compared, marked = [], {}, []
    for panel in data["panels"]:
        for row in panel["rows"]:
            count = row["count"] + row["added"] if panel["unit"] else row["added"]
            rows.append((row["name"], panel["title"], Cell(row["text"], count), numeral(row["p"])))
            told = rows[-1][2] if row["text"] else rows[-1][3]
            compared.setdefault(panel["title"], []).append((told, row["name"]))
            marked += [row["name"]] if row["kind"] == "now" else []
    sentence = say("tallies.sentence", panels=len(data["panels"]), sentences=len(tagged))
    return describe_table(sentence, "", columns, rows, compared, marked, more)


def describe_ngram_tree(data: Mapping) -> Description:
    """Return the description of a tree of n-gram counts: a row for each next token of each context along the path.

    A token without a share is never predicted, and is not compared.
    """
    rows, compared, marked, more = [], {}, [], []
    for place, column in enumerate(data["columns"]):
        context = column["context"] if not place else say("ngram_tree.after", context=column["context"])
        rest = column["rest"] or {"types": 0, "count": 0}
        more.append(say("ngram_tree.column", context=context, total=column["total"], types=column["types"]))
        chosen = data["path"][place] if place < len(data["path"]) else None
        measure = say("ngram_tree.listed" if rest["types"] else "ngram_tree.count", context=context)
        for each in column["children"]:
            share = each["share"]
            cell = Cell(f"{each['count']:,}", each["count"] if share else None)
            written = percent(share, 0 if share >= WHOLE else 1) if share else ""
            walked = each["id"] == chosen
            rows.append((each["token"], context, cell, written, say("ngram_tree.walked") if walked else ""))
            compared.setdefault(measure, []).append((cell, each["token"]))
            marked += [each["token"]] if walked else []
        if rest["types"]:
            rows.append((say("ngram_tree.rest", types=rest["types"]), context, f"{rest['count']:,}", "", ""))
    columns = (
        say("column.token"),
        say("column.after"),
        say("column.count"),
        say("ngram_tree.share"),
        say("column.note"),
    )
    sentence = say("ngram_tree.sentence", columns=len(data["columns"]), path=marked)
    sentence = " ".join([sentence, *more])
    return describe_table(sentence, say("ngram_tree.axes"), columns, rows, compared)
