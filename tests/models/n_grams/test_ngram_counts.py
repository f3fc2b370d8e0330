"""Counts of n-grams, asked of several texts."""

from core.models.n_grams.ngram_counts import count_ngrams


def test_what_is_remembered_of_one_text_is_not_told_of_the_next():
    def counted():
        return count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)

    asked = counted()
    for tokens in ([0, 1, 2, 1], [1, 1, 0, 2], [0, 1, 2, 1]):
        afresh = counted().locate(tokens)
        for _ in range(2):
            for level, expected in zip(asked.locate(tokens), afresh, strict=True):
                assert [each.tolist() for each in level] == [each.tolist() for each in expected]
