"""Parallel training of GPTs: what the story shows beat by beat, and the lab on any sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp
from typing import NamedTuple

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from core.figures.frame import frame
from core.figures.self_attention.parallel_training import format_cell_probability
from core.figures.token_label import label_token
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import TOKENS_AT_MOST, choose_tokens
from core.lesson.chosen_text import text_is_new
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import sample_in_use, text_source
from core.models.fit_language_model import next_token_loss, shifted
from core.models.generation.character_split import MEASURED
from core.models.self_attention.fit_peeking import PeekConfig, both, learner, recorded_runs, training
from core.models.self_attention.gpt import GPTConfig
from core.models.self_attention.parallel_training import (
    Losses,
    apart,
    in_one_pass,
    multiplications,
    one_by_one,
    times_by_prefixes,
)
from core.models.self_attention.peeking import (
    NO_MASK,
    NO_SHIFT,
    TOO_LATE,
    ZERO,
    PeekingAttention,
    peeking,
)
from core.models.stored_language_models import byte_pairs, encode, stored_language_model
from core.words.numbers import plain_number
from pages.self_attention.parallel_training import LESSON
from pages.self_attention.parallel_training.figures import (
    draw_staircase,
    example_rows,
    examples_table,
    loss_side,
    probability_side,
    row,
    shared_examples,
    side,
    worked_example,
    worked_mean,
)
from pages.self_attention.shared.peeking_bench import peeking_bench
from pages.self_attention.shared.peeking_figures import draw_training

WORDS = LESSON.words
EXAMPLES = ("To be, or", "The old king loved his son.", "To be, or not")
READER, WORD_READER = "char_gpt", "word_gpt"
FOLLOWED = 5  # the row that the story follows: after “be” comes a comma
ROUNDING = 1e-5  # what one pass and the passes over prefixes differ by is less, on any processor
UNKNOWN = "?"  # what is to be guessed
TAIL = 14  # characters of a prefix that a row of the learner's sentence shows

SENTENCE = Text("sentence", EXAMPLES[1], 400)
MODEL = Choice(
    "model",
    WORD_READER,
    (WORD_READER, READER),
    {"GPT, byte pairs": WORD_READER, "GPT, characters": READER},
)
WAYS = {"no_mask": NO_MASK, "zero": ZERO, "late": TOO_LATE, "no_shift": NO_SHIFT}
WAY = Choice("way", "no_mask", tuple(WAYS), {old: new for new, old in WAYS.items()})
STEPS, BROKEN = Slider("steps", 240, 40, 600, 20), Switch("broken")
LAB = (MODEL, Text("sentence"), BROKEN, WAY, STEPS)


# The story: what each beat shows.


class Window(NamedTuple):
    """T + 1 tokens as a model reads them, and what the T examples cost in one pass; `cut` if there were more."""

    tokens: list[str]
    ids: Tensor
    together: Losses
    cut: bool = False

    @property
    def losses(self) -> list[float]:
        """-ln p of each target, T of them."""
        return self.together.losses.tolist()


def show_count(settings: Settings) -> Part:
    """The window; the answer is the staircase of its examples."""
    window = read_window(READER, settings.sentence)
    T = len(window.losses)
    if settings.revealed:
        data = draw_staircase(example_rows(window.tokens), key=("seen", "target"))
    else:
        rows = [
            row("", [(token, "plain") for token in window.tokens]),
            row("", [(UNKNOWN, "plain")] * (T + 1)),
        ]
        data = draw_staircase(rows, links=[((0, t), (1, t)) for t in range(T + 1)])
    choices = [str(n) for n in (1, T, T + 1)]
    values = {
        "shown": settings.revealed,
        "T": T,
        "n": T + 1,
        "prefix": write(window.tokens[1 : FOLLOWED + 1]),
    }
    values["target"] = window.tokens[FOLLOWED + 1]
    return Part("staircase", data, values, link_lab(settings.sentence), choices, str(T))


def show_shift(settings: Settings) -> Part:
    """The window, and below it the targets: the same tokens, one to the left."""
    window = read_window(READER, settings.sentence)
    data = draw_pairs(window.tokens, 1)
    return Part("staircase", data, {"T": len(window.losses)}, link_lab(settings.sentence))


def show_alone(settings: Settings) -> Part:
    """The masked rows of one pass, with the loss of each, and that of its prefix read by itself."""
    window = read_window(READER, settings.sentence)
    alone = one_by_one(stored_language_model(READER).network, window.ids)
    sides = [
        side(WORDS.label("side.together"), [f"{loss:.2f}" for loss in window.losses], "blue"),
        side(WORDS.label("side.alone"), [f"{loss:.2f}" for loss in alone.losses.tolist()], "ochre"),
    ]
    rows = example_rows(window.tokens, FOLLOWED, hide_the_rest)
    data = draw_staircase(rows, sides, key=("seen", "target", "hidden"))
    values = {
        "row": FOLLOWED + 1,
        "T": len(window.losses),
        "prefix": write(window.tokens[1 : FOLLOWED + 1]),
        "difference": f"{ROUNDING:.5f}" if apart(window.together, alone) < ROUNDING else "",
    }
    return Part("staircase", data, values, link_lab(settings.sentence))


def show_loss(settings: Settings) -> Part:
    """The probability of every target, and the loss of one."""
    window = read_window(READER, settings.sentence)
    rows, losses = example_rows(window.tokens, FOLLOWED), window.losses
    p, loss = format_cell_probability(exp(-losses[FOLLOWED])), f"{losses[FOLLOWED]:.2f}"
    total = WORDS.label("sum.loss", p=p, loss=loss)
    data = draw_staircase(rows, [probability_side(losses)], key=("seen", "target"), sum=total)
    easiest = min(range(len(losses)), key=losses.__getitem__)
    values = {
        "T": len(losses),
        "row": FOLLOWED + 1,
        "target": window.tokens[FOLLOWED + 1],
        "p": p,
        "loss": loss,
        "easy": window.tokens[easiest + 1],
        "easy_after": window.tokens[easiest],
        "easy_row": easiest + 1,
        "easy_p": format_cell_probability(exp(-losses[easiest])),
        "easy_loss": f"{losses[easiest]:.2f}",
    }
    return Part("staircase", data, values, link_lab(settings.sentence))


def show_mean(settings: Settings) -> Part:
    """The loss of every row, and their mean: what one step of training lowers."""
    window = read_window(READER, settings.sentence)
    losses, mean = window.losses, window.together.mean
    terms = " + ".join(f"{loss:.2f}" for loss in losses)
    total = WORDS.label("sum.mean", terms=terms, T=len(losses), mean=f"{mean:.2f}")
    data = draw_staircase(example_rows(window.tokens), [loss_side(losses, mean)], sum=total)
    return Part("staircase", data, {"T": len(losses), "mean": f"{mean:.2f}"}, link_lab(settings.sentence))


def show_cost(settings: Settings) -> Part:
    """What a pass over every prefix would read, beside what one pass reads."""
    window = read_window(READER, settings.sentence)
    T, config = len(window.losses), stored_language_model(READER).network.config
    rows = [
        row(
            str(t + 1),
            [(token, "seen") if s <= t else ("", "none") for s, token in enumerate(window.tokens[:T])],
            t == T - 1,
        )
        for t in range(T)
    ]
    count = side(WORDS.label("side.read"), [str(t + 1) for t in range(T)], "blue")
    total = WORDS.label("sum.read", terms=" + ".join(str(t + 1) for t in range(T)), n=T * (T + 1) // 2)
    data = draw_staircase(rows, [count], sum=total)
    values = {
        "T": T,
        "read": T * (T + 1) // 2,
        "context": config.context,
        "tokens": (config.context + 1) / 2,
        "times": f"{times_by_prefixes(config, config.context):.0f}",
    }
    return Part("staircase", data, values, link_lab(settings.sentence))


def show_peek(settings: Settings) -> Part:
    """Rows without a mask, in which each answer can be read; the answer is what training makes of it."""
    window = read_window(READER, settings.sentence)
    last, config = recorded_runs()[NO_MASK][-1], PeekConfig()
    T = len(window.losses)
    values = {
        **describe_run(NO_MASK),
        "shown": settings.revealed,
        "T": T,
        "row": FOLLOWED + 1,
        "target": window.tokens[FOLLOWED + 1],
    }
    values |= {"steps": config.steps, "batch": config.batch, "context": config.window, "seed": config.seed}
    lower = last.peeking.training_loss < last.honest.training_loss
    better = last.peeking.honest_loss < last.honest.honest_loss
    answer = "training" if lower and not better else "both" if lower else "neither"
    choices = ("both", "training", "neither")
    if settings.revealed:
        names = {name: WORDS.label(f"line.{name}") for name in ("training", "honest", "masked")}
        axes = {"x": WORDS.label("axis.step"), "y": WORDS.label("axis.loss")}
        figure = draw_training(recorded_runs()[NO_MASK], {**names, **axes}).update_yaxes(range=[0, 5.9])
        return Part("figure", {"figure": figure.to_dict()}, values, {"broken": True}, choices, answer)

    def read_all(t: int, s: int) -> str:
        if s == T:
            return "target" if t == T - 1 else "none"
        return "leak" if s == t + 1 else "seen"

    data = draw_staircase(example_rows(window.tokens, kind_of=read_all), key=("seen", "leak"))
    return Part("staircase", data, values, {"broken": True}, choices, answer)


def show_bug(settings: Settings) -> Part:
    """Targets that were not moved: each token must predict itself."""
    window = read_window(READER, settings.sentence)
    values = describe_run(NO_SHIFT)
    data = draw_pairs(window.tokens, 0, WORDS.label("sum.bug", **values))
    return Part("staircase", data, values, {"way": "no_shift"})


def show_own(settings: Settings) -> Part:
    """Every example of the learner's sentence, with the probability of its target."""
    window = read_window(WORD_READER, settings.sentence)
    losses, tokens = window.losses, window.tokens
    least = max(range(len(losses)), key=losses.__getitem__)
    rows = [
        row(str(t + 1), [(end_of(tokens[: t + 1]), "seen"), (clean(tokens[t + 1]), "target")], t == least)
        for t in range(len(losses))
    ]
    data = draw_staircase(rows, [loss_side(losses)], (3, 2), key=("seen", "target"))
    values = {
        "T": len(losses),
        "n": len(tokens),
        "cut": window.cut,
        "target": clean(tokens[least + 1]),
        "after": end_of(tokens[: least + 1]),
        "p": format_cell_probability(exp(-losses[least])),
        "mean": f"{window.together.mean:.2f}",
    }
    return Part("staircase", data, values, {"model": WORD_READER, "sentence": settings.sentence})


def show_end(settings: Settings) -> Part:
    """All at once: masked rows, their targets, their losses, and the mean."""
    window = read_window(READER, settings.sentence)
    losses, mean = window.losses, window.together.mean
    rows = example_rows(window.tokens, kind_of=hide_the_rest)
    data = draw_staircase(rows, [loss_side(losses, mean)], key=("seen", "target", "hidden"))
    return Part("staircase", data, {"T": len(losses), "mean": f"{mean:.2f}"}, link_lab(settings.sentence))


STORY = (
    ask("count", show_count, sentence=EXAMPLES[0]),
    look("shift", show_shift, sentence=EXAMPLES[0]),
    look("alone", show_alone, sentence=EXAMPLES[0]),
    look("loss", show_loss, sentence=EXAMPLES[0]),
    look("mean", show_mean, sentence=EXAMPLES[0]),
    look("cost", show_cost, sentence=EXAMPLES[0]),
    ask("peek", show_peek, sentence=EXAMPLES[0]),
    look("bug", show_bug, sentence=EXAMPLES[0]),
    do("own", show_own, SENTENCE),
    end("answer", show_end, sentence=EXAMPLES[0]),
)


def hide_the_rest(t: int, s: int) -> str:
    """Return the kind of a token after those that row t reads: its target, or one that the mask hides."""
    return "target" if s == t + 1 else "hidden"


def draw_pairs(tokens: Sequence[str], shift: int, total: str = "") -> dict:
    """Return the picture of a window x and of its targets y, each below the token that must predict it."""
    T = len(tokens) - 1
    x = [(token, "seen" if t < T else "plain") for t, token in enumerate(tokens)]
    y = [(tokens[t + shift], "target") for t in range(T)] + [("", "none")]
    links = [((0, t + shift), (1, t)) for t in range(T)]
    rows = [row(WORDS.label("row.x"), x), row(WORDS.label("row.y"), y)]
    return draw_staircase(rows, links=links, key=("seen", "target"), sum=total)


@cache
def read_line(name: str, line: str) -> Window:
    """Return a line of the story as a model reads it; all learners share it."""
    return read_ids(name, tuple(encode(name, line).ids))


def read_window(name: str, sentence: str) -> Window:
    """Return a sentence as a model reads it, the start token first; one without a token that it knows is the example."""
    line = " ".join(sentence.split())
    if line in EXAMPLES:
        return read_line(name, line)
    return read_ids(name, tuple(encode(name, line).ids or encode(name, SENTENCE.default).ids))


def read_ids(name: str, ids: tuple[int, ...]) -> Window:
    """Return the first tokens of a text as training examples."""
    model = stored_language_model(name)
    taken = [model.start, *ids][:TOKENS_AT_MOST]
    window = torch.tensor(taken)
    cut = len(ids) + 1 > len(taken)
    return Window(name_tokens(name, taken), window, in_one_pass(model.network, window), cut)


def name_tokens(name: str, ids: Sequence[int]) -> list[str]:
    """Return tokens as pictures name them; one of the bytes of a character is named by the character."""
    if name == WORD_READER:
        return [*map(label_token, byte_pairs(name).names(ids))]
    return [label_token(stored_language_model(name).vocabulary[i]) for i in ids]


def write(tokens: Sequence[str]) -> str:
    """Return tokens as the text that they are.

    >>> write(["To", "␣be"])
    'To be'
    """
    return "".join(tokens).replace("␣", " ")


def clean(token: str) -> str:
    """Return a token without the space before it, unless it is nothing else.

    >>> clean("␣son"), clean("␣")
    ('son', '␣')
    """
    return token.removeprefix("␣") or token


def end_of(tokens: Sequence[str]) -> str:
    """Return the end of a prefix, as much as a row shows.

    >>> end_of(["↵"]), end_of(["↵", "The", "␣old", "␣king", "␣loved"])
    ('↵', '…old king loved')
    """
    text = write(tokens[1:]).strip() or tokens[0]
    return text if len(text) <= TAIL else f"…{text[-TAIL:].lstrip()}"


def describe_run(way: str) -> dict:
    """Return the losses at the end of a recorded run, as the words have them."""
    first, *_, last = recorded_runs()[way]
    return {
        "before": f"{first.peeking.honest_loss:.2f}",
        "training": f"{last.peeking.training_loss:.2f}",
        "honest": f"{last.peeking.honest_loss:.2f}",
        "right_honest": f"{last.honest.honest_loss:.2f}",
        "measured": MEASURED,
    }


def link_lab(line: str) -> dict:
    """Return the lab's settings that show a line of the story."""
    return {"model": READER, "sentence": line}


# The lab: any sentence, with the mask and without it.


def lab() -> None:
    """A window's examples; what peeking does to training; one pass against one pass per example."""
    torch.set_num_threads(1)  # short windows: more threads would only wait for one another
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        if text_is_new(LESSON, "sentence"):
            LESSON.set_state("sentence", "")
        name = LESSON.draw(MODEL)
        ids = torch.tensor(choose_tokens(LESSON, notes, document, name))
        broken = LESSON.draw(BROKEN)
        with LESSON.options():
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1)
    tokens, T = name_tokens(name, ids.tolist()), len(ids) - 1
    together, alone = both_ways(name, tuple(ids.tolist()), broken)
    with stage:
        choices = [str(n) for n in sorted({1, T, T + 1, T * (T + 1) // 2})]
        if guessed := LESSON.ask(WORDS.label("question", n=T + 1), choices, str(T), f"{name}_{T}"):
            show_examples(tokens, together, broken)
            LESSON.every_number(WORDS.label("table.examples"), list_examples, tokens, together, alone, broken)
    config = PeekConfig(seed=seed)
    if trained := LESSON.fold("training"):
        with trained:
            st.markdown(WORDS.markdown("fold.training"))
            config = choose_peek(seed)
            peeking_bench(LESSON, document, config)
    if guessed and (passes := LESSON.fold("passes")):
        with passes:
            compare_passes(name, ids, broken)
    LESSON.close_lab(
        code=[
            shifted,
            next_token_loss,
            in_one_pass,
            one_by_one,
            multiplications,
            times_by_prefixes,
            PeekingAttention,
            both,
            training,
            learner,
        ],
        parameters={
            "name": name,
            "ids": ids.tolist(),
            "sample": sample_in_use(),
            "way": config.way,
            "steps": config.steps,
            "seed": config.seed,
        },
        prompts={
            "line": {"model": READER, "sentence": EXAMPLES[2]},
            "mask": {"broken": True},
            "bug": {"way": "no_shift"},
        },
    )


@cached(32, 8, shared=no_typed_words)
def both_ways(name: str, ids: tuple[int, ...], broken: bool) -> tuple[Losses, Losses]:
    """Return the losses of a window in one pass and in one pass per example; `broken`: without the mask."""
    whole, window = stored_language_model(name).network, torch.tensor(ids)
    network = peeking(whole, NO_MASK).requires_grad_(False) if broken else whole
    return in_one_pass(network, window), one_by_one(network, window)


def show_examples(tokens: list[str], together: Losses, peek: bool) -> None:
    """Draw every example of the window with its loss, step through them, and add their losses up."""
    losses, T = together.losses.tolist(), len(tokens) - 1
    least = max(range(T), key=losses.__getitem__)
    frames = [
        frame(
            WORDS.label("step", token=tokens[t], target=tokens[t + 1]),
            {"kind": "examples", "at": t},
            WORDS.label("alt.examples"),
            "",
            formulas=[worked_example(tokens, losses[t], t, peek), worked_mean(losses, t + 1)],
        )
        for t in range(T)
    ]
    LESSON.steps(frames, shared=shared_examples(tokens, losses, peek), name="examples")
    p = format_cell_probability(exp(-losses[least]))
    said = {"T": T, "peek": peek, "target": tokens[least + 1], "after": tokens[least], "p": p}
    LESSON.say("says.least", {**said, "mean": f"{together.mean:.4f}"})


def list_examples(tokens: list[str], together: Losses, alone: Losses, peek: bool):
    """Return the table of a window's examples, with the formula of each probability and loss."""
    table: pd.DataFrame = examples_table(tokens, together.losses.tolist(), alone.losses.tolist())
    worked = [WORDS.label(f"column.{name}") for name in ("p", "one", "alone")]

    def formula(place: int, column: str) -> str | None:
        losses = alone.losses if column == worked[2] else together.losses
        return worked_example(tokens, float(losses[place]), place, peek) if column in worked else None

    return table, formula


def choose_peek(seed: int) -> PeekConfig:
    """Draw the mistake that lets the second model peek, and how long both are trained."""
    way = LESSON.draw(WAY)
    return PeekConfig(WAYS[way], steps=LESSON.draw(STEPS), seed=seed)


def compare_passes(name: str, ids: Tensor, broken: bool) -> None:
    """Show both ways side by side, and their largest difference; `broken`: without the mask."""
    T, config = len(ids) - 1, stored_language_model(name).network.config
    together, alone = both_ways(name, tuple(ids.tolist()), broken)
    st.markdown(WORDS.markdown("passes.intro"))
    measured = {
        "one": f"{together.mean:.4f}",
        "alone": f"{alone.mean:.4f}",
        "read": f"{together.tokens_read} / {alone.tokens_read}",
        "multiplied": " / ".join(millions(each, config) for each in (together, alone)),
    }
    for column, (label, value) in zip(st.columns(4), measured.items(), strict=True):
        column.metric(WORDS.label(f"metric.{label}", T=T), value)
    said = {"T": T, "times": times_by_prefixes(config, T), "context": config.context}
    said["most"] = times_by_prefixes(config, config.context)
    st.markdown(WORDS.markdown("passes.times", **said))
    difference = apart(together, alone)
    if not broken:
        st.markdown(
            WORDS.markdown("passes.same", difference=plain_number(difference, 2) if difference else "")
        )
        return
    rounding = apart(*both_ways(name, tuple(ids.tolist()), False))
    LESSON.compare("broken", rounding, difference, ".6f", more_is_better=False)
    st.markdown(WORDS.markdown("passes.broken", gone=difference > 10 * max(rounding, 1e-6)))


def millions(losses: Losses, config: GPTConfig) -> str:
    """Return how many million multiplications the passes took."""
    return f"{losses.multiplications(config) / 1e6:,.1f}"
