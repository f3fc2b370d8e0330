"""The lesson on patches shows what core makes of a picture, of a hidden patch, and of the learner's own picture."""

import base64
import json
import re
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from PIL import Image

from core.models.images.attended_or_needed import RANKED, measure_attended
from core.models.images.held_out_pictures import DIGITS, SHAPES, classes_given, held_out_pictures
from core.models.images.learned_positions import position_similarity
from core.models.images.occlusion import occlusion
from core.models.images.rollout import rollout
from core.models.images.seen_picture import as_the_model_sees, load_held_out_picture, look_at
from core.models.images.vision_transformer import stored_vision
from core.models.stored import load_card
from core.pictures.reading import read_picture
from core.pictures.scenes import covered, shape_picture
from core.training.vision import VisionFitting
from core.words.numbers import percent
from pages.images.patches import LESSON
from pages.images.patches.page import EDGE, FRAMED, NUMBER, PICTURES, hidden_places, hide, looked_at, looks
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
)

KINDS = {DIGITS: "digits", SHAPES: "coloured shapes"}
BOTH = pytest.mark.parametrize("name", KINDS)


OPENED = {"one_patch": "true", "every_head": "true", "each_hidden": "true", "grid": "true"}


def open_with(**query):
    return open_lesson("patches", **OPENED, **query)


def boards(app):
    return [json.loads(each.json) for each in mounted(app) if each.component_name.endswith("attend_patches")]


def png(colour, size=(20, 12)):
    content = BytesIO()
    Image.new("RGB", size, colour).save(content, "PNG")
    return content.getvalue()


@BOTH
def test_what_is_drawn_is_what_the_model_read_and_computed(name):
    app = open_with(kind=KINDS[name], number="7", hidden="2 5", look="layer 2, head 3")
    assert not app.exception
    seen = look_at(stored_vision(name), load_held_out_picture(stored_vision(name), 7), hidden=(1, 4))
    board, heads, drops = boards(app)
    side = seen.model.network.config.side
    pixels = np.frombuffer(base64.b64decode(board["pixels"]), np.uint8).reshape(side, side, 3)
    expected = np.broadcast_to(seen.picture, (3, side, side)).transpose(1, 2, 0)
    np.testing.assert_allclose(pixels / 255, expected, atol=0.51 / 255)
    assert board["hidden"] == [1, 4] == heads["hidden"] == drops["hidden"]
    attention = [value for value in board["panels"][1]["values"] if value is not None]
    np.testing.assert_allclose(attention, seen.read.weights[1, 2, 0, 1:], atol=1e-6)
    places = len(board["panels"][1]["values"])
    assert len(attention) == places - 2 and board["panels"][1]["values"][1] is None
    last = [value for value in heads["panels"][-1]["values"] if value is not None]
    np.testing.assert_allclose(last, seen.read.weights[-1, -1, 0, 1:], atol=1e-6)
    table = table_with(app, "drop of p")
    expected = occlusion(seen.model.network, seen.read.patches, seen.places, seen.given)
    np.testing.assert_allclose(table["drop of p"], expected, atol=1e-6)
    most = table.loc[table["drop of p"].idxmax()]
    assert f"Hiding patch {int(most['patch'])} in row {int(most['row'])}" in said(app)
    classes = table_with(app, "logit").set_index("class")["p"]
    assert classes.to_dict() == pytest.approx(
        dict(zip(seen.model.classes, seen.read.probabilities.tolist(), strict=True))
    )
    assert f"From {places - 2} of {places} patches the model says “{seen.name}”" in said(app)


def test_the_rollout_is_shown_first_and_every_head_can_be_chosen():
    model = stored_vision(DIGITS)
    seen = look_at(model, load_held_out_picture(model, 1))
    assert looks(model)[0] == "rolled" and len(looks(model)) == 1 + 4 * 5
    row, itself = looked_at(seen.read, looks(model)[0])
    np.testing.assert_allclose([itself, *row], rollout(seen.read.weights)[0], atol=1e-6)
    row, itself = looked_at(seen.read, "layer 3, mean")
    np.testing.assert_allclose([itself, *row], seen.read.weights[2, :, 0].mean(0), atol=1e-6)


@BOTH
@pytest.mark.parametrize(("shuffled", "blind"), [(True, False), (False, True), (True, True)])
def test_a_break_counts_held_out_pictures_and_says_what_it_does_to_this_one(name, shuffled, blind):
    app = open_with(kind=KINDS[name], shuffled=str(shuffled).lower(), blind=str(blind).lower())
    model, (pictures, y) = stored_vision(name), held_out_pictures(name, PICTURES)
    right = [
        int((classes_given(model, pictures, *how) == y).sum())
        for how in ((True, False), (not blind, shuffled))
    ]
    assert list(metrics(app).values()) == [f"{each / PICTURES:.1%}" for each in right]
    whole, broken = (
        look_at(model, load_held_out_picture(model, 1), (), *how)
        for how in ((False, True), (shuffled, not blind))
    )
    assert (f"becomes “{broken.name}”" in said(app)) == (whole.name != broken.name)
    moved = float((whole.read.probabilities - broken.read.probabilities).abs().sum()) / 2
    assert f"{percent(moved)} of the probability moved" in said(app) or moved <= 1e-4
    assert ("in their order, without positions too: it is the same" in said(app)) == (shuffled and blind)
    assert right[1] < right[0]


@BOTH
def test_without_positions_shuffled_patches_give_the_same_answer_as_ordered_ones(name):
    model, (pictures, _) = stored_vision(name), held_out_pictures(name, 20)
    assert (classes_given(model, pictures, False, True) == classes_given(model, pictures, False, False)).all()


def test_a_patch_is_hidden_by_a_click_and_shown_by_another(monkeypatch):
    kept = {}
    monkeypatch.setattr(type(LESSON), "set_state", lambda self, name, value: kept.update({name: value}))
    monkeypatch.setattr(
        type(LESSON), "get_state", lambda self, name, otherwise=None: kept.get(name, otherwise)
    )
    for place, expected in ((9, "10"), (0, "1 10"), (9, "1"), (0, "")):
        hide({"place": place})
        assert kept["hidden"] == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [("", ()), ("16 1 1", (0, 15)), ("0 17 -3 1.5 ² ٣ x $", ()), ("1," * 90, ()), ("999999999999999", ())],
)
def test_only_numbers_of_patches_hide_one(written, expected):
    assert hidden_places(written, 16) == expected


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_few_patches_or_none_in_sight_break_nothing(left):
    app = open_with(hidden=" ".join(str(place) for place in range(left + 1, 17)), blind="true", step="99")
    assert not app.exception
    beginning = f"From {left} of 16 patches" if left else "From no patch at all"
    assert f"{beginning} the model says" in said(app)
    assert ("At least three patches must be in sight" in said(app)) == (left < 3)
    assert ("Every patch is hidden" in said(app)) == (left == 0)


def test_the_token_is_the_patch_times_the_matrix_plus_its_position():
    app = open_with(step="4")
    network = stored_vision(DIGITS).network
    read = look_at(stored_vision(DIGITS), load_held_out_picture(stored_vision(DIGITS), 1)).read
    table = table_with(app, "W patch + b")
    np.testing.assert_allclose(table["token"], read.tokens[4], atol=1e-5)
    np.testing.assert_allclose(table["position"], network.position_embedding[4], atol=1e-6)
    drawn = next(each for each in figures(app) if len(each["data"]) == 4)
    assert len(drawn["layout"]["annotations"]) == 4


def test_a_prediction_hides_the_drops():
    app = open_with(predict="true")
    assert len(boards(app)) == 2
    assert not any("drop of p" in table.value for table in app.dataframe)
    assert "Rank correlation" not in said(app)
    guess(app)
    assert "Rank correlation" in said(app) or "cannot be compared" in said(app)


def upload(app, data, name="x.png"):
    return app.file_uploader(key=LESSON.key("file")).upload(name, data, "image/png").run()


@BOTH
def test_the_learner_s_picture_is_shown_as_the_model_sees_it_and_survives_a_broken_one(name):
    app = upload(open_with(kind=KINDS[name]), png((30, 90, 220)))
    assert not app.exception
    model = stored_vision(name)
    own = as_the_model_sees(model, read_picture(png((30, 90, 220))))
    seen = look_at(model, own)
    first = boards(app)[0]["pixels"]
    pixels = np.frombuffer(base64.b64decode(first), np.uint8).reshape(*own.picture.shape[1:], 3)
    np.testing.assert_allclose(pixels[..., 0] / 255, own.picture[0], atol=0.51 / 255)
    assert f"the model says “{seen.name}”" in said(app)
    assert "nobody has measured" in said(app) and "That is right" not in said(app)
    app = upload(app, b"\x89PNG\r\n\x1a\nbroken")
    assert not app.exception
    assert "damaged" in said(app) and "The picture chosen before is still here" in said(app)
    assert boards(app)[0]["pixels"] == first


def test_a_link_to_a_picture_that_is_not_here_says_so_and_shows_ours():
    app = open_with(mine="true")
    assert not app.exception
    assert "No picture of yours is here" in said(app)
    assert "held" not in said(app) or sent(app, "attend_patches")["side"] == 8


def test_the_weights_are_not_changed_by_reading():
    model = stored_vision(SHAPES)
    before = {key: tensor.clone() for key, tensor in model.network.state_dict().items()}
    look_at(model, load_held_out_picture(model, 3), (1, 2), True, False)
    assert all(torch.equal(before[key], tensor) for key, tensor in model.network.state_dict().items())


# The story.


@pytest.fixture(scope="module")
def story():
    """The story's picture, its truth, the model, and what hiding each patch takes from p, one reading a patch."""
    model = stored_vision(SHAPES)
    found = load_held_out_picture(model, NUMBER)
    whole = look_at(model, found)
    drops = [whole.p(whole.name) - look_at(model, found, (place,)).p(whole.name) for place in range(64)]
    return model, found, whole, np.array(drops)


def drawn_numbers(z):
    """Return the numbers of a heatmap as plotly packs them."""
    return np.frombuffer(base64.b64decode(z["bdata"]), z["dtype"]) if isinstance(z, dict) else np.ravel(z)


def values_of(name, revealed=False, panel=0):
    return picture("patches", name, revealed)["panels"][panel]["values"]


def test_the_picture_is_cut_into_its_patches_and_never_was_learned_from(story):
    _, _, whole, _ = story
    drawn = picture("patches", "cut")
    assert (drawn["side"], drawn["across"], drawn["hidden"]) == (32, 8, [])
    assert drawn["bare"] and whole.name == whole.truth
    words = str(document("patches", "cut"))
    assert "64 patches" in words and whole.name in words and percent(whole.p(whole.name), 0) in words


def test_the_four_rows_are_one_patch_on_its_way_to_a_token(story):
    model, _, whole, _ = story
    *strips, small = picture("patches", "one_token")["figure"]["data"]
    rows = [drawn_numbers(trace["z"]) for trace in strips]
    assert list(map(len, rows)) == [48, 64, 64, 64]
    W, b = model.network.patch_embedding.weight.numpy(), model.network.patch_embedding.bias.numpy()
    np.testing.assert_allclose(rows[1], W @ rows[0] + b, atol=1e-5)
    np.testing.assert_allclose(rows[3], rows[1] + rows[2], atol=1e-5)
    np.testing.assert_allclose(rows[3], whole.read.tokens[EDGE + 1], atol=1e-5)
    scales = [(trace["zmin"], trace["zmax"]) for trace in strips]
    assert scales[1] == scales[2] == scales[3] != scales[0], "the sum can be checked by eye"
    assert rows[0].min() >= 0 and rows[0].max() <= 1 and max(map(max, rows[1:])) <= scales[1][1] + 1e-6
    colours = whole.picture.reshape(3, 8, 4, 8, 4).mean(axis=(2, 4)).reshape(3, 64).T
    drawn = [[int(each) for each in re.findall(r"\d+", colour)] for _, colour in small["colorscale"]]
    np.testing.assert_allclose(np.array(drawn) / 255, np.clip(colours, 0, 1), atol=0.51 / 255)
    (box,) = picture("patches", "one_token")["figure"]["layout"]["shapes"]
    assert (box["y0"] + 0.5, box["x0"] + 0.5) == divmod(EDGE, 8)


def test_the_shuffled_picture_keeps_its_colour_and_loses_its_shape_and_waits_for_the_guess(story):
    model, found, whole, _ = story
    broken = look_at(model, found, shuffled=True)
    asked, told = document("patches", "mixed"), document("patches", "mixed", True)
    assert [asked["picture"]["data"]["order"][i] for i in (0, 63)] == [0, 63]
    order = told["picture"]["data"]["order"]
    assert sorted(order) == list(range(64)) and order != sorted(order)
    assert broken.name not in str(asked["picture"]) and broken.name in str(told["picture"])
    assert told["ask"]["answer"] == "colour"
    labels = {choice["id"]: choice["label"] for choice in asked["ask"]["choices"]}
    assert labels.keys() == {"same", "colour", "shape", "neither"} and labels["same"] == "the same name"
    assert broken.name.split()[0] == whole.name.split()[0] and broken.name.split()[1] != whole.name.split()[1]
    quality, said_of = load_card(SHAPES).quality, said_in(told)
    assert quality["right, shuffled, colour"] > 0.995, "colour needs no order"
    assert f"still right in {percent(quality['right, shuffled, colour'], 0)}" in said_of
    assert f"the whole name in {percent(quality['right, shuffled'], 0)} instead of" in said_of
    circle, triangle = (quality[f"right, shuffled, {each}"] for each in ("circle", "triangle"))
    assert circle < 1 / 6 < 5 / 6 < triangle, "shape often does"
    assert f"a shuffled circle gets the right shape in {percent(circle, 0)}" in said_of
    assert f"a triangle in {percent(triangle, 0)}" in said_of


def test_the_patch_with_most_attention_is_ranked_by_what_hiding_it_takes(story):
    _, _, whole, drops = story
    weights = rollout(whole.read.weights)[0][1:].numpy()
    np.testing.assert_allclose(values_of("needed"), weights, atol=1e-6)
    assert picture("patches", "needed")["panels"][1]["values"] is None
    np.testing.assert_allclose(values_of("needed", True, 1), drops, atol=1e-5)
    rank = 1 + sum(drop > drops[weights.argmax()] for drop in drops)
    told = document("patches", "needed", True)
    assert told["ask"]["answer"] == ("first" if rank == 1 else "next" if rank <= 10 else "lower")
    assert f"{rank} of 64" in said_in(told)
    assert f"rises by {-100 * drops[weights.argmax()]:.0f} percentage points" in said_in(told)
    assert f"falls by {100 * drops.max():.0f}." in said_in(told)


def test_over_many_pictures_attention_and_need_are_hardly_related():
    quality, told = load_card(SHAPES).quality, said_in(document("patches", "needed", True))
    assert f"In {percent(quality['attended, high'], 0)} of {RANKED} pictures" in told
    assert f"in {percent(quality['attended, last'], 0)} it is last or second to last" in told
    assert abs(quality["attended, correlation"]) < 0.1 and quality["attended, last"] > 0.2
    assert f"correlation is {quality['attended, correlation']:.2f}." in told
    model = stored_vision(SHAPES)
    found = measure_attended(model, 2)
    ranks = []
    for number in (1, 2):
        seen = look_at(model, load_held_out_picture(model, number))
        weights, drops = rollout(seen.read.weights)[0][1:], occlusion_by_hand(model, number)
        ranks.append(1 + sum(drop > drops[weights.argmax()] for drop in drops))
    assert found["attended, high"] == np.mean([rank <= 10 for rank in ranks])
    assert found["attended, last"] == np.mean([rank >= 63 for rank in ranks])


def occlusion_by_hand(model, number):
    """What hiding each patch takes from p, one reading a patch."""
    found = load_held_out_picture(model, number)
    seen = look_at(model, found)
    return [seen.p(seen.name) - look_at(model, found, (place,)).p(seen.name) for place in range(64)]


def test_a_layer_is_the_mean_of_its_heads_and_hidden_patches_are_no_tokens(story):
    model, found, whole, _ = story
    drawn = document("patches", "where", layer="2")["picture"]["data"]["panels"][0]["values"]
    np.testing.assert_allclose(drawn, whole.read.weights[1, :, 0, 1:].mean(0), atol=1e-6)
    told = document("patches", "missing", gone="48")
    hidden = tuple(told["picture"]["data"]["hidden"])
    seen = look_at(model, found, hidden)
    assert len(hidden) == 48 and "From 16 patches of 64" in str(told["done"]).replace("<strong>", "")
    assert seen.name in str(told["done"])
    assert "in every second training step up to 60% of the patches were missing" in said_in(told)
    step = SimpleNamespace(step_count=0, fewest=load_card(SHAPES).config["fewest patches"])
    assert len(VisionFitting.in_sight(step, 1, 64)) == 64
    step.step_count = 1
    counts = [len(VisionFitting.in_sight(step, seed, 64)) for seed in range(300)]
    assert 0.4 * 64 - 1 <= min(counts) < 0.42 * 64, "up to 60% are missing"


@pytest.mark.parametrize("layer", ["1", "3"])
def test_the_attention_on_the_shape_is_that_on_the_patches_it_touches(story, layer):
    *_, whole, _ = story
    _, thing = shape_picture(NUMBER - 1)
    touched = [
        any(covered(thing)[r * 4 + i, c * 4 + j] for i in range(4) for j in range(4))
        for r in range(8)
        for c in range(8)
    ]
    weights = whole.read.weights[int(layer) - 1, :, 0, 1:].mean(0)
    share = float(weights[torch.tensor(touched)].sum() / weights.sum())
    told = re.sub("<.*?>", "", document("patches", "where", layer=layer)["done"])
    assert f"the {sum(touched)} patches with the shape get {percent(share, 0)} of the attention" in told
    assert f"An even spread would give {percent(sum(touched) / 64, 0)}." in told
    assert (share > 0.9) == (layer == "1"), "the first layer attends to the shape, the third does not"


def test_positions_resemble_their_neighbours_and_at_the_border_the_opposite_border():
    similarity = position_similarity(stored_vision(SHAPES).network).numpy()
    row, column = divmod(FRAMED, 8)
    nearest = np.argsort(-similarity[FRAMED])[1:5]
    assert all(max(abs(place // 8 - row), abs(place % 8 - column)) == 1 for place in nearest)
    (box,) = picture("patches", "neighbours")["figure"]["layout"]["shapes"]
    assert (box["y0"] < row * 9 < box["y1"]) and (box["x0"] < column * 9 < box["x1"])
    opposite = [similarity[8 * i, 8 * i + 7] for i in range(8)], [similarity[i, 56 + i] for i in range(8)]
    others = similarity[~np.eye(64, dtype=bool)].mean()
    assert min(map(np.mean, opposite)) > others + 0.1


def test_without_positions_the_bars_are_equal_in_order_and_shuffled():
    rows = {row["mark"]: row["to"] for row in picture("patches", "places")["panels"][0]["rows"]}
    assert rows["row.blind"] == rows["row.both"] and rows["row.whole"] > rows["row.blind"] > 1 / 6
    quality, told = load_card(SHAPES).quality, said_in(document("patches", "places"))
    expected = [quality[f"right, {each}"] for each in ("held out", "shuffled", "no positions")]
    assert [rows[f"row.{each}"] for each in ("whole", "mixed", "blind")] == pytest.approx(expected)
    assert 1 / 6 < rows["row.mixed"] < rows["row.blind"], "wrong positions are worse than none"
    assert (
        "guessed shape it would be 17%" in told
        and len({n.split()[1] for n in stored_vision(SHAPES).classes}) == 6
    )


def test_the_lab_measures_on_the_pictures_that_it_names():
    assert f"of the first {PICTURES} held-out pictures" in LESSON.words.label("compare.broken")
