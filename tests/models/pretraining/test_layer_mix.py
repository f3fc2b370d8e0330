"""A mix of layers is the formula of the paper, and fitting one finds the layer that holds the answer."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LogisticRegression
from torch.nn import functional

from core.models.pretraining.elmo import MIX, NOUN_VERB, TAGS, Elmo, HeldOutAnswers
from core.models.pretraining.fit_layer_mix import MixConfig, drawn_again, fit_mix
from core.models.pretraining.layer_mix import LEFT, RIGHT, LayerMix, mixed, standardise

RNG = np.random.default_rng(5)
L, D, N, C, K = 3, 2, 4, 5, 3


def drawn_mix():
    numbers = RNG.normal(size=L), 1.7, RNG.normal(size=(K, D * C)), RNG.normal(size=K)
    return LayerMix(("a", "b", "c"), (0, 1, 2), (LEFT, RIGHT), *numbers)


def test_normalised_is_torch_s_layer_norm():
    h = RNG.normal(2, 3, size=(L, D, N, C))
    expected = functional.layer_norm(torch.from_numpy(h), (C,)).numpy()
    np.testing.assert_allclose(standardise(h), expected, atol=1e-10)


def test_scores_are_those_of_the_mixed_vector_word_by_word():
    mix, h = drawn_mix(), RNG.normal(size=(L, D, N, C))
    s = np.exp(mix.u) / np.exp(mix.u).sum()
    for t in range(N):
        vector = sum(s[j] * np.concatenate([h[j, 0, t], h[j, 1, t]]) for j in range(L))
        np.testing.assert_allclose(mix.scores(h)[t], 1.7 * mix.W @ vector + mix.b)
    np.testing.assert_allclose(mix.tag_probabilities(h).sum(axis=1), 1)


def test_one_layer_or_one_direction_is_given_nothing_of_the_others():
    h, other = RNG.normal(size=(L, D, N, C)), RNG.normal(size=(L, D, N, C))
    other[1, LEFT] = h[1, LEFT]
    mix = LayerMix(("a", "b"), (1,), (LEFT,), np.zeros(1), 1.0, RNG.normal(size=(2, C)), np.zeros(2))
    np.testing.assert_array_equal(mix.scores(h), mix.scores(other))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(-5, 5), min_size=3, max_size=3), st.floats(-4, 4))
def test_weights_add_up_to_one_and_only_differences_of_u_matter(u, shift):
    mix = drawn_mix()
    s = mix.with_weights(np.array(u)).s
    assert s.sum() == pytest.approx(1)
    np.testing.assert_allclose(mix.with_weights(np.array(u) + shift).s, s)
    parts = RNG.normal(size=(L, N, K))
    low, high = mixed(parts, s, 1.0).min() - 1e-9, mixed(parts, s, 1.0).max() + 1e-9
    assert parts.min() <= low + 1e-6 and high <= parts.max() + 1e-6


@pytest.mark.parametrize("layer", [0, 2])
def test_the_mix_learns_to_weigh_the_layer_that_holds_the_answer(layer):
    y = torch.from_numpy(RNG.integers(0, 2, 600))
    h = torch.from_numpy(RNG.normal(size=(600, L, D, C))).float()
    h[:, layer, RIGHT, 2] += 2.0 * y - 1.0
    fit = MixConfig(epochs=20, batch=100, rate=0.03, penalty=0.001)
    mix = fit_mix(h, y, ("no", "yes"), (0, 1, 2), (LEFT, RIGHT), fit, seed=1)
    assert mix.s.argmax() == layer and mix.s[layer] > 0.5
    right = mix.scores(h.numpy().transpose(1, 2, 0, 3)).argmax(axis=1) == y.numpy()
    assert right.mean() > 0.75
    left = fit_mix(h, y, ("no", "yes"), (0, 1, 2), (LEFT,), fit, seed=1)  # the answer is on the right
    right_of_left = left.scores(h.numpy().transpose(1, 2, 0, 3)).argmax(axis=1) == y.numpy()
    assert right_of_left.mean() < 0.65


def test_the_first_step_is_adam_s_against_the_gradient_of_loss_and_penalty():
    """One step of Adam moves each number by its rate, against the sign of its gradient, worked out here by hand."""
    h, y = (
        torch.randn(6, L, D, C, generator=torch.Generator().manual_seed(2)),
        torch.tensor([0, 1, 1, 0, 1, 0]),
    )

    def first(penalty, rate):
        fit = MixConfig(epochs=1, batch=6, rate=rate, penalty=penalty)
        return fit_mix(h, y, ("a", "b"), (0, 1, 2), (LEFT, RIGHT), fit, seed=3)

    begun = first(0.0, 0.0)
    np.testing.assert_array_equal(begun.u, np.zeros(L))
    assert begun.gamma == 1
    x = h.mean(dim=1).flatten(1).numpy()  # all layers weigh the same
    z = x @ begun.W.T + begun.b
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    of_loss = (p - np.eye(2)[y]).T @ x / 6
    for penalty in (0.0, 5.0):
        moved = first(penalty, 0.01).W - begun.W
        np.testing.assert_allclose(moved, -0.01 * np.sign(of_loss + penalty * begun.W), atol=1e-5)
    assert (np.sign(of_loss) != np.sign(of_loss + 5 * begun.W)).any()


def test_a_seed_decides_the_fit():
    y, h = torch.tensor([0, 1] * 20), torch.randn(40, L, D, C, generator=torch.Generator().manual_seed(1))
    fit = MixConfig(epochs=2, batch=8, rate=0.01, penalty=0.0)
    one, same, other = (fit_mix(h, y, ("a", "b"), (0, 1, 2), (0, 1), fit, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.W, same.W)
    assert np.abs(one.W - other.W).max() > 1e-3


def test_a_settled_mix_of_one_layer_is_scikit_learn_s_logistic_regression():
    h = torch.from_numpy(RNG.normal(size=(300, L, D, C))).float()
    y = (h[:, 1, LEFT, 0] + torch.from_numpy(RNG.normal(size=300)) > 0).long()
    mix = fit_mix(
        h, y, ("no", "yes"), (1,), (LEFT, RIGHT), MixConfig(1, 100, 0.01, 0.1, settling=200), seed=1
    )
    given = h[:, 1].flatten(1).numpy()
    peer = LogisticRegression(C=2 / (0.1 * 300), tol=1e-8).fit(
        given, y.numpy()
    )  # two rows of W share its one
    z = mix.scores(h.numpy().transpose(1, 2, 0, 3))
    np.testing.assert_allclose(z[:, 1] - z[:, 0], peer.decision_function(given), atol=0.01)


def test_where_a_mix_has_settled_the_weights_do_not_depend_on_where_it_began():
    h = torch.from_numpy(RNG.normal(size=(400, L, D, C))).float()
    y = (h[:, 0, LEFT, 0] + 0.5 * h[:, 2, LEFT, 0] + torch.from_numpy(RNG.normal(size=400)) > 0).long()

    def weights(seed, settling):
        fit = MixConfig(epochs=2, batch=100, rate=0.01, penalty=0.01, settling=settling)
        return fit_mix(h, y, ("no", "yes"), (0, 1, 2), (LEFT, RIGHT), fit, seed).s

    np.testing.assert_allclose(weights(1, 200), weights(2, 200), atol=0.01)
    assert weights(1, 200)[0] > 0.5 > weights(1, 0)[0]  # Adam alone stops on its way from even weights


def test_whole_texts_are_drawn_again_as_many_as_there_are():
    texts = torch.tensor([0, 0, 0, 1, 2, 2])
    for seed in range(5):
        drawn = texts[drawn_again(texts, seed)]
        sizes = {0: 3, 1: 1, 2: 2}
        times = [int((drawn == each).sum()) / size for each, size in sizes.items()]
        assert sum(times) == 3 and all(time == int(time) for time in times)


def test_a_weight_s_ends_are_student_s_around_it_with_the_spread_of_the_samples_drawn_again():
    mix = drawn_mix().with_weights(np.array([0.1, 0.0, -0.2]))
    again = mix.s + RNG.normal(scale=0.02, size=(10, L))
    ends = Elmo(None, {TAGS: {MIX: mix}}, {TAGS: again}, {}).weight_ends(TAGS)
    for j in range(L):
        spread = np.sqrt(((again[:, j] - again[:, j].mean()) ** 2).sum() / 9)
        assert ends[j].tolist() == pytest.approx(stats.t.interval(0.95, 9, mix.s[j], spread))
    wide = Elmo(None, {TAGS: {MIX: mix}}, {TAGS: mix.s + RNG.normal(scale=2.0, size=(10, L))}, {})
    assert wide.weight_ends(TAGS).min() == 0 and wide.weight_ends(TAGS).max() == 1  # s_j is a share


def test_two_readings_are_compared_by_what_either_alone_gets_right():
    found = HeldOutAnswers(100, {"1": 60, "2": 52}, {"1": {"2": 11}, "2": {"1": 3}}).compared("1", "2")
    assert found.p == pytest.approx(stats.binomtest(11, 14).pvalue)
    assert (found.one, found.other) == (11, 3)


def test_a_task_asks_about_every_word_or_about_those_that_can_be_noun_and_verb():
    elmo = Elmo(None, {}, {}, {}, frozenset(["play"]))
    words = ["They", "Play", "the", "play", "."]
    assert elmo.asked(TAGS, words) == [True] * 5
    assert elmo.asked(NOUN_VERB, words) == [False, True, False, True, False]
