"""The page on query, key and value shows what core computes; by distance and by dot product agree as it says."""

import numpy as np
import pytest

from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product
from core.models.word_vectors.word_vectors import stored_vectors
from pages.translation.dot_product_lookup import CAPITALS, LEGS
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    open_lesson,
    prompts,
    question,
    said,
    table_with,
)

ENTRIES = "dog: 4, bird: 2, spider: 8"


def open_with(**query):
    return open_lesson("dot_product_lookup", **query)


@pytest.mark.parametrize("raw", ["false", "true"])
def test_the_table_is_core_s_two_look_ups(raw):
    app = open_with(entries=ENTRIES, query="wolf", bandwidth="0.5", raw=raw)
    vectors = stored_vectors("glove") if raw == "true" else stored_vectors("glove").normalised()
    query, keys = (
        (vectors[w].astype(float) for w in ("wolf",)),
        vectors.subset(["dog", "bird", "spider"]).vectors,
    )
    lookup = next(query), keys.astype(float), np.array([4.0, 2.0, 8.0]), 0.5
    table = app.dataframe[0].value
    for column, found in (
        ("by distance", lookup_by_distance(*lookup)),
        ("by dot product", lookup_by_dot_product(*lookup)),
    ):
        np.testing.assert_allclose(table[f"a {column}"], found.weights, rtol=1e-5)
        shown = next(metric.value for metric in app.metric if metric.label == f"Result {column}")
        assert float(shown) == pytest.approx(float(found.result), abs=6e-5)


def test_both_weights_are_equal_to_the_last_digit_for_keys_of_one_length_and_not_otherwise():
    table = open_with().dataframe[0].value
    np.testing.assert_allclose(table["a by distance"], table["a by dot product"], rtol=1e-12)
    app = open_with(raw="true")
    whole, broken = (float(metric.value) for metric in app.metric if "difference" in metric.label)
    assert whole == 0
    assert broken > 0.1


def test_values_may_be_words():
    app = open_with(entries="spain: madrid, france: paris, japan: tokyo", query="portugal")
    assert {metric.value for metric in app.metric} == {"madrid"}


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"query": "wolff"}, "There is no vector for “wolff”. Did you mean “wolf"),
        ({"query": ""}, "There is no vector for “”"),
        ({"query": "👍🏽"}, "There is no vector"),
        ({"entries": ""}, "There is no entry"),
        ({"entries": "qqqq: 1"}, "None of these keys has a vector"),
        ({"entries": "dog: 1, qqqq: 2"}, "left out: qqqq"),
        ({"entries": "dog: zzzzq"}, "There is no vector for “zzzzq”"),
        ({"entries": "مرحبا: 3"}, "None of these keys"),
    ],
    ids=str,
)
def test_what_cannot_be_looked_up_is_said(settings, complaint):
    app = open_with(**settings)
    assert not app.exception
    assert complaint in said(app)


@pytest.mark.parametrize(
    "settings",
    [
        {"bandwidth": "0.05", "raw": "true"},
        {"bandwidth": "5.0"},
        {"entries": "dog: 1"},
        {"entries": "dog: 1, dog: 2", "query": "dog"},
        {"predict": "true"},
        {"vectors": "our skip-gram", "raw": "true"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    assert not open_with(**settings).exception


@pytest.mark.parametrize(
    ("entries", "query"), [(LEGS, "wolf"), (CAPITALS, "portugal"), ("king: 1, queen: 2, the: 3", "prince")]
)
def test_keys_of_different_lengths_part_the_two_look_ups_and_the_page_says_how(entries, query):
    settings = {"entries": entries, "query": query, "bandwidth": "2.0"}
    whole, broken = open_with(**settings), open_with(**settings, raw="true")
    assert figures(whole)[0]["data"] != figures(broken)[0]["data"]
    shown = {name: value for name, value in metrics(broken).items() if "difference" in name}
    assert float(shown["Largest difference of two weights, whole"]) == 0
    assert float(shown["Largest difference of two weights, broken"]) > 0
    table = table_with(broken, "|k|")
    loud = table["|k|"].idxmax()
    assert (
        f"the longest is “{table['key'][loud]}”, with a weight of {table['a by dot product'][loud]:.4f}"
        in said(broken)
    )
    first = [table["key"][table[f"a by {way}"].idxmax()] for way in ("dot product", "distance")]
    alike = f"Both still let “{first[0]}”"
    apart = f"By dot product “{first[0]}” answers most, by distance “{first[1]}”"
    assert (alike if first[0] == first[1] else apart) in said(broken)


def test_one_key_alone_has_all_the_weight_whatever_its_length():
    shown = metrics(open_with(entries="dog: 1", raw="true"))
    assert shown["Largest difference of two weights, broken"] == "0.0000"


def test_one_key_has_no_others_and_no_rounding():
    words = said(open_with(entries="dog: 1", query="dog"))
    assert "There is an entry for the query. The weights" in words
    assert "is **0**." in words


def test_the_sentence_below_the_bars_names_the_key_that_answers_most():
    table = table_with(open_with(), "|k|")
    first = table["a by dot product"].idxmax()
    assert f"“{table['key'][first]}” with {table['a by dot product'][first]:.1%} of the weight" in said(
        open_with()
    )


def test_a_weight_that_is_not_quite_all_is_not_called_all_of_it():
    app = open_with(raw="true")
    table = table_with(app, "|k|")
    assert 0.9995 < table["a by dot product"].max() < 1
    assert "with more than 99.9% by dot product" in said(app)
    assert "100" not in app.main.markdown[0].value


def test_before_the_guess_no_number_is_there_and_the_closing_is():
    app = open_with(predict="true")
    assert not app.metric
    assert not app.dataframe
    assert not figures(app)
    assert prompts(app)
    top = table_with(open_with(), "|k|").sort_values("a by dot product")["key"].iloc[-1]
    assert top in question(app).options
    assert "Right" in said(guess(app, top))


def test_what_the_prompts_to_try_promise_is_there():
    assert metrics(open_with(entries=CAPITALS, query="portugal", bandwidth="0.3"))
    alone = table_with(open_with(entries=LEGS, query="wolf", bandwidth="0.1"), "|k|")["a by dot product"]
    assert alone.max() > 0.9
    loud = table_with(open_with(entries=LEGS, query="wolf", raw="true", bandwidth="2.0"), "|k|")
    assert loud["a by dot product"].idxmax() != loud["a by distance"].idxmax()
