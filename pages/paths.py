"""Paths through the course: lessons in the order in which they build on one another. Their words are in home/words.md."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Path:
    """A path by its name, and its parts in order, each the names of its lessons; a path without weeks has one part."""

    name: str
    parts: tuple[tuple[str, ...], ...]

    @property
    def lessons(self) -> tuple[str, ...]:
        """The names of all its lessons, in order."""
        return tuple(lesson for part in self.parts for lesson in part)


def names(*lines: str) -> tuple[str, ...]:
    """Return the names in lines of names.

    >>> names("byte_pairs zipf", "viterbi")
    ('byte_pairs', 'zipf', 'viterbi')
    """
    return tuple(" ".join(lines).split())


FIRST_HOUR = names("text_as_tokens ngram_counts sampling word_map causal_mask gpt_writes")
CLASSICAL = names(
    "text_as_tokens byte_pairs token_prices zipf edit_distance",
    "ngram_counts ngram_probability smoothing ngram_perplexity ngram_generation",
    "naive_bayes logistic_regression tug_of_war calibration",
    "hidden_markov_model hmm_counting tagging viterbi viterbi_by_hand decoding_duel hmm_tables crf cky",
)
NEURAL = names(
    "word_map word_arithmetic word_vector_training subwords",
    "document_vectors search document_network two_directions",
    "next_character hidden_state backpropagation_through_time gradient_microscope weight_tying",
    "sampling generation_tree beam_search speculative_decoding",
    "soft_lookup dot_product_lookup translation bottleneck translation_training translation_quality",
)
TRANSFORMERS = names(
    "soft_lookup dot_product_lookup growing_attention attention_scaling causal_mask parallel_training",
    "word_order positions self_attention edit_attention",
    "transformer_block residual_norm feed_forward logit_lens patching model_size quantization",
    "gpt_writes in_context encoder_decoder",
    "masked_words words_in_context elmo fine_tuning",
    "patches captions one_space",
)
WEEKS = (
    names("text_as_tokens byte_pairs token_prices zipf edit_distance ngram_counts"),
    names("ngram_probability smoothing ngram_perplexity ngram_generation"),
    names("naive_bayes logistic_regression tug_of_war calibration document_vectors"),
    names("word_map co_occurrence word_arithmetic word_axis word_vector_training subwords"),
    names("hidden_markov_model hmm_counting tagging viterbi viterbi_by_hand decoding_duel crf cky"),
    names("document_network two_directions next_character language_models character_training"),
    names("hidden_state backpropagation_through_time gradient_microscope weight_tying"),
    names("sampling generation_tree beam_search likely_text preferences speculative_decoding"),
    names(
        "soft_lookup dot_product_lookup translation translation_what_if translation_beam bottleneck",
        "translation_quality",
    ),
    names(
        "growing_attention attention_scaling causal_mask parallel_training word_order positions self_attention"
    ),
    names(
        "transformer_block residual_norm feed_forward logit_lens model_size quantization gpt_writes",
        "encoder_decoder",
    ),
    names("in_context masked_words two_sentences words_in_context elmo fine_tuning patches one_space"),
)
PATHS = (
    Path("first_hour", (FIRST_HOUR,)),
    Path("classical", (CLASSICAL,)),
    Path("neural", (NEURAL,)),
    Path("transformers", (TRANSFORMERS,)),
    Path("course", WEEKS),
)
