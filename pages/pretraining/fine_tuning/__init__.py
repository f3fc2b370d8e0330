"""Fine-tuning: a story of sixteen labels and a pretrained network, and a lab that trains on your own sentences."""

import numpy as np

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.pretraining.fine_tuning import small_map
from core.lesson.lesson import Lesson
from core.models.pretraining.fine_tuning import FINE_TUNED
from core.models.pretraining.fine_tuning_measured import SIZES, key_of, stored_runs
from core.models.pretraining.fine_tuning_runs import FineTuningSettings, places_of
from core.text.samples.feelings import feelings

LESSON = Lesson(__name__, icon="wrench")


def picture() -> Figure:
    """The held-out sentences' vectors after fine-tuning, on the map."""
    documents = feelings()
    held = places_of(documents.labels, documents.kinds).held
    vectors = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(SIZES[1]))].vectors[-1].astype(np.float64)
    return small(small_map(vectors, [documents.labels[place] for place in held]))
