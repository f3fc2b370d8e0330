"""For the lessons on translation: the choice of a task, of a trained model, and of a sentence.

name = choose_model(LESSON, task)               one of its trained models, by the score of its attention
sentence = choose_sentence(LESSON, task)        typed, or generated and held out of training
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
from core.lesson.lab_words import LAB_WORDS
from core.lesson.lesson import Lesson
from core.lesson.settings import Choice
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
    tokenise_sentence,
    unknown_words,
)
from core.text.samples.dates import dates, normalise_date
from core.words.plain import plain

TYPED, GENERATED = "typed", "generated"
NAMED_AT_MOST = 8  # unknown words in the message
CHARACTERS_AT_MOST = 2000  # of a typed sentence


@dataclass(frozen=True)
class Task:
    """A translation task: {attention score: trained model}, the generator of pairs, and an example.

    `language` is the output language for `sentence_of`, or "" if both sides are characters of a date; `said_in` is its
    grammar, or None.
    """

    label: str
    models: Mapping[str, str]
    language: str
    pairs: Callable[..., Iterator[Pair]]
    example: str
    said_in: Language | None = None

    @property
    def unit(self) -> str:
        """The name of one input or output token."""
        return "word" if self.language else "character"

    @property
    def kept(self) -> str:
        """The shared name of the text field (see kept_text). All input sentences are English, so they share one."""
        return "english_sentence" if self.language else "date"

    def words(self, text: str) -> list[str]:
        """Return the words of a text, or the characters of a date."""
        return tokenise_sentence(text) if self.language else normalise_date(text)

    def read(self, text: str) -> list[str]:
        """Return the model's input tokens; a sentence without final punctuation gets a full stop."""
        words = self.words(text)
        return [*words, "."] if self.language and words and words[-1] not in (".", "?") else words

    def reference(self, words: Sequence[str]) -> Pair | None:
        """Return the sentence with its translation and reference alignment, or None if the grammar does not have it."""
        return known_pair(words, self.said_in) if self.said_in else None

    def write(self, words: Sequence[str], output: bool = True) -> str:
        """Return input or output tokens as one sentence."""
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
class ChosenSentence:
    """The input tokens and their pair; None for a typed sentence that the grammar does not have."""

    words: tuple[str, ...]
    pair: Pair | None = None

    @property
    def links(self) -> frozenset[tuple[int, int]]:
        """The reference alignment, (output index, input index); empty if it is not known."""
        return self.pair.links if self.pair else frozenset()


@cache
def translator_of(name: str) -> Translator:
    """Return a trained translator of assets/models. All sessions share it, so never change it."""
    torch.set_num_threads(1)  # a sentence is too little work for threads, and other learners need the cores
    return stored_translator(name)


@lru_cache(maxsize=64)
def held_out_pairs(
    label: str, seed: int, count: int = 1, lengths: tuple[int, ...] | None = None
) -> tuple[Pair, ...]:
    """Return `count` generated pairs held out of training; `lengths` are the input lengths, None for all.

    >>> [len(pair.source) for pair in held_out_pairs(FRENCH, seed=1, count=2, lengths=(5,))]
    [5, 5]
    """
    more = {} if lengths is None else {"lengths": lengths}
    return tuple(islice(TASKS[label].pairs(seed, held_out=True, **more), count))


def choose_model(lesson: Lesson, task: Task, scores: Sequence[str] = SCORES) -> str:
    """Draw the choice of an attention score, unless there is only one; return the name of the stored model."""
    offered = [score for score in scores if score in task.models]
    if len(offered) == 1:
        return task.models[offered[0]]
    return task.models[lesson.select("score", LAB_WORDS.label("translate.score"), offered, width=116)]


def choose_source_sentence(
    lesson: Lesson,
    task: Task,
    notes: DeltaGenerator,
    name: str = "",
    example: str = "",
    first: str = TYPED,
    length: int = 12,
) -> ChosenSentence:
    """Draw the choice of a sentence, typed or generated, and return it; messages go to the container `notes`.

    `name` tells two choices on one page apart. The text is `<lesson>_text_<language><name>` in the query, and other lessons
    share it. `first` is the default source, `length` the default length of a generated sentence.
    """
    label = LAB_WORDS.label("translate.source" if task.language else "translate.source_date")
    names = {each: LAB_WORDS.label(f"translate.{each}") for each in (TYPED, GENERATED)}
    source = lesson.choose_id(Choice(f"source{name}", first, tuple(names)), label, names)
    if source == GENERATED:
        return generated_sentence(lesson, task, notes, name, length)
    return typed_sentence(lesson, task, notes, name, example or task.example)


def generated_sentence(
    lesson: Lesson, task: Task, notes: DeltaGenerator, name: str = "", length: int = 12
) -> ChosenSentence:
    """Draw the controls for seed and length; return a sentence held out of training."""
    lengths = None
    if task.language:
        lengths = (
            lesson.slider(f"length{name}", LAB_WORDS.label("translate.length"), SHORTEST, LONGEST, length),
        )
    seed = lesson.number(f"seed{name}", LAB_WORDS.label("translate.seed"), 0, 9999, 1)
    pair = held_out_pairs(task.label, int(seed), 1, lengths)[0]
    st.text(task.write(pair.source, output=False))
    lesson.set_values(**{f"input{name}": task.write(pair.source, output=False), f"S{name}": len(pair.source)})
    notes.caption(LAB_WORDS.label("translate.made"))
    return ChosenSentence(pair.source, pair)


def typed_sentence(
    lesson: Lesson, task: Task, notes: DeltaGenerator, name: str, example: str
) -> ChosenSentence:
    """Draw the field for a sentence and return its tokens, or those of the example if it has none.

    Other lessons share the text under the task's name and `name`, so a second sentence does not replace the first.
    """
    field, kept = f"text_{task.language or 'date'}{name}", task.kept + name
    text = kept_text(lesson, field, kept, LAB_WORDS.label("translate.type"), example, CHARACTERS_AT_MOST)
    words = task.read(text)
    if not words:
        notes.info(LAB_WORDS.label("translate.nothing", date=not task.language, example=example))
        words = task.read(example)
    if len(words) > MOST_WORDS:
        notes.info(LAB_WORDS.label("translate.part", date=not task.language, most=MOST_WORDS, n=len(words)))
        words = words[:MOST_WORDS]
    with notes:
        name_unknown(lesson, field, task, words, kept)
    lesson.set_values(**{f"input{name}": task.write(words, output=False), f"S{name}": len(words)})
    pair = task.reference(words)
    if task.said_in and not pair:
        notes.caption(LAB_WORDS.label("translate.no_reference"))
    return ChosenSentence(tuple(words), pair)


def input_vocabulary(task: Task) -> TranslationVocabulary:
    """Return the input vocabulary. It is the same for all models of a task."""
    return translator_of(task.models["additive"]).source


def name_unknown(lesson: Lesson, field: str, task: Task, words: Sequence[str], kept: str = "") -> None:
    """Name the words that are not in the vocabulary, with buttons that replace them by similar ones in `field`.

    `kept` is the shared name of the field's text, if it has one.
    """
    vocabulary = input_vocabulary(task)
    unknown = [word for word in dict.fromkeys(words) if word not in vocabulary.ids]
    if not unknown:
        return
    first, more = unknown[:NAMED_AT_MOST], len(unknown) - NAMED_AT_MOST
    named = unknown_words(first, vocabulary)
    if not task.language:
        characters = ", ".join(f"“{character}”" for character in first)
        named = LAB_WORDS.label("translate.unknown_character", characters=characters)
    scripts = sorted({script_of(word) for word in unknown} - {""})
    st.text(LAB_WORDS.label("translate.unknown", named=named, more=max(0, more), scripts=scripts))
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
    """Replace a word in the text of `field`."""
    text = lesson.get_state(field)
    whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    lesson.set_state(field, whole.sub(lambda _: other, text))
    if kept:
        keep_text(kept, lesson.get_state(field))
