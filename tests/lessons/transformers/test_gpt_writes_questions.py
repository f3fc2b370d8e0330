"""The key of the exercises on writing with a cache: lists that grow, and weights looked up by letter."""

from math import exp

import pytest

from tests.exercises.drawn import drawn, entries


def test_a_cache_holds_what_was_read():
    for exercise in drawn("gpt_writes", "cache"):
        draw, given, cache = exercise.draw, exercise.draw.given, []
        for written in range(given["written"]):
            read = given["prompt"] if written == 0 else 1  # then the token that was written last
            cache += [given["C"]] * (2 * given["L"] * read)
        assert draw.answer == sum(cache)
        assert draw.mistakes["last"] == sum(cache) + 2 * given["L"] * given["C"]


def test_without_a_cache_the_whole_text_is_read_again():
    for exercise in drawn("gpt_writes", "readings"):
        draw, text, read = exercise.draw, ["x"] * exercise.draw.given["prompt"], 0
        for _ in range(draw.given["written"]):
            read += len(text)
            text.append("y")
        assert draw.answer == read
        assert draw.mistakes["cached"] == len(text) - 1


def test_a_new_token_gathers_from_the_cache_and_itself():
    for exercise in drawn("gpt_writes", "gathered"):
        draw, given = exercise.draw, exercise.draw.given
        pairs = [([int(x) for x in k.replace("−", "-").split(",")], v) for k, v in entries(given["cache"])]
        pairs.append((given["keyed"], given["value"]))
        powers = [exp(sum(a * b for a, b in zip(given["query"], k, strict=True)) / 2) for k, _ in pairs]
        output = sum(p * v for p, (_, v) in zip(powers, pairs, strict=True)) / sum(powers)
        assert draw.answer == pytest.approx(output)


def test_the_score_is_the_weight_on_what_followed():
    for exercise in drawn("gpt_writes", "score"):
        draw, given, found = exercise.draw, exercise.draw.given, []
        for name, row in zip(given["weights"].rows, entries(given["weights"]), strict=True):
            assert sum(row) == pytest.approx(1)
            found.append(row[given["text"].index(name[-1]) + 1])
        assert draw.answer == pytest.approx(sum(found) / len(found))
