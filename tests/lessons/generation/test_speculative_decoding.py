"""Speculative decoding: the story's numbers against both models read whole, what its shortcuts change, and the lab."""

import re

import numpy as np
import pytest
from scipy.stats import chisquare

from core.models.generation.speculative_decoding import count_written, time_speculation
from core.models.stored_language_models import decode_ids, encode, stored_language_model
from core.models.transformers.model_sizes import sized_model
from pages.generation.speculative_decoding.page import (
    BAD,
    DRAFTS,
    GOOD,
    LENGTH,
    MEASURED,
    PROMPT,
    K,
    place_of,
    run,
    story_run,
)
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in, sent, table_with

LESSON = "speculative_decoding"
TARGET = stored_language_model("char_gpt")


def whole(model, text):
    """Return the distribution after a text, from one forward pass."""
    return np.exp(model.log_probabilities(encode("char_gpt", text).ids))


def texts(data):
    """Return the characters of each call."""
    return ["".join(each["text"] for each in row["cells"]) for row in data["rows"]]


def bars(data):
    """Return the traces of a figure, {name: values}."""
    return {trace.get("name"): np.array(trace["y"], dtype=float) for trace in data["figure"]["data"]}


def test_the_text_has_a_row_for_each_call_and_its_last_character_is_the_target_s():
    data = picture(LESSON, "rounds")
    rows = texts(data)
    written = sum(map(len, rows))
    told = said_in(document(LESSON, "rounds"))
    assert f"Here {written} characters" in told and f"only {len(rows)} calls" in told
    assert len(rows) < written / 2 and written >= LENGTH
    for row, each in zip(data["rows"], story_run(), strict=True):
        kinds = [cell["kind"] for cell in row["cells"] if cell["kind"] != "none"]
        assert kinds == ["kept"] * each.accepted + ["new"] and row["total"] == f"{len(kinds)}"
    assert "".join(rows).replace("␣", " ").startswith("myself her cursed")


def test_the_first_round_accepts_two_characters_and_redraws_the_third():
    data = picture(LESSON, "test", checked="4")
    draft = "".join(column["text"] for column in data["columns"]).replace("␣", " ")
    rows = {row["name"]: [cell["text"] for cell in row["cells"]] for row in data["rows"]}
    q = sized_model(DRAFTS[GOOD])
    vocabulary = {name: i for i, name in enumerate(TARGET.vocabulary)}
    for i, character in enumerate(draft):
        ours = whole(q, PROMPT + draft[:i])[vocabulary[character]]
        assert float(rows["draft q"][i]) == pytest.approx(ours, abs=0.0051)
        if i > 2:
            continue
        theirs = whole(TARGET, PROMPT + draft[:i])[vocabulary[character]]
        assert float(rows["target p"][i]) == pytest.approx(theirs, abs=0.0051)
        assert float(rows["min(1, p/q)"][i]) == pytest.approx(min(1, theirs / ours), abs=0.0051)
    assert draft == "my w" and rows["result"] == ["✓", "✓", "→ s", "–"]
    assert [column["hue"] for column in data["columns"]] == ["green", "green", "vermillion", None]


@pytest.mark.parametrize("checked", range(5))
def test_nothing_is_shown_of_characters_that_are_not_checked_yet(checked):
    data = picture(LESSON, "test", checked=str(checked))
    p = next(row for row in data["rows"] if row["name"] == "target p")
    assert [cell["kind"] == "open" for cell in p["cells"]] == [i >= min(checked, 3) for i in range(4)]
    told = said_in(document(LESSON, "test", checked=str(checked)))
    assert ("fails" in told) == (checked >= 3) and ("passes because" in told) == (checked in (1, 2))


@pytest.mark.parametrize("place", ["1", "2", "3"])
def test_accepted_and_redrawn_are_p(place):
    drawn = bars(picture(LESSON, "same", place=place))
    p, q = place_of(int(place))
    total = drawn["accepted"] + drawn["redrawn"]
    assert total[:-1] == pytest.approx(np.sort(p[np.argsort(-np.maximum(p, q))[:7]])[::-1], abs=1e-12)
    assert total.sum() == pytest.approx(1, abs=1e-12)
    told = said_in(document(LESSON, "same", place=place))
    assert f"together {np.minimum(p, q).sum():.0%} here" in told and "no difference at all" in told


def test_500_draws_are_as_near_to_p_as_chance_alone_makes_them():
    told = said_in(document(LESSON, "draws"))
    off, usual = map(float, re.findall(r"0\.\d{3}", told))
    p, q = place_of(1)
    luck = np.random.default_rng(7).multinomial(500, p / p.sum(), size=4000) / 500
    assert usual == pytest.approx(np.quantile(np.abs(luck - p).sum(axis=1) / 2, 0.95), abs=0.003)
    assert off <= usual and "this is what chance alone makes" in told
    rare = [
        seed
        for seed in range(1, 60)
        if np.abs(count_written(p, q, 500, seed) / 500 - p).sum() / 2 > usual + 0.001
    ]
    assert "one of the few" in said_in(document(LESSON, "draws", draw_seed=str(rare[0])))
    counts, common = count_written(p, q, 20_000, seed=2), p > 5e-4
    expected = 20_000 * np.append(p[common], p[~common].sum())
    assert chisquare(np.append(counts[common], counts[~common].sum()), expected).pvalue > 0.001
    measured = re.sub("<[^>]+>", "", str(document(LESSON, "draws")))
    above, expected = map(int, re.search(r"(\d+) are above.*?about (\d+)", measured).groups())
    assert expected == 10 and 3 <= above <= 19  # 99.7% of binomial(200, 0.05)


def test_a_worse_draft_needs_more_calls_and_its_text_has_the_same_probabilities():
    before, after = document(LESSON, "worse"), document(LESSON, "worse", True)
    assert "answer" not in before["ask"] and after["ask"]["answer"] == "calls"
    good, bad = story_run(), story_run(BAD)
    assert len(texts(picture(LESSON, "worse"))) == len(good) < len(bad)
    assert f"{len(bad)} in place of {len(good)} here" in said_in(after)
    for each in bad:
        for p, q in zip(each.p[:-1], each.q, strict=True):
            again = np.maximum(p - q, 0)
            assert (
                np.abs(np.minimum(p, q) + (1 - np.minimum(p, q).sum()) * again / again.sum() - p).max()
                < 1e-12
            )


def test_the_number_of_calls_that_is_told_is_the_mean_over_20_seeds():
    """The words hold the means, because 40 texts take seconds to write."""
    good, bad = (
        [len(run.__wrapped__(PROMPT, draft, K, LENGTH, seed)) for seed in range(20)] for draft in (GOOD, BAD)
    )
    rounds, worse = document(LESSON, "rounds"), document(LESSON, "worse", True)
    assert f"it is about {np.mean(good):.0f}." in said_in(rounds)
    assert f"about {np.mean(bad):.0f} in place of {np.mean(good):.0f} on average" in said_in(worse)
    folded = re.sub("<[^>]+>", "", str(rounds))
    told = f"take {np.mean(good):.1f} calls on average, from {min(good)} to {max(good)}"
    assert f"Over the seeds 0 to 19, {LENGTH} characters {told}" in folded
    assert len(story_run()) < np.mean(good)  # a lucky one


def test_tokens_per_call_of_long_drafts_are_told_as_the_mean_over_8_seeds():
    rounds = [each for seed in range(8) for each in run.__wrapped__(PROMPT, GOOD, 8, MEASURED, seed)]
    written = np.mean([len(each.written) for each in rounds])
    overlaps = [
        np.minimum(p, q).sum()
        for each in rounds
        for p, q in zip(each.p[: each.accepted + 1], each.q[: each.accepted + 1], strict=False)
    ]
    alpha = np.mean(overlaps)
    folded = re.sub("<[^>]+>", "", str(document(LESSON, "speed")))
    told = f"a call writes {written:.1f} tokens at α = {alpha:.0%}"
    assert (
        f"over the seeds 0 to 7, {told}, and the formula gives {(1 - alpha**9) / (1 - alpha):.1f}" in folded
    )
    story = picture(LESSON, "speed")["figure"]["data"][1]
    assert story["y"][list(story["x"]).index(8)] < written  # an unlucky seed


@pytest.mark.parametrize("wrong", ["accept_all", "redraw"])
def test_the_shortcuts_miss_p_by_the_total_variation_that_is_told(wrong):
    p, q = place_of(1)
    alpha = np.minimum(p, q).sum()
    written = q if wrong == "accept_all" else np.minimum(p, q) + (1 - alpha) * p
    off = np.abs(written - p).sum() / 2
    told = said_in(document(LESSON, "broken", wrong=wrong))
    assert f"{off:.3f} here" in told and off > 0.05
    if wrong == "accept_all":
        assert off == pytest.approx(1 - alpha)


def test_measured_tokens_per_call_are_near_the_formula():
    data = picture(LESSON, "speed")
    line, dots = data["figure"]["data"]
    for k, mean, half in zip(dots["x"], dots["y"], dots["error_y"]["array"], strict=True):
        assert abs(mean - line["y"][k - 1]) < 1.6 * half
    told = said_in(document(LESSON, "speed"))
    alpha = int(re.search(r"on average (\d+)%", told)[1]) / 100
    assert line["y"][3] == pytest.approx((1 - alpha**5) / (1 - alpha), abs=0.05)


@pytest.mark.parametrize("cost", ["1", "7", "30", "65", "100"])
def test_the_answer_has_the_best_draft_length_for_a_cost(cost):
    line = picture(LESSON, "answer", cost=cost)["figure"]["data"][0]
    told = said_in(document(LESSON, "answer", cost=cost))
    assert f"{max(line['y']):.2f} times" in told
    assert ("no k is faster" in re.sub("  +", " k ", told) or "faster (best" in told) == (max(line["y"]) <= 1)


@pytest.mark.parametrize(
    ("mine", "told"),
    [
        ("Ich gehe heute nach Hause. Es regnet. Wo ist der König?", "calls of the target"),
        ("one two three four five", "calls of the target"),
        ("🦜", "none of these characters"),
        ("to λ be", "do not know λ, so they leave this character out"),
        ("to λμ be", "do not know λ or μ, so they leave these characters out"),
        ("x" * 150, "calls of the target"),
    ],
)
def test_a_beginning_of_ones_own(mine, told):
    assert told in re.sub("<[^>]+>", "", document(LESSON, "own", mine=mine)["done"])


def test_an_empty_beginning_is_the_one_that_stands_there():
    assert picture(LESSON, "own", mine="  ") == picture(LESSON, "own")


def test_the_lab_writes_the_story_s_text_and_shows_every_check():
    app = open_lesson(LESSON, below="numbers")
    assert not app.exception
    story, shown = texts(picture(LESSON, "rounds")), texts(sent(app, "token_grid"))
    assert shown[: len(story)] == story and len(shown) == 14
    table = table_with(app, "min(1, p/q)")
    assert np.allclose(np.minimum(1, table["p"] / table["q"]), table["min(1, p/q)"])
    assert ((table["u"] < table["min(1, p/q)"]) == (table["result"] == "accepted")).all()


@pytest.mark.parametrize("rule", ["accept_all", "redraw"])
def test_the_lab_s_break_it_measures_what_a_shortcut_changes(rule):
    app = open_lesson(LESSON, rule=rule)
    assert metrics(app)["with the residual"] == "0.0%"
    assert float(metrics(app)["with this rule"].rstrip("%")) > 5
    assert "no longer has the target's probabilities" in said(app)


def test_a_draft_s_call_costs_more_time_here_than_its_share_of_the_parameters():
    ids = encode("char_gpt", PROMPT).ids
    draft = sized_model(DRAFTS[GOOD])
    costs = [time_speculation(TARGET, draft, ids, 40, K, seed).cost for seed in range(5)]
    assert np.median(costs) > draft.parameters / TARGET.parameters


def test_the_text_is_one_that_the_models_can_read_back():
    written = [x for each in story_run() for x in each.written]
    assert encode("char_gpt", decode_ids("char_gpt", written)).ids == tuple(written)
