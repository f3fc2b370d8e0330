"""Pictures of captions: what the view "captions" is sent, how many are right to the word, and tables of every number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap
from core.figures.images import WORDS, name_columns
from core.figures.images.patches import PatchBoard, boards
from core.figures.packed import packed
from core.figures.palette import BLUE, OCHRE, SEQUENTIAL
from core.figures.share_bars import share_bars
from core.figures.worked import number, worked_wilson
from core.models.documents.held_out import wilson
from core.models.images.captioner import WORDS as VOCABULARY
from core.models.images.held_out_scenes import HELD_OUT, KINDS
from core.models.images.written_caption import WrittenCaption, first_wrong
from core.models.neural_language_model import log_softmax
from core.models.stored import Card

LIKELIEST = 5
COLOURS = {"recurrent": OCHRE, "transformer": BLUE}


@dataclass(frozen=True)
class Column:
    """One captioner's: what is laid over the picture, under which title, (T, N), and its caption, right or not.

    `name` is what the captioner is called in words where there are several.
    """

    title: str
    values: np.ndarray
    written: WrittenCaption
    truth: str = ""
    name: str = ""


def caption_columns(board: PatchBoard, columns: Sequence[Column], note: str, press: bool) -> dict:
    """Return what the view `captions` needs."""
    sent = boards(board, [], 2, note)
    return {
        **sent,
        "total": max(len(each.written.steps) for each in columns),
        "columns": [
            {
                "title": each.title,
                "name": each.name,
                "press": press,
                "values": packed(each.values),
                "words": list(each.written.words),
                "wrong": first_wrong(each.written, each.truth) if each.truth else -1,
                "likeliest": [rank_caption_words(step.trace.logits) for step in each.written.steps],
            }
            for each in columns
        ],
    }


def rank_caption_words(logits: np.ndarray) -> list[list]:
    """Return the likeliest words with their probabilities, of logits (V,), the likeliest first.

    >>> rank_caption_words(np.eye(len(VOCABULARY))[3])[0]
    ['a', 0.09806819]
    """
    p = np.exp(log_softmax(logits))
    return [[VOCABULARY[i], float(f"{p[i]:.7g}")] for i in np.argsort(-p, kind="stable")[:LIKELIEST]]


def attention_figure(weights: np.ndarray, height: int = 300) -> Figure:
    """Return the attention weights of one word, (N,), as a grid of patches."""
    across = int(len(weights) ** 0.5)
    figure = blank(height)
    figure.add_trace(
        heatmap(
            z=weights.reshape(across, across),
            colorscale=SEQUENTIAL,
            showscale=False,
            hovertemplate=WORDS.label("captions.patch.hover") + "<extra></extra>",
        )
    )
    hidden = {"showticklabels": False, "showgrid": False, "zeroline": False}
    figure.update_xaxes(**hidden, constrain="domain")
    return figure.update_yaxes(**hidden, autorange="reversed", scaleanchor="x", constrain="domain")


def name_kinds() -> dict[str, str]:
    """Return what the kinds of scenes are called, by what a card calls them."""
    return {
        kind: WORDS.label(f"captions.kind.{key}") for kind, key in zip(KINDS, ("seen", "unseen"), strict=True)
    }


def name_decoder(decoder: str) -> str:
    """Return what a captioner is called."""
    return WORDS.label(f"captions.decoder.{decoder}")


def counted(card: Card, kind: str) -> int:
    """Return how many of HELD_OUT scenes of a kind a card says to be described right to the word."""
    return round(card.quality[f"right to the word, {kind}"] * HELD_OUT)


def wrong(card: Card, kind: str) -> int:
    """Return how many of HELD_OUT scenes of a kind a card says not to be described right to the word."""
    return HELD_OUT - counted(card, kind)


def right_figure(cards: dict[str, Card]) -> Figure:
    """Return the share right to the word of both captioners, on both kinds of scenes, with Wilson's intervals."""
    kinds = name_kinds()
    series = [
        (
            name_decoder(decoder),
            {kinds[kind]: counted(card, kind) for kind in KINDS},
            HELD_OUT,
            COLOURS[decoder],
        )
        for decoder, card in cards.items()
    ]
    figure = share_bars(series, WORDS.label("captions.share"), height=330)
    figure.update_layout(bargap=0.4)
    figure.update_xaxes(
        tickvals=list(kinds.values()),
        ticktext=[kind.replace(" ", "<br>") for kind in kinds.values()],
        tickangle=0,
    )
    return figure.update_yaxes(range=[0, 1.02], tickformat=".0%")


# Tables, with the formula of each cell.


def right_table(cards: dict[str, Card]):
    """Return how many scenes are described right to the word, by captioner and kind, with Wilson's intervals."""
    rows = []
    for decoder, card in cards.items():
        for kind, name in name_kinds().items():
            right = counted(card, kind)
            ends = wilson(right, HELD_OUT)
            rows.append((name_decoder(decoder), name, right, HELD_OUT, right / HELD_OUT, *ends))
    columns = name_columns("decoder", "scenes", "right", "of", "share", "from", "to")
    table = pd.DataFrame(rows, columns=columns)

    def formula(row: int, column: str) -> str | None:
        _, _, right, of, _, low, high = rows[row]
        return worked_wilson(right, of, low, high) if column in columns[-2:] else None

    return table, formula


def word_table(captions: dict[str, WrittenCaption]):
    """Return every word of the vocabulary at every step of each captioner, with its logit and probability."""
    rows, logits = [], []
    for decoder, written in captions.items():
        for t, step in enumerate(written.steps, 1):
            logits.append(step.trace.logits)
            z, p = step.trace.logits, np.exp(log_softmax(step.trace.logits))
            rows += [
                (name_decoder(decoder), t, VOCABULARY[i], i == step.token, z[i], p[i])
                for i in np.argsort(-z, kind="stable")
            ]
    columns = name_columns("decoder", "step", "word", "written", "logit_z", "p")
    table = pd.DataFrame(rows, columns=columns)

    def formula(row: int, column: str) -> str | None:
        if column != columns[-1]:
            return None
        *_, z, p = rows[row]
        total = float(np.exp(logits[row // len(VOCABULARY)]).sum())
        filled = rf"\frac{{e^{{{number(z)}}}}}{{{number(total)}}} = {number(p)}"
        return rf"\frac{{e^{{z_i}}}}{{\sum_j e^{{z_j}}}} = {filled}"

    return table, formula


def draws_table(drawn: Counter[str]) -> pd.DataFrame:
    """Return captions with how often each was drawn, the most frequent first."""
    return pd.DataFrame(drawn.most_common(), columns=name_columns("caption", "drawn"))


def patch_words_table(
    captions: dict[str, WrittenCaption], looks: dict[str, np.ndarray], drops: dict
) -> pd.DataFrame:
    """Return for every word and patch the attention that is shown, and what painting the patch over takes from p."""
    rows = [
        (name_decoder(decoder), t + 1, word, place + 1, looks[decoder][t, place], drops[decoder][t, place])
        for decoder, written in captions.items()
        for t, word in enumerate(written.words)
        for place in range(looks[decoder].shape[1])
    ]
    return pd.DataFrame(rows, columns=name_columns("decoder", "step", "word", "patch", "attention", "drop"))
