"""A tree of texts that a model may write: the prompt is its root, every other node one token more.

    ln p(y) = sum_i ln p(y_i | prompt, y_1 .. y_i-1)        the path's log-probability, by the chain rule
    ln p(y) / |y|                                           the same for each token, so that lengths compare

Texts that begin alike share nodes. A tree is never changed: growing or cutting returns another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.generation import WORDS
from core.models.language_model import LanguageModel

WAYS = {"g": "greedy", "s": "sampled", "b": "beam", "f": "forced"}
LETTERS = {way: letter for letter, way in WAYS.items()}
RUN = re.compile(r"(\d{1,6})([gsbf])(\d{1,9}(?:\.\d{1,9})*)", re.ASCII)


@dataclass(frozen=True)
class GenerationTree:
    """Node 0 is the prompt; node i follows `parents[i]` with `tokens[i]`, made in the way `ways[i]`.

    A node's number is larger than its parent's. The prompt's own entries are -1, -1 and "".

    >>> tree, end = GenerationTree().grown(0, [5, 7], "greedy")
    >>> tree, end = tree.grown(1, [9], "forced")
    >>> tree.parents, tree.tokens, tree.path(end), tree.leaves
    ((-1, 0, 1, 1), (-1, 5, 7, 9), [5, 9], [2, 3])
    """

    parents: tuple[int, ...] = (-1,)
    tokens: tuple[int, ...] = (-1,)
    ways: tuple[str, ...] = ("",)

    def __len__(self) -> int:
        return len(self.parents)

    def path(self, node: int) -> list[int]:
        """Return the tokens from the prompt to a node."""
        return [self.tokens[each] for each in self.ancestry(node)]

    def ancestry(self, node: int) -> list[int]:
        """Return the nodes from the first new token to a node; none for the prompt."""
        nodes = []
        while node > 0:
            nodes.append(node)
            node = self.parents[node]
        return nodes[::-1]

    def children(self, node: int) -> list[int]:
        """Return the nodes that follow a node, the oldest first."""
        return [i for i, parent in enumerate(self.parents) if parent == node]

    @property
    def leaves(self) -> list[int]:
        """The nodes at which a text ends, in order; the prompt alone is one."""
        return sorted(set(range(len(self))) - set(self.parents))

    def grown(self, node: int, tokens: Sequence[int], way: str) -> tuple[GenerationTree, int]:
        """Return the tree with a path of tokens after a node, and the path's last node; what is there is shared."""
        parents, made, ways = list(self.parents), list(self.tokens), list(self.ways)
        known = {(parent, token): i for i, (parent, token) in enumerate(zip(parents, made, strict=True))}
        for token in map(int, tokens):
            if (node, token) not in known:
                known[node, token] = len(parents)
                parents.append(node)
                made.append(token)
                ways.append(way)
            node = known[node, token]
        return GenerationTree(tuple(parents), tuple(made), tuple(ways)), node

    def kept(self, wanted: Callable[[int], bool]) -> GenerationTree:
        """Return the tree of the nodes that are `wanted`, whose parents must be too, numbered anew in order."""
        old = [i for i in range(len(self)) if i == 0 or wanted(i)]
        number = {-1: -1} | {node: i for i, node in enumerate(old)}
        return GenerationTree(
            tuple(number[self.parents[i]] for i in old),
            tuple(self.tokens[i] for i in old),
            tuple(self.ways[i] for i in old),
        )

    def until(self, node: int) -> tuple[GenerationTree, int]:
        """Return the tree without all that follows a node, and the node's number in it."""
        left = self.kept(lambda i: node and node not in self.ancestry(i)[:-1])
        return left.grown(0, self.path(node), "forced")

    def without(self, node: int) -> GenerationTree:
        """Return the tree without a node and all that follows it."""
        return self.kept(lambda i: node not in self.ancestry(i))


def tree_of(texts: Iterable[tuple[str, Sequence[int]]]) -> GenerationTree:
    """Return the tree of several texts, each (how it was made, its tokens).

    >>> tree_of([("greedy", [5, 7]), ("sampled", [5, 9])]).parents
    (-1, 0, 1, 1)
    """
    tree = GenerationTree()
    for way, tokens in texts:
        tree, _ = tree.grown(0, tokens, way)
    return tree


def continuation_log_probabilities(
    model: LanguageModel, prompt: Sequence[int], tokens: Sequence[int]
) -> np.ndarray:
    """Return ln p(y_i | prompt, y_1 .. y_i-1) of each token after a prompt, (n,).

    >>> from core.models.language_model import UniformModel
    >>> np.exp(continuation_log_probabilities(UniformModel(("a", "b")), [0], [1, 1])).tolist()
    [0.5, 0.5]
    """
    everything = (*prompt, *tokens)
    if hasattr(model, "token_log_probabilities"):
        return np.asarray(model.token_log_probabilities(everything))[len(prompt) :]
    places = range(len(prompt), len(everything))
    return np.array([model.log_probabilities(everything[:i])[everything[i]] for i in places])


def node_log_probabilities(
    tree: GenerationTree, score: Callable[[tuple[int, ...]], np.ndarray]
) -> np.ndarray:
    """Return ln p of each node's token after its path, (N,); 0 for the prompt.

    `score(tokens)` gives ln p of each token of a text after the prompt, (n,); it is asked once a leaf.

    >>> tree, _ = GenerationTree().grown(0, [5, 7], "greedy")
    >>> node_log_probabilities(tree, lambda tokens: np.log([0.5, 0.25])).round(2).tolist()
    [0.0, -0.69, -1.39]
    """
    ln_p = np.zeros(len(tree))
    for leaf in tree.leaves:
        nodes = tree.ancestry(leaf)
        if nodes:
            ln_p[nodes] = score(tuple(tree.path(leaf)))
    return ln_p


def path_totals(tree: GenerationTree, ln_p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ln p of the path to each node, (N,), and its number of tokens, (N,).

    >>> tree, _ = GenerationTree().grown(0, [5, 7], "greedy")
    >>> [column.tolist() for column in path_totals(tree, np.array([0.0, -1.0, -2.0]))]
    [[0.0, -1.0, -3.0], [0, 1, 2]]
    """
    totals, depths = np.zeros(len(tree)), np.zeros(len(tree), dtype=int)
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        totals[node], depths[node] = totals[parent] + ln_p[node], depths[parent] + 1
    return totals, depths


def write_tree(tree: GenerationTree, vocabulary_size: int) -> str:
    """Return a tree as a line for an address: V, then each run of tokens as "node, way, tokens".

    >>> tree, _ = GenerationTree().grown(0, [5, 7], "greedy")
    >>> write_tree(tree.grown(1, [9], "forced")[0], 63)
    '63_0g5.7_1f9'
    """
    runs: list[str] = []
    for node in range(1, len(tree)):
        parent, token, way = tree.parents[node], tree.tokens[node], tree.ways[node]
        if runs and parent == node - 1 and way == tree.ways[parent]:
            runs[-1] += f".{token}"
        else:
            runs.append(f"{parent}{LETTERS[way]}{token}")
    return "_".join([str(vocabulary_size), *runs])


def read_tree(line: str, vocabulary_size: int, most: int = 1000) -> GenerationTree:
    """Return the tree of a line that `write_tree` wrote.

    Raises ValueError, with the sentence to show, for another vocabulary, more than `most` nodes, or what is no tree.

    >>> read_tree("63_0g5.7_1f9", 63).tokens
    (-1, 5, 7, 9)
    """
    size, *runs = line.strip().split("_")
    if size != str(vocabulary_size):
        raise ValueError(WORDS.label("generation_tree.vocabulary"))
    tree = GenerationTree()
    for run in runs:
        found = RUN.fullmatch(run)
        tokens = [int(token) for token in found[3].split(".")] if found else []
        if not found or int(found[1]) >= len(tree) or max(tokens) >= vocabulary_size:
            raise ValueError(WORDS.label("generation_tree.unreadable"))
        tree, _ = tree.grown(int(found[1]), tokens, WAYS[found[2]])
        if len(tree) > most:
            raise ValueError(WORDS.label("generation_tree.large", most=most))
    return tree
