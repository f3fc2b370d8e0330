"""Training a translator of one's own: its settings, what is watched meanwhile, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.translation.attention_replay import replay_payload
from core.figures.translation.training_pairs import gold_figure, lengths_figure
from core.figures.worked import number
from core.lesson.break_it import consequence
from core.lesson.browser_view import browser_view
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.translation.fit_translation import BATCH, Fitted, Snapshot, outcomes, quality
from core.models.translation.translate import Translator
from core.text.grammar.pairs import MOST_WORDS, is_held_out, unknown_words
from pages.translation.parts.attention_picture import gold_of, sentence_written, show_attention, translated
from pages.translation.parts.broken_translator import Break
from pages.translation.parts.decoder_steps import Translated
from pages.translation.parts.pair_source import Material
from pages.translation.parts.translator_choice import SCORES, Sentence

MEASURED = 100  # held-out pairs on which a broken translator is measured
LIVE = 20  # snapshots sent while training, twice a second
MEASURES = {"exact_match": "Right, of those held out", "alignment_error": "Alignment error"}
EXPLAINED = {
    "Right, of those held out": "The share of pairs kept from training that are translated without any mistake.",
    "Alignment error": "The share of outputs whose heaviest weight is not on an input that belongs to them.",
    "Numbers learnt": "The parameters: every number that the training changes.",
    "Vocabularies": "How many different inputs and outputs the model knows, four signs of its own among them.",
}
SHOWN = 200  # pairs in the table


@dataclass(frozen=True)
class Settings:
    """What `fit_translation` takes besides the pairs and the sentence to watch, in its order."""

    score: str
    hidden: int
    embedding: int
    epochs: int
    seed: int


@dataclass(frozen=True)
class Attempt:
    """What a training was started with: kept beside its result, for the controls may have been moved since."""

    material: Material
    watched: tuple[str, ...]
    settings: Settings


def choose_settings(lesson: str, seed: int, material: Material) -> Settings:
    """Draw the settings, all in the address, and say how many steps they make."""
    sentences = bool(material.task.language)
    score = st.selectbox("Attention score", SCORES, key=f"{lesson}_score", bind="query-params")
    kind = "sentences" if sentences else "dates"  # each with a default that learns within a minute or so
    hidden = st.slider(
        "Numbers in a state",
        16,
        256,
        96 if sentences else 64,
        16,
        key=f"{lesson}_hidden_{kind}",
        bind="query-params",
    )
    epochs = st.slider("Passes through the pairs", 1, 60, 8, key=f"{lesson}_epochs", bind="query-params")
    steps = epochs * ceil(len(material.pairs) * 7 / 8 / BATCH)
    st.caption(f"About {steps:,} steps on {BATCH} pairs each.")
    return Settings(score, hidden, hidden // 2, epochs, seed)


def choose_watched(lesson: str, material: Material) -> tuple[str, ...]:
    """Draw the field for the sentence whose attention is watched; return what the model reads of it."""
    task = material.task
    return tuple(_typed(material, "Sentence to watch", f"{lesson}_watched_{task.language or 'letters'}"))


def _typed(material: Material, label: str, key: str) -> list[str]:
    example = material.task.example
    typed = st.text_input(label, example, key=key, bind="query-params", max_chars=1000)
    words = material.read(typed)
    if not words:
        st.info("There is nothing to read here. Until then the example is used.")
        words = material.read(example)
    if len(words) > MOST_WORDS:
        st.info(f"Only the first {MOST_WORDS} of these {len(words):,} {material.task.unit}s are read.")
    return words[:MOST_WORDS]


def show_material(lesson: str, material: Material) -> None:
    """Show what there is to learn: the gold alignment of a pair, which the model is never told, or the lengths."""
    pair = next((pair for pair in material.first(20) if pair.links), None)
    if pair is None:
        st.markdown(
            "How long the sentences are. Nobody says which word stands for which: that is to be found out."
        )
        figure = lengths_figure(material.pairs, f"{material.task.unit}s")
        show_figure(figure, f"{lesson}_lengths", "How many pairs have which length")
        return
    st.markdown(
        f"One of the pairs, with the {material.task.unit}s that belong together. **The model is not told this.** It "
        "is given the two sides alone, and must find out where to look."
    )
    show_figure(gold_figure(pair), f"{lesson}_gold", "Which input belongs to which output in one pair")


def watch(lesson: str, unit: str, reports: list[Snapshot]) -> None:
    """Draw how far the training is, and the watched sentence's attention so far."""
    if not reports:
        st.progress(0.0, "Making the pairs and their vocabularies")
        return
    now = reports[-1]
    left = f" · about {(len(reports) - 1) * (1 - now.share) / now.share:.0f} s left" if now.share else ""
    st.progress(now.share, f"Step {now.step:,}, {now.share:.0%} of the training{left}")
    browser_view("attention_replay", replay_payload(reports, unit, LIVE), f"{lesson}_live")


def show_result(lesson: str, fitted: Fitted, attempt: Attempt) -> None:
    """Say what was trained and how well it does on pairs it never saw; replay the watched sentence."""
    last, task = fitted.snapshots[-1], attempt.material.task
    ended = "" if last.share == 1 else f" Stopped after {last.share:.0%} of the training."
    st.text(
        f"Trained on {attempt.material.about}, {last.step:,} steps, {attempt.settings.score} score.{ended}"
    )
    measures = {
        name: f"{fitted.held_out[key]:.1%}" for key, name in MEASURES.items() if key in fitted.held_out
    }
    measures["Numbers learnt"] = f"{sum(array.size for array in fitted.weights.values()):,}"
    measures["Vocabularies"] = f"{len(fitted.source):,} and {len(fitted.target):,}"
    for column, (name, value) in zip(st.columns(len(measures)), measures.items(), strict=True):
        column.metric(name, value, help=EXPLAINED[name])
    if not fitted.held_out:
        st.caption("Too few pairs to hold any out: nothing says how it does on sentences it has not seen.")
    browser_view("attention_replay", replay_payload(fitted.snapshots, task.unit), f"{lesson}_replay")


def typed_translation(lesson: str, attempt: Attempt, translator: Translator) -> Translated:
    """Draw the field for a sentence of the learner's own and return its translation by the model just trained."""
    task = attempt.material.task
    words = _typed(attempt.material, "A sentence of your own", f"{lesson}_typed_{task.language or 'letters'}")
    unknown = unknown_words(words, translator.source)
    if unknown:
        st.text(f"{unknown} It reads <unknown> there, and can only guess.")
    return translated(translator, words)


def show_translation(lesson: str, attempt: Attempt, made: Translated) -> None:
    """Show what was written for the learner's sentence, and where the model looked."""
    task = attempt.material.task
    st.text(f"→ {sentence_written(task, made)}")
    if not made.translation.finished:
        st.info(f"It has written {len(made.outputs)} {task.unit}s and no <end>; it was stopped there.")
    gold = gold_of(task, Sentence(made.inputs, task.reference(made.inputs)), made)
    show_attention(lesson, task, made, gold)


def show_broken(attempt: Attempt, translator: Translator, broken: Break) -> None:
    """Measure the model just trained on held-out pairs, whole and broken."""
    pairs = attempt.material.held_out(MEASURED)
    if not pairs:
        st.info("No pair was held out, so there is nothing to measure on.")
        return
    whole, now = (
        quality(outcomes(model, pairs, translator.source, translator.target))["exact_match"]
        for model in (translator.model, broken(translator.model))
    )
    st.caption(f"Measured just now on {len(pairs)} held-out pairs:")
    consequence("Translated right", whole, now, ".1%")


def pairs_table(lesson: str, material: Material) -> None:
    """Show the first pairs as the model reads them, how long they are, and which are held out."""
    pairs, apart = material.first(SHOWN), " " if material.task.language else ""
    sides = [(apart.join(pair.source), apart.join(pair.target)) for pair in pairs]
    table = pd.DataFrame(sides, columns=["input", "output"])
    table["inputs S"] = [len(pair.source) for pair in pairs]
    table["outputs T"] = [len(pair.target) for pair in pairs]
    table["held out"] = ["yes" if is_held_out(pair.source) else "no" for pair in pairs]
    every_number(lesson, "the first pairs", table)


def training_table(lesson: str, snapshots: Sequence[Snapshot]) -> None:
    """Show every snapshot's step, loss and perplexity, with the formula of the perplexity."""
    known = snapshots[1:]
    table = pd.DataFrame(
        {
            "step": [shot.step for shot in known],
            "loss": [shot.loss for shot in known],
            "perplexity": [float(np.exp(shot.loss)) for shot in known],
            "output": [" ".join(shot.output) for shot in known],
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the perplexity of a snapshot."""
        loss, perplexity = number(table["loss"][row]), number(table["perplexity"][row])
        return rf"e^{{L}} = e^{{{loss}}} = {perplexity}" if column == "perplexity" else None

    every_number(lesson, "the training", table, formula)


def notebook_cells(attempt: Attempt) -> list[str]:
    """Return cells that train the same translator with core, and translate with it."""
    material = attempt.material
    pairs = (
        f'pairs = read_pair_file(open("pairs.tsv", "rb").read(), {material.unit!r}).pairs  # your file, beside this'
        if material.unit
        else f"pairs = {material.pairs!r}"
    )
    settings = ", ".join(f"{name}={value!r}" for name, value in asdict(attempt.settings).items())
    return [
        "from core.models.translation.fit_translation import fit_translation\nfrom core.models.translation.translate import greedy\n"
        "from core.text.samples.course_pairs import CoursePairs\nfrom core.text.reading.pair_files import read_pair_file\n\n"
        + pairs,
        'def report(shown):\n    print(f"{shown.share:.0%} loss {shown.loss:.3f}", *shown.output)\n    return True\n\n'
        f"watched = {list(attempt.watched)!r}\nfitted = fit_translation(report, pairs, watched, {settings})\n"
        "print(fitted.held_out)",
        "translator = fitted.translator()\nmade = greedy(translator.model, translator.source.encode(watched))\n"
        "print(translator.target.decode(made.words), made.steps.weights[0])",
        "# Or load what the page's “Weights” gave you.\nfrom core.models.translation.kept_translator import from_safetensors\n\n"
        '# translator = from_safetensors(open("translator.safetensors", "rb").read())',
    ]
