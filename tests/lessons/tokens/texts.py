"""The texts that the lessons on tokens are tried on."""

import pytest

from core.text.samples.shelf import sample

PASTED = "The cat sat on the mat. The dog sat by the cat. A bird sang to the dog and the cat."
TEXTS = {
    "micro-world": sample("micro-world").read().text,
    "Hamlet": sample("hamlet").read().text,
    "pasted": PASTED,
}
EVERY_TEXT = pytest.mark.parametrize("text", TEXTS)
