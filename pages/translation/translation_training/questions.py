"""Exercises on training a translator: the loss of an output, the push on each score, and the aligned share."""

from __future__ import annotations

import torch

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.self_attention.attention_scaling import jacobian
from core.models.translation.alignment import alignment_error, heaviest

INPUTS = ("1", "9", "4", "5", "m")


def draw_date(draws: Draws, difficulty: int) -> tuple[str, str, list[int | None]]:
    """Return a date as it is typed, its standard form, and which input character each output character comes from."""
    parts = [str(draws.integer(1, 9)) for _ in range(2)]
    parts.append(str(draws.integer(1, 9) if difficulty == 1 else draws.integer(11, 99)))
    typed, places, start = ".".join(parts), [], 0
    for part in parts:
        places.append((part, start))
        start += len(part) + 1
    written, links = "", []
    for part, at in reversed(places):
        if written:
            written, links = f"{written}-", [*links, None]
        written += part.rjust(2, "0")
        links += [at, at] if len(part) == 1 else [at, at + 1]
    return typed, written, links


def draw_loss(draws: Draws, difficulty: int) -> Draw:
    """The loss of an output; mistakes: add and do not divide, take the mean first, take logarithms to base 2."""
    _, written, _ = draw_date(draws, min(difficulty, 2))
    tokens = tuple(written[: (2, 5, 8)[difficulty - 1]])
    p = torch.tensor([draws.decimal(0.1, 0.95, 2) for _ in tokens], dtype=torch.float64)
    nothing = torch.zeros(len(p), dtype=torch.long)
    mean = torch.nn.functional.nll_loss(p.log()[:, None], nothing)
    return Draw(
        given={"output": "".join(tokens), "factors": Table(("p",), tokens, [p.tolist()])},
        answer=mean,
        mistakes={
            "sum": torch.nn.functional.nll_loss(p.log()[:, None], nothing, reduction="sum"),
            "mean_first": -p.mean().log(),
            "bits": torch.nn.functional.nll_loss(p.log2()[:, None], nothing),
        },
        steps={"losses": -p.log(), "n": len(p), "mean_p": float(p.mean())},
    )


def draw_push(draws: Draws, difficulty: int) -> Draw:
    """The push on each score; mistakes: the plain mean of g, no mean, no weight in front."""
    tokens = INPUTS[: difficulty + 1]
    a = torch.tensor(draws.distribution(len(tokens)), dtype=torch.float64)
    g = torch.tensor([draws.integer(-4, 4) / 2 for _ in tokens], dtype=torch.float64)
    mean = float(a @ g)
    return Draw(
        given={"rows": Table(("a", "g"), tokens, [a.tolist(), g.tolist()])},
        answer=jacobian(a) @ g,
        mistakes={"plain_mean": a * (g - g.mean()), "no_mean": a * g, "no_weight": g - mean},
        steps={"a": a, "g": g, "mean": mean, "plain": float(g.mean()), "first": float((jacobian(a) @ g)[0])},
        table=Table(("push",), tokens, [[None] * len(tokens)]),
    )


def draw_aligned(draws: Draws, difficulty: int) -> Draw | None:
    """The share that is aligned; mistakes: give the error, count the dashes too, take the mean weight."""
    typed, written, links = draw_date(draws, difficulty)
    rows = []
    for at in links:
        row = list(draws.distribution(len(typed), 20))
        top = max(range(len(row)), key=row.__getitem__)
        if at is not None and draws.integer(0, 1):
            row[at], row[top] = row[top], row[at]
        if sorted(row)[-1] - sorted(row)[-2] < 0.01:
            return None
        rows.append(row)
    weights = torch.tensor(rows, dtype=torch.float64).numpy()
    gold = {(t, s) for t, s in enumerate(links) if s is not None}
    right = [t for t, s in gold if heaviest(weights)[t] == s]
    share = 1 - alignment_error(weights, gold)
    return Draw(
        given={
            "typed": typed,
            "written": written,
            "weights": Table(tuple(written), tuple(typed), weights.tolist()),
        },
        answer=share,
        mistakes={
            "error": 1 - share,
            "dashes": (len(right) + links.count(None)) / len(written),
            "mean_weight": sum(rows[t][s] for t, s in gold) / len(gold),
        },
        steps={
            "right": len(right),
            "digits_written": len(gold),
            "all": len(written),
            "rows_of": [(written[t], typed[s], heaviest(weights)[t] == s) for t, s in sorted(gold)],
        },
    )


MAKERS = (Maker(draw_loss), Maker(draw_push), Maker(draw_aligned))
