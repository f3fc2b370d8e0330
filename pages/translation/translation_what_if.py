"""What if the translator looked elsewhere: force attention, a word or a beginning, and compare before and after.

The forced attention stands in the address as text, "7:12, 8:6": output word 7 looks at input word 12, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.figure import Figure
from core.figures.translation.what_if import compared_steps, worked_probability
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.attention_cell import choose_place
from core.lesson.choices.translator_choice import (
    DATES,
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
from core.models.translation import what_if as model
from core.models.translation.alignment import Links
from core.models.translation.seq2seq import Decoded
from core.models.translation.translate import Translated, Translator, greedy, onto, rescored
from core.text.grammar.pairs import SPECIAL, unknown_words
from pages.translation.shared.attention_picture import attention_card, gold_of, say_unknown, show_attention
from pages.translation.shared.broken_translator import translated_by

LESSON = Lesson(
    __name__,
    title="What if it looked elsewhere?",
    question="What changes when a translator must look at another word?",
    icon="signpost",
)
GUESSES = ["nothing", "only one place", "more than one place"]
MEASURED = 100  # held-out inputs on which one wrong look is measured
FORCED = re.compile(r"(\d{1,3})\s*:\s*(\d{1,3})")
OTHER = "The women do not buy the red cars."  # what the sentence is compared with at first
NONE = "none"  # what a link says to force nothing: an empty field would be left out of it
OPENING = "7:12"  # in the French example: voiture looks at tired
EXAMPLE = tuple(TASKS[FRENCH].read(TASKS[FRENCH].example))


def picture() -> Figure:
    """The second output word of a short sentence is made to look at the white, not at the cars."""
    translator = translator_of(TASKS[FRENCH].models["additive"])
    return attention_card(
        model.WhatIf(tuple("the white cars arrive .".split()), forced={1: 1}).translated(translator)
    )


def page() -> None:
    """A translation before and after it is made to look, read or begin otherwise; and one wrong look measured."""
    LESSON.open(
        r"a_{ts} = \begin{cases} 1 & s = \text{the word that step } t \text{ is made to look at} \\ 0 & \text{else}"
        r"\end{cases} \qquad c_t = \sum_s a_{ts}\, \bar h_s \qquad y_t = \operatorname*{argmax}_y\, p(y \mid y_{<t}, x)",
        r"A step that is forced onto one word has that word's state as its context: $c_t = \bar h_s$. Nothing before step "
        r"$t$ can change. What follows can change only if $y_t$ does, because every later step reads the words $y_{<t}$ "
        "that were written.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        task = choose_task(LESSON)
        name = choose_model(LESSON, task)
        translator = translator_of(name)
        sentence = choose_sentence(LESSON, task, notes)
        before = translated_by(name, sentence.words)
        force = st.container(horizontal=True, vertical_alignment="bottom", width="content")
        with LESSON.more():
            other = LESSON.toggle("compare", "Compare with another sentence", wrap=True)
            changed = choose_sentence(LESSON, task, notes, "_2", OTHER) if other else sentence
            words = choose_replacement(changed, translator)
            typed = st.container()
            prefix = choose_prefix(task, translator, notes)
        listed = choose_forced(before, words, force, typed)
        broken = LESSON.break_it(
            "wrong",
            "Break it: one wrong look",
            "One step, drawn at random, must look at a random input other than the one it looks at most.",
        )
    with notes:
        forced = forced_in(listed, len(words))
    after = forced_translation(words, prefix, tuple(forced.items()), name)
    if broken and (wrong := model.wrong_look(after.weights, np.random.default_rng(1))):
        forced = forced | dict([wrong])
        after = forced_translation(words, prefix, tuple(forced.items()), name)
    what_if = model.WhatIf(words, prefix, forced)

    with stage:
        rows = model.aligned_places(before.outputs, after.outputs)
        answer = GUESSES[min(model.changes(before.outputs, after.outputs), 2)]
        about = f"{name}_{sentence.words}_{what_if}"
        revealed = LESSON.ask("What changes in the output?", GUESSES, answer, about)
        if not revealed:
            rows = [(t, None) for t in range(len(before.outputs))]
        left, right = st.container(key=LESSON.key("pictures")).columns(2)
        steps = [t for t, _ in rows]
        gold, gold_after = gold_of_both(task, sentence, Sentence(words, task.reference(words)), before, after)
        with left:
            st.markdown("**Before.** Click a cell, then “Force it”.")
            show_attention(LESSON, task, before, gold, "before", steps, on={"cell": partial(pin, steps)})
            st.markdown(marked_sentence(before.outputs, before.outputs))
        right.markdown("**After.** What changed is marked." if revealed else "**After.**")
        if revealed:
            with right:
                steps, marked = [t for _, t in rows], what_if.forced.items()
                show_attention(LESSON, task, after, gold_after, "after", steps, marked=marked)
                st.markdown(marked_sentence(before.outputs, after.outputs))
            LESSON.caption(what_is_seen(before, after, what_if, task.unit))
        else:
            LESSON.caption(
                f"Before any change the output has {len(before.outputs)} {task.unit}s"
                + (
                    f", {plain('<end>')} among them."
                    if before.translation.finished
                    else f" and no {plain('<end>')}: it was stopped there."
                )
            )

    with notes:
        say_unknown(task, before)
        if words != sentence.words and not other:
            st.text(f"The input is now: {task.write(words, output=False)}")
    if revealed:
        compare_probabilities(before, after)
    if broken:
        st.header("One wrong look in every sentence", anchor=False)
        show_wrong_looks(task, name)
    LESSON.closing(
        code=[
            greedy,
            onto,
            rescored,
            model.WhatIf.translated,
            model.aligned_places,
            Decoded.probabilities.fget,
        ]
        + ([model.wrong_look, model.wrong_looks] if broken else []),
        notebook=what_if_cells(name, sentence.words, what_if),
        plot=(
            "from core.figures.translation.decoder_step import attention_heatmap\n\n"
            "draw(attention_heatmap(after.steps.weights[0].numpy(), translator.target.decode(after.words), words))"
        ),
        try_this=[
            ("Make the verb look at “does”", french_example(forced="4:3")),
            ("Woman becomes women: what follows?", french_example(replace="2 woman", by="women")),
            ("Force the beginning “elle”", french_example(prefix="elle")),
            ("A digit looks elsewhere", {"task": DATES, "text_date": TASKS[DATES].example, "forced": "2:18"}),
        ],
        sources=[
            "Hendrik Strobelt et al. (2018), Seq2Seq-Vis: a visual debugging tool for sequence-to-sequence models.",
            "Luong, Pham and Manning (2015), Effective approaches to attention-based neural machine translation.",
        ],
    )


def french_example(**settings: object) -> dict[str, object]:
    """Return settings of the French example with nothing else forced."""
    return {"task": FRENCH, "text_fr": TASKS[FRENCH].example, "forced": NONE, "prefix": "", **settings}


def pin(steps: Sequence[int | None], cell: dict | None) -> None:
    """Carry the cell that was pinned in the view, whose rows are `steps`, over to the fields that say what to force."""
    step = None if cell is None or cell["output"] >= len(steps) else steps[cell["output"]]
    if step is not None:
        LESSON.set_state("at", step)
        LESSON.set_state("onto", int(cell["input"]))


def choose_replacement(sentence: Sentence, translator: Translator) -> tuple[str, ...]:
    """Draw the choice of an input word and of another in its place; return the input words then."""
    place = choose_place(LESSON, "replace", "Replace", sentence.words, "nothing")
    if place is None:
        return sentence.words
    known = [word for word in translator.source.words if word not in SPECIAL]
    other = LESSON.select("by", "by", known, index=None, placeholder="Choose or type a word")
    return sentence.words if other is None else (*sentence.words[:place], other, *sentence.words[place + 1 :])


def choose_prefix(task: Task, translator: Translator, notes: DeltaGenerator) -> tuple[str, ...]:
    """Draw the field for the first output words; return those that the model can write, and name the others."""
    words = task.words(LESSON.text("prefix", "The output must begin with", max_chars=400))
    strange = unknown_words(words, translator.target)
    if not strange:
        return tuple(words)
    known = next(i for i, word in enumerate(words) if word not in translator.target.ids)
    notes.text(f"{strange} Only what stands before it is used.")
    return tuple(words[:known])


def choose_forced(
    before: Translated, inputs: Sequence[str], force: DeltaGenerator, typed: DeltaGenerator
) -> str:
    """Draw what forces a step in `force`, and in `typed` the list of all that is forced; return that list.

    The French example opens with a step that is forced, so that something is to be seen; another sentence does not.
    """
    with force:
        at = choose_place(LESSON, "at", "Output", before.outputs, "none")
        onto_ = choose_place(LESSON, "onto", "must look at", inputs, "none")
        LESSON.button("apply", "Force it", _force, at, onto_, disabled=at is None or onto_ is None)
        LESSON.button("reset", "Reset", _reset, help="Takes back every change.")
    opening = OPENING if before.inputs == inputs == EXAMPLE else ""
    if LESSON.get_state("opening") == OPENING == LESSON.get_state("forced") and not opening:
        LESSON.set_state("forced", "")
    LESSON.set_state("opening", opening)
    with typed:
        shape = "for example 7:6, 8:6"
        return LESSON.text("forced", "Forced so far, output:input", opening, max_chars=400, placeholder=shape)


def forced_in(text: str, inputs: int) -> dict[int, int]:
    """Return {output: input}, counted from 0, of a text that counts from 1; say what of it cannot be used."""
    found = {int(t) - 1: int(s) - 1 for t, s in FORCED.findall(text)}
    usable = {t: s for t, s in found.items() if t >= 0 and 0 <= s < inputs}
    if text.strip() not in ("", NONE) and (len(usable) < len(found) or FORCED.sub("", text).strip(" ,;")):
        st.text(f"Write pairs such as 7:6, each input from 1 to {inputs}. What is not so is left out.")
    return usable


def _force(at: int, onto_: int) -> None:
    others = [f"{t}:{s}" for t, s in FORCED.findall(LESSON.get_state("forced") or "") if int(t) != at + 1]
    LESSON.set_state("forced", ", ".join([*others, f"{at + 1}:{onto_ + 1}"]))


def _reset() -> None:
    for name in ("forced", "prefix"):
        LESSON.set_state(name, "")
    for name in ("replace", "at", "onto"):
        LESSON.set_state(name, None)


@cached(32, 6, shared=no_typed_words)
def forced_translation(
    words: tuple[str, ...], prefix: tuple[str, ...], forced: tuple[tuple[int, int], ...], name: str
) -> Translated:
    """Return what a stored translator writes where it must look, read or begin otherwise; `forced` are (output, input)."""
    return model.WhatIf(words, prefix, dict(forced)).translated(translator_of(name))


def marked_sentence(before: Sequence[str], after: Sequence[str]) -> str:
    """Return `after` as Markdown, its words harmless and those that changed marked.

    >>> marked_sentence(["le", "chat"], ["le", "chien"])
    'le :orange-background[**chien**]'
    """
    changed = model.changed_places(before, after)
    shown = [plain(word) for word in after]
    return " ".join(f":orange-background[**{w}**]" if i in changed else w for i, w in enumerate(shown))


def what_is_seen(before: Translated, after: Translated, what_if: model.WhatIf, unit: str) -> str:
    """Say what the first forced step wrote, and how many rows of the output changed."""
    count = model.changes(before.outputs, after.outputs)
    rows = model.aligned_places(before.outputs, after.outputs)
    counted = f"{count or 'no'} {unit}{'s' if count > 1 else ''} changed"
    counted += ", came or went" if any(None in row for row in rows) else ""
    if not (looks := [t for t in sorted(what_if.forced) if t < len(after.outputs)]):
        return f"Of the output, {counted}."
    word = plain(after.input_names[what_if.forced[t := looks[0]]])
    old = next(i for i, j in rows if j == t)
    if old is not None and before.outputs[old] == after.outputs[t]:
        return f"Made to look at “{word}”, step {t + 1} still writes “{plain(after.outputs[t])}”. In all, {counted}."
    instead = "" if old is None else f" where it wrote “{plain(before.outputs[old])}” before"
    return f"Made to look at “{word}”, step {t + 1} writes “{plain(after.outputs[t])}”{instead}. In all, {counted}."


def gold_of_both(
    task: Task, sentence: Sentence, changed: Sentence, before: Translated, after: Translated
) -> tuple[Links, Links]:
    """Return the gold alignments of both translations, or none of either: the pictures' rows stay side by side.

    Where forcing made the second one wrong, the words that stayed keep the links that they had.
    """
    gold, gold_after = gold_of(task, sentence, before), gold_of(task, changed, after)
    if gold and not gold_after and sentence.words == changed.words:
        stayed = model.kept_places(before.outputs, after.outputs)
        gold_after = frozenset((stayed[t], s) for t, s in gold if t in stayed)
    return (gold, gold_after) if gold and gold_after else (frozenset(), frozenset())


def compare_probabilities(before: Translated, after: Translated) -> None:
    """Show ln p of both outputs, and of the new one had nothing been forced; then every step."""
    source = after.translator.source.encode(after.inputs)
    unforced = rescored(after.translator.model, source, after.translation.words)
    for column, label, value in zip(
        st.columns(3),
        ("ln p of the output before", "ln p after, as forced", "ln p of that output if nothing is forced"),
        (before.translation.log_probability, after.translation.log_probability, unforced.log_probability),
        strict=True,
    ):
        column.metric(label, signed(value, 3))
    st.caption("At every step whose word was not given the model took the likeliest word, given what it saw.")
    LESSON.every_number(
        "steps", lambda: (compared_steps(before, after), partial(worked_probability, before, after))
    )


@lru_cache(maxsize=16)
def wrong_looks(label: str, name: str) -> model.WrongLooks:
    """Measure one wrong look in each of a task's held-out inputs."""
    pairs = held_out_pairs(label, seed=3, count=MEASURED)
    return model.wrong_looks(translator_of(name), [pair.source for pair in pairs])


def show_wrong_looks(task: Task, name: str) -> None:
    """Show what one wrong look in each of many held-out inputs leaves."""
    shares = wrong_looks(task.label, name)
    st.caption(
        f"Measured on {MEASURED} held-out inputs, in each of which one step, drawn at random, looks at a random "
        f"{task.unit} other than the one it looks at most:"
    )
    LESSON.set_values(many=MEASURED, unchanged=f"{shares.unchanged:.0%}")
    consequence("Output unchanged", 1.0, shares.unchanged, ".0%")
    consequence(f"All other {task.unit}s unchanged", 1.0, shares.same_others, ".0%")


def what_if_cells(name: str, words: Sequence[str], what_if: model.WhatIf) -> list[str]:
    """Return the notebook's cells: the translation as it is, and as it is forced."""
    return [
        "from core.models.translation.translate import greedy, onto, stored_translator\n\n"
        f"translator = stored_translator({name!r})\nwords = {list(words)!r}",
        "before = greedy(translator.model, translator.source.encode(words))\n"
        "print(translator.target.decode(before.words), before.log_probability)",
        f"words, prefix = {list(what_if.words)!r}, {list(what_if.prefix)!r}\n"
        f"forced = {dict(what_if.forced)!r}  # output: input, both counted from 0\n"
        "rows = {t: onto(s, len(words)) for t, s in forced.items()}\n"
        "after = greedy(translator.model, translator.source.encode(words), translator.target.encode(prefix), rows)\n"
        "print(translator.target.decode(after.words), after.log_probability)",
    ]
