"""The page on query, key and value shows what core computes; by distance and by dot product agree as it says."""

import numpy as np
import pytest

from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product
from core.models.word_vectors.word_vectors import stored_vectors
from tests.lessons.lesson_page import open_lesson, said

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
