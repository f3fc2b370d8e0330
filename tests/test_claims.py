"""What a break-it claims: a measured consequence, and a picture that shows it."""

from streamlit.testing.v1 import AppTest

from tests.claims import breaks
from tests.lessons.lesson_page import open_lesson
from tests.lessons.test_every_lesson import EVERY_LESSON

# A lesson that writes many long texts is asked for fewer and shorter ones.
SHORT = {"likely_text": {"count": 1, "length": 100}}


@EVERY_LESSON
def test_a_break_it_is_measured_and_seen_or_the_page_says_that_nothing_changes_here(lesson):
    for each in breaks(open_lesson(lesson.name, timeout=120, **SHORT.get(lesson.name, {}))):
        assert each.measures or each.says_nothing_changes, f"{each.switch}: no measured consequence"
        changed = any(whole != broken for whole, broken in each.measures.values())
        told = f"{each.switch}: the page does not say that"
        assert changed or each.says_nothing_changes, f"{told} its measures are the same"
        assert each.picture_changed or each.says_nothing_changes, f"{told} its picture is the same"


def consequences():
    from core.lesson.break_it import show_comparison

    show_comparison("Loss", "whole", "broken", 1.5, 2.25, more_is_better=False)
    show_comparison("Score", "whole", "broken", -1.0, -1.5)
    show_comparison("Length", "whole", "broken", 3.0, 2.0, more_is_better=None)
    show_comparison("Share", "whole", "broken", 0.5, 0.5)


def test_a_consequence_is_written_with_a_true_minus_its_arrow_and_its_colour():
    broken = AppTest.from_function(consequences).run().metric[1::2]  # each stands behind the whole method's
    proto = type(broken[0].proto)
    assert [(each.value, each.delta) for each in broken] == [
        ("2.25", "+0.75"),
        ("−1.50", "−0.50"),
        ("2.00", "−1.00"),
        ("0.50", "no change"),
    ]
    up, down, none = (proto.MetricDirection.Value(name) for name in ("UP", "DOWN", "NONE"))
    assert [each.proto.direction for each in broken] == [up, down, down, none]
    red, gray = (proto.MetricColor.Value(name) for name in ("RED", "GRAY"))
    assert [each.proto.color for each in broken] == [red, red, gray, gray]
