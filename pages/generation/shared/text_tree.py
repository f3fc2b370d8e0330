"""The data of the view "text_tree": texts after a prompt, drawn as one tree, and how their tokens are shown in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.text_tree import FAINT, FORCED, HUES, OPEN, PLAIN, draw_root, name_node
from core.figures.token_label import label_token
from core.words.numbers import format_share
from pages.generation.shared import WORDS
from pages.generation.shared.shown_tokens import name_token


@dataclass(frozen=True)
class Branch:
    """A text after the prompt: its tokens, their probabilities, and how it is drawn.

    `name` is what words are tied to. `forced` is the place, from 1, of the token that was forced, 0 for none. `ends` are
    the lines behind the last token, in bold where it is `strong`.
    """

    name: str
    tokens: tuple[int, ...]
    p: tuple[float, ...]
    hue: int = 0
    forced: int = 0
    ends: tuple[str, ...] = ()
    strong: bool = False
    faint: bool = False
    unknown: bool = False  # whether what follows the last token is still to be guessed
    rest: str = ""  # in place of tokens: what stands for all others, with their probability as its p


def draw_branches(
    prompt: str,
    branches: Sequence[Branch],
    names: Sequence[str],
    key: Sequence[str] = ("width",),
    straight: bool = False,
    rows: Sequence[int] | None = None,
) -> dict:
    """Return the data of the view "text_tree": texts that begin with the same tokens share these nodes.

    A node is in the middle of the texts that go through it, or, where it is `straight`, in the row of the first one. Each
    text has a row of its own, or the one that `rows` gives it.
    """
    straight, rows = straight or rows is not None, rows or range(len(branches))
    through: dict[tuple, list[int]] = {}
    owners: dict[tuple, tuple[Branch, int]] = {}
    ends = []
    for row, branch in zip(rows, branches, strict=True):
        path = branch.tokens or (branch.rest,)
        path += (OPEN,) if branch.unknown else ()
        for depth in range(len(path) + 1):
            through.setdefault(path[:depth], []).append(row)
            owners.setdefault(path[:depth], (branch, depth))
        if branch.ends:
            hue = HUES[branch.hue][0] if branch.strong else ""
            ends.append(
                {
                    "node": name_node(prompt, path),
                    "lines": list(branch.ends),
                    "strong": branch.strong,
                    "hue": hue,
                }
            )
    nodes = []
    for path, (branch, depth) in owners.items():
        first, last = through[path][0], through[path][-1]
        row = float(first if straight else (first + last) / 2)
        nodes.append({**draw_node(prompt, path, branch, depth, names), "row": row})
    explained = [{"kind": kind, "text": WORDS.label(f"key.{kind}")} for kind in key]
    return {"nodes": nodes, "ends": ends, "heads": name_columns(nodes), "key": explained}


def name_columns(nodes: Sequence[dict]) -> list[str]:
    """Return what is above each column: the prompt, and the places of the tokens."""
    return [name_column(depth) for depth in range(max(node["depth"] for node in nodes) + 1)]


def name_column(depth: int) -> str:
    """Return what is above a column: the prompt, or the place of its tokens."""
    return WORDS.label("head.token", i=depth) if depth else WORDS.label("head.prompt")


def draw_node(prompt: str, path: tuple, branch: Branch, depth: int, names: Sequence[str]) -> dict:
    """Return a node, without its row: a token of a branch, the prompt, or what stands for others."""
    if not path:
        return draw_root(prompt, 0.0)
    hue, share = HUES[branch.hue]
    node = {
        "key": name_node(prompt, path),
        "parent": name_node(prompt, path[:-1]),
        "depth": depth,
        "mark": f"{branch.name}.{depth}",
    }
    if path[-1] == OPEN:
        return {**node, "token": "?", "number": "", "p": 0.0, "hue": hue, "share": share, "kind": OPEN}
    p = float(branch.p[depth - 1])
    token = branch.rest or name_after(names[path[-2]] if depth > 1 else "", names[path[-1]])
    kind = FAINT if branch.faint else FORCED if depth == branch.forced else PLAIN
    hue = "" if branch.faint else hue
    return {
        **node,
        "token": token,
        "number": format_share(p),
        "p": min(1.0, p),
        "hue": hue,
        "share": share,
        "kind": kind,
    }


def name_after(before: str, token: str) -> str:
    """Return a token as it is shown behind another one: after a line's end it begins a word and continues none.

    >>> name_after(chr(10), "I"), name_after(" sleep", "ing")
    ('I', '…ing')
    """
    return label_token(token) if before.endswith("\n") else name_token(token)
