"""Fitting a neural language model: predict each next token, measure by cross-entropy, step down the gradient.

    x = "to b"     the window
    y = "o be"     the same window, one to the right: every position is an example
    loss = -1/n sum ln p(y_t | x_1..x_t)

Matrices inside the network are stepped by Muon, everything else by Adam. Muon makes the momentum orthogonal,
so that every direction of a matrix moves equally far; on one CPU core it is there in far fewer minutes.

Sources: Kingma and Ba (2015), Adam; Jordan et al. (2024), Muon: an optimizer for hidden layers.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


def orthogonalised(matrix: Tensor, steps: int = 5) -> Tensor:
    """Return a matrix with the same singular vectors and singular values near one, by Newton-Schulz steps.

    With X = U S V^T each step maps every singular value s to a s + b s^3 + c s^5, which settles around one.
    """
    a, b, c = 3.4445, -4.7750, 2.0315
    X = matrix / (matrix.norm() + 1e-7)
    tall = X.shape[0] > X.shape[1]
    X = X.T if tall else X
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if tall else X


class Muon(torch.optim.Optimizer):
    """W <- W - rate * orthogonalised(momentum), scaled so that every shape of W moves alike."""

    def __init__(self, parameters, lr: float, momentum: float = 0.95):
        super().__init__(parameters, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self) -> None:
        """Move every matrix once."""
        for group in self.param_groups:
            for W in group["params"]:
                m = self.state[W].setdefault("momentum", torch.zeros_like(W))
                m.lerp_(W.grad, 1 - group["momentum"])
                update = orthogonalised(W.grad.lerp(m, group["momentum"]))
                W.add_(update, alpha=-group["lr"] * max(1, W.shape[0] / W.shape[1]) ** 0.5)


@dataclass(frozen=True)
class FitConfig:
    """How to fit: `steps` steps of `batch` windows of `window` tokens.

    The rates rise over the first `warm_up` steps, hold, and fall to nought over the last `cool_down` of all.
    """

    steps: int
    batch: int = 16
    window: int = 256
    muon_rate: float = 0.02
    adam_rate: float = 0.004
    warm_up: int = 50
    cool_down: float = 0.5
    seed: int = 1


def rate(step: int, config: FitConfig) -> float:
    """Return the share of the full learning rate at a step, between 0 and 1: up, level, down.

    >>> [rate(step, FitConfig(steps=10, warm_up=2, cool_down=0.5)) for step in (0, 1, 4, 7, 9)]
    [0.5, 1.0, 1.0, 0.6, 0.2]
    """
    rise = min(1.0, (step + 1) / config.warm_up)
    return rise * min(1.0, (config.steps - step) / (config.cool_down * config.steps))


def shifted(ids: Tensor, starts: Tensor, window: int) -> tuple[Tensor, Tensor]:
    """Return windows of `ids` as x, and the same windows one to the right as y, each (B, T).

    >>> x, y = shifted(torch.arange(6), torch.tensor([0, 2]), window=3)
    >>> x.tolist(), y.tolist()
    ([[0, 1, 2], [2, 3, 4]], [[1, 2, 3], [3, 4, 5]])
    """
    places = starts[:, None] + torch.arange(window + 1)  # (B, T + 1)
    windows = ids[places]
    return windows[:, :-1], windows[:, 1:]


def next_token_loss(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    """Return the mean of -ln p(y_t | x_1..x_t) over a batch, in nats."""
    logits, _ = model(x)
    return functional.cross_entropy(logits.flatten(0, 1), y.flatten())


class Fitting:
    """A model on its way: its optimisers and how many steps they have taken.

    The batch of step i, and what the network itself draws, depend on the seed and i alone: a fit that is resumed is the
    fit that never stopped.
    """

    def __init__(self, model: nn.Module, ids: Tensor, config: FitConfig):
        self.model, self.ids, self.config, self.step_count = model, ids, config, 0
        named = list(model.named_parameters())
        matrices = [
            p for name, p in named if p.ndim == 2 and "embedding" not in name and "output" not in name
        ]
        chosen = {id(p) for p in matrices}
        others = [p for _, p in named if id(p) not in chosen]
        self.optimisers = [torch.optim.Adam(others, lr=config.adam_rate, betas=(0.9, 0.95))]
        if matrices:
            self.optimisers.append(Muon(matrices, lr=config.muon_rate))
        self.full_rates = [optimiser.param_groups[0]["lr"] for optimiser in self.optimisers]

    @property
    def done(self) -> bool:
        """Whether all steps have been taken."""
        return self.step_count >= self.config.steps

    @property
    def draw(self) -> int:
        """The seed of all that is drawn in the step to come."""
        return self.config.seed * 1_000_000 + self.step_count

    def batch(self) -> tuple[Tensor, Tensor]:
        """Return the windows of the step to come."""
        generator = torch.Generator().manual_seed(self.draw)
        last = len(self.ids) - self.config.window
        starts = torch.randint(0, last, (self.config.batch,), generator=generator)
        return shifted(self.ids, starts, self.config.window)

    def loss(self) -> Tensor:
        """Return the loss of the step to come."""
        return next_token_loss(self.model, *self.batch())

    def step(self) -> float:
        """Take one step and return the loss before it, in nats a token."""
        for optimiser, full in zip(self.optimisers, self.full_rates, strict=True):
            optimiser.param_groups[0]["lr"] = full * rate(self.step_count, self.config)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.draw)
            loss = self.loss()
        self.model.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimiser in self.optimisers:
            optimiser.step()
        self.step_count += 1
        return loss.item()

    def state(self) -> dict:
        """Return all that is needed to go on later."""
        optimisers = [optimiser.state_dict() for optimiser in self.optimisers]
        return {"step": self.step_count, "model": self.model.state_dict(), "optimisers": optimisers}

    def resume(self, state: dict) -> None:
        """Go on from what `state` returned."""
        self.step_count = state["step"]
        self.model.load_state_dict(state["model"])
        for optimiser, saved in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
