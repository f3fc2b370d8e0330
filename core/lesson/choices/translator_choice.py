"""What the lessons on translation share: the trained translators, and the sentence that they are given.

task = choose_task(LESSON)                      French, Dutch or dates
name = choose_model(LESSON, task)               one of its trained models, by the score of its attention
sentence = choose_sentence(LESSON, task)        typed, or generated and never trained on
translator = translator_of(name)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.lesson.kept_text import keep_text, kept_text
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.translation.translate import Translator, stored_translator
from core.text.grammar.english_dutch import dutch, english_dutch
from core.text.grammar.english_french import english_french, french
from core.text.grammar.grammar import LONGEST, SHORTEST, Language, known_pair
from core.text.grammar.pairs import (
    MOST_WORDS,
    Pair,
    TranslationVocabulary,
    near_words,
    script_of,
    sentence_of,
    unknown_words,
    words_of,
)
from core.text.samples.dates import characters_of, dates

TYPED, GENERATED = "typed", "generated"
NAMED_AT_MOST = 8  # unknown words that are named one by one
CHARACTERS_AT_MOST = 2000  # of a typed sentence


@dataclass(frozen=True)
class Task:
    """What is translated into what: the trained models by their score, how pairs are made, and a first sentence.

    `language` is the output's, as `sentence_of` knows it, and "" where both sides are characters of a date; `said_in`
    says a meaning in it.
    """

    label: str
    models: Mapping[str, str]
    language: str
    pairs: Callable[..., Iterator[Pair]]
    example: str
    said_in: Language | None = None

    @property
    def unit(self) -> str:
        """What one input or output is called."""
        return "word" if self.language else "character"

    @property
    def kept(self) -> str:
        """Where what was typed goes along from lesson to lesson: all sentences are English."""
        return "english_sentence" if self.language else "date"

    def words(self, text: str) -> list[str]:
        """Return the words of a text, or the characters of a date."""
        return words_of(text) if self.language else characters_of(text)

    def read(self, text: str) -> list[str]:
        """Return what the model reads of a text: its words, with a full stop where no mark ends them."""
        words = self.words(text)
        return [*words, "."] if self.language and words and words[-1] not in (".", "?") else words

    def reference(self, words: Sequence[str]) -> Pair | None:
        """Return what was typed with its translation and gold alignment, if it is a sentence of the grammar."""
        return known_pair(words, self.said_in) if self.said_in else None

    def write(self, words: Sequence[str], output: bool = True) -> str:
        """Return input or output words as the sentence they make."""
        language = self.language if output else "en"
        return sentence_of(words, language) if self.language else "".join(words)


FRENCH, DUTCH, DATES = "English → French", "English → Dutch", "dates → ISO"
SCORES = ("additive", "dot", "general")
TASKS = {
    task.label: task
    for task in (
        Task(
            FRENCH,
            {score: f"translate_french_{score}" for score in (*SCORES, "none")},
            "fr",
            english_french,
            "The woman does not buy the red car because she is tired.",
            french,
        ),
        Task(
            DUTCH,
            {"additive": "translate_dutch"},
            "nl",
            english_dutch,
            "I know that the girl gave a flower to the old teacher.",
            dutch,
        ),
        Task(DATES, {"additive": "dates"}, "", dates, "Tuesday, 3 March 1987"),
    )
}


@dataclass(frozen=True)
class Sentence:
    """The input words, and their pair: None for what the learner typed where the grammar does not say it."""

    words: tuple[str, ...]
    pair: Pair | None = None

    @property
    def links(self) -> frozenset[tuple[int, int]]:
        """The gold alignment, (output word, input word); empty when it is not known."""
        return self.pair.links if self.pair else frozenset()


@cache
def translator_of(name: str) -> Translator:
    """Return a trained translator of assets/models, loaded once for all sessions: never change it."""
    torch.set_num_threads(1)  # a sentence is too little work to share, and other learners wait for the cores
    return stored_translator(name)


@lru_cache(maxsize=64)
def held_out_pairs(
    label: str, seed: int, count: int = 1, lengths: tuple[int, ...] | None = None
) -> tuple[Pair, ...]:
    """Return generated pairs that no model was trained on; `lengths` are those wanted of the input, None is all.

    >>> [len(pair.source) for pair in held_out_pairs(FRENCH, seed=1, count=2, lengths=(5,))]
    [5, 5]
    """
    more = {} if lengths is None else {"lengths": lengths}
    return tuple(islice(TASKS[label].pairs(seed, held_out=True, **more), count))


def choose_task(lesson: Lesson, labels: Sequence[str] = tuple(TASKS)) -> Task:
    """Draw the choice of what to translate, in the address as `<lesson>_task`, and return it."""
    return TASKS[lesson.select("task", "Translate", labels, width=164)]


def choose_model(lesson: Lesson, task: Task, scores: Sequence[str] = SCORES) -> str:
    """Draw the choice of a score, where there is one to make, and return the name of the stored model."""
    offered = [score for score in scores if score in task.models]
    if len(offered) == 1:
        return task.models[offered[0]]
    return task.models[lesson.select("score", "Attention score", offered, width=116)]


def choose_sentence(
    lesson: Lesson,
    task: Task,
    notes: DeltaGenerator,
    name: str = "",
    example: str = "",
    first: str = TYPED,
    length: int = 12,
) -> Sentence:
    """Draw the choice of a sentence, typed or generated, and return it; `notes` takes what is to be said of it.

    `name` parts two choices on one page. The text is in the address as `<lesson>_text_<language><name>`; typed in
    one lesson, it follows to the next. `first` is the choice at first, `length` that of a generated sentence.
    """
    label = "Sentence" if task.language else "Date"
    source = lesson.choose(f"source{name}", label, [TYPED, GENERATED], first)
    if source == GENERATED:
        return generated_sentence(lesson, task, notes, name, length)
    return typed_sentence(lesson, task, notes, name, example or task.example)


def generated_sentence(
    lesson: Lesson, task: Task, notes: DeltaGenerator, name: str = "", length: int = 12
) -> Sentence:
    """Draw the seed, and the length of a sentence; return one that the models were not trained on."""
    lengths = None
    if task.language:
        lengths = (lesson.slider(f"length{name}", "Words", SHORTEST, LONGEST, length),)
    seed = lesson.number(f"seed{name}", "Seed", 0, 9999, 1)
    pair = held_out_pairs(task.label, int(seed), 1, lengths)[0]
    st.text(task.write(pair.source, output=False))
    lesson.tell(**{f"input{name}": task.write(pair.source, output=False), f"S{name}": len(pair.source)})
    notes.caption("Made by this project's grammar, and kept out of training.")
    return Sentence(pair.source, pair)


def typed_sentence(lesson: Lesson, task: Task, notes: DeltaGenerator, name: str, example: str) -> Sentence:
    """Draw the field for a sentence and return its words; where there are none, those of the example.

    The second sentence of a page does not go along to the next lesson: it is there beside the first.
    """
    field, kept = f"text_{task.language or 'date'}{name}", task.kept + name
    text = kept_text(lesson, field, kept, "Type it here", example, CHARACTERS_AT_MOST)
    words = task.read(text)
    if not words:
        notes.info(f"There is no {task.unit} to translate yet. Until then you see “{example}”")
        words = task.read(example)
    if len(words) > MOST_WORDS:
        notes.info(f"The model reads the first {MOST_WORDS} of these {len(words):,} {task.unit}s.")
        words = words[:MOST_WORDS]
    with notes:
        name_unknown(lesson, field, task, words, kept)
    lesson.tell(**{f"input{name}": task.write(words, output=False), f"S{name}": len(words)})
    pair = task.reference(words)
    if task.said_in and not pair:
        notes.caption(
            "Not a sentence that the course's grammar says: its right translation is not known here."
        )
    return Sentence(tuple(words), pair)


def vocabulary_of(task: Task) -> TranslationVocabulary:
    """Return the input vocabulary, which is the same for all models of a task."""
    return translator_of(task.models["additive"]).source


def name_unknown(lesson: Lesson, field: str, task: Task, words: Sequence[str], kept: str = "") -> None:
    """Name the words that the models have never seen, and offer near ones that take their place in the `field`.

    `kept` is the name under which the field's text goes along to the next lesson, if it does.
    """
    vocabulary = vocabulary_of(task)
    unknown = [word for word in dict.fromkeys(words) if word not in vocabulary.ids]
    if not unknown:
        return
    first, more = unknown[:NAMED_AT_MOST], len(unknown) - NAMED_AT_MOST
    named = unknown_words(first, vocabulary)
    if not task.language:
        named = f"The model does not know {', '.join(f'“{character}”' for character in first)}."
    others = f" Nor does it know {more} more." if more > 0 else ""
    scripts = sorted({script_of(word) for word in unknown} - {""})
    letters = f" It was trained on Latin letters, not on {' or '.join(scripts)} ones." if scripts else ""
    st.text(f"{named}{others}{letters} It reads <unknown> there, and can only guess.")
    for word in first:
        near = near_words(word, vocabulary) if task.language else []
        if near:
            with st.container(horizontal=True, gap="small"):
                for other in near:
                    label = f"{plain(word[:20])} → {plain(other)}"
                    lesson.button(
                        f"{field}_{word}_{other}", label, replace_word, lesson, field, word, other, kept
                    )


def replace_word(lesson: Lesson, field: str, word: str, other: str, kept: str = "") -> None:
    """Put another word in the place of one that the learner typed; all else in the `field` stays."""
    text = lesson.value(field)
    whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    lesson.put(field, whole.sub(lambda _: other, text))
    if kept:
        keep_text(kept, lesson.value(field))
