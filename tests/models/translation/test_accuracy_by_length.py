"""Measuring by length: the parts come by turns, stop when told, and their rows count what was attempted."""

import numpy as np
import pytest

from core.models.translation.accuracy_by_length import (
    AT_ONCE,
    Growth,
    Measurement,
    failures,
    length_rows,
    pairs_of,
    sentence_rows,
    shares_kept,
    sureness,
)
from core.models.translation.bottleneck import Attempt
from core.models.translation.translate import greedy, rescored, stored_translator
from core.text.grammar.pairs import Pair, is_held_out


def attempts_of(score, broken, seed, number, length):
    """Return attempts of which the first of each part is wrong."""
    pairs = [Pair(("a",) * length, ("b", str(number), str(i))) for i in range(AT_ONCE)]
    return [Attempt(pair, ("x",) if i == 0 else pair.target) for i, pair in enumerate(pairs)]


def measured():
    """Return what is measured when all parts are done."""
    growth = Growth(MEASUREMENT, attempts_of)
    growth.grow()
    return growth.measured()


MEASUREMENT = Measurement((("one", ("dot", False)),), (3, 6), 2 * AT_ONCE, seed=1)


def test_growing_ends_when_all_parts_are_done_and_not_before_unless_it_is_stopped():
    growth = Growth(MEASUREMENT, attempts_of)
    assert growth.growing
    growth.turn(stopped=True)
    growth.grow()
    assert growth.done == 0
    growth.turn(stopped=False)
    growth.grow()
    assert (growth.done, growth.growing) == (4, False)
    assert {length: len(made) for length, made in growth.measured()["one"].items()} == {3: 10, 6: 10}


def test_without_time_one_part_is_measured_and_no_more():
    growth = Growth(MEASUREMENT, attempts_of)
    growth.grow(seconds=0)
    assert (growth.done, growth.growing) == (1, True)


def test_what_is_remembered_is_taken_at_once_and_one_part_measured_only_where_nothing_is():
    growth = Growth(MEASUREMENT, attempts_of)
    first, second = ("dot", False, 1, 0, 3), ("dot", False, 1, 0, 6)
    growth.recall({first, second})
    assert growth.done == 2
    growth.recall(set())
    assert growth.done == 2
    for known in (set(), {second}):
        growth = Growth(MEASUREMENT, attempts_of)
        growth.recall(known)
        assert growth.done == 1


def test_what_was_measured_stays_when_nobody_else_remembers_it():
    asked = []

    def counted(*part):
        asked.append(part)
        return attempts_of(*part)

    growth = Growth(MEASUREMENT, counted)
    growth.grow()
    for _ in range(2):
        growth.recall(set())
        growth.measured()
    assert len(asked) == len(MEASUREMENT.parts)


def test_failures_come_part_by_part_and_long_ones_first():
    found = failures(measured()["one"])
    assert [(len(pair.source), pair.target[1]) for pair in found] == [(6, "0"), (3, "0"), (6, "1"), (3, "1")]


def test_the_rows_count_what_was_attempted():
    found = measured()
    rows = length_rows(found)
    assert [(row["words"], row["right"], row["sentences"], row["different"]) for row in rows] == [
        (3, 8, 10, 1),
        (6, 8, 10, 1),
    ]
    assert all(row["share right"] == pytest.approx(0.8) for row in rows)
    assert shares_kept(found["one"])[3].value == pytest.approx(0.8)
    assert sum(not row["right"] for row in sentence_rows(found)) == 4
    assert {row["first wrong word"] for row in sentence_rows(found) if not row["right"]} == {1}


def test_pairs_are_held_out_of_their_length_and_each_number_draws_its_own():
    first, second = pairs_of(1, 0, 9), pairs_of(1, 1, 9)
    assert first != second
    assert all(len(pair.source) == 9 and is_held_out(pair.source) for pair in (*first, *second))


def test_how_sure_a_model_was_multiplies_to_the_probability_of_what_it_wrote():
    translator, pair = stored_translator("translate_french_none"), pairs_of(1, 0, 9)[0]
    seen, source = sureness(translator, pair), translator.source.encode(pair.source)
    made = greedy(translator.model, source)
    assert np.log(seen.p).sum() == pytest.approx(made.log_probability, abs=1e-4)
    assert np.log(seen.p).sum() == pytest.approx(
        rescored(translator.model, source, made.words).log_probability, abs=1e-4
    )
    assert list(seen.attempt.output) == list(seen.words[:-1])
