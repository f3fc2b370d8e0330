"""One prompt, several searches: greedy, sampled and beam texts as one tree and one table; wider and wider beams."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.generation.generation_tree import in_runs, tree_payload, widths_figure
from core.figures.generation.sampling import shown
from core.figures.worked import number
from core.lesson.browser_view import browser_view
from core.lesson.choices.language_model_choice import ChosenModel, continuation
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.generation.beam_search import BeamTree
from core.models.generation.generation_tree import GenerationTree
from core.models.generation.sampling import Settings
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document
from pages.generation.parts.grown_tree import GREEDY, path_log_probabilities, scored, searched

WIDTHS = tuple(range(1, 9))


@dataclass(frozen=True)
class Found:
    """A text that one way of searching found: its tokens and ln p of each, (n,)."""

    label: str
    way: str
    tokens: tuple[int, ...]
    ln_p: np.ndarray

    @property
    def total(self) -> float:
        """ln p of the text."""
        return float(self.ln_p.sum())

    @property
    def mean(self) -> float:
        """ln p of a token."""
        return float(self.ln_p.mean())


def until(tokens: tuple[int, ...], end: int | None) -> tuple[int, ...]:
    """Return the tokens up to the first `end`, included.

    >>> until((4, 2, 9, 2), end=2)
    (4, 2)
    """
    return tokens[: tokens.index(end) + 1] if end in tokens else tokens


@dataclass(frozen=True)
class Search:
    """A prompt and its model, and what all searches on it share: how long a text is at most, where it ends."""

    chosen: ChosenModel
    document: Document
    prompt: Prompt
    length: int
    end: int | None

    def beam(self, width: int, penalty: float) -> BeamTree:
        """Return the tree of a beam search."""
        model = self.chosen.model
        about = self.chosen.label, self.document.digest, self.prompt.ids
        return searched(*about, width, self.length, penalty, self.end, model)

    def found(self, label: str, way: str, tokens) -> Found:
        """Return a text with ln p of each token."""
        tokens = tuple(int(token) for token in tokens)
        about = self.chosen.label, self.document.digest, self.prompt.ids
        return Found(label, way, tokens, path_log_probabilities(*about, tokens, self.chosen.model))

    def drawn(self, label: str, way: str, settings: Settings, seed: int) -> Found:
        """Return a greedy or sampled text."""
        about = self.chosen.label, self.document.digest, self.prompt.ids
        made = continuation(*about, self.length, settings, seed, self.chosen.model)
        return self.found(label, way, until(made.tokens, self.end))


def compared(search: Search, width: int, penalty: float, seeds: range) -> list[Found]:
    """Return the greedy text, one sampled text a seed, and the beam's best."""
    sampled = [search.drawn(f"sampled, seed {seed}", "sampled", Settings(), seed) for seed in seeds]
    best = search.beam(width, penalty).winning_path
    greedy = search.drawn("greedy", "greedy", GREEDY, 0)
    return [greedy, *sampled, search.found(f"beam of {width}", "beam", best)]


def comparison(lesson: str, search: Search, found: list[Found], penalty: float) -> None:
    """Draw several texts as one tree, then their numbers with worked formulas."""
    tree, ends = GenerationTree(), {}
    for each in found:
        tree, end = tree.grown(0, each.tokens, each.way)
        ends[end] = f"{ends[end]}, {each.label}" if end in ends else each.label
    ln_p = scored(search.chosen, search.document, search.prompt, tree)
    payload = tree_payload(tree, ln_p, search.chosen.names, ends=ends)
    payload = in_runs(payload, tree, ln_p, search.chosen.decode)
    browser_view("generation_tree", {**payload, "live": False}, f"{lesson}_texts")
    lengths = [len(each.tokens) for each in found]
    table = pd.DataFrame(
        {
            "found by": [each.label for each in found],
            "tokens": lengths,
            "ln p": [each.total for each in found],
            "ln p / tokens": [each.mean for each in found],
            "score": [each.total / n**penalty for each, n in zip(found, lengths, strict=True)],
            "text": [shown(search.chosen.decode(each.tokens)) for each in found],
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the sum, the mean or the score of a text."""
        each, n = found[row], lengths[row]
        if column == "ln p":
            terms = [f"({number(value)})" for value in each.ln_p[:5]]
            more = r" + \dots" if n > len(terms) else ""
            return rf"\ln p(y) = {' + '.join(terms)}{more} = {number(each.total, 6)}"
        if column == "ln p / tokens":
            return rf"\frac{{{number(each.total, 6)}}}{{{n}}} = {number(each.mean)}"
        if column == "score":
            score = each.total / n**penalty
            return rf"\frac{{{number(each.total, 6)}}}{{{n}^{{{number(penalty)}}}}} = {number(score)}"
        return None

    every_number(lesson, "the texts", table, formula)


def by_width(search: Search, penalty: float) -> list[Found]:
    """Return the best text of each width of the beam."""
    return [search.found(f"{width}", "beam", search.beam(width, penalty).winning_path) for width in WIDTHS]


def how_wide(lesson: str, search: Search, width: int, penalty: float) -> None:
    """Draw the best text's score against the beam's width; say what greedy missed and where wider was worse."""
    found = by_width(search, penalty)
    scores = [each.total / len(each.tokens) ** penalty for each in found]
    worse = [w for w, (a, b) in zip(WIDTHS[1:], pairwise(scores), strict=True) if b < a - 1e-9]
    st.markdown(
        f"Greedy search, width 1, misses the best of these scores by **{max(scores) - scores[0]:.3f}**. "
        + (f"Width {' and '.join(map(str, worse))} did worse than the width before. " if worse else "")
        + "What is pruned early never comes back, so a wider beam finds a better text often, not always."
    )
    texts = [shown(search.chosen.decode(each.tokens)) for each in found]
    show_figure(
        widths_figure(WIDTHS, scores, texts, width),
        f"{lesson}_widths",
        f"The best text's score, from {scores[0]:.3f} at width 1 to {scores[-1]:.3f} at width {WIDTHS[-1]}",
    )
