"""GloVe's gradient is torch's, its step is torch's AdaGrad, its counts are a plain loop's, and its loss falls."""

import numpy as np
import pytest
import torch

from core.models.training_error import TrainingError
from core.models.word_vectors.glove import Cells, Glove, Parameters, adagrad, errors, half_gradients, weight
from core.models.word_vectors.near_matrix import near_matrix
from core.models.word_vectors.word2vec import encoded
from core.text.samples.microworld import microworld
from core.text.tokenization.tokens import words

WORLD = [words(sentence) for sentence in microworld(400, seed=3)]


def some_cells(V=7, d=3, n=40):
    generator = torch.Generator().manual_seed(5)
    i, j = torch.randint(V, (2, n), generator=generator)
    logs, weights = torch.randn(n, generator=generator).double(), torch.rand(n, generator=generator).double()
    at = Parameters(*(torch.randn(*s, generator=generator).double() for s in ((V, d), (V, d), (V,), (V,))))
    return Cells(i, j, logs, weights), at


def test_the_gradient_is_half_of_torch_s():
    some, at = some_cells()
    for each in at:
        each.requires_grad_()
    J = (some.weights * errors(some, at) ** 2).sum()
    J.backward()
    value, half = half_gradients(some, Parameters(*(each.detach() for each in at)))
    assert value == pytest.approx(J.item(), abs=1e-9)
    for mine, theirs in zip(half, at, strict=True):
        torch.testing.assert_close(2 * mine, theirs.grad, atol=1e-9, rtol=0)


def test_one_cell_by_hand():
    """w·c = 0.5·2 - 1·3 = -2; with b = 0.4 and b̃ = 0.1 it is -1.5; ln X = ln 4: the error is -1.5 - 1.386."""
    at = Parameters(*(torch.tensor(each).double() for each in ([[0.5, -1.0]], [[2.0, 3.0]], [0.4], [0.1])))
    f = weight(np.array([4.0]), x_max=10, alpha=0.75)
    assert f[0] == pytest.approx(0.4**0.75)
    cell = Cells(
        torch.tensor([0]), torch.tensor([0]), torch.log(torch.tensor([4.0]).double()), torch.from_numpy(f)
    )
    J, half = half_gradients(cell, at)
    error = -1.5 - np.log(4)
    assert pytest.approx(f[0] * error**2) == J
    np.testing.assert_allclose(half.w, [[f[0] * error * 2, f[0] * error * 3]])
    np.testing.assert_allclose(half.c, [[f[0] * error * 0.5, f[0] * error * -1]])
    assert half.b.item() == half.b_context.item() == pytest.approx(f[0] * error)


def test_the_step_is_torch_s_adagrad():
    some, at = some_cells()
    mine = Parameters(*(each.clone() for each in at))
    squares = Parameters(*map(torch.ones_like, at))
    theirs = torch.optim.Adagrad(
        [each.requires_grad_() for each in at], lr=0.05, initial_accumulator_value=1, eps=0
    )
    for _ in range(5):
        _, half = half_gradients(some, mine)
        adagrad(mine, half, squares, 0.05)
        theirs.zero_grad()
        (0.5 * (some.weights * errors(some, at) ** 2).sum()).backward()
        theirs.step()
    for one, other in zip(mine, at, strict=True):
        torch.testing.assert_close(one, other.detach(), atol=1e-9, rtol=0)


def test_the_weight_is_1_from_x_max_on_and_falls_below_it():
    f = weight(np.array([1.0, 5.0, 10.0, 1000.0]), 10, 0.75)
    assert f[2] == f[3] == 1 and f[0] < f[1] < 1
    assert f[0] == pytest.approx(10**-0.75)


@pytest.mark.parametrize("by_distance", [False, True])
@pytest.mark.parametrize("window", [1, 3])
def test_the_counts_are_those_of_a_plain_loop(window, by_distance):
    vocabulary, text = encoded(WORLD[:60], 2)
    V = len(vocabulary)
    expected = np.zeros((V, V))
    for sentence in WORLD[:60]:
        ids = [vocabulary[token] for token in sentence if token in vocabulary]
        for at, one in enumerate(ids):
            for to in range(max(0, at - window), min(len(ids), at + window + 1)):
                if to != at:
                    expected[one, ids[to]] += 1 / abs(to - at) if by_distance else 1
    np.testing.assert_allclose(near_matrix(text, V, window, by_distance).toarray(), expected)


def test_the_loss_falls_with_every_pass_and_the_vectors_come_to_restore_the_logarithms():
    model = Glove(dimension=30, window=3, epochs=60, x_max=1).fit(WORLD)
    assert all(later < sooner for sooner, later in zip(model.losses_[:20], model.losses_[1:21], strict=True))
    assert model.losses_[-1] < model.losses_[0] / 20
    X = near_matrix(encoded(WORLD, 1)[1], len(model.vocabulary_), 3, by_distance=True).tocoo()
    left = errors(model.cells(X), model.learnt_)
    assert model.cells_ == X.nnz
    assert float(left.square().mean()) < 0.1 * float(np.var(np.log(X.data)))


def test_a_seed_gives_the_same_vectors_and_another_one_others():
    first, again, other = (Glove(8, epochs=3, seed=seed).fit(WORLD).vectors_.vectors for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 1e-3


def test_a_word_s_vector_is_the_sum_of_both_and_the_parameters_are_counted():
    model = Glove(8, epochs=2).fit(WORLD)
    V = len(model.vocabulary_)
    np.testing.assert_array_equal(model.vectors_.vectors, (model.learnt_.w + model.learnt_.c).numpy())
    assert model.parameters == 2 * V * 9


def test_it_stops_when_it_is_told_to_and_says_what_is_done():
    told = []
    model = Glove(8, epochs=10).fit(WORLD, lambda share: told.append(share) or share < 0.3)
    assert told == [0.0, 0.1, 0.2, 0.3] and len(model.losses_) == 3


def test_a_text_without_pairs_and_a_rate_too_high_are_refused_with_a_sentence():
    with pytest.raises(TrainingError, match="longer text"):
        Glove(4).fit([["one"], ["two"]])
    with pytest.raises(TrainingError, match="lower learning rate"):
        Glove(4, learning_rate=1e30, epochs=5).fit(WORLD)
