"""What the tests of several lessons look at."""

import pytest

from core.lesson import lesson as lesson_module


@pytest.fixture
def notebook_cells(monkeypatch):
    """Return the list into which the cells of the notebook of the lesson that is opened are put."""
    cells = []
    show = lesson_module.show_below

    def keep(lesson, below):
        cells[:] = below.notebook
        show(lesson, below)

    monkeypatch.setattr(lesson_module, "show_below", keep)
    return cells
