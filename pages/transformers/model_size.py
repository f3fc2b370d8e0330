"""Size: where a transformer's numbers and its work are, from the course's GPTs to the largest, and what size buys."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.transformers.model_size import (
    grouped,
    growth_figure,
    in_bytes,
    in_words,
    law_figure,
    parts_table,
    runs_figure,
    shares_figure,
    training_figure,
)
from core.figures.transformers.size_said import (
    along_said,
    foretold,
    how_counts_compare,
    on_own_text,
    points_along,
    training_said,
    what_it_bears,
)
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.choices.language_model_choice import say_what_changed
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.stored import load_json
from core.models.stored_language_models import encode_characters
from core.models.transformers.model_sizes import STORED, losses_on, sized_runs
from core.models.transformers.power_law import (
    exponent_interval,
    fit_power_law,
    floors_that_fit,
    loss_intervals,
)
from core.models.transformers.published_shapes import NAMES, Published, published_shapes
from core.models.transformers.transformer_size import (
    Shape,
    cache_is_larger_at,
    cached_numbers,
    matrix_weights,
    overtaken_at,
    parameter_parts,
    parameters,
    reading_operations,
    training_operations,
    without_embeddings,
)
from core.text.reading.documents import Document

LESSON = Lesson(__name__, title="Size", question="Where do 175 billion numbers go?", icon="weight")
TOKENS = [2**power for power in range(6, 21)]
LINE = np.unique(np.logspace(1, 7, 61).round()).tolist()  # the T at which the lines are drawn
BINS = {"below 1,000": 1000, "1,000 to 10,000": 10_000, "10,000 to 100,000": 100_000, "above 100,000": np.inf}
PLACES = {
    "feed-forward": "feed-forward layers",
    "logits": "matrix of logits",
    "attention": "attention's matrices",
}
BITS = {"16 bits": 2, "32 bits": 4}
OURS = NAMES["char_gpt"]
WITHOUT, ALL = "without embeddings", "all"
READ, WORK = "characters read", "operations, 6 N D"
MEASURED_ON = 2000  # characters of the learner's text


def picture() -> Figure:
    """GPT-2's numbers and its work, by part."""
    return small(shares_figure(Shape(50_257, 1024, 12, 12, 768), 1024))


def page() -> None:
    """One shape at a time: numbers, work, memory, training; then the loss of four models against their size."""
    LESSON.open(
        r"N = V C + T_{\max} C + L\,(4 C^2 + 8 C^2 + \dots) \qquad \underset{\text{cache}}{2 L\,G d\,T} \qquad "
        r"\underset{\text{reading}}{2 T M + 2 L C\,T (T + 1)} \qquad \underset{\text{training}}{6 N D} \qquad "
        r"\text{loss} = a\,N^{-b}",
        "$V$: tokens of the vocabulary. $C$: numbers a token. $L$: layers, each with four $C \\times C$ matrices "
        "of attention and $8 C^2$ numbers in its feed-forward layer, as GPTs have them: Llama's layers are counted by their "
        "own shape; biases and norms are the rest. $T_{\\max}$: learned "
        "positions. $G$: heads with keys and values of their own, $d$ numbers each. $T$: tokens read. $M$: weights of all "
        "matrices; each is "
        "a multiplication and an addition for each token. $D$: tokens trained on. An operation is one multiplication or one "
        "addition. Norms, softmax and activations are not counted, and all the mask hides is not computed.",
    )
    models = {each.name: each for each in published_shapes()}
    controls, stage = LESSON.stage()
    with controls:
        chosen = models[LESSON.select_slider("model", "Model", list(models), value=OURS, width=330)]
        tokens = LESSON.select_slider("tokens", "T, tokens read", TOKENS, value=256, width=260)
        bits = LESSON.choose("bits", "A number takes", list(BITS))
    shape = chosen.shape
    with stage:
        cross = overtaken_at(shape)
        answer = next(name for name, end in BINS.items() if cross < end)
        question = (
            f"{chosen.name}: from which T on are scores and sums of values over half of the work of reading?"
        )
        if LESSON.ask(question, list(BINS), answer, chosen.name):
            show_parts(chosen, tokens, cross)
            LESSON.every_number("parts", parts_table, shape, tokens)
            st.header("What must stay in memory", anchor=False)
            show_memory(chosen, tokens, bits)
    st.header("What training takes", anchor=False)
    show_training(models, chosen)
    st.header("What size buys: four models trained here", anchor=False)
    show_law()
    st.header("And what reading more buys", anchor=False)
    show_runs()
    LESSON.closing(
        code=[
            *(parameter_parts, reading_operations, overtaken_at, cached_numbers, cache_is_larger_at),
            *(training_operations, fit_power_law, exponent_interval, floors_that_fit, losses_on),
        ],
        notebook=[
            "from core.models.transformers.transformer_size import Shape, cached_numbers, overtaken_at\n"
            "from core.models.transformers.transformer_size import parameter_parts, parameters, reading_operations\n"
            "from core.models.transformers.transformer_size import without_embeddings\n\n"
            f"shape = {shape!r}\nprint(parameter_parts(shape), parameters(shape))\n"
            f"print(reading_operations(shape, {tokens}), overtaken_at(shape), cached_numbers(shape, {tokens}))",
            "import numpy as np\n\nfrom core.models.transformers.model_sizes import sized_runs\n"
            "from core.models.transformers.power_law import exponent_interval, fit_power_law\n\n"
            "runs = sized_runs()\nsizes = [without_embeddings(run.shape) for run in runs]\n"
            "print(fit_power_law(sizes, [run.loss for run in runs]))\n"
            "print(exponent_interval(sizes, np.stack([run.by_piece for run in runs])))",
        ],
        plot=(
            "from core.figures.transformers.model_size import shares_figure\n\n"
            f"draw(shares_figure(shape, {tokens}))"
        ),
        try_this=[
            ("GPT-3 on a thousand tokens: where is the work?", {"model": "GPT-3", "tokens": 1024}),
            (
                "Llama 3.1 8B on a million tokens: which is larger, the model or its cache?",
                {"model": "Llama 3.1 8B", "tokens": 1_048_576},
            ),
            ("Foretell the largest of our four from the other three", {"left_out": True}),
        ],
        sources=[
            "Jared Kaplan et al. (2020), Scaling Laws for Neural Language Models.",
            "Jordan Hoffmann et al. (2022), Training Compute-Optimal Large Language Models.",
            "Alec Radford et al. (2019), Language Models are Unsupervised Multitask Learners: GPT-2.",
            "Tom Brown et al. (2020), Language Models are Few-Shot Learners: GPT-3.",
            "Llama Team (2024), The Llama 3 Herd of Models.",
            "Joshua Ainslie et al. (2023), GQA: Training Generalized Multi-Query Transformer Models from Multi-Head "
            "Checkpoints.",
        ],
    )


def show_parts(chosen: Published, tokens: int, cross: int) -> None:
    """Draw shares by part beside the growth of the work, and say where most numbers and most work are."""
    shape = chosen.shape
    learned, work = grouped(parameter_parts(shape)), grouped(reading_operations(shape, tokens))
    N, scores = sum(learned.values()), "scores"
    bars, lines = st.columns(2, gap="medium")
    with bars:
        alt = f"{chosen.name}: shares of its numbers and of its operations, by part"
        LESSON.figure("parts", shares_figure(shape, tokens), alt)
    with lines:
        M = sum(matrix_weights(shape).values())
        grows = {
            "matrices: 2 T M": [2 * t * M for t in LINE],
            "scores: 2 L C T (T + 1)": [2 * shape.layers * shape.width * t * (t + 1) for t in LINE],
        }
        alt = f"{chosen.name}: operations to read T tokens; the scores overtake the matrices at T = {cross:,}"
        LESSON.figure("work", growth_figure(LINE, grows, tokens, "operations"), alt)
    most, busiest = max(learned, key=learned.get), max(work, key=work.get)
    LESSON.caption(
        f"{chosen.name} learns {N:,} numbers, {percent(learned[most] / N, 0)} of them in its "
        f"{PLACES.get(most, most)}. To read {tokens:,} tokens at once, the scores and sums "
        f"of values take {percent(work[scores] / sum(work.values()), 0)} of the work; from T = {cross:,} on, over half."
    )
    if tokens > shape.context:
        st.caption(f"It was trained to read at most {shape.context:,} tokens: more is arithmetic only.")
    st.markdown(how_counts_compare(chosen))
    LESSON.set_values(
        N=f"{N:,}", words=in_words(N), most=PLACES.get(most, most), most_share=percent(learned[most] / N, 0)
    )
    LESSON.set_values(name=chosen.name, L=shape.layers, C=f"{shape.width:,}", V=f"{shape.vocabulary_size:,}")
    C, rows = shape.width, shape.vocabulary_size + shape.context
    LESSON.set_values(rest=f"{N - rows * C - 12 * shape.layers * C**2:,}")
    LESSON.set_values(cross=f"{cross:,}", T=f"{tokens:,}", busiest=busiest, context=f"{shape.context:,}")
    LESSON.set_values(
        scores=percent(work[scores] / sum(work.values()), 0), embedding=in_words(learned["embedding"])
    )


def show_memory(chosen: Published, tokens: int, bits: str) -> None:
    """Draw the weights against the growing keys and values, and say when the cache is the larger."""
    shape, each = chosen.shape, BITS[bits]
    weights, a_token = parameters(shape) * each, cached_numbers(shape, 1) * each
    LESSON.figure(
        "memory",
        growth_figure(
            LINE,
            {"weights": [weights] * len(LINE), "keys and values": [a_token * t for t in LINE]},
            tokens,
            "bytes",
            300,
        ),
        f"{chosen.name}: memory of its weights, and of the keys and values of T tokens",
    )
    larger = cache_is_larger_at(shape)
    LESSON.caption(
        f"In {bits} its weights take {in_bytes(weights)}. Each token it has read keeps {in_bytes(a_token)} of keys and "
        f"values: {tokens:,} tokens {in_bytes(a_token * tokens)}. From {larger:,} tokens on, that is more than the weights."
    )
    if shape.sharing > 1:
        st.markdown(
            f"Its {shape.heads} heads share {shape.heads // shape.sharing} sets of keys and values, {shape.sharing} heads "
            f"each. Had every head its own, a token would keep {in_bytes(a_token * shape.sharing)}."
        )
    LESSON.set_values(bits=bits, weights=in_bytes(weights), a_token=in_bytes(a_token), larger=f"{larger:,}")
    LESSON.set_values(kept=in_bytes(a_token * tokens))
    names = ("numbers in weights", "bytes of weights", "numbers kept a token", f"bytes kept, T = {tokens:,}")
    values = (parameters(shape), weights, cached_numbers(shape, 1), a_token * tokens)
    LESSON.every_number("memory", pd.DataFrame, {"what": names, "count": values})


def show_training(models: dict[str, Published], chosen: Published) -> None:
    """Draw 6 N D of every model whose D is known, and compare the chosen one with the course's."""
    known = {name: each for name, each in models.items() if each.tokens}
    operations = {
        name: training_operations(parameters(each.shape), each.tokens) for name, each in known.items()
    }
    LESSON.figure(
        "training",
        training_figure(operations, chosen.name),
        "Operations to train each model whose training data is known",
    )
    told = chosen if chosen.tokens else models["GPT-3"]
    sentence = training_said(told, operations[told.name], models[OURS], operations[OURS])
    unknown = "" if chosen.tokens else f" How many tokens {chosen.name} read is not known here."
    st.markdown(sentence + unknown)
    LESSON.set_values(training=sentence + unknown)
    table = {
        "model": list(known),
        "N": [parameters(each.shape) for each in known.values()],
        "D": [each.tokens for each in known.values()],
        "6 N D": list(operations.values()),
        "their makers say": [each.operations for each in known.values()],
    }
    LESSON.every_number("training", pd.DataFrame, table)


@cache
def sizes_of(count: str) -> tuple[int, ...]:
    """Return the four sizes, counted one way or the other."""
    size = without_embeddings if count == WITHOUT else parameters
    return tuple(size(run.shape) for run in sized_runs())


@cache
def intervals_of_losses() -> np.ndarray:
    """Return the ends of the interval of each model's loss on other held-out pieces, (models, 2)."""
    return loss_intervals(np.stack([run.by_piece for run in sized_runs()]))


@cache
def said_of_models(count: str) -> str:
    """Return what four models tell; two hundred laws are fitted for it."""
    return what_it_bears(sized_runs(), sizes_of(count), intervals_of_losses())


@cache
def interval_of(count: str, used: int) -> tuple[float, float]:
    """Return the interval of b over other pieces, with the first `used` models."""
    return exponent_interval(sizes_of(count)[:used], np.stack([run.by_piece for run in sized_runs()])[:used])


@cached(16, 4, "Four models read your text", shared=is_sample)
def own_losses(document: Document) -> tuple[int, list[float]]:
    """Return how many characters of the learner's text were read, and the four losses on them."""
    return losses_on(document.text[:MEASURED_ON])


def show_law() -> None:
    """Draw the four losses with the fitted law, and say what four models can tell."""
    controls, below = LESSON.stage("law")
    with controls:
        document = text_source()
        count = LESSON.choose("count", "N counts the numbers", [WITHOUT, ALL])
        left_out = LESSON.break_it(
            "left_out",
            "Break it: fit without the largest model",
            "The law then foretells the largest from the three smaller ones; its measured loss stands beside it.",
        )
    runs, sizes = sized_runs(), sizes_of(count)
    losses, intervals = [run.loss for run in runs], intervals_of_losses()
    used = len(runs) - left_out
    law = fit_power_law(sizes[:used], losses[:used])
    read, own = own_losses(document)
    with below:
        alt = "The loss of four models against their size, with a fitted power law"
        LESSON.figure("law", law_figure(sizes, losses, intervals, law, used, own), alt)
        low, high = interval_of(count, used)
        LESSON.caption(
            f"Fitted to {used} models: loss = {law.a:.2f} · N^−{law.b:.3f}; other held-out pieces put b between {low:.3f} "
            f"and {high:.3f}. By it ten times the numbers make the loss {10**-law.b:.2f} times as large."
        )
        if left_out:
            whole = fit_power_law(sizes, losses)
            consequence("Exponent b", whole.b, law.b, ".3f", more_is_better=None)
            LESSON.set_values(foretold=(said := foretold(law, sizes[-1], losses[-1], intervals[-1])))
            st.markdown(said)
    st.markdown(said_of_models(count))
    say_what_changed(encode_characters(load_json(STORED, "vocabulary"), document.text[:MEASURED_ON]))
    st.markdown(on_own_text(runs, read, own))
    LESSON.set_values(a=f"{law.a:.2f}", b=f"{law.b:.3f}", low=f"{low:.3f}", high=f"{high:.3f}", used=used)
    LESSON.set_values(ten=f"{10**-law.b:.2f}", smallest=f"{sizes[0]:,}", largest=f"{sizes[-1]:,}")
    table = {
        "model": [run.name for run in runs],
        WITHOUT: sizes_of(WITHOUT),
        ALL: sizes_of(ALL),
        "nats a character": losses,
        "2.5%": intervals[:, 0],
        "97.5%": intervals[:, 1],
        "the law": law(sizes),
    }
    LESSON.every_number("losses by size", pd.DataFrame, table)


def show_runs() -> None:
    """Draw the four losses along their training, against what was read or what it cost."""
    by_work = LESSON.choose("against", "Against", [READ, WORK]) == WORK
    runs, sizes = sized_runs(), sizes_of(ALL)
    points = points_along(runs, sizes, by_work)
    title = f"{WORK if by_work else READ} (logarithmic)"
    LESSON.figure("runs", runs_figure(points, title), "Held-out loss of the four along their training")
    st.markdown(along_said(runs, sizes))
    st.caption(
        "Every point but a run's last was measured before the learning rate had fallen to nought. A run that had been "
        "planned to end there would have a lower loss; Hoffmann and others (2022) say that this had bent the earlier law."
    )
    rows = [(run.name, read, loss) for run in runs for read, loss in run.along]
    LESSON.every_number("losses along the way", pd.DataFrame, rows, None, ["model", READ, "nats a character"])
