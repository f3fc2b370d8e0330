"""The GPT on characters in fewer bits: its stored losses on held-out text, and itself, rounded anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored import load_weights
from core.models.stored_language_models import stored_language_model
from core.models.transformers.quantization import (
    PLAIN,
    ROW,
    SHARED_BY,
    add_outlier,
    count_bytes,
    quantize_network,
)

STORED, MODEL = "quantized_gpts", "char_gpt"
BITS = (8, 7, 6, 5, 4, 3, 2)  # that were measured, beside 16
UNIFORM = np.log(60)  # nats per character of equal probabilities


@lru_cache(maxsize=8)
def quantized_model(bits: int, shared_by: str = ROW, outlier: bool = False) -> NeuralLanguageModel:
    """Return the GPT on characters with its matrices in so many bits, with outliers put in first if asked for.

    Raises StoredModelError where the GPT is missing.
    """
    plain = stored_language_model(MODEL)
    network = add_outlier(plain.network) if outlier else plain.network
    return NeuralLanguageModel(quantize_network(network, bits, shared_by), plain.vocabulary, plain.start)


def name_losses(bits: int, shared_by: str = ROW, outlier: bool = False) -> str:
    """Return the name that a setting's losses are stored under; 16 bits have one loss.

    >>> name_losses(16), name_losses(4, "row", True)
    ('16', 'outlier.row.4')
    """
    return f"{PLAIN}" if bits == PLAIN else f"{'outlier.' if outlier else ''}{shared_by}.{bits}"


def settings() -> list[tuple[int, str, bool]]:
    """Return every setting that was measured: bits, what shares a scale, and whether there are outliers."""
    return [(PLAIN, ROW, False)] + [(b, by, odd) for odd in (False, True) for by in SHARED_BY for b in BITS]


@cache
def losses_by_piece(bits: int, shared_by: str = ROW, outlier: bool = False) -> np.ndarray:
    """Return nats per character of each held-out piece, (38,), as stored. Raises StoredModelError."""
    return load_weights(STORED)[name_losses(bits, shared_by, outlier)].astype(float)


def held_out_loss(bits: int, shared_by: str = ROW, outlier: bool = False) -> float:
    """Return the mean of `losses_by_piece`: the pieces are equally long."""
    return float(losses_by_piece(bits, shared_by, outlier).mean())


def loss_interval(difference: np.ndarray, samples: int = 2000) -> tuple[float, float]:
    """Return the 95% interval of a mean over pieces, from bootstrap samples of the pieces.

    >>> loss_interval(np.array([1.0, 1.0]))
    (1.0, 1.0)
    """
    drawn = np.random.default_rng(1).integers(0, len(difference), (samples, len(difference)))
    low, high = np.quantile(difference[drawn].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def size_of(bits: int, shared_by: str = ROW) -> dict[str, float]:
    """Return the bytes of the GPT in so many bits, by part."""
    return count_bytes(stored_language_model(MODEL).network, bits, shared_by)


def nats_by_piece(model: NeuralLanguageModel, pieces: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the mean of -ln p over the characters of each piece."""
    return np.array([-model.token_log_probabilities(piece).mean() for piece in pieces])
