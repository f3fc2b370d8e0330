"""Tokens are not fair: what the story shows of one sentence in ten languages, and the lab on any two sentences."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from core.lesson.settings import Choice, Settings, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.tokens.byte_pairs import BytePairs, learn_merges
from core.models.tokens.gpt2_tokenizer import gpt2_pairs
from core.models.tokens.token_prices import (
    SentenceCost,
    measure_sentence,
    measure_sentences,
    premiums,
    sentences_in_context,
)
from core.text.samples.course_pairs import written_in
from core.text.samples.shelf import sample
from core.words.language import SPANISH
from pages.tokens.token_prices import EXAMPLES, LESSON, SENTENCES
from pages.tokens.token_prices.figures import (
    REFERENCE,
    costs_table,
    draw_bars,
    draw_rows,
    draw_tokens,
    name_language,
    name_texts,
)

WORDS = LESSON.words
HINDI, SECOND = "hi", "fr"  # the language of most tokens, and the one that has merges of its own
WINDOW = 1024  # tokens that GPT-2 reads at once
PLAY, FRENCH = "hamlet", ("English–French", "fr", 1500)
MERGES, LEARNED_FROM = 1000, 30_000  # merges, and characters of a text that they are learned from
GPT2, RAW, ENGLISH_MERGES, FRENCH_MERGES = "gpt2", "raw", "english", "french"
SHOWN_FIRST = ("en", "fr", "de")
GUESSES = ("20", "52")  # tokens offered beside the right number
LONGEST = 120

FIRST = Text("first", SENTENCES["en"], LONGEST)
OTHER = Text("other", SENTENCES["fr"], LONGEST, spoken={SPANISH: EXAMPLES[-1]})
TOKENIZER = Choice("tokenizer", GPT2, (GPT2, ENGLISH_MERGES, FRENCH_MERGES, RAW))
LAB = (FIRST, OTHER, TOKENIZER)


# The story: what each beat shows.


def tokens_of(costs: Mapping[str, SentenceCost]) -> dict[str, float]:
    """Return the tokens of each language."""
    return {language: cost.tokens for language, cost in costs.items()}


def ask_hindi(settings: Settings) -> Part:
    """GPT-2's tokens in the first languages; the answer adds the others."""
    tokens = tokens_of(story_costs(GPT2))
    shown = tokens if settings.revealed else {each: tokens[each] for each in SHOWN_FIRST}
    data = draw_bars({WORDS.label("panel.tokens"): (shown, "blue")}, (REFERENCE, HINDI))
    values: dict[str, object] = {"en": int(tokens["en"])}
    if settings.revealed:
        times = premiums(story_costs(GPT2), REFERENCE)[HINDI]
        values |= {"hindi": int(tokens[HINDI]), "times": times}
    choices = (*GUESSES, f"{tokens[HINDI]}")
    return Part("layer_bars", data, values, choices=choices, answer=f"{tokens[HINDI]}")


def show_bytes(settings: Settings) -> Part:
    """Characters and bytes of each language."""
    costs = story_costs(GPT2)
    panels = {
        WORDS.label("panel.characters"): ({k: cost.characters for k, cost in costs.items()}, "grey"),
        WORDS.label("panel.bytes"): ({k: cost.bytes for k, cost in costs.items()}, "blue"),
    }
    hindi = costs[HINDI]
    values = {"characters": hindi.characters, "bytes": hindi.bytes, "en": costs[REFERENCE].bytes}
    return Part("layer_bars", draw_bars(panels, (HINDI,)), values, {"tokenizer": RAW})


def show_held(settings: Settings) -> Part:
    """How many bytes a token of GPT-2 holds in each language."""
    costs = story_costs(GPT2)
    held = {language: cost.bytes_per_token for language, cost in costs.items()}
    data = draw_bars({WORDS.label("panel.held"): (held, "green")}, (REFERENCE, HINDI), form="{:.1f}")
    values = {"en": held[REFERENCE], "hindi": held[HINDI]}
    return Part("layer_bars", data, values)


def ask_french(settings: Settings) -> Part:
    """The sentence in English and French by merges of an English text; the answer adds merges of a French one."""
    english, french = (
        {each: story_costs(name)[each].tokens for each in (REFERENCE, SECOND)}
        for name in (ENGLISH_MERGES, FRENCH_MERGES)
    )
    titles = WORDS.label("panel.english"), WORDS.label("panel.french")
    panels = {titles[0]: (english, "blue"), titles[1]: (french, "vermillion")}
    data = draw_bars(panels, tuple(english), () if settings.revealed else titles[1:])
    values: dict[str, object] = {"merges": MERGES, "before": english}
    if settings.revealed:
        values["after"] = french
    lab = {"tokenizer": FRENCH_MERGES}
    return Part("layer_bars", data, values, lab, tuple(french), min(french, key=french.__getitem__))


def show_price(settings: Settings) -> Part:
    """What each language costs as a multiple of English."""
    times = premiums(story_costs(GPT2), REFERENCE)
    data = draw_bars({WORDS.label("panel.premium"): (times, "ochre")}, (HINDI,), form="× {:.1f}")
    return Part("layer_bars", data, {"times": times[HINDI], "french": times[SECOND]})


def show_context(settings: Settings) -> Part:
    """How many times the sentence fits into GPT-2's context."""
    fits = {each: sentences_in_context(cost, WINDOW) for each, cost in story_costs(GPT2).items()}
    data = draw_bars({WORDS.label("panel.fits"): (fits, "green")}, (REFERENCE, HINDI))
    return Part("layer_bars", data, {"window": WINDOW, "en": fits[REFERENCE], "hindi": fits[HINDI]})


def do_own(settings: Settings) -> Part:
    """Two sentences of the learner's as GPT-2 cuts them."""
    lines = name_texts(settings.first, settings.other)
    costs = [measure_sentence(each, gpt2_pairs()) for each in lines.values()]
    values = {"tokens": [cost.tokens for cost in costs], "bytes": [cost.bytes for cost in costs]}
    lab = {"first": settings.first, "other": settings.other}
    return Part("token_rows", draw_rows(lines, gpt2_pairs()), values, lab)


def show_answer(settings: Settings) -> Part:
    """The sentence in English, Turkish and Russian as GPT-2 cuts it."""
    lines = {name_language(each): SENTENCES[each] for each in (REFERENCE, "tr", "ru")}
    costs = story_costs(GPT2)
    data = draw_rows(lines, gpt2_pairs())
    return Part("token_rows", data, {"tokens": costs[REFERENCE].tokens, "russian": costs["ru"].tokens})


STORY = (
    ask("hindi", ask_hindi),
    look("encoded", show_bytes),
    look("held", show_held),
    ask("learned", ask_french),
    look("price", show_price),
    look("context", show_context),
    do("own", do_own, FIRST, OTHER),
    end("answer", show_answer),
)


@cache
def tokenizer_of(name: str) -> BytePairs:
    """Return GPT-2's merges, merges of an English or a French text, or none: bytes alone."""
    if name == GPT2:
        return gpt2_pairs()
    if name == RAW:
        return BytePairs(())
    text = sample(PLAY).read().text if name == ENGLISH_MERGES else written_in(*FRENCH)
    return learn_merges(text[:LEARNED_FROM], MERGES)


@cache
def story_costs(name: str) -> dict[str, SentenceCost]:
    """Return what the sentence costs in each language by a tokenizer."""
    return measure_sentences(SENTENCES, tokenizer_of(name))


# The lab: two sentences and the ten languages by any of four tokenizers.


def lab() -> None:
    """Two sentences cut into tokens; the ten languages; what is left of the premium without merges."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        first, other = LESSON.draw(FIRST, width=340), LESSON.draw(OTHER, width=340)
        name = LESSON.draw(TOKENIZER)
        LESSON.options()
    pairs, costs = tokenizer_of(name), story_costs(name)
    lines = name_texts(first or FIRST.default, other or OTHER.default)
    one, two = (measure_sentence(each, pairs) for each in lines.values())
    with stage:
        bands = {each: WORDS.label(f"band.{each}") for each in ("fewer", "same", "more")}
        truth = bands["fewer" if two.tokens < one.tokens else "same" if two.tokens == one.tokens else "more"]
        if LESSON.ask(WORDS.label("guess"), list(bands.values()), truth, f"{name}_{first}_{other}"):
            LESSON.view("token_rows", draw_rows(lines, pairs), "cut")
            LESSON.say("says.cut", {"one": one.tokens, "two": two.tokens})
            LESSON.figure("languages", draw_tokens(costs), WORDS.label("alt.languages"))
            LESSON.every_number(WORDS.label("table.costs"), costs_table, costs, WINDOW)
            if name == RAW:
                whole = premiums(story_costs(GPT2), REFERENCE)[HINDI]
                LESSON.compare("merges", whole, premiums(costs, REFERENCE)[HINDI], ".1f", False)
    LESSON.close_lab(
        code=[measure_sentence, measure_sentences, premiums, sentences_in_context, learn_merges],
        parameters=dict(zip(("first", "other"), lines.values(), strict=True)),
        prompts={
            "greek": {"other": SENTENCES["el"]},
            "raw": {"other": SENTENCES["hi"], "tokenizer": RAW},
            "french": {"tokenizer": FRENCH_MERGES},
        },
    )
