"""The payload of the attention view."""

import base64
import json

import numpy as np
import pytest

from core.figures.alignment import attention_view


def test_weights_come_back_bit_for_bit_and_the_payload_is_json():
    weights = np.random.default_rng(0).random((3, 5)).astype(np.float32)
    weights[0, 4] = np.nan
    data = json.loads(
        json.dumps(attention_view({"head 1": weights, "head 2": weights.T.copy().T}, "abc", "vwxyz"))
    )
    for head in data["heads"]:
        back = np.frombuffer(base64.b64decode(head["weights"]), np.float32).reshape(3, 5)
        assert np.array_equal(back, weights, equal_nan=True)
    assert data["heads"][0]["colour"] != data["heads"][1]["colour"]


def test_weights_that_do_not_fit_the_words_are_refused():
    with pytest.raises(ValueError, match="not 2 outputs by 3 inputs"):
        attention_view(np.zeros((3, 2)), "ab", "xyz")
