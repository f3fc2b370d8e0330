"""`python -m core.exercises viterbi sampling --seed 7 --variants 30 --moodle out.xml`: write a worksheet and its key."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from threadpoolctl import threadpool_limits

from core.exercises.canvas import write_canvas
from core.exercises.exercise import DIFFICULTIES
from core.exercises.gift import write_gift
from core.exercises.lessons import lessons_with_exercises, makers_of
from core.exercises.moodle import write_moodle
from core.exercises.print_page import PAPERS, print_sheet
from core.exercises.spreadsheet import write_csv
from core.exercises.worksheet import MIXED, Worksheet, choose_makers, make_worksheet

QUESTIONS, VARIANTS = 100, 500  # at most
FORMATS: dict[str, tuple[str, Callable[[Worksheet], str | bytes]]] = {
    "moodle": ("Moodle XML", write_moodle),
    "canvas": ("QTI 1.2 for Canvas, a zip", write_canvas),
    "gift": ("GIFT", write_gift),
    "csv": ("CSV", write_csv),
}


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a whole number within bounds from the command line.

    >>> whole_number(1, 500)("30")
    30
    """

    def read(written: str) -> int:
        if not (
            written.isascii() and written.isdecimal() and len(written) < 10 and least <= int(written) <= most
        ):
            raise argparse.ArgumentTypeError(f"give a whole number from {least} to {most}")
        return int(written)

    return read


def read_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m core.exercises", description=__doc__)
    parser.add_argument("lessons", nargs="+", choices=[*lessons_with_exercises()], metavar="lesson")
    parser.add_argument(
        "--number",
        type=whole_number(0, QUESTIONS),
        default=0,
        help="questions a sheet; without it each maker once",
    )
    parser.add_argument(
        "--difficulty", type=int, default=MIXED, choices=(MIXED, *DIFFICULTIES), help="0 rises from 1 to 3"
    )
    parser.add_argument("--seed", default="1", help="the same seed makes the same sheet")
    parser.add_argument(
        "--variants", type=whole_number(1, VARIANTS), default=1, help="sheets with other numbers: A, B, ..."
    )
    parser.add_argument(
        "--text", type=Path, metavar="FILE", help="a text of your own, UTF-8, for the makers that take one"
    )
    parser.add_argument("--paper", choices=PAPERS, default=PAPERS[0])
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="HTML to print")
    parser.add_argument("--key", type=Path, metavar="FILE", help="HTML to print, with what is right")
    for name, (title, _) in FORMATS.items():
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=title)
    return parser.parse_args(arguments)


def use_one_thread() -> None:
    """Let torch and numpy use one core: for small matrices more are slower."""
    threadpool_limits(1)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def main(arguments: list[str] | None = None) -> None:
    """Make the worksheet and write each file that was asked for; end with a sentence where that cannot be done."""
    asked = read_arguments(arguments)
    try:
        write_files(asked)
    except UnicodeDecodeError:
        sys.exit(f"The file {asked.text} is not a text in UTF-8. Save it as UTF-8, then try again.")
    except OSError as error:
        sys.exit(f"The file {error.filename} cannot be used: {error.strerror}.")
    except ValueError as error:
        sys.exit(str(error))


def write_files(asked: argparse.Namespace) -> None:
    """Make the worksheet and write each file that was asked for."""
    makers = choose_makers([makers_of(lesson) for lesson in asked.lessons], asked.number, asked.seed)
    use_one_thread()
    text = asked.text.read_text(encoding="utf-8") if asked.text else ""
    sheet = make_worksheet(makers, asked.difficulty, asked.seed, asked.variants, text)
    files = {getattr(asked, name): write for name, (_, write) in FORMATS.items()}
    files[asked.sheet] = lambda made: print_sheet(made, asked.paper)
    files[asked.key] = lambda made: print_sheet(made, asked.paper, key=True)
    files.pop(None, None)
    for path, write in files.items():
        content = write(sheet)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    sys.stdout.write(
        f"{len(sheet.variants)} variants of {len(makers)} questions, seed {sheet.seed}, version {sheet.version}\n"
    )


if __name__ == "__main__":
    main()
