"""What a training raises when it cannot go on."""

from __future__ import annotations


class TrainingError(ValueError):
    """A text cannot be trained on, or the numbers grew beyond bounds; the message says what to change."""
