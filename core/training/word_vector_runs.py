"""`python -m core.training.word_vector_runs`: record how skip-gram learns the words of the micro-world.

The lesson replays the run at once and trains new vectors on the learner's text when asked to.
"""

from __future__ import annotations

import json

import numpy as np

from core.models.word_vectors.negative_sampling import pairs
from core.models.word_vectors.projection import Projection, project
from core.models.word_vectors.recorded_vectors import RUN, contexts_of, shared_share
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.training_progress import Progress
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences, words

SAMPLE = "micro-world"
GROUPS = {
    "royal": "king queen prince princess crown",
    "animal": "dog cat horse cow pig",
    "food": "apple cherry potato tomato lemon",
    "city": "paris rome berlin london moscow",
}
WORDS = [word for group in GROUPS.values() for word in group.split()]
MOMENTS = (0, 30, 60, 120, 180, 240, 300, 420, 600, 900, 1200, 1500, 2100, 3000, 4500, 6070)
WORKED = 420  # the step that is worked through
SENTENCE = "the crown made the queen happy so she sang"
NOISE_SEED = 2
SEEDS = range(1, 6)
SETTINGS = {"dimension": 50, "window": 4, "negatives": 5, "epochs": 10, "min_count": 2}


def mean_cosine(units: np.ndarray) -> float:
    """Return the mean cosine of all pairs of vectors of length 1, (n, d)."""
    return float((units @ units.T)[np.triu_indices(len(units), 1)].mean())


def rounded(values: np.ndarray, digits: int) -> list:
    """Return numbers as they are written."""
    return np.round(np.asarray(values, dtype=float), digits).tolist()


def fan(units: np.ndarray) -> np.ndarray:
    """Return vectors of length 1 as seen from 0, (n, 2): up their mean direction, across the widest one beside it."""
    up = units.mean(axis=0) / np.linalg.norm(units.mean(axis=0))
    rest = units - np.outer(units @ up, up)
    across = project(rest).components[0]
    return np.column_stack([units @ across, units @ up])


def record_vectors(step: int, vectors: WordVectors, chart: Projection) -> dict:
    """Return the vectors of the shown words after so many steps as they are written."""
    units = vectors.subset(WORDS).units
    king, queen = vectors.subset(["king", "queen"]).units
    return {
        "step": step,
        "places": rounded(chart.place(units), 4),
        "mean": round(mean_cosine(units), 4),
        "king_queen": round(float(king @ queen), 4),
        "nearest": vectors.neighbours("king", 1)[0].word,
    }


def record_training_pair(
    model: SkipGram, inputs: np.ndarray, outputs: np.ndarray, step: int, steps: int
) -> dict:
    """Return the sentence's pair of the queen with the crown, with their vectors after so many steps."""
    tokens = SENTENCE.split()
    given, true = tokens.index("queen"), tokens.index("crown")
    found = pairs(tokens, given, [true], model.negatives, np.random.default_rng(NOISE_SEED), model.noise_)
    others = [pair.other for pair in found]
    ids = model.vocabulary_.ids
    return {
        "step": step,
        "given": tokens[given],
        "true": others[0],
        "noise": others[1:],
        "rate": round(model.rate(step / steps), 6),
        "v": rounded(inputs[ids[tokens[given]]], 4),
        "u": rounded(outputs[[ids[word] for word in others]], 4),
    }


def main() -> None:
    """Train with noise and without, note the moments, count the windows, and write it all."""
    text = [words(sentence) for sentence in sentences(sample(SAMPLE).read().text)]
    model, taken = SkipGram(**SETTINGS, seed=1), {}

    def note(progress: Progress) -> None:
        if progress.step in MOMENTS or progress.step == progress.steps:
            taken[progress.step] = model.input_.copy(), model.output_.copy()

    model.fit(text, note)
    types = model.vocabulary_.types
    chart = project(model.vectors_.subset(WORDS).units)
    bare = SkipGram(**{**SETTINGS, "negatives": 0}, seed=1).fit(text).vectors_.subset(WORDS).units
    around = {word: contexts_of(text, word, model.window) for word in ("king", "queen", "cherry")}
    context = dict.fromkeys([*SENTENCE.split(), "he"])
    for word in ("the", "so", "queen"):
        del context[word]
    run = {
        "sample": SAMPLE,
        "sentences": len(text),
        "tokens": sum(map(len, text)),
        "vocabulary": len(types),
        **{name: SETTINGS[name] for name in ("dimension", "window", "negatives")},
        "steps": max(taken),
        "words": WORDS,
        "groups": [group for group, each in GROUPS.items() for _ in each.split()],
        "moments": [record_vectors(step, WordVectors(types, each[0]), chart) for step, each in taken.items()],
        "pair": record_training_pair(model, *taken[WORKED], WORKED, max(taken)),
        "near_king": [
            (each.word, round(each.similarity, 4), around["king"][each.word])
            for each in model.vectors_.neighbours("king", 4)
        ],
        "contexts": [(word, around["king"][word], around["queen"][word]) for word in context],
        "overlap": {
            word: round(shared_share(around["king"], around[word]), 4) for word in ("queen", "cherry")
        },
        "fan": rounded(fan(model.vectors_.subset(WORDS).units), 4),
        "fan_bare": rounded(fan(bare), 4),
        "mean_bare": round(mean_cosine(bare), 4),
        "seeds": {
            seed: SkipGram(**SETTINGS, seed=seed).fit(text).vectors_.neighbours("king", 1)[0].word
            for seed in SEEDS
        },
    }
    RUN.write_text(json.dumps(run) + "\n", encoding="utf-8")
    for each in run["moments"]:
        print({key: value for key, value in each.items() if key != "places"})
    print({key: value for key, value in run.items() if key not in ("moments", "pair", "fan", "fan_bare")})


if __name__ == "__main__":
    main()
