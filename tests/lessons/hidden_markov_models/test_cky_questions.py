"""The key of the exercises on CKY, by nltk, whose chart parser lists every tree."""

from math import prod

import nltk
import pytest

from tests.exercises.drawn import drawn, entries


def grammar_of(given):
    """Return nltk's grammar of a table of rules; what is left of each label's probability is given to a word of its own."""
    table = given["grammar"]
    rules = {}
    for name, (p,) in zip(table.rows, entries(table), strict=True):
        left, _, right = name.partition(" → ")
        made = [nltk.Nonterminal(each) if each.isupper() else each for each in right.split()]
        rules[nltk.Nonterminal(left), tuple(made)] = p
    return rules


def every_tree(rules, words):
    """Return the probability of each tree of some words and that tree, from any label."""
    labels = {left for left, _ in rules}
    found = []
    for label in sorted(labels, key=str):
        listed = [nltk.Production(left, right) for left, right in rules]
        for tree in nltk.ChartParser(nltk.CFG(label, listed)).parse(words):
            found.append((prod(rules[each.lhs(), each.rhs()] for each in tree.productions()), tree))
    return found


def test_a_rule_has_the_probability_that_nltk_counts():
    for exercise in drawn("cky", "rule"):
        given, draw = exercise.draw.given, exercise.draw
        trees = [nltk.Tree.fromstring(each) for each in given["treebank"]]
        counted = [rule for tree in trees for rule in tree.productions()]
        found = nltk.induce_pcfg(nltk.Nonterminal("S"), counted).productions()
        probabilities = {f"{rule.lhs()} → {' '.join(map(str, rule.rhs()))}": rule.prob() for rule in found}
        assert draw.answer == pytest.approx(probabilities[given["rule"]])
        times = sum(f"{rule.lhs()} → {' '.join(map(str, rule.rhs()))}" == given["rule"] for rule in counted)
        assert draw.mistakes["all"] == pytest.approx(times / len(counted))
        assert draw.mistakes["sentences"] == pytest.approx(times / len(trees))


def test_a_tree_has_the_product_of_its_rules_and_the_mistake_is_the_other_tree_of_its_words():
    for exercise in drawn("cky", "tree"):
        given, draw = exercise.draw.given, exercise.draw
        tree, rules = nltk.Tree.fromstring(given["tree"]), grammar_of(given)
        used = tree.productions()
        assert draw.answer == pytest.approx(prod(rules[each.lhs(), each.rhs()] for each in used))
        lexical = prod(rules[each.lhs(), each.rhs()] for each in used if each.is_lexical())
        assert draw.mistakes["labels"] == pytest.approx(lexical)
        assert draw.mistakes["words"] == pytest.approx(draw.answer / lexical)
        (other,) = [
            p for p, each in every_tree(rules, tree.leaves()) if each.label() == tree.label() and each != tree
        ]
        assert draw.mistakes["other"] == pytest.approx(other)


def test_an_entry_is_the_best_of_all_trees_of_its_words_and_the_first_mistake_is_their_sum():
    for exercise in drawn("cky", "entries"):
        given, draw = exercise.draw.given, exercise.draw
        rules, best, total = grammar_of(given), [], []
        for name in (draw.table.rows[i] for i, _ in draw.table.blanks):
            label, _, words = name.partition(": ")
            found = [p for p, tree in every_tree(rules, words.split()) if tree.label() == label]
            best.append(max(found))
            total.append(sum(found))
        assert draw.answer == pytest.approx(best)
        assert draw.mistakes["sum"] == pytest.approx(total)
        assert set(given["sentence"].split()) <= {each for _, right in rules for each in map(str, right)}


def test_a_cell_has_as_many_trees_as_pairs_of_a_left_and_a_right_one():
    for exercise in drawn("cky", "trees"):
        draw = exercise.draw
        counts = entries(draw.given["counted"])
        pairs = [
            (way, i, j) for way, (b, c) in enumerate(counts) for i in range(int(b)) for j in range(int(c))
        ]
        assert draw.answer == len(pairs)
        assert draw.mistakes["largest"] == max(sum(way == w for way, *_ in pairs) for w in range(len(counts)))
