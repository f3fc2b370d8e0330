"""Images: the subject's title, and its lessons in order."""

from pages.images import (
    one_space,
    patches,
)

TITLE = "Images"
LESSONS = (patches, one_space)
