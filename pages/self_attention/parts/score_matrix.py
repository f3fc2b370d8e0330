"""Choosing a matrix of scores, typed by hand or from a trained head, its mask, and the edits made to it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from core.figures.generation.sampling import shown
from core.lesson.plain import plain
from core.models.self_attention.gpt import GPT
from core.models.self_attention.score_matrix import (
    BIDIRECTIONAL,
    BOTH_SIDES,
    CAUSAL,
    CAUSAL_AND_PADDING,
    MASKS,
    PADDING,
    WINDOW,
    Edits,
    head_scores,
    mask_of,
)
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from core.text.tokenization.tokens import characters, sentences

BY_HAND, HEAD = "by hand", "trained head"
GPTS = {"GPT, byte pairs": "word_gpt", "GPT, characters": "char_gpt"}
BY_HAND_AT_MOST, HEAD_AT_MOST = 8, 12  # tokens whose numbers the back row can read
SCORE_AT_MOST = 1000.0
FILLING = "⟨pad⟩"
EXAMPLE = "The king saw the queen in her house."
USED_BY = {
    CAUSAL: "GPT, Llama and others that write token by token: a token may not see what it is to predict.",
    BIDIRECTIONAL: "BERT and the encoder of a translator: the whole text is there, so every token may see it all.",
    PADDING: "Every model that reads texts of several lengths at once: the short ones are filled up, and nobody may "
    "look at the filling. It hides columns, not the future: a padding mask is not a causal mask.",
    CAUSAL_AND_PADDING: "A writing model on several texts at once. The two masks are added: one hides the future, "
    "the other the filling. Neither does the other's work.",
    WINDOW: "Mistral 7B (4,096 tokens): the past, but only the nearest part of it, so that long texts stay cheap.",
    BOTH_SIDES: "Longformer's local attention: the neighbours to either side, for long texts that are there whole.",
}


@dataclass(frozen=True)
class Scores:
    """Scores (T, T) of tokens; `ids` and `network` are of the GPT they come from, None where they were typed.

    `place` is the head's layer and number, counted from nought.
    """

    tokens: tuple[str, ...]
    scores: Tensor
    d_k: int
    padding: int = 0
    name: str = ""
    place: tuple[int, int] = (0, 0)
    ids: Tensor | None = None
    network: GPT | None = None


def choose_scores(lesson: str, document: Document, padding: int) -> Scores:
    """Draw the choice of where the scores come from and return them, with so much filling at the end."""
    if source(lesson) == HEAD:
        return _of_head(lesson, document, padding)
    return _by_hand(lesson, padding)


def source(lesson: str) -> str:
    """Draw the choice between scores by hand and those of a head, and return it."""
    return st.segmented_control(
        "Scores",
        [BY_HAND, HEAD],
        default=BY_HAND,
        required=True,
        key=f"{lesson}_source",
        bind="query-params",
        on_change=forget_edits,
        args=(lesson,),
    )


def _by_hand(lesson: str, padding: int) -> Scores:
    typed = st.text_input(
        "Characters, or a few words", "cat", key=f"{lesson}_word", bind="query-params", max_chars=80
    )
    tokens = typed.split() if " " in typed.strip() else characters(typed.strip())
    if len(tokens) > BY_HAND_AT_MOST:
        st.caption(
            f"The first {BY_HAND_AT_MOST} of {len(tokens)} are shown: more would be too small to read."
        )
    if not tokens:
        st.info("Type a character or more. Until then you see “cat”.")
    tokens = (tokens or list("cat"))[:BY_HAND_AT_MOST]
    d_k = st.number_input(
        "d_k, numbers in a query or key", 1, 1024, 4, key=f"{lesson}_d_k", bind="query-params"
    )
    T = len(tokens) + padding
    return Scores((*map(shown, tokens), *[FILLING] * padding), torch.zeros(T, T), d_k, padding)


def _of_head(lesson: str, document: Document, padding: int) -> Scores:
    again = {"bind": "query-params", "on_change": forget_edits, "args": (lesson,)}
    name = GPTS[st.selectbox("Model", list(GPTS), key=f"{lesson}_model", **again)]
    model = stored_language_model(name)
    config = model.network.config
    layer = st.number_input("Layer", 1, config.layers, 1, key=f"{lesson}_layer", **again)
    if st.session_state.get(f"{lesson}_head", 1) > config.heads:
        st.session_state[f"{lesson}_head"] = 1  # the other model has fewer heads
    head = st.number_input("Head", 1, config.heads, 1, key=f"{lesson}_head", **again)
    ids = torch.tensor([*read_sentence(lesson, document, name, HEAD_AT_MOST), *[model.start] * padding])
    known = len(ids) - padding
    tokens = tuple(shown(model.vocabulary[i]) if t < known else FILLING for t, i in enumerate(ids.tolist()))
    scores = head_scores(model.network, ids, layer - 1, head - 1)
    place = (layer - 1, head - 1)
    return Scores(tokens, scores, config.width // config.heads, padding, name, place, ids, model.network)


def read_sentence(lesson: str, document: Document, name: str, most: int) -> list[int]:
    """Draw the field for a sentence and return its first ids, the token that starts every text before them."""
    typed = st.text_input(
        "Sentence (empty: the first of your text)",
        key=f"{lesson}_sentence",
        bind="query-params",
        max_chars=400,
        on_change=forget_edits,
        args=(lesson,),
    )
    found = typed.strip() or next(
        (each.strip() for each in sentences(document.text[:5000]) if each.strip()), EXAMPLE
    )
    prompt = encode(name, " ".join(found.split()))
    if not prompt.ids:
        st.info("The model has never seen any of these characters. Until you change them you see an example.")
        prompt = encode(name, EXAMPLE)
    elif prompt.left_out:
        st.text(f"The model has never seen, so leaves out: {' '.join(prompt.left_out[:20])}")
    start = stored_language_model(name).start
    ids = [start, *prompt.ids]
    if len(ids) > most:
        st.caption(f"{most} of {len(ids)} tokens are read and shown; the rest would be too small.")
    return ids[:most]


def choose_mask(lesson: str) -> tuple[str, int, int]:
    """Draw the choice of a mask; return its kind, the tokens of filling, and the window."""
    kind = st.selectbox("Mask", MASKS, key=f"{lesson}_mask", bind="query-params")
    padding, window = 0, 1
    if kind in (PADDING, CAUSAL_AND_PADDING):
        padding = st.number_input("Tokens of filling", 1, 4, 1, key=f"{lesson}_padding", bind="query-params")
    if kind in (WINDOW, BOTH_SIDES):
        window = st.number_input("Window", 1, HEAD_AT_MOST, 2, key=f"{lesson}_window", bind="query-params")
    st.caption(USED_BY[kind])
    return kind, padding, window


def mask_for(chosen: Scores, kind: str, window: int) -> Tensor:
    """Return the mask (T, T) of the chosen tokens."""
    return mask_of(kind, len(chosen.tokens), chosen.padding, window)


# Edits: made in the view, and in the address as "row column score; row column score", counted from 1


def forget_edits(lesson: str) -> None:
    """Take the edits back: other scores have come."""
    if f"{lesson}_edits" in st.session_state:
        st.session_state[f"{lesson}_edits"] = ""


def take_from_view(lesson: str, view: str) -> None:
    """Carry the edits that were made in the view over to the field that the address knows."""
    made = getattr(st.session_state.get(view), "edits", None)
    if made and made != st.session_state.get(f"{lesson}_made"):
        st.session_state[f"{lesson}_made"] = made
        edits = {(int(t), int(s)): float(score) for t, s, score in made["cells"]}
        st.session_state[f"{lesson}_edits"] = text_of(edits)


def exact_edits(lesson: str) -> Edits:
    """Draw the field that holds the edits and return those that can be read."""
    with st.expander("Type the edits exactly"):
        text = st.text_input(
            "Row, column, score; row, column, score",
            key=f"{lesson}_edits",
            bind="query-params",
            placeholder="2 1 3.5; 3 2 -1",
            max_chars=4000,
        )
    edits, unread = edits_of(text)
    if unread:
        st.warning(
            f"An edit is a row, a column and a score, as in 2 1 3.5. This was left out: {plain(unread)}"
        )
    return edits


def text_of(edits: Edits) -> str:
    """Return edits as the address has them.

    >>> text_of({(1, 0): 3.5, (2, 1): -1.0})
    '2 1 3.5; 3 2 -1'
    """
    return "; ".join(f"{t + 1} {s + 1} {score:.12g}" for (t, s), score in sorted(edits.items()))


def edits_of(text: str) -> tuple[Edits, str]:
    """Return the edits that a text holds, and the parts of it that could not be read.

    >>> edits_of("2 1 3.5; 1 1 x; 0 1 2")
    ({(1, 0): 3.5}, '1 1 x; 0 1 2')
    """
    edits, unread = {}, []
    for part in filter(None, map(str.strip, text.replace("\N{MINUS SIGN}", "-").split(";"))):
        try:
            row, column, score = part.split()
            place, value = (int(row) - 1, int(column) - 1), float(score)
        except ValueError:
            unread.append(part)
            continue
        if min(place) < 0 or not abs(value) <= SCORE_AT_MOST:
            unread.append(part)
        else:
            edits[place] = value
    return edits, "; ".join(unread)[:200]


def score_cells(chosen: Scores, edits: Edits, kind: str, window: int, way: str | None) -> list[str]:
    """Return the notebook's cells that make the scores, edit them, and take them through the softmax."""
    T = len(chosen.tokens)
    cells = [f"import torch\n\nscores = torch.zeros({T}, {T})"]
    if chosen.network is not None:
        cells = [
            "import torch\n\nfrom core.models.self_attention.score_matrix import head_scores\n"
            "from core.models.stored_language_models import stored_language_model\n\n"
            f"model = stored_language_model({chosen.name!r})\nids = torch.tensor({chosen.ids.tolist()})\n"
            f"scores = head_scores(model.network, ids, layer={chosen.place[0]}, head={chosen.place[1]})"
        ]
    return [
        *cells,
        f"from core.models.self_attention.score_matrix import with_edits\n\nscores = with_edits(scores, {edits!r})",
        "from core.models.self_attention.score_matrix import attend_by_scores, mask_of\n\n"
        f"mask = mask_of({kind!r}, {T}, padding={chosen.padding}, window={window})\n"
        f"trace = attend_by_scores(scores, {chosen.d_k}, mask, {way!r})\n"
        "print(trace.masked, trace.exponentials, trace.row_sums, trace.weights, sep='\\n')",
    ]
