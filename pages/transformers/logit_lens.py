"""The logit lens: what a GPT would say after each of its layers, and the layer in which it changes its mind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.self_attention.heads import names_of
from core.figures.transformers.logit_lens import (
    candidates,
    grid,
    grid_figure,
    growth_figure,
    lens_picture,
    places_figure,
)
from core.figures.transformers.logit_lens_said import (
    itself,
    lens_table,
    said_of_places,
    said_of_reading,
    worked_p,
)
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import COUNT, GPTS, choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import Question
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import first_runs
from core.models.self_attention.attention_scaling import entropy
from core.models.self_attention.attentive_models import BACK, AttentiveModel, attentive_model
from core.models.self_attention.gpt_trace import trace
from core.models.transformers.logit_lens import (
    LensMeasures,
    LensReading,
    lens_over,
    logit_lens,
    rank_of,
    read_out,
    settled_after,
    streams_of,
)
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="The logit lens",
    question="What would the model say after each layer?",
    icon="scan-search",
)
SENTENCE = "He gave them silver and gold"
MARKS = "In bold, and in ochre among the bars: the model's own answer; bold from where on it stays so."
TOKENS = 64  # of a text that are read
TOKENS_MEASURED = 256  # of the learner's text


def picture() -> Figure:
    """What is read out after each layer behind four tokens."""
    model = attentive_model(BACK[0])
    read = model.read("them silver and")
    names = vocabulary_named(model.name)
    return small(grid_figure(logit_lens(model.network, read.ids), names_of(read.tokens), names, 190))


def page() -> None:
    """Each layer's stream read out, step by step; one place's answer as it grows; a whole text's places."""
    LESSON.open(
        r"p_l = \operatorname{softmax}\!\left(\operatorname{norm}(x_l)\, E^{\top}\right) \qquad "
        r"x_0 = \text{token} + \text{position} \qquad x_l = x_{l-1} + \text{what layer } l \text{ adds}",
        "$x_l$: a token's stream after $l$ layers. $\\operatorname{norm}$ and $E^{\\top}$: the model's final norm and its "
        "unembedding, trained to read the last stream only; the lens reads every one with them. $p_l$: what the model "
        "would say of the next token were layer $l$ its last. $p_L$ is what it does say.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = attentive_model(GPTS[LESSON.select("model", "Model", list(GPTS), width=165)])
        read = choose_read_text(LESSON, notes, document, model, SENTENCE, most=TOKENS)
        place = choose_place(len(read.ids))
        broken = LESSON.break_it(
            "no_norm", "Break it: no final norm", "Each stream is read out as it is: logits = x E^T."
        )
    rows, names = names_of(read.tokens), vocabulary_named(model.name)
    found = seen_through(model.name, tuple(read.ids.tolist()), not broken)
    layers = len(found.log_p)
    about = f"{hash((model.name, *read.ids.tolist()))}_{place}_{broken}"
    with stage:
        reached = LESSON.ask_in_turn(layers, partial(question_of, found, place, rows, names, about))
        revealed = reached == layers
        following = int(read.ids[place + 1]) if place + 1 < len(rows) else None
        drawn = partial(
            frame_of, model, found, place, candidates(found, place, reached, following), rows, revealed
        )
        shared = grid(found, rows, names, place, reached, revealed)
        LESSON.steps([drawn(layer) for layer in range(reached)], layers, start=layers, shared=shared)
    LESSON.set_values(
        layers=layers - 1, token=rows[place], place=place + 1, T=len(rows), first=itself(found, 0)
    )
    if revealed:
        answer = names[int(found.answers[place])]
        LESSON.set_values(answer=answer, end=said_of_reading(found, place, layers - 1, rows, names, True))
        st.header("The answer, layer by layer", anchor=False)
        show_growth(found, place, following, rows, names)
        LESSON.every_number("what is read out", lens_table, model.network, found, rows, names, place)
    st.header("Over your text: after which layer is the answer settled?", anchor=False)
    show_places(model, document, broken)
    here = {"source": TYPED, "typed": SENTENCE, "model": next(iter(GPTS)), "place": 6, "no_norm": False}
    LESSON.closing(
        code=[trace, streams_of, read_out, logit_lens, settled_after, rank_of, entropy, lens_over],
        notebook=cells(model, read.prompt.text, len(rows), place, not broken),
        plot=(
            "from core.figures.transformers.logit_lens import grid_figure\n\n"
            "draw(grid_figure(found, read.tokens, model.vocabulary, 40 * len(read.tokens) + 60))"
        ),
        try_this=[
            ("Before any layer: what does the lens read off a bare token?", {**here, "step": 1}),
            (
                "“put to”: in which layer does death come?",
                {**here, "typed": "Let him be put to death", "step": 3},
            ),
            (
                "Without the final norm: what does the last layer say now?",
                {**here, "no_norm": True},
            ),
        ],
        sources=[
            "nostalgebraist (2020), interpreting GPT: the logit lens.",
            "Nora Belrose et al. (2023), Eliciting Latent Predictions from Transformers with the Tuned Lens: a reader "
            "trained for each layer, because the last one's may misread the others.",
        ],
    )


def choose_place(T: int) -> int:
    """Draw the choice of a token and return its place from 0: at first the last one whose next token is known."""
    if LESSON.get_state("place", 1) > T:
        LESSON.set_state("place", T)  # of a text that was longer
    return LESSON.number("place", "Token", 1, T, max(1, T - 1), width=COUNT) - 1


@cached(24, 6, "The model reads", shared=no_typed_words)
def seen_through(name: str, ids: tuple[int, ...], normed: bool) -> LensReading:
    """Return what the lens reads out of a text, with the final norm or without."""
    torch.set_num_threads(1)
    return logit_lens(attentive_model(name).network, torch.tensor(ids), normed)


def question_of(
    found: LensReading, place: int, rows: Sequence[str], names: Sequence[str], about: str, layer: int
) -> Question | None:
    """Return what is asked before a layer's reading: whether it names another token than the one before."""
    if not layer:
        return None
    before, now = (names[int(found.says[each, place])] for each in (layer - 1, layer))
    same, other = f"still “{before}”", "another token"
    question = (
        f"What does the lens say comes after “{rows[place]}” once layer {layer} has added to the stream?"
    )
    return Question(question, [same, other], same if now == before else other, f"{about}_{layer}")


def frame_of(
    model: AttentiveModel,
    found: LensReading,
    place: int,
    tokens: list[int],
    rows: Sequence[str],
    revealed: bool,
    layer: int,
) -> dict:
    """Return one step: the grid up to a layer, what the chosen token's stream says there, and its numbers."""
    names, says = vocabulary_named(model.name), int(found.says[layer, place])
    answer = int(found.answers[place]) if revealed else None
    return frame(
        f"after layer {layer}" if layer else "before any layer",
        lens_picture(found, tokens, names, place, layer, answer),
        f"What is read out after layer {layer}: tokens by layers, and the bars of the likeliest tokens",
        said_of_reading(found, place, layer, rows, names, revealed),
        [itself(found, layer)] + [MARKS] * revealed,
        [worked_p(model.network, found, layer, place, says)],
    )


def show_growth(
    found: LensReading, place: int, following: int | None, rows: Sequence[str], names: Sequence[str]
) -> None:
    """Draw p and rank of the model's answer and of the token that comes, and the entropy, layer by layer."""
    if following is None:
        known = "Your text ends here, so only the model's own answer is followed"
    elif following == int(found.answers[place]):
        known = "The token that comes in your text is the model's own answer, so there is one line"
    else:
        known = (
            f"The model's answer, and the token that comes in your text, “{names[following]}”, are followed"
        )
    bits = found.bits[:, place]
    unsure = f"the entropy goes from {bits[0]:.2f} bits before any layer to {bits[-1]:.2f} after the last"
    st.markdown(plain(f"{known}. After “{rows[place]}” {unsure}."))
    LESSON.figure(
        "growth",
        growth_figure(found, place, following, names),
        f"Probability, rank and entropy after each layer behind token {place + 1}",
    )


@cached(32, 8, "Reading your text through the lens", shared=no_typed_words)
def measured_over(name: str, digest: str, normed: bool, _text: str) -> LensMeasures:
    """Return what the lens says over the first tokens of a text."""
    torch.set_num_threads(1)
    model = attentive_model(name)
    return lens_over(model.network, first_runs(model, _text, TOKENS_MEASURED), normed)


def show_places(model: AttentiveModel, document: Document, broken: bool) -> None:
    """Draw by layer at how many places of the learner's text the answer is settled; beside it what the break costs."""
    measured = measured_over(model.name, document.digest, not broken, document.text)
    if not measured.n:
        st.info("Your text has no token to measure on. Choose another text.")
        return
    LESSON.figure(
        "places",
        places_figure(measured),
        f"Of {measured.n} places, after each layer: how many say the model's answer for good, and how many what comes",
    )
    st.markdown(said_of_places(measured))
    settled, unsure = measured.settled, measured.entropy[-1]
    LESSON.set_values(n=f"{measured.n:,}", before=f"{settled[-2]:,}", late=f"{settled[-1] - settled[-2]:,}")
    if broken:
        whole = measured_over(model.name, document.digest, True, document.text)
        consequence(
            "Bits a token, read after the last layer", whole.bits[-1], measured.bits[-1], more_is_better=False
        )
        LESSON.set_values(unsure=f"{whole.entropy[-1]:.2f}", unsure_broken=f"{unsure:.2f}")
        st.markdown(
            f"Read without the final norm, the last layer names the model's own answer at {settled[-1]:,} of "
            f"{measured.n:,} places, with a mean entropy of {unsure:.2f} bits; with the norm it is "
            f"{whole.entropy[-1]:.2f}. The norm sets each stream's length and weighs its dimensions before the "
            "unembedding reads them."
        )


def cells(model: AttentiveModel, text: str, T: int, place: int, normed: bool) -> list[str]:
    """Return the notebook's cells that read the same streams out."""
    return [
        "from core.models.self_attention.attentive_models import attentive_model\n"
        "from core.models.transformers.logit_lens import logit_lens\n\n"
        f"model = attentive_model({model.name!r})\nread = model.read({text!r}, most={T})\n"
        f"found = logit_lens(model.network, read.ids, normed={normed})",
        f"place = {place}\nfor layer, says in enumerate(found.says[:, place].tolist()):\n"
        "    p = float(found.log_p[layer, place, says].exp())\n"
        "    print(layer, repr(model.vocabulary[says]), p, float(found.bits[layer, place]))\n"
        "print(found.settled.tolist())",
    ]
