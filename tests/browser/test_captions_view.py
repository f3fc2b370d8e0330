"""The view "captions" by itself in Chromium: its words are stepped, its squares and bars are core's numbers."""

import numpy as np
import pytest

from core.figures.images.captions import Column, caption_columns
from core.figures.images.patches import PatchBoard
from core.models.images.held_out_scenes import KINDS, held_out_scene
from core.models.images.stored_captioner import stored_captioner
from core.models.images.written_caption import looked_at, write_caption
from core.words.numbers import probability
from tests.browser.conftest import mount_view


@pytest.fixture
def written(page):
    scene, picture = held_out_scene(KINDS[0], 0)
    made = [
        write_caption(stored_captioner(f"captions_{each}").network, picture)
        for each in ("recurrent", "transformer")
    ]
    columns = [Column("attention", looked_at(each, "block 2, mean"), each, scene.caption) for each in made]
    sent = caption_columns(PatchBoard(picture, 8), columns, "Click a patch.", True)
    mount_view(page, "captions", {**sent, "start": 0, "address": "", "predicting": False})
    return made


def test_a_step_shows_its_word_its_likeliest_words_and_the_attention_before_it(page, written):
    page.get_by_text("Word 1 of").wait_for()
    page.get_by_role("button", name="Next step").click()
    page.get_by_text("Word 2 of").wait_for()
    for i, each in enumerate(written):
        column = page.locator(".column").nth(i)
        assert column.locator(".word.now").inner_text() == each.words[1]
        assert column.locator(".row.given .name").inner_text() == each.words[1]
        assert column.locator(".row.given .p").inner_text() == probability(each.p[1])
        weights = looked_at(each, "block 2, mean")[1]
        heaviest = column.locator(".cell").nth(int(weights.argmax()))
        box, mark = heaviest.bounding_box(), heaviest.locator(".mark").bounding_box()
        assert mark["width"] / (box["width"] - 2) == pytest.approx(0.8, abs=0.03)
        drawn = column.locator(".mark").count()
        assert drawn == int((np.abs(weights) > 0.01 * weights.max()).sum())


def test_a_word_is_gone_to_by_a_click_and_a_patch_is_reported(page, written):
    last = len(written[0].words)
    page.locator(".column").first.locator(".word").nth(last - 1).click()
    page.get_by_text(f"Word {last} of").wait_for()
    assert page.locator(".column").first.locator(".word.now").inner_text() == "<end>"
    page.locator(".column").first.get_by_role("button", name="Patch 6, row 1, column 6").click()
    assert page.evaluate("returned") == {"hide": {"place": 5}}
