"""Translation with attention: where the decoder looks for each word that it writes, and every number of a step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
import streamlit as st

from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.translation.decoder_step import (
    decoder_step,
    score_function,
    shared_states,
    states_heatmap,
    step_picture,
    worked_attentional,
    worked_context,
    worked_output,
    worked_score,
    worked_weight,
)
from core.figures.translation.translation_quality import quality_figure
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.attention_cell import choose_input, pin
from core.lesson.choices.translator_choice import (
    DATES,
    DUTCH,
    FRENCH,
    TASKS,
    Sentence,
    Task,
    choose_model,
    choose_sentence,
    choose_task,
    held_out_pairs,
    translator_of,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import Question
from core.models.stored import load_card
from core.models.translation.alignment import Links, crossings, misaligned
from core.models.translation.fit_translation import outcomes, quality
from core.models.translation.seq2seq import Decoded, Seq2Seq, attention_weights
from core.models.translation.translate import Translated, greedy, translated
from core.models.translation.what_if import changes
from pages.translation.shared.attention_picture import (
    attention_card,
    gold_of,
    say_unknown,
    sentence_written,
    show_attention,
)
from pages.translation.shared.broken_translator import Break, broken_translator, choose_break, translated_by
from pages.translation.shared.decoder_steps import step_table

LESSON = Lesson(
    __name__,
    title="Translation with attention",
    question="Where does a translator look for each word that it writes?",
    icon="languages",
)
MEASURED = 200  # held-out inputs on which a broken model is measured
ALIKE = "all alike"


def picture() -> Figure:
    """Where the French translator looks for each word that it writes: the colour and the car cross."""
    translator = translator_of(TASKS[FRENCH].models["additive"])
    return attention_card(translated(translator, "the white cars arrive .".split()))


def page() -> None:
    """A translation's attention; one step of the decoder; the encoder's states; how good the model is."""
    LESSON.open(
        r"e_{ts} = \operatorname{score}(h_t, \bar h_s) \qquad a_{ts} = \frac{e^{e_{ts}}}{\sum_{s'} e^{e_{ts'}}} \qquad "
        r"c_t = \sum_s a_{ts}\, \bar h_s \qquad \tilde h_t = \tanh(W_c [c_t; h_t]) \qquad "
        r"p(y_t) = \operatorname{softmax}(W_s \tilde h_t)",
        r"$\bar h_s$: the encoder's state at input word $s$. $h_t$: the decoder's state, which has read the word before. "
        r"$e_{ts}$: score; $a_{ts}$: attention weight; $c_t$: context; $\tilde h_t$: attentional state; $y_t$: the word "
        r"written. **dot**: $h_t \cdot \bar h_s$. **general**: $h_t \cdot W_a \bar h_s$. "
        r"**additive**: $v_a \cdot \tanh(W_a h_t + U_a \bar h_s)$.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        task = choose_task(LESSON)
        name = choose_model(LESSON, task)
        sentence = choose_sentence(LESSON, task, notes)
        broken = choose_break(LESSON)
    whole = made = translated_by(name, sentence.words)
    if broken:
        made = translated_by(name, sentence.words, broken)
    gold = gold_of(task, sentence, made)

    about = f"{name}_{broken and broken.__name__}_{' '.join(sentence.words)}"
    predicting, T = LESSON.get_state("predict", False), len(made.outputs)
    with controls, LESSON.more():
        chosen = choose_input(LESSON, made.input_names)
        dimension = LESSON.number("dimension", "Dimension of the vectors", 1, width_of(made), 1)
    with stage:
        drawn = st.container()
        seen = LESSON.ask_in_turn(T, partial(question_of, task, made, about))
        if seen < T:
            LESSON.caption(what_is_asked(made, seen))
        frames = decoder_frames(about, chosen, int(dimension) - 1, predicting, made)
        shared = shared_states(states_of(made), made.input_names)
        LESSON.steps(frames[:seen], T, shared=shared, sentence_first=True)
    if broken:
        st.header("What the break did", anchor=False)
        show_consequence(task, name, broken, whole, made)
    if not predicting:
        with notes:
            st.text(f"→ {sentence_written(task, made)}")
            say_verdict(task, sentence, made, gold)
            say_unknown(task, made)
    with drawn:
        follows = {"follows": f"{LESSON.name}_step", "chosen": chosen, "predicting": predicting}
        on = {"cell": partial(pin, LESSON)}
        show_attention(LESSON, task, made, gold, steps=range(seen), on=on, follows=follows)

    if encoder := LESSON.section("encoder", "What the encoder leaves"):
        with encoder:
            show_states(made)
    st.header("How good is this model?", anchor=False)
    show_quality(name, task.unit)
    if seen:
        step_table(LESSON, made, seen if predicting else None)
    score = score_function(made.translator.model)
    LESSON.closing(
        code=[greedy, Seq2Seq.decode, attention_weights, score, Decoded.probabilities.fget]
        + ([broken, outcomes, quality] if broken else []),
        notebook=translation_cells(name, sentence.words, broken),
        plot=(
            "from core.figures.translation.decoder_step import attention_heatmap\n\n"
            "draw(attention_heatmap(weights.numpy(), translator.target.decode(made.words), words))"
        ),
        try_this=[
            (
                "White cars, voitures blanches: where do the lines cross?",
                {"task": FRENCH, "text_fr": "the rich queen sold the white cars yesterday .", "step": 7},
            ),
            (
                "Dutch puts its verb last: which line is longest?",
                {"task": DUTCH, "text_nl": TASKS[DUTCH].example, "step": 13},
            ),
            (
                "A date: which letters say the month?",
                {"task": DATES, "text_date": TASKS[DATES].example, "step": 6},
            ),
        ],
        sources=[
            "Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio (2015), Neural machine translation by jointly learning to "
            "align and translate.",
            "Minh-Thang Luong, Hieu Pham and Christopher Manning (2015), Effective approaches to attention-based neural "
            "machine translation.",
            "Ilya Sutskever, Oriol Vinyals and Quoc Le (2014), Sequence to sequence learning with neural networks.",
        ],
    )


def show_states(made: Translated) -> None:
    """Draw the encoder's states."""
    states = states_of(made)
    half = states.shape[1] // 2
    st.markdown(
        f"One row for each input, from −1 to 1. Dimensions 1 to {half} have read the sentence from its beginning up to "
        f"that place; {half + 1} to {2 * half} have read it from its end. All that attention can look at is here."
    )
    LESSON.figure("states", states_heatmap(states, made.input_names), "The encoder's states")


def states_of(made: Translated) -> np.ndarray:
    """Return the encoder's states, (S, H)."""
    return made.translation.encoded.states[0].numpy()


def width_of(made: Translated) -> int:
    """Return H, the numbers in a state."""
    return states_of(made).shape[1]


def question_of(task: Task, made: Translated, about: str, t: int) -> Question:
    """Return what is asked before step t: which input it looks at most."""
    inputs, weights = [f"{s + 1} {word}" for s, word in enumerate(made.input_names)], made.weights[t]
    alike = all_alike(weights)
    return Question(
        f"The model is about to write “{made.outputs[t]}”. Which input {task.unit} will it look at most?",
        [*inputs, ALIKE],
        ALIKE if alike else inputs[int(weights.argmax())],
        f"{about}_{t}",
    )


def all_alike(weights: np.ndarray) -> bool:
    """Return whether a step puts the same weight on every input, of which there are several."""
    return len(weights) > 1 and float(np.ptp(weights)) <= 1e-6


def what_is_asked(made: Translated, t: int) -> str:
    """Ask where step t looks, whose row is not drawn yet."""
    written = plain(made.outputs[t])
    return f"The rows of {t} of {len(made.outputs)} steps are drawn. Where does the model look to write “{written}”?"


def what_is_seen(made: Translated, t: int, crossed: int | None) -> str:
    """Say where step t looks and how many pairs of lines cross; None while steps are still to be guessed."""
    written, s, alike = made.outputs[t], int(made.weights[t].argmax()), all_alike(made.weights[t])
    share, on = percent(float(made.weights[t, s])), made.input_names[s]
    looks = f"To write “{written}” the model puts {share} of its weight on “{on}”"
    if alike:  # then no line is heavier than another
        looks = (
            f"To write “{written}” the model puts the same weight, {made.weights[t, s]:.0%}, on every input"
        )
    if crossed is None or alike:
        return f"{looks}."
    return f"{looks}. Of the heaviest lines {crossed or 'no'} {'pair crosses' if crossed == 1 else 'pairs cross'}."


def say_verdict(task: Task, sentence: Sentence, made: Translated, gold: Links) -> None:
    """Say whether a sentence was translated right and aligned right, where that is known, and whether it ended."""
    step, s = decoder_step(made.translation, 0), int(made.weights[0].argmax())
    n = len(crossings(made.weights))
    LESSON.set_values(first=made.outputs[0], at=made.input_names[s], w=percent(float(made.weights[0, s]), 0))
    LESSON.set_values(p=percent(float(step.probabilities[made.translation.words[0]])))
    LESSON.set_values(score=f"{step.scores[s]:.4g}".replace("-", "−"), a=percent(float(step.weights[s]), 2))
    LESSON.set_values(crossed="1 pair crosses" if n == 1 else f"{n or 'no'} pairs cross")
    if not made.translation.finished:
        st.info(f"The model has written {len(made.outputs)} {task.unit}s and no <end>; it was stopped there.")
    if sentence.pair and not gold:
        st.text(f"✗ The right translation is: {task.write(sentence.pair.target)}")
    if gold:
        wrong = [made.outputs[t] for t in misaligned(made.weights, gold)]
        named = f" Heaviest on a wrong {task.unit} for: {', '.join(wrong)}." if wrong else ""
        aligned = len({t for t, _ in gold})
        st.text(
            f"✓ Right to the last {task.unit}. Aligned as gold: {aligned - len(wrong)} of {aligned}.{named}"
        )


@cached(64, 16, shared=no_typed_words)
def decoder_frames(
    about: str, chosen: int | None, dimension: int, predicting: bool, _made: Translated
) -> list[dict]:
    """Return every step of the decoder, at the chosen input or each step's heaviest; `about` names the translation."""
    crossed = None if predicting else len(crossings(_made.weights))
    return [frame_of(_made, t, chosen, dimension, crossed) for t in range(len(_made.outputs))]


def frame_of(made: Translated, t: int, chosen: int | None, i: int, crossed: int | None) -> dict:
    """Return step t: scores, weights and output words as bars, the weighted states, and formulas of dimension i."""
    step, written = decoder_step(made.translation, t), made.translation.words[t]
    s = int(step.weights.argmax()) if chosen is None else chosen
    before, model = "<start>" if t == 0 else made.outputs[t - 1], made.translator.model
    return frame(
        f"writing “{made.outputs[t]}”",
        step_picture(step, s, made.translator.target.words, written),
        "Score and weight of every input at this step, the likeliest output words, and the weighted states",
        what_is_seen(made, t, crossed),
        [
            f"The decoder has read “{before}”. It looks at the input, and writes “{made.outputs[t]}”.",
            "The same with its numbers: the score and weight of the chosen input, and one dimension.",
        ],
        [
            worked_score(model, step, s, t),
            worked_weight(step, s, t),
            worked_context(step, i, t),
            worked_attentional(model, step, i, t),
            worked_output(step, written, made.outputs[t]),
        ],
    )


@lru_cache(maxsize=64)
def exact_match(label: str, name: str, broken: Break | None = None) -> float:
    """Return the share of held-out pairs that a stored model translates right, as it is or `broken`."""
    translator = broken_translator(name, broken)
    pairs = held_out_pairs(label, seed=3, count=MEASURED)
    return quality(outcomes(translator.model, pairs, translator.source, translator.target))["exact_match"]


def show_consequence(task: Task, name: str, broken: Break, whole: Translated, made: Translated) -> None:
    """Show what the break did to this sentence, and to held-out ones."""
    st.text(f"Before: {sentence_written(task, whole)}")
    st.text(f"Now: {sentence_written(task, made)}")
    st.text(what_broke(task, whole, made))
    st.caption(f"Measured on {MEASURED} held-out inputs:")
    consequence("Exact match", exact_match(task.label, name), exact_match(task.label, name, broken), ".1%")


def what_broke(task: Task, whole: Translated, made: Translated) -> str:
    """Say how much the first step's weights and the output of this sentence changed."""
    if len(whole.inputs) == 1:
        return f"There is one input {task.unit}: it has all the weight, broken or whole."
    moved = float(np.abs(whole.weights[0] - made.weights[0]).max())
    changed = changes(whole.outputs, made.outputs)
    output = (
        f"{changed} {task.unit}{'' if changed == 1 else 's'} of the output changed, came or went"
        if changed
        else "the output is the same all the same"
    )
    return f"At the first step a weight changes by up to {moved:.3f}; {output}."


def show_quality(name: str, unit: str) -> None:
    """Show exact match and alignment error of a stored model, from its card, and by length where it tells."""
    measured = load_card(name).quality
    st.markdown(
        f"Measured on {measured['held_out_pairs']:,} held-out inputs. **Exact match**: the share of outputs that are "
        f"right to the last {unit}. **Alignment error**: when the right {unit}s are given, the share of the output {unit}s "
        f"with a gold link whose heaviest weight is not on an input {unit} that the gold alignment links to it."
    )
    left, right = st.columns(2)
    left.metric("Exact match", f"{measured['exact_match']:.1%}")
    right.metric("Alignment error", f"{measured['alignment_error']:.1%}")
    for column, measure in ((left, "exact_match"), (right, "alignment_error")):
        figure = quality_figure({name: measured}, measure)
        if figure.data:
            with column:
                LESSON.figure(measure, figure, f"{measure} by the length of the sentence")


def translation_cells(name: str, words: Sequence[str], broken: Break | None = None) -> list[str]:
    """Return the notebook's cells that translate the same words with the same model, broken if it is."""
    breaking = (
        ""
        if broken is None
        else "\nfrom dataclasses import replace\n"
        f"from core.models.translation.broken_attention import {broken.__name__}\n"
        f"translator = replace(translator, model={broken.__name__}(translator.model))"
    )
    return [
        "from core.models.translation.translate import greedy, stored_translator\n\n"
        f"translator = stored_translator({name!r})\nwords = {list(words)!r}{breaking}",
        "made = greedy(translator.model, translator.source.encode(words))\n"
        "print(translator.target.decode(made.words), made.log_probability)",
        "weights = made.steps.weights[0]  # one row an output word, one column an input word\n"
        "for word, row in zip(translator.target.decode(made.words), weights, strict=False):\n"
        '    print(f"{word:15}", words[int(row.argmax())], f"{float(row.max()):.3f}")',
    ]
