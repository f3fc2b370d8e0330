"""Words a second of training fastText, against gensim's on the same text with the same settings and one thread.

The text is the micro-world (1,500 sentences) and six plays. Both count the vocabulary, find the n-grams and train; the
order takes turns and the best of the runs counts. Quality stands beside speed, as the mean of the runs: how many of the
ten nearest neighbours are those that gensim finds with another seed (gensim's own overlap is what chance alone
changes), and how many words are found again from a misspelling. `python -m tests.benchmarks.bench_fasttext`
"""

from __future__ import annotations

import sys
from statistics import mean
from time import perf_counter, process_time

import gensim.models
import torch

from core.models.word_vectors.fasttext import FastText
from core.models.word_vectors.unseen_words import misspelt
from core.models.word_vectors.word_vectors import WordVectors
from core.text.reading.markdown import without_marks
from core.text.samples.microworld import microworld
from core.text.tokenization.tokens import sentences, words
from core.training.corpora import read_plays
from tests.benchmarks.bench_word2vec import overlap

SETTINGS = {"dimension": 100, "window": 5, "negatives": 5, "epochs": 5, "min_count": 5, "subsampling": 1e-3}
BUCKETS = 20_000
PLAYS, RUNS, MISSPELT = 6, 2, 500


def text() -> list[list[str]]:
    """Return the tokenised sentences."""
    cut = [words(sentence) for sentence in microworld(1500, seed=1)]
    some = list(read_plays())[:PLAYS]
    return cut + [words(sentence) for _, play in some for sentence in sentences(without_marks(play))]


def ours(tokens: list[list[str]], seed: int):
    """Return the vectors of this project's fastText, and what gives a vector to any word."""
    model = FastText(**SETTINGS, seed=seed, buckets=BUCKETS).fit(tokens)
    return model.vectors_, model.vector


def gensims(tokens: list[list[str]], seed: int):
    """Return the vectors of gensim's fastText, and what gives a vector to any word."""
    trained = gensim.models.FastText(
        tokens,
        sg=1,
        workers=1,
        seed=seed,
        vector_size=SETTINGS["dimension"],
        window=SETTINGS["window"],
        negative=SETTINGS["negatives"],
        epochs=SETTINGS["epochs"],
        min_count=SETTINGS["min_count"],
        sample=SETTINGS["subsampling"],
        alpha=0.025,
        bucket=BUCKETS,
    ).wv
    return WordVectors(trained.index_to_key, trained.vectors), trained.get_vector


def found(vectors: WordVectors, vector) -> float:
    """Return how many of the most frequent long words are the nearest to their misspelling."""
    pairs = [(word, misspelt(word)) for word in vectors.words if len(word) > 4][:MISSPELT]
    unseen = [(word, wrong) for word, wrong in pairs if wrong not in vectors.index]
    return mean(vectors.neighbours(vector(wrong), 1)[0].word == word for word, wrong in unseen)


def main() -> None:
    """Time both, print the ratio and the quality."""
    torch.set_num_threads(1)
    tokens = text()
    read = SETTINGS["epochs"] * sum(map(len, tokens))
    wall, cpu, made = {}, {}, {"gensim": [], "attend": []}
    for run in range(RUNS):
        for name, train in (("gensim", gensims), ("attend", ours)):
            began, worked = perf_counter(), process_time()
            made[name].append(train(tokens, run + 1))
            wall[name] = min(perf_counter() - began, wall.get(name, float("inf")))
            cpu[name] = min(process_time() - worked, cpu.get(name, float("inf")))
    lines = [
        f"text: {read // SETTINGS['epochs']:,} tokens, {len(made['attend'][0][0]):,} types; {SETTINGS}, B = {BUCKETS:,}"
    ]
    others = [(i, j) for i in range(RUNS) for j in range(RUNS) if i != j]
    for name in made:
        shared = mean(overlap(made["gensim"][i][0], made[name][j][0]) for i, j in others)
        again = mean(found(*each) for each in made[name])
        speeds = (
            f"{read / wall[name]:>9,.0f} words/s by the clock, {read / cpu[name]:>9,.0f} by processor time"
        )
        lines.append(
            f"{name}: {speeds}; overlap with gensim {shared:.3f}, misspelt words found again {again:.3f}"
        )
    ratios = wall["gensim"] / wall["attend"], cpu["gensim"] / cpu["attend"]
    lines.append(
        f"ratio to gensim: {ratios[0]:.2f} by the clock, {ratios[1]:.2f} by processor time (aim: 1.00)"
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
