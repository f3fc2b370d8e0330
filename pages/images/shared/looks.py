"""What attention is shown of: one head of a layer, or the mean of its heads."""

from __future__ import annotations

from pages.images.shared import WORDS


def name_look(look: str) -> str:
    """Return what is shown, by its id.

    >>> name_look("layer 2, mean"), name_look("block 1, head 3")
    ('layer 2, mean', 'block 1, head 3')
    """
    unit, number, part = look.replace(",", "").split(" ", 2)
    return WORDS.label("look", unit=unit, number=number, head=part.removeprefix("head "))
