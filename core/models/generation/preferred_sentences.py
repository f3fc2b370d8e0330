"""The sentences that voters compare: what the course's GPT gives them, their features, and how good they are as text.

The voters are simulated: each sentence has a score that only they know, and votes are drawn by Bradley-Terry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from core.models.generation.preferences import Votes, draw_votes
from core.models.neural_language_model import log_softmax
from core.models.stored_language_models import encode, stored_language_model
from core.text.tokenization.tokens import words

MODEL = "word_gpt"
PROMPT = "The king came to the city and"
SCORES = {
    "there was great joy in the house.": 2.0,
    "the people were glad with great joy.": 1.8,
    "he gave bread to the poor.": 1.2,
    "he took all the gold.": 0.0,
    "he was sad and went away.": -0.5,
    "he put the men to death.": -1.0,
}
COMPARED = tuple(SCORES)
REPEATED = ("joy and joy and joy.", "great joy and great joy and great joy.", "joy joy joy joy joy joy.")
EVERY = COMPARED + REPEATED
VOTERS, SEED = 20, 1
GLAD = frozenset("joy joyful glad gladly gladness happy happily happiness love loved peace delight".split())
HARM = frozenset("death dead sad sadly took take cruel angry anger war hate hated evil kill killed".split())


@dataclass(frozen=True)
class TextQuality:
    """How likely a text is for the reference, as perplexity per token, and the share of its bigrams that differ."""

    perplexity: float
    distinct: float


def sentence_log_probabilities(sentence: str) -> np.ndarray:
    """Return ln p of each token of a sentence after the prompt, (n,), by the course's GPT; a typed sentence is not kept."""
    return stored_log_probabilities(sentence) if sentence in EVERY else read_after_prompt(sentence)


@cache
def stored_log_probabilities(sentence: str) -> np.ndarray:
    """Return the same of one of the lesson's own sentences, read once."""
    return read_after_prompt(sentence)


def read_after_prompt(sentence: str) -> np.ndarray:
    """Return ln p of each token of a sentence, (n,), from one forward pass over the prompt and the sentence."""
    before, ids = encode(MODEL, PROMPT).ids, encode(MODEL, f"{PROMPT} {sentence}").ids
    return stored_language_model(MODEL).token_log_probabilities(ids)[len(before) :]


def reference(sentences: Sequence[str]) -> np.ndarray:
    """Return ln p_ref of each sentence among these alone, (N,): Σ ln p of its tokens, normalized."""
    return log_softmax(np.array([sentence_log_probabilities(each).sum() for each in sentences]))


def sentence_features(sentence: str) -> np.ndarray:
    """Return the features of a sentence, (2,): how many of its words are glad, and how many are words of harm.

    >>> sentence_features("He was glad of the great joy.").tolist()
    [2.0, 0.0]
    """
    read = [word.lower() for word in words(sentence)]
    found = [[word in GLAD for word in read], [word in HARM for word in read]]
    return np.array([sum(each) for each in found], dtype=np.float64)


def distinct_bigrams(sentence: str) -> float:
    """Return the share of a sentence's bigrams that differ from each other; 1 where there is none.

    >>> distinct_bigrams("joy joy joy"), distinct_bigrams("great joy")
    (0.5, 1.0)
    """
    read = [word.lower() for word in words(sentence)]
    pairs = list(pairwise(read))
    return len(set(pairs)) / len(pairs) if pairs else 1.0


def expected_quality(log_policy: np.ndarray, sentences: Sequence[str]) -> TextQuality:
    """Return what a policy writes on average: the perplexity of its mean ln p per token, and the mean share of bigrams."""
    read = [sentence_log_probabilities(each) for each in sentences]
    means = [float(each.mean()) if len(each) else 0.0 for each in read]
    policy = np.exp(log_policy)
    distinct = float(policy @ [distinct_bigrams(each) for each in sentences])
    return TextQuality(float(np.exp(-policy @ means)), distinct)


@cache
def simulated_votes() -> Votes:
    """Return VOTERS votes on every pair of COMPARED, drawn once with SEED."""
    return draw_votes(tuple(SCORES.values()), VOTERS, SEED)
