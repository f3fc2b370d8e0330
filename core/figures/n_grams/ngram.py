"""Labels of n-gram models' pictures: tokens and probabilities."""

from __future__ import annotations

from html import escape

from core.figures.worked import plain_number

INSIDE = 0.6  # of the longest bar: a number in a longer one stands in it, for on a phone there is no room beside it


def escape_label(text: str) -> str:
    """Return a label that plotly shows as it stands: it reads `<s>` as "strike through".

    >>> escape_label("<s>")
    '&lt;s&gt;'
    """
    return escape(text, quote=False)


def label_probability(p: float) -> str:
    """Return a probability as a label: with three figures, as the sentences have it.

    >>> label_probability(0.25), label_probability(0.0001812), label_probability(0.00001), label_probability(0)
    ('0.25', '0.000181', '1·10⁻⁵', '0')
    """
    return plain_number(p)
