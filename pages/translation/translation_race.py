"""The race: one sentence through dot, general, additive and no attention."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.stored import load_card
from core.models.translation.seq2seq import additive_scores, attention_weights, dot_scores, general_scores
from core.models.translation.translation_race import multiplications, run, without_matrices
from core.text.tokenization.word_differences import differences
from pages.translation.parts.marked_translation import LEGEND
from pages.translation.parts.score_race import (
    MODELS,
    broken_scores,
    every_score,
    label_of,
    runs_of,
    scores_worked_out,
    show_losses,
    show_results,
    show_runs,
    who_is_wrong,
)
from pages.translation.parts.translation_pictures import translation_race as card_picture
from pages.translation.parts.translator_choice import FRENCH, GENERATED, TASKS, choose_sentence

LESSON = Lesson(
    __name__,
    title="The race of the scores",
    question="Does it matter how a translator scores the words that it looks at?",
    icon="🏁",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"e_{ts} = \begin{cases} h_t \cdot \bar h_s & \text{dot} \\ h_t \cdot W_a \bar h_s & \text{general} \\ "
        r"v_a \cdot \tanh(W_a h_t + U_a \bar h_s) & \text{additive} \end{cases} \qquad "
        r"a_{ts} = \frac{e^{e_{ts}}}{\sum_{s'} e^{e_{ts'}}} \qquad c_t = \begin{cases} \sum_s a_{ts} \bar h_s \\ "
        r"\bar h_{last} & \text{no attention} \end{cases}",
        r"$h_t$: the decoder's state at output word $t$; $\bar h_s$: the encoder's state at input word $s$; "
        "$W_a, U_a, v_a$: what the score has learnt; $e$: score; $a$: weight; $c_t$: the context, all that the decoder "
        "sees of the input at step $t$.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sentence = choose_sentence(LESSON, TASKS[FRENCH], first=GENERATED, length=14)
    with st.container(horizontal=True):
        gold = st.toggle(
            "Outline the gold alignment",
            key=f"{LESSON}_gold",
            bind="query-params",
            wrap=True,
            help="Where a generated sentence is translated right, the word that belongs to each output word is known.",
        )
        broken = break_it(
            LESSON,
            "broken",
            "Break it: take the learnt matrices out of the scores",
            "W_a and U_a become the identity. Dot has none, so nothing is taken from it.",
        )
        runs = runs_of(sentence, broken)
        about = f"{hash(sentence.words)}_{broken}"
        if sentence.pair:
            question = (
                "Four models of one size, trained on the same sentences. Which one gets this sentence wrong?"
            )
            choices = [*map(label_of, MODELS), "several", "none of the four"]
            answer = who_is_wrong(runs, sentence.pair.target)
        else:
            question = "Four models of one size. Which one is least sure of its translation: the lowest ln p?"
            choices = list(map(label_of, MODELS))
            answer = label_of(min(runs, key=lambda score: runs[score].translation.log_probability))
        revealed = predict_first(LESSON, question, choices, answer, about)
    if revealed:
        show_runs(LESSON, runs, sentence, gold)
        st.caption(
            f"Rows: output words; columns: input words; colour: weight, 0 to 1, the same scale for all. {LEGEND}"
        )
    if broken:
        broken_scores()

    st.header("Size, cost and quality", anchor=False)
    if revealed:
        show_results(LESSON, runs, sentence)
    st.markdown(
        "The loss while training, the mean of 50 steps. All four learnt from the same sentences. "
        "Which one stays high?"
    )
    show_losses(LESSON)

    st.header("One score, worked out", anchor=False)
    most = max(len(made.translation.words) for made in runs.values())
    t = stepper(LESSON, [f"the scores of output word {t + 1}" for t in range(most)])
    if revealed:
        scores_worked_out(runs, sentence, t, broken)
        every_score(LESSON, runs, sentence, broken)
    code_that_ran(run, dot_scores, general_scores, additive_scores, attention_weights, differences,
                  multiplications, without_matrices)  # fmt: skip
    take_away(
        LESSON,
        [
            "from core.models.translation.translate import stored_translator\nfrom core.models.translation.translation_race import run\n\n"
            f"words = {list(sentence.words)!r}\nmodels = {dict(MODELS)!r}",
            "for score, name in models.items():\n    made = run(stored_translator(name), words)\n"
            "    print(score, made.translation.log_probability, *made.words)\n    print(made.weights)",
        ],
    )
    try_this(
        LESSON,
        [
            ("Four words: can the model without attention keep up?", {"length": 4}),
            (
                "Twenty-two words: what does it make up, and where does it begin to?",
                {"length": 22, "seed": 3},
            ),
            (
                "Take the matrices out: which model does not mind, and why?",
                {"broken": "true", "length": 10},
            ),
        ],
        [
            *load_card(MODELS["additive"]).credits[:2],
            "The models are this project's own; see their cards in assets/models.",
        ],
    )
