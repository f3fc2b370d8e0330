"""The lesson on one space shows what core computes: a ranking, a batch's loss line by line, twins, names, breaks."""

import json
import math
import re
from io import BytesIO

import numpy as np
import pytest
import torch
from PIL import Image

from core.figures.images.one_space import measures_table
from core.models.documents.held_out import wilson
from core.models.images.contrastive_loss import contrast, loss_at
from core.models.images.naming import PROMPTS, score_sentences
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
from core.pictures.scenes_in_words import SAYINGS, alone, drawn_sentence, is_true, learned_pair
from core.words.numbers import percent, signed
from pages.images.one_space import LESSON
from pages.images.one_space.page import (
    ALONE,
    EXAMPLES,
    FORMS,
    LAB,
    NUMBER,
    PAIR,
    PAIRS,
    SCALES,
    SCENES,
    STORY_SCALES,
    batch_of,
    open_line,
    pick,
    scenes_of,
    sentences_of,
    training_products,
    twins_of,
)
from tests.lessons.lesson_page import (
    document,
    guess,
    metrics,
    mounted,
    numbers,
    open_lesson,
    picture,
    said,
    said_in,
    table_with,
)

NEVER = "combination never seen"
OPENED = {"a_batch": "true", "same_words": "true", "no_classes": "true", "how_often": "true"}


def open_with(**query):
    return open_lesson("one_space", **{**OPENED, **query})


def in_figures(shown):
    """Return a number as Python reads it: 7.388·10¹² is 7.388e12."""
    mantissa, _, power = shown.replace(",", "").partition("·10")
    return f"{mantissa}e{power.translate(str.maketrans('⁰¹²³⁴⁵⁶⁷⁸⁹⁻', '0123456789-'))}" if power else mantissa


def sent_to(app, view):
    return [json.loads(each.json) for each in mounted(app) if each.component_name.endswith(f"attend_{view}")]


@pytest.mark.parametrize("form", FORMS)
def test_scenes_stand_in_the_order_of_their_cosine_with_the_sentence(form):
    app = open_with(scene="5", form=form)
    assert not app.exception
    model, scenes = stored_space(), scenes_of(1)
    sentence = SAYINGS[FORMS[form]](scenes[4].scene)
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
    app = open_with(whose="mine")
    assert f"“{EXAMPLES[0]}”" in said(app)
    app.text_input(key=LESSON.key("own")).set_value("A <b>purple</b> dog above $3").run()
    assert not app.exception
    assert "Read: purple above. The model has no such word and leaves it out: b, dog." in said(app)
    assert "It is the sentence of none of these scenes" in said(app)
    assert "dog" not in str(dict(app.query_params))
    app.text_input(key=LESSON.key("own")).set_value("").run()
    assert not app.exception and "No word is known" in said(app)


@pytest.mark.parametrize(("bag", "raw"), [(True, False), (False, True), (True, True)])
def test_a_break_counts_the_sentences_that_find_their_scene_before_and_after(bag, raw):
    app = open_with(bag=str(bag).lower(), raw=str(raw).lower())
    model, scenes = stored_space(), scenes_of(1)
    whole, broken = (recall(products_of(model, scenes, *how).T, 1) for how in ((), (not bag, not raw)))
    assert list(map(int, metrics(app).values())) == [whole, broken]
    assert broken < whole or not bag


@pytest.mark.parametrize(("shuffled", "near"), [(False, True), (True, True), (False, False)])
def test_the_batch_s_loss_is_the_mean_of_what_its_lines_say(shuffled, near):
    query = {"size": "4", "direction": "sentence", "line": "2", "scale": "20.0"}
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
    larger = "larger" if mean > math.log(4) else "smaller"
    assert f"ln 4 = {math.log(4):.4f}; this loss is {larger}" in said(app)
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
    assert f"There this batch's loss is {at_learned:.4f}; at exp(t) = 1 it is {at_one:.4f}." in said(app)
    losses = [loss_at(products, scale) for scale in SCALES]
    least = f"lowest at exp(t) = {SCALES[int(np.argmin(losses))]:.3g}, the end of the line: {min(losses):.4f}"
    assert least in said(app)


@pytest.mark.parametrize("change", ["mirrored", "recoloured"])
@pytest.mark.parametrize("bag", [False, True])
def test_twins_are_told_apart_or_not_as_their_four_cosines_say(change, bag):
    app = open_with(twin=change, pair="2", bag=str(bag).lower())
    assert not app.exception
    pair = twins_of(1, False, change)[1]
    cosines = twin_cosines(stored_space(), [pair], not bag)[0]
    for j, name in enumerate(("first", "second")):
        own, other = float(cosines[j, j]), float(cosines[1 - j, j])
        how = "equally near to both images" if abs(own - other) <= 1e-5 else None
        how = how or ("nearer to its own image" if own > other else "nearer to the other image")
        assert f"The {name} sentence is {how} ({signed(own, 3)} against {signed(other, 3)})" in said(app)
    assert all(f"“{sentence}”" in said(app) for sentence in pair.sentences)
    if bag and sorted(pair.sentences[0].split()) == sorted(pair.sentences[1].split()):
        torch.testing.assert_close(cosines[:, 0], cosines[:, 1])


def test_names_are_sentences_and_the_learner_s_own_are_taken_instead():
    app = open_with(alone="4")
    picture, kind = alone(3)
    found = score_sentences(stored_space(), picture)
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
    found = score_sentences(stored_space(), scaled(read_picture(png((30, 90, 220))), 32))
    table = table_with(app, "cosine")
    assert table["sentence"][0] == found.name
    assert "knows only scenes drawn by this course" in said(app)


def test_a_prediction_hides_the_order_and_every_cosine():
    app = open_with(predict="true", scene="3", form="part")
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
    assert kept == {"scene": 7, "whose": "scene", "form": "caption", "direction": "sentence", "line": 3}


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
    assert len(measures_table(card)) == 4
    app = open_with()
    assert "Guessing finds it first once in 1,000" in said(app)
    for change in ("mirrored", "recoloured"):
        share, low, high = (
            percent(card.quality[f"told apart, {change}{end}"]) for end in ("", ", 95% from", ", 95% to")
        )
        assert f"**{share}** (95%: {low} to {high})" in said(app)
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


def test_lines_that_hold_nothing_or_stand_twice_are_no_names():
    assert sentences_of(" a ring\n\na ring\na cross\n", 2) == ["a ring", "a cross"]
    assert sentences_of("a\nb\nc", 2) == ["a", "b"]


# The story.


@pytest.fixture(scope="module")
def story():
    model, scenes = stored_space(), scenes_of(1)
    return model, scenes, picture_vectors(model, scenes)


@pytest.mark.parametrize("form", FORMS)
def test_the_story_ranks_scenes_by_what_the_sentence_says_and_counts_those_it_is_true_of(story, form):
    model, scenes, u = story
    sentence = SAYINGS[FORMS[form]](scenes[NUMBER - 1].scene)
    ranking = rank_scenes(model, sentence, u)
    true = [is_true(sentence, each.scene) for each in scenes]
    told = document("one_space", "say_less", form=form)
    shown = told["picture"]["data"]
    assert [each["number"] for each in shown["scenes"]] == (ranking.order[:6] + 1).tolist()
    assert [each["true"] for each in shown["scenes"]] == [true[i] for i in ranking.order[:6]]
    n = sum(true)
    among = sum(true[i] for i in ranking.order[:n])
    done = str(told["done"]).replace("<strong>", "").replace("</strong>", "")
    assert f"true of {n} image" in done and f"{among} of {n}" in done and sentence in done


def test_the_first_scene_is_the_right_one_and_the_next_its_mirror_image(story):
    model, scenes, u = story
    ranking = rank_scenes(model, scenes[NUMBER - 1].scene.caption, u)
    first, second = ranking.order[:2]
    assert first == NUMBER - 1 and {first, second} == {8, 9}
    words = said_in(document("one_space", "search"))
    assert f"{ranking.products[first]:.2f}" in words and f"{ranking.products[second]:.2f}" in words
    assert "comes first" in words and scenes[second].scene.caption in words


def test_the_two_vectors_have_length_one_and_their_dot_product_is_the_cosine(story):
    model, scenes, u = story
    v = model.sentences([scenes[NUMBER - 1].scene.caption])[0]
    nodes = {each["key"]: each for each in picture("one_space", "encoders")["nodes"]}
    image = u[NUMBER - 1]
    assert float(image.norm()) == pytest.approx(1, abs=1e-5)
    assert float(v.norm()) == pytest.approx(1, abs=1e-5)
    assert nodes["cosine"]["title"].endswith(f"{float(image @ v):.2f}")
    for key, vector in (("u", image), ("v", v)):
        assert [each["text"] for each in nodes[key]["cells"]] == [
            *(signed(float(x), 2) for x in vector[:3]),
            "…",
        ]


def test_mixed_up_pairs_cost_more_than_guessing_and_the_answer_waits(story):
    model = story[0]
    batch, sentences = batch_of(1, True, PAIRS)
    u, v = picture_vectors(model, batch), model.sentences(sentences)
    whole, mixed = (contrast(u, each, model.network.scale.item()) for each in (v, v.roll(-1, 0)))
    asked, told = document("one_space", "mixed_up"), document("one_space", "mixed_up", True)
    np.testing.assert_allclose(asked["picture"]["data"]["products"], whole.products, atol=1e-6)
    moved = told["picture"][
        "data"
    ]  # the matrix is the same; the frames and their losses are the mixed pairs'
    np.testing.assert_allclose(moved["products"], whole.products, atol=1e-6)
    assert moved["partners"] == [1, 2, 3, 4, 5, 0]
    np.testing.assert_allclose(moved["rows"], mixed.rows, atol=1e-6)
    by_caption = dict(zip(sentences[1:] + sentences[:1], mixed.columns, strict=True))
    np.testing.assert_allclose(moved["columns"], [by_caption[each] for each in sentences], atol=1e-6)
    assert told["ask"]["answer"] == "higher" and float(mixed.loss) > math.log(PAIRS) > float(whole.loss)
    assert f"{float(mixed.loss):.1f}" in said_in(told) and f"{math.log(PAIRS):.2f}" in said_in(told)
    shown = document("one_space", "batch")
    own, near = (percent(float(whole.by_picture[5, j]), 2) for j in (5, 4))
    assert f"its own caption {own}. Caption 5 has the same words and gets {near}." in said_in(shown)
    assert sorted(sentences[5].split()) == sorted(sentences[4].split())
    assert len(shown["picture"]["data"]["terms"]) == PAIRS


def test_in_a_large_batch_the_loss_rises_again_and_in_the_small_one_it_falls():
    traces = picture("one_space", "sharpness")["figure"]["data"]
    small, large = (np.array(numbers(each["y"])) for each in traces)
    assert (np.diff(small) <= 0).all() and small[-1] < 1e-6 < small[0]
    learned = stored_space().network.scale.item()
    assert (
        0 < large.argmin() < len(large) - 1 and large[-1] > large.min() + 0.1
    )  # of 0.6, the height of the figure
    assert 0.7 < STORY_SCALES[large.argmin()] / learned < 1.4  # "near this minimum"
    assert np.interp(learned, STORY_SCALES, large) < 1.05 * large.min()
    assert "The learned scale is near this minimum" in said_in(document("one_space", "sharpness"))


def test_the_lab_begins_at_the_learned_scale():
    slider = next(each for each in LAB if getattr(each, "name", "") == "scale")
    assert slider.default == round(stored_space().network.scale.item(), 1)


def test_the_large_batches_are_those_of_training_and_some_sentences_are_true_of_two_images():
    card, rng = load_card(NAME), np.random.default_rng(0)
    config, n = card.config, card.corpus["training_pictures"]
    B = config["fit"]["batch"]
    pairs = [learned_pair(i, n) for i in range(B // 2)]
    scenes = list({each.scene.caption: each for pair in pairs for each in pair}.values())
    sentences = [drawn_sentence(each.scene, rng, config["open"]) for each in scenes]
    true = [sum(is_true(sentence, each.scene) for each in scenes) for sentence in sentences]
    assert min(true) == 1 < max(true)
    products = picture_vectors(stored_space(), scenes) @ stored_space().sentences(sentences).T
    torch.testing.assert_close(training_products()[0], products)


@pytest.mark.parametrize("off", [True, False])
def test_without_word_order_both_captions_are_one_vector(off):
    pair = twins_of(1, False, "mirrored")[PAIR]
    cosines = twin_cosines(stored_space(), [pair], not off)[0]
    shown = document("one_space", "word_bag", no_order=str(off).lower())
    lines = [(each["name"], each["line"]) for each in shown["picture"]["data"]["scenes"]]
    for i, (name, line) in enumerate(lines):
        assert name.endswith(signed(float(cosines[i, 0]), 2)) and line.endswith(
            signed(float(cosines[i, 1]), 2)
        )
        assert (name[-4:] == line[-4:]) == off
    assert sorted(pair.sentences[0].split()) == sorted(pair.sentences[1].split())


def test_the_captions_of_the_twins_are_nearer_to_their_own_images_and_wait_for_the_guess():
    pair = twins_of(1, False, "mirrored")[PAIR]
    assert told_apart(twin_cosines(stored_space(), [pair])).all()
    asked, told = picture("one_space", "order"), document("one_space", "order", True)
    assert all(each["line"] == "?" for each in asked["scenes"]) and told["ask"]["answer"] == "both"
    assert f"in {percent(load_card(NAME).quality['told apart, mirrored'], 0)}. Guessing" in said_in(told)


def test_the_first_name_of_the_story_is_right_and_its_share_is_the_card_s():
    image, kind = alone(ALONE)
    found = score_sentences(stored_space(), image)
    asked, told = document("one_space", "names"), document("one_space", "names", True)
    assert found.name == f"a {kind}" and f"{found.name}, with" in said_in(told) and ": right" in said_in(told)
    assert percent(load_card(NAME).quality["named by a sentence, one shape alone"]) in said_in(told)
    assert told["ask"]["answer"] == "all" and asked["picture"]["view"] == "ranked_scenes"
    rows = told["picture"]["data"]["panels"][0]["rows"]
    assert rows[0]["to"] == pytest.approx(float(found.probabilities.max()), abs=1e-6)


def test_the_colour_is_always_named_right_and_nearly_all_errors_are_circles():
    model, n = stored_space(), load_card(NAME).corpus["held_out_pictures"]
    pictures, kinds = zip(*(alone(seed) for seed in range(n)), strict=True)
    nearest = (model.pictures(np.stack(pictures)) @ model.sentences(list(PROMPTS)).T).argmax(1)
    pairs = [(kind.split(), PROMPTS[k].split()[1:]) for kind, k in zip(kinds, nearest, strict=True)]
    assert all(kind[0] == name[0] for kind, name in pairs)
    wrong = [(kind[1], name[1]) for kind, name in pairs if kind != name]
    circles = [name for kind, name in wrong if kind == "circle"]
    assert len(circles) > 0.85 * len(wrong) and set(circles) == {"cross", "square"}
    share = np.mean([kind == name for kind, name in pairs])
    assert share == pytest.approx(load_card(NAME).quality["named by a sentence, one shape alone"])


def test_the_right_image_is_found_as_often_as_the_card_says_and_training_had_all_held_out_captions():
    quality, corpus = load_card(NAME).quality, load_card(NAME).corpus
    found, new = (
        percent(quality[f"sentence to picture, recall@1, {which}"]) for which in ("held out", NEVER)
    )
    assert f"for {found} of the captions, and for {new} if training never had" in said_in(
        document("one_space", "answer")
    )
    measured = document("one_space", "search")["measured"]
    assert f"comes first for {found} of the captions" in measured and "1.3 million in all" in measured
    assert (
        corpus["held_out_captions_in_training"] == 1000 and "Training had all of these captions" in measured
    )
