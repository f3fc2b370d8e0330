"""The duel: greedy search, beam search and Viterbi on one lattice; what each finds and what each costs."""

import streamlit as st

from core.figures.hidden_markov_models.hmm import share_lost_figure
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.hidden_markov_models.hmm import beam, decode, greedy, viterbi
from core.models.hidden_markov_models.what_if import without_neighbours
from pages.hidden_markov_models.parts.hmm_choice import choose_model, choose_sentence, model_of, no_such_path
from pages.hidden_markov_models.parts.hmm_paths import show_paths
from pages.hidden_markov_models.parts.hmm_pictures import decoding_duel as card_picture
from pages.hidden_markov_models.parts.hmm_search import find_button, missed_by_width
from pages.hidden_markov_models.parts.hmm_take_away import SOURCES, model_cell
from pages.hidden_markov_models.parts.path_factors import path_factors
from pages.hidden_markov_models.parts.search_costs import search_costs, searches_of

LESSON = Lesson(
    __name__,
    title="The decoding duel",
    question="Why can greedy and beam search miss the best path?",
    icon="⚔️",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{Viterbi: } K + (n-1)K^2 \text{ products} \qquad \text{beam: } K + (n-1)\,w K \qquad "
        r"\text{greedy: } K + (n-1)K",
        "$n$: words, $K$: states, $w$: the beam's width, how many states it keeps at each word. Greedy keeps one.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        name = choose_model(LESSON, "toy")
        model = model_of(name)
        words = choose_sentence(LESSON, name)
        width = st.slider("Beam width", 1, len(model.states), 2, key=f"{LESSON}_width", bind="query-params")
        find_button(LESSON, name, width, document.text)
        broken = break_it(
            LESSON,
            "even",
            "Break it: every transition equally likely",
            "With no neighbours to look at, there is nothing for a greedy search to miss.",
        )
    whole = model
    if broken:
        model = without_neighbours(model)
    decoded = decode(model, words, width)
    searches = searches_of(decoded)
    with picture:
        if no_such_path(decoded):
            st.stop()
        best = decoded.viterbi.log_probability
        found = {label: search.log_probability > best - 1e-9 for label, search in searches.items()}
        verdict = {(1, 1): "both", (1, 0): "only the beam", (0, 1): "only greedy", (0, 0): "neither"}
        revealed = predict_first(
            LESSON,
            "Which of the two cheaper searches finds a path as probable as Viterbi's?",
            list(verdict.values()),
            verdict[found[f"beam of {width}"], found["greedy"]],
            f"{name}_{' '.join(words)[:200]}_{width}_{broken}",
        )
        if revealed:
            ends = (f"{label} {'finds' if right else 'misses'} the best" for label, right in found.items())
            show_paths(
                LESSON,
                decoded,
                {label: search.path for label, search in searches.items()},
                f"Three paths through one lattice: {', '.join(ends)}",
                decoded.beam.kept,
            )
            if decoded.emissions.unknown.any():
                st.caption("* never seen in training: the word's ending, or nothing, decides its emissions.")
            search_costs(LESSON, decoded, searches)
    if not revealed:
        st.stop()

    st.header("How wide is wide enough?", anchor=False)
    shares = missed_by_width(name, whole, False)
    st.markdown(
        "One hundred sentences of ten words, drawn from this model: on how many does a beam miss the best path?"
    )
    show_figure(
        share_lost_figure(range(1, len(shares) + 1), shares, width),
        f"{LESSON}_shares",
        f"A beam of {width} misses the best path on {shares[width - 1]:.0%} of sentences, greedy on {shares[0]:.0%}",
    )
    if broken:
        even = missed_by_width(name, whole, True)
        consequence(
            "Sentences greedy gets wrong", float(shares[0]), float(even[0]), ".0%", more_is_better=False
        )

    path_factors(LESSON, words, {label: (model, search.path) for label, search in searches.items()})
    code_that_ran(greedy, beam, viterbi)
    take_away(
        LESSON,
        [
            model_cell(name),
            f"from core.models.hidden_markov_models.hmm import decode\n\ndecoded = decode(model, {words!r}, width={width})\n"
            "[(s.path, s.log_probability, s.products) for s in (decoded.viterbi, decoded.beam, decoded.greedy)]",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "The shortest diary on which greedy is wrong: 2, then 1",
                {"model": "diary", "diary_sentence": "2 1", "width": 1},
            ),
            (
                "A garden path: where does greedy leave it?",
                {"model": "tagger", "tagger_sentence": "The horse raced past the barn fell .", "width": 1},
            ),
            ("Take the neighbours away: who is still wrong?", {"even": True}),
        ],
        SOURCES,
    )
