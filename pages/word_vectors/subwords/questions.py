"""Exercises on fastText: n-grams of a word, an unseen word's vector, and n-grams that two words share."""

from __future__ import annotations

import numpy as np
import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.word_vectors.fasttext import character_ngrams, means

WORDS = ("kitten", "kittens", "king", "kingdom", "crown", "garden", "gardens", "queen", "horse", "house")
WORDS += (
    "kings",
    "kitty",
    "crowns",
    "queens",
    "prince",
    "princess",
    "player",
    "played",
    "playing",
    "walking",
    "walked",
)
SHORT = ("cat", "cow", "dog", "sea", "king", "tree")


def cut(word: str, least: int, most: int) -> list[str]:
    """Return a word's runs of characters without the marks of its ends."""
    return [word[i : i + n] for n in range(least, most + 1) for i in range(len(word) - n + 1)]


def draw_count(draws: Draws, difficulty: int) -> Draw:
    """How many n-grams a word has; mistakes: no marks, the longest ones only, single characters too."""
    word, least, most = draws.choose(WORDS), draws.integer(2, 3), 3 + difficulty
    grams = character_ngrams(word, least, most)
    return Draw(
        given={"word": word, "least": least, "most": most},
        answer=len(grams),
        mistakes={
            "marks": len(cut(word, least, most)),
            "longest": len(character_ngrams(word, most, most)),
            "single": len(character_ngrams(word, 1, most)),
        },
        steps={
            "length": len(word) + 2,
            "letters": len(word),
            "counts": [(n, len(character_ngrams(word, n, n))) for n in range(least, most + 1)],
        },
    )


def draw_vector(draws: Draws, difficulty: int) -> Draw:
    """The vector of an unseen word; mistakes: no division, without the ends, a vector for the word itself."""
    word = draws.choose([each for each in SHORT if len(each) == (3 if difficulty == 1 else 4)])
    grams = character_ngrams(word, 3, 3)
    z = [[draws.decimal(-2, 2) for _ in range(min(difficulty, 2))] for _ in grams]

    def mean(places: list[int], counts: int | None = None) -> list[float]:
        rows = torch.tensor(z, dtype=torch.float64)
        return means(rows, torch.tensor(places), torch.tensor([counts or len(places)]))[0].tolist()

    every = list(range(len(grams)))
    inside = [i for i in every if "<" not in grams[i] and ">" not in grams[i]]
    summed = torch.tensor(z, dtype=torch.float64).sum(0).tolist()
    return Draw(
        given={
            "word": word,
            "vectors": Table([escaped(gram) for gram in grams], ("z₁", "z₂")[: len(z[0])], z),
        },
        answer=mean(every),
        mistakes={
            "added": summed,
            "inside": mean(inside),
            "itself": (np.array(summed) / (len(grams) + 1)).tolist(),
        },
        steps={"n": len(grams), "parts": [row[0] for row in z], "total": summed[0], "left": len(inside)},
        table=Table(("v",), ("v₁", "v₂")[: len(z[0])], [[None] * len(z[0])]),
        digits=2,
    )


def escaped(gram: str) -> str:
    """Return an n-gram with marks of the ends that no reader of Markdown takes for a tag."""
    return gram.replace("<", "‹").replace(">", "›")


def draw_shared(draws: Draws, difficulty: int) -> Draw:
    """How many n-grams two words share; mistakes: no marks, all of the first, letters in common."""
    one, other = draws.sample(WORDS, 2)
    least, most = 3, 2 + difficulty
    grams = [set(character_ngrams(word, least, most)) for word in (one, other)]
    common = [gram for gram in character_ngrams(one, least, most) if gram in grams[1]]
    return Draw(
        given={"one": one, "other": other, "least": least, "most": most},
        answer=len(set(common)),
        mistakes={
            "marks": len(set(cut(one, least, most)) & set(cut(other, least, most))),
            "letters": len(set(one) & set(other)),
            "all": len(grams[0] | grams[1]),
        },
        steps={
            "common": [escaped(gram) for gram in dict.fromkeys(common)],
            "letters": sorted(set(one) & set(other)),
        },
    )


MAKERS = (Maker(draw_count), Maker(draw_vector), Maker(draw_shared))
