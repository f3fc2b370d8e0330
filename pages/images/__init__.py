"""Images: the subject's title, and its lessons in order."""

from pages.images import (
    captions,
    one_space,
    patches,
)

TITLE = "Images"
LESSONS = (patches, captions, one_space)
