"""Words and vocabularies."""

import pytest

from core.text.grammar.pairs import (
    SPECIAL,
    TranslationVocabulary,
    sentence_of,
    tokenise_sentence,
    unknown_words,
)


def test_words_that_are_not_known_are_named_once_with_near_ones():
    vocabulary = TranslationVocabulary((*SPECIAL, "horse", "house", "the"))
    assert unknown_words(["the", "hose", "hose"], vocabulary) == (
        "The model does not know “hose” (near it: house, horse)."
    )
    assert "“xyzzy” (no word is near it)" in unknown_words(["xyzzy"], vocabulary)
    assert unknown_words(["the", "horse"], vocabulary) == ""


def test_a_vocabulary_keeps_the_most_frequent_words_and_the_rest_are_unknown():
    vocabulary = TranslationVocabulary.of([["b", "a", "b"], ["a", "c"]], at_most=2)
    assert vocabulary.words == (*SPECIAL, "a", "b")
    assert vocabulary.encode(["a", "c"]) == [4, 3]
    assert len(vocabulary) == 6


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("The king's cat sleeps.", "en"),
        ("L'homme n'a pas d'eau parce qu'il est aujourd'hui à l'école.", "fr"),
        ("Est-ce que tu dors ?", "fr"),
        ("Slaap je?", "nl"),
    ],
)
def test_words_and_sentence_are_inverse(sentence, language):
    assert sentence_of(tokenise_sentence(sentence), language) == sentence
