"""The learner's text as lines short enough to be drawn, each tagged when it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

import streamlit as st

from core.models.hidden_markov_models.tagger import most_frequent_tags, tag_sentences
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences
from pages.hidden_markov_models.parts.hmm_choice import shared_counts, shared_model

CHARACTERS_IN_A_LINE = 600


@dataclass(frozen=True)
class Line:
    """A tagged line: its words, the tags of the Viterbi path, each word's most frequent tag, which were never seen."""

    words: tuple[str, ...]
    tags: list[str]
    usual: list[str]
    unseen: list[bool]
    readings: tuple[str | None, ...]  # the vocabulary's word that was looked up


@st.cache_resource(scope="session", max_entries=2, show_spinner="Reading the text")
def text_lines(text: str) -> list[str]:
    """Return the sentences of a text; those longer than a line in pieces. Computed once a session.

    Lines without a word or a sign are left out.
    """
    return [line for sentence in sentences(text) for line in pieces(sentence) if line.strip()]


def pieces(sentence: str) -> list[str]:
    """Return a sentence, cut at spaces where it is longer than a line.

    >>> [len(piece) for piece in pieces("word " * 200)]
    [599, 399]
    """
    return [sentence] if len(sentence) <= CHARACTERS_IN_A_LINE else wrap(sentence, CHARACTERS_IN_A_LINE)


def tagged_lines(lines: list[str]) -> list[Line]:
    """Return some lines tagged by the stored tagger."""
    model = shared_model("tagger")
    cut = [words for words in map(corpus_words, lines) if words]
    tags, usual = tag_sentences(model, cut), most_frequent_tags(model, shared_counts(), cut)
    seen = [model.emissions(words) for words in cut]
    return [
        Line(tuple(words), path, most, emissions.unknown.tolist(), emissions.readings)
        for words, path, most, emissions in zip(cut, tags, usual, seen, strict=True)
    ]


def usage(line: Line, place: int) -> str:
    """Return how often the word at a place had each tag in the training text, as a sentence."""
    reading, counts = line.readings[place], shared_counts()
    if reading is None:
        return "It never occurs in the training text: its ending and its neighbours decide."
    tagged = counts.emission[:, shared_model("tagger").index[reading]]
    ranked = [j for j in (-tagged).argsort(kind="stable") if tagged[j]]
    return (
        "In the training text: " + ", ".join(f"{tagged[j]:,} times {counts.states[j]}" for j in ranked) + "."
    )
