"""Stepping down a gradient, the same for every network here: rates, clipping, Adam, and Muon for matrices.

    g <- gradient of the loss, shortened to a norm of one where it is longer
    rate <- full rate * share(step)
    every optimiser moves its parameters by g

Matrices inside a network are stepped by Muon, everything else by Adam. Muon makes the momentum orthogonal, so that
every direction of a matrix moves equally far; on one CPU core it is there in far fewer minutes.

Sources: Kingma and Ba (2015), Adam; Jordan et al. (2024), Muon: an optimizer for hidden layers; Pascanu, Mikolov and
Bengio (2013), On the difficulty of training recurrent neural networks, for the clipping.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

LONGEST = 1.0  # the norm to which a longer gradient is shortened


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
    """W <- W - rate * orthogonalised(momentum), scaled so that every shape of W moves alike.

    torch.optim.Muon takes the same steps, but computes in bfloat16: as good, and on a CPU without bfloat16 two to
    four times slower. A test holds the two together.
    """

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


def adam_and_muon(model: nn.Module, adam_rate: float, muon_rate: float) -> list[torch.optim.Optimizer]:
    """Return the optimisers of a language model: Muon for the matrices inside it, Adam for all else."""
    named = list(model.named_parameters())
    matrices = [p for name, p in named if p.ndim == 2 and "embedding" not in name and "output" not in name]
    chosen = {id(p) for p in matrices}
    others = [p for _, p in named if id(p) not in chosen]
    adam = torch.optim.Adam(others, lr=adam_rate, betas=(0.9, 0.95))
    return [adam, Muon(matrices, lr=muon_rate)] if matrices else [adam]


class Descent:
    """A model with its optimisers and how many steps they have taken; `share(step)` is the part of the full rate."""

    def __init__(
        self,
        model: nn.Module,
        optimisers: Sequence[torch.optim.Optimizer],
        share: Callable[[int], float],
    ):
        self.model, self.optimisers, self.share, self.step_count = model, optimisers, share, 0
        self.full_rates = [optimiser.param_groups[0]["lr"] for optimiser in optimisers]

    def step(self, loss: Callable[[], Tensor]) -> float:
        """Take one step down the gradient of `loss()` and return the loss before it."""
        for optimiser, full in zip(self.optimisers, self.full_rates, strict=True):
            optimiser.param_groups[0]["lr"] = full * self.share(self.step_count)
        before = loss()
        self.model.zero_grad()
        before.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), LONGEST)
        for optimiser in self.optimisers:
            optimiser.step()
        self.step_count += 1
        return before.item()

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
