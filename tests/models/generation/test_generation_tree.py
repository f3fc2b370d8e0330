"""A tree of texts shares beginnings, scores every path by the chain rule, and survives its line in an address."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.models.generation.generation_tree import (
    WAYS,
    GenerationTree,
    continuation_log_probabilities,
    node_log_probabilities,
    path_totals,
    read_tree,
    write_tree,
)
from core.models.generation.short_memory import ShortMemory
from core.models.language_model import sequence_log_probability
from core.models.neural_language_model import NeuralLanguageModel
from core.models.self_attention.gpt import GPT, GPTConfig

torch.manual_seed(5)
MODEL = NeuralLanguageModel(GPT(GPTConfig(4, context=8, layers=1, heads=1, width=4)), "abcd")
PATHS = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.lists(st.integers(0, 3), min_size=1, max_size=5),
        st.sampled_from(list(WAYS.values())),
    ),
    max_size=6,
)


def grown(paths):
    tree = GenerationTree()
    for node, tokens, way in paths:
        tree, _ = tree.grown(node % len(tree), tokens, way)
    return tree


@given(PATHS)
def test_a_tree_written_as_a_line_is_read_back(paths):
    tree = grown(paths)
    assert read_tree(write_tree(tree, 4), 4) == tree


@given(PATHS)
def test_no_two_nodes_stand_for_the_same_text(paths):
    tree = grown(paths)
    texts = [tuple(tree.path(node)) for node in range(len(tree))]
    assert len(set(texts)) == len(texts)
    assert all(parent < node for node, parent in enumerate(tree.parents))


@given(PATHS)
def test_a_path_s_total_is_ln_p_of_its_text(paths):
    tree, prompt = grown(paths), [1, 2]
    ln_p = node_log_probabilities(tree, lambda y: continuation_log_probabilities(MODEL, prompt, y))
    totals, depths = path_totals(tree, ln_p)
    before = sequence_log_probability(MODEL, prompt).log_probability
    for leaf in tree.leaves:
        whole = sequence_log_probability(MODEL, [*prompt, *tree.path(leaf)]).log_probability
        assert totals[leaf] == pytest.approx(whole - before, abs=1e-4)
        assert depths[leaf] == len(tree.path(leaf))


def test_growing_leaves_the_tree_it_began_with_alone():
    first, _ = GenerationTree().grown(0, [1, 2], "greedy")
    first.grown(1, [3], "forced")
    assert len(first) == 3


def test_cutting_takes_a_token_and_all_that_follows_it():
    tree, _ = GenerationTree().grown(0, [1, 2, 3], "greedy")
    tree, _ = tree.grown(1, [0, 0], "sampled")
    left = tree.without(2)
    assert [left.path(leaf) for leaf in left.leaves] == [[1, 0, 0]]
    assert len(tree.without(1)) == 1


@pytest.mark.parametrize(
    "line", ["4_", "4_0g", "4_9g1", "4_0x1", "4_0g1.", "4_0g99", "4_0g1_zz", "4_<b>", "4__0g1", "4_0g\u0663"]
)
def test_what_is_no_tree_is_refused_in_a_sentence(line):
    with pytest.raises(ValueError, match="not a tree"):
        read_tree(line, 4)


def test_another_vocabulary_and_too_large_a_tree_are_refused():
    with pytest.raises(ValueError, match="another vocabulary"):
        read_tree("63_0g1", 4)
    tree, _ = GenerationTree().grown(0, [1] * 20, "greedy")
    with pytest.raises(ValueError, match="too many"):
        read_tree(write_tree(tree, 4), 4, most=10)


def test_a_model_without_a_pass_over_all_tokens_scores_a_continuation_alike():
    class OneByOne:
        vocabulary = MODEL.vocabulary

        def log_probabilities(self, context):
            return MODEL.log_probabilities(context)

    np.testing.assert_allclose(
        continuation_log_probabilities(OneByOne(), [1, 2], [3, 0]),
        continuation_log_probabilities(MODEL, [1, 2], [3, 0]),
        atol=1e-5,
    )


def test_a_short_memory_forgets_all_but_the_last_tokens():
    forgets = ShortMemory(MODEL, 2)
    np.testing.assert_array_equal(
        forgets.log_probabilities([0, 0, 3, 1]), forgets.log_probabilities([2, 3, 1])
    )
    np.testing.assert_array_equal(forgets.log_probabilities([1]), MODEL.log_probabilities([1]))
    assert not np.allclose(forgets.log_probabilities([0, 0, 3, 1]), MODEL.log_probabilities([0, 0, 3, 1]))
