"""Pictures of nodes and arrows: machines, trees, trellises, arrows of attention, loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from core.descriptions.description import (
    HIDDEN,
    Cell,
    Description,
    below,
    compare_all,
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
from core.descriptions.matrices import describe_line
from core.words.numbers import percent

NUMBERS_AT_MOST = 12  # of a vector or a grid that are read out in one cell
FLOWS_AT_MOST = 6  # of a machine that its sentence tells; of a larger one, where it begins and ends
ARROWS_AT_MOST = 4  # whose ends are told although a row of bars has their weights
SAME = 1e-3  # two weights that differ by less are one
BEFORE_FIRST = -1  # an arrow from here comes from the start


def describe_machine(data: Mapping) -> Description:
    """Return the description of a machine: a row for each part, with what leads into it; a part's bars are rows too."""
    data = without_ends(data)
    names = name_parts(data)
    into = {key: [] for key in names}
    for arrow in data["arrows"]:
        text = f" ({arrow['text']})" if arrow["text"] else ""
        into.setdefault(arrow["to"], []).append(f"{names.get(arrow['from'], arrow['from'])}{text}")
    columns = (say("column.part"), say("column.note"), say("column.value"), say("column.from"))
    rows, compared, marked = [], {}, []
    for node in data["nodes"]:
        name = names[node["key"]]
        alone = len(node["bars"]) == 1  # its number is compared with those of the other parts
        numbers = [each["text"] for each in node["cells"]]
        said = [
            *([node["note"]] if name_part(node) != node["note"] else []),
            *([say("machine.open")] if node["state"] == "open" else []),
            *([say("machine.off")] if node["state"] == "off" else []),
        ]
        told = []
        if any(numbers):
            listed = ", ".join(filter(None, numbers[:NUMBERS_AT_MOST]))
            told.append(say("machine.numbers", numbers=listed, left=max(0, len(numbers) - NUMBERS_AT_MOST)))
        if node["grid"]:
            told.append(tell_grid(node["grid"], node.get("pick")))
        rows.append((name, "; ".join(filter(None, said)), "; ".join(told), ", ".join(into[node["key"]])))
        for bar in node["bars"]:
            cell = told_cell(bar["text"], bar["share"])
            rows.append((f"{name}: {bar['name']}", "", cell, ""))
            measure, named = (columns[2], name) if alone else (name, bar["name"])
            compared.setdefault(measure, []).append((cell, named))
            marked += [bar["name"]] if bar["now"] else []
        marked += [name] if node["state"] == "now" else []
    sentence = say("machine.sentence", parts=len(data["nodes"]), arrows=len(data["arrows"]))
    sentence = " ".join([sentence, *tell_flow(data, names)])
    return describe_table(sentence, "", columns, rows, compared, marked, below(data["sum"]))


def without_ends(data: Mapping) -> dict:
    """Return a machine without parts in which nothing is written, which only end a line, and without such lines."""
    held = ("title", "note", "cells", "bars", "grid")
    ends = {each["key"] for each in data["nodes"] if each["kind"] == "text" and not any(map(each.get, held))}
    nodes = [each for each in data["nodes"] if each["key"] not in ends]
    arrows = [each for each in data["arrows"] if not {each["from"], each["to"]} & ends]
    return {**data, "nodes": nodes, "arrows": arrows}


def name_parts(data: Mapping) -> dict[str, str]:
    """Return a name for each part of a machine: its title, its note or what it is, told apart where two are the same.

    One of several is numbered in the order of its equals, and named by the token at it where there is one.
    """
    nodes = data["nodes"]
    found = {each["key"]: name_part(each) for each in nodes}
    tokens = {each["key"]: each["title"] for each in nodes if each["kind"] == "token" and each["title"]}
    near: dict[str, list[str]] = {}
    for arrow in data["arrows"]:
        for one, other in ((arrow["from"], arrow["to"]), (arrow["to"], arrow["from"])):
            if other in tokens and one not in tokens:
                near.setdefault(one, []).append(tokens[other])
    counts, names = Counter(found.values()), {}
    numbers: Counter[str] = Counter()
    for key, name in found.items():
        numbers[name] += 1
        names[key] = name
        if counts[name] > 1:
            at = near.get(key, ())
            names[key] = say("numbered", number=numbers[name], name=name)
            names[key] = say("cell", text=names[key], kind=at[0]) if len(at) == 1 else names[key]
    return names


def name_part(node: Mapping) -> str:
    """Return a part's name: its title or what stands in it; a number names nothing, so then what it is."""
    note = "" if number_in(node["note"].strip("<>")) is not None else node["note"]
    only = node["bars"][0]["name"] if len(node["bars"]) == 1 else ""
    return node["title"] or note or only or say(f"machine.{node['kind']}")


def tell_grid(shades: Sequence[float], pick: int | None) -> str:
    """Return many numbers in words: how many they are, and the one that is framed.

    >>> tell_grid([0, 0.5, 1, 0], 1)
    '4 numbers; number 2 is framed, 50% of the largest'
    """
    share = "" if pick is None else percent(shades[pick], 0)
    number = 0 if pick is None else pick + 1
    return say("machine.shades", numbers=len(shades), pick=number, share=share)


def tell_flow(data: Mapping, names: Mapping[str, str]) -> list[str]:
    """Return what flows into what, and what comes out; of a large machine where it begins and its thickest arrow."""
    arrows = [each for each in data["arrows"] if each["from"] in names and each["to"] in names]
    out: dict[str, list[str]] = {}
    for each in arrows:
        out.setdefault(each["from"], []).append(each["to"])
    ways_in, said = Counter(each["to"] for each in arrows), []
    if not arrows:
        return []
    inner = {key for key, ends in out.items() if len(ends) == 1 and ways_in[key] == 1}
    flows = []
    for key in names:
        if key not in out or key in inner:
            continue
        ends = [follow(end, out, inner) for end in dict.fromkeys(out[key])]
        short = [each[0] for each in ends if len(each) == 1]
        flows += [[key, *each] for each in ends if len(each) > 1 or len(short) == 1]
        if len(short) > 1:
            flows.append([key, short])
    if flows and len(flows) <= FLOWS_AT_MOST:
        told = [[name_all(each, names) for each in flow] for flow in flows]
        said.append(say("machine.flow", flows=[say("machine.path", parts=flow) for flow in told]))
    else:
        firsts = [names[key] for key in names if key in out and not ways_in[key]]
        said += [say("machine.begins", names=firsts)] if firsts else []
    weights = sorted(each["weight"] for each in arrows)
    if len(weights) > 1 and weights[-1] - weights[-2] > SAME:
        thick = max(arrows, key=lambda each: each["weight"])
        said.append(say("machine.thickest", first=names[thick["from"]], last=names[thick["to"]]))
    lasts = []
    for node in data["nodes"]:
        if ways_in[node["key"]] and node["key"] not in out:
            note = node["note"] if name_part(node) != node["note"] else ""
            text = cut_text(names[node["key"]])
            lasts.append(say("cell", text=text, kind=note) if note else text)
    return said + ([say("machine.ends", names=lasts)] if lasts else [])


def name_all(keys: str | Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Return the names of one part or of several."""
    return [cut_text(names[key]) for key in ([keys] if isinstance(keys, str) else keys)]


def follow(key: str, out: Mapping[str, Sequence[str]], inner: Container[str]) -> list[str]:
    """Return the chain of parts from one on, as long as each has one way in and one way out."""
    found = [key]
    while found[-1] in inner and out[found[-1]][0] not in found:
        found.append(out[found[-1]][0])
    return found


def describe_text_tree(data: Mapping) -> Description:
    """Return the description of a tree of texts: a row for each token, with the tokens before it."""
    nodes = {node["key"]: node for node in data["nodes"]}
    ends = {each["node"]: " ".join(each["lines"]) for each in data["ends"]}

    def before(node: Mapping) -> str:
        found = []
        while node["parent"] in nodes:
            node = nodes[node["parent"]]
            found.insert(0, node["token"])
        return " ".join(found)

    rows, marked, numbered = [], [], []
    for node in data["nodes"]:
        if node["kind"] == "prompt" and len(data["nodes"]) > 1:
            continue
        cell = told_cell(node["number"], node["p"])
        kind = "" if node["kind"] in ("plain", "prompt") else say(f"text_tree.{node['kind']}")
        note = "; ".join(filter(None, (kind, ends.get(node["key"]))))
        text = before(node)
        rows.append((node["token"], text, cell, note))
        numbered.append((cell, say("after", token=node["token"], text=text)))
        marked += [node["token"]] if node["kind"] == "best" else []
    prompts = [node["token"] for node in data["nodes"] if node["kind"] == "prompt"]
    columns = (say("column.token"), say("column.after"), say("column.probability"), say("column.note"))
    more = [say("text_tree.best_text", text=" ".join(marked))] if marked else []
    compared = {columns[2]: numbered}
    sentence = say("text_tree.sentence", tokens=len(rows), prompts=prompts)
    return describe_table(sentence, say("text_tree.axes"), columns, rows, compared, more=more)


def describe_trellis(data: Mapping) -> Description:
    """Return the description of a trellis: a row for each state, a column for each observation, then its edges."""
    heads = tell_apart([each["word"] for each in data["columns"]])
    states = [each["name"] for each in data["rows"]]
    columns = (say("column.state"), *heads)
    rows, best, marked = [], [""] * len(heads), []
    for j, state in enumerate(states):
        made = []
        for t, nodes in enumerate(data["nodes"]):
            node = nodes[j]
            kind = "" if node["kind"] in ("open", "filled", "now") else say(f"trellis.{node['kind']}")
            marked += [say("at.cell", row=state, column=heads[t])] if node["kind"] == "now" else []
            if node["kind"] == "best":
                best[t] = state
                kind = "" if node["text"] else kind
            text = (
                say("cell", text=node["text"], kind=kind) if node["text"] and kind else node["text"] or kind
            )
            made.append(Cell(text, numeral(node["text"]).number))
        rows.append([state, *made])
    compared = compare_all(say("column.score"), columns, rows)
    more = [say("trellis.path", name="", states=best)] if any(best) else []
    for path in data.get("paths", ()):
        named = " ".join(filter(None, (path["name"], path["text"])))
        more.append(say("trellis.path", name=named, states=[states[j] for j in path["nodes"]]))
    for edge in data["edges"]:
        if edge["text"]:
            step = f"{states[edge['i']]} → {states[edge['j']]}"
            more.append(say("trellis.edge", step=step, to=heads[edge["t"]], text=edge["text"]))
    sentence = say("trellis.sentence", columns=len(heads), states=states)
    axes = say("trellis.axes", axis=data.get("axis", ""))
    return describe_table(sentence, axes, columns, rows, compared, marked, [*more, *below(data["sum"])])


def describe_hidden_machine(data: Mapping) -> Description:
    """Return the description of a hidden Markov model: its probabilities, or without them the days that it wrote."""
    machine, line = data["machine"], data["line"]
    more = []
    if line:
        hit = [each["name"] or str(each["count"]) for each in line["segments"] if each["hit"]]
        more.append(say("hidden_machine.drawn", title=line["title"], u=line["u"]["text"], hit=" ".join(hit)))
    if not machine:
        return describe_days(data, more)
    for run in data["runs"]:
        days = [f"{day['name']} {day['count'] or ''}".strip() for day in run["days"] if day["name"]]
        name = run["title"] or say("column.written")
        more.append(say("written", name=name, text=cut_text(", ".join(days))))
    names = [each["name"] for each in machine["states"]]
    columns = (say("column.step"), say("column.probability"), say("column.note"))
    rows, moves, words = [], [], []
    for arrow in machine["arrows"]:
        first = machine["start"] if arrow["from"] == BEFORE_FIRST else names[arrow["from"]]
        step = f"{first} → {names[arrow['to']]}"
        note = say("hidden_machine.took") if arrow["kind"] == "took" else ""
        rows.append((step, number_cell(arrow["p"], arrow["text"]), note))
        moves.append((rows[-1][1], step))
    for state in machine["emits"]:
        for bar in state["bars"]:
            step = f"{state['title']}: {bar['count']}"
            note = say("hidden_machine.took") if bar["hit"] else ""
            rows.append((step, number_cell(bar["p"], bar["text"]), note))
            words.append((rows[-1][1], step))
    compared = {say("hidden_machine.moves"): moves, say("hidden_machine.words"): words}
    sentence = say("hidden_machine.sentence", states=names)
    return describe_table(sentence, "", columns, rows, compared, more=[*more, *below(data["sum"])])


def describe_days(data: Mapping, more: Sequence[str]) -> Description:
    """Return the description of the days that a hidden Markov model wrote, a day a row."""
    labels = data["labels"]
    columns = (
        labels["day"] or say("column.day"),
        labels["hidden"][0],
        labels["observed"][0],
        say("column.note"),
    )
    rows = []
    for run in data["runs"]:
        for at, day in enumerate(run["days"]):
            notes = [run["title"], day["into"], day["down"]]
            count = Cell(str(day["count"]), day["count"]) if day["count"] else Cell("")
            rows.append((number_of(at), day["name"], count, "; ".join(filter(None, notes))))
    notes = [run["note"] for run in data["runs"] if run["note"]]
    sentence = say("hidden_machine.days", days=len(rows))
    return describe_table(sentence, "", columns, rows, more=[*more, *notes, *below(data["sum"])])


def describe_parse_triangle(data: Mapping) -> Description:
    """Return the description of spans above a sentence: a row for each box, by the words below it."""
    columns = (
        say("column.span"),
        say("column.panel"),
        say("column.label"),
        say("column.value"),
        say("column.parts"),
    )
    rows, marked, tree = [], [], []
    for panel in data["panels"]:
        words = panel["words"]
        parts: dict[tuple[int, int], list[str]] = {}
        for edge in panel["edges"]:
            parts.setdefault((edge["i"], edge["j"]), []).append(" ".join(words[edge["a"] : edge["b"]]))
        for node in panel["nodes"]:
            span = " ".join(words[node["i"] : node["j"]])
            made_of = " + ".join(parts.get((node["i"], node["j"]), ()))
            rows.append((span, panel["name"], node["label"], numeral(node["number"]), made_of))
            marked += [span] if node["kind"] == "now" else []
            if node["kind"] == "best" and node["j"] - node["i"] > 1:  # each word has a label in every tree
                tree.append(say("parse_triangle.node", label=node["label"], words=span))
    more = [say("parse_triangle.tree", nodes=tree)] if tree else []
    more += [describe_line(line, data["operator"]) for line in data["lines"]]
    texts = [" ".join(panel["words"]) for panel in data["panels"]]
    sentence = say("parse_triangle.sentence", boxes=len(rows), texts=list(dict.fromkeys(texts)))
    return describe_table(sentence, say("parse_triangle.axes"), columns, rows, marked=marked, more=more)


def describe_attention_arrows(data: Mapping) -> Description:
    """Return the description of arrows of attention: a row for each key under the bars, or for each arrow."""
    texts = tell_apart([each["text"] for each in data["tokens"]])
    queries = [texts[at] for at in data["queries"]]
    axes = say("attention_arrows.axes", keys=data["axes"]["key"], queries=data["axes"]["query"])
    sentence = say("attention_arrows.sentence", tokens=len(texts), queries=queries, arrows=len(data["links"]))
    links = [
        (
            f"{texts[each['from']]} → {texts[each['to']]}",
            Cell(HIDDEN) if each["open"] else number_cell(each["weight"]),
        )
        for each in data["links"]
    ]
    more = below(data["sum"])
    if not data["rows"]:
        return describe_table(sentence, axes, (say("column.arrow"), say("column.weight")), links, more=more)
    columns = (data["axes"]["key"] or say("column.key"), *(row["title"] for row in data["rows"]))
    told = [read_bars(row["bars"]) for row in data["rows"]]
    rows = [[text, *(cells[at] for cells in told)] for at, text in enumerate(texts)]
    if links and (len(links) <= ARROWS_AT_MOST or not are_bars(data)):
        shown = [f"{name} {cell.text}" for name, cell in links]
        more = [say("attention_arrows.arrows", arrows=shown), *more]
    return describe_table(sentence, axes, columns, rows, more=more)


def read_bars(bars: Sequence[Mapping]) -> list[Cell]:
    """Return the bars above the keys as cells; where all are 0 and none has a number, they are not told yet."""
    if not any(each["value"] or each["text"] for each in bars):
        return [Cell(HIDDEN)] * len(bars)
    return [
        Cell(HIDDEN) if each["text"] == HIDDEN else number_cell(each["value"], each["text"]) for each in bars
    ]


def are_bars(data: Mapping) -> bool:
    """Return whether a row of bars shows the same weights as the arrows."""
    weights = {each["to"]: each["weight"] for each in data["links"]}
    return len(data["queries"]) == 1 and any(
        all(abs(row["bars"][to]["value"] - weight) < SAME for to, weight in weights.items())
        for row in data["rows"]
    )


def describe_loop(data: Mapping) -> Description:
    """Return the description of loops: a row for each token of a ring; without rings, of the texts."""
    texts = [
        (each["label"], "".join(piece["text"] for piece in each["pieces"]), each["note"])
        for each in data["texts"]
    ]
    if not data["rings"]:
        columns = (say("column.text"), say("column.written"), say("column.note"))
        return describe_table(say("texts.sentence", texts=len(texts)), "", columns, texts)
    more = [say("written", name=name, text=cut_text(text)) for name, text, _ in texts]
    rows, notes = [], []
    for ring in data["rings"]:
        for step, after in zip(ring["steps"], [*ring["steps"][1:], *ring["steps"][:1]], strict=True):
            leaves = step["exit"]
            out = " ".join(filter(None, (leaves["token"], leaves["text"]))) if leaves else ""
            cell = told_cell(step["text"], step["p"])
            rows.append((f"{step['token']} → {after['token']}", cell, out))
        notes += [" ".join(filter(None, (ring["enter"], ring["middle"], *ring["below"].split("\n"))))]
    columns = (say("column.arrow"), say("column.probability"), say("column.leaves"))
    told = [say("written", name=say("loop.ring"), text=each) for each in notes if each]
    sentence = say("loop.sentence", rings=len(data["rings"]), tokens=len(rows))
    return describe_table(sentence, "", columns, rows, more=[*told, *more])
