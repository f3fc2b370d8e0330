"""What the lesson on the square root says of spreads, weights and gradients is what its numbers show."""

import re

import pandas as pd
import pytest
import torch

from core.figures.self_attention.attention_scaling import SCALED, UNSCALED, scores_and_weights
from core.models.self_attention.attention_scaling import heaviest_first, random_scores
from pages.self_attention.attention_scaling import BUCKETS, gradients_compared
from tests.lessons.lesson_page import figure, guess, metrics, numbers, open_lesson, question, said, table_with
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS


def share(text):
    return float(text.rstrip("%")) / 100


def test_heads_are_counted_by_what_the_root_does_to_their_gradient_at_both_ends():
    heads = pd.DataFrame(
        {
            "gradient without the root": [0.1, 0.2, 0.3],
            "gradient with it": [0.2, 0.2, 0.1],
            "to q · k without the root": [0.1, 0.2, 0.3],
            "to q · k with it": [0.05, 0.05, 0.025],
        }
    )
    assert [int(n) for n in re.findall(r"\d+", gradients_compared(heads))] == [1, 3, 1, 0, 3]


@pytest.mark.parametrize("text", ["The king saw the queen in her house.", "x"])
def test_the_sentence_counts_the_table_on_the_page(text):
    app = open_lesson("attention_scaling", text)
    heads = table_with(app, "gradient with it")
    less = (heads["gradient without the root"] < heads["gradient with it"]).sum()
    assert f"in **{less}** of these {len(heads)} heads" in said(app)


@pytest.mark.parametrize("keys", [2, 16, 64])
def test_at_the_largest_d_little_is_left_of_the_gradient_without_the_root(keys):
    app = open_lesson("attention_scaling", "x", keys=keys)
    gone, kept = (
        float(re.search(pattern, said(app))[1])
        for pattern in (r"down to \*\*(.+?)\*\*", r"gradient at \*\*(.+?)\*\*")
    )
    assert gone < 0.5 * kept


@pytest.mark.parametrize("keys", [2, 16, 64])
def test_back_at_the_products_the_mean_is_larger_without_the_root_and_the_median_all_but_nought(keys):
    app = open_lesson("attention_scaling", "x", keys=keys)
    last = table_with(app, "√d").iloc[-1]
    assert last["gradient to q · k, q · k"] == pytest.approx(last["gradient, q · k"])
    assert last["gradient to q · k, q · k / √d"] == pytest.approx(last["gradient, q · k / √d"] / 32)
    assert last["gradient to q · k, q · k"] > last["gradient to q · k, q · k / √d"]
    assert last["median gradient to q · k, q · k"] < 0.1 * last["median gradient to q · k, q · k / √d"]
    assert last["share of the top tenth, q · k"] > 2 * last["share of the top tenth, q · k / √d"]
    assert "without the root **more** comes back on average" in said(app)


def test_the_first_bar_is_the_mean_that_stands_beside_it():
    app = open_lesson("attention_scaling", d=256, keys=16, seed=3)
    expected = heaviest_first(random_scores(256, keys=16, seed=3))
    bars = [trace for trace in figure(app)["data"] if trace["type"] == "bar"]
    bars = [trace for trace in bars if "width" not in trace]  # those with one are the scores
    assert numbers(bars[0]["y"]) == pytest.approx(expected.tolist(), rel=1e-5)
    assert metrics(app)["Largest weight, no root"] == f"{expected[0]:.0%}"
    assert f"gets {expected[0]:.0%} of a query's weight without the root" in said(app)


@pytest.mark.parametrize("end", [2, 64])
def test_the_ends_of_the_number_of_keys_work(end):
    app = open_lesson("attention_scaling", keys=end)
    assert f"heaviest of {end} keys" in said(app)


def test_the_spread_on_the_page_is_the_root_of_d():
    app = open_lesson("attention_scaling", d=256)
    assert float(metrics(app)["Spread of q · k"]) == pytest.approx(16, rel=0.05)


@ON_THREE_TEXTS
def test_without_the_root_the_picture_is_the_trained_heads_weights_sharper_and_the_model_predicts_worse(text):
    whole, broken = (
        open_lesson("attention_scaling", text),
        open_lesson("attention_scaling", text, no_root=True),
    )
    assert figure(whole)["data"] != figure(broken)["data"]
    shown = metrics(broken)
    assert float(shown["Bits per token, broken"]) > float(shown["Bits per token, whole"])
    assert float(shown["Spread of q · k"]) > float(shown["Spread with the root"])
    assert share(shown["Largest weight, no root"]) > share(shown["Largest weight, root"])
    for label in ("Largest weight, no root", "Largest weight, root"):
        assert shown[label] in said(broken)


@ON_THREE_TEXTS
def test_in_most_trained_heads_less_gradient_passes_the_softmax_without_the_root_but_more_reaches_q_k(text):
    heads = table_with(open_lesson("attention_scaling", text), "gradient with it")
    assert (heads["to q · k with it"] * 32**0.5).tolist() == pytest.approx(heads["gradient with it"].tolist())
    assert (heads["gradient without the root"] < heads["gradient with it"]).any()


def test_until_the_guess_the_weight_asked_for_is_nowhere_and_the_rest_of_the_page_is_there():
    app = open_lesson("attention_scaling", predict=True)
    assert not app.get("plotly_chart")
    assert not any("largest weight, q · k" in each.value for each in app.dataframe)
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}
    answer = f"{heaviest_first(random_scores(64))[0]:.0%}"
    assert answer not in said(app)
    assert answer in said(guess(app, "50% to 75%"))


def test_with_the_break_on_the_question_is_about_the_trained_heads_that_the_picture_shows():
    app = open_lesson("attention_scaling", predict=True, no_root=True)
    assert "Trained heads" in question(app).label
    largest = share(metrics(open_lesson("attention_scaling", no_root=True))["Largest weight, no root"])
    answer = BUCKETS[min(3, int(largest * 4))]
    wrong = next(bucket for bucket in BUCKETS if bucket != answer)
    assert "Right. Your score" in said(guess(app, answer))
    again = open_lesson("attention_scaling", predict=True, no_root=True)
    assert f"it is {answer}" in said(guess(again, wrong))


def test_one_token_is_one_token():
    page = said(open_lesson("attention_scaling", "a", no_root="true"))
    assert "the first 1 token of your text" in page


def test_the_bars_of_the_scores_hold_every_score_the_largest_and_the_smallest_too():
    scores = torch.tensor([[-2.0, -1.99, 0.5], [0.51, 1.0, 2.0]])
    bars = [trace for trace in scores_and_weights({UNSCALED: scores, SCALED: scores / 2}).data if trace.width]
    assert [sum(trace.y) for trace in bars] == pytest.approx([1, 1])
    drawn = {round(float(x), 2): y for x, y in zip(bars[0].x, bars[0].y, strict=True) if y}
    assert drawn == pytest.approx({-1.97: 2 / 6, 0.5: 2 / 6, 1.03: 1 / 6, 1.97: 1 / 6})
