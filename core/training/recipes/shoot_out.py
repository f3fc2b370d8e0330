"""Five ways to word vectors on two corpora, each on the whole and on a tenth: what the shoot-out opens on."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from core.models.stored import sha256_of_text
from core.models.word_vectors.shoot_out import (
    COUNTING,
    METHODS,
    PARTS,
    TENTH_TIMES,
    ShootOutSettings,
    epochs_for,
    fit_one,
    load_recorded_run,
    tenth,
)
from core.models.word_vectors.shoot_out_board import GRAMMAR, MEANING, rated_pairs
from core.models.word_vectors.vector_tests import (
    analogies,
    read_analogies,
    read_similarities,
    word_similarity,
)
from core.models.word_vectors.word_vectors import WordVectors
from core.models.word_vectors.world_analogies import solved, total
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences, words
from core.training.recipe import Trained
from core.training.recipes import skipgram
from core.training.word_quality import gensim_test_file

DESCRIPTION = (
    "Vectors by PPMI-SVD, CBOW, skip-gram, fastText and GloVe, all trained by this project on the same sentences: a mix of"
    " definitions, American prose, speeches, plays and one Bible, and the micro-world; on the whole and on a tenth of each."
    " Each method's settings were tried on a tenth of the mix by SimLex-999, without the pairs that WordSim-353 has too, and"
    " changed where the best was better than the usual one by more than a standard error, which was so for GloVe alone."
    " WordSim-353 and the analogies were not looked at. Nothing was held out of the text. Real models of these kinds:"
    " Pennington, Socher and Manning (2014) report 66% (CBOW), 69% (skip-gram) and 72% (GloVe) of all Google analogies, with"
    " 300 dimensions and six billion tokens."
)
CREDITS = [
    *skipgram.CREDITS,
    "The micro-world, written for this course.",
    "WordSim-353 (Lev Finkelstein and others, 2002): its pairs with the mean of people's ratings.",
]
TUNED = {  # by core/training/shoot_out_tuning.py, for the mix; what is not here is as it begins
    "GloVe": {"learning_rate": 1.0, "x_max": 30, "epochs": 25},
}
CONFIG = {
    "dimension": 50,
    "window": 5,
    "min_count": {"mix": 5, "world": 2},
    "passes": {"mix": 10},  # of a window over the whole text; over a short one more, by epochs_for
    "tenth_times": {"mix": 1, "world": TENTH_TIMES},  # as often a window reads the tenth
    "tuned": TUNED,
    "shorter": [3],  # passes over the mix whose scores are stored too
    "words": 5000,
    "precision": "float16",
}
WORLD = "The micro-world"


def train(config, seed, checkpoint, progress) -> Trained:
    """Train five methods on the whole and a tenth of either corpus; each is kept in the checkpoint folder when done."""
    corpus, cut = {}, {"mix": [], "world": []}
    for name, source in (*skipgram.read_sources().items(), (WORLD, [sample("micro-world").read().text])):
        some = [words(sentence) for text in source for sentence in sentences(text)]
        corpus[name] = {"tokens": sum(map(len, some)), "sha256": sha256_of_text("\n".join(source))}
        cut["world" if name == WORLD else "mix"] += some
        progress(0, f"{name}: {corpus[name]['tokens']:,} tokens")
    rated = read_similarities(gensim_test_file("wordsim353.tsv").lower())
    tested = {word for one, other, _ in rated for word in (one, other)}
    tested |= {word for asked in google_analogies().values() for question in asked for word in question}
    weights, listed, costs, shorter, kinds = {}, {}, {}, {}, {}
    for place, name in enumerate(("world", "mix")):
        for part, some in zip(PARTS, (cut[name], tenth(cut[name])), strict=True):
            settings = settings_for(config, name, cut[name], seed)
            if part != PARTS[0]:
                settings = replace(settings, epochs=settings.epochs * config["tenth_times"][name])
            for method in METHODS:
                tuned = config["tuned"].get(method, {}) if name == "mix" else {}
                found, cost, types = kept(
                    checkpoint, method, name, part, some, settings, tuned, progress, place
                )
                chosen = [i for i, word in enumerate(types) if i < config["words"] or word in tested]
                weights[f"{name}_{part}_{method}"] = found[chosen].astype(np.float16)
                listed.setdefault(name, {})[part] = [types[i] for i in chosen]
                costs.setdefault(name, {}).setdefault(part, {})[method] = cost
                if (name, part) == ("mix", PARTS[0]):
                    kinds[method] = by_kind(
                        WordVectors(listed[name][part], weights[f"{name}_{part}_{method}"])
                    )
    whole = settings_for(config, "mix", cut["mix"], seed)
    for passes in config["shorter"]:
        for method in METHODS:
            if method in COUNTING:
                continue
            fewer, label = replace(whole, epochs=passes), f"mix{passes}"
            found, _, types = kept(
                checkpoint,
                method,
                label,
                PARTS[0],
                cut["mix"],
                fewer,
                config["tuned"].get(method, {}),
                progress,
                1,
            )
            vectors = WordVectors(types, found).subset(listed["mix"][PARTS[0]])
            shorter.setdefault(str(passes), {})[method] = measure_vectors(vectors, rated)
    files = {"words": listed, "costs": costs, "rated": rated, "passes": shorter, "kinds": kinds}
    return Trained(weights, corpus, files)


def measure_vectors(vectors: WordVectors, rated) -> dict:
    """Return the cosines of the rated pairs that are known, and how many of Google's analogies are solved."""
    known = [pair for pair in rated if pair[0] != pair[1] and pair[0] in vectors and pair[1] in vectors]
    right, asked = total(analogies(vectors, google_analogies()))
    cosines = [round(vectors.similarity(one, other), 4) for one, other, _ in known]
    return {"cosines": cosines, "right": right, "asked": asked}


def by_kind(vectors: WordVectors) -> dict[str, tuple[int, int]]:
    """Return how many of Google's analogies are solved of those asked, by kind: grammar, or else meaning."""
    questions = google_analogies()
    kinds = {
        GRAMMAR: {name: each for name, each in questions.items() if name.startswith("gram")},
        MEANING: {name: each for name, each in questions.items() if not name.startswith("gram")},
    }
    return {kind: total(analogies(vectors, some)) for kind, some in kinds.items()}


def settings_for(config, name, cut, seed) -> ShootOutSettings:
    """Return what all methods share on a corpus."""
    epochs = config["passes"].get(name) or epochs_for(sum(map(len, cut)))
    return ShootOutSettings(config["dimension"], config["window"], config["min_count"][name], epochs, seed)


def kept(checkpoint, method, name, part, some, settings, tuned, progress, place):
    """Return a method's vectors, what they cost, and their words; from the checkpoint folder if they are there."""
    file = checkpoint / f"{name}_{part}_{method}.npz"
    if not file.exists():
        share = (2 * place + PARTS.index(part)) / 4
        shown = [-1]

        def report(now: float) -> None:
            if int(20 * now) > shown[0]:
                shown[0] = int(20 * now)
                progress(share, f"{name}, {part}, {method}: {now:.0%}")

        made = fit_one(method, some, settings, report, tuned)
        cost = {"seconds": made.seconds, "parameters": made.parameters, "examples": made.examples}
        np.savez(
            file, vectors=made.vectors.vectors, words=json.dumps(made.vectors.words), cost=json.dumps(cost)
        )
    with np.load(file) as found:
        return found["vectors"], json.loads(str(found["cost"])), json.loads(str(found["words"]))


def google_analogies() -> dict:
    """Return Google's questions, in lower case."""
    return read_analogies(gensim_test_file("questions-words.txt").lower())


def measure() -> dict:
    """Return how good each method's vectors are, as stored, on the whole and on a tenth.

    On the mix: WordSim-353, and Google's analogies, answered among the words that are stored; on the micro-world: its own
    analogies.
    """
    quality, questions, rated = {}, google_analogies(), rated_pairs()
    for part in PARTS:
        for each in load_recorded_run.__wrapped__("mix")[part]:
            similarity = word_similarity(each.vectors, rated)
            right, asked = total(analogies(each.vectors, questions))
            quality[f"{part}, {each.method}: WordSim-353 Spearman"] = round(similarity.spearman, 4)
            quality[f"{part}, {each.method}: WordSim-353 pairs"] = similarity.pairs
            quality[f"{part}, {each.method}: analogies right"] = right
            quality[f"{part}, {each.method}: analogies asked"] = asked
        for each in load_recorded_run.__wrapped__("world")[part]:
            right, asked = total(solved(each.vectors))
            quality[f"{part}, {each.method}: micro-world analogies"] = round(right / max(1, asked), 4)
    return quality
