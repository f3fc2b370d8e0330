"""A transformer that translates, with a piece removed: its cross-attention, or the mask of its decoder.

    no cross-attention    y = y + 0                      what the decoder gathers from the input is not added
    no mask               softmax(Q K^T / sqrt(d) + b)   a written word sees the words after it, once they are there

Each function returns a new model with the trained arrays; the model that it is given stays as it is.
"""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import Tensor

from core.models.self_attention.attention import bidirectional_mask
from core.models.transformers.encoder_decoder import EncoderDecoder


def without_cross_attention(model: EncoderDecoder) -> EncoderDecoder:
    """Return the model with cross-attention that looks as before and adds nothing: the decoder is deaf to the input."""
    broken = deepcopy(model)
    with torch.no_grad():
        for block in broken.decoder:
            block.cross_attention.project.weight.zero_()
    return broken


class Unmasked(EncoderDecoder):
    """A transformer whose decoder hides nothing from itself."""

    def own_mask(self, T: int) -> Tensor:
        """Return a mask that hides nothing, (T, T)."""
        return bidirectional_mask(T)


def without_mask(model: EncoderDecoder) -> EncoderDecoder:
    """Return the model without the mask in its decoder, which it was trained with."""
    broken = Unmasked(model.config)
    broken.load_state_dict(model.state_dict())
    return broken.eval()
