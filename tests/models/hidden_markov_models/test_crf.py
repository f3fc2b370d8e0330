"""Conditional random fields against sums over all paths (itertools.product) and the gradient of torch's autograd."""

from itertools import pairwise, product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.hidden_markov_models.crf import (
    ConditionalRandomField,
    normalise_steps,
    score_sentence,
    weigh_tags,
    word_features,
)
from core.models.hidden_markov_models.crf_tagger import share_interval, tag_rows
from core.models.hidden_markov_models.crf_training import (
    count_observed,
    expect_paths,
    expect_steps,
    fit_crf,
    lay_out,
    list_features,
    loss_and_gradient,
)
from core.models.hidden_markov_models.forward import forward
from core.models.hidden_markov_models.forward_backward import tag_posteriors

STATES = ("X", "Y", "Z")
TEXT = [
    [("They", "X"), ("walked", "Y"), ("home", "Z")],
    [("home", "Z")],
    [("walked", "X"), ("They", "Y")],
    [("well-known", "Y"), ("They", "X"), ("home", "Z"), ("1990", "Z")],
]


def random_crf(seed=1, text=TEXT):
    """Return a model of some sentences' features whose weights are drawn."""
    numbers = np.random.default_rng(seed)
    features = list_features(text)
    weights = numbers.normal(size=(len(features), len(STATES)))
    return ConditionalRandomField(STATES, features, weights, numbers.normal(size=(3, 3)))


def score_by_hand(crf, words, path):
    """Return a path's score as a plain sum over features and steps."""
    total = sum(crf.transition[i, j] for i, j in pairwise(path))
    for t, tag in enumerate(path):
        total += sum(
            crf.weights[crf.features.index(f), tag] for f in word_features(words, t) if f in crf.features
        )
    return total


def every_path(crf, words):
    """Return the score of each path of a sentence."""
    return {path: score_by_hand(crf, words, path) for path in product(range(3), repeat=len(words))}


@pytest.mark.parametrize("sentence", TEXT)
def test_ln_z_the_best_path_and_the_marginals_are_those_of_a_list_of_all_paths(sentence):
    crf, words = random_crf(), [word for word, _ in sentence]
    found, every = score_sentence(crf, words), every_path(random_crf(), words)
    total = np.logaddexp.reduce(list(every.values()))
    assert found.log_partition == pytest.approx(total, abs=1e-6)
    best = max(every, key=every.get)
    assert found.viterbi.path == best and found.viterbi.log_probability == pytest.approx(
        every[best], abs=1e-6
    )
    assert found.share == pytest.approx(np.exp(every[best] - total), abs=1e-6)
    marginals = np.zeros((len(words), 3))
    for path, score in every.items():
        marginals[range(len(words)), path] += np.exp(score - total)
    assert tag_posteriors(*found.tables) == pytest.approx(marginals, abs=1e-6)


def test_the_sums_of_many_sentences_are_those_of_each_alone():
    crf = random_crf()
    rows = lay_out(TEXT, STATES, crf.features)
    scores = rows.held @ crf.weights
    found = expect_paths(scores, crf.transition, rows)
    alone = [score_sentence(crf, [word for word, _ in sentence]) for sentence in TEXT]
    assert found.log_partition == pytest.approx(sum(each.log_partition for each in alone), abs=1e-6)
    steps = np.zeros((3, 3))
    for each in alone:
        for path, score in every_path(crf, each.words).items():
            for i, j in pairwise(path):
                steps[i, j] += np.exp(score - each.log_partition)
    assert found.steps == pytest.approx(steps, abs=1e-6)
    for column, i in enumerate(rows.order):
        places = [rows.starts[t] + column for t in range(len(TEXT[i]))]
        assert found.tags[places] == pytest.approx(tag_posteriors(*alone[i].tables), abs=1e-6)


def autograd(crf, penalty, stepwise):
    """Return the loss and its gradients by torch, from all paths of every sentence, or word by word."""
    w = torch.tensor(crf.weights, requires_grad=True)
    a = torch.tensor(crf.transition, requires_grad=True)
    loss = penalty / 2 * ((w**2).sum() + (a**2).sum())
    for sentence in TEXT:
        words, tags = zip(*sentence, strict=True)
        gold = [STATES.index(tag) for tag in tags]
        held = [[crf.features.index(f) for f in word_features(words, t)] for t in range(len(words))]
        scores = torch.stack([w[rows].sum(0) for rows in held])
        if stepwise:
            for t, tag in enumerate(gold):
                here = scores[t] + (a[gold[t - 1]] if t else 0)
                loss = loss - torch.log_softmax(here, 0)[tag]
            continue

        def total(path, scores=scores):
            return sum(scores[t, j] for t, j in enumerate(path)) + sum(a[i, j] for i, j in pairwise(path))

        every = torch.stack([total(path) for path in product(range(3), repeat=len(words))])
        loss = loss + torch.logsumexp(every, 0) - total(gold)
    loss.backward()
    return loss.item(), w.grad.numpy(), a.grad.numpy()


@pytest.mark.parametrize("stepwise", [False, True])
def test_the_loss_and_its_gradient_are_torch_s(stepwise):
    crf = random_crf(2)
    rows = lay_out(TEXT, STATES, crf.features)
    expect = expect_steps if stepwise else expect_paths
    ours = loss_and_gradient(crf.weights, crf.transition, rows, 0.7, expect)
    for mine, theirs in zip(ours, autograd(crf, 0.7, stepwise), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-6)


def test_at_the_minimum_expected_and_observed_counts_differ_by_the_penalty_alone():
    rows = lay_out(TEXT, STATES, list_features(TEXT))
    crf = fit_crf(rows, 0.5, 300).crf
    observed, steps = count_observed(rows)
    found = expect_paths(rows.held @ crf.weights, crf.transition, rows)
    assert rows.held.T @ found.tags - observed == pytest.approx(-0.5 * crf.weights, abs=1e-3)
    assert found.steps - steps == pytest.approx(-0.5 * crf.transition, abs=1e-3)


def test_the_loss_never_rises_from_one_iteration_to_the_next():
    fit = fit_crf(lay_out(TEXT, STATES, list_features(TEXT)), 0.1, 50)
    assert len(fit.losses) > 5 and all(a >= b for a, b in pairwise(fit.losses))
    assert fit_crf(lay_out(TEXT, STATES, list_features(TEXT)), iterations=0).crf.weights.sum() == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_steps_normalised_one_by_one_give_paths_that_sum_to_1_and_each_path_its_product(seed, n):
    numbers = np.random.default_rng(seed)
    start, steps, scores = (
        numbers.normal(size=3),
        numbers.normal(size=(3, 3)),
        numbers.normal(size=(n, 3)) * 3,
    )
    tables = normalise_steps(start, steps, scores)
    assert forward(*tables).log_probability == pytest.approx(0, abs=1e-6)
    path = numbers.integers(0, 3, n)
    by_hand = 0.0
    for t, tag in enumerate(path):
        here = scores[t] + (steps[path[t - 1]] if t else start)
        by_hand += here[tag] - np.logaddexp.reduce(here)
    ours = tables[0][path[0]] + sum(tables[2][t, j] for t, j in enumerate(path))
    ours += sum(tables[1][i, j] for i, j in pairwise(path))
    assert ours == pytest.approx(by_hand, abs=1e-6)


def test_a_constant_added_to_a_word_s_scores_changes_no_probability_and_without_it_the_score_does():
    crf = random_crf()
    before = score_sentence(crf, ["They", "walked", "home"])
    weights = crf.weights.copy()
    weights[crf.features.index("word=walked")] += 5
    after = score_sentence(
        ConditionalRandomField(STATES, crf.features, weights, crf.transition), before.words
    )
    assert after.viterbi.log_probability == pytest.approx(before.viterbi.log_probability + 5)
    assert after.share == pytest.approx(before.share, abs=1e-9) and after.tags == before.tags


@pytest.mark.parametrize("stepwise", [False, True])
def test_many_sentences_get_the_tags_that_each_gets_alone(stepwise):
    crf = random_crf(3)
    rows = lay_out(TEXT, STATES, crf.features)
    tags = tag_rows(crf, rows, stepwise)
    for column, i in enumerate(rows.order):
        alone = score_sentence(crf, [word for word, _ in TEXT[i]], stepwise)
        assert tags[[rows.starts[t] + column for t in range(len(TEXT[i]))]].tolist() == list(
            alone.viterbi.path
        )


def test_what_the_features_prefer_sums_to_the_difference_of_two_paths():
    crf = random_crf(4)
    found = score_sentence(crf, ["They", "walked", "home"])
    for t in range(3):
        for other in set(range(3)) - {found.viterbi.path[t]}:
            changed = tuple(other if place == t else tag for place, tag in enumerate(found.viterbi.path))
            weighed = weigh_tags(crf, found.words, found.viterbi.path, t, other)
            assert sum(weighed.values()) == pytest.approx(
                found.score(found.viterbi.path) - found.score(changed)
            )


def test_a_step_that_is_not_allowed_is_on_no_path():
    allowed = ~np.eye(3, dtype=bool)
    crf = fit_crf(lay_out([TEXT[0], TEXT[2]], STATES, list_features(TEXT)), 0.5, 50, allowed=allowed).crf
    found = score_sentence(crf, ["They", "They"])
    assert found.probability((0, 0)) == 0 and found.probability((0, 1)) > 0


def test_a_sentence_without_words_is_refused_and_so_is_a_text_without_sentences():
    with pytest.raises(ValueError, match="at least one word"):
        score_sentence(random_crf(), [])
    with pytest.raises(ValueError, match="at least one"):
        lay_out([[]], STATES, ())


def test_the_interval_of_a_share_is_that_of_bootstrap_samples_of_sentences():
    numbers = np.random.default_rng(1)
    of = numbers.integers(5, 40, 2000)
    right = numbers.binomial(of, numbers.beta(20, 2, 2000))
    share, low, high = share_interval(right, of)
    drawn = numbers.integers(0, 2000, (2000, 2000))
    samples = right[drawn].sum(axis=1) / of[drawn].sum(axis=1)
    assert share == pytest.approx(right.sum() / of.sum())
    assert (low, high) == pytest.approx(tuple(np.quantile(samples, [0.025, 0.975])), abs=0.0015)
