"""The held-out loss of the GPT on characters in 8 to 2 bits: no training, the stored weights are rounded."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.models.stored import load_card
from core.models.transformers.quantized_gpts import (
    MODEL,
    held_out_loss,
    losses_by_piece,
    name_losses,
    nats_by_piece,
    quantized_model,
    settings,
)
from core.training.language_models import PLAYS, character_ids
from core.training.play_text import play_text
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Losses of the GPT on characters, no model: its matrices rounded to 8 to 2 bits, with one scale per matrix, "
    "row or group of 64, and the same with outliers."
)
CREDITS = PLAYS
CONFIG = {"characters of a piece": 512, "group": 64, "outlier": 32.0}
CHECKED = (4, "group", True)  # what `measure` computes again from the GPT's weights


def pieces() -> list[list[int]]:
    """Return the beginning of each held-out part as ids."""
    return [character_ids(piece[: CONFIG["characters of a piece"]]).tolist() for piece in play_text().pieces]


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Round the GPT in every setting and measure it on the held-out pieces."""
    texts, every = pieces(), settings()
    weights = {}
    for at, setting in enumerate(every):
        model = quantized_model.__wrapped__(*setting)
        weights[name_losses(*setting)] = nats_by_piece(model, texts).astype(np.float32)
        progress(at / len(every), f"{name_losses(*setting)}: {weights[name_losses(*setting)].mean():.4f}")
    return Trained(weights, {**play_text().corpus, "rounded": {MODEL: load_card(MODEL).sha256}})


def measure() -> dict:
    """Return the stored losses, and one of them computed again."""
    losses_by_piece.cache_clear()
    found = {f"{name_losses(*each)}: nats per character": held_out_loss(*each) for each in settings()}
    again = nats_by_piece(quantized_model(*CHECKED), pieces()).mean()
    return {**found, f"{name_losses(*CHECKED)}, computed again": float(again)}
