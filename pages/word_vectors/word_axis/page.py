"""Semantic axes: what the story shows beat by beat, and the lab on any two lists of words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import streamlit as st

from core.lesson.choices.vector_sets import (
    OWN,
    VECTORS,
    choose_vectors,
    credits,
    scale_to_unit_length,
    shared_units,
)
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.word_vectors.word_axis import Axis, AxisSpread, Placement, axis, mean_shift
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from core.words.numbers import percent, signed
from core.words.plain import plain
from pages.word_vectors.shared.word_choice import word_list
from pages.word_vectors.word_axis import LESSON
from pages.word_vectors.word_axis.figures import axis_view, draw_line, draw_row, placement_table

WORDS = LESSON.words
PEOPLE = ("he", "she")
JOBS = (
    "nurse",
    "dancer",
    "artist",
    "teacher",
    "doctor",
    "programmer",
    "engineer",
    "boss",
    "captain",
    "coach",
)
SHADOWS = ("coach", "nurse")
ASKED = "secretary"
OPPOSITES = ("peace", "gift", "cake", "friend", "music", "enemy", "war", "prison", "poison", "murder")
FEW, NEIGHBOURS = 6, 3  # words at each end of the line, and next to one word
# Of the words furthest out on the line from he to she: teams of American football, and names of women.
TEAMS = ("patriots", "chiefs", "buccaneers", "vikings")
NAMES = ("britney", "natalie", "veronica", "emily", "annie")
AXES = {
    "cold_hot": ("cold", "hot"),
    "bad_good": ("bad", "good"),
    "he_she": PEOPLE,
}
MOST = 10  # of the learner's words have a row

LINE = Choice("ends", "cold_hot", tuple(AXES))
OWN_WORDS = Text("typed", "ice tea snow soup winter desert oven siberia", 300, several=True)

PROFESSIONS = (
    "nurse teacher librarian dancer artist doctor lawyer scientist engineer programmer soldier pilot farmer boss "
    "secretary president"
)
EXAMPLES = (
    OWN_WORDS.default,
    PROFESSIONS,
    "he him man",
    "she her woman",
    "bad terrible awful",
    "good great excellent",
    "war peace cake poison horse spider love fear",
    "small tiny little",
    "large huge big",
    "mouse cat dog horse elephant whale ant city planet",
    "he him his himself man men boy boys father son brother husband uncle male king mr sir gentleman",
    "she her hers herself woman women girl girls mother daughter sister wife aunt female queen mrs lady",
)
LEFT = Text("left", EXAMPLES[2], 6000)
RIGHT = Text("right", EXAMPLES[3], 6000)
PLACED = Text("placed", PROFESSIONS, 6000)
RAW = Switch("raw")
LAB = (LEFT, RIGHT, PLACED, VECTORS, RAW)

PEOPLE_WORDS = set(
    " ".join(EXAMPLES[-2:]).split()
)  # where both ends are made of these, the axis is one of people
RARE = 0.05  # at most one word in twenty is as far from the average word


# The story: what each beat shows. Its numbers are cosines of a word's vector with the difference of two words' vectors.


def show_line(settings: Settings) -> Part:
    """Ten professions on the line from he to she."""
    places = places_of(PEOPLE)
    rows = [draw_row(word, places[word], "best" if word in SHADOWS else "plain") for word in ordered(JOBS)]
    values = {**ends_of(rows), "n": len(JOBS)}
    return Part("word_line", draw_line(PEOPLE, rows), values, lab_of(PEOPLE, JOBS))


def show_shadow(settings: Settings) -> Part:
    """The vectors of he, she and two professions as arrows, dropped onto the line."""
    places, vectors = places_of(PEOPLE), shared_units("glove")
    rows = [draw_row(word, places[word], "best") for word in SHADOWS]
    rows += [draw_row(word, places[word], "end") for word in PEOPLE]
    he, she = (float(vectors["nurse"] @ vectors[word]) for word in PEOPLE)
    apart = float(np.linalg.norm(vectors["she"] - vectors["he"]))
    values = {"nurse": places["nurse"], "he": he, "she": she, "apart": apart, "end": places["she"]}
    return Part("word_line", draw_line(PEOPLE, rows, "arc"), values, lab_of(PEOPLE, SHADOWS))


def ask_secretary(settings: Settings) -> Part:
    """Where is the word "secretary"? The answer draws it in its place."""
    places = places_of(PEOPLE)
    if settings.revealed:
        words = ordered((*JOBS, ASKED))
        rows = [draw_row(word, places[word], "best" if word == ASKED else "plain") for word in words]
    else:
        rows = [draw_row(word, places[word]) for word in ordered(JOBS)] + [draw_row(ASKED, None)]
    near = [each.word for each in shared_units("glove").neighbours(ASKED, NEIGHBOURS)]
    values = {
        "asked": ASKED,
        "secretary": places[ASKED],
        "boss": places["boss"],
        "near": near,
        "revealed": settings.revealed,
    }
    answer = "left" if places[ASKED] < -0.1 else "right" if places[ASKED] > 0.1 else "middle"
    lab = lab_of(PEOPLE, (*JOBS, ASKED))
    return Part("word_line", draw_line(PEOPLE, rows), values, lab, ("left", "middle", "right"), answer)


def show_spread(settings: Settings) -> Part:
    """All words of the set behind the professions, and the band that holds 95% of them."""
    places, positions = places_of(PEOPLE), positions_of(PEOPLE)
    rows = [draw_row(word, places[word], "best" if word == "nurse" else "plain") for word in ordered(JOBS)]
    values = {"V": len(positions), "far": percent(as_far(places["nurse"], positions))}
    data = draw_line(PEOPLE, rows, positions=positions, mean=True, band=True)
    low, high = data["band"]["from"], data["band"]["to"]
    values["out"] = [word for word in ordered(JOBS) if not low <= places[word] <= high]
    values["within"] = len(JOBS) - len(values["out"])
    return Part("word_line", data, values, lab_of(PEOPLE, JOBS))


def show_average(settings: Settings) -> Part:
    """All words of the set by themselves: how many are to the left of 0."""
    positions, vectors = positions_of(PEOPLE), shared_units("glove")
    he, she = (vectors.row(word) + 1 for word in PEOPLE)
    values = {
        "V": len(positions),
        "left": float((positions < 0).mean()),
        "mean": float(positions.mean()),
        "he": he,
        "she": she,
    }
    data = draw_line(PEOPLE, [], positions=positions, mean=True, sides=True)
    return Part("word_line", data, values, lab_of(PEOPLE, JOBS))


def show_furthest(settings: Settings) -> Part:
    """The words of the set that are furthest to the left and to the right."""
    positions, words = positions_of(PEOPLE), shared_units("glove").words
    order = np.argsort(-positions)
    chosen = [words[i] for i in (*order[:FEW], *order[-FEW:])]
    places = places_of(PEOPLE)
    rows = [
        draw_row(word, places[word], "best" if word in TEAMS or word in NAMES else "plain") for word in chosen
    ]
    values = {
        "few": FEW,
        "teams": sum(word in TEAMS for word in chosen),
        "names": sum(word in NAMES for word in chosen),
        "last": chosen[-1],
        "lowest": places[chosen[-1]],
    }
    return Part("word_line", draw_line(PEOPLE, rows), values, lab_of(PEOPLE, chosen))


def show_other_text(settings: Settings) -> Part:
    """The same professions in vectors that learned from other text, with their places in GloVe as rings."""
    before, places = places_of(PEOPLE), places_of(PEOPLE, "skipgram")
    words = [word for word in ordered(JOBS, "skipgram") if word in places]
    rows = [
        draw_row(word, places[word], "best" if word == "coach" else "plain", before[word]) for word in words
    ]
    values = {
        "coach": places["coach"],
        "was": before["coach"],
        "crossed": [word for word in words if places[word] * before[word] < 0],
        "n": len(words),
        "nurse": places["nurse"],
        "missing": [word for word in JOBS if word not in places],
    }
    lab = {**lab_of(PEOPLE, words), "vectors": "skipgram"}
    return Part("word_line", draw_line(PEOPLE, rows, key=("now", "before")), values, lab)


def show_opposites(settings: Settings) -> Part:
    """Other words on the line from bad to good."""
    ends = AXES["bad_good"]
    places, words = places_of(ends), ordered(OPPOSITES, line=ends)
    rows = [
        draw_row(word, places[word], "best" if word in (words[0], words[-1]) else "plain") for word in words
    ]
    vectors = shared_units("glove")
    values = {**ends_of(rows), "similar": float(vectors[ends[0]] @ vectors[ends[1]])}
    return Part("word_line", draw_line(ends, rows), values, lab_of(ends, words))


def show_own(settings: Settings) -> Part:
    """The learner's own words on a line between two ends."""
    ends, vectors = AXES[settings.ends], shared_units("glove")
    asked = list(dict.fromkeys(settings.typed.replace(",", " ").split()))
    known = list(dict.fromkeys(vectors.words[vectors.row(word)] for word in asked if word in vectors))[:MOST]
    places = places_of(ends)
    rows = [draw_row(word, places[word]) for word in ordered(known, line=ends)]
    for row in {id(rows[i]): rows[i] for i in (0, -1) if rows}.values():
        row["kind"] = "best"
    unknown = [word for word in asked if word not in vectors]
    values = {
        "n": len(rows),
        "lost": unknown[:3],
        "missing": len(unknown),
        "left": ends[0],
        "right": ends[1],
        "desert": places_of(AXES["cold_hot"])["desert"],
        **(ends_of(rows) if rows else {"first": "", "last": "", "highest": 0.0, "lowest": 0.0}),
    }
    return Part("word_line", draw_line(ends, rows), values, lab_of(ends, known) if known else {})


def show_answer(settings: Settings) -> Part:
    """Only the professions outside the band of most words."""
    places, positions = places_of(PEOPLE), positions_of(PEOPLE)
    data = draw_line(PEOPLE, [], positions=positions, band=True)
    low, high = data["band"]["from"], data["band"]["to"]
    words = [word for word in ordered((*JOBS, ASKED)) if not low <= places[word] <= high]
    rows = [draw_row(word, places[word], "best") for word in words]
    values = {"n": len(rows), "all": len(JOBS) + 1, "V": len(positions), "first": rows[0]["word"]}
    data = draw_line(PEOPLE, rows, positions=positions, band=True)
    return Part("word_line", data, values, lab_of(PEOPLE, words))


STORY = (
    look("line", show_line),
    look("shadow", show_shadow),
    ask("secretary", ask_secretary),
    look("spread", show_spread),
    look("average", show_average),
    look("furthest", show_furthest),
    look("other", show_other_text),
    look("opposites", show_opposites),
    do("own", show_own, LINE, OWN_WORDS),
    end("answer", show_answer),
)


@cache
def positions_of(ends: tuple[str, str], name: str = "glove") -> np.ndarray:
    """Return each word's cosine with the difference of two words' vectors, (V,)."""
    vectors = shared_units(name)
    return (vectors.vectors @ axis(vectors, ends[:1], ends[1:]).direction).astype(float)


@cache
def places_of(ends: tuple[str, str], name: str = "glove") -> dict[str, float]:
    """Return the same by word."""
    return dict(zip(shared_units(name).words, positions_of(ends, name).tolist(), strict=True))


def ordered(words: Sequence[str], name: str = "glove", line: tuple[str, str] = PEOPLE) -> list[str]:
    """Return those words that a set has, the rightmost first."""
    places = places_of(line, name)
    return sorted((word for word in words if word in places), key=lambda word: -places[word])


def as_far(at: float, positions: np.ndarray) -> float:
    """Return the share of all words that are as far from their mean, or further."""
    return float((np.abs(positions - positions.mean()) >= abs(at - positions.mean())).mean())


def ends_of(rows: Sequence[dict]) -> dict:
    """Return what words may say of the rightmost and of the leftmost row."""
    first, last = rows[0], rows[-1]
    return {"first": first["word"], "last": last["word"], "highest": first["at"], "lowest": last["at"]}


def lab_of(ends: tuple[str, str], words: Sequence[str]) -> dict:
    """Return the lab's settings that place the same words between the same ends."""
    return {"left": ends[0], "right": ends[1], "placed": " ".join(words)}


# The lab: any two lists of words, any vectors, every number.


def lab() -> None:
    """Place words between two lists of words, in standard deviations from the average word."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        left_end, right_end, words = (st.container(width=width) for width in (150, 150, 300))
        unit = not LESSON.draw(RAW)
        with LESSON.options():
            name, stored = choose_vectors(LESSON)
        vectors = scale_to_unit_length(name, stored) if unit else stored
        with left_end:
            left = typed_list(LEFT, vectors, remarks, 150)
        with right_end:
            right = typed_list(RIGHT, vectors, remarks, 150)
        with words:
            placed = typed_list(PLACED, vectors, remarks, 300)
    with stage:
        line = drawn_axis(vectors, left, right, placed)
        if line is not None:
            spread = line.spread(vectors)
            placements = line.place(vectors, placed, spread)
            furthest = max(placements, key=lambda placement: abs(placement.standard)).word
            choices = sorted({furthest, *(placement.word for placement in placements[:5])})
            about = f"{name}_{left}_{right}_{placed}_{unit}"
            if LESSON.ask(WORDS.label("question"), choices, furthest, about):
                ends = line.place(vectors, [*left, *right], spread)
                LESSON.view("axis", axis_view(line, spread, placements, ends), "figure")
                say_places(line, spread, placements)
                if not unit:
                    whole = axis(scale_to_unit_length(name, stored), left, right).place(
                        scale_to_unit_length(name, stored), placed
                    )
                    say_lengths(whole, placements, vectors)
                LESSON.every_number(WORDS.label("table"), placement_table, vectors, line, placements)
    LESSON.close_lab(
        code=[axis, Axis.positions, Axis.spread, Axis.place, mean_shift],
        parameters={
            "name": "" if name == OWN else name,
            "unit": unit,
            "left": left,
            "right": right,
            "placed": placed,
        },
        prompts={
            "feelings": {"left": EXAMPLES[4], "right": EXAMPLES[5], "placed": EXAMPLES[6]},
            "sizes": {"left": EXAMPLES[7], "right": EXAMPLES[8], "placed": EXAMPLES[9]},
            "ours": {"vectors": "skipgram"},
        },
        credits=credits(name),
    )


def typed_list(setting: Text, vectors: WordVectors, remarks, width: int) -> list[str]:
    """Draw a field for a list of words and return those that have a vector."""
    return word_list(
        LESSON, setting.name, LESSON.label_of(setting.name), setting.default, vectors, remarks, width
    )


def drawn_axis(
    vectors: WordVectors, left: Sequence[str], right: Sequence[str], placed: Sequence[str]
) -> Axis | None:
    """Return the axis; None, and a sentence, where there is none or nothing to place on it."""
    try:
        line = axis(vectors, left, right)
    except (ValueError, UnknownWordError) as error:
        st.warning(plain(str(error)))
        return None
    if not placed:
        st.warning(WORDS.label("says.no_word"))
        return None
    return line


def say_places(line: Axis, spread: AxisSpread, placements: Sequence[Placement]) -> None:
    """Say which words are so far out that few others are, where zero is, and what that means on an axis of people."""
    far = [each for each in placements if each.as_far <= RARE]
    sides = [sorted((each for each in far if each.standard * side > 0), key=by_distance) for side in (-1, 1)]
    LESSON.caption(
        WORDS.markdown(
            "says.places",
            left=[each.word for each in sides[0]],
            right=[each.word for each in sides[1]],
            within=len(placements) - len(far),
        )
    )
    people = set(line.negative) | set(line.positive) <= PEOPLE_WORDS
    halfway = float(spread.standard(0.0))
    st.markdown(WORDS.markdown("says.zero", V=len(spread.positions), halfway=halfway, people=people))


def by_distance(placement: Placement) -> float:
    """Return what orders words, the furthest from the average word first."""
    return -abs(placement.standard)


def say_lengths(whole: Sequence[Placement], full: Sequence[Placement], vectors: WordVectors) -> None:
    """Say how far the words moved, how much longer some vectors are than others, and which word moved most."""
    LESSON.compare("raw", 0.0, mean_shift(whole, full), more_is_better=False)
    words = [each.word for each in full]
    lengths = dict(zip(words, vectors.subset(words).lengths, strict=True))
    longest, shortest = max(words, key=lengths.get), min(words, key=lengths.get)
    was, now = max(zip(whole, full, strict=True), key=lambda pair: abs(pair[1].standard - pair[0].standard))
    st.markdown(
        WORDS.markdown(
            "says.lengths",
            n=len(words),
            longest=longest,
            shortest=shortest,
            ratio=float(lengths[longest] / lengths[shortest]),
            moved=now.word,
            was=signed(was.standard),
            now=signed(now.standard),
        )
    )
