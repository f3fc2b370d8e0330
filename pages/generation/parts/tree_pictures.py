"""The small pictures of the lessons on trees of texts, each drawn by its lesson's own figure function."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.card import small
from core.figures.generation.degeneration import bits_so_far_figure
from core.figures.generation.generation_tree import beam_payload, small_tree, tree_payload
from core.models.generation.beam_search import beam_search
from core.models.generation.degeneration import repeated_cycle
from core.models.generation.generation_tree import (
    GenerationTree,
    continuation_log_probabilities,
    node_log_probabilities,
)
from core.models.generation.sampling import Settings, generate
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney


def generation_tree() -> go.Figure:
    """Four texts that may follow "the king", sampled."""
    counted = few_sentences()
    model, prompt = kneser_ney(counted.counts, 3), counted.encode("the king", end=False)
    tree = GenerationTree()
    for seed in (1, 2, 4, 5):
        tokens = [step.token for step in generate(model, prompt, 4, Settings(), seed)]
        tree, _ = tree.grown(0, tokens, "sampled")
    ln_p = node_log_probabilities(tree, lambda y: continuation_log_probabilities(model, prompt, y))
    return small(
        small_tree(tree_payload(tree, ln_p, [counted.name(i) for i in range(len(model.vocabulary))]))
    )


def beam_of_two() -> go.Figure:
    """A beam of two texts after "the": what was kept, what was pruned, and the best."""
    counted = few_sentences()
    prompt = counted.encode("the", end=False)
    found = beam_search(kneser_ney(counted.counts, 3), prompt, width=2, length=4)
    names = [counted.name(token) for token in range(len(counted.vocabulary))]
    return small(small_tree(beam_payload(found, names, counted.text, 4, rows=4)))


def likely_text() -> go.Figure:
    """The bits that greedy and sampled text of an n-gram model have cost, token by token."""
    counted = few_sentences()
    model, prompt = kneser_ney(counted.counts, 3), counted.encode("the", end=False)
    texts = {
        "greedy": [step.token for step in generate(model, prompt, 20, Settings(0.0), seed=1)],
        "sampled": [step.token for step in generate(model, prompt, 20, Settings(), seed=1)],
    }
    lines = {way: continuation_log_probabilities(model, prompt, tokens) for way, tokens in texts.items()}
    return small(bits_so_far_figure(lines, {way: repeated_cycle(tokens) for way, tokens in texts.items()}))
