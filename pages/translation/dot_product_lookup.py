"""Query, key, value: a soft dictionary of words, looked up by distance and by dot product, which is attention."""

import numpy as np
import streamlit as st

from core.figures.translation.vector_lookup import lookup_bars
from core.lesson.break_it import break_it, consequence
from core.lesson.choices.vector_sets import choose_vectors, credits, notebook_vectors
from core.lesson.code_that_ran import code_that_ran
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.self_attention.attention import attend
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product, weights_apart
from pages.translation.parts.lookup_pictures import dot_product_lookup as card_picture
from pages.translation.parts.word_entries import word_entries
from pages.translation.parts.word_lookup import show_results, word_lookup_table

LESSON = Lesson(
    __name__,
    title="Query, key, value",
    question="Why does attention compare a query and a key with a dot product?",
    icon="🗝️",
)
CAPITALS = "spain: madrid, italy: rome, france: paris, germany: berlin, japan: tokyo, china: beijing, england: london"


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\operatorname{softmax}_i\!\left(-\frac{\lVert q - k_i \rVert^2}{2b^2}\right) = "
        r"\operatorname{softmax}_i\!\left(\frac{q \cdot k_i}{b^2}\right) \quad \text{if all } \lVert k_i \rVert "
        r"\text{ are equal} \qquad c = \sum_i a_i v_i",
        "$q$: the query, here the vector of a word. $k_i$: the keys, vectors of words too. $v_i$: their values. $b$: the "
        "bandwidth; $b^2$ is a temperature. $a_i$: the weights. $c$: the context, which is what the look-up returns. "
        r"$\lVert q - k \rVert^2 = \lVert q \rVert^2 - 2\, q \cdot k + \lVert k \rVert^2$: what is the same for all keys "
        "cancels in a softmax.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        name, vectors = choose_vectors(LESSON)
        raw = break_it(
            LESSON,
            "raw",
            "Break it: keys of different lengths",
            "Vectors as they were trained, not scaled to length 1.",
        )
        entries = word_entries(LESSON, vectors if raw else vectors.normalised())
        b = st.slider("Bandwidth b", 0.05, 5.0, 0.3, 0.01, key=f"{LESSON}_bandwidth", bind="query-params")
    if entries is None:
        picture.info("The picture waits for a query and for keys with vectors.")
        st.stop()

    lookup = entries.query, entries.keys, entries.values, b
    near, dot = lookup_by_distance(*lookup), lookup_by_dot_product(*lookup)
    top = [entries.words[i] for i in np.argsort(-dot.weights, kind="stable")]
    with picture:
        st.markdown(
            "Nobody wrote an entry for the query. A soft dictionary answers all the same, from the keys that are like it. "
            "The weights are computed twice, by **distance** and by **dot product**."
        )
        question = f"Which key answers most for “{entries.asked}”?"
        about = f"{entries.asked}_{entries.words}_{name}_{raw}"
        if not predict_first(LESSON, question, sorted(set(top[:5])), top[0], about):
            st.stop()
        found = {"by distance": near, "by dot product": dot}
        show_results(entries, vectors, found)
        show_figure(
            lookup_bars(entries.words, entries.named, near, dot), f"{LESSON}_bars", "Both weights of each key"
        )

    st.header("Equal to the last digit shown, or not", anchor=False)
    unit = (
        entries.query / np.linalg.norm(entries.query),
        entries.keys / np.linalg.norm(entries.keys, axis=1)[:, None],
    )
    equal = weights_apart(*unit, entries.values, b)
    if raw:
        st.markdown(
            "A long key has a large dot product with everything. By distance it is far from everything. The two look-ups "
            "now disagree, and which key answers depends on how long its vector is."
        )
        consequence(
            "Largest difference of two weights", equal, weights_apart(*lookup), ".4f", more_is_better=False
        )
    else:
        st.markdown(
            "All keys have length 1, so $\\lVert q - k \\rVert^2 = 2 - 2\\, q \\cdot k$, and the 2 cancels in the softmax. "
            f"The largest difference between two weights of one key is **{equal:.1e}**: what double precision leaves."
        )
    st.markdown(
        "That is attention: a **query** asks, **keys** say what each entry is about, **values** are what is handed over. A "
        "translator asks with the decoder's state; keys and values are the encoder's states of the input words. It takes "
        "the dot product because one matrix product gives it for all queries and all keys at once."
    )
    word_lookup_table(LESSON, entries, b, near, dot)
    code_that_ran(lookup_by_distance, lookup_by_dot_product, attend)
    take_away(
        LESSON,
        [
            notebook_vectors(name) + ("" if raw else "\nvectors = vectors.normalised()"),
            "import numpy as np\nfrom core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product\n\n"
            f"words, values = {entries.words!r}, {entries.named!r}\n"
            f"query, keys = vectors[{entries.asked!r}].astype(float), np.array([vectors[word] for word in words], float)\n"
            f"values = np.array({'values' if entries.numbers else '[vectors[word] for word in values]'}, float)\n"
            f"near, dot = (f(query, keys, values, {b}) for f in (lookup_by_distance, lookup_by_dot_product))\n"
            "print(np.abs(near.weights - dot.weights).max())",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Values that are words: what is the capital of Portugal?",
                {"entries": CAPITALS, "query": "portugal"},
            ),
            ("A small bandwidth: one key answers alone", {"bandwidth": 0.1}),
            ("Keys of different lengths: which word is too loud?", {"raw": "true", "bandwidth": 2.0}),
        ],
        [
            *credits(name),
            "Minh-Thang Luong, Hieu Pham and Christopher Manning (2015), Effective approaches to attention-based neural "
            "machine translation (the dot product as score).",
            "Yao-Hung Hubert Tsai et al. (2019), Transformer dissection: attention seen through the lens of the kernel.",
        ],
    )
