"""What the recipes for translation share: training an encoder-decoder on generated pairs, and measuring it.

Pairs are generated, seeded; one sentence in eight, by its hash, is never trained on. Training keeps a
checkpoint after every pass. `losses.json` holds the mean training loss of every 50 steps, for the lesson's
curves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from core.models.stored import sha256_of_text
from core.models.translation.bottleneck import wilson
from core.models.translation.fit_translation import (
    Fit,
    Outcome,
    encoded_pairs,
    loss_of,
    outcomes,
    pad_sentences,
    quality,
)
from core.models.translation.seq2seq import Seq2Seq, Seq2SeqConfig
from core.models.translation.translate import stored_translator
from core.models.translation.translation_race import rare_words
from core.text.grammar.english_dutch import dutch, english_dutch
from core.text.grammar.english_french import english_french, french
from core.text.grammar.harder_pairs import joined_pairs, rare_pairs
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
HOW = (
    " One sentence in eight, by its hash, was held out, and none of these stands in training. The harder tests were drawn"
    " when the model was trained. A real model of this kind: Luong, Pham and Manning (2015) report 25.9 BLEU for English to"
    " German news (WMT 2015), with several models together."
)
EVERY = 50
LENGTHS = ((3, 7), (8, 12), (13, 17), (18, 21), (22, 25))  # words of the English sentence, marks counted
LONGER = range(26, 37)  # words: in training there were 25 at most
HARDER_PAIRS, HARDER_SEED = 500, 11  # of each harder test; no model and no setting was chosen by them
FRENCH, DUTCH = "French", "Dutch"


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


@cache
def harder_tests(language: str) -> dict[str, tuple[Pair, ...]]:
    """Return the pairs of each harder test: longer sentences, rare words (French), three sentences joined by "and"."""
    write, generate = {FRENCH: (french, english_french), DUTCH: (dutch, english_dutch)}[language]
    tests = {"longer": generate(HARDER_SEED, lengths=LONGER)}
    if language == FRENCH:
        tests["rare"] = rare_pairs(write, HARDER_SEED, rare_words())
    tests["joined"] = joined_pairs(write, HARDER_SEED)
    return {name: tuple(islice(pairs, HARDER_PAIRS)) for name, pairs in tests.items()}


def judge_harder(name: str, language: str) -> dict[str, list[Outcome]]:
    """Return how each pair of each harder test went with a stored translator."""
    torch.set_num_threads(1)
    stored = stored_translator(name)
    return {
        test: outcomes(stored.model, pairs, stored.source, stored.target)
        for test, pairs in harder_tests(language).items()
    }


def measure_harder(name: str, language: str) -> dict[str, float]:
    """Return the quality of a stored translator on each harder test.

    Exact match has its 95% interval (Wilson). Word accuracy is the share of words that are the likeliest after the right
    words before them.
    """
    found: dict[str, float] = {"harder_pairs": HARDER_PAIRS}
    for test, each in judge_harder(name, language).items():
        share = wilson(sum(outcome.right for outcome in each), len(each))
        likeliest, words = sum(outcome.likeliest for outcome in each), sum(outcome.words for outcome in each)
        found |= {f"{metric}_{test}": value for metric, value in quality(each).items()}
        found |= {f"exact_match_{test}_from": share.low, f"exact_match_{test}_to": share.high}
        found[f"word_accuracy_{test}"] = likeliest / words
    return {metric: round(value, 5) for metric, value in found.items()}


def measure_french(name: str) -> dict[str, float]:
    """Return the quality of a stored French translator: held-out sentences, also by their length, and harder tests."""
    usual = measure(name, first(english_french(seed=2, held_out=True)), LENGTHS)
    return usual | measure_harder(name, FRENCH)
