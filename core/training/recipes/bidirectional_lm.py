"""A bidirectional LSTM language model, and its layers mixed for tagging and for telling noun from verb (ELMo)."""

from __future__ import annotations

from collections import Counter
from math import exp
from pathlib import Path

import numpy as np
import torch

from core.models.documents.word_pieces import learn_pieces
from core.models.fit_language_model import FitConfig
from core.models.pretraining.bidirectional_language_model import (
    MARK,
    BidirectionalLanguageModel,
    BothWaysConfig,
    BothWaysModel,
)
from core.models.pretraining.elmo import (
    HMM_OF_AS_MANY,
    NOUN_VERB,
    TAGS,
    USUAL_TAG,
    both_ways_model,
    load_elmo,
    mix_arrays,
)
from core.models.pretraining.fit_both_ways import BothWaysFitting, examples_of
from core.models.stored import sha256_of_text
from core.training import word_text
from core.training.both_ways_text import guessed_words, noun_verb_forms, sources
from core.training.language_models import fit_with_checkpoints
from core.training.layer_mixes import (
    CLASSES,
    accuracies,
    compare_answers,
    learned,
    right_by_usual_tag,
    right_of,
    surprise,
    tag_by_counting,
)
from core.training.recipe import Progress, Trained
from core.training.recipes import classify_movies, tagger

DESCRIPTION = "A bidirectional LSTM language model, its layers mixed with learned weights for two tasks."
CREDITS = [
    *dict.fromkeys([*word_text.CREDITS, *tagger.CREDITS[:2], *classify_movies.CREDITS]),
    "Liu and Nocedal (1989), On the limited memory BFGS method, by which the mix for nouns and verbs settles",
    "Efron and Tibshirani (1993), An Introduction to the Bootstrap, for the samples drawn again",
]
CONFIG = {
    "sees": "a word in lower case if it was said 6 times or more, its last 1 to 4 letters, its shape",
    "least": 6,
    "longest": 4,
    "least of endings": 100,
    "words guessed": 2048,
    "width": 144,
    "dropout": 0.1,
    "read": {"Brown corpus": 1, "film reviews": 2, "Bible in Basic English and plays": 1},
    "fit": {
        "steps": 2200,
        "batch": 128,
        "muon_rate": 0.02,
        "adam_rate": 0.004,
        "cool_down": 0.4,
        "bfloat16": True,
    },
    "minutes of one core": 16,
    "mixes": {
        TAGS: {
            "texts": 6000,
            "drawn again": 8,
            "fit": {"epochs": 12, "batch": 1024, "rate": 0.02, "penalty": 0.0},
        },
        NOUN_VERB: {
            "texts": 6000,
            "drawn again": 8,
            "fit": {"epochs": 12, "batch": 256, "rate": 0.02, "penalty": 0.001, "settling": 300},
        },
    },
}
MEASURED = 2000  # held-out sentences of a source


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Fit the language model, then, on its weights as they are stored, both tasks' mixes."""
    fresh = fit_bidirectional_model(config, seed, checkpoint, progress)
    weights = {f"network.{name}": each.half().numpy() for name, each in fresh.network.state_dict().items()}
    model = both_ways_model(weights, fresh.pieces, fresh.words)
    held_out = {}
    for task, settings in config["mixes"].items():
        mixes, again = learned(model, task, settings, seed, progress)
        for reading, mix in mixes.items():
            weights |= mix_arrays(task, reading, mix)
        weights[f"{task}.again"] = again.astype(np.float16)
        held_out[task] = compare_answers(right_of(model, task, mixes))
    files = {
        "pieces": fresh.pieces.names,
        "words": fresh.words,
        "shape": {"longest": config["longest"], "classes": CLASSES},
        "held_out": held_out,
        "forms": noun_verb_forms(),
    }
    return Trained(weights, corpus(), files)


def fit_bidirectional_model(config: dict, seed: int, checkpoint: Path, progress: Progress) -> BothWaysModel:
    """Return the language model, fitted; it goes on from its checkpoint if there is one."""
    texts = {name: read for name, (read, _) in sources().items()}
    marked = [[MARK, *words, MARK] for read in texts.values() for words in read]
    pieces = learn_pieces(marked, config["least"], config["longest"], config["least of endings"])
    words = guessed_words([words for read in texts.values() for words in read], config["words guessed"])
    torch.manual_seed(seed)
    shape = BothWaysConfig(len(pieces.names), len(words), config["width"], config["dropout"])
    model = BothWaysModel(BidirectionalLanguageModel(shape), pieces, tuple(words))
    examples = [
        example for name, read in texts.items() for example in config["read"][name] * examples_of(model, read)
    ]
    fit = FitConfig(**config["fit"], seed=seed)
    fit_with_checkpoints(BothWaysFitting(model.network, examples, fit), checkpoint, progress)
    return model


def corpus() -> dict:
    """Return what a card says of the sources."""
    return {
        name: {
            "training sentences": len(read),
            "training words": sum(map(len, read)),
            "training sha256": sha256_of_text("\n".join(map(" ".join, read))),
            "held-out sentences": len(kept),
            "held-out sha256": sha256_of_text("\n".join(map(" ".join, kept))),
        }
        for name, (read, kept) in sources().items()
    }


def measure() -> dict:
    """Return both directions' perplexity on each source, beside that by frequency, and what each reading gets right."""
    elmo = load_elmo.__wrapped__()
    model, quality = elmo.model, {}
    counts = np.ones(len(model.words))  # one each, so that none is impossible
    for read, _ in sources().values():
        for number, times in Counter(n for words in read for n in model.numbers([*words, MARK])).items():
            counts[number] += times
    ln_p = np.log(counts / counts.sum())
    for name, (_, kept) in sources().items():
        (ahead, back), n = surprise(model, kept[:MEASURED])
        numbers = [number for words in kept[:MEASURED] for number in model.numbers([*words, MARK])]
        quality |= {
            f"perplexity from the left, {name}": exp(ahead),
            f"perplexity from the right, {name}": exp(back),
            f"perplexity by frequency, {name}": exp(-ln_p[numbers].mean()),
            f"words and ends measured, {name}": n,
            f"other words, {name}": float(np.mean(np.array(numbers) == 0)),
        }
    for task, mixes in elmo.mixes.items():
        quality |= accuracies(task, right_of(model, task, mixes))
    quality[USUAL_TAG] = right_by_usual_tag(CONFIG["mixes"][NOUN_VERB]["texts"])
    quality[HMM_OF_AS_MANY] = tag_by_counting(CONFIG["mixes"][TAGS]["texts"])
    return quality | {"parameters": sum(each.numel() for each in model.network.parameters())}
