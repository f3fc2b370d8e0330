"""Is the patch with most attention the patch that the answer needs most? Measured on many held-out pictures.

    rank = 1 + how many patches have drop_i > drop_j      j: the patch with most attention, rolled out over all layers

drop_i is what hiding patch i takes from the probability of the class given. The correlation is that of the two orders of
all patches, 1 where they are the same.
"""

from __future__ import annotations

import numpy as np

from core.models.images.occlusion import occlusion
from core.models.images.rollout import rollout
from core.models.images.seen_picture import Seen, load_held_out_picture, look_at
from core.models.images.vision_transformer import StoredVision
from core.models.self_attention.ablation import rank_correlation

RANKED = 100  # pictures
FAR_DOWN = 10  # a rank below it is among the other patches


def attended_and_needed(seen: Seen) -> tuple[np.ndarray, np.ndarray]:
    """Return the class token's attention to each patch in sight, and what hiding it takes from p; both (n,)."""
    drops = occlusion(seen.model.network, seen.read.patches, seen.places, seen.given, seen.positions)
    return rollout(seen.read.weights)[0][1:].numpy(), drops.numpy()


def rank_of_attended(weights: np.ndarray, drops: np.ndarray) -> int:
    """Return the rank, by what hiding it takes from p, of the patch with most attention.

    >>> rank_of_attended(np.array([0.1, 0.7, 0.2]), np.array([0.5, 0.1, 0.0]))
    2
    """
    return int((drops > drops[weights.argmax()]).sum()) + 1


def measure_attended(model: StoredVision, pictures: int = RANKED) -> dict[str, float]:
    """Return of the first held-out pictures how often that patch ranks high or last, and the mean correlation."""
    both = [
        attended_and_needed(look_at(model, load_held_out_picture(model, number + 1)))
        for number in range(pictures)
    ]
    ranks = np.array([rank_of_attended(*each) for each in both])
    patches = model.network.config.patches
    return {
        "attended, high": float(np.mean(ranks <= FAR_DOWN)),
        "attended, last": float(np.mean(ranks >= patches - 1)),
        "attended, correlation": float(np.mean([rank_correlation(*each) for each in both])),
    }
