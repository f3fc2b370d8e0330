"""What the story of two directions draws: a chain of states, probabilities and errors as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node
from core.models.documents.recurrent_tagger import AHEAD, BOTH
from core.models.documents.three_taggers import HMM
from core.words.numbers import percent
from pages.documents.two_directions import LESSON

WORDS = LESSON.words
HUES = {HMM: "grey", AHEAD: "ochre", BOTH: "blue"}


def draw_chain(words: Sequence[str], at: int, back: bool, p: float, tag: str) -> dict:
    """Return a sentence with its states from the left, from the right too if `back`, and p(tag) of the word `at`.

    With both, the states from the left are above the left half of their words and those from the right above the right
    half: so an arrow leads from the word to each, and from each to p(tag).
    """
    n = len(words)
    step, wide = 96 / n, 82 / n
    state = wide * (0.46 if back else 1)
    nodes, arrows = [], []

    def put(key: str, t: int, y: float, **more: object) -> None:
        x, width = 2 + t * step, wide if key == "word" else state
        x += wide - width if key == "back" else 0
        nodes.append(node(f"{key}.{t}", "box", (x, y, width, 13), (x, y, width, 12), **more))

    for t, word in enumerate(words):
        read = back or t <= at
        put("word", t, 84, title=word, state="" if read else "faint")
        put("ahead", t, 56, title="→", hue="ochre" if t <= at else "", state="" if t <= at else "faint")
        arrows.append(arrow(f"word.{t}", f"ahead.{t}", hue="ochre" if back and t <= at else "", weight=0.1))
        if t:
            arrows.append(arrow(f"ahead.{t - 1}", f"ahead.{t}", hue="ochre" if t <= at else "", weight=0.3))
        if back:
            put("back", t, 32, title="←", hue="blue" if t >= at else "", state="" if t >= at else "faint")
            arrows.append(arrow(f"word.{t}", f"back.{t}", hue="blue" if t >= at else "", weight=0.1))
            if t:
                arrows.append(arrow(f"back.{t}", f"back.{t - 1}", hue="blue" if t > at else "", weight=0.3))
    text = WORDS.label("p.tag", tag=tag, p=p)
    middle = min(max(2 + at * step + wide / 2 - 18, 0), 64)
    nodes.append(
        node("p", "box", (middle, 4, 36, 15), (max(0, middle - 6), 4, 48, 14), title=text, hue="green")
    )
    arrows.append(arrow(f"ahead.{at}", "p", hue="ochre", weight=0.3))
    if back:
        arrows.append(arrow(f"back.{at}", "p", hue="blue", weight=0.3))
    return machine(nodes, arrows)


def draw_taggers(
    title: str, values: Mapping[str, float], most: float, best: str = "", digits: int = 0
) -> dict:
    """Return a bar for each tagger."""
    rows = [
        make_row(
            WORDS.label(f"way.{way}"),
            f"row.{way}",
            float(value),
            percent(value, digits),
            kind="best" if way == best else "plain",
            hue=HUES[way],
        )
        for way, value in values.items()
    ]
    return join_panels(make_panel(title, most, rows))


def draw_moves(title: str, moves: Mapping[str, tuple[float, float]], told: bool) -> dict:
    """Return for each tagger a probability with the complete sentence, and with the rest cut off."""
    rows = []
    for way, (whole, cut) in moves.items():
        for key, value in (("complete", whole), ("cut", cut)):
            shown = told or key == "complete"
            rows.append(
                make_row(
                    WORDS.label(f"row.{key}", way=WORDS.label(f"way.{way}")),
                    f"row.{way}.{key}",
                    float(value) if shown else 0,
                    percent(value, 0) if shown else "?",
                    hue=HUES[way],
                    kind="plain" if key == "complete" else "best",
                )
            )
    return join_panels(make_panel(title, 1.25, rows))


def draw_errors(errors: Mapping[str, Mapping[str, float]]) -> dict:
    """Return a panel of error rates by tag for each tagger."""
    most = 1.3 * max(share for shares in errors.values() for share in shares.values())
    panels = [
        make_panel(
            WORDS.label(f"way.{way}"),
            most,
            [
                make_row(WORDS.label(f"tag.{tag}"), f"{way}.{tag}", share, f"{share:.1%}", hue=HUES[way])
                for tag, share in shares.items()
            ],
        )
        for way, shares in errors.items()
    ]
    return join_panels(*panels)
