"""Word arithmetic: a sum of word vectors as arrows, and the words nearest to where it ends."""

from __future__ import annotations

from functools import cache

import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.map_view import arithmetic_view
from core.figures.word_vectors.word_map import arithmetic_map
from core.figures.worked import percent, signed
from core.lesson.break_it import consequence
from core.lesson.choices.vector_sets import (
    OWN,
    choose_vectors,
    credits,
    notebook_vectors,
    scaled,
    shared_vectors,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.training_job import bench_of
from core.models.word_vectors.projection import nearest, project
from core.models.word_vectors.vector_tests import AnalogyScore, analogies
from core.models.word_vectors.word_arithmetic import (
    Arithmetic,
    ExpressionError,
    arithmetic,
    corners,
    same_way,
)
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from core.models.word_vectors.world_analogies import (
    a_known_question,
    answered_by_themselves,
    share,
    solved,
    total,
)
from pages.word_vectors.shared.neighbour_table import neighbour_table
from pages.word_vectors.shared.steady_map import steady_turn

LESSON = Lesson(
    __name__,
    title="Word arithmetic",
    question="Why does king − man + woman land near queen?",
    icon="plus",
)
NEAREST = 5  # words that are named beside one that is pointed at


def picture() -> Figure:
    """King - man + woman in GloVe, as arrows."""
    vectors = shared_vectors("glove").normalised()
    sum_ = arithmetic(vectors, "king - man + woman", k=2)
    near = vectors.subset(["king", "man", "woman", *(answer.word for answer in sum_.answers)])
    return small(arithmetic_map(near, sum_, project(near.vectors)))


def page() -> None:
    """An expression's arrows and its nearest words; then how many analogies the same vectors solve."""
    LESSON.open(
        r"\text{sum} = \sum_i w_i\, \frac{x_i}{\lVert x_i \rVert} \qquad "
        r"\text{answer} = \operatorname*{argmax}_{v \,\notin\, \text{question}} \cos(v, \text{sum})",
        "$x_i$: the vector of the expression's $i$-th word, divided by its length where words are scaled; $w_i$: its "
        "sign or number.",
    )
    controls, stage = LESSON.stage()
    with controls:
        name, stored = choose_vectors(LESSON)
        expression = LESSON.text(
            "expression",
            "An expression of words",
            "king - man + woman",
            live=True,
            max_chars=300,
            width=300,
            help="Words with + and −, numbers as weights, parentheses: 2 (paris − france) + italy",
        )
        k = LESSON.slider("k", "Answers", 1, 20, 6, width=150)
        broken = LESSON.break_it(
            "keep",
            "Break it: let the question answer",
            "Takes out the rule that the question's own words cannot be its answer.",
        )
        with LESSON.more():
            unit = LESSON.toggle(
                "unit",
                "Scale every word to length 1",
                True,
                help="So that only directions count, as in the published tests.",
            )
    vectors = scaled(name, stored) if unit else stored
    with stage:
        sum_ = answered(vectors, expression, k, broken)
        if sum_ is not None:
            nearest = sum_.answers[0].word
            choices = sorted(answer.word for answer in sum_.answers[:4])
            about = f"{name}_{expression}_{broken}_{unit}"
            if LESSON.ask(f"Which word is nearest to {expression}?", choices, nearest, about):
                show_sum(name, unit, vectors, expression, sum_)
                neighbour_table(
                    LESSON, "answers", vectors, sum_.answers, ("sum", sum_.result), question=expression
                )

    st.header("Does it always work?", anchor=False)
    show_scores(name, stored, broken)
    LESSON.closing(
        code=[arithmetic, same_way, WordVectors.neighbours, analogies],
        notebook=[
            notebook_vectors(name) + ("\nvectors = vectors.normalised()" if unit else ""),
            "from core.models.word_vectors.word_arithmetic import arithmetic\n\n"
            f"found = arithmetic(vectors, {expression!r}, {k}, leave_question_out={not broken})\nfound.answers",
        ],
        plot=(
            "from core.figures.word_vectors.vector_duel import neighbour_bars\n\n"
            'draw(neighbour_bars(found.answers, set(), "second"))'
        ),
        try_this=[
            ("paris - france + italy: does it know capitals?", {"expression": "paris - france + italy"}),
            (
                "The same question to our own vectors, trained on far less text",
                {"expression": "paris - france + italy", "vectors": "our skip-gram"},
            ),
            (
                "Let the question answer: which word wins now?",
                {"expression": "king - man + woman", "keep": True},
            ),
            ("2 king - queen: what is more kingly than a king?", {"expression": "2 king - queen", "k": 10}),
        ],
        sources=credits(name),
    )


def answered(vectors: WordVectors, expression: str, k: int, broken: bool) -> Arithmetic | None:
    """Return the sum with its answers; None, and a sentence, where it has none."""
    try:
        sum_ = arithmetic(vectors, expression, k, leave_question_out=not broken)
    except (ExpressionError, UnknownWordError) as error:
        st.warning(plain(str(error)))
        return None
    if not sum_.answers:
        st.warning("The question uses every word of these vectors, so no word is left to answer it.")
        return None
    return sum_


def show_sum(name: str, unit: bool, vectors: WordVectors, expression: str, sum_: Arithmetic) -> None:
    """Draw the sum as arrows among the question's words and its answers."""
    best = sum_.answers[0]
    near = vectors.subset([*(term.word for term in sum_.terms), *(answer.word for answer in sum_.answers)])
    projection = project(near.vectors)
    left_out = f"left out of the answers: {', '.join(sum_.left_out)}" if sum_.left_out else "none left out"
    look = {
        "label": f"The sum {expression} as arrows; its nearest word is {best.word}",
        "near": nearest(near.vectors, NEAREST, "cosine"),
        "turn": steady_turn(name, vectors, near, projection, unit),
    }
    LESSON.view("map", arithmetic_view(near, sum_, projection, **look), "map")
    LESSON.caption(
        plain(f"{expression} ≈ {best.word}") + plain(f"   (cosine {best.similarity:.3f}; {left_out})")
    )
    if (parallel := same_way(vectors, sum_)) is not None:
        first, second, third = (term.word for term in sum_.terms)
        st.markdown(
            plain(
                f"Were {best.word} − {first} the same arrow as {third} − {second}, the sum would end exactly at "
                f"{best.word}. The cosine of these two arrows is {parallel:.2f}."
            )
        )
    alike = "not defined for this sum" if parallel is None else signed(parallel)
    LESSON.set_values(best=best.word, cosine=signed(best.similarity, 3), parallel=alike, question=expression)
    a, b, c = corners(sum_) or ("the first word", "the second", "the third")
    LESSON.set_values(arrows=what_the_arrows_are(sum_))
    start = signed(vectors.similarity(sum_.terms[0].word, best.word), 3)
    LESSON.set_values(a=a, b=b, c=c, start=start)
    kept = f"; this map of {len(near)} words keeps {projection.variance_kept:.0%} of their variance"
    if len(near) == 1:
        kept = ""  # one word alone varies in no direction
    st.caption(
        f"The arrows are exact in {vectors.dimension} dimensions{kept}. Only the nearness in all {vectors.dimension} counts."
    )


def what_the_arrows_are(sum_: Arithmetic) -> str:
    """Say what the green arrows of the picture are: the same step twice, or one word each."""
    if not (found := corners(sum_)):
        return "Each arrow of the picture is one word of the sum."
    a, b, c = found
    return f"Both green arrows are the same step, {a} − {b}: from {b} it leads to {a}, from {c} to the sum."


def show_scores(name: str, vectors: WordVectors, broken: bool) -> None:
    """Show the share solved of each kind; when `broken`, beside what is left when the question may answer itself."""

    def scores(leave_question_out: bool) -> list[AnalogyScore]:
        if name != OWN:
            return scores_of_stored(name, leave_question_out)
        return scores_of_own(bench_of("word_vector_training").number, vectors, leave_question_out)

    fair = scores(True)
    right, asked = total(fair)
    LESSON.set_values(right=right, asked=asked, solved=percent(share(fair), 0))
    if not asked:
        st.markdown("None of the micro-world's analogies can be asked: these vectors lack their words.")
        return
    st.markdown(
        f"These vectors solve **{right} of {asked}** analogies of the micro-world whose four words they have; every "
        f"word is scaled to length 1. The first that is asked: {a_known_question(vectors)}. By kind:"
    )
    table = pd.DataFrame(
        {
            "kind": [score.category for score in fair],
            "asked": [score.asked for score in fair],
            "solved": [score.accuracy for score in fair],
        }
    )
    if broken:
        free = scores(False)
        table["solved when the question may answer"] = [score.accuracy for score in free]
    bar = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    bars = {column: bar for column in table.columns if column.startswith("solved")}
    st.dataframe(table, hide_index=True, column_config=bars, alt="Analogies solved by kind")
    if broken:
        consequence("Analogies solved", share(fair), share(free), ".0%")
        own, _ = answered_by_themselves(vectors) if name == OWN else own_answers_of_stored(name)
        worth = right - total(free)[0]
        st.markdown(
            f"In {own} of the {asked} the word nearest to the sum is one of the question's own three; "
            f"leaving them out is worth {worth} {'answer' if worth == 1 else 'answers'}."
        )


@st.cache_data(scope="session", max_entries=8, show_spinner=False)
def scores_of_own(training: int, _vectors: WordVectors, leave_question_out: bool) -> list[AnalogyScore]:
    """Return `solved` for the learner's training of this number, computed once a session."""
    return solved(_vectors, leave_question_out)


@cache
def scores_of_stored(name: str, leave_question_out: bool) -> list[AnalogyScore]:
    """Return `solved` for a stored set, the same for everybody."""
    return solved(shared_vectors(name), leave_question_out)


@cache
def own_answers_of_stored(name: str) -> tuple[int, int]:
    """Return `answered_by_themselves` for a stored set."""
    return answered_by_themselves(shared_vectors(name))
