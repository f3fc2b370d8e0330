r"""A bidirectional language model: two LSTM language models, one from each end, that share their words and nothing else.

    x_t = sum_i E_i                                 over the pieces of word t
    h>_t,0 = x_t        h>_t,j = LSTM>_j(h>_t,j-1)        from the left: it has read w_1 ... w_t
    h<_t,0 = x_t        h<_t,j = LSTM<_j(h<_t,j-1)        from the right: it has read w_n ... w_t
    p(w_t+1 | w_1 ... w_t) = softmax(W (h>_t,1 + h>_t,2) + b)
    p(w_t-1 | w_n ... w_t) = softmax(W (h<_t,1 + h<_t,2) + b)

with j = 1, 2, the way past the second layer, and one W for both directions. A direction never sees the other's states:
a second layer over both, as a tagger has it, would be told the word that it must guess. A sentence stands between two
marks <s>. Fitting runs torch's fused layer; `read_both_ways` is the same equations one word at a time, by the course's
`lstm_step`, on the same weights (a test holds the two together).

Peters, Neumann, Iyyer, Gardner, Clark, Lee and Zettlemoyer (2018), Deep Contextualized Word Representations, 3.1, 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn

from core.models.documents.fit_reader import batch_equal_lengths
from core.models.documents.word_pieces import WordPieces
from core.models.recurrent_language_model import StepWeights, lstm_step

MARK = "<s>"  # where a sentence begins, and where it ends
OTHER = "<other word>"  # every word that the output has no row for
LAYERS = 2
BATCH = 256  # sentences side by side


@dataclass(frozen=True)
class BothWaysConfig:
    """The shape: R rows of the table of pieces, V words to guess, C numbers a word, a layer and a direction.

    `dropout` is the share of numbers of x and of what guesses that a step of fitting leaves out.
    """

    pieces: int
    words: int
    width: int = 96
    dropout: float = 0.0


class BidirectionalLanguageModel(nn.Module):
    """The table of pieces, two LSTMs from each end, and the layer that guesses a word."""

    def __init__(self, config: BothWaysConfig):
        super().__init__()
        self.config = config
        C = config.width
        self.embedding = nn.Embedding(config.pieces, C, padding_idx=0)
        self.ahead = nn.ModuleList(nn.LSTM(C, C, batch_first=True) for _ in range(LAYERS))
        self.back = nn.ModuleList(nn.LSTM(C, C, batch_first=True) for _ in range(LAYERS))
        self.output, self.dropout = nn.Linear(C, config.words), nn.Dropout(config.dropout)
        nn.init.normal_(self.embedding.weight, std=0.1)
        with torch.no_grad():
            self.embedding.weight[0] = 0

    def words(self, pieces: Tensor) -> Tensor:
        """Return x (B, T, C) of the pieces (B, T, P) of sentences of one length."""
        x = nn.functional.embedding_bag(
            pieces.flatten(0, 1), self.embedding.weight, mode="sum", padding_idx=0
        )
        return x.unflatten(0, pieces.shape[:2])

    def layers(self, x: Tensor) -> Tensor:
        """Return the states of x (B, T, C) from the left and from the right: (2, LAYERS, B, T, C)."""
        return torch.stack([lstm_states(self.ahead, x), lstm_states(self.back, x.flip(1)).flip(2)])

    def loss(self, pieces: Tensor, words: Tensor) -> Tensor:
        """Return the mean of -ln p over both directions: pieces (B, T, P), numbers of the words (B, T), marks and all."""
        return self.surprise(pieces, words).mean()

    def surprise(self, pieces: Tensor, words: Tensor) -> Tensor:
        """Return -ln p of words 2 to T from the left and of words 1 to T - 1 from the right, (2, B, T - 1)."""
        ahead, back = self.layers(self.dropout(self.words(pieces))).sum(dim=1)  # (B, T, C) each
        guessing = self.dropout(torch.stack([ahead[:, :-1], back[:, 1:]]))  # (2, B, T - 1, C)
        told = torch.stack([words[:, 1:], words[:, :-1]])
        return nn.functional.cross_entropy(
            self.output(guessing).flatten(0, 2), told.flatten(), reduction="none"
        ).unflatten(0, told.shape)

    def step_weights(self, backward: bool, layer: int) -> StepWeights:
        """Return the weights of a layer, from 0, of one direction as the step function takes them."""
        lstm = (self.back if backward else self.ahead)[layer]
        return StepWeights(lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0, lstm.bias_hh_l0)


def lstm_states(lstms: nn.ModuleList, x: Tensor) -> Tensor:
    """Return the states of LSTMs on top of one another that read x (B, T, C): (LAYERS, B, T, C)."""
    found = []
    for lstm in lstms:
        x, _ = lstm(x)
        found.append(x)
    return torch.stack(found)


@dataclass(frozen=True)
class ReadBothWays:
    """A sentence of n words, read between its marks from both ends.

    `x` (n, C); the states (LAYERS, n, C) from the left and from the right; and ln p of each of the n words and of the
    mark behind the last (before the first, from the right), each (n + 1,) in the order of the text.
    """

    x: np.ndarray
    ahead: np.ndarray
    back: np.ndarray
    ln_p_ahead: np.ndarray
    ln_p_back: np.ndarray

    @property
    def layers(self) -> np.ndarray:
        """Return layers 0 to LAYERS from the left and from the right, (LAYERS + 1, 2, n, C); layer 0 is x twice."""
        return np.stack([np.stack([self.x, self.x]), *np.stack([self.ahead, self.back], axis=1)])


@dataclass(frozen=True)
class BothWaysModel:
    """A network with the pieces of words that it reads and the words that it guesses."""

    network: BidirectionalLanguageModel
    pieces: WordPieces
    words: tuple[str, ...]

    @cached_property
    def index(self) -> dict[str, int]:
        """Each word's number."""
        return {word: number for number, word in enumerate(self.words)}

    def numbers(self, words: Sequence[str]) -> list[int]:
        """Return the number of each word among those that are guessed; 0 for every other word."""
        return [self.index.get(word.lower(), 0) for word in words]

    @torch.inference_mode()
    def read(self, words: Sequence[str]) -> ReadBothWays:
        """Return every state of reading a sentence from both ends, and how likely each of its words was."""
        return read_both_ways(
            self.network, self.pieces.of([MARK, *words, MARK]), self.numbers([MARK, *words, MARK])
        )

    @torch.inference_mode()
    def layers_of(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return the layers (LAYERS + 1, 2, n, C) of many sentences, none of them empty, read at once."""
        found: list[np.ndarray] = [np.empty(0)] * len(sentences)
        for places in batch_equal_lengths([len(words) for words in sentences], BATCH, seed=0):
            marked = [self.pieces.of([MARK, *sentences[i], MARK]) for i in places]
            x = self.network.words(torch.stack(marked))  # (B, T, C)
            h = torch.cat(
                [torch.stack([x, x])[:, None], self.network.layers(x)], dim=1
            )  # (2, L + 1, B, T, C)
            for b, i in enumerate(places):
                found[i] = h[:, :, b, 1:-1].transpose(0, 1).numpy()
        return found


def read_one_way(x: Tensor, layers: Sequence[StepWeights]) -> Tensor:
    """Return the states of LSTMs on top of one another that read x (T, C) from its first row on: (L, T, H).

    All weights nought but the candidate's: gates half open, c_t = c_t-1 / 2 + tanh(x_t) / 2, h_t = tanh(c_t) / 2.

    >>> half = StepWeights(torch.tensor([[0.0], [0.0], [1.0], [0.0]]), torch.zeros(4, 1), torch.zeros(4), torch.zeros(4))
    >>> read_one_way(torch.tensor([[2.0], [-1.0]]), [half]).flatten().double().numpy().round(4).tolist()
    [0.2239, -0.0694]
    """
    found = []
    for weights in layers:
        h = c = torch.zeros(weights.W_h.shape[1])
        read = []
        for x_t in x:
            h, gates = lstm_step(x_t, h, c, weights)
            c = gates["c"]
            read.append(h)
        x = torch.stack(read)
        found.append(x)
    return torch.stack(found)


@torch.inference_mode()
def read_both_ways(network: BidirectionalLanguageModel, pieces: Tensor, words: Sequence[int]) -> ReadBothWays:
    """Return a sentence of T = n + 2 words, its marks among them, read from both ends: pieces (T, P), numbers (T,)."""
    x = network.embedding(pieces).sum(dim=1)  # (T, C)
    ahead = read_one_way(x, [network.step_weights(False, j) for j in range(LAYERS)])  # (L, T, C)
    back = read_one_way(x.flip(0), [network.step_weights(True, j) for j in range(LAYERS)]).flip(1)
    told = torch.tensor(words)
    next_word = network.output(ahead.sum(0)[:-1]).double().log_softmax(-1)  # (T - 1, V): of words 2 to T
    word_before = network.output(back.sum(0)[1:]).double().log_softmax(-1)  # (T - 1, V): of words 1 to T - 1
    inner = slice(1, -1)
    return ReadBothWays(
        x[inner].numpy(),
        ahead[:, inner].numpy(),
        back[:, inner].numpy(),
        next_word.gather(1, told[1:, None])[:, 0].numpy(),
        word_before.gather(1, told[:-1, None])[:, 0].numpy(),
    )
