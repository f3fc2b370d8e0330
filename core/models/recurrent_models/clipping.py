"""Clipping a gradient g that is longer than c: g <- g min(1, c / |g|), one factor for all parameters.

Source: Pascanu, Mikolov and Bengio (2013), On the Difficulty of Training Recurrent Neural Networks.
"""

from __future__ import annotations


def clip_factor(norm: float, clip: float | None) -> float:
    """Return min(1, c / |g|), what every gradient is multiplied by; 1 when nothing is to be clipped.

    >>> clip_factor(10.0, 2.5), clip_factor(0.5, 2.5), clip_factor(10.0, None)
    (0.25, 1.0, 1.0)
    """
    return 1.0 if clip is None or norm <= clip else clip / norm
