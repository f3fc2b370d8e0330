"""Translation: the lessons of the subject in order."""

from pages.translation import (
    bottleneck,
    dot_product_lookup,
    soft_lookup,
    translation,
    translation_beam,
    translation_quality,
    translation_race,
    translation_training,
    translation_what_if,
)

LESSONS = (
    soft_lookup,
    dot_product_lookup,
    translation,
    translation_what_if,
    translation_beam,
    translation_race,
    bottleneck,
    translation_training,
    translation_quality,
)
