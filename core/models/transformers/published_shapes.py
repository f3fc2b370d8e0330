"""The shapes of the course's own GPTs and of large ones as their makers published them, with what they say of them."""

from __future__ import annotations

from dataclasses import dataclass

from core.models.stored import load_card, load_json
from core.models.transformers.transformer_size import Shape

GPT2 = {"vocabulary_size": 50_257, "context": 1024}
LLAMA = {
    "vocabulary_size": 128_256,
    "context": 131_072,
    "gated": True,
    "biases": False,
    "norm": 1,
    "positions": False,  # turned into queries and keys by their angle: nothing is learned
    "tied": False,
}
RADFORD = "Radford et al. (2019); the counts as their repository names the files"
LLAMA_TEAM = "Llama Team (2024), The Llama 3 Herd of Models, tables 3 and 1"
BROWN = "Brown et al. (2020), Language Models are Few-Shot Learners, tables 2.1 and D.1"
OURS = "trained here"


@dataclass(frozen=True)
class Published:
    """A model: its name, shape, and what its makers say of it; None is what they do not say.

    `count` is the number of parameters as they write it, `tokens` what it was trained on, repetitions counted,
    `operations` what they say the training took.
    """

    name: str
    shape: Shape
    source: str
    count: str | None = None
    tokens: float | None = None
    operations: float | None = None


ELSEWHERE = (
    Published("GPT-2 small", Shape(**GPT2, layers=12, heads=12, width=768), RADFORD, "124M"),
    Published("GPT-2 medium", Shape(**GPT2, layers=24, heads=16, width=1024), RADFORD, "355M"),
    Published("GPT-2 large", Shape(**GPT2, layers=36, heads=20, width=1280), RADFORD, "774M"),
    Published("GPT-2 XL", Shape(**GPT2, layers=48, heads=25, width=1600), RADFORD, "1558M"),
    Published(
        "Llama 3.1 8B",
        Shape(**LLAMA, layers=32, heads=32, width=4096, sharing=4, middle=14_336),
        LLAMA_TEAM,
        "8B",
    ),
    Published(
        "GPT-3",
        Shape(vocabulary_size=50_257, context=2048, layers=96, heads=96, width=12_288),
        BROWN,
        "175.0B",
        300e9,
        3.14e23,
    ),
    Published(
        "Llama 3.1 405B",
        Shape(**LLAMA, layers=126, heads=128, width=16_384, sharing=16, middle=53_248),
        LLAMA_TEAM,
        "405B",
        15.6e12,
        3.8e25,
    ),
)
NAMES = {"word_gpt": "GPT, byte pairs (here)", "char_gpt": "GPT, characters (here)"}
NAMED = (*NAMES.values(), *(each.name for each in ELSEWHERE))  # of all models, the smallest first
UNITS = {"M": 1e6, "B": 1e9}


def trained_here(name: str) -> Published:
    """Return a GPT of the course, its count and its training as its card has them."""
    card = load_card(name)
    shape = load_json(name, "network")["shape"]
    fit = card.config["fit"]
    read = fit["steps"] * fit["batch"] * fit["window"]
    count = f"{card.quality['parameters']:,}"
    return Published(NAMES[name], Shape(**shape, biases=False), OURS, count, read)


def published_shapes() -> tuple[Published, ...]:
    """Return all of them, the smallest first: the course's own, then the others."""
    return (*(trained_here(name) for name in NAMES), *ELSEWHERE)


def counted_as(said: str) -> float:
    """Return a count as its makers write it, as a number.

    >>> counted_as("175.0B"), counted_as("355M"), counted_as("1,834,176")
    (175000000000.0, 355000000.0, 1834176.0)
    """
    return float(said.rstrip("MB").replace(",", "")) * UNITS.get(said[-1], 1)


def as_they_write(count: int, said: str) -> str:
    """Return a count rounded as its makers rounded theirs.

    >>> as_they_write(124_439_808, "124M"), as_they_write(174_604_259_328, "175.0B"), as_they_write(7, "1,834,176")
    ('124M', '174.6B', '7')
    """
    if said[-1] not in UNITS:
        return f"{count:,}"
    places = len(said[:-1].partition(".")[2])
    return f"{count / UNITS[said[-1]]:.{places}f}{said[-1]}"
