"""Paragraph vectors: each document has a vector of its own, learnt by foretelling the document's words.

PV-DM, the distributed memory: the mean of a window's words and of their document foretells the word in the middle.
PV-DBOW, the distributed bag of words: the document alone foretells each of its words.

    h = (v_d + sum_{w in window} v_w) / (1 + |window|)   (DM)          h = v_d   (DBOW)
    loss = -ln σ(h · u_o) - Σ_n ln σ(-h · u_n)                         u_o: the word's output vector, u_n: noise
    ∂loss/∂v = 1 / (1 + |window|) ∂loss/∂h   (DM)                      ∂loss/∂v_d = ∂loss/∂h   (DBOW)

A new document's vector is found in the same way while all words stay as they are.
Quoc Le and Tomas Mikolov (2014), Distributed Representations of Sentences and Documents; the noise, instead of their
hierarchical softmax, as in word2vec.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.models.word_vectors.negative_sampling import keep_probability
from core.models.word_vectors.window_blocks import (
    CHUNK,
    NEGATIVES,
    EncodedText,
    add_rows,
    noise_table,
    rows,
    sides,
    steps_downhill,
)
from core.models.word_vectors.word2vec import Word2Vec, encoded, one_thread

INFERENCE_EPOCHS, NOISE = 50, 1 << 14  # of a new document


@dataclass(frozen=True, eq=False)
class Batch:
    """Words of documents, wherever they stand, in n chunks of B.

    centres, documents: (n, B) ids of the words and of their documents
    around, sees:       (n, B, 2w) ids of the words beside, and 1 for those in the window, else 0
    negatives:          (n, N) ids drawn as noise, for all of a chunk
    """

    centres: Tensor
    documents: Tensor
    around: Tensor
    sees: Tensor
    negatives: Tensor


class ParagraphVectors(Word2Vec):
    """What PvDm and PvDbow share; see Word2Vec for the parameters.

    After fit: `vocabulary_`; `documents_` (D, d), noughts for a document without a known word; `input_` and
    `output_` (V, d), the words' vectors.
    """

    def hidden(self, batch: Batch, input_: Tensor, documents: Tensor) -> Tensor:
        """Return h of each word, (n, B, d)."""
        raise NotImplementedError

    def move(self, batch: Batch, input_: Tensor | None, documents: Tensor, steps: Tensor) -> None:
        """Add the steps of h (n, B, d) to what it is made of; to the documents alone where `input_` is None."""
        raise NotImplementedError

    def pairs_per_word(self) -> float:
        """Return 1: each word is foretold once an epoch."""
        return 1

    def fit(
        self, documents: Sequence[Sequence[str]], report: Callable[[float], bool] | None = None
    ) -> ParagraphVectors:
        """Learn the vectors of tokenised documents and of their words; return self. Raises TrainingError.

        `report` is called with the share that is done before each epoch; when it returns False, training stops.
        """
        self.vocabulary_, text = encoded(documents, self.min_count)
        drawn = np.random.default_rng(self.seed).random((len(documents), self.dimension), dtype=np.float32)
        self.documents_ = (drawn - 0.5) / self.dimension * (text.lengths > 0)[:, None]
        _, self.input_, self.output_ = self.initial()
        keep = keep_probability(self.shares(), self.subsampling)
        size = self.batch_size(keep, text.lengths)
        matrices = [torch.from_numpy(each) for each in (self.input_, self.documents_, self.output_)]
        noise = noise_table(list(self.noise_.values()))
        with torch.inference_mode(), one_thread():
            for epoch in range(self.epochs):
                if report and not report(epoch / self.epochs):
                    break
                rng = np.random.default_rng([self.seed, epoch])
                some = batch_document_words(text.subsampled(keep, rng), self.window, size, noise, rng)
                for number, batch in enumerate(some):
                    share = (epoch + min(1.0, number * size / max(1, len(text.ids)))) / self.epochs
                    self.update(batch, *matrices, self.rate(share))
        return self

    def batch_size(self, keep: np.ndarray, lengths: np.ndarray) -> int:
        """Return how many words are trained at once: as in word2vec; fewer where one document has much of the text."""
        most = 1 / float((lengths / lengths.sum()).max())
        return int(np.clip(min(self.block_size(keep), CHUNK * most), 16, 512))

    def update(
        self, batch: Batch, input_: Tensor | None, documents: Tensor, output: Tensor, learning_rate: float
    ) -> None:
        """Add to all vectors, in place, the step of gradient descent for every word of a batch.

        Without `input_`, as for a new document, the words stay as they are.
        """
        words_in = torch.from_numpy(self.input_) if input_ is None else input_
        h, words, labels, weights = combinations(
            batch, self.hidden(batch, words_in, documents), self.negatives
        )
        h_steps, u_steps = steps_downhill(h, rows(output, words), labels, weights * learning_rate)
        self.move(batch, input_, documents, h_steps)
        if input_ is not None:
            add_rows(output, words, u_steps)

    def infer(self, tokens: Sequence[str], epochs: int = INFERENCE_EPOCHS) -> np.ndarray:
        """Return the vector (d,) of a new document; noughts where it has no known word."""
        ids = np.array(
            [self.vocabulary_[each] for each in tokens if each in self.vocabulary_], dtype=np.int64
        )
        rng = np.random.default_rng(self.seed)
        start = (rng.random((1, self.dimension), dtype=np.float32) - 0.5) / self.dimension
        vector = torch.from_numpy(start * bool(len(ids)))
        noise, output = noise_table(list(self.noise_.values()), NOISE), torch.from_numpy(self.output_)
        with torch.inference_mode(), one_thread():
            for epoch in range(epochs if len(ids) else 0):
                for batch in batch_document_words(
                    EncodedText(ids, np.array([len(ids)])), self.window, CHUNK, noise, rng
                ):
                    self.update(batch, None, vector, output, self.rate(epoch / epochs))
        return vector[0].numpy()


class PvDm(ParagraphVectors):
    """Paragraph vectors by distributed memory.

    The gradient is shared by the document and its window, as the mean asks for: so the learning rate is higher.

    >>> documents = [["the", "cat", "sleeps"], ["the", "dog", "runs"]] * 20
    >>> model = PvDm(dimension=8, window=2, epochs=40, subsampling=0, learning_rate=0.3).fit(documents)
    >>> new = model.infer(["the", "dog", "runs"])
    >>> bool(new @ model.documents_[1] > new @ model.documents_[0])
    True
    """

    def hidden(self, batch: Batch, input_: Tensor, documents: Tensor) -> Tensor:
        """Return the mean of the document's vector and its window's, (n, B, d)."""
        around = (batch.sees.unsqueeze(2) @ rows(input_, batch.around)).squeeze(2)
        return (rows(documents, batch.documents) + around) * shared(batch)

    def move(self, batch: Batch, input_: Tensor | None, documents: Tensor, steps: Tensor) -> None:
        """Add to the document's vector, and to each of its window's, its part of the step."""
        parts = steps * shared(batch)
        add_rows(documents, batch.documents, parts)
        if input_ is not None:
            add_rows(input_, batch.around, batch.sees.unsqueeze(3) * parts.unsqueeze(2))


class PvDbow(ParagraphVectors):
    """Paragraph vectors by the distributed bag of words.

    >>> documents = [["the", "cat", "sleeps"], ["the", "dog", "runs"]] * 20
    >>> model = PvDbow(dimension=8, epochs=40, subsampling=0, learning_rate=0.1).fit(documents)
    >>> new = model.infer(["the", "dog", "runs"])
    >>> bool(new @ model.documents_[1] > new @ model.documents_[0])
    True
    """

    def hidden(self, batch: Batch, input_: Tensor, documents: Tensor) -> Tensor:
        """Return the documents' vectors, (n, B, d)."""
        return rows(documents, batch.documents)

    def move(self, batch: Batch, input_: Tensor | None, documents: Tensor, steps: Tensor) -> None:
        """Add the steps to the documents' vectors."""
        add_rows(documents, batch.documents, steps)


def shared(batch: Batch) -> Tensor:
    """Return 1 / (1 + |window|) of each word, (n, B, 1)."""
    return 1 / (1 + batch.sees.sum(dim=2, keepdim=True))


def combinations(batch: Batch, h: Tensor, negatives: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return h, the words (n, B + N), labels and weights (n, B, B + N) of what a batch trains.

    Each place foretells its own word alone, and each of the N negatives stands for k/N of them.
    """
    (n, B), N = batch.centres.shape, batch.negatives.shape[1]
    words = torch.cat([batch.centres, batch.negatives], dim=1)
    labels = torch.cat([torch.eye(B), torch.zeros(B, N)], dim=1)
    weights = torch.cat([torch.eye(B), torch.full((B, N), negatives / N)], dim=1)
    return h, words, labels.expand(n, -1, -1), weights.expand(n, -1, -1)


def batch_document_words(
    text: EncodedText, window: int, size: int, noise: np.ndarray, rng: np.random.Generator
):
    """Yield documents' words in batches of about `size`, each word once, in any order; windows as in word2vec.

    The last words, too few for a chunk, are a batch of their own.

    >>> text = EncodedText(np.array([7, 8, 9]), np.array([2, 1]))
    >>> [batch] = batch_document_words(text, 1, 8, np.array([7]), np.random.default_rng(1))
    >>> order = batch.centres[0].argsort()
    >>> batch.documents[0, order].tolist(), (batch.around * batch.sees)[0, order].sum(dim=1).int().tolist()
    ([0, 0, 1], [8, 7, 0])
    """
    reach = rng.integers(1, window + 1, len(text.ids))
    left, right = (torch.from_numpy(each)[:, None] for each in sides(text, reach))
    padded = torch.from_numpy(np.pad(text.ids, window))
    of = torch.from_numpy(np.repeat(np.arange(len(text.lengths)), text.lengths))
    offsets = torch.tensor([i for i in range(-window, window + 1) if i])
    order = torch.from_numpy(rng.permutation(len(text.ids)))
    for places in order.split(size):
        whole = len(places) // CHUNK * CHUNK
        for some, B in ((places[:whole], CHUNK), (places[whole:], len(places) - whole)):
            if not len(some):
                continue
            n, seen = len(some) // B, (offsets >= -left[some]) & (offsets <= right[some])
            yield Batch(
                padded[some + window].view(n, B),
                of[some].view(n, B),
                padded[some[:, None] + window + offsets].view(n, B, -1),
                seen.float().view(n, B, -1),
                torch.from_numpy(noise[rng.integers(len(noise), size=(n, NEGATIVES))]),
            )
