"""Words a second of training skip-gram, against gensim's on the same text with the same settings and one thread.

The text is the micro-world (7,500 sentences) and the 37 plays. Both count the vocabulary and train; the order
takes turns and the best of the runs counts. Quality stands beside speed, as the mean of the runs: WordSim-353, the
micro-world's analogies, and how many of the ten nearest neighbours are those that gensim finds with another seed;
gensim's own overlap is what chance alone changes. `python -m tests.benchmarks.bench_word2vec`
"""

from __future__ import annotations

import sys
from statistics import mean
from time import perf_counter, process_time

import torch
from gensim.models import Word2Vec

from core.models.word_vectors.projection import nearest
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.vector_tests import analogies, read_similarities, word_similarity
from core.models.word_vectors.word_vectors import WordVectors
from core.text.reading.markdown import without_marks
from core.text.samples.microworld import ANALOGIES, microworld
from core.text.tokenization.tokens import sentences, words
from core.training.corpora import read_plays
from core.training.word_quality import gensim_test_file

SETTINGS = {"dimension": 100, "window": 5, "negatives": 5, "epochs": 5, "min_count": 5, "subsampling": 1e-3}
RUNS = 3
COMMON = 2000  # words whose neighbours are compared, the most frequent


def text() -> list[list[str]]:
    """Return the tokenised sentences."""
    cut = [words(sentence) for sentence in microworld(7500, seed=1)]
    return cut + [words(sentence) for _, play in read_plays() for sentence in sentences(without_marks(play))]


def ours(tokens: list[list[str]], seed: int) -> WordVectors:
    """Return the vectors of this project's skip-gram."""
    return SkipGram(**SETTINGS, seed=seed).fit(tokens).vectors_


def gensims(tokens: list[list[str]], seed: int) -> WordVectors:
    """Return the vectors of gensim's skip-gram."""
    trained = Word2Vec(
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
    ).wv
    return WordVectors(trained.index_to_key, trained.vectors)


def overlap(one: WordVectors, other: WordVectors) -> float:
    """Return the mean share of a frequent word's ten nearest neighbours that two sets have in common."""
    common = one.words[:COMMON]
    first, second = (nearest(vectors.subset(common).units, 10).rows for vectors in (one, other))
    return float((first[:, :, None] == second[:, None, :]).any(axis=2).mean())


def quality(made: dict[str, list[WordVectors]], name: str) -> str:
    """Return the mean quality of one side's runs; overlap is with gensim's runs of other seeds."""
    rated = read_similarities(gensim_test_file("wordsim353.tsv").lower())
    similarity = mean(word_similarity(vectors, rated).spearman for vectors in made[name])
    micro = mean(analogies(vectors, {"micro-world": ANALOGIES})[0].accuracy for vectors in made[name])
    others = [(i, j) for i in range(RUNS) for j in range(RUNS) if i != j]
    shared = mean(overlap(made["gensim"][i], made[name][j]) for i, j in others)
    return f"WordSim-353 {similarity:.3f}, micro-world {micro:.3f}, overlap with gensim {shared:.3f}"


def main() -> None:
    """Time both, print the ratio and the quality."""
    torch.set_num_threads(1)
    tokens = text()
    read = SETTINGS["epochs"] * sum(map(len, tokens))
    wall, cpu, made = {}, {}, {"gensim": [], "attend": []}
    for run in range(RUNS):
        for name, train in (("gensim", gensims), ("attend", ours)):
            began, worked = perf_counter(), process_time()
            made[name].append(train(tokens, seed=run + 1))
            wall[name] = min(perf_counter() - began, wall.get(name, float("inf")))
            cpu[name] = min(process_time() - worked, cpu.get(name, float("inf")))
    lines = [f"text: {read // SETTINGS['epochs']:,} tokens, {len(made['attend'][0]):,} types; {SETTINGS}"]
    for name in made:
        speeds = (
            f"{read / wall[name]:>10,.0f} words/s by the clock, {read / cpu[name]:>10,.0f} by processor time"
        )
        lines.append(f"{name}: {speeds}; {quality(made, name)}")
    ratios = wall["gensim"] / wall["attend"], cpu["gensim"] / cpu["attend"]
    lines.append(
        f"ratio to gensim: {ratios[0]:.2f} by the clock, {ratios[1]:.2f} by processor time (aim: 1.00)"
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
