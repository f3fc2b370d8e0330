"""Images: the subject's title, and its lessons in order."""

from pages.images import (
    patches,
)

TITLE = "Images"
LESSONS = (patches,)
