"""Record what every maker draws: `python -m tests.exercises.record`. Do it when a maker is new, or VERSION was raised."""

import hashlib
import json
from pathlib import Path

from core.exercises.exercise import DIFFICULTIES, VERSION, make_exercise
from core.exercises.lessons import all_makers
from core.exercises.maker import Maker

FILE = Path(__file__).with_name("drawn.json")
SEEDS = 5


def digest(maker: Maker) -> str:
    """Return a hash of a maker's first draws: answers and mistakes as shown, and the order of the options."""
    shown = []
    for difficulty in DIFFICULTIES:
        for seed in range(SEEDS):
            exercise = make_exercise(maker, difficulty, seed)
            values = (exercise.draw.answer, *exercise.draw.mistakes.values())
            cells = [value if isinstance(value, tuple) else (value,) for value in values]
            shown.append([[exercise.label(each) for each in row] for row in cells])
            shown.append(exercise.options)
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:16]


def main() -> None:
    """Write the file."""
    drawn = {f"{maker.lesson}.{maker.name}": digest(maker) for maker in all_makers()}
    FILE.write_text(json.dumps({"version": VERSION, "drawn": drawn}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
