"""Words, vocabularies and a learner's own pairs."""

import pytest

from core.text.pairs import (
    MOST_PAIRS,
    SPECIAL,
    PairsError,
    TranslationVocabulary,
    read_pairs,
    sentence_of,
    unknown_words,
    words_of,
)


@pytest.mark.parametrize("delimiter", ["\t", ";", ","])
def test_two_columns_are_read_whatever_parts_them(delimiter):
    pairs = read_pairs(f"The cat sleeps{delimiter}Le chat dort\nI sing{delimiter}Je chante\n\n")
    assert [(p.source, p.target) for p in pairs] == [
        (("the", "cat", "sleeps"), ("le", "chat", "dort")),
        (("I", "sing"), ("je", "chante")),
    ]


def test_a_comma_inside_a_sentence_is_kept_when_tabs_part_the_columns():
    assert read_pairs("yes, I sing\toui, je chante")[0].source == ("yes", ",", "I", "sing")


def test_quoted_cells_are_read_as_a_spreadsheet_writes_them():
    assert read_pairs('"yes, I sing","oui, je chante"\nno,non\nmaybe,peut-être\n')[0].target[:2] == (
        "oui",
        ",",
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("  \n", "nothing to read"),
        ("one\tun\ntwo\n", "Line 2 does not hold two columns"),
        ("one\tun\ntwo\t ", "Line 2 does not hold two columns"),
        ("a\tb\n" * (MOST_PAIRS + 1), "At most 20,000"),
        ("a\t" + "b " * 61, "Line 1 is longer than 60 words"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(text, complaint):
    with pytest.raises(PairsError, match=complaint):
        read_pairs(text)


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
    assert sentence_of(words_of(sentence), language) == sentence
