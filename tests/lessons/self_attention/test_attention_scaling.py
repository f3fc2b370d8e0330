"""What the lesson on scaled scores says is what its numbers show: each beat against numpy or autograd, and the lab."""

import re

import numpy as np
import pandas as pd
import pytest
import torch

from core.models.self_attention.ablation import mean_bits, windows, without_scaling
from core.models.self_attention.attention_scaling import heaviest_first, random_scores
from core.models.self_attention.attentive_models import attentive_model
from core.text.samples.shelf import sample
from pages.self_attention.attention_scaling.figures import (
    SCALED,
    UNSCALED,
    scores_and_weights,
    worked_softness,
)
from pages.self_attention.attention_scaling.page import count_changes
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    table_with,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS

NAME = "attention_scaling"

# The story.


def vectors():
    """Return the story's query (1024,) and keys (6, 1024), drawn here as its words say: normal numbers, seed 12."""
    generator = torch.Generator().manual_seed(12)
    query = torch.randn(1024, generator=generator)
    return query.double().numpy(), torch.randn(6, 1024, generator=generator).double().numpy()


def scores_at(d):
    query, keys = vectors()
    return keys[:, :d] @ query[:d]


def softmax(scores):
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def many_scores(d):
    """Return q . k of 200 random queries with six keys each, (200, 6), in numpy."""
    generator = torch.Generator().manual_seed(1)
    queries = torch.randn(200, d, generator=generator).double().numpy()
    keys = torch.randn(200, 6, d, generator=generator).double().numpy()
    return np.einsum("qd,qsd->qs", queries, keys)


def gradient_sizes(scores, scale):
    """Return the size of the gradient at q . k of each query, found by moving each product a little."""
    h, sizes = 1e-5, np.zeros(len(scores))
    for j in range(scores.shape[1]):
        step = h * np.eye(scores.shape[1])[j]
        change = softmax((scores + step) * scale) - softmax((scores - step) * scale)
        sizes += ((change / (2 * h)) ** 2).sum(-1)
    return np.sqrt(sizes)


def drawn(beat, revealed=False, panel=0, /, **changes):
    """Return the scores and weights of a panel's rows."""
    rows = picture(NAME, beat, revealed, **changes)["panels"][panel]["rows"]
    return [row["score"] for row in rows], [row["weight"] for row in rows]


def bold(beat, revealed=False, /, **changes):
    return re.search(r"<strong>(.*?)</strong>", document(NAME, beat, revealed, **changes)["words"])[1]


def test_at_4_dimensions_every_key_gets_a_share():
    scores, weights = drawn("few")
    assert scores == pytest.approx(scores_at(4), abs=1e-3)
    assert weights == pytest.approx(softmax(scores_at(4)), abs=1e-5)
    assert min(weights) > 0.05 and bold("few") == f"{max(weights):.0%}" == "33%"


def test_at_256_dimensions_key_5_takes_it_all_and_nothing_is_drawn_before_the_answer():
    scores, weights = drawn("wider")
    assert scores == pytest.approx(scores_at(256), abs=1e-3) and weights == [None] * 6
    _, weights = drawn("wider", True)
    assert weights == pytest.approx(softmax(scores_at(256)), abs=1e-5)
    assert np.argsort(scores)[::-1][:2].tolist() == [4, 5]  # the words are tied to these rows
    assert bold("wider", True) == f"{weights[4]:.1%}" == "99.9%"
    lead = f"{np.round(scores[4], 1) - np.round(scores[5], 1):.1f}"
    assert f"Key 5 leads key 6 by {lead}" in said_in(document(NAME, "wider"))
    assert document(NAME, "wider", True)["ask"]["answer"] == "all" and weights[4] > 0.99


def test_a_running_sum_ends_in_its_key_s_score_and_the_curves_in_the_root_of_d():
    traces = picture(NAME, "walks")["figure"]["data"]
    ends = [numbers({"v": trace["y"]})[-1] for trace in traces]
    assert ends[-8:-2] == pytest.approx(scores_at(256), abs=0.06)
    assert ends[-2:] == pytest.approx([16, -16]) and bold("walks") == "16"
    shown = picture(NAME, "walks")["figure"]["layout"]["yaxis"]["range"]
    heights = np.concatenate([numbers({"v": trace["y"]}) for trace in traces])
    assert shown[0] < heights.min() and heights.max() < shown[1]
    spread = float(re.search(r"is ([\d.]+)\.", document(NAME, "walks")["measured"].split("256")[-1])[1])
    assert spread == pytest.approx(many_scores(256).std(), abs=0.051) and abs(spread - 16) < 0.8


def test_names_of_keys_at_the_ends_of_lines_do_not_overlap():
    notes = picture(NAME, "walks")["figure"]["layout"]["annotations"]
    places = sorted(note["ay"] for note in notes)
    assert [note["y"] for note in notes] == pytest.approx(scores_at(256), abs=1e-3)
    assert len(places) == 6 and np.diff(places).min() > 6


def test_the_division_keeps_the_order_and_shares_the_weights():
    for panel, divisor in ((0, 1), (1, 16)):
        scores, weights = drawn("divided", False, panel)
        assert scores == pytest.approx(scores_at(256) / divisor, abs=1e-3)
        assert weights == pytest.approx(softmax(scores_at(256) / divisor), abs=1e-5)
    assert bold("divided") == f"{max(weights):.0%}" == "39%"
    assert "falls from 99.9% to" in said_in(document(NAME, "divided"))


def test_a_raised_product_changes_its_weight_only_where_scores_are_divided():
    raised = scores_at(256) + 4 * np.eye(6)[2]
    for panel, divisor in ((0, 1), (1, 16)):
        _, hidden = drawn("nudge", False, panel)
        assert hidden == [None] * 6  # a new weight of another key would give the answer away
        dashed = [row["before"] or 0 for row in picture(NAME, "nudge")["panels"][panel]["rows"]]
        assert dashed == pytest.approx(softmax(scores_at(256) / divisor), abs=0.02)
        scores, weights = drawn("nudge", True, panel)
        assert scores == pytest.approx(raised / divisor, abs=1e-3)
        assert weights == pytest.approx(softmax(raised / divisor), abs=1e-5)
    before, after = (softmax(each / 16)[2] for each in (scores_at(256), raised))
    assert f"rises from {before:.0%} to {after:.0%}" in said_in(document(NAME, "nudge", True))
    assert softmax(raised)[2] < 0.0005 and "it stays at 0.0%" in said_in(document(NAME, "nudge", True))


def test_half_of_the_queries_get_less_than_a_tenth_of_what_any_gets_with_the_division():
    scores = many_scores(256)
    without, scaled = gradient_sizes(scores, 1), gradient_sizes(scores, 1 / 16)
    assert np.mean(without < scaled.min() / 10) >= 0.5
    traces = picture(NAME, "queries")["figure"]["data"]
    points = [numbers({"v": trace["y"]}) for trace in traces if len(numbers({"v": trace["y"]})) > 1]
    for found, expected in zip(points, (without, scaled), strict=True):
        np.testing.assert_allclose(found, np.maximum(np.sort(expected), 1e-6), rtol=0.01, atol=1e-7)
    middles = [np.sort(each)[99] for each in (without, scaled)]  # torch's median: the lower of the two
    assert bold("queries") == f"{middles[1] / middles[0]:.0f} times" == "18 times"
    measured = document(NAME, "queries")["measured"]
    assert f"mean is {without.mean():.3f} without the division and {scaled.mean():.3f} with it" in measured
    assert without.mean() > scaled.mean()  # the lecturer's note
    for each in (without, scaled):
        assert f"{np.sort(each)[-20:].sum() / each.sum():.0%}" in measured


@pytest.mark.parametrize("d", [1, 4, 16, 64, 256, 1024])
@pytest.mark.parametrize("divisor", ["one", "root", "all"])
def test_the_learner_s_own_divisor_divides_the_scores(d, divisor):
    by = {"one": 1, "root": d**0.5, "all": d}[divisor]
    scores, weights = drawn("own", d=str(d), divisor=divisor)
    assert scores == pytest.approx(scores_at(d) / by, abs=1e-3)
    assert weights == pytest.approx(softmax(scores_at(d) / by), abs=1e-5)
    data = picture(NAME, "own", d=str(d), divisor=divisor)
    assert all(data["least"] <= score <= data["most"] for score in scores)
    done = document(NAME, "own", d=str(d), divisor=divisor)["done"]
    assert "Equal weights would be 17% each" in done


def test_the_root_keeps_weights_shared_and_different_for_every_d_and_d_itself_makes_them_equal():
    largest = [max(drawn("own", d=str(4**power), divisor="root")[1]) for power in range(6)]
    assert min(largest) > 0.2 and max(largest) < 0.75
    assert max(drawn("own", d="1024", divisor="all")[1]) < 0.19  # the lecturer's note


def test_the_trained_gpt_predicts_worse_without_the_division():
    model, text = attentive_model("word_gpt"), sample("hamlet").read().text
    read = windows(model, text[int(0.9 * len(text)) :], 4)
    scaled, products = mean_bits(model, read), mean_bits(model, read, without_scaling(model.network))
    assert products > scaled + 1
    assert bold("trained") == f"{products:.1f}"
    assert f"from {scaled:.1f} to" in said_in(document(NAME, "trained"))
    shares = [row["to"] for row in picture(NAME, "trained")["panels"][0]["rows"]]
    assert shares[1] > shares[0] + 0.2  # the heads become sharper


def test_at_the_end_the_largest_weight_grows_with_d_unless_scores_are_divided():
    traces = picture(NAME, "answer")["figure"]["data"]
    for trace, power in zip(traces, (0, 0.5), strict=True):
        expected = [softmax(many_scores(d) / d**power).max(-1).mean() for d in (1, 4, 16, 64, 256, 1024)]
        assert numbers({"v": trace["y"]}) == pytest.approx(expected, abs=1e-3)
    told = said_in(document(NAME, "answer"))
    assert "is 96% on average without the division, and 42% with it" in told
    scores = many_scores(1024)
    without, scaled = gradient_sizes(scores, 1), gradient_sizes(scores, 1 / 32)
    assert np.mean(without < scaled.min() / 100) > 0.5  # most queries get almost no gradient


# The lab.

FOLDS = {"growth": "true", "back": "true", "heads": "true"}


def open_lab(text=None, /, **query):
    return open_lesson(NAME, text, **{**FOLDS, **query})


def share(text):
    return float(text.rstrip("%")) / 100


def test_heads_are_counted_by_what_the_division_does_to_their_gradient_at_both_ends():
    heads = pd.DataFrame(
        {
            "gradient.products": [0.1, 0.2, 0.3],
            "gradient.scaled": [0.2, 0.2, 0.1],
            "back.products": [0.1, 0.2, 0.3],
            "back.scaled": [0.05, 0.05, 0.025],
        }
    )
    assert list(count_changes(heads).values()) == [3, 1, 1, 0, 3]


@pytest.mark.parametrize("text", ["The king saw the queen in her house.", "x"])
def test_the_sentence_counts_the_table_on_the_page(text):
    app = open_lab(text)
    heads = table_with(app, "gradient, divided")
    less = (heads["gradient, not divided"] < heads["gradient, divided"]).sum()
    assert f"in **{less}** of {len(heads)} heads" in said(app)


@pytest.mark.parametrize("keys", [2, 16, 64])
def test_at_the_largest_d_little_is_left_of_the_gradient_without_the_division(keys):
    gone, kept = (
        float(each) for each in re.findall(r"mean gradient \*\*(.+?)\*\*", said(open_lab("x", keys=keys)))
    )
    assert gone < 0.5 * kept


@pytest.mark.parametrize("keys", [2, 16, 64])
def test_back_at_the_products_the_mean_is_larger_without_the_division_and_the_median_almost_0(keys):
    app = open_lab("x", keys=keys)
    last = table_with(app, "√d").iloc[-1]
    assert last["gradient to q · k, q · k"] == pytest.approx(last["gradient, q · k"])
    assert last["gradient to q · k, q · k / √d"] == pytest.approx(last["gradient, q · k / √d"] / 32)
    assert last["gradient to q · k, q · k"] > last["gradient to q · k, q · k / √d"]
    assert last["median gradient to q · k, q · k"] < 0.1 * last["median gradient to q · k, q · k / √d"]
    assert last["share of the top tenth, q · k"] > 2 * last["share of the top tenth, q · k / √d"]
    assert "The mean is **larger** without the division" in said(app)


def test_the_first_bar_is_the_mean_in_the_sentence():
    app = open_lab(d=256, keys=16, seed=3)
    expected = heaviest_first(random_scores(256, keys=16, seed=3))
    bars = [trace for trace in figure(app)["data"] if trace["type"] == "bar"]
    bars = [trace for trace in bars if "width" not in trace]  # those with one are the scores
    assert numbers(bars[0]["y"]) == pytest.approx(expected.tolist(), rel=1e-5)
    assert metrics(app)["Largest weight, not divided"] == f"{expected[0]:.0%}"
    assert f"is **{expected[0]:.0%}** on average without the division" in said(app)


@pytest.mark.parametrize("end", [2, 64])
def test_the_ends_of_the_number_of_keys_work(end):
    app = open_lab(keys=end)
    assert f"the largest of {end} weights" in said(app) and len(figures(app)) == 3


def test_a_beat_opens_the_lab_on_its_own_dimensions():
    assert "lab=true" in document(NAME, "wider")["lab"]
    assert "attention_scaling_d=256" in document(NAME, "wider")["lab"]
    assert "attention_scaling_no_root=true" in document(NAME, "trained")["lab"]
    assert float(metrics(open_lab(d=256))["Spread of q · k"]) == pytest.approx(16, rel=0.05)


@ON_THREE_TEXTS
def test_without_the_division_trained_heads_are_sharper_and_the_model_predicts_worse(text):
    whole, broken = open_lesson(NAME, text), open_lesson(NAME, text, no_root=True)
    assert figure(whole)["data"] != figure(broken)["data"]
    shown = metrics(broken)
    assert float(shown["Bits per token without √d"]) > float(shown["Bits per token with √d"])
    assert float(shown["Spread of q · k"]) > float(shown["Spread of q · k / √d"])
    assert share(shown["Largest weight, not divided"]) > share(shown["Largest weight, divided"])
    for label in ("Largest weight, not divided", "Largest weight, divided"):
        assert shown[label] in said(broken)


@ON_THREE_TEXTS
def test_in_some_trained_heads_less_gradient_passes_the_softmax_without_the_division(text):
    heads = table_with(open_lab(text), "gradient, divided")
    back = heads["gradient to q · k, divided"] * 32**0.5
    assert back.tolist() == pytest.approx(heads["gradient, divided"].tolist())
    assert (heads["gradient, not divided"] < heads["gradient, divided"]).any()


def test_until_the_guess_the_weight_asked_for_is_nowhere_and_the_rest_of_the_page_is_there():
    app = open_lesson(NAME, predict=True, growth="true")
    assert not app.get("plotly_chart")
    assert not any("largest weight, q · k" in each.value for each in app.dataframe)
    answer = f"{heaviest_first(random_scores(64))[0]:.0%}"
    assert answer not in said(app)
    assert answer in said(guess(app, "50% to 75%"))


def test_of_trained_heads_the_question_is_about_the_heads_that_the_picture_shows():
    app = open_lesson(NAME, predict=True, no_root=True)
    assert "Trained heads" in question(app).label
    largest = share(metrics(open_lesson(NAME, no_root=True))["Largest weight, not divided"])
    buckets = ["up to 25%", "25% to 50%", "50% to 75%", "more than 75%"]
    answer = buckets[min(3, int(largest * 4))]
    assert "Right. Your score" in said(guess(app, answer))
    again = open_lesson(NAME, predict=True, no_root=True)
    assert f"it is {answer}" in said(guess(again, next(each for each in buckets if each != answer)))


def test_one_token_is_one_token():
    assert "predicts the first token of your text" in said(open_lesson(NAME, "a", no_root="true"))


@pytest.mark.parametrize("d", ["3", "nonsense", "1024"])
def test_an_address_with_any_d_opens(d):
    app = open_lab(d=d)
    assert not app.exception and ("√d = 32.00" in str([each.delta for each in app.metric])) == (d == "1024")


def test_every_column_of_the_table_has_a_formula_that_ends_in_the_first_query_s_number():
    app = open_lab(d=4, keys=2)
    table = table_with(app, "√d")
    scores = random_scores(4, keys=2).numpy()
    assert worked_softness(scores, 4, "d") is None and worked_softness(scores, 4, "√d").endswith("= 2")
    for column in list(table)[2:]:
        assert worked_softness(scores, 4, column), column
    a = softmax(scores[0].astype(float) / 2)
    assert f"\\max a = {a.max():.3g}" in worked_softness(scores, 4, "largest weight, q · k / √d")
    assert "first query" in worked_softness(scores, 4, "entropy, q · k")


def test_the_bars_of_the_scores_hold_every_score_the_largest_and_the_smallest_too():
    scores = torch.tensor([[-2.0, -1.99, 0.5], [0.51, 1.0, 2.0]])
    bars = [trace for trace in scores_and_weights({UNSCALED: scores, SCALED: scores / 2}).data if trace.width]
    assert [sum(trace.y) for trace in bars] == pytest.approx([1, 1])
    found = {round(float(x), 2): y for x, y in zip(bars[0].x, bars[0].y, strict=True) if y}
    assert found == pytest.approx({-1.97: 2 / 6, 0.5: 2 / 6, 1.03: 1 / 6, 1.97: 1 / 6})
