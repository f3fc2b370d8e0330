"""The course: its subjects in order, and which lessons build on which.

A subject names its lessons; a lesson is one file, which declares its own card.
"""

from pages import (
    documents,
    generation,
    hidden_markov_models,
    n_grams,
    recurrent_models,
    self_attention,
    tokens,
    translation,
    word_vectors,
)

SUBJECTS = (
    tokens,
    documents,
    word_vectors,
    n_grams,
    hidden_markov_models,
    generation,
    recurrent_models,
    translation,
    self_attention,
)
LESSONS = tuple(module.LESSON for subject in SUBJECTS for module in subject.LESSONS)

# What a learner should have seen before; a lesson that is not named here can be opened first.
BUILDS_ON = {
    "document_vectors": ("naive_bayes",),
    "document_network": ("naive_bayes", "document_vectors"),
    "word_arithmetic": ("word_map",),
    "word_axis": ("word_map",),
    "word_vector_duel": ("word_map",),
    "word_vector_training": ("word_arithmetic",),
    "ngram_probability": ("ngram_counts",),
    "smoothing": ("ngram_probability",),
    "ngram_perplexity": ("ngram_probability",),
    "ngram_generation": ("ngram_probability",),
    "hmm_counting": ("hidden_markov_model",),
    "tagging": ("hmm_counting",),
    "viterbi": ("hidden_markov_model",),
    "viterbi_by_hand": ("viterbi",),
    "decoding_duel": ("viterbi",),
    "hmm_tables": ("viterbi",),
    "next_character": ("ngram_probability",),
    "language_models": ("next_character", "ngram_perplexity"),
    "sampling": ("next_character",),
    "generation_tree": ("sampling",),
    "beam_search": ("generation_tree",),
    "likely_text": ("beam_search",),
    "character_training": ("language_models",),
    "one_text": ("language_models",),
    "hidden_state": ("next_character",),
    "backpropagation_through_time": ("hidden_state",),
    "gradient_microscope": ("backpropagation_through_time",),
    "weight_tying": ("hidden_state",),
    "dot_product_lookup": ("soft_lookup",),
    "translation": ("dot_product_lookup", "hidden_state"),
    "translation_what_if": ("translation",),
    "translation_beam": ("translation", "beam_search"),
    "translation_race": ("translation",),
    "bottleneck": ("translation",),
    "translation_training": ("translation",),
    "growing_attention": ("dot_product_lookup",),
    "attention_scaling": ("growing_attention",),
    "causal_mask": ("growing_attention",),
    "parallel_training": ("causal_mask",),
    "word_order": ("growing_attention",),
    "positions": ("word_order",),
    "self_attention": ("growing_attention",),
    "edit_attention": ("self_attention",),
}
