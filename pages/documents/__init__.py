"""Documents: the lessons of the subject in order."""

from pages.documents import (
    calibration,
    document_network,
    document_vectors,
    logistic_regression,
    naive_bayes,
    search,
    tug_of_war,
    two_directions,
)

LESSONS = (
    naive_bayes,
    logistic_regression,
    tug_of_war,
    calibration,
    document_vectors,
    search,
    document_network,
    two_directions,
)
