"""One step of negative sampling."""

import numpy as np
import pytest
import torch

from core.models.word_vectors.negative_sampling import (
    keep_probability,
    noise_distribution,
    pairs,
    trained_window,
    training_step,
    window,
)


def tensors(*arrays):
    return [torch.tensor(array, dtype=torch.float64, requires_grad=True) for array in arrays]


@pytest.mark.parametrize("shape", [(6,), (3, 6)], ids=["skip-gram", "CBOW"])
@pytest.mark.parametrize("negatives", [1, 5])
def test_loss_and_gradients_are_those_of_torch(shape, negatives):
    generator = np.random.default_rng(negatives)
    given, context = generator.normal(size=shape), generator.normal(size=6)
    noise = generator.normal(size=(negatives, 6))
    step = training_step(given, context, noise, 0.1)

    given_, context_, noise_ = tensors(given, context, noise)
    v = given_.mean(dim=0) if given_.ndim == 2 else given_
    positive = torch.nn.functional.logsigmoid(v @ context_)
    loss = -positive - torch.nn.functional.logsigmoid(-noise_ @ v).sum()
    loss.backward()
    assert step.loss == pytest.approx(loss.item())
    assert np.allclose(step.centre_gradient, given_.grad)
    assert np.allclose(step.context_gradient, context_.grad)
    assert np.allclose(step.negative_gradients, noise_.grad)


def test_a_step_worked_by_hand():
    """With v = (1, 0), u_o = (ln 3, 0) and u_1 = (0, 1), σ(v·u) is 3/4 and 1/2."""
    step = training_step([1.0, 0.0], [np.log(3), 0.0], [[0.0, 1.0]], learning_rate=0.5)
    assert (step.sigmoid, step.negative_sigmoids.tolist()) == (pytest.approx(0.75), [0.5])
    assert step.loss == pytest.approx(np.log(4 / 3) + np.log(2))
    assert step.centre_gradient == pytest.approx([-0.25 * np.log(3), 0.5])
    assert step.new_context == pytest.approx([np.log(3) + 0.125, 0])
    assert step.new_negatives[0] == pytest.approx([-0.25, 1])


def test_a_small_step_lowers_the_loss_of_its_own_pair():
    generator = np.random.default_rng(2)
    step = training_step(
        generator.normal(size=8), generator.normal(size=8), generator.normal(size=(4, 8)), 0.01
    )
    assert step.new_loss < step.loss


def test_dot_products_of_thousands_overflow_nothing():
    step = training_step([1000.0], [-1000.0], [[1000.0]], 0.1)
    assert step.loss == pytest.approx(2e6) and step.sigmoid == 0 and np.isfinite(step.new_centre).all()


def test_noise_is_drawn_as_often_as_its_distribution_says():
    noise = noise_distribution({"the": 81, "king": 16, "queen": 1})
    found = pairs(["the", "king"], 0, [1], 20_000, np.random.default_rng(1), noise)
    drawn = [pair.other for pair in found if not pair.positive]
    assert drawn.count("the") / len(drawn) == pytest.approx(27 / 36, abs=0.02)
    assert drawn.count("queen") / len(drawn) == pytest.approx(1 / 36, abs=0.01)


def test_a_window_ends_with_its_sentence():
    assert window("a b c".split(), 0, 5) == [1, 2]
    assert window(["alone"], 0, 5) == []


def test_frequent_words_are_kept_less_and_a_threshold_of_0_keeps_all():
    shares = np.array([0.5, 0.1, 1e-3, 1e-5])
    keep = keep_probability(shares, 1e-3)
    assert (np.diff(keep) >= 0).all() and keep[-1] == 1 and keep[0] == pytest.approx(0.0467, abs=1e-4)
    assert keep_probability(shares, 0).tolist() == [1, 1, 1, 1]


def torch_step(table, given, found, rate):
    """Return torch's step on embeddings with SGD: the loss before, the loss after, and the tables' rows after."""
    inputs, outputs = (torch.nn.Embedding.from_pretrained(each.clone(), freeze=False) for each in table)
    labels = torch.tensor([1.0] + [-1.0] * (len(found) - 1), dtype=torch.float64)
    descent = torch.optim.SGD([*inputs.parameters(), *outputs.parameters()], lr=rate)
    losses = []
    for _ in range(2):
        v = inputs(torch.tensor(given)).mean(dim=0)
        loss = -torch.nn.functional.logsigmoid(labels * (outputs(torch.tensor(found)) @ v)).sum()
        losses.append(loss.item())
        if len(losses) == 1:
            loss.backward()
            descent.step()
    return losses, inputs.weight.detach().numpy(), outputs.weight.detach().numpy()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([0], [1, 2, 3, 4]),
        ([0], [1, 2, 2, 2]),  # a word drawn three times
        ([0], [1, 1, 3]),  # the true word drawn as noise
        ([0, 2, 0, 4], [1, 3, 1, 3]),  # CBOW, with a word twice in its window
        ([5, 6], [1, 2]),
    ],
)
def test_a_step_is_the_one_of_torch_s_embeddings_however_often_a_word_is_drawn(given, found):
    """It fails where a word drawn twice is moved twice apart, and where new_loss is taken with the old v."""
    generator = torch.Generator().manual_seed(3)
    table = [torch.randn(7, 5, generator=generator, dtype=torch.float64) for _ in range(2)]
    losses, inputs, outputs = torch_step(table, given, found, 0.3)
    V, U = (each.numpy() for each in table)
    centre = V[given] if len(given) > 1 else V[given[0]]
    step = training_step(centre, U[found[0]], U[found[1:]], 0.3, found, given)
    assert (step.loss, step.new_loss) == pytest.approx(losses)
    assert np.allclose(step.new_centre, inputs[given] if len(given) > 1 else inputs[given[0]])
    assert np.allclose([step.new_context, *step.new_negatives], outputs[found])


def test_a_step_without_noise_only_pulls():
    step = training_step([1.0, 0.0], [0.0, 1.0], [], 0.5)
    assert step.loss == pytest.approx(np.log(2)) and step.negatives.shape == (0, 2)
    assert step.new_centre.tolist() == [1.0, 0.25]


def test_training_sees_no_pair_across_the_end_of_a_sentence_nor_a_word_it_leaves_out():
    cut = [["the", "king", "sings"], ["a", "rare", "dog", "barks"]]
    known = {"the", "king", "sings", "a", "dog", "barks"}
    assert trained_window(cut, 2, 4, known) == [0, 1]
    assert trained_window(cut, 3, 1, known) == [5]  # "rare" was taken out before the window was laid
    assert trained_window(cut, 4, 4, known) == []
    assert trained_window(cut, 6, 4, known) == [3, 5]
