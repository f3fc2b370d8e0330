"""What the n-gram lessons share at their end: notebook cells and sources."""

from __future__ import annotations

from core.lesson.choices.ngram_choice import ORDER_AT_MOST, SMOOTHINGS, ChosenSmoothing
from core.lesson.text_source import notebook_text

SOURCES = [
    "Dan Jurafsky and James H. Martin, Speech and Language Processing (3rd ed. draft), chapter 3.",
    "Stanley F. Chen and Joshua Goodman (1998), An empirical study of smoothing techniques for language modeling.",
    "Claude E. Shannon (1948), A Mathematical Theory of Communication, section 3.",
]


def model_cells(unit: str, smoothing: ChosenSmoothing, order: int, **counting: int) -> list[str]:
    """Return the notebook cells that count a text, with more arguments of `count_text`, and fit the model.

    >>> print(model_cells("words", ChosenSmoothing("add-alpha", {"alpha": 0.1}), 2)[1])
    from core.models.n_grams.ngram import add_alpha
    <BLANKLINE>
    model = add_alpha(counted.counts, 2, alpha=0.1)
    """
    function = SMOOTHINGS[smoothing.name].fit.__name__
    found = written({"order": ORDER_AT_MOST, **counting})
    return [
        "from core.models.n_grams.ngram_text import count_text\n"
        f"{notebook_text()}\ncounted = count_text(text, {unit!r}{found})",
        f"from core.models.n_grams.ngram import {function}\n\n"
        f"model = {function}(counted.counts, {order}{written(smoothing.arguments)})",
    ]


def written(arguments: dict[str, float]) -> str:
    """Return keyword arguments as they stand in a call, after those before them."""
    return "".join(f", {name}={value!r}" for name, value in arguments.items())
