"""What stands on a map of words: the chosen word and its neighbours join the others; dense or one-hot."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.lesson.break_it import consequence
from core.models.word_vectors.projection import Projection, neighbour_survival, project
from core.models.word_vectors.word_vectors import Metric, Neighbour, UnknownWordError, WordVectors

ONE_HOT_AT_MOST = 200  # words; one-hot vectors are as long as the vocabulary, and PCA takes the cube of that


@dataclass(frozen=True, eq=False)
class MappedWords:
    """The words of a map with their vectors, the word looked up ("" for none), its neighbours, and the map."""

    vectors: WordVectors
    dense: WordVectors
    chosen: str
    neighbours: list[Neighbour]
    projection: Projection
    metric: Metric
    k: int

    @property
    def one_hot(self) -> bool:
        """Whether the map shows one-hot vectors."""
        return self.vectors is not self.dense

    def describe(self) -> str:
        """Return, as Markdown, what the map keeps of the vectors, measured."""
        count, (dimensions, _) = len(self.vectors), self.projection.components.shape
        start = (
            f"**{count} words, {self.vectors.dimension} → {dimensions} dimensions.** "
            f"The map keeps **{self.projection.variance_kept:.0%}** of the variance."
        )
        if self.one_hot:
            return f"{start} Any two one-hot vectors have cosine 0 and distance √2: no word is nearer than any other."
        survival = neighbour_survival(self.vectors.vectors, self.projection.coordinates, self.k, self.metric)
        return (
            f"{start} Of a word's {min(self.k, count - 1)} true neighbours among these words, "
            f"**{survival.mean():.0%}** survive as its neighbours on the map."
        )

    def show_consequence(self) -> None:
        """Show what one-hot vectors lose, when the map shows them."""
        if self.one_hot:
            dimensions = len(self.projection.components)
            whole = project(self.dense.vectors, dimensions).variance_kept
            consequence(f"Variance in {dimensions} dimensions", whole, self.projection.variance_kept, ".1%")


def mapped_words(
    vectors: WordVectors,
    words: list[str],
    search: str,
    k: int,
    metric: Metric,
    dimensions: int,
    one_hot: bool,
) -> MappedWords:
    """Return the map of `words` together with the word searched for and its k nearest of the whole set.

    Names a word that has no vector in a sentence. One-hot vectors have no nearest neighbours, so there are none.
    """
    chosen, neighbours = "", []
    try:
        chosen = vectors.words[vectors.row(search)] if search else ""
    except UnknownWordError as error:
        st.text(str(error))
    if one_hot:
        words = words[:ONE_HOT_AT_MOST]
    elif chosen:
        neighbours = vectors.neighbours(chosen, k, metric)
    dense = vectors.subset([*words, *([chosen] if chosen else []), *(near.word for near in neighbours)])
    shown = WordVectors.one_hot(dense.words) if one_hot else dense
    return MappedWords(shown, dense, chosen, neighbours, project(shown.vectors, dimensions), metric, k)
