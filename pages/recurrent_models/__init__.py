"""Recurrent models: the subject's title, and its lessons in order."""

from pages.recurrent_models import (
    backpropagation_through_time,
    gradient_microscope,
    hidden_state,
    weight_tying,
)

TITLE = "Recurrent models"
LESSONS = (
    hidden_state,
    backpropagation_through_time,
    gradient_microscope,
    weight_tying,
)
