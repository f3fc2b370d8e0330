"""Exercises on a model's size: its parameters, the memory of its cache, the cost of training, and a power law."""

from __future__ import annotations

from dataclasses import replace

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker
from core.models.transformers.power_law import fit_power_law
from core.models.transformers.transformer_size import (
    Shape,
    cached_numbers,
    parameters,
    training_operations,
)

BYTES = 2  # of a number of 16 bits
MEGA = 1e6


def draw_parameters(draws: Draws, difficulty: int) -> Draw:
    """The parameters of a GPT; mistakes: an embedding for the logits too, one feed-forward matrix, no positions."""
    C = draws.choose(((4, 8, 10), (20, 32, 64), (128, 256, 512))[difficulty - 1])
    V = draws.choose(((20, 30, 50), (63, 100, 200), (1000, 5000, 10_000))[difficulty - 1])
    T = draws.choose(((8, 16, 32), (64, 128), (256, 512, 1024))[difficulty - 1])
    L = draws.integer(difficulty, 3 * difficulty)
    shape = Shape(vocabulary_size=V, context=T, layers=L, heads=1, width=C, biases=False, norm=0)
    return Draw(
        given={"C": C, "V": V, "T": T, "L": L},
        answer=parameters(shape),
        mistakes={
            "untied": parameters(replace(shape, tied=False)),
            "one_matrix": parameters(replace(shape, middle=2 * C)),  # 2 C · 2 C is one matrix C · 4 C
            "no_positions": parameters(replace(shape, positions=False)),
        },
        steps={
            "embedding": V * C,
            "positions": T * C,
            "attention": 4 * C * C,
            "feed_forward": 8 * C * C,
            "one": 4 * C * C,
            "layers": L * 12 * C * C,
        },
    )


def draw_cache(draws: Draws, difficulty: int) -> Draw:
    """The memory of a cache; mistakes: heads do not share, keys alone, one layer."""
    L = draws.choose(((2, 4, 6), (12, 16, 24), (32, 48, 80))[difficulty - 1])
    H, G = draws.choose(
        ((4, 2), (8, 2), (8, 4), (12, 4), (32, 8), (64, 8))[2 * difficulty - 2 : 2 * difficulty]
    )
    d = draws.choose(((16, 32), (32, 64), (64, 128))[difficulty - 1])
    T = 100 * draws.integer(2, 40 * difficulty)
    shape = Shape(vocabulary_size=1, context=T, layers=L, heads=H, width=H * d, sharing=H // G)
    numbers = cached_numbers(shape, T)
    return Draw(
        given={"L": L, "H": H, "G": G, "d": d, "T": T},
        answer=numbers * BYTES / MEGA,
        mistakes={
            "unshared": cached_numbers(replace(shape, sharing=1), T) * BYTES / MEGA,
            "keys": numbers * BYTES / MEGA / 2,
            "layer": numbers * BYTES / MEGA / L,
        },
        steps={"token": cached_numbers(shape, 1), "numbers": numbers, "kept": G * d},
        digits=2,
    )


def draw_training(draws: Draws, difficulty: int) -> Draw:
    """The operations of training; mistakes: forwards alone, backwards alone, the backward pass twice."""
    N, D = draws.decimal(1.1, 9.9), draws.decimal(1.1, 9.9)
    of_N, of_D = ((6, 9), (8, 10), (11, 11))[difficulty - 1]  # powers of ten
    whole = training_operations(N, D)
    return Draw(
        given={"N": N, "D": D, "of_N": of_N, "of_D": of_D, "power": of_N + of_D},
        answer=whole,
        mistakes={"forward": whole / 3, "backward": whole * 2 / 3, "again": whole * 3},
        steps={"product": round(N * D, 6)},
        digits=2,
    )


def draw_law(draws: Draws, difficulty: int) -> Draw | None:
    """The loss that a power law predicts; mistakes: a straight line of the loss, the gain once, b as a share."""
    decades = 1 if difficulty == 1 else 2
    first = draws.integer(3, 5)
    sizes = [10.0**first, 10.0 ** (first + decades)]
    steps = 2 if difficulty < 3 else 3  # the last size is so many decades further
    large = draws.decimal(1.2, 2.4)
    small = large + draws.decimal(0.2, 1.0)
    law = fit_power_law(sizes, [small, large])
    size = 10.0 ** (first + decades + steps)
    factor = steps / decades
    if factor == 1:
        size, factor = size * 10, (steps + 1) / decades
    return Draw(
        given={
            "sizes": [f"{each:,.0f}" for each in (*sizes, size)],
            "small": round(small, 1),
            "large": large,
        },
        answer=float(law(size)),
        mistakes={
            "straight": large - (small - large) * factor,
            "once": large * large / small,
            "share": large * (1 - law.b) ** round(factor * decades),
        },
        steps={
            "ratio": large / small,
            "decades": decades,
            "ten": (large / small) ** (1 / decades),
            "further": round(factor * decades),
            "difference": round(small - large, 6),
            "b": law.b,
        },
    )


MAKERS = (Maker(draw_parameters), Maker(draw_cache), Maker(draw_training), Maker(draw_law))
