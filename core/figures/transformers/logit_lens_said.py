"""The logit lens in words and numbers: sentences made from what was read out, and the table behind the grid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp

import pandas as pd
import torch

from core.figures.transformers.logit_lens import at, window_at
from core.figures.worked import dot_product, number, percent
from core.models.self_attention.gpt import GPT
from core.models.transformers.logit_lens import LensMeasures, LensReading, log_p_of, rank_of, read_out


def said_of_reading(
    found: LensReading, place: int, layer: int, rows: Sequence[str], names: Sequence[str], revealed: bool
) -> str:
    """Say what is read out after a layer, and once it is `revealed` how near that is to the model's own answer."""
    says, answer = int(found.says[layer, place]), int(found.answers[place])
    p, last = float(found.log_p[layer, place, says].exp()), len(found.log_p) - 1
    p = min(p, 1 - 1e-8)  # a softmax never gives one token all, though float64 may round it to 1
    when = f"After layer {layer}" if layer else "Before any layer"
    said = f"{when} the lens says that “{names[says]}” ({percent(p)}) comes after “{rows[place]}”"
    if not revealed:
        return f"{said}."
    if layer == last and says == answer:
        return f"{said}: the model's own answer. {when_settled(int(found.settled[place]))}"
    if says == answer:
        stays = int(found.settled[place]) <= layer
        return f"{said}, the model's answer" + (
            ", and says so to the end." if stays else ", but not for good."
        )
    p_answer, ranks = at(found, place, answer)
    return (
        f"{said}; the model's answer, “{names[answer]}”, is number {ranks[layer]:,} of {len(names):,} here "
        f"({percent(p_answer[layer])})."
    )


def when_settled(settled: int) -> str:
    """Say in which layer a reading changed for the last time.

    >>> when_settled(0), when_settled(3)
    ('The lens said so before any layer.', 'The lens changed its mind for the last time in layer 3.')
    """
    return (
        f"The lens changed its mind for the last time in layer {settled}."
        if settled
        else "The lens said so before any layer."
    )


def itself(found: LensReading, layer: int) -> str:
    """Say for how many tokens of the text the lens names the very token that was read."""
    T, same = len(found.ids), int((found.says[layer] == found.ids).sum())
    when = f"After layer {layer}" if layer else "Before any layer"
    return f"{when} it names the token itself, the one just read, for {same} of {T} {'token' if T == 1 else 'tokens'}."


def said_of_places(measured: LensMeasures) -> str:
    """Say over a whole text how many answers the last layer settled, and how many were settled before any layer."""
    L = len(measured.settled) - 1
    n, early = measured.n, measured.settled[L - 1]
    late = measured.settled[L] - early
    places = "the only place" if n == 1 else f"the first {n:,} places"
    said = (
        f"Of {places} of your text whose next token is known, **{late:,}** ({percent(late / n)}) "
        f"{'gets its' if late == 1 else 'get their'} answer in the last layer; **{early:,}** "
        f"({percent(early / n)}) {'has' if early == 1 else 'have'} it for good before."
    )
    never = n - measured.settled[L]
    if never:
        said += f" At {never:,} even the last reading says something else than the model."
    return said + (
        f" The token that comes is named at {measured.right[0]:,} before any layer and at {measured.right[L]:,} after "
        f"the last."
    )


def lens_table(
    network: GPT, found: LensReading, rows: Sequence[str], names: Sequence[str], place: int
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return what is read out at each shown token after each layer, and the formula of a probability."""
    window = window_at(place, len(rows))
    following = found.ids.roll(-1)  # after the last token none is known: that is left blank below
    says, ranks, p = found.says, rank_of(found.log_p, found.answers), found.log_p.amax(-1).exp()
    p_answer, p_next = (log_p_of(found.log_p, tokens).exp() for tokens in (found.answers, following))
    cells = [(t, layer) for t in window for layer in range(len(found.log_p))]
    table = pd.DataFrame(
        {
            "place": [t + 1 for t, _ in cells],
            "token": [rows[t] for t, _ in cells],
            "layer": [layer for _, layer in cells],
            "says": [names[int(says[layer, t])] for t, layer in cells],
            "p": [float(p[layer, t]) for t, layer in cells],
            "p of the answer": [float(p_answer[layer, t]) for t, layer in cells],
            "rank of the answer": [int(ranks[layer, t]) for t, layer in cells],
            "p of what comes": [float(p_next[layer, t]) if t + 1 < len(rows) else None for t, layer in cells],
            "entropy, bits": [float(found.bits[layer, t]) for t, layer in cells],
        }
    )

    def formula(row: int, column: str) -> str | None:
        t, layer = cells[row]
        token = {"p": says[layer, t], "p of the answer": found.answers[t], "p of what comes": following[t]}
        if column not in token or (column == "p of what comes" and t + 1 == len(rows)):
            return None
        return worked_p(network, found, layer, t, int(token[column]))

    return table, formula


@torch.no_grad()
def worked_p(network: GPT, found: LensReading, layer: int, t: int, token: int) -> str:
    """Return a token's logit and its probability after a layer, filled in."""
    stream = found.streams[layer, t]
    x = network.final_norm(stream) if found.normed else stream
    letter = r"\operatorname{norm}(x)" if found.normed else "x"
    logits = read_out(network, stream, found.normed)
    z, total = (
        float(logits[token]),
        float(logits.logsumexp(-1)),
    )  # ln of the sum: e^z may be too large to write
    ln_p = float(found.log_p[layer, t, token])
    product = dot_product(x.numpy(), network.token_embedding.weight[token].numpy(), 2)
    return (
        rf"z_i = {letter} \cdot E_i = {product}, \quad \ln p_i = z_i - \ln \sum_j e^{{z_j}} = "
        rf"{number(z)} - {number(total)} = {number(ln_p)}, \quad p_i = {number(exp(ln_p))}"
    )
