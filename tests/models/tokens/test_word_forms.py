"""Stems follow Porter's rules, lemmas the dictionary; what is counted as one word is what has one form."""

import pytest
from nltk.stem import SnowballStemmer

from core.models.tokens.word_forms import FORMS, LEMMAS, STEMS, lemma, merged_most, stem, word_forms
from core.models.tokens.zipf import rank_words
from core.text.tokenization.tokens import words
from tests.lessons.tokens.texts import EVERY_TEXT, TEXTS


@pytest.mark.parametrize(
    ("word", "expected"),
    [("caresses", "caress"), ("ponies", "poni"), ("hopping", "hop"), ("hoping", "hope"), ("ran", "ran")],
)
def test_a_stem_is_cut_by_porter_s_rules(word, expected):
    assert stem(word) == expected


@EVERY_TEXT
def test_stems_are_nltk_s_but_for_what_the_algorithm_has_changed_since(text):
    types, nltk = sorted(set(words(TEXTS[text]))), SnowballStemmer("english")
    same = sum(stem(word) == nltk.stem(word) for word in types)
    assert same / len(types) > 0.98


@pytest.mark.parametrize(
    ("word", "expected"),
    [("mice", "mouse"), ("went", "go"), ("is", "be"), ("better", "good"), ("i", "i"), ("qzxw", "qzxw")],
)
def test_a_lemma_is_what_the_dictionary_lists(word, expected):
    assert lemma(word) == expected


@EVERY_TEXT
@pytest.mark.parametrize("form", FORMS)
def test_forms_keep_the_tokens_and_never_make_more_types(text, form):
    tokens = words(TEXTS[text])
    shown = word_forms(tokens, form)
    assert len(shown) == len(tokens)
    assert len(set(shown)) <= len(set(tokens))
    assert [shown[tokens.index(word)] for word in tokens] == shown


@pytest.mark.parametrize("form", [STEMS, LEMMAS])
def test_the_types_that_are_merged_most_are_all_of_that_form(form):
    tokens = words(TEXTS["Hamlet"])
    one, types = merged_most(tokens, word_forms(tokens, form))
    assert set(word_forms(types, form)) == {one}
    of = dict(zip(tokens, word_forms(tokens, form), strict=True))
    assert set(types) == {word for word, found in of.items() if found == one}
    counts = dict(zip(*(lambda r: (r.types, r.counts.tolist()))(rank_words(tokens)), strict=True))
    assert [counts[word] for word in types] == sorted((counts[word] for word in types), reverse=True)
