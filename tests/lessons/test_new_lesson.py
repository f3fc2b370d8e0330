"""`make lesson` writes a lesson that runs, is a story by every rule of stories, and passes the tests it comes with."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.lesson.new_lesson import write_lesson

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("core", "pages", "assets", "tests", ".streamlit", "pyproject.toml", "app.py")


@pytest.fixture
def copy(tmp_path):
    """A copy of the course in which a lesson may be written; what is large and unchanged is linked."""
    for part in PARTS:
        if (ROOT / part).is_file():
            shutil.copy(ROOT / part, tmp_path / part)
        elif part in ("core", "pages", "tests"):
            shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (tmp_path / part).symlink_to(ROOT / part)
    return tmp_path


def test_a_new_lesson_passes_its_tests_and_those_of_every_story_and_lesson(copy):
    files = write_lesson("word_lengths", "tokens", copy)
    assert all(file.is_file() and file.is_relative_to(copy) for file in files)
    tests = [str(file.relative_to(copy)) for file in files if file.name.startswith("test_")]
    tests += ["core/models/tokens/word_lengths.py", "tests/lessons/test_every_story.py"]
    tests += ["tests/lessons/test_every_lesson.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", "-n", "0"]
    ran = subprocess.run([*command, *tests, "-k", "word_lengths"], cwd=copy, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert "word_lengths" in (copy / "pages" / "tokens" / "__init__.py").read_text(encoding="utf-8")


def test_what_cannot_be_written_is_said_in_a_sentence(tmp_path):
    for name, subject, says in (
        ("Edit-Distance", "tokens", "lower case"),
        ("word_lengths", "cookery", "no subject"),
        ("zipf", "tokens", "there already"),
        ("three_ways", "tokens", "Choose another name"),
    ):
        with pytest.raises(ValueError, match=says):
            write_lesson(name, subject, ROOT)
