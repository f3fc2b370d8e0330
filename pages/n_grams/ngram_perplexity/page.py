"""Perplexity: what the story shows of held-out sentences of Hamlet, and the lab on the learner's own text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.layer_bars import join_panels
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    ALPHAS,
    ORDER_AT_MOST,
    SMOOTHINGS,
    ChosenSmoothing,
    choose_unit,
    counted_text,
    counts_of,
    name_smoothing,
    standard,
)
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import SAMPLE, Part, ask, do, end, look
from core.lesson.text_source import sample_document, sample_in_use, text_source
from core.models.language_model import UniformModel, perplexity, sequence_log_probability
from core.models.n_grams.held_out import (
    bits_a_character,
    compare_bits,
    count_characters_spelt,
    evaluate_ngrams,
    token_bits,
    unseen_share,
)
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_text import END, UNKNOWN, CountedText, hold_out_every, repeated_share
from core.text.reading.documents import Document
from pages.n_grams.ngram_perplexity import LESSON
from pages.n_grams.ngram_perplexity.figures import (
    methods_figure,
    perplexity_by_alpha,
    perplexity_by_order,
    squares_figure,
    unseen_figure,
    worked_measure,
)
from pages.n_grams.shared import WORDS as SHARED
from pages.n_grams.shared.bars import draw_panel, draw_row

WORDS = LESSON.words
PLAY, EVERY = "hamlet", 10  # one different sentence in so many is held out
EXAMPLES = ("Look, my lord, it comes!", "The king is in love with a robot.")
BEST, ONE_ADDED = "Kneser-Ney", "add-alpha"
ROWS, LETTERS = 10, 14  # tokens of a sentence that are drawn, and letters of each
TRIPLES = 3
FEWEST = 5  # tokens of a sentence: fewer measure nothing
BILLION = {"ngram": 67.6, "lstm": 30.0, "transformer": 21.8}  # perplexity; the sources are in words.md
MEASURED_AT_MOST = 20_000  # tokens: enough for three digits of a perplexity, and quick
ORDERS = range(1, ORDER_AT_MOST + 1)
ALPHA_ORDERS = (1, 2, 3)
COMPARED = [name for name, way in SMOOTHINGS.items() if way.normalised and name != "none"]
GREEK = {"alpha": "α", "weight": "λ", "discount": "d"}
AT_FIRST = (*COMPARED[:2], BEST, COMPARED[-1])
TOO_FEW, TOO_UNKNOWN = 100, 1 / 3  # held-out tokens, and the share of them that are unknown: no measure

MIN_COUNT = Slider("min_count", 2, 1, 5)
OWN = Text("sentence", EXAMPLES[1], 60)
RAW = Switch("raw")
UNIT = Choice("unit", "words", ("words", "characters"))
LAB = (MIN_COUNT, RAW, UNIT)


# The story: what each beat shows.


def play_counts(min_count: int = MIN_COUNT.default) -> CountedText:
    """Return the counts of the play without the sentences that are held out."""
    return counts_of(sample_document(PLAY), "words", min_count, EVERY)


@cache
def play_model(name: str, n: int, min_count: int = MIN_COUNT.default) -> NgramModel:
    """Return a model of the play, its parameter at the default."""
    return standard(name).fit(play_counts(min_count).counts, n)


@cache
def bits_on_held_out(name: str, n: int, min_count: int = MIN_COUNT.default) -> np.ndarray:
    """Return the bits of each held-out token of the play, (m,)."""
    return token_bits(play_model(name, n, min_count), play_counts(min_count).held_out)


def perplexity_of(bits: np.ndarray) -> float:
    """Return two to the power of the mean of some bits."""
    return float(2 ** bits.mean())


def in_lab(**settings) -> dict[str, object]:
    """Return the lab's settings that show the play."""
    return {SAMPLE: sample_document(PLAY).name, **settings}


def draw_tokens(counted: CountedText, ids: Sequence[int], bits: np.ndarray) -> list[dict]:
    """Return a bar for each token of a sentence, its bits, with "1 in so many" below its name."""
    unknown = counted.vocabulary[UNKNOWN]
    return [
        draw_row(
            name_of(counted, token),
            cost,
            WORDS.label("text.bits", bits=float(cost)),
            f"token.{i}",
            "faint" if token == unknown else "best" if cost == max(bits) else "plain",
            "blue",
            WORDS.label("one_in", n=2**cost),
        )
        for i, (token, cost) in enumerate(zip(ids[:ROWS], bits, strict=False))
    ]


def name_of(counted: CountedText, token: int) -> str:
    """Return a token as a row is named: the end and unknown words in words, the end of a long word left out."""
    for special, label in ((END, "end"), (UNKNOWN, "unknown")):
        if token == counted.vocabulary[special]:
            return WORDS.label(label)
    word = counted.name(token)
    return word if len(word) <= LETTERS else f"{word[: LETTERS - 1]}…"


def example_bits() -> tuple[list[int], np.ndarray]:
    """Return the tokens of the story's sentence and what each costs the model of pairs, in bits."""
    ids = play_counts().encode(EXAMPLES[0])
    return ids, token_bits(play_model(BEST, 2), ids)


def show_surprise(settings: Settings) -> Part:
    """A held-out sentence: what each of its words costs the model of pairs."""
    ids, bits = example_bits()
    values = {
        "least": 2 ** bits.min(),
        "least_bits": float(bits.min()),
        "most": 2 ** bits.max(),
        "bits": float(bits.max()),
        "at": int(bits.argmin()),
        "top": int(bits.argmax()),
    }
    panel = draw_panel(
        WORDS.label("title.sentence", sentence=EXAMPLES[0]),
        draw_tokens(play_counts(), ids, bits),
        1.15 * bits.max(),
    )
    return Part("layer_bars", join_panels(panel), values, in_lab())


def show_squares(settings: Settings) -> Part:
    """The sentence's perplexity as so many equal squares among all words."""
    _, bits = example_bits()
    types, filled = len(play_counts().vocabulary), round(perplexity_of(bits))
    values = {
        "mean": float(bits.mean()),
        "n": len(bits),
        "perplexity": filled,
        "V": types,
        "sum": float(bits.sum()),
    }
    return Part("figure", {"figure": squares_figure(types, filled).to_dict()}, values, in_lab())


def ask_order(settings: Settings) -> Part:
    """The perplexity of all held-out sentences by the length of the runs, which the answer draws."""
    found = {n: perplexity_of(bits_on_held_out(BEST, n)) for n in ORDERS}
    best = min(found, key=found.get)
    most = 1.1 * max(found.values())
    rows = [
        draw_row(
            f"n = {n}",
            value if settings.revealed else most,
            f"{value:.0f}" if settings.revealed else "?",
            f"n.{n}",
            "open" if not settings.revealed else "best" if n == best else "plain",
            "blue",
            WORDS.label(f"run.{n}"),
        )
        for n, value in found.items()
    ]
    values = {
        "m": len(play_counts().held_out),
        "held": play_counts().different[1],
        "one": found[1],
        "best": found[best],
        "longest": found[ORDERS[-1]],
        "revealed": settings.revealed,
    }
    picture = join_panels(draw_panel(WORDS.label("title.orders"), rows, most))
    return Part("layer_bars", picture, values, in_lab(), ("1", "2", "3", "5"), str(best))


def show_sparse(settings: Settings) -> Part:
    """How many of the held-out runs were never counted."""
    counted = play_counts()
    shares = {n: unseen_share(counted.counts, counted.held_out, n) for n in ORDERS[1:]}
    rows = [
        draw_row(
            f"n = {n}",
            share,
            WORDS.label("text.share", p=share),
            f"n.{n}",
            "best" if n == TRIPLES else "plain",
            "vermillion",
            WORDS.label(f"run.{n}"),
        )
        for n, share in shares.items()
    ]
    picture = join_panels(draw_panel(WORDS.label("title.sparse"), rows, 1))
    return Part("layer_bars", picture, {"shares": list(shares.values())}, in_lab())


def ask_training(settings: Settings) -> Part:
    """The longest runs' perplexity on held-out sentences, and on the text that was counted, which the answer draws."""
    n, counted = ORDERS[-1], play_counts()
    new = perplexity_of(bits_on_held_out(BEST, n))
    known = perplexity_of(token_bits(play_model(BEST, n), counted.training))
    rows = [
        draw_row(WORDS.label("row.new"), new, f"{new:.0f}", "row.new"),
        draw_row(
            WORDS.label("row.known"),
            known if settings.revealed else new,
            f"{known:.1f}" if settings.revealed else "?",
            "row.known",
            "best" if settings.revealed else "open",
            "vermillion",
        ),
    ]
    values = {"new": new, "n": n, "revealed": settings.revealed}
    if settings.revealed:
        values["known"] = known
    picture = join_panels(draw_panel(WORDS.label("title.training", n=n), rows, 1.1 * new))
    return Part("layer_bars", picture, values, in_lab(), ("small", "half", "same"), "small")


def show_methods(settings: Settings) -> Part:
    """Perplexity against n under two ways of smoothing; without any it is infinite."""
    lines = {name: [perplexity_of(bits_on_held_out(name, n)) for n in ORDERS] for name in (ONE_ADDED, BEST)}
    values = {
        "one": lines[ONE_ADDED][-1],
        "best": lines[BEST][-1],
        "n": ORDERS[-1],
        "new": unseen_share(play_counts().counts, play_counts().held_out, 2),
    }
    figure = methods_figure(ORDERS, lines, len(play_counts().vocabulary))
    return Part("figure", {"figure": figure.to_dict()}, values, in_lab(raw=True))


def do_vocabulary(settings: Settings) -> Part:
    """The perplexity of the model of pairs as rare words become one token, and how many tokens that is."""
    k, counted = settings.min_count, play_counts(settings.min_count)
    shown = sorted({MIN_COUNT.least, k})
    found = {least: perplexity_of(bits_on_held_out(BEST, 2, least)) for least in shown}
    unknown = {least: unknown_share(play_counts(least)) for least in shown}

    def rows(of: Mapping[int, float], form: str, hue: str) -> list[dict]:
        names = {least: WORDS.label("row.at", k=least) for least in of}
        kinds = {least: "best" if least == k else "plain" for least in of}
        return [
            draw_row(names[each], p, format(p, form), kind=kinds[each], hue=hue) for each, p in of.items()
        ]

    panels = (
        draw_panel(WORDS.label("title.perplexity"), rows(found, ".0f", "blue"), found[MIN_COUNT.least]),
        draw_panel(WORDS.label("title.unknown"), rows(unknown, ".0%", "vermillion"), 0.25),
    )
    values = {
        "first": found[MIN_COUNT.least],
        "p": found[k],
        "unknown": unknown[k],
        "V": len(counted.vocabulary),
        "k": k,
    }
    return Part("layer_bars", join_panels(*panels), values, in_lab())


def do_own(settings: Settings) -> Part:
    """The learner's own sentence: what each of its words costs the model of pairs."""
    counted = play_counts()
    ids = counted.encode(settings.sentence)
    readable = len(ids) > 0
    ids = ids or counted.encode(EXAMPLES[1])
    bits = token_bits(play_model(BEST, 2), ids)
    unknown = sum(token == counted.vocabulary[UNKNOWN] for token in ids)
    values = {
        "readable": readable,
        "n": len(ids),
        "few": len(ids) < FEWEST,
        "unknown": unknown,
        "all_unknown": 2 * unknown >= len(ids),
        "perplexity": perplexity_of(bits),
        "mean": float(bits.mean()),
        "cut": len(ids) > ROWS,
        "play": perplexity_of(bits_on_held_out(BEST, 2)),
        "word": name_of(counted, ids[int(bits.argmax())]),
    }
    line = WORDS.label("sum.own", **values)
    panel = draw_panel(WORDS.label("title.own"), draw_tokens(counted, ids, bits), 1.15 * bits[:ROWS].max())
    return Part("layer_bars", join_panels(panel, sum_=line), values, in_lab())


def show_billion(settings: Settings) -> Part:
    """What published models reached on the same held-out news."""
    rows = [
        draw_row(
            WORDS.label(f"model.{name}"),
            value,
            f"{value:.1f}",
            f"model.{name}",
            "best" if value == min(BILLION.values()) else "plain",
            "green",
            WORDS.label(f"year.{name}"),
        )
        for name, value in BILLION.items()
    ]
    picture = join_panels(draw_panel(WORDS.label("title.billion"), rows, 1.1 * max(BILLION.values())))
    return Part("layer_bars", picture, BILLION)


def show_answer(settings: Settings) -> Part:
    """Three models on the same held-out sentences."""
    found = {"single": (BEST, 1), "added": (ONE_ADDED, 2), "pairs": (BEST, 2)}
    values = {name: perplexity_of(bits_on_held_out(*each)) for name, each in found.items()}
    rows = [
        draw_row(
            WORDS.label(f"answer.row.{name}"),
            value,
            f"{value:.0f}",
            f"row.{name}",
            "best" if value == min(values.values()) else "plain",
            "blue",
            WORDS.label(f"answer.note.{name}"),
        )
        for name, value in values.items()
    ]
    picture = join_panels(draw_panel(WORDS.label("title.answer"), rows))
    return Part("layer_bars", picture, {**values, "m": len(play_counts().held_out)}, in_lab())


STORY = (
    look("surprise", show_surprise),
    look("squares", show_squares),
    ask("order", ask_order),
    look("sparse", show_sparse),
    ask("training", ask_training),
    look("methods", show_methods),
    do("vocabulary", do_vocabulary, MIN_COUNT, min_count=1),
    do("own", do_own, OWN),
    look("billion", show_billion),
    end("answer", show_answer),
)


# The lab: all methods on the learner's text.


def lab() -> None:
    """Perplexity against n on held-out sentences; what is new in them; how much alpha is enough."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source(PLAY)
        unit = choose_unit(LESSON)
        with LESSON.options():
            min_count = LESSON.draw(MIN_COUNT)
        offered, help = {name: name_smoothing(name) for name in COMPARED}, list_parameters()
        names = LESSON.choose_ids("models", WORDS.label("models"), offered, AT_FIRST, help=help) or [BEST]
        broken = LESSON.draw(RAW)
    names = [*names, *(["none"] if broken else [])]
    with remarks:
        counted = counted_text(document, unit, min_count, EVERY)
    if len(counted.held_out):
        show_measured(document, counted, min_count, names, broken, stage)
    else:
        stage.info(WORDS.markdown("says.nothing"))
    LESSON.close_lab(
        code=[
            *(evaluate_ngrams, NgramModel.token_log_probabilities, NgramModel.token_scores, perplexity),
            *(
                unseen_share,
                bits_a_character,
                count_characters_spelt,
                compare_bits,
                hold_out_every,
                repeated_share,
            ),
            UniformModel,
        ],
        parameters={
            "sample": sample_in_use(),
            "unit": counted.unit,
            "min_count": min_count,
            "order": 3,
            "smoothing": SMOOTHINGS[names[0]].fit.__name__,
            "arguments": SMOOTHINGS[names[0]].arguments,
        },
        prompts={
            "raw": {"raw": True},
            "characters": {"unit": "characters"},
            "world": {SAMPLE: sample_document("micro-world").name, "sparse": True},
            "rare": {"min_count": 1},
        },
        credits=SHARED.entries("sources"),
    )


def list_parameters() -> str:
    """Return the methods that are compared with their parameters."""
    ways = {name_smoothing(name): SMOOTHINGS[name] for name in COMPARED}
    return "; ".join(
        f"{name}: {GREEK[way.parameter]} = {way.default:g}" for name, way in ways.items() if way.parameter
    )


def show_measured(
    document: Document, counted: CountedText, min_count: int, names: Sequence[str], broken: bool, stage
) -> None:
    """Show what was measured on the held-out sentences, in the folds too."""
    text = document, counted.unit, min_count
    table = pd.concat([by_order(*text, name) for name in names], ignore_index=True)
    best = table.loc[table["perplexity"].idxmin()]
    with stage:
        about = f"{counted.unit}_{min_count}_{names}_{len(counted.training)}"
        choices = [str(n) for n in ORDERS]
        if revealed := LESSON.ask(WORDS.label("question"), choices, str(best["n"]), about):
            show_by_order(text, counted, table)
    st.markdown(WORDS.markdown("says.split", **about_split(counted, uniform_perplexity(*text))))
    if not revealed:
        return
    if broken:
        show_infinite(names[0], by_order(*text, names[0]), by_order(*text, "none"))
    if box := LESSON.fold("sparse"):
        with box:
            show_sparsity(counted, table["unseen"][: len(ORDERS)].tolist())
    if box := LESSON.fold("alpha"):
        with box:
            show_alphas(by_alpha(*text), len(counted.vocabulary))
    show_spelt(counted)
    LESSON.every_number(WORDS.label("table"), measure_table, counted, table)


@cached(256, 64, shared=is_sample)
def by_order(document: Document, unit: str, min_count: int, name: str) -> pd.DataFrame:
    """Return one row for each n: how the smoothing `name` does on the measured tokens."""
    counted = counts_of(document, unit, min_count, EVERY)
    held = measured_tokens(counted)
    measured = [evaluate_ngrams(standard(name).fit(counted.counts, n), held) for n in ORDERS]
    columns = {
        "model": [name] * len(ORDERS),
        "n": list(ORDERS),
        "perplexity": [one.perplexity for one in measured],
        "bits": [one.bits for one in measured],
        "unseen": [one.unseen for one in measured],
    }
    if count_characters_spelt(counted, held):
        columns["characters"] = [bits_a_character(one.bits, counted, held) for one in measured]
    return pd.DataFrame(columns)


@cached(64, 16, shared=is_sample)
def lead(
    document: Document, unit: str, min_count: int, best: tuple[str, int], second: tuple[str, int]
) -> tuple[float, tuple[float, float]]:
    """Return how many more bits per token the second best model needs than the best, and the 95% interval."""
    counted = counts_of(document, unit, min_count, EVERY)
    held = measured_tokens(counted)
    bits = [token_bits(standard(name).fit(counted.counts, n), held) for name, n in (second, best)]
    return compare_bits(*bits, held, counted.vocabulary[END])


@cached(32, 8, shared=is_sample)
def uniform_perplexity(document: Document, unit: str, min_count: int) -> float:
    """Return the perplexity of the uniform model on the measured tokens."""
    counted = counts_of(document, unit, min_count, EVERY)
    uniform = UniformModel(counted.vocabulary.types)
    return sequence_log_probability(uniform, measured_tokens(counted)).perplexity


@cached(32, 8, shared=is_sample)
def by_alpha(document: Document, unit: str, min_count: int) -> dict[int, list[float]]:
    """Return the perplexity of add-alpha on the measured tokens, for each n a list along ALPHAS."""
    counted = counts_of(document, unit, min_count, EVERY)
    held, counts = measured_tokens(counted), counted.counts
    ways = [ChosenSmoothing(ONE_ADDED, {"alpha": alpha}) for alpha in ALPHAS]
    return {n: [evaluate_ngrams(way.fit(counts, n), held).perplexity for way in ways] for n in ALPHA_ORDERS}


def measured_tokens(counted: CountedText) -> np.ndarray:
    """Return the first held-out tokens: what is measured."""
    return counted.held_out[:MEASURED_AT_MOST]


def unknown_share(counted: CountedText) -> float:
    """Return the share of the measured tokens that are read as unknown."""
    return float(np.mean(measured_tokens(counted) == counted.vocabulary[UNKNOWN]))


def show_by_order(text: tuple, counted: CountedText, table: pd.DataFrame) -> None:
    """Draw every model's perplexity against n, and say which is the lowest, unless that measures nothing."""
    groups = table.groupby("model", sort=False)
    lines = {name_smoothing(str(name)): rows["perplexity"].tolist() for name, rows in groups}
    ranked = table.sort_values("perplexity", kind="stable")
    best, second = (ranked.iloc[i] for i in (0, 1))
    held, unknown = measured_tokens(counted), unknown_share(counted)
    too_small = len(held) < TOO_FEW or unknown > TOO_UNKNOWN
    more, interval = 0.0, (0.0, 0.0)
    if not too_small and np.isfinite(second["perplexity"]):
        more, interval = lead(*text, *((each["model"], int(each["n"])) for each in (best, second)))
    values = {
        "models": len(lines),
        "best": name_smoothing(best["model"]),
        "n": int(best["n"]),
        "p": float(best["perplexity"]),
        "second": name_smoothing(second["model"]),
        "second_n": int(second["n"]),
        "second_p": float(second["perplexity"]),
        "more": more,
        "clear": interval[0] > 0,
        "low": interval[0],
        "high": interval[1],
        "held": len(held),
        "unknown": unknown,
        "too_small": too_small,
        "few": TOO_FEW,
    }
    figure = perplexity_by_order(ORDERS, lines, len(counted.vocabulary), 370)
    LESSON.figure("figure", figure, WORDS.label("lab.alt", **values))
    LESSON.say("says.best", values)


def about_split(counted: CountedText, uniform: float) -> dict[str, object]:
    """Return what was counted and measured, and the uniform model's perplexity on it."""
    return {
        "training": len(counted.training),
        "held": len(measured_tokens(counted)),
        "out": counted.different[1],
        "all": sum(counted.different),
        "repeated": counted.repeated,
        "unknown": unknown_share(counted),
        "V": len(counted.vocabulary),
        "uniform": uniform,
    }


def show_infinite(name: str, smoothed: pd.DataFrame, unsmoothed: pd.DataFrame) -> None:
    """Show the perplexity of trigrams with the smoothing `name` and without, and for which n it is still finite without."""
    whole, broken = smoothed["perplexity"], unsmoothed["perplexity"]
    LESSON.compare("raw", whole[2], broken[2], ",.1f", more_is_better=False)
    finite = [n for n, value in zip(ORDERS, broken, strict=True) if np.isfinite(value)]
    better = [n for n in finite if broken[n - 1] < whole[n - 1]]
    st.info(WORDS.markdown("says.infinite", name=name_smoothing(name), finite=finite, better=better))


def show_sparsity(counted: CountedText, shares: Sequence[float]) -> None:
    """Draw the share of held-out n-grams that were never counted, for each n."""
    values = {"shares": list(shares), "unknown": unknown_share(counted)}
    LESSON.figure("unseen", unseen_figure(shares), WORDS.label("unseen.alt", **values))
    st.markdown(WORDS.markdown("says.sparse", **values))


def show_alphas(perplexities: Mapping[int, Sequence[float]], types: int) -> None:
    """Draw the perplexity of add-alpha against alpha, and say what the best one gains over adding 1."""
    figure = perplexity_by_alpha(ALPHAS, perplexities, types, 300)
    LESSON.figure("alpha_lines", figure, WORDS.label("alpha.alt"))
    best = {n: int(np.argmin(values)) for n, values in perplexities.items()}
    found = [
        {"n": n, "alpha": ALPHAS[i], "p": perplexities[n][i], "one": perplexities[n][ALPHAS.index(1.0)]}
        for n, i in best.items()
    ]
    st.markdown(WORDS.markdown("says.alpha", found=found))


def show_spelt(counted: CountedText) -> None:
    """Say how many characters the measured tokens spell, or why that cannot be said."""
    characters = count_characters_spelt(counted, measured_tokens(counted))
    values = {
        "characters": characters or 0,
        "unknown": unknown_share(counted),
        "words": counted.unit == "words",
    }
    st.caption(WORDS.markdown("says.spelt", **values))


def measure_table(counted: CountedText, table: pd.DataFrame) -> tuple:
    """Return the table of every measure of every model, and the formula of its cells."""
    held = measured_tokens(counted)
    characters = count_characters_spelt(counted, held)
    names = {WORDS.label(f"column.{name}"): name for name in table}

    def formula(row: int, column: str) -> str | None:
        measured = table.loc[row]
        return worked_measure(names[column], measured["bits"], len(held), characters, measured["unseen"])

    named = table.assign(model=table["model"].map(name_smoothing))
    return named.set_axis(list(names), axis="columns"), formula
