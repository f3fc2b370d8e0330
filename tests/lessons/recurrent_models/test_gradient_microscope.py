"""Vanishing and exploding gradients: the story's shares by autograd again; the lab shows what core measures."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from scipy.stats import binomtest

from core.lesson.break_it import format_value
from core.models.recurrent_models.clipped_training import train
from core.models.recurrent_models.gradient_flow import gradient_flow, loss_gradient
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.shelf import sample
from core.words.numbers import plain_number
from pages.recurrent_models.gradient_microscope.page import CLIP, KEEPS, drops
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    metrics,
    numbers,
    open_lesson,
    said,
    said_in,
    table_with,
)

FOLDS = {"clipping": "true", "stored": "true"}


def open_with(text="The king sat by Ann. He saw a dog!", **query):
    return open_lesson("gradient_microscope", text, timeout=90, **{**FOLDS, **query})


def table_of(app):
    return table_with(app, "steps back")


def test_the_curves_are_the_medians_of_core_s_runs():
    table = table_of(open_with(radius="1.1", length="20", seeds="3"))
    rnn = [gradient_flow("rnn", 1.1, 20, seed=seed).hidden_norms.flip(0).numpy() for seed in (1, 2, 3)]
    lstm = [gradient_flow("lstm", 1.1, 20, seed=seed).cell_norms.flip(0).numpy() for seed in (1, 2, 3)]
    np.testing.assert_allclose(table["RNN, h"], np.median(rnn, axis=0))
    np.testing.assert_allclose(table["LSTM, c"], np.median(lstm, axis=0))


def test_the_norm_is_shown_before_and_after_clipping():
    app = open_with(radius="1.5", length="20", clip="0.5")
    norm = gradient_flow("rnn", 1.5, 20).parameter_norm
    assert app.metric[2].value == f"{plain_number(norm)} → 0.5"
    assert open_with(length="20", radius="0.1").metric[2].value.count("→") == 1


def test_without_the_tanh_the_gradient_is_that_of_the_linear_network():
    app = open_with(radius="1.2", length="30", seeds="1", no_tanh="true")
    whole, broken = (gradient_flow(cell, 1.2, 30).hidden_norms[0].item() for cell in ("rnn", "linear"))
    assert [app.metric[3].value, app.metric[4].value] == [
        format_value(each, ".2e") for each in (whole, broken)
    ]
    assert "RNN without tanh, h" in table_of(app)


def test_a_training_is_run_with_clipping_and_without():
    app = open_with(radius="1.5", length="8", no_clip="true", clip="1.0")
    clipped, free = (train(1.5, 8, clip).losses[-20:] for clip in (1.0, None))
    assert [app.metric[3].value, app.metric[4].value] == [
        format_value(np.mean(each), ".3g") for each in (clipped, free)
    ]


def test_the_trained_networks_are_measured_on_the_sentence():
    app = open_with(length="3", typed="My lord", place="5")
    model = stored_language_model("char_lstm")
    ids = torch.tensor((model.start, *encode("char_lstm", "My lo").ids))
    found = loss_gradient(model.network, ids)
    assert f"LSTM {found.loss:.2f}" in said(app)
    assert "The loss at “o”" in said(app)


def test_every_seed_is_a_thin_line_and_their_median_a_thick_one():
    app = open_with(length="20", seeds="4")
    lines = [trace["line"]["width"] for trace in figure(app)["data"] if trace["name"].startswith("RNN, h")]
    assert lines == [1, 1, 1, 1, 3]


def test_the_spectral_radius_is_named_before_it_is_used():
    words = [each.value for each in open_with(length="3").markdown]
    assert any("largest absolute eigenvalue. In the long run" in each for each in words)


@pytest.mark.parametrize("radius", ["0.3", "0.9", "1.5"])
def test_taking_out_the_tanh_adds_its_curve_and_never_makes_the_gradient_smaller(radius):
    whole, broken = (open_with(length="30", radius=radius, no_tanh=on) for on in ("false", "true"))
    names = [{trace["name"] for trace in figure(app)["data"]} for app in (whole, broken)]
    assert "RNN without tanh, h" in names[1] - names[0]
    table = table_of(broken)
    assert (table["RNN without tanh, h"] >= table["RNN, h"] * (1 - 1e-9)).all()


def test_what_is_left_is_said_with_the_factor_that_a_step_comes_to():
    app = open_with(length="21", radius="0.9")
    table = table_of(app)
    share = table["RNN, h"].iloc[-1] / table["RNN, h"].iloc[0]
    assert f"(× {share ** (1 / 20):.3g} per step)" in said(app)


def test_a_gradient_that_has_grown_is_not_called_what_is_left_and_a_tiny_one_is_not_called_0():
    grown, tiny = (open_with(length="200", radius=radius, seeds="1") for radius in ("2.0", "0.1"))
    share = table_of(grown)["RNN, h"].iloc[-1]
    assert share > 1
    assert "the RNN's gradient has grown" in said(grown)
    assert "of the RNN's gradient is left" not in said(grown)
    assert 0 < table_of(tiny)["RNN, h"].iloc[-1] < 1e-162  # its square is 0 in 64 bits
    assert ", 0 of the RNN's gradient" not in said(tiny)


@pytest.mark.parametrize(
    ("radius", "sentence"), [("0.5", "changed nothing here"), ("1.5", "that training ends")]
)
def test_what_clipping_did_is_said_from_the_training_s_numbers(radius, sentence):
    app = open_with(radius=radius, length="30", no_clip="true")
    assert sentence in said(app)
    measure = metrics(app)
    whole, broken = (measure[f"with{each} clipping"] for each in ("", "out"))
    assert (whole == broken) == (radius == "0.5")


@pytest.mark.parametrize("text", [None, sample("hamlet").read().text, "早上 ok. It is short."])
def test_where_the_gradient_drops_most_is_measured_on_any_text(text):
    app = open_with(text, length="3", source="from your text")
    curves = {trace["name"]: trace for trace in figure(app, 1)["data"]}
    read = next(each.value for each in app.text if "drops most" in each.value)
    for name, curve in curves.items():
        norms = numbers(curve["y"])
        least = min(a / b for a, b in pairwise(norms))
        assert f"{name}, over" in read if least < 1 else f"{name}, nowhere (at least × {least:.2g})" in read


def test_a_gradient_that_drops_nowhere_is_said_to_drop_nowhere():
    assert drops({"RNN, h": np.array([4.0, 2.0, 1.0])}, ["a", "b", "c"]) == "RNN, h, nowhere (at least × 2)"


def test_until_the_guess_neither_table_nor_measure_has_the_gradient():
    app = open_with(length="10", no_tanh="true", predict="true")
    assert not any("steps back" in each.value for each in app.dataframe)
    assert not app.metric


def test_a_prediction_comes_before_the_picture():
    app = open_with(length="10", predict="true")
    pictures = len(app.get("plotly_chart"))
    guess(app, "1 to 0.01")
    assert len(app.get("plotly_chart")) == pictures + 1


@pytest.mark.parametrize(
    "query",
    [
        {"radius": "0.1", "length": "200", "seeds": "1"},
        {"radius": "2.0", "length": "200", "seeds": "2", "no_tanh": "true"},
        {"length": "2", "seeds": "12", "no_clip": "true"},
        {"length": "2", "typed": ""},
        {"length": "2", "typed": "x"},
        {"length": "2", "typed": "\U0001f44d \u0645\u0631"},
        {"length": "2", "typed": "ab " * 133, "place": "399"},
        {"length": "2", "source": "from your text"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(query):
    app = open_with(**query)
    assert not app.exception
    if query.get("typed") == "":
        assert "We found no character to predict" in said(app)


def test_the_character_whose_loss_it_is_is_seen_even_where_it_is_a_space():
    assert "The loss at “␣”" in said(open_with("Hello you and me", place=6))


# The story.


def share_left(radius, back=59, units=32, linear=False, seeds=5):
    """Return the median share of an RNN's gradient that is left, by the product of the steps' matrices."""
    found = []
    for seed in range(1, seeds + 1):
        flow = gradient_flow("linear" if linear else "rnn", radius, back + 1, units, seed=seed)
        W_h, hidden = flow.weights.W_h.detach(), flow.hidden
        last = gradient = flow.hidden_gradients[-1]
        for h in hidden.flip(0)[:-1]:
            gradient = W_h.T @ (gradient if linear else (1 - h**2) * gradient)
        found.append((gradient.norm() / last.norm()).item())
    return float(np.median(found))


def curves_of(beat, revealed=False, **changes):
    """Return the thick lines of a beat's figure by their names, and its words."""
    made = document("gradient_microscope", beat, revealed, **changes)
    lines = made["picture"]["data"]["figure"]["data"]
    seen = (line for line in lines if line["line"]["width"] > 2 and line.get("visible", True))
    return {line["name"]: numbers(line["y"]) for line in seen}, said_in(made)


@pytest.mark.parametrize(("beat", "radius"), [("left", 0.9), ("vanish", 0.5)])
def test_what_is_left_is_the_product_of_all_steps(beat, radius):
    curves, _ = curves_of(beat, beat == "left")
    assert curves["RNN"][-1] == pytest.approx(share_left(radius), rel=0.01)


def test_the_answer_s_choice_is_where_the_share_lies_and_it_is_not_sent_before():
    share = share_left(0.9)
    made = document("gradient_microscope", "left", True)
    assert made["ask"]["answer"] == "millionth" and 1e-6 <= share < 0.01
    assert len(curves_of("left")[0]["RNN"]) == 11


def test_the_factor_of_a_step_comes_to_what_is_left_and_is_below_the_radius():
    curves, words = curves_of("factor")
    factor = float(words.split("here about ")[1][:4])
    assert factor == pytest.approx(share_left(0.9) ** (1 / 59), abs=0.005) and factor < 0.9
    power = curves["spectral radius alone"]
    assert power[-1] == pytest.approx(0.9**59, rel=0.01) and power[-1] > curves["RNN"][-1]


def test_half_a_radius_leaves_a_millionth_about_twenty_steps_back():
    curve = curves_of("vanish")[0]["RNN"]
    assert next(t for t, share in enumerate(curve) if share < 1e-6) in range(17, 22)


def test_without_tanh_it_explodes_and_with_tanh_it_grows_little():
    curves, words = curves_of("explode")
    assert curves["RNN without tanh"][-1] == pytest.approx(share_left(1.5, linear=True), rel=0.01)
    assert curves["RNN without tanh"][-1] > 1e9
    assert f"only {share_left(1.5):.0f} times" in words


@pytest.mark.parametrize("rho", [0.1, 0.5, 0.9, 1.0, 1.05, 1.1, 1.2, 1.5, 1.6, 1.65, 2.0])
def test_what_is_said_of_a_radius_follows_the_share(rho):
    share = share_left(rho)
    told = "vanishes" if share < KEEPS[0] else "explodes" if share > KEEPS[1] else "Yes:"
    made = document("gradient_microscope", "balance", rho=str(rho))
    assert told in made["done"]
    assert ("has grown" in made["picture"]["alt"]) == (share > 1)


def test_a_radius_of_1_is_not_the_balance_and_where_it_is_single_networks_differ():
    assert share_left(1.0) < KEEPS[0] < share_left(1.1)
    for rho in (1.1, 1.2, 1.3, 1.4, 1.5, 1.6):
        lines = document("gradient_microscope", "balance", rho=str(rho))["picture"]["data"]["figure"]["data"]
        ends = [numbers(line["y"])[-1] for line in lines if line["line"]["width"] == 1.5]
        assert len(ends) == 5 and max(ends) > 10 * min(ends)


def test_an_lstm_s_cell_keeps_more_and_its_forget_bias_decides_how_much():
    curves, _ = curves_of("cell")
    assert curves["LSTM, cell c"][-1] > 1e10 * curves["RNN"][-1]
    both, words = curves_of("bias", True)
    ratio = both["LSTM cell, bias 1"][-1] / both["LSTM cell, bias 0"][-1]
    assert 1e8 < ratio < 1e9, "over eight powers of ten"
    assert "2·10⁸ times less" in words
    assert "Over a million times less" in document("gradient_microscope", "bias", True)["heading"]
    assert list(curves_of("bias")[0]) == ["LSTM cell, bias 1"]


def test_the_training_without_clipping_passes_a_million_and_the_other_stays_low():
    curves, words = curves_of("clipping")
    free = train(1.5, 30, None).losses
    assert f"at step {len(free)}" in words and free[-1] > 1e6
    assert f"near {np.mean(train(1.5, 30, 1.0).losses[-20:]):.2f}" in words
    assert max(curves["clipped"]) < 1 < max(curves["not clipped"])
    assert CLIP == 1.0, "the limit of GPT-3"


def test_the_forget_gate_alone_leaves_far_less_than_arrives_at_the_cell():
    """The product of the gates along the way, without what comes back through h."""
    alone, arrives = [], []
    for seed in range(1, 6):
        flow = gradient_flow("lstm", 0.5, 60, 32, seed=seed)
        weights, generator = flow.weights, torch.Generator().manual_seed(seed + 1)
        inputs = 0.1 * torch.randn(60, 32, generator=generator, dtype=torch.float64)
        before = torch.cat([torch.zeros(1, 32, dtype=torch.float64), flow.hidden[:-1]])
        z = inputs @ weights.W_x.T + before @ weights.W_h.detach().T + weights.b_x + weights.b_h
        gates = torch.sigmoid(z[1:, 32:64]).prod(dim=0)
        first, last = flow.cell_gradients[0], flow.cell_gradients[-1]
        alone.append(((gates * last).norm() / last.norm()).item())
        arrives.append((first.norm() / last.norm()).item())
    told = document("gradient_microscope", "cell")["measured"]
    assert "9·10⁻⁹" in told and np.median(alone) == pytest.approx(9e-9, rel=0.1)
    assert np.median(arrives) > 1000 * np.median(alone)


def test_trained_networks_too_lose_the_gradient_and_the_gru_keeps_the_most():
    """Each passage again, one by one; the verdicts of the words by a sign test."""
    curves, words = curves_of("trained")
    text, found = sample("hamlet").read().text[-1180:], {}
    for name, label in (("char_rnn", "RNN"), ("char_gru", "GRU"), ("char_lstm", "LSTM, cell c")):
        model, shares = stored_language_model(name), []
        for start in range(0, 1180, 59):
            ids = torch.tensor((model.start, *encode(name, text[start : start + 59]).ids))
            flow = loss_gradient(model.network, ids)
            norms = (flow.cell_gradients if name == "char_lstm" else flow.hidden_gradients).norm(dim=1)
            shares.append((norms[-41] / norms[-1]).item())
        found[label] = np.array(shares)
        assert curves[label][40] == pytest.approx(np.median(shares), rel=0.01)
        assert np.median(shares) < 0.02
    for label in ("RNN", "GRU"):
        assert f"{np.median(found[label]):.1%}" in words
    assert np.median(found["LSTM, cell c"]) < 2 * np.median(found["RNN"]), "hardly more"
    more = {label: int((each > found["RNN"]).sum()) for label, each in found.items()}
    told = document("gradient_microscope", "trained")["measured"]
    assert f"in {more['GRU']} of 20" in told and binomtest(more["GRU"], 20).pvalue < 0.001
    assert f"does so in {more['LSTM, cell c']}" in told and binomtest(more["LSTM, cell c"], 20).pvalue > 0.05
    over = int((found["GRU"] > found["LSTM, cell c"]).sum())
    assert over > 10 and binomtest(over, 20).pvalue < 0.05, "the GRU keeps most"
