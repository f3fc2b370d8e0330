"""The edit distance is rapidfuzz's for any costs and nltk's for any alignment; what is counted is counted one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance, edit_distance_align
from rapidfuzz.distance import Hamming, Levenshtein

from core.models.tokens.edit_distance import (
    DELETE,
    INSERT,
    SAME,
    SUBSTITUTE,
    Costs,
    align_positions,
    count_alignments,
    count_cheapest,
    fill_table,
    trace_back,
)

TEXTS = st.text("abcé", max_size=9)
SHORT = st.text("ab", max_size=4)
COSTS = st.builds(Costs, st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))


@given(TEXTS, TEXTS, COSTS)
def test_the_distance_is_rapidfuzz_s_for_any_costs(source, target, costs):
    weights = (int(costs.insert), int(costs.delete), int(costs.substitute))
    expected = Levenshtein.distance(source, target, weights=weights)
    assert fill_table(source, target, costs).distance == pytest.approx(expected, abs=1e-6)


@given(TEXTS, TEXTS)
def test_every_cell_is_nltk_s_distance_of_two_beginnings(source, target):
    distances = fill_table(source, target).distances
    expected = [
        [edit_distance(source[:i], target[:j]) for j in range(len(target) + 1)]
        for i in range(len(source) + 1)
    ]
    np.testing.assert_allclose(distances, expected, atol=1e-6)


@given(TEXTS, TEXTS, COSTS)
def test_the_edits_turn_the_source_into_the_target_and_cost_the_distance(source, target, costs):
    table = fill_table(source, target, costs)
    edits = trace_back(table)
    made = "".join(
        target[e.j] if e.kind in (INSERT, SUBSTITUTE) else source[e.i] for e in edits if e.kind != DELETE
    )
    assert made == target
    assert [e.i for e in edits if e.kind != INSERT] == list(range(len(source)))
    assert [e.j for e in edits if e.kind != DELETE] == list(range(len(target)))
    price = {SAME: 0, SUBSTITUTE: costs.substitute, DELETE: costs.delete, INSERT: costs.insert}
    assert [e.cost for e in edits] == [price[e.kind] for e in edits]
    assert sum(e.cost for e in edits) == pytest.approx(table.distance, abs=1e-6)


def test_of_equal_ways_the_diagonal_is_kept_and_then_the_deletion():
    pairs = [
        (e.i + 1, e.j + 1)
        for e in trace_back(fill_table("kitten", "sitting"))
        if e.kind in (SAME, SUBSTITUTE)
    ]
    aligned = edit_distance_align("kitten", "sitting")
    assert set(pairs) <= set(aligned), "only one alignment is as cheap, so it is nltk's"
    assert [e.kind for e in trace_back(fill_table("ab", "bc"))] == [SUBSTITUTE, SUBSTITUTE]
    assert [e.kind for e in trace_back(fill_table("ab", "ba", Costs(1, 1, 3)))] == [INSERT, SAME, DELETE]


def every_alignment(i, j):
    """Return every sequence of steps from the first cell to (i, j)."""
    if not i and not j:
        return [[]]
    found = []
    for down, right in ((1, 1), (1, 0), (0, 1)):
        if i >= down and j >= right:
            found += [[*before, (down, right)] for before in every_alignment(i - down, j - right)]
    return found


def price_of(steps, source, target, costs):
    """Return what an alignment costs, edit by edit."""
    i = j = total = 0
    for down, right in steps:
        if down and right:
            total += costs.substitute if source[i] != target[j] else 0
        else:
            total += costs.delete if down else costs.insert
        i, j = i + down, j + right
    return total


@settings(deadline=None)
@given(SHORT, SHORT, COSTS)
def test_alignments_are_counted_as_if_they_were_listed(source, target, costs):
    table = fill_table(source, target, costs)
    prices = [price_of(each, source, target, costs) for each in every_alignment(len(source), len(target))]
    assert count_alignments(len(source), len(target)) == len(prices)
    assert table.distance == pytest.approx(min(prices), abs=1e-6)
    assert count_cheapest(table) == prices.count(min(prices))


@given(TEXTS, TEXTS)
def test_place_by_place_it_is_rapidfuzz_s_hamming_distance_and_never_less_than_the_distance(source, target):
    cost = sum(edit.cost for edit in align_positions(source, target))
    assert cost == Hamming.distance(source, target, pad=True)
    assert cost >= fill_table(source, target).distance


def test_tokens_may_be_words():
    table = fill_table("a b c".split(), "a c".split())
    assert table.distance == 1 and [edit.kind for edit in trace_back(table)] == [SAME, DELETE, SAME]
