"""Images: the lessons of the subject in order."""

from pages.images import (
    captions,
    one_space,
    patches,
)

LESSONS = (patches, captions, one_space)
