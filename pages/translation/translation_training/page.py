"""Training a translator: what the story shows of one recorded training on dates, and the lab on any pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.lesson.cached import cached
from core.lesson.choices import translator_choice
from core.lesson.choices.translator_choice import SCORES, TASKS, ChosenSentence, Task, translator_of
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.models.stored import load_card
from core.models.translation import training_course
from core.models.translation.broken_attention import with_late_attention, with_uniform_attention
from core.models.translation.fit_translation import Fit, Fitted, fit_translation, loss_of, outcomes, quality
from core.models.translation.kept_translator import to_safetensors
from core.models.translation.recorded_translator import recorded_training
from core.models.translation.seq2seq import Seq2Seq
from core.models.translation.translate import Translated, Translator, translated
from core.text.grammar.grammar import LONGEST, SHORTEST
from core.text.grammar.pairs import MOST_WORDS, Pair, unknown_words
from core.text.reading.decoding import TextError
from core.text.reading.pair_files import MOST_PAIRS, UNITS, PairFile, read_pair_file, units_of, written_pairs
from core.text.samples.course_pairs import CoursePairs, first_pairs, held_out_of
from core.words.plain import plain
from pages.translation.shared.attention_picture import gold_of, sentence_written, show_attention
from pages.translation.shared.decoder_steps import step_table
from pages.translation.translation_training import LESSON
from pages.translation.translation_training.figures import (
    ALIGNED,
    CHARACTERS,
    LAST_DRAWN,
    draw_courses,
    draw_map,
    draw_mixed,
    draw_push,
    draw_step,
    draw_two,
    draw_uniform,
    gold_figure,
    gold_weights,
    lengths_figure,
    pairs_table,
    replay_payload,
    shown,
    training_table,
    worked_training,
)

WORDS = LESSON.words
EXAMPLES = ("I see the black cat.",)
START, GUESSED, PUSHED = 0, 60, 100  # steps of the run that the story stops at
OUTPUT = 2  # the output character whose loss it follows: the “4” of 1945
FIRSTS, SHARES = ("aligned", "right", "together"), ("same", "half", "chance")
SHOWN = 200  # pairs in the table
MEASURED = 100  # held-out pairs on which a translator without its weights is measured
LIVE = 20  # snapshots sent while training, twice a second
OWN = "own"
TASK_OF = {
    "dates": translator_choice.DATES,
    "french": translator_choice.FRENCH,
    "dutch": translator_choice.DUTCH,
}
KIND_OF = dict(zip(TASK_OF, ("dates", "English–French", "English–Dutch"), strict=True))  # of CoursePairs

MOMENT = Slider("moment", 2, 0, lambda _: len(recorded_training().moments) - 1)
WAS = {label: each for each, label in TASK_OF.items()} | {"your own pairs": OWN}
ON = Choice("on", "dates", (*TASK_OF, OWN), WAS)
UNIT = Choice("unit", UNITS[0], UNITS)
SCORE = Choice("score", SCORES[0], SCORES)
PAIRS = Slider("pairs", 6000, 200, MOST_PAIRS, 200)
LONGEST_WORDS = Slider("longest", 8, SHORTEST + 1, LONGEST)
HIDDEN = {True: Slider("hidden_sentences", 96, 16, 256, 16), False: Slider("hidden_dates", 64, 16, 256, 16)}
EPOCHS = Slider("epochs", 8, 1, 60)
UNIFORM, LATE = Switch("uniform"), Switch("late")
BREAKS = {"uniform": with_uniform_attention, "late": with_late_attention}
LAB = (ON, UNIT, SCORE, PAIRS, LONGEST_WORDS, *HIDDEN.values(), EPOCHS, UNIFORM, LATE)


# The story: what each beat shows.


def show_pair(settings: Settings) -> Part:
    """The watched date, its ISO form, and the alignment that the model never sees."""
    run = recorded_training()
    title = WORDS.label("map.gold")
    values = {"pairs": run.pairs, "input": run.source, "output": run.target}
    return Part("figure", draw_map(gold_weights(run.pair), run.target, run.source, title), values)


def part_at(step: int, numbers: tuple[tuple[int, int], ...] = (), **values: object) -> Part:
    """Return the weights at a step with p of each right character behind its row."""
    run = recorded_training()
    moment = run.at(step)
    sides = [WORDS.label("side.p"), *(f"{p:.0%}" for p in moment.p[:-1])]
    title = WORDS.label("map.step", step=step, written=shown(moment.written))
    picture = draw_map(moment.weights[:-1], run.target, run.source, title, sides, numbers)
    return Part("figure", picture, {"step": step, "written": shown(moment.written), **values})


def show_start(settings: Settings) -> Part:
    """The weights before training: nearly the same everywhere."""
    run = recorded_training()
    start = run.at(START)
    values = {"S": len(run.source), "p": float(start.p.mean()), "most": float(start.weights.max())}
    return part_at(START, **values, parameters=run.parameters)


def at_output() -> dict[str, object]:
    """Return the numbers of the followed output at the step where the story looks into it."""
    run = recorded_training()
    moment = run.at(PUSHED)
    right, rival = run.source.index(run.target[OUTPUT]), int(moment.weights[OUTPUT].argmax())
    return {
        "step": PUSHED,
        "right": run.source[right],
        "rival": run.source[rival],
        "done": run.target[:OUTPUT],
        "p": float(moment.p[OUTPUT]),
        "loss": -float(np.log(moment.p[OUTPUT])),
        "weight": float(moment.weights[OUTPUT, right]),
        "rival_weight": float(moment.weights[OUTPUT, rival]),
        "push": float(moment.push[OUTPUT, right]),
        "rival_push": float(moment.push[OUTPUT, rival]),
        "last_weight": float(run.moments[-1].weights[OUTPUT, right]),
    }


def show_loss(settings: Settings) -> Part:
    """The machine at one output: weights, context, decoder, probability, loss, and the gradient back."""
    run = recorded_training()
    return Part("machine", draw_step(run, run.at(PUSHED), OUTPUT), at_output())


def ask_push(settings: Settings) -> Part:
    """The weights of one output; the answer is which way the gradient pushes the score of each."""
    run, values = recorded_training(), {**at_output(), "revealed": settings.revealed}
    picture = draw_push(run, run.at(PUSHED), OUTPUT, settings.revealed)
    choices = (values["right"], values["rival"], "9")
    return Part("layer_bars", picture, values, choices=choices, answer=values["right"])


def ask_order(settings: Settings) -> Part:
    """Two shares before training; the answer is how both rise."""
    run = recorded_training()
    guessed, split = run.at(GUESSED), run.at(PUSHED).split
    values = {
        "revealed": settings.revealed,
        "step": GUESSED,
        "aligned": guessed.aligned,
        "right": guessed.characters,
        "later": PUSHED,
        "split": split,
        "first_aligned": run.at(START).aligned,
        "first_right": run.at(START).characters,
        "n": run.held_out,
        "runs": 1 + len(run.seeds),
        "last": run.moments[-1].aligned,
        "best": max(moment.aligned for moment in run.moments),
    }
    courses = {"right": (run.course, CHARACTERS), "aligned": (run.course, ALIGNED)}
    picture = draw_courses(courses, START, names_at=BEFORE)
    if settings.revealed:
        picture = draw_courses(courses, marked=GUESSED, names_at=AFTER)
    return Part("figure", picture, values, choices=FIRSTS, answer="right")


BEFORE = {"right": (8, 0.07, "left"), "aligned": (8, 0.20, "left")}  # where the curves' names are
AFTER = {"right": (2, 0.72, "left"), "aligned": (LAST_DRAWN, 0.5, "right")}


def show_moment(settings: Settings) -> Part:
    """The weights at the snapshot that the learner drags to."""
    run = recorded_training()
    moment = run.moments[settings.moment]
    first = next(each.step for each in run.moments if each.written == run.target)
    values = {
        "found": moment.step == first,
        "early": moment.step < first,
        "output": run.target,
        "count": len(run.moments),
        "steps": run.steps,
        "aligned": moment.aligned,
    }
    return part_at(moment.step, **values)


def ask_mixed(settings: Settings) -> Part:
    """Pairs with shuffled outputs; the answer is the share aligned right, with true pairs and with these."""
    run = recorded_training()
    source, given, right = run.mixed[0]
    second = next(moment for moment in run.shuffled if moment[0] == LAST_DRAWN)
    values = {
        "revealed": settings.revealed,
        "input": source,
        "given": given,
        "output": right,
        "mixed": second[ALIGNED],
        "aligned": run.at(LAST_DRAWN).aligned,
        "guessed": second[CHARACTERS],
        "chance": run.chance,
        "step": LAST_DRAWN,
        "steps": run.steps,
    }
    picture = draw_mixed(run)
    if settings.revealed:
        courses = {"true": (run.course, ALIGNED), "mixed": (run.shuffled, ALIGNED)}
        names_at = {"true": (LAST_DRAWN, 0.88, "right"), "mixed": (LAST_DRAWN, 0.23, "right")}
        picture = draw_courses(courses, names_at=names_at)
    return Part("figure", picture, values, choices=SHARES, answer="chance")


def show_uniform(settings: Settings) -> Part:
    """Dates right with the learned weights, and with the same weight everywhere."""
    run = recorded_training()
    shares = {"own": run.moments[-1].right, "uniform": run.uniform}
    values = {**shares, "n": run.held_out, "S": len(run.source)}
    return Part("figure", draw_uniform(shares), values, {"uniform": True})


@cache
def french() -> Translated:
    """Return the story's sentence as the stored translator of words writes it in French."""
    task = TASKS[translator_choice.FRENCH]
    return translated(translator_of(task.models[SCORES[0]]), task.read(EXAMPLES[0]))


def show_french(settings: Settings) -> Part:
    """The weights of a translator of words, where adjective and noun change places."""
    made = french()
    outputs, weights = made.written, made.weights[: len(made.written)]
    rows = [outputs.index(word) for word in ("chat", "noir")]
    cells = [(t, int(weights[t].argmax())) for t in rows]
    card = load_card(TASKS[translator_choice.FRENCH].models[SCORES[0]])
    values = {
        "aligned": 1 - card.quality["alignment_error"],
        "n": card.quality["held_out_pairs"],
        "pairs": card.config["pairs"],
        "weight": float(weights[cells[1]]),
    }
    title = WORDS.label("map.french")
    picture = draw_map(weights, outputs, made.inputs, title, numbers=cells)
    return Part("figure", picture, values, {"on": "french"})


def show_answer(settings: Settings) -> Part:
    """The weights before training and at its end."""
    run = recorded_training()
    values = {"first": START, "last": run.steps, "n": len(run.source)}
    return Part("figure", draw_two(run, [run.at(START), run.moments[-1]]), values)


STORY = (
    look("pair", show_pair),
    look("start", show_start),
    look("loss", show_loss),
    ask("push", ask_push),
    ask("order", ask_order),
    do("replay", show_moment, MOMENT),
    ask("mixed", ask_mixed),
    look("equal", show_uniform),
    look("french", show_french),
    end("answer", show_answer),
)


# The lab: train on the course's pairs or on the learner's, replay it, translate with it.


@dataclass(frozen=True)
class Material:
    """Pairs to train on, what they are in a line (`about`), and how a text is read (`task`; own pairs by `unit`)."""

    pairs: tuple[Pair, ...] | CoursePairs
    task: Task
    about: str
    unit: str = ""

    def read(self, text: str) -> list[str]:
        """Return what the model reads of a text."""
        return list(units_of(text, self.unit)) if self.unit else self.task.read(text)


@dataclass(frozen=True)
class Attempt:
    """What a training was started with: kept beside its result, for the controls may have been moved since."""

    material: Material
    watched: tuple[str, ...]
    settings: training_course.TranslationSettings


def lab() -> None:
    """What there is to learn; the training as it goes; a sentence of one's own, translated by the model just trained."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        first, more = st.container(horizontal=True, width="content"), LESSON.options()
    with more:
        seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1)
        uniform, late = LESSON.draw(UNIFORM), LESSON.draw(LATE)
    broken = "uniform" if uniform else "late" if late else ""
    with first:
        material = choose_pairs(seed, notes)
    bench, attempt = LESSON.bench(), None
    if material is None:
        stage.info(WORDS.label("waiting"))
    else:
        with first:
            watched = typed_words(material, "watched", material.task.example, notes)
        with more:
            settings = choose_settings(seed, material)
        attempt = Attempt(material, watched, settings)
        with stage:
            arguments = (material.pairs, list(attempt.watched), *vars(attempt.settings).values())
            unit = material.task.unit
            bench = LESSON.train(fit_translation, arguments, attempt, lambda reports: watch(unit, reports))
            if bench.result is None:
                show_material(material)
            else:
                attempt = bench.settings
                show_result(bench.result, attempt)
        notes.markdown(WORDS.markdown("watch"))
        if bench.result is not None:
            st.header(WORDS.heading("fold.translate"), anchor=False)
            translate_with_it(bench.number, bench.result, attempt, broken)
        elif broken:
            st.info(WORDS.label("train.first"))
        pairs, apart = first_pairs(material.pairs, SHOWN), " " if material.task.language else ""
        LESSON.every_number(WORDS.label("table.pairs"), lambda: pairs_table(pairs, apart))
    weights = ("translator.safetensors", lambda: to_safetensors(bench.result))
    LESSON.close_lab(
        code=[
            *(fit_translation, Fit.epoch, loss_of, outcomes, quality),
            *(training_course.sharpness, training_course.course),
        ],
        parameters=notebook_parameters(attempt),
        prompts={"dot": {"on": "dates", "score": "dot"}, "french": {"on": "french"}, "own": {"on": OWN}},
        files={} if bench.result is None else {WORDS.label("weights"): weights},
    )


def choose_pairs(seed: int, notes: DeltaGenerator) -> Material | None:
    """Draw the choice, in the address but for a file; return the pairs, or None while there is no file to read."""
    on = LESSON.draw(ON)
    if on == OWN:
        return own_pairs(notes)
    count, longest = LESSON.draw(PAIRS), LONGEST
    if on != "dates":
        longest = LESSON.draw(LONGEST_WORDS)
    pairs = CoursePairs(KIND_OF[on], count, longest, seed)
    about = WORDS.label("about", n=count, name=WORDS.label(f"on.{on}"))
    return Material(pairs, TASKS[TASK_OF[on]], about)


def own_pairs(notes: DeltaGenerator) -> Material | None:
    """Draw the upload and how it is read; return the pairs, or None and say what is missing or wrong."""
    unit = LESSON.draw(UNIT)
    label = WORDS.label("file", n=MOST_PAIRS)
    if file := LESSON.upload("file", label, type=["csv", "tsv", "txt"], max_upload_size=10):
        LESSON.set_state("kept", (file.name, file.getvalue()))  # still there when the page is left
    help_text = WORDS.label("pattern.help")
    LESSON.download("pattern", WORDS.label("pattern"), "pairs.tsv", pattern, help=help_text)
    if not (kept := LESSON.get_state("kept")):
        notes.info(WORDS.label("no_file"))
        return None
    name, data = kept
    try:
        read = read_own(data, unit)
    except TextError as error:
        notes.warning(plain(str(error)))
        return None
    for note in read.notes:
        notes.text(note)
    language = OWN if unit == UNITS[0] else ""
    example = Task(OWN, {}, language, CoursePairs, "").write(read.pairs[0].source, output=False)
    task = Task(OWN, {}, language, CoursePairs, example)
    return Material(read.pairs, task, WORDS.label("about.own", n=len(read.pairs), name=name), unit)


@cached(0, 2)
def read_own(data: bytes, unit: str) -> PairFile:
    """Return the pairs in a learner's file, kept for this session."""
    return read_pair_file(data, unit)


@st.cache_data(show_spinner=False)
def pattern() -> str:
    """Return a file of pairs as an example to follow."""
    return written_pairs(CoursePairs(KIND_OF["french"], 1000, 6, seed=1))


def show_material(material: Material) -> None:
    """Show what there is to learn: the gold alignment of a pair, which the model is never given, or the lengths."""
    unit = material.task.unit
    pair = next((pair for pair in first_pairs(material.pairs, 20) if pair.links), None)
    if pair is None:
        LESSON.figure("lengths", lengths_figure(material.pairs, unit), WORDS.label("lengths.alt"))
        LESSON.say("says.lengths")
        return
    written = {
        "input": material.task.write(pair.source, output=False),
        "output": material.task.write(pair.target),
    }
    LESSON.figure("gold", gold_figure(pair, unit), WORDS.label("gold.alt", **written))
    values = {"linked": len({t for t, _ in pair.links}), "T": len(pair.target), "unit": unit}
    LESSON.say("says.gold", values)


def choose_settings(seed: int, material: Material) -> training_course.TranslationSettings:
    """Draw the settings, all in the address, and say how many steps they make."""
    score = LESSON.draw(SCORE)
    hidden = LESSON.draw(HIDDEN[bool(material.task.language)])
    settings = training_course.TranslationSettings(score, hidden, hidden // 2, LESSON.draw(EPOCHS), seed)
    steps = settings.steps(len(material.pairs))
    st.caption(WORDS.label("steps", n=steps, batch=training_course.BATCH))
    return settings


def typed_words(material: Material, name: str, example: str, notes: DeltaGenerator) -> tuple[str, ...]:
    """Draw a field for a sentence and return what the model reads of it; of the example while there is nothing."""
    field = f"{name}_{material.task.language or 'letters'}"
    words = material.read(LESSON.text(field, WORDS.label(name), example, max_chars=1000))
    if not words:
        notes.info(WORDS.label("nothing"))
        words = material.read(example)
    if len(words) > MOST_WORDS:
        notes.info(WORDS.label("cut", most=MOST_WORDS, n=len(words), unit=material.task.unit))
    return tuple(words[:MOST_WORDS])


def watch(unit: str, reports: list) -> None:
    """Draw how far the training is, and the watched sentence's attention so far."""
    if not reports:
        st.progress(0.0, WORDS.label("progress.pairs"))
        return
    now, left = reports[-1], training_course.seconds_left(reports)
    st.progress(now.share, WORDS.label("progress", step=now.step, share=now.share, left=left))
    LESSON.view("attention_replay", replay_payload(reports, unit, LIVE), "live")


def show_result(fitted: Fitted, attempt: Attempt) -> None:
    """Replay the watched sentence; say what was trained, when it began to attend, and how well it does on new pairs."""
    last, unit = fitted.snapshots[-1], attempt.material.task.unit
    trained = {"about": attempt.material.about, "step": last.step, "share": last.share}
    st.text(WORDS.label("trained", **trained, score=WORDS.label(f"score.{attempt.settings.score}")))
    LESSON.view("attention_replay", replay_payload(fitted.snapshots, unit), "replay")
    if found := training_course.course(fitted.snapshots):
        LESSON.say("says.course", {**vars(found), "unit": unit})
    columns = st.columns(4)
    for column, key in zip(columns, ("exact_match", "alignment_error"), strict=False):
        if key in fitted.held_out:
            name, about = WORDS.label(f"metric.{key}"), WORDS.label(f"metric.{key}.help")
            column.metric(name, f"{fitted.held_out[key]:.1%}", help=about)
    parameters = sum(array.size for array in fitted.weights.values())
    columns[2].metric(WORDS.label("metric.parameters"), f"{parameters:,}")
    both = WORDS.label("vocabularies", source=len(fitted.source), target=len(fitted.target))
    columns[3].metric(WORDS.label("metric.vocabularies"), both, help=WORDS.label("metric.vocabularies.help"))
    if not fitted.held_out:
        st.caption(WORDS.label("none_held_out"))


def translate_with_it(number: int, fitted: Fitted, attempt: Attempt, broken: str) -> None:
    """Translate a sentence by the model just trained, and by what the switch leaves of it; draw where it attends."""
    task, translator = attempt.material.task, fitted.translator()
    new = next(iter(held_out_of(attempt.material.pairs, 1)), first_pairs(attempt.material.pairs, 1)[0])
    example = task.write(new.source, output=False)  # one that it has not seen, and that is not watched
    words = typed_words(attempt.material, "typed", example, st.container())
    if unknown := unknown_words(words, translator.source):
        st.text(WORDS.label("unknown", said=unknown))
    made = translated(translator, words)
    inputs = [f"{s + 1} {word}" for s, word in enumerate(made.inputs)]
    question, answer = WORDS.label("guess", unit=task.unit), inputs[int(made.weights[0].argmax())]
    if words == attempt.watched:
        st.caption(WORDS.label("is_watched"))
    elif not LESSON.ask(question, inputs, answer, f"{number}_{' '.join(words)}"):
        return
    st.text(f"→ {sentence_written(task, made)}")
    if broken:
        made = translated(replace(translator, model=BREAKS[broken](translator.model)), words)
        st.text(WORDS.label(f"written.{broken}", text=sentence_written(task, made)))
    if not made.translation.finished:
        st.info(WORDS.label("endless", n=len(made.outputs), unit=task.unit))
    show_attention(
        LESSON, task, made, gold_of(task, ChosenSentence(made.inputs, task.reference(made.inputs)), made)
    )
    if broken:
        show_consequence(attempt, translator, broken, BREAKS[broken])
    step_table(LESSON, made)
    table = training_table(fitted.snapshots)
    LESSON.every_number(WORDS.label("table.training"), lambda: (table, partial(worked_training, table)))


def show_consequence(
    attempt: Attempt, translator: Translator, name: str, broken: Callable[[Seq2Seq], Seq2Seq]
) -> None:
    """Measure the model just trained on held-out pairs, with its own weights and without."""
    pairs = held_out_of(attempt.material.pairs, MEASURED)
    if not pairs:
        st.info(WORDS.label("nothing_held_out"))
        return
    shares = (
        quality(outcomes(model, pairs, translator.source, translator.target))["exact_match"]
        for model in (translator.model, broken(translator.model))
    )
    st.caption(WORDS.label("measured", n=len(pairs)))
    LESSON.compare(name, *shares, ".1%")


def notebook_parameters(attempt: Attempt | None) -> dict[str, object]:
    """Return the values of the notebook's first cell: the training of the page, or a file's that is to come."""
    if attempt is None:
        return {"unit": UNITS[0], "kind": "", "count": 0, "longest": LONGEST, "watched": None, **DEFAULTS}
    pairs = attempt.material.pairs
    of_course = pairs if isinstance(pairs, CoursePairs) else CoursePairs("", 0, LONGEST, 1)
    return {
        "unit": attempt.material.unit,
        "kind": of_course.kind,
        "count": of_course.count,
        "longest": of_course.longest,
        "watched": list(attempt.watched),
        **vars(attempt.settings),
    }


DEFAULTS = vars(training_course.TranslationSettings(SCORE.default, 64, 32, EPOCHS.default, 1))
