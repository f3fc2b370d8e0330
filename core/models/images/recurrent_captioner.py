"""A recurrent decoder that describes a picture: it reads the word before, looks at the patches, then writes.

    h_0   = tanh(W_0 relu(V_0 mean_i h̄_i))       the first state knows the picture only on average
    s_t   = GRU_1(y_{t-1}, h_{t-1})              it has read y: the embedding of the word before
    e_ti  = v_a . tanh(W_a s_t + U_a h̄_i)        additive score of patch i
    a_ti  = exp(e_ti) / sum_j exp(e_tj)          attention weights
    c_t   = sum_i a_ti h̄_i                       the context
    h_t   = GRU_2(c_t, s_t)                      it has looked too
    p(y_t | y_<t, picture) = softmax(W_s tanh(W_c [h_t; c_t]))

Two steps a word, so that the look can depend on the word before: after "circles" the other group is looked for.

Sources: Xu et al. (2015), Show, Attend and Tell, with soft attention; its LSTM is here the conditional GRU with attention
of Sennrich et al. (2017), Nematus, section 2.
Shapes: B pictures, N patches, T words, C numbers a state, V words in the vocabulary.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from core.models.images.captioner import PADDING, CaptionerConfig, Described
from core.models.images.picture_encoder import PictureEncoder
from core.models.translation.seq2seq import AttentionScore


class RecurrentCaptioner(nn.Module):
    """The encoder and the recurrent decoder; it keeps nothing of a picture."""

    def __init__(self, config: CaptionerConfig):
        super().__init__()
        self.config, C = config, config.width
        self.encoder = PictureEncoder(config.side, C)
        self.target_embedding = nn.Embedding(config.words, C, PADDING)
        self.V_0, self.W_0 = nn.Linear(C, 2 * C), nn.Linear(2 * C, C)
        self.score = AttentionScore("additive", C)
        self.read, self.look = nn.GRUCell(C, C), nn.GRUCell(C, C)
        self.W_c = nn.Linear(2 * C, C)
        self.W_s = nn.Linear(C, config.words)

    def encode(self, pictures: Tensor) -> Tensor:
        """Return the states h̄ of pictures (B, 3, S, S), (B, N, C)."""
        return self.encoder(pictures)

    def first_state(self, states: Tensor) -> Tensor:
        """Return h_0, (B, C)."""
        return torch.tanh(self.W_0(self.V_0(states.mean(1)).relu()))

    def decode(self, previous: Tensor, states: Tensor) -> Described:
        """Return what is said after each of the words `previous`, ids (B, T) that begin with <start>."""
        h, y = self.first_state(states), self.target_embedding(previous)  # (B, C), (B, T, C)
        steps, weights = [], []
        for t in range(previous.shape[1]):
            s = self.read(y[:, t], h)  # (B, C)
            a = self.score(s[:, None], states).softmax(-1)  # (B, 1, N)
            c = (a @ states)[:, 0]  # (B, C)
            h = self.look(c, s)
            steps.append(torch.cat((h, c), -1))
            weights.append(a)
        logits = self.W_s(torch.tanh(self.W_c(torch.stack(steps, 1))))  # (B, T, V)
        return Described(logits, torch.cat(weights, 1)[:, None, None])

    def forward(self, pictures: Tensor, previous: Tensor) -> Described:
        """Return all the decoder says of `pictures` when the words before each are `previous`."""
        return self.decode(previous, self.encode(pictures))
