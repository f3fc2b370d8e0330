"""The view "batch" by itself in Chromium: a cell pressed opens its line, whose terms are core's; keys do the same."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.figures.images.one_space import batch_board
from core.models.images.contrastive_loss import contrast
from core.models.images.held_out_scenes import KINDS, held_out_scenes
from core.pictures.scenes_in_words import DrawnScene
from tests.browser.conftest import mount_view

B = 3
SCENES = [DrawnScene(*each) for each in held_out_scenes(KINDS[0], B)]
SENTENCES = [f"<b>{each.scene.caption}" for each in SCENES]
FOUND = contrast(
    *(
        functional.normalize(each, dim=-1)
        for each in torch.randn(2, B, 4, generator=torch.Generator().manual_seed(1))
    ),
    5.0,
)


def board(column, chosen):
    heading = f"Sentence {chosen + 1}, “{SENTENCES[chosen]}”, among the pictures"
    return batch_board(FOUND, SCENES, SENTENCES, column, chosen, heading, "Press a number.")


def opened(page):
    """The row or column that the last press reported; shown, as the page shows it."""
    sent = page.evaluate("sent")
    line = sent[-1][1]
    assert sent[-1][0] == "open"
    page.evaluate("data => show(data)", board(line["column"], line["chosen"]))
    return line["column"], line["chosen"]


def shares(page):
    return [float(each.removesuffix("%")) / 100 for each in page.locator(".percent").all_text_contents()]


@pytest.mark.parametrize("column", [False, True])
def test_a_cell_pressed_shows_the_terms_of_its_row_or_column(page, column):
    mount_view(page, "batch", board(column, 0))
    page.get_by_role("button", name="Picture 2, sentence 3").click()
    assert opened(page) == ((True, 2) if column else (False, 1))
    expected = FOUND.by_sentence[:, 2] if column else FOUND.by_picture[1]
    np.testing.assert_allclose(shares(page), expected, atol=0.006)
    scores = FOUND.similarity[:, 2] if column else FOUND.similarity[1]
    said = [
        each.removeprefix("s = ").replace("−", "-") for each in page.locator(".number").all_text_contents()
    ]
    np.testing.assert_allclose(list(map(float, said)), scores, atol=0.006)
    assert page.locator("li.right").count() == 1
    assert page.locator("li").nth(2 if column else 1).get_attribute("class") == "right"
    loss = FOUND.columns[2] if column else FOUND.rows[1]
    assert page.locator(".sum").text_content().endswith(f"= {float(loss):.4f}")


def test_rows_and_columns_are_opened_by_key_and_the_key_stays_where_it_was(page):
    mount_view(page, "batch", board(False, 0))
    page.locator("button.head").first.focus()
    names, held = [], "document.querySelector('div').shadowRoot.activeElement.getAttribute('aria-label')"
    for _ in range(2 * B + 2 * B):  # the heads, then each row's head and loss, then the columns' losses
        names.append(page.evaluate(held))
        page.keyboard.press("Tab")
    assert names[:B] == [f"Sentence {j + 1}" for j in range(B)]
    assert not [each for each in names if "cosine" in each]  # no key stops at a cell: its heads lead there
    page.get_by_role("button", name="Loss of sentence 2").focus()
    page.keyboard.press("Enter")
    assert opened(page) == (True, 1)
    assert page.evaluate(held) == "Loss of sentence 2"
    assert page.locator("h3").text_content() == f"Sentence 2, “{SENTENCES[1]}”, among the pictures"
    page.get_by_role("button", name="Picture 3", exact=True).focus()
    page.keyboard.press("Space")
    assert opened(page) == (False, 2)


def test_a_cell_is_as_dark_as_its_probability_and_pairs_are_framed(page):
    mount_view(page, "batch", board(False, 0))
    script = "cells => cells.map(cell => Number(getComputedStyle(cell).backgroundColor.match(/[\\d.]+(?=\\))/)[0]))"
    darkness = np.array(page.locator("button.cell").evaluate_all(script))
    assert np.all(np.diff(darkness[FOUND.by_picture.flatten().argsort()]) >= 0)
    pairs = page.locator("button.cell").evaluate_all(
        "cells => cells.map(cell => cell.classList.contains('pair'))"
    )
    assert np.array(pairs).reshape(B, B).tolist() == np.eye(B, dtype=bool).tolist()


def wide_batch(n):
    """Return a batch of n black pictures whose numbers are as wide as they get."""
    similar = np.full((n, n), -0.88)
    return {
        "side": 2,
        "pictures": ["AAAAAAAAAAAAAAAA"] * n,  # base64 of 12 bytes
        "products": similar.tolist(),
        "shares": np.full((n, n), 1 / n).tolist(),
        "rows": [12.34] * n,
        "columns": [12.34] * n,
        "partners": list(range(n)),
        "column": False,
        "chosen": 0,
        "heading": "Picture 1",
        "terms": [],
        "sum": "",
        "note": "",
    }


@pytest.mark.parametrize("n", [2, 6])
def test_on_a_phone_the_matrix_and_its_losses_are_seen_whole(page, n):
    page.set_viewport_size({"width": 390, "height": 844})
    mount_view(page, "batch", wide_batch(n))
    assert page.locator(".scroll").evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    assert page.locator(".loss").count() == 2 * n
    assert (
        page.locator("button").evaluate_all(
            "(all) => all.filter((b) => b.scrollWidth > b.clientWidth).length"
        )
        == 0
    )
