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
VOTERS, SEED = 20, 1
GLAD = frozenset("joy joyful glad gladly gladness happy happily happiness love loved peace delight".split())
HARM = frozenset("death dead sad sadly took take cruel angry anger war hate hated evil kill killed".split())
FEATURES = ("glad", "harm")


@dataclass(frozen=True)
class TextQuality:
    """How likely a text is for the reference, as perplexity per token, and the share of its bigrams that differ."""

    perplexity: float
    distinct: float


@cache
def sentence_log_probabilities(sentence: str, prompt: str = PROMPT) -> tuple[float, ...]:
    """Return ln p of each token of a sentence after the prompt, by the course's GPT."""
    model = stored_language_model(MODEL)
    before, ids = encode(MODEL, prompt).ids, encode(MODEL, f"{prompt} {sentence}").ids
    return tuple(float(each) for each in model.token_log_probabilities(ids)[len(before) :])


def reference(sentences: Sequence[str]) -> np.ndarray:
    """Return ln p_ref of each sentence among these alone, (N,): Σ ln p of its tokens, normalized."""
    totals = np.array([sum(sentence_log_probabilities(each)) for each in sentences])
    return totals - np.logaddexp.reduce(totals)


def sentence_features(sentence: str) -> np.ndarray:
    """Return FEATURES, (F,): how many of its words are glad, and how many tell of harm.

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
    means = [float(np.mean(sentence_log_probabilities(each) or (0.0,))) for each in sentences]
    policy = np.exp(log_policy)
    distinct = float(policy @ [distinct_bigrams(each) for each in sentences])
    return TextQuality(float(np.exp(-policy @ means)), distinct)


@cache
def simulated_votes() -> Votes:
    """Return VOTERS votes on every pair of COMPARED, drawn once with SEED."""
    return draw_votes(tuple(SCORES.values()), VOTERS, SEED)
