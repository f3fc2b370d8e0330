"""A copier: two layers of attention alone, on random characters of which a run comes again."""

from __future__ import annotations

from pathlib import Path

import torch

from core.models.fit_language_model import FitConfig
from core.models.transformers.copier import Copier, CopierConfig, CopierFitting, stored_copier
from core.models.transformers.copying import copying, copying_without, repeated, with_mark
from core.training.language_models import fit_with_checkpoints
from core.training.play_text import ALPHABET
from core.training.recipe import Progress, Trained

DESCRIPTION = "Two layers of attention alone, trained on random characters of which a run comes again: it has read no text."
CREDITS = [
    "Elhage et al. (2021), A Mathematical Framework for Transformer Circuits",
    "Raffel et al. (2020), Exploring the Limits of Transfer Learning, for the number a head adds for a distance",
]
CONFIG = {
    "shape": {"vocabulary_size": len(ALPHABET), "layers": 2, "heads": 2, "width": 64, "farthest": 8},
    "fit": {
        "steps": 1500,
        "batch": 16,
        "window": 64,
        "cool_down": 0.5,
        "muon_rate": 0.02,
        "adam_rate": 0.004,
    },
}
T, SEQUENCES, OTHER_SEED = 24, 200, 2  # what is measured; the lesson shows sequences of another seed


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Train on sequences that are drawn anew at every step."""
    torch.manual_seed(seed)
    model = Copier(CopierConfig(**config["shape"]))
    fit_with_checkpoints(
        CopierFitting(model, torch.empty(0), FitConfig(**config["fit"], seed=seed)), checkpoint, progress
    )
    return Trained(
        weights={name: tensor.half().numpy() for name, tensor in model.state_dict().items()},
        corpus={"random characters": {"drawn alike from": len(ALPHABET), "read from": "no text"}},
        files={"vocabulary": list(ALPHABET)},
    )


def measure() -> dict[str, float]:
    """Return bits of random characters given twice, the heads' scores, and the bits without the best head."""
    model = stored_copier()
    drawn = repeated(len(ALPHABET), T, SEQUENCES, OTHER_SEED)
    x = with_mark(model, drawn)
    whole = copying(model.network, x)
    without = copying_without(model.network, x, [whole.best])
    layer, head = whole.best
    return {
        "bits, first time": float(whole.first.mean()),
        "bits, second time": float(whole.second.mean()),
        "bits, second time, best head off": float(without.second.mean()),
        "best head, layer": layer + 1,
        "best head, head": head + 1,
        "best score": float(whole.scores.max()),
    } | {
        f"score_layer_{i + 1}_head_{j + 1}": float(whole.scores[i, j])
        for i in range(model.network.config.layers)
        for j in range(model.network.config.heads)
    }
