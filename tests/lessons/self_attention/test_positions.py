"""Positional encodings: every number of the story by hand, and the lab on sinusoids, learned tables and any text."""

import math
import re

import numpy as np
import pytest
import torch

from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.positions import alike, rotation, sinusoidal_positions
from core.models.self_attention.word_order import with_positions_for
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.shelf import sample
from pages.self_attention.positions.figures import similarity_heatmap, worked_sinusoid
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    views,
)

SPEEDS = [1.0, 0.1, 0.01, 0.001]  # 10,000^(-2i/8), by hand
PLACES = ((1, 0), (5, 4), (5, 0))  # of RoPE's query and key


def words(beat, revealed=False, **changes):
    return said_in(document("positions", beat, revealed, **changes))


def hands(dial):
    return [hand["turn"] for hand in dial["hands"]]


# The story.


def test_each_token_stands_above_the_hands_of_its_position():
    data = picture("positions", "added")
    assert [column["name"] for column in data["columns"]] == ["to", "be", "or", "not", "to", "be"]
    for i, line in enumerate(data["dials"]):
        for t, dial in enumerate(line):
            assert hands(dial) == [pytest.approx(t * SPEEDS[i])]
    same = [column["hue"] for column in data["columns"]]
    assert same[0] == same[4] != same[1] == same[5], "one token has one hue"
    periods = [row["note"] for row in data["rows"]]
    assert periods == [f"1 turn: {period} pos." for period in ("6.3", "63", "628", "6,283")]


def test_a_hand_is_the_sine_and_the_cosine_that_stand_below_it():
    data = picture("positions", "numbers")
    for t, line in zip((5, 6), data["dials"], strict=True):
        for dial, speed in zip(line, SPEEDS, strict=True):
            sine, cosine = (float(each["text"].split()[1].replace("−", "-")) for each in dial["texts"])
            assert sine == pytest.approx(math.sin(t * speed), abs=0.006)
            assert cosine == pytest.approx(math.cos(t * speed), abs=0.006)
            assert math.sin(dial["hands"][0]["turn"]) == pytest.approx(sine, abs=0.006)
    assert "a vector of 8 numbers" in words("numbers") and "turned by 57°" in words("numbers")


def test_three_positions_on_is_the_same_turn_from_every_start():
    data = picture("positions", "turn")
    for line, angle in zip(data["dials"], ("172°", "17°"), strict=True):
        assert [dial["texts"][0]["text"] for dial in line] == [angle] * 3
        for dial in line:
            start, later = hands(dial)
            assert dial["arc"] == [start, later]
            assert f"{math.degrees(later - start):.0f}°" == angle


def test_a_position_before_and_one_after_are_equally_similar_and_the_bars_are_dot_products():
    asked, answered = (document("positions", "distance", revealed) for revealed in (False, True))
    assert asked["picture"]["data"]["bars"] is None and "1.96" not in said_in(asked)
    assert answered["ask"]["answer"] == "same"
    by_hand = [sum(math.cos(k * speed) for speed in SPEEDS) for k in range(-3, 4)]
    bars = answered["picture"]["data"]["bars"]["values"]
    assert [bar["value"] for bar in bars] == pytest.approx(by_hand, abs=1e-4)
    assert [bar["text"] for bar in bars] == ["1.96", "2.56", "3.54", "4.00", "3.54", "2.56", "1.96"]
    assert "Both have 1.96" in said_in(answered)


@pytest.mark.parametrize(
    ("other", "fast", "mean", "told"),
    [
        (54, "1.00", "0.65", "Hand 1 alone would take"),
        (20, "−0.84", "0.42", "do not meet here"),
        (10, "1.00", "1.00", "meets its double"),
    ],
)
def test_the_learner_s_position_is_compared_hand_by_hand_and_in_the_mean(other, fast, mean, told):
    changed = document("positions", "enough", other=other)
    by_hand = [math.cos((other - 10) * speed) for speed in SPEEDS]
    assert f"{by_hand[0]:.2f}".replace("-", "−") == fast
    assert f"{sum(by_hand) / 4:.2f}" == mean
    bars = changed["picture"]["data"]["bars"]["values"]
    assert [bar["value"] for bar in bars] == pytest.approx(by_hand, abs=1e-4)
    assert changed["picture"]["data"]["sum"].endswith(f"/ 4 = {mean}")
    assert told in changed["done"] and f"<strong>{mean}</strong>" in changed["done"]


def test_44_positions_away_is_the_best_meeting_of_the_fastest_hand():
    others = [t for t in range(128) if t != 10]
    assert max(others, key=lambda t: math.cos(t - 10)) == 54


def test_in_the_learned_table_a_neighbour_is_hardly_ever_the_most_similar():
    table = attentive_model("char_gpt").network.position_embedding.weight.detach().double().numpy()
    counts = []
    for positions in (sinusoidal_positions(*table.shape).double().numpy(), table):
        unit = positions / np.linalg.norm(positions, axis=1, keepdims=True)
        cosines = unit @ unit.T - 2 * np.eye(len(unit))
        counts.append(int((np.abs(cosines.argmax(axis=1) - np.arange(len(unit))) == 1).sum()))
    assert counts == [256, 1], "the words say so of the stored GPT"
    assert "for all 256" in words("learned") and "only 1 of 256" in words("learned")


def test_past_the_last_row_a_character_costs_three_times_as_much():
    text = sample("hamlet").read().text
    model = attentive_model("char_gpt")
    ids = torch.tensor(model.encode(text[int(0.9 * len(text)) :]).ids)
    starts = np.linspace(0, len(ids) - 512, 6).astype(int)
    means = {}
    for way in ("last", "again", "zero"):
        network = with_positions_for(model.network, 512, way)
        with torch.no_grad():
            bits = [
                torch.nn.functional.cross_entropy(
                    network(ids[None, start : start + 512])[0][0, :-1],
                    ids[start + 1 : start + 512],
                    reduction="none",
                )
                / math.log(2)
                for start in starts
            ]
        mean = torch.stack(bits).mean(0)
        means[way] = (mean[:255].mean().item(), mean[255:].mean().item())
    before = means["last"][0]
    best = min(means, key=lambda way: means[way][1])
    assert {f"{each[0]:.3f}" for each in means.values()} == {f"{before:.3f}"}
    assert f"a character costs {before:.1f} bits" in words("past")
    assert f"even the best way costs {means[best][1]:.1f} bits" in words("past")
    assert (before, means[best][1]) == pytest.approx((1.81, 5.43), abs=0.1)
    lines = {trace["name"] for trace in picture("positions", "past")["figure"]["data"]}
    assert lines == {"repeat the last row", "begin again with row 0", "rows of zeros"}


def test_a_turned_query_and_key_score_by_their_distance_alone():
    network = stored_language_model("word_gpt").network
    ids = encode("word_gpt", "to be or not to be").ids
    block, d = network.blocks[0], 32
    with torch.no_grad():
        x = block.norm_before_attention(network.token_embedding(torch.tensor([ids[5], ids[4]])))
        queries, keys, _ = block.attention.to_query_key_value(x).chunk(3, dim=-1)
    q, k = queries[0, 3 * d :].numpy(), keys[1, 3 * d :].numpy()  # head 4 of 4
    q, k = (each[1::2] + 1j * each[0::2] for each in (q, k))  # clockwise from straight up
    turns = 10_000.0 ** (-np.arange(0, d, 2) / d)
    by_hand = [
        float((q * np.exp(1j * t * turns) * np.conj(k * np.exp(1j * s * turns))).real.sum())
        for t, s in PLACES
    ]
    data = picture("positions", "rotary")
    assert [bar["value"] for bar in data["bars"]["values"]] == pytest.approx(by_hand, abs=1e-3)
    assert [bar["text"] for bar in data["bars"]["values"]] == ["q · k = 0.75", "q · k = 0.75", "q · k = 0.28"]
    assert "0.75 both times" in words("rotary") and "it is 0.28" in words("rotary")
    for dial, (t, s) in zip(data["dials"][0], PLACES, strict=True):
        query, key = hands(dial)
        assert np.exp(1j * (query - key)) == pytest.approx(
            np.exp(1j * (np.angle(q[0]) - np.angle(k[0]) + t - s)), abs=1e-3
        )
        between = math.degrees(math.remainder(query - key, 2 * math.pi))
        assert dial["texts"][0]["text"] == f"angle {abs(between):.0f}°"


def test_the_end_shows_the_same_token_turned_on_by_the_distance():
    data = picture("positions", "answer")
    assert [row["name"] for row in data["rows"]] == ["be", "be"]
    for i, dial in enumerate(data["dials"][1]):
        assert dial["arc"][1] - dial["arc"][0] == pytest.approx(4 * SPEEDS[i], abs=1e-4)
    assert data["dials"][1][0]["texts"][0]["text"] == "229°"


# The lab.


@pytest.mark.parametrize("k", [-5, 1, 7])
def test_one_matrix_turns_every_position_k_places_on(k):
    positions = sinusoidal_positions(40, 32, 1000)
    starts = np.arange(max(0, -k), 40 - max(0, k))
    turned = positions[starts] @ rotation(k, 32, 1000).T
    np.testing.assert_allclose(turned, positions[starts + k], atol=1e-5)
    assert not np.allclose(positions[starts] @ rotation(-k, 32, 1000).T, positions[starts + k], atol=0.1)


@pytest.mark.parametrize("settings", [{}, {"length": 512, "width": 8}, {"kind": "learned by the GPT"}])
def test_with_one_hand_more_positions_look_alike(settings):
    whole, broken = (
        open_lesson("positions", **settings),
        open_lesson("positions", one_hand="true", **settings),
    )
    assert figure(broken) != figure(whole)
    shown = metrics(broken)
    before, after = (int(shown[label].replace(",", "")) for label in shown)
    assert after > before


def test_the_pairs_that_look_alike_are_counted_by_hand():
    positions = sinusoidal_positions(
        60, 2
    )  # one hand: cos(k) > 0.99 only where k is nearly a multiple of 2 pi
    expected = sum(60 - k for k in range(1, 60) if np.cos(k) > 0.99)
    assert alike(positions) == expected > 0


def test_the_most_similar_position_is_hidden_until_the_guess_and_then_said_with_its_product():
    asked = open_lesson("positions", predict="true")
    assert not re.search(r"is most similar to", said(asked))
    assert question(asked).options
    positions = sinusoidal_positions(128, 64)
    shown = said(guess(asked))
    assert f"The dot product is {float(positions[9] @ positions[10]):.3f}" in shown


def test_the_hands_of_any_position_are_turned_by_the_same_matrix_as_the_page_says():
    for t, k, length in ((0, -8, 128), (127, 8, 128), (60, 3, 128), (10, 8, 16), (10, -8, 16)):
        app = open_lesson("positions", hands="true", t=t, k=k, length=length)
        assert not app.exception
        found = re.search(r"misses by at most \d·10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+),", said(app))
        assert int(found[1].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))) >= 5
    assert "No hand turns" in said(open_lesson("positions", hands="true", k=0))


@pytest.mark.parametrize("one_hand", ["false", "true"])
def test_that_distance_alone_counts_is_said_of_sinusoids_and_not_of_learned_tables(one_hand):
    sinusoids, learned = (
        said(open_lesson("positions", kind=kind, one_hand=one_hand, distance="true"))
        for kind in ("sinusoids", "word_gpt")
    )
    assert "The dot product is the same" in sinusoids and "need not give equal distances" not in sinusoids
    assert "The dot product is the same" not in learned and "need not give equal distances" in learned


def test_the_neighbours_on_both_sides_are_equally_similar_to_a_sinusoid_s_position():
    shown = said(open_lesson("positions"))
    assert "Position 10 is most similar to positions 9 and 11: a cosine of **0.966**" in shown
    assert "The dot product is 30.917, and with itself 32.000" in shown
    assert "Position 0 is most similar to position 1:" in said(open_lesson("positions", t=0))


def test_of_a_learned_table_the_most_similar_position_is_that_of_the_largest_cosine_not_of_the_longest_vector():
    shown = said(open_lesson("positions", kind="learned by the GPT"))
    assert "Position 10 is most similar to position 13: a cosine of **0.865**" in shown
    table = attentive_model("word_gpt").network.position_embedding.weight.detach()
    unit = table / table.norm(dim=1, keepdim=True)
    cosines = unit @ unit[10]
    cosines[10] = -1
    assert cosines.argmax() == 13 and (table @ table[10]).argmax() == 0


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("learned by the GPT", "word_gpt", "GPT of byte pairs: 512 positions of 128 dimensions"),
        ("learned by the masked model", "word_masked", "Masked model: "),
        ("char_gpt", "char_gpt", "GPT of characters: 256 positions of 192 dimensions"),
    ],
)
def test_an_old_address_opens_and_each_model_is_named(old, new, named):
    app = open_lesson("positions", kind=old)
    assert app.session_state["positions_kind"] == new
    assert named in said(app)


def test_both_pictures_say_what_their_colours_are_and_one_long_row_leaves_a_table_its_colours():
    keys = [each["data"][0]["colorbar"]["title"]["text"] for each in figures(open_lesson("positions"))[:2]]
    assert keys == ["number", "cosine"]
    learned = figures(open_lesson("positions", kind="word_gpt"))[0]["data"][0]
    table = attentive_model("word_gpt").network.position_embedding.weight.detach()
    assert learned["zmax"] < 0.5 * float(table.abs().max())


def test_past_the_end_old_names_of_the_ways_still_open_and_bits_are_per_character():
    app = open_lesson("positions", past="true", beyond="begin again")
    assert app.session_state["positions_beyond"] == "again"
    assert figures(app)[-1]["layout"]["yaxis"]["title"]["text"] == "bits per character"
    lines = re.findall(
        r"\*\*([^*]*)\*\*: ([\d.]+) bits per character on the first 256 places, ([\d.]+)", said(app)
    )
    assert [name for name, _, _ in lines] == ["begin again with row 0"]
    assert float(lines[0][2]) > float(lines[0][1])


@pytest.mark.parametrize("text", ["x", "Heute war es kalt.", "مرحبا", "🦜 🦜"])
def test_a_short_text_is_told_so_instead_of_measured(text):
    app = open_lesson("positions", text, past="true")
    assert not app.exception
    assert "at least 512 characters that the model knows" in said(app)


def test_rope_in_the_lab_gives_the_same_score_ten_positions_later():
    app = open_lesson("positions", rotary="true", query_at=9, key_at=2)
    assert not app.exception
    bars = [bar["value"] for view in views(app) if view.get("bars") for bar in view["bars"]["values"]]
    assert bars[0] == pytest.approx(bars[1], abs=1e-3)


def test_a_number_of_the_table_is_filled_in_with_a_base_that_latex_can_set():
    assert worked_sinusoid(3, "2", 8, 10_000) == (
        r"\sin\!\left(\frac{3}{10{,}000^{2/8}}\right) = \sin(0.3) = 0.2955"
    )
    assert worked_sinusoid(3, "position", 8, 10_000) is None


def test_a_cosine_is_labelled_from_minus_one_to_one_and_the_first_position_by_its_number():
    drawn = similarity_heatmap(np.eye(4))
    assert drawn.data[0].colorbar.ticktext[0::2] == ["−1", "0", "1"]
    assert drawn.layout.yaxis.ticklabeloverflow == "allow"
