"""One step of word2vec on a sentence that somebody typed: its pairs, and the vectors they meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.negative_sampling import (
    NegativeSamplingStep,
    WordPair,
    noise_distribution,
    pairs,
    training_step,
)
from core.models.word_vectors.word2vec import Word2Vec

MEAN = "mean of the window"


def first_tokens(sentences: Sequence[Sequence[str]], most: int) -> list[list[str]]:
    """Return the sentences cut off after so many tokens of all, without empty ones.

    >>> first_tokens([["a", "b"], [], ["c", "d"]], 3)
    [['a', 'b'], ['c']]
    """
    starts = np.cumsum([0, *(len(sentence) for sentence in sentences)])
    cut = [list(sentence[: max(0, most - start)]) for start, sentence in zip(starts, sentences, strict=False)]
    return [sentence for sentence in cut if sentence]


def telling_sentence(sentences: Sequence[Sequence[str]], least: int, most: int) -> int:
    """Return the place of a sentence to slide a window over: of such a length, and with a word that it repeats.

    Where none repeats a word, the first of such a length; where none is, the longest. Only the first 500 are looked at.

    >>> telling_sentence([["cat"], ["a", "cat", "sat"], ["the", "cat", "the"]], 3, 5), telling_sentence([["cat"]], 3, 5)
    (2, 0)
    """
    sentences = sentences[:500]
    fits = [place for place, each in enumerate(sentences) if least <= len(each) <= most]
    repeats = (place for place in fits if len(set(sentences[place])) < len(sentences[place]))
    longest = max(range(len(sentences)), key=lambda place: len(sentences[place]))
    return next(repeats, fits[0] if fits else longest)


def window_pairs(
    tokens: Sequence[str], centre: int, around: Sequence[int], counts: Mapping[str, int], model: Word2Vec
) -> list[WordPair]:
    """Return the pairs of a window: in skip-gram a true one for each word around, in CBOW one for the centre.

    counts: of the words that training keeps, from which noise is drawn.
    """
    noise, random = noise_distribution(counts), np.random.default_rng(model.seed)
    if not isinstance(model, Cbow):
        return pairs(tokens, centre, around, model.negatives, random, noise)
    drawn = random.choice(list(noise), model.negatives, p=list(noise.values()))
    others = [WordPair(MEAN, str(word), False, None) for word in drawn]
    return [WordPair(MEAN, tokens[centre], True, centre), *others]


def worked_step(
    tokens: Sequence[str],
    centre: int,
    around: Sequence[int],
    found: Sequence[WordPair],
    model: Word2Vec,
    learnt: Word2Vec | None,
) -> NegativeSamplingStep:
    """Return the step on the first true pair of `found` and its noise, with the vectors of the model `learnt`.

    Where there is none, those before any training: small random numbers for the input, zeros for the output.
    """
    words = [pair.other for pair in found[: 1 + model.negatives]]
    inputs, outputs = vectors_of(learnt or model, [*tokens, *words])
    target, *noise = (outputs[word] for word in words)
    if not isinstance(model, Cbow):
        return training_step(inputs[tokens[centre]], target, np.array(noise), model.learning_rate, words)
    given = [tokens[place] for place in around]
    window = np.array([inputs[word] for word in given])
    return training_step(window, target, np.array(noise), model.learning_rate, words, given)


def vectors_of(model: Word2Vec, tokens: Iterable[str]) -> tuple[dict, dict]:
    """Return the input and output vectors of some words: as learnt, or as before training where not learnt."""
    random = np.random.default_rng(model.seed)
    known = getattr(model, "vocabulary_", None)
    inputs, outputs = {}, {}
    for token in dict.fromkeys(tokens):
        if known is not None and token in known.ids:
            inputs[token], outputs[token] = (
                matrix[known.ids[token]] for matrix in (model.input_, model.output_)
            )
        else:
            inputs[token] = (random.random(model.dimension) - 0.5) / model.dimension
            outputs[token] = np.zeros(model.dimension)
    return inputs, outputs
