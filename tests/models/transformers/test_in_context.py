"""The learner in the context: its forward pass by numpy, what was stored against Bayes, and what breaks it."""

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from core.models.fit_language_model import FitConfig
from core.models.self_attention.ablation import without_heads
from core.models.transformers.copier import Copier, CopierConfig
from core.models.transformers.in_context import (
    COLUMNS,
    HEADS_OFF,
    INDUCTION,
    ONE_BACK_OFF,
    RANDOM,
    SHIFTED,
    VOCABULARY,
    InContextFitting,
    after,
    answer,
    broken_curve,
    curve_of,
    draw_labels,
    head_scores,
    held_out_curves,
    induction_heads,
    measure_order,
    measured_tasks,
    one_back,
    order_probabilities,
    predict_network,
    recorded_curve,
    recorded_distance,
    recorded_heads,
    recorded_spread,
    shift_labels,
    stored_learner,
)
from core.models.transformers.rule_tasks import (
    KINDS,
    WORDS,
    as_tokens,
    draw_tasks,
    predict_along,
    predict_bayes,
)

EXAMPLES = [(0, 3), (5, 1), (14, 7)]


def normed(x, norm):
    """Layer normalization as its definition has it."""
    centred = x - x.mean(axis=-1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
    return centred / scale * norm.weight.double().numpy() + norm.bias.double().numpy()


def forward(network, ids):
    """Return logits (T, V) and all weights (L, H, T, T), written again in numpy, query by query."""
    array = {name: tensor.double().numpy() for name, tensor in network.state_dict().items()}
    x, every, H = array["token_embedding.weight"][ids], [], network.config.heads
    for layer, block in enumerate(network.blocks):
        part = {
            name: array[f"blocks.{layer}.attention.{name}.weight"]
            for name in ("to_query", "to_key", "to_value", "project", "distance_embedding")
        }
        read = normed(x, block.norm_before_attention)
        q, k, v = (np.split(read @ part[name].T, H, axis=1) for name in ("to_query", "to_key", "to_value"))
        weights, gathered, far = np.zeros((H, len(ids), len(ids))), np.zeros_like(x), network.config.farthest
        for h in range(H):
            for t in range(len(ids)):
                scores = np.array(
                    [
                        q[h][t] @ k[h][s] / np.sqrt(q[h].shape[1])
                        + part["distance_embedding"][max(s - t, -far) + far, h]
                        for s in range(t + 1)
                    ]
                )
                e = np.exp(scores - scores.max())
                weights[h, t, : t + 1] = e / e.sum()
            d = q[h].shape[1]
            gathered += (weights[h] @ v[h]) @ part["project"][:, h * d : (h + 1) * d].T
        x = x + gathered
        every.append(weights)
    return normed(x, network.final_norm) @ array["output.weight"].T, np.stack(every)


def test_the_stored_network_computes_what_numpy_computes_and_its_attention_rows_sum_to_1():
    tasks = measured_tasks(tasks=5, seed=9)
    for words, labels in zip(tasks.words, tasks.labels, strict=True):
        ids = as_tokens(words, labels)[:-1]
        logits, traces = stored_learner()(ids[None])
        expected, weights = forward(stored_learner(), ids.numpy())
        np.testing.assert_allclose(logits[0].numpy(), expected, atol=2e-4, rtol=1e-5)
        for trace, layer in zip(traces, weights, strict=True):
            np.testing.assert_allclose(trace.weights[0].numpy(), layer, atol=1e-5)
            np.testing.assert_allclose(trace.weights.sum(-1).numpy(), 1, atol=1e-5)
        p = np.exp(expected[::2, len(WORDS) :])
        p /= p.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(
            predict_network(stored_learner(), words[None], labels[None])[0], p, atol=1e-5
        )
        read = answer(stored_learner(), list(zip(words, labels, strict=True))[:-1], int(words[-1]))
        np.testing.assert_allclose(read.labels, p[-1], atol=1e-5)
        np.testing.assert_allclose(read.weights, weights[:, :, -1], atol=1e-5)


def test_the_loss_of_a_step_is_that_of_the_labels_alone_and_it_falls():
    torch.manual_seed(3)
    model = Copier(CopierConfig(VOCABULARY, layers=2, heads=2, width=16, farthest=4))
    fitting = InContextFitting(model, torch.empty(0), FitConfig(60, batch=16, window=5, warm_up=5))
    tasks = draw_tasks(16, 5, torch.Generator().manual_seed(fitting.draw), held_out=False)
    logits = model(as_tokens(tasks.words, tasks.labels))[0][:, ::2, len(WORDS) :]
    expected = cross_entropy(logits.flatten(0, 1), torch.from_numpy(tasks.labels).flatten())
    assert fitting.loss().item() == pytest.approx(expected.item(), abs=1e-5)
    losses = [fitting.step() for _ in range(60)]
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.1


def test_held_out_curves_are_those_of_the_card_and_bayes_is_the_best_in_the_mean():
    curves = held_out_curves()
    for name, curve in curves.items():
        for column in COLUMNS:
            np.testing.assert_allclose(
                getattr(curve, column), getattr(recorded_curve(name), column), atol=2e-3
            )
    distance = (curves["model"].bits - curves["bayes"].bits).mean(axis=1)
    above, margin = recorded_distance()
    assert distance.mean() == pytest.approx(above, abs=1e-3)
    assert margin == pytest.approx(1.96 * distance.std(ddof=1) / len(distance) ** 0.5, abs=1e-4)
    assert curves["bayes"].bits.mean() < curves["model"].bits.mean() < curves["nearest"].bits.mean()
    assert np.log2(KINDS) - 0.05 < curves["model"].loss[0] < np.log2(KINDS) + 0.1
    assert curves["bayes"].loss[0] == pytest.approx(np.log2(KINDS))


def test_the_model_is_no_better_on_rules_of_its_training():
    held, seen = measured_tasks(), measured_tasks(held_out=False)
    found = []
    for tasks in (held, seen):
        model, bayes = (
            curve_of(p, tasks.labels)
            for p in (
                predict_network(stored_learner(), tasks.words, tasks.labels),
                predict_along(predict_bayes, tasks.words, tasks.labels),
            )
        )
        found.append((model.bits - bayes.bits).mean(axis=1))
    gap = found[0].mean() - found[1].mean()
    assert abs(gap) < 0.05


def test_equally_probable_labels_are_right_in_part():
    found = curve_of(np.array([[[0.4, 0.4, 0.2], [0.1, 0.2, 0.7]]]), np.array([[1, 0]]))
    assert found.accuracy.tolist() == [0.5, 0]


@pytest.mark.parametrize("kind", [HEADS_OFF, ONE_BACK_OFF, SHIFTED, RANDOM])
def test_each_break_costs_the_bits_of_the_card(kind):
    found = broken_curve(kind)
    assert found.loss[0] > recorded_curve("model").loss[-1] + 1
    np.testing.assert_allclose(found.loss, recorded_curve(kind).loss, atol=0.02)
    np.testing.assert_allclose(found.accuracy, recorded_curve(kind).accuracy, atol=3e-3)


def test_random_labels_leave_chance():
    assert recorded_curve(RANDOM).accuracy[0] == pytest.approx(1 / KINDS, abs=0.03)


def test_induction_heads_look_at_labels_after_the_same_letter_and_one_alone_can_be_spared():
    scores = recorded_heads("score")
    np.testing.assert_allclose(head_scores(), scores, atol=2e-3)
    layer, head = induction_heads()[0]
    assert scores[layer, head] == scores.max() > INDUCTION
    assert len(induction_heads()) == (scores >= INDUCTION).sum() > 1
    tasks = measured_tasks(tasks=60, seed=31)
    on_same = []
    for words, labels, place in zip(tasks.words, tasks.labels, tasks.places, strict=True):
        read = answer(stored_learner(), list(zip(words, labels, strict=True))[:-1], int(words[-1]))
        same = [2 * i + 1 for i, x in enumerate(words[:-1]) if WORDS[x][place] == WORDS[words[-1]][place]]
        if same:
            on_same.append(read.weights[layer, head, same].sum())
    assert np.mean(on_same) == pytest.approx(scores.max(), abs=4 * np.std(on_same) / len(on_same) ** 0.5)
    whole, alone = recorded_curve("model").loss[-1], recorded_heads("bits without")[layer, head]
    assert whole < alone < whole + 0.2 < recorded_curve(HEADS_OFF).loss[0]
    off = after(without_heads(stored_learner(), [(layer, head)]), measured_tasks(), 11)
    assert off.loss[0] == pytest.approx(alone, abs=2e-3)


def test_the_head_that_costs_most_is_a_previous_token_head():
    costs = recorded_heads("bits without")
    layer, head = np.unravel_index(costs.argmax(), costs.shape)
    weights = one_back(stored_learner())
    assert weights[layer, head] == weights.max() > 0.9 and costs[layer, head] > np.log2(KINDS)
    tasks = measured_tasks(tasks=3)
    for words, labels in zip(tasks.words, tasks.labels, strict=True):
        _, every = forward(stored_learner(), as_tokens(words, labels).numpy())
        assert np.mean([every[layer, head, at, at - 1] for at in range(1, 24, 2)]) > 0.9


def test_the_order_of_six_examples_moves_the_probability_a_little():
    assert 0 < measure_order(stored_learner(), sequences=4) < 0.1
    assert 0.001 < recorded_spread() < 0.1


def test_orders_are_those_of_the_prompt_read_one_by_one():
    from itertools import permutations

    found = order_probabilities(stored_learner(), EXAMPLES, 1, 3)
    expected = [answer(stored_learner(), order, 1).labels[3] for order in permutations(EXAMPLES)]
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert len(order_probabilities(stored_learner(), EXAMPLES * 3, 1, 3, orders=50)) == 50
    bayes = [predict_bayes(order, 1).labels[3] for order in permutations(EXAMPLES)]
    assert np.ptp(bayes) < 1e-12


def test_shifted_and_drawn_labels_are_not_the_rule_s():
    labels = measured_tasks(tasks=400).labels
    assert (shift_labels(labels)[:, 1:] == labels[:, :-1]).all()
    assert (draw_labels(labels) == labels).mean() == pytest.approx(1 / KINDS, abs=0.02)
