"""A step of masked training: what is drawn, shown, guessed and counted, and what a mere copier would get right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.frame import frame
from core.figures.pretraining.gaps import probability, several
from core.figures.worked import number, word
from core.models.pretraining.masked_training import KEPT, MASK, OTHER, TrainingStep

TERMS = 8  # of a loss that is written out
CLASSES = {MASK: "mask", OTHER: "other", KEPT: "kept"}


def masking_shared(step: TrainingStep, tokens: Sequence[str], names: Sequence[str], everywhere: bool) -> dict:
    """Return what the steps of the picture "masking" share; `everywhere`: the visible tokens' losses count too."""
    fates = dict(zip(np.flatnonzero(step.places).tolist(), step.fates, strict=True))
    rows = []
    for t, token in enumerate(tokens):
        told = t in fates or everywhere
        loss = float(step.losses[t])
        rows.append(
            {
                "token": token,
                "drawn": t in fates,
                "fate": CLASSES[fates[t]] if t in fates else None,
                "shown": token if step.shown[t] == step.ids[t] else names[step.shown[t]],
                "guess": names[step.guesses[t]] if told else None,
                "p": probability(float(np.exp(-loss))) if told else None,
                "loss": f"−ln p {loss:.2f}" if told else None,
            }
        )
    return {"tokens": rows}


def masking_frames(step: TrainingStep, everywhere: bool) -> list[dict]:
    """Return the four steps of a step of training: drawn, shown as what, guessed, counted."""
    n, T = int(step.places.sum()), len(step.ids)
    fates = step.fates
    drawn = f"{n} of {several(T, 'token')} {'is' if n == 1 else 'are'} drawn"
    counts = {fate: fates.count(fate) for fate in (MASK, OTHER, KEPT)}
    shown = f"{counts[MASK]} shown as <mask>, {counts[OTHER]} as another token, {counts[KEPT]} as it is"
    right = int((step.guesses == step.ids)[step.places].sum())
    guessed = f"{right} of {several(n, 'drawn token')} guessed right"
    counted = T if everywhere else n
    mean = step.loss_everywhere if everywhere else step.loss
    parts = (
        ("tokens are drawn", drawn, "Framed: the tokens that are to be guessed."),
        (
            "what the model is shown",
            shown,
            "In the long run 80%, 10% and 10%. Below a drawn token stands what it really is. The model is not told which of "
            "the tokens that it can read were drawn.",
        ),
        ("the model guesses", guessed, "Below it: the model's likeliest token, and p of the right one."),
        (
            "the loss is counted",
            f"The loss is the mean over {several(counted, 'token')}: {mean:.3f} nats a token",
            "The visible tokens count too." if everywhere else "All other tokens count for nothing.",
        ),
    )
    return [
        frame(name, {"kind": "masking", "reached": i}, f"The text in training: {said}", f"{said}.", [note])
        | ({"formulas": [worked_loss(step, everywhere)]} if i == 4 else {})
        for i, (name, said, note) in enumerate(parts, 1)
    ]


def worked_loss(step: TrainingStep, everywhere: bool) -> str:
    """Return LaTeX of the loss as a mean with its first terms."""
    losses = step.losses if everywhere else step.losses[step.places]
    terms = " + ".join(number(loss, 3) for loss in losses[:TERMS])
    rest = r" + \dots" if len(losses) > TERMS else ""
    size = "T" if everywhere else "|M|"
    return (
        rf"L = \frac{{1}}{{{size}}} \sum_t -\ln p(x_t) = \frac{{1}}{{{len(losses)}}}\left({terms}{rest}\right) = "
        f"{number(losses.mean())}"
    )


def drawn_table(step: TrainingStep, tokens: Sequence[str], names: Sequence[str]) -> tuple:
    """Return every token in training with what is shown, whether it was drawn, its p and loss; and their formula."""
    table = pd.DataFrame(
        {
            "token": list(tokens),
            "drawn": step.places,
            "shown": [names[token] for token in step.shown],
            "guess": [names[token] for token in step.guesses],
            "p": np.exp(-step.losses),
            "−ln p": step.losses,
        }
    )

    def formula(row: int, column: str) -> str | None:
        if column != "−ln p":
            return None
        loss = step.losses[row]
        return rf"-\ln p({word(tokens[row])}) = -\ln {number(np.exp(-loss))} = {number(loss)}"

    return table, formula


def what_copying_gets(step: TrainingStep) -> str:
    """Say what a model that only copies gets right, and what counting every token does to the trained model's loss."""
    copied, n, T = step.copied_right, int(step.places.sum()), len(step.ids)
    said = (
        f"A model that copies what it is shown, and has learned nothing, is right on {int(copied[step.places].sum())} of "
        f"{several(n, 'drawn token')}, and on {int(copied.sum())} of all {T}."
    )
    if n == T:
        return f"{said} Every token is drawn, so that the trained model's loss is the same."
    change = "falls" if step.loss_everywhere < step.loss else "rises"
    return (
        f"{said} The trained model's loss {change} from {step.loss:.3f} to {step.loss_everywhere:.3f} nats a token: "
        f"{T - n} of the {T} terms {'is now about a token' if T - n == 1 else 'are now about tokens'} that it can see."
    )
