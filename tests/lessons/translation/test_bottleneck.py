"""The seq2seq bottleneck: the story's numbers by hand, and the lab measures, stops, and names its limits."""

import json
import re

import numpy as np
import pytest

from core.lesson.choices.translator_choice import FRENCH, TASKS, translator_of
from core.models.documents.sign_test import split_by_luck
from core.models.stored import load_card
from core.models.translation.accuracy_by_length import AT_ONCE, Growth, Measurement, failures, pairs_of
from core.models.translation.bottleneck import exact_match_interval, last_state, mean_kept
from core.models.translation.translation_race import encode_growing_text, translate_and_score
from core.text.grammar.pairs import is_held_out
from core.words.numbers import percent
from pages.translation.bottleneck import LESSON, LONG_SENTENCE, SHORT_SENTENCE
from pages.translation.bottleneck.figures import ATTENDS, BROKEN, NOT, by_range
from pages.translation.bottleneck.page import KEPT, PIECES, attempts_of, measured_translator
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    table_with,
    try_prompt,
)

WITH, WITHOUT = (LESSON.words.label(f"name.{name}") for name in (ATTENDS, NOT))
HERE = {name: LESSON.words.label(f"name.here.{name}") for name in (ATTENDS, NOT)}  # beside the cards' shares


def words(beat, revealed=False, /, **changes):
    return said_in(document("bottleneck", beat, revealed, **changes))


def nodes(beat, revealed=False, /, **changes):
    return {each["key"]: each for each in picture("bottleneck", beat, revealed, **changes)["nodes"]}


def bars(beat, revealed=False):
    """Return the bars of a figure by the name of their group."""
    data = picture("bottleneck", beat, revealed)["figure"]["data"]
    return {trace["name"]: dict(zip(trace["x"], trace["y"], strict=True)) for trace in data}


# The story: the encoder's GRU written again, step by step, and the cards' counts.


def state_by_hand(text, left_out=None):
    """Return the encoder's last state: a GRU over the words from the left, and one from the right, step by step."""
    translator = translator_of("translate_french_none")
    ids = translator.source.encode(text.split())
    ids = ids if left_out is None else ids[:left_out] + ids[left_out + 1 :]
    embedded = translator.model.source_embedding.weight.detach().numpy()[ids]
    arrays = {name: each.detach().numpy() for name, each in translator.model.encoder.named_parameters()}
    ends = []
    for end, steps in (("l0", embedded), ("l0_reverse", embedded[::-1])):
        W, U, b, c = (arrays[f"{name}_{end}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
        h = np.zeros(U.shape[1])
        for x in steps:
            reads, keeps = np.split(W @ x + b, 3), np.split(U @ h + c, 3)
            r, z = (1 / (1 + np.exp(-(reads[i] + keeps[i]))) for i in (0, 1))
            h = (1 - z) * np.tanh(reads[2] + r * keeps[2]) + z * h
        ends.append(h)
    return np.concatenate(ends)


def test_the_bars_fall_as_the_card_says():
    quality = load_card("translate_french_none").quality
    (shares,) = bars("fall").values()
    assert shares == {
        f"{a}–{b}": quality[f"exact_match_{a}_to_{b}_words"]
        for a, b in ((3, 7), (8, 12), (13, 17), (18, 21), (22, 25))
    }
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert "it gets 99.5% right. With 22 to 25 words, only 32%" in words("fall")


def test_the_vector_is_the_encoder_s_last_state_and_the_short_sentence_is_right():
    grid = nodes("vector")["vector"]["grid"]
    np.testing.assert_allclose(grid, state_by_hand(SHORT_SENTENCE), atol=0.006)
    assert len(grid) == load_card("translate_french_none").config["hidden"] == 192
    pair = TASKS[FRENCH].reference(SHORT_SENTENCE.split())
    assert is_held_out(pair.source)
    shown = [node["title"] for key, node in nodes("vector").items() if key.startswith("french.")]
    assert shown == list(pair.target)


def test_a_word_left_out_moves_the_vector_less_in_longer_sentences():
    (moved,) = bars("trace").values()
    for length in (5, 25):
        shares = []
        for pair in [pair for k in range(2) for pair in pairs_of(1, k, length)]:
            whole = state_by_hand(" ".join(pair.source))
            each = [np.linalg.norm(state_by_hand(" ".join(pair.source), s) - whole) for s in range(length)]
            shares.append(np.mean(each) / np.linalg.norm(whole))
        assert moved[str(length)] == pytest.approx(np.mean(shares), rel=1e-4)
    assert list(moved.values()) == sorted(moved.values(), reverse=True)
    assert "it moves by 50%, in sentences of 25 words by only 20%" in words("trace")


def test_the_long_sentence_was_kept_from_training_and_is_not_sent_before_the_guess():
    pair = TASKS[FRENCH].reference(LONG_SENTENCE.split())
    assert is_held_out(pair.source) and len(pair.source) == 25
    made = translate_and_score(measured_translator("none"), pair.source)
    assert "le garçon heureux a perdu une clé parce qu' il a perdu un manteau" in " ".join(made.words)
    assert made.words != pair.target and made.words[-1] == "."
    drawn = nodes("lost", True)
    written = [node["title"] for key, node in drawn.items() if key.startswith("written.")]
    assert [word for word in written if word != "…"] == list(made.words)
    assert all(node["hue"] == "vermillion" for key, node in drawn.items() if node["title"] == "…")
    assert not any(key.startswith("written") for key in nodes("lost"))


def test_the_words_survive_better_than_the_sentences():
    made = [each for k in range(6) for each in attempts_of("none", False, 1, k, 25)]
    right, kept = sum(each.right for each in made), np.mean([each.kept for each in made])
    assert f"In 30 sentences of 25 words, its output holds {kept:.0%} of the right words" in words(
        "lost", True
    )
    assert f"only {right} sentences are right" in words("lost", True) and right == 3 and kept > 0.8


def test_attention_weighs_a_vector_for_each_word_and_the_weights_sum_to_1():
    translator, source = measured_translator("additive"), SHORT_SENTENCE.split()
    weights = translate_and_score(translator, source).weights[1]
    drawn = nodes("attention")
    shown = [float(drawn[f"state.{s}"]["note"].split()[-1]) for s in range(5)]
    assert shown == pytest.approx(weights.tolist(), abs=0.006) and sum(shown) == pytest.approx(1, abs=0.03)
    assert source[int(weights.argmax())] == "mouse" and "it gives mouse the weight" in words("attention")
    assert "960 numbers" in words("attention") and 5 * 192 == 960


def test_attention_is_right_at_every_length_and_the_difference_is_no_luck():
    both = bars("both", True)
    assert set(both[WITH].values()) == {1.0}
    assert list(bars("both")) == [WITHOUT]
    n = 191  # held-out sentences of 22 to 25 words, as the transformer's card counts them
    assert load_card("transformer_french").quality["pairs_22_to_25_words"] == n
    wrong = round(n * (1 - both[WITHOUT]["22–25"]))
    assert split_by_luck(0, wrong) < 0.001
    assert document("bottleneck", "both", True)["ask"]["answer"] == "all"


def test_half_of_the_vector_hurts_only_the_model_that_has_nothing_else():
    right = {
        (score, broken): sum(each.right for k in range(12) for each in attempts_of(score, broken, 1, k, 5))
        for score in ("none", "additive")
        for broken in (False, True)
    }
    assert list(right.values()) == [60, 27, 60, 60]
    assert "only 45% are still right: 27 of 60, before it was 60. With attention, all 60 stay" in words(
        "half", True
    )
    assert "27" not in json.dumps(document("bottleneck", "half")) and len(bars("half")) == 1
    assert numbers(picture("bottleneck", "half", True)["figure"]["data"][1]["y"]) == pytest.approx(
        [27 / 60, 1]
    )


@pytest.mark.parametrize("length", [3, 15, 25])
def test_the_learner_s_sentence_is_judged_by_its_reference(length):
    for number in (1, 2, 3):
        pair = pairs_of(number, 0, length)[0]
        right = [
            translate_and_score(measured_translator(own), pair.source).words == pair.target
            for own in ("none", "additive")
        ]
        done = re.sub("<[^>]*>", "", document("bottleneck", "own", word_count=length, number=number)["done"])
        told = (
            ("both are right" in done) if all(right) else ("With attention the translation is right" in done)
        )
        assert told == right[1]
        red = [key for key, node in nodes("own", word_count=length, number=number).items() if node["hue"]]
        assert any(key.startswith(NOT) for key in red) == (not right[0])


def test_the_answer_draws_one_vector_beside_one_for_each_word():
    drawn = nodes("answer")
    assert sum(key.startswith("state.") for key in drawn) == 25
    assert "4,800" in drawn["total"]["title"] and "192 against 4,800" in words("answer")
    assert [drawn[f"output.{name}"]["title"] for name in (NOT, ATTENDS)] == ["32% right", "100% right"]


# The lab.


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
        own = expected("additive" if row["model"] == WITH else "none", row["words"])
        share = exact_match_interval([attempt.right for attempt in own])
        assert (row["sentences"], row["right"]) == (10, sum(attempt.right for attempt in own))
        assert (row["95% from"], row["95% to"]) == (share.low, share.high)
        assert row["words kept"] == pytest.approx(mean_kept([attempt.kept for attempt in own]).value)
    assert all(is_held_out(pair.source) for pair in pairs_of(7, 0, 8))


def test_the_picture_has_the_measured_points_and_the_cards_bands():
    traces = {trace["name"]: trace for trace in figure(open_with())["data"]}
    own = [exact_match_interval([attempt.right for attempt in expected("none", length)]) for length in (4, 8)]
    assert traces[HERE[NOT]]["x"] == [4, 8]
    assert traces[HERE[NOT]]["y"] == [estimate.value for estimate in own]
    told = zip(own, traces[HERE[NOT]]["text"], strict=True)
    assert all(f"{percent(each.low)} to {percent(each.high)}" in text for each, text in told)
    stored = by_range(load_card("translate_french_none").quality)
    assert [y for y in traces[LESSON.words.label("name.card.without")]["y"] if y is not None][::2] == list(
        stored.values()
    )


def test_words_kept_can_be_drawn_in_their_place():
    traces = {trace["name"]: trace for trace in figure(open_with(measure=KEPT))["data"]}
    own = mean_kept([attempt.kept for attempt in expected("none", 8)])
    assert traces[WITHOUT]["y"][1] == pytest.approx(own.value)


def test_half_of_the_vector_lost_is_measured_for_both_models():
    app = open_with(broken="true")
    table = table_with(app, "95% from")
    assert set(table["model"]) == {
        LESSON.words.label(f"name.{name}") for name in (ATTENDS, NOT, ATTENDS + BROKEN, NOT + BROKEN)
    }
    for place, score in ((0, "additive"), (2, "none")):
        whole, broken = (
            exact_match_interval([a.right for a in expected(score, 4, b)]).value for b in (False, True)
        )
        assert [app.metric[place].value, app.metric[place + 1].value] == [f"{whole:.0%}", f"{broken:.0%}"]
    assert "10 sentences of 4 words" in said(app)


@pytest.mark.parametrize("lengths", [["5"], ["12"], ["20"]])
def test_half_of_the_vector_lost_costs_the_model_without_attention_and_draws_its_fall(lengths):
    whole, broken = open_with(lengths=lengths), open_with(lengths=lengths, broken="true")
    assert len(figure(broken)["data"]) == len(figure(whole)["data"]) + 2
    shown = [float(each.value.strip("%")) for each in broken.metric[:4]]
    attends, without = shown[:2], shown[2:]
    assert without[0] - without[1] >= 30
    assert abs(attends[0] - attends[1]) <= 10


def test_the_sentence_below_the_picture_has_the_points_at_its_ends():
    app = open_with()
    ends = [
        f"{exact_match_interval([a.right for a in expected('none', length)]).value:.0%}" for length in (4, 8)
    ]
    assert "From 4 to 8 words, sentences translated right:" in said(app)
    assert f"{WITHOUT} **{' → '.join(ends)}**." in said(app)


def test_that_it_never_failed_is_said_only_of_sentences_of_which_all_are_right():
    app = open_with(lengths=["3"], count="5", where="true")
    assert not failures({3: list(attempts_of("none", False, 7, 0, 3))})
    assert "fails on none of these 5 sentences" in said(app)
    assert set(table_with(app, "95% from")["share right"]) == {1.0}


def test_below_a_picture_that_shows_a_failure_the_sentence_that_failed_is_shown():
    app = open_lesson(
        "bottleneck", timeout=180, lengths=["25"], count=200, seed=12, where="true"
    )  # still growing
    failed = failures(app.session_state["bottleneck_growth"].measured()[NOT])
    assert failed
    assert "fails on none" not in said(app)
    assert "The sections below follow" in said(app)
    assert "One of the" in app.number_input(key="bottleneck_failed").label


def test_what_a_word_moves_is_the_mean_of_the_bars_and_of_a_short_sentence_done_by_hand():
    app = open_with(lengths=["25"], count="10", where="true")
    title = LESSON.words.label("axis.moved")
    drawn = next(each for each in figures(app) if each["layout"]["yaxis"]["title"].get("text") == title)
    y = np.array(drawn["data"][0]["y"])
    assert f"By {y.mean():.0%} of its length here, the mean over {len(y)} words" in said(app)
    translator, words = measured_translator("none"), pairs_of(7, 0, 5)[0].source
    ids = translator.source.encode(words)
    vector = last_state(translator.model, ids)
    moved = [np.linalg.norm(last_state(translator.model, ids[:s] + ids[s + 1 :]) - vector) for s in range(5)]
    assert f"By {np.mean(moved) / np.linalg.norm(vector):.0%} in a sentence of 5" in said(app)


@pytest.mark.parametrize(
    "pieces", [PIECES, "the cat sleeps", "to be or not\nto be, that is the question"], ids=str.split
)
def test_where_the_two_part_is_said_from_their_translations(pieces):
    sentences = encode_growing_text(pieces, TASKS[FRENCH].read)
    pairs = [
        [translate_and_score(measured_translator(own), words).words for own in ("additive", "none")]
        for words in sentences
    ]
    parted = [i + 1 for i, (one, other) in enumerate(pairs) if one != other]
    expected_words = (
        f"The two part first with piece {parted[0]} of" if parted else "The two agree on all of it"
    )
    assert expected_words in said(open_with(pieces=pieces, grow="true"))


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
    app = open_with(
        lengths=["25"], count="20", where="true"
    )  # long enough that the model without attention fails
    hidden = load_card("translate_french_none").config["hidden"]
    without, attends = (m.value for m in app.metric[:2])
    assert (without, attends) == (f"{hidden:,}", f"{25 * hidden:,}")


def test_a_sentence_of_the_learner_s_own_grows_by_its_lines():
    table = table_with(open_with(grow="true"), "part at word")
    assert [row.split() for row in table["English"]] == encode_growing_text(PIECES, TASKS[FRENCH].read)


def test_a_prediction_hides_the_measurement_and_the_closing_stays():
    app = open_with(predict="true", where="true", grow="true")
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
    app = open_with(**query, grow="true", where="true")
    assert not app.exception
    assert set(HERE.values()) <= {trace["name"] for trace in figure(app)["data"]}
    assert len(table_with(app, "part at word")) >= 1


def test_a_sentence_that_is_cut_is_said_to_be():
    assert "At most 60 words in 8 pieces are read" in said(open_with(pieces="cat " * 100, grow="true"))
    assert "At most 60 words" not in said(open_with(grow="true"))


@pytest.mark.parametrize("measure", ["its words", KEPT])
def test_an_old_address_measures_the_words_too(measure):
    assert open_with(measure=measure).session_state["bottleneck_measure"] == KEPT


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(), "bottleneck", number).run()
    assert not app.exception
    half = LESSON.words.label("compare.without.broken")
    assert any(half in label for label in metrics(app)) == (number == 3)
    assert (app.session_state["bottleneck_measure"] == KEPT) == (number == 2)
