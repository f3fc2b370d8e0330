"""Word order and positions: any text is read, and what is said of shuffles and of places past the end holds."""

import re

import pytest

from tests.lessons.lesson_page import open_lesson


@pytest.mark.parametrize("text", ["", "a", "\N{GRINNING FACE}", "word " * 300])
@pytest.mark.parametrize("name", ["word_order"])
def test_any_text_is_read_or_asked_for(name, text):
    app = open_lesson(name, typed=text)
    assert not app.exception


def test_without_positions_the_masked_model_does_not_notice_a_shuffle_and_a_gpt_does():
    unmoved, moved = (
        next(
            m.value
            for m in open_lesson("word_order", model=model, no_positions=True).markdown
            if re.search("outputs (is|are) the same", m.value)
        )
        for model in ("masked model, byte pairs", "GPT, byte pairs")
    )
    all_of_them = re.compile(r"^Without positions, \*\*(\d+)\*\* of \1 outputs")
    assert all_of_them.match(unmoved)
    assert not all_of_them.match(moved)


def test_positions_past_the_end_cost_bits_and_a_short_text_is_said_to_be_too_short():
    app = open_lesson("positions", past="true")
    said = [
        markdown.value for markdown in app.markdown if "bits per character on the first" in markdown.value
    ]
    assert len(said) == 3
    for sentence in said:
        inside, outside = (
            float(part.split()[0]) for part in (sentence.split(": ")[1], sentence.split("places, ")[1])
        )
        assert outside > inside


@pytest.mark.parametrize(("name", "key", "ends"), [("positions", "t", (0, 511))])
def test_the_ends_of_every_control_work(name, key, ends):
    for end in ends:
        assert not open_lesson(name, **{key: end}).exception
