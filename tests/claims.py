"""Print what the course claims: each break-it, whole and broken, and each sentence that states a direction.

Read off the pages themselves, on three texts: the one a lesson opens on, a play, and a short pasted one.

    python -m tests.claims                 every lesson (minutes)
    python -m tests.claims viterbi zipf    these
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from pages import LESSONS
from tests.lessons.lesson_page import CLOSING, open_lesson
from tests.lessons.n_grams.three_texts import THREE

WHOLE, BROKEN = ", whole", ", broken"
NUMBER = re.compile(r"[+−]?(?:\d+(?:,\d{3})*(?:\.\d+)?(?:·10[⁻⁰¹²³⁴-⁹]+)?|∞)%?")
QUOTED = re.compile(r"“[^”]*”|:\w+(?:-\w+)?\[[^\]]*\]")
NO_CLAIM = re.compile(
    r"\$:|^- |\(\d{4}\)|\bat (?:most|least) \d|\bmost frequent\b"
)  # letters, sources, sizes
DIRECTION = re.compile(
    r"\b(more|less|fewer|better|worse|higher|lower|longer|shorter|larger|smaller|greater|likelier|likeliest|rarer|"
    r"sooner|later|nearer|nearest|farther|further|farthest|furthest|most|least|fewest|best|worst|grows?|falls?|rises?|"
    r"rose|fell|costs?|saves?|loses?|shrinks?|heaviest|largest|smallest|longest|shortest|surer|as unsure)\b"
)
# A page says with one of these that a break takes nothing here: now, on this text, or at this step.
NOTHING = re.compile(
    r"\b(nothing|not one|no change|neither|as (it|they) (is|was|were|are)|the same|train first)\b", re.I
)


@dataclass(frozen=True)
class Break:
    """What a page says of one switch: its measures whole and broken, the sentences it adds, and its two pictures."""

    switch: str
    measures: dict[str, tuple[str, str]]
    added: list[str]
    pictures: tuple[str, str]

    @property
    def picture_changed(self) -> bool:
        """Return whether the picture beside the switch is another one when the switch is on."""
        return self.pictures[0] != self.pictures[1]

    @property
    def says_nothing_changes(self) -> bool:
        """Return whether a sentence that only the broken page has says that here the break takes nothing."""
        return any(NOTHING.search(sentence) for sentence in self.added)


def breaks(app) -> Iterator[Break]:
    """Yield what an open page's break-its do, each alone; the page is whole again after each."""
    for key in [toggle.key for toggle in app.toggle if toggle.label.startswith("Break it")]:
        sentences_whole, picture_whole = set(sentences(app)), picture_beside(app, key)
        measures_whole = set(measures(app))
        app.toggle(key=key).set_value(True).run(timeout=300)
        assert not app.exception, app.exception[0].message
        yield Break(
            app.toggle(key=key).label.removeprefix("Break it: "),
            # A page may show a measure all the time: then that is the switch's.
            {each: pair for each, pair in measures(app).items() if each not in measures_whole}
            or measures(app),
            [each for each in sentences(app) if each not in sentences_whole],
            (picture_whole, picture_beside(app, key)),
        )
        app.toggle(key=key).set_value(False).run(timeout=300)


def measures(app) -> dict[str, tuple[str, str]]:
    """Return each measure that stands on a page whole and broken."""
    shown = {metric.label: metric.value for metric in app.metric}
    names = [label.removesuffix(WHOLE) for label in shown if label.endswith(WHOLE)]
    return {name: (shown[name + WHOLE], shown[name + BROKEN]) for name in names}


def picture_beside(app, key: str) -> str:
    """Return the data of the first figure or view that follows a switch on the page: the one it stands beside."""
    passed = False
    for each in app.main:
        passed = passed or getattr(each, "key", None) == key
        if passed and each.type == "plotly_chart":
            return each.proto.spec
        if passed and each.type == "bidi_component" and not each.proto.component_name.endswith(CLOSING):
            return each.proto.json
    return ""


def sentences(app) -> list[str]:
    """Return the sentences on a page, without the marks of Markdown."""
    shown = (*app.text, *app.caption, *app.info, *app.warning, *app.markdown)
    found = [re.sub(r"[*\\]", "", each.value).replace("\n", " ") for each in shown]
    return [
        part.strip() for each in found for part in re.split(r"(?<=[.!?])\s+(?=[A-Z“])", each) if part.strip()
    ]


def directions(said: list[str]) -> dict[str, str]:
    """Return the sentences with a number that state a direction, {the sentence without its numbers: its numbers}."""
    unquoted = [QUOTED.sub("“…”", each) for each in said if not NO_CLAIM.search(each)]
    stated = [each for each in unquoted if DIRECTION.search(each) and NUMBER.search(each)]
    return {NUMBER.sub("#", each): ", ".join(NUMBER.findall(each)) for each in stated}


def row(*cells: object) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |\n"


def break_rows(lesson: str, on_texts: dict[str, list[Break]]) -> Iterator[str]:
    """Yield a row for each measure of each break-it of a lesson."""
    for together in zip(*on_texts.values(), strict=True):
        for name in dict.fromkeys(name for each in together for name in each.measures) or [None]:
            cells = []
            for each in together:
                pair = each.measures.get(name)
                said = (
                    " → ".join(pair) if pair else "; ".join(s for s in each.added if NOTHING.search(s)) or "—"
                )
                cells += [said, what_the_picture_does(each)]
            yield row(lesson, together[0].switch, name or "—", *cells)


def what_the_picture_does(each: Break) -> str:
    """Return what the switch does to the picture beside it, and whether the page says so when that is nothing."""
    if not any(each.pictures):
        return "none is drawn"
    if each.picture_changed:
        return "changed"
    return "same, and the page says so" if each.says_nothing_changes else "SAME, AND THE PAGE IS SILENT"


def direction_rows(lesson: str, where: str, on_texts: dict[str, list[str]]) -> Iterator[str]:
    """Yield a row for each sentence that states a direction, with its numbers on each text."""
    found = {name: directions(said) for name, said in on_texts.items()}
    for claim in dict.fromkeys(claim for stated in found.values() for claim in stated):
        yield row(lesson, where, claim, *(stated.get(claim, "not said") for stated in found.values()))


def main() -> None:
    """Print both tables for the lessons named, all when none is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lessons", nargs="*", metavar="lesson", help="all when none is named")
    wanted = parser.parse_args().lessons
    if unknown := set(wanted) - {lesson.name for lesson in LESSONS}:
        parser.error(f"There is no lesson {', '.join(sorted(unknown))}.")
    logging.disable(logging.WARNING)  # Streamlit's, of running without a server
    broken, stated = [], []
    for lesson in LESSONS:
        if wanted and lesson.name not in wanted:
            continue
        apps = {name: open_lesson(lesson.name, text, timeout=300) for name, text in THREE.items()}
        stated += direction_rows(lesson.name, "whole", {name: sentences(app) for name, app in apps.items()})
        found = {name: list(breaks(app)) for name, app in apps.items()}
        broken += break_rows(lesson.name, found)
        for place, each in enumerate(found["default"]):
            added = {name: on_text[place].added for name, on_text in found.items()}
            stated += direction_rows(lesson.name, each.switch, added)
        sys.stderr.write(f"{lesson.name}\n")
    pairs = [cell for name in THREE for cell in (f"{name}: whole → broken", "its picture")]
    for title, head, rows in (
        ("Break it", ("lesson", "switch", "measure", *pairs), broken),
        (
            "Sentences that state a direction, and their numbers",
            ("lesson", "page", "claim (# a number)", *THREE),
            stated,
        ),
    ):
        sys.stdout.write(f"## {title}\n\n{row(*head)}{row(*['---'] * len(head))}{''.join(rows)}\n")


if __name__ == "__main__":
    main()
