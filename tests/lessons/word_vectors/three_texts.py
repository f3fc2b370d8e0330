"""The three texts that every claim of a lesson is tried on: the default, a play, and a short pasted one."""

from core.text.samples.shelf import sample

SHORT = (
    "The cat sat on the mat. The dog sat on the log. A cat and a dog met on the mat, and the dog sat down. "
    "The cat met the mouse on the log, and a mouse sat on the mat."
)


def three_texts():
    """Return the learner's own text by name; None leaves the sample that the course opens with."""
    return {"default": None, "play": sample("hamlet").read().text, "short": SHORT}
