"""How often a model's texts end in a loop: counted over the held-out end of every play, for each way to write.

A loop: from some token to the end the same tokens come again and again, three times or more.
"""

from __future__ import annotations

from core.models.generation.beam_search import beam_search
from core.models.generation.degeneration import (
    DRAWN,
    GAINING,
    SHORT,
    SHORT_DIFFERENT,
    SHORT_MOST,
    TEXTS,
    Cycle,
    drawn_beside,
    repeated_cycle,
)
from core.models.generation.passages import end_of, passage_of
from core.models.generation.repetition import repetitions
from core.models.generation.short_memory import ShortMemory
from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored_language_models import encode
from core.text.samples.shelf import plays

LENGTH, MEMORY = 150, 3  # tokens to write, and that a short memory sees
WIDTH, SEED = 4, 1  # of the beam, and of what is drawn
GAINS = (2, 6)  # the rounds that are compared


def count_loops(model: NeuralLanguageModel, name: str) -> dict[str, int]:
    """Return of how many texts there are loops, by the way they were written, and what the loops are like."""
    short = ShortMemory(model, MEMORY)
    endings = {play.title: encode(name, end_of(play.text(), 0.05)).ids for play in plays()}
    passages = [passage_of(title, ids, 0, LENGTH, held_out=True) for title, ids in endings.items()]
    counts = dict.fromkeys(("real", *DRAWN, "beam"), 0)
    gaining, short_loops = 0, []
    for passage in passages:
        drawn = dict(
            zip(DRAWN, drawn_beside(model, passage.prompt, LENGTH, [*DRAWN.values()], SEED), strict=True)
        )
        beam = beam_search(model, passage.prompt, WIDTH, LENGTH).winning_path
        for way, tokens in {"real": passage.real, **drawn, "beam": beam}.items():
            counts[way] += repeated_cycle(tokens) is not None
        loop = repeated_cycle(drawn["greedy"])
        if loop:
            gaining += gains(model, (*passage.prompt, *drawn["greedy"][: loop.start]), loop, drawn["greedy"])
        (tokens,) = drawn_beside(short, passage.prompt, LENGTH, [DRAWN["greedy"]], SEED)
        if short_loop := repeated_cycle(tokens):
            short_loops.append(ring_of(tokens, short_loop))
    return {
        TEXTS: len(passages),
        **{f"loops, {way}": int(count) for way, count in counts.items()},
        GAINING: gaining,
        SHORT: len(short_loops),
        SHORT_DIFFERENT: len(set(short_loops)),
        SHORT_MOST: max(map(short_loops.count, short_loops), default=0),
    }


def gains(model: NeuralLanguageModel, before: tuple[int, ...], loop: Cycle, tokens: list[int]) -> bool:
    """Return whether the mean token of a loop is more probable in the later one of two rounds."""
    phrase = tokens[loop.start : loop.start + loop.length]
    means = repetitions(model, before, phrase, max(GAINS)).means
    earlier, later = (means[each - 1] for each in GAINS)
    return bool(later > earlier)


def ring_of(tokens: list[int], loop: Cycle) -> tuple[int, ...]:
    """Return a loop's tokens from where their ids come first in order: the same wherever it was entered.

    >>> ring_of([9, 2, 1, 2, 1, 2, 1], Cycle(1, 2, 3.0)), ring_of([1, 2, 1, 2, 1, 2], Cycle(0, 2, 3.0))
    ((1, 2), (1, 2))
    """
    ring = tokens[loop.start : loop.start + loop.length]
    return min(tuple(ring[i:] + ring[:i]) for i in range(len(ring)))
