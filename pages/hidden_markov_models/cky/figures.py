"""Pictures of CKY: trees and the chart as the view "parse_triangle", and every entry of the chart as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.figures.worked import number
from core.lesson.every_number import Formula
from core.models.hidden_markov_models.cky import Chart, Grammar, Span, Tree, Way, list_nodes
from core.words.numbers import plain_number
from pages.hidden_markov_models.cky import LESSON

WORDS = LESSON.words
HUES = {"S": "ochre", "NP": "blue", "VP": "vermillion", "PP": "green"}  # other labels are grey
UNKNOWN = "?"  # a number that is still to come
DIGITS, IN_BOX = 3, 2  # of a probability, and of one in a box of the tree


def draw_node(span: Span, label: str, kind: str = "filled", number: str = "") -> dict:
    """Return a box of the view; of several labels the first gives its hue."""
    i, j = span
    hue = HUES.get(label.split()[0], "") if label else ""
    return {"i": i, "j": j, "label": label, "number": number, "kind": kind, "hue": hue}


def draw_edges(tree: Tree, kind: str = "filled") -> list[dict]:
    """Return the lines of a tree.

    >>> from core.models.hidden_markov_models.cky import read_tree
    >>> [(edge["a"], edge["b"]) for edge in draw_edges(read_tree("(S (NP she) (VP sleeps))"))]
    [(0, 1), (1, 2)]
    """
    edges = []
    for (i, j), node in list_nodes(tree):
        k = i
        for child in node.children:
            if isinstance(child, Tree):
                edges.append({"i": i, "j": j, "a": k, "b": k + len(child.words), "kind": kind})
                k += len(child.words)
    return edges


def draw_tree(tree: Tree, name: str = "", grammar: Grammar | None = None, kind: str = "filled") -> dict:
    """Return a panel with a tree; with `grammar`, each box has the probability of its rule."""
    nodes = [
        draw_node(span, node.label, kind, plain_number(grammar.rules[node.rule], IN_BOX) if grammar else "")
        for span, node in list_nodes(tree)
    ]
    return {"name": name, "words": list(tree.words), "nodes": nodes, "edges": draw_edges(tree, kind)}


def draw_chart(
    chart: Chart,
    tree: Tree | None = None,
    until: int | None = None,
    texts: Mapping[Span, str] | None = None,
) -> dict:
    """Return a panel with the whole triangle.

    The boxes of `tree` are thick; spans of more than `until` words are still empty, and those of so many are marked. A span
    in `texts` has that text in place of its labels.
    """
    until, texts = until or len(chart.words), texts or {}
    best = {span: node.label for span, node in list_nodes(tree)} if tree else {}
    nodes = []
    for (i, j), entries in chart.cells.items():
        label = " ".join(entries) if j - i <= until else ""
        if (i, j) in best:
            label = best[i, j]
        kind = "empty" if not label else "best" if (i, j) in best else "filled"
        if label and not tree and until < len(chart.words) and j - i == until:
            kind = "now"
        elif label and tree and (i, j) not in best:
            kind = "faint"
        node = draw_node((i, j), label, kind)
        nodes.append(node | {"label": texts.get((i, j), label)})
    edges = draw_edges(tree, "best") if tree else []
    return {"name": "", "words": list(chart.words), "nodes": nodes, "edges": edges}


def parse_triangle(panels: Sequence[dict], lines: Sequence[dict] = (), operator: str = "×") -> dict:
    """Return the data of the view "parse_triangle"."""
    return {"panels": list(panels), "operator": operator, "lines": list(lines)}


def way_line(chart: Chart, grammar: Grammar, span: Span, label: str, way: Way, kept: bool) -> dict:
    """Return one way to make a label as a product: its rule, and the best of the left and of the right part."""
    i, j = span
    left, right = way.right
    factors = (
        (grammar.rules[label, way.right], WORDS.label("factor.rule", label=label, right=" ".join(way.right))),
        (chart.cells[i, way.k][left].best, " ".join(chart.words[i : way.k])),
        (chart.cells[way.k, j][right].best, " ".join(chart.words[way.k : j])),
    )
    return {
        "name": "",
        "factors": [{"text": plain_number(p, DIGITS), "label": said} for p, said in factors],
        "result": plain_number(way.best, DIGITS),
        "kind": "kept" if kept else "dropped",
    }


def sum_line(probabilities: Sequence[float], total: float) -> dict:
    """Return the sum of all trees' probabilities."""
    factors = [
        {"text": plain_number(p, DIGITS), "label": WORDS.label("factor.tree", n=n)}
        for n, p in enumerate(probabilities, 1)
    ]
    return {
        "name": WORDS.label("line.inside"),
        "factors": factors,
        "result": plain_number(total, DIGITS),
        "kind": "kept",
    }


def entries_table(chart: Chart, grammar: Grammar) -> tuple[pd.DataFrame, Formula]:
    """Return every entry of the chart, and the formula of its best and its inside probability."""
    names = [WORDS.label(f"column.{each}") for each in ("span", "label", "best", "inside", "trees")]
    found = [
        (span, label, entry) for span, entries in chart.cells.items() for label, entry in entries.items()
    ]
    rows = [
        (" ".join(chart.words[i:j]), label, entry.best, entry.inside, entry.trees)
        for (i, j), label, entry in found
    ]

    def formula(row: int, column: str) -> str | None:
        (i, j), label, entry = found[row]
        if column not in names[2:4] or j - i == 1:
            return None
        kind = "best" if column == names[2] else "inside"
        products = []
        for way in entry.ways:
            left, right = (
                getattr(chart.cells[part][each], kind)
                for part, each in zip(((i, way.k), (way.k, j)), way.right, strict=True)
            )
            factors = (grammar.rules[label, way.right], left, right)
            products.append(r" \cdot ".join(number(p, 3) for p in factors))
        total = number(getattr(entry, kind), 3)
        among = r",\; ".join(products)
        return rf"\max({among}) = {total}" if kind == "best" else f"{' + '.join(products)} = {total}"

    return pd.DataFrame(rows, columns=names), formula
