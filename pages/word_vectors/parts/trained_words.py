"""What a training on the learner's text has learnt: which words to replay, analogies solved, neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.figures.word_vectors.vector_duel import neighbour_bars
from core.figures.word_vectors.word_training import loss_curve, replay
from core.lesson.break_it import consequence
from core.lesson.figure import show_figure
from core.lesson.plain import plain
from core.lesson.predict_first import predict_first
from core.models.word_vectors.fit_word_vectors import fit_word_vectors
from core.models.word_vectors.word2vec import Progress, TrainingError, Word2Vec
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.parts.analogy_scores import known_analogies, solved

SHOWN = 90
SKIPPED_SHARE = 0.002  # words with a larger share of the text ("the", "of") say little on a map
FIRST_CHARACTERS = 60_000


def show_replay(lesson: str, model: Word2Vec, reports: Sequence[Progress]) -> None:
    """Draw how the map of the model's most frequent words formed, one frame a snapshot in the reports."""
    shots = [report for report in reports if report.snapshot is not None]
    words = replayed_words(model, shots[-1].snapshot.words)
    show_figure(
        replay(
            words,
            [shot.snapshot.subset(words).vectors for shot in shots],
            [f"{shot.step:,} steps" for shot in shots],
        ),
        f"{lesson}_replay",
        f"The map of {len(words)} words over {len(shots)} snapshots of the training",
    )


def replayed_words(model: Word2Vec, words: Sequence[str]) -> list[str]:
    """Return the first of these words, without those so common that they stand near everything."""
    shares = dict(zip(model.vocabulary_.types, model.shares(), strict=True))
    kept = [word for word in words if shares[word] <= SKIPPED_SHARE][:SHOWN]
    return kept if len(kept) > 2 else list(words[:SHOWN])


def show_loss(lesson: str, reports: Sequence[Progress]) -> None:
    """Draw the loss over the training."""
    known = [report for report in reports if np.isfinite(report.loss)]
    steps, losses = [report.step for report in known], [report.loss for report in known]
    show_figure(loss_curve(steps, losses, "steps"), f"{lesson}_loss", "The loss over the training")


def show_solved(vectors: WordVectors) -> None:
    """Say how many of the micro-world's analogies the vectors solve, where they know the words."""
    scores = [score for score in solved(vectors) if score.asked]
    if not scores:
        st.markdown("None of the micro-world's analogies can be asked: this text lacks their words.")
        return
    right, asked = sum(score.right for score in scores), sum(score.asked for score in scores)
    kinds = ", ".join(f"{score.category} {score.accuracy:.0%}" for score in scores)
    st.markdown(
        f"**{right} of {asked} analogies solved ({right / asked:.0%})**, such as {known_analogies(vectors)}. "
        f"By kind: {kinds}. Choosing at random would solve {1 / max(1, len(vectors) - 3):.1%}."
    )


def show_neighbours(lesson: str, vectors: WordVectors) -> None:
    """Draw the neighbours of a word that the learner chooses among those learnt."""
    words = list(vectors.words[:2000])
    start = (
        words.index("king")
        if "king" in words
        else next((i for i, word in enumerate(words) if len(word) > 4), 0)
    )
    word = st.selectbox("Neighbours of", words, start, key=f"{lesson}_neighbours_of")
    near = vectors.neighbours(word, 8)
    choices = sorted(neighbour.word for neighbour in near[:4])
    if near and predict_first(lesson, f"Which is nearest to “{word}”?", choices, near[0].word, word):
        names = {neighbour.word for neighbour in near}
        show_figure(
            neighbour_bars(near, names, "first", height=300), f"{lesson}_near", f"Words nearest to {word}"
        )


@st.cache_data(scope="session", max_entries=6, show_spinner="Training on the beginning of your text")
def mean_cosine(text: str, name: str, settings: dict, _kind: type[Word2Vec]) -> float:
    """Return the mean cosine of two words after a short training of the class of this name with these settings."""
    units = fit_word_vectors(lambda progress: True, text, _kind(**settings)).vectors_.units[:500]
    return float((units @ units.T)[np.triu_indices(len(units), 1)].mean())


def show_collapse(text: str, model: Word2Vec) -> None:
    """Show the mean cosine of two words after a short training with noise words and one without them."""
    settings = {name: getattr(model, name) for name in ("window", "learning_rate", "subsampling", "seed")}
    settings |= {"dimension": 20, "epochs": 5}
    whole, broken = settings | {"negatives": model.negatives}, settings | {"negatives": 0}
    beginning, kind = text[:FIRST_CHARACTERS], type(model)
    try:
        consequence(
            "Mean cosine of two words",
            mean_cosine(beginning, kind.__name__, whole, kind),
            mean_cosine(beginning, kind.__name__, broken, kind),
            more_is_better=False,
        )
    except TrainingError as error:
        st.info(plain(str(error)))
        return
    st.markdown(
        "Both were trained just now on the beginning of your text, with the same seed. Without noise every vector "
        "turns the same way: each true pair pulls, and nothing pushes."
    )
