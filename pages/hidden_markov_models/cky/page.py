"""CKY: what its story shows of one sentence with two trees, and its lab for sentences of the treebank's words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.hidden_markov_models.cky import (
    Chart,
    Grammar,
    count_grammar,
    count_parsed,
    fill_chart,
    follow_back,
    list_nodes,
    list_trees,
    score_tree,
    set_rule,
)
from core.words.numbers import plain_number
from pages.hidden_markov_models.cky import AMBIGUOUS, GRAMMAR, LESSON, TREES
from pages.hidden_markov_models.cky.figures import (
    DIGITS,
    UNKNOWN,
    draw_chart,
    draw_tree,
    entries_table,
    parse_triangle,
    sum_line,
    way_line,
)

WORDS = LESSON.words
NOUN, VERB = ("NP", ("NP", "PP")), ("VP", ("VP", "PP"))  # the rules that the two trees differ in
NOUN_WHOLE = ("VP", ("V", "NP"))  # how the phrase begins where the noun takes it
LOST = "she eats in the park"  # has no tree where each cell keeps one label
MINE = "they watch the old dog in the park"
EXAMPLES = (AMBIGUOUS, "I saw the man with the telescope in the park", LOST, "I saw the man with the hat")
LONGER, HAT = EXAMPLES[1], EXAMPLES[3]
MORE = LONGER.removeprefix(AMBIGUOUS).strip()  # one more phrase
WORDS_AT_MOST = 10
WORD = re.compile(r"[^\W\d_]+")

LENGTH = Slider("length", 2, 1, len(AMBIGUOUS.split()))
NOUN_RATE = Slider("noun_rate", 6, 1, 50)
OWN = Text("mine", MINE, 80)
SENTENCE = Text("sentence", AMBIGUOUS, 120)
ONE_LABEL = Switch("one_label")
LAB = (SENTENCE, NOUN_RATE, ONE_LABEL)


# The story: what each beat shows.


def read_sentence(text: str) -> list[str]:
    """Return a text's first words as the grammar writes them; of a text without letters, what stands between spaces.

    >>> read_sentence("The dog saw i."), read_sentence("→ 1")
    (['the', 'dog', 'saw', 'I'], ['→', '1'])
    """
    found = [word.lower() for word in WORD.findall(text)] or text.split()
    return ["I" if word == "i" else word for word in found][:WORDS_AT_MOST]


def describe(chart: Chart) -> dict:
    """Return what the words may say of a chart: whether there is a tree, how many, and their probabilities."""
    whole = chart.whole
    known = set(GRAMMAR.words)
    return {
        "text": " ".join(chart.words),
        "trees": whole.trees if whole else 0,
        "best": plain_number(whole.best, DIGITS) if whole else "0",
        "inside": plain_number(whole.inside, DIGITS) if whole else "0",
        "part": whole.best / whole.inside if whole else 0,
        "unknown": [word for word in dict.fromkeys(chart.words) if word not in known],
        "n": len(chart.words),
        "cells": len(chart.cells),
    }


def both_trees(grammar: Grammar) -> dict:
    """Return the two trees of the ambiguous sentence, {rule at the top of the verb phrase: tree}."""
    return {tree.children[1].rule: tree for tree in list_trees(fill_chart(AMBIGUOUS.split(), grammar))}


def show_trees(settings: Settings) -> Part:
    """The two trees of one sentence."""
    trees = both_trees(GRAMMAR)
    verb, noun = trees[VERB], trees[NOUN_WHOLE]
    rates = {"verb": score_tree(verb, GRAMMAR), "noun": score_tree(noun, GRAMMAR)}
    panels = [
        draw_tree(tree, WORDS.label(f"tree.{name}", p=plain_number(rates[name], DIGITS)))
        for name, tree in (("verb", verb), ("noun", noun))
    ]
    values = {"times": rates["verb"] / rates["noun"], "text": AMBIGUOUS}
    return Part("parse_triangle", parse_triangle(panels), values, {"sentence": AMBIGUOUS})


def show_product(settings: Settings) -> Part:
    """The better tree with the probability of each rule."""
    tree = both_trees(GRAMMAR)[VERB]
    p = plain_number(score_tree(tree, GRAMMAR), DIGITS)
    rules = Counter(node.rule for each in TREES for _, node in list_nodes(each))
    labels = Counter(label for label, _ in rules.elements())
    values = {
        "p": p,
        "rules": 2 * len(tree.words) - 1,
        "trees": len(TREES),
        "phrases": labels["VP"],
        "with_pp": rules[VERB],
        "rate": GRAMMAR.rules[VERB],
    }
    panel = draw_tree(tree, WORDS.label("tree.product", p=p), GRAMMAR)
    return Part("parse_triangle", parse_triangle([panel]), values, {"sentence": AMBIGUOUS})


def show_triangle(settings: Settings) -> Part:
    """The triangle, filled up to the length that the learner sets."""
    chart = fill_chart(AMBIGUOUS.split(), GRAMMAR)
    values = describe(chart) | {"until": settings.length}
    panel = draw_chart(chart, until=settings.length)
    return Part("parse_triangle", parse_triangle([panel]), values, {"sentence": AMBIGUOUS})


def show_back(settings: Settings) -> Part:
    """The filled triangle with the best tree in it, and the two ways of the verb phrase."""
    chart = fill_chart(AMBIGUOUS.split(), GRAMMAR)
    span = (1, len(chart.words))
    ways = chart.cells[span]["VP"].ways
    lines = [way_line(chart, GRAMMAR, span, "VP", way, not at) for at, way in enumerate(ways)]
    values = describe(chart) | {"kept": plain_number(ways[0].best, DIGITS), "splits": len(ways)}
    data = parse_triangle([draw_chart(chart, follow_back(chart))], lines)
    return Part("parse_triangle", data, values, {"sentence": AMBIGUOUS})


def ask_more(settings: Settings) -> Part:
    """The triangle of a sentence with one more phrase; the answer has the number of trees in each cell."""
    shorter = fill_chart(AMBIGUOUS.split(), GRAMMAR)
    chart = fill_chart(LONGER.split(), GRAMMAR)
    top = (0, len(chart.words))
    texts = {top: UNKNOWN}
    if settings.revealed:
        texts = {
            span: f"{sum(entry.trees for entry in entries.values())}"
            for span, entries in chart.cells.items()
            if entries
        }
    rates = [score_tree(tree, GRAMMAR) for tree in list_trees(shorter)]
    before = shorter.whole
    lines = [sum_line(sorted(rates, reverse=True), before.inside)]
    values = {"text": AMBIGUOUS, "more": MORE, "before": before.trees}
    values["inside"] = plain_number(before.inside, DIGITS)
    answer = chart.whole.trees
    if settings.revealed:
        values |= {"trees": answer, "next": fill_chart((*chart.words, *MORE.split()), GRAMMAR).whole.trees}
    data = parse_triangle([draw_chart(chart, texts=texts)], lines, "+")
    choices = [str(n) for n in sorted({3, 4, 8, answer})]
    return Part("parse_triangle", data, values, {"sentence": LONGER}, choices, str(answer))


def show_rule(settings: Settings) -> Part:
    """The best tree where the noun takes a phrase as often as the learner sets."""
    grammar = set_rule(GRAMMAR, NOUN, settings.noun_rate / 100)
    trees = both_trees(grammar)
    rates = {"verb": score_tree(trees[VERB], grammar), "noun": score_tree(trees[NOUN_WHOLE], grammar)}
    best = max(rates, key=rates.__getitem__)
    panel = draw_tree(
        trees[VERB if best == "verb" else NOUN_WHOLE],
        WORDS.label(f"tree.{best}", p=plain_number(rates[best], DIGITS)),
    )
    values = {
        "rate": settings.noun_rate / 100,
        "counted": GRAMMAR.rules[NOUN],
        "verb_rate": GRAMMAR.rules[VERB],
        "best": best,
    }
    lab = {"sentence": AMBIGUOUS, "noun_rate": settings.noun_rate}
    return Part("parse_triangle", parse_triangle([panel]), values, lab)


def ask_labels(settings: Settings) -> Part:
    """A chart with all labels; the answer shows it where each cell keeps its most probable one."""
    chart = fill_chart(LOST.split(), GRAMMAR, 1 if settings.revealed else None)
    of = len(TREES)
    values = {"of": of, "text": LOST}
    kept = count_treebank(1)
    if settings.revealed:
        values |= {"kept": kept, "lost": of - kept, "two": count_treebank(2)}
    choices = [str(n) for n in sorted({of, of - 2, kept, 5})]
    lab = {"sentence": LOST, "one_label": settings.revealed}
    return Part("parse_triangle", parse_triangle([draw_chart(chart)]), values, lab, choices, str(kept))


def do_own(settings: Settings) -> Part:
    """The triangle of the learner's sentence, with its best tree where there is one."""
    chart = fill_chart(read_sentence(settings.mine) or read_sentence(MINE), GRAMMAR)
    tree = follow_back(chart) if chart.whole else None
    data = parse_triangle([draw_chart(chart, tree)])
    return Part("parse_triangle", data, describe(chart), {"sentence": settings.mine})


def show_answer(settings: Settings) -> Part:
    """The best tree of a sentence whose last word should change it, and does not."""
    chart = fill_chart(HAT.split(), GRAMMAR)
    panel = draw_tree(follow_back(chart), kind="best")
    return Part("parse_triangle", parse_triangle([panel]), describe(chart), {"sentence": HAT})


STORY = (
    look("two_trees", show_trees),
    look("product", show_product),
    look("triangle", show_triangle, LENGTH),
    look("back", show_back),
    ask("more", ask_more),
    look("rule", show_rule, NOUN_RATE),
    ask("labels", ask_labels),
    do("own", do_own, OWN),
    end("answer", show_answer),
)


@cache
def count_treebank(labels: int | None) -> int:
    """Return how many of the treebank's sentences get a tree where each cell keeps so many labels."""
    return count_parsed([tree.words for tree in TREES], GRAMMAR, labels)


# The lab: any sentence of the treebank's words.


def lab() -> None:
    """The triangle and the best tree of a sentence; what is lost where each cell keeps one label; every number."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        typed = LESSON.draw(SENTENCE, width=420)
        one_label = LESSON.draw(ONE_LABEL)
        with LESSON.options():
            rate = LESSON.draw(NOUN_RATE)
    grammar = GRAMMAR if rate == NOUN_RATE.default else set_rule(GRAMMAR, NOUN, rate / 100)
    words = read_sentence(typed) or read_sentence(SENTENCE.default)
    chart = every = fill_chart(words, grammar)
    if one_label:
        chart = fill_chart(words, grammar, 1)
    count = every.whole.trees if every.whole else 0
    with stage:
        if LESSON.ask(WORDS.label("guess"), guesses(count), str(count), " ".join(words)):
            tree = follow_back(chart) if chart.whole else None
            LESSON.view("parse_triangle", parse_triangle([draw_chart(chart, tree)]), "triangle")
            LESSON.say("says.found", describe(chart) | {"one_label": one_label})
            LESSON.say("says.lexicon", {"lexicon": ", ".join(GRAMMAR.words)})
            if one_label:
                LESSON.compare("parsed", count_treebank(None), count_treebank(1), "g")
            LESSON.every_number(WORDS.label("table.entries"), entries_table, chart, grammar)
    LESSON.close_lab(
        code=[fill_chart, follow_back, count_grammar, set_rule, count_parsed],
        parameters={"sentence": " ".join(words), "labels": 1 if one_label else None},
        prompts={
            "more": {"sentence": LONGER},
            "noun": {"sentence": AMBIGUOUS, "noun_rate": 30},
            "lost": {"sentence": LOST, "one_label": True},
        },
    )


def guesses(count: int) -> list[str]:
    """Return numbers of trees to choose from, the right one among them.

    >>> guesses(0), guesses(5)
    (['0', '1', '2', '3'], ['4', '5', '6', '7'])
    """
    least = max(0, count - 1)
    return [str(least + n) for n in range(4)]
