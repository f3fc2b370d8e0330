"""Numbers on their way to a browser view: base64 of their bytes, a tenth of the size of JSON, and exact.

assets/views/shared/numbers.js reads them.
"""

from __future__ import annotations

import base64

import numpy as np


def packed(values: np.ndarray, kind: str = "<f4") -> str:
    """Return numbers as the base64 of their bytes, row after row: float32, or what numpy's `kind` says.

    >>> np.frombuffer(base64.b64decode(packed(np.eye(2))), "<f4").tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode("ascii")


def packed_shares(values: np.ndarray) -> str:
    """Return numbers from -1 to 1 as 16-bit integers: right to 2e-5, in half the room of `packed`."""
    return packed(np.rint(32767 * np.asarray(values)), "<i2")
