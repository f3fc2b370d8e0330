"""The key of the exercises on tokens: counted in plain Python, bytes by the bits of each character, codes by format."""

from collections import Counter

import pytest

from tests.exercises.drawn import drawn


def ranked(text):
    """Return the words of a text by frequency, of equal ones the first one first."""
    words = text.split()
    return sorted(set(words), key=lambda word: (-words.count(word), words.index(word)))


def test_ids_are_places_by_frequency_and_0_is_unknown():
    for exercise in drawn("text_as_tokens", "ids"):
        draw, order = exercise.draw, ranked(exercise.draw.given["text"])
        sentence = draw.given["sentence"].split()
        assert draw.answer == tuple(order.index(word) + 1 if word in order else 0 for word in sentence)
        assert draw.mistakes["no_unknown"] == tuple(
            order.index(word) if word in order else len(order) for word in sentence
        )


def test_the_unknown_share_is_that_of_the_tokens():
    for exercise in drawn("text_as_tokens", "unknown"):
        draw, used = exercise.draw, exercise.draw.given["used"].split()
        order = ranked(draw.given["learned"])
        kept = order[: draw.given["k"]]
        assert draw.answer == pytest.approx(sum(word not in kept for word in used) / len(used))
        assert draw.mistakes["types"] == pytest.approx(len(set(used) - set(kept)) / len(set(used)))
        assert draw.mistakes["all"] == pytest.approx(sum(word not in order for word in used) / len(used))


def test_bytes_follow_from_the_number_of_each_character():
    def size(character):
        return 1 + sum(ord(character) >= least for least in (0x80, 0x800, 0x10000))

    for exercise in drawn("text_as_tokens", "bytes"):
        draw, line = exercise.draw, exercise.draw.given["line"]
        assert draw.answer == sum(map(size, line))
        assert draw.mistakes["characters"] == len(line)
        assert draw.mistakes["spaces"] == draw.answer - line.count(" ")


def test_codes_are_what_python_writes():
    for exercise in drawn("text_as_tokens", "code"):
        given = exercise.draw.given
        width = next(b for b in range(1, 9) if 2**b >= given["V"])
        written = "".join(format(i, f"0{width}b") for i in given["ids"])
        assert exercise.draw.answer == tuple(map(int, written))
        assert Counter(exercise.draw.mistakes["backwards"]) == Counter(exercise.draw.answer)
