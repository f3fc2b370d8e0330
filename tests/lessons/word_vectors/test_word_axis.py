"""The axis of meaning measures words from the average word, and speaks of people on axes of people only."""

import numpy as np
import pytest

from core.lesson.choices.vector_sets import shared_vectors
from tests.lessons.lesson_page import guess, metrics, open_lesson, question, said, sent, table_with, views
from tests.lessons.word_vectors.notebook_run import value_of

LESSON = "word_axis"
PEOPLE = "Nobody told the model about people"


def standards(unit=True):
    """Return each word's standard place on he-him-man to she-her-woman in GloVe, by hand."""
    vectors = shared_vectors("glove")
    X = vectors.vectors.astype(float)
    if unit:
        X = X / np.linalg.norm(X, axis=1, keepdims=True)
    ends = [
        X[[vectors.index[word] for word in words.split()]].mean(axis=0)
        for words in ("he him man", "she her woman")
    ]
    along = X @ (ends[1] - ends[0])
    return dict(zip(vectors.words, (along - along.mean()) / along.std(), strict=True))


def halfway():
    """Return where the middle between he-him-man and she-her-woman lies, by hand."""
    vectors = shared_vectors("glove")
    X = vectors.vectors.astype(float)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    low, high = (
        X[[vectors.index[word] for word in words.split()]].mean(axis=0)
        for words in ("he him man", "she her woman")
    )
    along = X @ (high - low)
    return ((low + high) / 2 @ (high - low) - along.mean()) / along.std()


def test_words_stand_at_their_standard_places_and_zero_is_the_average_word():
    app = open_lesson(LESSON)
    table, expected = table_with(app, "standard"), standards()
    assert table["standard"].tolist() == pytest.approx([expected[word] for word in table.word], abs=1e-3)
    drawn = sent(app, "attend_axis")
    places = {each["word"]: each["standard"] for each in [*drawn["words"], *drawn["ends"]]}
    assert places == pytest.approx({word: expected[word] for word in places}, abs=1e-3)
    assert {*"he him man she her woman".split(), "nurse"} <= set(places)
    edges = np.linspace(-drawn["reach"], drawn["reach"], len(drawn["hill"]) + 1)
    assert drawn["hill"] == pytest.approx(np.histogram(list(expected.values()), edges)[0], abs=2)
    assert drawn["halfway"] == pytest.approx(halfway(), abs=1e-3)


def test_which_words_differ_from_an_average_word_is_said_and_counted():
    app, expected = open_lesson(LESSON), standards()
    table = table_with(app, "standard")
    every = np.abs(list(expected.values()))
    far = [word for word in table.word if (every >= abs(expected[word]) - 1e-6).mean() <= 0.05]
    sentence = next(each.value for each in app.markdown if each.value.startswith("Further out"))
    assert far and all(word in sentence for word in far) and f"The other {len(table) - len(far)} " in sentence
    assert not [word for word in table.word if word not in far and word in sentence]


def test_the_sentence_about_people_goes_with_people_s_axes_only():
    assert PEOPLE in said(open_lesson(LESSON))
    other = open_lesson(LESSON, left="small tiny little", right="large huge big", placed="mouse whale")
    assert PEOPLE not in said(other) and "Zero is the mean of all 20,000 words" in said(other)


def test_full_length_moves_the_words_and_the_page_says_how_far():
    app, whole = open_lesson(LESSON, raw="true"), open_lesson(LESSON)
    table, were, expected = table_with(app, "standard"), standards(), standards(unit=False)
    assert table["standard"].tolist() == pytest.approx([expected[word] for word in table.word], abs=1e-3)
    shifts = {word: abs(expected[word] - were[word]) for word in table.word}
    before, after = (float(value) for value in metrics(app).values())
    assert before == 0 and after == pytest.approx(np.mean(list(shifts.values())), abs=0.005)
    lengths = shared_vectors("glove").subset(table.word).lengths
    assert f"is {lengths.max() / lengths.min():.2f} times as long as" in said(app)
    assert f"“{max(shifts, key=shifts.get)}” moved most" in said(app)
    assert sent(app, "attend_axis")["words"] != sent(whole, "attend_axis")["words"]


@pytest.mark.parametrize(
    ("field", "value"), [("left", ""), ("right", "blorb"), ("placed", ""), ("right", "he him man")]
)
def test_an_axis_that_cannot_be_drawn_is_a_sentence_and_the_rest_of_the_page_stays(field, value):
    app = open_lesson(LESSON)
    app.text_input(key=f"word_axis_{field}").set_value(value).run()
    assert not app.exception
    assert len(app.warning) == 1
    assert "The code that ran" in {each.label for each in app.tabs}


def test_before_the_guess_no_place_is_shown():
    app = open_lesson(LESSON, predict="true", raw="true")
    assert question(app) and not views(app) and not app.dataframe and not app.metric
    assert "Take it away" in {each.label for each in app.tabs}
    table = table_with(guess(app), "standard")
    furthest = table.word[table["standard"].abs().argmax()]
    assert f"it is {furthest}" in said(app) or "Right." in said(app)


@pytest.mark.usefixtures("tiny_training")
def test_a_set_of_four_words_breaks_nothing():
    app = open_lesson(LESSON, vectors="trained by you", left="the", right="cat", placed="sat down")
    assert not app.exception and "Zero is the mean of all 4 words" in said(app)


def test_the_notebook_gives_the_page_s_numbers(notebook_cells):
    app = open_lesson(LESSON)
    table = table_with(app, "standard").set_index("word")["standard"]
    assert {each.word: each.standard for each in value_of(notebook_cells)} == pytest.approx(table.to_dict())
