"""Panels are placed as plotly places them, their titles where plotly writes them."""

import pytest
from plotly.subplots import make_subplots

from core.figures.figure import as_part, empty_subplots, subplots


@pytest.mark.parametrize("titles", [("one", "two"), ("one", ""), ("", "two<br>lines"), ()])
@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (2, 1)])
def test_panels_and_titles_stand_where_plotly_has_them(rows, columns, titles):
    layout = make_subplots(rows, columns, subplot_titles=titles or None).to_dict()["layout"]
    del layout["template"]
    assert subplots(rows, columns, titles).layout == as_part(layout)


def test_what_is_kept_of_panels_holds_no_title():
    subplots(1, 3, ("a", "b", "c"))
    before = empty_subplots.cache_info().currsize
    subplots(1, 3, ("a word that was typed", "its number", "c"))
    assert empty_subplots.cache_info().currsize == before
