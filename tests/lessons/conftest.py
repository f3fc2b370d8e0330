"""What the tests of several lessons look at."""

import pytest

from core.lesson import footer
from core.lesson import lab as lab_module


@pytest.fixture(autouse=True)
def every_tab_is_open(monkeypatch, request):
    """Show what stands in all tabs below a lesson at once, but to a test that is marked `one_tab`."""
    if "one_tab" not in request.keywords:
        monkeypatch.setattr(footer, "is_open", lambda _tab: True)


@pytest.fixture
def notebook_cells(monkeypatch):
    """Return the list into which the cells of the opened lesson's notebook are put, without its plot."""
    cells = []
    show = footer.show_footer

    def keep(lesson, shown):
        cells[:] = shown.notebook[:-1]
        show(lesson, shown)

    monkeypatch.setattr(lab_module, "show_footer", keep)
    return cells
