"""The syllabus: one ordered list that the navigation, the home page and the tests all read.

To add a lesson, add a line to LESSONS; its page is pages/<section folder>/<name>.py, its address /<name>.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import plotly.graph_objects as go

from core.lesson import (
    attention_pictures,
    generation_pictures,
    hmm_pictures,
    lookup_pictures,
    pictures,
    recurrent_pictures,
    translation_pictures,
    tree_pictures,
)

PAGES = Path(__file__).resolve().parents[2] / "pages"


@dataclass(frozen=True)
class Lesson:
    """One lesson: its place in the house, the question it answers, and the picture on its card."""

    section: str
    name: str
    title: str
    question: str
    icon: str
    picture: Callable[[], go.Figure]

    @property
    def path(self) -> Path:
        """The file of the lesson's page."""
        return PAGES / re.sub(r"\W+", "_", self.section.lower()) / f"{self.name}.py"


LESSONS = (
    Lesson(
        "Word vectors",
        "word_map",
        "The word map",
        "How can a computer know that two words are alike?",
        "🗺️",
        pictures.word_map,
    ),
    Lesson(
        "Word vectors",
        "word_arithmetic",
        "Word arithmetic",
        "Why does king − man + woman land near queen?",
        "➕",
        pictures.word_arithmetic,
    ),
    Lesson(
        "Word vectors",
        "word_axis",
        "An axis of meaning",
        "What do vectors learn about people from the text they read?",
        "🧭",
        pictures.word_axis,
    ),
    Lesson(
        "Word vectors",
        "word_vector_duel",
        "Two maps, one language",
        "Do two models agree on which words are neighbours?",
        "👯",
        pictures.word_vector_duel,
    ),
    Lesson(
        "Word vectors",
        "word_vector_training",
        "Train word vectors",
        "How does a word's meaning grow out of the words around it?",
        "🌱",
        pictures.word_vector_training,
    ),
    Lesson(
        "N-grams",
        "ngram_counts",
        "Counting n-grams",
        "What can a text's own counts say about the next word?",
        "🔢",
        pictures.ngram_counts,
    ),
    Lesson(
        "N-grams",
        "ngram_probability",
        "The probability of a sentence",
        "How likely is a sentence, and which word makes it unlikely?",
        "✖️",
        pictures.ngram_probability,
    ),
    Lesson(
        "N-grams",
        "smoothing",
        "Smoothing",
        "What is the chance of something that was never seen?",
        "⚖️",
        pictures.smoothing,
    ),
    Lesson(
        "N-grams",
        "ngram_perplexity",
        "Perplexity",
        "How do we measure which model foresees new text better?",
        "📏",
        pictures.ngram_perplexity,
    ),
    Lesson(
        "N-grams",
        "ngram_generation",
        "Text from n-grams",
        "How does a model of counts write?",
        "🎲",
        pictures.ngram_generation,
    ),
    Lesson(
        "Hidden Markov models",
        "viterbi",
        "The Viterbi lattice",
        "Which path through the hidden states explains the words best?",
        "🪜",
        hmm_pictures.viterbi,
    ),
    Lesson(
        "Hidden Markov models",
        "viterbi_by_hand",
        "Viterbi by hand",
        "Can you fill in the table yourself?",
        "✍️",
        hmm_pictures.viterbi_by_hand,
    ),
    Lesson(
        "Hidden Markov models",
        "decoding_duel",
        "The decoding duel",
        "Why can greedy and beam search miss the best path?",
        "⚔️",
        hmm_pictures.decoding_duel,
    ),
    Lesson(
        "Hidden Markov models",
        "hmm_tables",
        "Change the world",
        "Which probability must change before the best path flips?",
        "🎛️",
        hmm_pictures.hmm_tables,
    ),
    Lesson(
        "Hidden Markov models",
        "hmm_counting",
        "Tables from counts",
        "Where do the probabilities come from?",
        "🧮",
        hmm_pictures.hmm_counting,
    ),
    Lesson(
        "Hidden Markov models",
        "tagging",
        "Tag your text",
        "How well does a model of neighbours name the parts of speech?",
        "🏷️",
        hmm_pictures.tagging,
    ),
    Lesson(
        "Generation",
        "next_character",
        "The next character",
        "What does a language model learn from, one character at a time?",
        "🔤",
        generation_pictures.next_character,
    ),
    Lesson(
        "Generation",
        "language_models",
        "The language models compared",
        "Which kind of model foresees the next character best?",
        "🏆",
        generation_pictures.language_models,
    ),
    Lesson(
        "Generation",
        "sampling",
        "Sampling the next token",
        "What do temperature, top-k and top-p do to a model's next token?",
        "🌡️",
        generation_pictures.sampling,
    ),
    Lesson(
        "Generation",
        "generation_tree",
        "The tree of texts",
        "What would the model have written, had one token been another?",
        "🌳",
        tree_pictures.generation_tree,
    ),
    Lesson(
        "Generation",
        "beam_search",
        "Beam search",
        "How can a model look ahead before it chooses a token?",
        "🔦",
        tree_pictures.beam_of_two,
    ),
    Lesson(
        "Generation",
        "likely_text",
        "The likeliest text",
        "Why does the likeliest text repeat itself?",
        "🔁",
        tree_pictures.likely_text,
    ),
    Lesson(
        "Generation",
        "character_training",
        "Train on your characters",
        "What does a network learn of your text, and in what order?",
        "🏋️",
        generation_pictures.character_training,
    ),
    Lesson(
        "Recurrent models",
        "hidden_state",
        "The hidden state",
        "What does a recurrent network remember of what it has read?",
        "🧠",
        recurrent_pictures.hidden_state,
    ),
    Lesson(
        "Recurrent models",
        "backpropagation_through_time",
        "Backpropagation through time",
        "How does an error at the end of a word reach its beginning?",
        "⏪",
        recurrent_pictures.backpropagation_through_time,
    ),
    Lesson(
        "Recurrent models",
        "gradient_microscope",
        "The gradient microscope",
        "Why do recurrent networks find it hard to learn from long ago?",
        "🔬",
        recurrent_pictures.gradient_microscope,
    ),
    Lesson(
        "Recurrent models",
        "weight_tying",
        "Weight tying and size",
        "How many numbers must a language model learn?",
        "🪢",
        recurrent_pictures.weight_tying,
    ),
    Lesson(
        "Translation",
        "soft_lookup",
        "A soft dictionary",
        "What if a dictionary had an answer to every question?",
        "📖",
        lookup_pictures.soft_lookup,
    ),
    Lesson(
        "Translation",
        "dot_product_lookup",
        "Query, key, value",
        "Why does attention compare a query and a key with a dot product?",
        "🗝️",
        lookup_pictures.dot_product_lookup,
    ),
    Lesson(
        "Translation",
        "translation",
        "Translation with attention",
        "Where does a translator look for each word that it writes?",
        "🌉",
        translation_pictures.translation,
    ),
    Lesson(
        "Translation",
        "translation_what_if",
        "What if it looked elsewhere?",
        "What changes when a translator is made to look at another word?",
        "🔀",
        translation_pictures.translation_what_if,
    ),
    Lesson(
        "Translation",
        "translation_beam",
        "A beam of translations",
        "Is the likeliest word at every step the way to the likeliest translation?",
        "🌿",
        translation_pictures.translation_beam,
    ),
    Lesson(
        "Translation",
        "translation_race",
        "The race of the scores",
        "Does it matter how a translator scores the words that it looks at?",
        "🏁",
        translation_pictures.translation_race,
    ),
    Lesson(
        "Translation",
        "bottleneck",
        "The bottleneck",
        "Why does a translator without attention fail on long sentences?",
        "🍾",
        translation_pictures.bottleneck,
    ),
    Lesson(
        "Translation",
        "translation_training",
        "Train a translator",
        "How does a model find out where to look, when nobody tells it?",
        "🏋️",
        translation_pictures.translation_training,
    ),
    Lesson(
        "Self-attention",
        "growing_attention",
        "From averages to attention",
        "How does attention grow out of a plain average?",
        "🪴",
        attention_pictures.growing_attention,
    ),
    Lesson(
        "Self-attention",
        "attention_scaling",
        "The square root of d",
        "Why does attention divide its scores by the square root of d?",
        "📐",
        attention_pictures.attention_scaling,
    ),
    Lesson(
        "Self-attention",
        "causal_mask",
        "The causal mask",
        "How does a model that is given a whole text keep from seeing the future?",
        "🎭",
        attention_pictures.causal_mask,
    ),
    Lesson(
        "Self-attention",
        "parallel_training",
        "Training in parallel",
        "How does one pass over a text train on every one of its tokens?",
        "⏩",
        attention_pictures.parallel_training,
    ),
    Lesson(
        "Self-attention",
        "word_order",
        "Shuffle the words",
        "Does attention know in which order the words stand?",
        "🌀",
        attention_pictures.word_order,
    ),
    Lesson(
        "Self-attention",
        "positions",
        "Positions",
        "How can a vector say where a word stands?",
        "📍",
        attention_pictures.positions,
    ),
    Lesson(
        "Self-attention",
        "self_attention",
        "Inside the heads",
        "Where does each token of your sentence look, and why there?",
        "👀",
        attention_pictures.self_attention,
    ),
    Lesson(
        "Self-attention",
        "edit_attention",
        "Edit attention",
        "If a head looked elsewhere, would the prediction change?",
        "🎚️",
        attention_pictures.edit_attention,
    ),
)


def lesson(name: str) -> Lesson:
    """Return the lesson of a name. Raises KeyError when the syllabus has none."""
    return {entry.name: entry for entry in LESSONS}[name]
