"""Attention as soft lookup: what the story shows beat by beat, and the lab of any keys, values and kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import DO, Beat, Part, ask, end, look
from core.models.translation.kernel_smoothing import (
    Lookup,
    dictionary_lookup,
    kernel,
    kernel_quotient,
    nearest_value,
    nearness,
    product_scores,
    soft_lookup,
    softmax,
)
from core.models.translation.translate import Translated, stored_translator, translated
from core.text.reading.decoding import TextError
from core.text.reading.entries import LARGEST, read_points, written_points
from core.words.numbers import plain_number
from core.words.plain import plain
from pages.translation.shared.score_rows import draw_rows
from pages.translation.soft_lookup import LESSON, TEMPERATURES
from pages.translation.soft_lookup.figures import (
    EXACT,
    WAYS,
    bandwidth_figure,
    curves_figure,
    line_of,
    look_up,
    lookup_payload,
    worked_lookup,
)

WORDS = LESSON.words
KEYS, VALUES = read_points(TEMPERATURES)
WIDTH, NARROW, WIDE = 1.5, 0.05, 100.0  # bandwidths of the story
SENTENCE, AT = "the little girl reads the red book .", 6  # what is translated, and the step that is shown
EXAMPLES = (SENTENCE,)
LEAST, MOST = 1e-6, 1e6  # bandwidths that can be chosen
ENDS = {"narrow": 1e-9, "wide": 1e6}  # bandwidths, in distances of the farthest key from the query
POINTS, WAY = Text("points", TEMPERATURES, 2000), Choice("way", "gaussian", WAYS, {"exact key": EXACT})
QUERY, BANDWIDTH = Slider("query", 10.0, -LARGEST, LARGEST, 0.5), Slider("bandwidth", 3.0, LEAST, MOST, 0.1)
EXTREME = Switch("ends")
END = Choice("end", "narrow", tuple(ENDS), {"too narrow": "narrow", "too wide": "wide"})
OWN = (Slider("query", 18.0, 4, 23, 0.1), Slider("bandwidth", 0.2, 0.1, 20, 0.1))
LAB = (POINTS, WAY, QUERY, BANDWIDTH, EXTREME, END)


# The story: six temperatures.


def find(settings: Settings) -> Lookup:
    """Return the look-up of a beat's query."""
    return look_up([settings.query], KEYS, VALUES, settings.bandwidth, settings.way)


def draw(settings: Settings, **parts: object) -> dict:
    """Return the picture of a beat's look-up."""
    asked = settings.query, settings.bandwidth, settings.way
    return lookup_payload(KEYS, VALUES, *asked, story=True, **parts)


def show_points(settings: Settings) -> Part:
    """One query and its answer, without the curve."""
    found = find(settings)
    near = np.flatnonzero(found.weights[0])
    values = {"answer": found.result[0], "keys": [f"{KEYS[i]:g}" for i in near]}
    values["values"] = [f"{VALUES[i]:g}" for i in near]
    return Part("soft_lookup", draw(settings, curve=False), values)


def ask_moved(settings: Settings) -> Part:
    """The same window at another query; the answer draws the results of all queries."""
    before, after = look_up([9.0, 9.5], KEYS, VALUES, settings.bandwidth, settings.way).result
    values = {"before": before, "after": after, "step": after - before}
    shown = settings if settings.revealed else Settings({**settings, "query": 9.0})
    data = draw(shown, hidden=not settings.revealed)
    return Part("soft_lookup", data, values, {}, ("smooth", "jump", "same"), "jump")


def show_curve(settings: Settings) -> Part:
    """The Gaussian's answer to one query and to all others."""
    found = find(settings)
    values = {"answer": found.result[0], "weights": found.weights[0].tolist()}
    return Part("soft_lookup", draw(settings), values)


def usual() -> dict:
    """Return the curve of the story's own bandwidth as a dashed line."""
    return line_of(WIDTH, WORDS.label("line.usual", b=WIDTH), 18.6, "right")


def ask_narrow(settings: Settings) -> Part:
    """A bandwidth of almost nothing; the answer draws the stairs."""
    values = {"nearest": nearest_value(settings.query, KEYS, VALUES)}
    data = draw(settings, hidden=not settings.revealed, lines=[usual()])
    return Part("soft_lookup", data, values, {}, ("flat", "stairs", "same"), "stairs")


def show_wide(settings: Settings) -> Part:
    """A bandwidth far wider than the day."""
    found = find(settings)
    values = {"answer": found.result[0], "weight": found.weights[0].mean(), "keys": len(KEYS)}
    return Part("soft_lookup", draw(settings, lines=[usual()]), values)


def show_softmax(settings: Settings) -> Part:
    """The scores of the six keys, and the softmax of them."""
    found = find(settings)
    names = [WORDS.label("row.key", key=f"{key:g}") for key in KEYS]
    title = WORDS.label("panel.softmax", q=f"{settings.query:g}", b=settings.bandwidth)
    labels = title, WORDS.label("heading.score"), WORDS.label("story.weight")
    data = draw_rows(names, found.scores[0], found.weights[0], (-30, 0), labels)
    powers = np.exp(found.scores[0])
    best = int(powers.argmax())
    values = {"power": powers[best], "total": powers.sum(), "weight": found.weights[0][best]}
    return Part("score_weights", data, values | {"key": f"{KEYS[best]:g}", "score": found.scores[0][best]})


@cache
def translation() -> Translated:
    """Return what a stored translator writes for the story's sentence."""
    return translated(stored_translator("translate_french_additive"), SENTENCE.split())


def show_translator(settings: Settings) -> Part:
    """A trained translator's look-up among the words of a sentence, at one step."""
    made = translation()
    scores, weights = made.translation.steps.scores[0, AT].numpy(), made.weights[AT]
    title = WORDS.label("panel.translator", word=made.outputs[AT])
    labels = title, WORDS.label("heading.learned"), WORDS.label("story.weight")
    data = draw_rows(made.inputs, scores, weights, (0, 20), labels, 1)
    best = int(weights.argmax())
    values = {"word": made.outputs[AT], "input": made.inputs[best], "weight": weights[best]}
    values["words"] = made.written[:-1]
    return Part("score_weights", data, values | {"place": best + 1, "n": len(made.inputs)})


def show_own(settings: Settings) -> Part:
    """The learner's own query and bandwidth."""
    settings = Settings({**settings, "way": "gaussian"})
    weights = find(settings).weights[0]
    values = {"answer": find(settings).result[0], "top": weights.max(), "many": int((weights >= 0.01).sum())}
    return Part("soft_lookup", draw(settings, moves=True), values)


def take_query(moved: dict) -> dict[str, object]:
    """Return the setting that moving the query in the picture changes."""
    return {"query": moved["query"]}


def show_answer(settings: Settings) -> Part:
    """The curve between its two extremes."""
    lines = [
        line_of(NARROW, WORDS.label("line.narrow"), 14.2, "above"),
        line_of(WIDE, WORDS.label("line.wide"), 4.0, "start"),
    ]
    return Part("soft_lookup", draw(settings, lines=lines), {"answer": find(settings).result[0]})


STORY = (
    look("missing", show_points, way=EXACT, query=10.0, bandwidth=WIDTH),
    look("window", show_points, way="boxcar", query=10.0, bandwidth=2.5),
    ask("moved", ask_moved, way="boxcar", query=9.5, bandwidth=2.5),
    look("bell", show_curve, way="gaussian", query=10.0, bandwidth=WIDTH),
    ask("narrow", ask_narrow, way="gaussian", query=10.0, bandwidth=NARROW),
    look("wide", show_wide, way="gaussian", query=10.0, bandwidth=WIDE),
    Beat("own", DO, show_own, OWN, {}, (), {"lookup": take_query}),
    look("softmax", show_softmax, way="gaussian", query=10.0, bandwidth=WIDTH),
    look("translator", show_translator),
    end("answer", show_answer, way="gaussian", query=10.0, bandwidth=WIDTH),
)


# The lab: any keys and values, any kernel and bandwidth.


@dataclass(frozen=True)
class Asked:
    """What is looked up: `query` among `keys` with their `values`, by a kernel (`way`) of bandwidth b."""

    keys: list[float]
    values: list[float]
    query: float
    bandwidth: float
    way: str

    @property
    def found(self) -> Lookup:
        """What the look-up finds."""
        return look_up([self.query], self.keys, self.values, self.bandwidth, self.way)

    def at_end(self, end: str) -> Asked:
        """Return the same question at one end of the bandwidth."""
        reach = max(max(self.keys) - min(self.keys), *(abs(self.query - key) for key in self.keys))
        return replace(self, bandwidth=ENDS[end] * (reach or 1.0))


def lab() -> None:
    """A look-up by key and by kernel; its bandwidth's ends; three kernels; the Gaussian as a softmax."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        with LESSON.options():
            asked, why = ask_for()
        extreme = LESSON.draw(EXTREME)
        end = LESSON.draw(END) if extreme else None
    revealed = False
    with stage:
        if asked is None:
            st.warning(why)
            st.info(WORDS.label("waits"))
        else:
            drawn = asked.at_end(end) if end else asked
            revealed = guessed(drawn)
            data = lookup_payload(*vars(drawn).values(), not revealed)
            LESSON.view("soft_lookup", data, on={"lookup": move})
            if revealed:
                LESSON.say("says.found", describe(drawn))
            else:
                there = drawn.query in drawn.keys
                LESSON.say("says.asked", {"q": written(drawn.query), "n": len(drawn.keys), "there": there})
    if revealed:
        if end:
            weights = [each.found.weights.max() for each in (asked, drawn)]
            LESSON.compare("top", *weights, ".3f", None)
            st.markdown(WORDS.markdown("says.left", **what_is_left(asked, drawn, end)))
        show_folds(asked, drawn)
        LESSON.every_number("look-up", lookup_table, drawn)
    given = vars(asked) if asked else {}
    points = written_points(asked.keys, asked.values) if asked else TEMPERATURES
    names = ("query", "bandwidth", "way")
    LESSON.close_lab(
        code=[dictionary_lookup, soft_lookup, kernel, nearness, softmax, kernel_quotient, product_scores],
        parameters={"points": points, **{name: given[name] for name in names if given}},
        prompts={
            "exact": {"points": TEMPERATURES, "way": EXACT, "query": 9.0},
            "gap": {"points": TEMPERATURES, "way": "boxcar", "bandwidth": 1.0, "query": 10.5},
            "narrow": {"points": TEMPERATURES, "way": "gaussian", "bandwidth": 0.1, "query": 10.6},
        },
    )


def ask_for() -> tuple[Asked | None, str]:
    """Draw the fields; return what is asked or, while it cannot be read, None and a sentence that says why."""
    typed = LESSON.text_area(
        POINTS.name,
        WORDS.label("points"),
        TEMPERATURES,
        max_chars=POINTS.longest,
        height=80,
        help=WORDS.label("points.help"),
    )
    way = LESSON.draw(WAY)
    query = LESSON.number(
        QUERY.name, WORDS.label("query"), QUERY.least, LARGEST, QUERY.default, step=QUERY.step, format="%g"
    )
    bandwidth = LESSON.number(
        BANDWIDTH.name,
        WORDS.label("bandwidth"),
        LEAST,
        MOST,
        BANDWIDTH.default,
        step=BANDWIDTH.step,
        format="%g",
        disabled=way == EXACT,
    )
    try:
        keys, values = read_points(typed)
    except TextError as error:
        return None, plain(str(error))
    return Asked(keys, values, query, bandwidth, way), ""


def move(moved: dict | None) -> None:
    """Carry what was moved in the view over to the fields; an extreme bandwidth is not the learner's."""
    if moved is None:
        return
    LESSON.set_state("points", written_points(moved["keys"], moved["values"]))
    LESSON.set_state("query", float(moved["query"]))
    LESSON.set_state("way", moved["way"])
    if not LESSON.get_state("ends"):
        LESSON.set_state("bandwidth", min(MOST, max(LEAST, float(moved["bandwidth"]))))


def written(value: float) -> str:
    """Return a number as it is shown, with a true minus sign."""
    return f"{value:.4g}".replace("-", "−")


def shown(result: float) -> str:
    """Return a result as it is shown; a query that no key answers has none."""
    return WORDS.label("lab.none") if np.isnan(result) else written(result)


def guessed(asked: Asked) -> bool:
    """Ask for the result, if the learner predicts first; return whether it may be shown."""
    answer = shown(asked.found.result[0])
    nearest = shown(nearest_value(asked.query, asked.keys, asked.values))
    choices = {answer, nearest, shown(np.mean(asked.values)), WORDS.label("lab.none")}
    return LESSON.ask(WORDS.label("question", q=written(asked.query)), sorted(choices), answer, f"{asked}")


def describe(asked: Asked) -> dict[str, object]:
    """Return what the sentence below the picture says: the result, and which key answers most."""
    found = asked.found
    weights = found.weights[0]
    return {
        "q": written(asked.query),
        "result": shown(found.result[0]),
        "reached": bool(weights.any()),
        "first": int(np.count_nonzero(np.isclose(weights, weights.max()))),
        "key": written(asked.keys[int(weights.argmax())]),
        "top": weights.max(),
        "many": int(np.count_nonzero(weights >= 0.005)),
        "n": len(weights),
    }


def what_is_left(asked: Asked, drawn: Asked, end: str) -> dict[str, object]:
    """Return what an extreme bandwidth leaves of the look-up: how many keys share the weight, and whether equally."""
    weights = drawn.found.weights[0]
    heaviest = int(np.count_nonzero(np.isclose(weights, weights.max())))
    alone = bool(np.isclose(weights.max() * heaviest, 1))
    return {
        "exact": asked.way == EXACT,
        "reached": bool(weights.any()),
        "heaviest": heaviest,
        "every": heaviest == len(weights),
        "alone": alone,
        "wide": end == "wide",
        "top": weights.max(),
    }


def show_folds(asked: Asked, drawn: Asked) -> None:
    """Show the result at extreme bandwidths, by three kernels, and as a softmax."""
    if box := LESSON.fold("extremes"):
        with box:
            show_extremes(asked, drawn)
    if box := LESSON.fold("kernels"):
        with box:
            figure = curves_figure(drawn.keys, drawn.values, drawn.bandwidth)
            LESSON.figure("curves", figure, WORDS.label("alt.curves"))
            st.markdown(WORDS.markdown("fold.kernels"))
    if box := LESSON.fold("softmax"):
        with box:
            st.markdown(WORDS.markdown("fold.softmax"))
            if drawn.way == "gaussian":
                st.markdown(WORDS.markdown("says.apart", **three_ways_apart(drawn)))


def show_extremes(asked: Asked, drawn: Asked) -> None:
    """Show the result over all bandwidths, and at both extremes."""
    figure = bandwidth_figure(asked.keys, asked.values, asked.query, drawn.bandwidth)
    LESSON.figure("bandwidths", figure, WORDS.label("alt.bandwidths"))
    narrow, wide = (replace(asked.at_end(each), way="gaussian") for each in ENDS)
    measured = {
        "own": asked,
        "narrow": narrow,
        "boxcar": replace(narrow, way="boxcar"),
        "wide": wide,
    }
    values = {
        "nearest": shown(nearest_value(asked.query, asked.keys, asked.values)),
        "mean": shown(float(np.mean(asked.values))),
    }
    for column, (name, each) in zip(st.columns(4), measured.items(), strict=True):
        column.metric(WORDS.label(f"metric.{name}"), shown(each.found.result[0]))
        column.caption(WORDS.label(f"metric.{name}.means", **values))
    st.markdown(WORDS.markdown("fold.extremes"))


def three_ways(asked: Asked) -> dict[str, np.ndarray]:
    """Return the Gaussian's weights computed in three ways."""
    found, keys = asked.found, np.array(asked.keys)
    quotient = kernel_quotient(asked.query, keys, asked.bandwidth)
    return {
        "a": found.weights[0] if quotient is None else quotient,
        "softmax": found.weights[0],
        "products": softmax(product_scores(asked.query, keys, asked.bandwidth)),
    }


def three_ways_apart(asked: Asked) -> dict[str, object]:
    """Return how far the three columns of the Gaussian's weights are from each other, and whether K is too small."""
    apart = float(np.ptp(list(three_ways(asked).values()), axis=0).max())
    small = kernel_quotient(asked.query, np.array(asked.keys), asked.bandwidth) is None
    return {"apart": plain_number(apart, 2) if apart else "", "small": small}


def lookup_table(asked: Asked) -> tuple[pd.DataFrame, Formula]:
    """Return every key's row: distance, kernel, weight, share of the result; the Gaussian's also as two softmaxes."""
    found, keys, values = asked.found, np.array(asked.keys), np.array(asked.values)
    table = {
        "key": keys,
        "value": values,
        "u": asked.query - keys,
        "K": np.exp(found.scores[0]),
        "a": found.weights[0],
    }
    if asked.way == "gaussian":
        ways = three_ways(asked)
        table |= {"a": ways["a"], "score": found.scores[0], "softmax": ways["softmax"]}
        table["products"] = ways["products"]
    table["share"] = found.weights[0] * values
    ids = {WORDS.label(f"column.{name}"): name for name in table}

    def formula(row: int, column: str) -> str | None:
        return worked_lookup(found, *vars(asked).values(), row, ids.get(column, ""))

    return pd.DataFrame(table).set_axis(list(ids), axis=1), formula
