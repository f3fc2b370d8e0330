"""Language models side by side: bits a character as bars, a text coloured by surprise, what each was given to learn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar
from core.figures.generation.sampling import shown
from core.figures.palette import BLUE, OCHRE, VERMILLION
from core.figures.worked import number
from core.models.language_model import bits
from core.models.stored import Card

FULL = 10.0  # bits at which the colour is strongest


def comparison_figure(
    held_out: Mapping[str, float],
    own: Mapping[str, float],
    height: int = 400,
    cut: tuple[str, Mapping[str, float]] = ("", {}),
) -> Figure:
    """Return bits a character by model, best on held-out text first: on that text, and on the learner's own.

    `cut` is the name of a third group of bars, what is left of the context, and its bits.
    """
    names = [*held_out, *(name for name in own if name not in held_out)]
    figure = blank(height + 120 * bool(cut[1]), "bits a character: fewer is better")
    groups = (("held-out plays", BLUE, held_out), ("your text", VERMILLION, own), (cut[0], OCHRE, cut[1]))
    for label, colour, by_model in (group for group in groups if group[2]):
        some = [name for name in names if name in by_model]
        figure.add_trace(
            bar(
                y=some,
                x=[by_model[name] for name in some],
                name=label,
                orientation="h",
                marker={"color": colour},
                text=[f"{by_model[name]:.2f}" for name in some],
                textposition="outside",
                textfont={"size": FONT_SIZE},
                constraintext="none",
                cliponaxis=False,
                hovertemplate="%{y}: %{x:.3f} bits<extra>" + label + "</extra>",
            )
        )
    figure.update_layout(barmode="group")
    figure.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=names)
    most = max([*held_out.values(), *own.values(), *cut[1].values()])
    figure.update_xaxes(range=[0, 1.2 * most])  # on a phone too the longest bar's number has room
    return figure


def surprise_payload(text: str, scored: Mapping[str, np.ndarray]) -> dict:
    """Return what the view `surprise_text` draws: the text's characters, and -log2 p of each by every model.

    `scored` maps a model's name to ln p of the characters, (n,).

    >>> payload = surprise_payload("a\\n", {"coin": np.log([0.5, 0.25])})
    >>> payload["models"], payload["breaks"]
    ([{'name': 'coin', 'bits': [1.0, 2.0], 'mean': 1.5}], [False, True])
    """
    surprise = {name: bits(log_probabilities) for name, log_probabilities in scored.items()}
    return {
        "characters": [" " if character == " " else shown(character) for character in text],
        "breaks": [character == "\n" for character in text],
        "models": [
            {"name": name, "bits": each.round(4).tolist(), "mean": float(each.mean())}
            for name, each in surprise.items()
        ],
        "full": FULL,
    }


def worked_quality(nats: float, own: float | None, characters: int, column: str) -> str | None:
    """Return the formula of one number of a model's row, filled in; None for a column that has none.

    `nats` were measured a held-out character; `own` is the sum of -ln p over the learner's characters.
    """
    if column == "bits, held out":
        return rf"\frac{{{number(nats)}\text{{ nats}}}}{{\ln 2}} = {number(nats / np.log(2))}\text{{ bits}}"
    if column == "perplexity, held out":
        return rf"e^{{{number(nats)}}} = {number(np.exp(nats))}"
    if column == "bits, your text" and own is not None:
        return (
            r"\frac{-\sum_i \ln p_i}{n \ln 2} = "
            rf"\frac{{{number(own)}}}{{{characters} \ln 2}} = {number(own / characters / np.log(2))}"
        )
    return None


def characters_read(card: Card) -> int | None:
    """Return how many characters a network read in all steps of its training; None for counts."""
    fit = card.config.get("fit")
    return fit and fit["steps"] * fit["batch"] * fit["window"]


def was_given(label: str, card: Card) -> str:
    """Return what a model had to learn with."""
    n, read = card.quality["parameters"], characters_read(card)
    if not read:
        return f"{label}: {n:,} numbers, counted in one pass"
    return f"{label}: {n:,} parameters, {card.config['fit']['steps']:,} steps, {read / 1e6:.1f} million characters read"


def what_they_were_given(cards: Mapping[str, Card]) -> str:
    """Return, from the cards, what each model had to learn with, and what the bars therefore do not say."""
    given = [was_given(label, card) for label, card in cards.items()]
    equal = len({(card.quality["parameters"], characters_read(card)) for card in cards.values()}) == 1
    verdict = (
        "They were given the same, so the bars compare the kinds."
        if equal
        else "They were not given the same, so the bars compare these models, and not the kinds: that one cell or network "
        "is better than another does not follow from them."
    )
    return f"**What each was given.** {'; '.join(given)}. {verdict}"
