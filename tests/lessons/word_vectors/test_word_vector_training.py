"""Training on one's own text: the window as training lays it, one step's numbers, what noise words are for."""

import json
import re

import numpy as np
import pytest

from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.training_progress import Progress
from tests.lessons.lesson_page import figures, metrics, open_lesson, said, sent, table_with
from tests.lessons.word_vectors.notebook_run import value_of
from tests.lessons.word_vectors.three_texts import SHORT, three_texts

LESSON = "word_vector_training"


def pairs_of(app):
    return table_with(app, "to be found")


def test_the_first_step_of_training_starts_from_a_probability_of_one_half():
    app = open_lesson(LESSON)
    app.button(key="word_vector_training_step_next").click().run()
    worked = r"\sigma(0) = \frac{1}{1 + e^{0}} = 0.5"
    assert any(worked in each.value.replace("e^{-0}", "e^{0}") for each in app.latex)


@pytest.mark.parametrize("sentence", ["", "one", "🙂 🙂 🙂", "صباح الخير يا أصدقاء", "word " * 80])
def test_any_sentence_has_a_window_or_a_sentence_says_why_not(sentence):
    app = open_lesson(LESSON)
    app.text_input[0].set_value(sentence).run()
    assert not app.exception
    assert "makes" in said(app) or "has no window here" in said(app)


def test_the_window_shows_no_pair_across_a_full_stop_nor_one_that_is_left_out():
    app = open_lesson(LESSON, SHORT + " A zebra met the cat.", window=10, centre=5)
    app.text_input[0].set_value("The cat sat on the mat. The dog sat on a zebra.").run()
    true = pairs_of(app)[lambda table: table.pair == "true"]
    assert true["to be found"].tolist() == ["the", "cat", "sat", "on", "mat"]
    assert "In parentheses: left out, seen fewer than 2 times" in said(app)
    drawn = figures(app)[0]["data"][0]["text"]
    assert "(zebra)" in drawn and "mat" in drawn


def test_a_word_that_training_leaves_out_has_no_window():
    app = open_lesson(LESSON, SHORT + " A zebra met the cat.", centre=2)
    app.text_input[0].set_value("A zebra met the cat.").run()
    assert "“zebra” has no window here" in said(app) and not app.exception


@pytest.mark.parametrize("name", ["default", "play", "short"])
@pytest.mark.parametrize("kind", ["skip-gram", "CBOW"])
def test_without_noise_vectors_turn_the_same_way_and_the_picture_changes(name, kind):
    text = three_texts()[name]
    whole = open_lesson(LESSON, text, kind=kind)
    app = open_lesson(LESSON, text, timeout=200, kind=kind, no_noise="true")
    assert not app.exception
    before, after = (float(value) for value in metrics(app).values())
    assert after > before + 0.1 and after > 0.8
    assert f"cosine {after:.2f} on average, with it {before:.2f}" in said(app)
    assert set(pairs_of(whole).pair) == {"true", "noise"} and set(pairs_of(app).pair) == {"true"}
    assert len(figures(app)) == len(figures(whole)) + 1
    assert "drawn as noise" in said(whole)


def test_a_step_without_noise_holds_the_true_pair_alone():
    app = open_lesson(LESSON, SHORT, no_noise="true")
    assert len(table_with(app, "true pair")) == 1


def test_a_word_drawn_twice_is_named():
    app = open_lesson(LESSON, SHORT, negatives=20)
    assert "Drawn more than once, with one vector that takes the sum of its gradients" in said(app)


@pytest.mark.usefixtures("tiny_training")
def test_a_training_on_four_words_breaks_nothing():
    app = open_lesson(LESSON)
    assert not app.exception
    assert "Trained on a text: 4 words" in said(app) and "None of the micro-world" in said(app)
    assert "loss 1.000; an epoch keeps" in said(app)
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
    app = open_lesson(LESSON)
    assert "loss 2.500" in said(app) and "nan" not in said(app)
    tiny_training.reports = tiny_training.reports[:1]
    assert "no block of text held a pair" in said(open_lesson(LESSON))


def test_the_micro_world_s_score_comes_with_the_word_that_it_was_built_for_it(tiny_training):
    royal = [["the", "king", "man", "queen", "woman"], ["the", "prince", "boy", "princess", "girl"]] * 20
    tiny_training.result = SkipGram(8, epochs=2, min_count=1).fit(royal)
    tiny_training.reports = [Progress(1, 1, 1, 1.0, 1.0, 0.0, tiny_training.result.vectors_)]
    tiny_training.settings = "The micro-world"
    assert "This text was written for it" in said(open_lesson(LESSON))
    tiny_training.settings = "a play"
    app = open_lesson(LESSON)
    assert "analogies solved" in said(app) and "This text was written for it" not in said(app)


@pytest.mark.parametrize(("kind", "model"), [("skip-gram", SkipGram), ("CBOW", Cbow)])
def test_the_notebook_trains_the_model_that_was_set(kind, model, notebook_cells):
    open_lesson(LESSON, kind=kind, epochs=2, window=3, dimension=8, seed=5)
    first, second, third = notebook_cells
    head = first.split("\n")[:2]
    room = {"sentences": [["the", "cat", "sat"], ["the", "dog", "sat"]] * 10}
    exec("\n".join([head[0], second]), room)
    assert type(room["model"]) is model and room["model"].window == 3 and room["model"].seed == 5
    exec(head[1], {})
    assert value_of([third], room)


def test_the_code_that_ran_holds_the_loop_of_the_training():
    shown = "\n".join(code.value for code in open_lesson(LESSON).code)
    for name in ("def training_step", "def fit(", "def update(", "def steps_downhill", "def trained_window"):
        assert name in shown


def test_the_link_brings_every_setting_back():
    app = open_lesson(LESSON, window=7, negatives=3, dimension=20, epochs=4, kind="CBOW", seed=8)
    assert (
        json.dumps([app.slider(key=f"{LESSON}_{name}").value for name in ("window", "negatives")]) == "[7, 3]"
    )
    assert app.number_input(key=f"{LESSON}_seed").value == 8


def test_a_window_of_one_word_has_no_reach_to_draw():
    assert "draws its reach anew, 1 to 2: drawn is the widest" in said(open_lesson(LESSON, window=2))
    narrow = said(open_lesson(LESSON, window=1))
    assert "No window crosses the end of a sentence." in narrow and "reach" not in narrow


@pytest.mark.parametrize("text", three_texts())
def test_the_tour_tells_a_first_step_s_losses_apart(text):
    step = said(open_lesson(LESSON, three_texts()[text], step=5, beat="word_vector_training.5"))
    before, after = re.search(
        r"The loss of this pair goes from ([\d.]+) to ([\d.]+)\. In this very", step
    ).groups()
    assert float(before) == pytest.approx(6 * np.log(2), rel=1e-4) and float(after) < float(before)
    start = said(open_lesson(LESSON, three_texts()[text], step=3, beat="word_vector_training.4"))
    assert f"its noise it is {before}. Before any training" in start and "the loss is 6 · ln 2." in start
