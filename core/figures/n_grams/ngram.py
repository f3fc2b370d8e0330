"""Labels of n-gram models' pictures."""

from __future__ import annotations

from html import escape

INSIDE = 0.6  # of the longest bar: a number in a longer one stands in it, for on a phone there is no room beside it


def escape_label(text: str) -> str:
    """Return a label that plotly shows as it stands: it reads `<s>` as "strike through".

    >>> escape_label("<s>")
    '&lt;s&gt;'
    """
    return escape(text, quote=False)
