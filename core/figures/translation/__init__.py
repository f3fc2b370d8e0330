"""Pictures of an encoder-decoder's steps; their words are in words.md."""

import re
from collections.abc import Iterable
from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))


def column_labels(names: Iterable[str]) -> dict[str, str]:
    """Return what the columns of a table are called, by their names in code.

    >>> column_labels(["words kept"])
    {'words kept': 'words kept'}
    """
    return {name: WORDS.label("column." + re.sub(r"\W+", "_", name)) for name in names}
