"""Train word vectors on the learner's own text: the window, its pairs, one step worked through, and the replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.map_view import replay_view
from core.figures.word_vectors.training_step import STAGES, before_training, stage_formula, step_table
from core.figures.word_vectors.vector_duel import neighbour_bars
from core.figures.word_vectors.word_training import cosine_spread, loss_curve, window_figure
from core.figures.worked import enough_digits, plain_number
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import notebook_text, reading, sample_document, text_source
from core.models.training_error import TrainingError
from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.fit_word_vectors import fit_word_vectors
from core.models.word_vectors.negative_sampling import Pair, pairs, trained_window, training_step, window
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.training_progress import Progress
from core.models.word_vectors.window_blocks import blocks, steps_downhill
from core.models.word_vectors.without_noise import Spread, spread_after
from core.models.word_vectors.word2vec import Word2Vec
from core.models.word_vectors.word_vectors import WordVectors, to_projector_tsv, to_word2vec_text
from core.models.word_vectors.worked_window import first_tokens, window_pairs, worked_step
from core.models.word_vectors.world_analogies import a_known_question, solved, total
from core.text.reading.documents import Document
from core.text.tokenization.tokens import sentences, words
from pages.word_vectors.shared.training_bar import watch_training

LESSON = Lesson(
    __name__,
    title="Train word vectors",
    question="How does a word's meaning grow out of the words around it?",
    icon="sprout",
)
ALGORITHMS = {"skip-gram": SkipGram, "CBOW": Cbow}
# CBOW takes one step a window where skip-gram takes one a pair, so it wants longer ones.
LEARNING_RATES = {"skip-gram": 0.025, "CBOW": 0.1}
BUILT_FOR_IT = "micro-world"
SHORTEST, LONGEST = 3, 40  # tokens of the sentence that is looked at
EXAMPLE = "The king loves his crown and his throne."
SHOWN = 90  # words on the replayed map
FIRST_CHARACTERS = 12_000  # of the text, trained on twice when noise is taken out


def picture() -> Figure:
    """The window around a word of the micro-world."""
    tokens = words("the queen loves her crown")
    figure = small(window_figure(tokens, 2, window(tokens, 2, 2)))
    return figure.update_traces(textfont={"size": 13}).update_yaxes(range=[-0.2, 0.7])


def page() -> None:
    """Training and what it learnt; the window it trains on; one step's numbers; what noise words are for."""
    LESSON.open(
        r"L = -\ln \sigma(v \cdot u_o) - \sum_{n=1}^{k} \ln \sigma(-v \cdot u_n)"
        r"\qquad \frac{\partial L}{\partial v} = (\sigma(v \cdot u_o) - 1)\, u_o + \sum_n \sigma(v \cdot u_n)\, u_n",
        "$v$: the vector of the centre word (skip-gram) or the mean of the window's vectors (CBOW). $u_o$: the output "
        "vector of the word that is really there. $u_n$: those of $k$ words drawn as noise. $\\sigma(x) = 1/(1+e^{-x})$.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        model = settings()
        whole = model.negatives
        why = "Trains on true pairs only, with nothing to tell them from."
        if LESSON.break_it("no_noise", "Break it: no noise words", why):
            model.negatives = 0
    with stage:
        LESSON.set_values(**dict.fromkeys("measure whole broken given target loss new_loss".split(), "–"))
        LESSON.set_values(halves="", still="")
        bench = LESSON.train(fit_word_vectors, (document.text, model), document.name, watch_training)
        trained = bench.result
        if trained is not None:
            shown = trained.map_words(SHOWN)
            shots = [report for report in bench.reports if report.snapshot is not None]
            LESSON.view("map", replay_view(shown, shots, not LESSON.get_state("predict")), "map")
            LESSON.caption(trained_on(trained, bench.reports, bench.settings))
        window_box = st.container()  # until there is a map, the window is the page's picture
    if trained is not None:
        st.header("What it learnt", anchor=False)
        show_solved(trained.vectors_, bench.settings)
        show_neighbours(trained.vectors_)
        show_loss(bench.reports)
    if not model.negatives:
        st.header("What noise words are for", anchor=False)
        show_collapse(document, model, whole)
    if trained is not None:
        st.header("What it trains on: the window", anchor=False)
        window_box = st.container()
    counts = {word: count for word, count in reading(document).types if count >= model.min_count}
    with window_box:
        if trained is None:
            st.markdown("**What it trains on: the window**")
        tokens, centre, around, found = show_window(document, counts, model)
    if found:
        st.header("One step, with its numbers", anchor=False)
        show_step(tokens, centre, around, found, model, trained)
    files = {}
    if trained is not None:
        files["word2vec text"] = ("word_vectors.txt", lambda: to_word2vec_text(trained.vectors_))
        for name in ("vectors.tsv", "metadata.tsv"):
            files[name] = (name, lambda name=name: to_projector_tsv(trained.vectors_)[name])
    LESSON.closing(
        code=[
            *(training_step, trained_window, pairs, Word2Vec.fit, blocks),
            *(type(model).combinations, type(model).update, steps_downhill, spread_after),
        ],
        notebook=[
            f"from {type(model).__module__} import {type(model).__name__}\n"
            "from core.text.tokenization.tokens import sentences, words\n"
            f"{notebook_text()}\nsentences = [words(sentence) for sentence in sentences(text)]",
            f"model = {model!r}\nmodel.fit(sentences)",
            "model.vectors_.neighbours(model.vectors_.words[0], 8)",
        ],
        plot=(
            "from core.figures.word_vectors.vector_duel import neighbour_bars\n\n"
            "near = model.vectors_.neighbours(model.vectors_.words[0], 8)\n"
            'draw(neighbour_bars(near, set(), "second"))'
        ),
        try_this=[
            ("Two dimensions only: the map is the vectors. How much can they hold?", {"dimension": 2}),
            ("A window of one word: does it find opposites or topics?", {"window": 1}),
            ("A window of ten on the same text: what has changed?", {"window": 10}),
            ("CBOW on the same text: is it quicker, is it better?", {"kind": "CBOW"}),
        ],
        sources=[
            "Tomas Mikolov, Ilya Sutskever, Kai Chen, Greg Corrado and Jeffrey Dean (2013), Distributed Representations "
            "of Words and Phrases and their Compositionality.",
            "Shihao Ji, Nadathur Satish, Sheng Li and Pradeep Dubey (2016), Parallelizing Word2Vec in Shared and "
            "Distributed Memory: windows as matrix products.",
            "Omer Levy and Yoav Goldberg (2014), Neural Word Embedding as Implicit Matrix Factorization: what noise "
            "words balance.",
        ],
        files=files,
    )


def settings() -> Word2Vec:
    """Draw the settings of word2vec and return a model with them, not yet fitted."""
    kind = LESSON.choose("kind", "Algorithm", list(ALGORITHMS))
    width = LESSON.slider("window", "Window", 1, 10, 4, width=140)
    epochs = LESSON.slider("epochs", "Epochs", 1, 100, 10, width=140)
    dimension = LESSON.slider("dimension", "Dimension", 2, 200, 50, width=140)
    with LESSON.more():
        negatives = LESSON.slider("negatives", "Negatives", 1, 20, 5)
        rate = LESSON.number(f"rate_{kind}", "Learning rate", 0.001, 0.5, LEARNING_RATES[kind], format="%.3f")
        subsampling = LESSON.select_slider(
            "subsampling",
            "Subsampling of frequent words",
            [0.0, 1e-5, 1e-4, 1e-3, 1e-2],
            value=1e-3,
            help="Words with a larger share of the text than this are skipped at random; 0 keeps every word.",
        )
        count = LESSON.slider("min", "Leave out words seen fewer times than", 1, 20, 2)
        seed = LESSON.number("seed", "Seed", 0, 10_000, 1)
    return ALGORITHMS[kind](dimension, width, negatives, epochs, rate, subsampling, count, seed)


def trained_on(model: Word2Vec, reports: Sequence[Progress], name: str) -> str:
    """Say what was trained on what, how far, and what of the text an epoch keeps."""
    last = reports[-1]
    losses = [report.loss for report in reports if np.isfinite(report.loss)]
    loss = f"loss {losses[-1]:.3f}" if losses else "no block of text held a pair"
    return plain(
        f"Trained on {name}: {len(model.vectors_):,} words, {last.step:,} of {last.steps:,} steps, {loss}; an epoch keeps "
        f"{model.kept_:,.0f} of {sum(model.vocabulary_.counts):,} tokens."
    )


def show_solved(vectors: WordVectors, name: str) -> None:
    """Say how many of the micro-world's analogies the vectors solve, where they know the words."""
    scores = [score for score in solved(vectors) if score.asked]
    if not scores:
        st.markdown("None of the micro-world's analogies can be asked: this text lacks their words.")
        return
    right, asked = total(scores)
    kinds = ", ".join(f"{score.category} {score.accuracy:.0%}" for score in scores)
    built = (
        " This text was written for it: a grammar puts the words of each analogy into the same company, which no real "
        "text does so cleanly. “The word map” and “Word arithmetic” have vectors of real text."
        if name == sample_document(BUILT_FOR_IT).name
        else ""
    )
    st.markdown(
        f"**{right} of {asked} analogies solved ({right / asked:.0%})**; the first asked: {a_known_question(vectors)}. "
        f"By kind: {kinds}. Choosing at random would solve {1 / max(1, len(vectors) - 3):.1%}.{built}"
    )


def show_neighbours(vectors: WordVectors) -> None:
    """Draw the neighbours of a word that the learner chooses among those learnt."""
    known = list(vectors.words[:2000])
    longer = next((place for place, word in enumerate(known) if len(word) > 4), 0)
    start = known.index("king") if "king" in known else longer
    word = LESSON.select("neighbours_of", "Neighbours of", known, start)
    near = vectors.neighbours(word, 8)
    choices = sorted(neighbour.word for neighbour in near[:4])
    if near and LESSON.ask(f"Which is nearest to “{word}”?", choices, near[0].word, word):
        names = {neighbour.word for neighbour in near}
        LESSON.figure("near", neighbour_bars(near, names, "first", height=300), f"Words nearest to {word}")


def show_loss(reports: Sequence[Progress]) -> None:
    """Draw the loss over the training, where a block of text held a pair to have one."""
    known = [report for report in reports if np.isfinite(report.loss)]
    if known:
        curve = loss_curve([report.step for report in known], [report.loss for report in known], "steps")
        LESSON.figure("loss", curve, "The loss over the training")


def show_collapse(document: Document, model: Word2Vec, negatives: int) -> None:
    """Show how the cosines of all pairs of words are spread after a training with noise words and without."""
    kind = next(name for name, each in ALGORITHMS.items() if each is type(model))
    settings = kind, model.window, model.min_count, model.seed
    try:
        whole, broken = (spread_of(document, *settings, count) for count in (negatives, 0))
    except TrainingError as error:
        st.info(plain(str(error)))
        return
    LESSON.figure(
        "spread",
        cosine_spread({f"{negatives} noise words": whole.cosines, "no noise words": broken.cosines}),
        f"The cosines of all pairs of {whole.words} words, with noise words and without",
    )
    consequence("Mean cosine of two words", whole.mean, broken.mean, more_is_better=False)
    st.markdown(collapse(whole, broken))


def collapse(whole: Spread, broken: Spread) -> str:
    """Say what the two trainings came to."""
    about = (
        f"Both were trained just now on the beginning of your text, {whole.epochs} times over, with the same seed; "
        f"measured on its {whole.words} most frequent words. "
    )
    if broken.mean <= whole.mean:
        return (
            about
            + "On this text the vectors do not turn the same way without noise: it holds too little to pull them."
        )
    return about + (
        f"Without noise two words have cosine {broken.mean:.2f} on average, with it {whole.mean:.2f}: each true pair "
        "pulls, and nothing pushes, so that words which have no company in common come to lie together too."
    )


@cached(32, 6, "Training on the beginning of your text", shared=is_sample)
def spread_of(
    document: Document, kind: str, window: int, min_count: int, seed: int, negatives: int
) -> Spread:
    """Return `spread_after` on the beginning of a text."""
    model = ALGORITHMS[kind](window=window, min_count=min_count, seed=seed)
    beginning = document.text[:FIRST_CHARACTERS]
    return spread_after([words(sentence) for sentence in sentences(beginning)], model, negatives)


def sentence_tokens(document: Document) -> list[list[str]]:
    """Draw the field for the words to look at, at first a line of the text; return them, a list a sentence."""
    lines = (line for line in reading(document).first_lines.splitlines() if len(words(line)) >= SHORTEST)
    default = next(lines, EXAMPLE)
    # The text is part of the name: another text brings a sentence of its own.
    typed = LESSON.text(f"sentence_{document.digest[:8]}", "A sentence", default, max_chars=400)
    if len(words(typed)) < SHORTEST:
        st.info(f"Write a sentence of {SHORTEST} words or more. Until then you see one of your text's own.")
        typed = default
    return first_tokens([words(sentence) for sentence in sentences(typed)], LONGEST)


def show_window(
    document: Document, counts: Mapping[str, int], model: Word2Vec
) -> tuple[list[str], int, list[int], list[Pair]]:
    """Draw the window at a place that the learner moves; return tokens, place, window and the pairs trained on."""
    controls = st.container(horizontal=True)
    with controls:
        cut = sentence_tokens(document)
    tokens = [token for sentence in cut for token in sentence]
    windows = [trained_window(cut, place, model.window, counts) for place in range(len(tokens))]
    start = next((place for place in range(min(2, len(tokens) - 1), len(tokens)) if windows[place]), 0)
    with controls:
        centre = LESSON.slider("centre", "Centre word", 1, len(tokens), start + 1, width=240) - 1
    around = windows[centre]
    unknown = [place for place, token in enumerate(tokens) if token not in counts]
    LESSON.figure(
        "window_figure",
        window_figure(tokens, centre, around, unknown),
        f"The window around {tokens[centre]} holds {', '.join(tokens[place] for place in around) or 'no word'}",
        wide=True,
    )
    reach = "No window crosses the end of a sentence" + (
        f", and each time training draws its reach anew, 1 to {model.window}: drawn is the widest."
        if model.window > 1
        else "."
    )
    if left_out := dict.fromkeys(tokens[place] for place in unknown):
        reach += f" In parentheses: left out, seen fewer than {model.min_count} times in your text ({len(left_out)})."
    st.caption(reach)
    if not around:
        st.info(plain(f"“{tokens[centre]}” has no window here: training makes no pair of it."))
        return tokens, centre, around, []
    found = window_pairs(tokens, centre, around, counts, model)
    true = sum(pair.positive for pair in found)
    makes = "1 true pair to pull together" if true == 1 else f"{true} true pairs to pull together, each"
    drawn = {0: "no noise word", 1: "1 word drawn as noise to push away"}.get(
        model.negatives, f"{model.negatives} words drawn as noise to push away"
    )
    st.text(f"The window around “{tokens[centre]}” makes {makes} with {drawn}:")
    rows = [(pair.centre, pair.other, "true" if pair.positive else "noise") for pair in found]
    table = pd.DataFrame(rows, columns=["given", "to be found", "pair"])
    st.dataframe(table, height=180, hide_index=True, key=LESSON.key("pairs"), alt="The pairs of this window")
    return tokens, centre, around, found


def show_step(
    tokens: Sequence[str],
    centre: int,
    around: Sequence[int],
    found: Sequence[Pair],
    model: Word2Vec,
    learnt: Word2Vec | None,
) -> None:
    """Step through the numbers of one training step on the window's first true pair and its noise."""
    step = worked_step(tokens, centre, around, found, model, learnt)
    target, *noise = (pair.other for pair in found[: 1 + model.negatives])
    stage = LESSON.step(STAGES)
    given = "mean" if isinstance(model, Cbow) else tokens[centre]
    digits = enough_digits(step.loss, step.new_loss)
    loss, new_loss = (plain_number(each, digits) for each in (step.loss, step.new_loss))
    LESSON.set_values(given=given, target=target, loss=loss, new_loss=new_loss, **before_training(step))
    st.latex(stage_formula(step, stage, given, target))
    repeated = [word for word, count in Counter([target, *noise]).items() if count > 1]
    if repeated:
        st.caption(
            plain(
                f"Drawn more than once, with one vector that takes the sum of its gradients: {', '.join(repeated)}."
            )
        )
    LESSON.every_number("one training step", lambda: step_table(step, target, noise))
