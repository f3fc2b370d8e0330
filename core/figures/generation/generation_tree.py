"""A tree of texts that a learner grows, for the browser view assets/views/generation_tree, and as a still picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREY, VERMILLION, faded
from core.figures.token_label import label_token
from core.models.generation.generation_tree import GenerationTree, path_totals
from core.words.numbers import signed

CHOICES = 12  # tokens offered after the opened node


def shorten_probability(p: float) -> str:
    """Return a probability in as little room as it can be read in.

    >>> shorten_probability(0.254), shorten_probability(0.0042), shorten_probability(1.2e-7), shorten_probability(0.997)
    ('0.25', '0.004', '1e-7', '1.00')
    """
    if p >= 0.0095:
        return f"{p:.2f}"
    return f"{p:.3f}" if p >= 0.0005 else f"{p:.0e}".replace("e-0", "e-") if p else "0"


def assign_rows(tree: GenerationTree) -> list[int]:
    """Return the row of each node: a node stands in the row of its first child, every further child below.

    >>> tree, _ = GenerationTree().grown(0, [5, 7], "greedy")
    >>> assign_rows(tree.grown(1, [9], "forced")[0])
    [0, 0, 0, 1]
    """
    children: list[list[int]] = [[] for _ in range(len(tree))]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(node)
    rows, last, waiting = [0] * len(tree), -1, [(0, True)]
    while waiting:
        node, first = waiting.pop()
        last += not first or node == 0
        rows[node] = last
        waiting += [(child, child == children[node][0]) for child in reversed(children[node])]
    return rows


def say_numbers(key: str, **numbers: str) -> str:
    """Return the numbers alone, for a tree without words."""
    return ", ".join(numbers.values())


def tree_payload(
    tree: GenerationTree,
    ln_p: np.ndarray,
    names: Sequence[str],
    opened: int | None = None,
    ends: dict[int, str] | None = None,
    whole: np.ndarray | None = None,
    say: Callable[..., str] = say_numbers,
) -> dict:
    """Return what the view draws of a tree: its nodes, each leaf with its path's ln p; `ends` names some leaves.

    `whole`, (N,), is ln p under another model, said beside it: under the same one that saw all of the context. `say`
    (key, **numbers) makes the words of each number.

    >>> tree, _ = GenerationTree().grown(0, [0], "greedy")
    >>> tree_payload(tree, np.array([0.0, -0.5]), ["a"])["nodes"][1]["end"]
    ['', '−0.50', '−0.50']
    """
    totals, depths = path_totals(tree, ln_p)
    leaves, rows = set(tree.leaves) - {0}, assign_rows(tree)
    nodes = []
    for node, parent in enumerate(tree.parents):
        end = None
        if node in leaves:
            label = (ends or {}).get(node) or say(f"way.{tree.ways[node]}")
            total, mean = signed(totals[node]), signed(totals[node] / depths[node])
            if whole is None:
                sums = say("tree.total", total=total)
            else:
                seen = signed(sum(whole[i] for i in tree.ancestry(node)))
                sums = say("tree.totals", total=total, seen=seen)
            end = [label, sums, say("tree.mean", mean=mean)]
        nodes.append(
            {
                "parent": parent,
                "x": int(depths[node]),
                "y": rows[node],
                "token": label_token(names[tree.tokens[node]]) if node else say("head.prompt"),
                "p": float(np.exp(ln_p[node])) if node else None,
                "chance": shorten_probability(float(np.exp(ln_p[node]))) if node else "",
                "about": say("tree.about", total=signed(totals[node])),
                "kind": tree.ways[node] or "prompt",
                "end": end,
            }
        )
    path = [] if opened is None else [0, *tree.ancestry(opened)]
    return {"nodes": nodes, "path": path, "opened": opened, "choices": None, "gap": 12}


def in_runs(payload: dict, tree: GenerationTree, ln_p: np.ndarray, write: Callable) -> dict:
    """Return a tree's payload with every stretch that does not branch drawn as one box, its text and its ln p.

    A box is filled as high as the geometric mean of its tokens' p.

    >>> tree, _ = GenerationTree().grown(0, [0, 1], "greedy")
    >>> ln_p = np.log([1.0, 0.5, 0.125])
    >>> box = in_runs(tree_payload(tree, ln_p, "ab"), tree, ln_p, lambda ids: "".join("ab"[i] for i in ids))["nodes"][1]
    >>> box["token"], box["chance"], round(box["p"], 2)
    ('ab', 'ln p −2.77', 0.25)
    """
    branches = [len(tree.children(node)) != 1 or node == 0 for node in range(len(tree))]
    boxes, number, nodes = [[0]], {0: 0}, []
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        if branches[parent]:
            boxes.append([])
            number[node] = len(boxes) - 1
        else:
            number[node] = number[parent]
        boxes[number[node]].append(node)
    for box in boxes:
        first, last = payload["nodes"][box[0]], payload["nodes"][box[-1]]
        text = {"token": label_token(write([tree.tokens[i] for i in box]))} if box != [0] else {}
        total = float(ln_p[box].sum())
        worth = {"p": float(np.exp(total / len(box))), "chance": f"ln p {signed(total)}"} if text else {}
        parent = number[tree.parents[box[0]]] if text else -1
        depth = 1 + nodes[parent]["x"] if text else 0
        nodes.append({**first, **text, **worth, "parent": parent, "x": depth, "end": last["end"]})
    return {**payload, "nodes": nodes, "most": 460}


def small_tree(payload: dict, height: int = 300) -> Figure:
    """Return a payload's tree as a still plotly figure: links as thick as p, each token in its place.

    >>> tree, _ = GenerationTree().grown(0, [0], "greedy")
    >>> len(small_tree(tree_payload(tree, np.array([0.0, -0.5]), ["a"])).data)
    2
    """
    nodes, path, figure = payload["nodes"], set(payload["path"]), blank(height)
    for i, node in enumerate(nodes):
        if node["parent"] >= 0:
            parent = nodes[node["parent"]]
            colour = VERMILLION if i in path else GREY if node["kind"] in ("pruned", "dropped") else BLUE
            line = {"color": faded(colour, 0.6), "width": 1 + 7 * node["p"]}
            ends = {"x": [parent["x"], node["x"]], "y": [-parent["y"], -node["y"]]}
            figure.add_trace(scatter(**ends, mode="lines", line=line, hoverinfo="skip", showlegend=False))
    figure.add_trace(
        scatter(
            x=[node["x"] for node in nodes],
            y=[-node["y"] for node in nodes],
            mode="text",
            text=[escape_label(node["token"]) if node["parent"] >= 0 else "●" for node in nodes],
            textposition=["top center" if node["parent"] >= 0 else "middle center" for node in nodes],
            textfont={"size": 14},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.update_xaxes(visible=False, range=[-0.2, 0.6 + max(node["x"] for node in nodes)])
    return figure.update_yaxes(visible=False, range=[-0.3 - max(node["y"] for node in nodes), 0.6])
