"""What the story of CLIP draws: ranked scenes, the two encoders, a batch's matrix, the loss by scale, names as bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.figures.blank import blank, enlarge
from core.figures.figure import Figure, scatter
from core.figures.images.one_space import batch_board, card_of, gallery_board
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, vector
from core.figures.palette import BLUE, GREY, VERMILLION
from core.models.images.contrastive_loss import Contrast
from core.models.images.naming import Named
from core.models.images.retrieval import Ranking, Twins
from core.pictures.scenes import SIDE
from core.pictures.scenes_in_words import DrawnScene
from core.words.numbers import percent, signed

Say = Callable[..., str]
IMAGE, CAPTION = "green", "blue"
FIRST = 3  # numbers shown of a vector
NAMES = 5  # bars of names


def draw_ranked(
    say: Say, sentence: str, ranking: Ranking, scenes: Sequence[DrawnScene], true: np.ndarray, most: int
) -> dict:
    """Return the scenes nearest to a sentence, the nearest first, each with its cosine, which `say` names."""
    cards = [
        card_of(
            scenes[i].picture,
            int(i) + 1,
            f"{place}.",
            signed(ranking.products[i], 2),
            true[i],
            bool(true[i]),
            scenes[i].scene.caption,
        )
        for place, i in enumerate(ranking.order[:most], 1)
    ]
    board = gallery_board(cards, SIDE, "", say("measure.cosine"), sentence)
    return board | {"bare": True, "columns": most // 2, "said": [f"“{sentence}”"]}


def draw_twins(say: Say, pair: Twins, cosines: np.ndarray | None, frame: bool = True) -> dict:
    """Return two scenes and their captions; with cosines (2, 2), each image's with both captions.

    An image has a `frame` if its caption is nearer to it than to the other.
    """
    cards = []
    for i, scene in enumerate(pair.scenes):
        name = line = "?"
        if cosines is not None:
            name, line = (say("line.twin", j=j + 1, cosine=float(cosines[i, j])) for j in (0, 1))
        nearer = frame and cosines is not None and bool(cosines[i, i] > cosines[1 - i, i])
        cards.append(card_of(scene.picture, i + 1, name, line, chosen=nearer))
    said = [f"{i}. “{sentence}”" for i, sentence in enumerate(pair.sentences, 1)]
    return gallery_board(cards, SIDE, "") | {"bare": True, "columns": 2, "said": said}


def draw_encoders(say: Say, sentence: str, u: np.ndarray, v: np.ndarray) -> dict:
    """Return both encoders: an image and a caption go in, a vector of length one comes out of each, and their cosine."""
    most = float(max(np.abs(u[:FIRST]).max(), np.abs(v[:FIRST]).max()))
    nodes = [
        node("image", "token", (0, 9, 17, 17), (0, 3, 26, 11), title=say("token.image"), hue=IMAGE),
        node(
            "see",
            "box",
            (24, 4, 24, 27),
            (34, 0, 44, 17),
            title=say("box.see"),
            note=say("box.see.note"),
            hue=IMAGE,
        ),
        node("u", "cells", (56, 9, 26, 17), (34, 23, 62, 12), hue=IMAGE, cells=first_of(u, most)),
        node("u.of", "text", (56, 28, 26, 7), (0, 25, 30, 8), title=say("text.vector", of="u")),
        node("cosine", "box", (62, 41, 34, 18), (20, 43, 60, 14), title=say("box.cosine", c=float(u @ v))),
        node("v.of", "text", (56, 65, 26, 7), (0, 66, 30, 8), title=say("text.vector", of="v")),
        node("v", "cells", (56, 74, 26, 17), (34, 65, 62, 12), hue=CAPTION, cells=first_of(v, most)),
        node("caption", "token", (0, 72, 19, 21), (0, 84, 30, 16), title=sentence, hue=CAPTION),
        node(
            "read",
            "box",
            (24, 69, 24, 27),
            (38, 83, 44, 17),
            title=say("box.read"),
            note=say("box.read.note"),
            hue=CAPTION,
        ),
    ]
    ways = [("image", "see", IMAGE), ("see", "u", IMAGE), ("u", "cosine", IMAGE)]
    ways += [("caption", "read", CAPTION), ("read", "v", CAPTION), ("v", "cosine", CAPTION)]
    return machine(nodes, [arrow(a, b, hue=hue, weight=0.3) for a, b, hue in ways])


def first_of(x: np.ndarray, most: float) -> list[dict]:
    """Return the first numbers of a vector as cells, and one for all the others."""
    return [*vector(x, most, FIRST, 2), {"shade": 0.0, "text": "…"}]


def draw_batch(
    found: Contrast,
    scenes: Sequence[DrawnScene],
    sentences: Sequence[str],
    opened: int,
    heading: str,
    mixed: Contrast | None = None,
) -> dict:
    """Return a batch's matrix, the row of an image opened; without a heading the matrix alone.

    With `mixed`, the batch whose captions are moved by one, only the frames and the losses are that batch's.
    """
    board = batch_board(found, scenes, sentences, False, opened, heading)
    if mixed is not None:
        partners = board["partners"][1:] + board["partners"][:1]
        board |= {
            "partners": partners,
            "rows": mixed.rows.tolist(),
            "columns": mixed.columns.roll(1).tolist(),  # its column j is caption j + 1
        }
    return {
        **board,
        "bare": True,
        "terms": board["terms"] if heading else [],
        "sum": board["sum"] if heading else "",
    }


def draw_scales(say: Say, scales: np.ndarray, losses: Mapping[str, np.ndarray], learned: float) -> Figure:
    """Return the loss of two batches against the scale, the learned scale as a dashed line."""
    figure = blank(520, say("axis.scale"), say("axis.loss"))
    for (key, values), colour in zip(losses.items(), (BLUE, VERMILLION), strict=True):
        figure.add_trace(
            scatter(
                x=scales,
                y=values,
                mode="lines",
                name=say(f"line.{key}"),
                line={"color": colour, "width": 4},
                hoverinfo="skip",
            )
        )
    figure.add_vline(x=learned, line={"color": GREY, "dash": "dash", "width": 2})
    ends = np.log10(scales[[0, -1]]).tolist()
    figure.update_xaxes(type="log", tickvals=[5, 10, 20, 50, 100, 200, 400], range=ends)
    figure.update_yaxes(range=[0, 0.6])
    legend = {"x": 0.98, "y": 0.98, "xanchor": "right", "yanchor": "top", "orientation": "v"}
    return enlarge(figure, showlegend=True, legend=legend)


def draw_names(title: str, found: Named) -> dict:
    """Return a bar for each of the likeliest names."""
    p = found.probabilities.numpy()
    rows = [
        make_row(
            found.sentences[k],
            f"name.{i}",
            float(p[k]),
            percent(float(p[k]), 0),
            kind="plain" if i else "best",
        )
        for i, k in enumerate(np.argsort(-p, kind="stable")[:NAMES])
    ]
    return join_panels(make_panel(title, 1.2, rows))
