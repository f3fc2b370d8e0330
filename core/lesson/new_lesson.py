"""`make lesson name=word_lengths subject=tokens` writes a new lesson: its model, a story and a lab that run, with tests.

What it writes is meant to be rewritten: four beats over a picture of the words' lengths, every word in words.md. NEXT says
what is left to do outside of the lesson's own files.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"[a-z][a-z0-9_]*")

INIT = '''"""{title}."""

from core.figures.card import card
from core.figures.figure import Figure, bar
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="lightbulb")


def picture() -> Figure:
    """The picture of the lesson's card."""
    return card(Figure(bar(x=["a", "b", "c"], y=[1, 2, 3])))
'''

MODEL = '''"""{title}: one algorithm, with its equation in words or symbols.

Author (year), Title.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lengths:
    """How many letters each word has, and the longest word."""

    letters: dict[str, int]
    longest: str


def count_letters(sentence: str) -> Lengths:
    """Return the lengths of a sentence's words.

    >>> count_letters("a bee")
    Lengths(letters={{'a': 1, 'bee': 3}}, longest='bee')
    """
    letters = {{word: len(word) for word in sentence.split()}}
    return Lengths(letters, max(letters, key=letters.__getitem__, default=""))
'''

PAGE = '''"""{title}: what its story shows beat by beat, and its lab."""

from __future__ import annotations

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.lesson.settings import Settings, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.{subject}.{name} import count_letters
from pages.{subject}.{name} import LESSON

WORDS = LESSON.words
EXAMPLES = ("Words have different lengths",)
SENTENCE = Text("sentence", EXAMPLES[0], 200)
LAB = (SENTENCE,)


def draw_lengths(counts: dict[str, int], shown: bool = True) -> Figure:
    """Return the words' lengths as bars, or the words alone."""
    figure = blank(360, WORDS.label("axis.word"), WORDS.label("axis.letters"))
    heights = list(counts.values()) if shown else [0] * len(counts)
    return Figure(bar(x=list(counts), y=heights), layout=figure.layout)


def show_lengths(settings: Settings) -> Part:
    """The lengths of a sentence's words."""
    found = count_letters(settings.sentence)
    values = {{"longest": found.longest, "letters": found.letters[found.longest]}}
    return Part("figure", {{"figure": draw_lengths(found.letters).to_dict()}}, values)


def ask_longest(settings: Settings) -> Part:
    """The words without their lengths; the answer draws them."""
    found = count_letters(settings.sentence)
    values = {{"longest": found.longest, "letters": found.letters[found.longest]}}
    figure = {{"figure": draw_lengths(found.letters, settings.revealed).to_dict()}}
    return Part("figure", figure, values, choices=list(found.letters), answer=found.longest)


STORY = (
    look("lengths", show_lengths, sentence=EXAMPLES[0]),
    ask("longest", ask_longest, sentence="one three five"),
    do("own", show_lengths, SENTENCE, sentence="Type your own words"),
    end("answer", show_lengths, sentence="This is the answer"),
)


def lab() -> None:
    """The bench: any sentence."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        sentence = LESSON.draw(SENTENCE) or SENTENCE.default
        LESSON.options()
    found = count_letters(sentence)
    with stage:
        if LESSON.ask(WORDS.label("guess"), list(found.letters), found.longest, sentence):
            LESSON.figure("lengths", draw_lengths(found.letters), WORDS.label("alt.figure"))
    LESSON.close_lab(
        code=[count_letters],
        parameters={{"sentence": sentence}},
        prompts={{"short": {{"sentence": "a b c"}}}},
    )
'''

WORDS = """# {title}

What is the question?

names: other names, to be found by

## The first claim {{#lengths}}

Say one thing here in 40 to 70 words. The longest word has **{{{{ letters }}}} letters**. Each bar is a word. Its height
is the number of its letters.

> A note for the lecturer.

## A question {{#longest}}

Ask something whose answer is not on the screen. Say what the learner can look at to decide.

### Which word is the longest? {{#longest.question}}

Which word has the most letters?

### Its answer {{#longest.answer}}

It is “{{{{ longest }}}}”, with {{{{ letters }}}} letters. Say why that matters here, in a sentence or two.

## Your turn {{#own}}

Type a sentence of your own. What happens to the tallest bar when you add a longer word?

### Done {{#own.done}}

Your longest word is “{{{{ longest }}}}”.

## The answer {{#answer}}

**Answer the question of the title in one sentence.** Then say what follows from it in practice, for models in use.

## Sources {{#sources}}

- Author (year), Title.

## Labels

- sentence: Sentence
- guess: Which word is the longest?
- axis.word: word
- axis.letters: letters
- alt.figure: A bar for each word; its height is the number of its letters
- prompt.short: Type three short words. Are the bars equal?
"""

NOTEBOOK = """# %% [markdown]
# {title}: the numbers of the page, computed again.

# %% parameters
sentence = "Words have different lengths"

# %%
from core.models.{subject}.{name} import count_letters

found = count_letters(sentence)
print(found.longest)

# %%
from core.figures.figure import Figure, bar
from core.figures.show import draw

draw(Figure(bar(x=list(found.letters), y=list(found.letters.values()))))
"""

TEST = '''"""{title}: the story's numbers, and the lab."""

from tests.lessons.lesson_page import document, open_lesson, said_in


def test_the_longest_word_is_counted_letter_by_letter():
    assert "9 letters" in said_in(document("{name}", "lengths"))


def test_the_lab_shows_a_picture():
    app = open_lesson("{name}", sentence="a bee")
    assert not app.exception and app.get("plotly_chart")
'''


TEST_MODEL = '''"""{title}: the model against an oracle that was written by others."""

from hypothesis import given
from hypothesis import strategies as st

from core.models.{subject}.{name} import count_letters


@given(st.lists(st.text("abc", min_size=1), min_size=1))
def test_no_word_is_longer_than_the_longest(words):
    found = count_letters(" ".join(words))
    assert max(map(len, words)) == len(found.longest)
'''

NEXT = """
What is left to do outside of these files:
  pages/__init__.py       what the lesson builds on (BUILDS_ON)
  pages/paths.py          the paths of the home page that it belongs to
  assets/icons            an icon that no other lesson has: make icons names="…", then icon="…" in __init__.py
  requirements-dev.txt    the oracle of the model's test
  assets/lectures         a beat of it in a ready-made lecture, where it fits
  README.md, CHANGELOG.md the number of lessons, and a line for those who notice
Its own tests, and those of every story and lesson:
  .venv/bin/python -m pytest -q -n 0 tests/lessons tests/models tests/test_house.py tests/test_icons.py -k {name}
"""


def write_lesson(name: str, subject: str, root: Path = ROOT) -> list[Path]:
    """Write a lesson's model, its folder and its tests, name it in its subject's order, and return the files.

    Raises ValueError where the name is none, the subject does not exist, or one of the files does.
    """
    folder, order = root / "pages" / subject / name, root / "pages" / subject / "__init__.py"
    if not NAME.fullmatch(name):
        raise ValueError("A lesson's name is lower case, digits and underscores, as in word_lengths.")
    if not order.is_file():
        raise ValueError(f"There is no subject “{subject}”. Subjects are the folders of pages/.")
    if folder.exists() or folder.with_suffix(".py").exists():
        raise ValueError(f"The lesson “{name}” is there already.")
    words = {"name": name, "subject": subject, "title": name.replace("_", " ").capitalize()}
    files = {
        folder / "__init__.py": INIT,
        folder / "page.py": PAGE,
        folder / "words.md": WORDS,
        folder / "notebook.py": NOTEBOOK,
        root / "tests" / "lessons" / subject / f"test_{name}.py": TEST,
        root / "core" / "models" / subject / f"{name}.py": MODEL,
        root / "tests" / "models" / subject / f"test_{name}.py": TEST_MODEL,
    }
    if there := [str(file.relative_to(root)) for file in files if file.exists()]:
        raise ValueError(f"{there[0]} is there already. Choose another name, or move that file away first.")
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.format(**words), encoding="utf-8")
    order.write_text(name_lesson(order.read_text(encoding="utf-8"), name), encoding="utf-8")
    return [*files, order]


def name_lesson(order: str, name: str) -> str:
    """Return the source of a subject's order with one more lesson, imported and named last.

    >>> print(name_lesson("from pages.tokens import zipf\\n\\nLESSONS = (zipf,)\\n", "bytes"))
    from pages.tokens import (
        bytes,
        zipf,
    )
    <BLANKLINE>
    LESSONS = (
        zipf,
        bytes,
    )
    <BLANKLINE>
    """
    lines = order.splitlines(keepends=True)
    for node in reversed(ast.parse(order).body):
        if isinstance(node, ast.ImportFrom):
            names = sorted([*(alias.name for alias in node.names), name])
            head = f"from {node.module} import ("
        elif isinstance(node, ast.Assign) and node.targets[0].id == "LESSONS":
            names = [*(each.id for each in node.value.elts), name]
            head = "LESSONS = ("
        else:
            continue
        listed = "".join(f"    {each},\n" for each in names)
        lines[node.lineno - 1 : node.end_lineno] = [f"{head}\n{listed})\n"]
    return "".join(lines)


if __name__ == "__main__":
    try:
        written = write_lesson(*sys.argv[1:3])
    except (TypeError, ValueError) as error:
        sys.exit(f"{error}\nUse: make lesson name=word_lengths subject=tokens")
    sys.stdout.write("".join(f"{file.relative_to(ROOT)}\n" for file in written))
    sys.stdout.write(NEXT.format(name=sys.argv[1]))
