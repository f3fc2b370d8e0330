"""What is read from a beam search agrees with the words of its beginnings; many sentences at once, with one by one."""

import numpy as np
import pytest

from core.models.translation.beam_history import search_tree, turns
from core.models.translation.search_errors import reference_log_probabilities, search_all
from core.models.translation.seq2seq import END
from core.models.translation.translate import beam, candidates, rescored, stored_translator
from core.text.grammar.english_french import english_french


@pytest.fixture(scope="module", params=["none", "general"])
def translator(request):
    return stored_translator(f"translate_french_{request.param}")


@pytest.fixture(scope="module")
def pairs():
    found = english_french(9, held_out=True, lengths=(7, 18))
    return [next(found) for _ in range(6)]


def test_the_tree_has_all_candidates_and_keeps_what_the_beam_keeps(translator, pairs):
    for pair in pairs:
        source = translator.source.encode(pair.source)
        history = beam(translator.model, source, 4)
        tree = search_tree(candidates(translator.model, source, 4), 4)
        for depth, kept in enumerate(history, 1):
            level = [i for i, node in enumerate(tree.nodes) if node.depth == depth]
            assert [tree.nodes[i].total for i in level if tree.nodes[i].kept] == [
                b.log_probability for b in kept
            ]
            for i, each in zip(level, kept, strict=False):
                assert tuple(tree.path(i))[: len(each.words)] == each.words
                assert set(tree.path(i)[len(each.words) :]) <= {END}
        assert turns(history) == [
            t
            for t in range(1, len(history))
            if history[t][0].words[: len(history[t - 1][0].words)] != history[t - 1][0].words
        ]


@pytest.mark.parametrize("width", [1, 3])
def test_many_sentences_at_once_get_what_each_gets_alone(translator, pairs, width):
    found = search_all(translator, pairs, width)
    for i, pair in enumerate(pairs):
        best = beam(translator.model, translator.source.encode(pair.source), width)[-1][0]
        assert found.texts[i] == tuple(translator.target.decode(best.words))
        assert found.log_probabilities[i] == pytest.approx(best.log_probability, abs=1e-3)
        assert found.right[i] == (found.texts[i] == pair.target)


def test_references_at_once_have_the_probabilities_of_each_alone(translator, pairs):
    alone = [
        rescored(
            translator.model,
            translator.source.encode(pair.source),
            [*translator.target.encode(pair.target), END],
        ).log_probability
        for pair in pairs
    ]
    np.testing.assert_allclose(reference_log_probabilities(translator, pairs), alone, atol=1e-3)
