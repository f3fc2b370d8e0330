"""A soft dictionary: every key answers a little, by how near it is to the query."""

import numpy as np
import streamlit as st

from core.figures.translation.soft_lookup import curves_figure, look_up, lookup_payload
from core.lesson.break_it import break_it
from core.lesson.browser_view import browser_view
from core.lesson.code_that_ran import code_that_ran
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.translation.kernel_smoothing import dictionary_lookup, kernel, soft_lookup, softmax
from pages.translation.parts.lookup_pictures import soft_lookup as card_picture
from pages.translation.parts.lookup_points import asked_for, take_from_view
from pages.translation.parts.lookup_table import bandwidth_ends, lookup_table, shown

LESSON = Lesson(
    __name__,
    title="A soft dictionary",
    question="What if a dictionary had an answer to every question?",
    icon="📖",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    VIEW = f"{LESSON}_view"
    LESSON.open(
        r"a(q, k_i) = \frac{K(q - k_i)}{\sum_j K(q - k_j)} \qquad f(q) = \sum_i a(q, k_i)\, v_i \qquad "
        r"K_{\text{gaussian}}(u) = e^{-u^2 / 2b^2}",
        "$q$: the query, what is asked for. $k_i, v_i$: the keys of the dictionary and their values. $K$: the kernel, "
        "which falls as the distance $u$ grows. $b$: its bandwidth. $a$: the weights, which sum to 1. $f(q)$: the result.",
    )
    take_from_view(LESSON, VIEW)
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        asked = asked_for(LESSON)
        broken = break_it(
            LESSON,
            "ends",
            "Break it: the bandwidth at its ends",
            "Too small and too large: what is left of the look-up?",
        )
    if asked is None:
        picture.info("The picture waits for keys and values it can read.")
        st.stop()

    found = look_up([asked.query], asked.keys, asked.values, asked.bandwidth, asked.way)
    nearest = asked.values[int(np.abs(np.array(asked.keys) - asked.query).argmin())]
    with picture:
        st.markdown(
            "Look up by **exact key** first: a dictionary has an answer on a key and none beside it. A **kernel** lets "
            "every key answer, the more the nearer it is. Drag the points, the query, the bandwidth."
        )
        answer = shown(found.result[0])
        choices = {answer, shown(nearest), shown(np.mean(asked.values)), "no answer"}
        revealed = predict_first(
            LESSON,
            f"What does the look-up return for q = {asked.query:g}?",
            sorted(choices),
            answer,
            f"{asked}",
        )
        browser_view(
            "soft_lookup", lookup_payload(*vars(asked).values(), not revealed), VIEW, {"lookup": None}
        )
    if not revealed:
        st.stop()

    if broken:
        st.header("The two ends of the bandwidth", anchor=False)
        bandwidth_ends(LESSON, asked, found)
    st.header("One bandwidth, three kernels", anchor=False)
    show_figure(
        curves_figure(asked.keys, asked.values, asked.bandwidth),
        f"{LESSON}_curves",
        "The results of three kernels",
    )
    st.markdown(
        "The boxcar takes the plain mean of the keys within b, so its curve jumps. Where it reaches no key there is a gap: "
        "no answer. The Gaussian never falls to nought; it always has an answer, and its curve is smooth."
    )
    st.header("The Gaussian kernel is a softmax", anchor=False)
    st.latex(
        r"\frac{e^{-(q - k_i)^2 / 2b^2}}{\sum_j e^{-(q - k_j)^2 / 2b^2}} = \operatorname{softmax}_i\!\left("
        r"-\frac{(q - k_i)^2}{2b^2}\right) = \operatorname{softmax}_i\!\left(\frac{q k_i - k_i^2 / 2}{b^2}\right)"
    )
    st.markdown(
        "Written out, the square is $q^2 - 2 q k_i + k_i^2$, and $q^2$ is the same for every key, so it cancels. The table "
        "below holds all three, each computed by itself: the columns are equal, to rounding. Were $k_i^2$ the same for all "
        "keys too, only $q k_i / b^2$ would be left, a **dot product**. The next lesson goes there."
    )
    lookup_table(LESSON, asked, found)
    code_that_ran(dictionary_lookup, soft_lookup, kernel, softmax)
    arrays = f"np.array([{asked.query!r}]), np.array({asked.keys!r}), np.array({asked.values!r})"
    call = (
        f"dictionary_lookup({arrays})"
        if asked.way == "exact key"
        else f"soft_lookup({arrays}, {asked.bandwidth!r}, {asked.way!r})"
    )
    take_away(
        LESSON,
        [
            "import numpy as np\nfrom core.models.translation.kernel_smoothing import dictionary_lookup, soft_lookup\n\n"
            f"found = {call}",
            "print(found.weights, found.result)",
        ],
    )
    try_this(
        LESSON,
        [
            ("A dictionary: move the query. Where is there an answer?", {"way": "exact key", "query": 9.0}),
            (
                "A narrow boxcar between two keys: no key is reached",
                {"way": "boxcar", "bandwidth": 1.0, "query": 10.5},
            ),
            ("A bandwidth of 0.1: which key does the answer follow?", {"bandwidth": 0.1, "query": 10.6}),
        ],
        [
            "E. A. Nadaraya (1964), On estimating regression. G. S. Watson (1964), Smooth regression analysis.",
            "Alex Graves, Greg Wayne and Ivo Danihelka (2014), Neural Turing machines: a memory looked up softly.",
            "Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio (2015), Neural machine translation by jointly learning to "
            "align and translate.",
        ],
    )
