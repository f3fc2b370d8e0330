"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import feed_forward, residual_norm

TITLE = "Transformers"
LESSONS = (residual_norm, feed_forward)
