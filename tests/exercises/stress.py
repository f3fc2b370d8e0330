"""Draw every maker many times and check all of it; `python -m tests.exercises.stress [lesson ...]` prints a table.

The table has of each maker and difficulty: draws a question, milliseconds, the range of the answers, how many differ,
the share of the most frequent answer, and how often the right answer is the smallest and the largest of its options.
"""

import argparse
import math
import re
from collections import Counter
from time import perf_counter

from core.exercises.__main__ import use_one_thread
from core.exercises.exercise import DIFFICULTIES, make_exercise
from core.exercises.lessons import lessons_with_exercises, makers_of
from core.words.markdown import render_html

FEW, MANY, READ = (
    60,
    1000,
    5,
)  # draws a maker and difficulty; of so many the formulas are read, which takes long
LONG_NUMBER = re.compile(r"\d\.\d{8,}")
LEAKED = re.compile(r"\{\{|\{%|\bNone\b|\bnan\b|\binf\b|np\.|array\(|tensor\(|<core\.")
FEEDBACK_AT_MOST = 75  # words
SAME_AT_MOST = 0.75  # of the draws may have one and the same answer
DIFFERENT_AT_LEAST = 15  # questions among FEW draws
DEVIATIONS = 5  # of a binomial count from its mean


def numbers_of(answer):
    """Return the numbers of an answer."""
    values = answer if isinstance(answer, tuple) else (answer,)
    return [each for each in values if not isinstance(each, str)]


def texts_of(exercise):
    """Return all texts of an exercise."""
    spoken = [f(name) for name in exercise.draw.mistakes for f in (exercise.mistake_name, exercise.feedback)]
    labels = (
        [exercise.label(exercise.value_of(each)) for each in exercise.options]
        if exercise.draw.kind != "cells"
        else []
    )
    return [
        exercise.title,
        exercise.question,
        exercise.form,
        exercise.solution,
        exercise.alt,
        *spoken,
        *labels,
    ]


def faults_of(exercise):
    """Yield what is wrong with one exercise, as sentences."""
    draw = exercise.draw
    if not 2 <= len(draw.mistakes) <= 4:
        yield f"it has {len(draw.mistakes)} mistakes: two to four are asked for"
    for name, value in {"answer": draw.answer, **draw.mistakes}.items():
        if not all(math.isfinite(each) for each in numbers_of(value)):
            yield f"{name} is not finite: {value}"
        if isinstance(value, tuple) != isinstance(draw.answer, tuple):
            yield f"{name} is of another kind than the answer"
    if draw.kind == "cells" and len(draw.answer) != len(draw.table.blanks):
        yield f"{len(draw.answer)} answers for {len(draw.table.blanks)} blanks"
    if draw.picture and not draw.picture.lstrip().startswith("<svg"):
        yield "its picture is not SVG"
    for text in texts_of(exercise):
        if found := LONG_NUMBER.search(text) or LEAKED.search(text):
            yield f"a text shows {found[0]!r}: {text[:200]!r}"
        if "$" in text and int(exercise.seed) < READ and "$" in render_html(text):
            yield f"a formula between dollar signs is not read as one: {text[:200]!r}"
    for name in draw.mistakes:
        if len(exercise.feedback(name).split()) > FEEDBACK_AT_MOST:
            yield f"the feedback on {name} is longer than {FEEDBACK_AT_MOST} words"
        if exercise.is_right(draw.mistakes[name]):
            yield f"the mistake {name} counts as right"
        if exercise.mistake_of(draw.mistakes[name]) != name:
            yield f"the mistake {name} is taken for {exercise.mistake_of(draw.mistakes[name])}"
    if not exercise.is_right(rounded(draw.answer, draw.digits)):
        yield "the rounded answer does not count as right"
    labels = (
        [str(exercise.label(each)) for each in (draw.answer, *draw.mistakes.values())]
        if draw.kind != "cells"
        else []
    )
    if len(set(labels)) < len(labels):
        yield f"two options look the same: {labels}"


def rounded(answer, digits):
    """Return an answer as a learner would write it."""
    if isinstance(answer, tuple):
        return tuple(rounded(each, digits) for each in answer)
    return round(answer, digits) if isinstance(answer, float) else answer


def check_maker(maker, draws=FEW):
    """Return a line of the table for each difficulty; raise AssertionError, which names the maker, at a fault."""
    lines, places = [], Counter()
    name, options = f"{maker.lesson}.{maker.name}", 0
    for difficulty in DIFFICULTIES:
        begun = perf_counter()
        made = [make_exercise(maker, difficulty, seed) for seed in range(draws)]
        seconds = perf_counter() - begun
        for exercise in made:
            for fault in faults_of(exercise):
                raise AssertionError(f"{exercise.name}: {fault}.")
        assert len({frozenset(each.draw.mistakes) for each in made}) == 1, f"{name}: its mistakes change"
        different = len({each.question + each.draw.picture for each in made})
        assert different >= DIFFERENT_AT_LEAST, f"{name}, difficulty {difficulty}: only {different} questions"
        [(_, most)] = Counter(str(each.draw.answer) for each in made).most_common(1)
        assert most <= SAME_AT_MOST * draws, (
            f"{name}, difficulty {difficulty}: {most} of {draws} answers are the same"
        )
        places.update(each.options.index("answer") for each in made)
        options = len(made[0].options)
        lines.append(
            (name, difficulty, *described(made, seconds), different, f"{most / draws:.0%}", *ranks(made))
        )
    check_places(name, places, options)
    check_words(maker, made[0])
    return lines


def check_places(name, places, options):
    """Raise AssertionError when the right answer is at one place more or less often than chance allows."""
    n, p = sum(places.values()), 1 / options
    allowed = DEVIATIONS * math.sqrt(n * p * (1 - p))
    for place in range(options):
        assert abs(places[place] - n * p) <= allowed, (
            f"{name}: the answer is {places[place]} of {n} times at {place}"
        )


def check_words(maker, exercise):
    """Raise AssertionError when words.md has texts of the maker that nothing shows."""
    known = {
        exercise.key(),
        exercise.key("solution"),
        exercise.key("alt"),
        *map(exercise.key, exercise.draw.mistakes),
    }
    texts = {key for key in maker.words.texts if f"{key}.".startswith(f"{exercise.key()}.")}
    labels = tuple(f"{exercise.key(kind)}." for kind in ("choice", "row", "column"))
    unused = {key for key in texts - known if not key.startswith(labels)}
    assert not unused, f"{maker.lesson}: nothing shows {sorted(unused)}"


def described(made, seconds):
    """Return draws a question, milliseconds a question, and the range of the answers."""
    values = [each for exercise in made for each in numbers_of(exercise.draw.answer)]
    span = f"{min(values):.6g} to {max(values):.6g}" if values else made[0].draw.kind
    tries = sum(each.attempts for each in made) / len(made)
    return f"{tries:.1f}", f"{1000 * seconds / len(made):.2f}", span


def ranks(made):
    """Return how often the right number is the smallest, and the largest, of its options."""
    if made[0].draw.kind != "number":
        return "", ""
    least = sum(each.draw.answer < min(each.draw.mistakes.values()) for each in made)
    most = sum(each.draw.answer > max(each.draw.mistakes.values()) for each in made)
    return f"{least / len(made):.0%}", f"{most / len(made):.0%}"


def main():
    """Print the table of the lessons named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lessons", nargs="*")
    parser.add_argument("--draws", type=int, default=FEW)
    asked = parser.parse_args()
    heading = ("maker", "level", "tries", "ms", "answers", "differ", "mode", "least", "most")
    form = "{:<44} {:>5} {:>6} {:>7} {:>28} {:>7} {:>5} {:>6} {:>5}"
    print(form.format(*heading))
    for lesson in asked.lessons or lessons_with_exercises():
        for maker in makers_of(lesson):
            use_one_thread()
            try:
                for line in check_maker(maker, asked.draws):
                    print(form.format(*map(str, line)))
            except (AssertionError, ValueError) as fault:
                print(f"FAULT  {fault}")


if __name__ == "__main__":
    main()
