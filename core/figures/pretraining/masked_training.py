"""A step of masked training: what is drawn, shown, guessed and counted, and what a mere copier would get right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.frame import frame
from core.figures.pretraining import WORDS, heads
from core.figures.worked import number, word
from core.models.pretraining.masked_training import KEPT, MASK, OTHER, TrainingStep
from core.words.numbers import probability

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
    n = int(step.places.sum())
    said = {
        "drawn": {"n": n, "T": len(step.ids)},
        "shown": {
            "masks": step.fates.count(MASK),
            "others": step.fates.count(OTHER),
            "kept": step.fates.count(KEPT),
        },
        "guessed": {"n": n, "right": int((step.guesses == step.ids)[step.places].sum())},
        "counted": {
            "n": len(step.ids) if everywhere else n,
            "loss": step.loss_everywhere if everywhere else step.loss,
        },
    }
    frames = []
    for i, (key, values) in enumerate(said.items(), 1):
        sentence = WORDS.label(f"masked_training.{key}.said", **values)
        frames.append(
            frame(
                WORDS.label(f"masked_training.{key}"),
                {"kind": "masking", "reached": i},
                WORDS.label("masked_training.alt", said=sentence),
                sentence,
                [WORDS.label(f"masked_training.{key}.note", everywhere=everywhere)],
            )
        )
    frames[-1]["formulas"] = [worked_loss(step, everywhere)]
    return frames


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
    token, guess = heads("token", "guess")
    drawn, shown = (WORDS.label(f"masked_training.column.{key}") for key in ("drawn", "shown"))
    table = pd.DataFrame(
        {
            token: list(tokens),
            drawn: step.places,
            shown: [names[each] for each in step.shown],
            guess: [names[each] for each in step.guesses],
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
    return WORDS.label(
        "masked_training.copying",
        copied=int(step.copied_right[step.places].sum()),
        copied_all=int(step.copied_right.sum()),
        n=int(step.places.sum()),
        T=len(step.ids),
        before=step.loss,
        after=step.loss_everywhere,
    )
