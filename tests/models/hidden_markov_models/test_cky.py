"""CKY against nltk: its parsers, an exhaustive list of trees, and the sum of their probabilities."""

from math import isclose, prod

import nltk
import pytest

from core.models.hidden_markov_models.cky import (
    Tree,
    count_grammar,
    count_parsed,
    fill_chart,
    follow_back,
    list_nodes,
    list_trees,
    read_tree,
    read_treebank,
    score_tree,
    set_rule,
)
from core.text.samples.treebank import TREEBANK

TREES = read_treebank(TREEBANK)
GRAMMAR = count_grammar(TREES)
SENTENCES = (
    "I saw the man with the telescope",
    "I saw the man with the telescope in the park",
    "they watch the old dog in the park with the telescope on the house",
    "she sleeps",
)


@pytest.fixture(scope="module")
def theirs():
    """The grammar that nltk counts from the same brackets."""
    productions = [
        production
        for line in TREEBANK.split("\n")
        if line
        for production in nltk.Tree.fromstring(line).productions()
    ]
    return nltk.induce_pcfg(nltk.Nonterminal("S"), productions)


def write(tree):
    """Return a tree with its brackets."""
    below = (write(each) if isinstance(each, Tree) else each for each in tree.children)
    return f"({tree.label} {' '.join(below)})"


def test_every_tree_is_read_whole_and_every_rule_has_two_labels_or_one_word():
    lines = [line for line in TREEBANK.splitlines() if line]
    assert [write(tree) for tree in TREES] == lines and len(lines) == 36
    labels = {label for label, _ in GRAMMAR.rules}
    for _, right in GRAMMAR.rules:
        assert (len(right) == 2 and set(right) <= labels) or (len(right) == 1 and right[0] not in labels)


def test_probabilities_are_those_that_nltk_counts(theirs):
    expected = {(str(rule.lhs()), tuple(map(str, rule.rhs()))): rule.prob() for rule in theirs.productions()}
    assert expected.keys() == GRAMMAR.rules.keys()
    assert all(isclose(GRAMMAR.rules[rule], p, rel_tol=1e-6) for rule, p in expected.items())


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_best_tree_is_that_of_nltk_s_viterbi_parser(theirs, sentence):
    (best,) = nltk.ViterbiParser(theirs).parse(sentence.split())
    chart = fill_chart(sentence.split(), GRAMMAR)
    assert write(follow_back(chart)) == " ".join(best.pformat(margin=10_000).split())
    assert isclose(chart.whole.best, best.prob(), rel_tol=1e-6)
    assert isclose(score_tree(follow_back(chart), GRAMMAR), best.prob(), rel_tol=1e-6)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_inside_probability_and_the_number_of_trees_are_those_of_nltk_s_list_of_all_trees(
    theirs, sentence
):
    plain = nltk.CFG(theirs.start(), theirs.productions())
    every = list(nltk.ChartParser(plain).parse(sentence.split()))
    chances = {rule: rule.prob() for rule in theirs.productions()}
    known = {(rule.lhs(), rule.rhs()): p for rule, p in chances.items()}
    total = sum(prod(known[each.lhs(), each.rhs()] for each in tree.productions()) for tree in every)
    chart = fill_chart(sentence.split(), GRAMMAR)
    assert chart.whole.trees == len(every) == len(list_trees(chart))
    assert isclose(chart.whole.inside, total, rel_tol=1e-6)
    ours = {write(tree) for tree in list_trees(chart)}
    assert ours == {" ".join(tree.pformat(margin=10_000).split()) for tree in every}


def test_every_tree_of_the_treebank_is_among_those_of_its_sentence():
    for tree in TREES:
        assert tree in list_trees(fill_chart(tree.words, GRAMMAR))


def test_nodes_hold_the_words_of_their_spans():
    tree = read_tree("(S (NP (Det the) (N cat)) (VP (V eats) (NP fish)))")
    for (i, j), node in list_nodes(tree):
        assert node.words == tree.words[i:j]


def test_a_changed_rule_leaves_probabilities_that_add_up_to_one():
    rule = ("NP", ("NP", "PP"))
    changed = set_rule(GRAMMAR, rule, 0.3).rules
    of_label = {each: p for each, p in changed.items() if each[0] == "NP"}
    assert changed[rule] == 0.3 and isclose(sum(of_label.values()), 1)
    before, after = (
        GRAMMAR.rules["NP", ("she",)] / GRAMMAR.rules["NP", ("they",)],
        changed["NP", ("she",)] / changed["NP", ("they",)],
    )
    assert isclose(before, after)


def test_a_cell_with_one_label_keeps_its_most_probable_one_and_loses_sentences():
    words = "she eats in the park".split()
    every, one = fill_chart(words, GRAMMAR), fill_chart(words, GRAMMAR, 1)
    assert list(every.cells[1, 2]) == ["V", "VP"] and list(one.cells[1, 2]) == ["V"]
    assert every.whole and not one.whole
    sentences = [tree.words for tree in TREES]
    assert [count_parsed(sentences, GRAMMAR, labels) for labels in (1, 2, None)] == [23, 34, 36]


def test_without_a_known_word_there_is_nothing():
    assert fill_chart(["zebra"], GRAMMAR).whole is None
    assert fill_chart([], GRAMMAR).whole is None
