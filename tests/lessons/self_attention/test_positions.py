"""Positions: the hands turn as one matrix says, breaking them makes positions look alike, and the claims are computed."""

import re

import numpy as np
import pytest

from core.models.self_attention.positions import alike, rotation, sinusoidal_positions
from tests.lessons.lesson_page import figure, figures, guess, metrics, open_lesson, question, said


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


def test_the_likest_position_is_hidden_until_the_guess_and_then_said_with_its_product():
    asked = open_lesson("positions", predict="true")
    assert not re.search(r"is most like", said(asked))
    assert question(asked).options
    positions = sinusoidal_positions(128, 64)
    shown = said(guess(asked))
    assert f"a dot product of {float(positions[9] @ positions[10]):.3f}" in shown


def test_the_hands_of_any_place_are_turned_by_the_same_matrix_as_the_page_says():
    for t, k, length in ((0, -8, 128), (127, 8, 128), (60, 3, 128), (10, 8, 16), (10, -8, 16)):
        app = open_lesson("positions", t=t, k=k, length=length)
        assert not app.exception
        found = re.search(r"misses PE\(t [+−] \d\) by at most \d·10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+),", said(app))
        assert int(found[1].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))) >= 5
    assert "misses PE(t + 0) by nothing" in said(open_lesson("positions", k=0))


@pytest.mark.parametrize("one_hand", ["false", "true"])
def test_that_distance_alone_counts_is_said_of_sinusoids_and_not_of_learned_tables(one_hand):
    sinusoids, learned = (
        said(open_lesson("positions", kind=kind, one_hand=one_hand))
        for kind in ("sinusoids", "learned by the GPT")
    )
    assert "cannot tell *k* places back" in sinusoids and "need not give equal distances" not in sinusoids
    assert "cannot tell *k* places back" not in learned and "need not give equal distances" in learned


def test_the_neighbours_on_both_sides_are_equally_like_a_sinusoid_s_position():
    assert "Position 10 is most like positions 9 and 11: a dot product of 30.917" in said(
        open_lesson("positions")
    )
    assert "Position 0 is most like position 1:" in said(open_lesson("positions", t=0))


def test_both_pictures_say_what_their_colours_are():
    keys = [each["data"][0]["colorbar"]["title"]["text"] for each in figures(open_lesson("positions"))[:2]]
    assert keys == ["number", "cosine"]
