"""What a recipe is: a module in core/training/recipes with DESCRIPTION, CREDITS, CONFIG, train and measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import numpy as np

from core.models.stored import Card, load_card, store
from core.training import recipes
from core.training.published import PUBLISHED

CHECKPOINTS = Path(__file__).resolve().parents[2] / ".checkpoints"
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Trained:
    """What `train` returns: arrays to store, JSON files to put beside them, and what the corpus was."""

    weights: dict[str, np.ndarray]
    corpus: dict
    files: dict[str, object] = field(default_factory=dict)


def recipe_names() -> list[str]:
    """Return the name of every recipe; each is also the name of its folder in assets/models."""
    return sorted(module.name for module in iter_modules(recipes.__path__))


def recipe(name: str):
    """Return a recipe's module.

    It has DESCRIPTION (one sentence), CREDITS (list of sources), CONFIG (dict),
    `train(config, seed, checkpoint, progress) -> Trained`, where `checkpoint` is a folder to resume from and
    `progress(share_done, message)` reports, and `measure() -> dict`, the quality of the weights as stored.
    """
    return import_module(f"core.training.recipes.{name}")


def run(name: str, seed: int, progress: Progress) -> Card:
    """Train a model, store it with its card, measure what was stored, and write the measures into the card."""
    module = recipe(name)
    checkpoint = CHECKPOINTS / name
    checkpoint.mkdir(parents=True, exist_ok=True)
    trained = module.train(module.CONFIG, seed, checkpoint, progress)
    command = f"python -m core.training {name} --seed {seed}"
    card = Card(name, module.DESCRIPTION, trained.corpus, module.CONFIG, seed, command, {}, module.CREDITS)
    card = replace(card, published=PUBLISHED[name])
    store(card, trained.weights, trained.files)
    progress(1.0, "measuring what was stored")
    return measure(name, trained)


def measure(name: str, trained: Trained) -> Card:
    """Measure the stored weights and store them again with the quality in their card."""
    card = load_card(name)
    measured = replace(card, quality=recipe(name).measure())
    return store(measured, trained.weights, trained.files)
