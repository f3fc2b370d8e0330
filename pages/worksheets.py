"""Worksheets: choose lessons, print a sheet and its key, or take it to a learning platform."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

import pages
from core.exercises.canvas import write_canvas
from core.exercises.exercise import DIFFICULTIES, SHARED, Exercise
from core.exercises.gift import write_gift
from core.exercises.lessons import lessons_with_exercises, makers_of
from core.exercises.maker import CELLS, CHOICE
from core.exercises.markup import lattice_alt, lattice_svg, picture_tag
from core.exercises.moodle import write_moodle
from core.exercises.print_page import PAPERS, print_sheet
from core.exercises.spreadsheet import write_csv
from core.exercises.worksheet import MIXED, Worksheet, choose_makers, make_worksheet
from core.lesson.settings import Slider
from core.words.plain import plain

NAME = "worksheets"
QUESTIONS, VARIANTS, SEED_LONGEST, LONGEST = 30, 60, 20, 50_000
FIRST = ("viterbi",)
UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
FILES: dict[str, tuple[str, str, Callable[[Worksheet], str | bytes]]] = {
    "moodle": ("xml", "application/xml", write_moodle),
    "canvas": ("zip", "application/zip", write_canvas),
    "gift": ("gift.txt", "text/plain", write_gift),
    "csv": ("csv", "text/csv", write_csv),
}


def title() -> str:
    """Return the title of the page."""
    return SHARED.label("worksheets")


def page() -> None:
    """Draw the choices, the files to take away, and the first variant."""
    st.title(title(), anchor=False)
    st.markdown(SHARED.markdown("worksheets.about"))
    lessons = choose_lessons()
    if not lessons:
        st.info(SHARED.label("worksheets.choose"))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = whole("number", 1, QUESTIONS, min(6, 3 * len(lessons)))
        levels = (MIXED, *DIFFICULTIES)
        difficulty = pick("difficulty", levels, lambda level: SHARED.label(f"difficulty.{level}"))
        seed = choose_seed()
        variants = whole("variants", 1, VARIANTS, 1)
        paper = pick("paper", PAPERS, str)
    makers = choose_makers([makers_of(lesson) for lesson in lessons], number, seed)

    text = own_text() if any(maker.on_text for maker in makers) else ""

    def made(write: Callable[[Worksheet], str | bytes], count: int = variants) -> Callable[[], str | bytes]:
        """Return what makes a file when it is asked for."""
        return lambda: write(make_worksheet(makers, difficulty, seed, count, text))

    try:
        first = make_worksheet(makers, difficulty, seed, 1, text).variants[0]
    except ValueError:
        st.info(SHARED.label("worksheets.unclear"))
        return
    offer_print(made, seed, paper)
    offer_files(made, seed)
    preview(first.exercises)


def key(name: str) -> str:
    """Return a control's name in the session and in the address."""
    return f"{NAME}_{name}"


def keep(name: str, value: object, ordinary: object) -> None:
    """Write a value into the address, so that a link makes the same sheet; nothing where it is the ordinary one."""
    if value == ordinary:
        st.query_params.pop(key(name), None)
    elif st.query_params.get(key(name)) != str(value):
        st.query_params[key(name)] = str(value)


def choose_lessons() -> list[str]:
    """Draw the list of lessons that have exercises, in the order of the course; return the names of those chosen."""
    titles = {each.name: each.title for each in pages.LESSONS if each.name in lessons_with_exercises()}
    linked = [each for each in st.query_params.get(key("lessons"), "").split(",") if each in titles]
    first = linked or [each for each in FIRST if each in titles]
    chosen = st.multiselect(
        SHARED.label("worksheets.lessons"), titles, first, format_func=titles.get, key=key("lessons_chosen")
    )
    keep("lessons", ",".join(chosen), ",".join(FIRST))
    return chosen


def whole(name: str, least: int, most: int, ordinary: int) -> int:
    """Draw a field for a whole number and return it."""
    first = Slider(name, ordinary, least, most).read(st.query_params.get(key(name)), {})
    help_text = SHARED.label(f"worksheets.{name}.help") if SHARED.has(f"worksheets.{name}.help") else None
    label = SHARED.label(f"worksheets.{name}")
    value = st.number_input(label, least, most, first, key=key(f"{name}_chosen"), help=help_text, width=150)
    keep(name, int(value), ordinary)
    return int(value)


def pick(name: str, options: tuple, label_of: Callable) -> object:
    """Draw a row of choices and return the chosen one."""
    written = {str(each): each for each in options}
    first = written.get(st.query_params.get(key(name), ""), options[0])
    label = SHARED.label(f"worksheets.{name}")
    chosen = st.segmented_control(
        label, options, default=first, format_func=label_of, key=key(f"{name}_chosen"), required=True
    )
    keep(name, chosen, options[0])
    return chosen


def choose_seed() -> str:
    """Draw the field for the seed and return it, letters and digits only."""
    linked = UNSAFE.sub("", st.query_params.get(key("seed"), ""))[:SEED_LONGEST]
    typed = st.text_input(
        SHARED.label("worksheets.seed"),
        linked or "1",
        key=key("seed_chosen"),
        max_chars=SEED_LONGEST,
        help=SHARED.label("worksheets.seed.help"),
        width=150,
    )
    seed = UNSAFE.sub("", typed) or "1"
    keep("seed", seed, "1")
    return seed


def own_text() -> str:
    """Draw the field for a text of one's own and return it; it is not in the address."""
    return st.text_area(
        SHARED.label("worksheets.text"),
        key=key("text"),
        max_chars=LONGEST,
        help=SHARED.label("worksheets.text.help"),
        height=80,
    ).strip()


def offer_print(made: Callable, seed: str, paper: str) -> None:
    """Draw the buttons for the sheet and its key as pages to print."""
    st.header(SHARED.label("worksheets.print"), anchor=False)
    st.markdown(SHARED.markdown("worksheets.print.about"))
    with st.container(horizontal=True):
        for name, is_key in (("sheet", False), ("key", True)):
            file = made(lambda sheet, is_key=is_key: print_sheet(sheet, paper, is_key))
            offer(name, f"worksheet_{seed}_{name}.html", "text/html", file)


def offer_files(made: Callable, seed: str) -> None:
    """Draw the buttons for the files of learning platforms."""
    st.header(SHARED.label("worksheets.platform"), anchor=False)
    st.markdown(SHARED.markdown("worksheets.platform.about"))
    with st.container(horizontal=True):
        for name, (ending, mime, write) in FILES.items():
            offer(name, f"worksheet_{seed}.{ending}", mime, made(write))


def offer(name: str, file: str, mime: str, content: Callable) -> None:
    """Draw a button that downloads a file; it is made when the button is pressed."""
    label = SHARED.label(f"worksheets.{name}")
    st.download_button(label, content, file, mime, key=key(f"file_{name}"), on_click="ignore")


def preview(exercises: tuple[Exercise, ...]) -> None:
    """Draw the first variant as it will be printed."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header(SHARED.label("worksheets.preview"), anchor=False)
        solved = st.toggle(SHARED.label("worksheets.solved"), key=key("solved"))
    for number, exercise in enumerate(exercises, 1):
        with st.container(border=True):
            st.subheader(f"{number}. {exercise.title}", anchor=False)
            st.markdown(exercise.question)
            if exercise.draw.picture:
                st.html(picture_tag(exercise.draw.picture, exercise.alt))
            st.markdown(exercise.form)
            draw_answer(exercise, solved)


def draw_answer(exercise: Exercise, solved: bool) -> None:
    """Draw the room for an answer: options, an empty table or lattice; or, once it is to be shown, the key."""
    draw = exercise.draw
    if solved:
        shown = "" if draw.kind == CELLS else f"**{plain(exercise.label(draw.answer))}**\n\n"
        st.markdown(f"{shown}{exercise.solution}")
    elif draw.kind == CHOICE:
        st.markdown("\n".join(f"- {plain(label)}" for label in exercise.labels))
    elif draw.kind == CELLS and exercise.table.is_lattice:
        st.html(picture_tag(lattice_svg(exercise.table, lambda cell: ""), lattice_alt(exercise.table)))
    elif draw.kind == CELLS:
        st.markdown(exercise.table.markdown)
