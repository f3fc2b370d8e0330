"""Edits of attention weights: dragged in the view or typed, kept in the address, undone and reset."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from torch import Tensor

from core.models.self_attention.attention_edits import Edit, edited_weights, parse_edits, usable
from core.models.self_attention.attentive_models import AttentiveModel


def take_from_row(lesson: str, view: str) -> None:
    """Add the weight that was dragged in the view to the edits that the address knows."""
    moved = getattr(st.session_state.get(view), "edit", None)
    if moved and moved != st.session_state.get(f"{lesson}_dragged"):
        st.session_state[f"{lesson}_dragged"] = moved
        place = (int(moved[name]) for name in ("layer", "head", "query", "key"))
        add_edit(lesson, Edit(*place, float(moved["weight"])))


def add_edit(lesson: str, edit: Edit) -> None:
    """Add an edit; setting the weight that was set last sets it anew. What was typed and cannot be read stays."""
    written = st.session_state.get(f"{lesson}_edits", "").split()
    if written and written[-1].split("=")[0] == str(edit).split("=")[0]:
        written.pop()
    st.session_state[f"{lesson}_edits"] = " ".join([*written, str(edit)])


def _undo(lesson: str) -> None:
    st.session_state[f"{lesson}_edits"] = " ".join(st.session_state[f"{lesson}_edits"].split()[:-1])


def _reset(lesson: str) -> None:
    st.session_state[f"{lesson}_edits"] = ""


def choose_edits(lesson: str, model: AttentiveModel, T: int) -> list[Edit]:
    """Draw the field with all edits, and the buttons that take them back; return those that can be made."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        written = st.text_input(
            "Edits (layer.head:from>to=weight)",
            key=f"{lesson}_edits",
            bind="query-params",
            max_chars=2000,
            placeholder="none yet: move a slider",
        )
        none = not written.strip()
        st.button("Undo", key=f"{lesson}_undo", on_click=_undo, args=(lesson,), disabled=none)
        st.button("Reset", key=f"{lesson}_reset", on_click=_reset, args=(lesson,), disabled=none)
    try:
        edits, sentences = usable(parse_edits(written), model, T)
    except ValueError as problem:
        edits, sentences = [], [str(problem)]
    for sentence in sentences[:3]:
        st.text(f"Not applied: {sentence}")
    return edits


def exact_weight(lesson: str, place: tuple[int, int, int], names: Sequence[str]) -> None:
    """Draw the form that sets a weight exactly; `place` is (layer, head, query), `names` those of the keys."""
    keys = [f"{s + 1} {name}" for s, name in enumerate(names)]
    with st.popover("Type a weight"):
        key = st.selectbox("Key (to)", keys, key=f"{lesson}_key")
        weight = st.number_input("Weight, 0 to 1", 0.0, 1.0, 0.5, 0.05, format="%.3f", key=f"{lesson}_weight")
        edit = Edit(*place, keys.index(key) if key in keys else 0, round(weight, 3))
        st.button("Apply", key=f"{lesson}_apply", on_click=add_edit, args=(lesson, edit))


def before_last(
    model: AttentiveModel, shown: Tensor, edits: Sequence[Edit], off: set, place: tuple[int, int, int]
):
    """Return (key, row before) of the last edit if it is one of this row, (layer, head, query); else None."""
    if not edits or (edits[-1].layer, edits[-1].head, edits[-1].query) != place:
        return None
    layer, head, query = place
    changed = edited_weights(model, shown, edits[:-1], off)
    row = model.trace(shown, changed).layers[layer].attention.weights[head, query]
    return edits[-1].key, row.numpy()
