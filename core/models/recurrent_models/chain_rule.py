"""The chain rule back through a plain RNN by hand: from one state's gradient to the state's before it.

    dL/dh_T   = E^T (p - y)
    dL/dh_t-1 = W_h^T diag(1 - h_t^2) dL/dh_t
    dL/dW_h   = sum_t (diag(1 - h_t^2) dL/dh_t) h_t-1^T                      every step adds to the same weights

Source: Werbos (1990), Backpropagation Through Time: What It Does and How to Do It.
"""

from __future__ import annotations

import torch
from torch import Tensor


def last_gradient(E: Tensor, probabilities: Tensor, target: int) -> Tensor:
    """Return dL/dh_T = E^T (p - y), (H,), where y is 1 at the target and 0 elsewhere; logits are h E^T + b.

    >>> last_gradient(torch.eye(2), torch.tensor([0.25, 0.75]), 1).tolist()
    [0.25, -0.25]
    """
    y = torch.nn.functional.one_hot(torch.tensor(target), len(probabilities))
    return E.T @ (probabilities - y)


def factors(W_h: Tensor, hidden: Tensor) -> Tensor:
    """Return W_h^T diag(1 - h_t^2) for every step of a plain RNN, (T, H, H): what takes dL/dh_t to dL/dh_t-1.

    >>> factors(torch.tensor([[2.0]]), torch.tensor([[0.0], [0.5]])).flatten().tolist()
    [2.0, 1.5]
    """
    return W_h.T * (1 - hidden**2)[:, None, :]


def backpropagated(W_h: Tensor, hidden: Tensor, last: Tensor) -> Tensor:
    """Return dL/dh_t at every step of a plain RNN, (T, H), from its last, by hand.

    dL/dh_t-1 = W_h^T ((1 - h_t^2) * dL/dh_t)
    """
    gradients = [last]
    for h in hidden.flip(0)[:-1]:
        gradients.append(W_h.T @ ((1 - h**2) * gradients[-1]))
    return torch.stack(gradients).flip(0)


def weight_gradients(hidden: Tensor, gradients: Tensor) -> Tensor:
    """Return each step's part of dL/dW_h of a plain RNN, (T, H, H); their sum is the gradient.

    (diag(1 - h_t^2) dL/dh_t) h_t-1^T, with h_-1 = 0
    """
    before = torch.cat((torch.zeros_like(hidden[:1]), hidden[:-1]))
    return ((1 - hidden**2) * gradients)[:, :, None] * before[:, None, :]
