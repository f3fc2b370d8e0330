"""A worksheet printed by Chromium: every question, table and lattice is on paper of the size asked for, with its seed."""

import io
from unicodedata import normalize

import pytest
from pypdf import PdfReader

from core.exercises.lessons import makers_of
from core.exercises.print_page import print_sheet
from core.exercises.worksheet import MIXED, choose_makers, make_worksheet

LESSONS = ("viterbi", "ngram_probability", "attention_scaling")
POINTS = {"A4": (595, 842), "Letter": (612, 792)}


def spaced(text):
    """Return a text without ligatures, and with one space wherever there is room."""
    return " ".join(normalize("NFKC", text).split())


def printed(chromium, html):
    """Return the pages of an HTML text as Chromium prints them."""
    page = chromium.new_page()
    page.set_content(html)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    page.close()
    return PdfReader(io.BytesIO(pdf))


@pytest.mark.parametrize("paper", POINTS)
@pytest.mark.parametrize("key", [False, True])
def test_a_printed_sheet_is_complete_and_light(chromium, paper, key):
    makers = choose_makers([makers_of(lesson) for lesson in LESSONS], 0, 7)
    sheet = make_worksheet(makers, MIXED, 7, 2)
    html = print_sheet(sheet, paper, key)
    assert (
        len(html) < 200_000
        and "<script" not in html
        and "http://" not in html.replace("http://www.w3.org", "")
    )
    pdf = printed(chromium, html)
    assert tuple(round(float(each)) for each in pdf.pages[0].mediabox[2:]) == POINTS[paper]
    pages = [spaced(page.extract_text()) for page in pdf.pages]
    text = " ".join(pages)
    for variant in sheet.variants:
        for number, exercise in enumerate(variant.exercises, 1):
            assert f"{number}. {exercise.title}" in text
            if key and exercise.draw.kind != "cells":
                assert exercise.label(exercise.draw.answer) in text
    assert text.count("Seed 7 · version 1") >= 2 * len(sheet.variants)
    assert "Variant A" in text and "Variant B" in text
    begins = [page for page in pages if "· Variant B Seed" in page]
    assert len(begins) == 1 and "Variant A" not in begins[0]
