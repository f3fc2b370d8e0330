"""Semantic axes: the story's numbers are recomputed by hand; the lab measures words from the average word."""

import numpy as np
import pytest

from core.lesson.choices.vector_sets import shared_vectors
from pages.word_vectors.word_axis.page import ASKED, JOBS, NAMES, OPPOSITES, TEAMS
from tests.lessons.lesson_page import (
    document,
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

LESSON = "word_axis"
PEOPLE = "Nobody told the model about people"


# The story. By hand, a place is (cos(x, right) - cos(x, left)) / |right - left|, from the stored vectors themselves.


def by_hand(left, right, name="glove"):
    """Return each word's place between two words."""
    vectors = shared_vectors(name)
    X = vectors.vectors.astype(float)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    low, high = X[vectors.index[left]], X[vectors.index[right]]
    along = (X @ high - X @ low) / np.sqrt(((high - low) ** 2).sum())
    return dict(zip(vectors.words, along, strict=True))


def rows_of(data):
    """Return a picture's places by word, and see that their numbers are written with two digits."""
    found = {row["word"]: row["at"] for row in data["rows"] if row["at"] is not None}
    for row in data["rows"]:
        if row["at"] is not None and row["kind"] != "end":
            number = f"{row['at']:+.2f}"
            assert row["text"].replace("\N{MINUS SIGN}", "-") == ("0.00" if number[1:] == "0.00" else number)
    return found


def signed(number):
    return f"{number:+.2f}".replace("-", "\N{MINUS SIGN}")


@pytest.mark.parametrize(
    ("beat", "words", "ends"),
    [
        ("line", JOBS, ("he", "she")),
        ("shadow", ("coach", "nurse", "he", "she"), ("he", "she")),
        ("secretary", JOBS, ("he", "she")),
        ("spread", JOBS, ("he", "she")),
        ("opposites", OPPOSITES, ("bad", "good")),
    ],
)
def test_each_word_is_drawn_at_its_cosine_with_the_direction(beat, words, ends):
    places, found = by_hand(*ends), rows_of(picture(LESSON, beat))
    assert found == pytest.approx({word: places[word] for word in words}, abs=1e-3)
    if beat != "shadow":
        assert list(found.values()) == sorted(found.values(), reverse=True)


def test_nurse_is_rightmost_and_coach_leftmost_of_the_ten():
    places = by_hand("he", "she")
    assert max(JOBS, key=places.get) == "nurse" and min(JOBS, key=places.get) == "coach"
    assert f"coach, at {signed(places['coach'])}" in said_in(document(LESSON, "line"))
    nurse = said_in(document(LESSON, "shadow"))
    assert "(0.6457 − 0.4805) / 0.4790 = +0.345" in nurse
    assert places["nurse"] == pytest.approx((0.6457 - 0.4805) / 0.4790, abs=5e-4)


def test_the_secretary_is_on_the_side_of_he_and_its_place_is_not_sent_before_the_answer():
    places, asked = by_hand("he", "she"), document(LESSON, "secretary")
    assert ASKED not in rows_of(asked["picture"]["data"])
    revealed = document(LESSON, "secretary", True)
    assert rows_of(revealed["picture"]["data"])[ASKED] == pytest.approx(places[ASKED], abs=1e-3)
    assert revealed["ask"]["answer"] == "left" and places[ASKED] < -0.1
    X = shared_vectors("glove").vectors.astype(float)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    near = np.argsort(-(X @ X[shared_vectors("glove").index[ASKED]]))[1:4]
    first, second, third = (shared_vectors("glove").words[i] for i in near)
    told = said_in(revealed)
    assert f"say why: {first}, {second} and {third}." in told and f"is at {signed(places[ASKED])}" in told


def test_four_of_the_ten_are_outside_the_band_of_95_percent():
    data, places = picture(LESSON, "spread"), by_hand("he", "she")
    every = np.array(list(places.values()))
    away = np.abs(every - every.mean())
    band, width = data["band"], np.sort(away)[int(0.95 * len(every))]
    assert (band["from"], band["to"]) == pytest.approx((every.mean() - width, every.mean() + width), abs=1e-3)
    out = {job for job in JOBS if not band["from"] <= places[job] <= band["to"]}
    assert out == {"nurse", "dancer", "captain", "coach"}
    told = said_in(document(LESSON, "spread"))
    assert f"only {(away >= abs(places['nurse'] - every.mean())).mean():.1%} of all" in told
    assert "6 of the ten professions are inside" in told
    assert sum(data["hill"]["counts"]) == pytest.approx((np.abs(every) <= 0.6).sum(), abs=3)
    answer = document(LESSON, "answer")
    assert set(rows_of(answer["picture"]["data"])) == out and "Of 11 professions, 4 are" in said_in(answer)


def test_two_thirds_of_all_words_are_left_of_0_and_he_comes_before_she_by_frequency():
    every = np.array(list(by_hand("he", "she").values()))
    told, data = said_in(document(LESSON, "average")), picture(LESSON, "average")
    assert f"{(every < 0).mean():.0%} of all 20,000 words" in told and f"at {signed(every.mean())}" in told
    assert [side["text"] for side in data["sides"]] == [
        f"{(every < 0).mean():.0%}",
        f"{(every >= 0).mean():.0%}",
    ]
    assert "he is word 19 by frequency and she is word 68" in told


def test_the_words_furthest_out_are_names_of_women_and_teams():
    places = by_hand("he", "she")
    order = sorted(places, key=places.get)
    assert set(rows_of(picture(LESSON, "furthest"))) == {*order[:6], *order[-6:]}
    assert set(order[:6]) - {*TEAMS} == {"sacked", "sacking"} and set(order[-6:]) - {*NAMES} == {"diva"}
    told = said_in(document(LESSON, "furthest"))
    assert "5 of 6 are names of women" in told and "4 of 6 are teams" in told


def test_in_our_vectors_coach_moves_to_the_middle_and_only_boss_changes_sides():
    before, now = by_hand("he", "she"), by_hand("he", "she", "skipgram")
    data = picture(LESSON, "other")
    words = [job for job in JOBS if job in now]
    assert rows_of(data) == pytest.approx({word: now[word] for word in words}, abs=1e-3)
    rings = {row["word"]: row["before"] for row in data["rows"]}
    assert rings == pytest.approx({word: before[word] for word in words}, abs=1e-3)
    assert [word for word in words if now[word] * before[word] < 0] == ["boss"]
    told = said_in(document(LESSON, "other"))
    assert f"from {signed(before['coach'])} to {signed(now['coach'])}, and boss changes sides" in told
    assert [job for job in JOBS if job not in now] == ["programmer"]
    assert "Our vectors lack programmer." in document(LESSON, "other")["picture"]["caption"]
    assert now["nurse"] > 0.1 and max(words, key=lambda word: abs(now[word] - before[word])) == "coach"


def test_good_and_bad_are_similar_and_order_words_by_their_worth():
    told, places = said_in(document(LESSON, "opposites")), by_hand("bad", "good")
    vectors = shared_vectors("glove")
    bad, good = (vectors.vectors[vectors.index[word]].astype(float) for word in ("bad", "good"))
    assert f"cosine of {bad @ good / np.linalg.norm(bad) / np.linalg.norm(good):.2f}" in told
    assert min(OPPOSITES, key=places.get) == "murder" and max(OPPOSITES, key=places.get) == "peace"


@pytest.mark.parametrize(
    ("typed", "says", "rows"),
    [
        ("Spoon, FORK knife", "Of 3 words,", 3),
        ("fork", "Add more words to compare it with.", 1),
        ("fork fork Fork", "Add more words", 1),
        ("fork qqqzz", "One word is not in this set: qqqzz.", 1),
        ("qqqzz مرحبا 🦜", "None of these words is among the 20,000", 0),
        ("Heute war es sehr kalt fork", "words are not in this set, such as", None),
    ],
)
def test_the_learner_s_words_are_placed_and_the_sentence_fits_how_many_there_are(typed, says, rows):
    found = document(LESSON, "own", ends="bad_good", typed=typed)
    assert says in " ".join(found["done"].replace("<strong>", "").replace("</strong>", "").split())
    places = by_hand("bad", "good")
    drawn = rows_of(found["picture"]["data"])
    assert drawn == pytest.approx({word: places[word] for word in drawn}, abs=1e-3)
    assert rows is None or len(drawn) == rows
    assert found["picture"]["data"]["left"] == "more similar to bad"


def test_the_desert_is_on_the_side_of_cold_and_is_spoken_of_until_the_learner_types():
    desert = by_hand("cold", "hot")["desert"]
    assert desert < -0.1 and f"desert at {signed(desert)}, on the side of cold" in said_in(
        document(LESSON, "own")
    )
    assert "desert" not in said_in(document(LESSON, "own", typed="tea"))


def test_the_lab_that_a_beat_opens_places_the_same_words():
    link = document(LESSON, "line")["lab"]
    assert "word_axis_left=he&word_axis_right=she" in link
    app = open_lesson(LESSON, left="he", right="she", placed=" ".join(JOBS))
    table, places = table_with(app, "standard"), by_hand("he", "she")
    assert table["position"].tolist() == pytest.approx([places[word] for word in table.word], abs=1e-3)


# The lab.


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
    sentence = next(each for each in said(app).split("\n") if "Further out" in each)
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
    code, room = notebook_cells[1:], {}  # the first is prose
    exec("\n".join(code), room)
    assert {each.word: each.standard for each in room["places"]} == pytest.approx(table.to_dict())
