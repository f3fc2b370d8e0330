"""The Bayes predictor by brute force over all rules; the split; the nearest example by hand."""

import numpy as np
import pytest
import torch

from core.models.transformers.rule_tasks import (
    KINDS,
    LETTERS,
    PLACES,
    WORDS,
    apply_rule,
    draw_tasks,
    every_rule,
    is_held_out,
    predict_along,
    predict_bayes,
    predict_nearest,
)


def by_brute_force(examples, word):
    """Return p(y) and p(place) by giving every one of the 5,184 rules the weight 1 where it makes all examples."""
    labels, places = np.zeros(KINDS), np.zeros(PLACES)
    for place, rule in every_rule():
        if all(rule[LETTERS[place].index(WORDS[x][place])] == y for x, y in examples):
            labels[rule[LETTERS[place].index(WORDS[word][place])]] += 1
            places[place] += 1
    return labels, places


@pytest.mark.parametrize("examples", range(7))
def test_bayes_is_the_count_of_all_rules_that_make_the_examples(examples):
    tasks = draw_tasks(6, examples + 1, torch.Generator().manual_seed(examples), held_out=False)
    for words, labels in zip(tasks.words.tolist(), tasks.labels.tolist(), strict=True):
        seen = list(zip(words, labels, strict=True))[:-1]
        counted, places = by_brute_force(seen, words[-1])
        found = predict_bayes(seen, words[-1])
        np.testing.assert_allclose(found.labels, counted / counted.sum(), atol=1e-12)
        np.testing.assert_allclose(found.places, places / places.sum(), atol=1e-12)


def test_examples_that_no_rule_makes_leave_the_uniform_distribution():
    examples = [(3, 0), (3, 1)]
    assert by_brute_force(examples, 3)[0].sum() == 0
    found = predict_bayes(examples, 3)
    assert found.labels.tolist() == [1 / KINDS] * KINDS and not found.places.any()


def test_the_order_of_examples_does_not_matter_to_bayes_and_a_repeated_one_adds_nothing():
    examples = [(0, 1), (13, 2), (20, 1)]
    found = predict_bayes(examples, 4).labels
    np.testing.assert_allclose(predict_bayes([*examples[::-1], examples[0]], 4).labels, found)


def test_no_rule_is_on_both_sides_and_every_label_follows_its_rule():
    sides = [draw_tasks(3000, 5, torch.Generator().manual_seed(5), held_out=side) for side in (True, False)]
    for tasks, held in zip(sides, (True, False), strict=True):
        assert (is_held_out(tasks.rules) == held).all() and set(tasks.places.tolist()) == {0, 1, 2}
        for words, labels, place, rule in zip(
            tasks.words, tasks.labels, tasks.places, tasks.rules, strict=True
        ):
            assert apply_rule(place, rule, words).tolist() == labels.tolist()
    held, seen = ({tuple(rule) for rule in tasks.rules.tolist()} for tasks in sides)
    assert not held & seen and len(held) <= KINDS**3 // 8 < len(seen)


def test_the_nearest_example_shares_most_letters_and_ties_are_split():
    of = WORDS.index
    examples = [(of("zap"), 0), (of("zol"), 1), (of("kuf"), 2)]
    assert predict_nearest(examples, of("zap")).tolist()[0] == 1
    assert predict_nearest(examples, of("zuf"))[2] == 1
    assert predict_nearest(examples, of("zuf"))[0] == 0
    assert predict_nearest(examples, of("maf")).tolist()[:3] == [0.5, 0, 0.5]
    assert predict_nearest([], 0).tolist() == [1 / KINDS] * KINDS
    along = predict_along(
        predict_nearest, np.array([[of("zap"), of("zol"), of("zal")]]), np.array([[0, 1, 0]])
    )
    assert along[0, 2].tolist()[:2] == [0.5, 0.5]
