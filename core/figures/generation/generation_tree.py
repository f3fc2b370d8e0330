"""Trees of texts for the browser view assets/views/generation_tree: one that a learner grows, one of beam search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.generation.sampling import shown
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, GREY, VERMILLION, faded
from core.figures.worked import signed
from core.models.generation.beam_search import BeamTree
from core.models.generation.generation_tree import GenerationTree, path_totals

CHOICES = 12  # tokens offered after the opened node
ROWS = 7  # rows of a beam's tree: the kept and the best of the pruned, two of them at least
LISTED = 10  # candidates of a beam's step in its list
TAIL = 24  # letters of a text so far


def chance(p: float) -> str:
    """Return a probability in as little room as it can be read in.

    >>> chance(0.254), chance(0.0042), chance(1.2e-7), chance(0.997)
    ('0.25', '0.004', '1e-7', '1.00')
    """
    if p >= 0.0095:
        return f"{p:.2f}"
    return f"{p:.3f}" if p >= 0.0005 else f"{p:.0e}".replace("e-0", "e-") if p else "0"


def rows_of(tree: GenerationTree) -> list[int]:
    """Return the row of each node: a node stands in the row of its first child, every further child below.

    >>> tree, _ = GenerationTree().grown(0, [5, 7], "greedy")
    >>> rows_of(tree.grown(1, [9], "forced")[0])
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


def tree_payload(
    tree: GenerationTree,
    ln_p: np.ndarray,
    names: Sequence[str],
    opened: int | None = None,
    ends: dict[int, str] | None = None,
    whole: np.ndarray | None = None,
) -> dict:
    """Return what the view draws of a tree: its nodes, each leaf with its path's ln p; `ends` names some leaves.

    `whole`, (N,), is ln p under another model, said beside it: under the same one that saw all of the context.

    >>> tree, _ = GenerationTree().grown(0, [0], "greedy")
    >>> tree_payload(tree, np.array([0.0, -0.5]), ["a"])["nodes"][1]["end"]
    ['greedy', 'ln p −0.50', '−0.50 a token']
    """
    totals, depths = path_totals(tree, ln_p)
    leaves, rows = set(tree.leaves) - {0}, rows_of(tree)
    nodes = []
    for node, parent in enumerate(tree.parents):
        end = None
        if node in leaves:
            label = (ends or {}).get(node, tree.ways[node])
            mean = totals[node] / depths[node]
            more = (
                "" if whole is None else f", seeing all {signed(sum(whole[i] for i in tree.ancestry(node)))}"
            )
            end = [label, f"ln p {signed(totals[node])}{more}", f"{signed(mean)} a token"]
        nodes.append(
            {
                "parent": parent,
                "x": int(depths[node]),
                "y": rows[node],
                "token": shown(names[tree.tokens[node]]) if node else "prompt",
                "p": float(np.exp(ln_p[node])) if node else None,
                "chance": chance(float(np.exp(ln_p[node]))) if node else "",
                "about": f"ln p of the path {signed(totals[node])}",
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
        text = {"token": shown(write([tree.tokens[i] for i in box]))} if box != [0] else {}
        total = float(ln_p[box].sum())
        worth = {"p": float(np.exp(total / len(box))), "chance": f"ln p {signed(total)}"} if text else {}
        parent = number[tree.parents[box[0]]] if text else -1
        depth = 1 + nodes[parent]["x"] if text else 0
        nodes.append({**first, **text, **worth, "parent": parent, "x": depth, "end": last["end"]})
    return {**payload, "nodes": nodes, "most": 460}


def choices_payload(
    ln_p: np.ndarray, names: Sequence[str], taken: Sequence[int], after: str, most: int = CHOICES
) -> dict:
    """Return the opened distribution, the likeliest tokens first; those already `taken` are always among them."""
    order = np.argsort(-ln_p, kind="stable")
    listed = [int(i) for i in order[:most]] + [i for i in taken if i not in order[:most]]
    rest = 1.0 - float(np.exp(ln_p[listed]).sum())
    rows = [
        {
            "id": token,
            "token": shown(names[token]),
            "p": float(np.exp(ln_p[token])),
            "numbers": [chance(float(np.exp(ln_p[token])))],
            "taken": token in taken,
            "kept": True,
        }
        for token in listed
    ]
    more = f"{len(ln_p) - len(listed):,} more: {chance(max(0.0, rest))}" if len(ln_p) > len(listed) else ""
    return {
        "title": f"After “{after}”",
        "head": "the likeliest tokens, each with its p",
        "rows": rows,
        "rest": more,
    }


def beam_payload(
    tree: BeamTree, names: Sequence[str], write: Callable[[Sequence[int]], str], step: int, rows: int = ROWS
) -> dict:
    """Return what the view draws of a beam search until depth `step`: the kept in order of score, then the pruned.

    The path is that of the best score at this depth, finished texts included; a node from which no kept text
    goes on is "dropped", one that was never kept "pruned".
    """
    levels = level_order(tree, step)
    rows = max(rows, 2 + max((sum(tree.nodes[i].kept for i in level) for level in levels), default=0))
    places = [0, *(place for level in levels for place in level[:rows])]
    number = {place: i for i, place in enumerate(places)}
    row = {place: y for level in levels for y, place in enumerate(level)} | {0: 0}
    alive, best = leading_on(tree, step), best_until(tree, step)
    nodes = [
        beam_node(tree, place, number.get(tree.nodes[place].parent, -1), row[place], names, alive)
        for place in places
    ]
    path = [0]
    while best:
        path.insert(1, number[best])
        best = tree.nodes[best].parent
    return {
        "nodes": nodes,
        "path": path,
        "opened": path[-1],
        "follow": number[levels[-1][0]] if levels else 0,
        "choices": candidates_list(tree, levels, write) if levels else None,
        "gap": 30,
    }


def beam_trace(
    tree: BeamTree, names: Sequence[str], write: Callable[[Sequence[int]], str], steps: int
) -> dict:
    """Return the first steps of a beam search for the view to step through; beam.js makes `beam_payload` of each.

    A step has its best candidates, [row of the parent in the step before, token, p, ln p, score, the last step at which
    something kept comes from it (0: pruned), the text so far], the depth and row of the best text, and how many candidates
    there are and are kept.
    """
    levels = level_order(tree, max(node.depth for node in tree.nodes))
    widest = max((sum(tree.nodes[i].kept for i in level) for level in levels), default=0)
    row = {place: y for level in levels for y, place in enumerate(level)} | {0: 0}
    until, traced = last_steps(tree), []
    for step, level in enumerate(levels[:steps], start=1):
        best = best_until(tree, step)
        traced.append(
            {
                "level": [
                    [
                        row[tree.nodes[place].parent],
                        shown(names[tree.nodes[place].token]),
                        chance(float(np.exp(tree.nodes[place].log_probability))),
                        signed(tree.nodes[place].total),
                        signed(tree.nodes[place].score, 3),
                        min(until[place], steps),  # nothing of the steps that are still to be guessed
                        shown(write(tree.path(place)))[-TAIL:],
                    ]
                    for place in level[:LISTED]
                ],
                "best": [tree.nodes[best].depth, row[best]],
                "candidates": len(level),
                "kept": sum(tree.nodes[place].kept for place in level),
            }
        )
    return {"steps": traced, "rows": max(ROWS, 2 + widest)}


def last_steps(tree: BeamTree) -> list[int]:
    """Return for each place the last step at which a kept text comes from it, 0 where it was pruned itself."""
    deepest = max(node.depth for node in tree.nodes)
    until = [(deepest if node.finished else node.depth) if node.kept else 0 for node in tree.nodes]
    for place in range(len(tree.nodes) - 1, 0, -1):
        parent = tree.nodes[place].parent
        until[parent] = max(until[parent], until[place])
    return until


def level_order(tree: BeamTree, step: int) -> list[list[int]]:
    """Return the places at each depth until `step`, the kept first, then by falling score."""
    levels: list[list[int]] = [[] for _ in range(step)]
    for place, node in enumerate(tree.nodes):
        if 1 <= node.depth <= step:
            levels[node.depth - 1].append(place)
    return [
        sorted(level, key=lambda i: (not tree.nodes[i].kept, -tree.nodes[i].score, i)) for level in levels
    ]


def leading_on(tree: BeamTree, step: int) -> set[int]:
    """Return the places whose text is still in the running at depth `step`, with all that leads to them."""
    alive = {0}
    for place, node in enumerate(tree.nodes):
        if node.kept and (node.depth == step or (node.finished and node.depth < step)):
            while place is not None and place not in alive:
                alive.add(place)
                place = tree.nodes[place].parent
    return alive


def best_until(tree: BeamTree, step: int) -> int:
    """Return the place of the best score among the texts that are `step` tokens long or finished before."""
    running = [i for i, node in enumerate(tree.nodes) if node.kept and (node.depth == step or node.finished)]
    return max((i for i in running if tree.nodes[i].depth <= step), key=lambda i: tree.nodes[i].score)


def beam_node(tree: BeamTree, place: int, parent: int, y: int, names: Sequence[str], alive: set[int]) -> dict:
    """Return one node of a beam's tree as the view draws it."""
    node = tree.nodes[place]
    kind = "pruned" if not node.kept else "beam" if place in alive else "dropped"
    p = float(np.exp(node.log_probability))
    return {
        "parent": parent,
        "x": node.depth,
        "y": y,
        "token": "prompt" if node.token is None else shown(names[node.token]),
        "p": None if node.token is None else p,
        "chance": "" if node.token is None else chance(p),
        "about": f"ln p {signed(node.total)}, score {signed(node.score, 3)}, {'kept' if node.kept else 'pruned'}",
        "kind": "prompt" if node.token is None else kind,
        "end": None,
    }


def candidates_list(
    tree: BeamTree, levels: list[list[int]], write: Callable[[Sequence[int]], str], most: int = LISTED
) -> dict:
    """Return the last depth's candidates: each text so far, its ln p and score, the kept first."""
    listed = levels[-1][:most]
    rows = []
    for place in listed:
        node = tree.nodes[place]
        text = shown(write(tree.path(place)))
        numbers = [signed(node.total), signed(node.score, 3)]
        kept = {"p": 0.0, "taken": False, "kept": node.kept}
        rows.append({"id": None, "token": text[-TAIL:], "numbers": numbers, **kept})
    n = sum(tree.nodes[place].kept for place in levels[-1])
    more = len(levels[-1]) - len(listed)
    return {
        "title": f"{len(levels[-1])} {'candidate' if len(levels[-1]) == 1 else 'candidates'}, {n} kept",
        "head": "the text so far, its ln p and its score",
        "rows": rows,
        "rest": f"{more} more, pruned" if more else "",
    }


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
            text=[plain(node["token"]) if node["parent"] >= 0 else "●" for node in nodes],
            textposition=["top center" if node["parent"] >= 0 else "middle center" for node in nodes],
            textfont={"size": 14},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.update_xaxes(visible=False, range=[-0.2, 0.6 + max(node["x"] for node in nodes)])
    return figure.update_yaxes(visible=False, range=[-0.3 - max(node["y"] for node in nodes), 0.6])


def widths_figure(
    widths: Sequence[int], scores: Sequence[float], texts: Sequence[str], chosen: int, height: int = 300
) -> Figure:
    """Return the score of the best text against the beam's width; the chosen width stands out.

    Written are the scores of the chosen, the best and the least width, if they have room; all are at the pointer.

    >>> widths_figure([1, 2], [-0.9, -0.7], ["so", "be"], chosen=2).data[0].y
    [-0.9, -0.7]
    """
    figure = blank(height, "width of the beam", "score of its best text")
    written = []
    for width in (chosen, widths[scores.index(max(scores))], widths[0]):
        if all(abs(width - other) > 1 for other in written):  # beside another's score there is no room
            written.append(width)
    figure.add_trace(
        scatter(
            x=list(widths),
            y=list(scores),
            mode="lines+markers+text",
            line={"color": BLUE, "width": 3},
            marker={"size": 11, "color": [VERMILLION if width == chosen else BLUE for width in widths]},
            text=[
                signed(score, 3) if width in written else ""
                for width, score in zip(widths, scores, strict=True)
            ],
            textposition="top center",
            customdata=[[signed(score, 3), plain(text)] for score, text in zip(scores, texts, strict=True)],
            hovertemplate="width %{x}: %{customdata[0]}, %{customdata[1]}<extra></extra>",
            cliponaxis=False,
        )
    )
    low, high = min(scores), max(scores)
    room = max(0.25 * (high - low), 0.01)
    figure.update_yaxes(range=[low - room, high + 2 * room])
    return figure.update_xaxes(dtick=1)
