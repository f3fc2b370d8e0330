"""Query, key, value: a soft dictionary of words, looked up by distance and by dot product, which is attention."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.translation.vector_lookup import lookup_bars, worked_vector_lookup
from core.figures.worked import percent, plain_number
from core.lesson.break_it import consequence, written
from core.lesson.choices.vector_sets import STORED, choose_vectors, credits, notebook_vectors, shared_vectors
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.self_attention.attention import attend
from core.models.translation.kernel_smoothing import Lookup, softmax
from core.models.translation.vector_lookup import (
    lookup_by_distance,
    lookup_by_dot_product,
    of_length_one,
    weights_apart,
)
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from core.text.reading.decoding import TextError
from core.text.reading.entries import number_of, read_entries

LESSON = Lesson(
    __name__,
    title="Query, key, value",
    question="Why does attention compare a query and a key with a dot product?",
    icon="key-round",
)
LEGS = "dog: 4, cat: 4, horse: 4, cow: 4, bird: 2, duck: 2, spider: 8, ant: 6, snake: 0, fish: 0, man: 2, woman: 2"
CAPITALS = "spain: madrid, italy: rome, france: paris, germany: berlin, japan: tokyo, china: beijing, england: london"
NEAREST = 4  # words named beside a result that is a vector


@dataclass(frozen=True)
class WordEntries:
    """What is looked up: `query` (d,) among `keys` (N, d) with `values`, (N,) numbers or (N, d) vectors of words.

    `words` and `named` are keys and values as written; `asked` is the query's word.
    """

    asked: str
    words: list[str]
    named: list[str]
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray

    @property
    def numbers(self) -> bool:
        """Whether the values are numbers."""
        return self.values.ndim == 1


def picture() -> Figure:
    """Five animals' weights for the query "wolf", by distance and by dot product."""
    vectors, words = shared_vectors("glove").normalised(), ["dog", "cat", "duck", "spider", "snake"]
    query, keys = vectors["wolf"].astype(float), vectors.subset(words).vectors.astype(float)
    near, dot = (
        look(query, keys, np.zeros(len(words)), 0.3) for look in (lookup_by_distance, lookup_by_dot_product)
    )
    return small(lookup_bars(words, [""] * len(words), near, dot))


def page() -> None:
    """A look-up among words by distance and by dot product; when the two are one; that it is attention."""
    LESSON.open(
        r"\operatorname{softmax}_i\!\left(-\frac{\lVert q - k_i \rVert^2}{2b^2}\right) = "
        r"\operatorname{softmax}_i\!\left(\frac{q \cdot k_i}{b^2}\right) \quad \text{if all } \lVert k_i \rVert "
        r"\text{ are equal} \qquad c = \sum_i a_i v_i",
        "$q$: the query, here the vector of a word. $k_i$: the keys, vectors of words too. $v_i$: their values. $b$: the "
        "bandwidth; $b^2$ is a temperature. $a_i$: the weights. $c$: the context, which is what the look-up returns. "
        r"$\lVert q - k \rVert^2 = \lVert q \rVert^2 - 2\, q \cdot k + \lVert k \rVert^2$: what is the same for all keys "
        "cancels in a softmax.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        name, vectors = choose_vectors(LESSON)
        b = LESSON.slider("bandwidth", "Bandwidth b", 0.05, 5.0, 0.3, 0.01)
        raw = LESSON.break_it(
            "raw",
            "Break it: keys of different lengths",
            "Vectors as they were trained, not scaled to length 1.",
        )
        entries = choose_entries(vectors if raw else scaled(name, vectors), notes)
    revealed = False
    with stage:
        if entries is None:
            st.info("The picture waits for a query and for keys with vectors.")
        else:
            lookup = entries.query, entries.keys, entries.values, b
            near, dot = lookup_by_distance(*lookup), lookup_by_dot_product(*lookup)
            top = [entries.words[i] for i in np.argsort(-dot.weights, kind="stable")]
            question = f"Which key answers most for “{entries.asked}” by dot product?"
            about = f"{entries.asked}_{entries.words}_{name}_{raw}"
            if revealed := LESSON.ask(question, sorted(set(top[:5])), top[0], about):
                bars = lookup_bars(entries.words, entries.named, near, dot)
                LESSON.figure("bars", bars, "Both weights of each key")
                LESSON.caption(what_is_seen(entries, near, dot))
                tell(entries, near, dot)
                show_results(entries, vectors, {"by distance": near, "by dot product": dot})
            st.markdown(written_or_not(entries))

    if revealed:
        st.header("Equal to the last digit shown, or not", anchor=False)
        equal = weights_apart(of_length_one(entries.query), of_length_one(entries.keys), entries.values, b)
        LESSON.set_values(equal=plain_number(equal, 2) if equal else "0")
        if raw:
            st.markdown(who_answers(entries, near, dot))
            apart = weights_apart(*lookup)
            consequence("Largest difference of two weights", equal, apart, ".4f", more_is_better=False)
        else:
            st.markdown(
                "All keys have length 1, so $\\lVert q - k \\rVert^2 = \\lVert q \\rVert^2 + 1 - 2\\, q \\cdot k$, and what "
                "is the same for all keys cancels in the softmax. The largest difference between two weights of one key is "
                f"**{plain_number(equal, 2)}**{': what double precision leaves' if equal else ''}."
            )
        st.markdown(
            "That is attention: a **query** asks, **keys** say what each entry is about, **values** are what is handed "
            "over. A translator asks with the decoder's state; keys and values are the encoder's states of the input "
            "words. Many take the dot product: one matrix product gives it for all queries and all keys at once, and a "
            "distance would need the lengths besides. Others learn a score of their own."
        )
        LESSON.every_number("both look-ups", lookup_table, entries, b, near, dot)
    LESSON.closing(
        code=[lookup_by_distance, lookup_by_dot_product, attend, softmax, of_length_one, weights_apart],
        notebook=[] if entries is None else notebook(name, raw, entries, b),
        plot=(
            "from core.figures.translation.vector_lookup import lookup_bars\n\n"
            "draw(lookup_bars(words, [str(value) for value in values], near, dot))"
        ),
        try_this=[
            (
                "Values that are words: Portugal has no entry. Whose capital does it get?",
                {"entries": CAPITALS, "query": "portugal", "raw": False, "bandwidth": 0.3},
            ),
            (
                "A small bandwidth: one key answers alone",
                {"entries": LEGS, "query": "wolf", "raw": False, "bandwidth": 0.1},
            ),
            (
                "Keys of different lengths: which word is too loud?",
                {"entries": LEGS, "query": "wolf", "raw": True, "bandwidth": 2.0},
            ),
        ],
        sources=[
            *credits(name),
            "Minh-Thang Luong, Hieu Pham and Christopher Manning (2015), Effective approaches to attention-based neural "
            "machine translation (the dot product as score).",
            "Yao-Hung Hubert Tsai et al. (2019), Transformer dissection: attention seen through the lens of the kernel.",
        ],
    )


@cache
def scaled_once(name: str) -> WordVectors:
    """Return a stored set's vectors scaled to length 1; all sessions share them."""
    return shared_vectors(name).normalised()


def scaled(name: str, vectors: WordVectors) -> WordVectors:
    """Return a set's vectors scaled to length 1."""
    return scaled_once(name) if name in STORED else vectors.normalised()


def choose_entries(vectors: WordVectors, notes: DeltaGenerator) -> WordEntries | None:
    """Draw the fields; return what is asked, or None, and a sentence, while it cannot be read."""
    asked = LESSON.text("query", "Query word", "wolf", max_chars=60).strip()
    with LESSON.more():
        typed = LESSON.text_area(
            "entries",
            "Keys and values",
            LEGS,
            max_chars=2000,
            height=140,
            help="Each key a word, a colon, its value: a number, or for all keys a word. At first: how many legs.",
        )
    try:
        entries = read_entries(typed)
        known = [(key, value) for key, value in entries if key in vectors]
        unknown = [key for key, _ in entries if key not in vectors]
        if unknown:
            notes.text(f"No vector in this set, left out: {', '.join(unknown)[:200]}")
        if not known:
            raise TextError("None of these keys has a vector. Write common English words as keys.")
        words, named = (list(side) for side in zip(*known, strict=True))
        keys = np.array([vector_of(vectors, word) for word in words])
        return WordEntries(asked, words, named, vector_of(vectors, asked), keys, values_of(named, vectors))
    except (TextError, UnknownWordError) as error:
        notes.warning(plain(str(error)))
        return None


def values_of(named: list[str], vectors: WordVectors) -> np.ndarray:
    """Return the values as numbers if all are; else the vectors of the words that they are."""
    try:
        return np.array([number_of(value) for value in named])
    except TextError:
        return np.array([vector_of(vectors, value) for value in named])


def vector_of(vectors: WordVectors, word: str) -> np.ndarray:
    """Return a word's vector in double precision; of length one to the last bit if the set is normalised."""
    vector = vectors[word].astype(float)
    return of_length_one(vector) if abs(np.linalg.norm(vector) - 1) < 1e-5 else vector


def written_or_not(entries: WordEntries) -> str:
    """Say whether the query has an entry, and that the weights are computed twice."""
    written = (
        "There is an entry for the query."
        + (" A soft dictionary asks the other keys all the same." if len(entries.words) > 1 else "")
        if entries.asked in entries.words
        else "Nobody wrote an entry for the query. A soft dictionary answers all the same, from the keys that are like it."
    )
    return f"{written} The weights are computed twice, by **distance** and by **dot product**."


def show_results(entries: WordEntries, vectors: WordVectors, found: dict[str, Lookup]) -> None:
    """Show the result of each look-up: a number, or the words whose vectors are nearest to the mean vector."""
    for column, (name, lookup) in zip(st.columns(len(found)), found.items(), strict=True):
        if entries.numbers:
            LESSON.set_values(result=f"By dot product it is {written(float(lookup.result), '.4f')}.")
            column.metric(f"Result {name}", f"{float(lookup.result):.4f}".replace("-", "−"))
            continue
        near = vectors.neighbours(lookup.result, NEAREST)
        LESSON.set_values(result=f"By dot product the word nearest to it is “{near[0].word}”.")
        column.metric(f"Nearest word to the result {name}", near[0].word)
        column.text(", ".join(f"{each.word} {each.similarity:.4f}" for each in near))


def tell(entries: WordEntries, near: Lookup, dot: Lookup) -> None:
    """Keep for the tour what the key that answers most by dot product gets, and what the longest key gets."""
    i, lengths = int(dot.weights.argmax()), np.linalg.norm(entries.keys, axis=1)
    loud = int(lengths.argmax())
    LESSON.set_values(asked=entries.asked, keys=len(entries.words), key=entries.words[i])
    LESSON.set_values(product=written(entries.keys[i] @ entries.query, ".4f"))
    LESSON.set_values(near=f"{near.weights[i]:.4f}", dot=f"{dot.weights[i]:.4f}", loud=entries.words[loud])
    LESSON.set_values(loud_near=f"{near.weights[loud]:.4f}", loud_dot=f"{dot.weights[loud]:.4f}")
    LESSON.set_values(short=f"{lengths.min():.2f}", long=f"{lengths.max():.2f}")


def what_is_seen(entries: WordEntries, near: Lookup, dot: Lookup) -> str:
    """Say which key answers most by each look-up."""
    i, j = int(near.weights.argmax()), int(dot.weights.argmax())
    one, other = (
        f"“{entries.words[i]}” with {percent(near.weights[i])}",
        f"“{entries.words[j]}” with {percent(dot.weights[j])}",
    )
    if one == other:
        return plain(
            f"For “{entries.asked}”, {one} of the weight answers most, by distance and by dot product."
        )
    return plain(
        f"For “{entries.asked}”, {one} of the weight answers most by distance, {other} by dot product."
    )


def who_answers(entries: WordEntries, near: Lookup, dot: Lookup) -> str:
    """Say, for keys of different lengths, what the longest gets by either look-up, and whether they choose alike."""
    lengths = np.linalg.norm(entries.keys, axis=1)
    loud, by_distance, by_product = (
        int(lengths.argmax()),
        int(near.weights.argmax()),
        int(dot.weights.argmax()),
    )
    words = [plain(word) for word in entries.words]
    lead = (
        f"A key twice as long has twice the dot product. Here the lengths go from {lengths.min():.2f} "
        f"to {lengths.max():.2f}; the longest is “{words[loud]}”, with a weight of "
        f"{dot.weights[loud]:.4f} by dot product and {near.weights[loud]:.4f} by distance."
    )
    if words[by_distance] == words[by_product]:
        return f"{lead} Both still let “{words[by_product]}” answer most."
    return f"{lead} By dot product “{words[by_product]}” answers most, by distance “{words[by_distance]}”."


def lookup_table(
    entries: WordEntries, bandwidth: float, near: Lookup, dot: Lookup
) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each key: its length, product and distance with the query, and both weights."""
    q, K = entries.query, entries.keys
    table = pd.DataFrame(
        {
            "key": entries.words,
            "value": entries.named,
            "|k|": np.linalg.norm(K, axis=1),
            "|q − k|²": ((q - K) ** 2).sum(1),
            "−|q − k|² / 2b²": near.scores,
            "a by distance": near.weights,
            "q · k": K @ q,
            "q · k / b²": dot.scores,
            "a by dot product": dot.weights,
        }
    )
    if entries.numbers:
        table["a · v"] = dot.weights * entries.values

    def formula(row: int, column: str) -> str | None:
        asked = q, K, entries.values, entries.asked, entries.words, bandwidth
        return worked_vector_lookup(*asked, near, dot, row, column)

    return table, formula


def notebook(name: str, raw: bool, entries: WordEntries, b: float) -> list[str]:
    """Return the notebook's cells: both look-ups again, and how far their weights are apart."""
    return [
        notebook_vectors(name) + ("" if raw else "\nvectors = vectors.normalised()"),
        "import numpy as np\nfrom core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product\n\n"
        f"words, values = {entries.words!r}, {entries.named!r}\n"
        f"query, keys = vectors[{entries.asked!r}].astype(float), np.array([vectors[word] for word in words], float)\n"
        f"values = np.array({'values' if entries.numbers else '[vectors[word] for word in values]'}, float)\n"
        f"near, dot = (f(query, keys, values, {b}) for f in (lookup_by_distance, lookup_by_dot_product))\n"
        "print(np.abs(near.weights - dot.weights).max())",
    ]
