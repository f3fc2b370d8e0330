r"""Reading from the left, or from both ends: a recurrent network as a tagger and as a classifier.

    x_t = sum_i E_i                          over the pieces of word t
    h>_t = GRU(x_t, h>_t-1),  h>_0 = 0       from the left: what stands before the word, and the word
    h<_t = GRU(x_t, h<_t+1),  h<_n+1 = 0     from the right: the word, and what stands after it

    tagger      p_t = softmax(W [h>_t; h<_t] + b)     a distribution over the tags, for every word
    classifier  p   = softmax(W [h>_n; h<_1] + b)     one over the classes, from the two last states

A network of one direction has h> alone. Fitting runs torch's fused layer; `read_pieces` is the same equations one word at a
time, by the course's `gru_step`, on the same weights (a test holds the two together).

Schuster and Paliwal (1997), Bidirectional recurrent neural networks; Graves and Schmidhuber (2005), Framewise phoneme
classification; Plank, Søgaard and Goldberg (2016), Multilingual part-of-speech tagging with bidirectional LSTMs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from core.models.recurrent_language_model import StepWeights, gru_step

DROPPED = 0.3  # of the numbers of x and of h, while fitting


@dataclass(frozen=True)
class ReaderConfig:
    """The shape of a reader: R rows of the table, C classes, d numbers a row, H numbers in all states together."""

    pieces: int
    classes: int
    of_documents: bool = False  # a classifier; else a tagger
    directions: int = 2
    width: int = 32
    units: int = 128


class RecurrentReader(nn.Module):
    """Embedding, one GRU from each end, and a layer over their states."""

    def __init__(self, config: ReaderConfig):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.pieces, config.width, padding_idx=0)
        each = config.units // config.directions
        self.layer = nn.GRU(config.width, each, batch_first=True, bidirectional=config.directions == 2)
        self.output = nn.Linear(config.units, config.classes)
        nn.init.normal_(self.embedding.weight, std=0.1)
        with torch.no_grad():
            self.embedding.weight[0] = 0

    def forward(self, pieces: Tensor) -> Tensor:
        """Return logits of the pieces (B, T, P) of texts of one length: (B, T, C) of a tagger, (B, C) of a classifier."""
        table = self.embedding.weight
        x = nn.functional.embedding_bag(pieces.flatten(0, 1), table, mode="sum", padding_idx=0)  # (B T, d)
        x = self._dropped(x.unflatten(0, pieces.shape[:2]))  # (B, T, d)
        states, last = self.layer(x)  # (B, T, H) and (directions, B, H / directions)
        if self.config.of_documents:
            states = torch.cat(list(last), dim=1)  # (B, H)
        return self.output(self._dropped(states))

    def _dropped(self, values: Tensor) -> Tensor:
        return nn.functional.dropout(values, DROPPED, self.training)

    def step_weights(self, backward: bool) -> StepWeights:
        """Return one direction's weights as the step function takes them."""
        end = "_reverse" if backward else ""
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        return StepWeights(*(getattr(self.layer, name + end) for name in names))


@dataclass(frozen=True)
class RecurrentReading:
    """A text read word by word: x (n, d), the states from the left (n, H'), those from the right too if there are any.

    `W` (C, H) and `b` (C,) are the layer over the states.
    """

    x: np.ndarray
    ahead: np.ndarray
    back: np.ndarray | None
    W: np.ndarray
    b: np.ndarray

    @property
    def states(self) -> np.ndarray:
        """[h>_t; h<_t] for every word, (n, H)."""
        return self.ahead if self.back is None else np.hstack([self.ahead, self.back])

    @property
    def tag_probabilities(self) -> np.ndarray:
        """What a tagger says of each word, (n, C)."""
        return softmax(self.states @ self.W.T + self.b)

    @property
    def evidence(self) -> tuple[np.ndarray, np.ndarray | None]:
        """What each direction's state adds to a classifier's z when it has come to each word, (n, C) each.

        From the left the last row counts, from the right the first: z = both of them, and b.
        """
        width = self.ahead.shape[1]
        ahead = self.ahead @ self.W[:, :width].T
        return ahead, None if self.back is None else self.back @ self.W[:, width:].T

    @property
    def class_probabilities(self) -> np.ndarray:
        """What a classifier says of the whole text, (C,)."""
        ahead, back = self.evidence
        return softmax(ahead[-1] + (0 if back is None else back[0]) + self.b)


def softmax(z: np.ndarray) -> np.ndarray:
    """Return e^z divided by its sum, along the last axis.

    >>> softmax(np.log([3.0, 1.0]))
    array([0.75, 0.25])
    """
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def states(x: Tensor, weights: StepWeights) -> Tensor:
    """Return h_1 ... h_n, (n, H), of reading x (n, d) from its first row on, from a state of noughts.

    One number in, one unit; gates that are always half open, since their weights are nought: n_t = tanh(x_t), and
    h_t = (tanh(x_t) + h_t-1) / 2.

    >>> half = StepWeights(torch.tensor([[0.0], [0.0], [1.0]]), torch.zeros(3, 1), torch.zeros(3), torch.zeros(3))
    >>> states(torch.tensor([[2.0], [-1.0]]), half).numpy().ravel().astype(float).round(4).tolist()
    [0.482, -0.1398]
    """
    h = torch.zeros(weights.W_h.shape[1])
    read = []
    for x_t in x:
        h, _ = gru_step(x_t, h, weights)
        read.append(h)
    return torch.stack(read)


@torch.no_grad()
def read_pieces(network: RecurrentReader, pieces: Tensor) -> RecurrentReading:
    """Return every state of reading a text's pieces (n, P), n > 0, from the left, and from the right by two directions."""
    x = network.embedding(pieces).sum(dim=1)  # (n, d)
    ahead = states(x, network.step_weights(backward=False)).numpy()
    back = None
    if network.config.directions == 2:
        back = states(x.flip(0), network.step_weights(backward=True)).flip(0).numpy()
    W, b = network.output.weight.numpy(), network.output.bias.numpy()
    return RecurrentReading(x.numpy(), ahead, back, W, b)
