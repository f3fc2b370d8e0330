"""Self-attention: the lessons of the subject in order."""

from pages.self_attention import (
    attention_scaling,
    causal_mask,
    edit_attention,
    growing_attention,
    parallel_training,
    positions,
    self_attention,
    word_order,
)

LESSONS = (
    growing_attention,
    attention_scaling,
    causal_mask,
    parallel_training,
    word_order,
    positions,
    self_attention,
    edit_attention,
)
