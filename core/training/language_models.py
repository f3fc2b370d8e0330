"""What the recipes of neural language models share: fit with checkpoints, and measure bits a character."""

from __future__ import annotations

import time
from math import log
from pathlib import Path

import numpy as np
import torch
from torch import nn

from core.models.fit_language_model import FitConfig, Fitting
from core.training.recipe import Progress

EVERY = 100  # steps between two checkpoints


def character_ids(text: str, alphabet: str) -> torch.Tensor:
    """Return the place in `alphabet` of each character of a text."""
    place = {character: i for i, character in enumerate(alphabet)}
    return torch.tensor([place[character] for character in text])


def fit_with_checkpoints(
    model: nn.Module, ids: torch.Tensor, config: FitConfig, checkpoint: Path, progress: Progress
) -> nn.Module:
    """Fit a model, writing a checkpoint now and then, and going on from the last one when there is one."""
    torch.set_num_threads(1)
    fitting = Fitting(model, ids, config)
    saved = checkpoint / "fitting.pt"
    if saved.exists():
        fitting.resume(torch.load(saved, weights_only=True))
    began, losses = time.monotonic(), []
    while not fitting.done:
        losses.append(fitting.step())
        if fitting.step_count % EVERY == 0 or fitting.done:
            torch.save(fitting.state(), checkpoint / "writing.pt")
            (checkpoint / "writing.pt").replace(saved)
            pace = (time.monotonic() - began) / len(losses)
            message = f"step {fitting.step_count}: {np.mean(losses[-EVERY:]):.4f} nats, {pace:.2f} s a step"
            progress(fitting.step_count / config.steps, message)
    return model.eval()


def half(model: nn.Module) -> dict[str, np.ndarray]:
    """Return a model's weights as float16 arrays by name."""
    return {name: tensor.half().numpy() for name, tensor in model.state_dict().items()}


def bits(nats: float) -> float:
    """Return nats as bits."""
    return nats / log(2)
