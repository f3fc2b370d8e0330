"""Exercises on CKY: a rule counted in a treebank, a tree's probability, the entries of a chart, and a number of trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import prod

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.cky import (
    Chart,
    Grammar,
    Rule,
    Tree,
    Way,
    fill_chart,
    list_nodes,
    list_trees,
    score_tree,
    write_tree,
)

SUBJECTS, NOUNS = ("she", "we", "they"), ("dogs", "birds", "cats", "stars", "friends")
VERBS, ALONE = ("saw", "liked", "watched"), ("slept", "sang", "walked")  # ALONE are verb phrases of one word
PREPOSITIONS = ("with", "near", "behind")
NOUN_PP, VERB_PP, VERB_NP = ("NP", ("NP", "PP")), ("VP", ("VP", "PP")), ("VP", ("V", "NP"))
FIXED = {("S", ("NP", "VP")): 1.0, ("PP", ("P", "NP")): 1.0}
SPANS = ((1, 3), (3, 5), (2, 5), (1, 5), (0, 5))  # of a sentence of five words, which two trees cover
ENTRIES = ("VP", "PP", "NP", "VP", "S")  # and their labels
LEAST = 1e-4  # a smaller probability has too few digits to be compared


def write_rule(rule: Rule) -> str:
    """Return a rule as a table and the words show it.

    >>> write_rule(VERB_PP)
    'VP → VP PP'
    """
    return f"{rule[0]} → {' '.join(rule[1])}"


def draw_noun_phrase(draws: Draws, parts: int) -> Tree:
    """Return a noun, or one with a prepositional phrase, as often as one of `parts`."""
    noun = Tree("NP", (draws.choose(NOUNS),))
    return Tree("NP", (noun, draw_prepositional_phrase(draws))) if draws.integer(1, parts) == 1 else noun


def draw_prepositional_phrase(draws: Draws) -> Tree:
    """Return a preposition and a noun."""
    return Tree("PP", (Tree("P", (draws.choose(PREPOSITIONS),)), Tree("NP", (draws.choose(NOUNS),))))


def draw_sentence(draws: Draws) -> Tree:
    """Return a short sentence's tree."""
    verb = Tree("VP", (draws.choose(ALONE),))
    if draws.integer(0, 1):
        verb = Tree("VP", (Tree("V", (draws.choose(VERBS),)), draw_noun_phrase(draws, 2)))
    if draws.integer(0, 1):
        verb = Tree("VP", (verb, draw_prepositional_phrase(draws)))
    alone = draws.integer(0, 1)
    return Tree("S", (Tree("NP", (draws.choose(SUBJECTS),)) if alone else draw_noun_phrase(draws, 2), verb))


def draw_rule(draws: Draws, difficulty: int) -> Draw | None:
    """A rule's probability in a treebank; mistakes: divide by all rules, by the sentences, by rules of two labels."""
    trees = [draw_sentence(draws) for _ in range(2 + difficulty)]
    rules = Counter(node.rule for tree in trees for _, node in list_nodes(tree))
    rule = draws.choose((NOUN_PP, VERB_PP, VERB_NP))
    of_label = {right: n for (label, right), n in rules.items() if label == rule[0]}
    times, label_count = rules[rule], sum(of_label.values())
    if not 0 < times < label_count:
        return None
    return Draw(
        given={"treebank": [write_tree(tree) for tree in trees], "rule": write_rule(rule)},
        answer=times / label_count,
        mistakes={
            "all": times / rules.total(),
            "sentences": times / len(trees),
            "phrases": times / sum(n for right, n in of_label.items() if len(right) == 2),
        },
        steps={
            "label": rule[0],
            "times": times,
            "of": label_count,
            "every": rules.total(),
            "lines": len(trees),
            "pairs": sum(n for right, n in of_label.items() if len(right) == 2),
        },
    )


def draw_grammar(draws: Draws) -> tuple[list[str], Grammar]:
    """Return a sentence of five words that has two trees, and a grammar of its words."""
    subject, (thing, tool) = draws.choose(SUBJECTS), draws.sample(NOUNS, 2)
    verb, preposition = draws.choose(VERBS), draws.choose(PREPOSITIONS)
    *nouns, noun_pp = draws.distribution(4)
    verb_np, verb_pp, _ = draws.distribution(3)
    rules: dict[Rule, float] = {
        **FIXED,
        VERB_NP: verb_np,
        VERB_PP: verb_pp,
        NOUN_PP: noun_pp,
        **{("NP", (noun,)): p for noun, p in zip((subject, thing, tool), nouns, strict=True)},
        ("V", (verb,)): draws.decimal(0.2, 0.9),
        ("P", (preposition,)): draws.decimal(0.2, 0.9),
    }
    return [subject, verb, thing, preposition, tool], Grammar(rules)


def rules_table(rules: Mapping[Rule, float]) -> Table:
    """Return rules with their probabilities."""
    return Table([write_rule(rule) for rule in rules], ("P",), [[p] for p in rules.values()], "A → β")


def draw_tree(draws: Draws, difficulty: int) -> Draw | None:
    """The probability of one of two trees; mistakes: leave out the words' rules, or the others; score the other tree."""
    words, grammar = draw_grammar(draws)
    trees = draws.shuffle(list_trees(fill_chart(words, grammar)))
    tree = trees[0]
    if difficulty == 1:
        tree = trees[0].children[1]  # the verb phrase alone
    other = trees[1] if difficulty > 1 else trees[1].children[1]
    used = [node.rule for _, node in list_nodes(tree)]
    factors = [grammar.rules[rule] for rule in used]
    lexical = [len(rule[1]) == 1 for rule in used]
    of_words = prod(p for p, ends in zip(factors, lexical, strict=True) if ends)
    of_labels = prod(p for p, ends in zip(factors, lexical, strict=True) if not ends)
    if score_tree(tree, grammar) < LEAST:
        return None
    return Draw(
        given={"grammar": rules_table(grammar.rules), "tree": write_tree(tree)},
        answer=score_tree(tree, grammar),
        mistakes={"words": of_labels, "labels": of_words, "other": score_tree(other, grammar)},
        steps={
            "product": [[write_rule(rule), p] for rule, p in zip(used, factors, strict=True)],
            "of_words": of_words,
            "of_labels": of_labels,
            "other_tree": write_tree(other),
        },
        digits=6,
    )


def draw_entries(draws: Draws, difficulty: int) -> Draw | None:
    """The best probability of five spans; mistakes: add the ways, keep the smaller one, leave out the rule."""
    words, grammar = draw_grammar(draws)
    chart = fill_chart(words, grammar)
    ways = chart.cells[1, 5]["VP"].ways
    best = [chart.cells[span][label].best for span, label in zip(SPANS, ENTRIES, strict=True)]
    if ways[1].best > 0.8 * ways[0].best or min(best) < LEAST:
        return None  # too close to call by hand
    subject, verb, thing, preposition, tool = (grammar.rules[rule] for rule in word_rules(words))
    phrase, pp = verb * thing, preposition * tool
    bare = (phrase, pp, thing * pp, phrase * pp, subject * phrase * pp)
    inside = [chart.cells[span][label].inside for span, label in zip(SPANS, ENTRIES, strict=True)]
    smaller = [*best[:3], ways[1].best, subject * ways[1].best]
    names = [f"{label}: {' '.join(words[i:j])}" for (i, j), label in zip(SPANS, ENTRIES, strict=True)]
    shown = {1: 3, 2: 2, 3: 0}[difficulty]  # entries that are given
    entries = [[p] if at < shown else [None] for at, p in enumerate(best)]
    return Draw(
        given={"grammar": rules_table(grammar.rules), "sentence": " ".join(words)},
        answer=best[shown:],
        mistakes={"sum": inside[shown:], "smaller": smaller[shown:], "bare": bare[shown:]},
        steps={
            "phrase": " ".join(words[1:]),
            "ways": [
                [" ".join(way.right), grammar.rules["VP", way.right], *parts_of(chart, way)] for way in ways
            ],
            "products": [way.best for way in ways],
            "added": inside[3],
            "whole": best[4],
            "unruled": bare[3],
        },
        digits=6,
        table=Table(names, ("P",), entries, "A"),
    )


def word_rules(words: list[str]) -> list[Rule]:
    """Return the rules that end in the words of such a sentence."""
    return [(label, (word,)) for label, word in zip(("NP", "V", "NP", "P", "NP"), words, strict=True)]


def parts_of(chart: Chart, way: Way) -> list[float]:
    """Return the best probabilities of both parts of a way to make the verb phrase of all but the first word."""
    spans = ((1, way.k), (way.k, 5))
    return [chart.cells[span][label].best for span, label in zip(spans, way.right, strict=True)]


def draw_trees(draws: Draws, difficulty: int) -> Draw:
    """How many trees an entry has; mistakes: count the ways, keep the largest, add what is to be multiplied."""
    splits = sorted(draws.sample(range(2, 8), difficulty))
    rights = ["V NP, k = 1", *(f"VP PP, k = {k}" for k in splits)]
    counts = [(1, draws.integer(2, 6)), *((draws.integer(1, 5), draws.integer(1, 3)) for _ in splits)]
    products = [left * right for left, right in counts]
    return Draw(
        given={"counted": Table(rights, ("n(B)", "n(C)"), counts, "B C")},
        answer=sum(products),
        mistakes={
            "ways": len(rights),
            "largest": max(products),
            "added": sum(map(sum, counts)),
        },
        steps={"pairs": counts, "products": products},
    )


MAKERS = (Maker(draw_rule), Maker(draw_tree), Maker(draw_entries), Maker(draw_trees))
