"""What the tests of several lessons look at."""

import pytest

from core.lesson import lesson as lesson_module


@pytest.fixture
def notebook_cells(monkeypatch):
    """Return the list into which the cells of the notebook of the lesson that is opened are put."""
    cells = []
    offer = lesson_module.take_away

    def keep(lesson, code, files=None):
        cells[:] = code
        offer(lesson, code, files)

    monkeypatch.setattr(lesson_module, "take_away", keep)
    return cells
