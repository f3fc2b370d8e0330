"""n-gram models: distributions that sum to one, counts by hand, formulas that give what is shown."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.language_model import (
    LanguageModel,
    UniformModel,
    bits_per_character,
    bits_per_token,
    perplexity,
    sequence_log_probability,
)
from core.models.n_grams.held_out import evaluate_ngrams, unseen_share
from core.models.n_grams.moved_mass import moved_mass
from core.models.n_grams.ngram import (
    absolute_discounting,
    add_alpha,
    katz_backoff,
    kneser_ney,
    linear_interpolation,
    maximum_likelihood,
    stupid_backoff,
)
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.n_grams.ngram_worked import explain

VOCABULARY = ("a", "b", "c", "d", ".")
END = 4
SMOOTHED = [add_alpha, linear_interpolation, absolute_discounting, kneser_ney, katz_backoff]

texts = st.lists(st.integers(0, 4), min_size=1, max_size=40)
orders = st.integers(1, 4)
ends = st.sampled_from([None, END])


def runs(tokens, k, end):
    """Counts of k-grams, slowly: each token with the k - 1 before it in its text, 5 where there is none."""
    counted, text = Counter(), []
    for token in tokens:
        context = ([5] * k + text)[len(text) + 1 :] if k > 1 else []
        counted[(*context, token)] += 1
        text = [] if token == end else [*text, token]
    return counted


@given(texts, orders, ends)
def test_every_run_is_counted_as_often_as_it_occurs(tokens, order, end):
    counts = count_ngrams(tokens, VOCABULARY, order, end)
    for k in range(1, order + 1):
        slow = runs(tokens, k, end)
        assert {run: counts.count(run) for run in slow} == dict(slow)
        assert counts.counts[k].sum() == len(tokens)


@given(texts, orders, ends)
def test_predecessors_are_the_different_tokens_before_a_run(tokens, order, end):
    counts = count_ngrams(tokens, VOCABULARY, order, end)
    for k in range(1, order):
        slow = Counter(run[1:] for run in runs(tokens, k + 1, end))
        assert {run: counts.predecessors[k][counts.node(run)] for run in slow} == dict(slow)


@given(texts, orders, ends, st.lists(st.integers(0, 4), max_size=5))
def test_the_tree_is_walked_by_continuations(tokens, order, end, context):
    counts = count_ngrams(tokens, VOCABULARY, order, end)
    after = {
        run[-1]: count
        for run, count in runs(tokens, len(context) + 1, end).items()
        if run[:-1] == tuple(context)
    }
    assert dict(counts.continuations(context)) == (after if len(context) < order else {})


@pytest.mark.parametrize("smoothing", SMOOTHED)
@given(tokens=texts, order=orders, end=ends, context=st.lists(st.integers(0, 4), max_size=6))
def test_smoothed_probabilities_are_positive_and_sum_to_one(smoothing, tokens, order, end, context):
    model = smoothing(count_ngrams(tokens, VOCABULARY, 4, end), order)
    assert isinstance(model, LanguageModel)
    p = np.exp(model.log_probabilities(context))
    assert p.sum() == pytest.approx(1)
    assert (p > 0).all()


@given(texts, orders, ends)
def test_maximum_likelihood_sums_to_one_after_every_context_it_saw(tokens, order, end):
    model = maximum_likelihood(count_ngrams(tokens, VOCABULARY, order, end), order)
    for i in range(len(tokens)):
        assert np.exp(model.log_probabilities(tokens[:i])).sum() == pytest.approx(1)


@pytest.mark.parametrize("smoothing", [*SMOOTHED, maximum_likelihood])
@given(tokens=texts, order=orders, end=ends, other=texts)
def test_a_whole_text_at_once_scores_as_token_by_token(smoothing, tokens, order, end, other):
    model = smoothing(count_ngrams(tokens, VOCABULARY, order, end), order)
    slow = [model.log_probabilities(other[:i])[token] for i, token in enumerate(other)]
    assert model.token_log_probabilities(other) == pytest.approx(np.array(slow))
    assert sequence_log_probability(model, other).log_probability == pytest.approx(sum(slow))


@pytest.mark.parametrize("smoothing", [*SMOOTHED, maximum_likelihood, stupid_backoff])
@given(tokens=texts, order=orders, context=st.lists(st.integers(0, 4), max_size=4), token=st.integers(0, 4))
def test_a_worked_probability_is_the_one_computed_and_its_filled_formula_gives_it(
    smoothing, tokens, order, context, token
):
    model = smoothing(count_ngrams(tokens, VOCABULARY, order), order)
    worked = explain(model, context, token)
    assert worked.probability == pytest.approx(model.scores(context)[token])
    while worked:
        assert evaluated(worked.filled) == pytest.approx(worked.probability, rel=1e-3, abs=1e-4)
        worked = worked.lower


def evaluated(latex: str) -> float:
    """The value of a filled formula."""
    plain = re.sub(r"\\frac\{([^}]*)\}\{([^}]*)\}", r"((\1)/(\2))", latex).replace(r"\cdot", "*")
    plain = re.sub(r"10\^\{(-?\d+)\}", r"10**(\1)", plain)
    assert re.fullmatch(r"[\d.+*/() -]+", plain)
    return eval(plain)  # noqa: S307  digits and operators only, by the line above


def test_add_one_by_hand():
    counts = count_ngrams([0, 1, 0, 2], VOCABULARY, 2)
    worked = explain(add_alpha(counts, 2, 1), [0], 1)
    assert (worked.count, worked.context_count, worked.probability) == (1, 2, 2 / 7)
    assert worked.filled == r"\frac{1+1}{2+1\cdot 5}"


def test_kneser_ney_by_hand():
    # a b a c a b . : a follows the start, b and c; b and c follow a alone, the full stop b alone
    tokens = [0, 1, 0, 2, 0, 1, 4]
    model = kneser_ney(count_ngrams(tokens, VOCABULARY, 2), 2, discount=0.5)
    contexts = {0: 3, 1: 1, 2: 1, 4: 1}  # N1+(. w), six bigram types in all
    unigram = {w: (n - 0.5) / 6 + 0.5 * 4 / 6 / 5 for w, n in contexts.items()}
    assert model.scores([0])[1] == pytest.approx((2 - 0.5) / 3 + 0.5 * 2 / 3 * unigram[1])
    assert model.scores([0])[4] == pytest.approx(0.5 * 2 / 3 * unigram[4])
    assert explain(model, [0], 1).lower.count == 1


def test_kneser_ney_distrusts_a_word_that_follows_only_one_other():
    # d is as frequent as b, but comes after a alone; after c neither was seen
    tokens = [0, 3, 0, 3, 0, 3, 1, 1, 4, 1, 2]
    counts = count_ngrams(tokens, VOCABULARY, 2)
    plain, kn = absolute_discounting(counts, 2, 0.75), kneser_ney(counts, 2, 0.75)
    assert plain.scores([2])[3] == plain.scores([2])[1]
    assert kn.scores([2])[3] < kn.scores([2])[1]


def test_without_smoothing_unseen_text_has_infinite_perplexity():
    counts = count_ngrams([0, 1, 0, 2], VOCABULARY, 2)
    assert evaluate_ngrams(maximum_likelihood(counts, 2), [0, 1, 1]).perplexity == np.inf
    assert np.isfinite(evaluate_ngrams(add_alpha(counts, 2), [0, 1, 1]).perplexity)


def test_the_uniform_models_perplexity_is_the_size_of_its_vocabulary():
    factors = sequence_log_probability(UniformModel(VOCABULARY), [0, 1, 2, 0])
    assert factors.perplexity == pytest.approx(5)


@pytest.mark.parametrize("smoothing", SMOOTHED)
def test_an_untrained_corner_falls_back_to_the_shorter_context(smoothing):
    counts = count_ngrams([0, 1, 0, 2], VOCABULARY, 2)
    worked = explain(smoothing(counts, 2), [3], 0)
    assert worked.context_count in (0, 5)  # add-alpha counts alpha for each of the five
    if worked.lower:
        assert worked.filled == f"{worked.lower.probability:.5g}"


def test_sparsity_rises_with_the_order():
    generator = np.random.default_rng(1)
    train, test = generator.integers(0, 5, 300), generator.integers(0, 5, 300)
    counts = count_ngrams(train, VOCABULARY, 5)
    shares = [unseen_share(counts, test, k) for k in range(1, 6)]
    assert shares == sorted(shares) and shares[-1] > 0.8


@given(texts, st.lists(st.integers(0, 4), max_size=2), st.floats(0.05, 1))
def test_smoothing_moves_mass_from_seen_to_unseen_tokens_and_loses_none(tokens, context, discount):
    model = absolute_discounting(count_ngrams(tokens, VOCABULARY, 3), 3, discount)
    moved = moved_mass(model, context)
    assert moved.after.sum() + moved.unseen_mass == pytest.approx(1)
    assert len(moved.tokens) + moved.unseen == 5
    if len(moved.tokens):
        assert moved.before.sum() == pytest.approx(1)


def test_stupid_backoff_scores_do_not_sum_to_one_and_it_refuses_to_be_a_distribution():
    model = stupid_backoff(count_ngrams([0, 1, 0, 2], VOCABULARY, 2), 2)
    assert model.scores([0]).sum() == pytest.approx(1 + 0.4 * 2 / 4)
    with pytest.raises(ValueError, match="do not sum to one"):
        model.log_probabilities([0])


def test_a_sentences_end_begins_a_new_context():
    model = kneser_ney(count_ngrams([0, 1, 4, 2, 1, 4], VOCABULARY, 3, END), 3, 0.75)
    assert model.scores([0, 1, 4]).tolist() == model.scores([]).tolist()


@pytest.mark.parametrize(
    ("tokens", "order", "sentence"),
    [([], 2, "at least one token"), ([0], 0, "order of at least one"), ([7], 1, "vocabulary's 5 ids")],
)
def test_what_cannot_be_counted_is_refused_with_a_sentence(tokens, order, sentence):
    with pytest.raises(ValueError, match=sentence):
        count_ngrams(tokens, VOCABULARY, order)


@pytest.mark.parametrize("make", [lambda c: add_alpha(c, 1, 0), lambda c: kneser_ney(c, 1, 1.5)])
def test_parameters_that_give_no_distribution_are_refused(make):
    with pytest.raises(ValueError):
        make(count_ngrams([0, 1], VOCABULARY, 2))


def test_perplexity_and_bits_are_the_same_number():
    log_probabilities = np.log([0.5, 0.125])
    assert perplexity(log_probabilities) == pytest.approx(2 ** bits_per_token(log_probabilities))
    assert bits_per_character(log_probabilities, 8) == pytest.approx(
        bits_per_token(log_probabilities) * 2 / 8
    )


def test_no_token_has_no_probability():
    with pytest.raises(ValueError, match="at least one token"):
        sequence_log_probability(UniformModel(("a",)), [])
