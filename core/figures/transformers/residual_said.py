"""What the pictures of the residual stream say in words, and the tables behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import torch

from core.figures.worked import cosine as worked_cosine
from core.figures.worked import dot_product, number, plain_number, signed
from core.models.self_attention.gpt import GPT
from core.models.transformers.ablated_gpts import Interval, Trainings, costs
from core.models.transformers.residual_stream import Stream, cosine, shares_of_logit


def grown(first: float, last: float) -> str:
    """Say how a length went from one end of the network to the other.

    >>> grown(2.0, 9.0), grown(4.0, 1.0), grown(1.0, 1.001)
    ('grows from 2.00 to 9.00 (× 4.5)', 'shrinks from 4.00 to 1.00 (× 0.25)', 'stays as long as it was, 1.00')
    """
    if f"{first:.2f}" == f"{last:.2f}":
        return f"stays as long as it was, {first:.2f}"
    verb = "grows" if last > first else "shrinks"
    ratio = f" (× {plain_number(last / first)})" if first > 0 else ""
    return f"{verb} from {first:,.2f} to {last:,.2f}{ratio}"


def said_of_stream(stream: Stream, t: int, names: Sequence[str]) -> str:
    """Say how the stream of token t grows and which part writes the longest vector into it."""
    lengths = stream.lengths[:, t]
    written = torch.stack([write.added[t].norm() for write in stream.writes])
    longest = stream.writes[int(written.argmax())].part
    return (
        f"From the embeddings to the last part, the stream of “{names[t]}”, token {t + 1}, "
        f"{grown(float(lengths[0]), float(lengths[-1]))}. {longest.capitalize()} writes the longest vector into it, "
        f"{float(written.max()):,.2f}."
    )


def said_of_logit(parts: Sequence[str], shares: Sequence[float], token: str) -> str:
    """Say which part gives the likeliest token's logit most and which takes most from it.

    `shares` sum to how far the logit stands above the mean of all.

    >>> said_of_logit(["token", "attention 1"], [2.0, 0.5], "a")
    'The logit of “a” stands 2.50 above the mean of all. The greatest share is +2.00, of token; no part takes any away.'
    """
    most, least = int(np.argmax(shares)), int(np.argmin(shares))
    said = f"The logit of “{token}” stands {sum(shares):.2f} above the mean of all. "
    said += f"The greatest share is {signed(shares[most], 2, '+')}, of {parts[most]}; "
    taken = signed(shares[least], 2)
    if shares[least] >= 0:
        return said + "no part takes any away."
    if not taken.strip("0."):
        return said + "no part takes as much as 0.01 away."
    return said + f"{parts[least]} takes most away ({taken})."


def said_of_directions(stream: Stream, t: int) -> str:
    """Say how many parts write along the stream at token t and how many against it."""
    found = [float(cosine(write.added[t], write.before[t])) for write in stream.writes]
    against, farthest = sum(value < 0 for value in found), int(np.argmax(np.abs(found)))
    along = len(found) - against
    return (
        f"Of {len(found)} parts, {along} {'writes' if along == 1 else 'write'} along the stream (cosine 0 or more) and "
        f"{against} against it. {stream.writes[farthest].part.capitalize()} is the farthest from a right angle: "
        f"{signed(found[farthest])}."
    )


def said_of_cost(form: str, cost: Interval, plays: int) -> str:
    """Say what training in a form costs, and whether other plays could have said otherwise.

    >>> said_of_cost("no norm", Interval(0.51, 0.01, 0.383, 0.637), 2)
    'Trained with no norm: +0.510 nats a character (95% interval +0.383 to +0.637 over 2 plays), worse than the whole.'
    """
    with_it = f"with {form}" if form.startswith("no ") else f"as {form}"
    said = (
        f"Trained {with_it}: {signed(cost.mean, 3, '+')} nats a character (95% interval {signed(cost.low, 3, '+')} to "
        f"{signed(cost.high, 3, '+')} over {plays} plays)"
    )
    if cost.low > 0:
        return f"{said}, worse than the whole."
    return (
        f"{said}, better than the whole." if cost.high < 0 else f"{said}, which luck of the plays could make."
    )


def said_of_luck(trainings: Trainings) -> str:
    """Say how far a second training, from another seed, ended from the first, for the forms that had one."""
    apart = {
        form: abs(float(np.mean(runs[1]) - np.mean(runs[0])))
        for form, runs in trainings.losses.items()
        if len(runs) > 1
    }
    if not apart:
        return "Each was trained once: how far another seed would have moved a loss is not known."
    moved = ", ".join(f"{form} {difference:.3f}" for form, difference in apart.items())
    return (
        "The intervals are over plays, of one training each. A second training, from another seed, ended this many nats a "
        f"character from the first: {moved}. A difference of about that size between two forms may be luck of the seed."
    )


def said_of_cuts(trainings: Trainings) -> str:
    """Say for how many forms cutting a trained model costs more than training without the piece, and the dearest cut."""
    trained, cut = costs(first_losses(trainings)), cut_costs(trainings)
    dearer = sum(cut[form].mean > trained[form].mean for form in cut)
    worst = max(cut, key=lambda form: cut[form].mean)
    return (
        "The trained whole, cut or rearranged afterwards instead, loses more than a model that was trained so in "
        f"{dearer} of {len(cut)} cases; most with “{worst}”, {plain_number(cut[worst].mean)} nats a character: its "
        "weights were learnt with the piece in place."
    )


def first_losses(trainings: Trainings) -> dict[str, np.ndarray]:
    """Return each form's held-out losses by play, of the training whose weights are stored."""
    return {form: runs[0] for form, runs in trainings.losses.items()}


def cut_costs(trainings: Trainings) -> dict[str, Interval]:
    """Return what each cut of the trained whole costs, play by play."""
    return costs(first_losses(trainings) | trainings.cuts)


def costs_table(trainings: Trainings) -> tuple:
    """Return every form's held-out loss, what it costs when trained so and when cut, and the formula of a cell."""
    losses = first_losses(trainings)
    trained, cut = costs(losses), cut_costs(trainings)
    table = pd.DataFrame(
        [
            {
                "form": form,
                "nats a character": float(np.mean(each)),
                "second training": float(np.mean(trainings.losses[form][1]))
                if len(trainings.losses[form]) > 1
                else None,
                "trained so: more": trained[form].mean if form in trained else 0.0,
                "standard error": trained[form].error if form in trained else None,
                "95% from": trained[form].low if form in trained else None,
                "95% to": trained[form].high if form in trained else None,
                "cut: more": cut[form].mean if form in cut else 0.0,
            }
            for form, each in losses.items()
        ]
    )

    def formula(row: int, column: str) -> str | None:
        cost = trained.get(table["form"][row])
        if column == "standard error" and cost:
            n, s = len(losses[table["form"][row]]), cost.error * len(losses[table["form"][row]]) ** 0.5
            return rf"\frac{{s}}{{\sqrt{{n}}}} = \frac{{{number(s)}}}{{\sqrt{{{n}}}}} = {number(cost.error)}"
        if column.startswith("95%") and cost:
            reach = (cost.high - cost.mean) / cost.error
            return rf"{number(cost.mean)} \pm {number(reach)} \cdot {number(cost.error)}"
        return None

    return table, formula


def parts_table(stream: Stream, network: GPT, t: int, token: int) -> tuple:
    """Return each part at token t: the length and cosine of what it writes, the stream after it, its share of a logit.

    The second value gives the formula of a cell.
    """
    shares = shares_of_logit(stream, network, t, token).tolist()
    by_part = {write.part: write for write in stream.writes}
    rows = []
    for part, share in zip(stream.parts, shares, strict=True):
        write = by_part.get(part)
        rows.append(
            {
                "part": part,
                "length written": float(write.added[t].norm()) if write else None,
                "cosine with the stream": float(cosine(write.added[t], write.before[t])) if write else None,
                "stream after": float(write.after[t].norm()) if write else None,
                "share of the logit": share,
            }
        )
    E = network.token_embedding.weight

    def formula(row: int, column: str) -> str | None:
        part = stream.parts[row]
        if column == "share of the logit":
            kept, direction = stream.kept[row, t].numpy(), (E[token] - E.mean(0)).numpy()
            return rf"\text{{kept}} \cdot (E_w - \bar E) = {dot_product(kept, direction)}"
        if part not in by_part:
            return None
        added, before = by_part[part].added[t].numpy(), by_part[part].before[t].numpy()
        return {
            "length written": rf"\sqrt{{f \cdot f}} = \sqrt{{{dot_product(added, added)}}} = "
            rf"{number(float(np.linalg.norm(added)))}",
            "cosine with the stream": worked_cosine(added, before, "written", "stream"),
            "stream after": rf"\sqrt{{x \cdot x}} = {number(float(by_part[part].after[t].norm()))}",
        }.get(column)

    return pd.DataFrame(rows), formula


def said_of_both_norms(streams: Mapping[str, Stream]) -> str:
    """Say how the median length of the stream goes in each of two models."""
    said = []
    for name, stream in streams.items():
        middle = np.median(stream.lengths.numpy(), axis=1)
        said.append(f"{name}: it {grown(float(middle[0]), float(middle[-1]))}")
    return "The median length of the tokens' streams, " + "; ".join(said) + "."
