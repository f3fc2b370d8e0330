"""The makers of every lesson, found by the files questions.py in the lessons' folders."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from core.exercises.maker import Maker

PAGES = Path(__file__).resolve().parents[2] / "pages"
FILE = "questions.py"


@cache
def lessons_with_exercises() -> dict[str, str]:
    """Return the module of each lesson's questions by the lesson's name, in the order of the folders."""
    files = sorted(PAGES.glob(f"*/*/{FILE}"))
    return {
        file.parent.name: ".".join(("pages", *file.relative_to(PAGES).with_suffix("").parts))
        for file in files
    }


def makers_of(lesson: str) -> tuple[Maker, ...]:
    """Return the makers of a lesson, none where it has no questions."""
    module = lessons_with_exercises().get(lesson)
    return import_module(module).MAKERS if module else ()


def all_makers() -> list[Maker]:
    """Return the makers of all lessons."""
    return [maker for lesson in lessons_with_exercises() for maker in makers_of(lesson)]
