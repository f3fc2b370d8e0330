"""Attention weights set by hand: written down, read back, and carried through a model.

An edit is written `2.1:7>3=0.9`: in layer 2, head 1, token 7 looks at token 3 with weight 0.9; all counted from 1.
The other weights of its row shrink or grow together so that the row still sums to one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import torch
from torch import Tensor

from core.models.self_attention.ablation import total_variation
from core.models.self_attention.attentive_models import AttentiveModel
from core.models.self_attention.gpt_trace import EditedWeights, GPTTrace

WRITTEN = re.compile(r"(\d{1,3})\.(\d{1,3}):(\d{1,4})>(\d{1,4})=(0?\.\d{1,6}|[01](?:\.\d{0,6})?)")


@dataclass(frozen=True, order=True)
class Edit:
    """One weight set by hand; layer, head, query and key count from 0."""

    layer: int
    head: int
    query: int
    key: int
    weight: float

    def __str__(self) -> str:
        """Return the edit as it is written down.

        >>> str(Edit(1, 0, 6, 2, 0.9))
        '2.1:7>3=0.9'
        """
        weight = f"{self.weight:.6f}".rstrip("0").rstrip(".")  # never 1e-05, which would not be read back
        return f"{self.layer + 1}.{self.head + 1}:{self.query + 1}>{self.key + 1}={weight}"


def parse_edits(text: str) -> list[Edit]:
    """Return the edits that stand in a text, separated by spaces. Raises ValueError with a sentence.

    >>> parse_edits("2.1:7>3=0.9")
    [Edit(layer=1, head=0, query=6, key=2, weight=0.9)]
    """
    edits = []
    for written in text.split():
        match = WRITTEN.fullmatch(written)
        if match is None or float(match[5]) > 1:
            raise ValueError(f"An edit is written like 2.1:7>3=0.9, not like {written[:30]}.")
        edits.append(Edit(*(int(number) - 1 for number in match.groups()[:4]), float(match[5])))
    return edits


def with_edit(written: str, edit: Edit) -> str:
    """Return written edits with one more; setting the weight that was set last sets it anew.

    >>> with_edit("nonsense 2.1:7>3=0.9", Edit(1, 0, 6, 2, 0.5))
    'nonsense 2.1:7>3=0.5'
    """
    edits = written.split()
    if edits and edits[-1].split("=")[0] == str(edit).split("=")[0]:
        edits.pop()
    return " ".join([*edits, str(edit)])


def check(edit: Edit, model: AttentiveModel, T: int) -> None:
    """Raise ValueError with a sentence when a model reading T tokens has no such weight."""
    config = model.network.config
    if not (0 <= edit.layer < config.layers and 0 <= edit.head < config.heads):
        raise ValueError(f"{edit}: this model has {config.layers} layers of {config.heads} heads.")
    if not (0 <= edit.query < T and 0 <= edit.key < T):
        raise ValueError(f"{edit}: the text has {T} tokens.")
    if model.causal and edit.key > edit.query:
        raise ValueError(f"{edit}: the mask hides token {edit.key + 1} from token {edit.query + 1}.")


def with_weight(weights: Tensor, query: int, key: int, value: float) -> Tensor:
    """Return attention weights (T, T) with one of them set and the rest of its row scaled so that it sums to one.

    Where the rest of the row is nought, the weight becomes one. Raises ValueError for a value outside [0, 1].

    >>> with_weight(torch.tensor([[0.2, 0.6, 0.2]]), query=0, key=1, value=0.2).tolist()
    [[0.4..., 0.2..., 0.4...]]
    """
    if not 0 <= value <= 1:
        raise ValueError("An attention weight lies between 0 and 1.")
    row = weights[query].clone()
    row[key] = 0.0
    rest = row.sum()
    row = row * ((1 - value) / rest) if rest > 0 else row
    row[key] = value if rest > 0 else 1.0
    return torch.cat((weights[:query], row[None], weights[query + 1 :]))


def edited_weights(
    model: AttentiveModel, ids: Tensor, edits: Iterable[Edit], off: Iterable[tuple[int, int]] = ()
) -> EditedWeights:
    """Return the weights (T, T) of every head that edits change or that is `off` (all nought), lower layers first.

    A lower edit changes what the heads above it compute, so each layer is edited in the trace of those below.
    """
    edits = sorted(edits, key=lambda edit: edit.layer)  # those of a layer in the order they were made
    for edit in edits:
        check(edit, model, len(ids))
    changed: EditedWeights = {head: torch.zeros(len(ids), len(ids)) for head in off}
    for layer, group in groupby(edits, key=lambda edit: edit.layer):
        heads = model.trace(ids, changed).layers[layer].attention
        for edit in group:
            if (layer, edit.head) not in set(off):
                weights = changed.get((layer, edit.head), heads.weights[edit.head])
                changed[layer, edit.head] = with_weight(weights, edit.query, edit.key, edit.weight)
    return changed


@dataclass(frozen=True)
class Effect:
    """A text read with the model's own weights and with edited ones, and p of the tokens at one place, each (V,).

    `changed` are the heads, (layer, head), whose weights are not their own.
    """

    place: int
    changed: tuple[tuple[int, int], ...]
    own: GPTTrace
    edited: GPTTrace
    before: np.ndarray
    after: np.ndarray

    @property
    def change(self) -> float:
        """How much of the probability moved, 0 to 1."""
        return float(total_variation(self.before, self.after))


def effect(
    model: AttentiveModel,
    ids: Tensor,
    place: int,
    edits: Iterable[Edit],
    off: Iterable[tuple[int, int]] = (),
) -> Effect:
    """Return what edits and heads switched off do to the prediction at `place`, which a masked model does not see."""
    shown = model.shown(ids, place)
    own = model.trace(shown)
    weights = edited_weights(model, shown, edits, off)
    edited = model.trace(shown, weights)
    before, after = (trace.logits[place].double().softmax(-1).numpy() for trace in (own, edited))
    return Effect(place, tuple(weights), own, edited, before, after)


def usable(edits: Iterable[Edit], model: AttentiveModel, T: int) -> tuple[list[Edit], list[str]]:
    """Return the edits that a model reading T tokens has weights for, and for each of the others a sentence."""
    fit, sentences = [], []
    for edit in edits:
        try:
            check(edit, model, T)
            fit.append(edit)
        except ValueError as problem:
            sentences.append(str(problem))
    return fit, sentences


def row_before_last(
    model: AttentiveModel,
    shown: Tensor,
    edits: Sequence[Edit],
    off: Iterable[tuple[int, int]],
    place: tuple[int, int, int],
) -> tuple[int, np.ndarray] | None:
    """Return (key, row before) of the last edit if it is one of this row, (layer, head, query); else None."""
    if not edits or (edits[-1].layer, edits[-1].head, edits[-1].query) != place:
        return None
    layer, head, query = place
    changed = edited_weights(model, shown, edits[:-1], off)
    row = model.trace(shown, changed).layers[layer].attention.weights[head, query]
    return edits[-1].key, row.numpy()


def written_edits(written: str, model: AttentiveModel, T: int) -> tuple[list[Edit], list[str]]:
    """Return the edits in a text that a model reading T tokens can make, and a sentence for what it cannot."""
    try:
        return usable(parse_edits(written), model, T)
    except ValueError as problem:
        return [], [str(problem)]
