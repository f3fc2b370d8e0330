"""The lesson on captions says and draws what both captioners write: of our scenes, a built one, the learner's picture."""

import base64
import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.figures.images.caption_words import (
    agreed,
    apart,
    background,
    kinds_apart,
    largest_drop,
    of_groups,
    should_be,
    verdict,
)
from core.figures.worked import percent
from core.lesson.cached import PRIVATE
from core.lesson.footer import NUMBERS
from core.models.generation.sampling import Settings
from core.models.images.group_attention import patches_in, share_on
from core.models.images.held_out_scenes import KINDS, held_out_scene, held_out_scenes, right_to_the_word
from core.models.images.occluded_picture import painted_over, word_drops
from core.models.images.stored_captioner import stored_captioner
from core.models.images.written_caption import first_wrong, looked_at, write_caption
from core.models.stored import load_card
from core.pictures.described_scenes import UNSEEN, Group, built_scene, empty_picture, scene_picture
from core.pictures.reading import read_picture
from core.pictures.scaling import scaled
from pages.images.captions import DECODERS, DRAWS, LESSON, MEASURED, SOURCES, asked
from tests.lessons.lesson_page import guess, metrics, mounted, open_lesson, said, table_with

NETWORKS = {decoder: stored_captioner(name).network for decoder, name in DECODERS.items()}


def open_with(**query):
    app = open_lesson("captions", timeout=400, **query)
    assert not app.exception
    return app


def boards(app):
    return [json.loads(each.json) for each in mounted(app) if each.component_name.endswith("attend_captions")]


def numbers(packed, N=64):
    return np.frombuffer(base64.b64decode(packed), "<f4").reshape(-1, N)


def pixels(board):
    return (
        np.frombuffer(base64.b64decode(board["pixels"]), np.uint8).reshape(32, 32, 3).transpose(2, 0, 1) / 255
    )


def captions_of(picture, settings=None, seed=1):
    settings = settings or Settings(temperature=0.0)
    return {each: write_caption(network, picture, settings, seed) for each, network in NETWORKS.items()}


@pytest.mark.parametrize("source", ["held out", "never seen together"])
def test_what_is_drawn_and_said_is_what_the_captioners_wrote(source):
    app = open_with(source=source, number="5", look="block 1, head 2", hidden="10 99", below=NUMBERS)
    scene, picture = held_out_scene(SOURCES[source], 4)
    given = painted_over(picture, [9])
    attention, drops = boards(app)
    np.testing.assert_allclose(pixels(attention), given, atol=0.51 / 255)
    assert attention["hidden"] == [9]
    captions = captions_of(given)
    for i, (decoder, written) in enumerate(captions.items()):
        column = attention["columns"][i]
        assert column["words"] == list(written.words)
        assert column["wrong"] == first_wrong(written, scene.caption)
        look = looked_at(written, "block 1, head 2")
        np.testing.assert_allclose(numbers(column["values"]), look, atol=1e-5)
        expected = word_drops(NETWORKS[decoder], given, written.ids)
        np.testing.assert_allclose(numbers(drops["columns"][i]["values"]), expected, atol=1e-5)
        first = column["likeliest"][0][0]
        assert first[1] == pytest.approx(written.p[0], abs=1e-4) and first[0] == written.words[0]
        assert f"writes “{written.caption}” (p = {percent(np.prod(written.p))})" in said(app)
    right = sum(first_wrong(written, scene.caption) < 0 for written in captions.values())
    assert said(app).count(": right to the word.") == right
    assert ("Never seen in training" in said(app)) == scene.unseen
    assert (
        any(" ".join(each) in said(app) for each in scene.combinations if each in UNSEEN) or not scene.unseen
    )
    words = table_with(app, "logit z")
    p = words[words["written"] & (words["decoder"] == "recurrent")]["p"]
    assert p.tolist() == pytest.approx(captions["recurrent"].p, abs=1e-5)
    assert words.groupby(["decoder", "step"])["p"].sum().tolist() == pytest.approx(
        [1] * len(set(zip(words["decoder"], words["step"], strict=True)))
    )


def test_a_built_scene_is_described_and_two_groups_of_one_kind_are_refused():
    groups = {"first_number": "three", "first_colour": "green", "first_shape": "ring"}
    other = {"second_number": "a", "second_colour": "yellow", "second_shape": "triangle"}
    app = open_with(source="built", relation="right of", number="3", **groups, **other)
    scene = built_scene(Group(3, "green", "ring"), "right of", Group(1, "yellow", "triangle"), 3)
    assert f"The scene: **{scene.caption}**" in said(app)
    assert scene.caption == "three green rings right of a yellow triangle"
    np.testing.assert_allclose(pixels(boards(app)[0]), scene_picture(scene, 3), atol=0.51 / 255)
    same = {"second_number": "a", "second_colour": "green", "second_shape": "ring"}
    assert "of one kind" in said(open_with(source="built", **groups, **same))


def test_without_an_image_both_see_the_ground_alone_and_few_scenes_are_right():
    app = open_with(blind="true", number="2", hidden="4")
    np.testing.assert_allclose(pixels(boards(app)[0]), empty_picture(), atol=0.51 / 255)
    assert boards(app)[0]["hidden"] == []
    scenes = held_out_scenes(KINDS[0], MEASURED)
    right = [
        int(right_to_the_word(stored_captioner(DECODERS["transformer"]), scenes, blind).sum())
        for blind in (False, True)
    ]
    assert list(map(int, metrics(app).values())) == right
    assert right[1] < right[0] / 10
    for written in captions_of(empty_picture()).values():
        assert f"writes “{written.caption}”" in said(app)


def test_of_a_caption_without_an_end_it_is_said_that_it_was_stopped():
    for name, network in NETWORKS.items():
        for picture in (empty_picture(), held_out_scene(KINDS[0], 0)[1]):
            written = write_caption(network, picture)
            stopped = f"and no `<end>`; it was stopped after {len(written.ids)} words"
            assert (stopped in verdict(name, written, "")) == ("<end>" not in written.words)
    assert said(open_with(blind="true")).count("and no `<end>`; it was stopped after 12 words") >= 2


def test_no_patch_is_needed_where_painting_over_changes_nothing():
    for network in NETWORKS.values():
        written = write_caption(network, empty_picture())
        drops = word_drops(network, empty_picture(), written.ids)
        first = np.eye(64)[
            [0] * len(written.ids)
        ]  # all attention on the patch that argmax names where all are alike
        assert agreed(written, first, drops) == f"for 0 of {len(written.ids)} words"
        assert largest_drop(written, drops) == "none"


def test_attention_on_a_group_is_set_beside_what_even_attention_would_put_there():
    scene, picture = held_out_scene(KINDS[0], 0)
    written = write_caption(NETWORKS["transformer"], picture)
    T = len(written.ids)
    assert first_wrong(written, scene.caption) < 0
    even = of_groups(scene, written, np.full((T, 64), 1 / 64)).replace(": ", " ").split()
    one, even_one, before, other, even_other = [each.strip(").;") for each in even if "%" in each]
    assert one == even_one and before == other == even_other
    there = np.zeros((T, 64))
    there[3, patches_in(scene.second_cells, 8)[0]] = 1  # before word 4, the relation, and nowhere else
    assert f"before “{written.words[3]}”, 100.0% lies on the second's" in of_groups(scene, written, there)
    assert of_groups(scene, write_caption(NETWORKS["transformer"], empty_picture()), there) == ""


def test_before_the_relation_the_recurrent_decoder_looks_for_the_second_group():
    """It is what its look, which has read the word before, is for: on most scenes most attention lies there."""
    ahead, even = [], []
    for number in range(40):
        scene, picture = held_out_scene(KINDS[0], number)
        looked = write_caption(NETWORKS["recurrent"], picture).weights[0, 0]
        ahead.append(share_on(looked, scene.second_cells, [3]))
        even.append(len(patches_in(scene.second_cells, 8)) / 64)
    assert np.median(ahead) > 0.5 > 2 * np.median(even)


def test_the_largest_drop_and_how_the_kinds_differ_are_what_the_numbers_say():
    picture = held_out_scene(KINDS[0], 0)[1]
    written = write_caption(NETWORKS["recurrent"], picture)
    drops = word_drops(NETWORKS["recurrent"], picture, written.ids)
    word, _ = np.unravel_index(drops.argmax(), drops.shape)
    assert largest_drop(written, drops) == f"{drops.max():.4f}, at “{written.words[word].strip('<>')}”"
    said_of = kinds_apart({each: load_card(name) for each, name in DECODERS.items()})
    for each, name in DECODERS.items():
        quality = load_card(name).quality
        apart = (
            quality[f"right to the word, {KINDS[0]}, 95% from"]
            > quality[f"right to the word, {KINDS[1]}, 95% to"]
        )
        assert f"{each} decoder's" in said_of or f"the {each}'s" in said_of
        assert ("lie apart" if apart else "overlap") in said_of.split(" and ")[list(DECODERS).index(each)]


def test_where_the_two_are_compared_it_is_said_that_they_learnt_from_unequally_many_pictures():
    one, other = (load_card(name) for name in DECODERS.values())
    unlike = "They have not learnt from equally many pictures."
    assert one.corpus["training_pictures"] != other.corpus["training_pictures"]
    assert unlike in said(open_with())
    assert unlike not in apart(one, one)


def test_without_an_image_neither_writes_a_sentence_and_the_tour_does_not_say_that_it_reads_well():
    for written in captions_of(empty_picture()).values():
        assert " above " not in written.caption and " of " not in written.caption
    tour = Path("pages/images/captions.md").read_text(encoding="utf-8").partition("## No image")[2]
    assert "reads well" not in tour and "No picture in training was empty" in tour


def test_in_the_tour_the_sentence_on_the_groups_begins_with_a_capital():
    assert "the squares go over the picture. While it names the first group" in said(
        open_with(beat="captions.2")
    )


def test_what_each_captioner_has_learnt_from_is_its_own_card_s():
    cards = {each: load_card(name) for each, name in DECODERS.items()}
    steps = {each: [card.config[leg] for leg in ("fit", "again")] for each, card in cards.items()}
    pictures = {each: sum(leg["steps"] * leg["batch"] for leg in legs) for each, legs in steps.items()}
    learnt = f"the recurrent decoder from {pictures['recurrent']:,}, the transformer from {pictures['transformer']:,}."
    assert learnt in background(cards)
    assert learnt in said(open_with(number="3"))


def test_drawn_captions_are_counted_and_the_settings_are_those_of_the_picture_too():
    app = open_with(temperature="3.0", top_k="6", seed="7", draws="true")
    picture = held_out_scene(KINDS[0], 0)[1]
    settings = Settings(3.0, 6)
    assert boards(app)[0]["columns"][0]["words"] == list(captions_of(picture, settings, 7)["recurrent"].words)
    for decoder, network in NETWORKS.items():
        made = [write_caption(network, picture, settings, 7 + i).caption for i in range(DRAWS)]
        assert f"**{decoder.capitalize()}**: {len(set(made))} different" in said(app)
        tables = [each.value for each in app.dataframe if list(each.value) == ["caption", "drawn"]]
        assert any(dict(each.values) == {one: made.count(one) for one in made} for each in tables)


def test_a_prediction_hides_what_was_measured():
    app = open_with(predict="true", below=NUMBERS)
    share = percent(load_card(DECODERS["transformer"]).quality[f"right to the word, {KINDS[1]}"])
    assert share not in said(app) and not app.get("plotly_chart")
    guess(app)
    assert share in said(app) and app.get("plotly_chart")
    table = table_with(app, "right")
    assert table["share"].tolist() == pytest.approx(
        [
            load_card(name).quality[f"right to the word, {kind}"]
            for name in DECODERS.values()
            for kind in KINDS
        ]
    )


def test_of_the_learner_s_picture_no_truth_is_claimed():
    content = BytesIO()
    Image.new("RGB", (40, 24), (200, 40, 30)).save(content, "PNG")
    app = open_with()
    app = (
        app.file_uploader(key=LESSON.key("file"))
        .upload("x.png", content.getvalue(), "image/png")
        .run(timeout=400)
    )
    assert not app.exception
    assert asked.__wrapped__ in app.session_state[PRIVATE]  # and not with what all sessions share
    own = scaled(read_picture(content.getvalue()), 32)
    np.testing.assert_allclose(pixels(boards(app)[0]), own, atol=0.51 / 255)
    assert (
        "nobody has measured" in said(app)
        and "right to the word." not in said(app).split("Combinations")[0][:900]
    )
    assert all(column["wrong"] == -1 for column in boards(app)[0]["columns"])
    assert "No picture of yours is here" in said(open_with(mine="true"))


def test_what_should_stand_where_a_caption_goes_wrong_is_said():
    picture = held_out_scene(KINDS[0], 0)[1]
    written = write_caption(NETWORKS["transformer"], picture)
    words = written.caption.split()
    other = " ".join(["three" if words[0] != "three" else "two", *words[1:]])
    assert should_be(written, other, first_wrong(written, other)) == f"word 1 should be “{other.split()[0]}”"
    longer = f"{written.caption} above"
    assert should_be(written, longer, first_wrong(written, longer)) == "“above” should follow"
    shorter = " ".join(words[:-1])
    assert (
        should_be(written, shorter, first_wrong(written, shorter))
        == f"it should end after word {len(words) - 1}"
    )
