"""The rules that keep the house, which no linter knows: CONTRIBUTING.md has them in words."""

import ast
import os
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from pages import LESSONS, SUBJECTS
from pages.home import subject_title

ROOT = Path(__file__).resolve().parents[1]
BLOCKS_AT_MOST = 47
WIDGETS = (
    "slider select_slider selectbox segmented_control pills number_input text_input text_area toggle checkbox "
    "multiselect radio button data_editor file_uploader download_button plotly_chart"
).split()
PAGES = sorted((ROOT / "pages").glob("*/*.py")) + sorted((ROOT / "pages").glob("*/*/*.py"))


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


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject_title(subject))
def test_a_part_is_used_by_two_lessons_of_its_subject(subject):
    folder = Path(subject.__file__).parent
    shared = [path for path in (folder / "shared").glob("*.py") if path.stem != "__init__"]
    pages = {path: path.stem for path in folder.glob("*.py") if path.stem != "__init__"}
    pages |= {path: path.parent.name for path in folder.glob("*/*.py") if path.parent.name != "shared"}
    imported = {path: modules_imported(path) for path in (*pages, *shared)}
    for part in shared:
        module = f"pages.{folder.name}.{part.parent.name}.{part.stem}"
        users = {lesson for path, lesson in pages.items() if module in imported[path]}
        users |= {other for other in shared if module in imported[other]}
        assert len(users) >= 2, f"{part.name} is used by {len(users)}: it belongs into that lesson"


def test_core_lesson_keeps_only_general_blocks():
    assert len(list((ROOT / "core" / "lesson").rglob("*.py"))) <= BLOCKS_AT_MOST


def imported_at_run_time(path):
    """Return the modules that a file imports, and what it imports from them, without those under TYPE_CHECKING."""
    found, waiting = set(), [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{named(path)} imports by a relative name"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif not (isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")):
            waiting += ast.iter_child_nodes(node)
    return found


def test_core_lesson_has_no_cycle_of_imports():
    """Imports inside functions count too; those under TYPE_CHECKING do not."""
    modules = {
        named(path).removesuffix(".py").replace("/", "."): path
        for path in (ROOT / "core" / "lesson").rglob("*.py")
        if path.stem != "__init__"
    }
    graph = {name: imported_at_run_time(path) & set(modules) for name, path in modules.items()}
    assert any(graph.values())
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the cycle


def test_every_lesson_shows_the_code_of_a_model():
    """What computes a number on screen is in core/models, so its code can be shown."""
    for lesson in LESSONS:
        modules = modules_imported(ROOT / lesson.module.replace(".", "/") / "page.py")
        assert any(module.startswith("core.models") for module in modules), lesson.name


@pytest.mark.xdist_group("a group")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="tests run in one process")
def test_tests_of_a_group_go_to_one_process(request):
    """With pytest 9.2 xdist dropped groups in silence, and every lesson was opened again for every test."""
    assert request.node.nodeid.endswith("@a group")
