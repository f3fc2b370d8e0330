"""The three texts on which a sentence that claims a direction is tried: the first on the shelf, a play, a short one."""

import pytest

from core.text.samples.shelf import sample

PASTED = "The nurse gave the old sailor a letter. He read it twice, and wept for his sister."
TEXTS = {"default": None, "play": sample("a-midsummer-night-s-dream").read().text, "pasted": PASTED}
ON_THREE_TEXTS = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
