"""Training word2vec: the recorded run against the text itself, and the lab on the learner's own text."""

import json
import re

import numpy as np
import pytest

from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.recorded_vectors import load_vector_training
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.training_progress import Progress
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences, words
from pages.word_vectors.word_vector_training.figures import SENTENCES, window_figure
from tests.lessons.lesson_page import (
    document,
    figures,
    metrics,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.word_vectors.three_texts import SHORT, three_texts

LESSON = "word_vector_training"
WINDOWS, STEP = {"windows": "true"}, {"one_step": "true"}


def pairs_of(app):
    return table_with(app, "other word")


def test_the_first_step_of_training_starts_from_a_probability_of_one_half():
    app = open_lesson(LESSON, **STEP)
    app.button(key="word_vector_training_step_next").click().run()
    worked = r"\sigma(0) = \frac{1}{1 + e^{0}} = 0.5"
    assert any(worked in each.value.replace("e^{-0}", "e^{0}") for each in app.latex)


@pytest.mark.parametrize("sentence", ["", "one", "🙂 🙂 🙂", "صباح الخير يا أصدقاء", "word " * 80])
def test_any_sentence_has_a_window_or_a_sentence_says_why_not(sentence):
    app = open_lesson(LESSON, **STEP)
    app.text_input[0].set_value(sentence).run()
    assert not app.exception
    assert "makes" in said(app) or "has no window here" in said(app)


def test_the_window_shows_no_pair_across_a_full_stop_nor_one_that_is_left_out():
    app = open_lesson(LESSON, SHORT + " A zebra met the cat.", window=10, centre=5)
    app.text_input[0].set_value("The cat sat on the mat. The dog sat on a zebra.").run()
    true = pairs_of(app)[lambda table: table.pair == "true"]
    assert true["other word"].tolist() == ["the", "cat", "sat", "on", "mat"]
    assert "makes 5 true pairs, each with 5 noise words" in said(app)
    assert "In parentheses: left out, seen fewer than 2 times" in said(app)
    drawn = figures(app)[0]["data"][0]["text"]
    assert "(zebra)" in drawn and "mat" in drawn


def test_a_word_that_training_leaves_out_has_no_window():
    app = open_lesson(LESSON, SHORT + " A zebra met the cat.", centre=2, **STEP)
    app.text_input[0].set_value("A zebra met the cat.").run()
    assert "“zebra” has no window here" in said(app) and not app.exception


@pytest.mark.parametrize("name", ["default", "play", "short"])
@pytest.mark.parametrize("kind", ["skip_gram", "cbow"])
def test_without_noise_vectors_turn_the_same_way_and_the_picture_changes(name, kind):
    text = three_texts()[name]
    whole = open_lesson(LESSON, text, kind=kind)
    app = open_lesson(LESSON, text, timeout=200, kind=kind, no_noise="true")
    assert not app.exception
    before, after = (float(value) for value in metrics(app).values())
    assert after > before + 0.1 and after > 0.8
    assert f"mean cosine is {after:.2f}, with noise {before:.2f}" in said(app)
    assert set(pairs_of(whole).pair) == {"true", "noise"} and set(pairs_of(app).pair) == {"true"}
    assert len(figures(app)) == len(figures(whole)) + 1
    assert "noise word" in said(whole) and "without noise:" in said(app)


def test_a_text_too_short_to_train_on_says_so_when_noise_is_taken_out():
    assert "No sentence holds two different words" in said(open_lesson(LESSON, "one", no_noise="true"))


def test_a_step_without_noise_holds_the_true_pair_alone():
    app = open_lesson(LESSON, SHORT, no_noise="true", **STEP)
    assert len(table_with(app, "true pair")) == 1


def test_a_word_drawn_twice_is_named():
    app = open_lesson(LESSON, SHORT, negatives=20, **STEP)
    assert "Drawn more than once, with one vector that takes the sum of its gradients" in said(app)


@pytest.mark.usefixtures("tiny_training")
def test_a_training_on_four_words_breaks_nothing():
    app = open_lesson(LESSON, loss="true", **WINDOWS, **STEP)
    assert not app.exception
    assert "Trained on a text: 4 words" in said(app) and "do not know the words of our analogies" in said(app)
    assert "loss 1.000. An epoch keeps" in said(app)
    assert set(sent(app, "_map")["words"]) == {"the", "cat", "sat", "down"} and sent(app, "_map")["near"]
    assert not sent(open_lesson(LESSON, predict="true"), "_map")["near"]


def test_blocks_without_a_pair_draw_no_loss(tiny_training):
    nan = float("nan")
    shot = tiny_training.result.vectors_
    tiny_training.reports = [
        Progress(0, 3, 0, nan, 1.0, 1.0, shot),
        Progress(1, 3, 0, 2.5, 1.0, 1.0, shot),
        Progress(3, 3, 1, nan, 1.0, 0.0, shot),
    ]
    app = open_lesson(LESSON, loss="true")
    assert "loss 2.500" in said(app) and "nan" not in said(app)
    tiny_training.reports = tiny_training.reports[:1]
    app = open_lesson(LESSON, loss="true")
    assert "no block of text held a pair" in said(app) and "so we cannot draw a loss" in said(app)


def test_the_micro_world_s_score_comes_with_the_word_that_it_was_built_for_it(tiny_training):
    royal = [["the", "king", "man", "queen", "woman"], ["the", "prince", "boy", "princess", "girl"]] * 20
    tiny_training.result = SkipGram(8, epochs=2, min_count=1).fit(royal)
    tiny_training.reports = [Progress(1, 1, 1, 1.0, 1.0, 0.0, tiny_training.result.vectors_)]
    tiny_training.settings = "The micro-world"
    assert "This text was written for them" in said(open_lesson(LESSON))
    tiny_training.settings = "a play"
    app = open_lesson(LESSON)
    assert "analogies solved" in said(app) and "This text was written for them" not in said(app)


@pytest.mark.parametrize(("kind", "model"), [("skip_gram", SkipGram), ("cbow", Cbow)])
def test_the_notebook_trains_the_model_that_was_set(kind, model, notebook_cells, monkeypatch, tmp_path):
    open_lesson(LESSON, kind=kind, epochs=2, window=3, dimension=8, seed=5, min=1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_text.txt").write_text("The cat sat. The dog sat.", encoding="utf-8")
    room = {}
    cells = [
        cell.replace("'micro-world'", "''").replace('"micro-world"', '""') for cell in notebook_cells[1:]
    ]
    exec("\n".join(cells), room)
    assert type(room["model"]) is model and room["model"].window == 3 and room["model"].seed == 5
    assert room["model"].learning_rate == {"skip_gram": 0.025, "cbow": 0.1}[kind] and room["near"]


def test_the_code_that_ran_holds_the_loop_of_the_training():
    shown = "\n".join(code.value for code in open_lesson(LESSON).code)
    for name in ("def training_step", "def fit(", "def update(", "def steps_downhill", "def trained_window"):
        assert name in shown


@pytest.mark.parametrize(("old", "kind"), [("CBOW", "cbow"), ("skip-gram", "skip_gram")])
def test_an_older_link_brings_every_setting_back(old, kind):
    app = open_lesson(LESSON, window=7, negatives=3, dimension=20, epochs=4, kind=old, seed=8)
    assert (
        json.dumps([app.slider(key=f"{LESSON}_{name}").value for name in ("window", "negatives")]) == "[7, 3]"
    )
    assert app.number_input(key=f"{LESSON}_seed").value == 8
    assert app.session_state[f"{LESSON}_kind"] == kind
    rate = open_lesson(LESSON, kind=old, **{f"rate_{old}": "0.2"}).number_input(key=f"{LESSON}_rate_{old}")
    assert rate.value == 0.2


def test_a_window_of_one_word_has_no_reach_to_draw():
    assert "draws each reach at random, 1 to 2. You see the widest" in said(open_lesson(LESSON, window=2))
    narrow = said(open_lesson(LESSON, window=1))
    assert "No window crosses the end of a sentence." in narrow and "reach" not in narrow


@pytest.mark.parametrize("text", three_texts())
def test_the_losses_of_a_first_step_are_told_apart_and_why_nothing_is_learned_yet(text):
    step = said(open_lesson(LESSON, three_texts()[text], step=5, **STEP))
    before, after = re.search(r"goes from \*\*([\d.]+)\*\* to ([\d.]+) in this step", step).groups()
    assert float(before) == pytest.approx(6 * np.log(2), rel=1e-4) and float(after) < float(before)
    assert "the loss is 6 · ln 2" in step and "Train first to see a step that learns." in step


@pytest.mark.usefixtures("tiny_training")
def test_a_step_after_training_is_not_said_to_be_the_first():
    app = open_lesson(LESSON, "The cat sat down. The cat sat down.", **STEP)
    assert "Train first" not in said(app) and "in this step." in said(app)


def test_the_default_text_opens_on_the_story_s_sentence_and_a_play_on_its_own():
    assert open_lesson(LESSON).text_input[0].value == SENTENCES["queen"]
    assert open_lesson(LESSON, three_texts()["play"]).text_input[0].value != SENTENCES["queen"]


@pytest.mark.parametrize("reach", [1, 4, 10])
def test_the_widest_arc_of_a_window_reaches_the_top_of_the_picture_and_not_beyond(reach):
    figure = window_figure(["a"] * 21, 10, [10 - reach, 10 + reach])
    low, high = figure.layout.yaxis.range
    for arc in figure.layout.shapes:
        foot, bend = (float(y) for y in re.findall(r"[\d.]+ ([\d.]+)(?= C|,)", arc.path)[:2])
        top = 0.25 * foot + 0.75 * bend  # of a cubic curve whose two control points are as high
        assert low < foot < top < high
        assert reach < 3 or top > 0.9 * high


# The story: the recorded run, against the text and a training of today.

RUN = load_vector_training()
TEXT = [words(sentence) for sentence in sentences(sample("micro-world").read().text)]


def beat_words(beat, *args, **changes):
    return said_in(document(LESSON, beat, *args, **changes))


def times_near(word, other, size=4):
    """Count by hand how often a word is at most `size` words from another."""
    return sum(
        token == word and other == text[near]
        for text in TEXT
        for place, token in enumerate(text)
        for near in range(max(0, place - size), min(len(text), place + size + 1))
        if near != place
    )


@pytest.fixture(scope="module")
def trained():
    """The run's training once more, with the vectors at the steps that the story stops at."""
    model, taken = SkipGram(RUN.dimension, RUN.window, RUN.negatives, epochs=10, min_count=2, seed=1), {}
    steps = {moment.step for moment in RUN.moments}
    model.fit(TEXT, lambda now: taken.update({now.step: model.input_.copy()}) if now.step in steps else None)
    return model, taken


def cosine(one, other):
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_the_run_is_what_training_on_the_text_gives(trained):
    model, taken = trained
    ids = model.vocabulary_.ids
    assert (RUN.sentences, RUN.tokens) == (len(TEXT), sum(map(len, TEXT)))
    assert RUN.vocabulary == len(ids) and RUN.steps == RUN.moments[-1].step
    for moment in (RUN.at(0), RUN.at(120), RUN.moments[-1]):
        near = cosine(taken[moment.step][ids["king"]], taken[moment.step][ids["queen"]])
        assert moment.king_queen == pytest.approx(near, abs=0.02)
    units = taken[120][[ids[word] for word in RUN.words]]
    pairs = [cosine(a, b) for i, a in enumerate(units) for b in units[:i]]
    assert RUN.at(120).mean == pytest.approx(np.mean(pairs), abs=0.01)


def test_before_training_directions_are_random_and_the_cosine_is_on_the_screen():
    first = RUN.at(0)
    assert abs(first.mean) < 0.05 and abs(first.king_queen) < 3 / np.sqrt(RUN.dimension)
    assert f"Here it is −{-first.king_queen:.2f}" in beat_words("random")
    assert picture(LESSON, "random")["panels"][0]["arrows"][0]["text"] == f"cosine −{-first.king_queen:.2f}"


def test_the_window_s_arcs_are_its_pairs_and_the_sentences_are_in_the_text():
    drawn = picture(LESSON, "pairs")
    tokens = SENTENCES["queen"].split()
    near = [token for place, token in enumerate(tokens) if place != 4 and abs(place - 4) <= 4]
    assert [row["name"] for row in drawn["rows"]] == [
        f"{n}. queen – {other}" for n, other in enumerate(near, 1)
    ]
    assert "makes 8 true pairs" in beat_words("pairs") and len(near) == 8
    assert all(sentence.split() in TEXT for sentence in SENTENCES.values())


def test_the_noise_is_not_in_the_window_and_every_answer_is_one_half():
    drawn = picture(LESSON, "noise")
    assert [row["note"] for row in drawn["rows"]] == ["true"] + ["noise"] * 5
    assert {bar["share"] for row in drawn["rows"] for bar in row["bars"]} == {0.5}
    assert len(set(RUN.pair.noise)) == 5 and not set(RUN.pair.noise) & set(SENTENCES["queen"].split())
    assert f"= {6 * np.log(2):.2f}" in document(LESSON, "noise")["measured"]


def test_the_step_moves_queen_by_the_pull_and_the_push_that_the_formula_says():
    v, u = np.array(RUN.pair.v), np.array(RUN.pair.u)
    p = 1 / (1 + np.exp(-u @ v))
    move = (1 - p[0]) * u[0] - p[1:] @ u[1:]
    losses = []
    new_u = u - RUN.pair.rate * np.outer(p - np.eye(6)[0], v)
    for q in (p, 1 / (1 + np.exp(-new_u @ (v + RUN.pair.rate * move)))):
        losses.append(-np.log(q[0]) - np.log(1 - q[1:]).sum())
    assert f"falls from {losses[0]:.2f} to {losses[1]:.2f}" in beat_words("step", True)
    assert f"of only {p[0]:.2f}" in beat_words("step") and losses[0] - losses[1] > 0.05
    panel = picture(LESSON, "step", True)["panels"][0]
    assert panel["title"].startswith(f"After {RUN.pair.step} steps")
    arrows = {arrow["key"]: np.subtract(arrow["to"], arrow["from"]) for arrow in panel["arrows"]}
    np.testing.assert_allclose(arrows["pull"] + arrows["push"], arrows["step"])
    assert np.linalg.norm(arrows["step"]) == pytest.approx(np.linalg.norm(move))  # the plane holds all of it
    assert arrows["step"][0] < 0 < arrows["step"][1]  # up and left
    at = {point["key"]: np.array([point["x"], point["y"]]) for point in panel["points"]}
    assert at["out.crown"] @ arrows["step"] > 0 and all(
        at[f"out.{w}"][0] > at["queen"][0] for w in RUN.pair.noise
    )
    assert picture(LESSON, "step")["panels"][0]["arrows"] == []


def test_after_120_steps_all_words_are_in_one_place_and_then_in_four():
    before, after = (
        picture(LESSON, "gathered", revealed)["panels"][0]["points"] for revealed in (False, True)
    )
    wide = [np.ptp([point["x"] for point in points]) for points in (before, after)]
    assert wide[1] < 0.2 * wide[0] and RUN.at(120).mean > 0.99
    assert f"is {RUN.at(120).mean:.3f}" in beat_words("gathered", True)
    last = np.array(RUN.moments[-1].places)
    for place, group in zip(last, RUN.groups, strict=True):
        near = np.argsort(np.linalg.norm(last - place, axis=1))[1:5]
        assert [RUN.groups[row] for row in near] == [group] * 4


@pytest.mark.parametrize("moment", range(len(RUN.moments)))
def test_the_learner_is_told_whether_a_moment_is_the_first_with_queen_nearest(moment):
    now = RUN.moments[moment]
    told = document(LESSON, "replay", moment=moment)["done"]
    earlier = [each.nearest for each in RUN.moments[:moment]]
    assert ("becomes the nearest" in told) == (now.nearest == "queen" and "queen" not in earlier)
    assert ("only later" in told) == (now.nearest != "queen" and "queen" not in earlier)
    assert ("so earlier already" in told) == ("queen" in earlier)
    assert {each.nearest for each in RUN.moments[13:]} == {"queen"}  # it stays
    assert picture(LESSON, "replay", moment=moment)["panels"][0]["title"].endswith(f"king is {now.nearest}")


def test_queen_is_nearest_to_king_though_the_two_never_meet(trained):
    model = trained[0]
    near = model.vectors_.neighbours("king", 4)
    assert [word for word, *_ in RUN.near_king] == [each.word for each in near]
    for word, near_king, met in RUN.near_king:
        assert met == times_near("king", word)
        assert near_king == pytest.approx(
            cosine(*(model.vectors_[each] for each in ("king", word))), abs=0.02
        )
    assert RUN.near_king[0][0] == "queen" and RUN.near_king[0][2] == 0
    assert set(RUN.seeds.values()) == {"queen"} and len(RUN.seeds) == 5
    assert picture(LESSON, "nearest")["rows"][0]["bars"][0]["text"] == str(times_near("king", "crown"))
    assert f"a cosine of {RUN.near_king[0][1]:.2f}" in beat_words("nearest", True)


def test_the_windows_of_king_and_queen_hold_the_same_words():
    for word, king, queen in RUN.contexts:
        assert (king, queen) == (times_near("king", word), times_near("queen", word))
        assert (word in ("he", "she")) == (min(king, queen) == 0)
    assert f"words, {RUN.overlap['queen']:.0%} of" in beat_words("contexts")
    assert RUN.overlap["queen"] > 3 * RUN.overlap["cherry"]


def test_the_shared_part_of_two_words_windows_is_counted():
    shares = {}
    for word in ("king", "queen", "cherry"):
        found = [
            text[near]
            for text in TEXT
            for place, token in enumerate(text)
            if token == word
            for near in range(max(0, place - 4), min(len(text), place + 5))
            if near != place
        ]
        shares[word] = {each: found.count(each) / len(found) for each in set(found)}
    for word, overlap in RUN.overlap.items():
        both = sum(min(share, shares[word].get(each, 0)) for each, share in shares["king"].items())
        assert overlap == pytest.approx(both, abs=1e-3)


def test_without_noise_all_vectors_point_nearly_the_same_way():
    model = SkipGram(RUN.dimension, RUN.window, 0, epochs=10, min_count=2, seed=1).fit(TEXT)
    vectors = [model.vectors_[word] for word in RUN.words]
    mean = np.mean([cosine(a, b) for i, a in enumerate(vectors) for b in vectors[:i]])
    assert RUN.mean_bare == pytest.approx(mean, abs=0.02) and mean > RUN.moments[-1].mean + 0.4
    assert f"is {RUN.mean_bare:.2f} without noise, and {RUN.moments[-1].mean:.2f} with it" in beat_words(
        "collapse"
    )
    angles = [
        np.ptp([np.arctan2(point["x"], point["y"]) for point in panel["points"] if point["key"] != "0"])
        for panel in picture(LESSON, "collapse")["panels"]
    ]
    assert angles[1] < 0.6 * angles[0]


def test_the_last_beat_draws_each_word_s_way_from_the_crowd():
    points = picture(LESSON, "answer")["panels"][0]["points"]
    assert all(point["trail"][0] == list(RUN.at(120).places[i]) for i, point in enumerate(points))
    assert len({point["hue"] for point in points}) == 4
