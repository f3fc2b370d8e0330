"""Documents: the subject's title, and its lessons in order."""

from pages.documents import (
    calibration,
    document_network,
    document_vectors,
    logistic_regression,
    naive_bayes,
    tug_of_war,
    two_directions,
)

TITLE = "Documents"
LESSONS = (
    naive_bayes,
    logistic_regression,
    tug_of_war,
    calibration,
    document_vectors,
    document_network,
    two_directions,
)
