"""One table of all language models: bits a character on the same held-out text, and on the learner's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.model_comparison import (
    characters_read,
    comparison_figure,
    surprise_payload,
    was_given,
    what_they_were_given,
    worked_quality,
)
from core.lesson.break_it import consequence
from core.lesson.choices.language_model_choice import model_labels
from core.lesson.chosen_text import TYPED
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
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
from pages.generation.shared.character_text import EXAMPLE, character_labels, characters_of, choose_characters
from pages.recurrent_models.weight_tying import LESSON as WEIGHT_TYING

LESSON = Lesson(
    __name__,
    title="The language models compared",
    question="Which model foresees the next character best?",
    icon="trophy",
)
NATS, PERPLEXITY = "nats per character, held out", "perplexity per character, held out"
MEMORY = 3  # characters that are left of the context when it is torn away
READ_TO = (600, 1500)  # characters: what is read up to one of these holds for every choice below it
SHORT, BEGINNING = 100, 3  # a line of so few characters is looked at from its first characters on


@dataclass(frozen=True)
class Comparison:
    """The cards of the character models by label, best first, and what each model gives the learner's characters.

    `scored` has ln p of each character, (n,), by label; `other` those of each token of the models of byte pairs; `cut`
    those of each character seen from the last MEMORY before it alone, when the context is torn away.
    """

    cards: dict[str, Card]
    text: str
    scored: dict[str, np.ndarray]
    other: dict[str, np.ndarray]
    cut: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def held_out(self) -> dict[str, float]:
        """Bits a character on the held-out plays."""
        return {label: card.quality[BITS] for label, card in self.cards.items()}

    @property
    def own(self) -> dict[str, float]:
        """Bits a character on the learner's text."""
        return self.per_character(self.scored | self.other)

    def per_character(self, scored: Mapping[str, np.ndarray]) -> dict[str, float]:
        """Return bits a character of the learner's text by label."""
        return {label: bits_per_character(ln_p, len(self.text)) for label, ln_p in scored.items()}

    @property
    def best(self) -> str:
        """The character model that foresees the learner's text best."""
        return min(self.cards, key=self.own.get)


def picture() -> Figure:
    """Bits a character of the stored models on the held-out plays."""
    labels = {name: label.removesuffix(", characters") for label, name in character_labels().items()}
    by_model = {labels[card.model]: card.quality[BITS] for card in character_models()}
    return small(comparison_figure(by_model, {})).update_yaxes(showticklabels=True)


def page() -> None:
    """All models' bits as bars; what each was given; where each is surprised."""
    LESSON.open(
        r"\text{bits a character} = -\frac{1}{n} \sum_{i=1}^{n} \log_2 p(c_i \mid c_1 \dots c_{i-1})"
        r" \qquad \text{perplexity} = 2^{\,\text{bits}}",
        "$c_1 \\dots c_n$: the characters of the text that is read. A model that needs 2 bits is on average as unsure as "
        "among $2^2 = 4$ equally likely characters. One nat is $1 / \\ln 2 \\approx 1.443$ bits.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        characters = LESSON.slider(
            "characters",
            "Characters to read",
            100,
            READ_TO[-1],
            READ_TO[0],
            step=100,
            help="How much of the beginning of your text every model reads.",
        )
        prompt = choose_characters(LESSON, document, characters)
        broken = LESSON.break_it(
            "torn",
            f"Break it: see only the last {MEMORY} characters",
            "Each character is then foreseen from those just before it, in the middle of the text, and from nothing else.",
        )

    typed = LESSON.get_state("source") == TYPED
    own = is_own(document) or typed
    found = compare(prompt, prompt.text if typed else read_to(document, prompt, characters), broken, own)
    LESSON.set_values(n=f"{len(found.text):,}", models=len(found.cards))
    with stage:
        revealed = LESSON.ask(
            "Which reader of characters foresees your text best?",
            *(sorted(found.cards), found.best, f"{hash(prompt.text)}"),
        )
        if revealed:
            show_bars(found)
            LESSON.caption(best_models(found))
    st.markdown(what_they_were_given(found.cards))
    st.caption(plain(about_text(found.cards)))
    st.markdown(
        "All character models share one vocabulary and one held-out text, so their bits may be compared. If **your text** "
        "is one of Shakespeare's plays, they have read nine tenths of it in training, and look better than they are."
    )
    if revealed:
        st.markdown(own_text_beside_plays(found))
    if found.other:
        st.markdown(
            f"**{', '.join(found.other)}** is kept apart: it reads pieces of words, and was trained and measured on other "
            "text. Only on your text is it asked the same question: the bits of all its tokens, divided by the number of "
            "characters. It has a bar there, and no colours below: its surprise belongs to pieces, not to characters."
        )
    if broken and revealed:
        show_torn(found)
    if revealed:
        if surprised := LESSON.section("surprised", "Where is each model surprised?"):
            with surprised:
                show_surprise(found)
        LESSON.every_number("models", quality_table, found)
    st.page_link(
        WEIGHT_TYING.streamlit_page,
        label=f"Why some have more parameters than others: **{WEIGHT_TYING.title}**",
    )
    LESSON.closing(
        code=[
            bits_per_character,
            NeuralLanguageModel.token_log_probabilities,
            CountedLanguageModel.token_log_probabilities,
            with_short_context,
        ],
        notebook=[
            "from core.models.language_model import bits_per_character\n"
            "from core.models.stored_language_models import BITS, character_models, encode, stored_language_model\n\n"
            f"carried = {[card.model for card in character_models()]!r}\n"
            "for card in character_models():\n    print(card.model, card.quality['parameters'], card.quality[BITS])",
            f"text = {prompt.text!r}",
            "for card in character_models():\n    model = stored_language_model(card.model)\n"
            "    ln_p = model.token_log_probabilities(encode(card.model, text).ids)\n"
            "    print(card.model, bits_per_character(ln_p, len(text)))",
        ],
        plot=(
            "from core.figures.generation.model_comparison import comparison_figure\n\n"
            "draw(comparison_figure({card.model: card.quality[BITS] for card in character_models()}, {}))"
        ),
        try_this=[
            (f"A famous line, “{EXAMPLE}”: does fame make it cheap?", {"source": "typed", "typed": EXAMPLE}),
            (
                "Nonsense: how many bits does “zzzzqqqqxxxx” cost?",
                {"source": "typed", "typed": "zzzzqqqqxxxx", "torn": False},
            ),
            ("Tear the context away: what is left of the best model?", {"torn": True}),
        ],
        sources=[
            "Claude E. Shannon (1951), Prediction and entropy of printed English: people need about one bit a letter.",
            "Andrej Karpathy, Justin Johnson and Fei-Fei Li (2016), Visualizing and understanding recurrent networks.",
            "The corpus, settings and measures of each model stand in assets/models/<model>/card.json.",
        ],
    )


def _scored(name: str, text: str, memory: int | None = None) -> np.ndarray:
    torch.set_num_threads(1)
    model, ids = stored_language_model(name), encode(name, text).ids
    return model.token_log_probabilities(ids) if memory is None else with_short_context(model, ids, memory)


# ln p of each token of a text, (n,), all of it or only the last `memory` tokens in view; a sample's is everybody's.
SPINNER = "The models read your text"
scored_sample = st.cache_resource(max_entries=120, show_spinner=SPINNER)(_scored)
scored_text = st.cache_resource(scope="session", max_entries=60, show_spinner=SPINNER)(_scored)


def read_to(document: Document, prompt: Prompt, characters: int) -> str:
    """Return what the models read of a text for all choices up to the next of READ_TO; it begins with the prompt."""
    whole = characters_of(document.text[: next(n for n in READ_TO if n >= characters)]).text
    return whole if whole.startswith(prompt.text) else prompt.text  # where an example stands in


def compare(prompt: Prompt, whole: str, torn: bool, own: bool) -> Comparison:
    """Return every stored model's measures; all read the same characters, the learner's `own` or a sample's.

    What stands behind a character changes nothing of its ln p: the prompt's are the first of the `whole` text's.
    """
    score = scored_text if own else scored_sample
    label_of = {name: label.removesuffix(", characters") for label, name in character_labels().items()}
    cards = {label_of[card.model]: card for card in character_models()}
    others = {label: name for label, name in model_labels().items() if name not in label_of}
    n = len(prompt.text)
    return Comparison(
        cards,
        prompt.text,
        {label: score(card.model, whole)[:n] for label, card in cards.items()},
        {label: score(name, prompt.text) for label, name in others.items()},
        {label: score(card.model, whole, MEMORY)[:n] for label, card in cards.items() if torn},
    )


def show_bars(found: Comparison) -> None:
    """Draw bits a character by model, on the held-out plays and on the learner's text."""
    cut = (f"your text, the last {MEMORY} characters in view", found.per_character(found.cut))
    LESSON.figure(
        "bars",
        comparison_figure(found.held_out, found.own, cut=cut),
        f"Bits a character of {len(found.own)} models; on your text {found.best} needs fewest of those that read "
        f"characters, {found.own[found.best]:.2f}",
    )
    first = min(found.held_out, key=found.held_out.get)
    held, sizes = found.held_out[first], [card.quality["parameters"] for card in found.cards.values()]
    LESSON.set_values(
        first=called(first), best=called(found.best), given=was_given(first, found.cards[first])
    )
    LESSON.set_values(held=f"{held:.2f}", among=f"{2**held:.1f}", own=f"{found.own[found.best]:.2f}")
    LESSON.set_values(least=f"{min(sizes):,}", most=f"{max(sizes):,}")
    LESSON.set_values(harder=sum(found.own[label] > found.held_out[label] for label in found.cards))


def show_surprise(found: Comparison) -> None:
    """Draw the text coloured by what each character cost."""
    st.markdown(
        "The stronger the colour, the more bits the character cost. Point at a character, or go along the text with "
        "the arrow keys, and ask every model. Look at the beginnings of words, and at their ends."
    )
    LESSON.view("surprise_text", surprise_payload(found.text, found.cut or found.scored), "surprise")


def called(label: str) -> str:
    """Return a model's label as a sentence names it: an adjective needs its noun."""
    return f"the {label} network" if label == "feed-forward" else f"the {label}"


def best_models(found: Comparison) -> str:
    """Return the sentence below the bars: the best model on either text."""
    first = min(found.held_out, key=found.held_out.get)
    return (
        f"Of those that read characters, {called(first)} needs fewest bits a character on held-out plays, "
        f"{found.held_out[first]:.2f}; on your text {'it' if first == found.best else called(found.best)} does, with "
        f"{found.own[found.best]:.2f}."
    )


def about_text(cards: Mapping[str, Card]) -> str:
    """Return, from the cards, what the models trained on and what they were measured on."""
    (name, corpus), *_ = next(iter(cards.values())).corpus.items()
    return (
        f"Trained on {corpus['training characters']:,} characters of {name}. Held out: {corpus['held out']}; measured "
        f"on {corpus['measured on']}."
    )


def own_text_beside_plays(found: Comparison) -> str:
    """Return how many models find the learner's text harder than held-out plays, and of a short line where."""
    harder = sum(found.own[label] > found.held_out[label] for label in found.cards)
    said = f"Your text costs {harder} of the {len(found.cards)} character models more bits than held-out plays do."
    if BEGINNING < len(found.text) <= SHORT:
        surprise = bits(found.scored[found.best])
        said += (
            f" Only {len(found.text)} characters of it are read: the first {BEGINNING}, which have next to nothing before "
            f"them, cost {called(found.best)} {surprise[:BEGINNING].mean():.2f} bits each, the rest "
            f"{surprise[BEGINNING:].mean():.2f}."
        )
    return said


def show_torn(found: Comparison) -> None:
    """Show what the best model loses with its context, and what an n-gram of as little context makes of it."""
    torn = found.per_character(found.cut)
    best = found.best
    consequence(f"Bits a character, {best}", found.own[best], torn[best], more_is_better=False)
    better = min(torn, key=torn.get)
    LESSON.set_values(memory=MEMORY, low=f"{torn[better]:.2f}", high=f"{max(torn.values()):.2f}")
    plain = f"then is a plain {MEMORY + 1}-gram"
    beside = "It" if found.best == "n-gram" else "The n-gram"
    also = "" if found.best == "n-gram" else f" and needs {torn['n-gram']:.2f}"
    st.info(
        f"With {MEMORY} characters in view {called(found.best)} needs {torn[found.best]:.2f} bits a character. {beside} "
        f"{plain}{also}: given as little context, all need between {torn[better]:.2f} ({better}) and "
        f"{max(torn.values()):.2f}. What is read in pieces of words is left whole."
    )


def quality_table(found: Comparison) -> tuple[pd.DataFrame, Formula]:
    """Return what each model was given, its measures on the held-out plays, and bits on the learner's text."""
    rows = [
        (
            label,
            card.quality["parameters"],
            card.config.get("fit", {}).get("steps"),
            characters_read(card),
            card.quality[NATS],
            card.quality[BITS],
            card.quality[PERPLEXITY],
        )
        for label, card in found.cards.items()
    ]
    columns = ["model", "parameters", "steps", "characters read in training"]
    table = pd.DataFrame(rows, columns=[*columns, "nats, held out", "bits, held out", "perplexity, held out"])
    table = table.astype({"steps": "Int64", "characters read in training": "Int64"})
    table["bits, your text"] = [found.own[label] for label in found.cards]
    if found.cut:
        table[f"bits, last {MEMORY} characters"] = list(found.per_character(found.cut).values())

    def formula(row: int, column: str) -> str | None:
        scored = found.scored[table["model"][row]]
        return worked_quality(table["nats, held out"][row], -float(scored.sum()), len(found.text), column)

    return table, formula
