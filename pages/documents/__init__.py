"""Documents: the subject's title, and its lessons in order."""

from pages.documents import naive_bayes

TITLE = "Documents"
LESSONS = (naive_bayes,)
