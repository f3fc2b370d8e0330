"""The block, opened: one forward pass of a trained GPT, from the whole model down to any one number and its operands."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.heads import names_of
from core.figures.transformers.added_vectors import (
    added_figure,
    grid_of_lengths,
    likeliest_said,
    longest_said,
    moved_said,
    part_names,
)
from core.figures.transformers.matrices import PARTS, shape_said
from core.figures.transformers.opened_view import Reading, closed_view, opened_view, stage_said
from core.figures.transformers.place import placed
from core.figures.worked import dot_product, number, percent
from core.lesson.break_it import consequence
from core.lesson.cache import shared_lru_cache
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import GPTS, LABELS, choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.self_attention.attention import attend, from_masked
from core.models.self_attention.attentive_models import BACK, AttentiveModel, ReadText, attentive_model
from core.models.self_attention.gpt import GPT
from core.models.transformers.opened_gpt import (
    OpenedGPT,
    open_add,
    open_attention,
    open_block,
    open_embedding,
    open_feed_forward,
    open_gpt,
    open_norm,
    open_output,
    without_part,
)

LESSON = Lesson(
    __name__,
    title="The block, opened",
    question="What does a transformer compute, from a token's id to the next token?",
    icon="blocks",
)
SENTENCE = "The people of Israel went out of the land of"
TOKENS_AT_MOST = 64
POSITIONS = "the place vectors"


def picture() -> Figure:
    """How long the vectors are that each part of the GPT of byte pairs adds to the stream, token by token."""
    model = attentive_model(BACK[0])
    return small(grid_of_lengths(open_gpt(model.network, model.read(SENTENCE).ids).added().numpy()))


def page() -> None:
    """The model at five levels of zoom; what each part adds; one part left out; how many numbers there are."""
    LESSON.open(
        r"x = E_{\text{id}} + P \qquad x \leftarrow x + \text{attention}(\text{norm}(x)) \qquad "
        r"x \leftarrow x + \text{feed-forward}(\text{norm}(x)) \qquad p = \operatorname{softmax}(\text{norm}(x)\, E^\top)",
        "$x$: the stream, $C$ numbers for each of $T$ tokens. $E$: a vector for each of the $V$ tokens of the vocabulary; "
        "$P$: one for each place. The two steps in the middle are a block; the model has $L$ of them, one after the other. "
        "Attention has $H$ heads of $d = C / H$ numbers; the feed-forward network has $4C$ neurons. $p$: the probability "
        "of every token of the vocabulary to come next.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = attentive_model(GPTS[LESSON.select("model", "Model", list(GPTS), width=165)])
        read = choose_read_text(LESSON, notes, document, model, SENTENCE, TOKENS_AT_MOST)
        broken = LESSON.break_it(
            "off", "Break it: leave one part out", "It adds nothing; what follows does without."
        )
        layers = model.network.config.layers
        with LESSON.more():
            left_out = LESSON.select("which", "The part to leave out", [*part_names(layers), POSITIONS], 1)
    ids, names, tokens_named = tuple(read.ids.tolist()), names_of(read.tokens), vocabulary_named(model.name)
    whole = opened_gpt(model.name, ids)
    opened = opened_gpt(model.name, ids, left_out) if broken else whole
    network = broken_network(model.name, left_out) if broken else model.network
    place = placed(LESSON.get_query("at"), opened)
    t, before = place.token, probabilities(whole)
    reading = Reading(network, opened, names, tokens_named, before if broken else None)
    lengths = opened.added().numpy()
    notes.caption(
        "In the model and in a block a number is a vector's length, and all that attention and feed-forward networks add "
        "is shaded on one scale; every other row has a scale of its own."
    )
    with stage:
        choices = part_names(layers)
        last = lengths[:, :, -1].ravel()
        may_show = LESSON.ask(
            f"Which part adds the longest vector at “{names[-1]}”, the last token?",
            choices,
            choices[int(last.argmax())],
            f"{model.name}_{hash(ids)}_{left_out if broken else ''}",
        )
        data = opened_view(reading, place) if may_show else closed_view(reading, placed("", opened))
        LESSON.view("opened_model", data, on={"go": go})
        p = probabilities(opened)[t]
        tell_beats(reading, t, p)
        if may_show:
            LESSON.caption(
                plain(f"{longest_said(lengths[:, :, t], names[t], t)} {likeliest_said(p, tokens_named)}")
            )
    if broken:
        show_consequence(before[t], p, tokens_named, left_out, f"“{names[t]}”")

    if may_show:
        st.header("What each part adds", anchor=False)
        st.markdown(
            f"The stream runs through all {layers} blocks; a part reads a normed copy of it and adds a vector. Here is "
            f"how long those vectors are at “{plain(names[t])}” (token {t + 1}): the root of the sum of their squares."
        )
        alt = f"The length of what attention and feed-forward network of each block add at token {t + 1}"
        LESSON.figure("added", added_figure(lengths[:, :, t]), alt)
        LESSON.every_number("vectors added", added_table, lengths, names)
        LESSON.every_number("next token", next_token_table, reading, t)

    st.header("How many numbers", anchor=False)
    show_counts(model, reading)
    LESSON.closing(
        code=[
            *(open_gpt, open_embedding, open_block, open_norm, open_attention, attend, from_masked),
            *(open_feed_forward, open_add, open_output, without_part),
        ],
        notebook=cells(model, read, t),
        plot=(
            "from core.figures.transformers.added_vectors import added_figure\n\n"
            f"draw(added_figure(opened.added()[:, :, {t}].numpy()))"
        ),
        try_this=prompts(),
        sources=[
            "Ashish Vaswani et al. (2017), Attention Is All You Need.",
            "Alec Radford et al. (2019), Language Models are Unsupervised Multitask Learners (GPT-2).",
            "Jimmy Lei Ba, Jamie Ryan Kiros and Geoffrey Hinton (2016), Layer Normalization.",
            "Dan Hendrycks and Kevin Gimpel (2016), Gaussian Error Linear Units (GELUs).",
            "Nelson Elhage et al. (2021), A Mathematical Framework for Transformer Circuits.",
        ],
    )


def go(place: dict) -> None:
    """Go to the place that was chosen in the picture; `placed` brings whatever came inside the reading."""
    level = ("model", "block", "part", "matrix", "cell")[int(place["level"])]
    counted = (int(place[name]) + 1 for name in ("head", "token", "number"))
    LESSON.set_query(
        "at", ".".join(map(str, (level, place["stage"], place["part"], place["matrix"], *counted)))
    )


@shared_lru_cache(4)
def broken_network(name: str, left_out: str) -> GPT:
    """Return a model's network without one part, named as in the list of parts; all sessions share it."""
    network = attentive_model(name).network
    if left_out == POSITIONS:
        return without_part(network, 0, "positions")
    place = part_names(network.config.layers).index(left_out)
    return without_part(network, place // 2 + 1, ("attention", "feed_forward")[place % 2])


@cached(16, 6, "The model reads", shared=no_typed_words)
def opened_gpt(name: str, ids: tuple[int, ...], left_out: str = "") -> OpenedGPT:
    """Return a model's reading, opened, without one part if one is named."""
    torch.set_num_threads(1)
    network = broken_network(name, left_out) if left_out else attentive_model(name).network
    return open_gpt(network, torch.tensor(ids))


def probabilities(opened: OpenedGPT) -> np.ndarray:
    """Return the next token's probabilities after each token, (T, V)."""
    return opened.stages[-1]["output"].probabilities.numpy()


def tell_beats(reading: Reading, t: int, p: np.ndarray) -> None:
    """Keep the values that the tour's sentences hold."""
    sizes, top = reading.sizes, int(p.argmax())
    LESSON.set_values(
        token=reading.names[t],
        heads=sizes["H"],
        width=sizes["C"],
        neurons=sizes["4C"],
        blocks=reading.model.config.layers,
        vocabulary=f"{sizes['V']:,}",
        likeliest=reading.vocabulary[top],
        p=percent(float(p[top])),
        shape=shape_said(("T", "C"), sizes),
    )


def show_consequence(
    before: np.ndarray, after: np.ndarray, named: np.ndarray, left_out: str, token: str
) -> None:
    """Show what leaving a part out does to the prediction after a token."""
    was = int(before.argmax())
    measure = f"Probability of “{named[was]}” after {token}"
    form = ".1%" if after[was] > 0.0005 else ".2g"  # not 0.0% for what is a little more than nothing
    consequence(plain(measure), float(before[was]), float(after[was]), form, more_is_better=None)
    st.markdown(plain(moved_said(before, after, named, left_out)))


def show_counts(model: AttentiveModel, reading: Reading) -> None:
    """Say how many numbers one reading makes and how many the model has learned."""
    rows = matrices_of(reading)
    made = sum(row["numbers"] for row in rows)
    learned = sum(parameter.numel() for parameter in model.network.parameters())
    T = len(reading.names)
    st.markdown(
        f"Reading {T} {'token' if T == 1 else 'tokens'} makes {len(rows)} matrices of {made:,} numbers together; every one "
        "of them can be opened above. (A row's mean, variance and sum, one number each, stand in the formulas and are not "
        f"counted.) The model has learned {learned:,} numbers, the same for every text."
    )
    LESSON.every_number("matrices", lambda: pd.DataFrame(rows))


def matrices_of(reading: Reading) -> list[dict]:
    """Return each matrix of the reading with its shape and how many numbers it has."""
    return [
        {
            "stage": stage_said(reading, stage),
            "part": PARTS[name].title,
            "matrix": matrix.title,
            "shape": shape_said(matrix.shape, reading.sizes),
            "numbers": getattr(part, matrix.name).numel(),
        }
        for stage, parts in enumerate(reading.opened.stages)
        for name, part in parts.items()
        for matrix in PARTS[name].matrices
        if not (
            matrix.name in ("stream", "added") and name.startswith("add_")
        )  # counted where they were made
    ]


def added_table(lengths: np.ndarray, names: list[str]) -> pd.DataFrame:
    """Return the length of what each part adds, a line a token."""
    flat = lengths.reshape(-1, lengths.shape[-1])
    columns = zip(part_names(len(lengths)), flat, strict=True)
    return pd.DataFrame({"token": names, **dict(columns)})


def next_token_table(reading: Reading, t: int) -> tuple[pd.DataFrame, Formula]:
    """Return the whole vocabulary with logit and probability after token t, the likeliest first, and their formulas."""
    output, named = reading.opened.stages[-1]["output"], reading.vocabulary
    n, E = (
        reading.opened.stages[-1]["norm"].read[t].numpy(),
        reading.model.token_embedding.weight.detach().numpy(),
    )
    logits, e, p = (each[t].numpy() for each in (output.logits, output.exponentials, output.probabilities))
    order = np.argsort(-p, kind="stable")
    total, greatest = float(e.sum()), float(logits.max())

    def formula(row: int, column: str) -> str | None:
        i = order[row]
        forms = {
            "e^": rf"e^{{{number(logits[i])} - ({number(greatest)})}} = {number(e[i])}",
            "p": rf"\frac{{{number(e[i])}}}{{{number(total)}}} = {number(p[i])}",
            "logit": rf"n \cdot E_{{{i}}} = {dot_product(n, E[i])}",
        }
        return forms.get(column)

    return pd.DataFrame(
        {"token": named[order], "logit": logits[order], "e^": e[order], "p": p[order]}
    ), formula


def cells(model: AttentiveModel, read: ReadText, t: int) -> list[str]:
    """Return the notebook's cells that open the model again, and what they print."""
    return [
        "from core.models.self_attention.attentive_models import attentive_model\n"
        "from core.models.transformers.opened_gpt import open_gpt, without_part\n\n"
        f"model = attentive_model({model.name!r})\n"
        f"read = model.read({read.prompt.text!r}, most={len(read.ids)})\n"
        "opened = open_gpt(model.network, read.ids)",
        "for stage in opened.stages:\n    for name, part in stage.items():\n"
        "        print(name, {matrix: tuple(tensor.shape) for matrix, tensor in vars(part).items()})",
        f"print(read.tokens)\nprint(opened.added()[:, :, {t}])  # lengths, a row a block: attention, feed-forward",
        f"p = opened.stages[-1]['output'].probabilities[{t}]\n"
        "print(p.sum(), [(model.vocabulary[i], p[i].item()) for i in p.argsort(descending=True)[:8].tolist()])",
        "broken = open_gpt(without_part(model.network, 1, 'feed_forward'), read.ids)\n"
        f"print((broken.stages[-1]['output'].probabilities[{t}] - p).abs().sum() / 2)  # how much moves without it",
    ]


def prompts() -> list[tuple[str, dict[str, object]]]:
    """Return the things to try, each with the sentence and the model that it speaks of."""
    here = {"source": TYPED, "typed": SENTENCE, "model": LABELS[BACK[0]]}
    return [
        (
            "One number of the last block: a neuron before it is bent",
            {**here, "at": "cell.4.feed_forward.widened.1.11.100"},
        ),
        ("One head's weights as a whole matrix", {**here, "at": "matrix.2.attention.weights.3.11.1"}),
        (
            "Without the place vectors: does the model still know what comes next?",
            {**here, "off": True, "which": POSITIONS},
        ),
    ]
