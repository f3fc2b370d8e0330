"""The rules of a room: one vote a member, no distribution too soon or of too few, limits, and what is forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.room.rooms import (
    AWAY_AFTER,
    CODE_LENGTH,
    COUNTED,
    KEPT_FOR,
    LETTERS,
    LOST_FOR,
    MEMBERS_AT_MOST,
    ROOMS_AT_MOST,
    TOLD,
    VOTE,
    BeatPlace,
    NotHostError,
    RoomError,
    Rooms,
    begin_second_round,
    cast_vote,
    check_host,
    close_vote,
    count_changes,
    count_lost,
    count_votes,
    end_room,
    enter_room,
    find_room,
    forget_rooms,
    mark_lost,
    move_room,
    open_room,
    record_of,
    tell_host,
    tell_member,
)

ASKED = BeatPlace("viterbi", 3)
CHOICES = ("a", "b", "c")


def asking(now=0.0):
    rooms = Rooms()
    room = open_room(rooms, BeatPlace("viterbi", 1), now)
    move_room(room, ASKED, CHOICES, "a")
    return rooms, room


def vote(room, votes, now=0.0):
    for number, choice in enumerate(votes):
        cast_vote(room, f"m{number}", choice, now)


def test_a_code_has_five_letters_and_none_that_looks_like_another():
    _, room = asking()
    assert len(room.code) == CODE_LENGTH and set(room.code) <= set(LETTERS)
    assert not set("ILO01") & set(LETTERS)


def test_a_code_is_found_in_any_case_and_an_unknown_one_is_a_sentence():
    rooms, room = asking()
    assert find_room(rooms, f" {room.code.lower()} ") is room
    with pytest.raises(RoomError, match="no room with this code"):
        find_room(rooms, "AAAAA" if room.code != "AAAAA" else "BBBBB")


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from(CHOICES)), max_size=30))
def test_each_member_has_one_vote_which_is_the_last_one(casts):
    _, room = asking()
    last = {}
    for at, (member, choice) in enumerate(casts):
        cast_vote(room, str(member), choice, 2.0 * at)
        last[member] = choice
    assert count_votes(room) == {each: list(last.values()).count(each) for each in CHOICES}


def test_a_vote_is_counted_only_while_the_vote_is_open_and_for_an_answer_that_there_is():
    _, room = asking()
    with pytest.raises(RoomError, match="none of the answers"):
        cast_vote(room, "m", "<b>", 0)
    close_vote(room)
    with pytest.raises(RoomError, match="closed"):
        cast_vote(room, "m", "a", 0)
    assert count_votes(room) == dict.fromkeys(CHOICES, 0)


def test_one_vote_a_second_and_one_signal_in_five():
    _, room = asking()
    cast_vote(room, "m", "a", 10.0)
    with pytest.raises(RoomError, match="a second"):
        cast_vote(room, "m", "b", 10.5)
    cast_vote(room, "m", "b", 11.0)
    mark_lost(room, "m", 20.0)
    with pytest.raises(RoomError, match="noted"):
        mark_lost(room, "m", 24.0)
    mark_lost(room, "m", 25.0)


def test_lost_falls_back_by_itself():
    _, room = asking()
    mark_lost(room, "m", 0.0)
    assert (count_lost(room, LOST_FOR - 1), count_lost(room, LOST_FOR)) == (1, 0)


def test_a_member_learns_no_others_vote_before_it_is_shown_and_the_host_not_before_it_is_closed():
    _, room = asking()
    vote(room, "aaabb")
    assert "counts" not in tell_member(room, "m0", 0) and "counts" not in tell_host(room, 0)
    assert tell_member(room, "m3", 0)["vote"] == "b" and tell_host(room, 0)["answered"] == 5
    close_vote(room)
    assert "counts" not in tell_member(room, "m0", 0)
    assert tell_host(room, 0)["counts"] == {"a": 3, "b": 2, "c": 0}
    move_room(room, BeatPlace("viterbi", 3, revealed=True), CHOICES, "a")
    assert room.phase == TOLD and tell_member(room, "m0", 0)["counts"] == {"a": 3, "b": 2, "c": 0}


def test_fewer_than_five_votes_are_never_shown_as_a_distribution():
    _, room = asking()
    vote(room, "aabb")
    close_vote(room)
    move_room(room, BeatPlace("viterbi", 3, revealed=True), CHOICES, "a")
    assert tell_host(room, 0)["counts"] == {} and "swings" not in tell_host(room, 0)
    assert not [row for row in record_of(room) if row[0] == "votes"]


def test_two_rounds_tell_how_those_who_voted_twice_changed():
    _, room = asking()
    vote(room, "aabbc")
    close_vote(room)
    begin_second_round(room)
    assert room.phase == VOTE and tell_member(room, "m0", 9)["vote"] is None
    vote(room, "abaa", now=9.0)
    cast_vote(room, "m9", "a", 9.0)
    close_vote(room)
    assert count_changes(room) == {
        "right to right": 1, "right to wrong": 1, "wrong to right": 2, "wrong to wrong": 0
    }  # fmt: skip
    assert tell_host(room, 9)["counts"] == {"a": 4, "b": 1, "c": 0}


def test_a_second_round_needs_a_first_one():
    _, room = asking()
    with pytest.raises(RoomError, match="second round"):
        begin_second_round(room)
    close_vote(room)
    with pytest.raises(RoomError, match="second round"):
        begin_second_round(room)


def test_going_back_to_a_question_that_was_answered_does_not_open_its_vote_again():
    _, room = asking()
    vote(room, "aaaaa")
    move_room(room, BeatPlace("viterbi", 3, revealed=True), CHOICES, "a")
    move_room(room, BeatPlace("viterbi", 4))
    move_room(room, ASKED, CHOICES, "a")
    assert room.phase == COUNTED


def test_only_the_host_moves_a_room_and_a_quiet_host_is_away():
    _, room = asking()
    with pytest.raises(NotHostError):
        check_host(room, "guessed", 5)
    check_host(room, room.token, 5)
    assert (
        tell_member(room, "m", 5 + AWAY_AFTER - 1)["host"]
        and not tell_member(room, "m", 5 + AWAY_AFTER)["host"]
    )


def test_a_revision_grows_with_each_change_and_stays_where_nothing_changed():
    _, room = asking()
    before = room.revision
    assert not move_room(room, ASKED, CHOICES, "a") and room.revision == before
    close_vote(room)
    close_vote(room)
    assert room.revision == before + 1


def test_rooms_and_members_have_limits_and_an_ended_room_is_forgotten_after_two_hours():
    rooms, room = asking()
    for number in range(MEMBERS_AT_MOST):
        enter_room(room, str(number), 0)
    with pytest.raises(RoomError, match="as many as it takes"):
        enter_room(room, "one more", 0)
    enter_room(room, "0", 1)  # who is in stays in
    for _ in range(ROOMS_AT_MOST - 1):
        open_room(rooms, ASKED, 0)
    with pytest.raises(RoomError, match="rooms already"):
        open_room(rooms, ASKED, 1)
    end_room(room, 10)
    forget_rooms(rooms, 10 + KEPT_FOR + 1)
    assert not rooms.by_code


def test_the_record_has_counts_by_beat_and_nobody():
    _, room = asking()
    vote(room, "aaabb")
    mark_lost(room, "m0", 1.0)
    end_room(room, 2.0)
    rows = record_of(room)
    assert ["votes", "viterbi", 3, 1, "a", 3] in rows and [
        "lost at once, at most",
        "viterbi",
        3,
        "",
        "",
        1,
    ] in rows
    assert not any("m0" in str(row) for row in rows)
