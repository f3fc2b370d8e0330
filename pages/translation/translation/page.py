"""Seq2seq with attention: what the story shows beat by beat, and the lab with every number of every decoder step."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np
import streamlit as st

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
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.attention_cell import choose_input, choose_pinned_cell
from core.lesson.choices.translator_choice import (
    DATES,
    FRENCH,
    TASKS,
    ChosenSentence,
    Task,
    choose_source_sentence,
    held_out_pairs,
)
from core.lesson.chosen_text import TYPED
from core.lesson.predict_first import Question
from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.stored import load_card
from core.models.translation.alignment import Links, crossings, heaviest, misaligned
from core.models.translation.broken_attention import with_late_attention, with_uniform_attention
from core.models.translation.fit_translation import outcomes, quality
from core.models.translation.seq2seq import Decoded, Seq2Seq, attention_weights
from core.models.translation.translate import Translated, greedy, translated
from core.models.translation.what_if import changes
from core.words.numbers import percent
from pages.translation.shared.attention_picture import gold_of, say_unknown, sentence_written, show_attention
from pages.translation.shared.broken_translator import Break, broken_translator, translated_by
from pages.translation.shared.decoder_steps import step_table
from pages.translation.shared.tasks import LAB as TASK_LAB
from pages.translation.shared.tasks import choose_translator
from pages.translation.shared.translator_columns import LOOKED, WRITTEN, draw_columns, weight_said
from pages.translation.translation import EXAMPLES, LESSON, LINE
from pages.translation.translation.figures import (
    FIRST,
    draw_context,
    draw_encoder,
    draw_softmax,
    draw_weights,
    quality_figure,
)

WORDS = LESSON.words
say = WORDS.label
NAME = TASKS[FRENCH].models["additive"]
MEASURED = 200  # held-out inputs on which a broken model is measured
NE, PAS, CARS = 3, 5, 7  # steps of the story's sentence
THE = (0, 6)  # places of the input word that is there twice
MONTH = 6  # the step of the date that writes the month's second digit
PARTS = {
    "year": (16, 1.5),
    "month": (11, 5.5),
    "day": (7, 8.5),
}  # where they are named: left of their weights
READ_AT_MOST, ROWS_AT_MOST = 14, 14  # input words, and output words drawn, of a sentence typed in the story
NAMED = 3  # unknown words of it that are named
CROSSED = "pink"

OWN_LINE = Text("line", TASKS[FRENCH].example, 120)
OWN_STEP = Slider("word", 7, 1, lambda now: len(read_line(now.get("line", "")).outputs))
UNIFORM, LATE = Switch("uniform"), Switch("late")
LAB = (*TASK_LAB, UNIFORM, LATE, Slider("step", 1, 1, 60), Switch("encoder"))


# The story: what each beat shows.


@lru_cache(maxsize=64)
def read_line(line: str, broken: Break | None = None) -> Translated:
    """Return what the story's translator writes for a line; one without a word stands for the example."""
    words = TASKS[FRENCH].read(line) or TASKS[FRENCH].read(OWN_LINE.default)
    return translated(broken_translator(NAME, broken), words[:READ_AT_MOST])


def show_step(made: Translated, t: int, known: bool = True) -> dict:
    """Return the columns with the words written up to step t, and the weights of that step if they are known."""
    first = max(0, t + 1 - ROWS_AT_MOST)
    best, row = int(made.weights[t].argmax()), made.weights[t]
    links = [
        (s, t - first, float(a), LOOKED if s == best else "")
        for s, a in enumerate(row)
        if known and a >= 0.005
    ]
    hues = {f"out.{t - first}": WRITTEN} | (
        {f"{key}.{best}": LOOKED for key in ("in", "enc")} if known else {}
    )
    outputs = made.outputs[first : t + 1]
    return draw_columns(say, made.input_names, outputs, links, row if known else None, hues, first)


def link_step(t: int, line: str = LINE) -> dict:
    """Return the lab's settings that show a step of a line."""
    return {"text_fr": line, "step": t + 1}


def describe(made: Translated, t: int) -> dict:
    """Return what the words may say of step t of a translation."""
    row = made.weights[t]
    order = np.argsort(-row, kind="stable")
    return {
        "S": len(row),
        "step": t + 1,
        "written": made.outputs[t],
        "looked": made.input_names[order[0]],
        "weight": percent(float(row[order[0]]), 0),
        "a": weight_said(float(row[order[0]])),
        "second": made.input_names[order[min(1, len(order) - 1)]],
        "a_second": weight_said(float(row[order[min(1, len(order) - 1)]])),
    }


def show_whole(settings: Settings) -> Part:
    """The whole machine as it writes the noun, which English puts after the adjective."""
    made = read_line(LINE)
    return Part("machine", show_step(made, CARS), describe(made, CARS), link_step(CARS))


def show_encoder(settings: Settings) -> Part:
    """The encoder's state at every word, and the two that the same word has."""
    made = read_line(LINE)
    states = states_of(made)
    a, b = states[list(THE)]
    values = {
        "S": len(states),
        "H": states.shape[1],
        "half": states.shape[1] // 2,
        "word": made.inputs[THE[0]],
        "cosine": float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)),
    }
    data = draw_encoder(say, made.inputs, states, THE) | {"sum": say("sum.encoder", **values)}
    return Part("machine", data, values, link_step(CARS) | {"encoder": True})


def show_softmax(settings: Settings) -> Part:
    """Scores and weights of every input word at the step of “ne”."""
    made = read_line(LINE)
    step = decoder_step(made.translation, NE)
    values = describe(made, NE) | {"read": made.outputs[NE - 1], "score": float(step.scores.max())}
    return Part("machine", draw_softmax(say, made.inputs, step, made.outputs[NE - 1]), values, link_step(NE))


def show_context(settings: Settings) -> Part:
    """The context at the same step, and the output word that it makes probable."""
    made = read_line(LINE)
    step, vocabulary = decoder_step(made.translation, NE), made.translator.target.words
    order = np.argsort(-step.weights)[:3]
    values = describe(made, NE) | {
        "weights": step.weights[order].tolist(),
        "states": step.states[order, FIRST].tolist(),
        "context": float(step.context[FIRST]),
        "p": percent(float(step.probabilities.max()), 0),
        "V": len(vocabulary),
        "others": len(step.weights) - 3,
    }
    return Part("machine", draw_context(say, made.inputs, step, vocabulary), values, link_step(NE))


def show_pas(settings: Settings) -> Part:
    """The second word of a negation: where the decoder attends is the question."""
    made = read_line(LINE)
    data = show_step(made, PAS, settings.revealed)
    choices = tuple(made.inputs[s] for s in (2, 3, 4, 5))
    values = describe(made, PAS) | {
        "first_step": NE + 1,
        "first": made.outputs[NE],
        "shown": settings.revealed,
    }
    return Part(
        "machine", data, values, link_step(PAS), choices, made.inputs[int(made.weights[PAS].argmax())]
    )


def show_cross(settings: Settings) -> Part:
    """The line of the largest weight of every step; those that cross have a colour."""
    made = read_line(LINE)
    n, chosen = len(made.written), heaviest(made.weights)
    pairs = [pair for pair in crossings(made.weights) if pair[1] < n]
    crossed = {t for pair in pairs for t in pair}
    links = [
        (chosen[t], t, float(made.weights[t].max()) * 0.5, CROSSED if t in crossed else LOOKED)
        for t in range(n)
    ]
    hues = {f"out.{t}": CROSSED for t in crossed}
    values = {"crossed": len(pairs), "n": n, "aligned": not misaligned(made.weights, gold_line())}
    return Part(
        "machine", draw_columns(say, made.inputs, made.written, links, hues=hues), values, link_step(CARS)
    )


def gold_line() -> Links:
    """Return the reference alignment of the story's sentence."""
    words = tuple(TASKS[FRENCH].read(LINE))
    return gold_of(TASKS[FRENCH], ChosenSentence(words, TASKS[FRENCH].reference(words)), read_line(LINE))


def show_dates(settings: Settings) -> Part:
    """The same network on a date, character by character."""
    task = TASKS[DATES]
    made = translated_by(task.models["additive"], task.read(task.example))
    n = len(made.written)
    values = describe(made, MONTH) | {
        "date": task.example,
        "iso": "".join(made.written),
    }
    s = int(made.weights[MONTH].argmax())
    texts = {say(f"part.{each}"): place for each, place in PARTS.items()} | {values["a"]: (s + 2.9, MONTH)}
    figure = draw_weights(say, made.weights[:n], made.written, made.input_names, [(MONTH, s)], texts)
    return Part("figure", {"figure": figure.to_dict()}, values, {"task": "dates", "step": MONTH + 1})


def show_equal(settings: Settings) -> Part:
    """Every input word has the same weight at every step: what is written then, and how often it is right."""
    made, whole = read_line(LINE, with_uniform_attention), read_line(LINE)
    t = len(made.written) - 1 if settings.revealed else 0
    share, right = exact_match(FRENCH, NAME, with_uniform_attention), exact_match(FRENCH, NAME)
    values = {
        "share": round(share * MEASURED),
        "right": round(right * MEASURED),
        "n": MEASURED,
        "ruined": sentence_written(TASKS[FRENCH], made),
        "whole": sentence_written(TASKS[FRENCH], whole),
        "weight": f"{made.weights[0, 0]:.2f}",
        "S": len(made.inputs),
        "shown": settings.revealed,
    }
    links = [(s, t, float(a), "") for s, a in enumerate(made.weights[t])]
    outputs = made.written if settings.revealed else ["?"]
    hues = {f"out.{t}": "vermillion" for t in range(len(outputs)) if settings.revealed}
    data = draw_columns(say, made.inputs, outputs, links, made.weights[t], hues)
    if settings.revealed:
        data["sum"] = say("sum.equal", **values)
    answer = "few" if share < 0.1 else "half" if share < 0.9 else "most"
    lab = {"text_fr": LINE, "uniform": True}
    return Part("machine", data, values, lab, ("few", "half", "most"), answer)


def show_own(settings: Settings) -> Part:
    """The learner's sentence, at the step that the learner chooses."""
    made = read_line(settings.line)
    t = int(settings.word) - 1
    unknown = list(dict.fromkeys(word for word in made.inputs if word not in made.translator.source.ids))
    read = len(TASKS[FRENCH].read(settings.line))
    pair = TASKS[FRENCH].reference(made.inputs)
    values = describe(made, t) | {
        "unknown": unknown[:NAMED],
        "more": max(0, len(unknown) - NAMED),
        "cut": read > READ_AT_MOST,
        "most": READ_AT_MOST,
        "case": "unsure" if pair is None else "right" if list(pair.target) == made.written else "wrong",
        "finished": made.translation.finished,
        "french": sentence_written(TASKS[FRENCH], made) if len(made.written) <= ROWS_AT_MOST + 2 else "",
        "reference": "" if pair is None else TASKS[FRENCH].write(pair.target),
    }
    return Part("machine", show_step(made, t), values, link_step(t, settings.line))


def show_answer(settings: Settings) -> Part:
    """All weights of the story's sentence, the reference alignment framed."""
    made = read_line(LINE)
    n = len(made.written)
    figure = draw_weights(say, made.weights[:n], made.written, made.inputs, sorted(gold_line()))
    card = load_card(NAME).quality
    values = {
        "agree": 1 - card["alignment_error"],
        "held_out": card["held_out_pairs"],
        "n": n,
        "S": len(made.inputs),
    }
    return Part("figure", {"figure": figure.to_dict()}, values, link_step(CARS))


STORY = (
    look("whole", show_whole),
    look("encoder", show_encoder),
    look("softmax", show_softmax),
    look("context", show_context),
    ask("pas", show_pas),
    look("cross", show_cross),
    look("dates", show_dates),
    ask("equal", show_equal),
    do("own", show_own, OWN_LINE, OWN_STEP),
    end("answer", show_answer),
)


@lru_cache(maxsize=64)
def exact_match(label: str, name: str, broken: Break | None = None) -> float:
    """Return the share of held-out pairs that a stored model translates right, as it is or `broken`."""
    translator = broken_translator(name, broken)
    pairs = held_out_pairs(label, seed=3, count=MEASURED)
    return quality(outcomes(translator.model, pairs, translator.source, translator.target))["exact_match"]


def states_of(made: Translated) -> np.ndarray:
    """Return the encoder's states, (S, H)."""
    return made.translation.encoded.states[0].numpy()


# The lab.


def lab() -> None:
    """A translation's attention; one step of the decoder; the encoder's states; how good the model is."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        task, name = choose_translator(LESSON)
        sentence = choose_source_sentence(LESSON, task, notes)
        uniform, late = LESSON.draw(UNIFORM), LESSON.draw(LATE)
    broken = with_uniform_attention if uniform else with_late_attention if late else None
    whole = made = translated_by(name, sentence.words)
    if broken:
        made = translated_by(name, sentence.words, broken)
    gold = gold_of(task, sentence, made)

    about = f"{name}_{broken and broken.__name__}_{' '.join(sentence.words)}"
    predicting, T = LESSON.get_state("predict", False), len(made.outputs)
    with controls, LESSON.options():
        chosen = choose_input(LESSON, made.input_names)
        dimension = LESSON.number("dimension", say("dimension"), 1, states_of(made).shape[1], 1)
    with stage:
        drawn = st.container()
        seen = LESSON.ask_in_turn(T, partial(question_of, task, made, about))
        if seen < T:
            LESSON.say("says.asked", {"t": seen, "T": T, "written": made.outputs[seen]})
        frames = decoder_frames(about, chosen, int(dimension) - 1, predicting, made)
        shared = shared_states(states_of(made), made.input_names)
        LESSON.steps(frames[:seen], T, shared=shared, sentence_first=True)
    if broken:
        show_consequence(task, name, broken, whole, made)
    if not predicting:
        with notes:
            st.text(say("note.written", sentence=sentence_written(task, made)))
            say_verdict(task, sentence, made, gold)
            say_unknown(task, made)
    with drawn:
        follows = {"follows": f"{LESSON.name}_step", "chosen": chosen, "predicting": predicting}
        on = {"cell": partial(choose_pinned_cell, LESSON)}
        show_attention(LESSON, task, made, gold, steps=range(seen), on=on, follows=follows)
    show_folds(task, name, made)
    if seen:
        step_table(LESSON, made, seen if predicting else None)
    code = [
        greedy,
        Seq2Seq.decode,
        attention_weights,
        score_function(made.translator.model),
        Decoded.probabilities.fget,
    ]
    LESSON.close_lab(
        code=code + ([broken, outcomes, quality] if broken else []),
        parameters={
            "name": name,
            "words": list(sentence.words),
            "uniform": broken is with_uniform_attention,
            "late": broken is with_late_attention,
        },
        prompts={
            "cross": {"source": TYPED, "task": "french", "text_fr": EXAMPLES[2], "step": 7},
            "verb": {"source": TYPED, "task": "dutch", "step": 13},
            "month": {"source": TYPED, "task": "dates", "step": 6},
        },
    )


def show_folds(task: Task, name: str, made: Translated) -> None:
    """Draw the folded sections: the encoder's states, and how good the model is."""
    if encoder := LESSON.fold("encoder"):
        with encoder:
            states = states_of(made)
            half = states.shape[1] // 2
            st.markdown(WORDS.markdown("states.intro", half=half, next=half + 1, H=2 * half))
            LESSON.figure("states", states_heatmap(states, made.input_names), say("alt.states"))
    if quality_box := LESSON.fold("quality"):
        with quality_box:
            show_quality(name, task.unit)


def question_of(task: Task, made: Translated, about: str, t: int) -> Question:
    """Return the question before step t: which input gets the largest weight."""
    inputs, weights = [f"{s + 1} {word}" for s, word in enumerate(made.input_names)], made.weights[t]
    same, none = all_alike(weights), say("choice.same")
    return Question(
        say("question", written=made.outputs[t], unit=task.unit),
        [*inputs, none],
        none if same else inputs[int(weights.argmax())],
        f"{about}_{t}",
    )


def all_alike(weights: np.ndarray) -> bool:
    """Return whether a step puts the same weight on every input, of which there are several."""
    return len(weights) > 1 and float(np.ptp(weights)) <= 1e-6


def what_is_seen(made: Translated, t: int, crossed: int | None) -> str:
    """Say which input step t attends to and how many pairs of lines cross; None while steps are still to be guessed."""
    s, same = int(made.weights[t].argmax()), all_alike(made.weights[t])
    values = {
        "written": made.outputs[t],
        "looked": made.input_names[s],
        "share": percent(float(made.weights[t, s]), 0 if same else 1),
        "same": same,
        "crossed": crossed,
    }
    return say("says.step", **values)


def say_verdict(task: Task, sentence: ChosenSentence, made: Translated, gold: Links) -> None:
    """Say whether a sentence was translated right and aligned right, where that is known, and whether it ended."""
    unit = task.unit
    if not made.translation.finished:
        st.info(WORDS.markdown("note.unfinished", n=len(made.outputs), unit=unit))
    if sentence.pair and not gold:
        st.text(say("note.wrong", sentence=task.write(sentence.pair.target)))
    if gold:
        wrong = [made.outputs[t] for t in misaligned(made.weights, gold)]
        n = len({t for t, _ in gold})
        st.text(say("note.right", unit=unit, right=n - len(wrong), n=n, wrong=wrong))


@cached(64, 16, shared=no_typed_words)
def decoder_frames(
    about: str, chosen: int | None, dimension: int, predicting: bool, _made: Translated
) -> list[dict]:
    """Return every step of the decoder, at the chosen input or each step's heaviest; `about` names the translation."""
    crossed = None if predicting else len(crossings(_made.weights))
    return [frame_of(_made, t, chosen, dimension, crossed) for t in range(len(_made.outputs))]


def frame_of(made: Translated, t: int, chosen: int | None, i: int, crossed: int | None) -> dict:
    """Return step t: scores, weights and output words as bars, the weighted states, and formulas of dimension i."""
    step, id_ = decoder_step(made.translation, t), made.translation.words[t]
    s = int(step.weights.argmax()) if chosen is None else chosen
    model, written = made.translator.model, made.outputs[t]
    values = {"written": written, "read": say("start") if t == 0 else made.outputs[t - 1]}
    return frame(
        say("step.name", **values),
        step_picture(step, s, made.translator.target.words, id_),
        say("alt.step"),
        what_is_seen(made, t, crossed),
        [say("step.read", **values), say("step.numbers")],
        [
            worked_score(model, step, s, t),
            worked_weight(step, s, t),
            worked_context(step, i, t),
            worked_attentional(model, step, i, t),
            worked_output(step, id_, written),
        ],
    )


def show_consequence(task: Task, name: str, broken: Break, whole: Translated, made: Translated) -> None:
    """Show what a switch did to this sentence, and to held-out ones."""
    moved = float(np.abs(whole.weights[0] - made.weights[0]).max())
    values = {
        "before": sentence_written(task, whole),
        "after": sentence_written(task, made),
        "one": len(whole.inputs) == 1,
        "moved": moved,
        "changed": changes(whole.outputs, made.outputs),
        "unit": task.unit,
        "n": MEASURED,
    }
    st.markdown(WORDS.markdown("says.broken", **values))
    whole_share = exact_match(task.label, name)
    LESSON.compare("exact", whole_share, exact_match(task.label, name, broken), ".1%")


def show_quality(name: str, unit: str) -> None:
    """Show exact match and alignment error of a stored model, from its card, and by length where it tells."""
    measured = load_card(name).quality
    st.markdown(WORDS.markdown("quality.intro", n=measured["held_out_pairs"], unit=unit))
    for column, measure in zip(st.columns(2), ("exact_match", "alignment_error"), strict=True):
        with column:
            st.metric(say(f"measure.{measure}"), f"{measured[measure]:.1%}")
            figure = quality_figure(measured, measure, say("axis.length"), say(f"axis.{measure}"))
            if figure.data:
                LESSON.figure(measure, figure, say(f"alt.{measure}"))
