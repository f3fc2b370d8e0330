"""Why likely text loops: what the story shows beat by beat, and the lab in which a model writes in five ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import streamlit as st
import torch

from core.figures.token_label import label_token
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.language_model_choice import (
    ChosenModel,
    model_labels,
    say_what_changed,
    say_which_model,
    tokens_read,
)
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.generation.beam_search import beam_search, winning_paths
from core.models.generation.degeneration import (
    DRAWN,
    GAINING,
    SHORT,
    SHORT_MOST,
    TEXTS,
    Cycle,
    JudgedText,
    distinct,
    drawn_beside,
    judge_text,
    pooled,
    repeated_cycle,
)
from core.models.generation.passages import Passage, end_of, passage_of, passages_of
from core.models.generation.repetition import Repetitions, log_probabilities_along, repetitions
from core.models.generation.scored_text import ScoredText, score_text
from core.models.generation.short_memory import ShortMemory
from core.models.language_model import LanguageModel, bits
from core.models.stored import load_card
from core.models.stored_language_models import decode_ids, encode, stored_language_model
from core.text.reading.documents import Document
from core.text.samples.shelf import plays
from core.words.numbers import format_share
from pages.generation.likely_text import LESSON
from pages.generation.likely_text.figures import (
    RING_AT_MOST,
    bits_so_far_figure,
    cut_start,
    draw_counts,
    draw_curve,
    draw_loop,
    draw_piece,
    draw_ring,
    draw_step,
    draw_text,
    likely_or_varied_figure,
    name_in_text,
    name_way,
    repetitions_figure,
    repetitions_table,
    say_costs,
    say_counts,
    say_loop,
    say_pooled,
    say_repetitions,
    tell_bits,
    texts_table,
)
from pages.generation.shared.broken_context import LONG, MEMORY, forget_context
from pages.generation.shared.chosen_model import MODEL, OWN_MODELS, notebook_of, open_model

WORDS = LESSON.words
NAME = "word_gpt"  # the story's model
# The end of Hamlet, which the model was not trained on: what it reads, and how the play goes on.
PROMPT = (
    "\nIf your mind dislike any thing, obey it: I will\nforestall their repair hither, and say you are not\n"
    "fit.\n\nNot a whit"
)
REAL = (
    ", we defy augury: there's a special\nprovidence in the fall of a sparrow. If it be now,\n'tis not to come; "
    "if it be not to come, it will be\nnow; if it be not now, yet it will come: the\nreadiness is all: since no man "
    "has aught of what he\nleaves, what is't to leave betimes?\n\nCome, Hamlet, come, and take this hand from me.\n\n"
    "Give me your pardon, sir: I've done you wrong;\nBut pardon't, as you are a gentleman.\n"
)
LINE = "Not a whit"  # of the prompt, as the pictures show it
JUDGED, OWN_LINE = "I will not", "Once upon a time"
EXAMPLES = (PROMPT, REAL, LINE, JUDGED, OWN_LINE)
LENGTH, SEED = 150, 1  # tokens of a text in the story; of what is sampled
COMPARED = 70  # tokens of each text of which we ask
SHOWN_ROUNDS = 4  # of a loop, in a text beside its ring
ROUNDS = 10  # of the story's loop
SPEAKER = 8  # the place in that loop, from 0, of the token that begins the speaker's name
STORY_WAYS = ("real", "greedy", "sampled")
COUNTED = ("greedy", "beam", "top_p", "sampled", "real")

ROUND = Slider("round", 5, 1, ROUNDS)
OWN_PROMPT = Text("typed", OWN_LINE, 100)
WAY = Choice("way", "greedy", ("greedy", "sampled"))

MOST = 6  # passages in the lab
LENGTHS = range(20, 201, 10)  # tokens to write
PHRASE, LONGEST = 12, 40  # tokens of a phrase from the real text, and of a loop that is drawn
WRITTEN = Slider("length", LENGTH, LENGTHS[0], LENGTHS[-1], LENGTHS.step)
SOURCE = Choice("source", "plays", ("plays", "text"), {"plays, held out": "plays", "your text": "text"})
PHRASES = Choice(
    "phrase", "loop", ("loop", "real", "typed"), {"greedy's circle": "loop", "the real text": "real"}
)
FORGET = Switch("forget")
PASSAGES, WIDTH = Slider("count", 3, 1, MOST), Slider("width", 4, 1, 8)
LAB = (FORGET, Switch("together"), Switch("return"), Switch("texts"))


# The story: what each beat shows.


@dataclass(frozen=True)
class Followed:
    """A text that the story's model wrote or read: its tokens, ln p of all that could be in their place, its loop."""

    tokens: tuple[int, ...]
    ln_p: np.ndarray  # (n, V)
    loop: Cycle | None

    @property
    def own(self) -> np.ndarray:
        """The tokens' own ln p, (n,)."""
        return self.ln_p[np.arange(len(self.tokens)), list(self.tokens)]

    def rival(self, at: int) -> int:
        """Return the most probable token in a place but for the one that is there."""
        first, second = np.argsort(-self.ln_p[at], kind="stable")[:2]
        return int(second if first == self.tokens[at] else first)


def show_loop(settings: Settings) -> Part:
    """The greedy text, and its loop as a ring."""
    greedy = texts_of_story()["greedy"]
    loop = greedy.loop
    rounds = int(loop.times)
    ring = draw_ring(
        [draw_step(name) for name in ring_names(greedy)],
        enter_of(PROMPT, greedy),
        WORDS.label("middle.rounds", n=rounds),
        WORDS.label("below.tokens", n=LENGTH),
    )
    text = draw_text("greedy", loop_pieces(LINE, greedy))
    values = {"n": LENGTH, "rounds": rounds, "length": loop.length, "entered": enter_of(PROMPT, greedy)}
    return Part("loop", draw_loop([text], [ring]), values, {"texts": True})


def ask_surprise(settings: Settings) -> Part:
    """Three texts after one line; the answer shades each token by its surprisal."""
    texts = texts_of_story()
    means = {way: float(bits(text.own[:COMPARED]).mean()) for way, text in texts.items()}
    drawn = []
    for way, text in texts.items():
        costs = bits(text.own[:COMPARED]) if settings.revealed else np.zeros(COMPARED)
        names = [vocabulary()[token] for token in text.tokens[:COMPARED]]
        pieces = [
            draw_piece(LINE, "prompt"),
            *(draw_piece(name, bits=cost) for name, cost in zip(names, costs, strict=True)),
            draw_piece("…"),
        ]
        note = WORDS.label("note.mean", bits=means[way], n=COMPARED) if settings.revealed else ""
        drawn.append(draw_text(way, pieces, note))
    least = min(means, key=means.get)
    key = ("surprise",) if settings.revealed else ()
    return Part("loop", draw_loop(drawn, key=key), means, choices=STORY_WAYS, answer=least)


def show_curve(settings: Settings) -> Part:
    """What each of the three texts has cost so far."""
    texts = texts_of_story()
    loop = texts["greedy"].loop
    costs = [round_cost(texts["greedy"], at) for at in (1, ROUNDS)]
    figure = draw_curve({way: text.own for way, text in texts.items()}, loop, ROUNDS)
    values = {
        "first": costs[0],
        "last": costs[1],
        "start": loop.start + 1,
        "length": loop.length,
        "real": float(bits(texts["real"].own).mean()) * loop.length,
        "rounds": ROUNDS,
    }
    return Part("figure", {"figure": figure.to_dict()}, values)


def show_first(settings: Settings) -> Part:
    """The first round: each next token's probability, and the second most probable token as a way out."""
    greedy = texts_of_story()["greedy"]
    names = ring_names(greedy)
    weakest = int(np.argmin(ring_in_round(greedy, 1)[1]))
    ring, p, rivals = ring_in_round(greedy, 1, exits=True, strong=(weakest + 1) % len(names))
    values = {
        "before": names[weakest],
        "after": names[(weakest + 1) % len(names)],
        "at": weakest,
        "p": format_share(p[weakest]),
        "rival_p": format_share(rivals[weakest][1]),
        "speaker": names[SPEAKER],
        "speaker_at": SPEAKER - 1,
        "speaker_p": format_share(p[SPEAKER - 1]),
        "other": rivals[SPEAKER - 1][0],
        "length": len(names),
    }
    return Part("loop", draw_loop(rings=[ring], key=("stay", "leave")), values, {"return": True})


def show_rounds(settings: Settings) -> Part:
    """The same ring in a later round."""
    greedy = texts_of_story()["greedy"]
    ring, p, _ = ring_in_round(greedy, settings.round, strong=SPEAKER)
    first = ring_in_round(greedy, 1)[1]
    steady = ring_names(greedy).index("I")
    values = {
        "p": format_share(p[SPEAKER - 1]),
        "first_p": format_share(first[SPEAKER - 1]),
        "steady_p": format_share(p[steady - 1]),
        "steady": steady,
        "speaker": SPEAKER,
    }
    return Part("loop", draw_loop(rings=[ring], key=("stay",)), values, {"return": True})


def show_memory(settings: Settings) -> Part:
    """The two loops of a model that sees three tokens."""
    quality = load_card(NAME).quality
    texts, most = quality[TEXTS], quality[SHORT_MOST]
    rings = []
    for prompt, n in ((JUDGED, most), (PROMPT, texts - most)):
        names = ring_names(written_after(prompt, "greedy", MEMORY), first="I")
        kinds = ["seen"] * MEMORY + ["next"] if len(names) > MEMORY else []
        kinds += ["plain"] * (len(names) - len(kinds))
        steps = [draw_step(name, kind) for name, kind in zip(names, kinds, strict=True)]
        below = WORDS.label("below.plays", texts=texts)
        rings.append(draw_ring(steps, "", WORDS.label("middle.plays", n=n), below))
    values = {
        "memory": MEMORY,
        "loops": quality[SHORT],
        "texts": texts,
        "names": ring_names(written_after(JUDGED, "greedy", MEMORY), first="I")[: MEMORY + 1],
    }
    return Part("loop", draw_loop(rings=rings, key=("seen", "next")), values, {"forget": True})


def show_counts(settings: Settings) -> Part:
    """Of each way to write, how many texts end in a loop."""
    quality = load_card(NAME).quality
    counts = {way: quality[f"loops, {way}"] for way in COUNTED}
    texts = quality[TEXTS]
    figure = draw_counts(counts, texts)
    return Part(
        "figure",
        {"figure": figure.to_dict()},
        {**counts, "texts": texts, "n": LENGTH},
        {"together": True},
    )


def show_own(settings: Settings) -> Part:
    """What the model writes after the learner's beginning, and its loop where it has one."""
    prompt = settings.typed.strip() or OWN_LINE
    text = written_after(prompt, settings.way)
    loop, rings = text.loop, []
    if loop and loop.length <= RING_AT_MOST:
        ring = draw_ring(
            [draw_step(name) for name in ring_names(text)],
            enter_of(prompt, text),
            WORDS.label("middle.rounds", n=int(loop.times)),
            WORDS.label("below.tokens", n=LENGTH),
        )
        rings = [ring]
    values = {
        "loops": loop is not None,
        "rounds": int(loop.times) if loop else 0,
        "length": loop.length if loop else 0,
        "start": loop.start + 1 if loop else 0,
        "n": LENGTH,
        "ring": bool(rings),
    }
    rounds = SHOWN_ROUNDS if rings else 0
    pieces = loop_pieces(prompt, text, rounds)
    return Part("loop", draw_loop([draw_text(settings.way, pieces)], rings), values)


def show_answer(settings: Settings) -> Part:
    """The ring in its last round, with what little leads out of it."""
    greedy = texts_of_story()["greedy"]
    ring, p, _ = ring_in_round(greedy, ROUNDS, exits=True)
    quality = load_card(NAME).quality
    values = {
        "chance": float(np.prod(p)),
        "length": len(p),
        "round": ROUNDS,
        "loops": quality["loops, greedy"],
        "gaining": quality[GAINING],
    }
    return Part("loop", draw_loop(rings=[ring], key=("stay", "leave")), values, {"return": True})


STORY = (
    look("loop", show_loop),
    ask("surprise", ask_surprise),
    look("curve", show_curve),
    look("first", show_first),
    look("rounds", show_rounds, ROUND),
    look("memory", show_memory),
    look("counts", show_counts),
    do("own", show_own, OWN_PROMPT, WAY),
    end("answer", show_answer),
)


def vocabulary() -> tuple[str, ...]:
    """Return the tokens of the story's model, by id."""
    return stored_language_model(NAME).vocabulary


@cache
def texts_of_story() -> dict[str, Followed]:
    """Return the three texts after the story's line: Shakespeare's, and two that the model writes."""
    real = follow_tokens(PROMPT, encode(NAME, REAL).ids[:LENGTH])
    return {
        "real": real,
        "greedy": written_after(PROMPT),
        "sampled": written_after(PROMPT, "sampled"),
    }


def is_stored_prompt(prompt: str, *_) -> bool:
    """Return whether a prompt is one of the story's own, which everybody may share; what was typed is kept for nobody."""
    return prompt in EXAMPLES


@cached(12, 4, shared=is_stored_prompt)
def written_after(prompt: str, way: str = "greedy", memory: int = 0) -> Followed:
    """Return what the model writes after a prompt; with a `memory` it sees so many tokens only."""
    torch.set_num_threads(1)
    (tokens,) = drawn_beside(model_of(memory), encode(NAME, prompt).ids, LENGTH, [DRAWN[way]], SEED)
    return follow_tokens(prompt, tokens, memory)


def model_of(memory: int = 0) -> LanguageModel:
    """Return the story's model; with a `memory` it sees so many tokens only."""
    model = stored_language_model(NAME)
    return ShortMemory(model, memory) if memory else model


def follow_tokens(prompt: str, tokens: Sequence[int], memory: int = 0) -> Followed:
    """Return tokens after a prompt with their probabilities."""
    torch.set_num_threads(1)
    ln_p = log_probabilities_along(model_of(memory), encode(NAME, prompt).ids, tokens)
    return Followed(tuple(tokens), ln_p, repeated_cycle(tokens))


def ring_names(text: Followed, first: str = "") -> list[str]:
    """Return the tokens of a text's loop as a ring shows them, from where it begins or from the token `first`."""
    start, length = text.loop.start, text.loop.length
    tokens = [vocabulary()[token] for token in text.tokens[start : start + length]]
    names = [name_in_text(tokens[i - 1], token) for i, token in enumerate(tokens)]
    at = names.index(first) if first in names else 0
    return names[at:] + names[:at]


def enter_of(prompt: str, text: Followed) -> str:
    """Return the last words before a text's loop."""
    before = decode_ids(NAME, text.tokens[: text.loop.start])
    return cut_start(prompt + before)


def loop_pieces(line: str, text: Followed, rounds: int = SHOWN_ROUNDS) -> list[dict]:
    """Return a text as pieces: the line, what follows, and some rounds of the loop, all of them for 0."""
    start = text.loop.start if text.loop else len(text.tokens)
    until = start + rounds * text.loop.length if text.loop and rounds else len(text.tokens)
    pieces = [draw_piece(line, "prompt"), draw_piece(decode_ids(NAME, text.tokens[:start]))]
    if text.loop:
        pieces.append(draw_piece(decode_ids(NAME, text.tokens[start:until]), "loop"))
        if until < len(text.tokens):
            pieces.append(draw_piece(" …"))
    return [piece for piece in pieces if piece["text"]]


def ring_in_round(
    text: Followed, number: int, exits: bool = False, strong: int | None = None
) -> tuple[dict, np.ndarray, list[tuple[str, float]]]:
    """Return a loop as a ring in a round from 1, p of the token behind each of its tokens, (n,), and what else may come.

    The arrow behind the last token leads into the next round.
    """
    loop, names = text.loop, ring_names(text)
    places = [loop.start + (number - 1) * loop.length + i + 1 for i in range(loop.length)]
    p = np.exp(text.own[places])
    rivals = []
    for at in places:
        rival = text.rival(at)
        before = vocabulary()[text.tokens[at - 1]]
        rivals.append((name_in_text(before, vocabulary()[rival]), float(np.exp(text.ln_p[at, rival]))))
    steps = [
        draw_step(name, "strong" if i == strong else "plain", float(p[i]), rivals[i] if exits else None)
        for i, name in enumerate(names)
    ]
    middle, below = WORDS.label("middle.round", n=number), WORDS.label("below.round", n=ROUNDS)
    enter = enter_of(PROMPT, text) if number == 1 else ""
    return draw_ring(steps, enter, middle, below), p, rivals


def round_cost(text: Followed, number: int) -> float:
    """Return the bits that all tokens of a round, from 1, cost."""
    start = text.loop.start + (number - 1) * text.loop.length
    return float(bits(text.own[start : start + text.loop.length]).sum())


# The lab.


@cache
def every_play():
    """Return the plays on the shelf, none where their package is missing."""
    return plays()


def lab() -> None:
    """What each way to write has cost; why a phrase comes back; the texts; probable against varied."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        model = LESSON.draw(MODEL)
        full = open_model(model, document)
        length = LESSON.draw(WRITTEN)
        source = choose_source(model)
        forget = LESSON.draw(FORGET)
        chosen = forget_context(full) if forget else full
        with LESSON.options():
            count, width = LESSON.draw(PASSAGES), LESSON.draw(WIDTH)
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, SEED)
        passages = passages_given(document, source, full.label, count, length, full)
        passage = choose_passage(passages)
    asked, writing = (chosen.label, document.digest), (length, width, seed)
    texts: list[JudgedText] = []
    with stage:
        revealed = False
        if passage is None:
            st.info(WORDS.label("short"))
        else:
            texts = judged(*asked, passage, *writing, chosen)
            revealed = ask_for_the_most_probable(texts, passage, width)
        if revealed:
            draw_bits(texts, width)
        elif passage is not None:
            st.code(full.decode(passage.prompt), language=None, wrap_lines=True)
        say_which_model(full, LESSON.label_of(f"model.{model}"))
        if model in OWN_MODELS and passages:
            st.caption(WORDS.label("own.counted"))
        if forget and tokens_read(full.model, LONG) <= MEMORY:
            st.caption(WORDS.label("forget.nothing", n=tokens_read(full.model, LONG)))
    if passage is not None and revealed:
        if forget:
            (remembering,) = texts_drawn(full.label, document.digest, passage.prompt, ("greedy",), 0, full)
            compare_loops(repeated_cycle(remembering.tokens[:length]), greedy_of(texts).cycle, length)
        if texts_box := LESSON.fold("texts"):
            with texts_box:
                show_texts(chosen.decode(passage.prompt), texts, width)
        if again := LESSON.fold("return"):
            with again:
                write_it_again(chosen, document, passage, texts)
        if together := LESSON.fold("together"):
            every = [each for one in passages for each in judged(*asked, one, *writing, chosen)]
            with together:
                likely_or_varied(chosen, every, len(passages), width)
            sources = [name_passage(each.source) for each in every]
            LESSON.every_number(WORDS.label("table.texts"), texts_table, every, sources, width)
        else:
            sources = [name_passage(passage.source)] * len(texts)
            LESSON.every_number(WORDS.label("table.texts"), texts_table, texts, sources, width)
    LESSON.close_lab(
        code=[drawn_beside, beam_search, winning_paths, repeated_cycle, repetitions, distinct, pooled],
        parameters={
            **notebook_of(model),
            "prompt": full.decode(passage.prompt) if passage else "",
            "memory": MEMORY if forget else 0,
            "length": length,
            "width": width,
            "seed": seed,
        },
        prompts={
            "ngram": {"model": "char_ngram", "length": 200},
            "shorter": {"model": "char_gpt", "length": 200},
            "own": {"source": "text"},
        },
    )


def choose_source(model: str) -> str:
    """Draw the choice of where passages come from; a model of the learner's text continues that text."""
    if every_play() and model not in OWN_MODELS:
        return LESSON.draw(SOURCE)
    return LESSON.draw(replace(SOURCE, default="text", ids=("text",)))


@cached(100, 10, shared=is_sample)
def passages_given(
    document: Document, source: str, label: str, count: int, length: int, _chosen: ChosenModel
) -> list[Passage]:
    """Return the passages; no stored model was trained on a play's last tenth."""
    if source == "plays":
        wanted = every_play()[:: max(1, len(every_play()) // MOST)][:count]
        ends = {play.title: end_of_play(label, play.title, _chosen) for play in wanted}
        return [passage_of(title, ids, 0, length, held_out=True) for title, ids in ends.items()]
    return passages_of(document.text, _chosen.encode, count, length)


@st.cache_resource(max_entries=100, show_spinner=False)
def end_of_play(label: str, title: str, _chosen: ChosenModel) -> tuple[int, ...]:
    """Return the end of a play as a model reads it."""
    play = next(each for each in every_play() if each.title == title)
    return _chosen.encode(end_of(play.text(), 0.05)).ids


def name_passage(source: str) -> str:
    """Return the name of a passage: a play's title, or its number in the learner's text."""
    return WORDS.label("passage.number", n=int(source)) if source.isdigit() else source


def choose_passage(passages: Sequence[Passage]) -> Passage | None:
    """Draw the choice of one passage, where there are several, and return it."""
    names = {passage.source: name_passage(passage.source) for passage in passages}
    if len(names) < 2:
        return passages[0] if passages else None
    old = {f"passage {source}": source for source in names}
    setting = Choice("passage", next(iter(names)), tuple(names), old)
    chosen = LESSON.choose_id(setting, WORDS.label("passage"), names)
    return next(passage for passage in passages if passage.source == chosen)


@cached(400, 50, shared=no_typed_words)
def judged(
    label: str, digest: str, passage: Passage, length: int, width: int, seed: int, _chosen: ChosenModel
) -> list[JudgedText]:
    """Return the real text and what the model writes in every way, with their loops and words."""
    torch.set_num_threads(1)
    about = label, digest, passage.prompt
    beam = beam_texts(*about, width, _chosen)[length]
    texts = (
        score_text(_chosen.model, passage.prompt, "real", passage.real),
        *texts_drawn(*about, ("greedy",), 0, _chosen),
        score_text(_chosen.model, passage.prompt, "beam", beam),
        *texts_drawn(*about, ("top_p", "sampled"), seed, _chosen),
    )
    return [judge_text(passage.source, text.first(length), _chosen.decode) for text in texts]


@cached(150, 30, shared=no_typed_words)
def texts_drawn(
    label: str, digest: str, prompt: tuple[int, ...], ways: tuple[str, ...], seed: int, _chosen: ChosenModel
) -> list[ScoredText]:
    """Return the longest texts that are drawn in some ways: a shorter one of the same seed is their beginning."""
    torch.set_num_threads(1)
    texts = drawn_beside(_chosen.model, prompt, LENGTHS[-1], [DRAWN[way] for way in ways], seed)
    return [score_text(_chosen.model, prompt, way, tokens) for way, tokens in zip(ways, texts, strict=True)]


@cached(150, 30, shared=no_typed_words)
def beam_texts(
    label: str, digest: str, prompt: tuple[int, ...], width: int, _chosen: ChosenModel
) -> dict[int, list[int]]:
    """Return what a beam search finds, {length: tokens}: the longest search looks at all that a shorter one does."""
    torch.set_num_threads(1)
    found = winning_paths(beam_search(_chosen.model, prompt, width, LENGTHS[-1]))
    return {length: found[length] for length in LENGTHS}


@cached(200, 50, shared=no_typed_words)
def written_again(
    label: str, digest: str, before: tuple[int, ...], phrase: tuple[int, ...], _model: LanguageModel
) -> Repetitions:
    """Return what the model predicts of a phrase in its first six rounds."""
    torch.set_num_threads(1)
    return repetitions(_model, before, phrase)


def ask_for_the_most_probable(texts: Sequence[JudgedText], passage: Passage, width: int) -> bool:
    """Ask which text surprises the model least; return whether that may be shown."""
    likeliest = max(texts, key=lambda each: each.scored.mean).scored.tokens
    wrote: dict[tuple[int, ...], list[str]] = {}
    for each in texts:  # two ways that wrote the same text are one answer
        wrote.setdefault(each.scored.tokens, []).append(name_way(each.way, width))
    names = {text: WORDS.label("ways", ways=ways) for text, ways in wrote.items()}
    about = f"{hash((passage, *wrote))}"
    return LESSON.ask(WORDS.label("question"), list(names.values()), names[likeliest], about)


def draw_bits(texts: Sequence[JudgedText], width: int) -> None:
    """Draw what each text has cost so far, and say what it comes to."""
    LESSON.figure("bits", bits_so_far_figure(texts, width), tell_bits(texts, width))
    cost = {each.way: float(bits(each.scored.mean)) for each in texts}
    LESSON.caption(say_costs(cost, [each.way for each in texts if each.cycle], width))
    st.caption(WORDS.label("bits.caption"))


def greedy_of(texts: Sequence[JudgedText]) -> JudgedText:
    """Return the text that greedy search wrote."""
    return next(each for each in texts if each.way == "greedy")


def compare_loops(whole: Cycle | None, broken: Cycle | None, length: int) -> None:
    """Compare how much greedy search writes before its loop, with its full context and with a short one."""
    begins = [loop.start if loop else length for loop in (whole, broken)]
    key = ("none", "only", "closes")[2 if whole else 1 if broken else 0]
    if whole and broken:
        key = ("sooner", "same", "later")[int(np.sign(begins[1] - begins[0])) + 1]
    st.markdown(WORDS.markdown(f"says.forget.{key}", length=length, memory=MEMORY))
    LESSON.compare("forget", *begins, "d", None)


def write_it_again(
    chosen: ChosenModel, document: Document, passage: Passage, texts: Sequence[JudgedText]
) -> None:
    """Draw p of the tokens of one phrase, round after round."""
    greedy = greedy_of(texts)
    loop = greedy.cycle
    which = LESSON.draw(PHRASES)
    before, phrase = passage.prompt, passage.real[:PHRASE]
    if which == "typed":
        typed = LESSON.text("again", WORDS.label("again"), WORDS.label("again.first"), max_chars=100)
        prompt = chosen.encode(typed)
        say_what_changed(prompt)
        phrase = prompt.ids
    elif which == "loop" and loop and loop.length <= LONGEST:
        before = (*before, *greedy.scored.tokens[: loop.start])
        phrase = greedy.scored.tokens[loop.start : loop.start + loop.length]
    elif which == "loop":
        st.caption(WORDS.label("loop.undrawn", length=loop.length if loop else 0))
    if not phrase:
        st.info(WORDS.label("again.empty"))
        return
    digest = "" if passage.held_out else document.digest
    found = written_again(chosen.label, digest, before, phrase, chosen.model)
    names = [label_token(chosen.names[token]) for token in phrase]
    means = found.means
    alt = WORDS.label("alt.again", first=float(means[0]), last=float(means[-1]))
    LESSON.figure("again_figure", repetitions_figure(np.exp(found.ln_p), means, names), alt)
    st.text(WORDS.label("again.phrase", phrase=label_token(chosen.decode(phrase))))
    st.markdown(say_repetitions(found))
    LESSON.every_number(WORDS.label("table.rounds"), lambda: repetitions_table(found, names))


def show_texts(prompt: str, texts: Sequence[JudgedText], width: int) -> None:
    """Write the prompt, then each text with its numbers, two in a row."""
    st.code(prompt or " ", language=None, wrap_lines=True)
    for start in range(0, len(texts), 2):
        for column, each in zip(st.columns(2), texts[start : start + 2], strict=False):
            different, pairs = each.pairs
            with column:
                way, mean = name_way(each.way, width), float(bits(each.scored.mean))
                st.markdown(WORDS.markdown("texts.head", way=way, bits=mean))
                st.code(each.text or " ", language=None, wrap_lines=True)
                said = {"different": different, "pairs": pairs, "loop": say_loop(each.cycle)}
                st.caption(WORDS.label("texts.pairs", **said))


def likely_or_varied(chosen: ChosenModel, every: Sequence[JudgedText], passages: int, width: int) -> None:
    """Draw each way to write as a point, and say in numbers what was found."""
    ways = pooled(every)
    figure = likely_or_varied_figure(ways, width, usual(chosen))
    LESSON.figure("varied", figure, WORDS.label("alt.varied"))
    st.markdown(say_pooled(ways, width))
    st.markdown(say_counts(ways, passages, width))


def usual(chosen: ChosenModel) -> float | None:
    """Return a stored model's mean ln p of a held-out token, from its card; None for a model of the learner's text."""
    name = model_labels().get(chosen.label)
    quality: Mapping[str, float] = load_card(name).quality if name else {}
    nats = [value for measure, value in quality.items() if measure.startswith("nats per")]
    return -nats[0] if nats else None
