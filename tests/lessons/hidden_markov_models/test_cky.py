"""CKY: the story's numbers by nltk and by hand, what is lost with one label per cell, and the lab."""

import re
from math import isclose, prod

import nltk
import pytest

from core.text.samples.treebank import TREEBANK
from pages.hidden_markov_models.cky.page import AMBIGUOUS, HAT, LONGER, LOST
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in, sent, table_with

LESSON = "cky"
LINES = [line for line in TREEBANK.splitlines() if line]


@pytest.fixture(scope="module")
def grammar():
    """nltk's grammar of the same treebank."""
    trees = [nltk.Tree.fromstring(line) for line in LINES]
    return nltk.induce_pcfg(nltk.Nonterminal("S"), [rule for tree in trees for rule in tree.productions()])


def list_all(grammar, sentence):
    """Return the probabilities of all trees, the largest first, and those trees."""
    known = {(rule.lhs(), rule.rhs()): rule.prob() for rule in grammar.productions()}
    every = nltk.ChartParser(nltk.CFG(grammar.start(), grammar.productions())).parse(sentence.split())
    found = [(prod(known[each.lhs(), each.rhs()] for each in tree.productions()), tree) for tree in every]
    return sorted(found, key=lambda each: -each[0])


def rate_of(grammar, left, right):
    """Return the probability of a rule of labels."""
    return next(
        rule.prob()
        for rule in grammar.productions()
        if str(rule.lhs()) == left and " ".join(map(str, rule.rhs())) == right
    )


def read(text):
    """Return a number that core wrote: 0.25 or 6.89·10⁻⁷."""
    plain = text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    mantissa, _, power = plain.partition("·10")
    return float(mantissa) * 10.0 ** int(power or 0)


def spans(panel):
    """Return the labels of the boxes {span: label}."""
    return {(node["i"], node["j"]): node["label"] for node in panel["nodes"]}


def spans_of(tree, i=0):
    """Return the same of nltk's tree."""
    found = {(i, i + len(tree.leaves())): tree.label()}
    for child in tree:
        if isinstance(child, nltk.Tree):
            found |= spans_of(child, i)
            i += len(child.leaves())
    return found


def test_the_two_trees_are_all_that_nltk_finds_with_its_probabilities(grammar):
    panels = picture(LESSON, "two_trees")["panels"]
    every = list_all(grammar, AMBIGUOUS)
    assert len(every) == len(panels) == 2
    for panel, (p, tree) in zip(panels, every, strict=True):
        assert spans(panel) == spans_of(tree)
        assert isclose(read(panel["name"].split(": ")[1]), p, rel_tol=0.005)
    assert (
        spans(panels[0])[4, 7] == "PP" and spans(panels[1])[2, 7] == "NP" and (2, 7) not in spans(panels[0])
    )
    ratio = every[0][0] / every[1][0]
    assert f"{ratio:.1f} times" in said_in(document(LESSON, "two_trees")) and 3 < ratio < 4


def test_a_tree_s_probability_is_the_product_of_the_numbers_in_its_boxes(grammar):
    (panel,) = picture(LESSON, "product")["panels"]
    (best, tree), _ = list_all(grammar, AMBIGUOUS)
    rules = {(rule.lhs(), rule.rhs()): rule.prob() for rule in grammar.productions()}
    expected = sorted(rules[each.lhs(), each.rhs()] for each in tree.productions())
    shown = sorted(read(node["number"]) for node in panel["nodes"])
    assert len(shown) == 13 and all(isclose(a, b, rel_tol=0.05) for a, b in zip(shown, expected, strict=True))
    told = said_in(document(LESSON, "product"))
    assert "all 13 numbers" in told and isclose(read(panel["name"].split(": ")[1]), best, rel_tol=0.005)
    phrases, joined = TREEBANK.count("(VP"), TREEBANK.count("(VP (VP")
    assert f"{phrases} verb phrases occur, and {joined} are a VP with a PP" in told
    assert f"{joined / phrases:.2f}" in told and f"counted in {len(LINES)} sentences" in told


@pytest.mark.parametrize("length", range(1, 8))
def test_the_triangle_is_filled_up_to_the_length_that_is_set(length):
    (panel,) = picture(LESSON, "triangle", length=str(length))["panels"]
    found = spans(panel)
    assert len(found) == 28 == 7 * 8 // 2
    assert all(not label for (i, j), label in found.items() if j - i > length)
    assert any(label for (i, j), label in found.items() if j - i == length)
    assert found[1, 2] == "V N"
    assert (found[0, 7] == "S") == (length == 7)
    assert "28 cells" in said_in(document(LESSON, "triangle", length=str(length)))


def test_the_verb_phrase_keeps_the_larger_of_two_products_and_the_thick_lines_are_nltk_s_best_tree(grammar):
    data = picture(LESSON, "back")
    results = []
    for line in data["lines"]:
        product = prod(read(factor["text"]) for factor in line["factors"])
        assert isclose(product, read(line["result"]), rel_tol=0.01)
        results.append(product)
    assert results == sorted(results, reverse=True)
    assert [line["kind"] for line in data["lines"]] == ["kept", "dropped"]
    (best,) = nltk.ViterbiParser(grammar).parse(AMBIGUOUS.split())
    (panel,) = data["panels"]
    thick = {(node["i"], node["j"]): node["label"] for node in panel["nodes"] if node["kind"] == "best"}
    assert thick == spans_of(best)
    assert {(edge["a"], edge["b"]) for edge in panel["edges"]} == thick.keys() - {(0, 7)}
    assert data["lines"][0]["result"] in said_in(document(LESSON, "back"))


def test_one_more_phrase_makes_five_trees_and_the_sum_of_two_is_the_inside_probability(grammar):
    before, after = picture(LESSON, "more"), picture(LESSON, "more", True)
    trees = list_all(grammar, LONGER)
    assert document(LESSON, "more", True)["ask"]["answer"] == f"{len(trees)}" == "5"
    assert spans(before["panels"][0])[0, 10] == "?" and spans(after["panels"][0])[0, 10] == "5"
    assert not any(label.isdigit() for label in spans(before["panels"][0]).values())
    (line,) = before["lines"]
    parts = [read(factor["text"]) for factor in line["factors"]]
    expected = [p for p, _ in list_all(grammar, AMBIGUOUS)]
    assert all(isclose(a, b, rel_tol=0.005) for a, b in zip(parts, expected, strict=True))
    assert isclose(read(line["result"]), sum(expected), rel_tol=0.005)
    again = len(list_all(grammar, f"{LONGER} in the park"))
    assert f"Another such phrase makes {again}" in said_in(document(LESSON, "more", True))


def test_the_tree_flips_where_the_noun_s_rule_passes_the_verb_s(grammar):
    verb, noun = rate_of(grammar, "VP", "VP PP"), rate_of(grammar, "NP", "NP PP")
    told = said_in(document(LESSON, "rule"))
    assert f"({verb:.2f})" in told and f"counted: {noun:.2f}" in told
    for percent in (1, 6, 21, 22, 50):
        (panel,) = picture(LESSON, "rule", noun_rate=str(percent))["panels"]
        assert (spans(panel).get((2, 7)) == "NP") == (percent / 100 > verb)
        told = said_in(document(LESSON, "rule", noun_rate=str(percent)))
        assert ("so the noun takes the phrase" in told) == (percent / 100 > verb)


def test_with_one_label_per_cell_sentences_lose_their_tree():
    before, after = picture(LESSON, "labels"), picture(LESSON, "labels", True)
    top = (0, len(LOST.split()))
    assert spans(before["panels"][0])[top] == "S" and not spans(after["panels"][0])[top]
    assert spans(before["panels"][0])[1, 2] == "V VP" and spans(after["panels"][0])[1, 2] == "V"
    asked = document(LESSON, "labels", True)
    assert asked["ask"]["answer"] == "23" and "Only 23 of 36" in said_in(asked)
    assert "With two labels per cell, 34 sentences get a tree" in said_in(asked)


@pytest.mark.parametrize(
    "sentence, told",
    [
        ("She sleeps.", "has 1 tree"),
        ("they watch birds with a telescope", "has 2 trees"),
        ("the zebra sleeps", "does not have zebra"),
        ("the the", "no tree covers all of them"),
        ("😀 !", "does not have 😀 or !"),
    ],
)
def test_a_sentence_of_ones_own(sentence, told):
    done = document(LESSON, "own", mine=sentence)
    assert told in re.sub("<[^>]+>", "", done["done"])


def test_the_answer_s_last_word_does_not_move_the_phrase(grammar):
    (best,) = nltk.ViterbiParser(grammar).parse(HAT.split())
    (panel,) = picture(LESSON, "answer")["panels"]
    assert spans(panel) == spans_of(best) and spans(panel)[1, 4] == "VP"


def test_the_lab_parses_a_sentence_and_shows_every_entry(grammar):
    app = open_lesson(LESSON, sentence=LONGER, below="numbers")
    assert not app.exception
    every = list_all(grammar, LONGER)
    assert f"has **{len(every)}** trees" in said(app)
    table = table_with(app, "inside").iloc[-1]
    assert isclose(table["best"], every[0][0], rel_tol=1e-6)
    assert isclose(table["inside"], sum(p for p, _ in every), rel_tol=1e-6)
    assert spans(sent(app, "parse_triangle")["panels"][0])[0, 10] == "S"


def test_the_lab_s_break_it_measures_what_one_label_costs():
    app = open_lesson(LESSON, sentence=LOST, one_label="true")
    assert metrics(app)["with all labels"] == "36" and metrics(app)["with one label per cell"] == "23"
    assert "With one label per cell, no tree covers all words" in said(app)
