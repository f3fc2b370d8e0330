"""A captioner at work on one picture: word by word, each drawn from what the decoder says, with all that led to it.

z_t = decoder(<start>, y_1, ..., y_{t-1}; h̄)        h̄: the picture's states
y_t drawn from softmax(z_t / T), cut by top-k and top-p; T = 0: the likeliest
until <end>
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from core.models.generation.sampling import SamplingSettings, Step, generate
from core.models.images.captioner import END, LONGEST, MARKS, START, WORDS, CaptionerConfig, ids_of
from core.models.images.stored_captioner import Captioner
from core.models.neural_language_model import Reading, log_softmax

GREEDY = SamplingSettings(temperature=0.0)


class CaptionModel:
    """A captioner looking at one picture (3, S, S), as a language model of what is said of it."""

    vocabulary = WORDS

    def __init__(self, network: Captioner, picture: np.ndarray):
        with torch.inference_mode():
            self.network, self.states = network, network.encode(torch.from_numpy(picture)[None])

    @torch.inference_mode()
    def read(self, context: Sequence[int]) -> Reading:
        """Return what the decoder says after the words of `context`; it has read <start> before them."""
        ids = tuple(context)
        logits = self.network.decode(torch.tensor([[START, *ids]]), self.states).logits[0, -1]
        return Reading(ids, logits.double().numpy(), lambda word: self.read((*ids, word)))

    def log_probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return ln p(next word | context, picture), (V,)."""
        return self.read(context).log_probabilities


@dataclass(frozen=True)
class WrittenCaption:
    """T steps, each with its distribution, and where the decoder looked before each word, weights (L, H, T, N)."""

    steps: tuple[Step, ...]
    weights: np.ndarray

    @property
    def ids(self) -> tuple[int, ...]:
        """The words' ids, with <end> where it came so far, (T,)."""
        return tuple(step.token for step in self.steps)

    @property
    def words(self) -> tuple[str, ...]:
        """What was written at each step, (T,)."""
        return tuple(WORDS[i] for i in self.ids)

    @property
    def caption(self) -> str:
        """The caption as a sentence, without marks."""
        return in_words(self.ids)

    @cached_property
    def p(self) -> tuple[float, ...]:
        """The model's probability of each word, temperature and cuts aside, (T,)."""
        return tuple(float(np.exp(log_softmax(each.trace.logits)[each.token])) for each in self.steps)


def in_words(ids: Sequence[int]) -> str:
    """Return ids as a sentence, without marks.

    >>> in_words([3, 6, 11, 2])
    'a red circle'
    """
    return " ".join(WORDS[i] for i in ids if WORDS[i] not in MARKS)


def write_caption(
    network: Captioner, picture: np.ndarray, settings: SamplingSettings = GREEDY, seed: int = 1
) -> WrittenCaption:
    """Return what a captioner writes about a picture (3, S, S): as `settings` say, with the seed's luck."""
    model, steps = CaptionModel(network, picture), []
    for step in generate(model, (), LONGEST, settings, seed):
        steps.append(step)
        if step.token == END:
            break
    before = torch.tensor([[START, *(step.token for step in steps[:-1])]])
    with torch.inference_mode():
        weights = network.decode(before, model.states).weights[0]  # (L, H, T, N)
    return WrittenCaption(tuple(steps), weights.numpy())


def drawn_captions(
    network: Captioner, picture: np.ndarray, settings: SamplingSettings, seeds: Iterable[int]
) -> Counter[str]:
    """Return how often each caption comes of the seeds."""
    return Counter(write_caption(network, picture, settings, seed).caption for seed in seeds)


def looks(config: CaptionerConfig) -> list[str]:
    """Return the names of what a transformer's attention can be shown of: the last block first, its mean first.

    >>> looks(CaptionerConfig(layers=2, heads=1))
    ['block 2, mean', 'block 2, head 1', 'block 1, mean', 'block 1, head 1']
    """
    parts = ("mean", *(f"head {head}" for head in range(1, config.heads + 1)))
    return [f"block {block}, {part}" for block in range(config.layers, 0, -1) for part in parts]


def looked_at(written: WrittenCaption, look: str) -> np.ndarray:
    """Return the attention to the patches before each word, (T, N), by the name of what is shown.

    A recurrent decoder has but one attention, whatever the name.
    """
    if written.weights.shape[:2] == (1, 1):
        return written.weights[0, 0]
    block, _, part = look.removeprefix("block ").partition(", ")
    heads = written.weights[int(block) - 1]  # (H, T, N)
    return heads.mean(0) if part == "mean" else heads[int(part.removeprefix("head ")) - 1]


def first_wrong(written: WrittenCaption, truth: str) -> int:
    """Return the step, from 0, at which a caption leaves the right one; -1 where it is right to the word."""
    right = ids_of(truth)
    for step, word in enumerate(written.ids):
        if step >= len(right) or word != right[step]:
            return step
    return -1 if len(written.ids) == len(right) else len(written.ids)
