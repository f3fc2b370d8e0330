"""Print a lesson's exercises as a learner reads them: `python -m tests.exercises.read <lesson> --seed 3`."""

import argparse

from core.exercises.exercise import DIFFICULTIES, make_exercise
from core.exercises.lessons import makers_of


def print_exercise(exercise):
    """Print one exercise: question, key, solution, and what is said to each mistake."""
    draw = exercise.draw
    print(
        f"===== {exercise.title} (difficulty {exercise.difficulty}, {draw.kind})\n{exercise.question} {exercise.form}"
    )
    print(f"--- key: {draw.answer}\n{exercise.solution}")
    for name, wrong in draw.mistakes.items():
        print(f"--- {name}: {wrong}\n{exercise.mistake_name(name)}. {exercise.feedback(name)}")


def main():
    """Print one exercise of each maker and difficulty."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lesson")
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    for maker in makers_of(asked.lesson):
        for difficulty in DIFFICULTIES:
            print_exercise(make_exercise(maker, difficulty, asked.seed))


if __name__ == "__main__":
    main()
