"""Pin and compare: show the result of pinned settings beside the result of the present ones.

The query holds both: the present settings as usual, and the pinned ones in `pin`, as a link without the host. The run with
the pinned settings stores its result in the session. If there is no such result, as when a link is opened, the browser
visits the pinned settings first and then comes back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

import pandas as pd
import streamlit as st

from core.lesson import live_values
from core.lesson.beats import BEAT
from core.lesson.controls import TAB, Controls
from core.lesson.lab_words import LAB_WORDS
from core.words.plain import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


PIN = "pin"  # query parameter: the pinned settings
THEN = "pin_then"  # query parameter while the browser visits the pinned settings: where it goes next
DRAWN = "pin_drawn"  # in the session: the Result of the present run
KEPT = "pin_kept"  # in the session: the pinned Result
NUMBER = re.compile(r"([+−-]?)(\d[\d,]*(?:\.\d+)?)( ?%)?")
LETTERS_AT_MOST = (
    60  # of a value that is not a number; longer values are sentences, shown below their pictures
)


@dataclass
class Result:
    """What a run showed: its settings as a link, a function that draws its first picture again, its caption and values."""

    link: str = ""
    draw: Callable[[], object] | None = None
    sentence: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


def begin() -> None:
    """Begin a run: if settings are pinned, start a new Result."""
    st.session_state[DRAWN] = Result() if PIN in st.query_params else None


def drew(draw: Callable[[], object]) -> None:
    """Store how to draw the run's picture again; only the first picture of a run is stored."""
    run = st.session_state.get(DRAWN)
    if run and run.draw is None:
        run.draw = draw


def link_now(lesson: Controls) -> str:
    """Return the present settings as a link without the host. Steps of views are left out."""
    away = {BEAT, PIN, THEN, lesson.key(TAB)}
    names = (name for name in sorted(st.query_params) if name not in away and not name.endswith("_step"))
    return f"{lesson.name}?{urlencode([(name, value) for name in names for value in st.query_params.get_all(name)])}"


def linked(lesson: Controls, field: str) -> str:
    """Return the link in a query parameter if it leads to this lesson, else ""."""
    link = st.query_params.get(field, "")
    return link if link.startswith(f"{lesson.name}?") else ""


def pin(lesson: Controls, on: bool) -> None:
    """Pin the present settings, or remove the pin."""
    st.session_state.pop(KEPT, None)
    if on:
        st.query_params[PIN] = link_now(lesson)
    else:
        st.query_params.pop(PIN, None)


def compared(lesson: Controls) -> DeltaGenerator:
    """Return the container for the present picture: full width, or the right half if something is pinned."""
    if not linked(lesson, PIN):
        return st.container()
    left, right = st.columns(2, gap="medium")
    lesson.set_state("pin_boxes", (left, st.container()))
    right.caption(LAB_WORDS.label("pin.now"))
    return right


def end_run(lesson: Controls) -> dict:
    """End a run: store its result if its settings are the pinned ones, and draw the comparison.

    Return data for the browser: `pinned`, and `go`, the link that the browser must visit next, or None.
    """
    link, boxes = linked(lesson, PIN), lesson.pop_state("pin_boxes")
    if not link:
        return {"pinned": False, "go": None}
    now, run = link_now(lesson), st.session_state.get(DRAWN) or Result()
    kept, then = st.session_state.get(KEPT), linked(lesson, THEN)
    values = live_values.values()
    if then or (now == link and run.draw):  # the page may have changed more settings by itself
        kept = st.session_state[KEPT] = Result(link, run.draw, values.get("says", ""), values)
    if then:
        return {"pinned": True, "go": f"{then}&{urlencode({PIN: link})}"}
    if kept and kept.link == link:
        if boxes:
            show_both(lesson, kept, now, *boxes)
        return {"pinned": True, "go": None}
    return {"pinned": True, "go": None if now == link else f"{link}&{urlencode({PIN: link, THEN: now})}"}


def show_both(lesson: Controls, kept: Result, now: str, left: DeltaGenerator, below: DeltaGenerator) -> None:
    """Draw the pinned picture with its caption, and below both pictures the settings and values that differ."""
    with left:
        st.caption(f":material/keep: {LAB_WORDS.label('pin.pinned')}")
        if kept.draw is None:
            st.caption(LAB_WORDS.label("pin.nothing"))
            return
        kept.draw()
        with st.container(key=lesson.key("says_pinned")):
            st.markdown(kept.sentence)
    with below:
        if now == kept.link:
            st.caption(LAB_WORDS.label("pin.change"))
            return
        st.caption(f"**{LAB_WORDS.label('pin.changed')}** {changed(kept.link, now)}")
        rows = differences(kept.values, live_values.values())
        if rows:
            columns = [LAB_WORDS.label(f"pin.column.{name}") for name in ("pinned", "now", "difference")]
            st.table(pd.DataFrame(rows, columns=["", *columns]).set_index(""))
        else:
            st.caption(LAB_WORDS.label("pin.same"))


def changed(before: str, after: str) -> str:
    """Return a sentence with the settings that differ between two links.

    >>> changed("zipf?zipf_k=20", "zipf?zipf_k=50&zipf_stops=true")
    'k: 20 → 50; stops: as at first → true'
    """
    old, new = ({}, {})
    for link, settings in ((before, old), (after, new)):
        for key, value in parse_qsl(link.partition("?")[2], keep_blank_values=True):
            settings.setdefault(key, []).append(value)
    lesson = before.partition("?")[0]
    return "; ".join(
        f"{plain(key.removeprefix(f'{lesson}_').replace('_', ' '))}: "
        + " → ".join(
            plain(", ".join(each[key])) if key in each else LAB_WORDS.label("pin.at_first")
            for each in (old, new)
        )
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    )


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[tuple[str, str, str, str]]:
    """Return (name, before, after, difference) of each value that differs; the difference is "" unless both are numbers.

    >>> differences({"D": "0.210", "N": "9", "half": "12%"}, {"D": "0.195", "N": "9", "half": "1,015%"})
    [('D', '0.210', '0.195', '−0.015'), ('half', '12%', '1,015%', '+1,003 points')]
    """
    rows = []
    for name in before:
        old, new = before[name], after.get(name, "")
        if name.startswith("says") or old == new or max(len(old), len(new)) > LETTERS_AT_MOST or not new:
            continue
        rows.append((name.replace("_", " "), old, new, difference(old, new)))
    return rows


def difference(before: str, after: str) -> str:
    """Return `after` minus `before` with as many decimals as they show; "" if one is not a number."""
    found = [NUMBER.fullmatch(text.replace("\\", "").strip()) for text in (before, after)]
    if not all(found) or bool(found[0][3]) != bool(found[1][3]):
        return ""
    old, new = (
        float(("-" if each[1] in "−-" and each[1] else "") + each[2].replace(",", "")) for each in found
    )
    digits = max(len(each[2].partition(".")[2]) for each in found)
    change = f"{new - old:+,.{digits}f}".replace("-", "−")
    return LAB_WORDS.label("pin.points", change=change) if found[0][3] else change
