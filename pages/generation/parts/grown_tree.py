"""The tree of texts that a learner grows: one line in the address, changed by the view and by buttons.

An empty line is the tree that the lesson starts with. Widgets' callbacks change the tree that was shown last, which
the session keeps as `<lesson>_shown`.
"""

from __future__ import annotations

import numpy as np
import streamlit as st
import torch

from core.figures.generation.sampling import shown
from core.lesson.choices.language_model_choice import ChosenModel
from core.models.generation.beam_search import BeamTree, beam_search
from core.models.generation.generation_tree import (
    GenerationTree,
    continuation_log_probabilities,
    node_log_probabilities,
    read_tree,
    write_tree,
)
from core.models.generation.sampling import Settings
from core.models.language_model import LanguageModel
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document
from pages.generation.parts.continuations import written

TOKENS_AT_MOST = 400  # nodes of a tree, so that it can be drawn and its line fits an address
START = (("greedy", 0), ("sampled", 1), ("sampled", 2))  # what the first tree has, with seeds
START_LENGTH = 10
GREEDY = Settings(temperature=0.0)


@st.cache_data(scope="session", max_entries=1000, show_spinner=False)
def path_log_probabilities(
    label: str, digest: str, prompt: tuple[int, ...], tokens: tuple[int, ...], _model: LanguageModel
) -> np.ndarray:
    """Return ln p of each token of a path, (n,), computed once a session."""
    return continuation_log_probabilities(_model, prompt, tokens)


def scored(chosen: ChosenModel, document: Document, prompt: Prompt, tree: GenerationTree) -> np.ndarray:
    """Return ln p of each node of a tree under a model, (N,)."""
    return node_log_probabilities(
        tree,
        lambda tokens: path_log_probabilities(
            chosen.label, document.digest, prompt.ids, tokens, chosen.model
        ),
    )


@st.cache_resource(scope="session", max_entries=30, show_spinner="The model searches")
def searched(
    label: str,
    digest: str,
    ids: tuple[int, ...],
    width: int,
    length: int,
    penalty: float,
    end: int | None,
    _model: LanguageModel,
) -> BeamTree:
    """Return the tree of a beam search, computed once a session; nobody changes it."""
    torch.set_num_threads(1)
    return beam_search(_model, ids, width, length, penalty, end)


def starting_tree(chosen: ChosenModel, document: Document, prompt: Prompt) -> GenerationTree:
    """Return the first tree: one greedy text and two that were sampled."""
    tree = GenerationTree()
    for way, seed in START:
        settings = GREEDY if way == "greedy" else Settings()
        made = written(chosen, document, prompt.ids, START_LENGTH, settings, seed)
        tree, _ = tree.grown(0, made.tokens, way)
    return tree


def tree_in_use(
    lesson: str, chosen: ChosenModel, document: Document, prompt: Prompt
) -> tuple[GenerationTree, int]:
    """Draw the tree as a line and the opened token's number, both in the address; return the tree and the number."""
    with st.expander("The tree as a line"):
        line = st.text_input(
            "V, then each run: after which token, how it was made, its tokens",
            key=f"{lesson}_tree",
            bind="query-params",
        )
        tree = starting_tree(chosen, document, prompt)
        try:
            tree = read_tree(line, len(chosen.names), TOKENS_AT_MOST) if line.strip() else tree
        except ValueError as error:
            st.warning(f"{error} Here is the first tree instead; what you do next replaces the line.")
        if st.session_state.get(f"{lesson}_open", 0) >= len(tree):
            st.session_state[f"{lesson}_open"] = 0
        opened = st.number_input("Opened token", 0, key=f"{lesson}_open", bind="query-params")
    opened = opened if opened < len(tree) else 0
    st.session_state[f"{lesson}_shown"] = tree, opened, len(chosen.names)
    return tree, opened


def put(lesson: str, tree: GenerationTree, opened: int) -> bool:
    """Make this the learner's tree, unless it has grown too large to draw; return whether it is."""
    if len(tree) > TOKENS_AT_MOST:
        st.session_state[f"{lesson}_note"] = (
            f"A tree of {len(tree):,} tokens is too large to draw: the limit is {TOKENS_AT_MOST}. "
            "Cut a branch, or take fewer tokens at a time."
        )
        return False
    size = st.session_state[f"{lesson}_shown"][2]
    st.session_state[f"{lesson}_tree"] = write_tree(tree, size)
    st.session_state[f"{lesson}_open"] = opened
    return True


def take_act(lesson: str) -> None:
    """Do what was clicked in the view: open a token, or force one after the opened token."""
    act = getattr(st.session_state.get(f"{lesson}_view"), "act", None)
    if not act or act == st.session_state.get(f"{lesson}_acted") or f"{lesson}_shown" not in st.session_state:
        return
    st.session_state[f"{lesson}_acted"] = act
    tree, _, size = st.session_state[f"{lesson}_shown"]
    if not 0 <= act["node"] < len(tree):
        return  # of a tree that has been replaced meanwhile
    if act["kind"] == "open":
        put(lesson, tree, act["node"])
    elif 0 <= act["token"] < size:
        put(lesson, *tree.grown(act["node"], [act["token"]], "forced"))


def go_on(
    lesson: str, way: str, chosen: ChosenModel, document: Document, prompt: Prompt, settings: dict
) -> None:
    """Lengthen the opened path: greedily, by sampling (the seed then counts on), or by beam search."""
    tree, opened, _ = st.session_state[f"{lesson}_shown"]
    ids, length = (*prompt.ids, *tree.path(opened)), settings["length"]
    if way == "beam":
        found = searched(
            chosen.label, document.digest, ids, settings["width"], length, 1.0, None, chosen.model
        )
        tokens = found.winning_path
    else:
        drawn = GREEDY if way == "greedy" else Settings(settings["temperature"])
        tokens = written(chosen, document, ids, length, drawn, settings["seed"]).tokens
    if way == "sampled":
        st.session_state[f"{lesson}_seed"] = (settings["seed"] + 1) % 10_000
    put(lesson, *tree.grown(opened, tokens, way))


def write_on(lesson: str, chosen: ChosenModel) -> None:
    """Force the text that was typed after the opened token."""
    tree, opened, _ = st.session_state[f"{lesson}_shown"]
    read = chosen.encode(st.session_state[f"{lesson}_own"])
    if read.left_out or read.replaced:
        changed = [*read.left_out, *(f"{old} (read as {new})" for old, new in read.replaced.items())]
        st.session_state[f"{lesson}_note"] = f"The model does not know: {', '.join(changed[:8])}"
    if put(lesson, *tree.grown(opened, read.ids, "forced")):
        st.session_state[f"{lesson}_own"] = ""


def rewind(lesson: str) -> None:
    """Open the token before the opened one; the branch stays."""
    tree, opened, _ = st.session_state[f"{lesson}_shown"]
    put(lesson, tree, max(0, tree.parents[opened]))


def cut(lesson: str) -> None:
    """Take the opened token away, with all that follows it."""
    tree, opened, _ = st.session_state[f"{lesson}_shown"]
    if opened:
        put(lesson, tree.without(opened), tree.parents[opened])


def start_again(lesson: str, bare: bool) -> None:
    """Go back to the first tree, or to the prompt alone."""
    size = st.session_state[f"{lesson}_shown"][2]
    st.session_state[f"{lesson}_tree"] = write_tree(GenerationTree(), size) if bare else ""
    st.session_state[f"{lesson}_open"] = 0


def grow_buttons(
    lesson: str, chosen: ChosenModel, document: Document, prompt: Prompt, opened: int, settings: dict
) -> None:
    """Draw the buttons that lengthen, rewind, cut and begin again, and say what went wrong with the last of them."""
    args = (chosen, document, prompt, settings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for label, way in (("Greedy", "greedy"), ("Sample", "sampled"), ("Beam", "beam")):
            st.button(
                f"{label} +{settings['length']}",
                key=f"{lesson}_go_{way}",
                on_click=go_on,
                args=(lesson, way, *args),
            )
        st.button(
            "Rewind",
            key=f"{lesson}_rewind",
            on_click=rewind,
            args=(lesson,),
            disabled=not opened,
            help="Open the token before; the branch stays.",
        )
        st.button(
            "Cut",
            key=f"{lesson}_cut",
            on_click=cut,
            args=(lesson,),
            disabled=not opened,
            help="Take the opened token away, and all after it.",
        )
        st.button("Only the prompt", key=f"{lesson}_bare", on_click=start_again, args=(lesson, True))
        st.button("First tree", key=f"{lesson}_again", on_click=start_again, args=(lesson, False))
    note = st.session_state.pop(f"{lesson}_note", None)
    if note:
        st.text(note)


def text_until(chosen: ChosenModel, tokens: tuple[int, ...], most: int = 18) -> str:
    """Return the end of a text in one line, as a label."""
    text = shown(chosen.decode(tokens))
    return text if len(text) <= most else f"…{text[-most:]}"
