"""The bottleneck's page shows what core measures, grows by itself, stops, and names what it cannot read."""

import numpy as np
import pytest

from core.figures.translation.bottleneck import by_range
from core.lesson.choices.translator_choice import FRENCH, TASKS
from core.models.stored import load_card
from core.models.translation.accuracy_by_length import AT_ONCE, Growth, Measurement, failures, pairs_of
from core.models.translation.bottleneck import last_state, mean_kept, share_right
from core.models.translation.translation_race import beginnings, run
from core.text.grammar.pairs import is_held_out
from pages.translation.bottleneck import (
    ATTENDS,
    BROKEN,
    KEPT,
    NOT,
    PIECES,
    TITLES,
    WHOLE,
    attempts_of,
    measured_translator,
)
from tests.lessons.lesson_page import figure, figures, guess, metrics, open_lesson, question, said, table_with

SETTINGS = {"lengths": ["4", "8"], "count": "10", "seed": "7"}


def open_with(**query):
    app = open_lesson("bottleneck", timeout=180, **{**SETTINGS, **query})
    if not app.exception and any(button.label == "Stop" for button in app.button):
        app.session_state["bottleneck_growth"].grow(120)  # no clock runs in AppTest
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
    assert "10 sentences of 4 words" in said(app)


@pytest.mark.parametrize("lengths", [["5"], ["12"], ["20"]])
def test_half_of_the_vector_lost_costs_the_model_without_attention_and_draws_its_fall(lengths):
    whole, broken = open_with(lengths=lengths), open_with(lengths=lengths, broken="true")
    assert len(figure(broken)["data"]) == len(figure(whole)["data"]) + 2
    shown = metrics(broken)
    attends, without = (
        [float(shown[f"Right, {name}, {state}"].strip("%")) for state in ("whole", "broken")]
        for name in (ATTENDS, NOT)
    )
    assert without[0] - without[1] >= 30
    assert abs(attends[0] - attends[1]) <= 10


def test_the_sentence_below_the_picture_has_the_points_at_its_ends():
    app = open_with()
    ends = [f"{share_right([a.right for a in expected('none', length)]).value:.0%}" for length in (4, 8)]
    assert f"From 4 to 8 words, {TITLES[WHOLE]}:" in said(app)
    assert f"{NOT} {' → '.join(ends)}." in said(app)


def test_that_it_never_failed_is_said_only_of_sentences_of_which_all_are_right():
    app = open_with(lengths=["3"], count="5")
    assert not failures({3: list(attempts_of("none", False, 7, 0, 3))})
    assert "fails on none of these 5 sentences" in said(app)
    assert set(table_with(app, "95% from")["share right"]) == {1.0}


def test_below_a_picture_that_shows_a_failure_the_sentence_that_failed_is_shown():
    app = open_lesson("bottleneck", timeout=180, lengths=["25"], count=200, seed=12)  # still growing
    failed = failures(app.session_state["bottleneck_growth"].measured()[NOT])
    assert failed
    assert "fails on none" not in said(app)
    assert "What stands below follows" in said(app)
    assert "One of the" in app.number_input(key="bottleneck_failed").label


def test_what_a_word_moves_is_the_mean_of_the_bars_and_of_a_short_sentence_done_by_hand():
    app = open_with(lengths=["25"], count="10")
    bars = next(each for each in figures(app) if each["layout"]["yaxis"]["title"].get("text") == "movement")
    y = np.array(bars["data"][0]["y"])
    assert f"By {y.mean():.0%} of its length here, the mean over {len(y)} words" in said(app)
    translator, words = measured_translator("none"), pairs_of(7, 0, 5)[0].source
    ids = translator.source.encode(words)
    vector = last_state(translator.model, ids)
    moved = [np.linalg.norm(last_state(translator.model, ids[:s] + ids[s + 1 :]) - vector) for s in range(5)]
    assert f"by {np.mean(moved) / np.linalg.norm(vector):.0%} in a sentence of 5" in said(app)


@pytest.mark.parametrize(
    "pieces", [PIECES, "the cat sleeps", "to be or not\nto be, that is the question"], ids=str.split
)
def test_where_the_two_part_is_said_from_their_translations(pieces):
    sentences = beginnings(pieces, TASKS[FRENCH].read)
    pairs = [
        [run(measured_translator(own), words).words for own in ("additive", "none")] for words in sentences
    ]
    parted = [i + 1 for i, (one, other) in enumerate(pairs) if one != other]
    expected_words = (
        f"The two part first with piece {parted[0]} of" if parted else "The two agree on all of it"
    )
    assert expected_words in said(open_with(pieces=pieces))


def test_a_measurement_goes_through_all_lengths_by_turns():
    measurement = Measurement(((NOT, ("none", False)),), (4, 8), 2 * AT_ONCE, 7)
    assert measurement.parts == [(0, 4), (0, 8), (1, 4), (1, 8)]
    growth = Growth(measurement, attempts_of)
    for _ in range(3):
        growth.take_next()
    first = growth.measured()[NOT]
    assert (len(first[4]), len(first[8])) == (2 * AT_ONCE, AT_ONCE)


def test_stopping_keeps_what_was_measured_and_it_can_go_on():
    app = open_lesson("bottleneck", timeout=180, lengths=["9"], count=200, seed=11)
    app.button(key="bottleneck_stop").click().run()
    done = app.session_state["bottleneck_growth"].done
    app.run()
    assert app.session_state["bottleneck_growth"].done == done > 0
    app.button(key="bottleneck_go_on").click().run()
    assert app.session_state["bottleneck_growth"].growing


def test_the_numbers_a_decoder_can_look_at_grow_with_the_sentence_only_with_attention():
    app = open_with(lengths=["25"], count="20")  # long enough that the model without attention fails
    hidden = load_card("translate_french_none").config["hidden"]
    without, attends = (m.value for m in app.metric[:2])
    assert (without, attends) == (f"{hidden:,}", f"{25 * hidden:,}")


def test_a_sentence_of_the_learner_s_own_grows_by_its_lines():
    table = table_with(open_with(), "part at word")
    assert [row.split() for row in table["English"]] == beginnings(PIECES, TASKS[FRENCH].read)


def test_a_prediction_hides_the_measurement_and_the_closing_stays():
    app = open_with(predict="true")
    assert not figures(app)
    assert not app.dataframe
    assert "%" not in said(app).replace("90%", "").replace("50%", "").replace("10%", "")
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}
    share = by_range(load_card("translate_french_none").quality)[22, 25]
    assert 0.1 < share <= 0.5
    assert "10 to 50%" in question(app).options
    guess(app, "10 to 50%")
    assert figures(app)
    assert any(text.value.startswith("Right.") for text in app.text)


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
def test_at_every_end_of_a_control_the_points_are_drawn_and_both_translations_written(query):
    app = open_with(**query)
    assert not app.exception
    assert {ATTENDS, NOT} <= {trace["name"] for trace in figure(app)["data"]}
    assert len(table_with(app, "part at word")) >= 1


def test_a_sentence_that_is_cut_is_said_to_be():
    assert "At most 60 words in 8 pieces are read" in said(open_with(pieces="cat " * 100))
    assert "At most 60 words" not in said(open_with())


def test_the_tour_says_of_how_many_sentences_its_shares_are():
    app = open_lesson("bottleneck", timeout=180, lengths=["25"], count="10", beat="bottleneck.4")
    measured = int(said(app).split(" of 10 sentences measured")[0].split()[-1])
    assert measured in (AT_ONCE, 2 * AT_ONCE)
    assert f"Of {measured} sentences of 25 words it gets" in said(app)
