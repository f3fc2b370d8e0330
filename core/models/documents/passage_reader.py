"""A small language model that reads a passage before it answers: how many bits its answer costs, with and without it.

bits = −Σ log₂ p(token | passage, prompt, answer so far) over the tokens of the answer. A model that can copy from its
context needs fewer with the right passage. Patrick Lewis and others (2020), Retrieval-augmented generation for
knowledge-intensive NLP tasks, let large models read so.
"""

from __future__ import annotations

from math import log

from core.models.stored_language_models import encode, stored_language_model

READER = "word_gpt"  # 4 layers on byte pairs, 512 tokens of context


def answer_bits(passage: str, prompt: str, answer: str, reader: str = READER) -> float:
    """Return the bits of an answer after a passage, which may be empty, and a prompt."""
    before = f"{passage} {prompt}" if passage else prompt
    asked = encode(reader, before).ids
    whole = encode(reader, f"{before} {answer}").ids
    logs = stored_language_model(reader).token_log_probabilities(whole)
    return float(-logs[len(asked) :].sum() / log(2))
