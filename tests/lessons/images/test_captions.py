"""The lesson on captions shows what both captioners write: of the story's scenes, a built one, the learner's picture."""

import base64
import json
from io import BytesIO

import numpy as np
import pytest
import torch
from PIL import Image

from core.lesson.cached import PRIVATE
from core.lesson.footer import NUMBERS
from core.models.generation.sampling import SamplingSettings
from core.models.images.captioner import ids_of
from core.models.images.group_attention import patches_in, share_on
from core.models.images.held_out_scenes import (
    HELD_OUT,
    KINDS,
    held_out_scene,
    held_out_scenes,
    right_to_the_word,
)
from core.models.images.occluded_picture import painted_over, word_drops
from core.models.images.stored_captioner import stored_captioner
from core.models.images.written_caption import drawn_captions, first_wrong, looked_at, write_caption
from core.models.stored import load_card
from core.pictures.described_scenes import NUMBERS as NUMBER_WORDS
from core.pictures.described_scenes import (
    UNSEEN,
    Group,
    built_scene,
    described_scene,
    empty_picture,
    scene_picture,
)
from core.pictures.reading import read_picture
from core.pictures.scaling import scaled
from core.words.numbers import percent
from pages.images.captions import LESSON
from pages.images.captions.page import (
    DECODERS,
    DRAWS,
    MEASURED,
    NEW_NUMBER,
    NUMBER,
    agreed,
    asked,
    group_shares,
    kind_of_error,
    largest_drop,
    measured_kept,
    verdict,
)
from tests.lessons.lesson_page import (
    document,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    said,
    said_in,
    table_with,
)

NETWORKS = {decoder: stored_captioner(f"captions_{decoder}").network for decoder in DECODERS}
SOURCES = {"held": KINDS[0], "never": KINDS[1]}
OPENED = {"each_word": "true", "never_seen": "true", "many_draws": "true"}


def open_with(**query):
    app = open_lesson("captions", timeout=400, **{**OPENED, **query})
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
    settings = settings or SamplingSettings(temperature=0.0)
    return {each: write_caption(network, picture, settings, seed) for each, network in NETWORKS.items()}


@pytest.mark.parametrize("source", ["held", "never"])
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
    assert ("Never seen in training: " in said(app)) == scene.unseen
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


def test_without_an_image_both_see_the_background_alone_and_few_scenes_are_right():
    app = open_with(blind="true", number="2", hidden="4")
    np.testing.assert_allclose(pixels(boards(app)[0]), empty_picture(), atol=0.51 / 255)
    assert boards(app)[0]["hidden"] == []
    scenes = held_out_scenes(KINDS[0], MEASURED)
    right = [
        int(right_to_the_word(stored_captioner("captions_transformer"), scenes, blind).sum())
        for blind in (False, True)
    ]
    assert list(metrics(app).values()) == [f"{n / MEASURED:.1%}" for n in right]
    assert right[1] < right[0] / 10
    for written in captions_of(empty_picture()).values():
        assert f"writes “{written.caption}”" in said(app)


def test_of_a_caption_without_an_end_it_is_said_that_it_was_stopped():
    for name, network in NETWORKS.items():
        for image in (empty_picture(), held_out_scene(KINDS[0], 0)[1]):
            written = write_caption(network, image)
            assert verdict(name, written, "")["stopped"] == ("<end>" not in written.words)
    assert said(open_with(blind="true")).count("and no `<end>`; we stopped it after 12 words") >= 2


def test_no_patch_is_needed_where_masking_changes_nothing():
    for network in NETWORKS.values():
        written = write_caption(network, empty_picture())
        drops = word_drops(network, empty_picture(), written.ids)
        first = np.eye(64)[[0] * len(written.ids)]  # all attention on the patch that argmax names in a tie
        assert agreed(first, drops) == 0
        assert largest_drop(written, drops) == (0.0, "")


def test_attention_on_a_group_is_compared_with_what_even_attention_would_have_there():
    scene, picture = held_out_scene(KINDS[0], 0)
    written = write_caption(NETWORKS["transformer"], picture)
    T = len(written.ids)
    assert first_wrong(written, scene.caption) < 0
    even = group_shares(scene, written, np.full((T, 64), 1 / 64))
    assert even["own"] == pytest.approx(even["even"]) and even["ahead"] == pytest.approx(even["even"][1])
    there = np.zeros((T, 64))
    there[3, patches_in(scene.second_cells, 8)[0]] = 1  # before word 4, the relation, and nowhere else
    ahead = group_shares(scene, written, there)
    assert (ahead["ahead"], ahead["relation"], ahead["own"]) == (1.0, written.words[3], [0.0, 0.0])
    assert group_shares(scene, write_caption(NETWORKS["transformer"], empty_picture()), there) == {}


def test_what_each_captioner_has_learned_from_is_its_own_card_s():
    cards = {each: load_card(f"captions_{each}") for each in DECODERS}
    steps = {each: [card.config[leg] for leg in ("fit", "again")] for each, card in cards.items()}
    pictures = {each: sum(leg["steps"] * leg["batch"] for leg in legs) for each, legs in steps.items()}
    recurrent, transformer = (f"{pictures[each]:,}" for each in DECODERS)
    learned = f"learned from {recurrent} images with captions, the transformer from {transformer}."
    assert pictures["recurrent"] != pictures["transformer"]
    assert learned in said(open_with(number="3"))


def test_drawn_captions_are_counted_and_the_settings_are_those_of_the_picture_too():
    app = open_with(temperature="3.0", top_k="6", seed="7")
    picture = held_out_scene(KINDS[0], 0)[1]
    settings = SamplingSettings(3.0, 6)
    assert boards(app)[0]["columns"][0]["words"] == list(captions_of(picture, settings, 7)["recurrent"].words)
    for decoder, network in NETWORKS.items():
        made = [write_caption(network, picture, settings, 7 + i).caption for i in range(DRAWS)]
        n = len(set(made))
        assert f"The **{decoder}** decoder: {n} {'caption' if n == 1 else 'different captions'}." in said(app)
        tables = [each.value for each in app.dataframe if list(each.value) == ["caption", "drawn"]]
        assert any(dict(each.values) == {one: made.count(one) for one in made} for each in tables)


def test_a_prediction_hides_what_was_measured():
    app = open_with(predict="true", below=NUMBERS)
    quality = load_card("captions_transformer").quality[f"right to the word, {KINDS[1]}"]
    share = percent(round(HELD_OUT * (1 - quality)) / HELD_OUT)
    assert share not in said(app) and not app.get("plotly_chart")
    guess(app)
    assert share in said(app) and app.get("plotly_chart")
    table = table_with(app, "right")
    assert table["share"].tolist() == pytest.approx(
        [
            load_card(f"captions_{each}").quality[f"right to the word, {kind}"]
            for each in DECODERS
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
    assert "Nobody has measured" in said(app) and "right to the word" not in said(app)
    assert all(column["wrong"] == -1 for column in boards(app)[0]["columns"])
    assert "No picture of yours is here" in said(open_with(mine="true"))


def test_what_should_stand_where_a_caption_goes_wrong_is_said():
    picture = held_out_scene(KINDS[0], 0)[1]
    written = write_caption(NETWORKS["transformer"], picture)
    words = written.caption.split()

    def told(truth):
        return LESSON.words.label("says.caption", **verdict("transformer", written, truth)).partition("): ")[
            2
        ]

    other = ["three" if words[0] != "three" else "two", *words[1:]]
    assert told(" ".join(other)) == f"word 1 should be “{other[0]}”."
    assert told(f"{written.caption} above") == "“above” should follow."
    assert told(" ".join(words[:-1])) == f"it should end after word {len(words) - 1}."
    assert told(written.caption) == "right to the word."


# The story.


@pytest.fixture(scope="module")
def story():
    scene, image = held_out_scene(KINDS[0], NUMBER)
    written = write_caption(NETWORKS["recurrent"], image)
    return scene, image, written, word_drops(NETWORKS["recurrent"], image, written.ids)


def drawn_values(data, t, column=0):
    return numbers(data["columns"][column]["values"])[t]


def test_the_story_s_caption_is_right_and_its_attention_moves_before_the_relation(story):
    scene, _, written, _ = story
    assert written.caption == scene.caption == "three blue crosses left of two green circles"
    asked, told = document("captions", "where"), document("captions", "where", True)
    assert told["ask"]["answer"] == "left" and asked["picture"]["data"]["start"] == 2
    for shown, cells, t in ((asked, scene.first_cells, 2), (told, scene.second_cells, 3)):
        drawn = drawn_values(shown["picture"]["data"], t)
        np.testing.assert_allclose(drawn, written.weights[0, 0, t], atol=1e-6)
        share = share_on(written.weights[0, 0], cells, [t])
        assert share > 0.9 and percent(share, 0) in said_in(shown)
    first, second = (
        share_on(written.weights[0, 0], cells, [3]) for cells in (scene.first_cells, scene.second_cells)
    )
    assert second > first


def test_attention_on_both_groups_is_the_mean_over_scenes_that_are_described_right():
    rows = [row for panel in picture("captions", "groups")["panels"] for row in panel["rows"]]
    found = np.zeros((0, 7, 2))
    for scene, image in held_out_scenes(KINDS[0], MEASURED):
        written = write_caption(NETWORKS["recurrent"], image)
        if first_wrong(written, scene.caption) >= 0:
            continue
        second = len(scene.caption.split()) - 3
        shares = [
            [share_on(written.weights[0, 0], cells, [t]) for cells in (scene.first_cells, scene.second_cells)]
            for t in (0, 1, 2, 3, second, second + 1, second + 2)
        ]
        found = np.append(found, [shares], axis=0)
    assert [row["to"] for row in rows] == pytest.approx(found.mean(0).T.ravel().tolist(), abs=1e-5)
    words = said_in(document("captions", "groups"))
    assert percent(found.mean(0)[3, 1], 0) in words and percent(found.mean(0)[2, 0], 0) in words
    assert found.mean(0)[:3, 0].min() > 0.5 and "most of its attention is there" in words
    assert found.mean(0)[4].max() < 1 / 3 and "neither group has more than a third" in words
    assert f"measured {len(found)} images" in words


def test_a_word_stays_without_its_most_attended_patch_and_changes_without_another(story):
    _, image, written, drops = story
    t, attention = len(written.words) - 2, written.weights[0, 0]
    looked, needed = int(attention[t].argmax()), int(drops[t].argmax())
    told = document("captions", "needed", True)
    data = told["picture"]["data"]
    assert data["chosen"] == looked != needed and told["ask"]["answer"] == "stays"
    np.testing.assert_allclose(drawn_values(data, t, 1), drops[t], atol=1e-5)
    assert len(picture("captions", "needed")["columns"]) == 1
    without = write_caption(NETWORKS["recurrent"], painted_over(image, [needed])).words[t]
    assert without != written.words[t] and without in said_in(told)
    masked = [write_caption(NETWORKS["recurrent"], painted_over(image, [i])).words[t] for i in range(64)]
    decide = np.flatnonzero(np.array(masked) != written.words[t])
    assert set(decide) == set(np.argsort(drops[t])[-2:]) and {masked[i] for i in decide} == {without}
    least, most = sorted(attention[t, decide])
    assert least < 0.001 and f"{percent(most, 0)} of the attention, one almost none" in said_in(told)


def test_how_many_words_stay_is_counted_with_each_picture_masked_by_itself():
    found = {True: [], False: []}
    described = 0
    network = NETWORKS["recurrent"]
    for scene, image in held_out_scenes(KINDS[0], MEASURED):
        written = write_caption(network, image)
        if first_wrong(written, scene.caption) >= 0:
            continue
        described += 1
        second = len(scene.caption.split()) - 1
        for t, word in enumerate(written.ids):
            masked = painted_over(image, [int(written.weights[0, 0, t].argmax())])
            before = torch.tensor([[1, *ids_of(scene.caption)[:t]]])
            with torch.inference_mode():
                again = network(torch.from_numpy(masked)[None], before).logits[0, -1].argmax()
            found[t in (2, second)].append(bool(again == word))
    told = said_in(document("captions", "needed", True))
    shapes, others = (np.mean(found[each]) for each in (True, False))
    assert f"Over {described} images, {percent(shapes, 0)} of shape words stay" in told
    assert measured_kept()["kept_others"] == pytest.approx(others) and others > shapes
    assert len(found[True]) == measured_kept()["shape_words"] == 2 * described
    assert measured_kept()["kept_random"] > shapes + 0.1


def test_the_new_combination_was_never_learned_and_is_described():
    scene, image = held_out_scene(KINDS[1], NEW_NUMBER)
    written = write_caption(NETWORKS["recurrent"], image)
    new = [each for each in scene.combinations if each in UNSEEN]
    assert [" ".join(each) for each in new] == ["purple triangle left of"]
    asked, told = document("captions", "unseen"), document("captions", "unseen", True)
    assert asked["picture"]["data"]["columns"][0]["words"] == []
    assert told["picture"]["data"]["columns"][0]["words"] == scene.caption.split() == written.caption.split()
    assert told["ask"]["answer"] == "right" and "purple triangle left of" in said_in(asked)
    pairs = [each[:2] for each in UNSEEN]
    assert len(set(pairs)) == len(pairs) and "purple triangles above, below and right of" in said_in(asked)


def test_an_error_is_named_by_the_word_at_which_it_begins(story):
    _, _, written, _ = story
    kinds = {
        "three red crosses left of two green circles": "colour",
        "three blue rings left of two green circles": "shape",
        "two blue crosses left of two green circles": "shape",
        "three blue crosses right of two green circles": "place",
        written.caption: "right",
    }
    for truth, kind in kinds.items():
        assert kind_of_error(written, truth) == kind


def test_shares_of_errors_are_the_cards_and_are_compared_by_a_test_of_two_proportions():
    panels = picture("captions", "errors")["panels"]
    words = said_in(document("captions", "errors"))
    counts = {}
    for panel, each in zip(panels, DECODERS, strict=True):
        quality = load_card(f"captions_{each}").quality
        counts[each] = [round((1 - quality[f"right to the word, {kind}"]) * HELD_OUT) for kind in KINDS]
        assert [row["to"] for row in panel["rows"]] == pytest.approx([n / HELD_OUT for n in counts[each]])
        assert all(percent(n / HELD_OUT) in words for n in counts[each])

    def z(k, m):
        share = (k + m) / (2 * HELD_OUT)
        return (m - k) / HELD_OUT / (share * (1 - share) * 2 / HELD_OUT) ** 0.5

    assert z(*counts["recurrent"]) > 1.96 and "new combinations are harder for it" in words
    assert abs(z(*counts["transformer"])) < 1.96 and "is too close to call" in words
    known, new = (z(counts["recurrent"][i], counts["transformer"][i]) for i in (0, 1))
    assert known > 1.96 and "With known combinations the recurrent decoder is better" in words
    assert abs(new) < 1.96 and "With new ones the two are too close to call" in words


@pytest.mark.parametrize("heat", ["1", "3", "5"])
def test_drawn_captions_of_the_story_are_counted(story, heat):
    scene, image, _, _ = story
    drawn = drawn_captions(NETWORKS["recurrent"], image, SamplingSettings(float(heat)), range(1, DRAWS + 1))
    told = document("captions", "draws", heat=heat)
    rows = told["picture"]["data"]["panels"][0]["rows"]
    assert sum(row["to"] for row in rows) == DRAWS and rows[0]["to"] == max(drawn.values())
    done = str(told["done"]).replace("<strong>", "").replace("</strong>", "")
    assert f"{drawn[scene.caption]} of {DRAWS}" in done


def test_about_an_empty_image_it_repeats_one_word_and_never_ends():
    written = write_caption(NETWORKS["recurrent"], empty_picture())
    told = document("captions", "empty", True)
    assert told["ask"]["answer"] == "repeats" and set(written.words) == {"a"}
    assert "<end>" not in written.words and f"stopped it after {len(written.words)} words" in said_in(told)
    assert all(described_scene(seed).caption.split()[0] in NUMBER_WORDS for seed in range(50))
    assert document("captions", "empty")["picture"]["data"]["columns"][0]["words"] == []


def test_the_machine_s_grid_is_the_attention_and_its_bars_are_the_next_words(story):
    _, _, written, _ = story
    for beat, t in (("machine", 1), ("answer", 3)):
        nodes = {node["key"]: node for node in picture("captions", beat)["nodes"]}
        weights = written.weights[0, 0, t]
        np.testing.assert_allclose(nodes["states"]["grid"], weights / weights.max(), atol=6e-4)
        assert nodes["before"]["title"] == written.words[t - 1]
        assert nodes["next"]["bars"][0]["name"] == written.words[t]
        assert nodes["next"]["bars"][0]["share"] == pytest.approx(written.p[t], abs=1e-3)


def test_a_vector_sees_as_many_pixels_as_the_story_says():
    image = torch.rand(1, 3, 32, 32, requires_grad=True)
    NETWORKS["recurrent"].encoder.cells(image)[0, 27].square().sum().backward()
    seen = image.grad.abs().sum((0, 1)) > 0
    assert (int(seen.any(0).sum()), int(seen.any(1).sum())) == (15, 15)
    assert "15 × 15 pixels" in said_in(document("captions", "machine"))
