"""What members say: moderated questions, sentences and numbers; limits; nothing of one member reaches another too soon."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.room.room_error import RoomError
from core.room.rooms import (
    COUNTED,
    PRESSES_KEPT,
    ROOMS_AT_MOST,
    TURN,
    VOTE,
    BeatPlace,
    Programme,
    Rooms,
    begin_second_round,
    cast_vote,
    close_vote,
    end_room,
    enter_room,
    mark_lost,
    move_room,
    open_room,
    play_programme,
    press,
    record_of,
    tell_host,
    tell_member,
)
from core.room.said import (
    ASK_EVERY,
    DONE,
    LONGEST,
    PASSED,
    QUESTIONS_AT_MOST,
    SEND_EVERY,
    Said,
    Taken,
    ask_question,
    describe_numbers,
    judge_question,
    put_aside,
    put_questions_aside,
    second_question,
    send_value,
    tell_questions,
    tell_waiting,
)

BEAT = ("word_axis", 9)


def turn():
    room = open_room(Rooms(), BeatPlace("word_axis", 8), 0.0)
    move_room(room, BeatPlace(*BEAT), takes=Taken("typed"))
    return room


def test_a_question_is_told_after_it_passed_and_no_more_after_it_was_answered():
    said = Said()
    ask_question(said, "m", "  Why   that? ", 0.0)
    assert tell_questions(said, "other") == []
    assert tell_questions(said, "", passed=False) == [
        {"id": 1, "text": "Why that?", "count": 1, "mine": False}
    ]
    judge_question(said, 1, PASSED)
    assert tell_questions(said, "m")[0]["mine"] and not tell_questions(said, "other")[0]["mine"]
    judge_question(said, 1, DONE)
    assert tell_questions(said, "m") == [] == list(said.questions)
    ask_question(said, "m", "And this?", 20.0)
    assert list(said.questions) == [2]
    put_questions_aside(said)
    assert not said.questions


@given(st.lists(st.sampled_from("abcdef"), max_size=20))
def test_a_member_seconds_a_question_once_and_may_take_it_back(presses):
    said = Said()
    ask_question(said, "m", "Why?", 0.0)
    judge_question(said, 1, PASSED)
    for member in presses:
        second_question(said, member, 1)
    odd = sum(presses.count(member) % 2 for member in set(presses))
    assert tell_questions(said, "")[0]["count"] == 1 + odd


def test_the_question_that_most_ask_comes_first():
    said = Said()
    for number in range(3):
        ask_question(said, f"m{number}", f"Question {number}", 0.0)
        judge_question(said, number + 1, PASSED)
    second_question(said, "x", 3)
    assert [each["text"] for each in tell_questions(said, "")] == ["Question 2", "Question 0", "Question 1"]


@pytest.mark.parametrize("text", ["", "   ", None, 7, ["a"], "x" * (LONGEST + 1)])
def test_what_is_no_question_is_a_sentence(text):
    with pytest.raises(RoomError):
        ask_question(Said(), "m", text, 0.0)


def test_questions_and_values_have_limits():
    said = Said()
    ask_question(said, "m", "One?", 0.0)
    with pytest.raises(RoomError, match="One question in 10 seconds"):
        ask_question(said, "m", "Two?", ASK_EVERY - 0.1)
    ask_question(said, "m", "Two?", ASK_EVERY)
    for number in range(QUESTIONS_AT_MOST - 2):
        ask_question(said, f"n{number}", "More?", 0.0)
    with pytest.raises(RoomError, match="as many questions"):
        ask_question(said, "late", "Why?", 0.0)
    send_value(said, BEAT, "m", "ice", 0.0)
    with pytest.raises(RoomError, match="fast"):
        send_value(said, BEAT, "m", "tea", SEND_EVERY - 0.1)
    for value in (float("nan"), float("inf"), 10**400, -1, 361, "7", True, None):
        with pytest.raises(RoomError, match="no number"):
            send_value(said, BEAT, "n", value, 0.0, Taken("angle", (0, 360)))
    send_value(said, BEAT, "n", 360, 0.0, Taken("angle", (0, 360)))
    for value in (7, 7.5, None, ["ice"]):
        with pytest.raises(RoomError, match="Type something"):
            send_value(said, BEAT, "o", value, 0.0, Taken("typed"))


def test_a_second_for_what_waits_or_is_not_there_is_refused():
    said = Said()
    ask_question(said, "m", "Why?", 0.0)
    for number in (1, 2, "1", None, [1]):
        with pytest.raises(RoomError):
            second_question(said, "x", number)


def test_only_the_host_sees_what_was_sent_and_each_member_has_one_value():
    room = turn()
    assert room.phase == TURN
    send_value(room.said, BEAT, "m", "ice", 0.0)
    send_value(room.said, BEAT, "m", "tea", 3.0)
    send_value(room.said, BEAT, "n", "tea", 3.0)
    assert tell_host(room, 3.0)["waiting"] == ["tea"] and tell_host(room, 3.0)["senders"] == 2
    member = tell_member(room, "m", 3.0)
    assert member["sent"] and not tell_member(room, "x", 3.0)["sent"] and "waiting" not in member
    put_aside(room.said, BEAT, "tea")
    assert tell_waiting(room.said, BEAT) == []
    send_value(room.said, BEAT, "n", "snow", 6.0)
    assert tell_waiting(room.said, BEAT) == ["snow"]


@given(st.lists(st.integers(-1000, 1000), min_size=5, max_size=40))
def test_a_dot_plot_has_all_numbers_and_only_those_far_from_the_rest_are_folded(numbers):
    said = Said(values={BEAT: dict(enumerate(map(float, numbers)))})
    plot = describe_numbers(said, BEAT, 5)
    assert sum(count for _, count in plot["dots"]) + plot["below"] + plot["above"] == len(numbers)
    assert plot["median"] == statistics.median(numbers)
    low, _, high = statistics.quantiles(numbers, n=4, method="inclusive")
    if high > low:
        reach = 3 * (high - low)
        assert plot["above"] == sum(each > high + reach for each in numbers)
        assert plot["below"] == sum(each < low - reach for each in numbers)


def test_fewer_than_five_numbers_are_not_shown():
    said = Said(values={BEAT: dict(enumerate([1.0, 2.0, 3.0, 4.0]))})
    assert describe_numbers(said, BEAT, 5) == {}


def test_a_change_by_the_lecturer_is_told_and_opens_no_vote_again():
    room = turn()
    before = room.revision
    move_room(room, BeatPlace(*BEAT, changes=(("typed", "ice"),)), takes=Taken("typed"))
    assert room.phase == TURN and room.revision == before + 1
    assert tell_member(room, "m", 0)["changes"] == {"typed": "ice"}
    move_room(room, BeatPlace("viterbi", 3), ("a", "b"), "a")
    assert room.phase == VOTE and room.takes is None


def test_the_speaker_s_window_presses_keys_beats_and_sentences_that_were_sent():
    room = turn()
    play_programme(room, Programme("mine", "Mine", ({"title": "One"}, {"title": "Two"})), 1, 5.0)
    send_value(room.said, BEAT, "m", "ice", 0.0)
    for key in ("next", 1, {"set": "ice"}):
        press(room, key)
    assert room.presses == [(1, "next"), (2, 1), (3, {"set": "ice"})]
    assert tell_waiting(room.said, BEAT) == []  # it was shown
    for key in ("f5", 2, -1, True, None, {"set": "tea"}, {"set": "ice"}, ["next"]):
        with pytest.raises(RoomError, match="no such key"):
            press(room, key)
    for _ in range(2 * PRESSES_KEPT):
        press(room, "next")
    assert [number for number, _ in room.presses] == list(range(12, 12 + PRESSES_KEPT))


def test_a_programme_begins_its_clock_once():
    room = turn()
    play_programme(room, Programme("mine", "Mine", ({"title": "One"}, {"title": "Two"})), 0, 5.0)
    play_programme(room, Programme("mine", "Mine", ({"title": "One"}, {"title": "Two"})), 1, 9.0)
    assert (room.began, room.at, room.played) == (5.0, 1, 1)
    play_programme(room, Programme("other", "Other", ({"title": "One"},)), 7, 20.0)
    assert (room.began, room.at, room.played) == (20.0, 0, 2)


def test_a_locked_room_keeps_who_is_in_and_lets_nobody_else_in():
    room = turn()
    enter_room(room, "m", 0.0)
    room.locked = True
    enter_room(room, "m", 1.0)
    with pytest.raises(RoomError, match="lets nobody else in"):
        enter_room(room, "n", 1.0)


def test_the_curve_is_a_share_of_those_who_were_active_during_the_beat():
    room = turn()
    for number in range(4):
        enter_room(room, f"early{number}", 0.0)
    move_room(room, BeatPlace("word_axis", 10), now=1000.0)
    enter_room(room, "late", 1000.0)  # the others fell silent long ago
    mark_lost(room, "late", 1000.0)
    move_room(room, BeatPlace("word_axis", 11), now=1000.0)
    assert tell_host(room, 1000.0)["curve"] == [
        ["word_axis", 8, 0, 0],
        ["word_axis", 9, 4, 0],
        ["word_axis", 10, 1, 1],
    ]


def test_the_record_counts_what_was_sent_from_five_on_and_holds_no_word_of_it():
    room = turn()
    for number in range(4):
        send_value(room.said, BEAT, f"m{number}", "secret", 0.0)
    assert not [row for row in record_of(room) if row[0] == "sent"]
    send_value(room.said, BEAT, "m4", "secret", 0.0)
    assert ["sent", *BEAT, "", "", 5] in record_of(room)
    assert "secret" not in str(record_of(room))


def test_a_sentence_that_is_sent_again_stands_last():
    room = turn()
    for at, (member, text) in enumerate((("m", "ice"), ("n", "tea"), ("m", "snow"))):
        send_value(room.said, BEAT, member, text, 5.0 * at)
    assert tell_waiting(room.said, BEAT) == ["tea", "snow"]


def test_a_vote_that_was_left_is_as_it_was_on_the_way_back():
    room = open_room(Rooms(), BeatPlace("viterbi", 2), 0.0)
    asked = BeatPlace("viterbi", 3)
    move_room(room, asked, ("a", "b"), "a")
    cast_vote(room, "m", "a", 0.0)
    close_vote(room)
    move_room(room, BeatPlace("viterbi", 2))
    move_room(room, asked, ("a", "b"), "a")
    assert (room.phase, room.round) == (COUNTED, 1)
    begin_second_round(room)
    close_vote(room)
    move_room(room, BeatPlace("viterbi", 2))
    move_room(room, asked, ("a", "b"), "a")
    assert (room.phase, room.round) == (COUNTED, 2)
    with pytest.raises(RoomError, match="closed"):
        cast_vote(room, "n", "a", 9.0)


def test_the_changes_of_fewer_than_five_are_not_told():
    room = open_room(Rooms(), BeatPlace("viterbi", 2), 0.0)
    move_room(room, BeatPlace("viterbi", 3), ("a", "b"), "a")
    cast_vote(room, "m0", "b", 0.0)
    close_vote(room)
    begin_second_round(room)
    for number in range(5):
        cast_vote(room, f"m{number}", "a", 9.0)
    close_vote(room)
    move_room(room, BeatPlace("viterbi", 3, revealed=True), ("a", "b"), "a")
    told = tell_host(room, 9.0)
    assert told["counts"] == {"a": 5, "b": 0} and "swings" not in told


def test_a_full_server_drops_an_ended_or_a_left_room_and_never_one_with_people():
    rooms = Rooms()
    first, *others = (open_room(rooms, BeatPlace("viterbi", 1), 0.0) for _ in range(ROOMS_AT_MOST))
    with pytest.raises(RoomError, match="rooms already"):
        open_room(rooms, BeatPlace("viterbi", 1), 1.0)
    end_room(others[3], 2.0)
    open_room(rooms, BeatPlace("viterbi", 1), 3.0)
    assert others[3].code not in rooms.by_code and first.code in rooms.by_code
    enter_room(first, "m", 100.0)
    open_room(rooms, BeatPlace("viterbi", 1), 100.0)  # the others' hosts have been silent
    assert first.code in rooms.by_code and len(rooms.by_code) == ROOMS_AT_MOST


def test_the_record_has_the_questions_that_all_saw_and_no_formula():
    room = turn()
    ask_question(room.said, "m", "=1+1?", 0.0)
    ask_question(room.said, "n", "Secret?", 0.0)
    judge_question(room.said, 1, PASSED)
    rows = record_of(room)
    assert ["question", "", "", "", "'=1+1?", 1] in rows and "Secret" not in str(rows)
