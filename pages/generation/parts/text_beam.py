"""A beam search step by step: the view, the guess, the table of a step's candidates, and where a text ends."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.figures.generation.generation_tree import beam_payload, level_order
from core.figures.generation.sampling import shown
from core.figures.worked import number
from core.lesson.browser_view import browser_view
from core.lesson.choices.language_model_choice import ChosenModel
from core.lesson.every_number import every_number
from core.lesson.predict_first import predict_first
from core.models.generation.beam_search import BeamTree

ENDS = {"a full stop": ".", "the end of a line": "\n", "the end of a sentence": "</s>"}


def ending(lesson: str, chosen: ChosenModel) -> int | None:
    """Draw the choice where a text ends; return the token that ends it, None for a fixed length."""
    label = st.selectbox(
        "A text ends at", [*ENDS, "its full length"], key=f"{lesson}_end", bind="query-params"
    )
    mark = ENDS.get(label)
    if mark is not None and mark not in chosen.names:
        st.caption(f"This model has no token for {label}, so every text has its full length.")
    return chosen.names.index(mark) if mark in chosen.names else None


def candidates_table(lesson: str, chosen: ChosenModel, tree: BeamTree, step: int, penalty: float) -> None:
    """Show all candidates of one step, with the sums and scores of a selected cell filled in."""
    places = level_order(tree, step)[-1]
    nodes = [tree.nodes[place] for place in places]
    table = pd.DataFrame(
        {
            "text so far": [shown(chosen.decode(tree.path(place))) for place in places],
            "token": [shown(chosen.names[node.token]) for node in nodes],
            "ln p of the token": [node.log_probability for node in nodes],
            "ln p": [node.total for node in nodes],
            "score": [node.score for node in nodes],
            "kept": [node.kept for node in nodes],
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the sum or the score of a candidate."""
        node = nodes[row]
        if column == "ln p":
            before = node.total - node.log_probability
            return rf"{number(before)} + ({number(node.log_probability)}) = {number(node.total)}"
        if column == "score":
            power = rf"{node.depth}^{{{number(penalty)}}}"
            return rf"\frac{{{number(node.total)}}}{{{power}}} = {number(node.score)}"
        return None

    every_number(lesson, "the candidates", table, formula)


def show_beam(lesson: str, chosen: ChosenModel, tree: BeamTree, step: int, about: str) -> bool:
    """Draw the search until a step and return whether it is shown: while a guess is awaited, the step before is."""
    level = level_order(tree, step)[-1]
    texts = [shown(chosen.decode(tree.path(place))) for place in level[:6]]
    revealed = predict_first(
        lesson,
        "Which candidate of this step has the best score?",
        sorted(set(texts)),
        texts[0],
        f"{about}_{step}",
    )
    payload = beam_payload(tree, chosen.names, chosen.decode, step if revealed else step - 1)
    browser_view("generation_tree", {**payload, "live": False}, f"{lesson}_view")
    return revealed
