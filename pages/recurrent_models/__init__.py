"""Recurrent models: the lessons of the subject in order."""

from pages.recurrent_models import (
    backpropagation_through_time,
    gradient_microscope,
    hidden_state,
    weight_tying,
)

LESSONS = (
    hidden_state,
    backpropagation_through_time,
    gradient_microscope,
    weight_tying,
)
