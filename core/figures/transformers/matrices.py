"""The matrices of a GPT in words: title, shape in letters, formula, and the line of code that computes each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import getsource

from core.figures.transformers import WORDS
from core.models.self_attention.attention import attend, from_masked
from core.models.transformers.opened_gpt import (
    open_add,
    open_attention,
    open_embedding,
    open_feed_forward,
    open_norm,
    open_output,
)


@dataclass(frozen=True)
class Matrix:
    """One tensor: its key, its shape's letters, its formula, and what computes it.

    The key is of a kind of part and the tensor's field in it. `code` is a function and the beginning of its line.
    `causal`: later keys are hidden from each row.
    """

    key: str
    shape: tuple[str, ...]
    formula: str
    code: tuple[Callable, str]
    causal: bool = False

    @property
    def name(self) -> str:
        """The field in the opened part."""
        return self.key.split(".")[1]

    @property
    def title(self) -> str:
        """What the tensor is called."""
        return WORDS.label(f"matrix.{self.key}")

    @property
    def has_heads(self) -> bool:
        """Whether each head has one of its own."""
        return self.shape[0] == "H"


@dataclass(frozen=True)
class PartSaid:
    """A part of the model: its key, and its matrices in the order in which they are computed."""

    key: str
    matrices: tuple[Matrix, ...]

    @property
    def title(self) -> str:
        """What the part is called."""
        return WORDS.label(f"part.{self.key}")

    @property
    def last(self) -> Matrix:
        """The matrix that the next part reads."""
        return self.matrices[-1]

    def named(self, name: str) -> Matrix:
        """Return the matrix of a name, the last one if there is none."""
        return next((each for each in self.matrices if each.name == name), self.last)


TC, T4C, TV, HTD, HTT = ("T", "C"), ("T", "4C"), ("T", "V"), ("H", "T", "d"), ("H", "T", "T")
EMBEDDING = (
    Matrix(
        "embedding.token",
        TC,
        r"\text{token}_{ti} = E_{\text{id}_t i}",
        (open_embedding, "token ="),
    ),
    Matrix("embedding.position", TC, r"\text{position}_{ti} = P_{ti}", (open_embedding, "position =")),
    Matrix(
        "embedding.stream",
        TC,
        r"x_{ti} = E_{\text{id}_t i} + P_{ti}",
        (open_embedding, "stream ="),
    ),
)
NORM = (
    Matrix("norm.centred", TC, r"c_{ti} = x_{ti} - \text{mean}_t", (open_norm, "centred =")),
    Matrix(
        "norm.normed",
        TC,
        r"z_{ti} = \frac{c_{ti}}{\sqrt{\text{variance}_t + \text{eps}}}",
        (open_norm, "normed ="),
    ),
    Matrix("norm.read", TC, r"n_{ti} = z_{ti} g_i + b_i", (open_norm, "read =")),
)
ATTENTION = (
    Matrix("attention.query", HTD, r"q_{ti} = \sum_j n_{tj} W^q_{ij}", (open_attention, "query =")),
    Matrix("attention.key", HTD, r"k_{si} = \sum_j n_{sj} W^k_{ij}", (open_attention, "key =")),
    Matrix("attention.value", HTD, r"v_{si} = \sum_j n_{sj} W^v_{ij}", (open_attention, "value =")),
    Matrix("attention.scores", HTT, r"q_t \cdot k_s = \sum_j q_{tj} k_{sj}", (attend, "scores =")),
    Matrix("attention.scaled", HTT, r"a_{ts} = \frac{q_t \cdot k_s}{\sqrt{d}}", (attend, "scaled =")),
    Matrix("attention.masked", HTT, r"a_{ts} + \text{mask}_{ts}", (attend, "masked ="), causal=True),
    Matrix("attention.exponentials", HTT, r"e^{a_{ts}}", (from_masked, "exponentials ="), causal=True),
    Matrix(
        "attention.weights",
        HTT,
        r"w_{ts} = \frac{e^{a_{ts}}}{\sum_j e^{a_{tj}}}",
        (from_masked, "weights ="),
        causal=True,
    ),
    Matrix("attention.context", HTD, r"c_{ti} = \sum_s w_{ts} v_{si}", (from_masked, "steps =")),
    Matrix("attention.together", TC, r"h_t = [c^1_t; \dots; c^H_t]", (open_attention, "together =")),
    Matrix(
        "attention.gathered",
        TC,
        r"\text{gathered}_{ti} = \sum_j h_{tj} W^o_{ij}",
        (open_attention, "gathered ="),
    ),
)
FEED_FORWARD = (
    Matrix("feed_forward.widened", T4C, r"u_{ti} = \sum_j n_{tj} W^1_{ij}", (open_feed_forward, "widened =")),
    Matrix("feed_forward.woken", T4C, r"g_{ti} = \text{gelu}(u_{ti})", (open_feed_forward, "woken =")),
    Matrix(
        "feed_forward.written",
        TC,
        r"\text{written}_{ti} = \sum_j g_{tj} W^2_{ij}",
        (open_feed_forward, "written ="),
    ),
)
ADD = (
    Matrix("add.stream", TC, r"x_{ti}", (open_add, "def open_add")),
    Matrix("add.added", TC, r"y_{ti}", (open_add, "def open_add")),
    Matrix("add.after", TC, r"x'_{ti} = x_{ti} + y_{ti}", (open_add, "after =")),
)
OUTPUT = (
    Matrix("output.logits", TV, r"l_{ti} = \sum_j n_{tj} E_{ij}", (open_output, "logits =")),
    Matrix(
        "output.exponentials",
        TV,
        r"e^{l_{ti} - \max_j l_{tj}}",
        (open_output, "exponentials ="),
    ),
    Matrix(
        "output.probabilities",
        TV,
        r"p_{ti} = \frac{e^{l_{ti}}}{\sum_j e^{l_{tj}}}",
        (open_output, "probabilities ="),
    ),
)
PARTS = {
    "embedding": PartSaid("embedding", EMBEDDING),
    "norm_1": PartSaid("norm_1", NORM),
    "attention": PartSaid("attention", ATTENTION),
    "add_1": PartSaid("add_1", ADD),
    "norm_2": PartSaid("norm_2", NORM),
    "feed_forward": PartSaid("feed_forward", FEED_FORWARD),
    "add_2": PartSaid("add_2", ADD),
    "norm": PartSaid("norm", NORM),
    "output": PartSaid("output", OUTPUT),
}


@cache
def code_line(code: tuple[Callable, str]) -> str:
    """Return the line of a function that begins so. Raises StopIteration if there is none.

    >>> code_line((open_add, "after ="))
    'after = stream + added'
    """
    function, begins = code
    lines = (line.strip() for line in getsource(function).splitlines())
    return next(line for line in lines if line.startswith(begins))


def shape_said(shape: tuple[str, ...], sizes: dict[str, int]) -> str:
    """Return a shape in letters and in numbers.

    >>> shape_said(("T", "C"), {"T": 12, "C": 192})
    'T × C = 12 × 192'
    """
    return f"{' × '.join(shape)} = {' × '.join(f'{sizes[letter]:,}' for letter in shape)}"
