"""The bottleneck's page shows what core measures, grows by itself, stops, and names what it cannot read."""

import pytest

from core.figures.translation.bottleneck import by_range
from core.models.stored import load_card
from core.models.translation.bottleneck import mean_kept, share_right
from core.text.grammar.pairs import is_held_out
from pages.translation.parts.growing_measure import AT_ONCE, Measurement, attempts_of, measured, pairs_of
from pages.translation.parts.growing_sentence import PIECES, beginnings
from pages.translation.parts.length_accuracy import ATTENDS, BROKEN, KEPT, NOT
from tests.lessons.lesson_page import figure, guess, open_lesson, said, table_with

SETTINGS = {"lengths": ["4", "8"], "count": "10", "seed": "7"}


def open_with(**query):
    app = open_lesson("bottleneck", timeout=180, **{**SETTINGS, **query})
    for _ in range(20):  # no clock runs in AppTest: each run measures for a moment
        if app.exception or not any(button.label == "Stop" for button in app.button):
            break
        app.run()
    return app


def expected(score, length, broken=False):
    return [attempt for number in range(2) for attempt in attempts_of(score, broken, 7, number, length)]


def test_the_table_is_what_core_measures_on_sentences_kept_from_training():
    table = table_with(open_with(), "95% from")
    assert set(table["words"]) == {4, 8}
    for row in table.to_dict("records"):
        own = expected("additive" if row["model"] == ATTENDS else "none", row["words"])
        share = share_right([attempt.right for attempt in own])
        assert (row["sentences"], row["right"]) == (10, sum(attempt.right for attempt in own))
        assert (row["95% from"], row["95% to"]) == (share.low, share.high)
        assert row["words kept"] == pytest.approx(mean_kept([attempt.kept for attempt in own]).value)
    assert all(is_held_out(pair.source) for pair in pairs_of(7, 0, 8))


def test_the_picture_has_the_measured_points_and_the_cards_bands():
    traces = {trace["name"]: trace for trace in figure(open_with())["data"]}
    own = [share_right([attempt.right for attempt in expected("none", length)]) for length in (4, 8)]
    assert traces[NOT]["x"] == [4, 8]
    assert traces[NOT]["y"] == [estimate.value for estimate in own]
    stored = by_range(load_card("translate_french_none").quality)
    assert [y for y in traces[f"{NOT}, card"]["y"] if y is not None][::2] == list(stored.values())


def test_words_kept_can_be_drawn_in_their_place():
    traces = {trace["name"]: trace for trace in figure(open_with(measure=KEPT))["data"]}
    own = mean_kept([attempt.kept for attempt in expected("none", 8)])
    assert traces[NOT]["y"][1] == pytest.approx(own.value)


def test_half_of_the_vector_lost_is_measured_for_both_models():
    app = open_with(broken="true")
    table = table_with(app, "95% from")
    assert set(table["model"]) == {ATTENDS, NOT, ATTENDS + BROKEN, NOT + BROKEN}
    for place, score in ((0, "additive"), (2, "none")):
        whole, broken = (share_right([a.right for a in expected(score, 4, b)]).value for b in (False, True))
        assert [app.metric[place].value, app.metric[place + 1].value] == [f"{whole:.0%}", f"{broken:.0%}"]


def test_a_measurement_goes_through_all_lengths_by_turns():
    measurement = Measurement(((NOT, ("none", False)),), (4, 8), 2 * AT_ONCE, 7)
    assert measurement.parts == [(0, 4), (0, 8), (1, 4), (1, 8)]
    first = measured(measurement, 3)[NOT]
    assert (len(first[4]), len(first[8])) == (2 * AT_ONCE, AT_ONCE)


def test_stopping_keeps_what_was_measured_and_it_can_go_on():
    app = open_lesson("bottleneck", timeout=180, lengths=["9"], count=200, seed=11)
    app.button(key="bottleneck_stop").click().run()
    done = app.session_state["bottleneck_growth"].done
    app.run()
    assert app.session_state["bottleneck_growth"].done == done > 0
    app.button(key="bottleneck_go_on").click().run()
    assert app.session_state["bottleneck_growth"].done > done


def test_the_numbers_a_decoder_can_look_at_grow_with_the_sentence_only_with_attention():
    app = open_with(lengths=["25"], count="20")  # long enough that the model without attention fails
    hidden = load_card("translate_french_none").config["hidden"]
    without, attends = (m.value for m in app.metric[:2])
    assert (without, attends) == (f"{hidden:,}", f"{25 * hidden:,}")


def test_a_sentence_of_the_learner_s_own_grows_by_its_lines():
    table = table_with(open_with(), "part at word")
    assert [row.split() for row in table["English"]] == beginnings(PIECES)


def test_a_prediction_hides_the_measurement():
    app = open_with(predict="true")
    assert not app.get("plotly_chart")
    guess(app)
    assert app.get("plotly_chart")


@pytest.mark.parametrize(
    "query",
    [
        {"pieces": ""},
        {"pieces": "👍 مرحبا <b>$x$ `a`\n\n~~b~~"},
        {"pieces": "cat " * 300},
        {"pieces": "the cat sleeps\n" * 40},
        {"lengths": ["3"], "count": "5", "seed": "999"},
        {"score": "dot"},
    ],
    ids=lambda query: str(query)[:40],
)
def test_no_end_of_a_control_breaks_the_page(query):
    assert not open_with(**query).exception


def test_a_sentence_that_is_cut_is_said_to_be():
    assert "At most 60 words in 8 pieces are read" in said(open_with(pieces="cat " * 100))
    assert "At most 60 words" not in said(open_with())
