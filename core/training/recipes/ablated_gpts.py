"""Six small GPTs on the characters of the plays: whole, post-norm, and four that lack a piece."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from core.models.fit_language_model import FitConfig, Fitting
from core.models.self_attention.gpt import GPTConfig
from core.models.transformers.ablated_gpt import FORMS, WHOLE, AblatedGPT
from core.models.transformers.ablated_gpts import cut, interval_of_mean, stored_ablated_gpt, window_loss
from core.training.language_models import PLAYS, character_ids, fit_with_checkpoints
from core.training.play_text import ALPHABET, play_text
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Six small decoder-only transformers on the characters of the plays: whole (pre-norm), post-norm, and trained "
    "without the residual, the norms, the feed-forward networks or the positions."
)
CREDITS = PLAYS
CONFIG = {
    "shape": {"context": 128, "layers": 4, "heads": 4, "width": 64},
    "fit": {
        "steps": 700,
        "batch": 16,
        "window": 128,
        "cool_down": 0.45,
        "muon_rate": 0.03,
        "adam_rate": 0.006,
    },
    "trained again": [WHOLE, "post-norm"],
    "note": "All forms take the same steps on the same batches at the same rates, which were not tuned for any. Some are "
    "trained again with the seed one higher, which shows how far luck moves a loss; the first training is stored.",
}
WINDOWS = 8  # at the start of each play's held-out part
BIN = 25  # steps of a loss curve that are averaged into one point


class RecordedFitting(Fitting):
    """A fit that keeps its losses, when it is resumed too."""

    def __init__(self, model: AblatedGPT, ids: torch.Tensor, config: FitConfig):
        super().__init__(model, ids, config)
        self.losses: list[float] = []

    def step(self) -> float:
        """Take one step, keep the loss before it and return it, in nats a token."""
        self.losses.append(super().step())
        return self.losses[-1]

    def state(self) -> dict:
        """Return all that is needed to go on later."""
        return {**super().state(), "losses": self.losses}

    def resume(self, state: dict) -> None:
        """Go on from what `state` returned."""
        super().resume(state)
        self.losses = list(state["losses"])


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Fit every form, then some again with another seed."""
    text = play_text()
    ids = character_ids("".join(text.training))
    shape = {"vocabulary_size": len(ALPHABET), **config["shape"]}
    weights, runs, cuts = {}, [], {}
    plan = [(form, seed) for form in FORMS] + [(form, seed + 1) for form in config["trained again"]]
    for form, drawn in plan:
        fitting = fit_ablated_gpt(form, shape, ids, config["fit"], drawn, checkpoint, progress)
        rounded = {key: tensor.half() for key, tensor in fitting.model.state_dict().items()}
        fitting.model.load_state_dict(rounded)
        runs.append({"form": form, "seed": drawn, **record(fitting)})
        if drawn == seed:
            weights |= {f"{form}.{key}": tensor.numpy() for key, tensor in rounded.items()}
        if (form, drawn) == (WHOLE, seed):
            cuts = {other: play_losses(cut(fitting.model, other)) for other in FORMS if other != WHOLE}
    described = {
        "shape": shape,
        "start": ALPHABET.index("\n"),
        "bin": BIN,
        "held out": WINDOWS * shape["context"],
    }
    files = {"vocabulary": list(ALPHABET), "shape": described, "runs": runs, "cuts": cuts}
    return Trained(weights, text.corpus, files)


def fit_ablated_gpt(
    form: str, shape: dict, ids: torch.Tensor, fit: dict, seed: int, checkpoint: Path, progress: Progress
) -> RecordedFitting:
    """Return the fit of one form with one seed, done; it goes on from its checkpoint if there is one."""
    folder = checkpoint / f"{form}, seed {seed}"
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    fitting = RecordedFitting(AblatedGPT(GPTConfig(**shape), FORMS[form]), ids, FitConfig(**fit, seed=seed))
    fit_with_checkpoints(
        fitting, folder, lambda share, message: progress(share, f"{form}, seed {seed}, {message}")
    )
    return fitting


def record(fitting: RecordedFitting) -> dict:
    """Return a run's loss curve, the mean of every BIN steps, and its loss on each held-out play."""
    curve = np.array(fitting.losses).reshape(-1, BIN).mean(axis=1)
    return {"curve": curve.round(4).tolist(), "held out": play_losses(fitting.model)}


def play_losses(network: AblatedGPT) -> list[float]:
    """Return nats a character on each play: WINDOWS windows at the start of its held-out part."""
    window = network.config.context
    pieces = [piece[: WINDOWS * window + 1] for piece in play_text().pieces]
    return [round(window_loss(network, character_ids(piece), window), 5) for piece in pieces]


def measure() -> dict:
    """Return each stored form's nats a character on the held-out plays, and what it loses more than the whole."""
    quality = {}
    losses = {form: play_losses(stored_ablated_gpt.__wrapped__(form).network) for form in FORMS}
    for form, each in losses.items():
        quality[f"{form}: nats per character, held out"] = interval_of_mean(each).mean
        if form != WHOLE:
            cost = interval_of_mean(np.array(each) - np.array(losses[WHOLE]))
            quality[f"{form}: nats more than the whole"] = cost.mean
            quality[f"{form}: standard error of that over plays"] = cost.error
    return quality
