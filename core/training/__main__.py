"""`python -m core.training <model>`: train one model and store it in assets/models."""

from __future__ import annotations

import argparse
import json
import sys

from core.training.recipe import recipe_names, run


def show(share: float, message: str) -> None:
    """Draw a progress bar on one line of the terminal; on a log file, write a line each time."""
    bar = "#" * int(30 * share)
    end = "" if sys.stdout.isatty() else "\n"
    print(f"\r[{bar:<30}] {100 * share:5.1f}%  {message:<70}", end=end, flush=True)


def main() -> None:
    """Read the command line, run the recipe, print the card."""
    parser = argparse.ArgumentParser(prog="python -m core.training", description=__doc__)
    parser.add_argument("model", choices=recipe_names())
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    card = run(arguments.model, arguments.seed, show)
    print("\n" + json.dumps(card.__dict__, ensure_ascii=False, indent=1)[:4000])


if __name__ == "__main__":
    main()
