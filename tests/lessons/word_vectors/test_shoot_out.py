"""The page of the shoot-out says what core measures, of the recorded runs and of what a learner has trained."""

import json
import re

import pytest
from scipy.stats import spearmanr

from core.figures.worked import how_often
from core.lesson import lesson as lesson_module
from core.lesson import training_job
from core.lesson.training_job import Bench
from core.models.stored import load_card
from core.models.word_vectors.shoot_out import METHODS, Settings, digest, epochs_for, fit_each
from core.models.word_vectors.shoot_out_board import (
    best,
    board_of_text,
    loss_of,
    measure_for,
    named_by,
    nearest_each,
    rated_pairs,
    recorded_board,
)
from core.models.word_vectors.vector_tests import word_similarity
from core.text.samples.shelf import sample
from pages.word_vectors.shoot_out import look_up
from tests.lessons.lesson_page import figures, guess, metrics, open_lesson, question, said, sent, views
from tests.lessons.word_vectors.notebook_run import value_of
from tests.lessons.word_vectors.three_texts import SHORT

LESSON = "shoot_out"
YOURS = {"corpus": "your text"}
HAMLET = sample("hamlet").read().text


def after_training(monkeypatch, text, settings):
    """Let the learner have trained on a text."""
    run = fit_each(lambda now: None, text, settings)
    bench = Bench(result=run, settings=(digest(text), "a text", settings), number=len(text))
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    return board_of_text(run)


def lines(app):
    """Return the words of each method's line on the board."""
    data = sent(app, "attend_tagged_text")
    return {
        name: [each["word"] for each in line]
        for name, line in zip(data["names"], data["sentences"], strict=True)
    }


@pytest.mark.parametrize("tenth", ["false", "true"])
@pytest.mark.parametrize("corpus", ["mix", "world"])
def test_the_recorded_board_is_what_core_measures(corpus, tenth):
    app = open_lesson(LESSON, tenth=tenth, **(YOURS if corpus == "world" else {}))
    board, part = recorded_board(corpus), "tenth" if tenth == "true" else "whole"
    near = nearest_each(board.run[part], "king", 6)
    assert lines(app) == near
    counts = named_by(near)
    every = sum(count == 5 for count in counts.values())
    assert f"Of {len(counts)} words named near “king”, {every or 'none'}" in said(app)
    scores = board.scores[part]
    measure = measure_for(scores)
    first = best(scores, measure)
    if measure == "similarity":
        vectors = next(each.vectors for each in board.run[part] if each.method == first.method)
        rho = word_similarity(vectors, rated_pairs()).spearman
        assert f"{first.method} goes best with people's ratings: Spearman {rho:.2f}" in said(app)
    else:
        assert first.method in said(app)
    shown = {trace["name"] for trace in figures(app)[0]["data"] if "name" in trace}
    assert not shown  # the rows name themselves
    assert len([view for view in views(app) if "places" in view]) == 2


@pytest.mark.parametrize("corpus", ["mix", "world"])
def test_a_tenth_sets_the_mean_beside_that_on_the_whole(corpus):
    app = open_lesson(LESSON, tenth="true", **(YOURS if corpus == "world" else {}))
    board = recorded_board(corpus)
    loss = loss_of(board.before, board.scores["tenth"])
    found = list(metrics(app).values())
    form = ".2f" if loss.measure == "similarity" else ".0%"
    assert found == [f"{loss.before:{form}}", f"{loss.after:{form}}"]
    assert f"With {loss.most} the" in said(app)


def test_a_tenth_costs_every_mean_something_on_both_recorded_corpora():
    for corpus in ("mix", "world"):
        loss = loss_of(recorded_board(corpus).before, recorded_board(corpus).scores["tenth"])
        assert loss.after < loss.before


def test_a_tenth_is_set_beside_the_whole_on_the_same_rated_pairs():
    board = recorded_board("mix")
    known = board.run["tenth"][0].vectors
    same = [pair for pair in rated_pairs() if pair[0] in known and pair[1] in known]
    lost = {}
    for whole, less in zip(board.run["whole"], board.run["tenth"], strict=True):
        rho = [
            spearmanr([each.vectors.similarity(a, b) for a, b, _ in same], [r for *_, r in same]).statistic
            for each in (whole, less)
        ]
        lost[whole.method] = rho[0] - rho[1]
    shown = said(open_lesson(LESSON, tenth="true"))
    most, least = max(lost, key=lost.get), min(lost, key=lost.get)
    assert f"With {most} the rank correlation with people's ratings falls by {lost[most]:.2f}" in shown
    assert f"with {least} it falls by {lost[least]:.2f}" in shown
    assert f"judged on the {len(same)} rated pairs that a tenth knows" in shown
    assert f"an answer is one of {len(known):,} words" in shown


def test_how_often_the_windows_were_slid_over_the_large_corpus_is_said():
    passes = epochs_for(sum(each["tokens"] for each in load_card("skipgram").corpus.values()))
    shown = said(open_lesson(LESSON))
    assert f"Each window was slid over the text {how_often(passes)}." in shown
    assert (
        f"its rank correlation is {load_card('skipgram').quality['WordSim-353 Spearman']:.2f}, here" in shown
    )


def test_on_the_micro_world_glove_alone_fails_the_analogies_as_the_prompt_says():
    solved = {each.method: each.solved for each in recorded_board("world").scores["whole"]}
    assert solved.pop("GloVe") < 0.3 and min(solved.values()) > 0.6


def test_another_word_has_other_neighbours_and_a_click_looks_it_up(monkeypatch):
    near = nearest_each(recorded_board("mix").run["whole"], "france", 6)
    assert lines(open_lesson(LESSON, word="france")) == near
    app = open_lesson(LESSON)
    kept = app.session_state["shoot_out_near"]
    assert kept == [word for line in lines(app).values() for word in line] and callable(look_up)


@pytest.mark.parametrize("word", ["zzyzx", "🦜", "<b>", "$x$", "two words", "早上", "x" * 60])
def test_a_word_without_a_vector_gets_a_sentence(word):
    app = open_lesson(LESSON, word=word)
    assert not app.exception
    assert "There is no vector for" in said(app) and "Until then you see “king”." in said(app)


def test_a_text_that_was_not_trained_says_so_and_offers_to():
    app = open_lesson(LESSON, HAMLET, **YOURS)
    assert not app.exception
    assert "Nothing has been trained on this text yet: press Train." in said(app)
    assert "train" in " ".join(button.key for button in app.button if button.key)


@pytest.mark.parametrize("tenth", ["false", "true"])
@pytest.mark.parametrize("text", ["play", "short"])
def test_what_was_trained_here_is_on_the_board(monkeypatch, text, tenth):
    text = HAMLET if text == "play" else SHORT
    board = after_training(monkeypatch, text, Settings(dimension=8, window=2, min_count=2, epochs=1))
    app = open_lesson(LESSON, text, tenth=tenth, **YOURS)
    assert not app.exception
    part = board.part(tenth == "true")
    assert list(lines(app)) == list(METHODS)
    vectors = board.run[part][0].vectors
    word = "king" if "king" in vectors else re.search("Until then you see “(.*?)”", said(app))[1]
    assert lines(app) == nearest_each(board.run[part], word, 6)
    assert "Trained here on a text: 8 dimensions, window 2, seed 1, the windows slid over it once." in said(
        app
    )
    first = best(board.scores[part], measure_for(board.scores[part]))
    assert any(f"{first.method} {does}" in said(app) for does in ("goes best", "solves most", "is quickest"))
    if text == SHORT:
        assert ("the break takes nothing here" in said(app)) == (tenth == "true" and part == "whole")


def test_a_training_that_was_stopped_says_how_far_it_came(monkeypatch):
    settings = Settings(dimension=4, epochs=1)
    run = fit_each(lambda now: now.method != "CBOW", SHORT, settings)
    bench = Bench(result=run, settings=(digest(SHORT), "a text", settings), number=2)
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    for tenth in ("false", "true"):
        app = open_lesson(LESSON, SHORT, tenth=tenth, **YOURS)
        assert not app.exception
        assert "It was stopped: 1 of 5 methods came to their end." in said(app)


def test_before_the_guess_the_scores_are_nowhere():
    app = open_lesson(LESSON, predict="true")
    assert [each.replace("\\", "") for each in question(app).options] == sorted(METHODS)
    first = best(recorded_board("mix").scores["whole"], "similarity")
    hidden = f"{first.similarity.spearman:.3f}"
    everything = said(app) + json.dumps(figures(app)) + json.dumps(views(app))
    assert hidden not in everything and "goes best with people's ratings:" not in everything
    assert "goes best with people's ratings:" in said(guess(app))


@pytest.mark.parametrize("text", ["", "word", "🦜 🎉", "<b>x</b> $a$ `c`"])
def test_no_text_breaks_the_page(text):
    assert not open_lesson(LESSON, text, **YOURS).exception


def test_the_notebook_makes_the_page_s_board(notebook_cells):
    open_lesson(LESSON)
    room = {}
    value_of([*notebook_cells, "board"], room)
    assert room["board"].scores["whole"] == recorded_board("mix").scores["whole"]


def test_the_notebook_of_an_own_text_trains_with_the_page_s_settings(notebook_cells):
    open_lesson(LESSON, SHORT, dimension="6", **YOURS)
    assert "Settings(dimension=6" in notebook_cells[0] and "fit_each" in notebook_cells[0]


def test_the_tour_says_that_the_board_compares_these_trainings_only():
    shown = said(open_lesson("shoot_out", beat="shoot_out.3"))
    assert shown.count("So the board compares these trainings, and not all that a method can do.") == 2
