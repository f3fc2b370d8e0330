"""A learner in the context: four layers of attention alone, on examples of rules that are drawn for each sequence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from core.models.fit_language_model import FitConfig
from core.models.transformers.copier import Copier, CopierConfig
from core.models.transformers.in_context import (
    HEADS_OFF,
    ONE_BACK_OFF,
    RANDOM,
    SHIFTED,
    VOCABULARY,
    WINDOW,
    Z_95,
    InContextFitting,
    broken_curve,
    curve_of,
    head_costs,
    head_scores,
    held_out_curves,
    induction_heads,
    measure_order,
    measured_tasks,
    predict_network,
    record_curve,
    record_heads,
    stored_learner,
)
from core.models.transformers.rule_tasks import HELD_OUT, LABELS, WORDS, every_rule, is_held_out
from core.training.language_models import fit_with_checkpoints
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Four layers of attention alone, trained on words and labels under a rule that is drawn for each sequence: it has read "
    "no text, and one of eight rules is held out."
)
CREDITS = [
    "Garg et al. (2022), What Can Transformers Learn In-Context?, for tasks drawn for each sequence",
    "Elhage et al. (2021), A Mathematical Framework for Transformer Circuits, for the network",
]
CONFIG = {
    "shape": {"vocabulary_size": VOCABULARY, "layers": 4, "heads": 4, "width": 128, "farthest": 8},
    "fit": {
        "steps": 3000,
        "batch": 64,
        "window": WINDOW,
        "cool_down": 0.5,
        "muon_rate": 0.02,
        "adam_rate": 0.004,
    },
}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Train on sequences that are drawn at every step, none of them under a held-out rule."""
    torch.manual_seed(seed)
    model = Copier(CopierConfig(**config["shape"]))
    fit = FitConfig(**config["fit"], seed=seed)
    fit_with_checkpoints(InContextFitting(model, torch.empty(0), fit), checkpoint, progress)
    rules = np.array([rule for _, rule in every_rule()])
    return Trained(
        weights={name: tensor.half().numpy() for name, tensor in model.state_dict().items()},
        corpus={
            "rules": {
                "all": len(rules),
                "held out": int(is_held_out(rules).sum()),
                "split": f"one of {HELD_OUT} combinations of labels is held out, drawn once, at all places",
                "words": len(WORDS),
                "labels": len(LABELS),
                "read from": "no text",
            }
        },
    )


def measure() -> dict[str, float]:
    """Return the curves on held-out rules beside Bayes' and the nearest example's, the heads, and what breaking costs."""
    stored_learner.cache_clear()
    curves, scores = held_out_curves(), head_scores()
    distance = (curves["model"].bits - curves["bayes"].bits).mean(axis=1)  # of each sequence
    seen = measured_tasks(held_out=False)
    on_seen = curve_of(predict_network(stored_learner(), seen.words, seen.labels), seen.labels)
    found = {
        "bits above Bayes": float(distance.mean()),
        "bits above Bayes, half of the 95% interval": float(
            Z_95 * distance.std(ddof=1) / len(distance) ** 0.5
        ),
        **{
            f"bits, mean of 0 to 11 examples, {name}": float(curve.bits.mean())
            for name, curve in curves.items()
        },
        "bits, mean of 0 to 11 examples, model on rules of training": float(on_seen.bits.mean()),
        "orders, standard deviation": measure_order(stored_learner()),
    }
    for name, curve in curves.items():
        found |= record_curve(name, curve)
    for kind in (HEADS_OFF, ONE_BACK_OFF, SHIFTED, RANDOM):
        found |= record_curve(kind, broken_curve(kind, heads=induction_heads(scores)))
    return found | record_heads(scores, head_costs())
