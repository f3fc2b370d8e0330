"""Stored language models are read back as they were, and read any text that a learner types."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.language_model import LanguageModel
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.n_grams.packed_counts import pack, unpack
from core.models.stored import stored_models
from core.models.stored_language_models import (
    BITS,
    character_models,
    decode_ids,
    encode,
    encode_characters,
    stored_language_model,
)

STORED = [name for name in stored_models() if name.startswith("char_") or name == "word_gpt"]


@given(text=st.lists(st.integers(0, 4), min_size=1, max_size=80), order=st.integers(1, 4))
def test_packed_counts_come_back_whole(text, order):
    counts = count_ngrams(text, "abcde", order)
    again = unpack(pack(counts), "abcde", order)
    for name in ("keys", "counts", "suffixes", "predecessors"):
        for ours, theirs in zip(getattr(again, name), getattr(counts, name), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    one, other = kneser_ney(counts, order), kneser_ney(again, order)
    np.testing.assert_array_equal(one.log_probabilities(text), other.log_probabilities(text))


@given(text=st.text())
def test_any_text_becomes_ids_of_the_vocabulary_and_what_changed_is_said(text):
    prompt = encode_characters(("a", "b", "e", " "), text)
    assert all(0 <= i < 4 for i in prompt.ids)
    assert set(text) <= {*"abe ", *prompt.replaced, *prompt.left_out}


def test_an_empty_prompt_has_no_ids():
    assert encode_characters(("a",), "").ids == ()


@pytest.mark.parametrize("name", STORED)
def test_every_stored_model_continues_an_empty_and_a_long_prompt(name):
    model = stored_language_model(name)
    assert isinstance(model, LanguageModel)
    for text in ("", "To be, or not to be: " * 40):
        prompt = encode(name, text)
        assert decode_ids(name, prompt.ids) == text
        assert np.exp(model.log_probabilities(prompt.ids)).sum() == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("name", STORED)
def test_every_stored_model_expects_what_comes_next(name):
    text, following = (
        ("I love thee, my lor", "d") if name.startswith("char_") else ("And the king said", " to")
    )
    prompt, expected = encode(name, text), encode(name, following).ids[0]
    p = np.exp(stored_language_model(name).log_probabilities(prompt.ids))
    assert p[expected] > 0.3


def test_the_table_of_character_models_is_of_one_text_and_the_best_comes_first():
    cards = character_models()
    measured = [corpus["measured sha256"] for card in cards for corpus in card.corpus.values()]
    assert len(set(measured)) == 1
    bits = {card.model: card.quality[BITS] for card in cards}
    assert list(bits.values()) == sorted(bits.values())
    assert bits["char_gpt"] < bits["char_gru"] < bits["char_ngram"]


def test_the_gpt_needs_at_most_1_55_nats_a_character():
    (gpt,) = (card for card in character_models() if card.model == "char_gpt")
    assert gpt.quality["nats per character, held out"] <= 1.55
