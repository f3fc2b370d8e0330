"""Exercises on naive Bayes: a word's probability, the score of a message, and its posterior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.naive_bayes import NaiveBayes

CLASSES = ("spam", "ham")
WORDS = ("free", "prize", "lunch", "call", "you", "now")


@dataclass(frozen=True)
class Counted:
    """Counts n(w, c) of two classes (2, V), and how many messages each has (2,)."""

    words: tuple[str, ...]
    counts: np.ndarray
    documents: np.ndarray

    def fit(self, alpha: float = 1.0, documents: np.ndarray | None = None) -> NaiveBayes:
        """Return naive Bayes learned from the counts, or with other numbers of messages."""
        return NaiveBayes(alpha).fit_counts(self.counts, self.documents if documents is None else documents)

    @property
    def given(self) -> dict[str, object]:
        """The counts as a table, and the numbers of messages."""
        return {
            "counts": Table(CLASSES, self.words, self.counts.astype(int), "n(w, c)"),
            "spam": int(self.documents[0]),
            "ham": int(self.documents[1]),
        }


def draw_counted(draws: Draws, types: int, least: int = 0) -> Counted:
    """Return counts of so many words in two classes, with `least` or more each."""
    counts = np.array([[draws.integer(least, 8) for _ in range(types)] for _ in CLASSES], dtype=float)
    documents = np.array([draws.integer(1, 5), draws.integer(3, 9)])
    return Counted(draws.sample(WORDS, types), counts, documents)


def draw_word(draws: Draws, difficulty: int) -> Draw:
    """p(w | c) with smoothing; mistakes: none, V left out below, the words of both classes, the class of the word."""
    counted, alpha = draw_counted(draws, 2 + difficulty), 0.5 if difficulty == 3 else 1.0
    w, c = draws.integer(0, 1 + difficulty), draws.integer(0, 1)
    n = counted.counts
    return Draw(
        given={**counted.given, "word": counted.words[w], "class_": CLASSES[c], "alpha": alpha},
        answer=np.exp(counted.fit(alpha).log_likelihood_[c, w]),
        mistakes={
            "unsmoothed": n[c, w] / n[c].sum(),
            "no_types": (n[c, w] + alpha) / n[c].sum(),
            "all_words": (n[c, w] + alpha) / (n.sum() + alpha * n.shape[1]),
            "turned": (n[c, w] + alpha) / (n[:, w].sum() + 2 * alpha),
        },
        steps={
            "n": int(n[c, w]),
            "total": int(n[c].sum()),
            "V": n.shape[1],
            "both": int(n.sum()),
            "above": n[c, w] + alpha,
            "below": n[c].sum() + alpha * n.shape[1],
        },
    )


def draw_score(draws: Draws, difficulty: int) -> Draw | None:
    """The score, spam minus ham; mistakes: no prior, a repeated word once, ham minus spam."""
    counted = draw_counted(draws, 3)
    message = [draws.choose(counted.words) for _ in range(difficulty + 1)]
    message = [*message, message[0]]
    model, even = counted.fit(), counted.fit(documents=np.array([1, 1]))
    x = np.array([message.count(word) for word in counted.words], dtype=float)
    votes = model.log_likelihood_[0] - model.log_likelihood_[1]
    below = counted.counts.sum(axis=1) + len(counted.words)
    if abs(spam_minus_ham(model, x)) < 0.05:
        return None
    return Draw(
        given={**counted.given, "message": " ".join(message)},
        answer=spam_minus_ham(model, x),
        mistakes={
            "prior": spam_minus_ham(even, x),
            "once": spam_minus_ham(model, np.minimum(x, 1)),
            "turned": -spam_minus_ham(model, x),
        },
        steps={
            "prior": float(model.log_prior_[0] - model.log_prior_[1]),
            "votes": [
                (word, int(times), counted.counts[:, v] + 1, below, float(votes[v]))
                for v, (word, times) in enumerate(zip(counted.words, x, strict=True))
                if times
            ],
            "twice": message[0],
            "times": message.count(message[0]),
            "vote": float(votes[counted.words.index(message[0])]),
        },
        digits=2,
    )


def spam_minus_ham(model: NaiveBayes, x: np.ndarray) -> float:
    """Return the difference of both classes' ln p(c) + sum ln p(w | c) for counts x (V,)."""
    spam, ham = model.joint_log_probability(x[None])[0]
    return float(spam - ham)


def draw_posterior(draws: Draws, difficulty: int) -> Draw:
    """p(spam | message); mistakes: no prior, nothing added to the counts, the probability of ham."""
    counted = draw_counted(draws, 2 + difficulty, least=1)
    message = [draws.choose(counted.words) for _ in range(min(difficulty + 1, 3))]
    x = np.array([message.count(word) for word in counted.words], dtype=float)
    model, bare = counted.fit(), counted.fit(0.0)
    joint = np.exp(model.joint_log_probability(x[None])[0])
    factors = np.exp(model.log_likelihood_)
    return Draw(
        given={**counted.given, "message": " ".join(message)},
        answer=model.posterior(x[None])[0, 0],
        mistakes={
            "prior": counted.fit(documents=np.array([1, 1])).posterior(x[None])[0, 0],
            "unsmoothed": bare.posterior(x[None])[0, 0],
            "other": model.posterior(x[None])[0, 1],
        },
        steps={
            "priors": np.exp(model.log_prior_),
            "factors": [[float(factors[c, counted.words.index(word)]) for word in message] for c in (0, 1)],
            "joint": joint,
            "first": message[0],
            "n_first": counted.counts[:, counted.words.index(message[0])].astype(int),
            "totals": counted.counts.sum(axis=1).astype(int),
            "V": len(counted.words),
        },
    )


MAKERS = (Maker(draw_word), Maker(draw_score), Maker(draw_posterior))
