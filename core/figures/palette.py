"""The one palette: colours that differ for every kind of colour vision and show on light and dark alike.

The hues are those of Okabe and Ito, "Color Universal Design" (2008), some darkened so that each has a
contrast of at least 3:1 against both page backgrounds.
"""

from __future__ import annotations

BLUE = "#0072B2"
VERMILLION = "#D55E00"
GREEN = "#009E73"
PINK = "#C46A9C"
OCHRE = "#A26B00"
SKY = "#2E90C8"
GREY = "#7A7A7A"

HUES = {  # as the browser views know them: var(--blue)
    "blue": BLUE,
    "vermillion": VERMILLION,
    "green": GREEN,
    "pink": PINK,
    "ochre": OCHRE,
    "sky": SKY,
    "grey": GREY,
}
INKS = {  # of words in a hue: what can be read on the light background, and on the dark one
    "blue": ("#0072B2", "#2989BE"),
    "vermillion": ("#C05500", "#E07018"),
    "green": ("#008561", "#00AD7E"),
    "pink": ("#A95B86", "#C46A9C"),
    "ochre": ("#A06A00", "#AB760A"),
    "sky": ("#287CAC", "#2E90C8"),
    "grey": ("#757575", "#818181"),
}
CATEGORIES = (BLUE, VERMILLION, GREEN, PINK, OCHRE, SKY, GREY)

LIGHT_BACKGROUND = "#FFFFFF"
DARK_BACKGROUND = "#10161D"


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue parts (0 to 255) of a "#RRGGBB" colour.

    >>> rgb("#0072B2")
    (0, 114, 178)
    """
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def faded(colour: str, opacity: float) -> str:
    """Return a colour with an opacity, as CSS and plotly write it.

    >>> faded("#0072B2", 0.5)
    'rgba(0, 114, 178, 0.5)'
    """
    return f"rgba{(*rgb(colour), opacity)}"


# Heat maps fade into whatever the page's background is, so that one scale serves light and dark.
SEQUENTIAL = [[0.0, faded(BLUE, 0.0)], [1.0, faded(BLUE, 1.0)]]
DIVERGING = [[0.0, faded(VERMILLION, 1.0)], [0.5, faded(BLUE, 0.0)], [1.0, faded(BLUE, 1.0)]]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0 (black) to 1 (white), as WCAG 2.2 defines it.

    >>> luminance("#FFFFFF")
    1.0
    """
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(colour))
    ]
    return round(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2], 6)


def contrast_ratio(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours, 1 to 21.

    >>> contrast_ratio("#000000", "#FFFFFF")
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return round((high + 0.05) / (low + 0.05), 2)
