"""The key of the exercises on word order: lookups by word, sets of the words that each place has seen, plain sums."""

from tests.exercises.drawn import drawn, entries


def test_an_output_follows_its_word():
    for exercise in drawn("word_order", "shuffled"):
        draw, given = exercise.draw, exercise.draw.given
        of_word = dict(zip(given["outputs"].columns, entries(given["outputs"])[0], strict=True))
        assert draw.answer == tuple(of_word[word] for word in given["shuffled"])
        assert draw.mistakes["stayed"] == tuple(of_word.values())


def test_what_moves_is_what_has_seen_other_things():
    for exercise in drawn("word_order", "swap"):
        draw, given = exercise.draw, exercise.draw.given
        first = list(range(given["n"]))
        second = list(first)
        second[given["i"] - 1], second[given["j"] - 1] = given["j"] - 1, given["i"] - 1
        for _ in range(given["layers"]):  # what a place is: itself and the bag of what it has seen
            first, second = (
                [(own, frozenset(each[: t + 1])) for t, own in enumerate(each)] for each in (first, second)
            )
        assert draw.answer == len(set(first) - set(second))


def score(given, order, first=0):
    embedding = dict(zip(given["embeddings"].rows, entries(given["embeddings"]), strict=True))
    positions, (x, y) = (
        entries(given["positions"]),
        ((word, order.index(word) + first) for word in (given["from"], given["to"])),
    )
    return sum(
        (embedding[x[0]][i] + positions[x[1]][i]) * (embedding[y[0]][i] + positions[y[1]][i])
        for i in range(2)
    )


def test_a_score_is_the_product_of_two_sums():
    for exercise in drawn("word_order", "score"):
        draw, given = exercise.draw, exercise.draw.given
        assert draw.answer == score(given, given["shuffled"])
        assert draw.mistakes["before"] == score(given, list(given["sentence"]))
        assert draw.mistakes["from_one"] == score(given, given["shuffled"], 1)
