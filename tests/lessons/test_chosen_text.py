"""A link to a lesson keeps which text it reads: typed, or which sentence of the learner's own."""

import pytest

from core.lesson.chosen_text import FROM_TEXT, TYPED
from tests.lessons.lesson_page import open_lesson

TEXT = "The first one stays. A second sentence is read here. The third comes last."
LESSONS = [
    "sampling",
    "generation_tree",
    "beam_search",
    "hidden_state",
    "gradient_microscope",
    "weight_tying",
    "self_attention",
    "edit_attention",
    "growing_attention",
    "word_order",
]


@pytest.mark.parametrize("name", LESSONS)
def test_a_link_opens_the_sentence_that_it_names(name):
    app = open_lesson(
        name, TEXT, source=FROM_TEXT, sentence=2, stored="true"
    )  # of one lesson a folded section
    assert not app.exception
    assert app.number_input(key=f"{name}_sentence").value == 2


def test_a_sentence_that_is_chosen_is_bound_to_the_address_and_read_up_to_its_last_word():
    app = open_lesson("sampling", TEXT, source=FROM_TEXT)
    number = app.number_input(key="sampling_sentence")
    assert number.proto.query_param_key == "sampling_sentence"
    number.set_value(2).run()
    assert "A second sentence is read" in [each.value for each in app.text]


@pytest.mark.parametrize("name", ["language_models", "next_character"])
def test_a_lesson_on_the_whole_text_reads_a_typed_line_instead(name):
    app = open_lesson(name, TEXT, source=TYPED, typed="zzzz")
    assert not app.exception
    assert app.text_input(key=f"{name}_typed").value == "zzzz"


def test_a_sentence_that_the_text_does_not_have_is_its_first():
    app = open_lesson("hidden_state", "One sentence only.", source=FROM_TEXT, sentence=7)
    assert not app.exception
    assert app.number_input(key="hidden_state_sentence").value == 1
