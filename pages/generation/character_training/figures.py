"""Pictures of training on characters: the recorded run for the story, the replay of a training, networks and n-grams."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, GREY, OCHRE
from core.figures.token_label import label_token
from core.figures.worked import number
from core.models.generation.character_fit import CharacterFit, known_words
from core.models.generation.recorded_characters import CharacterMoment, RecordedRun
from core.models.language_model import bits
from core.text.tokenization.tokens import WORD
from pages.generation.character_training import LESSON

WORDS = LESSON.words
NEXT = 10  # characters whose probability is followed
WHOLE = {"steps": (0, 1600), "bits": (2, 6.6)}  # what the axes show, and with what ticks
CLOSE = {"steps": (324, 2200), "bits": (2.2, 3)}
STEPS_AT = (0, 16, 64, 200, 400, 800, 1600)
SHORT = 92  # characters of a sample in a row
COLUMNS = ("model", "step", "training", "held_out", "bits", "perplexity")


def draw_curve(
    run: RecordedRun,
    at: int | None,
    panels: Sequence[dict],
    levels: Iterable[int] = (),
    strong: int | None = None,
    crossings: Sequence[tuple[CharacterMoment, str]] = (),
    close: bool = False,
    dots: bool = False,
) -> dict:
    """Return the data of the view "learning_curve": the held-out loss by step, the marker at step `at`.

    `levels` are the n of the n-grams that are drawn as lines, `strong` the one that is drawn thick.
    """
    ends = CLOSE if close else WHOLE
    least, most = ends["bits"]
    heights = (2.2, 2.4, 2.6, 2.8, 3.0) if close else range(2, 7)
    now = (
        "" if at is None else WORDS.label("now.close" if close else "now", step=at, bits=run.at(at).held_out)
    )
    return {
        "curve": [{"step": moment.step, "bits": moment.held_out} for moment in run.moments],
        "range": {"steps": list(ends["steps"]), "bits": [least, most]},
        "ticks": {
            "steps": [{"at": step, "text": f"{step:,}"} for step in STEPS_AT if step >= ends["steps"][0]],
            "bits": [{"at": each, "text": f"{each:.1f}" if close else str(each)} for each in heights],
        },
        "at": at,
        "now": now,
        "dots": dots,
        "levels": [
            {
                "name": str(n),
                "bits": run.ngrams[n],
                "text": WORDS.label("level.best" if n == strong else "level", n=n, bits=run.ngrams[n]),
                "right": close or n < 3,
                "below": n == strong,
                "strong": n == strong,
            }
            for n in levels
        ],
        "crossings": [
            {"step": moment.step, "bits": moment.held_out, "text": text} for moment, text in crossings
        ],
        "panels": list(panels),
        "labels": {key: WORDS.label(f"axis.{key}") for key in ("x", "y", "hidden")},
    }


def draw_sample(
    moment: CharacterMoment, known: Container[str] | None = None, foot: str = "", hidden: bool = False
) -> dict:
    """Return one panel: what the network writes at a moment; with `known`, its words that are among them are marked."""
    pieces = (
        split_known(moment.sample, known) if known is not None else [{"text": moment.sample, "known": False}]
    )
    return {
        "mark": "text",
        "title": WORDS.label("writes", step=moment.step),
        "pieces": None if hidden else pieces,
        "foot": foot,
    }


def draw_row(moment: CharacterMoment, known: Container[str]) -> dict:
    """Return a panel of a few words, in one of several rows."""
    start = " ".join(moment.sample.split())[:SHORT]
    return {
        "mark": f"text.{moment.step}",
        "title": WORDS.label("row", step=moment.step, bits=moment.held_out),
        "pieces": split_known(start, known),
        "foot": "",
    }


def split_known(text: str, known: Container[str]) -> list[dict]:
    """Return a text in pieces, its known words apart; the last word may be cut off and is not marked.

    >>> split_known("the cax sat", {"the", "sat"})
    [{'text': 'the', 'known': True}, {'text': ' cax sat', 'known': False}]
    """
    pieces, end = [], 0
    for match in WORD.finditer(text.lower()):
        if match[0] in known and match.end() < len(text):
            pieces += [{"text": text[end : match.start()], "known": False}] if match.start() > end else []
            pieces.append({"text": text[match.start() : match.end()], "known": True})
            end = match.end()
    return [*pieces, {"text": text[end:], "known": False}] if end < len(text) else pieces


def replay_payload(
    fit: CharacterFit,
    expected: np.ndarray,
    prompt: str,
    baseline: tuple[str, float] | None,
    training: int,
    known: Container[str] = (),
) -> dict:
    """Return what the view `training_replay` draws: losses and samples, and p(next) at each snapshot, (S, V).

    Followed are the characters likeliest at the end, and what is left of the probability. `known` are the words of
    the text, `training` tells one training from the next.
    """
    order = np.argsort(-expected[-1], kind="stable")[:NEXT]
    followed = np.column_stack([expected[:, order], 1 - expected[:, order].sum(axis=1)])
    return {
        "training": training,
        "steps": [snapshot.step for snapshot in fit.snapshots],
        "total": fit.snapshots[-1].step,
        "loss": [snapshot.loss for snapshot in fit.snapshots],
        "heldOut": [snapshot.held_out_loss for snapshot in fit.snapshots],
        "baseline": baseline and {"name": baseline[0], "value": baseline[1]},
        "samples": [snapshot.sample for snapshot in fit.snapshots],
        "known": [known_words(snapshot.sample, known) for snapshot in fit.snapshots],
        "prompt": "".join(map(label_token, prompt)),
        "tokens": [*(label_token(fit.vocabulary[token]) for token in order), WORDS.label("rest")],
        "expected": np.clip(followed, 0, 1).tolist(),
    }


def baseline_figure(
    ngrams: Mapping[int, float],
    networks: Mapping[str, float],
    height: int = 300,
    shuffled: Mapping[int, float] | None = None,
) -> Figure:
    """Return bits a character on held-out text as bars: the n-grams by n, also of the shuffled text, then networks."""
    figure = blank(height, y=WORDS.label("baselines.axis"))
    counted = [("ordered", OCHRE, ngrams), ("shuffled", GREY, shuffled or {})]
    groups = [
        (name, colour, {WORDS.label("baselines.n", n=n): loss for n, loss in by_n.items()})
        for name, colour, by_n in counted
    ]
    for name, colour, bars in (*groups, ("networks", BLUE, networks)):
        each = [float(bits(-loss)) for loss in bars.values()]
        figure.add_trace(
            bar(
                x=list(bars),
                y=each,
                name=WORDS.label(f"baselines.{name}"),
                marker={"color": colour},
                text=[f"{value:.2f}" for value in each],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{x}: %{y:.3f}<extra></extra>",
                showlegend=bool(shuffled) and bool(bars),
            )
        )
    figure.update_layout(barmode="group")
    figure.update_xaxes(type="category")
    return figure


def worked_loss(nats: float, column: str) -> str | None:
    r"""Return the formula of a loss in bits or as a perplexity, filled in; None for other columns.

    >>> worked_loss(1.0, "bits")
    '\\frac{1}{\\ln 2} = 1.443'
    """
    if column == "bits":
        return rf"\frac{{{number(nats)}}}{{\ln 2}} = {number(float(bits(-nats)))}"
    if column == "perplexity":
        return rf"e^{{{number(nats)}}} = {number(np.exp(nats))}"
    return None
