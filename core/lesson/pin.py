"""Pin and compare: a lesson's result is kept beside what comes of other settings.

The address says both: its own fields are the settings now, its field `pin` holds the pinned ones, as a link without its
host. A result is kept by the run whose settings are the pinned ones. Where a link is opened that no run has come to yet,
the browser goes to the pinned settings first and then comes back, so that both results are computed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

import pandas as pd
import streamlit as st

from core.lesson.beats import BEAT
from core.lesson.live_values import told
from core.lesson.plain import plain

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from core.lesson.lesson import Lesson

PIN = "pin"  # in the address: the pinned settings
THEN = "pin_then"  # in the address, while the browser is at the pinned settings: where it goes afterwards
DRAWN = "pin_drawn"  # what the run that goes on has drawn
KEPT = "pin_kept"  # the pinned result, in this session
NUMBER = re.compile(r"([+−-]?)(\d[\d,]*(?:\.\d+)?)( ?%)?")
LETTERS_AT_MOST = (
    60  # of a value that is no number; longer ones are sentences, which stand below their pictures
)


@dataclass
class Result:
    """What a run showed: its settings as a link, its first picture, to be drawn again, its sentence and its values."""

    link: str = ""
    draw: Callable[[], object] | None = None
    sentence: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


def begin() -> None:
    """Begin a run: nothing is drawn yet; what will be is noted where something is pinned."""
    st.session_state[DRAWN] = Result() if PIN in st.query_params else None


def drew(draw: Callable[[], object]) -> None:
    """Note how the run's picture is drawn again; the first one counts."""
    run = st.session_state.get(DRAWN)
    if run and run.draw is None:
        run.draw = draw


def link_now(lesson: Lesson) -> str:
    """Return the settings as they stand, as a link without its host; a view's step is not one of them."""
    away = {BEAT, PIN, THEN, lesson.key("below")}
    names = (name for name in sorted(st.query_params) if name not in away and not name.endswith("_step"))
    return f"{lesson.name}?{urlencode([(name, value) for name in names for value in st.query_params.get_all(name)])}"


def linked(lesson: Lesson, field: str) -> str:
    """Return the link that a field of the address holds if it leads to this lesson, else nothing."""
    link = st.query_params.get(field, "")
    return link if link.startswith(f"{lesson.name}?") else ""


def pin(lesson: Lesson, on: bool) -> None:
    """Pin the settings as they stand, or let the pin go."""
    st.session_state.pop(KEPT, None)
    if on:
        st.query_params[PIN] = link_now(lesson)
    else:
        st.query_params.pop(PIN, None)


def compared(lesson: Lesson) -> DeltaGenerator:
    """Return the container of the present picture: the page's width, or its right half beside the pinned one."""
    if not linked(lesson, PIN):
        return st.container()
    left, right = st.columns(2, gap="medium")
    lesson.put("pin_boxes", (left, st.container()))
    right.caption("Now")
    return right


def end(lesson: Lesson) -> dict:
    """End a run: keep its result if it is the pinned one, set both side by side; return what the browser is to know.

    That is `pinned`, and `go`: the address to go to, if the browser has to.
    """
    link, boxes = linked(lesson, PIN), lesson.take("pin_boxes")
    if not link:
        return {"pinned": False, "go": None}
    now, run = link_now(lesson), st.session_state.get(DRAWN) or Result()
    kept, then = st.session_state.get(KEPT), linked(lesson, THEN)
    if then or (now == link and run.draw):  # where the browser was sent, the page may have set more by itself
        kept = st.session_state[KEPT] = Result(link, run.draw, told().get("says", ""), dict(told()))
    if then:
        return {"pinned": True, "go": f"{then}&{urlencode({PIN: link})}"}
    if kept and kept.link == link:
        if boxes:
            show_both(lesson, kept, now, *boxes)
        return {"pinned": True, "go": None}
    return {"pinned": True, "go": None if now == link else f"{link}&{urlencode({PIN: link, THEN: now})}"}


def show_both(lesson: Lesson, kept: Result, now: str, left: DeltaGenerator, below: DeltaGenerator) -> None:
    """Draw the pinned picture with its sentence, and below both what differs."""
    with left:
        st.caption("📌 Pinned")
        if kept.draw is None:
            st.caption("There was no picture to pin: perhaps it waits for a guess.")
            return
        kept.draw()
        with st.container(key=lesson.key("says_pinned")):
            st.markdown(kept.sentence)
    with below:
        if now == kept.link:
            st.caption("What you pinned stands on the left. Now change one setting: both stay in sight.")
            return
        st.caption(f"**Changed:** {changed(kept.link, now)}")
        rows = differences(kept.values, told())
        if rows:
            st.table(pd.DataFrame(rows, columns=["", "pinned", "now", "difference"]).set_index(""))
        else:
            st.caption("No value that this lesson tells differs.")


def changed(before: str, after: str) -> str:
    """Return in words which settings differ between two links.

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
        + " → ".join(plain(", ".join(each[key])) if key in each else "as at first" for each in (old, new))
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    )


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[tuple[str, str, str, str]]:
    """Return the values that differ: name, before, after and, where both are numbers, the difference of what is shown.

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
    """Return the second number less the first, with as many digits as they show; nothing where one is no number."""
    found = [NUMBER.fullmatch(text.replace("\\", "").strip()) for text in (before, after)]
    if not all(found) or bool(found[0][3]) != bool(found[1][3]):
        return ""
    old, new = (
        float(("-" if each[1] in "−-" and each[1] else "") + each[2].replace(",", "")) for each in found
    )
    digits = max(len(each[2].partition(".")[2]) for each in found)
    return f"{new - old:+,.{digits}f}".replace("-", "−") + (" points" if found[0][3] else "")
