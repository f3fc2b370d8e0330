"""The small pictures of the lessons' cards: each drawn by its lesson's own figure function from a real model."""

from __future__ import annotations

from functools import cache

import plotly.graph_objects as go

from core.figures import word_training
from core.figures.ngram import (
    draw_figure,
    factors_figure,
    moved_mass_figure,
    perplexity_by_order,
    window_figure,
)
from core.figures.vector_duel import neighbour_bars
from core.figures.word_map import arithmetic_map, axis_figure
from core.figures.word_map import word_map as draw_word_map
from core.lesson.vector_sets import shared_vectors
from core.models.negative_sampling import window
from core.models.ngram import add_alpha, held_out, katz_backoff, kneser_ney, moved_mass
from core.models.ngram_text import CountedText, count_text
from core.models.projection import project
from core.models.sampling import Settings, generate
from core.models.vector_agreement import agreement, shared_words
from core.models.word_arithmetic import arithmetic
from core.models.word_axis import axis
from core.text.microworld import microworld
from core.text.tokens import words

HEIGHT = 190
WORDS = "king queen man woman paris france rome italy cat dog".split()


def small(figure: go.Figure) -> go.Figure:
    """Return the figure at the size of a card, without axes' titles and legend."""
    figure.update_layout(
        height=HEIGHT, showlegend=False, font={"size": 12}, margin={"l": 4, "r": 4, "t": 4, "b": 4}
    )
    figure.update_xaxes(title="", showticklabels=False)
    figure.update_yaxes(title="", showticklabels=False)
    return figure


def word_map() -> go.Figure:
    """Ten words of GloVe on their first two principal components."""
    vectors = shared_vectors("glove").subset(WORDS)
    return small(draw_word_map(vectors.words, project(vectors.vectors)))


def word_arithmetic() -> go.Figure:
    """King - man + woman in GloVe, as arrows."""
    vectors = shared_vectors("glove").normalised()
    sum_ = arithmetic(vectors, "king - man + woman", k=2)
    near = vectors.subset(["king", "man", "woman", *(answer.word for answer in sum_.answers)])
    return small(arithmetic_map(near, sum_, project(near.vectors)))


def word_axis() -> go.Figure:
    """Five professions between he and she in GloVe."""
    vectors = shared_vectors("glove").normalised()
    line = axis(vectors, ["he"], ["she"])
    return small(axis_figure(line, line.place(vectors, "nurse dancer doctor engineer boss".split()), []))


@cache
def few_sentences() -> CountedText:
    """300 sentences of the micro-world, counted."""
    return count_text("\n".join(microworld(300, seed=1)), order=4, hold_out=10)


def word_vector_duel() -> go.Figure:
    """The neighbours of king in GloVe; filled are those that our own vectors share."""
    found = agreement(*shared_words(shared_vectors("glove"), shared_vectors("skipgram")), "king", 6)
    figure = small(neighbour_bars(found.first, set(found.shared), "first"))
    return figure.update_yaxes(showticklabels=True)


def word_vector_training() -> go.Figure:
    """The window around a word of the micro-world."""
    tokens = words("the queen loves her crown")
    figure = small(word_training.window_figure(tokens, 2, window(tokens, 2, 2)))
    return figure.update_traces(textfont={"size": 13}).update_yaxes(range=[-0.2, 0.7])


def ngram_counts() -> go.Figure:
    """A window of three words on a sentence."""
    return small(window_figure("<s> <s> the king sees the queen </s>".split(), 4, 3))


def ngram_probability() -> go.Figure:
    """The surprise of each word of a sentence, from bigrams."""
    counted = few_sentences()
    tokens = counted.encode("the king sees the old dog")
    model = kneser_ney(counted.counts, 2, 0.75)
    return small(
        factors_figure([counted.name(token) for token in tokens], model.token_log_probabilities(tokens))
    )


def smoothing() -> go.Figure:
    """What add-one moves from the words seen after "the" to those that were not."""
    counted = few_sentences()
    moved = moved_mass(add_alpha(counted.counts, 2), counted.encode("the", end=False))
    return small(moved_mass_figure(moved, [counted.name(token) for token in moved.tokens], most=3))


def ngram_perplexity() -> go.Figure:
    """Perplexity against n for three smoothings."""
    counted, orders = few_sentences(), (1, 2, 3, 4)
    lines = {
        fit.__name__: [held_out(fit(counted.counts, n), counted.held_out).perplexity for n in orders]
        for fit in (add_alpha, kneser_ney, katz_backoff)
    }
    return small(perplexity_by_order(orders, lines, len(counted.vocabulary)))


def ngram_generation() -> go.Figure:
    """What may follow "the king", and where a random number fell."""
    counted = few_sentences()
    prompt = counted.encode("the king", end=False)
    step = next(generate(kneser_ney(counted.counts, 3, 0.75), prompt, 1, Settings(), seed=1))
    return small(draw_figure(step, [counted.name(token) for token in step.trace.order[:6]]))
