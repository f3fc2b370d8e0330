"""Tables from counts: count a tagged text and divide; then decode a sentence with the tables that come out."""

import numpy as np
import streamlit as st

from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.hidden_markov_models.hmm import decode
from core.models.hidden_markov_models.hmm_tables import count_tagged, estimate
from core.models.hidden_markov_models.leave_one_out import held_out_log_probabilities
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.text.samples.corpus_words import corpus_words
from pages.hidden_markov_models.parts.count_tables import count_tables, every_transition
from pages.hidden_markov_models.parts.hmm_choice import keep_own_model, no_such_path
from pages.hidden_markov_models.parts.hmm_paths import show_paths
from pages.hidden_markov_models.parts.hmm_pictures import hmm_counting as card_picture
from pages.hidden_markov_models.parts.hmm_take_away import SOURCES
from pages.hidden_markov_models.parts.tagged_source import slashed, tagged_source
from pages.hidden_markov_models.parts.unseen_words import unseen_words

LESSON = Lesson(
    __name__,
    title="Tables from counts",
    question="Where do the probabilities come from?",
    icon="🧮",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"a_{ij} = \frac{c(i, j) + \alpha}{\sum_{j'} \left( c(i, j') + \alpha \right)} \qquad "
        r"b_i(w) = \frac{c(i, w) + \beta}{\sum_{w'} \left( c(i, w') + \beta \right)}",
        "$c(i, j)$: how often tag $j$ follows tag $i$ (the end of a sentence counts as one more $j$). $c(i, w)$: how often "
        "word $w$ is tagged $i$. $\\alpha$ (`transition_alpha`) and $\\beta$ (`emission_alpha`) are added to every count.",
    )
    controls, picture = st.columns([1, 2], gap="medium")
    with controls:
        sentences = tagged_source(LESSON)
        alpha = st.slider(
            "α, added to every transition", 0.0, 2.0, 0.1, 0.05, key=f"{LESSON}_alpha", bind="query-params"
        )
        beta = st.slider(
            "β, added to every emission", 0.0, 2.0, 0.0, 0.05, key=f"{LESSON}_beta", bind="query-params"
        )
        broken = break_it(
            LESSON, "raw", "Break it: no smoothing", "α = β = 0: what was never counted is impossible."
        )
    counts, chosen = count_tagged(sentences), (alpha, beta)
    if broken:
        alpha = beta = 0.0
    states, vocabulary = list(counts.states), list(counts.vocabulary)
    with picture:
        common = states[int(counts.tokens.argmax())]
        if not predict_first(
            LESSON, "Which tag is most frequent in this text?", states, common, str(hash(str(sentences)))
        ):
            st.stop()
        try:
            model = estimate(counts, alpha, beta, unknown_words=SuffixModel())
        except ValueError as error:
            st.warning(str(error))
            st.stop()
        count_tables(LESSON, counts, model)

    st.header("What can these tables do?", anchor=False)
    typed = st.text_input(
        "A sentence to tag",
        "the bark helps dogs",
        key=f"{LESSON}_sentence",
        bind="query-params",
        max_chars=2000,
    )
    words = corpus_words(typed) or [vocabulary[0]]
    decoded = decode(model, words)
    if not no_such_path(decoded):
        alt = "The best path: " + " ".join(decoded.tags(decoded.viterbi.path)[:20])
        show_paths(LESSON, decoded, {"best path": decoded.viterbi.path}, alt, name="path")
        guesses = zip(words, decoded.emissions.readings, decoded.emissions.guesses, strict=True)
        unseen_words(LESSON, model, {word: guess for word, reading, guess in guesses if reading is None})
    st.button(
        "Use this model in the other lessons, as “yours”",
        key=f"{LESSON}_keep",
        on_click=keep_own_model,
        args=(model,),
    )
    if broken:
        possible = [
            np.isfinite(held_out_log_probabilities(sentences, *pair)).mean() for pair in (chosen, (0, 0))
        ]
        consequence("Left-out sentences the others make possible", *map(float, possible), ".0%")

    every_transition(LESSON, counts, model, alpha)
    code_that_ran(count_tagged, estimate)
    take_away(
        LESSON,
        [
            "from core.text.reading.tagged import read_tagged\n\n"
            'sentences = read_tagged(open("tagged.txt", encoding="utf-8").read())  # the file beside this button',
            "from core.models.hidden_markov_models.hmm_tables import count_tagged, estimate\nfrom core.models.hidden_markov_models.suffix_model import SuffixModel\n"
            f"model = estimate(count_tagged(sentences), {alpha}, {beta}, "
            "unknown_words=SuffixModel())",
            f"from core.models.hidden_markov_models.hmm import decode\n\ndecoded = decode(model, {words!r})\ndecoded.tags(decoded.viterbi.path)",
        ],
        {"Tagged text": ("tagged.txt", slashed(sentences).encode())},
    )
    try_this(
        LESSON,
        [
            ("See the counts become probabilities", {"show": "probabilities"}),
            (
                "No smoothing: which sentences does it call impossible?",
                {"raw": True, "sentence": "old dogs she helps"},
            ),
            (
                "Much smoothing: do the tables still say anything?",
                {"show": "probabilities", "alpha": 2.0, "beta": 2.0},
            ),
        ],
        SOURCES,
    )
