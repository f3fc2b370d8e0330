"""Forcing attention: what the story shows beat by beat, and the lab that forces attention, a word or a beginning.

The forced attention is in the address as text, "7:12, 8:6": output word 7 attends to input word 12, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.figure import Figure
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.attention_cell import choose_place
from core.lesson.choices.translator_choice import (
    FRENCH,
    TASKS,
    ChosenSentence,
    Task,
    choose_source_sentence,
    held_out_pairs,
    translator_of,
)
from core.lesson.chosen_text import TYPED
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.held_out import wilson
from core.models.translation import what_if as model
from core.models.translation.alignment import Links
from core.models.translation.seq2seq import Decoded
from core.models.translation.translate import Translated, Translator, greedy, onto, rescored
from core.text.grammar.pairs import SPECIAL, unknown_words
from core.words.numbers import percent, short_percent, signed
from core.words.plain import plain
from pages.translation.shared.attention_picture import gold_of, say_unknown, sentence_written, show_attention
from pages.translation.shared.broken_translator import translated_by
from pages.translation.shared.tasks import LAB as TASK_LAB
from pages.translation.shared.tasks import choose_translator
from pages.translation.shared.translator_columns import LOOKED, draw_columns
from pages.translation.translation_what_if import LESSON, LINE, OTHER
from pages.translation.translation_what_if.figures import (
    CHANGED,
    FORCED,
    compared_steps,
    draw_each,
    draw_grid,
    split_figure,
    worked_probability,
)

WORDS = LESSON.words
say = WORDS.label
NAME = TASKS[FRENCH].models["additive"]
MEASURED = 100  # held-out inputs in each of which one step is forced
PAIRS = re.compile(r"(\d{1,3})\s*:\s*(\d{1,3})")
NONE = "none"  # what a link says to force nothing: an empty field would be left out of it
OPENING = "7:12"  # in the lab's French example: voiture attends to tired
EXAMPLE = tuple(TASKS[FRENCH].read(TASKS[FRENCH].example))
GUESSES = ("none", "one", "many")
CARS, PAS, RICH_STEP = 7, 5, 2  # steps of the story's sentence
RICH, QUEEN, DOES, STOP = 1, 2, 3, 9  # places of its input words
BEGINNING = ("les",)

PLACES = tuple(str(place) for place in range(1, 11))  # of the story's sentence, output and input
AT, ONTO = Choice("at", "8", PLACES), Choice("onto", "6", PLACES)
COMPARE, WRONG = Switch("compare"), Switch("wrong")
LAB = (*TASK_LAB, Text("forced"), Text("prefix"), COMPARE, WRONG)


# The story: what each beat shows.


@cache
def force(t: int | None = None, s: int = 0, prefix: tuple[str, ...] = ()) -> Translated:
    """Return what the story's translator writes when step t must attend to input s, or after a forced beginning."""
    words = tuple(TASKS[FRENCH].read(LINE))
    return model.WhatIf(words, prefix, {} if t is None else {t: s}).translated(translator_of(NAME))


def show_forced(after: Translated, t: int, s: int, known: bool = True, hue: str = FORCED) -> dict:
    """Return the columns of a forced translation beside the free one; what changed has a colour.

    The line of step t comes from input s, in `hue`. Until it is known, the words from step t on are left out.
    """
    free = force()
    words = after.outputs if known else [*free.outputs[:t], "?"]
    rows = model.aligned_places(free.outputs, words)
    row_of = {j: row for row, (_, j) in enumerate(rows) if j is not None}
    outputs = [None if j is None else words[j] for _, j in rows]
    was = [None if i is None else free.outputs[i] for i, _ in rows]
    hues = {f"out.{row}": CHANGED for row, word in enumerate(outputs) if word not in (None, "?", was[row])}
    own, row = int(free.weights[t].argmax()), row_of[t]
    links = [(s, row, 0.7, hue)] + ([] if own == s else [(own, row, 0.1, "")])
    hues |= {f"in.{s}": hue, f"enc.{s}": hue}
    return draw_columns(say, free.input_names, outputs, links, after.weights[t], hues, was=was)


def describe(after: Translated, t: int, s: int) -> dict:
    """Return what the words may say of a forced step."""
    free = force()
    p = after.translation.steps.probabilities[0, t]
    return {
        "step": t + 1,
        "was": free.outputs[t],
        "looked": free.input_names[int(free.weights[t].argmax())],
        "onto": free.input_names[s],
        "written": after.outputs[t],
        "p": percent(float(p[after.translation.words[t]]), 0),
        "differ": model.changes(free.outputs, after.outputs),
        "n": len(free.written),
        "sentence": sentence_written(TASKS[FRENCH], after),
    }


def link_lab(t: int, s: int) -> dict:
    """Return the lab's settings that force the same step."""
    return {"text_fr": LINE, "forced": f"{t + 1}:{s + 1}"}


def show_force(settings: Settings) -> Part:
    """The step of the noun is made to attend to another noun."""
    after = force(CARS, QUEEN)
    return Part(
        "machine", show_forced(after, CARS, QUEEN), describe(after, CARS, QUEEN), link_lab(CARS, QUEEN)
    )


def show_form(settings: Settings) -> Part:
    """The same step is made to attend to an adjective; in which form it is written is the question."""
    after = force(CARS, RICH)
    data = show_forced(after, CARS, RICH, settings.revealed)
    choices = (force().outputs[RICH_STEP], after.outputs[CARS], force().outputs[CARS])
    values = describe(after, CARS, RICH) | {"shown": settings.revealed}
    return Part("machine", data, values, link_lab(CARS, RICH), choices, after.outputs[CARS])


def show_each(settings: Settings) -> Part:
    """The same step is made to attend to each input word in turn."""
    free, own = force(), int(force().weights[CARS].argmax())
    made = [force(CARS, s) for s in range(len(free.inputs))]
    written = [each.outputs[CARS] for each in made]
    chances = [
        short_percent(float(each.translation.steps.probabilities[0, CARS, each.translation.words[CARS]]))
        for each in made
    ]
    values = {"step": CARS + 1, "S": len(made), "different": len(set(written)), "words": written}
    data = draw_each(say, free.input_names, written, chances, own)
    return Part("machine", data, values, link_lab(CARS, DOES))


def show_stays(settings: Settings) -> Part:
    """A step that writes its word wherever it attends: whether it changes is the question."""
    after, made = force(PAS, QUEEN), [force(PAS, s) for s in range(len(force().inputs))]
    data = show_forced(after, PAS, QUEEN, settings.revealed)
    own = int(force().weights[PAS].argmax())
    written = [each.outputs[PAS] for s, each in enumerate(made) if s != own]
    values = describe(after, PAS, QUEEN) | {
        "shown": settings.revealed,
        "others": len(written),
        "same": written.count(force().outputs[PAS]),
        "never": written.count("jamais"),
    }
    choices = (force().outputs[1], after.outputs[PAS], "jamais")
    return Part("machine", data, values, link_lab(PAS, QUEEN), choices, after.outputs[PAS])


def show_spread(settings: Settings) -> Part:
    """A step that is made to attend to the full stop: everything after it goes."""
    after = force(RICH_STEP, STOP)
    data = show_forced(after, RICH_STEP, STOP)
    return Part("machine", data, describe(after, RICH_STEP, STOP), link_lab(RICH_STEP, STOP))


def show_beginning(settings: Settings) -> Part:
    """A forced first word, and attention left free: the verb, and where it attends."""
    after, free = force(prefix=BEGINNING), force()
    verb = free.outputs.index("vend")
    looked = int(after.weights[verb].argmax())
    values = {
        "first": after.outputs[0],
        "was_first": free.outputs[0],
        "verb": after.outputs[verb],
        "was": free.outputs[verb],
        "step": verb + 1,
        "differ": model.changes(free.outputs, after.outputs),
        "looked": free.input_names[looked],
        "weight": percent(float(after.weights[verb, looked]), 0),
    }
    data = show_forced(after, verb, looked, hue=LOOKED)
    next(node for node in data["nodes"] if node["key"] == "out.0")["hue"] = FORCED
    return Part("machine", data, values, {"text_fr": LINE, "prefix": BEGINNING[0]})


def show_grid(settings: Settings) -> Part:
    """How many words change when a step must attend to an input word, for every step and every word."""
    counts, others = every_force()
    free = force()
    values = {
        "edits": int(others.sum()),
        "unmoved": int((counts[others] == 0).sum()),
        "one": int((counts[others] == 1).sum()),
        "most": int(counts.max()),
    }
    figure = draw_grid(say, counts, free.written, free.input_names)
    return Part("figure", {"figure": figure.to_dict()}, values, {"text_fr": LINE})


def show_own(settings: Settings) -> Part:
    """The step and the input word that the learner chooses."""
    t, s = int(settings.at) - 1, int(settings.onto) - 1
    after = force(t, s)
    values = describe(after, t, s) | {"own": s == int(force().weights[t].argmax())}
    return Part("machine", show_forced(after, t, s), values, link_lab(t, s))


def show_answer(settings: Settings) -> Part:
    """What one forced step leaves of many held-out sentences."""
    counts = split_counts(FRENCH, NAME)
    differ = MEASURED - counts["stay"]
    low, high = wilson(differ, MEASURED)
    values = {"N": MEASURED, "differ": differ, "low": low, "high": high, **counts}
    figure = draw_split(counts)
    return Part("figure", {"figure": figure.to_dict()}, values, link_lab(CARS, QUEEN) | {"wrong": True})


STORY = (
    look("force", show_force),
    ask("form", show_form),
    look("each", show_each),
    ask("stays", show_stays),
    look("spread", show_spread),
    look("beginning", show_beginning),
    look("grid", show_grid),
    do("own", show_own, AT, ONTO),
    end("answer", show_answer),
)


@cache
def every_force() -> tuple[np.ndarray, np.ndarray]:
    """Return how many words change for each forced step and input (T, S), and where the step did not attend by itself."""
    free = force()
    T, S = len(free.written), len(free.inputs)
    counts = [[model.changes(free.outputs, force(t, s).outputs) for s in range(S)] for t in range(T)]
    return np.array(counts), np.arange(S) != free.weights[:T].argmax(1)[:, None]


@lru_cache(maxsize=16)
def wrong_looks(label: str, name: str) -> model.WrongLooks:
    """Measure one forced step in each of a task's held-out inputs."""
    pairs = held_out_pairs(label, seed=3, count=MEASURED)
    return model.wrong_looks(translator_of(name), [pair.source for pair in pairs])


def split_counts(label: str, name: str) -> Mapping[str, int]:
    """Return for how many inputs nothing changes, only the forced step's word, and other words too."""
    shares = wrong_looks(label, name)
    own = shares.same_others - shares.unchanged
    split = {"stay": shares.unchanged, "one": own, "many": 1 - shares.same_others}
    return {key: round(share * MEASURED) for key, share in split.items()}


def draw_split(counts: Mapping[str, int], height: int = 420) -> Figure:
    """Return the bars of those counts, with the sum of those that change."""
    named = {say(f"split.{key}"): n for key, n in counts.items()}
    total = say("split.sum", n=MEASURED - counts["stay"])
    return split_figure(named, say("axis.split"), total, height)


# The lab.


def lab() -> None:
    """A translation before and after it is made to attend, read or begin otherwise; and one forced step measured."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        task, name = choose_translator(LESSON)
        translator = translator_of(name)
        sentence = choose_source_sentence(LESSON, task, notes)
        before = translated_by(name, sentence.words)
        forcing = st.container(horizontal=True, vertical_alignment="bottom", width="content")
        wrong_switch = LESSON.draw(WRONG)
        with LESSON.options():
            other = LESSON.draw(COMPARE)
            changed = choose_source_sentence(LESSON, task, notes, "_2", OTHER) if other else sentence
            words = choose_replacement(changed, translator)
            typed = st.container()
            prefix = choose_prefix(task, translator, notes)
        listed = choose_forced(before, words, forcing, typed)
    with notes:
        forced = forced_in(listed, len(words))
    after = forced_translation(words, prefix, tuple(forced.items()), name)
    if wrong_switch and (wrong := model.wrong_look(after.weights, np.random.default_rng(1))):
        forced = forced | dict([wrong])
        after = forced_translation(words, prefix, tuple(forced.items()), name)
    what_if = model.WhatIf(words, prefix, forced)
    with stage:
        revealed = show_pictures(task, sentence, before, after, what_if, f"{name}_{sentence.words}_{what_if}")
    with notes:
        say_unknown(task, before)
        if words != sentence.words and not other:
            st.text(say("note.input", sentence=task.write(words, output=False)))
    if revealed:
        compare_probabilities(before, after)
    if measured := LESSON.fold("measured"):
        with measured:
            show_wrong_looks(task, name)
    own = [greedy, onto, rescored, model.WhatIf.translated, model.aligned_places, Decoded.probabilities.fget]
    LESSON.close_lab(
        code=own + ([model.wrong_look, model.wrong_looks] if wrong_switch or measured else []),
        parameters={
            "name": name,
            "words": list(sentence.words),
            "changed_words": list(words),
            "prefix": list(prefix),
            "forced": dict(forced),
        },
        prompts={
            "verb": french_example(forced="4:3"),
            "women": french_example(replace="2 woman", by="women"),
            "beginning": french_example(prefix="elle"),
            "digit": {"source": TYPED, "task": "dates", "forced": "2:18"},
        },
    )


def french_example(**settings: object) -> dict[str, object]:
    """Return settings of the French example with nothing else forced."""
    here = {"source": TYPED, "task": "french", "text_fr": TASKS[FRENCH].example, "forced": NONE, "prefix": ""}
    return {**here, **settings}


def show_pictures(
    task: Task,
    sentence: ChosenSentence,
    before: Translated,
    after: Translated,
    what_if: model.WhatIf,
    about: str,
) -> bool:
    """Draw both translations side by side, what changed first; return whether the second may be shown."""
    rows = model.aligned_places(before.outputs, after.outputs)
    guesses = [say(f"guess.{each}") for each in GUESSES]
    answer = guesses[min(model.changes(before.outputs, after.outputs), 2)]
    revealed = LESSON.ask(say("question"), guesses, answer, about)
    if not revealed:
        rows = [(t, None) for t in range(len(before.outputs))]
    left, right = st.container(key=LESSON.key("pictures")).columns(2)
    steps = [t for t, _ in rows]
    changed = ChosenSentence(what_if.words, task.reference(what_if.words))
    gold, gold_after = gold_of_both(task, sentence, changed, before, after)
    with left:
        st.markdown(WORDS.markdown("side.before") + " " + marked_sentence(before.outputs, before.outputs))
        on, alt = {"cell": partial(pin, steps)}, say("alt.before", text=sentence_written(task, before))
        show_attention(LESSON, task, before, gold, "before", steps, on=on, alt=alt)
    with right:
        if revealed:
            st.markdown(WORDS.markdown("side.after") + " " + marked_sentence(before.outputs, after.outputs))
            steps, marked = [t for _, t in rows], what_if.forced.items()
            alt = tell_after(task, before, after, what_if)
            show_attention(LESSON, task, after, gold_after, "after", steps, marked=marked, alt=alt)
        else:
            st.markdown(WORDS.markdown("side.after"))
    if revealed:
        LESSON.say("says.seen", what_is_seen(before, after, what_if, task.unit))
    else:
        values = {"n": len(before.outputs), "unit": task.unit, "finished": before.translation.finished}
        LESSON.say("says.before", values)
    return revealed


def tell_after(task: Task, before: Translated, after: Translated, what_if: model.WhatIf) -> str:
    """Return what was changed, and what the model then writes: first at the first forced step, then in all."""
    forced = {t: s for t, s in sorted(what_if.forced.items()) if t < len(after.outputs)}
    changed = before.inputs != after.inputs
    return say(
        "alt.after",
        input=task.write(after.inputs, output=False) if changed else "",
        prefix=" ".join(what_if.prefix),
        forced=[
            say("alt.forced", step=t + 1, place=s + 1, onto=after.input_names[s]) for t, s in forced.items()
        ],
        seen=what_is_seen(before, after, what_if, task.unit),
        text=sentence_written(task, after),
    )


def pin(steps: Sequence[int | None], cell: dict | None) -> None:
    """Carry the cell that was pinned in the view, whose rows are `steps`, over to the fields that say what to force."""
    step = None if cell is None or cell["output"] >= len(steps) else steps[cell["output"]]
    if step is not None:
        LESSON.set_state("at", step)
        LESSON.set_state("onto", int(cell["input"]))


def choose_replacement(sentence: ChosenSentence, translator: Translator) -> tuple[str, ...]:
    """Draw the choice of an input word and of another in its place; return the input words then."""
    place = choose_place(LESSON, "replace", say("replace"), sentence.words, say("nothing"))
    if place is None:
        return sentence.words
    known = [word for word in translator.source.words if word not in SPECIAL]
    other = LESSON.select("by", say("by"), known, index=None, placeholder=say("by.empty"))
    return sentence.words if other is None else (*sentence.words[:place], other, *sentence.words[place + 1 :])


def choose_prefix(task: Task, translator: Translator, notes: DeltaGenerator) -> tuple[str, ...]:
    """Draw the field for the first output words; return those that the model can write, and name the others."""
    words = task.words(LESSON.text("prefix", say("prefix"), max_chars=400))
    strange = unknown_words(words, translator.target)
    if not strange:
        return tuple(words)
    known = next(i for i, word in enumerate(words) if word not in translator.target.ids)
    notes.text(say("note.prefix", strange=strange))
    return tuple(words[:known])


def choose_forced(
    before: Translated, inputs: Sequence[str], forcing: DeltaGenerator, typed: DeltaGenerator
) -> str:
    """Draw what forces a step in `forcing`, and in `typed` the list of all that is forced; return that list.

    The French example opens with a step that is forced, so that something is to be seen; another sentence does not.
    """
    with forcing:
        at = choose_place(LESSON, "at", say("at"), before.outputs, say("nowhere"))
        onto_ = choose_place(LESSON, "onto", say("onto"), inputs, say("nowhere"))
        LESSON.button("apply", say("apply"), add_forced, at, onto_, disabled=at is None or onto_ is None)
        LESSON.button("reset", say("reset"), reset, help=say("reset.help"))
    opening = OPENING if before.inputs == inputs == EXAMPLE else ""
    if LESSON.get_state("opening") == OPENING == LESSON.get_state("forced") and not opening:
        LESSON.set_state("forced", "")
    LESSON.set_state("opening", opening)
    with typed:
        return LESSON.text("forced", say("forced"), opening, max_chars=400, placeholder=say("forced.empty"))


def forced_in(text: str, inputs: int) -> dict[int, int]:
    """Return {output: input}, counted from 0, of a text that counts from 1; say what of it cannot be used."""
    found = {int(t) - 1: int(s) - 1 for t, s in PAIRS.findall(text)}
    usable = {t: s for t, s in found.items() if t >= 0 and 0 <= s < inputs}
    if text.strip() not in ("", NONE) and (len(usable) < len(found) or PAIRS.sub("", text).strip(" ,;")):
        st.text(say("note.pairs", n=inputs))
    return usable


def add_forced(at: int, onto_: int) -> None:
    """Add a forced step to those that are written."""
    others = [f"{t}:{s}" for t, s in PAIRS.findall(LESSON.get_state("forced") or "") if int(t) != at + 1]
    LESSON.set_state("forced", ", ".join([*others, f"{at + 1}:{onto_ + 1}"]))


def reset() -> None:
    """Take back every change."""
    for name in ("forced", "prefix"):
        LESSON.set_state(name, "")
    for name in ("replace", "at", "onto"):
        LESSON.set_state(name, None)


@cached(32, 6, shared=no_typed_words)
def forced_translation(
    words: tuple[str, ...], prefix: tuple[str, ...], forced: tuple[tuple[int, int], ...], name: str
) -> Translated:
    """Return what a stored translator writes when it is forced; `forced` are (output, input)."""
    return model.WhatIf(words, prefix, dict(forced)).translated(translator_of(name))


def marked_sentence(before: Sequence[str], after: Sequence[str]) -> str:
    """Return `after` as Markdown, its words harmless and those that changed marked.

    >>> marked_sentence(["le", "chat"], ["le", "chien"])
    'le :orange-background[**chien**]'
    """
    changed = model.changed_places(before, after)
    shown = [plain(word) for word in after]
    return " ".join(f":orange-background[**{w}**]" if i in changed else w for i, w in enumerate(shown))


def what_is_seen(before: Translated, after: Translated, what_if: model.WhatIf, unit: str) -> dict:
    """Return what the first forced step wrote, and how many rows of the output changed."""
    rows = model.aligned_places(before.outputs, after.outputs)
    values = {"changed": model.changes(before.outputs, after.outputs), "unit": unit, "step": None}
    looks = [t for t in sorted(what_if.forced) if t < len(after.outputs)]
    if not looks:
        return values
    t = looks[0]
    old = next(i for i, j in rows if j == t)
    return values | {
        "step": t + 1,
        "onto": after.input_names[what_if.forced[t]],
        "written": after.outputs[t],
        "was": "" if old is None else before.outputs[old],
    }


def gold_of_both(
    task: Task, sentence: ChosenSentence, changed: ChosenSentence, before: Translated, after: Translated
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
    made = {"before": before.translation, "after": after.translation, "unforced": unforced}
    for column, (key, each) in zip(st.columns(3), made.items(), strict=True):
        column.metric(say(f"metric.{key}"), signed(each.log_probability, 3))
    st.caption(WORDS.markdown("caption.probability"))
    formula = partial(worked_probability, say, before, after)
    LESSON.every_number("steps", lambda: (compared_steps(say, before, after), formula))


def show_wrong_looks(task: Task, name: str) -> None:
    """Show what one forced step in each of many held-out inputs leaves."""
    counts = split_counts(task.label, name)
    st.markdown(WORDS.markdown("measured.says", N=MEASURED, unit=task.unit, **counts))
    LESSON.figure("split", draw_split(counts, 260), say("alt.split"))
