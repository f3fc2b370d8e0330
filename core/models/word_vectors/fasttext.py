"""fastText: skip-gram in which a word's vector is made of the vectors of its character n-grams.

G_w holds the word w itself, if it was seen, and the n-grams of <w>, where < and > mark its beginning and end:

    v_w = 1/|G_w| Σ_{g in G_w} z_g            s(w, c) = v_w · u_c            ∂loss/∂z_g = 1/|G_w| ∂loss/∂v_w

The paper takes the sum, the authors' program the mean, which has the same cosines. The rest is skip-gram with negative
sampling. A word that was never seen has n-grams too, and so a vector. There are more n-grams than one would store: each
is hashed (FNV-1a, 32 bits) into one of B buckets, and n-grams of one bucket share one vector.

P. Bojanowski, E. Grave, A. Joulin and T. Mikolov (2017), Enriching Word Vectors with Subword Information.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import embedding_bag

from core.models.word_vectors import WORDS
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.window_blocks import TextBlock
from core.models.word_vectors.word2vec import State
from core.models.word_vectors.word_vectors import Neighbour, WordVectors

BASIS, PRIME = 2166136261, 16777619  # FNV-1a


def character_ngrams(word: str, least: int = 3, most: int = 6) -> list[str]:
    """Return the n-grams of <word> with `least` to `most` characters, the short ones first.

    >>> character_ngrams("king", 3, 4)
    ['<ki', 'kin', 'ing', 'ng>', '<kin', 'king', 'ing>']
    """
    marked = f"<{word}>"
    return (
        [marked[i : i + n] for n in range(least, most + 1) for i in range(len(marked) - n + 1)]
        if word
        else []
    )


def fnv_hash(ngram: str) -> int:
    """Return the FNV-1a hash of an n-gram's UTF-8 bytes, taken as signed as the authors' program takes them.

    h = 2166136261; for each byte b: h = ((h xor b) * 16777619) mod 2^32

    >>> fnv_hash("<ki"), fnv_hash("né>")
    (1468299675, 1382017737)
    """
    h = BASIS
    for byte in ngram.encode("utf-8", "surrogatepass"):
        h = ((h ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * PRIME) & 0xFFFFFFFF
    return h


def bucket(ngram: str, buckets: int) -> int:
    """Return the bucket of an n-gram, 0 to B - 1: its hash modulo B.

    >>> bucket("<ki", 1000)
    675
    """
    return fnv_hash(ngram) % buckets


@dataclass(frozen=True, eq=False)
class Subwords:
    """Which rows of z each word adds up, one word after the other: `rows` (sum of all |G_w|,) and `counts` (V,) = |G_w|."""

    rows: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, words: Sequence[str], least: int, most: int, buckets: int) -> Subwords:
        """Return those of V words: row w for word w itself, V + b for an n-gram in bucket b; B = 0 is skip-gram.

        >>> found = Subwords.of(["at", "cat"], 3, 3, 10)
        >>> found.rows.tolist(), found.counts.tolist()
        ([0, 6, 8, 1, 9, 3, 8], [3, 4])
        """
        V, known = len(words), {}
        rows, counts = [], np.ones(V, dtype=np.int64)
        for number, word in enumerate(words):
            found = character_ngrams(word, least, most) if buckets else []
            for gram in found:
                if gram not in known:
                    known[gram] = V + bucket(gram, buckets)
            rows += [number, *(known[gram] for gram in found)]
            counts[number] += len(found)
        return cls(np.array(rows, dtype=np.int64), counts)

    def __post_init__(self):
        """Note where each word's rows begin."""
        object.__setattr__(self, "starts", np.cumsum(self.counts) - self.counts)

    def chosen(self, words: np.ndarray) -> tuple[Tensor, Tensor]:
        """Return the rows of some words (n,), one word after the other, and how many each has (n,).

        >>> rows, counts = Subwords.of(["at", "cat"], 3, 3, 10).chosen(np.array([1, 0]))
        >>> rows.tolist(), counts.tolist()
        ([1, 9, 3, 8, 0, 6, 8], [4, 3])
        """
        counts = self.counts[words]
        begins = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(self.starts[words] - begins, counts)
        return torch.from_numpy(self.rows[places]), torch.from_numpy(counts)


def means(z: Tensor, rows: Tensor, counts: Tensor) -> Tensor:
    """Return the means (n, d) of rows of z, of the first counts[0] of them, of the next counts[1], and so on.

    >>> means(torch.tensor([[1.0], [2.0], [4.0]]), torch.tensor([0, 2, 1]), torch.tensor([2, 1])).tolist()
    [[2.5], [2.0]]
    """
    return embedding_bag(rows, z, counts.cumsum(0) - counts, mode="mean")


class FastText(SkipGram):
    """Word vectors by fastText; see Word2Vec for parameters and learned attributes.

    `least` and `most` are the lengths of n-grams, `buckets` B; without buckets it is skip-gram. After fit `input_` is
    z (V + B, d), `subwords_` says which rows make which word. As in the authors' program each z_g moves by learning
    rate times ∂loss/∂v_w, which is |G_w| times its own gradient, so that v_w moves as far as in skip-gram.

    >>> sentences = [["the", "kitten", "sleeps"], ["a", "horse", "runs"]] * 40
    >>> model = FastText(dimension=8, window=1, epochs=20, subsampling=0, buckets=100).fit(sentences)
    >>> "kittens" in model.vocabulary_, model.near("kittens", k=1)[0].word
    (False, 'kitten')
    """

    def __init__(self, *args, least: int = 3, most: int = 6, buckets: int = 10_000, **settings):
        """Store the parameters."""
        super().__init__(*args, **settings)
        self.least = least
        self.most = most
        self.buckets = buckets

    def __repr__(self) -> str:
        """Return the call that makes this model, not yet fitted."""
        return f"{super().__repr__()[:-1]}, least={self.least}, most={self.most}, buckets={self.buckets})"

    def prepare(self) -> None:
        """Find the n-grams of all words."""
        self.subwords_ = Subwords.of(self.vocabulary_.types, self.least, self.most, self.buckets)

    def initial(self) -> State:
        """Return the start: random vectors of words and buckets, between -1/d and 1/d; output vectors of zeros."""
        V, d = len(self.vocabulary_), self.dimension
        z = np.random.default_rng(self.seed).random((V + self.buckets, d), dtype=np.float32)
        return State(0, (2 * z - 1) / d, np.zeros((V, d), dtype=np.float32))

    def heaviest(self, shares: np.ndarray) -> float:
        """Return the share of all steps that the vector moved most takes: the mean of what its rows of z take."""
        each, counts, starts = self.subwords_.rows, self.subwords_.counts, self.subwords_.starts
        load = np.bincount(each, np.repeat(shares, counts))  # (V + B,) at most
        return float(max(np.add.reduceat(load[each], starts) / counts))

    def hidden(self, block: TextBlock, input_: Tensor) -> Tensor:
        """Return the centres' vectors (n, B, d), each the mean of its rows of z."""
        words, places = np.unique(block.centres.numpy(), return_inverse=True)
        vectors = means(input_, *self.subwords_.chosen(words))
        return vectors[torch.from_numpy(places.reshape(block.centres.shape))]

    def move(self, block: TextBlock, input_: Tensor, steps: Tensor) -> None:
        """Add the centres' steps (n, B, d) to every row of z that each is made of."""
        words, places = np.unique(block.centres.numpy(), return_inverse=True)
        rows, counts = self.subwords_.chosen(words)
        of_words = torch.zeros(len(words), steps.shape[-1])
        of_words.index_add_(0, torch.from_numpy(places.reshape(-1)), steps.reshape(-1, steps.shape[-1]))
        input_.index_add_(0, rows, of_words.repeat_interleave(counts, dim=0))

    def first_vectors(self, n: int) -> np.ndarray:
        """Return the vectors of the n most frequent words, (n, d)."""
        some = self.subwords_.chosen(np.arange(min(n, len(self.vocabulary_))))
        return means(torch.from_numpy(self.input_), *some).numpy()

    def parts(self, word: str) -> tuple[list[str], np.ndarray]:
        """Return the names of G_w and their vectors (|G_w|, d): first the word's own, if it was seen, then its n-grams'."""
        V, grams = (
            len(self.vocabulary_),
            character_ngrams(word, self.least, self.most) if self.buckets else [],
        )
        known = [self.vocabulary_[word]] if word in self.vocabulary_ else []
        rows = known + [V + bucket(gram, self.buckets) for gram in grams]
        return [word] * len(known) + grams, self.input_[rows].astype(float)

    def vector(self, word: str) -> np.ndarray:
        """Return v_w (d,), of a word that was seen or not. Raises ValueError for one without n-grams."""
        names, z = self.parts(word)
        if not names:
            raise ValueError(WORDS.label("fasttext.unknown"))
        return z.mean(axis=0)

    def near(self, word: str, k: int = 10, vectors: WordVectors | None = None) -> list[Neighbour]:
        """Return the k known words nearest to a word that was seen or not; `vectors` are vectors_, made already."""
        found = (vectors or self.vectors_).neighbours(self.vector(word), k + 1)
        return [each for each in found if each.word != word][:k]


def ngram_contributions(model: FastText, word: str, other: str) -> np.ndarray:
    """Return what each part of a word's vector adds to its cosine with another word, (|G_w|,): they sum to the cosine.

    cos(w, o) = Σ_{g in G_w} (z_g / |G_w|) · v_o / (|v_w| |v_o|)
    """
    _, z = model.parts(word)
    v, v_other = z.mean(axis=0), model.vector(other)
    return z / len(z) @ v_other / (np.linalg.norm(v) * np.linalg.norm(v_other))
