"""Contextual embeddings: the story and the lab show what core computes of each use, and say only what was found."""

import numpy as np
import pytest

from core.figures.pretraining.uses import what_was_measured
from core.lesson.choices.transformer_choice import LABELS
from core.lesson.choices.vector_sets import shared_vectors
from core.models.documents.held_out import wilson
from core.models.pretraining.uses import (
    SenseMeasure,
    Use,
    cosines,
    counted_context,
    interval,
    right_by_nearest,
    use_vectors,
    uses_of,
)
from core.models.self_attention.attentive_models import attentive_model
from core.text.samples.senses import SENSES
from core.text.tokenization.tokens import words
from pages.pretraining.words_in_context.page import LAYERS, ONE, OTHER, SAME_SENSE, WORD
from pages.pretraining.words_in_context.page import OWN as OWN_LINE
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    unpacked,
)

OWN = "The light of the moon was on the sea. We went home. Her bag was light, and she ran."


NAME = "words_in_context"
OPENED = {"pair": "true", "one_vector": "true", "right": "true"}


def opened(*arguments, **query):
    return open_lesson(NAME, *arguments, **OPENED, **query)


# The story.


@pytest.fixture(scope="module")
def story():
    """The cosines of the word's uses at each layer (6, 10, 10), and their senses, computed use by use."""
    uses = uses_of(WORD, SENSES)
    vectors = np.concatenate([use_vectors(attentive_model("word_masked"), [use]) for use in uses], axis=1)
    units = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.einsum("lic,ljc->lij", units, units), [use.sense for use in uses]


def right_by_hand(similarity, senses):
    """How many uses have one of their sense nearest; where several are equally near, their share counts."""
    total = 0.0
    for i in range(len(senses)):
        others = [j for j in range(len(senses)) if j != i]
        best = max(similarity[i, j] for j in others)
        near = [j for j in others if similarity[i, j] > best - 1e-6]
        total += np.mean([senses[j] == senses[i] for j in near])
    return total


def test_each_use_has_a_vector_of_its_own_and_it_waits_for_the_guess(story):
    points = picture(NAME, "vectors")["panels"][0]["points"]
    assert {(point["x"], point["y"]) for point in points} == {(points[0]["x"], points[0]["y"])}
    assert {point["hue"] for point in points} == {"grey"}, "no sense is drawn over the other"
    assert [point["text"] for point in points if point["text"]] == ["10 uses"]
    points = picture(NAME, "vectors", True)["panels"][0]["points"]
    assert len({(point["x"], point["y"]) for point in points}) == 10
    assert document(NAME, "vectors", True)["ask"]["answer"] == "ten"
    off = ~np.eye(10, dtype=bool)
    assert story[0][-1][off].max() < 0.999
    sides = [np.sign(point["x"]) for point in points]
    assert sides == [-1] * 5 + [1] * 5, "the two senses are on two sides"


def test_one_set_knows_the_animal_and_the_other_the_verb():
    glove, skipgram = (
        [each.word for each in shared_vectors(name).neighbours(WORD, 5)] for name in ("glove", "skipgram")
    )
    assert {"lion", "goose", "bears"} <= set(glove) and {"bestow", "endure", "inherit"} <= set(skipgram)


@pytest.mark.parametrize("layer", LAYERS)
def test_how_many_uses_are_right_after_a_layer_is_counted(story, layer):
    right = right_by_hand(story[0][LAYERS.index(layer)], story[1])
    told = document(NAME, "layers", layer=layer)["done"]
    if layer == "static":
        assert "all are one point" in told
    else:
        assert f"{in_words(right)}</strong> of 10" in told or f"{in_words(right)} of 10" in told


def test_the_cosines_and_their_means_are_computed_by_hand(story):
    similarity, senses = story[0][-1], np.array(story[1])
    same, upper = senses[:, None] == senses, np.triu(np.ones((10, 10), bool), 1)
    told = said_in(document(NAME, "cosine"))
    for value in (
        similarity[ONE, SAME_SENSE],
        similarity[ONE, OTHER],
        similarity[upper & same].mean(),
        similarity[upper & ~same].mean(),
    ):
        assert f"{value:.2f}" in told
    assert senses[ONE] == senses[SAME_SENSE] != senses[OTHER]
    assert similarity[upper & same].min() < similarity[upper & ~same].max(), "single pairs overlap"


def test_without_a_sentence_four_of_nine_are_left():
    assert document(NAME, "no_sentence", True)["ask"]["answer"] == "chance"
    assert f"makes {10 * 4 / 9:.1f} of 10" in said_in(document(NAME, "no_sentence", True))
    assert picture(NAME, "no_sentence")["panels"][0]["rows"][1]["text"] == "?"


def test_all_words_are_measured_as_in_the_lab():
    table = table_with(opened(), "counted context").set_index("word")
    rows = picture(NAME, "measured_all")["panels"][0]["rows"]
    shares = [
        table.loc["all", column] / 120
        for column in ("layer 4", "words on both sides", "mean static context", "counted context", "static")
    ]
    gpt = [
        right_by_nearest(
            cosines(use_vectors(attentive_model("word_gpt"), uses_of(word, SENSES))[-1]),
            [use.sense for use in uses_of(word, SENSES)],
        ).sum()
        for word in SENSES
    ]
    assert [row["to"] for row in rows] == pytest.approx([shares[0], sum(gpt) / 120, *shares[1:]])
    by_word = {row["name"]: row["to"] for row in picture(NAME, "each_word")["panels"][0]["rows"]}
    assert by_word == pytest.approx(table["layer 4"].drop("all").to_dict())
    low, _ = wilson(round(120 * shares[0]), 120)
    assert low > shares[1], "the model gets more out of the sentence than the words at its sides give"
    assert len(SENSES) == 12
    told = said_in(document(NAME, "answer"))
    assert (
        f"{shares[0]:.0%} of the uses of twelve words, and for {shares[-1]:.0%} without the sentence" in told
    )
    model = attentive_model("word_masked")
    assert [word for word in SENSES if len(model.encode(f" {word}").ids) == 2] == ["bank", "spring"]
    told = said_in(document(NAME, "each_word"))
    assert f"has {by_word['bank']:.0f}," in told and f"for spring, which has {by_word['spring']:.0f}." in told


def test_the_words_at_the_sides_are_compared_by_hand():
    """The nearest use shares most of: the word before, the word after; a draw decides among equals."""
    right = 0.0
    for word in SENSES:
        uses = uses_of(word, SENSES)
        sides = []
        for use in uses:
            tokens = ["", *words(use.sentence.lower()), ""]
            at = tokens.index(word)
            sides.append((tokens[at - 1], tokens[at + 1]))
        # one at an end has one word at its side: its cosine with a use of two is smaller
        n = [sum(map(bool, each)) for each in sides]
        similarity = np.array(
            [
                [
                    sum(a == b != "" for a, b in zip(one, other, strict=True)) / (n[i] * n[j]) ** 0.5
                    for j, other in enumerate(sides)
                ]
                for i, one in enumerate(sides)
            ]
        )
        right += right_by_hand(similarity, [use.sense for use in uses])
    row = next(
        row for row in picture(NAME, "measured_all")["panels"][0]["rows"] if row["mark"] == "row.sides"
    )
    assert row["to"] == pytest.approx(right / 120)
    assert f"{right / 120:.0%}" in said_in(document(NAME, "measured_all"))


@pytest.mark.parametrize("line", [OWN_LINE, "We had to bear the cold", "no such word"])
def test_an_own_use_stands_on_the_map_of_ours(line):
    ours = picture(NAME, "answer")["panels"][0]["points"]
    panel = picture(NAME, "own_use", line=line)["panels"][0]
    assert [(each["x"], each["y"]) for each in panel["points"][:10]] == [
        (each["x"], each["y"]) for each in ours
    ]
    line_drawn, star = panel["arrows"][0], panel["points"][-1]
    assert star["kind"] == "star" and line_drawn["from"] == [star["x"], star["y"]]
    near = next(each for each in ours if [each["x"], each["y"]] == line_drawn["to"])
    done = document(NAME, "own_use", line=line)["done"]
    assert "does not have" in done or f"{near['text']}</em>" in done


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("no such word", "does not have the word"),
        ("早上好 🦜", "does not have the word"),
        (OWN_LINE, "the sense <strong>an animal</strong>"),
        ("He had to bear much pain", "the sense <strong>to carry</strong>"),
    ],
)
def test_an_own_use_gets_a_sentence_that_fits_it(line, told):
    assert told in document(NAME, "own_use", line=line)["done"]


# The lab.


def in_words(right):
    return f"{right:.0f}" if abs(right - round(right)) < 1e-9 else f"{right:.1f}"


@pytest.mark.parametrize("name, word", [("word_masked", "rest"), ("word_gpt", "bank")])
def test_the_map_the_sentence_and_the_table_are_those_of_the_model_s_vectors(name, word):
    app = opened(model=LABELS[name], word=word)
    assert not app.exception
    uses = uses_of(word, SENSES)
    vectors, senses = use_vectors(attentive_model(name), uses), [use.sense for use in uses]
    right = [right_by_nearest(layer, senses).sum() for layer in cosines(vectors)]
    counted = right_by_nearest(cosines(counted_context(uses)), senses).sum()
    assert (
        f"At layer 4, {in_words(right[-1])} of 10 uses of “{word}” have a use of the same sense nearest"
        in said(app)
    )
    assert f"a random draw gets {in_words(right[0])} right on average" in said(app)
    assert f"Counting the words around it gets {in_words(counted)} right." in said(app)
    view = sent(app, "map")
    assert view["frames"] == ["static", *(f"layer {layer}" for layer in range(5))]
    places = unpacked(view["places"]).reshape(6, 10, 2)
    np.testing.assert_allclose(places[0], 0, atol=1e-6)  # one vector a word: one point
    assert len(np.unique(places[-1].round(4), axis=0)) == 10
    table = table_with(app, "same sense")
    assert len(table) == 45 and table["same sense"].sum() == 20
    similarity = cosines(vectors)[-1]
    np.testing.assert_allclose(table["layer 4"], similarity[np.triu_indices(10, 1)], atol=1e-6)
    same, apart = (table["layer 4"][table["same sense"] == each].mean() for each in (True, False))
    assert f"one sense have a mean cosine of {same:.2f}, two of different senses {apart:.2f}" in said(app)
    words_right = table_with(app, "counted context").set_index("word")
    assert words_right.loc[word, "layer 4"] == pytest.approx(right[-1])
    total, n = words_right.loc["all", "layer 4"], words_right.loc["all", "uses"]
    low, high = wilson(int(total), int(n))
    assert (
        f"{total:.0f} of {n} uses are right ({total / n:.0%}, 95% interval {low:.0%} to {high:.0%})"
        in said(app)
    )
    drawn = next(figure for figure in figures(app) if "right by the nearest use" in str(figure))
    assert len(drawn["data"]) == 4


def test_the_learner_s_uses_stand_on_the_map_and_are_told_their_nearest():
    typed = "A light was in the window of the tower"
    app = opened(OWN, own=typed, word="light")
    view = sent(app, "map")
    assert len(view["words"]) == 13
    assert [group["name"] for group in view["groups"]] == ["what shines", "of little weight", "your text"]
    uses = [*uses_of("light", SENSES), Use("light", typed)]
    similarity = cosines(use_vectors(attentive_model("word_masked"), uses))[-1, -1, :10]
    near = int(similarity.argmax())
    assert f"“{view['words'][near]}” ({uses[near].sense}), cosine {similarity[near]:.2f}" in said(app)
    assert "does not have the word" not in said(app)
    assert "At layer 4, 8 of 10 uses" in said(app)  # the learner's uses have no sense and are not counted
    app = opened("Nothing of it here.", own="no such word", word="light")
    assert "does not have the word “light”" in said(app) and "only ours are shown" in said(app)


def test_without_a_sentence_all_points_coincide_and_a_draw_is_left():
    app = opened(alone="true", word="light")
    assert not app.exception
    places = unpacked(sent(app, "map")["places"])
    np.testing.assert_allclose(places, 0, atol=1e-6)
    assert list(metrics(app).values()) == ["8.0", "4.4"]
    assert "a random draw gets 53.3 of 120 right on average" in said(
        app
    ) and "Each word has 4.4 of 10 right" in said(app)
    assert "the share of them that have it counts" in said(app)


def test_until_the_guess_neither_the_map_nor_the_cosines_are_sent():
    app = opened(predict="true", word="kind")
    assert "8" in question(app).options and "10" in question(app).options
    assert not any(table.value.columns[0] == "one" for table in app.dataframe)
    assert "of the same sense nearest. With" not in said(app)
    guess(app, "10")
    assert "Right." in said(app) and sent(app, "map")["words"]


def test_the_verdict_follows_the_interval():
    def measure(right, counted):
        per_word = [np.array([each]) for each in (100, counted, 50, 50)]
        layers = np.array([[44.0], [right]])
        return SenseMeasure(("a",), per_word[0], layers, *per_word[1:], np.zeros(2))

    assert "Even the interval's lower end is above all four" in what_was_measured(measure(90, 60), "layer 1")
    assert "too close to call" in what_was_measured(measure(60, 55), "layer 1")
    assert "are worse" in what_was_measured(measure(40, 60), "layer 1")
    np.testing.assert_allclose(interval(60, 80), wilson(60, 80), atol=1e-3)


@pytest.mark.parametrize(
    "query",
    [
        {"word": "light", "own": "早上好 light 👍🏽 <b>$a$ `c`</b>"},
        {"own": "word " * 60 + "bear"},
        {"own": "bear", "one": "gone", "other": "gone"},
        {"own": "Light", "word": "well", "alone": "true"},
    ],
    ids=str,
)
def test_no_sentence_breaks_the_page(query):
    assert not opened("", **query).exception
