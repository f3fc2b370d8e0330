"""Catastrophic forgetting: what a pretrained network still knows of its first task, before and after it learnt another.

    F = L(after) - L(before)        L: the masked loss, -1/|M| sum_{t in M} ln p(x_t | the text with <mask> at M)

The same tokens M of the same passages are hidden before and after. The passages are the ends of plays, which the
masked model never trained on; nor does any labelled sentence stand there.

Source: McCloskey and Cohen (1989), Catastrophic interference in connectionist networks.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from torch import Tensor

from core.models.self_attention.gpt import GPT
from core.models.self_attention.masked_language_model import stored_masked_model
from core.text.samples.shelf import plays

PASSAGES, TOKENS, HIDDEN = 24, 64, 10
END = 20  # a passage begins where the last twentieth of its play begins: the model's held-out part is the last tenth
CHARACTERS = 600  # that hold TOKENS tokens


@cache
def passages(model: str) -> tuple[Tensor, Tensor]:
    """Return passages of plays' ends, ids (P, TOKENS), and the HIDDEN places of each, True in M, (P, TOKENS).

    There are none where the package of the plays is missing.
    """
    pairs, generator = stored_masked_model(model).pairs, torch.Generator().manual_seed(15)
    texts = [each.text() for each in plays()[:PASSAGES]]
    found = [
        pairs.encode(text[-(len(text) // END) :][:CHARACTERS].partition("\n")[2])[:TOKENS] for text in texts
    ]
    ids = torch.tensor(found, dtype=torch.long).reshape(-1, TOKENS)
    places = torch.zeros(ids.shape, dtype=torch.bool)
    for row in places:
        row[torch.randperm(TOKENS, generator=generator)[:HIDDEN]] = True
    return ids, places


@torch.inference_mode()
def masked_losses(network: GPT, ids: Tensor, places: Tensor, mask: int) -> np.ndarray:
    """Return each passage's masked loss, (P,), in nats a hidden token; all of its hidden places are shown as <mask>."""
    if not len(ids):
        return np.zeros(0)
    logits, _ = network(ids.masked_fill(places, mask))  # (P, T, V + 1)
    ln_p = logits[places].double().log_softmax(-1)
    losses = -ln_p.gather(1, ids[places][:, None])
    return losses.reshape(len(ids), -1).mean(1).numpy()
