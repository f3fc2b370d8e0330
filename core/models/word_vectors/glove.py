r"""GloVe: vectors whose dot products are the logarithms of how often words stand together.

X[i, j] adds up 1/d over the places where j stands d ≤ L words from i. Over the cells that are not 0,

    J = Σ_{i,j} f(X_ij) (w_i · c_j + b_i + b̃_j - ln X_ij)²            f(x) = min(1, (x / x_max)^α)

f keeps rare pairs, which say little, and frequent ones, which are many, from ruling the sum. Cells are taken in random
batches; with E_ij = f(X_ij) (w_i · c_j + b_i + b̃_j - ln X_ij), half the gradients of a batch are

    ∇w_i = Σ_j E_ij c_j        ∇c_j = Σ_i E_ij w_i        ∇b_i = Σ_j E_ij        ∇b̃_j = Σ_i E_ij

and AdaGrad divides each number's step by the root of all its squared gradients so far:  G += g²,  x -= η g / √G.
A word's vector is w_i + c_i: X is symmetric, so that both were learnt from the same counts.

J. Pennington, R. Socher and C. D. Manning (2014), GloVe: Global Vectors for Word Representation; J. Duchi, E. Hazan and
Y. Singer (2011), Adaptive Subgradient Methods for Online Learning and Stochastic Optimization.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.models.training_error import TrainingError
from core.models.word_vectors import WORDS
from core.models.word_vectors.near_matrix import near_matrix
from core.models.word_vectors.word2vec import encoded, one_thread
from core.models.word_vectors.word_vectors import WordVectors

BATCHES, SMALLEST, LARGEST = (
    40,
    256,
    65_536,
)  # of cells: so many a pass, if they are neither smaller nor larger


class Cells(NamedTuple):
    """Cells of X that are not 0: their rows i and columns j (n,), ln X (n,) and f(X) (n,)."""

    i: Tensor
    j: Tensor
    logs: Tensor
    weights: Tensor


class Parameters(NamedTuple):
    """What is learnt: w and c (V, d), b and b̃ (V,)."""

    w: Tensor
    c: Tensor
    b: Tensor
    b_context: Tensor


def weight(x: np.ndarray, x_max: float, alpha: float) -> np.ndarray:
    """Return f(x), between 0 and 1.

    >>> weight(np.array([0.5, 8.0, 10.0, 200.0]), x_max=10, alpha=0.75).round(4)
    array([0.1057, 0.8459, 1.    , 1.    ])
    """
    return np.minimum(1, (x / x_max) ** alpha)


def errors(some: Cells, at: Parameters) -> Tensor:
    """Return w_i · c_j + b_i + b̃_j - ln X_ij of some cells, (n,)."""
    return (at.w[some.i] * at.c[some.j]).sum(dim=1) + at.b[some.i] + at.b_context[some.j] - some.logs


def half_gradients(some: Cells, at: Parameters) -> tuple[float, Parameters]:
    """Return J of some cells, and half its gradients by each of the parameters.

    One cell, x = e² with f = 0.5:  w·c + b + b̃ = 1·2 + 0.25 + 0.5 = 2.75, 0.75 too much; J = 0.5 · 0.75², E = 0.375.

    >>> one = Cells(torch.tensor([0]), torch.tensor([1]), torch.tensor([2.0]), torch.tensor([0.5]))
    >>> at = Parameters(torch.tensor([[1.0], [9.0]]), torch.tensor([[9.0], [2.0]]), torch.tensor([0.25, 0]),
    ...                 torch.tensor([0, 0.5]))
    >>> J, half = half_gradients(one, at)
    >>> J, half.w.tolist(), half.c.tolist(), half.b.tolist(), half.b_context.tolist()
    (0.28125, [[0.75], [0.0]], [[0.0], [0.375]], [0.375, 0.0], [0.0, 0.375])
    """
    difference = errors(some, at)
    E = some.weights * difference  # (n,)
    return float(E @ difference), Parameters(
        torch.zeros_like(at.w).index_add_(0, some.i, E[:, None] * at.c[some.j]),
        torch.zeros_like(at.c).index_add_(0, some.j, E[:, None] * at.w[some.i]),
        torch.zeros_like(at.b).index_add_(0, some.i, E),
        torch.zeros_like(at.b_context).index_add_(0, some.j, E),
    )


def adagrad(at: Parameters, gradients: Parameters, squares: Parameters, learning_rate: float) -> None:
    """Take AdaGrad's step for each of the parameters, in place; `squares` are G.

    >>> at, G = (Parameters(*(torch.tensor([1.0]) for _ in range(4))) for _ in range(2))
    >>> adagrad(at, Parameters(*(torch.tensor([g]) for g in (0.75, -0.75, 0.0, 2.0))), G, 0.5)
    >>> [round(x.item(), 4) for x in at], [round(x.item(), 4) for x in G]
    ([0.7, 1.3, 1.0, 0.5528], [1.5625, 1.5625, 1.0, 5.0])
    """
    for x, g, G in zip(at, gradients, squares, strict=True):
        G.addcmul_(g, g)
        x.addcdiv_(g, G.sqrt(), value=-learning_rate)


class Glove:
    """Word vectors by GloVe.

    Parameters: `dimension` d; `window` L; `epochs`, passes over the cells; `learning_rate` η; `x_max` and `alpha` of f;
    `min_count` below which a word is left out; `seed`. After fit: `vocabulary_`; `cells_`, how many cells are not 0;
    `learnt_`, the Parameters; `losses_`, J divided by the number of cells, of each pass; `vectors_`.

    >>> sentences = [["the", "cat", "sleeps"], ["my", "dog", "sleeps"], ["the", "dog", "runs"], ["my", "cat", "runs"]]
    >>> model = Glove(dimension=4, window=2, x_max=1, epochs=50).fit(sentences)
    >>> model.cells_, model.losses_[0] > 10 * model.losses_[-1]
    (24, True)
    """

    def __init__(
        self,
        dimension: int = 50,
        window: int = 5,
        epochs: int = 25,
        learning_rate: float = 0.05,
        x_max: float = 10,
        alpha: float = 0.75,
        min_count: int = 1,
        seed: int = 1,
    ):
        """Store the parameters."""
        self.dimension = dimension
        self.window = window
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.x_max = x_max
        self.alpha = alpha
        self.min_count = min_count
        self.seed = seed

    def fit(
        self, sentences: Sequence[Sequence[str]], report: Callable[[float], bool | None] | None = None
    ) -> Glove:
        """Learn the vectors of the words of tokenised sentences; return self.

        `report` is told after each pass which share is done, first 0; when it returns False, training stops.
        Raises TrainingError.
        """
        self.vocabulary_, text = encoded(sentences, self.min_count)
        X = near_matrix(text, len(self.vocabulary_), self.window, by_distance=True)
        cells, generator = self.cells(X.tocoo()), torch.Generator().manual_seed(self.seed)
        self.cells_, self.losses_, self.learnt_ = X.nnz, [], self.initial(generator)
        squares = Parameters(*map(torch.ones_like, self.learnt_))
        size = int(np.clip(self.cells_ // BATCHES, SMALLEST, LARGEST))
        with torch.inference_mode(), one_thread():
            for epoch in range(self.epochs):
                if report and report(epoch / self.epochs) is False:
                    return self
                total = 0.0
                for batch in torch.randperm(self.cells_, generator=generator).split(size):
                    J, half = half_gradients(Cells(*(part[batch] for part in cells)), self.learnt_)
                    adagrad(self.learnt_, half, squares, self.learning_rate)
                    total += J
                self.losses_.append(total / self.cells_)
                if not np.isfinite(total):
                    raise TrainingError(WORDS.label("training.grew"))
        if report:
            report(1.0)
        return self

    def cells(self, X) -> Cells:
        """Return the cells of X (V, V), in coordinates, that are not 0."""
        i, j = (torch.from_numpy(place.astype(np.int64)) for place in (X.row, X.col))
        values = (np.log(X.data), weight(X.data, self.x_max, self.alpha))
        return Cells(i, j, *(torch.from_numpy(each.astype(np.float32)) for each in values))

    def initial(self, generator: torch.Generator) -> Parameters:
        """Return the start: random numbers between -1/(2d) and 1/(2d)."""
        V, d = len(self.vocabulary_), self.dimension
        return Parameters(
            *((torch.rand(*shape, generator=generator) - 0.5) / d for shape in ((V, d), (V, d), (V,), (V,)))
        )

    @property
    def vectors_(self) -> WordVectors:
        """Return w + c, the most frequent word first."""
        return WordVectors(self.vocabulary_.types, (self.learnt_.w + self.learnt_.c).numpy())

    @property
    def parameters(self) -> int:
        """Return how many numbers are learnt, 2V(d + 1)."""
        return sum(each.numel() for each in self.learnt_)
