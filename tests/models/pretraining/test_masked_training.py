"""A step of masked training: the loss is the trained one, counted at the drawn places; and both models are measured."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.models.pretraining.gap_measure import INTERVAL_FROM, GapMeasure, measure_gaps
from core.models.pretraining.masked_training import KEPT, MASK, OTHER, masked_training_step
from core.models.self_attention.masked_language_model import hide, masked_loss, stored_masked_model
from core.models.stored_language_models import stored_language_model

TEXT = (
    "The king of the land sent his men to the town, and they gave the word of the king to all the people. "
    * 12
)


@pytest.fixture(scope="module")
def masked():
    return stored_masked_model()


@pytest.fixture(scope="module")
def ids(masked):
    return torch.tensor(masked.pairs.encode(TEXT))


def test_the_loss_is_the_one_that_training_minimises(masked, ids):
    step = masked_training_step(masked, ids[:100], 0.3, seed=4)
    hidden = hide(ids[None, :100], 0.3, masked.mask, torch.Generator().manual_seed(4))
    with torch.inference_mode():
        own = masked_loss(masked.network, ids[None, :100], hidden)
        everywhere = functional.cross_entropy(masked.network(hidden.shown)[0][0], ids[:100])
    assert step.loss == pytest.approx(float(own), abs=1e-5)
    assert step.loss_everywhere == pytest.approx(float(everywhere), abs=1e-5)
    assert step.loss > step.loss_everywhere


def test_fates_say_what_is_shown_and_only_drawn_tokens_change(masked, ids):
    step = masked_training_step(masked, ids[:128], 0.6, seed=3)
    assert (step.shown == step.ids)[~step.places].all()
    for shown, own, fate in zip(step.shown[step.places], step.ids[step.places], step.fates, strict=True):
        assert fate == (MASK if shown == masked.mask else KEPT if shown == own else OTHER)
    counts = [step.fates.count(fate) for fate in (MASK, OTHER, KEPT)]
    assert counts[0] > 3 * max(counts[1:]) and min(counts) > 0
    assert step.copied_right[step.places].sum() == counts[2]


def test_a_step_depends_on_its_seed_alone_and_may_draw_nothing(masked, ids):
    one, two, other = (masked_training_step(masked, ids[:64], 0.2, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.shown, two.shown)
    assert (one.places != other.places).any()
    nothing = masked_training_step(masked, ids[:1], 0.01, seed=0)
    assert not nothing.places.any() and np.isnan(nothing.loss) and nothing.fates == []


@pytest.fixture(scope="module")
def measure(masked, ids):
    return measure_gaps(masked, stored_language_model("word_gpt"), ids, 0.15, seed=2)


def test_both_models_are_measured_at_the_same_places(masked, measure, ids):
    causal, generator = stored_language_model("word_gpt"), torch.Generator().manual_seed(2)
    window = ids[: masked.context]
    places = (torch.rand(len(window), generator=generator) < 0.15).nonzero()[:, 0].tolist()
    t, n = places[1], len(places)
    left = causal.log_probabilities(window[:t].tolist())
    assert measure.bits[1, 1] == pytest.approx(-left[window[t]] / np.log(2), abs=1e-4)
    assert measure.ranks[1, 1] == 1 + (left > left[window[t]]).sum()
    shown = window.clone()
    shown[places] = masked.mask
    with torch.inference_mode():
        both = masked.network(shown[None])[0][0, places].double().log_softmax(-1).numpy()
    own = both[np.arange(n), window[places].numpy()]
    np.testing.assert_allclose(measure.bits[0, :n], -own / np.log(2), atol=1e-4)
    np.testing.assert_array_equal(measure.ranks[0, :n], 1 + (both > own[:, None]).sum(1))


def test_the_interval_is_that_of_a_mean_of_pairs(measure):
    d = measure.bits[0] - measure.bits[1]
    low, high = measure.interval
    assert (low + high) / 2 == pytest.approx(d.mean())
    assert high - low == pytest.approx(2 * 1.96 * np.std(d, ddof=1) / len(d) ** 0.5)
    assert measure.right(1)[0] == (measure.ranks[0] == 1).sum() <= measure.right(5)[0]


def test_few_hidden_tokens_have_no_interval():
    n = INTERVAL_FROM - 1
    few = GapMeasure(np.zeros((2, n)), np.ones((2, n), dtype=int), 128)
    assert few.interval is None and few.right().tolist() == [n, n]
