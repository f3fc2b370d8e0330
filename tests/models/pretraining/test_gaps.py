"""Gaps are filled by the stored models as those models are defined, and a causal one cannot see what follows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.pretraining.gaps import (
    from_both_sides,
    from_the_left,
    group_tokens_by_word,
    next_after_all,
)
from core.models.self_attention.masked_language_model import stored_masked_model
from core.models.stored_language_models import stored_language_model

TEXT = "And David said to Saul, I will go. The prophet went across the river."


@pytest.fixture(scope="module")
def masked():
    return stored_masked_model()


@pytest.fixture(scope="module")
def causal():
    return stored_language_model("word_gpt")


@pytest.fixture(scope="module")
def ids(masked):
    return masked.pairs.encode(TEXT)


@given(text=st.text(max_size=60), T=st.integers(0, 40))
@settings(max_examples=60, deadline=None)
def test_words_tile_the_first_tokens_of_any_text(text, T):
    pairs = stored_masked_model().pairs
    T = min(T, len(pairs.encode(text)))
    words = group_tokens_by_word(pairs, text, T)
    assert [t for word in words for t in range(word.start, word.stop)] == list(range(T))
    assert text.startswith("".join(word.text for word in words))


def test_one_gap_from_both_sides_is_the_masked_model_s_own_answer(masked, ids):
    found = from_both_sides(masked, ids, [1])
    np.testing.assert_allclose(found.ln_p[0], masked.log_probabilities(ids, 1), atol=1e-4)
    np.testing.assert_allclose(np.exp(found.ln_p).sum(1), 1, atol=1e-6)
    assert found.hidden.tolist() == [ids[1]]


def test_several_gaps_are_hidden_from_one_another(masked, ids):
    other = list(ids)
    other[4] = ids[1]
    for each in (ids, other):  # whatever token stands at a gap, the other gap's answer is the same
        np.testing.assert_array_equal(
            from_both_sides(masked, each, [1, 4]).ln_p[0], from_both_sides(masked, ids, [1, 4]).ln_p[0]
        )
    alone = from_both_sides(masked, ids, [1]).ln_p[0]
    assert np.abs(alone - from_both_sides(masked, ids, [1, 4]).ln_p[0]).max() > 0.01


def test_the_first_gap_from_the_left_is_next_token_prediction(causal, ids):
    found = from_the_left(causal, ids, [3])
    np.testing.assert_allclose(found.ln_p[0], causal.log_probabilities(ids[:3]), atol=1e-4)
    np.testing.assert_allclose(next_after_all(causal, ids, 3), found.ln_p[0], atol=1e-4)


def test_a_later_gap_is_read_after_the_model_s_own_guess(causal, ids):
    found = from_the_left(causal, ids, [1, 5])
    guess = int(found.guesses[0])
    assert guess != ids[1]
    told = causal.log_probabilities([ids[0], guess, *ids[2:5]])
    np.testing.assert_allclose(found.ln_p[1], told, atol=1e-4)


def test_another_ending_moves_the_masked_model_and_not_the_causal_one(masked, causal, ids):
    other = [*ids[:2], *masked.pairs.encode(" sat down and did not say a word.")]
    one, two = (next_after_all(causal, each, 1) for each in (ids, other))
    np.testing.assert_allclose(one, two, atol=1e-4)
    one, two = (from_both_sides(masked, each, [1]).ln_p[0] for each in (ids, other))
    assert np.abs(np.exp(one) - np.exp(two)).sum() / 2 > 0.05


def test_ranks_and_bits_are_those_of_the_hidden_token(masked, ids):
    found = from_both_sides(masked, ids, [1, 4, 6])
    for i, token in enumerate(found.hidden):
        order = np.argsort(-found.ln_p[i], kind="stable").tolist()
        assert found.ranks[i] == 1 + order.index(token)
        assert found.guesses[i] == order[0]
        assert 2.0 ** -found.bits[i] == pytest.approx(np.exp(found.ln_p[i, token]))
