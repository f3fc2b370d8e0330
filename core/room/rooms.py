"""Rooms and their rules, without the web: who is in, where the lecture stands, what was voted, who is lost.

Nothing here is written to a disk, and nobody has a name: a member is a random cookie. All functions take the time in
seconds, so that a test can let it pass. A room's revision grows with whatever its members should see.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.room.room_error import WORDS, RoomError
from core.room.said import Said, Taken, describe_numbers, put_aside, tell_questions, tell_waiting
from core.words.plain import disarm_cell

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"  # without I, L and O, which look like others
CODE_LENGTH = 5
ROOMS_AT_MOST, MEMBERS_AT_MOST = 50, 2000
VOTE_EVERY, LOST_EVERY = 1.0, 5.0  # seconds, for one member
LOST_FOR = 30.0  # seconds until "I am lost" falls back
ACTIVE_FOR = 60.0  # seconds since a member was last heard of
AWAY_AFTER = 30.0  # seconds without a word of the host
KEPT_FOR = 2 * 3600.0  # seconds after the end, or after the host was last heard of
SHOWN_FROM = 5  # votes: a distribution of fewer could tell who voted what
LOOK, VOTE, COUNTED, TOLD, TURN = "look", "vote", "counted", "told", "turn"  # phases
PRESSES_KEPT = 8
PRESSES = ("next", "back", "black", "present")  # what the speaker's window may press in the lecture's


class NoRoomError(RoomError):
    """There is no such room, or none any more."""


class NotHostError(RoomError):
    """The token is not the host's."""


@dataclass(frozen=True)
class BeatPlace:
    """A beat of a lesson's story, whether its answer is shown, and what the lecturer changed in it.

    Beat 0 is the lesson's lab, at the address `link`.
    """

    lesson: str
    number: int
    revealed: bool = False
    changes: tuple[tuple[str, str], ...] = ()
    link: str = ""

    @property
    def beat(self) -> tuple[str, int]:
        """The beat alone."""
        return self.lesson, self.number


@dataclass(frozen=True)
class Programme:
    """What the speaker's window lists: a lecture or a story. Beats have title, notes, lesson and number."""

    name: str
    title: str
    beats: tuple[dict, ...]
    minutes: int | None = None


@dataclass
class Room:
    """One room. `ballots` holds {(lesson, number, round): {member: choice}}."""

    code: str
    token: str
    heard: float  # of the host
    place: BeatPlace
    revision: int = 1
    phase: str = LOOK
    round: int = 1
    choices: tuple[str, ...] = ()  # of the question that stands at the place
    answer: str = ""  # the right one of them
    takes: Taken | None = None  # the control of which members may send a value
    ballots: dict[tuple[str, int, int], dict[str, str]] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)  # member: when last heard of
    voted: dict[str, float] = field(default_factory=dict)  # member: when last voted
    lost: dict[str, float] = field(default_factory=dict)  # member: when last lost
    curve: list[tuple[BeatPlace, int, int]] = field(
        default_factory=list
    )  # each beat left: active, lost at most
    most_lost: int = 0  # at once, since this beat began
    since: float = 0.0  # when this beat began
    told: set[tuple[str, int]] = field(default_factory=set)  # answers that were shown: no vote opens again
    votes_at: dict[tuple[str, int], tuple[str, int]] = field(
        default_factory=dict
    )  # phase and round when left
    presenting: int = 0  # windows that present
    ended: float | None = None
    locked: bool = False  # nobody else comes in
    programme: Programme | None = None
    played: int = 0  # programmes so far
    at: int = 0  # of the programme's beats
    began: float = 0.0  # the programme
    presses: list[tuple[int, object]] = field(
        default_factory=list
    )  # of the speaker's window, numbered; the last ones
    said: Said = field(default_factory=Said)


@dataclass
class Rooms:
    """All rooms of a server, by code."""

    by_code: dict[str, Room] = field(default_factory=dict)


def open_room(rooms: Rooms, place: BeatPlace, now: float) -> Room:
    """Open a room and return it. Raises RoomError where the server has as many as it takes."""
    forget_rooms(rooms, now)
    if len(rooms.by_code) >= ROOMS_AT_MOST:
        drop_room(rooms, now)
    code = ""
    while not code or code in rooms.by_code:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    rooms.by_code[code] = Room(code, secrets.token_urlsafe(24), now, place)
    return rooms.by_code[code]


def drop_room(rooms: Rooms, now: float) -> None:
    """Forget one room for want of place: the first that ended, else the one whose host was not heard for longest.

    Raises RoomError where every room has a host, or members.
    """
    ended = [room for room in rooms.by_code.values() if room.ended is not None]
    left = [room for room in rooms.by_code.values() if not is_led(room, now) and not count_active(room, now)]
    oldest = min(
        ended, key=lambda room: room.ended, default=min(left, key=lambda room: room.heard, default=None)
    )
    if oldest is None:
        raise RoomError(WORDS.label("refused.rooms", most=ROOMS_AT_MOST))
    del rooms.by_code[oldest.code]


def is_led(room: Room, now: float) -> bool:
    """Return whether a room's host was heard lately."""
    return now - room.heard < AWAY_AFTER


def forget_rooms(rooms: Rooms, now: float) -> None:
    """Forget what ended two hours ago, or was left by its host as long."""
    for code, room in list(rooms.by_code.items()):
        if now > forgotten_at(room):
            del rooms.by_code[code]


def forgotten_at(room: Room) -> float:
    """Return when a room is forgotten, unless its host is heard until then."""
    return (room.heard if room.ended is None else room.ended) + KEPT_FOR


def find_room(rooms: Rooms, code: str) -> Room:
    """Return the room of a code, in any case. Raises RoomError where there is none."""
    room = rooms.by_code.get(code.strip().upper())
    if room is None:
        raise NoRoomError(WORDS.label("refused.no_room"))
    return room


def check_host(room: Room, token: str, now: float) -> None:
    """Note that the host was heard. Raises NotHostError for another's token."""
    if not secrets.compare_digest(room.token.encode(), token.encode()):
        raise NotHostError(WORDS.label("refused.host_only"))
    room.heard = now


def enter_room(room: Room, member: str, now: float) -> None:
    """Note that a member is there. Raises RoomError where the room is full."""
    if member not in room.seen and len(room.seen) >= MEMBERS_AT_MOST:
        raise RoomError(WORDS.label("refused.full", most=MEMBERS_AT_MOST))
    if member not in room.seen and room.locked:
        raise RoomError(WORDS.label("refused.locked"))
    room.seen[member] = now


def move_room(
    room: Room,
    place: BeatPlace,
    choices: tuple[str, ...] = (),
    answer: str = "",
    takes: Taken | None = None,
    now: float = 0.0,
) -> bool:
    """Bring the room to a place; return whether anything changed.

    `choices` are the ids of its question, if it asks; `takes` is the control of which members may send a value, if any.
    """
    if room.ended is not None:
        raise RoomError(WORDS.label("refused.ended"))
    if place == room.place:
        return False
    if place.beat != room.place.beat:
        if room.place.lesson:  # none before the first beat
            room.curve.append((room.place, count_since(room), room.most_lost))
            room.votes_at[room.place.beat] = room.phase, room.round
        room.most_lost, room.since = 0, now
        room.round = room.votes_at.get(place.beat, (VOTE, 1))[1]
    if place.beat != room.place.beat or place.revealed != room.place.revealed:
        question = place.beat
        if place.revealed:
            room.phase = TOLD
            room.told.add(question)
        elif choices:
            room.phase = COUNTED if question in room.told else room.votes_at.get(question, (VOTE, 1))[0]
        else:
            room.phase = TURN if takes else LOOK
    room.place, room.choices, room.answer, room.takes = place, choices, answer, takes
    room.revision += 1
    return True


def question_of(room: Room, number: int = 0) -> tuple[str, int, int]:
    """Return the key of the present question's ballots, in a round; by default in the present one."""
    return (*room.place.beat, number or room.round)


def cast_vote(room: Room, member: str, choice: str, now: float) -> None:
    """Count a member's vote, in place of an earlier one. Raises RoomError where it cannot be counted."""
    if room.phase != VOTE or room.ended is not None:
        raise RoomError(WORDS.label("refused.vote_closed"))
    if choice not in room.choices:
        raise RoomError(WORDS.label("refused.no_answer"))
    if now - room.voted.get(member, -VOTE_EVERY) < VOTE_EVERY:
        raise RoomError(WORDS.label("refused.vote_fast"))
    enter_room(room, member, now)
    room.voted[member] = now
    room.ballots.setdefault(question_of(room), {})[member] = choice


def close_vote(room: Room) -> None:
    """Close the vote: its distribution may be shown."""
    if room.phase == VOTE:
        room.phase = COUNTED
        room.revision += 1


def begin_second_round(room: Room) -> None:
    """Let all vote again, after they have talked. Raises RoomError where there was no first vote."""
    if not can_vote_again(room):
        raise RoomError(WORDS.label("refused.second"))
    room.phase, room.round = VOTE, 2
    room.revision += 1


def can_vote_again(room: Room) -> bool:
    """Return whether a second round can begin: after a first one that is closed, and before its answer was shown."""
    told = room.place.beat in room.told
    return (
        room.phase == COUNTED and room.round == 1 and not told and bool(room.ballots.get(question_of(room)))
    )


def count_votes(room: Room, number: int = 0) -> dict[str, int]:
    """Return {choice: votes} of a round, every choice among them."""
    found = Counter(room.ballots.get(question_of(room, number), {}).values())
    return {choice: found[choice] for choice in room.choices}


def count_changes(room: Room) -> dict[str, int]:
    """Return how those who voted twice changed: {"right to right": n, "right to wrong": …}, none without two rounds."""
    first, second = (room.ballots.get(question_of(room, number), {}) for number in (1, 2))
    named = {True: "right", False: "wrong"}
    pairs = Counter(
        (first[each] == room.answer, second[each] == room.answer) for each in first.keys() & second.keys()
    )
    if not second:
        return {}
    return {f"{named[a]} to {named[b]}": pairs[a, b] for a in (True, False) for b in (True, False)}


def mark_lost(room: Room, member: str, now: float) -> None:
    """Note that a member is lost; it falls back by itself. Raises RoomError where it comes too often."""
    if room.ended is not None:
        raise RoomError(WORDS.label("refused.ended"))
    if now - room.lost.get(member, -LOST_EVERY) < LOST_EVERY:
        raise RoomError(WORDS.label("refused.noted"))
    enter_room(room, member, now)
    room.lost[member] = now
    room.most_lost = max(room.most_lost, count_lost(room, now))


def count_lost(room: Room, now: float) -> int:
    """Return how many are lost now."""
    return sum(now - at < LOST_FOR for at in room.lost.values())


def count_active(room: Room, now: float) -> int:
    """Return how many members were heard of lately."""
    return sum(now - at < ACTIVE_FOR for at in room.seen.values())


def play_programme(room: Room, programme: Programme, at: int, now: float) -> None:
    """Note what is played, and where it stands."""
    if room.programme is None or room.programme.name != programme.name:
        room.began = now
    if room.programme != programme:
        room.played += 1
    room.programme, room.at = programme, max(0, min(at, len(programme.beats) - 1))


def press(room: Room, what: object) -> None:
    """Press in the lecture's window: one of PRESSES, a beat's index in the programme, or {set: a sent sentence}."""
    count = len(room.programme.beats) if room.programme else 0
    is_beat = type(what) is int and 0 <= what < count
    is_sentence = isinstance(what, dict) and what.get("set") in tell_waiting(room.said, room.place.beat)
    if not is_beat and not is_sentence and not (isinstance(what, str) and what in PRESSES):
        raise RoomError(WORDS.label("refused.no_key"))
    number = room.presses[-1][0] + 1 if room.presses else 1
    room.presses = [*room.presses[1 - PRESSES_KEPT :], (number, what)]
    if is_sentence:
        put_aside(room.said, room.place.beat, what["set"])


def count_since(room: Room) -> int:
    """Return how many members were active when the present beat began, or since."""
    return sum(at > room.since - ACTIVE_FOR for at in room.seen.values())


def end_room(room: Room, now: float) -> None:
    """End a room: its members may still read where it ended."""
    if room.ended is None:
        room.curve.append((room.place, count_since(room), room.most_lost))
        room.ended = now
        room.revision += 1


def tell_member(room: Room, member: str, now: float) -> dict:
    """Return the room's state as a member may know it: never what others voted before it is shown."""
    told = {
        "revision": room.revision,
        "lesson": room.place.lesson,
        "number": room.place.number,
        "revealed": room.place.revealed,
        "changes": dict(room.place.changes),
        "link": room.place.link,
        "phase": room.phase,
        "takes": room.takes.name if room.takes else "",
        "sent": member in room.said.values.get(room.place.beat, {}),
        "round": room.round,
        "vote": room.ballots.get(question_of(room), {}).get(member),
        "ended": room.ended is not None,
        "host": is_led(room, now),
        "questions": tell_questions(room.said, member),
    }
    if room.phase == TOLD or (room.phase == COUNTED and room.round == 2):
        told["counts"] = shown_counts(count_votes(room, max_round(room)))
    return told


def max_round(room: Room) -> int:
    """Return the last round of the present question that has votes, 1 where none has."""
    return 2 if room.ballots.get(question_of(room, 2)) else 1


def shown_counts(counts: Mapping[str, int]) -> dict[str, int]:
    """Return a distribution that may be shown: none of so few votes that it tells who voted what.

    >>> shown_counts({"a": 3, "b": 1}), shown_counts({"a": 3, "b": 2})
    ({}, {'a': 3, 'b': 2})
    """
    return dict(counts) if sum(counts.values()) >= SHOWN_FROM else {}


def tell_host(room: Room, now: float) -> dict:
    """Return the room's state for its host: how many answered, and what, once the vote is closed."""
    rounds = max_round(room) if room.phase == TOLD else room.round
    told = {
        **tell_member(room, "", now),
        "code": room.code,
        "active": count_active(room, now),
        "lost": count_lost(room, now),
        "answered": len(room.ballots.get(question_of(room, rounds), {})),
        "enough": SHOWN_FROM,
        "again": can_vote_again(room),
        "locked": room.locked,
        "presenting": room.presenting > 0,
        "presses": room.presses,
        "at": room.at,
        "programme": room.played,
        "choices": bool(room.choices),
        "began": now - room.began,
        "curve": [[place.lesson, place.number, there, lost] for place, there, lost in room.curve],
        "waiting": tell_waiting(room.said, room.place.beat),
        "asked": tell_questions(room.said, "", passed=False),
        "senders": len(room.said.values.get(room.place.beat, {})),
        "numbers": describe_numbers(room.said, room.place.beat, SHOWN_FROM),
    }
    if room.phase in (COUNTED, TOLD):
        told["counts"] = shown_counts(count_votes(room, rounds))
    swings = count_changes(room) if room.phase == TOLD else {}
    if sum(swings.values()) >= SHOWN_FROM:
        told["swings"] = swings
    return told


def record_of(room: Room) -> list[list]:
    """Return the record as rows: each beat with how many were there and lost at most, each round with its counts."""
    rows: list[list] = [["kind", "lesson", "beat", "round", "choice", "count"]]
    rows += [
        ["sent", *beat, "", "", len(values)]
        for beat, values in room.said.values.items()
        if len(values) >= SHOWN_FROM
    ]
    for place, active, lost in room.curve:
        rows.append(["there", place.lesson, place.number, "", "", active])
        rows.append(["lost at once, at most", place.lesson, place.number, "", "", lost])
    rows += [
        ["question", "", "", "", disarm_cell(each.text), len(each.seconded)]
        for each in room.said.questions.values()
        if each.passed
    ]
    for (lesson, number, round_), ballots in room.ballots.items():
        if len(ballots) < SHOWN_FROM:
            continue
        rows += [
            ["votes", lesson, number, round_, choice, n]
            for choice, n in sorted(Counter(ballots.values()).items())
        ]
    return rows
