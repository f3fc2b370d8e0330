"""A GPT on byte pairs, for texts of words: the Bible in Basic English and the plays."""

from math import exp, log
from pathlib import Path

from core.models.neural_language_model import average_log_probability
from core.models.stored_language_models import byte_pairs, stored_language_model
from core.training import word_text
from core.training.language_models import train_network, trained
from core.training.loops import count_loops
from core.training.recipe import Progress, Trained

DESCRIPTION = "A decoder-only transformer on 2,048 byte pairs of the Bible in Basic English and the plays."
CREDITS = word_text.CREDITS
CONFIG = {
    "network": "gpt",
    "merges": word_text.MERGES,
    "shape": {"context": 512, "layers": 4, "heads": 4, "width": 128},
    "fit": {
        "steps": 2600,
        "batch": 8,
        "window": 512,
        "cool_down": 0.4,
        "muon_rate": 0.03,
        "adam_rate": 0.006,
    },
}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Learn the byte pairs, then the model on them."""
    text = word_text.word_text(config["merges"])
    shape = {"vocabulary_size": len(text.pairs), **config["shape"]}
    network = train_network(config, shape, text.ids, seed, checkpoint, progress)
    made = trained(network, config["network"], shape, list(text.pairs.tokens), ord("\n"), text.corpus)
    files = {**made.files, "merges": [list(pair) for pair in text.pairs.merges]}
    files["network"] = {**files["network"], "tokens": "byte pairs"}
    return Trained(made.weights, made.corpus, files)


def measure() -> dict:
    """Return nats a token and bits a character of the held-out pieces, and how often its texts loop."""
    model = stored_language_model.__wrapped__("word_gpt")
    pairs = byte_pairs.__wrapped__("word_gpt")
    pieces = word_text.held_out_pieces()
    ids = [pairs.encode(piece) for piece in pieces]
    nats = -average_log_probability(model, ids)
    tokens, characters = sum(map(len, ids)), sum(map(len, pieces))
    return {
        "nats per token, held out": nats,
        "perplexity per token, held out": exp(nats),
        "characters per token, held out": characters / tokens,
        "bits per character, held out": nats * tokens / characters / log(2),
        "parameters": model.parameters,
        **count_loops(model, "word_gpt"),
    }
