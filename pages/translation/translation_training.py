"""Train a translator: on dates, on the course's sentences or on pairs of one's own, and watch where it looks."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.translation import training_pairs
from core.figures.translation.attention_replay import replay_payload
from core.figures.translation.decoder_step import attention_heatmap
from core.lesson.break_it import consequence
from core.lesson.choices.translator_choice import (
    DATES,
    DUTCH,
    FRENCH,
    SCORES,
    TASKS,
    Sentence,
    Task,
    translator_of,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.translation import training_course
from core.models.translation.fit_translation import Fit, Fitted, fit_translation, loss_of, outcomes, quality
from core.models.translation.kept_translator import to_safetensors
from core.models.translation.translate import Translator, greedy
from core.text.grammar.grammar import LONGEST, SHORTEST
from core.text.grammar.pairs import MOST_WORDS, Pair, unknown_words
from core.text.reading.decoding import TextError
from core.text.reading.pair_files import MOST_PAIRS, UNITS, PairFile, read_pair_file, units_of, written_pairs
from core.text.samples.course_pairs import CoursePairs, first_pairs, held_out_of
from pages.translation.shared.attention_picture import gold_of, sentence_written, show_attention, translated
from pages.translation.shared.broken_translator import Break, choose_break
from pages.translation.shared.decoder_steps import step_table

LESSON = Lesson(
    __name__,
    title="Train a translator",
    question="How does a model find out where to look, when nobody tells it?",
    icon="graduation-cap",
)
OWN = "your own pairs"
GENERATORS = {DATES: "dates", FRENCH: "English–French", DUTCH: "English–Dutch"}
SHOWN = 200  # pairs in the table
MEASURED = 100  # held-out pairs on which a broken translator is measured
LIVE = 20  # snapshots sent while training, twice a second
MEASURES = {
    "exact_match": ("Right, of those held out", "Kept from training, and translated without any mistake."),
    "alignment_error": ("Alignment error", "Outputs whose heaviest weight is not on an input of theirs."),
}
VOCABULARIES = "How many different inputs and outputs it knows, four signs of its own among them."


def picture() -> Figure:
    """What training finds out by itself: which letters of a French date say the year, the month and the day."""
    translator, inputs = translator_of(TASKS[DATES].models[SCORES[0]]), list("4 mars 1987")
    made = greedy(translator.model, translator.source.encode(inputs))
    outputs = translator.target.decode(made.words)
    figure = card(attention_heatmap(made.steps.weights[0, : len(outputs)].numpy(), outputs, inputs))
    return figure.update_xaxes(title="").update_yaxes(title="")


def page() -> None:
    """What there is to learn; the training as it goes; a sentence of one's own, translated by the model just trained."""
    LESSON.open(
        r"L = -\frac{1}{n} \sum_{(x, y)} \sum_t \ln p(y_t \mid y_1 \dots y_{t-1},\, x)",
        "$(x, y)$: the pairs of a batch. $x$: the input. $y_t$: the right output word at step $t$; the words before it "
        "are given as they should be, whatever the model would have written (**teacher forcing**). $n$: all output words "
        "of the batch. Every number moves a little against the gradient of $L$ (Adam). Nothing in $L$ says where to look.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        first, more = st.container(horizontal=True, width="content"), LESSON.more()
    with more:
        seed = LESSON.number("seed", "Seed", 0, 9999, 1)
        broken = choose_break(LESSON)
    with first:
        material = choose_pairs(seed, notes)
    bench, attempt = LESSON.bench(), None
    if material is None:
        stage.info("The training waits for a file with pairs.")
    else:
        with first:
            watched = typed_words(material, "watched", "Sentence to watch", material.task.example, notes)
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
        notes.markdown(
            "Three things to watch while it trains: the loss, the weights (with $1/S$ for each of $S$ inputs it would look "
            "nowhere), and the output. At which step does each of them change?"
        )
        if bench.result is not None:
            st.header("Translate with it", anchor=False)
            translate_with_it(bench.number, bench.result, attempt, broken)
        elif broken:
            st.info("Train first: the break is measured on the model that you have trained.")
        pairs, apart = first_pairs(material.pairs, SHOWN), " " if material.task.language else ""
        LESSON.every_number("the first pairs", lambda: training_pairs.pairs_table(pairs, apart))

    weights = ("translator.safetensors", lambda: to_safetensors(bench.result))
    LESSON.closing(
        code=[
            *(fit_translation, Fit.epoch, loss_of, outcomes, quality),
            *(training_course.sharpness, training_course.course),
        ],
        notebook=notebook_cells(attempt),
        files={} if bench.result is None else {"Weights (safetensors)": weights},
        plot=(
            "from core.figures.translation.decoder_step import attention_heatmap\n\n"
            "draw(attention_heatmap(made.steps.weights[0].numpy(), translator.target.decode(made.words), watched))"
        ),
        try_this=[
            ("The dot score on dates: do the weights sharpen sooner?", {"on": DATES, "score": "dot"}),
            ("English and French: where do adjective and noun cross?", {"on": FRENCH}),
            ("Your own pairs: two columns of anything, words or characters", {"on": OWN}),
        ],
        sources=[
            "Bahdanau, Cho and Bengio (2015), Neural machine translation by jointly learning to align and translate.",
            "Luong, Pham and Manning (2015), Effective approaches to attention-based neural machine translation.",
            "Williams and Zipser (1989), A learning algorithm for continually running fully recurrent neural networks.",
        ],
    )


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


def choose_pairs(seed: int, notes: DeltaGenerator) -> Material | None:
    """Draw the choice, in the address but for a file; return the pairs, or None while there is no file to read."""
    label = LESSON.select("on", "Train on", [*GENERATORS, OWN])
    if label == OWN:
        return own_pairs(notes)
    count, longest = LESSON.slider("pairs", "Pairs", 200, MOST_PAIRS, 6000, 200), LONGEST
    if label != DATES:
        longest = LESSON.slider("longest", "Words in the longest sentence", SHORTEST + 1, LONGEST, 8)
    pairs = CoursePairs(GENERATORS[label], count, longest, seed)
    return Material(pairs, TASKS[label], f"{count:,} pairs, {label}")


def own_pairs(notes: DeltaGenerator) -> Material | None:
    """Draw the upload and how it is read; return the pairs, or None and say what is missing or wrong."""
    unit = LESSON.choose("unit", "A sentence is read as", UNITS)
    label = f"Two columns, at most {MOST_PAIRS:,} pairs"
    if file := LESSON.upload("file", label, type=["csv", "tsv", "txt"], max_upload_size=10):
        LESSON.set_state("kept", (file.name, file.getvalue()))  # still there when the page is left
    about = "1,000 English sentences, each with a tab and its French translation."
    LESSON.download("pattern", "A file as a pattern", "pairs.tsv", pattern, help=about)
    if not (kept := LESSON.get_state("kept")):
        notes.info("Choose a file. Each line: a sentence, a tab or a comma, its translation.")
        return None
    name, data = kept
    try:
        read = read_own(data, unit)
    except TextError as error:
        notes.warning(plain(str(error)))
        return None
    for note in read.notes:
        notes.text(note)
    language = "own" if unit == UNITS[0] else ""
    example = Task(OWN, {}, language, CoursePairs, "").write(read.pairs[0].source, output=False)
    task = Task(OWN, {}, language, CoursePairs, example)
    return Material(read.pairs, task, f"{len(read.pairs):,} pairs of {name}", unit)


@st.cache_data(scope="session", max_entries=2, show_spinner="Reading the pairs")
def read_own(data: bytes, unit: str) -> PairFile:
    """Return the pairs in a learner's file, kept for this session."""
    return read_pair_file(data, unit)


@st.cache_data(show_spinner=False)
def pattern() -> str:
    """Return a file of pairs as an example to follow."""
    return written_pairs(CoursePairs("English–French", 1000, 6, seed=1))


def show_material(material: Material) -> None:
    """Show what there is to learn: the gold alignment of a pair, which the model is never told, or the lengths."""
    unit = material.task.unit
    pair = next((pair for pair in first_pairs(material.pairs, 20) if pair.links), None)
    if pair is None:
        lengths = training_pairs.lengths_figure(material.pairs, f"{unit}s")
        LESSON.figure("lengths", lengths, "How many pairs have which length")
        LESSON.caption("Nobody says which word stands for which: that is to be found out.")
        return
    LESSON.figure("gold", training_pairs.gold_figure(pair), "Which input belongs to which output in one pair")
    LESSON.caption(
        f"One of the pairs: {len({t for t, _ in pair.links})} of its {len(pair.target)} output {unit}s belong to {unit}s "
        f"of the input. The model is not told this: it is given the two sides alone."
    )


@dataclass(frozen=True)
class Attempt:
    """What a training was started with: kept beside its result, for the controls may have been moved since."""

    material: Material
    watched: tuple[str, ...]
    settings: training_course.Settings


def choose_settings(seed: int, material: Material) -> training_course.Settings:
    """Draw the settings, all in the address, and say how many steps they make."""
    kind, size = ("sentences", 96) if material.task.language else ("dates", 64)
    score = LESSON.select("score", "Attention score", SCORES)
    hidden = LESSON.slider(f"hidden_{kind}", "Numbers in a state", 16, 256, size, 16)
    epochs = LESSON.slider("epochs", "Passes through the pairs", 1, 60, 8)
    settings = training_course.Settings(score, hidden, hidden // 2, epochs, seed)
    st.caption(f"About {settings.steps(len(material.pairs)):,} steps on {training_course.BATCH} pairs each.")
    return settings


def typed_words(
    material: Material, name: str, label: str, example: str, notes: DeltaGenerator
) -> tuple[str, ...]:
    """Draw a field for a sentence and return what the model reads of it; of the example while there is nothing."""
    typed = LESSON.text(f"{name}_{material.task.language or 'letters'}", label, example, max_chars=1000)
    words = material.read(typed)
    if not words:
        notes.info("There is nothing to read here. Until then the example is used.")
        words = material.read(example)
    if len(words) > MOST_WORDS:
        notes.info(f"Only the first {MOST_WORDS} of these {len(words):,} {material.task.unit}s are read.")
    return tuple(words[:MOST_WORDS])


def watch(unit: str, reports: list) -> None:
    """Draw how far the training is, and the watched sentence's attention so far."""
    st.progress(*training_course.progress_said(reports))
    if reports:
        LESSON.view("attention_replay", replay_payload(reports, unit, LIVE), "live")


def show_result(fitted: Fitted, attempt: Attempt) -> None:
    """Replay the watched sentence; say what was trained, when it began to look, and how well it does on new pairs."""
    last, unit = fitted.snapshots[-1], attempt.material.task.unit
    ended = "" if last.share == 1 else f" Stopped after {last.share:.0%} of the training."
    st.text(
        f"Trained on {attempt.material.about}, {last.step:,} steps, {attempt.settings.score} score.{ended}"
    )
    LESSON.view("attention_replay", replay_payload(fitted.snapshots, unit), "replay")
    if found := training_course.course(fitted.snapshots):
        LESSON.caption(training_course.course_said(found, unit))
    columns = st.columns(4)
    for column, (key, (name, about)) in zip(columns, MEASURES.items(), strict=False):
        if key in fitted.held_out:
            column.metric(name, f"{fitted.held_out[key]:.1%}", help=about)
    columns[2].metric("Numbers learnt", f"{sum(array.size for array in fitted.weights.values()):,}")
    columns[3].metric("Vocabularies", f"{len(fitted.source):,} and {len(fitted.target):,}", help=VOCABULARIES)
    if not fitted.held_out:
        st.caption("Too few pairs to hold any out: nothing says how it does on sentences it has not seen.")


def translate_with_it(number: int, fitted: Fitted, attempt: Attempt, broken: Break | None) -> None:
    """Translate a sentence by the model just trained, and by what the break leaves of it; draw where it looked."""
    task, translator = attempt.material.task, fitted.translator()
    new = next(iter(held_out_of(attempt.material.pairs, 1)), first_pairs(attempt.material.pairs, 1)[0])
    example = task.write(new.source, output=False)  # one that it has not seen, and that is not watched
    words = typed_words(attempt.material, "typed", "A sentence of your own", example, st.container())
    if unknown := unknown_words(words, translator.source):
        st.text(f"{unknown} It reads <unknown> there, and can only guess.")
    made = translated(translator, words)
    inputs = [f"{s + 1} {word}" for s, word in enumerate(made.inputs)]
    question = f"Which input {task.unit} does it look at most when it writes its first output?"
    answer = inputs[int(made.weights[0].argmax())]
    if words == attempt.watched:
        st.caption("This is the sentence that was watched: the replay shows where the model looks.")
    elif not LESSON.ask(question, inputs, answer, f"{number}_{' '.join(words)}"):
        return
    st.text(f"→ {sentence_written(task, made)}")
    if broken:
        made = translated(replace(translator, model=broken(translator.model)), words)
        st.text(f"Broken → {sentence_written(task, made)}")
    if not made.translation.finished:
        st.info(f"It has written {len(made.outputs)} {task.unit}s and no <end>; it was stopped there.")
    show_attention(
        LESSON, task, made, gold_of(task, Sentence(made.inputs, task.reference(made.inputs)), made)
    )
    if broken:
        show_consequence(attempt, translator, broken)
    step_table(LESSON, made)
    table = training_pairs.training_table(fitted.snapshots)
    LESSON.every_number("the training", lambda: (table, partial(training_pairs.worked_training, table)))


def show_consequence(attempt: Attempt, translator: Translator, broken: Break) -> None:
    """Measure the model just trained on held-out pairs, whole and broken."""
    pairs = held_out_of(attempt.material.pairs, MEASURED)
    if not pairs:
        st.info("No pair was held out, so there is nothing to measure on.")
        return
    whole, now = (
        quality(outcomes(model, pairs, translator.source, translator.target))["exact_match"]
        for model in (translator.model, broken(translator.model))
    )
    st.caption(f"Measured just now on {len(pairs)} held-out pairs:")
    consequence("Translated right", whole, now, ".1%")


def notebook_cells(attempt: Attempt | None) -> list[str]:
    """Return cells that train the same translator with core, and translate with it; or that read a file of pairs."""
    read = 'pairs = read_pair_file(open("pairs.tsv", "rb").read(), {!r}).pairs  # your file, beside this notebook'
    imports = (
        "from core.models.translation.fit_translation import fit_translation\n"
        "from core.models.translation.translate import greedy\n"
        "from core.text.reading.pair_files import read_pair_file\n"
        "from core.text.samples.course_pairs import CoursePairs\n\n"
    )
    if attempt is None:
        return [imports + read.format(UNITS[0])]
    unit = attempt.material.unit
    settings = ", ".join(f"{name}={value!r}" for name, value in asdict(attempt.settings).items())
    return [
        imports + (read.format(unit) if unit else f"pairs = {attempt.material.pairs!r}"),
        'def report(shown):\n    print(f"{shown.share:.0%} loss {shown.loss:.3f}", *shown.output)\n    return True\n\n'
        f"watched = {list(attempt.watched)!r}\nfitted = fit_translation(report, pairs, watched, {settings})\n"
        "print(fitted.held_out)",
        "translator = fitted.translator()\nmade = greedy(translator.model, translator.source.encode(watched))\n"
        "print(translator.target.decode(made.words), made.steps.weights[0])",
        "# Or load what the page's “Weights” gave you.\n"
        "from core.models.translation.kept_translator import from_safetensors\n\n"
        '# translator = from_safetensors(open("translator.safetensors", "rb").read())',
    ]
