"""Word vectors from a learner's text, trained in a worker process that sends its progress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy

from core.models.word_vectors.training_progress import Report
from core.models.word_vectors.word2vec import Word2Vec
from core.text.tokenization.tokens import sentences, words


def fit_word_vectors(report: Report, text: str | Iterable[Sequence[str]], model: Word2Vec) -> Word2Vec:
    """Return a SkipGram or Cbow like `model`, fitted to a text; `model` itself stays as it is.

    A string is cut into sentences and words here, so that the page which asks stays quick; sentences of tokens are
    taken as they are. See Word2Vec.fit for `report`, which may end the training. Raises TrainingError.

    >>> from core.models.word_vectors.skipgram import SkipGram
    >>> shown = []
    >>> model = fit_word_vectors(lambda progress: shown.append(progress), "A cat. A dog.", SkipGram(8, epochs=2))
    >>> model.vectors_.words, shown[0].snapshot.vectors.shape, shown[-1].share
    (('a', 'cat', 'dog'), (3, 8), 1.0)
    """
    cut = [words(sentence) for sentence in sentences(text)] if isinstance(text, str) else text
    return copy(model).fit(cut, report)
