"""Train word vectors on the learner's own text: the window, its pairs, one step worked through, and the replay."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import notebook_text, reading, text_source
from core.lesson.training_job import training_job
from core.lesson.try_this import try_this
from core.models.word_vectors.fit_word_vectors import fit_word_vectors
from core.models.word_vectors.negative_sampling import pairs, training_step
from core.models.word_vectors.word_vectors import to_projector_tsv, to_word2vec_text
from pages.word_vectors.parts.pictures import word_vector_training as card_picture
from pages.word_vectors.parts.trained_words import (
    show_collapse,
    show_loss,
    show_neighbours,
    show_replay,
    show_solved,
)
from pages.word_vectors.parts.word2vec_settings import watch_training, word2vec_settings
from pages.word_vectors.parts.worked_step import sentence_tokens, show_step, show_window

LESSON = Lesson(
    __name__,
    title="Train word vectors",
    question="How does a word's meaning grow out of the words around it?",
    icon="🌱",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"L = -\ln \sigma(v \cdot u_o) - \sum_{n=1}^{k} \ln \sigma(-v \cdot u_n)"
        r"\qquad \frac{\partial L}{\partial v} = (\sigma(v \cdot u_o) - 1)\, u_o + \sum_n \sigma(v \cdot u_n)\, u_n",
        "$v$: the vector of the centre word (skip-gram) or the mean of the window's vectors (CBOW). $u_o$: the output "
        "vector of the word that is really there. $u_n$: those of $k$ words drawn as noise. $\\sigma(x) = 1/(1+e^{-x})$.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        model = word2vec_settings(LESSON)
        broken = break_it(
            LESSON,
            "no_noise",
            "Break it: no noise words",
            "With true pairs only, nothing keeps two words apart.",
        )

    with picture:
        bench = training_job(LESSON, fit_word_vectors, (document.text, model), document.name, watch_training)
        trained = bench.result
        if trained is not None:
            last = bench.reports[-1]
            st.text(
                f"Trained on {bench.settings}: {len(trained.vectors_):,} words, {last.step:,} of {last.steps:,} steps, "
                f"loss {last.loss:.3f}."
            )
            show_replay(LESSON, trained, bench.reports)
            st.header("What it learnt", anchor=False)
            show_solved(trained.vectors_)
            show_neighbours(LESSON, trained.vectors_)
            show_loss(LESSON, bench.reports)
        st.header("What it trains on: the window", anchor=False)
        tokens = sentence_tokens(LESSON, document)
        centre, found = show_window(LESSON, tokens, dict(reading(document).types), model)
        st.header("One step, with its numbers", anchor=False)
        show_step(LESSON, tokens, centre, found, model, trained)

    if broken:
        show_collapse(document.text, model)
    code_that_ran(training_step, pairs, type(model).combinations, type(model).update)
    files = {}
    if trained is not None:
        files["word2vec text"] = ("word_vectors.txt", lambda: to_word2vec_text(trained.vectors_))
        for name in ("vectors.tsv", "metadata.tsv"):
            files[name] = (name, lambda name=name: to_projector_tsv(trained.vectors_)[name])
    take_away(
        LESSON,
        [
            f"from core.models.{type(model).__module__.rpartition('.')[2]} import {type(model).__name__}\n"
            "from core.text.tokenization.tokens import sentences, words\n"
            f"{notebook_text()}\nsentences = [words(sentence) for sentence in sentences(text)]",
            f"model = {type(model).__name__}(dimension={model.dimension}, window={model.window}, "
            f"negatives={model.negatives}, epochs={model.epochs}, learning_rate={model.learning_rate}, "
            f"subsampling={model.subsampling}, min_count={model.min_count}, seed={model.seed})\nmodel.fit(sentences)",
            'model.vectors_.neighbours("king", 8)',
        ],
        files,
    )
    try_this(
        LESSON,
        [
            ("Two dimensions only: the map is the vectors. How much can they hold?", {"dimension": 2}),
            (
                "A window of one word and one of ten: which finds opposites, which finds topics?",
                {"window": 1},
            ),
            ("CBOW on the same text: is it quicker, is it better?", {"kind": "CBOW"}),
        ],
        [
            "Tomas Mikolov, Ilya Sutskever, Kai Chen, Greg Corrado and Jeffrey Dean (2013), Distributed Representations "
            "of Words and Phrases and their Compositionality.",
            "Shihao Ji, Nadathur Satish, Sheng Li and Pradeep Dubey (2016), Parallelizing Word2Vec in Shared and "
            "Distributed Memory: windows as matrix products.",
        ],
    )
