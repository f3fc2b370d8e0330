"""Sentences on the size of transformers, made from the numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from core.figures.transformers.model_size import in_words
from core.figures.worked import percent
from core.models.transformers.model_sizes import SizedRun, loss_after
from core.models.transformers.power_law import (
    PowerLaw,
    exponents_without_one,
    fit_power_law,
    floors_that_fit,
    worst_miss,
)
from core.models.transformers.published_shapes import OURS, Published, as_they_write, counted_as
from core.models.transformers.transformer_size import parameters

KAPLAN, HOFFMANN, HOFFMANN_FLOOR, A_NUMBER = 0.076, 0.34, 1.69, 20  # exponents; E; tokens a number


def how_counts_compare(model: Published) -> str:
    """Say whether the count from the shape is the published one."""
    N, said = parameters(model.shape), model.count
    ours = as_they_write(N, said)
    if said == ours and model.source == OURS:
        return f"Counted from the shape: **{ours}**, as many as the stored model has."
    if said == ours:
        return f"Counted from the shape: **{ours}**, as its makers say ({model.source})."
    off = N / counted_as(said) - 1
    return (
        f"Counted from the shape: **{ours}**; its makers say **{said}** ({model.source}). The count is "
        f"{percent(abs(off), 2)} {'above' if off > 0 else 'below'} theirs."
    )


def training_said(model: Published, operations: float, course: Published, of_course: float) -> str:
    """Say how many operations a model's training took, and how many times the course's that is."""
    made = f"{in_words(parameters(model.shape))} · {in_words(model.tokens)} tokens = {in_words(operations)} operations"
    said = f"{model.name}: 6 · {made}"
    if model.name != course.name:
        ratio = operations / of_course
        times = f"{ratio:.2f}" if ratio < 10 else in_words(ratio)
        said += f", {times} times those of {course.name}"
    return f"{said}." + (f" Its makers say {in_words(model.operations)}." if model.operations else "")


def foretold(law: PowerLaw, size: float, loss: float, interval: Sequence[float]) -> str:
    """Say what a law that has not seen the largest model foretells of it, and whether that is within its interval."""
    told, (low, high) = float(law([size])[0]), interval
    where = "within" if low <= told <= high else "above" if told > high else "below"
    return (
        f"For the largest model the law foretells **{told:.3f}** nats; it has **{loss:.3f}**, with an interval from "
        f"{low:.3f} to {high:.3f}. What was foretold is {where} it."
    )


def what_it_bears(runs: Sequence[SizedRun], sizes: Sequence[int], intervals: np.ndarray) -> str:
    """Say how little four models of one seed tell: without each in turn, with a floor, and beside what others found."""
    losses = [run.loss for run in runs]
    bs = exponents_without_one(sizes, losses)
    read = runs[-1].along[-1][0]
    each = [read / N for N in (sizes[0], sizes[-1])]
    return (
        f"**What this can bear.** {len(runs)} models, one seed, one text, rates searched for none of them; the interval "
        f"knows of other held-out pieces only. Without one model in turn, b is between {min(bs):.3f} and {max(bs):.3f}. "
        f"{floors_said(sizes, losses, intervals)}\n\n"
        f"**Beside others.** Kaplan and others (2020) found b = {KAPLAN} for N without embeddings, in nats a token, with "
        f"more text than a model could use up. Hoffmann and others (2022) found b = {HOFFMANN} above a floor of "
        f"{HOFFMANN_FLOOR}, and about {A_NUMBER} tokens a number to be the best use of operations. Ours all read the same "
        f"{in_words(read)} characters, {each[0]:,.0f} a number for the smallest and {each[1]:,.1f} for the largest: their "
        "b is of characters, of this text and of this much reading, and need not be either of those."
    )


def floors_said(sizes: Sequence[int], losses: Sequence[float], intervals: np.ndarray) -> str:
    """Say which floors c the losses leave open, and how far apart such laws are beyond the last model."""
    within = float(((intervals[:, 1] - intervals[:, 0]) / 2).min())
    laws = floors_that_fit(sizes, losses, within)
    plain = fit_power_law(sizes, losses)
    asked = (
        f"Fitted to all {len(losses)} the law misses one loss by {worst_miss(plain, sizes, losses):.3f} nats, and for ten "
        f"times the largest it foretells {float(plain([10 * sizes[-1]])[0]):.2f}. With a floor, c + a · N^−b: "
    )
    if not laws:
        return f"{asked}no floor c brings the law within {within:.3f} nats of all of them."
    beyond = [float(law([10 * sizes[-1]])[0]) for law in (laws[0], laws[-1])]
    bs = [law.b for law in laws]
    if len(laws) == 1:
        return f"{asked}only c = {laws[0].c:.2f} misses none by more than {within:.3f} nats."
    return (
        f"{asked}any floor c from {laws[0].c:.2f} to {laws[-1].c:.2f} misses none by more than {within:.3f} nats, half the "
        f"narrowest interval; b is then {min(bs):.2f} to {max(bs):.2f}, and ten times the largest is foretold "
        f"{min(beyond):.2f} to {max(beyond):.2f}."
    )


def on_own_text(runs: Sequence[SizedRun], read: int, own: Sequence[float]) -> str:
    """Say which of the models does best on the learner's text, and whether a larger one is always better there."""
    if not read:
        return "Your text has no character that these models read, so it is not in the picture."
    best = int(np.argmin(own))
    listed = ", ".join(f"{loss:.3f}" for loss in own)
    ordered = all(larger < smaller for smaller, larger in pairwise(own))
    order = (
        "each larger one does better" if ordered else "a larger one is not always better on so little text"
    )
    return (
        f"On {'the one character' if read == 1 else f'the first {read:,} characters'} read of your text, from the smallest "
        f"to the largest: {listed} nats a character. Best is “{runs[best].name}”; {order}."
    )


def along_said(runs: Sequence[SizedRun], sizes: Sequence[int]) -> str:
    """Say which model is best after the first and the last measure, and what one budget buys the two ends."""
    first, last = (
        min(runs, key=lambda run, place=place: run.along[place][1]) for place in (0, -1)
    )  # the same marks for all
    few, all_read = (runs[0].along[place][0] for place in (0, -1))
    budget = 6 * sizes[0] * all_read
    afforded = budget / (6 * sizes[-1])
    said = f"After {few:,} characters “{first.name}” has the lowest loss, after {all_read:,} “{last.name}”. "
    if first is last:
        said = f"“{last.name}” has the lowest loss after {few:,} characters and after {all_read:,}. "
    if afforded < runs[-1].along[0][0]:
        return said + "The largest had not been measured when it had cost what the smallest cost in all."
    there = loss_after(runs[-1].along, afforded)
    own_loss = runs[0].along[-1][1]
    better = (
        "the larger had" if there < own_loss else "the smaller had" if own_loss < there else "neither had"
    )
    return said + (
        f"For the {in_words(budget)} operations of the smallest's whole run, the largest had read {afforded:,.0f} "
        f"characters: {own_loss:.2f} nats the one, about {there:.2f} the other; {better} the lower loss."
    )


def points_along(runs: Sequence[SizedRun], sizes: Sequence[int], by_work: bool) -> Mapping[str, list]:
    """Return each model's losses along its training, against characters read or the operations they cost."""
    return {
        run.name: [(6 * N * read if by_work else read, loss) for read, loss in run.along]
        for run, N in zip(runs, sizes, strict=True)
    }
