"""The lesson on one space shows what core computes: a ranking, a batch's loss line by line, twins, names, breaks."""

import json
import math
import re
from io import BytesIO

import numpy as np
import pytest
import torch
from PIL import Image

from core.figures.images import one_space_words as words
from core.models.documents.held_out import wilson
from core.models.images.contrastive_loss import contrast, loss_at
from core.models.images.naming import PROMPTS, named
from core.models.images.one_space import NAME, stored_space
from core.models.images.retrieval import (
    MEASURED_PAIRS,
    picture_vectors,
    products_of,
    rank_scenes,
    recall,
    told_apart,
    twin_cosines,
)
from core.models.stored import load_card
from core.pictures.reading import read_picture
from core.pictures.scaling import scaled
from core.pictures.scenes_in_words import SAYINGS, alone, is_true
from pages.images.one_space import (
    LESSON,
    OWN_SENTENCE,
    SCENES,
    batch_of,
    open_line,
    pick,
    scenes_of,
    twins_of,
)
from tests.lessons.lesson_page import guess, metrics, mounted, open_lesson, said, table_with


def open_with(**query):
    return open_lesson("one_space", **query)


def in_figures(shown):
    """Return a number as Python reads it: 7.388·10¹² is 7.388e12."""
    mantissa, _, power = shown.replace(",", "").partition("·10")
    return f"{mantissa}e{power.translate(str.maketrans('⁰¹²³⁴⁵⁶⁷⁸⁹⁻', '0123456789-'))}" if power else mantissa


def sent_to(app, view):
    return [json.loads(each.json) for each in mounted(app) if each.component_name.endswith(f"attend_{view}")]


@pytest.mark.parametrize("form", SAYINGS)
def test_scenes_stand_in_the_order_of_their_cosine_with_the_sentence(form):
    app = open_with(scene="5", form=form)
    assert not app.exception
    model, scenes = stored_space(), scenes_of(1)
    sentence = SAYINGS[form](scenes[4].scene)
    ranking = rank_scenes(model, sentence, picture_vectors(model, scenes))
    shown = sent_to(app, "ranked_scenes")[0]["scenes"]
    assert [each["number"] for each in shown] == (ranking.order[: len(shown)] + 1).tolist()
    assert [each["true"] for each in shown] == [
        is_true(sentence, scenes[i].scene) for i in ranking.order[: len(shown)]
    ]
    assert all(each["chosen"] == (each["number"] == 5) for each in shown)
    assert f"scene {ranking.order[0] + 1} comes first" in said(app)
    table = table_with(app, "u · v")
    np.testing.assert_allclose(table["u · v"], np.sort(ranking.products)[::-1], atol=1e-6)


def test_a_sentence_of_the_learner_s_is_read_word_by_word_and_stays_out_of_the_address():
    app = open_with(whose="my own")
    assert f"“{OWN_SENTENCE}”" in said(app)
    app.text_input(key=LESSON.key("own")).set_value("A <b>purple</b> dog above $3").run()
    assert not app.exception
    assert "Read: purple above. The model has no such word, so it is left out: b, dog." in said(app)
    assert "is no scene's own sentence" in said(app)
    assert "dog" not in str(dict(app.query_params))
    app.text_input(key=LESSON.key("own")).set_value("").run()
    assert not app.exception and "Not one word is known" in said(app)


@pytest.mark.parametrize(("bag", "raw"), [(True, False), (False, True), (True, True)])
def test_a_break_counts_the_sentences_that_find_their_scene_before_and_after(bag, raw):
    app = open_with(bag=str(bag).lower(), raw=str(raw).lower())
    model, scenes = stored_space(), scenes_of(1)
    whole, broken = (recall(products_of(model, scenes, *how).T, 1) for how in ((), (not bag, not raw)))
    assert list(map(int, metrics(app).values())) == [whole, broken]
    assert broken < whole or not bag


@pytest.mark.parametrize(("shuffled", "near"), [(False, True), (True, True), (False, False)])
def test_the_batch_s_loss_is_the_mean_of_what_its_lines_say(shuffled, near):
    query = {"size": "4", "direction": "a sentence", "line": "2", "scale": "20.0"}
    app = open_with(**query, shuffled=str(shuffled).lower(), near=str(near).lower())
    assert not app.exception
    model = stored_space()
    scenes, sentences = batch_of(1, near, 4)
    u, v = picture_vectors(model, scenes), model.sentences(sentences)
    found = contrast(u, v.roll(-1, 0) if shuffled else v, 20.0)
    board = sent_to(app, "batch")[0]
    np.testing.assert_allclose(board["rows"], found.rows, atol=1e-5)
    np.testing.assert_allclose(board["columns"], found.columns, atol=1e-5)
    np.testing.assert_allclose([each["share"] for each in board["terms"]], found.by_sentence[:, 1], atol=1e-5)
    assert [each["right"] for each in board["terms"]] == [False, True, False, False]
    assert board["sum"].endswith(f"= {float(found.columns[1]):.4f}")
    own, total = re.fullmatch(r"−ln\(e\^(\S+) / (\S+)\) = .*", board["sum"]).groups()
    own, total = (float(each.replace("−", "-")) for each in (own, in_figures(total)))
    assert math.log(total) - own == pytest.approx(float(found.columns[1]), abs=2e-4)  # from the digits shown
    mean = (sum(board["rows"]) + sum(board["columns"])) / 8
    assert f"The loss is {mean:.4f}" in said(app) or mean == pytest.approx(float(found.loss), abs=1e-4)
    assert f"ln 4 = {math.log(4):.4f}; this loss is {'larger' if mean > math.log(4) else 'smaller'}" in said(
        app
    )
    if shuffled:
        assert mean > math.log(4)


def test_a_batch_with_twins_costs_more_than_one_drawn_apart():
    model = stored_space()
    losses = []
    for near in (True, False):
        scenes, sentences = batch_of(1, near, 10)
        losses.append(
            float(
                contrast(picture_vectors(model, scenes), model.sentences(sentences), model.network.scale).loss
            )
        )
    assert losses[0] > losses[1]


def test_the_sentence_on_temperature_names_the_least_of_the_losses_drawn():
    app = open_with(scale="1.0")
    model = stored_space()
    scenes, sentences = batch_of(1, True, 6)
    products = picture_vectors(model, scenes) @ model.sentences(sentences).T
    at_learned, at_one = (loss_at(products, scale) for scale in (model.network.scale.item(), 1.0))
    assert (
        f"there this batch's loss is {at_learned:.4f}; at exp(t) = 1, the cosines as they are, it is {at_one:.4f}"
        in (said(app))
    )


@pytest.mark.parametrize("change", ["mirrored", "recoloured"])
@pytest.mark.parametrize("bag", [False, True])
def test_twins_are_told_apart_or_not_as_their_four_cosines_say(change, bag):
    app = open_with(twin=change, pair="2", bag=str(bag).lower())
    assert not app.exception
    pair = twins_of(1, False, change)[1]
    cosines = twin_cosines(stored_space(), [pair], not bag)[0]
    assert words.twins_said(cosines) in said(app)
    assert all(f"“{sentence}”" in said(app) for sentence in pair.sentences)
    if bag and sorted(pair.sentences[0].split()) == sorted(pair.sentences[1].split()):
        torch.testing.assert_close(cosines[:, 0], cosines[:, 1])


def test_names_are_sentences_and_the_learner_s_own_are_taken_instead():
    app = open_with(alone="4")
    picture, kind = alone(3)
    found = named(stored_space(), picture)
    table = table_with(app, "cosine").set_index("sentence")["p"]
    assert table.to_dict() == pytest.approx(
        dict(zip(PROMPTS, found.probabilities.tolist(), strict=True)), abs=1e-6
    )
    assert ("That is right" in said(app)) == (found.name == f"a {kind}")
    app.text_area(key=LESSON.key("lines")).set_value("a red ring\n\na <i>blue</i> ring\na red ring").run()
    assert not app.exception
    assert "Of 2 sentences" in said(app) and "That is right" not in said(app)


def png(colour):
    content = BytesIO()
    Image.new("RGB", (40, 24), colour).save(content, "PNG")
    return content.getvalue()


def test_the_learner_s_picture_is_named_as_the_model_sees_it():
    app = (
        open_with()
        .file_uploader(key=LESSON.key("file"))
        .upload("x.png", png((30, 90, 220)), "image/png")
        .run()
    )
    assert not app.exception
    found = named(stored_space(), scaled(read_picture(png((30, 90, 220))), 32))
    table = table_with(app, "cosine")
    assert table["sentence"][0] == found.name
    assert "has only ever seen scenes drawn by this course" in said(app)


def test_a_prediction_hides_the_order_and_every_cosine():
    app = open_with(predict="true", scene="3", form="one group alone")
    shown = sent_to(app, "ranked_scenes")[0]["scenes"]
    assert len(shown) == 4 and not any(each["line"] or each["true"] for each in shown)
    assert [each["number"] for each in shown] == sorted(each["number"] for each in shown)
    assert "comes first for this sentence" not in said(app)
    guess(app)
    assert "comes first for this sentence" in said(app)


def test_a_press_takes_a_scene_s_caption_and_a_line_is_opened(monkeypatch):
    kept = {}
    monkeypatch.setattr(type(LESSON), "set_state", lambda self, name, value: kept.update({name: value}))
    pick({"number": 7})
    open_line({"column": True, "chosen": 2})
    assert kept == {"scene": 7, "whose": "a scene's", "form": "caption", "direction": "a sentence", "line": 3}


def test_combinations_never_seen_have_scenes_of_their_own():
    assert all(each.scene.unseen for each in scenes_of(1, True))
    assert not any(each.scene.unseen for each in scenes_of(1))
    assert len(scenes_of(2)) == SCENES
    for one, other in zip(scenes_of(2)[::2], scenes_of(2)[1::2], strict=True):
        assert (one.scene.first.words, one.scene.second.words) in (
            (other.scene.first.words, other.scene.second.words),
            (other.scene.second.words, other.scene.first.words),
        )
    assert not open_with(unseen="true", scene="60", seed="50").exception


def test_what_is_measured_says_its_intervals():
    card = load_card(NAME)
    table = words.measures_table(card)
    assert len(table) == 4
    app = open_with()
    assert words.order_said(card) in said(app) and words.measures_said(card) in said(app)
    for what, n in (
        ("told apart, mirrored", MEASURED_PAIRS),
        ("named by a sentence, one shape alone", card.corpus["held_out_pictures"]),
    ):
        interval = [card.quality[f"{what}, 95% {end}"] for end in ("from", "to")]
        assert interval == pytest.approx(wilson(round(card.quality[what] * n), n))


@pytest.mark.parametrize("change", ["mirrored", "recoloured"])
def test_twins_say_the_same_words_so_that_a_bag_of_them_never_tells_them_apart(change):
    pairs = twins_of(1, False, change)
    assert all(
        sorted(one.split()) == sorted(other.split()) for one, other in (each.sentences for each in pairs)
    )
    assert not told_apart(twin_cosines(stored_space(), pairs, False)).any()
