"""Pictures of language models side by side: a text coloured by surprisal, bits per character as bars, what context gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import make_panel, make_row
from core.figures.palette import BLUE, HUES, OCHRE, VERMILLION
from core.figures.token_label import label_token
from core.figures.worked import number
from core.models.language_model import bits
from core.models.stored import Card
from core.models.stored_language_models import BITS, NATS, PERPLEXITY
from pages.generation.language_models import LESSON

WORDS = LESSON.words
FULL = 10.0  # bits at which the colour is strongest
HUE = {
    "char_gpt": "blue",
    "char_ngram": "ochre",
    "char_rnn": "green",
}  # those that a story is about; others are grey
GUESS = "guess"
MILLION = 1_000_000


def name_of(model: str) -> str:
    """Return a model's name in pictures."""
    return WORDS.label(f"name.{model}")


# The story.


def draw_lines(layout: str, rows: Sequence[dict]) -> dict:
    """Return the data of the view "surprisal_lines"."""
    return {
        "layout": layout,
        "key": {
            "label": WORDS.label("surprisal"),
            "least": "0",
            "most": WORDS.label("surprisal.most", full=FULL),
        },
        "rows": list(rows),
    }


def draw_text(
    model: str,
    text: str,
    surprisals: np.ndarray,
    frames: Sequence[tuple[int, int]] = (),
    best: bool = False,
) -> dict:
    """Return one model's row: the text's characters by their bits; `frames` are the first and last of some together."""
    skipped = {i for i, character in enumerate(text) if character == "\n" and text[i - 1] == "\n" and i}
    cells = [
        {
            "text": "" if i in skipped else " " if character == " " else label_token(character),
            "share": float(min(1, surprisals[i] / FULL)),
            "ends": character == "\n" and i not in skipped,
        }
        for i, character in enumerate(text)
    ]
    framed = [
        {
            "from": first,
            "to": last,
            "text": WORDS.label("frame.bits", bits=float(surprisals[first : last + 1].sum())),
            "mark": f"frame.{model}.{i}",
        }
        for i, (first, last) in enumerate(frames)
    ]
    return {
        "name": name_of(model),
        "mark": f"row.{model}",
        "note": WORDS.label("row.bits", bits=float(surprisals.mean())),
        "hue": HUE.get(model, "grey"),
        "best": best,
        "cells": cells,
        "frames": framed,
    }


def draw_bars(
    title: str,
    values: Mapping[str, float],
    most: float,
    filled: Sequence[str] = (),
    hidden: bool = False,
    form: str = ".2f",
    notes: Mapping[str, str] | None = None,
    part: str = "row",
) -> dict:
    """Return a panel of "layer_bars", a bar for each model; `hidden` ones are still to come, but for the blind guess."""
    rows = []
    for model, value in values.items():
        guess = model == GUESS
        unknown = hidden and not guess
        kind = "open" if unknown else "faint" if guess else "best" if model in filled else "plain"
        rows.append(
            make_row(
                name_of(model),
                f"{part}.{model}",
                most if unknown else value,
                "?" if unknown else format(value, form),
                note=(notes or {}).get(model, ""),
                kind=kind,
                hue=HUE.get(model, "grey"),
            )
        )
    return make_panel(title, most, rows)


def draw_races(races: Mapping[str, Mapping[str, float]], models: Sequence[str], memory: int) -> dict:
    """Return a panel of "layer_bars" with some models in each race, the best of a race filled."""
    rows = []
    for race, found in races.items():
        some = {model: found[model] for model in models}
        panel = draw_bars("", some, max(some.values()), (min(some, key=some.get),), part=race)
        note = WORDS.label(f"race.{race}", k=memory)
        rows += [{**row, "note": note} for row in panel["rows"]]
    return make_panel(WORDS.label("title.races"), max(row["to"] for row in rows), rows)


def draw_reach(reached: Mapping[str, Sequence[float]], seen: Sequence[str]) -> Figure:
    """Return bits per character by how much each model sees, a line for each model with its name at the end."""
    figure = blank(420, WORDS.label("axis.seen"), WORDS.label("axis.bits"))
    places = list(range(len(seen)))
    for model, values in reached.items():
        colour = HUES[HUE[model]]
        figure.add_trace(
            scatter(
                x=places,
                y=list(values),
                mode="lines+markers",
                name=name_of(model),
                showlegend=False,
                line={"color": colour, "width": 5},
                marker={"color": colour, "size": 16},
                hovertemplate="%{y:.3f}<extra>" + name_of(model) + "</extra>",
            )
        )
    last = len(places) - 1
    for place in places:
        at_place = {model: values[place] for model, values in reached.items()}
        highest = max(at_place, key=at_place.get)
        for model, value in at_place.items():
            above = model == highest
            figure.add_annotation(
                x=place,
                y=value,
                text=f"{name_of(model)} {value:.2f}" if place == last else f"{value:.2f}",
                showarrow=False,
                xanchor="center" if place == last else "left" if above else "right",
                xshift=0 if place == last else 8 if above else -4,
                yshift=(26 if above else -26) if place == last else 18 if above else -20,
                font={"size": 19},
            )
    figure.update_xaxes(tickvals=places, ticktext=list(seen), range=[-0.35, len(places) - 0.5])
    figure.update_xaxes(tickfont={"size": 17})
    figure.update_yaxes(range=[1.65, 2.7], tickfont={"size": 16})
    return figure


# The lab.


def comparison_figure(
    held_out: Mapping[str, float],
    own: Mapping[str, float],
    cut: Mapping[str, float] | None = None,
    memory: int = 0,
    guess: float | None = None,
    height: int = 400,
) -> Figure:
    """Return bits per character by model, best on held-out text first: on that text, and on the learner's own.

    `cut` are the bits where only the last `memory` characters are seen, `guess` those of a blind guess, a dashed line.
    """
    models = [*held_out, *(model for model in own if model not in held_out)]
    names = {model: name_of(model) for model in models}
    figure = blank(height + 120 * bool(cut), WORDS.label("axis.bits"))
    groups = (("held", BLUE, held_out), ("own", VERMILLION, own), ("cut", OCHRE, cut or {}))
    for trace, colour, by_model in (group for group in groups if group[2]):
        some, label = (
            [model for model in models if model in by_model],
            WORDS.label(f"trace.{trace}", k=memory),
        )
        figure.add_trace(
            bar(
                y=[names[model] for model in some],
                x=[by_model[model] for model in some],
                name=label,
                orientation="h",
                marker={"color": colour},
                text=[f"{by_model[model]:.2f}" for model in some],
                textposition="outside",
                textfont={"size": FONT_SIZE},
                constraintext="none",
                cliponaxis=False,
                hovertemplate="%{y}: %{x:.3f}<extra>" + label + "</extra>",
            )
        )
    figure.update_layout(barmode="group")
    figure.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=list(names.values()))
    most = max([*held_out.values(), *own.values(), *(cut or {}).values(), guess or 0])
    figure.update_xaxes(range=[0, 1.2 * most])  # on a phone too the longest bar's number has room
    if guess is not None:
        dashed = {"color": "grey", "width": 2, "dash": "dash"}
        figure.add_shape(type="line", x0=guess, x1=guess, y0=0, y1=1, yref="paper", line=dashed)
        said = WORDS.label("guess.line", bits=guess)
        figure.add_annotation(
            x=guess,
            y=0,
            yref="paper",
            text=said,
            showarrow=False,
            xanchor="right",
            yanchor="bottom",
            xshift=-6,
        )
    return figure


def surprise_payload(text: str, scored: Mapping[str, np.ndarray]) -> dict:
    """Return what the view `surprise_text` draws: the text's characters, and -log2 p of each by every model.

    `scored` maps a model's name in the picture to ln p of the characters, (n,).

    >>> payload = surprise_payload("a\\n", {"coin": np.log([0.5, 0.25])})
    >>> payload["models"], payload["breaks"]
    ([{'name': 'coin', 'bits': [1.0, 2.0], 'mean': 1.5}], [False, True])
    """
    surprise = {name: bits(log_probabilities) for name, log_probabilities in scored.items()}
    return {
        "characters": [" " if character == " " else label_token(character) for character in text],
        "breaks": [character == "\n" for character in text],
        "models": [
            {"name": name, "bits": each.round(4).tolist(), "mean": float(each.mean())}
            for name, each in surprise.items()
        ],
        "full": FULL,
    }


def characters_read(card: Card) -> int | None:
    """Return how many characters a network read in all steps of its training; None for counts."""
    fit = card.config.get("fit")
    return fit and fit["steps"] * fit["batch"] * fit["window"]


def was_given(card: Card) -> dict:
    """Return what a model had to learn with, as the words name it."""
    fit = card.config.get("fit")
    return {
        "name": name_of(card.model),
        "parameters": card.quality["parameters"],
        "steps": fit["steps"] if fit else 0,
        "millions": (characters_read(card) or 0) / MILLION,
    }


def worked_quality(nats: float, own: float, characters: int, column: str) -> str | None:
    """Return the formula of one number of a model's row, filled in; None for a column that has none.

    `nats` were measured per held-out character; `own` is the sum of -ln p over the learner's characters.
    """
    if column == "bits":
        return rf"\frac{{{number(nats)}}}{{\ln{{2}}}}={number(nats / np.log(2))}"
    if column == "perplexity":
        return rf"e^{{{number(nats)}}} = {number(np.exp(nats))}"
    if column == "own":
        mean = rf"\frac{{{number(own)}}}{{{characters}\ln{{2}}}}"
        return rf"\frac{{-\sum_i\ln{{p_i}}}}{{n\ln{{2}}}}={mean}={number(own / characters / np.log(2))}"
    return None


def quality_table(
    cards: Mapping[str, Card],
    own: Mapping[str, float],
    scored: Mapping[str, np.ndarray],
    cut: Mapping[str, float],
    memory: int,
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return what each model was given, its measures on the held-out plays, and bits on the learner's text."""
    models = list(cards)
    fits = [card.config.get("fit", {}).get("steps") for card in cards.values()]
    columns = {
        "model": [name_of(model) for model in models],
        "parameters": [card.quality["parameters"] for card in cards.values()],
        "steps": pd.array(fits, dtype="Int64"),
        "read": pd.array([characters_read(card) for card in cards.values()], dtype="Int64"),
        "nats": [card.quality[NATS] for card in cards.values()],
        "bits": [card.quality[BITS] for card in cards.values()],
        "perplexity": [card.quality[PERPLEXITY] for card in cards.values()],
        "own": [own[model] for model in models],
    }
    if cut:
        columns["cut"] = [cut[model] for model in models]
    labels = {WORDS.label(f"column.{column}", k=memory): column for column in columns}

    def formula(row: int, label: str) -> str | None:
        found = scored[models[row]]
        return worked_quality(columns["nats"][row], -float(found.sum()), len(found), labels[label])

    return pd.DataFrame(dict(zip(labels, columns.values(), strict=True))), formula
