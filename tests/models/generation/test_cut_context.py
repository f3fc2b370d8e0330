"""A cut context is read in the middle of a text: as windows are in training, and as a shorter n-gram reads it."""

import numpy as np
import pytest

from core.models.generation.cut_context import (
    log_probabilities_after,
    log_probabilities_at_each,
    window_log_probabilities,
    with_short_context,
)
from core.models.language_model import bits
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.stored_language_models import CountedLanguageModel, encode_characters, stored_language_model
from core.text.samples.shelf import sample

NETWORKS = ("char_feedforward", "char_gru", "char_gpt")
COUNTED = CountedLanguageModel(
    kneser_ney(count_ngrams([0, 1, 2, 0, 1, 1, 0, 2, 1] * 9, ("a", "b", "c"), 3), 3), 0
)


def ids_of(name, n=2000):
    text = sample(name).read().text[:n]
    return encode_characters(stored_language_model("char_gru").vocabulary, text).ids


@pytest.mark.parametrize("name", NETWORKS)
def test_every_column_of_a_window_is_the_distribution_after_so_many_tokens(name):
    model, window = stored_language_model(name), np.array([ids_of("hamlet", 9)])
    columns = window_log_probabilities(model, window)[0]
    by_one = [log_probabilities_after(model, window[0][:t].tolist())[window[0][t]] for t in range(1, 9)]
    np.testing.assert_allclose(columns, by_one, atol=1e-5)


def test_counts_read_a_cut_context_as_the_n_gram_of_that_length():
    windows = np.array([[0, 1, 2, 0, 1], [1, 1, 0, 2, 2]])
    found = window_log_probabilities(COUNTED, windows)
    for t, n in ((1, 2), (2, 3), (3, 3), (4, 3)):
        ngram = kneser_ney(COUNTED.model.counts, n)
        by_hand = [ngram.log_probabilities(w[t - n + 1 : t].tolist())[w[t]] for w in windows]
        np.testing.assert_allclose(found[:, t - 1], by_hand)


@pytest.mark.parametrize("model", [stored_language_model("char_gru"), COUNTED], ids=["network", "counts"])
def test_a_text_with_short_context_begins_as_it_is_and_goes_on_with_k_tokens(model):
    ids = [0, 1, 2, 0, 1, 1]
    found = with_short_context(model, ids, 2)
    np.testing.assert_allclose(found[:2], model.token_log_probabilities(ids[:2]), atol=1e-6)
    np.testing.assert_allclose(found[4], log_probabilities_after(model, ids[2:4])[ids[4]], atol=1e-5)
    np.testing.assert_array_equal(
        with_short_context(model, ids[:2], 3), model.token_log_probabilities(ids[:2])
    )


@pytest.mark.parametrize("text", ["micro-world", "hamlet", "two-banks"])
@pytest.mark.parametrize("name", NETWORKS)
def test_one_character_of_context_is_worth_what_a_counted_bigram_makes_of_it(name, text):
    """Read after a line end they did far worse than a bigram, on some texts worse than chance, ln 63."""
    ids = ids_of(text)
    network = bits(with_short_context(stored_language_model(name), ids, 1)).mean()
    bigram = bits(with_short_context(stored_language_model("char_ngram"), ids, 1)).mean()
    assert network < min(1.1 * bigram, np.log2(63))


@pytest.mark.parametrize("name", ["char_feedforward", "char_gpt", "char_ngram"])
def test_each_place_of_a_window_is_foreseen_as_after_its_tokens_alone(name):
    model, tokens = (
        stored_language_model(name),
        encode_characters(stored_language_model(name).vocabulary, "to be or n").ids,
    )
    whole = [log_probabilities_after(model, tokens[: t + 1]) for t in range(len(tokens))]
    np.testing.assert_allclose(log_probabilities_at_each(model, tokens), whole, atol=1e-4)
    alone = [log_probabilities_after(model, [token]) for token in tokens]
    np.testing.assert_allclose(log_probabilities_at_each(model, tokens, alone=True), alone, atol=1e-4)
