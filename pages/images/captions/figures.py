"""What the story of image captioning draws: one step of a caption, the machine, attention by word, errors, and draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.figures.images.captions import LIKELIEST, Column, caption_columns, rank_caption_words
from core.figures.images.patches import PatchBoard
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, point, share_bar
from core.models.images.captioner import MARKS
from core.models.images.measured_attention import ROLES
from core.models.images.written_caption import WrittenCaption
from core.words.numbers import percent, short_percent

Say = Callable[..., str]
IMAGE, LOOKED, WRITTEN = "green", "vermillion", "blue"


def draw_step(
    board: PatchBoard,
    written: WrittenCaption,
    t: int,
    *panels: tuple[str, np.ndarray | None],
    truth: str = "",
    said: bool = True,
    chosen: int = -1,
) -> dict:
    """Return one step of a caption: its words, and the image under squares for each panel's title and values (T, N).

    Without `said` the words are left out; <end> always is. The patch `chosen` is framed.
    """
    blank = np.zeros((len(written.words), board.across**2), dtype=np.float32)
    columns = [Column(title, blank if values is None else values, written, truth) for title, values in panels]
    data = caption_columns(board, columns, "", False)
    for column in data["columns"]:
        column["words"] = [word for word in column["words"] if said and word not in MARKS]
        column["likeliest"] = []
    return {**data, "start": t, "chosen": chosen, "bare": True}


def draw_machine(say: Say, written: WrittenCaption, t: int) -> dict:
    """Return the captioner before word `t`: the image's states, the attention on them, the decoder, the next words."""
    weights = written.weights[0, 0, t]
    before = written.words[t - 1] if t else say("token.start")
    chances = [
        share_bar(word, p, short_percent(p), WRITTEN, i == 0)
        for i, (word, p) in enumerate(rank_caption_words(written.steps[t].trace.logits)[:LIKELIEST])
    ]
    shades = [round(float(a / weights.max()), 3) for a in weights]
    nodes = [
        node("image", "token", (0, 12, 15, 15), (0, 3, 22, 9), title=say("token.image"), hue=IMAGE),
        node("cnn", "box", (21, 8, 20, 23), (28, 1, 26, 13), title=say("box.cnn"), note=say("box.cnn.note")),
        node(
            "states",
            "grid",
            (44, 0, 21, 44),
            (60, 0, 40, 27),
            title=say("box.states"),
            grid=shades,
            across=8,
        ),
        point("sum", "plus", (76, 22), (80, 33)),
        node("context", "box", (81, 12, 19, 20), (60, 39, 40, 11), title=say("box.context"), hue=LOOKED),
        node("before", "token", (0, 66, 17, 15), (0, 44, 26, 9), title=before, hue=WRITTEN),
        node(
            "gru", "box", (34, 62, 22, 27), (12, 58, 34, 14), title=say("box.gru"), note=say("box.gru.note")
        ),
        node("next", "bars", (67, 56, 33, 44), (10, 76, 90, 24), title=say("bars.next"), bars=chances),
    ]
    ways = [
        arrow("image", "cnn", hue=IMAGE, weight=0.25),
        arrow("cnn", "states", hue=IMAGE, weight=0.25),
        arrow("states", "sum", hue=LOOKED, weight=0.3),
        arrow("sum", "context", hue=LOOKED, weight=0.3),
        arrow("before", "gru", hue=WRITTEN, weight=0.25),
        arrow("gru", "states", "away", text=say("arrow.asks")),
        arrow("context", "gru", hue=LOOKED, weight=0.25),
        arrow("gru", "next", hue=WRITTEN, weight=0.3),
    ]
    return machine(nodes, ways)


def draw_groups(say: Say, shares: np.ndarray) -> dict:
    """Return the attention on the first and on the second group at each word, shares (7, 2), as two panels of bars."""
    panels = []
    for group, hue in enumerate(("ochre", "blue")):
        rows = [
            make_row(say(f"role.{role}"), f"{role}.{group}", float(share), percent(float(share), 0), hue=hue)
            for role, share in zip(ROLES, shares[:, group], strict=True)
        ]
        panels.append(make_panel(say(f"title.group_{group + 1}"), 1.25, rows))
    return join_panels(*panels)


def draw_errors(say: Say, errors: Mapping[str, Sequence[float]]) -> dict:
    """Return the share of wrong captions of each decoder, on combinations that were seen in training and on others."""
    panels = []
    for decoder, shares in errors.items():
        rows = [
            make_row(say(f"row.{kind}"), f"{decoder}.{kind}", share, percent(share), hue=hue)
            for kind, hue, share in zip(("seen", "unseen"), ("blue", "vermillion"), shares, strict=True)
        ]
        panels.append(make_panel(say(f"title.{decoder}"), 0.032, rows))
    return join_panels(*panels)


def draw_counts(say: Say, drawn: Counter[str], truth: str, most: int) -> dict:
    """Return a bar for each of the most frequent captions, at most `most`, and one for all others together."""
    kept = drawn.most_common(most)
    rows = [
        make_row(caption, f"caption.{i}", n, str(n), kind="best" if caption == truth else "plain")
        for i, (caption, n) in enumerate(kept)
    ]
    if others := len(drawn) - len(kept):
        n = drawn.total() - sum(n for _, n in kept)
        rows.append(make_row(say("row.others", others=others), "others", n, str(n), kind="faint"))
    return join_panels(make_panel(say("title.drawn"), 1.15 * drawn.total(), rows))
