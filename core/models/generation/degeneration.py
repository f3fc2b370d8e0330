"""What goes wrong in a likely text: it runs in circles, and it says little that is different.

    distinct-n = different n-grams / all n-grams        1: nothing is said twice

Sources: Holtzman et al. (2020), The Curious Case of Neural Text Degeneration; Li et al. (2016), A
Diversity-Promoting Objective Function for Neural Conversation Models, for distinct-n.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.generation.beam_search import beam_search
from core.models.generation.sampling import SamplingSettings, distribution, draw_next_token
from core.models.generation.scored_text import ScoredText
from core.models.language_model import LanguageModel
from core.models.neural_language_model import read, read_on
from core.text.tokenization.tokens import words

# What a card calls the counts of texts that loop.
TEXTS, GAINING = "loops, texts", "loops, greedy, more probable in round 6 than in round 2"
SHORT, SHORT_DIFFERENT = "loops, memory of 3", "loops, memory of 3, different"
SHORT_MOST = "loops, memory of 3, most frequent"


@dataclass(frozen=True)
class Cycle:
    """The circle a text ends in: from token `start` on, the same `length` tokens come `times` times."""

    start: int
    length: int
    times: float


def repeated_cycle(tokens: Sequence[int], times: int = 3) -> Cycle | None:
    """Return the circle that a text runs in until its end, at least `times` whole times; None when it has none.

    Of several the one that begins first, then the shortest. Raises ValueError for `times` below two.

    >>> repeated_cycle([9, 1, 2, 1, 2, 1, 2, 1])
    Cycle(start=1, length=2, times=3.5)
    >>> repeated_cycle([1, 2, 3, 1, 2, 4]) is None
    True
    """
    if times < 2:
        raise ValueError("What comes once is no circle: times is at least 2.")
    tokens, found = np.asarray(tokens), None
    for length in range(1, len(tokens) // times + 1):
        differ = np.flatnonzero(tokens[:-length] != tokens[length:])
        start = int(differ[-1]) + 1 if len(differ) else 0
        whole = (len(tokens) - start) / length
        if whole >= times and (found is None or start < found.start):
            found = Cycle(start, length, whole)
    return found


def ngrams(text: Sequence[Hashable], n: int) -> list[tuple]:
    """Return the runs of n tokens of a text, in order.

    >>> ngrams("abc", 2)
    [('a', 'b'), ('b', 'c')]
    """
    return list(zip(*(text[i:] for i in range(n)), strict=False))


def distinct(texts: Iterable[Sequence[Hashable]], n: int) -> tuple[int, int]:
    """Return how many different n-grams several texts have together, and how many in all; none crosses a text.

    >>> distinct([["my", "lord", "my", "lord"], ["my", "lord"]], 2)
    (2, 4)
    """
    found = [ngram for text in texts for ngram in ngrams(text, n)]
    return len(set(found)), len(found)


DRAWN = {
    "greedy": SamplingSettings(temperature=0.0),
    "top_p": SamplingSettings(top_p=0.9),
    "sampled": SamplingSettings(),
}


def drawn_beside(
    model: LanguageModel, prompt: Sequence[int], length: int, settings: Sequence[SamplingSettings], seed: int
) -> list[list[int]]:
    """Return what each of several settings draws after a prompt, `length` tokens, all with the same luck.

    Text for text what sampling.generate gives, but a network reads all of them at once.

    >>> from core.models.language_model import UniformModel
    >>> drawn_beside(UniformModel(("a", "b")), [], 3, [SamplingSettings(0.0), SamplingSettings()], seed=1)
    [[0, 0, 0], [1, 1, 0]]
    """
    texts: list[list[int]] = [[] for _ in settings]
    readings = [read(model, prompt)] * len(settings)
    for i, u in enumerate(np.random.default_rng(seed).random(length)):
        tokens = [
            draw_next_token(distribution(each.logits, how), u)
            for each, how in zip(readings, settings, strict=True)
        ]
        for text, token in zip(texts, tokens, strict=True):
            text.append(token)
        if i + 1 < length:
            readings = read_on(model, readings, tokens)
    return texts


def written_in_every_way(
    model: LanguageModel, prompt: Sequence[int], length: int, width: int = 4, seed: int = 1
) -> dict[str, list[int]]:
    """Return how a model goes on after a prompt: {"greedy", "beam", "top_p", "sampled": `length` tokens}.

    The two that draw use the same seed. No text ends before its length.

    >>> from core.models.language_model import UniformModel
    >>> texts = written_in_every_way(UniformModel(("a", "b")), [], length=3)
    >>> list(texts), texts["greedy"], texts["beam"]
    (['greedy', 'beam', 'top_p', 'sampled'], [0, 0, 0], [0, 0, 0])
    """
    drawn = dict(zip(DRAWN, drawn_beside(model, prompt, length, [*DRAWN.values()], seed), strict=True))
    beam = beam_search(model, prompt, width, length).winning_path
    return {"greedy": drawn.pop("greedy"), "beam": beam, **drawn}


@dataclass(frozen=True)
class JudgedText:
    """A text that was written after a passage: where it is from, what it says, its words, the circle it ends in."""

    source: str
    scored: ScoredText
    text: str
    words: tuple[str, ...]
    cycle: Cycle | None

    @property
    def way(self) -> str:
        """Who wrote it."""
        return self.scored.way

    @property
    def pairs(self) -> tuple[int, int]:
        """Different word pairs, and word pairs in all."""
        return distinct([self.words], 2)


def judge_text(source: str, scored: ScoredText, decode: Callable[[Sequence[int]], str]) -> JudgedText:
    """Return a text with what it says, its words, and the circle it ends in."""
    text = decode(scored.tokens)
    return JudgedText(source, scored, text, tuple(words(text)), repeated_cycle(scored.tokens))


@dataclass(frozen=True)
class Pooled:
    """One way to write, over all passages: ln p of a token, the share of different word pairs, texts with a circle."""

    mean: float
    varied: float
    circles: int


def pooled(every: Sequence[JudgedText]) -> dict[str, Pooled]:
    """Return what is true of each way to write, over all of its texts, {way: Pooled}."""
    found = {}
    for way in dict.fromkeys(each.way for each in every):
        texts = [each for each in every if each.way == way]
        different, pairs = distinct([each.words for each in texts], 2)
        mean = float(np.concatenate([each.scored.ln_p for each in texts]).mean())
        circles = sum(each.cycle is not None for each in texts)
        found[way] = Pooled(mean, different / max(1, pairs), circles)
    return found
