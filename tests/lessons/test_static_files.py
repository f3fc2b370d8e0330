"""Streamlit's own files come compressed and whole, and what is not one of them is left to Streamlit."""

import gzip
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from streamlit import file_util

from core.lesson.static_files import CompressesStreamlitsFiles, base_path

SCRIPTS = Path(file_util.get_static_dir(), "static", "js")
LARGEST = max(SCRIPTS.glob("index.*.js"), key=lambda file: file.stat().st_size)
ADDRESS = f"/static/js/{LARGEST.name}"


@pytest.fixture
def browser():
    """Return a client of the middleware before an app that answers "Streamlit" to all that is passed on."""
    return TestClient(CompressesStreamlitsFiles(PlainTextResponse("Streamlit")))


def received(browser, path, encoding):
    """Return the headers and the bytes of an answer as they came over the line."""
    with browser.stream("GET", path, headers={"accept-encoding": encoding}) as answer:
        return answer.headers, b"".join(answer.iter_raw())


def test_a_script_comes_compressed_whole_and_is_kept_for_good(browser):
    headers, sent = received(browser, ADDRESS, "gzip, br")
    assert headers["content-encoding"] == "gzip"
    assert "immutable" in headers["cache-control"]
    assert headers["content-type"].startswith("text/javascript")
    assert gzip.decompress(sent) == LARGEST.read_bytes()
    assert len(sent) < LARGEST.stat().st_size / 2


def test_who_cannot_read_gzip_gets_it_as_it_stands(browser):
    headers, sent = received(browser, ADDRESS, "identity")
    assert "content-encoding" not in headers
    assert sent == LARGEST.read_bytes()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/zipf",
        "/static/js/none.js",
        "/static/media/a.woff2",
        "/static/js/../../index.html",
        "/static/js",
    ],
)
def test_what_is_not_one_of_these_files_is_passed_on(browser, path):
    assert browser.get(path).text == "Streamlit"


def test_behind_a_base_path_the_files_are_found_too(browser, monkeypatch):
    monkeypatch.setattr("core.lesson.static_files.base_path", lambda: "/attend")
    assert received(browser, f"/attend{ADDRESS}", "gzip")[0]["content-encoding"] == "gzip"
    assert browser.get(ADDRESS).text == "Streamlit"
    assert base_path() == ""
