"""The rules that keep the house, which no linter knows: CONTRIBUTING.md has them in words."""

import ast
import re
from pathlib import Path

import pytest

from pages import LESSONS, SUBJECTS

ROOT = Path(__file__).resolve().parents[1]
LINES_AT_MOST, BLOCKS_AT_MOST = 350, 35
WIDGETS = (
    "slider select_slider selectbox segmented_control pills number_input text_input text_area toggle checkbox "
    "multiselect radio button data_editor file_uploader download_button plotly_chart"
).split()
PAGES = sorted((ROOT / "pages").glob("*/*.py")) + sorted((ROOT / "pages").glob("*/parts/*.py"))


def named(path):
    return str(path.relative_to(ROOT))


def modules_imported(path):
    """Return the modules that a file imports names from, or imports as a whole."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named_from = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    return named_from | {name.rpartition(".")[0] for name in named_from}


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_a_page_writes_no_key_no_binding_and_draws_no_control_by_itself(path):
    code = path.read_text(encoding="utf-8")
    assert 'bind="query-params"' not in code
    assert not re.search(r"\{(LESSON|lesson)\}_", code), "the lesson makes its keys itself"
    assert not re.findall(rf"\bst\.({'|'.join(WIDGETS)})\(", code)


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_no_page_stops_before_its_end(path):
    assert "st.stop()" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.TITLE)
def test_a_part_is_used_by_two_lessons_of_its_subject(subject):
    folder = Path(subject.__file__).parent
    lessons = [path for path in folder.glob("*.py") if path.stem != "__init__"]
    parts = {
        path: modules_imported(path) for path in (folder / "parts").glob("*.py") if path.stem != "__init__"
    }
    for part in parts:
        module = f"pages.{folder.name}.parts.{part.stem}"
        users = {lesson for lesson in lessons if module in modules_imported(lesson)}
        users |= {other for other, imported in parts.items() if module in imported}
        assert len(users) >= 2, f"{part.name} is used by {len(users)}: it belongs into that file"


def test_no_file_is_over_350_lines():
    tracked = [*ROOT.glob("*.py"), *(ROOT / "assets" / "views").rglob("*.*")]
    for folder in ("core", "pages", "tests"):
        tracked += [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.js")]
    long = {
        named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in tracked if path.is_file()
    }
    assert {name: lines for name, lines in long.items() if lines > LINES_AT_MOST} == {}


def test_core_lesson_keeps_only_general_blocks():
    assert len(list((ROOT / "core" / "lesson").rglob("*.py"))) <= BLOCKS_AT_MOST


def test_every_lesson_shows_the_code_of_a_model():
    """What computes a number on screen is in core/models, so its code can be shown."""
    for lesson in LESSONS:
        path = ROOT / (lesson.module.replace(".", "/") + ".py")
        assert any(module.startswith("core.models") for module in modules_imported(path)), lesson.name
