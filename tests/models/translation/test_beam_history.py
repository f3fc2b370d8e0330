"""What is read from a beam search agrees with the words of its beginnings."""

import numpy as np
import pytest

from core.models.translation.beam_history import given_up, path_to, search_quality, turns
from core.models.translation.translate import beam, greedy, stored_translator
from core.text.grammar.english_french import english_french


@pytest.fixture(scope="module")
def translator():
    return stored_translator("translate_french_none")


@pytest.fixture(scope="module")
def pairs():
    found = english_french(9, held_out=True, lengths=(18,))
    return [next(found) for _ in range(4)]


def test_given_up_is_what_begins_no_hypothesis(translator, pairs):
    for pair in pairs:
        history = beam(translator.model, translator.source.encode(pair.source), 4)
        ends = [hypothesis.words for hypothesis in history[-1]]
        lost = {
            (t, k)
            for t, kept in enumerate(history)
            for k, beginning in enumerate(kept)
            if not any(words[: len(beginning.words)] == beginning.words for words in ends)
        }
        assert given_up(history) == lost
        assert turns(history) == [
            t
            for t in range(1, len(history))
            if history[t][0].words[: len(history[t - 1][0].words)] != history[t - 1][0].words
        ]
        assert all(
            words[: t + 1] == history[t][k].words[: t + 1] for words in ends[:1] for t, k in path_to(history)
        )


def test_a_beam_of_one_is_greedy_search_in_its_quality_too(translator, pairs):
    one = search_quality(translator, pairs, 1)
    alone = [greedy(translator.model, translator.source.encode(pair.source)) for pair in pairs]
    right = [
        translator.target.decode(each.words) == list(pair.target)
        for each, pair in zip(alone, pairs, strict=True)
    ]
    assert one.log_probability == pytest.approx(np.mean([each.log_probability for each in alone]), abs=1e-4)
    assert one.exact_match == np.mean(right)
