"""Parameters and scaling laws: what the story shows of GPT-3, Llama and four small GPTs, and the lab on any shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.transformers.model_size import abbreviate_count
from core.lesson.cached import cached, is_sample
from core.lesson.choices.language_model_choice import say_what_changed
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.stored import load_json
from core.models.stored_language_models import encode_characters
from core.models.transformers.model_sizes import STORED, SizedRun, loss_after, losses_on, sized_runs
from core.models.transformers.power_law import (
    exponent_interval,
    exponents_without_one,
    fit_power_law,
    floors_that_fit,
    loss_intervals,
    worst_miss,
)
from core.models.transformers.published_shapes import (
    NAMED,
    NAMES,
    Published,
    as_they_write,
    counted_as,
    published_shapes,
)
from core.models.transformers.published_shapes import OURS as TRAINED_HERE
from core.models.transformers.transformer_size import (
    cache_is_larger_at,
    cached_numbers,
    matrix_weights,
    overtaken_at,
    parameter_parts,
    parameters,
    reading_operations,
    training_operations,
    without_embeddings,
)
from core.text.reading.documents import Document
from pages.transformers.model_size import LESSON
from pages.transformers.model_size.figures import (
    draw_bars,
    draw_law,
    grouped,
    growth_figure,
    in_bytes,
    law_figure,
    mark_prediction,
    parts_table,
    runs_figure,
    shares_figure,
    training_figure,
)

WORDS = LESSON.words
OURS, GPT3, LLAMA = NAMES["char_gpt"], "GPT-3", "Llama 3.1 8B"
GPT2S = ("GPT-2 small", "GPT-2 medium", "GPT-2 large", "GPT-2 XL")
BIGGEST = ("embedding", "attention", "feed_forward")
EMBEDDING_SHARES = ("more", "same", "under")  # of GPT-3, next to GPT-2's
SIDES = ("below", "on", "above")
REACHES = (8192, 32_768, 131_072)  # tokens of the cache that the story shows
BYTES_EACH = 2  # of a parameter in 16 bits
TOKENS = [2**power for power in range(6, 21)]
LINE = np.unique(np.logspace(1, 7, 61).round()).tolist()  # the T at which the lines are drawn
BINS = {"few": 1000, "some": 10_000, "many": 100_000, "most": np.inf}
BITS = {"16": 2, "32": 4}
WITHOUT, ALL = "without", "all"
READ, WORK = "read", "work"
MEASURED_ON = 2000  # characters of the learner's text
PAPERS = {
    "kaplan": 0.076,
    "hoffmann": 0.34,
    "floor": 1.69,
    "each_best": 20,
}  # exponents; E; tokens a parameter

POWER = Slider("power", 12, 10, 20)  # of two: the tokens that Llama reads
BIT = Choice("bits", "16", tuple(BITS), {"16 bits": "16", "32 bits": "32"})
COUNTED = Choice("count", WITHOUT, (WITHOUT, ALL), {"without embeddings": WITHOUT})
AGAINST = Choice("against", READ, (READ, WORK), {"characters read": READ, "operations, 6 N D": WORK})
LEFT_OUT = Switch("left_out")
MODEL = Choice("model", OURS, NAMED)
READS = Choice("tokens", "256", tuple(map(str, TOKENS)))
LAB = (MODEL, READS, BIT, COUNTED, LEFT_OUT, AGAINST)


# The story: what each beat shows.


@cache
def models() -> dict[str, Published]:
    """Return every model by its name, the smallest first."""
    return {each.name: each for each in published_shapes()}


def parts_of(name: str) -> dict[str, int]:
    """Return how many parameters each part of a model has, without parts that it has not."""
    return {part: count for part, count in grouped(parameter_parts(models()[name].shape)).items() if count}


def embedding_share(name: str) -> float:
    """Return the share of a model's parameters that are in its embedding."""
    parts = parts_of(name)
    return parts["embedding"] / sum(parts.values())


def show_shape(settings: Settings) -> Part:
    """Every part of the small GPT with its count, and how it comes from the shape."""
    shape, parts = models()[OURS].shape, parts_of(OURS)
    values = {
        "N": sum(parts.values()),
        "C": shape.width,
        "V": shape.vocabulary_size,
        "L": shape.layers,
        "context": shape.context,
    }
    notes = {part: WORDS.label(f"note.{part}", **values) for part in parts}
    rows = [(part, count, f"{count:,}") for part, count in parts.items()]
    title = WORDS.label("title.count", N=values["N"])
    return Part("layer_bars", draw_bars(title, 1.25 * max(parts.values()), rows, notes=notes), values)


def ask_gpt3(settings: Settings) -> Part:
    """GPT-3 without its bars; the answer draws them."""
    shape, parts = models()[GPT3].shape, parts_of(GPT3)
    N = sum(parts.values())
    values = {
        "L": shape.layers,
        "C": shape.width,
        "V": shape.vocabulary_size,
        "N": abbreviate_count(N),
        "share": {part: count / N for part, count in parts.items()},
        "small": embedding_share(GPT2S[0]),
        "exact": as_they_write(N, models()[GPT3].count),
        "said": models()[GPT3].count,
        "revealed": settings.revealed,
    }
    shown = settings.revealed
    rows = [
        (part, parts[part] / N if shown else 0, abbreviate_count(parts[part]) if shown else "?")
        for part in BIGGEST
    ]
    notes = {part: WORDS.label("note.share", share=parts[part] / N) for part in BIGGEST} if shown else {}
    title = WORDS.label("title.gpt3", N=values["N"], L=shape.layers, C=shape.width)
    picture = draw_bars(title, 0.85, rows, "feed_forward" if shown else "", notes)
    return Part("layer_bars", picture, values, {"model": GPT3}, choices=EMBEDDING_SHARES, answer="under")


def show_width(settings: Settings) -> Part:
    """The embedding's share falls from model to model, because the layers grow with the square of the width."""
    names = (*GPT2S, GPT3)
    shares = {name: embedding_share(name) for name in names}
    widths = {name: WORDS.label("note.width", C=models()[name].shape.width) for name in names}
    rows = [(name, share, WORDS.label("share", share=share)) for name, share in shares.items()]
    picture = draw_bars(
        WORDS.label("title.width"), 0.4, rows, GPT3, widths, {name: name for name in names}, "blue"
    )
    first, last = models()[GPT2S[0]].shape, models()[GPT3].shape
    values = {
        "first": shares[GPT2S[0]],
        "last": shares[GPT3],
        "times": last.width / first.width,
        "squared": (last.width / first.width) ** 2,
    }
    return Part("layer_bars", picture, values, {"model": GPT3})


def show_work(settings: Settings) -> Part:
    """The work of matrices and of scores to read as many tokens as the learner drags to."""
    tokens, shape = 2**settings.power, models()[LLAMA].shape
    work = grouped(reading_operations(shape, tokens))
    scores = work["scores"]
    counts = {"matrices": sum(work.values()) - scores, "scores": scores}
    share = scores / sum(counts.values())
    rows = [
        (name, count / sum(counts.values()), WORDS.label("share", share=count / sum(counts.values())))
        for name, count in counts.items()
    ]
    notes = {
        name: WORDS.label("note.operations", n=abbreviate_count(count)) for name, count in counts.items()
    }
    cross = overtaken_at(shape)
    first = next(2**power for power in range(10, 21) if 2**power >= cross)
    values = {
        "T": tokens,
        "share": share,
        "cross": cross,
        "context": shape.context,
        "looked_up": abbreviate_count(parameter_parts(shape)["embedding"]),
        "found": tokens == first,
        "early": tokens < first,
    }
    picture = draw_bars(WORDS.label("title.work", T=tokens), 1.2, rows, notes=notes)
    return Part("layer_bars", picture, values, {"model": LLAMA, "tokens": str(tokens)})


def show_cache(settings: Settings) -> Part:
    """The memory of the weights, next to that of the keys and values of ever longer texts."""
    shape = models()[LLAMA].shape
    weights, a_token = (BYTES_EACH * n for n in (parameters(shape), cached_numbers(shape, 1)))
    sizes = {"weights": weights, **{f"cache.{reach}": a_token * reach for reach in REACHES}}
    names = {f"cache.{reach}": WORDS.label("cache.of", T=reach) for reach in REACHES}
    rows = [(name, size, in_bytes(size)) for name, size in sizes.items()]
    picture = draw_bars(WORDS.label("title.cache"), 1.3 * max(sizes.values()), rows, names=names)
    values = {
        "a_token": in_bytes(a_token),
        "weights": in_bytes(weights),
        "full": in_bytes(sizes[f"cache.{REACHES[-1]}"]),
        "T": REACHES[-1],
        "larger": cache_is_larger_at(shape),
    }
    return Part("layer_bars", picture, values, {"model": LLAMA, "tokens": str(REACHES[-1])})


def show_training(settings: Settings) -> Part:
    """What training takes, a row a model, on a logarithmic axis."""
    known = {name: each for name, each in models().items() if each.tokens}
    operations = {
        name: training_operations(parameters(each.shape), each.tokens) for name, each in known.items()
    }
    figure = training_figure(operations, GPT3, 520)
    figure.update_layout(font={"size": 17}, margin={"l": 190, "r": 20, "t": 10, "b": 70})
    figure.update_traces(textfont={"size": 18})
    values = {
        "operations": abbreviate_count(operations[GPT3]),
        "N": parameters(known[GPT3].shape) / 1e9,
        "D": abbreviate_count(known[GPT3].tokens),
        "said": abbreviate_count(known[GPT3].operations),
        "ours": abbreviate_count(operations[OURS]),
        "times": abbreviate_count(operations[GPT3] / operations[OURS]),
    }
    return Part("figure", {"figure": figure.to_dict()}, values, {"model": GPT3})


def law_of(used: int) -> tuple[tuple[int, ...], list[float], np.ndarray, object]:
    """Return the sizes, the losses and their intervals, and the law that is fitted to the first `used`."""
    sizes, losses = sizes_of(WITHOUT), [run.loss for run in sized_runs()]
    return sizes, losses, intervals_of_losses(), fit_power_law(sizes[:used], losses[:used])


def gains_of() -> list[float]:
    """Return the share of the loss that ten times the parameters take off, from each model to the next."""
    sizes, losses = sizes_of(WITHOUT), [run.loss for run in sized_runs()]
    return [1 - 10 ** -fit_power_law(sizes[i : i + 2], losses[i : i + 2]).b for i in range(len(losses) - 1)]


def show_line(settings: Settings) -> Part:
    """Three losses lie close to a line, both axes logarithmic."""
    sizes, losses, intervals, law = law_of(3)
    figure = draw_law(sizes, losses, intervals, law, 3, 3)
    values = {
        "smallest": sizes[0],
        "third": sizes[2],
        "ten": 1 - 10**-law.b,
        "b": law.b,
        "chance": np.exp(-np.array([losses[0], losses[2]])).tolist(),
        "read": sized_runs()[0].along[-1][0],
    }
    return Part("figure", {"figure": figure.to_dict()}, values, {"left_out": True})


def ask_largest(settings: Settings) -> Part:
    """The line goes on to the largest model; the answer draws its loss."""
    sizes, losses, intervals, law = law_of(3)
    figure = draw_law(sizes, losses, intervals, law, 3, 4 if settings.revealed else 3)
    told = float(law([sizes[-1]])[0])
    mark_prediction(figure, sizes[-1], told)
    values = {
        "size": sizes[-1],
        "told": told,
        "loss": losses[-1],
        "low": intervals[-1][0],
        "high": intervals[-1][1],
        "gains": gains_of(),
        "read": abbreviate_count(sized_runs()[-1].along[-1][0]),
        "each": sized_runs()[-1].along[-1][0] / sizes[-1],
        "revealed": settings.revealed,
    }
    data = {"figure": figure.to_dict()}
    return Part("figure", data, values, {"left_out": True}, choices=SIDES, answer="above")


def show_answer(settings: Settings) -> Part:
    """Where GPT-3's parameters are, in billions."""
    parts = parts_of(GPT3)
    N = sum(parts.values())
    rows = [(part, count / 1e9, abbreviate_count(count)) for part, count in parts.items()]
    notes = {part: WORDS.label("note.share", share=count / N) for part, count in parts.items()}
    picture = draw_bars(WORDS.label("title.answer", N=abbreviate_count(N)), 150, rows, "feed_forward", notes)
    return Part("layer_bars", picture, {"N": abbreviate_count(N), "gains": gains_of()}, {"model": GPT3})


STORY = (
    look("shape", show_shape),
    ask("gpt3", ask_gpt3),
    look("width", show_width),
    do("work", show_work, POWER),
    look("cache", show_cache),
    look("training", show_training),
    look("line", show_line),
    ask("largest", ask_largest),
    end("answer", show_answer),
)


# The lab: any shape and any T; then the four losses, also on the learner's text.


def lab() -> None:
    """One shape at a time: parameters, work, memory, training; then the loss of four models against their size."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        label, why = WORDS.label("model"), WORDS.label("model.help")
        chosen = models()[
            LESSON.select_slider("model", label, list(models()), value=OURS, width=330, help=why)
        ]
        label, why = WORDS.label("tokens"), WORDS.label("tokens.help")
        tokens = LESSON.select_slider("tokens", label, TOKENS, value=256, width=260, help=why)
        bits = LESSON.draw(BIT)
        LESSON.options()
    with stage:
        cross = overtaken_at(chosen.shape)
        bins = {WORDS.label(f"bin.{name}"): at for name, at in BINS.items()}
        answer = next(name for name, at in bins.items() if cross < at)
        question = WORDS.label("guess", name=chosen.name)
        revealed = LESSON.ask(question, list(bins), answer, chosen.name)
        if revealed:
            show_parts(chosen, tokens, cross)
            LESSON.every_number(WORDS.label("table.parts"), parts_table, chosen.shape, tokens)
    if revealed and (box := LESSON.fold("memory")):
        with box:
            show_memory(chosen, tokens, bits)
    if box := LESSON.fold("training"):
        with box:
            compare_training(chosen)
    if box := LESSON.fold("law"):
        with box:
            show_law()
    if box := LESSON.fold("runs"):
        with box:
            show_runs()
    LESSON.close_lab(
        code=[
            *(parameter_parts, reading_operations, overtaken_at, cached_numbers, cache_is_larger_at),
            *(training_operations, fit_power_law, exponent_interval, floors_that_fit, losses_on),
        ],
        parameters={"model": chosen.name, "tokens": tokens},
        prompts={
            "gpt3": {"model": GPT3, "tokens": 1024},
            "llama": {"model": LLAMA, "tokens": 1_048_576},
            "left_out": {"left_out": True, "law": True},
        },
    )


def show_parts(chosen: Published, tokens: int, cross: int) -> None:
    """Draw shares by part beside the growth of the work, and say where most parameters and most work are."""
    shape = chosen.shape
    learned, work = grouped(parameter_parts(shape)), grouped(reading_operations(shape, tokens))
    N, M = sum(learned.values()), sum(matrix_weights(shape).values())
    most = max(learned, key=learned.get)
    said = chosen.count
    values = {
        "name": chosen.name,
        "N": N,
        "most": WORDS.label(f"place.{most}"),
        "most_share": learned[most] / N,
        "T": tokens,
        "scores": work["scores"] / sum(work.values()),
        "cross": cross,
        "context": shape.context,
        "over": tokens > shape.context,
        "sparse": chosen.name == GPT3,
        "here": chosen.source == TRAINED_HERE,
        "ours": as_they_write(N, said),
        "said": said,
        "source": chosen.source,
        "off": N / counted_as(said) - 1,
    }
    bars, lines = st.columns(2, gap="medium")
    with bars:
        LESSON.figure("parts", shares_figure(shape, tokens), WORDS.label("parts.alt", **values))
    with lines:
        grows = {
            WORDS.label("line.matrices"): [2 * t * M for t in LINE],
            WORDS.label("line.scores"): [2 * shape.layers * shape.width * t * (t + 1) for t in LINE],
        }
        figure = growth_figure(LINE, grows, tokens, WORDS.label("axis.operations"))
        LESSON.figure("work", figure, WORDS.label("work.shown", **values))
    LESSON.say("says.parts", values)
    st.markdown(WORDS.markdown("says.counts", **values))


def show_memory(chosen: Published, tokens: int, bits: str) -> None:
    """Draw the weights against the growing keys and values, and say when the cache is the larger."""
    shape, each = chosen.shape, BITS[bits]
    weights, a_token = parameters(shape) * each, cached_numbers(shape, 1) * each
    values = {
        "name": chosen.name,
        "bits": bits,
        "weights": in_bytes(weights),
        "a_token": in_bytes(a_token),
        "T": tokens,
        "kept": in_bytes(a_token * tokens),
        "larger": cache_is_larger_at(shape),
        "heads": shape.heads,
        "sharing": shape.sharing,
        "sets": shape.heads // shape.sharing,
        "unshared": in_bytes(a_token * shape.sharing),
    }
    lines = {
        WORDS.label("line.weights"): [weights] * len(LINE),
        WORDS.label("line.cache"): [a_token * t for t in LINE],
    }
    figure = growth_figure(LINE, lines, tokens, WORDS.label("axis.bytes"), 300)
    LESSON.figure("memory_figure", figure, WORDS.label("memory.alt", **values))
    LESSON.say("says.memory", values)
    names = [WORDS.label(f"memory.{each}", T=tokens) for each in ("weights", "bytes", "kept", "kept_bytes")]
    counts = (parameters(shape), weights, cached_numbers(shape, 1), a_token * tokens)
    table = {WORDS.label("column.what"): names, WORDS.label("column.count"): counts}
    LESSON.every_number(WORDS.label("table.memory"), pd.DataFrame, table)


def compare_training(chosen: Published) -> None:
    """Draw 6 N D of every model whose D is known, and compare the chosen one with the course's."""
    known = {name: each for name, each in models().items() if each.tokens}
    operations = {
        name: training_operations(parameters(each.shape), each.tokens) for name, each in known.items()
    }
    figure = training_figure(operations, chosen.name)
    LESSON.figure("training_figure", figure, WORDS.label("training.shown"))
    told = chosen if chosen.tokens else known[GPT3]
    ratio = operations[told.name] / operations[OURS]
    values = {
        "name": told.name,
        "N": abbreviate_count(parameters(told.shape)),
        "D": abbreviate_count(told.tokens),
        "operations": abbreviate_count(operations[told.name]),
        "times": f"{ratio:.2f}" if ratio < 10 else abbreviate_count(ratio),
        "ours": OURS,
        "same": told.name == OURS,
        "said": abbreviate_count(told.operations) if told.operations else "",
        "unknown": "" if chosen.tokens else chosen.name,
    }
    st.markdown(WORDS.markdown("says.training", **values))
    columns = ("model", "N", "D", "operations", "said")
    rows = [
        (name, parameters(each.shape), each.tokens, operations[name], each.operations)
        for name, each in known.items()
    ]
    named = [WORDS.label(f"column.{each}") for each in columns]
    LESSON.every_number(WORDS.label("table.training"), pd.DataFrame, rows, None, named)


@cache
def sizes_of(count: str) -> tuple[int, ...]:
    """Return the four sizes, counted one way or the other."""
    size = without_embeddings if count == WITHOUT else parameters
    return tuple(size(run.shape) for run in sized_runs())


@cache
def intervals_of_losses() -> np.ndarray:
    """Return the ends of the interval of each model's loss on other held-out pieces, (models, 2)."""
    return loss_intervals(np.stack([run.by_piece for run in sized_runs()]))


@cache
def interval_of(count: str, used: int) -> tuple[float, float]:
    """Return the interval of b over other pieces, with the first `used` models."""
    return exponent_interval(sizes_of(count)[:used], np.stack([run.by_piece for run in sized_runs()])[:used])


@cache
def bearing_of(count: str) -> dict[str, object]:
    """Return what the words say of what four models can tell; two hundred laws are fitted for it."""
    runs, sizes, intervals = sized_runs(), sizes_of(count), intervals_of_losses()
    losses = [run.loss for run in runs]
    bs, plain = exponents_without_one(sizes, losses), fit_power_law(sizes, losses)
    within = float(((intervals[:, 1] - intervals[:, 0]) / 2).min())
    laws = floors_that_fit(sizes, losses, within)
    ends = [laws[0], laws[-1]] if laws else []
    beyond = sorted(float(law([10 * sizes[-1]])[0]) for law in ends)
    read = runs[-1].along[-1][0]
    return {
        "models": len(runs),
        "bs": (min(bs), max(bs)),
        "miss": worst_miss(plain, sizes, losses),
        "ten": float(plain([10 * sizes[-1]])[0]),
        "within": within,
        "laws": len(laws),
        "floors": [law.c for law in ends],
        "floor_bs": sorted(law.b for law in ends),
        "beyond": beyond,
        "read": abbreviate_count(read),
        "each": (read / sizes[0], read / sizes[-1]),
        **PAPERS,
    }


@cached(16, 4, shared=is_sample)
def own_losses(document: Document) -> tuple[int, list[float]]:
    """Return how many characters of the learner's text were read, and the four losses on them."""
    return losses_on(document.text[:MEASURED_ON])


def show_law() -> None:
    """Draw the four losses with the fitted law, and say what four models can tell."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        document = text_source()
        count, left_out = LESSON.draw(COUNTED), LESSON.draw(LEFT_OUT)
    runs, sizes = sized_runs(), sizes_of(count)
    losses, intervals = [run.loss for run in runs], intervals_of_losses()
    used = len(runs) - left_out
    law = fit_power_law(sizes[:used], losses[:used])
    read, own = own_losses(document)
    LESSON.figure("law_figure", law_figure(sizes, losses, intervals, law, used, own), WORDS.label("law.alt"))
    values = {"used": used, "a": law.a, "b": law.b, "interval": interval_of(count, used), "ten": 10**-law.b}
    LESSON.say("says.law", values)
    if left_out:
        LESSON.compare("left_out", fit_power_law(sizes, losses).b, law.b, ".3f", more_is_better=None)
        told, (low, high) = float(law([sizes[-1]])[0]), intervals[-1]
        side = "within" if low <= told <= high else "above" if told > high else "below"
        said = {"told": told, "loss": losses[-1], "low": low, "high": high, "side": side}
        st.markdown(WORDS.markdown("says.left_out", **said))
    st.markdown(WORDS.markdown("says.bearing", **bearing_of(count)))
    say_what_changed(encode_characters(load_json(STORED, "vocabulary"), document.text[:MEASURED_ON]))
    st.markdown(WORDS.markdown("says.own", **describe_own(runs, read, own)))
    rows = zip(
        *([run.name for run in runs], sizes_of(WITHOUT), sizes_of(ALL), losses),
        *(intervals[:, 0], intervals[:, 1], law(sizes)),
        strict=True,
    )
    columns = ("model", "without", "all", "loss", "low", "high", "law")
    named = [WORDS.label(f"column.{each}") for each in columns]
    LESSON.every_number(WORDS.label("table.losses"), pd.DataFrame, list(rows), None, named)


def describe_own(runs: Sequence[SizedRun], read: int, own: Sequence[float]) -> Mapping[str, object]:
    """Return what the words say of the four losses on the learner's text."""
    return {
        "n": read,
        "losses": [f"{loss:.3f}" for loss in own],
        "best": runs[int(np.argmin(own))].name if read else "",
        "ordered": all(larger < smaller for smaller, larger in pairwise(own)),
    }


def show_runs() -> None:
    """Draw the four losses along their training, against what was read or what it cost."""
    by_work = LESSON.draw(AGAINST) == WORK
    runs, sizes = sized_runs(), sizes_of(ALL)
    points = {
        run.name: [(6 * N * read if by_work else read, loss) for read, loss in run.along]
        for run, N in zip(runs, sizes, strict=True)
    }
    title = WORDS.label("axis.work" if by_work else "axis.read")
    LESSON.figure("runs_figure", runs_figure(points, title), WORDS.label("runs.alt"))
    st.markdown(WORDS.markdown("says.runs", **describe_runs(runs, sizes)))
    st.caption(WORDS.markdown("says.decay"))
    rows = [(run.name, read, loss) for run in runs for read, loss in run.along]
    named = [WORDS.label(f"column.{each}") for each in ("model", "read", "loss")]
    LESSON.every_number(WORDS.label("table.runs"), pd.DataFrame, rows, None, named)


def describe_runs(runs: Sequence[SizedRun], sizes: Sequence[int]) -> dict[str, object]:
    """Return which model is best after the first and the last measure, and what one budget buys the two ends."""
    first, last = (
        min(runs, key=lambda run, place=place: run.along[place][1]) for place in (0, -1)
    )  # the same marks for all
    few, all_read = (runs[0].along[place][0] for place in (0, -1))
    budget = 6 * sizes[0] * all_read
    afforded = budget / (6 * sizes[-1])
    return {
        "first": first.name,
        "last": last.name,
        "few": few,
        "all_read": all_read,
        "measured": afforded >= runs[-1].along[0][0],
        "budget": abbreviate_count(budget),
        "afforded": afforded,
        "small": runs[0].along[-1][1],
        "large": loss_after(runs[-1].along, afforded),
    }
