"""Four GPTs on the characters of the plays that differ in nothing but their size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from core.models.fit_language_model import FitConfig, Fitting
from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored import load_json
from core.models.stored_language_models import build
from core.models.transformers.model_sizes import sized_model
from core.training.language_models import PLAYS, character_ids, fit_with_checkpoints
from core.training.play_text import ALPHABET, play_text
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Four GPTs on the characters of the plays: the same text, steps and seed, a factor of 3 to 4 in size."
)
CREDITS = PLAYS
CONFIG = {
    "network": "gpt",
    "shapes": {
        "2 layers of 16": {"context": 256, "layers": 2, "heads": 1, "width": 16},
        "2 layers of 32": {"context": 256, "layers": 2, "heads": 2, "width": 32},
        "2 layers of 64": {"context": 256, "layers": 2, "heads": 4, "width": 64},
        "3 layers of 96": {"context": 256, "layers": 3, "heads": 6, "width": 96},
    },
    "fit": {
        "steps": 600,
        "batch": 16,
        "window": 256,
        "cool_down": 0.4,
        "muon_rate": 0.03,
        "adam_rate": 0.006,
        "bfloat16": True,
    },
    "marks": [25, 50, 100, 200, 400, 600],
    "note": "The rates were not searched for any of the sizes. Every loss but a run's last is from before its rate had"
    " fallen to nought.",
}
START = ALPHABET.index("\n")
MEASURED = 512  # characters of a piece that the card's measure reads, so that it takes seconds


class MarkedFitting(Fitting):
    """A fit that measures the held-out pieces after the steps in `marks`; `marked` is their loss by step."""

    def __init__(self, model, ids, config, marks, pieces):
        super().__init__(model, ids, config)
        self.marks, self.pieces, self.marked = marks, pieces, {}

    def step(self) -> float:
        """Take a step, and measure if this one is marked."""
        loss = super().step()
        if self.step_count in self.marks:
            nats = nats_by_piece(NeuralLanguageModel(self.model, ALPHABET, START), self.pieces)
            self.marked[self.step_count] = float(nats.mean())
        return loss

    def state(self) -> dict:
        """Return all that is needed to go on later."""
        return {**super().state(), "marked": self.marked}

    def resume(self, state: dict) -> None:
        """Go on from what `state` returned."""
        super().resume(state)
        self.marked = state["marked"]


def nats_by_piece(model: NeuralLanguageModel, pieces: list[torch.Tensor]) -> np.ndarray:
    """Return the mean of -ln p over the characters of each piece; all pieces are equally long."""
    return np.array([-model.token_log_probabilities(piece.tolist()).mean() for piece in pieces])


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Fit the four, one after the other, each on the very same windows in the same order."""
    text = play_text()
    ids = character_ids("".join(text.training))
    pieces = [character_ids(piece) for piece in text.pieces]
    shapes = {name: {"vocabulary_size": len(ALPHABET), **shape} for name, shape in config["shapes"].items()}
    weights, marked, by_piece = {}, {}, {}
    for name, shape in shapes.items():
        home = checkpoint / name.replace(" ", "_")
        home.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(seed)
        fit = FitConfig(**config["fit"], seed=seed)
        fitting = MarkedFitting(build(config["network"], shape), ids, fit, config["marks"], pieces)
        network = fit_with_checkpoints(fitting, home, progress)
        half = {key: tensor.half() for key, tensor in network.state_dict().items()}
        network.load_state_dict({key: tensor.float() for key, tensor in half.items()})
        by_piece[name] = nats_by_piece(NeuralLanguageModel(network, ALPHABET, START), pieces).tolist()
        marked[name] = list(fitting.marked.items())
        weights |= {f"{name}.{key}": tensor.numpy() for key, tensor in half.items()}
    read = config["fit"]["batch"] * config["fit"]["window"]
    files = {
        "shapes": shapes,
        "vocabulary": list(ALPHABET),
        "start": START,
        "runs": {
            "characters a step": read,
            "held-out nats by step": marked,
            "held-out nats by piece": by_piece,
        },
    }
    return Trained(weights, text.corpus, files)


def measure() -> dict:
    """Return each size's loss on the beginnings of the held-out pieces; on the whole pieces it is in runs.json."""
    pieces = [character_ids(piece[:MEASURED]) for piece in play_text().pieces]
    return {
        f"{name}: nats per character, first {MEASURED} of each piece": float(
            nats_by_piece(sized_model(name), pieces).mean()
        )
        for name in load_json("model_sizes", "shapes")
    }
