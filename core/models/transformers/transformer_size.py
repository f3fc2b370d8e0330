r"""How many numbers a decoder-only transformer learns, keeps and multiplies, from its shape alone.

    numbers learned    V C + T_max C + L (2 C Hd + 2 C Gd + f C F + norms) + norm + logits
    keys and values    2 L G d  for each token                                   d = C / H
    operations         2 for each weight of a matrix and token: a multiplication and an addition
                       4 L C t  for token t, which scores t keys and adds up t values
    training           6 N D    2 N D forwards, twice that backwards

V tokens, C numbers a token, L layers, H heads, G heads of keys and values (G = H but where heads share them), F numbers
in the middle of the feed-forward layer, f = 2 of its matrices (3 with a gate). Norms, softmax and the activation are not
counted among the operations: they grow with C where matrices grow with C^2.

Sources: Kaplan et al. (2020), Scaling Laws for Neural Language Models, section 2.1; Ainslie et al. (2023), GQA; Shazeer
(2020), GLU Variants Improve Transformer.
"""

from __future__ import annotations

from dataclasses import dataclass

MATRICES = ("queries", "keys", "values", "attention's output", "feed-forward", "logits")


@dataclass(frozen=True)
class Shape:
    """The shape of a decoder; from `sharing` on, a field that is not given is as GPT-2 has it.

    `sharing` is how many heads use the same keys and values (H / G), `middle` is F (0: 4 C), `gated` whether the
    feed-forward layer has a third matrix, `biases` whether matrices have them, `norm` the numbers a norm learns for
    each of C, `positions` whether positions are learned, `tied` whether the embedding computes the logits too.
    """

    vocabulary_size: int
    context: int
    layers: int
    heads: int
    width: int
    sharing: int = 1
    middle: int = 0
    gated: bool = False
    biases: bool = True
    norm: int = 2
    positions: bool = True
    tied: bool = True

    @property
    def kept(self) -> int:
        """Numbers in a token's keys of one layer, G d; as many in its values."""
        return self.width // self.sharing

    @property
    def feed_forward(self) -> int:
        """F, numbers in the middle of the feed-forward layer."""
        return self.middle or 4 * self.width


def parameter_parts(shape: Shape) -> dict[str, int]:
    """Return how many numbers each part learns, all layers together.

    >>> small = Shape(vocabulary_size=50257, context=1024, layers=12, heads=12, width=768)  # GPT-2
    >>> parts = parameter_parts(small)
    >>> parts["embedding"], parts["queries"], parts["feed-forward"], sum(parts.values())
    (38597376, 7087104, 56669184, 124439808)
    """
    V, C, L, F = shape.vocabulary_size, shape.width, shape.layers, shape.feed_forward
    bias = int(shape.biases)
    middle = (2 if shape.gated else 1) * (C * F + bias * F)
    return {
        "embedding": V * C,
        "positions": shape.context * C if shape.positions else 0,
        "queries": L * (C * C + bias * C),
        "keys": L * (C * shape.kept + bias * shape.kept),
        "values": L * (C * shape.kept + bias * shape.kept),
        "attention's output": L * (C * C + bias * C),
        "feed-forward": L * (middle + F * C + bias * C),
        "norms": (2 * L + 1) * shape.norm * C,
        "logits": 0 if shape.tied else V * C,
    }


def parameters(shape: Shape) -> int:
    """Return how many numbers a model of this shape learns."""
    return sum(parameter_parts(shape).values())


def without_embeddings(shape: Shape) -> int:
    """Return the numbers that Kaplan and others (2020) count: all but those of tokens and positions.

    >>> without_embeddings(Shape(10, 8, layers=1, heads=1, width=4, biases=False))  # 12 C^2 and three norms
    216
    """
    parts = parameter_parts(shape)
    return sum(parts.values()) - parts["embedding"] - parts["positions"] - parts["logits"]


def matrix_weights(shape: Shape) -> dict[str, int]:
    """Return the weights that each token is multiplied by, biases left out; the logits' are there tied or not."""
    C, L, F = shape.width, shape.layers, shape.feed_forward
    return {
        "queries": L * C * C,
        "keys": L * C * shape.kept,
        "values": L * C * shape.kept,
        "attention's output": L * C * C,
        "feed-forward": L * (3 if shape.gated else 2) * C * F,
        "logits": shape.vocabulary_size * C,
    }


def reading_operations(shape: Shape, tokens: int) -> dict[str, int]:
    """Return the operations to read T tokens at once, by part; "scores" are those of T squared.

    Token t scores the t keys that the mask lets it see and adds up t values: 2 C t each, T (T + 1) C together, times 2 L.

    >>> read = reading_operations(Shape(10, 8, layers=1, heads=1, width=4), tokens=3)
    >>> read["queries"], read["logits"], read["scores"]  # 2*3*16, 2*3*40, 4*4*(1 + 2 + 3)
    (96, 240, 96)
    """
    matrices = {part: 2 * tokens * weights for part, weights in matrix_weights(shape).items()}
    return {**matrices, "scores": 2 * shape.layers * shape.width * tokens * (tokens + 1)}


def overtaken_at(shape: Shape) -> int:
    """Return the first T at which the scores of T tokens take more operations than all matrices.

    2 L C T (T + 1) > 2 T M, M the weights of all matrices: T > M / (L C) - 1; of GPT-2's shape about 12 C + V / L.

    >>> overtaken_at(Shape(50257, 1024, layers=12, heads=12, width=768))
    13404
    """
    return sum(matrix_weights(shape).values()) // (shape.layers * shape.width)


def cached_numbers(shape: Shape, tokens: int) -> int:
    """Return how many keys and values stay in memory for T tokens, 2 L G d T.

    >>> cached_numbers(Shape(50257, 1024, layers=12, heads=12, width=768), 1)
    18432
    """
    return 2 * shape.layers * shape.kept * tokens


def cache_is_larger_at(shape: Shape) -> int:
    """Return the first T at which keys and values are more numbers than the model has learned.

    >>> cache_is_larger_at(Shape(50257, 1024, layers=12, heads=12, width=768))
    6752
    """
    return parameters(shape) // cached_numbers(shape, 1) + 1


def training_operations(parameters: float, tokens: float) -> float:
    """Return about how many operations it takes to train N numbers on D tokens, 6 N D.

    >>> f"{training_operations(175e9, 300e9):.2e}"  # GPT-3; its paper says 3.14e+23
    '3.15e+23'
    """
    return 6 * parameters * tokens
