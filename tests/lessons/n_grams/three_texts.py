"""The texts that the n-gram lessons are tried on, and what all their figures promise."""

import base64

import numpy as np

from core.text.samples.shelf import sample

SAM = "I am Sam. Sam I am. I do not like green eggs and ham."
PASTED = "It was late. The cat sat on the mat. The dog sat on the cat. The mat was old. The cat was not."
THREE = {
    "default": None,
    "a play": sample("macbeth").read().text,
    "pasted": PASTED,
}  # None: as the lesson opens


def numbers(values):
    """Return a trace's numbers, which plotly sends as a list or as base64."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return np.array(values)


def all_numbers(value):
    """Yield every number in a figure, those that are written as base64 too."""
    if isinstance(value, dict) and "bdata" in value:
        yield from numbers(value).tolist()
    elif isinstance(value, dict):
        for each in value.values():
            yield from all_numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from all_numbers(each)
    elif isinstance(value, int | float):
        yield value


def codes(app):
    """Return the names of the functions whose source is shown."""
    return " ".join(code.value for code in app.code)
