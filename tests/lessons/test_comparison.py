"""How one measure is written with a piece of the method and without it."""

from streamlit.testing.v1 import AppTest


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
