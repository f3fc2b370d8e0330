"""The stored taggers see what they say they see, and tag a batch as they tag a sentence."""

from functools import cache

import numpy as np
import pytest

from core.models.documents.recurrent_tagger import AHEAD, BOTH, DIRECTIONS, load_recurrent_tagger
from core.models.documents.three_taggers import HMM, WAYS, moved, tag_three_ways
from core.models.documents.word_pieces import UNKNOWN
from core.models.hidden_markov_models.tagger import load_tagger
from core.models.stored import MODELS, load_card

SENTENCES = ["We saw her duck under the table .".split(), ["Go"], "The wugs snorped the blorfs .".split()]


@cache
def tagger(name):
    return load_recurrent_tagger(name)


@cache
def hmm():
    return load_tagger()


@pytest.mark.parametrize("name", DIRECTIONS)
def test_many_sentences_at_once_have_the_probabilities_of_one_at_a_time(name):
    for words, p in zip(SENTENCES, tagger(name).tag_probabilities(SENTENCES), strict=True):
        np.testing.assert_allclose(tagger(name).read(words).tag_probabilities, p, atol=1e-5)


@pytest.mark.parametrize("name", DIRECTIONS)
def test_an_unseen_word_is_its_ending_and_its_shape(name):
    pieces = tagger(name).pieces
    one, other = pieces.rows("snorped"), pieces.rows("blimped")
    assert one[0] == other[0] == UNKNOWN
    assert pieces.names[one[2]] == "~ed"
    assert pieces.rows("Utrechting")[-1] != one[-1]
    assert tagger(name).tags == hmm().states


def test_both_have_as_many_numbers_in_a_state_and_fit_into_four_megabytes():
    assert tagger(AHEAD).network.config.units == tagger(BOTH).network.config.units
    assert sum(file.stat().st_size for file in (MODELS / "two_directions").iterdir()) <= 4 * 2**20


@pytest.mark.parametrize("words", SENTENCES[::2])
def test_three_ways_have_their_own_tags_and_cuts_move_what_has_looked_ahead(words):
    networks = {name: tagger(name) for name in DIRECTIONS}
    whole = tag_three_ways(hmm(), networks, words)
    for way in WAYS:
        np.testing.assert_allclose(whole.p[way].sum(axis=1), 1, atol=1e-5)
        assert whole.sure(way).shape == (len(words),)
    found = moved(whole, tag_three_ways(hmm(), networks, words[:2]))
    assert found[AHEAD].max() < 1e-6
    assert found[BOTH].max() > found[AHEAD].max()


def test_reading_both_ways_is_measured_to_be_better_than_reading_one_way():
    quality = load_card("two_directions").quality
    assert quality[BOTH] > quality[AHEAD]
    assert quality[HMM] == pytest.approx(load_card("tagger").quality["accuracy"])
