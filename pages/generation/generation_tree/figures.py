"""Pictures of a tree of texts: the story's branches, and the lab's tables and choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.figures.generation.generation_tree import CHOICES, chance
from core.figures.generation.sampling import shown
from core.figures.generation.text_numbers import Formula, times, worked_mean, worked_sum
from core.figures.worked import number, signed
from core.models.generation.generation_tree import GenerationTree, path_totals
from core.models.neural_language_model import log_softmax
from pages.generation.generation_tree import LESSON
from pages.generation.shared.shown_tokens import format_share, name_token

WORDS = LESSON.words
LONGEST = 20  # characters of a prompt that are shown
PROMPT, PLAIN, FORCED, FAINT, OPEN = "prompt", "plain", "forced", "faint", "open"  # kinds of nodes
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
    deepest = max(len(path) for path in owners)
    heads = [WORDS.label("head.prompt"), *(WORDS.label("head.token", i=i) for i in range(1, deepest + 1))]
    explained = [{"kind": kind, "text": WORDS.label(f"key.{kind}")} for kind in key]
    return {"nodes": nodes, "ends": ends, "heads": heads, "key": explained}


def name_node(prompt: str, path: Sequence) -> str:
    """Return a node's key: the prompt and the tokens until the node."""
    return "/".join([prompt, *map(str, path)])


def draw_node(prompt: str, path: tuple, branch: Branch, depth: int, names: Sequence[str]) -> dict:
    """Return a node, without its row: a token of a branch, the prompt, or what stands for others."""
    hue, share = HUES[branch.hue]
    node = {
        "key": name_node(prompt, path),
        "parent": name_node(prompt, path[:-1]) if path else "",
        "depth": depth,
        "mark": f"{branch.name}.{depth}" if path else PROMPT,
    }
    if not path:
        return {**node, "token": cut_prompt(prompt), "number": "", "p": 1.0, "hue": "", "share": 100} | {
            "kind": PROMPT
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
    return shown(token) if before.endswith("\n") else name_token(token)


def cut_prompt(prompt: str) -> str:
    """Return the end of a prompt that has room in the picture.

    >>> cut_prompt("You have"), cut_prompt("")
    ('You have', '∅')
    """
    line = shown(" ".join(prompt.split())).replace("␣", " ")
    return line if len(line) <= LONGEST else f"…{line[1 - LONGEST :].lstrip()}"


# The lab.


def say_texts(tree: GenerationTree, ln_p: np.ndarray) -> str:
    """Return the sentence below the lab's tree: which text is the most probable, and by how much."""
    totals, _ = path_totals(tree, ln_p)
    leaves = [leaf for leaf in tree.leaves if leaf]
    if not leaves:
        return WORDS.label("says.empty")
    best, worst = max(leaves, key=totals.__getitem__), min(leaves, key=totals.__getitem__)
    return WORDS.label(
        "says.texts",
        n=len(leaves),
        best=tree.ways[best],
        worst=tree.ways[worst],
        total=signed(totals[best]),
        least=signed(totals[worst]),
        once=times(-totals[best]),
        times=times(totals[best] - totals[worst]),
    )


def choices_payload(
    ln_p: np.ndarray, names: Sequence[str], taken: Sequence[int], after: str, most: int = CHOICES
) -> dict:
    """Return the opened distribution, the most probable tokens first; those already `taken` are always among them."""
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
    left = len(ln_p) - len(listed)
    more = WORDS.label("choices.more", n=left, p=chance(max(0.0, rest))) if left else ""
    return {
        "title": WORDS.label("choices.title", after=after),
        "head": WORDS.label("choices.head"),
        "rows": rows,
        "rest": more,
    }


def label_columns(table: dict[str, object], *, of: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a table whose columns have their labels, and the id of each label."""
    ids = {WORDS.label(f"column.{of}.{column}"): column for column in table}
    return pd.DataFrame(dict(zip(ids, table.values(), strict=True))), ids


def tree_table(tree: GenerationTree, ln_p: np.ndarray, names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each token of a tree, and the rows' formulas.

    >>> tree, _ = GenerationTree().grown(0, [0, 1], "greedy")
    >>> table, formula = tree_table(tree, np.array([0.0, -1.0, -2.0]), "ab")
    >>> table["ln p per token"].tolist(), formula(1, "ln p per token")[-4:]
    ([-1.0, -1.5], '-1.5')
    """
    totals, depths = path_totals(tree, ln_p)
    nodes = np.arange(1, len(tree))
    table, ids = label_columns(
        {
            "node": nodes,
            "after": [tree.parents[i] for i in nodes],
            "token": [shown(names[tree.tokens[i]]) for i in nodes],
            "way": [WORDS.label(f"way.{tree.ways[i]}") for i in nodes],
            "p": np.exp(ln_p[nodes]),
            "ln_p": ln_p[nodes],
            "total": totals[nodes],
            "length": depths[nodes],
            "mean": totals[nodes] / depths[nodes],
        },
        of="tree",
    )
    return table, lambda row, column: worked_node(ln_p[tree.ancestry(row + 1)], ids[column])


def choices_table(logits: np.ndarray, names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each token that may come next, the most probable first, and the rows' formulas.

    >>> choices_table(np.log([0.25, 0.75]), "ab")[0]["p"].round(2).tolist()
    [0.75, 0.25]
    """
    order, ln_p = np.argsort(-logits, kind="stable"), log_softmax(logits)
    table, ids = label_columns(
        {
            "token": [shown(names[i]) for i in order],
            "logit": logits[order],
            "ln_p": ln_p[order],
            "p": np.exp(ln_p[order]),
        },
        of="choices",
    )
    return table, lambda row, column: worked_choice(logits, int(order[row]), ids[column])


def worked_node(factors: np.ndarray, column: str) -> str | None:
    """Return one number of a tree's node, of whose path `factors` are the ln p."""
    if column == "p":
        return rf"p = e^{{{number(factors[-1])}}} = {number(float(np.exp(factors[-1])))}"
    if column == "total":
        return worked_sum(factors)
    return worked_mean(float(factors.sum()), len(factors)) if column == "mean" else None


def worked_choice(logits: np.ndarray, token: int, column: str) -> str | None:
    """Return one number of a next-token distribution; exponents are less the largest logit."""
    m = float(np.max(logits))
    total = float(np.exp(logits - m).sum())
    ln_p = float(log_softmax(logits)[token])
    if column == "ln_p":
        letters = r"z_i - m - \ln \sum_j e^{z_j - m}"
        return (
            rf"\ln p_i = {letters} = {number(logits[token])} - ({number(m)}) - "
            rf"\ln {number(total)} = {number(ln_p)},\qquad m = \max_j z_j"
        )
    return rf"p_i = e^{{{number(ln_p)}}} = {number(float(np.exp(ln_p)))}" if column == "p" else None
