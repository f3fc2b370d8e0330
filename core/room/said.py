"""What members of a room say, without their names: questions, and values that they tried. The lecturer lets them pass.

A question is seen by others only after the lecturer let it pass; then each member may second it once. A value is what a
member set the beat's control to, a sentence or a number; a sentence is shown only when the lecturer takes it.
"""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field

from core.room.room_error import WORDS, RoomError

ASK_EVERY, SEND_EVERY = 10.0, 2.0  # seconds, for one member
LONGEST = 280  # characters of a question
LONGEST_VALUE = 400  # characters of a value
QUESTIONS_AT_MOST = 200
TOLD_AT_MOST = 20  # questions that all see, those with the most seconds
WAITING_AT_MOST = 50  # sentences that the lecturer sees, the newest
PASSED, DONE = "passed", "done"  # what the lecturer says of a question
FAR = 3.0  # interquartile ranges beyond the quartiles: an outlier (Tukey's "far out")

BeatKey = tuple[str, int]


@dataclass(frozen=True)
class Taken:
    """The control of a beat whose value members may send: a sentence, or a number between two ends."""

    name: str
    ends: tuple[float, float] | None = None  # of a number


@dataclass
class Question:
    """A member's question: who seconds it, and whether the others may see it."""

    text: str
    passed: bool = False
    seconded: set[str] = field(default_factory=set)


@dataclass
class Said:
    """All that the members of a room said. `values` holds {beat: {member: value}}."""

    questions: dict[int, Question] = field(default_factory=dict)
    numbered: int = 0  # questions so far
    values: dict[BeatKey, dict[str, str | float]] = field(default_factory=dict)
    dropped: dict[BeatKey, set[str]] = field(default_factory=dict)  # sentences that the lecturer put aside
    asked: dict[str, float] = field(default_factory=dict)  # member: when last asked
    sent: dict[str, float] = field(default_factory=dict)  # member: when last sent a value


def clean(text: object, longest: int) -> str:
    """Return a text on one line. Raises RoomError where it is empty, too long, or no text."""
    found = " ".join(text.split()) if isinstance(text, str) else ""
    if not found:
        raise RoomError(WORDS.label("refused.nothing"))
    if len(found) > longest:
        raise RoomError(WORDS.label("refused.long", most=longest))
    return found


def ask_question(said: Said, member: str, text: object, now: float) -> None:
    """Keep a member's question until the lecturer lets it pass. Raises RoomError where it cannot be taken."""
    found = clean(text, LONGEST)
    if now - said.asked.get(member, -ASK_EVERY) < ASK_EVERY:
        raise RoomError(WORDS.label("refused.asked", seconds=ASK_EVERY))
    if len(said.questions) >= QUESTIONS_AT_MOST:
        raise RoomError(WORDS.label("refused.questions"))
    said.asked[member] = now
    said.numbered += 1
    said.questions[said.numbered] = Question(found, seconded={member})


def second_question(said: Said, member: str, number: object) -> None:
    """Let a member second a question, or take that back."""
    question = said.questions.get(number) if type(number) is int else None
    if question is None or not question.passed:
        raise RoomError(WORDS.label("refused.question_gone"))
    question.seconded ^= {member}


def judge_question(said: Said, number: object, state: object) -> None:
    """Let a question pass, or forget it: it was answered, or is not for all."""
    question = said.questions.get(number) if type(number) is int else None
    if question is None or state not in (PASSED, DONE):
        raise RoomError(WORDS.label("refused.no_question"))
    if state == DONE:
        del said.questions[number]
    else:
        question.passed = True


def put_questions_aside(said: Said) -> None:
    """Forget all questions that wait."""
    for number in [number for number, each in said.questions.items() if not each.passed]:
        del said.questions[number]


def tell_questions(said: Said, member: str, passed: bool = True) -> list[dict]:
    """Return the questions that all may see, those with the most seconds first; else those that wait."""
    found = [
        {"id": number, "text": each.text, "count": len(each.seconded), "mine": member in each.seconded}
        for number, each in said.questions.items()
        if each.passed == passed
    ]
    return sorted(found, key=lambda each: -each["count"])[: TOLD_AT_MOST if passed else WAITING_AT_MOST]


def send_value(
    said: Said, beat: BeatKey, member: str, value: object, now: float, taken: Taken = Taken("")
) -> None:
    """Keep what a member set the control of a beat to, in place of an earlier value. Raises RoomError."""
    if now - said.sent.get(member, -SEND_EVERY) < SEND_EVERY:
        raise RoomError(WORDS.label("refused.fast"))
    if taken.ends is None:
        kept = clean(value, LONGEST_VALUE)
    else:
        least, most = taken.ends
        if type(value) not in (int, float) or not least <= value <= most:
            raise RoomError(WORDS.label("refused.number"))
        kept = float(value)
    said.sent[member] = now
    values = said.values.setdefault(beat, {})
    values.pop(member, None)  # the newest stands last
    values[member] = kept
    said.dropped.get(beat, set()).discard(member)


def tell_waiting(said: Said, beat: BeatKey) -> list[str]:
    """Return the sentences that were sent for a beat and not put aside, each once, the newest last."""
    aside = said.dropped.get(beat, set())
    texts = [
        value
        for member, value in said.values.get(beat, {}).items()
        if isinstance(value, str) and member not in aside
    ]
    return list(dict.fromkeys(texts))[-WAITING_AT_MOST:]


def put_aside(said: Said, beat: BeatKey, text: object) -> None:
    """Take a sentence from the list, or all where `text` is None: it was shown, or is not for all."""
    values = said.values.get(beat, {}).items()
    members = {member for member, value in values if text is None or value == text}
    said.dropped.setdefault(beat, set()).update(members)


def describe_numbers(said: Said, beat: BeatKey, enough: int) -> dict:
    """Return the numbers of a beat as a dot plot; {} for fewer than `enough`.

    A number further than FAR interquartile ranges from the quartiles has no dot: it is counted below or above.

    >>> said = Said(values={("a", 1): dict(enumerate([1.0, 2.0, 2.0, 3.0, 900.0]))})
    >>> describe_numbers(said, ("a", 1), 5)
    {'dots': [[1.0, 1], [2.0, 2], [3.0, 1]], 'below': 0, 'above': 1, 'median': 2.0}
    """
    numbers = sorted(value for value in said.values.get(beat, {}).values() if isinstance(value, float))
    if len(numbers) < enough:
        return {}
    low, _, high = statistics.quantiles(numbers, n=4, method="inclusive")
    reach = FAR * (high - low) or float("inf")  # half of them agree: nothing is far from them
    within = [each for each in numbers if low - reach <= each <= high + reach]
    return {
        "dots": [[value, count] for value, count in sorted(Counter(within).items())],
        "below": sum(each < low - reach for each in numbers),
        "above": sum(each > high + reach for each in numbers),
        "median": statistics.median(numbers),
    }
