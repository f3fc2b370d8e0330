"""Residual and norm: what each part writes into the stream, and models that were trained without a piece."""

from __future__ import annotations

import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.heads import names_of
from core.figures.transformers.residual_norm import (
    PARTS,
    both_norms_figure,
    costs_figure,
    curves_figure,
    length_figure,
    signed_bars,
)
from core.figures.transformers.residual_said import (
    costs_table,
    first_losses,
    parts_table,
    said_of_both_norms,
    said_of_cost,
    said_of_cuts,
    said_of_directions,
    said_of_logit,
    said_of_luck,
    said_of_stream,
)
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.transformer_choice import GPTS, choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.self_attention.attentive_models import AttentiveModel, ReadText, attentive_model
from core.models.transformers.ablated_gpt import FORMS, WHOLE, AblatedBlock
from core.models.transformers.ablated_gpts import (
    costs,
    interval,
    stored_ablated_gpt,
    stored_trainings,
    text_loss,
    window_loss,
)
from core.models.transformers.residual_stream import (
    Stream,
    cosine,
    normalised_parts,
    read_stream,
    shares_of_logit,
)
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="Residual and norm",
    question="What does each part add to the stream, and what if a piece were missing?",
    icon="waves",
)
SENTENCE = "ROMEO:\nI will not go to the king"
SMALL = "small GPT"
MODELS = (SMALL, *GPTS)
TAKEN_OUT = {
    "no residual": "What a part writes takes the place of the stream: nothing is added to what stood there.",
    "no norm": "Every part reads the stream as long or as short as it is.",
    "no feed-forward": "Attention alone writes into the stream.",
    "no positions": "The stream starts as the token alone: the order is known from the mask only.",
    "post-norm": "Each norm stands after the sum, and sets the length of the stream itself.",
}
PIECES = tuple(TAKEN_OUT)


def picture() -> Figure:
    """The small GPT's stream, token by token, and what each part writes into it."""
    model = stored_ablated_gpt(WHOLE)
    read = model.read(SENTENCE)
    return small(length_figure(read_stream(model.network, read.ids), len(read.ids) - 1, read.tokens))


def page() -> None:
    """One token's stream part by part; directions; both places of the norm; six models trained with and without."""
    LESSON.open(
        r"x_i = x_{i-1} + f_i(\mathrm{norm}(x_{i-1})) \qquad \text{post-norm: } x_i = \mathrm{norm}(x_{i-1} + f_i(x_{i-1}))"
        r"\qquad \mathrm{norm}(x) = g \odot \frac{x - \bar x}{\sqrt{\mathrm{var}(x) + \varepsilon}} + b",
        "$x_0$: token plus position. $f_i$: attention or the feed-forward network of a layer. The logit of token $w$ is "
        "$\\mathrm{norm}(x_n) \\cdot E_w$; with norms after the sum, or none, $x_n \\cdot E_w$. With the spread below the "
        "root taken as it is, a norm is linear but for its offset $b$: what it leaves of each $f_i$, dotted with "
        "$E_w - \\bar E$ ($\\bar E$: the mean over all tokens), is its share of how far the logit stands above the mean.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        piece = LESSON.select("piece", "Piece to leave out", PIECES, width=150)
        broken = LESSON.break_it(
            "broken",
            "Break it: train without it",
            "Shows the small GPT that was trained so from the start, with the same steps and texts.",
        )
        label = LESSON.select("model", "Model", MODELS, width=165)
        name = (piece if broken else WHOLE) if broken or label == SMALL else GPTS[label]
        model = model_named(name)
        read = choose_read_text(LESSON, notes, document, model, SENTENCE)
    with notes:
        st.caption(about(model, label, broken))
    stream = stream_of(name, tuple(read.ids.tolist()))
    tokens_named = names_in(model)
    with stage:
        top = st.container()
        t = LESSON.step(
            [plain(f"the stream of “{token}”") for token in names_of(read.tokens)], start=len(read.ids)
        )
        token = int(stream.logits[t].argmax())
        shares = shares_of_logit(stream, model.network, t, token).tolist()
        names = names_of(read.tokens)
        with top:
            left, right = st.columns([3, 2], gap="medium")
            with left:
                alt = (
                    f"The length of the stream of “{names[t]}” after each part, and of what each part writes"
                )
                LESSON.figure("lengths", length_figure(stream, t, names), alt)
            with right:
                alt = f"What each part gives the logit of “{tokens_named[token]}”, the likeliest next token"
                LESSON.figure(
                    "shares", signed_bars(stream.parts, shares, "part", "share of the logit", 270), alt
                )
        LESSON.caption(plain(said_of_stream(stream, t, names)))
        of_logit = said_of_logit(stream.parts, shares, tokens_named[token])
        st.markdown(plain(of_logit))
        lengths = stream.lengths[:, t].tolist()
        LESSON.set_values(
            token=names[t], logit=of_logit, first=f"{lengths[0]:,.2f}", last=f"{lengths[-1]:,.2f}"
        )
    LESSON.every_number("parts", parts_table, stream, model.network, t, token)

    st.header("Along or against the stream", anchor=False)
    st.markdown(
        "The cosine of what a part writes with the stream that it finds: near 1 it points as the stream does, below 0 it "
        "points against it, near 0 it stands at a right angle to it. Where it is added, what points against the stream "
        "takes away from it."
    )
    cosines = [float(cosine(write.added[t], write.before[t])) for write in stream.writes]
    LESSON.figure(
        "directions",
        signed_bars([write.part for write in stream.writes], cosines, PARTS, "cosine", 280),
        f"The cosine of what each part writes with the stream of “{names[t]}” before it",
    )
    st.markdown(said_of_directions(stream, t))

    st.header("Norm before or after", anchor=False)
    show_both_norms(read.prompt.text)

    st.header("Trained without a piece", anchor=False)
    show_trainings(document, piece if broken else None)
    here = {"source": TYPED, "typed": SENTENCE, "model": SMALL, "piece": PIECES[0], "step": last_step()}
    LESSON.closing(
        code=[
            read_stream,
            normalised_parts,
            shares_of_logit,
            cosine,
            AblatedBlock,
            text_loss,
            window_loss,
            costs,
            interval,
        ],
        notebook=cells(read, name, t, token),
        plot=(
            "from core.figures.transformers.residual_norm import length_figure\n\n"
            f"draw(length_figure(stream, {t}, read.tokens))"
        ),
        try_this=[
            ("Trained without the residual: what becomes of the stream?", {**here, "broken": True}),
            ("Without norms: how long do the vectors get?", {**here, "piece": "no norm", "broken": True}),
            (
                "A larger GPT, on byte pairs: which layer shouts?",
                {**here, "model": "GPT, byte pairs", "step": 1},
            ),
        ],
        sources=[
            "Ashish Vaswani et al. (2017), Attention Is All You Need: the norm after the sum.",
            "Kaiming He et al. (2016), Deep Residual Learning for Image Recognition.",
            "Jimmy Lei Ba, Jamie Ryan Kiros and Geoffrey Hinton (2016), Layer Normalization.",
            "Ruibin Xiong et al. (2020), On Layer Normalization in the Transformer Architecture.",
            "Nelson Elhage et al. (2021), A Mathematical Framework for Transformer Circuits.",
        ],
    )


def model_named(name: str) -> AttentiveModel:
    """Return a small GPT by its form, or one of the course's GPTs by its name."""
    return stored_ablated_gpt(name) if name in FORMS else attentive_model(name)


def names_in(model: AttentiveModel) -> list[str]:
    """Return how pictures name a model's tokens."""
    return names_of(model.vocabulary) if model.name in FORMS else vocabulary_named(model.name)


def last_step() -> int:
    """Return the step of the example's last token."""
    return len(stored_ablated_gpt(WHOLE).read(SENTENCE).ids)


def about(model: AttentiveModel, label: str, broken: bool) -> str:
    """Say what the model on show is, and when it is not the one that was chosen."""
    config = model.network.config
    said = f"{config.layers} layers, {config.width} numbers a token. {model.about} {TAKEN_OUT.get(model.name, '')}"
    return said.strip() + (f" The {label} was trained in one form only." if broken and label != SMALL else "")


@cached(12, 3, shared=no_typed_words)
def stream_of(name: str, ids: tuple[int, ...]) -> Stream:
    """Return the stream of a model's reading."""
    torch.set_num_threads(1)
    return read_stream(model_named(name).network, torch.tensor(ids))


def show_both_norms(text: str) -> None:
    """Draw the stream's length in the small GPT with the norm before each part and in the one with it after the sum."""
    streams = {
        form: stream_of(form, tuple(stored_ablated_gpt(form).read(text).ids.tolist()))
        for form in (WHOLE, "post-norm")
    }
    LESSON.figure(
        "norms",
        both_norms_figure(streams),
        "The median length of the tokens' streams after each part, pre-norm and post-norm, with the least and the greatest",
    )
    said, T = said_of_both_norms(streams), streams[WHOLE].lengths.shape[1]
    st.markdown(said)
    LESSON.set_values(both=said)
    st.caption(
        f"The two small GPTs read the same {T} {'token' if T == 1 else 'tokens'}. A bar goes from the shortest token's "
        "stream to the longest. Before the part, a norm leaves the stream itself alone, and what is written stays in it "
        "until another part writes against it; after the sum, it sets the length of the stream anew each time."
    )


@cached(32, 8, False, shared=is_sample)
def loss_on(document: Document, form: str) -> tuple[float, int]:
    """Return a small GPT's nats a character on the beginning of a text, and how many characters those are."""
    torch.set_num_threads(1)
    return text_loss(stored_ablated_gpt(form), document.text)


def show_trainings(document: Document, broken: str | None) -> None:
    """Draw the loss of six trainings, what each form costs on held-out plays, and on the learner's text."""
    trainings = stored_trainings()
    losses = first_losses(trainings)
    found = costs(losses)
    shape = stored_ablated_gpt(WHOLE).network.config
    steps = len(trainings.curves[WHOLE][0]) * trainings.every
    st.markdown(
        f"Six small GPTs ({shape.layers} layers, {shape.width} numbers a token) took the same {steps} steps over the same "
        "pieces of plays, from the same random numbers: one whole, one with the norm after the sum, four without a piece."
    )
    dearest = max(PIECES, key=lambda form: found[form].mean)
    if not LESSON.ask("Which of these costs most when a model is trained so?", PIECES, dearest, "dearest"):
        return
    left, right = st.columns(2, gap="medium")
    with left:
        LESSON.figure(
            "curves",
            curves_figure(trainings.curves, trainings.every, broken or WHOLE),
            "The training loss of the six forms by step, in nats a character; dotted, a second training",
        )
    with right:
        LESSON.figure(
            "costs",
            costs_figure(losses, found, broken or ""),
            "What each form costs on the held-out parts of plays in nats a character, with its 95% interval",
        )
    plays = len(losses[WHOLE])
    shown = broken or dearest
    LESSON.caption(plain(said_of_cost(shown, found[shown], plays)))
    LESSON.set_values(
        dearest=dearest, cost=said_of_cost(shown, found[shown], plays), nats=f"{losses[WHOLE].mean():.3f}"
    )
    if broken:
        show_on_text(document, broken)
    st.markdown(said_of_luck(trainings))
    st.markdown(plain(said_of_cuts(trainings)))
    LESSON.set_values(cuts=said_of_cuts(trainings))
    st.caption(
        f"Held out: the first {trainings.characters:,} characters of the last tenth of each of {plays} plays; the whole "
        f"needs {losses[WHOLE].mean():.3f} nats a character. A pale point is one play. The rates of learning were the same "
        "for all and were tuned for none; other rates may bring a form nearer."
    )
    LESSON.every_number("trained without", costs_table, trainings)


def show_on_text(document: Document, form: str) -> None:
    """Show what a form costs on the learner's text."""
    (whole, n), (broken, _) = loss_on(document, WHOLE), loss_on(document, form)
    if not n:
        nothing = "Your text has no character that these models know, so nothing is measured on it."
        st.info(nothing)
        LESSON.set_values(on_text=nothing)
        return
    consequence("Nats per character of your text", whole, broken, ".3f", more_is_better=False)
    LESSON.set_values(on_text=f"Nats per character of your text: {whole:.3f} whole, {broken:.3f} broken.")
    first = "the only character" if n == 1 else f"the first {n:,} characters"
    st.caption(f"On {first} of your text that these models know.")


def cells(read: ReadText, name: str, t: int, token: int) -> list[str]:
    """Return the notebook's cells that read the same stream and the same losses."""
    maker, module = (
        ("stored_ablated_gpt", "transformers.ablated_gpts")
        if name in FORMS
        else ("attentive_model", "self_attention.attentive_models")
    )
    return [
        f"from core.models.{module} import {maker}\n"
        "from core.models.transformers.residual_stream import cosine, read_stream, shares_of_logit\n\n"
        f"model = {maker}({name!r})\n"
        f"read = model.read({read.prompt.text!r}, most={len(read.ids)})\n"
        "stream = read_stream(model.network, read.ids)",
        "for write in stream.writes:\n"
        f"    added, before, after = (x[{t}] for x in (write.added, write.before, write.after))\n"
        "    print(write.part, added.norm().item(), cosine(added, before).item(), after.norm().item())\n"
        f"print(dict(zip(stream.parts, shares_of_logit(stream, model.network, {t}, {token}).tolist())))",
        "from core.models.transformers.ablated_gpts import costs, stored_trainings\n\n"
        "print(costs({form: runs[0] for form, runs in stored_trainings().losses.items()}))",
    ]
