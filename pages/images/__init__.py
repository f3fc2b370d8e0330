"""Images: the subject's title, and its lessons in order."""

from pages.images import (
    captions,
    patches,
)

TITLE = "Images"
LESSONS = (patches, captions)
