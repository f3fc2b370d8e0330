"""The tree of a beam search for the browser view assets/views/generation_tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.figures.generation import WORDS
from core.figures.generation.generation_tree import shorten_probability
from core.figures.token_label import label_token
from core.models.generation.beam_search import BeamTree
from core.words.numbers import signed

ROWS = 7  # rows of a beam's tree: the kept and the best of the pruned, two of them at least
LISTED = 10  # candidates of a beam's step in its list
TAIL = 24  # letters of a text so far in the list of candidates


def say(what: str, **values: object) -> str:
    """Return one of the words of this file's pictures."""
    return WORDS.label(f"beam_search.{what}", **values)


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
    something kept comes from it (0: pruned), the whole text so far], the depth and row of the best text, and how many
    candidates there are and are kept.
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
                        label_token(names[tree.nodes[place].token]),
                        shorten_probability(float(np.exp(tree.nodes[place].log_probability))),
                        signed(tree.nodes[place].total),
                        signed(tree.nodes[place].score, 3),
                        min(until[place], steps),  # nothing of the steps that are still to be guessed
                        label_token(write(tree.path(place))),
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
        "token": say("prompt") if node.token is None else label_token(names[node.token]),
        "p": None if node.token is None else p,
        "chance": "" if node.token is None else shorten_probability(p),
        "about": f"ln p {signed(node.total)}, {say('score')} {signed(node.score, 3)}, "
        f"{say('kept' if node.kept else 'pruned')}",
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
        text = label_token(write(tree.path(place)))
        numbers = [signed(node.total), signed(node.score, 3)]
        kept = {"p": 0.0, "taken": False, "kept": node.kept}
        rows.append({"id": None, "token": text[-TAIL:], "numbers": numbers, **kept})
    kept = sum(tree.nodes[place].kept for place in levels[-1])
    more = len(levels[-1]) - len(listed)
    return {
        "title": say("candidates", n=len(levels[-1]), kept=kept),
        "head": say("head"),
        "rows": rows,
        "rest": say("rest", n=more) if more else "",
    }
