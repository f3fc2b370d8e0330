"""The bottleneck: accuracy against length, with attention and with one vector for the whole sentence."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.translation.bottleneck import (
    Narrowed,
    attempts,
    mean_kept,
    movement,
    share_right,
    words_kept,
)
from pages.translation.parts.growing_measure import growing_measure
from pages.translation.parts.growing_sentence import growing_sentence
from pages.translation.parts.length_accuracy import (
    ATTENDS,
    KEPT,
    NOT,
    WHOLE,
    choose_measurement,
    drawing,
    every_length,
    stored_shares,
    what_is_lost,
)
from pages.translation.parts.one_vector import choose_failed, show_both, show_vector
from pages.translation.parts.translation_pictures import bottleneck as card_picture

LESSON = Lesson(
    __name__,
    title="The bottleneck",
    question="Why does a translator without attention fail on long sentences?",
    icon="🍾",
)
LEVELS = {"over 90%": 0.9, "50 to 90%": 0.5, "10 to 50%": 0.1, "under 10%": -1.0}


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"c_t = \bar h_{last} \ \text{(without attention: the same vector at every step)} \qquad "
        r"c_t = \sum_s a_{ts} \bar h_s \ \text{(with attention)}",
        "$c_t$: the context, what the decoder sees of the input while it writes word $t$; $\\bar h_{last}$: the encoder's "
        "last state; $\\bar h_s$: its state at input word $s$; $a_{ts}$: the attention weights.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        broken = break_it(
            LESSON,
            "broken",
            "Break it: half of the vector is lost",
            "Every second number of the encoder's last state becomes 0, in both models.",
        )
        score, measurement = choose_measurement(LESSON, broken)
    with picture:
        stored = stored_shares(score)
        (shortest, longest), share = max(stored[NOT][1].items())
        answer = next(level for level, least in LEVELS.items() if share > least)
        question = f"Sentences of {shortest} to {longest} words: what share does the model without attention get right?"
        revealed = predict_first(LESSON, question, list(LEVELS), answer, f"{shortest}_{longest}")
        if revealed:
            measure = st.segmented_control(
                "Measure",
                [WHOLE, KEPT],
                default=WHOLE,
                required=True,
                key=f"{LESSON}_measure",
                bind="query-params",
            )
            measured = growing_measure(LESSON, measurement, drawing(LESSON, score, measure))
            st.caption(
                "Points: new sentences, generated and translated now, with 95% intervals that shrink as more are measured. "
                + ("Bands: what the models' cards say." if measure == WHOLE else "")
            )
    if revealed:
        if broken:
            what_is_lost(measured)
        st.header("Where does it go wrong?", anchor=False)
        pair = choose_failed(LESSON, measured)
        if pair:
            show_both(LESSON, score, pair)
            st.header("The one vector", anchor=False)
            show_vector(LESSON, pair)
        st.header("Make it longer, piece by piece", anchor=False)
        growing_sentence(LESSON, score)
        every_length(LESSON, measured)
    code_that_ran(attempts, share_right, words_kept, mean_kept, Narrowed, movement)
    take_away(
        LESSON,
        [
            "from itertools import islice\nfrom core.models.translation.bottleneck import attempts, share_right\n"
            "from core.models.translation.translate import stored_translator\nfrom core.text.grammar.english_french import english_french\n\n"
            f"models = {{{ATTENDS!r}: 'translate_french_{score}', {NOT!r}: 'translate_french_none'}}",
            f"for length in {list(measurement.lengths)}:\n"
            f"    pairs = list(islice(english_french({measurement.seed}, held_out=True, lengths=(length,)), 5))\n"
            "    for name, model in models.items():\n"
            "        made = attempts(stored_translator(model), pairs)\n"
            "        print(length, name, share_right([attempt.right for attempt in made]))",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Every length from 3 to 12: where does the fall begin?",
                {"lengths": list(range(3, 13)), "count": 20},
            ),
            ("Only the words, in any order: how much is still there at 25?", {"measure": KEPT}),
            (
                "Lose half of the vector: which model does not care?",
                {"broken": "true", "lengths": [5, 10], "count": 40},
            ),
        ],
        [
            "Kyunghyun Cho et al. (2014), On the properties of neural machine translation: encoder-decoder approaches.",
            "Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio (2015), Neural machine translation by jointly learning to "
            "align and translate.",
            "Edwin Wilson (1927), Probable inference, the law of succession, and statistical inference (the interval).",
        ],
    )
