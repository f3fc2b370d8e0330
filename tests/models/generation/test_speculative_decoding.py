"""Speculative decoding against the enumeration of every draft, scipy's chi-square test, and the target read one by one."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from core.models.generation.speculative_decoding import (
    ACCEPT_ALL,
    EXACT,
    REDRAW,
    acceptance,
    agreement,
    chance_variation,
    check,
    count_written,
    residual,
    speculate,
    speed_up,
    time_speculation,
    tokens_per_call,
    written_distribution,
)
from core.models.neural_language_model import NeuralLanguageModel, read, read_block
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.stored_language_models import encode, stored_language_model
from core.models.transformers.model_sizes import sized_model

V = 3


@dataclass(frozen=True)
class Counted:
    """A model whose next token depends on the last two: p(. | a, b) is drawn once by a seed."""

    seed: int
    vocabulary: tuple[str, ...] = ("a", "b", "c")

    def log_probabilities(self, context):
        last = (0, 0, *context)[-2:]
        return np.log(np.random.default_rng([self.seed, *last]).dirichlet(np.ones(V)))


def next_of(model, context):
    return np.exp(model.log_probabilities(context))


TARGET, DRAFT = Counted(1), Counted(2)


def joint(model, length):
    """Return the probability of every text of a length."""
    return {
        text: np.prod([next_of(model, text[:i])[x] for i, x in enumerate(text)])
        for text in product(range(V), repeat=length)
    }


def outcomes(context, k, rule=EXACT):
    """Yield (what one round writes, its probability): every draft, every place of rejection, every token of the target's.

    The acceptance is that of the paper, written out here again.
    """
    for draft in product(range(V), repeat=k):
        p = [next_of(TARGET, (*context, *draft[:i])) for i in range(k + 1)]
        q = [next_of(DRAFT, (*context, *draft[:i])) for i in range(k)]
        reach = np.prod([q[i][x] for i, x in enumerate(draft)])
        for i, x in enumerate(draft):
            pass_ = 1.0 if rule == ACCEPT_ALL else min(1.0, p[i][x] / q[i][x])
            again = np.array([max(0.0, a - b) for a, b in zip(p[i], q[i], strict=True)])
            again = p[i] if rule == REDRAW else again / again.sum()
            for y in range(V):
                yield (*draft[:i], y), reach * (1 - pass_) * again[y]
            reach *= pass_
        for y in range(V):
            yield (*draft, y), reach * p[k][y]


def written_joint(k, length, rule=EXACT):
    """Return the probability of every text of a length that rounds of k write."""
    found = dict.fromkeys(product(range(V), repeat=length), 0.0)
    waiting = [((), 1.0)]
    while waiting:
        text, probability = waiting.pop()
        for more, times in outcomes(text, k, rule):
            longer = (*text, *more)
            if len(longer) >= length:
                found[longer[:length]] += probability * times
            else:
                waiting.append((longer, probability * times))
    return found


@pytest.mark.parametrize(("k", "length"), [(1, 2), (1, 3), (2, 3)])
def test_all_drafts_together_write_exactly_the_target_s_joint_distribution(k, length):
    found, expected = written_joint(k, length), joint(TARGET, length)
    assert max(abs(found[text] - expected[text]) for text in expected) < 1e-12


@pytest.mark.parametrize("rule", [ACCEPT_ALL, REDRAW])
def test_a_wrong_rule_writes_another_joint_distribution(rule):
    found, expected = written_joint(1, 2, rule), joint(TARGET, 2)
    assert sum(abs(found[text] - expected[text]) for text in expected) / 2 > 0.01


@pytest.mark.parametrize("rule", [EXACT, ACCEPT_ALL, REDRAW])
def test_what_is_written_at_one_place_is_the_sum_over_all_drafts(rule):
    p, q = next_of(TARGET, ()), next_of(DRAFT, ())
    first = np.zeros(V)
    for text, probability in outcomes((), 1, rule):
        first[text[0]] += probability
    assert np.abs(written_distribution(p, q, rule) - first).max() < 1e-12


@pytest.mark.parametrize("k", [1, 2, 3])
def test_seeded_rounds_write_the_target_s_texts_by_chi_square(k):
    """4,000 texts of two tokens; a wrong rule is found out by the same test."""
    expected = joint(TARGET, 2)

    def p_value(rule):
        counts = dict.fromkeys(expected, 0)
        for seed in range(4000):
            rounds = speculate(TARGET, DRAFT, (), 2, k, seed, rule)
            counts[tuple(x for each in rounds for x in each.written)[:2]] += 1
        return chisquare(list(counts.values()), [4000 * p for p in expected.values()]).pvalue

    assert p_value(EXACT) > 0.001
    assert p_value(REDRAW) < 1e-6 and p_value(ACCEPT_ALL) < 1e-6


distributions = st.lists(st.floats(0.001, 1.0), min_size=5, max_size=5).map(lambda x: np.array(x) / sum(x))


@given(distributions, distributions)
def test_accepted_and_redrawn_are_p_and_the_overlap_is_one_less_the_total_variation(p, q):
    accepted = q * acceptance(p, q)
    assert np.abs(accepted + (1 - accepted.sum()) * residual(p, q) - p).max() < 1e-12
    assert agreement(p, q) == pytest.approx(accepted.sum()) == pytest.approx(1 - np.abs(p - q).sum() / 2)
    assert np.all(residual(p, q)[p < q] == 0) or np.allclose(p, q)


def test_a_token_that_the_target_excludes_is_never_accepted_and_equal_models_reject_nothing():
    p, q = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    assert acceptance(p, q).tolist() == [0.0, 1.0] and residual(p, q).tolist() == [0.0, 1.0]
    assert agreement(q, q) == 1 and residual(q, q).tolist() == q.tolist()
    everything = list(speculate(TARGET, TARGET, (), 30, 4, seed=1))
    assert all(each.accepted == 4 for each in everything) and len(everything) == 6


def test_a_round_keeps_the_draft_up_to_the_first_rejection_and_one_token_of_the_target_s():
    for each in speculate(TARGET, DRAFT, (0, 1), 60, 3, seed=5):
        passed = [u < ratio for u, ratio in zip(each.u, each.ratios, strict=True)]
        assert each.accepted == (passed.index(False) if False in passed else 3)
        assert each.written[:-1] == each.drafted[: each.accepted]
        if each.accepted < 3:
            i = each.accepted
            assert each.p[i][each.written[-1]] > each.q[i][each.written[-1]]


def test_the_distributions_of_a_round_are_those_of_both_models_after_what_was_written():
    text = [2]
    for each in speculate(TARGET, DRAFT, text, 40, 3, seed=2):
        for i in range(4):
            assert np.allclose(each.p[i], next_of(TARGET, (*text, *each.drafted[:i])))
            if i < 3:
                assert np.allclose(each.q[i], next_of(DRAFT, (*text, *each.drafted[:i])))
        text += each.written


def test_stored_models_too_are_read_on_as_if_from_the_beginning():
    target, draft = stored_language_model("char_gpt"), sized_model("2 layers of 32")
    text = list(encode("char_gpt", "My lord, ").ids)
    for each in speculate(target, draft, text, 25, 3, seed=3):
        whole = np.exp(target.log_probabilities_along([*text, *each.drafted, 0])[-4:])
        assert np.abs(whole - each.p).max() < 1e-4
        drafted = np.exp(draft.log_probabilities_along([*text, *each.drafted])[-3:])
        assert np.abs(drafted - each.q).max() < 1e-4
        text += each.written


@pytest.mark.parametrize("n", [0, 3, 6, 9])
def test_a_block_is_read_as_one_token_after_the_other_also_where_a_window_ends(n):
    torch.manual_seed(1)
    model = NeuralLanguageModel(GPT(GPTConfig(5, context=8, layers=2, heads=2, width=8)), "abcde")
    context, tokens = [i % 5 for i in range(n)], [3, 1, 4]
    one_by_one, reading = [], read(model, context)
    for token in tokens:
        reading = reading.then(token)
        one_by_one.append(reading)
    block = read_block(model, read(model, context), tokens)
    assert [each.context for each in block] == [each.context for each in one_by_one]
    for a, b in zip(block, one_by_one, strict=True):
        assert np.abs(a.logits - b.logits).max() < 1e-5
        assert np.abs(a.then(2).logits - b.then(2).logits).max() < 1e-5


def test_count_written_agrees_with_p_and_the_wrong_rules_do_not():
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.8, 0.1, 0.1])
    for rule in (EXACT, ACCEPT_ALL, REDRAW):
        counts = count_written(p, q, 20_000, seed=1, rule=rule)
        assert chisquare(counts, 20_000 * written_distribution(p, q, rule)).pvalue > 0.001
    limit = chance_variation(p, 500, seed=1)[1900]
    above = [np.abs(count_written(p, q, 500, seed) / 500 - p).sum() / 2 > limit for seed in range(1000)]
    assert 0.03 < np.mean(above) < 0.07


def test_the_formula_is_the_mean_of_simulated_calls():
    alpha, k = 0.7, 4
    luck = np.random.default_rng(1).random((200_000, k)) < alpha
    assert tokens_per_call(alpha, k) == pytest.approx(
        1 + np.cumprod(luck, axis=1).sum(axis=1).mean(), abs=0.02
    )
    assert tokens_per_call(alpha, k) == pytest.approx((1 - alpha ** (k + 1)) / (1 - alpha))
    assert speed_up(alpha, k, 0.0) == tokens_per_call(alpha, k) and speed_up(0.3, 1, 0.5) < 1


def test_models_with_other_vocabularies_and_empty_drafts_are_refused():
    with pytest.raises(ValueError, match="same vocabulary"):
        next(speculate(TARGET, Counted(2, ("a", "b", "d")), (), 1, 1, seed=1))
    with pytest.raises(ValueError, match="at least 1"):
        next(speculate(TARGET, DRAFT, (), 1, 0, seed=1))
    with pytest.raises(ValueError, match="no rule"):
        written_distribution(np.ones(1), np.ones(1), "greedy")


def test_time_is_measured_of_both_ways_in_one_run():
    found = time_speculation(TARGET, DRAFT, (), 20, 2, seed=1)
    assert min(found.alone, found.together, found.draft_call) > 0
    assert found.speed_up == found.alone / found.together


def test_a_check_with_the_rule_accept_all_rejects_nothing():
    p, q = np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    assert check([0], p, q, np.random.default_rng(1), ACCEPT_ALL).written == (0, 1)
