"""Comparing language models: what the story shows of six stored models, and the lab on the learner's own text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import streamlit as st
import torch

from core.figures.layer_bars import join_panels
from core.lesson.cached import cached
from core.lesson.chosen_text import FROM_TEXT
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import SAMPLE, Part, ask, do, end, look
from core.lesson.text_source import is_own, text_source
from core.models.generation.cut_context import with_short_context
from core.models.language_model import bits, bits_per_character
from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored import Card
from core.models.stored_language_models import (
    BITS,
    CountedLanguageModel,
    Prompt,
    character_models,
    encode,
    stored_language_model,
)
from core.text.reading.documents import Document
from core.text.samples.shelf import plays, sample
from pages.generation.language_models import LESSON
from pages.generation.language_models.figures import (
    GUESS,
    MILLION,
    characters_read,
    comparison_figure,
    draw_bars,
    draw_lines,
    draw_races,
    draw_reach,
    draw_text,
    name_of,
    quality_table,
    surprise_payload,
    was_given,
)
from pages.generation.shared.character_text import EXAMPLE, characters_of, choose_characters
from pages.generation.shared.line_score import draw_line
from pages.recurrent_models.weight_tying import LESSON as WEIGHT_TYING

WORDS = LESSON.words
COURSE = (
    "char_ngram",
    "char_feedforward",
    "char_rnn",
    "char_lstm",
    "char_gru",
    "char_gpt",
)  # as the course has them
GPT, NGRAM, RNN, LSTM = "char_gpt", "char_ngram", "char_rnn", "char_lstm"
BYTES = "word_gpt"  # kept apart: it reads byte pairs
MEMORY = 3  # characters that are left of the context when it is cut
PLAY, END = "hamlet", 4000  # characters at the play's end, which no model learned from
LAST = "Now cracks a noble heart. Good night sweet prince:\nAnd flights of angels sing thee to thy rest!"
LINE = "Now cracks a noble heart."
TALK = (
    "DESDEMONA:\nWhat, my lord?\n\nOTHELLO:\nThat he hath used thee.\n\n"
    "DESDEMONA:\nHow? unlawfully?\n\nOTHELLO:\nAy.\n\nDESDEMONA:\nHe will not say so."
)
GERMAN = (
    "Wer reitet so spät durch Nacht und Wind?\nEs ist der Vater mit seinem Kind;\n"
    "Er hat den Knaben wohl in dem Arm,\nEr fasst ihn sicher, er hält ihn warm."
)
OWN_EXAMPLE, LONGEST = "The waitress smiled and opened the window.", 48  # characters of a line in the story
EXAMPLES = (LAST, LINE, TALK, GERMAN, OWN_EXAMPLE, EXAMPLE)
MOST = 6.6  # bits at the end of the bars' scale
NONSENSE = "zzzzqqqqxxxx"
READ_TO = (600, 1500)  # characters: what is read up to one of these holds for every choice below it
SHORT, BEGINNING = 100, 3  # a line of so few characters is looked at from its first characters on

OWN_TEXT = Text("line", OWN_EXAMPLE, LONGEST)
SOURCE = Choice("source", "text", ("text", "typed"), {FROM_TEXT: "text"})
TYPED = Text("typed", EXAMPLE, 400)
CHARACTERS = Slider("characters", READ_TO[0], 100, READ_TO[-1], 100)
TORN = Switch("torn")
LAB = (CHARACTERS, SOURCE, TYPED, TORN)


# The story: what each beat shows.


def is_stored_text(name: str, text: str, *_) -> bool:
    """Return whether a text is one of the story's own, which everybody may share."""
    return text in EXAMPLES


@cached(60, 12, shared=is_stored_text)
def bits_of(name: str, text: str) -> np.ndarray:
    """Return the bits of each character of a text that a model knows, (n,)."""
    torch.set_num_threads(1)
    return bits(stored_language_model(name).token_log_probabilities(encode(name, text).ids))


@cache
def end_of_play() -> tuple[int, ...]:
    """Return the characters at the end of the play, from the beginning of a line, as the models read them."""
    _, _, text = sample(PLAY).read().text[-END:].partition("\n")
    return encode(GPT, text).ids


@cached(20, 1, shared=True)
def bits_at_end(name: str, memory: int | None = None) -> np.ndarray:
    """Return the bits of each character at the end of the play, seen from the last `memory` before it or from all."""
    torch.set_num_threads(1)
    model, ids = stored_language_model(name), end_of_play()
    found = model.token_log_probabilities(ids) if memory is None else with_short_context(model, ids, memory)
    return bits(found)


def guessing_bits() -> float:
    """Return what a blind guess among all characters costs."""
    return float(np.log2(len(stored_language_model(NGRAM).vocabulary)))


def cards() -> dict[str, Card]:
    """Return the models' cards, in the order of the course."""
    return {name: card for name in COURSE for card in character_models() if card.model == name}


def held_out_bits() -> dict[str, float]:
    """Return bits per character on the held-out plays, as the cards have them."""
    return {name: card.quality[BITS] for name, card in cards().items()}


def short_bits() -> dict[str, float]:
    """Return bits per character at the end of the play where the last MEMORY characters are seen."""
    return {name: float(bits_at_end(name, MEMORY).mean()) for name in COURSE}


def german_bits() -> dict[str, float]:
    """Return bits per character on the German lines."""
    return {name: float(bits_of(name, GERMAN).mean()) for name in COURSE}


def best_of(by_model: Mapping[str, float]) -> str:
    """Return the model with the fewest bits."""
    return min(by_model, key=by_model.get)


def on_bars(title: str, by_model: Mapping[str, float], *filled: str, hidden: bool = False, **values) -> dict:
    """Return a panel of bars, the blind guess last."""
    with_guess = {**by_model, GUESS: guessing_bits()}
    return draw_bars(WORDS.label(title, **values), with_guess, MOST, filled, hidden)


def bars(panels: Sequence[dict], line: str = "") -> dict:
    """Return the data of the view "layer_bars", with a line below it."""
    return join_panels(*panels, sum_=line)


def typed_in_lab(text: str) -> dict[str, object]:
    """Return the lab's settings that show a text."""
    return {"source": "typed", "typed": text}


def show_surprise(settings: Settings) -> Part:
    """Two held-out lines, coloured by the bits of each character under the GPT."""
    surprisals = bits_of(GPT, LAST)
    first = [match.start() for match in re.finditer(r"[A-Za-z]+", LAST)]
    inside = [i for i, character in enumerate(LAST) if character.isalpha() and i not in first]
    values = {
        "first": float(surprisals[first].mean()),
        "inside": float(surprisals[inside].mean()),
        "start": LAST.index("flights"),
        "end": LAST.index("flights") + 5,
    }
    picture = draw_lines("one", [draw_text(GPT, LAST, surprisals)])
    return Part("surprisal_lines", picture, values, typed_in_lab(LAST))


def show_score(settings: Settings) -> Part:
    """One line with the bits of each character, and their mean."""
    surprisals = bits_of(GPT, LINE)
    at = LINE.index("noble")
    values = {
        "mean": float(surprisals.mean()),
        "at": at,
        "letter": LINE[at],
        "p": float(2 ** -surprisals[at]),
        "bits": float(surprisals[at]),
        "before": LINE[:at].strip(),
    }
    return Part(
        "shifted_text",
        draw_line(LINE, surprisals, WORDS.label(f"name.{GPT}"), at),
        values,
        typed_in_lab(LINE),
    )


def ask_race(settings: Settings) -> Part:
    """Bits per character of the six models on the held-out plays, which the answer draws."""
    found = held_out_bits()
    best, *others = sorted(found, key=found.get)
    values = {
        "n": len(found),
        "plays": len(plays()),
        "bits": found[best],
        "among": 2 ** found[best],
        "second": found[others[0]],
        "guess": guessing_bits(),
        "V": len(stored_language_model(NGRAM).vocabulary),
        "revealed": settings.revealed,
    }
    picture = bars([on_bars("title.plays", found, best, hidden=not settings.revealed)])
    choices = tuple(name_of(name) for name in COURSE)
    return Part("layer_bars", picture, values, choices=choices, answer=name_of(best))


def show_memory(settings: Settings) -> Part:
    """A dialogue under the GPT and under the n-gram, with the bits of each speaker's name."""
    frames = [(match.start(), match.end() - 1) for match in re.finditer(r"[A-Z]{3,}:", TALK)]
    found = {name: bits_of(name, TALK) for name in (GPT, NGRAM)}
    first, last = frames[-1]
    cost = {name: float(each[first : last + 1].sum()) for name, each in found.items()}
    rows = [draw_text(name, TALK, each, frames) for name, each in found.items()]
    values = {
        "gpt": cost[GPT],
        "ngram": cost[NGRAM],
        "sees": stored_language_model(NGRAM).context,
        "last": len(frames) - 1,
    }
    return Part("surprisal_lines", draw_lines("columns", rows), values, typed_in_lab(TALK))


def ask_short(settings: Settings) -> Part:
    """Bits per character where every model sees the last three characters, which the answer draws."""
    found = short_bits()
    best = best_of(found)
    values = {
        "k": MEMORY,
        "bits": found[best],
        "gpt": found[GPT],
        "measured": len(end_of_play()),
        "revealed": settings.revealed,
    }
    picture = bars([on_bars("title.short", found, best, hidden=not settings.revealed, k=MEMORY)])
    choices = tuple(name_of(name) for name in COURSE)
    lab = {SAMPLE: sample(PLAY).title, "torn": True}
    return Part("layer_bars", picture, values, lab, choices=choices, answer=name_of(best))


def show_reach(settings: Settings) -> Part:
    """Bits per character of the n-gram and the GPT by how much of the text they see."""
    sees = stored_language_model(NGRAM).context
    reached = {
        name: [float(bits_at_end(name, memory).mean()) for memory in (MEMORY, sees, None)]
        for name in (NGRAM, GPT)
    }
    values = {
        "k": MEMORY,
        "sees": sees,
        "gpt": reached[GPT][-1],
        "ngram": reached[NGRAM][-1],
        "context": stored_language_model(GPT).context,
        "measured": len(end_of_play()),
    }
    seen = [WORDS.label("seen.last", k=k) for k in (MEMORY, sees)] + [WORDS.label("seen.all")]
    picture = draw_reach(reached, seen)
    return Part("figure", {"figure": picture.to_dict()}, values, {SAMPLE: sample(PLAY).title})


def show_fair(settings: Settings) -> Part:
    """The held-out bits beside the characters that each model read in training."""
    found = held_out_bits()
    text = next(iter(cards()[NGRAM].corpus.values()))["training characters"]
    read = {name: (characters_read(card) or text) / MILLION for name, card in cards().items()}
    sizes = {
        name: WORDS.label(
            "size", millions=card.quality["parameters"] / MILLION, counted=not characters_read(card)
        )
        for name, card in cards().items()
    }
    most = max(read.values())
    panels = [
        draw_bars(WORDS.label("title.bits"), found, max(found.values()), (best_of(found),), notes=sizes),
        draw_bars(
            WORDS.label("title.read"),
            read,
            most,
            (max(read, key=read.get),),
            form=".1f",
            notes=sizes,
            part="read",
        ),
    ]
    values = {"times": read[GPT] / read[LSTM], "gpt": read[GPT], "lstm": read[LSTM], "text": text / MILLION}
    return Part("layer_bars", bars(panels), values)


def ask_german(settings: Settings) -> Part:
    """Bits per character on four lines of German, which the answer draws."""
    found = german_bits()
    worst, best = max(found, key=found.get), best_of(found)
    values = {
        "bits": found[worst],
        "best": found[best],
        "guess": guessing_bits(),
        "n": len(bits_of(GPT, GERMAN)),
        "lines": len(GERMAN.splitlines()),
        "revealed": settings.revealed,
    }
    line = WORDS.label("german.line", text=GERMAN.partition("\n")[0])
    picture = bars([on_bars("title.german", found, worst, best, hidden=not settings.revealed)], line)
    choices = tuple(name_of(name) for name in COURSE)
    return Part("layer_bars", picture, values, typed_in_lab(GERMAN), choices=choices, answer=name_of(worst))


def show_own(settings: Settings) -> Part:
    """The learner's own line under all six models, the best first."""
    read = encode(GPT, settings.line).text
    readable = len(read) > 1
    text = read if readable else OWN_EXAMPLE
    found = {name: bits_of(name, text) for name in COURSE}
    means = {name: float(each.mean()) for name, each in found.items()}
    order = sorted(means, key=means.get)
    rows = [draw_text(name, text, found[name], best=name == order[0]) for name in order]
    values = {
        "readable": readable,
        "best": order[0],
        "name": WORDS.label(f"called.{order[0]}"),
        "bits": means[order[0]],
        "gpt": means[GPT],
        "other": WORDS.label(f"called.{order[-1]}"),
        "most": means[order[-1]],
        "guess": guessing_bits(),
    }
    return Part("surprisal_lines", draw_lines("rows-below", rows), values, typed_in_lab(text))


def show_answer(settings: Settings) -> Part:
    """The three models that won a race, in all three races."""
    races = {"plays": held_out_bits(), "cut": short_bits(), "german": german_bits()}
    picture = bars([draw_races(races, (NGRAM, RNN, GPT), MEMORY)])
    return Part("layer_bars", picture, {"bits": races["plays"][GPT], "k": MEMORY})


STORY = (
    look("surprise", show_surprise),
    look("score", show_score),
    ask("race", ask_race),
    look("memory", show_memory),
    ask("short", ask_short),
    look("reach", show_reach),
    look("fair", show_fair),
    ask("german", ask_german),
    do("own", show_own, OWN_TEXT),
    end("answer", show_answer),
)


# The lab: all models on the learner's text.


@dataclass(frozen=True)
class Comparison:
    """The cards of the character models by name, best first, and what each model gives the learner's characters.

    `scored` has ln p of each character, (n,), by model; `other` those of each token of the model of byte pairs; `cut`
    those of each character seen from the last MEMORY before it alone, when the context is cut.
    """

    cards: dict[str, Card]
    text: str
    scored: dict[str, np.ndarray]
    other: dict[str, np.ndarray]
    cut: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def held_out(self) -> dict[str, float]:
        """Bits per character on the held-out plays."""
        return {name: card.quality[BITS] for name, card in self.cards.items()}

    @property
    def own(self) -> dict[str, float]:
        """Bits per character on the learner's text."""
        return self.per_character(self.scored | self.other)

    def per_character(self, scored: Mapping[str, np.ndarray]) -> dict[str, float]:
        """Return bits per character of the learner's text by model."""
        return {name: bits_per_character(ln_p, len(self.text)) for name, ln_p in scored.items()}

    @property
    def best(self) -> str:
        """The character model that predicts the learner's text best."""
        return min(self.cards, key=self.own.get)

    @property
    def first(self) -> str:
        """The model that predicts the held-out plays best."""
        return best_of(self.held_out)


def lab() -> None:
    """All models' bits as bars; what each was given; where each is surprised."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        with LESSON.options():
            characters = LESSON.draw(CHARACTERS)
        prompt = choose_characters(LESSON, document, SOURCE, TYPED, characters)
        torn = LESSON.draw(TORN)
    typed = LESSON.get_state("source") == "typed"
    own = is_own(document) or typed
    found = compare(prompt, prompt.text if typed else read_to(document, prompt, characters), torn, own)
    with stage:
        choices = sorted(called(name) for name in found.cards)
        revealed = LESSON.ask(WORDS.label("question"), choices, called(found.best), f"{hash(prompt.text)}")
        if revealed:
            show_bars(found)
    if torn and revealed:
        show_torn(found)
    if revealed:
        st.markdown(WORDS.markdown("says.own", **about_own(found)))
        st.caption(WORDS.markdown("bytes"))
        LESSON.every_number(
            WORDS.label("table"),
            quality_table,
            found.cards,
            found.own,
            found.scored,
            found.per_character(found.cut),
            MEMORY,
        )
        if surprised := LESSON.fold("surprised"):
            with surprised:
                show_surprised(found)
    if given := LESSON.fold("given"):
        with given:
            show_given(found)
    LESSON.close_lab(
        code=[
            bits_per_character,
            NeuralLanguageModel.token_log_probabilities,
            CountedLanguageModel.token_log_probabilities,
            with_short_context,
        ],
        parameters={"text": prompt.text},
        prompts={
            "famous": typed_in_lab(EXAMPLE),
            "nonsense": {**typed_in_lab(NONSENSE), "torn": False},
            "torn": {"torn": True},
        },
    )


def called(name: str) -> str:
    """Return a model's name as a sentence has it."""
    return WORDS.label(f"called.{name}")


def _scored(name: str, text: str, memory: int | None = None) -> np.ndarray:
    torch.set_num_threads(1)
    model, ids = stored_language_model(name), encode(name, text).ids
    return model.token_log_probabilities(ids) if memory is None else with_short_context(model, ids, memory)


# ln p of each token of a text, (n,), all of it or only the last `memory` tokens in view; a sample's is everybody's.
scored_sample = cached(120, 0, shared=True)(_scored)
scored_text = cached(0, 60)(_scored)


def read_to(document: Document, prompt: Prompt, characters: int) -> str:
    """Return what the models read of a text for all choices up to the next of READ_TO; it begins with the prompt."""
    whole = characters_of(document.text[: next(n for n in READ_TO if n >= characters)]).text
    return whole if whole.startswith(prompt.text) else prompt.text  # where an example stands in


def compare(prompt: Prompt, whole: str, torn: bool, own: bool) -> Comparison:
    """Return every stored model's measures; all read the same characters, the learner's `own` or a sample's.

    What follows a character changes nothing of its ln p: the prompt's are the first of the `whole` text's.
    """
    score = scored_text if own else scored_sample
    found = {card.model: card for card in character_models()}
    n = len(prompt.text)
    return Comparison(
        found,
        prompt.text,
        {name: score(name, whole)[:n] for name in found},
        {BYTES: score(BYTES, prompt.text)},
        {name: score(name, whole, MEMORY)[:n] for name in found if torn},
    )


def show_bars(found: Comparison) -> None:
    """Draw bits per character by model, on the held-out plays and on the learner's text; say which is best."""
    values = {
        "n": len(found.own),
        "first": called(found.first),
        "held": found.held_out[found.first],
        "best": called(found.best),
        "same": found.first == found.best,
        "bits": found.own[found.best],
    }
    picture = comparison_figure(
        found.held_out, found.own, found.per_character(found.cut), MEMORY, guessing_bits()
    )
    LESSON.figure("bars", picture, WORDS.label("bars.alt", **values))
    LESSON.say("says.bars", values)


def about_own(found: Comparison) -> dict:
    """Return how many models find the learner's text harder than held-out plays, and of a short line where."""
    surprise = bits(found.scored[found.best])
    short = BEGINNING < len(found.text) <= SHORT
    return {
        "harder": sum(found.own[name] > found.held_out[name] for name in found.cards),
        "n": len(found.cards),
        "short": short,
        "read": len(found.text),
        "k": BEGINNING,
        "name": called(found.best),
        "first": float(surprise[:BEGINNING].mean()) if short else 0,
        "rest": float(surprise[BEGINNING:].mean()) if short else 0,
        "worse": found.own[found.best] > guessing_bits(),
        "guess": guessing_bits(),
    }


def show_given(found: Comparison) -> None:
    """Say what each model had to learn with, and on what they were measured."""
    (name, corpus), *_ = next(iter(found.cards.values())).corpus.items()
    values = {
        "models": [was_given(card) for card in found.cards.values()],
        "training": corpus["training characters"],
        "corpus": name,
        "held": corpus["held out"],
        "measured": corpus["measured on"],
    }
    st.markdown(WORDS.markdown("given", **values))
    st.page_link(WEIGHT_TYING.streamlit_page, label=WORDS.label("link.tying", title=WEIGHT_TYING.title))


def show_surprised(found: Comparison) -> None:
    """Draw the text coloured by what each character cost."""
    st.markdown(WORDS.markdown("surprised"))
    scored = {name_of(name): each for name, each in (found.cut or found.scored).items()}
    LESSON.view("surprise_text", surprise_payload(found.text, scored), "surprise")


def show_torn(found: Comparison) -> None:
    """Show what the best model loses with its context, and what an n-gram of as little context makes of it."""
    torn, best = found.per_character(found.cut), found.best
    LESSON.compare("torn", found.own[best], torn[best], more_is_better=False)
    better = best_of(torn)
    values = {
        "k": MEMORY,
        "name": called(best),
        "bits": torn[best],
        "counted": best == NGRAM,
        "ngram": torn[NGRAM],
        "better": called(better),
        "low": torn[better],
        "high": max(torn.values()),
    }
    st.info(WORDS.markdown("says.torn", **values))
