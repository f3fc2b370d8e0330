"""What if: a word replaced, the first words forced, attention forced onto a word; and what that changes.

The forced attention stands in the address as text, "7:6, 8:6": output word 7 looks at input word 6, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.translation.decoder_step import decoder_step, worked_output
from core.lesson.choices.attention_cell import choose_place
from core.lesson.every_number import every_number
from core.lesson.plain import plain
from core.models.translation.fit_translation import padded
from core.models.translation.seq2seq import END
from core.models.translation.translate import Translator, greedy, greedy_all, onto, rescored
from core.text.grammar.pairs import MOST_WORDS, SPECIAL, unknown_words
from pages.translation.parts.decoder_steps import Translated
from pages.translation.parts.translator_choice import Sentence, Task, held_out_pairs, translator_of

MEASURED = 100  # held-out inputs on which one wrong look is measured
FORCED = re.compile(r"(\d{1,3})\s*:\s*(\d{1,3})")


@dataclass(frozen=True)
class WhatIf:
    """What is changed: the input words, the output words to begin with, and {output: input} that is looked at."""

    words: tuple[str, ...]
    prefix: tuple[str, ...] = ()
    forced: Mapping[int, int] = field(default_factory=dict)

    def translated(self, translator: Translator) -> Translated:
        """Return what the model writes then."""
        rows = {t: onto(s, len(self.words)) for t, s in self.forced.items()}
        prefix = translator.target.encode(self.prefix)
        made = greedy(translator.model, translator.source.encode(self.words), prefix, rows)
        return Translated(translator, self.words, made)


# ------------------------------------------------------------------------------------------------ the controls


def take_cell(lesson: str, view: str) -> None:
    """Carry the cell that was pinned in the view over to the two fields that say what to force."""
    cell = getattr(st.session_state.get(view), "cell", None)
    if cell and cell != st.session_state.get(f"{lesson}_pinned"):
        st.session_state[f"{lesson}_at"], st.session_state[f"{lesson}_onto"] = cell["output"], cell["input"]
    st.session_state[f"{lesson}_pinned"] = cell


def choose_replacement(lesson: str, sentence: Sentence, translator: Translator) -> tuple[str, ...]:
    """Draw the choice of an input word and of another in its place; return the input words then."""
    place = choose_place(lesson, "replace", "Replace", sentence.words, "no word")
    if place is None:
        return sentence.words
    known = [word for word in translator.source.words if word not in SPECIAL]
    other = st.selectbox(
        "by", known, index=None, key=f"{lesson}_by", bind="query-params", placeholder="Choose or type a word"
    )
    return sentence.words if other is None else (*sentence.words[:place], other, *sentence.words[place + 1 :])


def choose_prefix(lesson: str, task: Task, translator: Translator) -> tuple[str, ...]:
    """Draw the field for the first output words; return those that the model can write, and name the others."""
    key = f"{lesson}_prefix"
    text = st.text_input("The output must begin with", key=key, bind="query-params", max_chars=400)
    words = task.words(text)
    strange = unknown_words(words, translator.target)
    if not strange:
        return tuple(words)
    known = next(i for i, word in enumerate(words) if word not in translator.target.ids)
    st.text(f"{strange} Only what stands before it is used.")
    return tuple(words[:known])


def choose_forced(lesson: str, before: Translated, inputs: Sequence[str]) -> dict[int, int]:
    """Draw what forces attention, one step at a time, and the list of all that is forced; return {output: input}."""
    left, right = st.columns(2)
    with left:
        at = choose_place(lesson, "at", "Output word", before.outputs, "none")
    with right:
        onto_ = choose_place(lesson, "onto", "must look at", inputs, "none")
    key = f"{lesson}_forced"
    with st.container(horizontal=True):
        st.button(
            "Force it",
            key=f"{lesson}_apply",
            on_click=_force,
            args=(key, at, onto_),
            disabled=at is None or onto_ is None,
        )
        st.button(
            "Reset", key=f"{lesson}_reset", on_click=_reset, args=(lesson,), help="Takes back every change."
        )
    text = st.text_input(
        "Forced so far, output:input",
        key=key,
        bind="query-params",
        max_chars=400,
        placeholder="for example 7:6, 8:6",
    )
    return forced_in(text, len(inputs))


def forced_in(text: str, inputs: int) -> dict[int, int]:
    """Return {output: input}, counted from 0, of a text that counts from 1; say what of it cannot be used."""
    found = {int(t) - 1: int(s) - 1 for t, s in FORCED.findall(text)}
    usable = {t: s for t, s in found.items() if t >= 0 and 0 <= s < inputs}
    if text.strip() and (len(usable) < len(found) or FORCED.sub("", text).strip(" ,;")):
        st.text(f"Write pairs such as 7:6, each input from 1 to {inputs}. What is not so is left out.")
    return usable


def _force(key: str, at: int, onto_: int) -> None:
    others = [f"{t}:{s}" for t, s in FORCED.findall(st.session_state.get(key) or "") if int(t) != at + 1]
    st.session_state[key] = ", ".join([*others, f"{at + 1}:{onto_ + 1}"])


def _reset(lesson: str) -> None:
    st.session_state[f"{lesson}_forced"] = st.session_state[f"{lesson}_prefix"] = ""
    for name in ("replace", "at", "onto"):
        st.session_state[f"{lesson}_{name}"] = None


# ------------------------------------------------------------------------------------------------- what changed


def changed_places(before: Sequence[str], after: Sequence[str]) -> set[int]:
    """Return the places of `after` that hold another word than `before`, or one that `before` has not.

    >>> changed_places(["le", "chat", "dort"], ["le", "chien", "noir", "dort"])
    {1, 2}
    """
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return {i for kind, _, _, begin, end in blocks if kind != "equal" for i in range(begin, end)}


def marked_sentence(before: Sequence[str], after: Sequence[str]) -> str:
    """Return `after` as Markdown, its words harmless and those that changed marked.

    >>> marked_sentence(["le", "chat"], ["le", "chien"])
    'le :orange-background[**chien**]'
    """
    changed = changed_places(before, after)
    shown = [plain(word) for word in after]
    return " ".join(f":orange-background[**{w}**]" if i in changed else w for i, w in enumerate(shown))


def compare_probabilities(lesson: str, before: Translated, after: Translated) -> None:
    """Show ln p of both outputs, and of the new one had nothing been forced; then every step."""
    model, source = after.translator.model, after.translator.source.encode(after.inputs)
    unforced = rescored(model, source, after.translation.words)
    for column, label, value in zip(
        st.columns(3),
        ("ln p of the output before", "ln p after, as forced", "ln p of that output if nothing is forced"),
        (before.translation.log_probability, after.translation.log_probability, unforced.log_probability),
        strict=True,
    ):
        column.metric(label, f"{value:.3f}")
    st.caption("At every step that was not forced the model took the likeliest word, given what it saw.")
    comparison(lesson, before, after)


def comparison(lesson: str, before: Translated, after: Translated) -> None:
    """Show both translations step by step, under "Every number": the word, its probability, the largest weight."""
    made = {"before": before, "after": after}
    table = pd.concat([_steps(one, name) for name, one in made.items()], axis=1)

    def formula(row: int, column: str) -> str | None:
        """Fill in the probability of the word that was written at a step."""
        one = made.get(column.removeprefix("p "))
        if not column.startswith("p ") or one is None or row >= len(one.outputs):
            return None
        return worked_output(decoder_step(one.translation, row), one.translation.words[row], one.outputs[row])

    every_number(lesson, "steps", table.rename_axis("step").reset_index(), formula)


def _steps(made: Translated, name: str) -> pd.DataFrame:
    p = made.translation.steps.probabilities[0].numpy()
    heaviest = made.weights.argmax(1)
    rows = range(len(made.outputs))
    return pd.DataFrame(
        {
            name: made.outputs,
            f"p {name}": [float(p[t, made.translation.words[t]]) for t in rows],
            f"looks at {name}": [made.input_names[s] for s in heaviest],
            f"weight {name}": [float(made.weights[t, heaviest[t]]) for t in rows],
        },
        index=range(1, len(rows) + 1),
    )


@dataclass(frozen=True)
class WrongLooks:
    """Of inputs in each of which one step looks at a random word: the share in which nothing changed, in which that
    step's word stayed the same, and in which all other words did."""

    unchanged: float
    same_word: float
    same_others: float


@lru_cache(maxsize=16)
def wrong_looks(label: str, name: str) -> WrongLooks:
    """Measure one wrong look: at a random step of each held-out input, all weight on a random input word."""
    translator, chance = translator_of(name), np.random.default_rng(1)
    pairs = held_out_pairs(label, seed=3, count=MEASURED)
    sources = padded([translator.source.encode(pair.source) for pair in pairs])
    whole = [_until_end(row) for row in greedy_all(translator.model, sources, MOST_WORDS)[0].tolist()]
    forced = torch.full((len(pairs), MOST_WORDS, sources.shape[1]), torch.nan)
    steps = [int(chance.integers(len(words))) for words in whole]
    for i, (pair, t) in enumerate(zip(pairs, steps, strict=True)):
        forced[i, t] = onto(int(chance.integers(len(pair.source))), sources.shape[1])
    made = greedy_all(translator.model, sources, MOST_WORDS, forced)[0].tolist()
    rows = []
    for before, after, t in zip(whole, map(_until_end, made), steps, strict=True):
        same_others = before[:t] + before[t + 1 :] == after[:t] + after[t + 1 :]
        rows.append((before == after, before[t : t + 1] == after[t : t + 1], same_others))
    return WrongLooks(*(float(share) for share in np.mean(rows, axis=0)))


def _until_end(words: list[int]) -> list[int]:
    return words[: words.index(END) + 1] if END in words else words


def what_if_cells(name: str, words: Sequence[str], what_if: WhatIf) -> list[str]:
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
