"""What the stored translators translate, as the labs of two lessons offer it: a task, and an attention score."""

from __future__ import annotations

from core.lesson.choices.translator_choice import DATES, DUTCH, FRENCH, SCORES, TASKS, Task
from core.lesson.lesson import Lesson
from core.lesson.settings import Choice, Text

LABELS = {"french": FRENCH, "dutch": DUTCH, "dates": DATES}
TASK = Choice("task", "french", tuple(LABELS), {label: each for each, label in LABELS.items()})
SCORE = Choice("score", SCORES[0], SCORES)
TEXTS = tuple(Text(f"text_{task.language or 'date'}", task.example) for task in TASKS.values())
LAB = (TASK, SCORE, *TEXTS)  # what a link to the lab may set of them


def choose_translator(lesson: Lesson) -> tuple[Task, str]:
    """Draw the choice of a task, and of an attention score where there are several; return the task and the model."""
    task = TASKS[LABELS[lesson.draw(TASK)]]
    score = lesson.draw(SCORE) if SCORES[-1] in task.models else SCORES[0]
    return task, task.models[score]
