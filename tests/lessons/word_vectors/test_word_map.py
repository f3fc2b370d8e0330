"""The word map shows what core computes; one-hot vectors are drawn as what they are."""

import base64
import json

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from core.lesson.choices.vector_sets import shared_vectors
from core.models.word_vectors.projection import nearest_cosine, neighbour_survival, project
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shared.word_choice import WORDS_OF
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    open_lesson,
    question,
    said,
    sent,
    table_with,
    views,
)
from tests.lessons.word_vectors.notebook_run import value_of
from tests.lessons.word_vectors.three_texts import three_texts

LESSON = "word_map"
THEMES = [word for words in WORDS_OF.values() for word in words]


def array(value):
    """Return a plotly array, which is a list or base64."""
    if isinstance(value, list):
        return np.array(value)
    shape = [int(size) for size in str(value["shape"]).split(",")] if "shape" in value else [-1]
    return np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).reshape(shape)


def bars(app, key):
    chart = next(chart for chart in app.get("plotly_chart") if key in chart.proto.id)
    return json.loads(chart.proto.spec)["data"][0]["y"]


def places(app):
    """Return where the map in the browser has each word: core's coordinates, turned as the picture is."""
    data = sent(app, "_map")
    found = np.frombuffer(base64.b64decode(data["places"]), "<f4").reshape(-1, 2)
    return dict(zip(data["words"], found @ np.array(data["turn"]), strict=False))


def test_it_opens_on_thirty_words_of_four_themes_each_with_a_colour_and_a_mark():
    app = open_lesson(LESSON, word="")
    assert len(THEMES) == 30 and "**30 words, 50 → 2 dimensions.**" in said(app)
    data = sent(app, "_map")
    listed = {name: [] for name in WORDS_OF}
    for word, group in zip(data["words"], data["group"], strict=True):
        listed[data["groups"][group]["name"]].append(word)
    assert listed == WORDS_OF
    assert (
        len({group["hue"] for group in data["groups"]})
        == 4
        == len({group["mark"] for group in data["groups"]})
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"word": ""}, {"word": "king"}),
        ({"word": "king"}, {"word": "paris"}),
        (
            {"source": "most frequent", "count": 100, "word": ""},
            {"source": "most frequent", "count": 300, "word": ""},
        ),
        (
            {"source": "most frequent", "count": 300, "word": ""},
            {"source": "most frequent", "count": 2000, "word": ""},
        ),
    ],
)
def test_words_keep_their_places_when_others_come_or_go(before, after):
    """They move hardly further than if the new map were turned to the old one itself."""
    old, new = (places(open_lesson(LESSON, **way)) for way in (before, after))
    staying = [word for word in old if word in new]
    was, now = (np.array([each[word] for word in staying]) for each in (old, new))
    spread = np.sqrt((was**2).sum(axis=1).mean())

    def shift(turn):
        return np.linalg.norm(now @ turn - was, axis=1).mean() / spread

    best = shift(orthogonal_procrustes(now - now.mean(axis=0), was)[0])
    assert shift(np.eye(2)) < 0.35 and shift(np.eye(2)) < best + 0.05


def test_a_word_pointed_at_has_its_nearest_in_all_dimensions_unless_one_predicts():
    some = shared_vectors("glove").subset(THEMES)
    data = sent(open_lesson(LESSON, word=""), "_map")
    rows = np.frombuffer(base64.b64decode(data["near"]), "<f4").reshape(30, 5)
    for word, near in zip(data["words"], rows, strict=True):
        assert [data["words"][int(row)] for row in near] == [each.word for each in some.neighbours(word, 5)]
    assert data["dimension"] == 50 and data["clickable"]
    app = open_lesson(LESSON, predict="true")
    hidden = sent(app, "_map")
    assert not hidden["near"] and not hidden["neighbours"] and hidden["chosen"] is None
    shown = sent(guess(app), "_map")
    assert [shown["words"][row] for row in shown["neighbours"]] == [
        each.word for each in shared_vectors("glove").neighbours("king", 8)
    ]


def test_how_many_words_have_their_own_theme_nearest_is_counted():
    units = shared_vectors("glove").subset(THEMES).units
    cosines = units @ units.T - 2 * np.eye(30)
    theme = {word: name for name, words in WORDS_OF.items() for word in words}
    found = sum(theme[THEMES[row.argmax()]] == theme[word] for word, row in zip(THEMES, cosines, strict=True))
    assert f"{found} of the 30 words of the themes have another of their own theme nearest" in said(
        open_lesson(LESSON)
    )


def test_two_vectors_stand_side_by_side_as_numbers_and_come_to_their_cosine():
    app = open_lesson(LESSON)
    vectors = shared_vectors("glove")
    rows = figures(app)[0]["data"][0]
    assert rows["y"] == ["king", "queen"]
    assert np.allclose(array(rows["z"]), [vectors["king"][:12], vectors["queen"][:12]])
    x, y = vectors["king"].astype(float), vectors["queen"].astype(float)
    table = next(each.value for each in app.dataframe if "product" in each.value)
    assert table["product"].sum() == pytest.approx(x @ y, rel=1e-5)
    cosine = x @ y / np.sqrt((x @ x) * (y @ y))
    assert any(f"= {cosine:.4g}" in latex.value for latex in app.latex)


@pytest.mark.parametrize("word", ["product", "dimension"])
def test_a_word_that_is_called_as_a_column_keeps_its_numbers(word):
    vectors = shared_vectors("glove")
    table = table_with(open_lesson(LESSON, word=word), "product")
    assert list(table) == ["dimension", f"“{word}”", "“queen”", "product"]
    assert np.allclose(table[f"“{word}”"], vectors[word])
    assert np.allclose(table["product"], vectors[word] * vectors["queen"])


@pytest.mark.parametrize("beside", ["kingg", "", "king"])
def test_beside_an_unknown_word_stands_another_and_a_sentence_says_so(beside):
    app = open_lesson(LESSON)
    app.text_input(key="word_map_beside").set_value(beside).run()
    assert not app.exception and len(figures(app)[0]["data"][0]["y"]) == 2
    assert ("There is no vector for" in said(app)) == (beside != "king")


def test_the_map_prints_the_variance_and_the_neighbours_it_keeps():
    app = open_lesson(LESSON, source="my list", word="")
    words = app.text_input(key="word_map_list").value.split()
    some = shared_vectors("glove").subset(words)
    projection = project(some.vectors)
    survival = neighbour_survival(some.vectors, projection.coordinates, 8).mean()
    assert f"keeps **{projection.variance_kept:.0%}** of the variance" in said(app)
    assert f"**{survival:.0%}** survive" in said(app)
    nearest = neighbour_survival(some.vectors, projection.coordinates, 1).mean()
    one = said(open_lesson(LESSON, source="my list", word="", k=1))
    assert (
        f"Of the words' true nearest among these, **{nearest:.0%}** survive as the nearest on the map." in one
    )


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_the_neighbours_are_those_of_the_whole_set(metric):
    app = open_lesson(LESSON, metric=metric, word="paris")
    expected = [near.word for near in shared_vectors("glove").neighbours("paris", 8, metric)]
    assert bars(app, "word_map_neighbours") == expected


def test_before_the_guess_the_neighbours_are_nowhere_on_the_page(notebook_cells):
    app = open_lesson(LESSON, predict="true")
    nearest = shared_vectors("glove").neighbours("king", 8)
    unlisted = [near.word for near in nearest if near.word not in THEMES]
    assert unlisted and question(app)
    shown = json.dumps(figures(app) + views(app)) + said(app) + str([each.value for each in app.dataframe])
    shown += "".join(notebook_cells)
    assert not [word for word in unlisted if f'"{word}"' in shown or f"'{word}'" in shown]
    assert "The code that ran" in {each.label for each in app.tabs}
    app = guess(app)
    assert bars(app, "word_map_neighbours") == [near.word for near in nearest]


@pytest.mark.parametrize("name", ["default", "play", "short"])
def test_one_hot_vectors_take_every_nearness_away_and_the_picture_changes(name):
    """Whole, a word's nearest is near; broken, all cosines are 0: asserted on each text's own words."""
    text = three_texts()[name]
    whole = open_lesson(LESSON, text, source="your text", skipped=0)
    app = open_lesson(LESSON, text, source="your text", skipped=0, one_hot="true")
    assert not app.exception
    before, after = (float(value) for value in metrics(app).values())
    assert after == 0 and before > 0.5
    dense, names = figures(app)[0]["data"]
    cosines = array(names["z"])
    assert np.array_equal(cosines, np.eye(len(cosines)))
    some = shared_vectors("glove").subset(dense["x"])
    assert before == pytest.approx(nearest_cosine(some), abs=0.005)
    assert nearest_cosine(WordVectors.one_hot(dense["x"])) == 0
    assert sent(whole, "_map")["words"] and dense["type"] == "heatmap"
    assert "survive" not in said(app) and not views(app)


@pytest.mark.parametrize("word", ["kingg", "🙂", "ملك", "x" * 500, "<b>"])
def test_an_unknown_word_is_a_sentence_and_the_map_stays(word):
    app = open_lesson(LESSON)
    app.text_input(key="word_map_word").set_value(word).run()
    assert not app.exception
    assert "There is no vector for" in said(app)
    assert len(sent(app, "_map")["words"]) == 30


def test_the_map_in_3d_and_with_the_ends_of_its_sliders():
    app = open_lesson(LESSON, source="your text")
    app.toggle(key="word_map_3d").set_value(True).run()
    app.slider(key="word_map_count").set_value(2000).run()
    app.slider(key="word_map_k").set_value(20).run()
    app.slider(key="word_map_skipped").set_value(500).run()
    assert not app.exception
    assert figures(app)[0]["data"][0]["type"] == "scatter3d" and "→ 3 dimensions" in said(app)


def test_bank_s_neighbours_are_those_of_money_in_glove():
    near = {near.word for near in shared_vectors("glove").neighbours("bank", 8)}
    assert {"banks", "banking"} & near and not {"river", "shore"} & near


@pytest.mark.usefixtures("tiny_training")
@pytest.mark.parametrize("one_hot", ["false", "true"])
def test_a_set_of_four_words_breaks_nothing(one_hot):
    app = open_lesson(LESSON, vectors="trained by you", one_hot=one_hot)
    assert not app.exception and "Fewer than two of these words" in said(app)


def test_the_notebook_gives_the_page_s_numbers(notebook_cells):
    app = open_lesson(LESSON)
    assert f"keeps **{value_of(notebook_cells[:2]):.0%}** of the variance" in said(app)
    assert f"**{value_of(notebook_cells[:3]):.0%}** survive" in said(app)
    assert [near.word for near in value_of(notebook_cells)] == bars(app, "word_map_neighbours")


def test_the_tour_says_how_near_the_nearest_word_is():
    near = shared_vectors("glove").neighbours("king", 1)[0]
    shown = said(open_lesson(LESSON, beat="word_map.4"))
    assert f"in the whole set, by cosine: {near.word}, {near.similarity:.4f}. Neighbours" in shown
