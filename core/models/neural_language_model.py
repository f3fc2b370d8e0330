"""A trained network as a language model: p(next | context), and reading on from where it was.

A `Reading` is what a model knows after some context: the next token's log-probabilities, and how to go on with
any token. It is never changed, so greedy search, sampling, forcing a token, and the many branches of beam search
all start from readings that they share. A GPT's reading holds the keys and values of every layer; a recurrent
network's holds its hidden state; a feed-forward network's holds the last few tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.language_model import LanguageModel
from core.models.recurrent_language_model import RecurrentLanguageModel

PART = 4096  # tokens read at once where the network carries a state, so that a book fits in memory


@dataclass(frozen=True)
class Reading:
    """What a model says after a context: logits and log-probabilities of the next token, (V,), and how to go on."""

    context: tuple[int, ...]
    logits: np.ndarray
    then: Callable[[int], Reading]
    state: object = None  # what a network carries on: tensors, one row for each text that was read together
    row: int = 0  # this text's

    @cached_property
    def log_probabilities(self) -> np.ndarray:
        """ln softmax(logits), (V,), in float64."""
        return log_softmax(self.logits)


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Return logits - ln sum e^logits, in float64, minus infinity where the logit is.

    >>> np.exp(log_softmax(np.array([0.0, 0.0, -np.inf]))).tolist()
    [0.5, 0.5, 0.0]
    """
    shifted = np.asarray(logits, dtype=np.float64) - np.max(logits)
    return shifted - np.log(np.exp(shifted).sum())


def read(model: LanguageModel, context: Sequence[int]) -> Reading:
    """Return any language model's reading of a context; log-probabilities stand in for logits it does not have."""
    if hasattr(model, "read"):
        return model.read(context)
    ids = tuple(context)
    return Reading(ids, np.asarray(model.log_probabilities(ids)), lambda token: read(model, (*ids, token)))


def read_on(model: LanguageModel, readings: Sequence[Reading], tokens: Sequence[int]) -> list[Reading]:
    """Return each reading gone on with its token; a network reads all of them at once, if it can."""
    if len(readings) > 1 and hasattr(model, "read_together"):
        return model.read_together(readings, tokens)
    return [reading.then(token) for reading, token in zip(readings, tokens, strict=True)]


def read_block(model: LanguageModel, reading: Reading, tokens: Sequence[int]) -> list[Reading]:
    """Return the readings after each of some tokens that go on from a reading; a GPT reads all of them in one call."""
    if hasattr(model, "read_block"):
        return model.read_block(reading, tokens)
    return read_one_by_one(reading, tokens)


def read_one_by_one(reading: Reading, tokens: Sequence[int]) -> list[Reading]:
    """Return the readings after each of some tokens that go on from a reading, in one call per token."""
    readings = [reading]
    for token in tokens:
        readings.append(readings[-1].then(token))
    return readings[1:]


def select_state_rows(state, chosen: Sequence[int], dim: int):
    """Return some texts' state, of a state that has one row a text along the dimension `dim`.

    >>> select_state_rows([torch.tensor([[1, 2], [3, 4]])], [1, 1], dim=0)
    (tensor([[3, 4],
            [3, 4]]),)
    """
    if isinstance(state, Tensor):
        return state.index_select(dim, torch.tensor(chosen))
    return tuple(select_state_rows(part, chosen, dim) for part in state)


def joined(states: Sequence, dim: int):
    """Return several texts' states as one, its tensors joined along the dimension `dim`.

    >>> joined([(torch.zeros(1, 3),), (torch.ones(1, 3),)], dim=0)[0].tolist()
    [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    """
    if isinstance(states[0], Tensor):
        return torch.cat(tuple(states), dim=dim)
    return tuple(joined(parts, dim) for parts in zip(*states, strict=True))


def state_of(readings: Sequence[Reading], dim: int):
    """Return what was carried on in several readings as one state; those that were read together are picked from it."""
    state = readings[0].state
    if all(reading.state is state for reading in readings):
        return select_state_rows(state, [reading.row for reading in readings], dim)
    return joined([select_state_rows(reading.state, [reading.row], dim) for reading in readings], dim)


def window_start(n: int, context: int) -> int:
    """Return where the window begins that predicts token n: 0 while all n fit, then every half context further.

    Learned positions cannot slide, so a full window starts again with its later half. Every token is thus
    predicted from at least half a context, and with or without a cache from exactly the same one.

    >>> [window_start(n, context=4) for n in range(1, 10)]
    [0, 0, 0, 0, 2, 2, 4, 4, 6]
    """
    half = max(1, context // 2)
    return 0 if n <= context else -(-(n - context) // half) * half


class NeuralLanguageModel:
    """A network, its vocabulary, and the token that stands before every text.

    The network answers `network(ids (B, T), state) -> logits (B, T, V), state`. `context` is the most tokens it can
    look at, None for a recurrent network.
    """

    def __init__(self, network: nn.Module, vocabulary: Sequence[str], start: int = 0):
        self.network, self.vocabulary, self.start = network.eval(), tuple(vocabulary), start

    @property
    def context(self) -> int | None:
        """The most tokens the network's positions allow, or None when it carries a state of fixed size."""
        return self.network.config.context if hasattr(self.network, "blocks") else None

    @property
    def rows(self) -> int:
        """The dimension along which a state has one row a text."""
        return 1 if isinstance(self.network, RecurrentLanguageModel) else 0

    @property
    def parameters(self) -> int:
        """How many numbers were learned."""
        return sum(parameter.numel() for parameter in self.network.parameters())

    def log_probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return ln p(next | context), (V,); an empty context is the start of a text."""
        return self.read(context).log_probabilities

    def read(self, context: Sequence[int]) -> Reading:
        """Return the reading of a context, each token read once."""
        return self._read(tuple(context), None, (self.start, *context))

    @torch.inference_mode()
    def _read(self, context: tuple[int, ...], state, new: tuple[int, ...]) -> Reading:
        """Return the reading of `context`, of which `state` has read all but `new`."""
        everything = (self.start, *context)
        if self.context is not None:
            begin = window_start(len(everything), self.context)
            if state is None or begin > window_start(len(everything) - 1, self.context):
                state, new = None, everything[begin:]
        after = state
        for part in torch.tensor([new]).split(PART, dim=1):
            logits, after = self.network(part, after)
        return self._reading(context, logits[0, -1], after)

    def _reading(self, context: tuple[int, ...], logits: Tensor, state, row: int = 0) -> Reading:
        """Return what was read, with the way to go on."""

        def then(token: int) -> Reading:
            return self._read((*context, token), select_state_rows(state, [row], self.rows), (token,))

        return Reading(context, logits.double().numpy(), then, state, row)

    def _window_ends(self, n: int, more: int) -> bool:
        """Return whether a text of n tokens, the start token among them, needs another window within so many more."""
        return self.context is not None and window_start(n + more, self.context) > window_start(
            n, self.context
        )

    @torch.inference_mode()
    def read_together(self, readings: Sequence[Reading], tokens: Sequence[int]) -> list[Reading]:
        """Return each reading gone on with its token, in one call where all are equally long and no window ends."""
        lengths = {len(reading.context) + 1 for reading in readings}  # the start token stands before
        n = lengths.pop()
        if lengths or self._window_ends(n, 1):
            return [reading.then(token) for reading, token in zip(readings, tokens, strict=True)]
        logits, after = self.network(
            torch.tensor(tokens)[:, None], state_of(readings, self.rows)
        )  # (B, 1, V)
        return [
            self._reading((*reading.context, token), logits[i, -1], after, row=i)
            for i, (reading, token) in enumerate(zip(readings, tokens, strict=True))
        ]

    @torch.inference_mode()
    def read_block(self, reading: Reading, tokens: Sequence[int]) -> list[Reading]:
        """Return the readings after each token, in one call of a GPT where no window ends; else one by one.

        A position's keys and values do not depend on later positions, so each reading has the first of the block's.
        """
        n = len(reading.context) + 1  # the start token stands before
        if self.context is None or self._window_ends(n, len(tokens)):
            return read_one_by_one(reading, tokens)
        state = select_state_rows(reading.state, [reading.row], self.rows)
        logits, after = self.network(torch.tensor([list(tokens)]), state)  # (1, T, V)
        read_before = after[0][0].shape[2] - len(tokens)
        return [
            self._reading(
                (*reading.context, *tokens[: i + 1]),
                logits[0, i],
                [(k[:, :, : read_before + i + 1], v[:, :, : read_before + i + 1]) for k, v in after],
            )
            for i in range(len(tokens))
        ]

    @torch.inference_mode()
    def token_log_probabilities(self, tokens: Sequence[int]) -> np.ndarray:
        """Return ln p(token | all before it) for every token, (n,): the same numbers as reading one by one."""
        ln_p = self.log_probabilities_along(tokens)
        return ln_p[np.arange(len(ln_p)), np.asarray(tokens, dtype=int)]

    @torch.inference_mode()
    def log_probabilities_along(self, tokens: Sequence[int]) -> np.ndarray:
        """Return ln p of all that could stand in each token's place, given all before it, (n, V)."""
        ids = torch.tensor([self.start, *tokens])[:-1]
        parts = self._whole(ids) if self.context is None else self._windows(ids)
        return torch.cat([functional.log_softmax(logits.double(), dim=-1) for logits in parts]).numpy()

    def _whole(self, ids: Tensor) -> Iterator[Tensor]:
        """Yield the logits after every id, (n, V) in parts, the state carried from part to part."""
        state = None
        for part in ids.split(PART):
            logits, state = self.network(part[None], state)
            yield logits[0]

    def _windows(self, ids: Tensor) -> Iterator[Tensor]:
        """Yield the logits after every id, (n, V) in parts, each from the window that predicts it."""
        done = 0
        while done < len(ids):
            begin = window_start(done + 1, self.context)
            end = min(begin + self.context, len(ids))
            logits, _ = self.network(ids[None, begin:end], None)
            yield logits[0, done - begin :]
            done = end


def average_log_probability(model: LanguageModel, pieces: Sequence[Tensor | Sequence[int]]) -> float:
    """Return the mean of ln p over the tokens of several texts, each read from its own start."""
    scored = [model.token_log_probabilities([int(token) for token in piece]) for piece in pieces]
    return float(np.concatenate(scored).mean())
