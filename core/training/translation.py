"""What the recipes for translation share: training an encoder-decoder on generated pairs, and measuring it.

Pairs are generated, seeded; one sentence in eight, by its hash, is never trained on. Training keeps a
checkpoint after every pass. `losses.json` holds the mean training loss of every 50 steps, for the lesson's
curves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from core.models.stored import sha256_of_text
from core.models.translation.fit_translation import (
    Fit,
    encoded_pairs,
    loss_of,
    outcomes,
    pad_sentences,
    quality,
)
from core.models.translation.seq2seq import Seq2Seq, Seq2SeqConfig
from core.models.translation.translate import stored_translator
from core.text.grammar.english_french import english_french
from core.text.grammar.pairs import Pair, TranslationVocabulary
from core.training.recipe import Progress, Trained

CONFIG = {
    "pairs": 120_000,
    "epochs": 6,
    "batch": 64,
    "rate": 3e-3,
    "embedding": 64,
    "hidden": 192,
    "bidirectional": True,
    "dropout": 0.1,
}
CREDITS = [
    "Luong, Pham and Manning (2015), Effective Approaches to Attention-based Neural Machine Translation",
    "Bahdanau, Cho and Bengio (2015), Neural Machine Translation by Jointly Learning to Align and Translate",
    "The sentences come from this project's own generator.",
]
EVERY = 50
LENGTHS = ((3, 7), (8, 12), (13, 17), (18, 21), (22, 25))  # words of the English sentence, marks counted


def _restored(fit: Fit, checkpoint: Path) -> tuple[int, list]:
    """Put back what the last interrupted run left; return the passes done and the losses so far."""
    file = checkpoint / "fit.pt"
    if not file.exists():
        return 0, []
    kept = torch.load(file, weights_only=True)
    fit.model.load_state_dict(kept["model"])
    fit.optimiser.load_state_dict(kept["optimiser"])
    return kept["epochs"], kept["losses"]


def _passes(fit: Fit, checkpoint: Path, progress: Progress) -> list:
    """Train all passes, from the checkpoint on; return [step, mean loss] every 50 steps."""
    done, losses = _restored(fit, checkpoint)
    for number in range(done, fit.epochs):
        recent = []
        for step, loss in fit.epoch(number):
            recent.append(loss)
            if len(recent) == EVERY:
                losses.append([step, round(float(np.mean(recent)), 5)])
                recent = []
                progress(step / fit.steps, f"pass {number + 1}: loss {losses[-1][1]:.4f}")
        kept = {"model": fit.model.state_dict(), "optimiser": fit.optimiser.state_dict()}
        torch.save({**kept, "epochs": number + 1, "losses": losses}, checkpoint / "fit.pt")
    (checkpoint / "fit.pt").unlink(missing_ok=True)
    return losses


def measures_of(pairs: list[Pair]) -> dict:
    """Return what a card tells of its pairs: how many, the words of both sides, and their SHA-256."""
    text = "\n".join(" ".join(p.source) + "\t" + " ".join(p.target) for p in pairs)
    words = {"source": sum(len(p.source) for p in pairs), "target": sum(len(p.target) for p in pairs)}
    return {"pairs": len(pairs), "words": words, "sha256": sha256_of_text(text)}


def train(
    config: dict, seed: int, checkpoint: Path, progress: Progress, generated: Iterator[Pair], corpus: str
) -> Trained:
    """Train on the first `config["pairs"]` of `generated`, none of which is held out."""
    torch.set_num_threads(1)
    pairs = list(islice(generated, config["pairs"]))
    source = TranslationVocabulary.of(p.source for p in pairs)
    target = TranslationVocabulary.of(p.target for p in pairs)
    torch.manual_seed(seed)
    settings = ("embedding", "hidden", "score", "bidirectional", "dropout")
    shape = Seq2SeqConfig(len(source), len(target), **{name: config[name] for name in settings})
    model = Seq2Seq(shape)
    sides = encoded_pairs(pairs, source, target)
    fit = Fit(model, *sides, config["epochs"], config["batch"], config["rate"], seed)
    losses = _passes(fit, checkpoint, progress)
    return Trained(
        weights={name: array.numpy().astype(np.float16) for name, array in model.state_dict().items()},
        corpus={corpus: measures_of(pairs)},
        files={"vocabulary": {"source": source.words, "target": target.words}, "losses": losses},
    )


def train_french(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Train on the same English-French sentences whatever the score."""
    return train(config, seed, checkpoint, progress, english_french(seed), "English-French sentences")


def held_out_loss(model: Seq2Seq, pairs: list[Pair], source, target) -> float:
    """Return the mean -ln p of a word of the right translation, given the right words before it."""
    total = words = 0
    order = sorted(pairs, key=lambda pair: len(pair.target))
    with torch.inference_mode():
        for begin in range(0, len(order), 100):
            sources, targets = encoded_pairs(order[begin : begin + 100], source, target)
            n = sum(map(len, targets))
            total += float(loss_of(model, pad_sentences(sources), pad_sentences(targets))) * n
            words += n
    return total / words


def measure(name: str, held_out: Iterable[Pair], lengths: Iterable[tuple[int, int]] = ()) -> dict[str, float]:
    """Return the quality of a stored model on held-out pairs, and the same for each range of input lengths."""
    torch.set_num_threads(1)
    translator, pairs = stored_translator(name), list(held_out)
    model, source, target = translator.model, translator.source, translator.target
    found = {"held_out_pairs": len(pairs), "loss": held_out_loss(model, pairs, source, target)}
    found["perplexity"] = math.exp(found["loss"])
    each = outcomes(model, pairs, source, target)
    found |= quality(each)
    for shortest, longest in lengths:
        part = [o for o, p in zip(each, pairs, strict=True) if shortest <= len(p.source) <= longest]
        for metric, value in quality(part).items():
            found[f"{metric}_{shortest}_to_{longest}_words"] = value
    return {metric: round(value, 5) for metric, value in found.items()}


def first(pairs: Iterator[Pair]) -> list[Pair]:
    """Return as many pairs as a measurement takes."""
    return list(islice(pairs, 1000))


def measure_french(name: str) -> dict[str, float]:
    """Return the quality of a stored French translator on held-out sentences, and by their length."""
    return measure(name, first(english_french(seed=2, held_out=True)), LENGTHS)
