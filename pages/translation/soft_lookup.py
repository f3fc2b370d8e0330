"""A soft dictionary: every key answers a little, by how near it is to the query."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.translation.soft_lookup import (
    EXACT,
    WAYS,
    bandwidth_figure,
    curves_figure,
    look_up,
    lookup_payload,
    worked_lookup,
)
from core.figures.worked import plain_number
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
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
from core.text.reading.decoding import TextError
from core.text.reading.entries import LARGEST, read_points, written_points

LESSON = Lesson(
    __name__,
    title="A soft dictionary",
    question="What if a dictionary had an answer to every question?",
    icon="book-open",
)
TEMPERATURES = "6: 9, 9: 13, 12: 19, 14: 21, 17: 18, 21: 12"
LEAST, MOST = 1e-6, 1e6  # bandwidths that can be chosen
ENDS = {"too narrow": 1e-9, "too wide": 1e6}  # bandwidths, in distances of the farthest key from the query


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


def picture() -> Figure:
    """Six points and the curves of three kernels."""
    return small(curves_figure(*read_points(TEMPERATURES), bandwidth=1.5))


def page() -> None:
    """A look-up by key and by kernel; its bandwidth's ends; three kernels; the Gaussian as a softmax."""
    LESSON.open(
        r"a(q, k_i) = \frac{K(q - k_i)}{\sum_j K(q - k_j)} \qquad f(q) = \sum_i a(q, k_i)\, v_i \qquad "
        r"K_{\text{gaussian}}(u) = e^{-u^2 / 2b^2}",
        "$q$: the query, what is asked for. $k_i, v_i$: the keys of the dictionary and their values. $K$: the kernel, "
        "which never rises with the distance $u$. $b$: its bandwidth. $a$: the weights, which sum to 1. $f(q)$: the result.",
    )
    controls, stage = LESSON.stage()
    with controls:
        with LESSON.more():
            asked, why = ask_for()
        broken = LESSON.break_it(
            "ends",
            "Break it: the bandwidth at its ends",
            "Too small and too large: what is left of the look-up?",
        )
        end = LESSON.choose("end", "Which end", list(ENDS)) if broken else None
    with stage:
        if asked is None:
            st.warning(why)
            st.info("The picture waits for keys and values it can read.")
        else:
            drawn = asked.at_end(end) if broken else asked
            revealed = guessed(drawn)
            LESSON.view(
                "soft_lookup", lookup_payload(*vars(drawn).values(), not revealed), on={"lookup": move}
            )
            LESSON.caption(what_is_seen(drawn) if revealed else keys_beside(drawn))
            st.markdown(
                "Look up by **exact key** first: a dictionary has an answer on a key and none beside it. A **kernel** lets "
                "keys beside the query answer: the Gaussian every key, the more the nearer it is. Drag the points, the "
                "query, the bandwidth."
            )

    if asked is not None and revealed:
        if broken:
            st.header("The two ends of the bandwidth", anchor=False)
            show_ends(asked, drawn, end)
        st.header("One bandwidth, three kernels", anchor=False)
        LESSON.figure(
            "curves",
            curves_figure(drawn.keys, drawn.values, drawn.bandwidth),
            "The results of three kernels",
        )
        st.markdown(
            "The boxcar takes the plain mean of the values whose keys lie within b, so its curve can jump. The triangle "
            "falls in a straight line, to 0 at b. Where they reach no key there is a gap: no answer. The Gaussian is above "
            "0 at every distance, so it always has an answer, and its curve is smooth, however steep."
        )
        st.header("The Gaussian kernel is a softmax", anchor=False)
        st.latex(
            r"\frac{e^{-(q - k_i)^2 / 2b^2}}{\sum_j e^{-(q - k_j)^2 / 2b^2}} = \operatorname{softmax}_i\!\left("
            r"-\frac{(q - k_i)^2}{2b^2}\right) = \operatorname{softmax}_i\!\left(\frac{q k_i - k_i^2 / 2}{b^2}\right)"
        )
        st.markdown(
            "Written out, the square is $q^2 - 2 q k_i + k_i^2$, and $q^2$ is the same for every key, so it cancels. Were "
            "$k_i^2$ the same for all keys too, only $q k_i / b^2$ would be left, a **dot product**. The next lesson goes "
            "there."
        )
        lookup_table(drawn)
    LESSON.closing(
        code=[dictionary_lookup, soft_lookup, kernel, nearness, softmax, kernel_quotient, product_scores],
        notebook=notebook(asked),
        plot=(
            "from core.figures.translation.soft_lookup import curves_figure\n\n"
            "draw(curves_figure(keys, values, 1.5))"
        ),
        try_this=[
            (
                "A dictionary: move the query. Where is there an answer?",
                {"points": TEMPERATURES, "way": EXACT, "query": 9.0},
            ),
            (
                "A narrow boxcar between two keys: no key is reached",
                {"points": TEMPERATURES, "way": "boxcar", "bandwidth": 1.0, "query": 10.5},
            ),
            (
                "A bandwidth of 0.1: which key does the answer follow?",
                {"points": TEMPERATURES, "way": "gaussian", "bandwidth": 0.1, "query": 10.6},
            ),
        ],
        sources=[
            "E. A. Nadaraya (1964), On estimating regression. G. S. Watson (1964), Smooth regression analysis.",
            "Alex Graves, Greg Wayne and Ivo Danihelka (2014), Neural Turing machines: a memory looked up softly.",
            "Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio (2015), Neural machine translation by jointly learning to "
            "align and translate.",
        ],
    )


def ask_for() -> tuple[Asked | None, str]:
    """Draw the fields; return what is asked or, while it cannot be read, None and a sentence that says why."""
    typed = LESSON.text_area(
        "points",
        "Keys and values",
        TEMPERATURES,
        max_chars=2000,
        height=80,
        help="Each key, a colon, its value. At first: the hour of a day, and its temperature (an example).",
    )
    way = LESSON.select("way", "Look up by", WAYS, index=1)
    query = LESSON.number("query", "Query q", -LARGEST, LARGEST, 10.0, step=0.5, format="%g")
    bandwidth = LESSON.number(
        "bandwidth", "Bandwidth b", LEAST, MOST, 1.5, step=0.1, format="%g", disabled=way == EXACT
    )
    try:
        keys, values = read_points(typed)
    except TextError as error:
        return None, plain(str(error))
    return Asked(keys, values, query, bandwidth, way), ""


def move(moved: dict | None) -> None:
    """Carry what was moved in the view over to the fields; while broken, the bandwidth is not the learner's."""
    if moved is None:
        return
    LESSON.set_state("points", written_points(moved["keys"], moved["values"]))
    LESSON.set_state("query", float(moved["query"]))
    LESSON.set_state("way", moved["way"])
    if not LESSON.get_state("ends"):
        LESSON.set_state("bandwidth", min(MOST, max(LEAST, float(moved["bandwidth"]))))


def shown(result: float) -> str:
    """Return a result as it is shown; a query that no key answers has none."""
    return "no answer" if np.isnan(result) else f"{result:.4g}".replace("-", "−")


def guessed(asked: Asked) -> bool:
    """Ask for the result, if the learner predicts first; return whether it may be shown."""
    answer = shown(asked.found.result[0])
    nearest = shown(nearest_value(asked.query, asked.keys, asked.values))
    choices = {answer, nearest, shown(np.mean(asked.values)), "no answer"}
    return LESSON.ask(
        f"What does the look-up return for q = {asked.query:g}?", sorted(choices), answer, f"{asked}"
    )


def keys_of(n: int) -> str:
    """Return how many keys there are, in words."""
    return "1 key" if n == 1 else f"{n} keys"


def keys_beside(asked: Asked) -> str:
    """Say, before the guess, whether anybody wrote an entry for the query."""
    there = "There is an entry" if asked.query in asked.keys else "Nobody wrote an entry"
    return plain(f"{there} for {asked.query:g} among the {keys_of(len(asked.keys))}.".replace("-", "−"))


def what_is_seen(asked: Asked) -> str:
    """Say what the look-up returned and which key answered most."""
    found, query = asked.found, f"{asked.query:g}".replace("-", "−")
    weights = found.weights[0]
    LESSON.set_values(
        q=query, result=shown(found.result[0]), top=f"{weights.max():.0%}", b=f"{asked.bandwidth:g}"
    )
    if not weights.any():
        return plain(f"Asked for {query}, the look-up reaches no key: no answer.")
    key = f"{asked.keys[int(weights.argmax())]:g}".replace("-", "−")
    first = np.count_nonzero(np.isclose(weights, weights.max()))
    lead = f"the key {key} has" if first == 1 else f"{first} keys each have"
    many = np.count_nonzero(weights >= 0.005)
    return plain(
        f"Asked for {query}, the answer is {shown(found.result[0])}: {lead} {weights.max():.0%} of the "
        f"weight, and {many} of {keys_of(len(weights))} {'has' if many == 1 else 'have'} half a percent or more."
    )


def show_ends(asked: Asked, drawn: Asked, end: str) -> None:
    """Show the result over all bandwidths, and measured at both ends, beside what each end stands for."""
    LESSON.figure(
        "bandwidths",
        bandwidth_figure(asked.keys, asked.values, asked.query, asked.bandwidth),
        "The result against the bandwidth, for three kernels",
    )
    narrow, wide = (replace(asked.at_end(each), way="gaussian") for each in ENDS)
    nearest, mean = nearest_value(asked.query, asked.keys, asked.values), float(np.mean(asked.values))
    measured = {
        f"Whole: {asked.way}": (asked, ""),
        f"Broken: gaussian, b = {narrow.bandwidth:.2g}": (
            narrow,
            f"value of the nearest key: {shown(nearest)}",
        ),
        f"Broken: boxcar, b = {narrow.bandwidth:.2g}": (
            replace(narrow, way="boxcar"),
            "answers only on a key",
        ),
        f"Broken: gaussian, b = {wide.bandwidth:.2g}": (wide, f"mean of all values: {shown(mean)}"),
    }
    for column, (label, (each, meaning)) in zip(st.columns(4), measured.items(), strict=True):
        column.metric(label, shown(each.found.result[0]))
        column.caption(meaning)
    consequence("Largest weight of a key", asked.found.weights.max(), drawn.found.weights.max(), ".3f", None)
    LESSON.set_values(left=what_is_left(asked, drawn, end))
    st.markdown(what_is_left(asked, drawn, end))


def what_is_left(asked: Asked, drawn: Asked, end: str) -> str:
    """Say in words made from the weights what an end of the bandwidth leaves of the look-up."""
    if asked.way == EXACT:
        return "Looking up by exact key has no bandwidth, so nothing changes. Choose a kernel."
    weights = drawn.found.weights[0]
    if not weights.any():
        return "Too narrow: this kernel reaches no key, and there is no answer."
    heaviest = int(np.count_nonzero(np.isclose(weights, weights.max())))
    if heaviest == len(weights):
        every = (
            "the only key has all the weight"
            if heaviest == 1
            else f"each of the {heaviest} keys has 1/{heaviest}"
        )
        matters = " The query no longer matters." if end == "too wide" else ""
        return f"Here {end} means that {every}.{matters}"
    if np.isclose(weights.max() * heaviest, 1):
        speaks = "one key has all the weight" if heaviest == 1 else f"{heaviest} keys share all the weight"
        return f"Here {end} means that {speaks}, as in a dictionary that takes the nearest key."
    return f"Here {end} is not yet an end: the largest weight is {weights.max():.3f}."


def lookup_table(asked: Asked) -> None:
    """Show every key's row: distance, kernel, weight, share of the result; the Gaussian's also as two softmaxes."""
    found, keys, values = asked.found, np.array(asked.keys), np.array(asked.values)
    table = {
        "key k": keys,
        "value v": values,
        "u = q − k": asked.query - keys,
        "K(u)": np.exp(found.scores[0]),
        "a = K / ΣK": found.weights[0],
    }
    if asked.way == "gaussian":
        quotient = kernel_quotient(asked.query, keys, asked.bandwidth)
        table["a = K / ΣK"] = found.weights[0] if quotient is None else quotient
        table["−u² / 2b²"] = found.scores[0]
        table["softmax of −u² / 2b²"] = found.weights[0]
        table["softmax of (qk − k²/2) / b²"] = softmax(product_scores(asked.query, keys, asked.bandwidth))
        st.markdown(three_ways_apart(table, quotient is None))
    table["a · v"] = found.weights[0] * values

    def formula(row: int, column: str) -> str | None:
        return worked_lookup(found, *vars(asked).values(), row, column)

    LESSON.every_number("the look-up", lambda: (pd.DataFrame(table), formula))


def three_ways_apart(table: dict[str, np.ndarray], too_small: bool) -> str:
    """Say how far the three columns of the Gaussian's weights are from each other."""
    ways = [table[name] for name in table if name.startswith(("a =", "softmax"))]
    apart = float(np.ptp(ways, axis=0).max())
    said = "The table below holds all three; " + (
        f"where they differ most, it is by {plain_number(apart, 2)}, which is rounding."
        if apart
        else "they are equal."
    )
    return said + (
        " Every K is too small for a float here and K / ΣK would be 0 / 0: that column repeats the softmax."
        if too_small
        else ""
    )


def notebook(asked: Asked | None) -> list[str]:
    """Return the notebook's cells: the same look-up again."""
    if asked is None:
        return []
    arrays = f"np.array([{asked.query!r}]), keys, values"
    call = (
        f"dictionary_lookup({arrays})"
        if asked.way == EXACT
        else f"soft_lookup({arrays}, {asked.bandwidth!r}, {asked.way!r})"
    )
    return [
        "import numpy as np\nfrom core.models.translation.kernel_smoothing import dictionary_lookup, soft_lookup\n\n"
        f"keys, values = np.array({asked.keys!r}), np.array({asked.values!r})\nfound = {call}",
        "print(found.weights, found.result)",
    ]
