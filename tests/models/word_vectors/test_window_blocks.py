"""Windows laid out in matrix products."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.word_vectors import window_blocks
from core.models.word_vectors.window_blocks import EncodedText, blocks, noise_table, sides

SENTENCES = st.lists(st.integers(0, 12), min_size=1, max_size=12)


def pairs_in(block):
    """Return the pairs (centre id, context id) that a block holds."""
    chunk, row, column = np.nonzero(block.sees.numpy())
    return list(zip(block.centres[chunk, row].tolist(), block.around[chunk, column].tolist(), strict=True))


def plain_pairs(text, reach):
    """Return the same, by walking through the sentences."""
    found, start = [], 0
    for length in text.lengths:
        for i in range(start, start + length):
            for j in range(max(start, i - reach[i]), min(start + length, i + reach[i] + 1)):
                if j != i:
                    found.append((text.ids[i], text.ids[j]))
        start += length
    return found


@given(SENTENCES, st.integers(1, 6), st.integers(1, 5), st.sampled_from([2, 4, 32]), st.integers(0, 99))
def test_blocks_hold_every_pair_of_every_window_once(lengths, window, count, chunk, seed):
    text = EncodedText(np.arange(sum(lengths)), np.array(lengths))
    reach = np.random.default_rng(seed).integers(1, window + 1, len(text.ids))  # what blocks draws first
    laid_out = blocks(text, window, count, chunk, np.arange(5), np.random.default_rng(seed))
    found = [pair for block in laid_out for pair in pairs_in(block)]
    assert sorted(found) == sorted(plain_pairs(text, reach))


@given(SENTENCES)
def test_no_window_leaves_its_sentence(lengths):
    left, right = sides(EncodedText(np.zeros(sum(lengths)), np.array(lengths)), np.full(sum(lengths), 100))
    assert (left + right == np.repeat(np.array(lengths) - 1, lengths)).all()


@given(SENTENCES, st.integers(0, 9))
def test_subsampling_keeps_words_in_their_sentences(lengths, seed):
    text = EncodedText(
        np.repeat(np.arange(len(lengths)), lengths), np.array(lengths)
    )  # each word names its sentence
    some = text.subsampled(np.full(len(lengths), 0.5), np.random.default_rng(seed))
    assert (some.ids == np.repeat(np.arange(len(lengths)), some.lengths)).all()


def test_the_noise_table_holds_each_word_in_proportion():
    shares = np.array([0.6, 0.3, 0.0999, 0.0001])
    table = noise_table(shares)
    assert np.bincount(table) / len(table) == pytest.approx(shares, abs=1e-6)


def test_windows_laid_out_together_or_block_by_block_are_the_same(monkeypatch):
    text = EncodedText(np.arange(90) % 7, np.array([40, 3, 47]))

    def laid_out():
        return list(blocks(text, 3, 9, 4, np.arange(1000), np.random.default_rng(2)))

    together = laid_out()
    monkeypatch.setattr(window_blocks, "LAID_OUT", 1)
    for one, other in zip(together, laid_out(), strict=True):
        for name in ("centres", "around", "sees", "negatives"):
            assert (getattr(one, name) == getattr(other, name)).all(), name
