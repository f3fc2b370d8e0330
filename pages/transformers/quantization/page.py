"""Quantization: what its story shows of a GPT whose weights lose bits, and its lab for a prompt of the learner's."""

from __future__ import annotations

from functools import cache

import numpy as np
from torch import Tensor

from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.generation.sampling import SamplingSettings, generate
from core.models.stored_language_models import encode, stored_language_model
from core.models.transformers.quantization import (
    GROUP,
    PLAIN,
    ROW,
    SHARED_BY,
    TENSOR,
    G,
    add_outlier,
    largest_integer,
    matrices,
    quantize,
    quantize_network,
)
from core.models.transformers.quantized_gpts import (
    BITS,
    MODEL,
    UNIFORM,
    held_out_loss,
    loss_interval,
    losses_by_piece,
    quantized_model,
    size_of,
)
from pages.transformers.quantization import LESSON
from pages.transformers.quantization.figures import (
    draw_chances,
    draw_levels,
    draw_losses,
    draw_outlier_losses,
    draw_sizes,
    draw_story_losses,
    draw_texts,
    draw_trade,
    enlarge_levels,
    losses_table,
    show_character,
)

WORDS = LESSON.words
EXAMPLES = ("My lord, I will not ",)
START = EXAMPLES[0]
MINE = "The king has a secret, and "
WIDTHS = (PLAIN, 8, 4, 2)  # bits of the texts that are compared
WRITTEN, SEED = 60, 1  # characters, and the seed of every text
SAMPLED = SamplingSettings(temperature=0.7)
MATRIX, CHOSEN, ODD = (
    "blocks.0.feed_forward.widen",
    5,
    0,
)  # one row of it is walked through; its chosen weight, its outlier
WORSE = 0.1  # a loss that is larger by more has broken
NEAR = (1.1, 1.75)  # the part of the loss axis where the ways to share a scale differ
NAMED_AT_MOST = 8  # characters that the model does not know
SPOILED = 6  # bits at which outliers are shown
LIMITS = (0.01, 0.1, 1.0)
GROWTHS = ("least", "some", "much", "most")

WIDTH = Slider("bits", 4, 2, 8)
TIMES = Slider("times", 32, 1, 32)
OWN = Text("mine", MINE, 120)
PROMPT = Text("prompt", START, 200)
SHARED = Choice("shared_by", ROW, SHARED_BY)
OUTLIER = Switch("outlier")
LAB = (PROMPT, WIDTH, SHARED, OUTLIER)


# The story: what each beat shows.


def write_text(ids: tuple[int, ...], bits: int, shared_by: str = ROW, outlier: bool = False) -> str:
    """Return what the model writes after a prompt, with the luck of one seed."""
    model = quantized_model(bits, shared_by, outlier)
    steps = generate(model, ids, WRITTEN, SAMPLED, SEED)
    return "".join(model.vocabulary[step.token] for step in steps)


def list_next(
    ids: tuple[int, ...], bits: int, shared_by: str = ROW, outlier: bool = False, kept: int = 5
) -> list[tuple[str, float]]:
    """Return the most probable next characters, each with its probability."""
    model = quantized_model(bits, shared_by, outlier)
    p = np.exp(model.log_probabilities(ids))
    return [(model.vocabulary[i], float(p[i])) for i in np.argsort(-p, kind="stable")[:kept]]


@cache
def first_texts() -> dict[int, str]:
    """Return what the model writes after START, by bits."""
    ids = encode(MODEL, START).ids
    return {bits: write_text(ids, bits) for bits in WIDTHS}


@cache
def one_group() -> Tensor:
    """Return the weights (64,) that the story walks through: the first of one row of a matrix."""
    return matrices(stored_language_model(MODEL).network)[MATRIX].weight[3, :G].detach()


def describe_weight(weights: Tensor, bits: int, at: int) -> dict:
    """Return what the words may say of one weight of a group: its scale, integer, rounded value and error."""
    found = quantize(weights[None], bits, ROW)
    s, w, rounded = float(found.scales[0, 0]), float(weights[at]), float(found.weights[0, at])
    others = [i for i in range(len(weights)) if i != at]
    return {
        "bits": bits,
        "n": len(weights),
        "most": float(weights.abs().max()),
        "levels": largest_integer(bits),
        "scale": s,
        "w": w,
        "q": int(found.integers[0, at]),
        "rounded": rounded,
        "error": abs(w - rounded),
        "zeros": int((found.integers[0, others] == 0).sum()),
        "others": len(others),
    }


def show_written(settings: Settings) -> Part:
    """What the model writes after one prompt in 16, 8, 4 and 2 bits."""
    values = {"prompt": START.strip(), "temperature": SAMPLED.temperature}
    return Part("text_parts", draw_texts(first_texts()), values, {"prompt": START, "bits": 2})


def show_levels(settings: Settings) -> Part:
    """64 weights of the model and what they are rounded to."""
    figure = enlarge_levels(draw_levels(one_group(), settings.bits, CHOSEN))
    values = describe_weight(one_group(), settings.bits, CHOSEN)
    return Part("figure", {"figure": figure.to_dict()}, values, {"bits": settings.bits})


@cache
def first_broken(shared_by: str = ROW) -> int:
    """Return the most bits at which the loss is above that of 16 bits by more than a tenth."""
    return max(bits for bits in BITS if held_out_loss(bits, shared_by) > (1 + WORSE) * held_out_loss(PLAIN))


def ask_breaks(settings: Settings) -> Part:
    """The losses of 16 and 8 bits; the answer draws those of all bits."""
    broken = first_broken()
    shown = BITS if settings.revealed else BITS[:1]
    values = {"loss": held_out_loss(PLAIN), "eight": held_out_loss(8), "worse": WORSE}
    if settings.revealed:
        before, after = (held_out_loss(bits) for bits in (broken + 1, broken))
        interval = loss_interval(losses_by_piece(broken) - losses_by_piece(PLAIN))
        values |= {"broken": broken, "before": before, "after": after, "two": held_out_loss(2)}
        values |= {"uniform": float(UNIFORM), "interval": interval, "pieces": len(losses_by_piece(PLAIN))}
    data = {"figure": draw_story_losses((ROW,), shown=shown).to_dict()}
    choices = [str(bits) for bits in BITS[2:]]
    return Part("figure", data, values, {"bits": 4}, choices, str(broken))


def show_shared(settings: Settings) -> Part:
    """The losses of one scale for a matrix, for a row, and for 64 neighbours."""
    values = {"n": G, "losses": {by: held_out_loss(4, by) for by in SHARED_BY}, "whole": held_out_loss(PLAIN)}
    values["interval"] = loss_interval(losses_by_piece(4, ROW) - losses_by_piece(4, GROUP))
    values["sizes"] = {
        name: sum(size_of(bits, by).values()) / 1e6
        for name, bits, by in ((GROUP, 4, GROUP), (ROW, 4, ROW), ("next", 5, ROW))
    }
    values |= {"next": held_out_loss(5), "two": {by: held_out_loss(2, by) for by in (ROW, GROUP)}}
    data = {"figure": draw_story_losses(SHARED_BY, ends=NEAR).to_dict()}
    return Part("figure", data, values, {"shared_by": GROUP})


def put_outlier(weights: Tensor, times: float) -> Tensor:
    """Return weights (n,) with one of them multiplied."""
    changed = weights.clone()
    changed[ODD] *= times
    return changed


def show_spoiled(settings: Settings) -> Part:
    """The same weights, one of them larger than all others."""
    weights = put_outlier(one_group(), settings.times)
    values = describe_weight(weights, 4, ODD) | {"times": settings.times}
    values["before"] = describe_weight(one_group(), 4, ODD)["zeros"]
    figure = enlarge_levels(draw_levels(weights, 4, ODD))
    return Part("figure", {"figure": figure.to_dict()}, values, {"outlier": True})


def ask_one_scale(settings: Settings) -> Part:
    """The loss of 16 bits; the answer shows that of 6 bits with outliers, for each way to share a scale."""
    losses = {by: held_out_loss(SPOILED, by, True) for by in SHARED_BY}
    best = min(losses, key=losses.__getitem__)
    values = {"bits": SPOILED, "loss": held_out_loss(PLAIN)}
    if settings.revealed:
        values["four"] = held_out_loss(4, GROUP, True)
        values |= {"losses": losses, "unspoiled": held_out_loss(SPOILED, TENSOR), "uniform": float(UNIFORM)}
    lab = {"bits": SPOILED, "shared_by": GROUP, "outlier": True}
    data = draw_outlier_losses(SPOILED, settings.revealed)
    return Part("layer_bars", data, values, lab, SHARED_BY, best)


def show_size(settings: Settings) -> Part:
    """The bytes of the model by bits, with one scale for 64 neighbours."""
    parts, whole = size_of(settings.bits, GROUP), sum(size_of(PLAIN).values())
    n = sum(each.weight.numel() for each in matrices(stored_language_model(MODEL).network).values())
    values = {
        "bits": settings.bits,
        "total": sum(parts.values()) / 1e6,
        "whole": whole / 1e6,
        "share": sum(parts.values()) / whole,
        "each": 8 * (parts["integers"] + parts["scales"]) / n,
        "part": n / stored_language_model(MODEL).parameters,
    }
    lab = {"bits": settings.bits, "shared_by": GROUP}
    return Part("layer_bars", draw_sizes(settings.bits, GROUP), values, lab)


def describe_next(ids: tuple[int, ...]) -> dict:
    """Return what the words may say of a prompt: its next character in 16 bits, and the bits that keep it first."""
    chances = {bits: list_next(ids, bits) for bits in WIDTHS}
    first, p = chances[PLAIN][0]
    kept = [f"{bits}" for bits in WIDTHS[1:] if chances[bits][0][0] == first]
    return {"known": len(ids), "first": show_character(first), "p": p, "kept": kept}


def do_own(settings: Settings) -> Part:
    """What the model writes after the learner's text, with the probabilities of the next character above it."""
    read = encode(MODEL, settings.mine)
    notes = {
        bits: WORDS.label(
            "note.next", pairs=[(show_character(c), p) for c, p in list_next(read.ids, bits, kept=2)]
        )
        for bits in WIDTHS
    }
    texts = {bits: write_text(read.ids, bits) for bits in WIDTHS}
    values = describe_next(read.ids) | {"left_out": list(read.left_out[:NAMED_AT_MOST])}
    return Part("text_parts", draw_texts(texts, notes), values, {"prompt": settings.mine})


def show_answer(settings: Settings) -> Part:
    """Loss against size."""
    sizes = {bits: sum(size_of(bits, GROUP).values()) for bits in (PLAIN, 4)}
    values = {"share": sizes[4] / sizes[PLAIN], "more": held_out_loss(4, GROUP) / held_out_loss(PLAIN) - 1}
    values["three"] = held_out_loss(3, GROUP) / held_out_loss(PLAIN) - 1
    data = {"figure": draw_trade(GROUP).to_dict()}
    return Part("figure", data, values, {"bits": 4, "shared_by": GROUP})


STORY = (
    look("written", show_written),
    look("levels", show_levels, WIDTH),
    ask("breaks", ask_breaks),
    look("shared", show_shared),
    look("spoiled", show_spoiled, TIMES),
    ask("one_scale", ask_one_scale),
    look("size", show_size, WIDTH),
    do("own", do_own, OWN),
    end("answer", show_answer),
)


# The lab: any prompt, bits, and what shares a scale.


def find_growth(bits: int, shared_by: str, outlier: bool) -> tuple[float, str]:
    """Return by what share the held-out loss grows, and the name of the interval that it falls into."""
    more = held_out_loss(bits, shared_by, outlier) / held_out_loss(PLAIN) - 1
    return more, GROWTHS[sum(more > limit for limit in LIMITS)]


def lab() -> None:
    """A prompt continued in 16 bits and in fewer, its next characters, one row's weights, and the break-it."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        typed = LESSON.draw(PROMPT, width=420)
        bits = LESSON.draw(WIDTH)
        with LESSON.options():
            shared_by = LESSON.draw(SHARED)
            outlier = LESSON.draw(OUTLIER)
    read = encode(MODEL, typed or START)
    ids = read.ids
    setting = (bits, shared_by, outlier)
    more, growth = find_growth(*setting)
    names = {name: WORDS.label(f"growth.{name}") for name in GROWTHS}
    values = {"bits": bits, "more": more, "loss": held_out_loss(*setting), "whole": held_out_loss(PLAIN)}
    values |= {"outlier": outlier, "uniform": float(UNIFORM), "known": len(ids)}
    values["left_out"] = list(read.left_out[:NAMED_AT_MOST])
    values["shared"] = WORDS.label(f"shared_by.{shared_by}")
    with stage:
        question = WORDS.label("guess", **values)
        if LESSON.ask(question, list(names.values()), names[growth], f"{bits}_{shared_by}_{outlier}"):
            texts = {PLAIN: write_text(ids, PLAIN), bits: write_text(ids, *setting)}
            LESSON.view("text_parts", draw_texts(texts), "texts")
            chances = {PLAIN: list_next(ids, PLAIN), bits: list_next(ids, *setting)}
            LESSON.view("layer_bars", draw_chances(chances), "chances", height=280)
            LESSON.say("says.loss", values)
            if outlier:
                LESSON.compare(
                    "outlier",
                    held_out_loss(bits, GROUP, True),
                    held_out_loss(bits, TENSOR, True),
                    ".2f",
                    more_is_better=False,
                )
            LESSON.every_number(WORDS.label("table.losses"), losses_table)
    if box := LESSON.fold("losses"):
        with box:
            LESSON.figure("loss_lines", draw_losses(SHARED_BY, outlier), WORDS.label("losses.alt"))
    if box := LESSON.fold("weights"):
        with box:
            show_weights(bits, outlier)
    LESSON.close_lab(
        code=[quantize, quantize_network, add_outlier],
        parameters={"prompt": typed or START, "bits": bits, "shared_by": shared_by, "outlier": outlier},
        prompts={
            "three": {"bits": 3},
            "group": {"bits": 3, "shared_by": GROUP},
            "outlier": {"bits": 6, "shared_by": TENSOR, "outlier": True},
        },
    )


def show_weights(bits: int, outlier: bool) -> None:
    """Show one group of the model's weights and what they are rounded to."""
    weights, at = (put_outlier(one_group(), TIMES.default), ODD) if outlier else (one_group(), CHOSEN)
    values = describe_weight(weights, bits, at)
    LESSON.figure(
        "level_line", draw_levels(weights, bits, at, height=340), WORDS.label("levels.alt", **values)
    )
    LESSON.say("says.weights", values)
