"""Tagged text is read, or refused with a sentence that names the line."""

import pytest

from core.text.reading.decoding import TextError
from core.text.reading.tagged import TAGS_AT_MOST, WORDS_AT_MOST, read_tagged
from core.text.samples.universal_tags import UNIVERSAL, UNIVERSAL_TAGS, universal_tag

CONLLU = (
    "# text = Don't go!\n"
    "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_\n"
    "2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_\n"
    "3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n"
    "3.1\tthere\tthere\tADV\t_\t_\t_\t_\t_\t_\n"
    "\n"
    "1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n"
)


def test_a_line_of_slashed_words_is_a_sentence():
    assert read_tagged("A/DET dog/NOUN\n\n  Run/VERB !/.\n") == [
        [("A", "DET"), ("dog", "NOUN")],
        [("Run", "VERB"), ("!", ".")],
    ]


def test_the_last_slash_parts_word_and_tag():
    assert read_tagged("and/or/CONJ //.") == [[("and/or", "CONJ"), ("/", ".")]]


def test_conllu_gives_forms_and_universal_tags_without_glued_words_and_empty_nodes():
    assert read_tagged(CONLLU) == [[("Do", "AUX"), ("n't", "PART"), ("go", "VERB")], [("Yes", "INTJ")]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no tagged word"),
        ("a/DET dog", "Line 1: “dog” is not a word with its tag"),
        ("a/DET\ndog/", "Line 2: “dog”"),
        ("1\tdog", "Line 1: a line of CoNLL-U"),
        ("1\tdog\t_\t_", "Line 1: “dog” has no tag in the fourth column"),
        (" ".join(f"w/T{i}" for i in range(TAGS_AT_MOST + 1)), "61 different tags"),
        ("w/T " * (WORDS_AT_MOST + 1), "more than 200,000 words"),
    ],
)
def test_what_is_not_tagged_text_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(TextError, match=sentence):
        read_tagged(text)


def test_every_brown_tag_is_one_of_the_twelve():
    assert set(UNIVERSAL.values()) <= set(UNIVERSAL_TAGS)
    assert universal_tag("nil") == "X"
