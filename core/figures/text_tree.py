"""The data of the view "text_tree": partial texts behind a prompt, and the lattice of those that a beam search scores.

A node is a partial text: its last token, and a number of the whole text or of the token.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.generation.beam_search import level_order
from core.figures.token_label import label_token
from core.models.generation.beam_search import BeamTree

LONGEST = 20  # characters of a prompt that are shown
PROMPT, PLAIN, FORCED, BEST, FAINT, OPEN = (
    "prompt",
    "plain",
    "forced",
    "best",
    "faint",
    "open",
)  # kinds of nodes
# A text keeps its hue through the story, by the rank of its first token: the palette's name, its share in percent.
HUES = (
    ("blue", 100),
    ("vermillion", 100),
    ("green", 100),
    ("pink", 100),
    ("ochre", 100),
    ("sky", 75),
    ("vermillion", 55),
)


@dataclass(frozen=True)
class Box:
    """A partial text: in its box are its last token and a number.

    `p` is the probability of the last token, `total` ln p of the whole, `hue` a place in HUES, `mark` what words are tied
    to, and `ends` the lines behind a text's last token.
    """

    path: tuple[Hashable, ...]
    p: float
    total: float
    row: int
    hue: int
    kind: str
    mark: str
    ends: tuple[str, ...] = ()
    strong: bool = False


def draw_boxes(
    prompt: str,
    boxes: Sequence[Box],
    write: Callable[[Box], tuple[str, str]],
    head: Callable[[int], str],
    key: Mapping[str, str],
) -> dict:
    """Return the data of the view "text_tree": partial texts behind a prompt.

    `write` returns what stands in a box, its token and its number; `head` what is above a column, 0 for the prompt's;
    `key` explains kinds of marks.
    """
    rows = [box.row for box in boxes]
    root = draw_root(prompt, (min(rows) + max(rows)) / 2)
    nodes = [root, *(draw_box(prompt, box, *write(box)) for box in boxes)]
    ends = [
        {
            "node": name_node(prompt, box.path),
            "lines": list(box.ends),
            "strong": box.strong,
            "hue": HUES[box.hue][0] if box.strong else "",
        }
        for box in boxes
        if box.ends
    ]
    heads = [head(depth) for depth in range(max(node["depth"] for node in nodes) + 1)]
    explained = [{"kind": kind, "text": text} for kind, text in key.items()]
    return {"nodes": nodes, "ends": ends, "heads": heads, "key": explained}


def draw_root(prompt: str, row: float) -> dict:
    """Return the node of the prompt."""
    return {
        "key": name_node(prompt, ()),
        "parent": "",
        "token": cut_prompt(prompt),
        "number": "",
        "p": 1.0,
        "depth": 0,
        "row": row,
        "hue": "",
        "share": 100,
        "kind": PROMPT,
        "mark": PROMPT,
    }


def draw_box(prompt: str, box: Box, token: str, number: str) -> dict:
    """Return the node of a partial text."""
    hue, share = HUES[box.hue % len(HUES)]
    return {
        "key": name_node(prompt, box.path),
        "parent": name_node(prompt, box.path[:-1]),
        "token": token,
        "number": number,
        "p": min(1.0, box.p),
        "depth": len(box.path),
        "row": float(box.row),
        "hue": "" if box.kind == FAINT else hue,
        "share": share,
        "kind": box.kind,
        "mark": box.mark,
    }


def name_node(prompt: str, path: Sequence[Hashable]) -> str:
    """Return a node's key: the prompt and the tokens until the node."""
    return "/".join([prompt, *map(str, path)])


def cut_prompt(prompt: str) -> str:
    """Return the end of a prompt that has room in the picture.

    >>> cut_prompt("You have"), cut_prompt("")
    ('You have', '∅')
    """
    line = label_token(" ".join(prompt.split())).replace("␣", " ")
    return line if len(line) <= LONGEST else f"…{line[1 - LONGEST :].lstrip()}"


def lay_lattice(
    tree: BeamTree, step: int, rows: int, best: bool = False, waiting: bool = False, first: int = 1
) -> list[Box]:
    """Return the boxes of a beam search until a step: in each column the kept ones, then the best pruned ones.

    Where it is `best`, the best text so far stands out. Where the last step is `waiting`, its candidates are below each
    other by their parents, and which of them are kept is not shown. The boxes begin at step `first`, with what is behind
    the best text before it. A text has the hue of its first token that is drawn.
    """
    levels = level_order(tree, step)
    if first > 1:
        levels = [[i for i in level if levels[first - 2][0] in ancestry(tree, i)] for level in levels]
    hues = [tree.nodes[place].token for place in levels[first - 1]]
    winner = set(ancestry(tree, best_until_step(tree, levels))) if best else set()
    boxes = []
    for depth, level in enumerate(levels[first - 1 :], first):
        undecided = waiting and depth == step
        if undecided:
            level = sorted(level, key=lambda i: (tree.nodes[i].parent, -tree.nodes[i].total))
        for row, place in enumerate(level[: max(rows, sum(tree.nodes[i].kept for i in level))]):
            node, path = tree.nodes[place], tuple(tree.path(place)[first - 1 :])
            kind = OPEN if undecided else FAINT if not node.kept else BEST if place in winner else PLAIN
            p, hue = float(np.exp(node.log_probability)), hues.index(path[0])
            boxes.append(Box(path, p, float(node.total), row, hue, kind, f"cell.{depth}.{row + 1}"))
    return boxes


def best_until_step(tree: BeamTree, levels: Sequence[Sequence[int]]) -> int:
    """Return the place of the most probable kept text of the last level that is there."""
    return max((i for i in levels[-1] if tree.nodes[i].kept), key=lambda i: tree.nodes[i].total)


def ancestry(tree: BeamTree, place: int | None) -> list[int]:
    """Return a place in the tree and those before it on its path."""
    found = []
    while place is not None:
        found.append(place)
        place = tree.nodes[place].parent
    return found
