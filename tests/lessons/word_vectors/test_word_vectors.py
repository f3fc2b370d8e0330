"""The word-vector lessons show what core computes, and say in a sentence what they cannot do."""

import json

import pytest

from core.lesson import analogy_scores, take_away, training_job, vector_sets
from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.training_job import Bench
from core.models.word_vectors.projection import neighbour_survival, project
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.vector_agreement import agreement, shared_words
from core.models.word_vectors.training_progress import Progress
from core.models.word_vectors.word_arithmetic import arithmetic
from tests.lessons.lesson_page import open_lesson, said


def bars(app, key: str) -> list[str]:
    chart = next(chart for chart in app.get("plotly_chart") if key in chart.proto.id)
    return json.loads(chart.proto.spec)["data"][0]["y"]


def test_the_map_prints_the_variance_and_the_neighbours_it_keeps():
    app = open_lesson("word_map")
    app.session_state["word_map_source"] = "my list"
    app.text_input(key="word_map_word").set_value("").run()
    words = app.text_area(key="word_map_list").value.split()
    some = shared_vectors("glove").subset(words)
    projection = project(some.vectors)
    survival = neighbour_survival(some.vectors, projection.coordinates, 8).mean()
    assert f"keeps **{projection.variance_kept:.0%}** of the variance" in said(app)
    assert f"**{survival:.0%}** survive" in said(app)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_the_neighbours_are_those_of_the_whole_set(metric):
    app = open_lesson("word_map")
    app.session_state["word_map_metric"] = metric
    app.text_input(key="word_map_word").set_value("paris").run()
    expected = [near.word for near in shared_vectors("glove").neighbours("paris", 8, metric)]
    assert bars(app, "word_map_neighbours") == expected


def test_one_hot_vectors_are_all_equally_far():
    app = open_lesson("word_map")
    app.toggle(key="word_map_one_hot").set_value(True).run()
    assert not app.exception
    assert "no word is nearer than any other" in said(app)


@pytest.mark.parametrize("word", ["kingg", "🙂", "ملك", "x" * 500, "<b>"])
def test_an_unknown_word_is_a_sentence_and_the_map_stays(word):
    app = open_lesson("word_map")
    app.text_input(key="word_map_word").set_value(word).run()
    assert not app.exception
    assert "There is no vector for" in said(app)
    assert app.get("plotly_chart")


def test_the_map_in_3d_and_with_the_ends_of_its_sliders():
    app = open_lesson("word_map")
    app.toggle(key="word_map_3d").set_value(True).run()
    app.slider(key="word_map_count").set_value(2000).run()
    app.slider(key="word_map_k").set_value(20).run()
    app.slider(key="word_map_skipped").set_value(500).run()
    assert not app.exception


def test_arithmetic_shows_core_s_answer_and_what_was_left_out():
    app = open_lesson("word_arithmetic")
    best = arithmetic(shared_vectors("glove").normalised(), "king - man + woman").answers[0]
    assert (
        f"≈ {best.word}   (cosine {best.similarity:.3f}; left out of the answers: king, man, woman)"
        in said(app)
    )


@pytest.mark.parametrize(
    "expression", ["king -", "(king", "king man", "", "blorb + king", "king - king", "🙂"]
)
def test_a_bad_expression_is_a_sentence(expression):
    app = open_lesson("word_arithmetic")
    app.text_input(key="word_arithmetic_expression").set_value(expression).run()
    assert not app.exception
    assert len(app.warning) == 1


def test_letting_the_question_answer_is_measured():
    app = open_lesson("word_arithmetic")
    app.toggle(key="word_arithmetic_keep").set_value(True).run()
    whole, broken = (float(metric.value.rstrip("%")) for metric in app.metric)
    assert broken < whole - 10


@pytest.mark.parametrize(
    ("field", "value"), [("left", ""), ("right", "blorb"), ("placed", ""), ("right", "he him man")]
)
def test_an_axis_that_cannot_be_drawn_is_a_sentence(field, value):
    app = open_lesson("word_axis")
    app.text_area(key=f"word_axis_{field}").set_value(value).run()
    assert not app.exception
    assert len(app.warning) == 1


def test_the_duel_counts_the_neighbours_both_sets_share():
    app = open_lesson("word_vector_duel")
    expected = agreement(*shared_words(shared_vectors("glove"), shared_vectors("skipgram")), "king", 10)
    assert f"**{len(expected.shared)} of 10 neighbours are shared**" in said(app)
    assert f"**{expected.mean:.0%}**" in said(app)


@pytest.fixture
def tiny_training(monkeypatch):
    """A learner who has trained on four words, so that every page meets a set far smaller than the stored ones."""
    model = SkipGram(dimension=4, epochs=3).fit([["the", "cat", "sat", "down"]] * 30)
    bench = Bench(
        result=model, reports=[Progress(0, 1, 0, 1.0, 1.0, 1.0, model.vectors_)], settings="a text", number=1
    )
    for module in (training_job, vector_sets, analogy_scores):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)


@pytest.mark.parametrize("name", ["word_map", "word_arithmetic", "word_axis", "word_vector_training"])
@pytest.mark.usefixtures("tiny_training")
def test_a_set_of_four_words_breaks_no_page(name):
    app = open_lesson(name)
    if name != "word_vector_training":
        app.session_state[f"{name}_vectors"] = "trained"
        app.run()
    assert not app.exception


@pytest.mark.usefixtures("tiny_training")
def test_the_duel_with_a_set_that_shares_hardly_a_word_says_so():
    app = open_lesson("word_vector_duel")
    app.session_state["word_vector_duel_second"] = "trained"
    app.text_input(key="word_vector_duel_word").set_value("cat").run()
    assert not app.exception


@pytest.mark.parametrize("name", ["word_map", "word_arithmetic", "word_axis", "word_vector_duel"])
def test_the_notebook_of_a_lesson_runs(name, monkeypatch):
    cells = []
    monkeypatch.setattr(take_away, "notebook", lambda title, code: cells.extend(code) or b"{}")
    open_lesson(name)
    exec("\n".join(cells), {})


def test_the_first_step_of_training_starts_from_a_probability_of_one_half():
    app = open_lesson("word_vector_training")
    app.button(key="word_vector_training_step_next").click().run()
    assert r"\sigma(0) = \frac{1}{1 + e^{0}} = 0.5" in app.latex[-1].value.replace("e^{-0}", "e^{0}")


@pytest.mark.parametrize("sentence", ["", "one", "🙂 🙂 🙂", "صباح الخير يا أصدقاء", "word " * 80])
def test_any_sentence_has_a_window_or_a_sentence_says_why_not(sentence):
    app = open_lesson("word_vector_training")
    app.text_input[0].set_value(sentence).run()
    assert not app.exception
