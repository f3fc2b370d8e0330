"""The reviews are always the same, of two labels in equal parts, and neither too easy nor too hard to tell."""

from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.held_out import judge
from core.models.documents.naive_bayes import NaiveBayes
from core.text.samples.reviews import NEGATIVE, POSITIVE, REVIEWS, reviews


def test_a_seed_makes_the_same_reviews_and_another_seed_others():
    assert reviews(50, 3) == reviews(50, 3)
    assert reviews(50, 3).texts != reviews(50, 4).texts


def test_both_labels_are_frequent_and_no_review_is_long():
    made = reviews()
    assert len(made.texts) == REVIEWS
    assert set(made.labels) == {POSITIVE, NEGATIVE}
    assert 0.45 < made.labels.count(POSITIVE) / REVIEWS < 0.55
    assert max(len(text.split()) for text in made.texts) < 60


def test_counting_words_is_right_often_but_not_always_whatever_the_seed():
    for seed in range(5):
        made = reviews(seed=seed)
        learnt, rest, _ = learnt_and_held_out(made.texts, made.labels)
        judged = judge(NaiveBayes().fit(learnt.X, learnt.y).posterior(rest.X), rest.y)
        assert 0.8 < judged.accuracy < 0.96


def test_every_sentence_is_written_as_english_has_it():
    for text in reviews().texts:
        assert text[0].isupper()
        assert "{" not in text and " i " not in text
        assert " a awful" not in text and " a e" not in text and " a u" not in text
