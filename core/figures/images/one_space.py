"""One space of pictures and sentences: scenes in their order, a batch's matrix, temperature; the tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, heatmap, scatter
from core.figures.images import WORDS, name_columns
from core.figures.packed import packed
from core.figures.palette import BLUE, GREY, SEQUENTIAL, VERMILLION
from core.figures.worked import dot_product, number
from core.models.images.contrastive_loss import Contrast
from core.models.images.naming import Named
from core.models.images.retrieval import Ranking, Twins
from core.models.stored import Card
from core.pictures.scenes_in_words import DrawnScene
from core.words.numbers import plain_number, signed

ENDS = ("", ", 95% from", ", 95% to")  # of a measure and of its interval, in a card


def pixels(picture: np.ndarray) -> str:
    """Return a picture (3, S, S) from 0 to 1 as the base64 of its bytes, pixel by pixel.

    >>> pixels(np.ones((3, 1, 1)))
    '////'
    """
    return packed(np.rint(255 * np.clip(picture.transpose(1, 2, 0), 0, 1)), "u1")


def card_of(
    picture: np.ndarray,
    number: int,
    name: str = "",
    line: str = "",
    true: bool = False,
    chosen: bool = False,
    caption: str = "",
) -> dict:
    """Return one scene of the view `ranked_scenes`; without a name it is called by its number.

    Its `caption` says what is drawn to whoever does not see it.
    """
    return {
        "number": number,
        "pixels": pixels(picture),
        "name": name or WORDS.label("one_space.scene", i=number),
        "line": line,
        "true": bool(true),
        "chosen": bool(chosen),
        **({"caption": caption} if caption else {}),
    }


def ranked_cards(
    ranking: Ranking, scenes: Sequence[DrawnScene], true: np.ndarray, chosen: int, most: int
) -> list[dict]:
    """Return the scenes with the highest numbers first, as the view `ranked_scenes` needs them."""
    return [
        card_of(
            scenes[i].picture,
            int(i) + 1,
            WORDS.label("one_space.ranked", place=place, i=int(i) + 1),
            signed(ranking.products[i], 3),
            bool(true[i]),
            i + 1 == chosen,
            scenes[i].scene.caption,
        )
        for place, i in enumerate(ranking.order[:most], start=1)
    ]


def gallery_board(cards: list[dict], side: int, note: str, measure: str = "", sentence: str = "") -> dict:
    """Return what the view `ranked_scenes` needs; `measure` is what the scenes are ordered by, with a sentence."""
    ordered = {"measure": measure, "sentence": sentence} if measure else {}
    return {"side": side, "scenes": cards, "note": note, **ordered}


def twin_cards(pair: Twins, cosines: torch.Tensor) -> list[dict]:
    """Return two scenes, each with its cosines with both sentences; cosines (2, 2), the pictures' rows."""
    return [
        card_of(
            each.picture,
            place,
            WORDS.label("one_space.picture", i=place),
            " ".join(f"{k}: {signed(c, 3)}" for k, c in enumerate(row, 1)),
            caption=pair.sentences[place - 1],
        )
        for place, (each, row) in enumerate(zip(pair.scenes, cosines.tolist(), strict=True), 1)
    ]


def batch_board(
    found: Contrast,
    scenes: Sequence[DrawnScene],
    sentences: Sequence[str],
    column: bool,
    chosen: int,
    heading: str = "",
    note: str = "",
) -> dict:
    """Return what the view `batch` needs: the matrix, and the row or column that is opened, a term a cell."""
    shares = found.by_sentence if column else found.by_picture
    line = (slice(None), chosen) if column else (chosen, slice(None))
    B = len(scenes)
    words = (
        [WORDS.label("one_space.picture", i=i + 1) for i in range(B)]
        if column
        else [f"{j + 1}. {each}" for j, each in enumerate(sentences)]
    )
    terms = [
        {
            "words": words[k],
            "similarity": float(found.similarity[line][k]),
            "share": float(shares[line][k]),
            "right": k == chosen,
            "number": k,
            "isPicture": column,
        }
        for k in range(B)
    ]
    loss = float((found.columns if column else found.rows)[chosen])
    total = float(found.similarity[line].double().exp().sum())
    own = float(found.similarity[line][chosen])
    return {
        "side": scenes[0].picture.shape[-1],
        "pictures": [pixels(each.picture) for each in scenes],
        "products": found.products.tolist(),
        "shares": shares.tolist(),
        "rows": found.rows.tolist(),
        "columns": found.columns.tolist(),
        "partners": list(range(B)),
        "column": column,
        "chosen": chosen,
        "heading": heading,
        "terms": terms,
        "sum": f"−ln(e^{signed(own, 4)} / {plain_number(total, 6)}) = {loss:.4f}",
        "note": note,
    }


def cosine_figure(products: np.ndarray) -> Figure:
    """Return a batch's cosines as a heat map for the lesson's card, the pictures' rows from the top."""
    figure = blank(300)
    figure.add_trace(
        heatmap(
            z=np.round(products, 4),
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            showscale=False,
        )
    )
    return small(figure.update_yaxes(autorange="reversed"))


def temperature_figure(
    scales: np.ndarray, losses: np.ndarray, chosen: tuple[float, float], learned: float, title: str
) -> Figure:
    """Return the batch's loss against exp(t): the line, the chosen place, and the learned one; `title` of the axis."""
    figure = blank(300, title, WORDS.label("one_space.loss"))
    figure.add_trace(
        scatter(
            x=scales,
            y=losses,
            mode="lines",
            line={"color": BLUE, "width": 3},
            name=WORDS.label("one_space.loss"),
            hovertemplate=WORDS.label("one_space.loss.hover") + "<extra></extra>",
        )
    )
    figure.add_trace(
        scatter(
            x=[chosen[0]],
            y=[chosen[1]],
            mode="markers",
            marker={"size": 14, "color": VERMILLION},
            name=WORDS.label("one_space.here"),
        )
    )
    figure.add_vline(x=learned, line={"color": GREY, "dash": "dash", "width": 2})
    figure.update_xaxes(type="log", tickvals=[0.5, 1, 2, 5, 10, 20, 50, 100])
    return figure.update_yaxes(rangemode="tozero")


# Tables, with the formula of each cell.


def measures_table(card: Card) -> pd.DataFrame:
    """Return how often the right one is found, both ways, on combinations that were learned from and on others."""
    rows = []
    for key, way in (("sentence", "sentence to picture"), ("picture", "picture to sentence")):
        for kept, which in (("held", "held out"), ("new", "combination never seen")):
            measured = [
                WORDS.label("one_space.interval", **dict(zip(("share", "low", "high"), found, strict=True)))
                for found in (
                    [card.quality[f"{way}, recall@{k}, {which}{end}"] for end in ENDS] for k in (1, 5)
                )
            ]
            rows.append(
                (WORDS.label(f"one_space.search.{key}"), WORDS.label(f"one_space.scenes.{kept}"), *measured)
            )
    return pd.DataFrame(rows, columns=name_columns("search", "scenes", "one", "five"))


def ranking_table(ranking: Ranking, scenes: Sequence[DrawnScene]) -> tuple[pd.DataFrame, object]:
    """Return every scene with its caption and its number, the highest first; the number is worked out."""
    order = ranking.order
    names = name_columns("scene", "caption", "product")
    cells = (order + 1, [scenes[i].scene.caption for i in order], ranking.products[order])
    table = pd.DataFrame(dict(zip(names, cells, strict=True)))

    def formula(row: int, column: str) -> str | None:
        return dot_product(ranking.pictures[order[row]], ranking.sentence) if column == names[-1] else None

    return table, formula


def contrast_table(found: Contrast, sentences: Sequence[str]) -> tuple[pd.DataFrame, object]:
    """Return each pair of a batch with its similarity, both probabilities and both losses."""
    names = name_columns("sentence", "s", "p_row", "p_column", "loss_row", "loss_column")
    cells = (
        sentences,
        found.similarity.diagonal().numpy(),
        found.by_picture.diagonal().numpy(),
        found.by_sentence.diagonal().numpy(),
        found.rows.numpy(),
        found.columns.numpy(),
    )
    table = pd.DataFrame(dict(zip(names, cells, strict=True)))

    def formula(row: int, column: str) -> str | None:
        place, s = names.index(column), float(found.similarity[row, row])
        if place == 1:
            return rf"{number(found.scale)} \cdot {number(float(found.products[row, row]))} = {number(s)}"
        if place in (2, 3):
            line = found.similarity[row] if place == 2 else found.similarity[:, row]
            total = float(line.double().exp().sum())
            return rf"\frac{{e^{{{number(s)}}}}}{{{number(total)}}} = {number(float(cells[place][row]))}"
        if place > 3:
            return rf"-\ln {number(float(cells[place - 2][row]))} = {number(float(cells[place][row]))}"
        return None

    return table, formula


def names_table(named: Named, scale: float) -> tuple[pd.DataFrame, object]:
    """Return every sentence with its cosine and its probability, the likeliest first."""
    order = torch.argsort(named.cosines, descending=True, stable=True).tolist()
    cosines, p = named.cosines.double().numpy(), named.probabilities.numpy()
    names = name_columns("sentence", "cosine", "p")
    cells = ([named.sentences[k] for k in order], cosines[order], p[order])
    table = pd.DataFrame(dict(zip(names, cells, strict=True)))
    total = float(np.exp(scale * cosines).sum())

    def formula(row: int, column: str) -> str | None:
        if column != names[-1]:
            return None
        c = number(cosines[order[row]])
        return rf"\frac{{e^{{{number(scale)} \cdot {c}}}}}{{{number(total)}}} = {number(p[order[row]])}"

    return table, formula
