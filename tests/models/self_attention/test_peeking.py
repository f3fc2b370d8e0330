"""The future counts for nothing under a right mask, leaks through a wrong one, and what peeks has learned nothing."""

from math import inf

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional

from core.models.neural_language_model import NeuralLanguageModel
from core.models.self_attention.attention import attend, causal_mask
from core.models.self_attention.fit_peeking import PeekConfig, fit_peeking, recorded_runs
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.parallel_training import in_one_pass, one_by_one
from core.models.self_attention.peeking import (
    NO_MASK,
    NO_SHIFT,
    TOO_LATE,
    WAYS,
    ZERO,
    leak,
    masked_again,
    peeking,
    prediction_influence,
)
from core.models.self_attention.score_matrix import (
    MASKS,
    attend_by_scores,
    mask_of,
    replace_scores,
    weight_behind,
    weights_influence,
)
from core.models.training_error import TrainingError
from core.text.samples.shelf import sample

LEAKS = (NO_MASK, ZERO, TOO_LATE)
TEXT = "".join(
    np.random.default_rng(1).choice(list("abcdefgh"), 3000)
)  # nothing to foresee: at best ln 8 = 2.08
SMALL = {"layers": 1, "heads": 2, "width": 32}


def gpt(seed=0, **changes):
    torch.manual_seed(seed)
    made = GPT(
        GPTConfig(**{"vocabulary_size": 11, "context": 8, "layers": 2, "heads": 2, "width": 8, **changes})
    )
    for parameter in made.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return made.eval()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), ids=st.lists(st.integers(0, 10), min_size=3, max_size=9))
def test_no_prediction_depends_on_a_later_token_unless_it_peeks(seed, ids):
    model, ids = gpt(seed), torch.tensor(ids)
    assert leak(prediction_influence(model, ids)) == 0
    assert leak(prediction_influence(peeking(model, NO_SHIFT), ids)) == 0
    for way in LEAKS:
        assert leak(prediction_influence(peeking(model, way), ids)) > 0


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), ids=st.lists(st.integers(0, 10), min_size=2, max_size=9))
def test_one_pass_gives_the_losses_of_one_pass_an_example(seed, ids):
    model, ids = gpt(seed), torch.tensor(ids)
    together, alone = in_one_pass(model, ids), one_by_one(model, ids)
    torch.testing.assert_close(together.losses, alone.losses)
    T = len(ids) - 1
    assert (together.tokens_read, alone.tokens_read) == (T, T * (T + 1) / 2)


@pytest.mark.parametrize("way", LEAKS)
def test_with_a_spoiled_mask_the_two_ways_part(way):
    model, ids = peeking(gpt(), way), torch.tensor([1, 2, 3, 4, 5])
    assert (in_one_pass(model, ids).losses - one_by_one(model, ids).losses).abs().max() > 1e-3


def test_the_losses_are_those_of_the_log_probabilities():
    model, ids = gpt(), torch.tensor([0, 4, 7, 2])
    expected = NeuralLanguageModel(model, list("abcdefghijk"), start=0).token_log_probabilities([4, 7, 2])
    np.testing.assert_allclose(in_one_pass(model, ids).losses, -expected, rtol=1e-4)


@pytest.mark.parametrize("way", LEAKS)
def test_what_peeks_is_measured_as_it_writes_token_by_token(way):
    # Nothing stands after the newest token, so its spoiled mask has nothing to hide: it is the honest model.
    peeker, ids = peeking(gpt(), way), [4, 7, 2, 9]
    reading = NeuralLanguageModel(peeker, list("abcdefghijk"), start=0).read(())
    honest = NeuralLanguageModel(masked_again(peeker), list("abcdefghijk"), start=0)
    for place, token in enumerate(ids):
        expected = honest.log_probabilities(ids[:place])
        np.testing.assert_allclose(reading.log_probabilities, expected, atol=1e-4)
        reading = reading.then(token)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), T=st.integers(1, 7), d_k=st.integers(1, 64), kind=st.sampled_from(MASKS))
def test_typed_scores_are_attended_as_a_heads_are(seed, T, d_k, kind):
    scores = 5 * torch.randn(T, T, generator=torch.Generator().manual_seed(seed))
    mask = mask_of(kind, T, padding=min(1, T - 1), window=2)
    trace = attend_by_scores(scores, d_k, mask)
    torch.testing.assert_close(trace.weights, functional.softmax(scores / d_k**0.5 + mask, dim=-1))
    torch.testing.assert_close(trace.scores, scores)
    depends = weights_influence(scores, d_k, mask)
    assert leak(depends, mask < 0) == 0


@pytest.mark.parametrize("way", [ZERO, TOO_LATE])
def test_a_spoiled_mask_leaks_from_typed_scores_too_even_when_all_are_nought(way):
    scores, mask = torch.zeros(3, 3), causal_mask(3)
    assert leak(weights_influence(scores, 4, mask, way)) > 0.05


def test_a_padding_mask_hides_columns_and_a_causal_one_the_future():
    hidden = {kind: (mask_of(kind, 3, padding=1) < 0).int().tolist() for kind in ("padding", "causal")}
    assert hidden == {
        "padding": [[0, 0, 1], [0, 0, 1], [0, 0, 1]],
        "causal": [[0, 1, 1], [0, 0, 1], [0, 0, 0]],
    }
    both = mask_of("causal_padding", 3, padding=1)
    assert both[0].tolist() == [0, -inf, -inf]
    assert both[2].tolist() == [0, 0, -inf]


def test_an_edit_changes_its_row_and_no_other():
    scores = replace_scores(torch.zeros(3, 3), {(2, 0): 2.0})
    trace, before = (attend_by_scores(each, 4, causal_mask(3)) for each in (scores, torch.zeros(3, 3)))
    torch.testing.assert_close(trace.weights[:2], before.weights[:2])
    e = np.e
    np.testing.assert_allclose(trace.weights[2], [e / (e + 2), 1 / (e + 2), 1 / (e + 2)], rtol=1e-6)


def test_masked_after_the_softmax_rows_no_longer_sum_to_one():
    trace = attend_by_scores(torch.zeros(3, 3), 1, causal_mask(3), TOO_LATE)
    torch.testing.assert_close(trace.weights.sum(-1), torch.tensor([1 / 3, 2 / 3, 1.0]))
    zero = attend_by_scores(torch.zeros(3, 3), 1, causal_mask(3), ZERO)
    torch.testing.assert_close(zero.weights, torch.full((3, 3), 1 / 3))
    assert attend(torch.eye(3), torch.zeros(3, 3), torch.eye(3), mask=causal_mask(3)).weights[0, 1] == 0


# Training


@pytest.mark.parametrize("way", [NO_MASK, ZERO, NO_SHIFT])
def test_the_one_that_peeks_trains_better_and_knows_less(way):
    config = PeekConfig(way, SMALL, steps=120, window=12, sample_length=4, snapshots=2)
    last = fit_peeking(lambda _: True, TEXT, config)
    assert last.honest.training_loss > 2
    assert last.peeking.training_loss < 0.9 * last.honest.training_loss
    assert last.peeking.honest_loss > last.honest.honest_loss + 0.2


def test_both_start_from_the_same_weights_and_the_same_seed_gives_the_same_run():
    runs = []
    for _ in range(2):
        reports = []
        config = PeekConfig(NO_MASK, SMALL, steps=8, window=8, sample_length=6, snapshots=2)
        fit_peeking(reports.append, TEXT, config)
        runs.append([(each.step, each.honest, each.peeking) for each in reports])
    assert runs[0] == runs[1]
    _, honest, peeker = runs[0][0]
    assert honest.honest_loss == peeker.honest_loss
    assert honest.sample == peeker.sample
    assert [step for step, _, _ in runs[0]] == [0, 4, 8]


def test_it_stops_when_the_report_says_so():
    config = PeekConfig(NO_MASK, SMALL, steps=100, window=8, sample_length=2, snapshots=10)
    last = fit_peeking(lambda progress: progress.step < 20, TEXT, config)
    assert last.step == 20


@pytest.mark.parametrize("text", ["", "too short", "a" * 1000])
def test_a_text_with_too_little_in_it_is_refused_in_a_sentence(text):
    with pytest.raises(TrainingError, match="too little"):
        fit_peeking(lambda _: True, text)


def test_every_way_is_offered_with_a_name_of_its_own():
    assert len(set(WAYS)) == len(WAYS) == 4


@pytest.mark.parametrize("way", WAYS)
def test_a_recorded_run_is_what_training_with_the_lessons_settings_gives(way):
    reports, text = [], sample("micro-world").read().text[:200_000]
    fit_peeking(lambda report: reports.append(report) or report.step < 15, text, PeekConfig(way))
    for now, before in zip(reports, recorded_runs()[way], strict=False):
        assert now.step == before.step
        for one, other in ((now.honest, before.honest), (now.peeking, before.peeking)):
            assert one.training_loss == pytest.approx(other.training_loss, rel=0.01)
            assert one.honest_loss == pytest.approx(other.honest_loss, rel=0.01)
    assert [report.step for report in reports] == [0, 15]


@pytest.mark.parametrize("way", WAYS)
def test_in_every_recorded_run_the_one_that_peeks_trains_better_and_knows_less(way):
    last = recorded_runs()[way][-1]
    assert last.step == last.steps == PeekConfig().steps
    assert last.peeking.training_loss < last.honest.training_loss
    assert last.peeking.honest_loss > last.honest.honest_loss + 0.5


@pytest.mark.parametrize("way", [ZERO, TOO_LATE])
def test_weight_behind_the_mask_is_nought_unless_hidden_scores_are_nought(way):
    scores, mask = torch.randn(4, 4), causal_mask(4)
    whole, broken = (attend_by_scores(scores, 4, mask, each).weights for each in (None, way))
    assert weight_behind(whole, mask < 0) == 0
    assert (weight_behind(broken, mask < 0) > 0) == (way == ZERO)
