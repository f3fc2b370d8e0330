"""What all n-gram lessons promise: any text, any setting, and finite numbers only."""

import math

import pytest

from tests.lessons.lesson_page import figures, open_lesson, said, views
from tests.lessons.n_grams.three_texts import SAM, all_numbers

LESSONS = ("ngram_counts", "ngram_probability", "smoothing", "ngram_perplexity", "ngram_generation")
EVERY = pytest.mark.parametrize("lesson", LESSONS)
END_OF_PAGE = {"The code that ran", "Take it away", "Sources"}


def closed(app):
    """Return whether the page has its end."""
    return {each.label for each in app.tabs} >= END_OF_PAGE


@EVERY
@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("two words", "words"),
        ("早上好。你好吗？", "words"),
        ("مرحبا بالعالم. كيف الحال؟", "characters"),
        ("👍🏽 <b>x</b> $a$ `c` ![i](j) \\frac{}{}. 👍🏽!", "characters"),
        ("long " * 5000, "words"),
    ],
    ids=["two words", "chinese", "arabic", "marks", "one long sentence"],
)
def test_no_text_breaks_a_lesson(lesson, text, unit):
    app = open_lesson(lesson, text, unit=unit)
    assert not app.exception
    assert closed(app)
    assert all(math.isfinite(number) for number in all_numbers([figures(app), views(app)]))


@EVERY
def test_a_lesson_opens_on_a_play_and_its_numbers_are_finite(lesson):
    app = open_lesson(lesson)
    assert "Hamlet: " in said(app)
    found = list(all_numbers([figures(app), views(app)]))
    assert len(found) > 20
    assert all(math.isfinite(number) for number in found)


def test_numbers_that_are_not_finite_would_be_noticed():
    bad = {"y": {"bdata": "AAAAAAAA8H8AAAAAAAD4fw==", "dtype": "f8"}}  # infinity, and not a number
    assert [math.isfinite(number) for number in all_numbers(bad)] == [False, False]


@EVERY
def test_a_text_without_words_is_counted_in_characters_and_says_so(lesson):
    app = open_lesson(lesson, "... !!! ???")
    assert not app.exception
    assert "no words to count" in said(app)
    assert closed(app)


@pytest.mark.parametrize(
    ("lesson", "settings"),
    [
        ("ngram_counts", {"n": "5", "crossing": "true", "words_path": "<s> i am sam </s>"}),
        ("ngram_probability", {"n": "5", "smoothing": "Katz back-off"}),
        ("ngram_probability", {"n": "1", "words_sentence": "word " * 150}),
        ("smoothing", {"n": "1", "raw": "true"}),
        ("smoothing", {"n": "5", "smoothing": "modified Kneser-Ney", "words_after": "i am"}),
        ("ngram_perplexity", {"raw": "true", "min_count": "5"}),
        ("ngram_generation", {"n": "5", "greedy": "true", "length": "100"}),
    ],
)
def test_the_ends_of_the_controls_work(lesson, settings):
    app = open_lesson(lesson, SAM, **settings)
    assert not app.exception
    shown = {
        widget.key.removeprefix(f"{lesson}_"): widget.value
        for widget in (*app.slider, *app.selectbox, *app.toggle, *app.text_input)
    }
    for name, value in settings.items():
        assert str(shown[name]).lower() == value.strip().lower() or name.startswith("words_"), name
    assert closed(app)


def test_a_word_that_the_text_lacks_is_named():
    for lesson, field in (
        ("ngram_counts", "words_path"),
        ("smoothing", "words_after"),
        ("ngram_probability", "words_sentence"),
        ("ngram_generation", "words_prompt"),
    ):
        assert "zebra" in said(open_lesson(lesson, SAM, **{field: "zebra"})), lesson


@EVERY
def test_what_was_counted_and_added_up_is_among_the_code(lesson):
    app = open_lesson(lesson)
    shown = " ".join(code.value for code in app.code)
    names = {
        "ngram_counts": ("count_ngrams", "continuations", "rarity", "runs_of"),
        "ngram_probability": ("kneser_ney", "discounted_level", "token_scores", "spliced"),
        "smoothing": ("add_alpha", "discounted_level", "scores", "moved_mass", "unseen_tokens"),
        "ngram_perplexity": ("evaluate_ngrams", "token_scores", "bits_a_character", "hold_out_every"),
        "ngram_generation": ("maximum_likelihood", "scores", "writing", "longest_copy"),
    }
    for name in names[lesson]:
        assert f"def {name}(" in shown, name


@EVERY
def test_predict_first_hides_the_answer_and_keeps_the_end_of_the_page(lesson):
    app = open_lesson(lesson, predict="true")
    assert "Guess, and the numbers appear." in said(app)
    assert "No numbers yet: predict first" in said(app)
    assert "#####" not in said(app)
    assert closed(app)
