"""The stored small GPTs: losses by play, intervals, cuts, and what was recorded of their trainings."""

import numpy as np
import pytest
import torch
from scipy import stats
from torch.nn import functional

from core.models.self_attention.ablation import ablated_token_bits
from core.models.transformers.ablated_gpt import FORMS, WHOLE
from core.models.transformers.ablated_gpts import (
    costs,
    cut,
    interval_of_mean,
    stored_ablated_gpt,
    stored_trainings,
    text_loss,
    window_loss,
)
from tests.models.transformers.test_ablated_gpt import IDS, made

TEXT = "KING:\nWhat is the matter with the man? " * 12


def test_an_interval_is_that_of_a_paired_t_test():
    losses = {WHOLE: [1.0, 2.0, 4.0, 3.0], "no norm": [1.5, 2.1, 4.9, 3.2]}
    found = costs(losses)["no norm"]
    low, high = stats.ttest_rel(losses["no norm"], losses[WHOLE]).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.error == pytest.approx(stats.sem(np.subtract(losses["no norm"], losses[WHOLE])))
    assert interval_of_mean([2.0, 2.0]).low == interval_of_mean([2.0, 2.0]).high == 2.0


def test_the_loss_of_windows_reads_each_by_itself_and_leaves_out_what_does_not_fill_one():
    network, ids = made(WHOLE), torch.tensor([3, 1, 4, 1, 5, 9, 2, 6])
    with torch.no_grad():
        logits = torch.cat([network(ids[None, :3])[0][0], network(ids[None, 3:6])[0][0]]).double()
    expected = functional.cross_entropy(logits, ids[1:7]).item()
    assert window_loss(network, ids, 3) == pytest.approx(expected, abs=1e-6)


@torch.no_grad()
def test_a_cut_keeps_all_other_weights_and_a_cut_of_nothing_changes_nothing():
    whole = made(WHOLE)
    torch.testing.assert_close(cut(whole, WHOLE)(IDS)[0], whole(IDS)[0])
    for form in FORMS:
        network = cut(whole, form)
        kept = {name for name in network.state_dict() if form != "no positions" or "position" not in name}
        for name in kept:
            torch.testing.assert_close(network.state_dict()[name], whole.state_dict()[name])
    assert cut(whole, "no positions").position_embedding.weight.count_nonzero() == 0
    assert whole.position_embedding.weight.count_nonzero() > 0


def test_the_loss_of_a_text_is_that_of_its_tokens():
    model = stored_ablated_gpt(WHOLE)
    short = TEXT[:50]
    nats, n = text_loss(model, short)
    assert n == 50
    assert nats == pytest.approx(
        ablated_token_bits(model, model.read(short).ids).mean() * np.log(2), abs=1e-4
    )
    nats, n = text_loss(model, TEXT)
    assert n == len(TEXT) // 128 * 128
    ids = torch.tensor((*model.before, *model.encode(TEXT).ids))
    assert nats == pytest.approx(window_loss(model.network, ids[: n + 1], 128))
    assert text_loss(model, "早上好") == (0.0, 0)
    assert text_loss(model, "a")[1] == 1


def test_the_stored_forms_are_what_their_names_say_and_learnt_something():
    trainings = stored_trainings()
    assert set(trainings.losses) == set(trainings.curves) == set(FORMS)
    assert set(trainings.cuts) == set(FORMS) - {WHOLE}
    for form, runs in trainings.curves.items():
        model = stored_ablated_gpt(form)
        assert model.network.form == FORMS[form]
        assert all(run[0] > run[-1] for run in runs)
    steps = {len(run) for runs in trainings.curves.values() for run in runs}
    assert len(steps) == 1  # all took as many


def test_the_recorded_losses_are_in_the_order_of_the_forms_own_text_losses():
    """The whole does better on a play's words than the forms whose held-out cost is far from nought."""
    found = costs({form: runs[0] for form, runs in stored_trainings().losses.items()})
    whole = text_loss(stored_ablated_gpt(WHOLE), TEXT)[0]
    far = [form for form, cost in found.items() if cost.low > 0.15]
    assert far
    for form in far:
        assert text_loss(stored_ablated_gpt(form), TEXT)[0] > whole
