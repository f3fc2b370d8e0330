"""The lesson on activation patching shows what core makes of a part of A in B, and says no more than its numbers."""

import numpy as np
import pytest
import torch

from core.lesson.choices.transformer_choice import GPTS, vocabulary_named
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.patching import (
    ATTENTION,
    STREAM,
    Part,
    contrast,
    partners,
    restored_by_head,
    restored_by_place,
)
from pages.transformers.patching import OWN_A, OWN_B
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    question,
    said,
    table_with,
)

LABELS = {name: label for label, name in GPTS.items()}


def read(name, A, B):
    model = attentive_model(name)
    ids = [model.read(each).ids for each in (A, B)]
    return contrast(model.network, *ids), partners(*(each.tolist() for each in ids))


@pytest.fixture(scope="module")
def default():
    return open_lesson("patching")


def drawn(app, place=0):
    """Return the numbers of a heat map, nan where it is blank."""
    return np.array(figures(app)[place]["data"][0]["z"], dtype=float)


def test_the_heat_map_the_bars_and_the_sentence_are_core_s(default):
    assert not default.exception
    found, pairs = read("word_gpt", OWN_A, OWN_B)
    expected = restored_by_place(found, STREAM, pairs, 0, found.A)
    np.testing.assert_allclose(drawn(default), expected, atol=1e-6)
    names = vocabulary_named("word_gpt")
    after = found.patched(Part(STREAM, 1, [(4, 4)]), found.A).double().softmax(-1)
    assert f"B is answered with “{names[int(after.argmax())]}” ({after.max():.1%})" in said(default)
    assert f"{expected[1, 4]:.1%} of the difference in logit" in said(default)
    before, patched = figures(default)[1]["data"]
    assert set(before["customdata"]) >= {names[found.a], names[found.b]}
    place = patched["customdata"].index(names[found.a])
    assert numbers(patched["y"])[place] == pytest.approx(float(after[found.a]))


def test_on_the_opening_sentences_the_answer_moves_from_the_changed_word_to_the_last_token(default):
    shares = drawn(default)
    assert shares[0].argmax() == 4
    assert shares[0, 4] == pytest.approx(1, abs=1e-4)
    assert shares[-1].argmax() == 5
    assert shares[-1, 5] == pytest.approx(1, abs=1e-4)
    assert "in layers 0 to" in said(default)
    assert "“5 ␣bread”" in said(default) and "“6 ␣and”" in said(default)


def test_the_table_counts_each_share_from_b_to_a(default):
    found, _ = read("word_gpt", OWN_A, OWN_B)
    table = table_with(open_lesson("patching"), "restored")
    low, high = found.ends
    np.testing.assert_allclose(table["restored"], (table["z_a − z_b"] - low) / (high - low))
    assert table["taken from"][4] == "␣silver"
    assert table["token of B"][4] == "␣bread"
    np.testing.assert_allclose(drawn(default).flatten(), table["restored"], atol=1e-6)


def test_the_heads_are_core_s_and_the_best_is_named(default):
    expected = restored_by_head(*read("word_gpt", OWN_A, OWN_B))
    np.testing.assert_allclose(drawn(default, 2), expected, atol=1e-6)
    layer, head = np.unravel_index(expected.argmax(), expected.shape)
    assert f"Head {layer + 1}.{head + 1} restores most alone, {expected.max():.1%}" in said(default)


def test_sentences_of_two_lengths_leave_places_blank_and_say_so():
    A, B = "Thou wil", "Then they wil"
    app = open_lesson("patching", a=A, b=B, model=LABELS["char_gpt"], kind="attention's output", layer=2)
    assert not app.exception
    found, pairs = read("char_gpt", A, B)
    np.testing.assert_allclose(
        drawn(app), restored_by_place(found, ATTENTION, pairs, 0, found.A), atol=1e-5, equal_nan=True
    )
    without = set(range(14)) - {here for here, _ in pairs}
    assert len(without) == 5
    assert "have no partner" in said(app)
    app = open_lesson("patching", a=A, b=B, model=LABELS["char_gpt"], place=min(without) + 1)
    assert "has no partner, so there is nothing to take" in said(app)


def test_an_unrelated_text_is_read_in_a_s_place():
    app = open_lesson("patching", unrelated="true")
    values = list(metrics(app).values())
    found, pairs = read("word_gpt", OWN_A, OWN_B)
    model = attentive_model("word_gpt")
    assert values[0] == f"{restored_by_place(found, STREAM, pairs, 0, found.A)[1, 4]:.1%}"
    assert values[0] != values[1]
    table = table_with(app, "restored")
    donor = list(table["taken from"][:6])
    assert donor[0] == "↵" and donor[4:] != ["␣silver", "␣and"]
    ids = torch.tensor(
        [model.vocabulary.index(token.replace("␣", " ").replace("↵", "\n")) for token in donor]
    )
    other = model.trace(ids)
    expected = restored_by_place(found, STREAM, pairs, 0, other)
    np.testing.assert_allclose(drawn(app), expected, atol=1e-5)


def test_where_both_have_one_answer_it_is_said_who_speaks_for_them():
    A, B = "The king said to the", "The queen said to the"
    found, _ = read("word_gpt", A, B)
    app = open_lesson("patching", a=A, b=B)
    assert found.same == ("Both are answered with" in said(app))
    assert not found.same or "speaks for A" in said(app)


def test_the_numbers_appear_after_the_guess():
    app = open_lesson("patching", predict="true")
    assert not figures(app)
    assert "restored." not in said(app)
    assert not any("restored" in table.value for table in app.dataframe)
    found, pairs = read("word_gpt", OWN_A, OWN_B)
    shares = restored_by_place(found, STREAM, pairs, 0, found.A)
    right = question(app).options[[4, 5].index(int(np.nanargmax(shares[2])))]
    app = guess(app, right)
    assert "Right" in said(app)
    assert len(figures(app)) == 3


@pytest.mark.parametrize(
    "query",
    [
        {"a": "", "b": ""},
        {"a": "", "b": "x"},
        {"a": "x", "b": "", "kind": "one head's output", "layer": 0, "head": 9},
        {"a": "same", "b": "same", "unrelated": "true"},
        {"a": "早上好 👍🏽", "b": "<b>$a$ `c`</b> 早上", "unrelated": "true", "place": 99},
        {"a": "word " * 60, "b": "words " * 60, "kind": "feed-forward's output", "layer": 9},
    ],
    ids=lambda query: str(query)[:40],
)
def test_no_sentence_and_no_end_of_a_control_breaks_the_page(query):
    name = "char_gpt" if "word " * 60 in query["a"] else "word_gpt"
    app = open_lesson("patching", model=LABELS[name], **query)
    assert not app.exception
    if query["a"] == query["b"]:
        assert "there is nothing to move" in said(app)
        assert not figures(app)
