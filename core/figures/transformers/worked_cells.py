"""One number of a GPT with its operands: the formula of any cell filled in, as LaTeX, and the two vectors of a product."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
import torch
from torch import Tensor

from core.figures.transformers.place import CellPlace
from core.figures.worked import dot_product, number
from core.models.self_attention.gpt import GPT
from core.models.transformers.opened_gpt import OpenedGPT


@dataclass(frozen=True)
class Worked:
    """A cell's formula with its numbers, after the equals sign, and the vectors whose dot product it is, if it is one."""

    filled: str
    one: np.ndarray | None = None
    other: np.ndarray | None = None


def worked_cell(model: GPT, opened: OpenedGPT, place: CellPlace) -> Worked:
    """Return how the cell at a place was computed."""
    kind = place.part.rstrip("_12")
    with torch.no_grad():
        return KINDS[kind](model, opened, place)


def _dot(one: Tensor, other: Tensor) -> Worked:
    a, b = one.detach().numpy(), other.detach().numpy()  # a learned one still knows how it is trained
    return Worked(dot_product(a, b), a, b)


def _format_signed(value: Tensor | float) -> str:
    text = number(float(value))
    return f"({text})" if text.startswith("-") else text


def _sum(one: Tensor, other: Tensor) -> Worked:
    return Worked(rf"{number(float(one))} + {_format_signed(other)} = {number(float(one) + float(other))}")


def _embedding(model: GPT, opened: OpenedGPT, place: CellPlace) -> Worked:
    part, t, i = opened.stages[0]["embedding"], place.token, place.number
    if place.matrix == "stream":
        return _sum(part.token[t, i], part.position[t, i])
    letter, row = ("E", int(opened.ids[t])) if place.matrix == "token" else ("P", t)
    return Worked(rf"{letter}_{{{row},{i}}} = {number(float(getattr(part, place.matrix)[t, i]))}")


def read_by(opened: OpenedGPT, stage: int, part: str) -> Tensor:
    """Return the stream x (T, C) that a norm reads."""
    if part == "norm":
        return opened.stages[-2]["add_2"].after
    add = opened.stages[stage]["add_1"]
    return add.stream if part == "norm_1" else add.after


def _norm(model: GPT, opened: OpenedGPT, place: CellPlace) -> Worked:
    part, t, i = opened.stages[place.stage][place.part], place.token, place.number
    if place.part == "norm":
        norm = model.final_norm
    else:
        block = model.blocks[place.stage - 1]
        norm = block.norm_before_attention if place.part == "norm_1" else block.norm_before_feed_forward
    centred, normed, read = (float(each[t, i]) for each in (part.centred, part.normed, part.read))
    if place.matrix == "centred":
        x = read_by(opened, place.stage, place.part)[t, i]
        return Worked(rf"{number(float(x))} - {_format_signed(part.mean[t, 0])} = {number(centred)}")
    if place.matrix == "normed":
        below = rf"\sqrt{{{number(float(part.variance[t, 0]))} + {number(norm.eps)}}}"
        return Worked(rf"\frac{{{number(centred)}}}{{{below}}} = {number(normed)}")
    gain, bias = norm.weight[i], norm.bias[i]
    return Worked(rf"{number(normed)} \cdot {_format_signed(gain)} + {_format_signed(bias)} = {number(read)}")


def _attention(model: GPT, opened: OpenedGPT, place: CellPlace) -> Worked:
    stage, name = opened.stages[place.stage], place.matrix
    part, h, t, i = stage["attention"], place.head, place.token, place.number
    attention, d = model.blocks[place.stage - 1].attention, part.query.shape[-1]
    if name in ("query", "key", "value"):
        W = attention.to_query_key_value.weight.chunk(3)[("query", "key", "value").index(name)]
        return _dot(stage["norm_1"].read[t], W[h * d + i])
    if name == "scores":
        return _dot(part.query[h, t], part.key[h, i])
    if name == "context":
        return _dot(part.weights[h, t], part.value[h, :, i])
    if name == "gathered":
        return _dot(part.together[t], attention.project.weight[i])
    if name == "together":
        head, j = divmod(i, d)
        value = number(float(part.together[t, i]))
        return Worked(rf"c^{{{head + 1}}}_{{t,{j + 1}}} = {value}")
    return Worked(_softmaxed(part, h, t, i, name, d))


def _softmaxed(part, h: int, t: int, s: int, name: str, d: int) -> str:
    score, scaled, shift = (
        float(each) for each in (part.scores[h, t, s], part.scaled[h, t, s], part.shift[h, t, 0])
    )
    e, total = float(part.exponentials[h, t, s]), float(part.row_sums[h, t, 0])
    if name == "scaled":
        return rf"\frac{{{number(score)}}}{{\sqrt{{{d}}}}} = {number(scaled)}"
    if s > t:
        hidden = rf"{number(scaled)} + (-\infty) = -\infty"
        return (
            hidden
            if name == "masked"
            else r"e^{-\infty} = 0" + (r" ,\quad w = 0" if name == "weights" else "")
        )
    if name == "masked":
        return rf"{number(scaled)} + 0 = {number(scaled)}"
    if name == "exponentials":
        less = rf" - {_format_signed(shift)}" if shift else ""
        return rf"e^{{{number(scaled)}{less}}} = {number(e)}"
    return rf"\frac{{{number(e)}}}{{{number(total)}}} = {number(float(part.weights[h, t, s]))}"


def _feed_forward(model: GPT, opened: OpenedGPT, place: CellPlace) -> Worked:
    stage, t, i = opened.stages[place.stage], place.token, place.number
    part, network = stage["feed_forward"], model.blocks[place.stage - 1].feed_forward
    if place.matrix == "widened":
        return _dot(stage["norm_2"].read[t], network.widen.weight[i])
    if place.matrix == "written":
        return _dot(part.woken[t], network.project.weight[i])
    u = float(part.widened[t, i])
    inner = sqrt(2 / pi) * (u + 0.044715 * u**3)
    return Worked(
        rf"\frac{{u}}{{2}} (1 + \tanh(\sqrt{{2 / \text{{π}}}} (u + 0.044715 u^3))) = "
        rf"\frac{{{number(u)}}}{{2}} (1 + \tanh({number(inner)})) = {number(float(part.woken[t, i]))}"
    )


def _add(model: GPT, opened: OpenedGPT, place: CellPlace) -> Worked:
    part, t, i = opened.stages[place.stage][place.part], place.token, place.number
    if place.matrix == "after":
        return _sum(part.stream[t, i], part.added[t, i])
    return Worked(number(float(getattr(part, place.matrix)[t, i])))


def _output(model: GPT, opened: OpenedGPT, place: CellPlace) -> Worked:
    part, t, i = opened.stages[-1]["output"], place.token, place.number
    logit, e = float(part.logits[t, i]), float(part.exponentials[t, i])
    if place.matrix == "logits":
        return _dot(opened.stages[-1]["norm"].read[t], model.token_embedding.weight[i])
    if place.matrix == "exponentials":
        return Worked(rf"e^{{{number(logit)} - {_format_signed(part.logits[t].max())}}} = {number(e)}")
    total, p = float(part.exponentials[t].sum()), float(part.probabilities[t, i])
    return Worked(rf"\frac{{{number(e)}}}{{{number(total)}}} = {number(p)}")


KINDS = {
    "embedding": _embedding,
    "norm": _norm,
    "attention": _attention,
    "feed_forward": _feed_forward,
    "add": _add,
    "output": _output,
}
