"""The key of the exercises on byte pairs: merged by replacing strings, and encoded in plain Python."""

from collections import Counter
from itertools import pairwise

from tests.exercises.drawn import drawn


def words_of(given):
    """Return the words of a question, {tuple of tokens: count}."""
    table = given["words"]
    return {tuple(word): times for word, times in zip(table.columns, table.entries[0], strict=True)}


def counts_of(words, weighted=True):
    """Return how often each pair of tokens occurs."""
    counts = Counter()
    for word, times in words.items():
        for pair in pairwise(word):
            counts[pair] += times if weighted else 1
    return counts


def replaced(word, pair):
    """Return a word's tokens with a pair merged, by replacing text between bars."""
    joined = f"|{'|'.join(word)}|"
    left, right = pair
    return tuple(joined.replace(f"|{left}|{right}|", f"|{left}{right}|").strip("|").split("|"))


def merged_words(words, pair):
    return {replaced(word, pair): times for word, times in words.items()}


def best_of(counts):
    """Return the most frequent pair, of equals the first in the alphabet, where a space is first and new tokens last."""

    def place(token):
        return (len(token) > 1, token.replace("␣", " "))

    return min(counts, key=lambda pair: (-counts[pair], place(pair[0]), place(pair[1])))


def named(pair):
    return " + ".join(pair)


def test_the_first_merge_is_the_pair_with_the_largest_count():
    for exercise in drawn("byte_pairs", "pair"):
        words = words_of(exercise.draw.given)
        assert exercise.draw.answer == named(best_of(counts_of(words)))
        assert exercise.draw.mistakes["once"] == named(best_of(counts_of(words, False)))


def test_counts_after_a_merge_are_those_of_the_merged_words():
    for exercise in drawn("byte_pairs", "recount"):
        words, draw = words_of(exercise.draw.given), exercise.draw
        pair = tuple(draw.given["pair"].split(" + "))
        assert best_of(counts_of(words)) == pair
        after = {named(each): times for each, times in counts_of(merged_words(words, pair)).items()}
        before = {named(each): times for each, times in counts_of(words).items()}
        assert draw.answer == tuple(after.get(each, 0) for each in draw.table.rows)
        assert draw.mistakes["stale"] == tuple(before.get(each, 0) for each in draw.table.rows)


def test_the_length_is_that_of_the_merged_words():
    for exercise in drawn("byte_pairs", "length"):
        words, draw = words_of(exercise.draw.given), exercise.draw
        for _ in range(draw.given["merges"]):
            words = merged_words(words, best_of(counts_of(words)))
        assert draw.answer == sum(len(word) * times for word, times in words.items())


def test_a_word_is_encoded_by_all_places_of_the_earliest_merge_after_another():
    for exercise in drawn("byte_pairs", "encode"):
        draw, word = exercise.draw, tuple(exercise.draw.given["word"])
        for pair in draw.given["learned"]:
            word = replaced(word, pair.split(" + "))
        assert draw.answer == " · ".join(word)
