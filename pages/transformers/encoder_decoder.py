"""Encoder and decoder: a transformer translates, and each of its three attentions shows where it looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial

import pandas as pd
import streamlit as st
import torch

from core.figures.alignment import attention_view
from core.figures.card import card
from core.figures.figure import Figure
from core.figures.packed import packed
from core.figures.transformers.encoder_decoder import (
    RECURRENT,
    TRANSFORMER,
    head_errors,
    heads_table,
    length_figure,
    length_rows,
    weights_table,
)
from core.figures.transformers.encoder_decoder_said import (
    said_by_length,
    said_of_alignment,
    said_of_heads,
    said_of_shares,
    step_frame,
)
from core.figures.translation.bottleneck import worked_length
from core.figures.translation.decoder_step import attention_heatmap
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import (
    DUTCH,
    FRENCH,
    Sentence,
    Task,
    choose_sentence,
    choose_task,
    held_out_pairs,
    translator_of,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import Question
from core.models.self_attention.attention import attend
from core.models.stored import load_card
from core.models.transformers.broken_encoder_decoder import without_cross_attention, without_mask
from core.models.transformers.encoder_decoder import Attention, DecoderBlock, EncoderBlock, EncoderDecoder
from core.models.transformers.transformer_translation import (
    Written,
    given_right,
    greedy,
    judged,
    stored_transformer,
    written_right,
)
from core.models.translation.alignment import gold_of, misaligned
from core.models.translation.bottleneck import wilson
from core.models.translation.translate import Translated, Translator, translated
from core.models.translation.what_if import changes

LESSON = Lesson(
    __name__,
    title="Encoder and decoder",
    question="How does a transformer read one language and write another?",
    icon="arrow-right-left",
)
MODELS = {FRENCH: "transformer_french", DUTCH: "transformer_dutch"}
FIRST = 8  # the step on which the lesson opens: words are written, and words are masked
ASKED = 4  # steps of which the heaviest input is guessed
MEASURED, SHORT = 60, tuple(range(4, 13))  # held-out sentences on which a break is measured, their lengths
Break = Callable[[EncoderDecoder], EncoderDecoder]


def picture() -> Figure:
    """Where a head of cross-attention looks for each French word: the colour and the car cross."""
    words = tuple("the white cars arrive .".split())
    translator = stored(MODELS[FRENCH])
    made = greedy(translator.model, translator.source.encode(words))
    layer, head = best_head(MODELS[FRENCH])
    outputs = translator.target.decode(made.words)
    weights = made.cross(layer - 1, head - 1)[: len(outputs)]
    return card(attention_heatmap(weights, outputs, words)).update_xaxes(title="").update_yaxes(title="")


def page() -> None:
    """A translation, step by step, through three attentions; beside the recurrent translator; both by length."""
    LESSON.open(
        r"m = \text{encoder}(x) \qquad y \leftarrow y + \text{attention}(y, y) \qquad "
        r"y \leftarrow y + \text{attention}(y, m) \qquad \text{attention}(y, m) = "
        r"\operatorname{softmax}\!\left(\tfrac{Q K^\top}{\sqrt d} + b + \text{mask}\right) V",
        "$x$: the input words; $m$: the memory, a row for each of them. $y$: the stream of the words written so far. "
        "$Q$ is made of the first argument, $K$ and $V$ of the second; $d$: numbers in a query. $b$: what a head adds "
        "for the distance of two places; in cross-attention, of an input word's and an output word's. mask: −∞ where a word "
        "would see a later one of its own sentence, in the decoder only. This is one head; what all gather goes, side by "
        "side, through one more matrix. Each reads a normalised copy; a feed-forward network follows.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        task = choose_task(LESSON, list(MODELS))
        sentence = choose_sentence(LESSON, task, notes)
        name = MODELS[task.label]
        layer, head = choose_head(name)
        broken = choose_break()
    words, whole_model = sentence.words, stored(name)
    whole = written_by(name, words)
    made = written_by(name, words, broken) if broken else whole
    outputs = [whole_model.target.words[i] for i in made.words]
    about = f"{name}_{layer}_{head}_{broken and broken.__name__}_{' '.join(words)}"
    with stage:
        seen = LESSON.ask_in_turn(
            len(outputs), partial(question_of, made, layer, head, words, outputs, about)
        )
        shared = {"values": packed(made.encoded.attention[layer].weights[0, head].numpy())}
        heard = broken is not without_cross_attention
        frames = [step_frame(made, t, layer, head, words, outputs, heard) for t in range(seen)]
        LESSON.steps(frames, len(outputs), start=FIRST, shared=shared)
    if revealed := seen == len(outputs):
        say_verdict(task, sentence, outputs, made)
        if broken:
            st.header("What the break did", anchor=False)
            what_broke(task, name, broken, whole, made)
        st.header("Beside the recurrent translator", anchor=False)
        beside_recurrent(task, sentence, made, outputs, (layer, head))
    st.header("Both, by the length of the sentence", anchor=False)
    by_length(name)
    if heads := LESSON.section("heads", "Which head looks at the right word?"):
        with heads:
            show_heads(name)
    if revealed:
        LESSON.every_number("cross-attention", weights_table, made, layer, head, words, outputs)
    quality = load_card(name).quality
    LESSON.every_number(
        "right by length",
        lambda: (pd.DataFrame(rows := length_rows(quality)), lambda r, c: worked_length(rows[r], c)),
    )
    LESSON.closing(
        code=[EncoderDecoder, EncoderBlock, DecoderBlock, Attention, attend, greedy, judged, wilson]
        + ([broken, written_right, given_right] if broken else []),
        notebook=cells(name, words, layer, head, broken),
        plot=(
            "from core.figures.translation.decoder_step import attention_heatmap\n\n"
            "draw(attention_heatmap(weights, [translator.target.words[i] for i in made.words], words))"
        ),
        try_this=[
            (
                "White cars, voitures blanches: where does cross-attention turn back?",
                {"task": FRENCH, "text_fr": "the rich queen sold the white cars yesterday .", "step": 7},
            ),
            ("Dutch ends on its verb: where does cross-attention go back to?", {"task": DUTCH, "step": 13}),
            ("Without cross-attention: what does the decoder make up?", {"cross": True}),
        ],
        sources=[
            "Ashish Vaswani et al. (2017), Attention Is All You Need.",
            "Ruibin Xiong et al. (2020), On layer normalization in the transformer architecture (the norm comes first).",
            "Colin Raffel et al. (2020), Exploring the limits of transfer learning with a unified text-to-text "
            "transformer, section 2.1 (a number a head and distance).",
            "Ofir Press et al. (2022), Train short, test long (the numbers begin with a fall of their own a head).",
            "Edwin Wilson (1927), Probable inference, the law of succession, and statistical inference (the interval).",
        ],
    )


# The model, whole and broken, and what it wrote.


@cache
def stored(name: str) -> Translator:
    """Return a trained transformer of assets/models, loaded once for all sessions: never change it."""
    torch.set_num_threads(1)
    return stored_transformer(name)


@cache
def broken_translator(name: str, broken: Break) -> Translator:
    """Return a stored transformer with a piece removed, made once for all sessions: never change it."""
    return replace(stored(name), model=broken(stored(name).model))


def written_by(name: str, words: Sequence[str], broken: Break | None = None) -> Written:
    """Return what a stored transformer, as it is or broken, writes for words; the last ones are kept."""
    return _written_by(name, broken.__name__ if broken else "", tuple(words), broken)


@cached(8, 3, shared=no_typed_words)
def _written_by(name: str, break_name: str, words: tuple[str, ...], _broken: Break | None) -> Written:
    translator = broken_translator(name, _broken) if _broken else stored(name)
    return greedy(translator.model, translator.source.encode(words))


@cached(32, 8, shared=no_typed_words)
def recurrent(name: str, words: tuple[str, ...]) -> Translated:
    """Return what a recurrent translator writes for words."""
    return translated(translator_of(name), words)


def best_head(name: str) -> tuple[int, int]:
    """Return the (layer, head), from 1, whose cross-attention misaligns fewest words, as the card tells it."""
    errors = head_errors(load_card(name).quality)
    return min(errors, key=errors.get)


def choose_head(name: str) -> tuple[int, int]:
    """Draw the choice of a layer and a head, which all three attentions have; return them counted from 0."""
    config, best = stored(name).model.config, best_head(MODELS[FRENCH])
    layers = min(config.encoder_layers, config.decoder_layers)
    layer = LESSON.number("layer", "Layer", 1, layers, best[0], width=85)
    head = LESSON.number("head", "Head", 1, config.heads, best[1], width=85)
    LESSON.set_values(layer=layer, head=head, layers=layers, heads=config.heads, farthest=config.farthest)
    return layer - 1, head - 1


def choose_break() -> Break | None:
    """Draw two switches; return what breaks the model, or None when both are off."""
    why = "The decoder looks at the input as before; what it gathers is not added."
    cross = LESSON.break_it("cross", "Break it: no cross-attention", why)
    mask = LESSON.break_it(
        "mask",
        "Break it: no mask",
        "In the decoder every written word sees those after it, once they are there.",
    )
    return without_cross_attention if cross else without_mask if mask else None


# One step.


def question_of(
    made: Written, layer: int, head: int, inputs: Sequence[str], outputs: Sequence[str], about: str, t: int
) -> Question | None:
    """Return what is asked before one of the first steps: which input word its cross-attention looks at most."""
    if t >= ASKED:
        return None
    numbered, row = [f"{s + 1} {word}" for s, word in enumerate(inputs)], made.cross(layer, head)[t]
    asked = f"Writing “{outputs[t]}”: which input word does layer {layer + 1}, head {head + 1} look at most?"
    return Question(asked, numbered, numbered[int(row.argmax())], f"{about}_{t}")


# The whole translation, and the recurrent translator beside it.


def say_verdict(task: Task, sentence: Sentence, outputs: Sequence[str], made: Written) -> None:
    """Write the translation, and say whether it ended and, where that is known, whether it is right."""
    written = ended(outputs)
    LESSON.set_values(written=task.write(written), first=outputs[0], T=len(outputs))
    st.text(f"→ {task.write(written)}")
    if not made.finished:
        st.info(f"The model has written {len(outputs)} words and no <end>; it was stopped there.")
    if sentence.pair:
        right = list(sentence.pair.target) == written
        st.text("✓ Right to the last word." if right else f"✗ Right is: {task.write(sentence.pair.target)}")


def ended(outputs: Sequence[str]) -> list[str]:
    """Return the words that were written before <end>."""
    return [word for word in outputs if word != "<end>"]


def what_broke(task: Task, name: str, broken: Break, whole: Written, made: Written) -> None:
    """Show what the break did to this sentence, and to held-out ones."""
    target = stored(name).target
    before, now = (target.decode(each.words) for each in (whole, made))
    changed = changes(before, now)
    words = "1 word" if changed == 1 else f"{changed} words"
    st.text(f"Before: {task.write(before)}")
    st.text(f"Now: {task.write(now)}")
    st.text(f"{words} changed, came or went." if changed else "The translation is the same all the same.")
    shares = [wilson(right_of(name, task.label, each), MEASURED) for each in (None, broken)]
    lengths = f"{MEASURED} held-out sentences of {SHORT[0]} to {SHORT[-1]} words"
    st.caption(f"Measured on {lengths}; {said_of_shares(*shares)}:")
    consequence("Exact match", *(each.value for each in shares), ".1%")


@lru_cache(maxsize=8)
def right_of(name: str, label: str, broken: Break | None) -> int:
    """Return how many held-out pairs a stored transformer writes right; greedily without a mask, where it would peek."""
    translator = broken_translator(name, broken) if broken else stored(name)
    pairs = held_out_pairs(label, seed=3, count=MEASURED, lengths=SHORT)
    right = written_right if broken is without_mask else given_right
    return sum(right(translator.model, pairs, translator.source, translator.target))


def beside_recurrent(
    task: Task, sentence: Sentence, made: Written, outputs: Sequence[str], chosen: tuple[int, int]
) -> None:
    """Draw one head's cross-attention beside the recurrent translator's, and score both against gold where it is known."""
    other = recurrent(task.models["additive"], sentence.words)
    head = f"{TRANSFORMER}, layer {chosen[0] + 1}, head {chosen[1] + 1}"
    aligned = {}
    drawn = ((head, made.cross(*chosen), outputs), (RECURRENT, other.weights, other.outputs))
    for column, (name, weights, written) in zip(st.columns(2, gap="medium"), drawn, strict=True):
        gold = gold_of(sentence.words, ended(written), sentence.pair) if sentence.pair else frozenset()
        aligned[name] = (len(misaligned(weights, gold)), len({t for t, _ in gold})) if gold else None
        with column:
            st.markdown(f"**{name.capitalize()}**")
            data = attention_view(
                weights, written, sentence.words, gold, file=f"attention_{name.split(',')[0]}"
            )
            LESSON.view("attention", data, name=name.split(",")[0])
    said = said_of_alignment(aligned, sentence.pair is not None)
    LESSON.set_values(aligned=said)
    st.markdown(plain(said))


def by_length(name: str) -> None:
    """Draw how many sentences both translators get right, by length, from the card; say what the ends are."""
    quality = load_card(name).quality
    LESSON.figure(
        "lengths",
        length_figure(quality),
        "The share translated word for word against length, with 95% intervals",
    )
    said = said_by_length(quality)
    LESSON.set_values(by_length=said)
    LESSON.caption(said)
    st.caption(
        "Greedy search, as the model's card tells it. Words are those of the English sentence, marks counted."
    )


def show_heads(name: str) -> None:
    """Show how often each head of cross-attention looks at a wrong word, and the recurrent translator."""
    quality = load_card(name).quality
    st.markdown(said_of_heads(quality))
    st.dataframe(heads_table(quality), hide_index=True, alt="The alignment error of every head")


def cells(name: str, words: Sequence[str], layer: int, head: int, broken: Break | None) -> list[str]:
    """Return the notebook's cells that translate the same words and print where the head looks."""
    breaking = (
        f"\nfrom core.models.transformers.broken_encoder_decoder import {broken.__name__}\n"
        f"model = {broken.__name__}(model)"
        if broken
        else ""
    )
    return [
        "from core.models.transformers.transformer_translation import greedy, stored_transformer\n\n"
        f"translator = stored_transformer({name!r})\nmodel = translator.model{breaking}\nwords = {list(words)!r}",
        "made = greedy(model, translator.source.encode(words))\nprint(translator.target.decode(made.words))",
        f"weights = made.cross({layer}, {head})  # one row an output word, one column an input word\n"
        "for t, row in enumerate(weights):\n"
        '    print(f"{translator.target.words[made.words[t]]:15}", words[int(row.argmax())], f"{row.max():.3f}")',
    ]
