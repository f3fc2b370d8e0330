"""`python -m core.training.character_runs`: record how a small GPT learns the characters of Hamlet.

The lesson replays the run at once and trains a new network on the learner's text when asked to.
"""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import torch

from core.models.generation.character_fit import CharacterFit, known_words
from core.models.generation.character_split import MEASURED, hold_out, start_of, vocabulary_of
from core.models.generation.counted_characters import best_order, ngram_losses
from core.models.generation.fit_characters import fit_characters, looking_back
from core.models.generation.recorded_characters import RUN, paired_difference, real_words
from core.models.generation.sampling import SamplingSettings, generate
from core.models.language_model import bits
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.stored_language_models import CountedLanguageModel
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words

SAMPLE, NETWORK, WINDOW, STEPS, SEED = "hamlet", "gpt", 64, 1600, 1
ORDERS = range(1, 7)
SAMPLE_LENGTH, LONG = 240, 4000  # characters that are shown, and those on which a sample is measured
TEMPERATURE = 0.8


def mean_length(found: list[str]) -> float:
    """Return the mean length of some words."""
    return sum(map(len, found)) / max(1, len(found))


def letters_off(one: str, other: str) -> float:
    """Return the total variation distance between the characters of two texts: 0 where they are as frequent."""
    counts, others = Counter(one), Counter(other)
    return sum(abs(counts[c] / len(one) - others[c] / len(other)) for c in {*counts, *others}) / 2


def moment(fit: CharacterFit, at: int, training: str, known: frozenset[str]) -> dict:
    """Return one snapshot as it is written: rounded, its sample measured on a long one."""
    snapshot, model = fit.snapshots[at], fit.model(at)
    steps = generate(model, [], LONG, SamplingSettings(temperature=TEMPERATURE), SEED)
    text = "".join(model.vocabulary[step.token] for step in steps)
    return {
        "step": snapshot.step,
        "training": round(float(bits(-snapshot.loss)), 4),
        "held_out": round(float(bits(-snapshot.held_out_loss)), 4),
        "known": round(known_words(text, known), 4),
        "word_length": round(mean_length(words(text)), 3),
        "letters_off": round(letters_off(text, training), 4),
        "sample": snapshot.sample,
    }


def main() -> None:
    """Train, sample every snapshot, count the n-grams, compare the last snapshot with the best of them, and write it."""
    torch.set_num_threads(1)
    text = sample(SAMPLE).read().text
    config = looking_back(NETWORK, WINDOW, steps=STEPS, seed=SEED, sample_length=SAMPLE_LENGTH)
    fit = fit_characters(lambda _: True, text, config)
    vocabulary = vocabulary_of(text)
    split = hold_out(text)
    training, held_out = split.encode(vocabulary)
    read, kept = split.training, split.measured_on
    known = real_words(read)
    ngrams = ngram_losses(text, ORDERS)
    best = best_order(ngrams)
    counted = CountedLanguageModel(
        kneser_ney(count_ngrams(training, vocabulary.types, max(ORDERS)), best), start_of(vocabulary.types)
    )
    losses = [
        bits(np.asarray(model.token_log_probabilities(held_out[:MEASURED].tolist())))
        for model in (fit.model(), counted)
    ]
    behind, interval = paired_difference(*losses)
    run = {
        "sample": SAMPLE,
        "characters": len(text),
        "vocabulary": len(vocabulary),
        "network": NETWORK,
        "window": WINDOW,
        "seed": SEED,
        "parameters": int(fit.parameters),
        "word_length": round(mean_length(words(kept)), 3),
        "words_known": round(known_words(kept, known), 4),
        "long_sample": LONG,
        "moments": [moment(fit, at, read, known) for at in range(len(fit.snapshots))],
        "ngrams": {n: round(float(bits(-loss)), 4) for n, loss in ngrams.items()},
        "behind": round(behind, 4),
        "interval": [round(end, 4) for end in interval],
    }
    RUN.write_text(json.dumps(run, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for each in run["moments"]:
        print(each)
    print({key: value for key, value in run.items() if key != "moments"})


if __name__ == "__main__":
    main()
