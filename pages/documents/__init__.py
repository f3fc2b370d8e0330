"""Documents: the subject's title, and its lessons in order."""

from pages.documents import document_vectors, naive_bayes

TITLE = "Documents"
LESSONS = (naive_bayes, document_vectors)
