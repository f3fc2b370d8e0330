"""Word embeddings: the story's numbers follow from the stored vectors; the lab shows what core computes."""

import base64
import json
import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.story import story_of
from core.models.word_vectors.projection import nearest_cosine, neighbour_survival, project
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shared.word_choice import WORDS_OF
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    views,
)
from tests.lessons.word_vectors.three_texts import three_texts

LESSON = "word_map"
THEME = {"countries": "countries and capitals"}
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


# The story. Its numbers are computed here from the rows of the stored matrix, without core's measures.


@pytest.fixture(scope="module")
def units():
    """Return each word's vector in GloVe, scaled to length 1 in 64 bits."""
    vectors = shared_vectors("glove")
    rows = vectors.vectors.astype(float)
    return dict(zip(vectors.words, rows / np.linalg.norm(rows, axis=1, keepdims=True), strict=True))


def principal(dimensions):
    """Return the story's words on their first components and the share of variance, from a decomposition."""
    vectors = shared_vectors("glove")
    rows = np.array([vectors[word] for word in THEMES], dtype=float)
    left, size, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    return left[:, :dimensions] * size[:dimensions], float((size[:dimensions] ** 2).sum() / (size**2).sum())


def test_the_story_s_map_has_each_word_where_its_first_two_components_put_it():
    drawn = {each["key"]: (each["x"], each["y"]) for each in picture(LESSON, "map")["panels"][0]["points"]}
    expected, kept = principal(2)
    assert list(drawn) == THEMES
    found = np.array(list(drawn.values()))
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=2e-3)  # an axis may point either way
    assert f"They keep {kept:.0%} of the variance" in said_in(document(LESSON, "lost"))
    assert f"raises the share of variance to {principal(3)[1]:.0%}" in said_in(document(LESSON, "turn"))


def test_on_the_map_a_word_is_closer_to_its_group_than_to_the_others():
    """What the first beat claims: the mean distance inside each group is smaller than to any other group."""
    places, _ = principal(2)
    start, groups = 0, []
    for words in WORDS_OF.values():
        groups.append(range(start, start := start + len(words)))
    between = np.array(
        [
            [
                np.mean([np.linalg.norm(places[i] - places[j]) for i in one for j in other if i != j])
                for other in groups
            ]
            for one in groups
        ]
    )
    assert (between.argmin(axis=1) == range(4)).all()


def test_one_hot_vectors_have_one_number_each_and_products_that_add_up_to_0():
    rows = {row["mark"]: np.array(row["cells"]) for row in picture(LESSON, "names")["rows"]}
    for word in ("king", "queen", "bread"):
        assert rows[word].sum() == 1 and rows[word][THEMES.index(word)] == 1
    assert not rows["product.queen"].any() and not rows["product.bread"].any()
    assert "the sum is 0." in said_in(document(LESSON, "names"))


def test_the_cosine_is_the_sum_of_the_products_that_are_drawn(units):
    data = picture(LESSON, "cosine")
    rows = {row["mark"]: row for row in data["rows"]}
    for word in ("queen", "bread"):
        product = rows[f"product.{word}"]
        np.testing.assert_allclose(product["cells"], units["king"] * units[word], atol=1e-4)
        assert product["text"] == f"Σ = {units['king'] @ units[word]:.2f}"
    told = said_in(document(LESSON, "cosine"))
    assert f"get {units['king'] @ units['queen']:.2f}." in told
    assert f"get {units['king'] @ units['bread']:.2f}, because" in told
    assert (units["king"] * units["bread"] < 0).sum() >= 20, "negative products cancel positive ones"
    assert (np.sign(units["king"]) == np.sign(units["queen"])).sum() > 1.3 * (
        np.sign(units["king"]) == np.sign(units["bread"])
    ).sum(), "king and queen have similar patterns, bread another one"


def test_the_opposite_is_the_most_similar_word_and_is_not_sent_before_the_guess(units):
    cosines = {word: float(row @ units["up"]) for word, row in units.items() if word != "up"}
    assert max(cosines, key=cosines.get) == "down" and len(units) == 20_000
    asked, told = document(LESSON, "opposites"), document(LESSON, "opposites", True)
    assert {row["text"] for row in asked["picture"]["data"]["rows"]} == {"", "cos ?"}
    assert "0.95" not in json.dumps(asked, default=str)
    assert told["ask"]["answer"] == "down" and f"a cosine of {cosines['down']:.2f}" in said_in(told)
    assert [(row["name"], row["text"]) for row in told["picture"]["data"]["rows"][1:]] == [
        (word, f"cos {cosines[word]:.2f}")
        for word in sorted(("above", "down", "high", "upward"), key=cosines.get)[::-1]
    ]


def test_apple_is_next_to_cow_on_the_map_and_nearest_to_mouse_in_all_dimensions(units):
    places, _ = principal(2)
    far = np.linalg.norm(places - places[THEMES.index("apple")], axis=1)
    assert [THEMES[i] for i in far.argsort()[:2]] == ["apple", "cow"]
    true = {word: float(units[word] @ units["apple"]) for word in THEMES if word != "apple"}
    assert max(true, key=true.get) == "mouse"
    arrows = picture(LESSON, "lost")["panels"][0]["arrows"]
    assert [each["text"] for each in arrows] == [f"cosine {true['cow']:.2f}", f"cosine {true['mouse']:.2f}"]
    near = {near.word for near in shared_vectors("glove").neighbours("apple", 5)}
    assert near & {"iphone", "microsoft", "pc"}, "in the news, apple belongs to computers"


@pytest.mark.parametrize("angle", [0, 45, 90, 180])
def test_the_cloud_is_turned_about_its_upright_axis(angle):
    """In a turned view heights stay, and a half turn mirrors the picture."""
    found = {
        each["key"]: (each["x"], each["y"])
        for each in picture(LESSON, "turn", angle=angle)["panels"][0]["points"]
    }
    places, _ = principal(3)
    t = np.radians(angle)
    for word, place in zip(THEMES, places, strict=True):
        assert abs(found[word][1]) == pytest.approx(abs(place[1]), abs=2e-3)
        either = [abs(place[0] * np.cos(t) + sign * place[2] * np.sin(t)) for sign in (1, -1)]
        assert min(abs(abs(found[word][0]) - each) for each in either) < 2e-3
    apart = np.hypot(*np.subtract(found["apple"], found["cow"]))
    done = document(LESSON, "turn", angle=angle)["done"]
    assert f"<strong>{apart:.1f}</strong> apart" in done


def test_at_some_angle_apple_and_cow_are_far_apart():
    links = [
        picture(LESSON, "turn", angle=angle)["panels"][0]["arrows"][0]["text"] for angle in range(0, 181, 5)
    ]
    apart = [float(text.split()[1]) for text in links]
    assert max(apart) > 3 * apart[0]


@pytest.mark.parametrize(
    ("own", "tells"),
    [
        ("bank", "“bank” is nearest to “banks”"),
        ("KING", "“king” is nearest to “prince”"),
        ("  Schadenfreude  ", "We have no vector for “Schadenfreude”, so you still see “teacher”."),
        ("New York", "We have no vector for “New York”"),
        ("🦜", "We have no vector for “🦜”"),
        ("مرحبا", "We have no vector for “مرحبا”"),
    ],
)
def test_a_word_that_is_looked_up_has_its_neighbours_of_the_whole_set(units, own, tells):
    found = document(LESSON, "lookup", own=own)
    assert tells in re.sub("<[^>]+>", "", found["done"])
    points = found["picture"]["data"]["panels"][0]["points"]
    word = points[0]["key"]
    cosines = {other: float(row @ units[word]) for other, row in units.items() if other != word}
    nearest = sorted(cosines, key=cosines.get)[::-1][:8]
    assert [each["text"] for each in points[1:]] == [f"{other} {cosines[other]:.2f}" for other in nearest]


def test_at_the_end_each_word_is_joined_to_its_nearest_and_two_leave_their_group(units):
    group = {word: name for name, words in WORDS_OF.items() for word in words}
    arrows = picture(LESSON, "answer")["panels"][0]["arrows"]
    for word, arrow in zip(THEMES, arrows, strict=True):
        best = max((other for other in THEMES if other != word), key=lambda other: units[word] @ units[other])
        assert arrow["key"] == f"{word}.{best}"
        assert arrow["kind"] == ("line" if group[word] == group[best] else "link")
    told = said_in(document(LESSON, "answer"))
    assert "For 28 words the line stays inside their group." in told
    assert "palace is nearest to rome, and apple is nearest to mouse" in told


@pytest.mark.parametrize("beat", [beat.name for beat in story_of("pages.word_vectors.word_map")])
def test_a_beat_opens_the_lab_on_what_it_shows(beat):
    query = dict(parse_qsl(urlsplit(document(LESSON, beat)["lab"]).query))
    fields = {name.removeprefix("word_map_"): value for name, value in query.items() if name != "lab"}
    app = open_lesson(LESSON, **fields)
    assert not app.exception
    if beat == "lost":
        data = sent(app, "_map")
        assert data["words"][data["chosen"]] == "apple"


# The lab.


def test_it_opens_on_thirty_words_of_four_themes_each_with_a_colour_and_a_mark():
    app = open_lesson(LESSON, word="")
    assert len(THEMES) == 30 and "**30 words, 50 → 2 dimensions.**" in said(app)
    data = sent(app, "_map")
    listed = {THEME.get(name, name): [] for name in WORDS_OF}
    for word, group in zip(data["words"], data["group"], strict=True):
        listed[data["groups"][group]["name"]].append(word)
    assert listed == {THEME.get(name, name): words for name, words in WORDS_OF.items()}
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
    assert f"{found} of the 30 words of the themes have a word of their own theme as the nearest" in said(
        open_lesson(LESSON)
    )


def test_two_vectors_stand_side_by_side_as_numbers_and_come_to_their_cosine():
    app = open_lesson(LESSON, rows="true")
    vectors = shared_vectors("glove")
    rows = sent(app, "_vector_rows")["rows"]
    x, y = vectors["king"].astype(float), vectors["queen"].astype(float)
    np.testing.assert_allclose(rows[0]["cells"], x / np.linalg.norm(x), atol=1e-4)
    np.testing.assert_allclose(rows[1]["cells"], y / np.linalg.norm(y), atol=1e-4)
    table = next(each.value for each in app.dataframe if "product" in each.value)
    assert table["product"].sum() == pytest.approx(x @ y, rel=1e-5)
    cosine = x @ y / np.sqrt((x @ x) * (y @ y))
    assert any(f"= {cosine:.4g}" in latex.value for latex in app.latex)
    assert f"is **{cosine:.4f}**, from 50 products" in said(app)


@pytest.mark.parametrize("word", ["product", "dimension"])
def test_a_word_that_is_called_as_a_column_keeps_its_numbers(word):
    vectors = shared_vectors("glove")
    table = table_with(open_lesson(LESSON, word=word, rows="true"), "product")
    assert list(table) == ["dimension", f"“{word}”", "“queen”", "product"]
    assert np.allclose(table[f"“{word}”"], vectors[word])
    assert np.allclose(table["product"], vectors[word] * vectors["queen"])


@pytest.mark.parametrize("beside", ["kingg", "", "king"])
def test_beside_an_unknown_word_stands_another_and_a_sentence_says_so(beside):
    app = open_lesson(LESSON, rows="true")
    app.text_input(key="word_map_beside").set_value(beside).run()
    assert not app.exception and len(sent(app, "_vector_rows")["rows"]) == 3
    assert ("We have no vector for" in said(app)) == (beside != "king")


def test_the_map_prints_the_variance_and_the_neighbours_it_keeps():
    app = open_lesson(LESSON, source="my list", word="")
    words = app.text_input(key="word_map_list").value.split()
    some = shared_vectors("glove").subset(words)
    projection = project(some.vectors)
    survival = neighbour_survival(some.vectors, projection.coordinates, 8).mean()
    assert f"keeps **{projection.variance_kept:.0%}** of the variance" in said(app)
    assert f"**{survival:.0%}** are also its neighbours on the map" in said(app)
    nearest = neighbour_survival(some.vectors, projection.coordinates, 1).mean()
    one = said(open_lesson(LESSON, source="my list", word="", k=1))
    assert (
        f"For **{nearest:.0%}** of the words, the true nearest of them is also the nearest on the map." in one
    )


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_the_neighbours_are_those_of_the_whole_set(metric):
    app = open_lesson(LESSON, metric=metric, word="paris", neighbours="true")
    expected = [near.word for near in shared_vectors("glove").neighbours("paris", 8, metric)]
    assert bars(app, "neighbour_bars") == expected


def test_before_the_guess_the_neighbours_are_nowhere_on_the_page(notebook_cells):
    app = open_lesson(LESSON, predict="true", neighbours="true")
    nearest = shared_vectors("glove").neighbours("king", 8)
    unlisted = [near.word for near in nearest if near.word not in THEMES]
    assert unlisted and question(app)
    shown = json.dumps(figures(app) + views(app)) + said(app) + str([each.value for each in app.dataframe])
    shown += "".join(notebook_cells)
    assert not [word for word in unlisted if f'"{word}"' in shown or f"'{word}'" in shown]
    assert "The code that ran" in {each.label for each in app.tabs}
    app = guess(app)
    assert bars(app, "neighbour_bars") == [near.word for near in nearest]


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
    assert "keeps **" not in said(app) and not [each for each in views(app) if "words" in each]


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


def test_the_notebook_gives_the_page_s_numbers(notebook_cells, capsys):
    app = open_lesson(LESSON, neighbours="true")
    exec("\n".join(notebook_cells[1:]), {})
    kept, survived, *rest = capsys.readouterr().out.split("\n")
    assert f"keeps **{float(kept):.0%}** of the variance" in said(app)
    assert f"**{float(survived):.0%}** are also its neighbours" in said(app)
    assert all(f"word='{word}'" in rest[1] for word in bars(app, "neighbour_bars"))
