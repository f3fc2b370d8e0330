"""Documents: the subject's title, and its lessons in order."""

from pages.documents import document_network, document_vectors, logistic_regression, naive_bayes

TITLE = "Documents"
LESSONS = (naive_bayes, logistic_regression, document_vectors, document_network)
