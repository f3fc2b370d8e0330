"""The gallery: every view and every kind of figure draws its example, and a schema can be read."""

import pytest
from playwright.sync_api import expect

from core.lesson.browser_view import VIEWS
from pages.gallery import FIGURES, NAME, examples, figure_kinds, schema, views
from tests.browser.conftest import settle
from tests.browser.test_shell import violations
from tests.views.schemas import WRITE_EXAMPLE

# Of each element with one of the page's keys: what stands in it, in its own tree and in its view's.
DRAWN = """() => Object.fromEntries([...document.querySelectorAll("[class*='st-key-gallery_']")].map((box) => {
  const key = [...box.classList].find((name) => name.startsWith("st-key-")).slice("st-key-gallery_".length);
  const roots = [box, ...[...box.querySelectorAll("*")].map((each) => each.shadowRoot).filter(Boolean)];
  const parts = roots.flatMap((root) => [...root.querySelectorAll("svg *, canvas, button, a, input, p, span")]);
  const seen = parts.filter((each) => each.getBoundingClientRect().width && each.getBoundingClientRect().height);
  const pictures = roots.flatMap((root) => [...root.querySelectorAll(".picture:not([hidden], canvas)")]);
  return [key, pictures.every((each) => each.childElementCount) ? seen.length : 0];
}))"""
KEYS = [
    f"{view}_{path.name.removesuffix('example.json').strip('.')}"
    for view in views()
    for path in examples(view)
]


@pytest.fixture(scope="module")
def gallery(chromium, url):
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    page = context.new_page()
    page.errors = []
    page.on("console", lambda said: page.errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(f"{url}/{NAME}")
    settle(page, quiet=2, limit=150)
    yield page
    context.close()


pytestmark = pytest.mark.xdist_group(NAME)


def test_every_view_and_every_figure_draws_its_example_without_an_error(gallery):
    drawn = gallery.evaluate(DRAWN)
    for view in views():
        assert examples(view), WRITE_EXAMPLE.format(view=view)
    assert [key for key in KEYS if not drawn.get(key)] == []
    assert [name for name in FIGURES if not drawn.get(name.replace(".", "_"))] == []
    assert gallery.locator("[data-testid=stPlotlyChart] .js-plotly-plot").count() == len(FIGURES)
    assert [error for error in gallery.errors if "404" not in error] == []
    assert gallery.locator("[data-testid=stException]").count() == 0


def test_every_kind_of_figure_has_an_example():
    assert set(figure_kinds()) == set(FIGURES), "Write its example into FIGURES of pages/gallery_figures.py."


def test_every_view_stands_with_its_schema_s_title_and_who_uses_it(gallery):
    for view in views():
        expect(
            gallery.get_by_role("heading", name=f"{schema(view)['title']}: {view}", exact=True)
        ).to_be_visible()
    assert "No page uses it" not in gallery.locator("[data-testid=stMain]").inner_text()
    expect(gallery.get_by_role("link", name="What it is sent")).to_have_count(len(views()))


def test_axe_finds_no_violation_in_the_gallery(gallery):
    assert violations(gallery) == []


def test_the_gallery_is_in_no_menu(gallery):
    assert gallery.locator(f"[data-testid=stSidebarNavLink][href$='/{NAME}']").count() == 0


def test_a_schema_is_read_as_tables_of_its_properties(page, url):
    page.goto(f"{url}/{NAME}?schema=steps")
    expect(page.get_by_role("heading", name="What the view “steps” is sent")).to_be_visible()
    settle(page)
    kinds = [path for path in (VIEWS / "steps").glob("*.json") if not path.name.endswith("example.json")]
    expect(page.get_by_role("table")).to_have_count(len(kinds) + 1)  # and what all views share
    expect(page.get_by_role("cell", name="frames[].said", exact=True)).to_be_visible()
    assert violations(page) == []
