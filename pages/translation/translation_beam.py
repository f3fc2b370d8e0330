"""Beam search: several beginnings of a translation kept at once, drawn as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.translation.beam_tree import (
    DRAWN_AT_MOST,
    beam_tree_figure,
    candidates_picture,
    shared_tree,
    worked_log_probability,
)
from core.lesson.break_it import consequence, written
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import (
    DUTCH,
    FRENCH,
    SCORES,
    TASKS,
    Task,
    choose_model,
    choose_sentence,
    choose_task,
    held_out_pairs,
    translator_of,
)
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.models.translation.beam_history import (
    History,
    SearchQuality,
    given_up,
    path_to,
    search_quality,
    turns,
)
from core.models.translation.translate import (
    Beginning,
    Translation,
    Translator,
    beam,
    candidates,
    greedy,
    rescored,
)

LESSON = Lesson(
    __name__,
    title="A beam of translations",
    question="Is the likeliest word at every step the way to the likeliest translation?",
    icon="split",
)
EXAMPLE = "I think that the ill boy gave a green coat to the beautiful woman ."
MEASURED = 40  # held-out inputs on which a width is measured


def picture() -> Figure:
    """The tree that a beam of two leaves when the translator without attention reads a sentence."""
    translator = translator_of(TASKS[FRENCH].models["none"])
    history = beam(translator.model, translator.source.encode("the white cars arrive .".split()), 2)
    return card(beam_tree_figure(history, translator.target.words)).update_yaxes(title="")


def page() -> None:
    """The search as a tree, step by step; a step's candidates; the hypotheses with their probabilities."""
    LESSON.open(
        r"\ln p(y \mid x) = \sum_t \ln p(y_t \mid y_{<t}, x) \qquad \text{keep the } k \text{ beginnings } "
        r"y_1 \dots y_t \text{ with the largest } \ln p(y_1 \dots y_t \mid x)",
        "$k$: the width of the beam. With $k = 1$ this is greedy search, which takes the likeliest word at every step. A "
        "word that looks best now may leave only poor words to follow it; the beam can still change its mind.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        task = choose_task(LESSON)
        name = choose_model(LESSON, task, ("none", *SCORES))
        sentence = choose_sentence(LESSON, task, notes, example=EXAMPLE if task.language == "fr" else "")
        chosen = LESSON.slider("width", "Beam width k", 2, 8, 4, width=110)
        narrow = LESSON.break_it(
            "narrow", "Break it: keep one beginning only", "This is greedy search: it cannot go back."
        )
    width = 1 if narrow else chosen
    translator = translator_of(name)
    source = translator.source.encode(sentence.words)
    history = searched(name, tuple(source), width)
    alone = alone_of(name, tuple(source))
    wide = searched(name, tuple(source), chosen)[-1][0] if narrow else history[-1][0]
    differ = list(wide.words) != alone.words

    def said(words: Sequence[int]) -> str:
        """Return output words as a sentence."""
        return task.write(translator.target.decode(words))

    with stage:
        question = f"Does a beam of {chosen} end with another translation than greedy search?"
        about = f"{name}_{chosen}_{' '.join(sentence.words)}"
        if revealed := LESSON.ask(question, ["yes", "no"], "yes" if differ else "no", about):
            frames = beam_frames(task.label, name, tuple(source), width)
            LESSON.steps(frames, start=len(frames), shared=shared_tree(history, translator.target.words))
            ln_p, ln_p_alone = (written(found.log_probability, ".4g") for found in (wide, alone))
            LESSON.set_values(alone=ln_p_alone, wide=ln_p)
            LESSON.set_values(width=width, gone=len(given_up(history)), every=sum(map(len, history)))
            LESSON.set_values(differ="another translation than" if differ else "the same translation as")
            second = searched_at(name, tuple(source), width, min(1, len(history) - 1))
            LESSON.set_values(parents=second.parents, candidates=len(second.found), kept=second.kept)
            LESSON.set_values(first=len(history[0]))
            st.text(f"Greedy, ln p = {ln_p_alone}: {said(alone.words)}")
            st.text(f"Beam of {chosen}, ln p = {ln_p}: {said(wide.words)}")
            if sentence.pair:
                st.text(f"Right: {task.write(sentence.pair.target)}")
    if narrow:
        one, many = (measured_quality(task.label, name, k) for k in (1, chosen))
        LESSON.set_values(many=MEASURED)
        st.caption(f"Measured on {MEASURED} held-out inputs, with a beam of {chosen} and with one beginning.")
        consequence("Mean ln p of what was found", many.log_probability, one.log_probability, ".3f")
        consequence("Exact match", many.exact_match, one.exact_match, ".1%")
        st.text(what_is_lost(many, one))
    if revealed:
        LESSON.every_number("hypotheses", hypotheses, task, translator, source, history[-1])
    LESSON.closing(
        code=[beam, candidates, greedy, rescored, path_to, given_up, turns, search_quality],
        notebook=[
            "from core.models.translation.translate import beam, greedy, stored_translator\n\n"
            f"translator = stored_translator({name!r})\nsource = translator.source.encode({list(sentence.words)!r})",
            "alone = greedy(translator.model, source)\n"
            "print(alone.log_probability, translator.target.decode(alone.words))",
            f"history = beam(translator.model, source, width={width})\nfor found in history[-1]:\n"
            "    print(found.log_probability, translator.target.decode(found.words))",
        ],
        plot=(
            "from core.figures.translation.beam_tree import beam_tree_figure\n\n"
            "draw(beam_tree_figure(history, translator.target.words))"
        ),
        try_this=[
            ("With attention: does greedy search do?", {"task": FRENCH, "score": "additive"}),
            ("A width of 8: how many are given up?", {"width": 8}),
            ("Dutch, whose verb comes last", {"task": DUTCH}),
        ],
        sources=[
            "Alex Graves (2012), Sequence transduction with recurrent neural networks.",
            "Ilya Sutskever, Oriol Vinyals and Quoc Le (2014), Sequence to sequence learning with neural networks.",
            "Felix Stahlberg and Bill Byrne (2019), On NMT search errors and model errors: cat got your tongue?",
        ],
    )


@cached(32, 8, shared=no_typed_words)
def searched(name: str, source: tuple[int, ...], width: int) -> History:
    """Return the search of a stored translator through a sentence."""
    return beam(translator_of(name).model, source, width)


@cached(32, 8, shared=no_typed_words)
def alone_of(name: str, source: tuple[int, ...]) -> Translation:
    """Return what greedy search finds."""
    return greedy(translator_of(name).model, source)


@dataclass(frozen=True)
class Searched:
    """One step of a search: how many beginnings were kept before it, all candidates, and how many of them are kept."""

    parents: int
    found: list[Beginning]
    kept: int


@cached(200, 50, shared=no_typed_words)
def searched_at(name: str, source: tuple[int, ...], width: int, t: int) -> Searched:
    """Return step t of a search, from 0."""
    history = searched(name, source, width)
    parents = history[t - 1] if t else [Beginning((), 0.0, None)]
    return Searched(
        len(parents), candidates(translator_of(name).model, source, parents, width), len(history[t])
    )


@cached(32, 8, shared=no_typed_words)
def beam_frames(label: str, name: str, source: tuple[int, ...], width: int) -> list[dict]:
    """Return the steps of a search as they are shown."""
    history, names, unit = searched(name, source, width), translator_of(name).target.words, TASKS[label].unit
    frames = []
    for t in range(len(history)):
        step = searched_at(name, source, width, t)
        frames.append(
            frame(
                f"output {unit} {t + 1}",
                {"kind": "beginnings", "at": t},
                f"The tree of a beam of width {width} after step {t + 1} of {len(history)}; the likeliest writes: "
                + TASKS[label].write(translator_of(name).target.decode(history[t][0].words)),
                what_is_seen(history[: t + 1], t + 1 == len(history)),
                [what_is_compared(step, t, unit, width)],
                below=candidates_picture(step.found, step.kept, names),
            )
        )
    return frames


def what_is_compared(step: Searched, t: int, unit: str, width: int) -> str:
    """Say what a step's candidates are made of, and how many are kept and drawn."""
    likeliest = f"likeliest {unit}" if width == 1 else f"{width} likeliest {unit}s"
    drawn = f" The best {DRAWN_AT_MOST} are drawn." if len(step.found) > DRAWN_AT_MOST else ""
    return (
        f"Step {t + 1}. Beginnings kept before it: {step.parents}. Each is lengthened by its {likeliest}; a finished one "
        f"stays as it is. Candidates: {len(step.found)}. Kept, in blue: {step.kept}.{drawn}"
    )


def what_is_seen(history: History, ended: bool) -> str:
    """Say what the search has given up by now, and where the likeliest beginning was not the likeliest before."""
    kept = sum(map(len, history))
    if max(map(len, history)) == 1:
        return f"One beginning at every step: {kept} kept, none to go back to."
    gone = len(given_up(history))
    lost = f"{gone} of the {kept} beginnings kept {'' if ended else 'so far '}{'is' if gone == 1 else 'are'} given up."
    if len(history) == 1:
        return lost  # no step before it, whose likeliest could have been continued
    turned = [str(t + 1) for t in turns(history)]
    mind = (
        f"It changed its mind at step{'s' if len(turned) > 1 else ''} {', '.join(turned)}: the likeliest then does "
        "not continue the likeliest before."
        if turned
        else "The likeliest has always continued the likeliest before."
    )
    return f"{lost} {mind}"


@lru_cache(maxsize=64)
def measured_quality(label: str, name: str, width: int) -> SearchQuality:
    """Return how well a width does on held-out inputs."""
    return search_quality(translator_of(name), held_out_pairs(label, seed=3, count=MEASURED), width)


def what_is_lost(many: SearchQuality, one: SearchQuality) -> str:
    """Say whether the wider beam finds likelier translations, and whether more of them are right."""
    gain = many.log_probability - one.log_probability
    right = round((many.exact_match - one.exact_match) * MEASURED)
    likelier = (
        "Both find equally likely translations"
        if abs(gain) < 5e-4
        else f"What the beam finds is {'likelier' if gain > 0 else 'less likely'} by {abs(gain):.3f} on average"
    )
    more = f"{abs(right)} {'more' if right > 0 else 'fewer'}" if right else "no more and no fewer"
    return f"{likelier}, and the beam translates {more} of the {MEASURED} right. Likelier and right are two things."


def hypotheses(
    task: Task, translator: Translator, source: Sequence[int], last: Sequence[Beginning]
) -> tuple[pd.DataFrame, Formula]:
    """Return the hypotheses with their probabilities, each the product over its words, and the formula of a cell."""
    table = pd.DataFrame(
        {
            "rank": range(1, len(last) + 1),
            "translation": [task.write(translator.target.decode(b.words)) for b in last],
            "ln p": [b.log_probability for b in last],
            "p": [float(np.exp(b.log_probability)) for b in last],
            f"{task.unit}s": [len(b.words) for b in last],
            f"ln p a {task.unit}": [b.log_probability / len(b.words) for b in last],
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Add up the logarithms of a hypothesis' words."""
        if column != "ln p":
            return None
        words = list(last[row].words)
        log_p = rescored(translator.model, source, words).steps.logits[0].log_softmax(-1)
        return worked_log_probability(log_p[range(len(words)), words].numpy(), f"{row + 1}.")

    return table, formula
