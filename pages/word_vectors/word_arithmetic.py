"""Word arithmetic: a sum of word vectors as arrows, and the words nearest to where it ends."""

import streamlit as st

from core.figures.word_vectors.word_map import arithmetic_map
from core.lesson.break_it import break_it
from core.lesson.choices.vector_sets import choose_vectors, credits, notebook_vectors
from core.lesson.code_that_ran import code_that_ran
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.word_vectors.projection import project
from core.models.word_vectors.word_arithmetic import ExpressionError, arithmetic
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from pages.word_vectors.parts.analogy_scores import show_scores
from pages.word_vectors.parts.neighbour_table import neighbour_table
from pages.word_vectors.parts.pictures import word_arithmetic as card_picture

LESSON = Lesson(
    __name__,
    title="Word arithmetic",
    question="Why does king − man + woman land near queen?",
    icon="➕",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{sum} = \sum_i w_i\, \frac{x_i}{\lVert x_i \rVert} \qquad "
        r"\text{answer} = \operatorname*{argmax}_{v \,\notin\, \text{question}} \cos(v, \text{sum})",
        "$x_i$: the vector of the expression's $i$-th word, $w_i$: its sign or number.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        name, vectors = choose_vectors(LESSON)
        expression = st.text_input(
            "An expression of words",
            "king - man + woman",
            key=f"{LESSON}_expression",
            bind="query-params",
            live=True,
            max_chars=300,
            help="Words with + and −, numbers as weights, parentheses: 2 (paris − france) + italy",
        )
        k = st.slider("Answers", 1, 20, 6, key=f"{LESSON}_k", bind="query-params")
        unit = st.toggle(
            "Scale every word to length 1",
            value=True,
            key=f"{LESSON}_unit",
            bind="query-params",
            help="So that only directions count, as in the published tests.",
        )
        keep = break_it(
            LESSON,
            "keep",
            "Break it: let the question answer",
            "Without this rule the nearest word is usually one of the question's own.",
        )
    if unit:
        vectors = vectors.normalised()
    try:
        sum_ = arithmetic(vectors, expression, k, leave_question_out=not keep)
    except (ExpressionError, UnknownWordError) as error:
        picture.warning(plain(str(error)))
        st.stop()

    if not sum_.answers:
        picture.warning("The question uses every word of these vectors, so no word is left to answer it.")
        st.stop()
    asked = list(dict.fromkeys(term.word for term in sum_.terms))
    near = vectors.subset([*asked, *(answer.word for answer in sum_.answers)])
    projection = project(near.vectors)
    with picture:
        revealed = predict_first(
            LESSON,
            f"Which word is nearest to {expression}?",
            sorted(answer.word for answer in sum_.answers[:4]),
            sum_.answers[0].word,
            f"{name}_{expression}_{keep}_{unit}",
        )
        if revealed:
            left_out = (
                f"left out of the answers: {', '.join(sum_.left_out)}" if sum_.left_out else "none left out"
            )
            best = sum_.answers[0]
            st.text(f"{expression} ≈ {best.word}   (cosine {best.similarity:.3f}; {left_out})")
            show_figure(
                arithmetic_map(near, sum_, projection),
                f"{LESSON}_figure",
                f"The sum {expression} as arrows; its nearest word is {best.word}",
            )
            st.caption(
                f"The arrows are exact in {vectors.dimension} dimensions; this map of {len(near)} words keeps "
                f"{projection.variance_kept:.0%} of their variance."
            )

    if revealed:
        answers = sum_.answers
        neighbour_table(LESSON, "answers", vectors, answers, ("sum", sum_.result), question=expression)

    st.header("Does it always work?", anchor=False)
    show_scores(name, vectors, keep)
    code_that_ran(arithmetic, WordVectors.neighbours)
    take_away(
        LESSON,
        [
            notebook_vectors(name) + ("\nvectors = vectors.normalised()" if unit else ""),
            "from core.models.word_vectors.word_arithmetic import arithmetic\n\n"
            f"arithmetic(vectors, {expression!r}, {k}, leave_question_out={not keep}).answers",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "paris - france + italy: does it know capitals? And with our own vectors?",
                {"expression": "paris - france + italy"},
            ),
            ("Let the question answer: which word wins now?", {"keep": True}),
            ("2 king - queen: what is more kingly than a king?", {"expression": "2 king - queen", "k": 10}),
        ],
        credits(name),
    )
