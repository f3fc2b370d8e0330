"""The lesson on queries, keys and values says what its numbers show: each beat against numpy, and the lab against core."""

import re

import numpy as np
import pytest

from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.self_attention.growing_attention import block_matrices
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product
from core.models.word_vectors.word_vectors import stored_vectors
from pages.translation.dot_product_lookup.page import CAPITALS, LEGS, SENTENCE, legs, lookup_table
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    prompts,
    question,
    said,
    said_in,
    table_with,
)

NAME = "dot_product_lookup"
ENTRIES = "dog: 4, bird: 2, spider: 8"

# The story.

ANIMALS = [entry.split(": ")[0] for entry in LEGS.split(", ")]
COUNTS = np.array([float(entry.split(": ")[1]) for entry in LEGS.split(", ")])


def softmax(scores):
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def vectors_of(*words, raw=False):
    """Return words' GloVe vectors in double precision, of length 1 unless `raw`."""
    found = np.array([stored_vectors("glove")[word] for word in words], float)
    return found if raw else found / np.linalg.norm(found, axis=1, keepdims=True)


def by_dot(query, b=0.3, raw=False):
    """Return each animal's weight for a query, as the formula of the dot product has it."""
    return softmax(vectors_of(*ANIMALS, raw=raw) @ vectors_of(query, raw=raw)[0] / b**2)


def by_distance(query, b=0.3, raw=False):
    """Return the same by distance."""
    away = ((vectors_of(*ANIMALS, raw=raw) - vectors_of(query, raw=raw)) ** 2).sum(1)
    return softmax(-away / (2 * b * b))


def bold(beat, revealed=False, /, **changes):
    return re.findall(r"<strong>(.*?)</strong>", document(NAME, beat, revealed, **changes)["words"])


def rows_of(beat, revealed=False, panel=0, /, **changes):
    """Return a panel's rows by the key's name."""
    return {row["name"]: row for row in picture(NAME, beat, revealed, **changes)["panels"][panel]["rows"]}


def test_a_wolf_has_3_46_legs_and_nothing_says_so_before_the_answer():
    found = by_dot("wolf") @ COUNTS
    assert bold("legs", True) == [f"{found:.2f} legs"] == ["3.46 legs"]
    assert document(NAME, "legs", True)["heading"] == "A wolf has 3.46 legs"
    shown = rows_of("legs", True)
    assert [shown[word]["weight"] for word in ANIMALS] == pytest.approx(by_dot("wolf"), abs=1e-6)
    assert [shown[word]["score"] for word in ANIMALS] == COUNTS.tolist()
    hidden = picture(NAME, "legs")["panels"][0]
    assert {row["weight"] for row in hidden["rows"]} == {None} and "3.46" not in str(document(NAME, "legs"))
    assert hidden["title"] == "“wolf” gets ? legs" and 3 < found < 4
    assert "“dog” gets 26%" in said_in(document(NAME, "legs", True))
    assert "snake and fish vote for 0" in said_in(document(NAME, "legs", True))


def test_weights_by_distance_are_largest_for_the_nearest_key():
    away = np.linalg.norm(vectors_of(*ANIMALS) - vectors_of("wolf"), axis=1)
    shown = rows_of("distance")
    for word, row in shown.items():
        assert row["to"] == pytest.approx(away[ANIMALS.index(word)], abs=1e-5)
        weight = by_distance("wolf")[ANIMALS.index(word)]
        assert rows_of("distance", False, 1)[word]["to"] == pytest.approx(weight, abs=1e-5)
    best = away.argmin()
    told = said_in(document(NAME, "distance"))
    assert f"“{ANIMALS[best]}” is nearest, {away[best]:.2f} away" in told
    assert f"its score is −{away[best] ** 2 / 0.18:.2f}" in told and bold("distance") == ["26%"]
    assert len(shown) == 6 and set(shown) == {ANIMALS[i] for i in np.argsort(away)[:6]}


def test_by_dot_product_every_weight_is_the_same_and_the_new_ones_are_not_sent_before_the_answer():
    assert np.abs(by_dot("wolf") - by_distance("wolf")).max() < 1e-14
    hidden, shown = rows_of("dot"), rows_of("dot", True)
    assert {row["weight"] for row in hidden.values()} == {None}
    for word, row in shown.items():
        i = ANIMALS.index(word)
        assert row["weight"] == pytest.approx(by_dot("wolf")[i], abs=1e-6)
        assert row["before"] == pytest.approx(by_distance("wolf")[i], abs=1e-6)
        score = vectors_of(word)[0] @ vectors_of("wolf")[0] / 0.09
        assert row["score"] == pytest.approx(score, abs=1e-4)
    assert document(NAME, "dot", True)["ask"]["answer"] == "same"
    told = said_in(document(NAME, "dot"))
    near = ((vectors_of("dog") - vectors_of("wolf")) ** 2).sum() / 0.18
    assert f"The score by distance was −{near:.2f}" in told and "= 0.09 the score is 7.72" in told
    apart = re.search(r"weights is (\d)·10⁻¹(\S),", said_in(document(NAME, "dot", True)))
    assert apart  # a rounding error


def test_of_the_three_parts_of_the_squared_distance_only_the_product_differs():
    for word in rows_of("why"):
        query, product, key = (rows_of("why", False, panel)[word]["to"] for panel in range(3))
        assert (query, key) == pytest.approx((1, 1))
        away = ((vectors_of(word) - vectors_of("wolf")) ** 2).sum()
        assert query - product + key == pytest.approx(away, abs=1e-4)
    products = [row["to"] for row in rows_of("why", False, 1).values()]
    assert len(set(products)) == 6 and max(products) < 1.8


def test_one_matrix_product_has_all_60_scores_and_a_beetle_4_8_legs():
    asked = ("wolf", "tiger", "goose", "beetle", "chicken")
    figure = picture(NAME, "product")["figure"]
    expected = vectors_of(*ANIMALS) @ vectors_of(*asked).T
    assert numbers({"z": figure["data"][0]["z"]}) == pytest.approx(expected.flatten().tolist(), abs=1e-4)
    assert (
        expected.size == 60 and bold("product") == ["60 scores"] and 0 < expected.min() < expected.max() < 1
    )
    found = [by_dot(word) @ COUNTS for word in asked]
    for name, n, tick in zip(asked, found, figure["layout"]["xaxis"]["ticktext"], strict=True):
        assert tick == f"<b>{name}</b><br>{n:.1f} legs"
    told = said_in(document(NAME, "product"))
    assert f"a beetle has {found[3]:.1f} legs, a goose {found[2]:.1f}. A chicken has {found[4]:.1f}" in told
    assert ANIMALS[by_dot("chicken").argmax()] == "fish" and "near “fish”: food" in told
    assert ANIMALS[expected[:, 3].argmax()] == "ant"


@pytest.mark.parametrize(("word", "b"), [("tiger", 0.3), ("boy", 0.1), ("ant", 1.0), ("table", 0.3)])
def test_the_learner_s_own_query_is_looked_up(word, b):
    weights = by_dot(word, b)
    done = document(NAME, "own", query=word, bandwidth=b)
    assert f"<strong>{weights @ COUNTS:.2f} legs</strong>" in done["done"]
    assert ("has an entry of its own" in done["done"]) == (word in ANIMALS)
    assert done["picture"]["data"]["sum"] == f"“{word}” gets {weights @ COUNTS:.2f} legs"
    assert "equal weights would be 8%" in done["done"]
    shown = rows_of("own", False, 1, query=word, bandwidth=b)
    best = ANIMALS[weights.argmax()]
    assert shown[best]["to"] == pytest.approx(weights.max(), abs=1e-4)


@pytest.mark.parametrize("word", ["qqqzz", "👍🏽", "مرحبا", "der Wolf im Wald", "<b>x</b>"])
def test_a_word_without_a_vector_is_said_to_have_none(word):
    done = document(NAME, "own", query=word)
    assert "We have no vector for" in done["done"] and "still shows “tiger”" in done["done"]
    assert "<b>" not in done["done"]
    assert done["picture"]["data"] == picture(NAME, "own")


def test_near_b_0_15_the_wolf_has_almost_four_legs():
    """The lecturer's question."""
    assert by_dot("wolf", 0.15) @ COUNTS == pytest.approx(3.92, abs=0.01)


def test_the_longest_key_gets_more_by_dot_product_and_nothing_says_so_before():
    lengths = np.linalg.norm(vectors_of(*ANIMALS, raw=True), axis=1)
    near, dot = by_distance("wolf", 1, True), by_dot("wolf", 1, True)
    fish = ANIMALS.index("fish")
    assert lengths.argmax() == fish and dot[fish] > 50 * near[fish]
    assert len(picture(NAME, "lengths")["panels"]) == 1 and len(picture(NAME, "lengths", True)["panels"]) == 3
    assert bold("lengths", True) == [f"{dot[fish]:.1%}"] == ["10.2%"]
    told = said_in(document(NAME, "lengths", True))
    assert f"gets {near[fish]:.1%} by distance" in told
    assert f"{near @ COUNTS:.2f} legs by distance and {dot @ COUNTS:.2f} by dot product" in told
    shown = rows_of("lengths", True, 2)
    assert [shown[word]["to"] for word in shown] == pytest.approx(
        [dot[ANIMALS.index(word)] for word in shown], abs=1e-5
    )
    names = list(rows_of("lengths"))
    assert names == sorted(names, key=lambda word: -lengths[ANIMALS.index(word)]) and names[0] == "fish"
    assert f"from {lengths.min():.2f} to {lengths.max():.2f}" in said_in(document(NAME, "lengths"))


def test_the_trained_head_s_weights_are_its_own_and_distance_would_choose_another_key():
    model = attentive_model("word_masked")
    ids = model.read(SENTENCE, 20).ids
    network, apart, cases = model.network, 0, 0
    for layer in range(network.config.layers):
        found = trace_gpt(network, ids).layers[layer]
        x = network.blocks[layer].norm_before_attention(found.stream)
        for head in range(network.config.heads):
            W_q, W_k, _ = block_matrices(network.blocks[layer]).of_head(head, network.config.heads)
            q, k = ((x @ W).detach().double().numpy() for W in (W_q, W_k))
            root = q.shape[1] ** 0.5
            dot = q @ k.T / root
            near = -((q[:, None] - k) ** 2).sum(-1) / (2 * root)
            apart += int((dot.argmax(1) != near.argmax(1)).sum())
            cases += len(q)
            if (layer, head) == (1, 0):
                rows = picture(NAME, "head")["panels"][0]["rows"]
                weights, old = softmax(dot[4]), softmax(near[4])
                assert [row["weight"] for row in rows] == pytest.approx(weights.tolist(), abs=1e-4)
                assert [row["before"] or 0 for row in rows] == pytest.approx(old.tolist(), abs=0.02)
                lengths = np.linalg.norm(k, axis=1)
                assert [row["score"] for row in rows] == pytest.approx(lengths.tolist(), abs=1e-3)
                best, other = rows[weights.argmax()]["name"], rows[old.argmax()]["name"]
                assert lengths[weights.argmax()] > lengths[old.argmax()]  # as the words have it
    told = said_in(document(NAME, "head"))
    assert f"By distance, “{other}” would get most, {old.max():.0%}" in told
    assert f"attends most to “{best}”, {weights.max():.0%}, whose key is longer" in told
    assert bold("head") == [f"{apart} of {cases}"]


def test_at_the_end_keys_of_length_1_are_on_the_line_and_others_are_not():
    line, equal, trained = picture(NAME, "answer")["figure"]["data"]
    assert line["x"] == line["y"]
    assert equal["x"] == pytest.approx(equal["y"])
    assert trained["x"] == pytest.approx(by_distance("wolf", 1, True), abs=1e-5)
    assert trained["y"] == pytest.approx(by_dot("wolf", 1, True), abs=1e-5)
    apart = np.abs(by_distance("wolf", 1, True) - by_dot("wolf", 1, True)).max()
    assert f"by up to {100 * apart:.0f} percentage points" in said_in(document(NAME, "answer"))
    assert max(trained["x"] + trained["y"]) < line["x"][1]


# The lab.


def open_with(**query):
    return open_lesson(NAME, **query)


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
    equal, trained = (float(metric.value) for metric in app.metric if "difference" in metric.label)
    assert equal == 0
    assert trained > 0.1


def test_every_number_has_a_formula_that_ends_in_it():
    entries = legs("wolf")
    near, dot = entries.look_up(0.3)
    table, formula = lookup_table(entries, 0.3, near, dot)
    for column in list(table)[2:]:
        told = formula(0, column)
        assert told and told.count(f"{table[column][0]:.4g}"), column
    assert formula(0, "key") is None


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
    assert not open_with(**settings, attention="true").exception


@pytest.mark.parametrize(
    ("entries", "query"), [(LEGS, "wolf"), (CAPITALS, "portugal"), ("king: 1, queen: 2, the: 3", "prince")]
)
def test_keys_of_different_lengths_part_the_two_look_ups_and_the_page_says_how(entries, query):
    settings = {"entries": entries, "query": query, "bandwidth": "2.0"}
    equal, trained = open_with(**settings), open_with(**settings, raw="true")
    assert figures(equal)[0]["data"] != figures(trained)[0]["data"]
    shown = metrics(trained)
    assert float(shown["Largest difference, length 1"]) == 0
    assert float(shown["Largest difference, trained lengths"]) > 0
    table = table_with(trained, "|k|")
    loud = table["|k|"].idxmax()
    weight = table["a by dot product"][loud]
    assert f"The longest is “{table['key'][loud]}”, with a weight of {weight:.4f}" in said(trained)
    first = [table["key"][table[f"a by {way}"].idxmax()] for way in ("dot product", "distance")]
    same = f"Both give “{first[0]}” the largest weight"
    other = f"By dot product “{first[0]}” has the largest weight, by distance “{first[1]}”"
    assert (same if first[0] == first[1] else other) in said(trained)


def test_one_key_alone_has_all_the_weight_whatever_its_length():
    shown = metrics(open_with(entries="dog: 1", raw="true"))
    assert shown["Largest difference, trained lengths"] == "0.0000"


def test_one_key_has_no_others_and_no_rounding():
    words = said(open_with(entries="dog: 1", query="dog"))
    assert "There is an entry for the query. We compute" in words
    assert "is **0**." in words


def test_the_sentence_below_the_bars_names_the_key_with_the_largest_weight():
    table = table_with(open_with(), "|k|")
    first = table["a by dot product"].idxmax()
    told = f"“{table['key'][first]}” has the largest weight, {table['a by dot product'][first]:.1%}"
    assert told in said(open_with())


def test_a_weight_that_is_not_quite_all_is_not_called_all_of_it():
    app = open_with(raw="true", bandwidth="0.3")
    table = table_with(app, "|k|")
    assert 0.9995 < table["a by dot product"].max() < 1
    assert "by dot product, more than 99.9%" in said(app)
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
    loud = table_with(open_with(entries=LEGS, query="wolf", raw="true", bandwidth="1.0"), "|k|")
    gained = (loud["a by dot product"] - loud["a by distance"]).idxmax()
    assert loud["key"][gained] == "dog"


def test_a_beat_opens_the_lab_on_its_own_settings():
    assert "dot_product_lookup_raw=true" in document(NAME, "lengths")["lab"]
    assert "dot_product_lookup_bandwidth=1.0" in document(NAME, "lengths")["lab"]
