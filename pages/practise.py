"""The section "Practise" of a lab: one exercise at a time; what is said to a wrong answer names the mistake."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.exercises.exercise import DIFFICULTIES, SHARED, Exercise, make_exercise
from core.exercises.lessons import lessons_with_exercises, makers_of
from core.exercises.maker import CELLS, CHOICE, Value, write
from core.exercises.markup import cell_name, picture_tag
from core.exercises.reading import read_number
from core.lesson.lab import Lab
from core.words.plain import plain

CELL = 130  # pixels of a cell's width
NAME = "practise"
FIRST_TRIES = "practise_first_tries"  # {exercise: whether the first answer was right}
GIVEN, SOLVED = "practise_given", "practise_solved"


def show(lab: Lab) -> None:
    """Draw the section, closed until the learner opens it; nothing where the lesson has no exercises."""
    if lab.name in lessons_with_exercises() and (box := lab.open_fold(NAME, SHARED.label(NAME))):
        with box:
            show_exercise(lab)


def show_exercise(lab: Lab) -> None:
    """Draw one exercise: its question, fields for the answer, and what is said to the answer given."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        difficulty = lab.choose(
            "practise_difficulty",
            SHARED.label("practise.difficulty"),
            DIFFICULTIES,
            format_func=lambda level: SHARED.label(f"difficulty.{level}"),
        )
        number = asked_number(lab)
        lab.button("practise_next", SHARED.label("practise.next"), ask_next, lab, number)
        help_text = SHARED.label("practise.score.help")
        scored = lab.toggle("practise_score", SHARED.label("practise.score"), help=help_text)
    makers = makers_of(lab.name)
    exercise = make_exercise(makers[(number - 1) % len(makers)], difficulty, f"{NAME}.{number}")
    st.subheader(exercise.title, anchor=False)
    st.markdown(exercise.question)
    if exercise.draw.picture:
        st.html(picture_tag(exercise.draw.picture, exercise.alt))
    with lab.form(f"practise_form_{exercise.name}"):
        names = draw_fields(lab, exercise)
        lab.submit(
            f"practise_check_{exercise.name}", SHARED.label("practise.check"), take, lab, exercise, names
        )
    answer_learner(lab, exercise)
    if scored and (tries := lab.get_state(FIRST_TRIES)):
        st.caption(SHARED.label("practise.scored", right=sum(tries.values()), n=len(tries)))


def asked_number(lab: Lab) -> int:
    """Return which question is asked, from 1; it is in the address, so that a link asks the same."""
    linked = lab.get_query("practise_number")
    return int(linked) if linked.isdecimal() and 0 < len(linked) < 7 and int(linked) else 1


def ask_next(lab: Lab, number: int) -> None:
    """Ask the next question."""
    lab.set_query("practise_number", number + 1)
    lab.pop_state(GIVEN)


def draw_fields(lab: Lab, exercise: Exercise) -> list[str]:
    """Draw the fields of an answer and return their names: one, or one for each blank of a table."""
    name = f"practise_{exercise.name}"
    if exercise.draw.kind == CELLS:
        st.markdown(exercise.form)
        return draw_cells(lab, exercise, name)
    label = f"{SHARED.label('practise.answer')}. {exercise.form}"
    if exercise.draw.kind == CHOICE:
        lab.answer(name, label, exercise.labels, width=420)
    else:
        lab.answer(name, label, width=420, max_chars=30)
    return [name]


def draw_cells(lab: Lab, exercise: Exercise, name: str) -> list[str]:
    """Draw a row of fields for each row of the table; return the fields' names, row by row."""
    table, names = exercise.table, []
    for i, row in enumerate(table.entries):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for j, entry in enumerate(row):
                if entry is None:
                    label = plain(cell_name(table, len(names)))
                    names.append(f"{name}_{i}_{j}")
                    lab.answer(names[-1], label, width=CELL, max_chars=30)
                else:
                    st.text(f"{table.rows[i]}, {table.columns[j]}: {write(entry)}")
    return names


def take(lab: Lab, exercise: Exercise, names: Sequence[str]) -> None:
    """Take the answer that was sent."""
    typed = [lab.get_state(name) or "" for name in names]
    lab.set_state(GIVEN, (exercise.name, typed))
    lab.pop_state(SOLVED)
    values = read_values(exercise, typed)
    if any(value is not None for value in values):
        tries = dict(lab.get_state(FIRST_TRIES) or {})
        tries.setdefault(exercise.name, all(exercise_cells(exercise, values)))
        lab.set_state(FIRST_TRIES, tries)


def read_values(exercise: Exercise, typed: Sequence[str]) -> list[Value | None]:
    """Return the values of what was typed, None for what is no number or is empty."""
    draw = exercise.draw
    if draw.kind == CHOICE:
        values = dict(zip(exercise.labels, map(exercise.value_of, exercise.options), strict=True))
        return [values.get(text) for text in typed]
    right = draw.answer if draw.kind == CELLS else (draw.answer,)
    return [
        (text.strip() or None) if isinstance(value, str) else read_number(text)
        for text, value in zip(typed, right, strict=True)
    ]


def exercise_cells(exercise: Exercise, values: Sequence[Value | None]) -> list[bool]:
    """Return which of the values given are right; a number or a choice is one value."""
    if exercise.draw.kind == CELLS:
        return exercise.right_cells(values)
    return [values[0] is not None and exercise.is_right(values[0])]


def answer_learner(lab: Lab, exercise: Exercise) -> None:
    """Say what the answer given shows; then offer the solution, or show it to a right answer."""
    name, typed = lab.get_state(GIVEN) or ("", [])
    if name != exercise.name:
        return
    values = read_values(exercise, typed)
    right = exercise_cells(exercise, values)
    if all(right):
        st.success(SHARED.label("right"))
    elif not any(typed):
        st.info(SHARED.label("practise.empty"))
        return
    elif all(value is None for value in values):
        st.info(SHARED.label("practise.number"))
        return
    else:
        say_mistake(exercise, values, right)
        lab.button("practise_solution", SHARED.label("practise.solution"), lab.set_state, SOLVED, True)
    if all(right) or lab.get_state(SOLVED):
        st.markdown(exercise.solution)


def say_mistake(exercise: Exercise, values: Sequence[Value | None], right: Sequence[bool]) -> None:
    """Name the mistake behind a wrong answer, with the step; of a table also which cells are wrong."""
    draw = exercise.draw
    if draw.kind == CELLS:
        wrong = [cell_name(exercise.table, cell) for cell, good in enumerate(right) if not good]
        counted = {"right": sum(right), "n": len(right), "wrong": [f"“{each}”" for each in wrong]}
        st.markdown(SHARED.markdown("practise.cells", **counted))
    mistake = exercise.mistake_of(tuple(values) if draw.kind == CELLS else values[0])
    if mistake:
        st.info(f"**{exercise.mistake_name(mistake)}**\n\n{exercise.feedback(mistake)}")
    else:
        st.info(SHARED.label("practise.unknown"))
