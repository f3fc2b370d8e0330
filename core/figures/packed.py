"""Numbers on their way to a browser view: base64 of their bytes, a tenth of the size of JSON, and exact.

assets/views/shared/numbers.js reads them there; `unpacked` and `unpacked_shares` read them here.
"""

from __future__ import annotations

import base64

import numpy as np

WHOLE = 32767  # the integer that stands for 1


def packed(values: np.ndarray, kind: str = "<f4") -> str:
    """Return numbers as the base64 of their bytes, row after row: float32, or what numpy's `kind` says.

    >>> np.frombuffer(base64.b64decode(packed(np.eye(2))), "<f4").tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def packed_shares(values: np.ndarray) -> str:
    """Return numbers from -1 to 1 as 16-bit integers: right to 2e-5, in half the room of `packed`."""
    return packed(np.rint(WHOLE * np.asarray(values)), "<i2")


def unpacked(sent: str, kind: str = "<f4") -> np.ndarray:
    """Return the numbers that `packed` has sent, in one row.

    >>> unpacked(packed(np.eye(2))).tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    return np.frombuffer(base64.b64decode(sent), kind).astype(float)


def unpacked_shares(sent: str) -> np.ndarray:
    """Return the numbers from -1 to 1 that `packed_shares` has sent, in one row.

    >>> unpacked_shares(packed_shares([1, -0.5])).round(4).tolist()
    [1.0, -0.5]
    """
    return unpacked(sent, "<i2") / WHOLE
