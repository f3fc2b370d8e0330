r"""CKY: the best tree of a sentence under a probabilistic context-free grammar (PCFG) in Chomsky normal form.

Every rule rewrites a label as two labels, A → B C, or as one word, A → w. Its probability is counted from a treebank,

    P(A → β) = count(A → β) / count(A)        P(tree) = product of the probabilities of its rules

A cell (i, j) of the chart covers the words i ... j-1. Short spans are filled first, and each keeps for every label A

    best[i, j, A]   = max over k, B, C of  P(A → B C) * best[i, k, B] * best[k, j, C]      best[i, i+1, A] = P(A → w_i)
    inside[i, j, A] = the same with a sum in place of max: the probability that A becomes these words, by all trees
    trees[i, j, A]  = the same with a sum and every P = 1: how many trees there are

Time: O(n^3 |rules|), memory O(n^2 |labels|) for n words.

T. Kasami (1966); D. Younger (1967), Recognition and parsing of context-free languages in time n^3. J. Baker (1979),
Trainable grammars for speech recognition. D. Jurafsky and J. Martin, Speech and Language Processing, appendix C.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

START = "S"
Span = tuple[int, int]  # from the word i to the word before j
BRACKETS = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True)
class Tree:
    """A label with two trees below it, or with one word."""

    label: str
    children: tuple[Tree, Tree] | tuple[str]

    @property
    def rule(self) -> Rule:
        """Return the rule that rewrites the label."""
        return self.label, tuple(each.label if isinstance(each, Tree) else each for each in self.children)

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words below the label, from left to right.

        >>> read_tree("(S (NP she) (VP sleeps))").words
        ('she', 'sleeps')
        """
        return tuple(
            word for each in self.children for word in (each.words if isinstance(each, Tree) else (each,))
        )


Rule = tuple[str, tuple[str, ...]]  # a label, and the two labels or the word that it becomes


@dataclass(frozen=True)
class Grammar:
    """The probabilities of rules: `rules` {(A, (B, C)) or (A, (w,)): p}; those of one label add up to 1."""

    rules: Mapping[Rule, float]

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words that some rule ends in, in alphabetical order."""
        return tuple(sorted({right[0] for _, right in self.rules if len(right) == 1}))


@dataclass(frozen=True)
class Way:
    """One way to make a label of a span: `right` are the labels left and right of the split before word k.

    `best` is the rule's probability times the best ones of both parts, `inside` and `trees` the same for all trees. For a
    word k is None and `right` is the word.
    """

    right: tuple[str, ...]
    k: int | None
    best: float
    inside: float
    trees: int


@dataclass(frozen=True)
class Entry:
    """A label of a cell: its best probability, inside probability, number of trees, and all ways, the best first."""

    best: float
    inside: float
    trees: int
    ways: tuple[Way, ...]


@dataclass(frozen=True)
class Chart:
    """The filled triangle of a sentence: `cells` {(i, j): {label: entry}}, the most probable label first."""

    words: tuple[str, ...]
    cells: Mapping[Span, Mapping[str, Entry]]

    @property
    def whole(self) -> Entry | None:
        """Return the entry of a sentence that covers all words, None where there is no tree."""
        return self.cells.get((0, len(self.words)), {}).get(START)


def read_tree(brackets: str) -> Tree:
    """Return the tree that is written with brackets.

    >>> read_tree("(NP (Det the) (N dog))").rule
    ('NP', ('Det', 'N'))
    """
    tokens = iter(BRACKETS.findall(brackets))
    next(tokens)
    return _read_node(tokens)


def _read_node(tokens: Iterator[str]) -> Tree:
    label, children = next(tokens), []
    while (token := next(tokens)) != ")":
        children.append(_read_node(tokens) if token == "(" else token)
    return Tree(label, tuple(children))


def write_tree(tree: Tree) -> str:
    """Return a tree written with brackets.

    >>> write_tree(read_tree("(S (NP she) (VP sleeps))"))
    '(S (NP she) (VP sleeps))'
    """
    below = (write_tree(each) if isinstance(each, Tree) else each for each in tree.children)
    return f"({tree.label} {' '.join(below)})"


def read_treebank(text: str) -> tuple[Tree, ...]:
    """Return the trees of a text that has one on each line."""
    return tuple(read_tree(line) for line in text.splitlines() if line.strip())


def list_nodes(tree: Tree, i: int = 0) -> list[tuple[Span, Tree]]:
    """Return every node of a tree with its span, parents before children.

    >>> [(span, node.label) for span, node in list_nodes(read_tree("(S (NP she) (VP sleeps))"))]
    [((0, 2), 'S'), ((0, 1), 'NP'), ((1, 2), 'VP')]
    """
    nodes = [((i, i + len(tree.words)), tree)]
    for child in tree.children:
        if isinstance(child, Tree):
            nodes += list_nodes(child, i)
            i += len(child.words)
    return nodes


def count_grammar(trees: Sequence[Tree]) -> Grammar:
    """Return the grammar whose probabilities are the relative frequencies of the rules in `trees`.

    >>> count_grammar([read_tree("(S (NP she) (VP sleeps))"), read_tree("(S (NP we) (VP sleeps))")]).rules["NP", ("we",)]
    0.5
    """
    rules = Counter(node.rule for tree in trees for _, node in list_nodes(tree))
    labels = Counter()
    for (label, _), count in rules.items():
        labels[label] += count
    return Grammar({rule: count / labels[rule[0]] for rule, count in rules.items()})


def set_rule(grammar: Grammar, rule: Rule, probability: float) -> Grammar:
    """Return the grammar with another probability for one rule; the label's other rules share the rest as before.

    >>> two = Grammar({("A", ("a",)): 0.5, ("A", ("b",)): 0.3, ("A", ("c",)): 0.2})
    >>> [round(p, 2) for p in set_rule(two, ("A", ("a",)), 0.2).rules.values()]
    [0.2, 0.48, 0.32]
    """
    rest = (1 - probability) / (1 - grammar.rules[rule])
    changed = {each: p * rest if each[0] == rule[0] else p for each, p in grammar.rules.items()}
    return Grammar(changed | {rule: probability})


def score_tree(tree: Tree, grammar: Grammar) -> float:
    """Return the probability of a tree: the product of its rules, 0 where the grammar lacks one."""
    product = 1.0
    for _, node in list_nodes(tree):
        product *= grammar.rules.get(node.rule, 0)
    return product


def fill_chart(words: Sequence[str], grammar: Grammar, labels: int | None = None) -> Chart:
    """Return the chart of a sentence, short spans first. With `labels`, each cell keeps only so many, the most probable.

    >>> toy = count_grammar([read_tree("(S (NP she) (VP (V eats) (NP fish)))")])
    >>> fill_chart("she eats fish".split(), toy).whole.best
    0.25
    """
    n = len(words)
    cells = {}
    for length in range(1, n + 1):
        for i in range(n - length + 1):
            ways = _list_ways(words, grammar, cells, (i, i + length))
            entries = sorted(map(_sum_ways, ways.items()), key=lambda each: -each[1].best)
            cells[i, i + length] = dict(entries[:labels])
    return Chart(tuple(words), cells)


def _list_ways(
    words: Sequence[str], grammar: Grammar, cells: Mapping[Span, Mapping[str, Entry]], span: Span
) -> dict[str, list[Way]]:
    """Return all ways to make each label of a span from shorter spans, or from its only word."""
    i, j = span
    ways: dict[str, list[Way]] = {}
    for (label, right), p in grammar.rules.items():
        if len(right) == 1:
            if right[0] == words[i] and j == i + 1:
                ways.setdefault(label, []).append(Way(right, None, p, p, 1))
            continue
        for k in range(i + 1, j):
            if right[0] in cells[i, k] and right[1] in cells[k, j]:
                b, c = cells[i, k][right[0]], cells[k, j][right[1]]
                way = Way(right, k, p * b.best * c.best, p * b.inside * c.inside, b.trees * c.trees)
                ways.setdefault(label, []).append(way)
    return ways


def _sum_ways(found: tuple[str, list[Way]]) -> tuple[str, Entry]:
    """Return a label's entry: the maximum of its ways, and their sums."""
    label, ways = found
    ways = sorted(ways, key=lambda way: -way.best)
    inside, trees = sum(way.inside for way in ways), sum(way.trees for way in ways)
    return label, Entry(ways[0].best, inside, trees, tuple(ways))


def follow_back(chart: Chart, span: Span | None = None, label: str = START) -> Tree:
    """Return the best tree of a span, found by following the best way of each cell down to the words.

    >>> toy = count_grammar([read_tree("(S (NP she) (VP (V eats) (NP fish)))")])
    >>> follow_back(fill_chart("she eats fish".split(), toy)).rule
    ('S', ('NP', 'VP'))
    """
    i, j = span or (0, len(chart.words))
    way = chart.cells[i, j][label].ways[0]
    if way.k is None:
        return Tree(label, way.right)
    left, right = way.right
    return Tree(label, (follow_back(chart, (i, way.k), left), follow_back(chart, (way.k, j), right)))


def list_trees(chart: Chart, span: Span | None = None, label: str = START) -> list[Tree]:
    """Return every tree of a span: there may be very many, so this is for short sentences.

    >>> toy = count_grammar([read_tree("(S (NP she) (VP (V eats) (NP fish)))")])
    >>> len(list_trees(fill_chart("she eats fish".split(), toy)))
    1
    """
    i, j = span or (0, len(chart.words))
    trees = []
    for way in chart.cells[i, j][label].ways:
        if way.k is None:
            trees.append(Tree(label, way.right))
            continue
        lefts, rights = (
            list_trees(chart, (i, way.k), way.right[0]),
            list_trees(chart, (way.k, j), way.right[1]),
        )
        trees += [Tree(label, (left, right)) for left in lefts for right in rights]
    return trees


def count_parsed(sentences: Sequence[Sequence[str]], grammar: Grammar, labels: int | None = None) -> int:
    """Return how many sentences get a tree where each cell keeps so many labels."""
    return sum(fill_chart(words, grammar, labels).whole is not None for words in sentences)
