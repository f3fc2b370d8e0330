"""Smoothing: what the story shows of pairs of words in Hamlet, and the lab on the learner's own text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import prod

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.layer_bars import join_panels
from core.figures.n_grams.ngram_worked import worked
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    NO_SMOOTHING,
    SMOOTHINGS,
    ChosenSmoothing,
    choose_counts,
    choose_order,
    choose_smoothing,
    counts_of,
    name_smoothing,
    standard,
)
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import SAMPLE, Part, ask, do, end, look
from core.lesson.text_source import sample_document, sample_in_use, text_source
from core.models.n_grams.held_out import impossible_share
from core.models.n_grams.moved_mass import (
    MovedMass,
    expected_new,
    mean_unseen_mass,
    moved_mass,
    unseen_tokens,
)
from core.models.n_grams.ngram import (
    NgramModel,
    discounted_level,
    estimated_discounts,
    kneser_ney,
    plain_level,
)
from core.models.n_grams.ngram_text import END, UNKNOWN, CountedText, most_frequent, most_frequent_token
from core.text.reading.documents import Document
from core.text.tokenization.tokens import words as words_of
from core.words.numbers import plain_number
from pages.n_grams.shared import WORDS as SHARED
from pages.n_grams.shared.bars import draw_panel, draw_row
from pages.n_grams.shared.typed_tokens import read_run, type_tokens
from pages.n_grams.smoothing import LESSON
from pages.n_grams.smoothing.figures import Mass, mass_figure, shares_figure, taken_figure, words_figure

WORDS = LESSON.words
PLAY, EVERY = "hamlet", 10  # one different sentence in so many is held out
CONTEXT, NEW, OTHER = "sweet", "king", "poor"
EXAMPLES = ("good night sweet prince", "good night sweet king")
RIVALS = ("lord", "love")  # frequent, but after few words; less frequent, but after many
TAKEN = ("lord", "and", "heavens", "queen", "prince")  # rows of the picture of discounting
WAYS = ("none", "add-alpha", "absolute discounting", "Kneser-Ney")
SCORES = next(name for name, way in SMOOTHINGS.items() if not way.normalised)
FEW = 30  # held-out tokens: fewer measure nothing
ROWS_AT_MOST = 500
SHARES = ("little", "middle", "much")

ALPHA = Choice("alpha", "1.0", ("0.001", "0.01", "0.03", "0.1", "1.0", "10.0"))
OWN = Text("word", NEW, 24)
ORDER = Slider("n", 2, 1, 5)
SMOOTHING = Choice("smoothing", "add-alpha", tuple(SMOOTHINGS))
AFTER = Text("words_after", "", 200)
RAW = Switch("raw")
LAB = (ORDER, SMOOTHING, ALPHA, AFTER, RAW)


# The story: what each beat shows.


def play_counts(hold_out: int = 0) -> CountedText:
    """Return the counts of the play, all of it or without the sentences that are held out."""
    return counts_of(sample_document(PLAY), "words", hold_out=hold_out)


@cache
def play_model(name: str, alpha: float | None = None, hold_out: int = 0) -> NgramModel:
    """Return a model of pairs of words in the play, its parameter at the default or `alpha`."""
    chosen = standard(name) if alpha is None else ChosenSmoothing(name, {"alpha": alpha})
    return chosen.fit(play_counts(hold_out).counts, 2)


@cached(20, 1, shared=True)
def mass_on_held_out(name: str, alpha: float | None = None) -> float:
    """Return what all words unseen after a word get together, a mean over the held-out sentences."""
    return mean_unseen_mass(play_model(name, alpha, EVERY), play_counts(EVERY).held_out)


@cache
def new_runs(n: int) -> float:
    """Return the share of the runs of n tokens in the held-out sentences that were never counted."""
    held = play_counts(EVERY)
    return impossible_share(NO_SMOOTHING.fit(held.counts, n), held.held_out)


def in_lab(after: str = CONTEXT, **settings) -> dict[str, object]:
    """Return the lab's settings that show a context of the play."""
    return {SAMPLE: sample_document(PLAY).name, "words_after": after, **settings}


def one_in(p: float) -> str:
    """Return a probability as "1 in so many", or as 0."""
    return WORDS.label("one_in", n=1 / p) if p else "0"


def seen_after(context: str, name: str, **arguments) -> Mass:
    """Return what is given to the unseen words and to each seen one after a word of the play, under the name of a way."""
    moved = moved_mass(play_model(name, **arguments), play_counts().read(context))
    label = WORDS.label(
        f"row.{name.replace(' ', '_').replace('-', '_')}", p=moved.unseen_mass, n=moved.unseen
    )
    return Mass(label, moved.unseen_mass, moved.after.tolist())


def figure_of(figure, values: Mapping[str, object], lab: Mapping[str, object]) -> Part:
    """Return a beat's plotly figure."""
    return Part("figure", {"figure": figure.to_dict()}, values, lab)


def show_zero(settings: Settings) -> Part:
    """Two lines that differ in their last word: each word's count after the word before it, divided."""
    counted, panels, products = play_counts(), [], []
    for line, hue in zip(EXAMPLES, ("blue", "vermillion"), strict=True):
        ids, rows, factors = [len(counted.vocabulary), *counted.read(line)], [], []
        for h, w in pairwise(ids):
            total = sum(count for _, count in counted.counts.continuations([h]))
            count = counted.counts.count((h, w))
            factors.append(count / total)
            text = WORDS.label("row.divided", count=count, total=total, p=factors[-1])
            note = WORDS.label("row.after", word=WORDS.label("start") if h == ids[0] else counted.name(h))
            kind = "plain" if count else "best"
            rows.append(
                draw_row(counted.name(w), factors[-1], text, f"word.{counted.name(w)}", kind, hue, note)
            )
        panels.append(
            draw_panel(WORDS.label("panel.line", line=line.capitalize(), possible=all(factors)), rows, 0.25)
        )
        products.append(prod(factors))
    line = WORDS.label("sum.products", products=[plain_number(each) for each in products])
    return Part("layer_bars", join_panels(*panels, sum_=line), {"total": total}, in_lab())


def ask_new(settings: Settings) -> Part:
    """How many runs of one, two and three words of new sentences were never counted, which the answer draws."""
    held = play_counts(EVERY)
    shares = [new_runs(n) for n in (1, 2, 3)]
    rows = [
        draw_row(
            WORDS.label(f"row.run.{n}"),
            share if settings.revealed else 1,
            WORDS.label("text.share", p=share) if settings.revealed else "?",
            f"run.{n}",
            "open" if not settings.revealed else "best" if n == 2 else "plain",
            "vermillion",
        )
        for n, share in enumerate(shares, 1)
    ]
    values = {
        "n": len(held.held_out),
        "held": held.different[1],
        "all": sum(held.different),
        "unknown": float(np.mean(held.held_out == held.vocabulary[UNKNOWN])),
        "one": shares[0],
        "two": shares[1],
        "three": shares[2],
        "revealed": settings.revealed,
    }
    picture = join_panels(draw_panel(WORDS.label("title.new"), rows, 1))
    return Part("layer_bars", picture, values, in_lab(raw=True), ("few", "some", "most"), "most")


def show_laplace(settings: Settings) -> Part:
    """What follows a word before and after one is added to every count."""
    counted = play_counts()
    moved = moved_mass(play_model("add-alpha"), counted.read(CONTEXT))
    seen = counted.counts.count(counted.read(CONTEXT))
    rows = [
        Mass(WORDS.label("row.before", n=len(moved.tokens)), 0.0, moved.before.tolist()),
        seen_after(CONTEXT, "add-alpha"),
    ]
    values = {
        "V": len(counted.vocabulary),
        "total": seen + len(counted.vocabulary),
        "c": seen,
        "unseen": moved.unseen,
        "seen": len(moved.tokens),
        "p": moved.unseen_mass,
        "left": float(moved.after.sum()),
    }
    return figure_of(mass_figure(rows), values, in_lab())


def truth_line() -> dict[str, object]:
    """Return where the share of new pairs in held-out sentences stands, and what is said of it."""
    return {"at": new_runs(2), "said": WORDS.label("line.truth", p=new_runs(2))}


def do_amount(settings: Settings) -> Part:
    """What adding the learner's number gives to the unseen words, beside how often they come in new sentences."""
    p, truth = mass_on_held_out("add-alpha", float(settings.alpha)), new_runs(2)
    row = Mass(WORDS.label("row.alpha", alpha=float(settings.alpha), p=p), p, [1 - p])
    values = {"p": p, "truth": truth, "gap": p - truth, "value": float(settings.alpha)}
    lab = in_lab(alpha=settings.alpha)
    return figure_of(mass_figure([row], **truth_line()), values, lab)


def show_discount(settings: Settings) -> Part:
    """What absolute discounting takes off the counts after a word."""
    counted, d = play_counts(), SMOOTHINGS["absolute discounting"].default
    context = counted.read(CONTEXT)
    pairs = {counted.name(token): count for token, count in counted.counts.continuations(context)}
    total, taken = sum(pairs.values()), d * len(pairs)
    values = {"d": d, "seen": len(pairs), "taken": taken, "total": total, "share": taken / total}
    figure = taken_figure(TAKEN, [pairs[each] for each in TAKEN], d, len(pairs) - len(TAKEN), taken)
    return figure_of(figure, values, in_lab(smoothing="absolute discounting"))


@cache
def places_of(word: str) -> tuple[int, int]:
    """Return how often a word comes in the play, and after how many different ones."""
    counted = play_counts()
    node = counted.counts.node(counted.read(word))
    return int(counted.counts.counts[1][node]), int(counted.counts.predecessors[1][node])


def ask_rivals(settings: Settings) -> Part:
    """How often two words come, and in the answer after how many different words."""
    frequent, varied = (places_of(word) for word in RIVALS)
    panels = []
    for i, name in enumerate(("times", "places")[: 1 + settings.revealed]):
        longest = max(frequent[i], varied[i])
        rows = [
            draw_row(
                word,
                found[i],
                f"{found[i]:,}",
                f"{name}.{word}",
                "best" if found[i] == longest else "plain",
                "vermillion" if i else "blue",
            )
            for word, found in zip(RIVALS, (frequent, varied), strict=True)
        ]
        panels.append(draw_panel(WORDS.label(f"title.{name}"), rows))
    counted = play_counts()
    values = {
        "times": (frequent[0], varied[0]),
        "places": (frequent[1], varied[1]),
        "my": counted.counts.count(counted.read(f"my {RIVALS[0]}")),
        "words": RIVALS,
        "other": OTHER,
    }
    lab = in_lab(OTHER, smoothing="Kneser-Ney")
    return Part("layer_bars", join_panels(*panels), values, lab, (*RIVALS, "equal"), RIVALS[1])


@cache
def rival_in_new_pairs() -> tuple[int, int, float, float]:
    """Return how often the rival comes in held-out sentences, how often of it in a new pair, and who expected how many."""
    held = play_counts(EVERY)
    (word,) = held.read(RIVALS[0])
    run, _ = held.counts.locate(held.held_out)[1]
    came = held.held_out == word
    expected = (expected_new(play_model(way, None, EVERY), word, held.held_out) for way in WAYS[2:])
    return int(came.sum()), int((came & (run < 0)).sum()), *expected


def show_proof(settings: Settings) -> Part:
    """How often a word was expected in new pairs of the held-out sentences, and how often it came."""
    total, came, *expected = rival_in_new_pairs()
    found = {"absolute": expected[0], "kneser_ney": expected[1], "came": came}
    rows = [
        draw_row(
            WORDS.label(f"row.expected.{name}"),
            value,
            f"{value:.1f}" if name != "came" else f"{value}",
            f"row.{name}",
            "best" if name == "came" else "plain",
            "green" if name == "came" else "blue",
            WORDS.label("note.came" if name == "came" else "note.expected"),
        )
        for name, value in found.items()
    ]
    counted = play_counts()
    tokens, _ = unseen_tokens(play_model("Kneser-Ney"), counted.read(OTHER))
    likeliest = [counted.name(token) for token in tokens if token != counted.vocabulary[END]][:2]
    values = {**found, "total": total, "word": RIVALS[0], "other": OTHER, "likeliest": likeliest}
    picture = join_panels(draw_panel(WORDS.label("title.expected", word=RIVALS[0]), rows))
    return Part("layer_bars", picture, values, in_lab(OTHER, smoothing="Kneser-Ney"))


def do_own(settings: Settings) -> Part:
    """What four ways give to the learner's own word after a word of the play."""
    counted = play_counts()
    typed = words_of(settings.word)
    word = typed[-1] if typed else NEW
    known = word in counted.vocabulary and word != UNKNOWN
    token = counted.vocabulary[word if known else UNKNOWN]
    context = counted.read(CONTEXT)
    chances = {way: float(play_model(way).scores(context)[token]) for way in WAYS}
    rows = [
        draw_row(
            WORDS.label(f"way.{way.replace(' ', '_').replace('-', '_')}"),
            p,
            one_in(p),
            f"way.{i}",
            "best" if p == max(chances.values()) else "plain",
        )
        for i, (way, p) in enumerate(chances.items())
    ]
    values = {
        "known": known,
        "readable": bool(typed),
        "several": len(typed) > 1,
        "read": word,
        "count": counted.counts.count((*context, token)),
        "total": counted.counts.count(context),
        "p": [one_in(p) for p in chances.values()],
    }
    title = WORDS.label("title.own", context=CONTEXT, word=word)
    return Part(
        "layer_bars",
        join_panels(draw_panel(title, rows, 1.2 * max(chances.values()))),
        values,
        in_lab(smoothing="Kneser-Ney"),
    )


def show_scores(settings: Settings) -> Part:
    """Kneser-Ney's probabilities after a word, and the scores of stupid back-off, which sum to more than 1."""
    rows = [seen_after(CONTEXT, name) for name in ("Kneser-Ney", SCORES)]
    factor = SMOOTHINGS[SCORES].default
    values = {"sum": rows[1].unseen + sum(rows[1].seen), "factor": factor}
    figure = mass_figure(rows, 1.0, WORDS.label("line.one"))
    return figure_of(figure, values, in_lab(smoothing=SCORES))


def show_answer(settings: Settings) -> Part:
    """What three ways give to all unseen words on the held-out sentences, beside how often they came."""
    given = {"none": 0.0, "add-alpha": mass_on_held_out("add-alpha")}
    given["Kneser-Ney"] = mass_on_held_out("Kneser-Ney")
    rows = [
        Mass(WORDS.label(f"row.given.{name.replace('-', '_')}", p=p), p, [1 - p]) for name, p in given.items()
    ]
    values = {"truth": new_runs(2), "one": given["add-alpha"], "p": given["Kneser-Ney"]}
    return figure_of(mass_figure(rows, **truth_line()), values, in_lab(smoothing="Kneser-Ney"))


STORY = (
    look("zero", show_zero),
    ask("new", ask_new),
    look("laplace", show_laplace),
    do("amount", do_amount, ALPHA),
    look("discount", show_discount),
    ask("rivals", ask_rivals),
    look("proof", show_proof),
    do("own", do_own, OWN),
    look("scores", show_scores),
    end("answer", show_answer),
)


# The lab: what one smoothing moves after a context of the learner's text.


def lab() -> None:
    """What one smoothing moves after a context; who gets it; all ways side by side; what is impossible without."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source(PLAY)
        with LESSON.options():
            broken = LESSON.draw(RAW)
        counted = choose_counts(LESSON, document, remarks)
        order = choose_order(LESSON)
        context = choose_context(counted, order, remarks)
        chosen = choose_smoothing(LESSON, SMOOTHING.default, without_none=True, without_scores=False)
    smoothing = NO_SMOOTHING if broken else chosen
    model = smoothing.fit(counted.counts, order)
    moved = moved_mass(model, context)
    h = counted.counts.look_back(context, order - 1)
    with stage:
        about = f"{h}_{chosen.name}_{chosen.arguments}_{broken}_{len(counted.training)}"
        choices = {name: WORDS.label(f"guess.{name}") for name in SHARES}
        answer = choices[SHARES[(moved.unseen_mass >= 0.1) + (moved.unseen_mass > 0.5)]]
        if revealed := LESSON.ask(WORDS.label("question"), list(choices.values()), answer, about):
            show_moved(counted, h, moved, model)
    if broken:
        show_impossible(document, counted.unit, order, chosen)
    if revealed:
        show_folds(document, counted, model, context)
        LESSON.every_number(WORDS.label("table"), seen_table, counted, model, context, moved)
    fit = SMOOTHINGS[smoothing.name].fit
    estimates = [estimated_discounts] if fit is kneser_ney and not smoothing.arguments else []
    LESSON.close_lab(
        code=[fit, *estimates, plain_level, discounted_level, NgramModel.scores, moved_mass, unseen_tokens],
        parameters={
            "sample": sample_in_use(),
            "unit": counted.unit,
            "order": order,
            "smoothing": fit.__name__,
            "arguments": smoothing.arguments,
            "context": list(map(int, context)),
        },
        prompts={
            "ten": {"smoothing": "add-alpha", "alpha": 10.0},
            "kneser_ney": {"smoothing": "Kneser-Ney", "n": 3, "unseen": True},
            "scores": {"smoothing": SCORES, "n": 3},
            "raw": {"raw": True, "n": 3},
        },
        credits=SHARED.entries("sources"),
    )


def choose_context(counted: CountedText, order: int, remarks) -> list[int]:
    """Draw the field for a context, in the address as `<lesson>_<unit>_after`, and return its tokens' ids."""
    example = example_context(counted, order)
    written = counted.write(example)
    label, about = WORDS.label("after"), WORDS.label("after.help")
    typed = type_tokens(LESSON, counted, "after", label, written, about)
    with remarks:
        return read_run(counted, typed, example, WORDS.label("instead", context=written))


def example_context(counted: CountedText, order: int) -> list[int]:
    """Return the most frequent context of a model of `order` seen at most V times and before five types or more.

    Adding one to every count then moves a good part of its probability. If there is none, the most frequent.
    """
    if order == 1:
        return []
    marks = {counted.vocabulary[END], counted.vocabulary[UNKNOWN], len(counted.vocabulary)}
    runs = [run for run in most_frequent(counted.counts, order - 1, 500) if marks.isdisjoint(run.tokens)]
    varied = (
        run
        for run in runs
        if run.count <= len(counted.vocabulary) and len(counted.counts.continuations(run.tokens)) >= 5
    )
    chosen = next(varied, runs[0] if runs else None)
    return list(chosen.tokens) if chosen else [most_frequent_token(counted)]


def show_moved(counted: CountedText, h: Sequence[int], moved: MovedMass, model: NgramModel) -> None:
    """Draw what the unseen tokens get together and what each seen one keeps, and say it; of scores, their sum."""
    seen, given = len(moved.tokens), moved.unseen_mass
    total = given + float(moved.after.sum())
    values = {
        "context": counted.write(h),
        "seen": seen,
        "unseen": moved.unseen,
        "V": seen + moved.unseen,
        "p": given,
        "sum": total,
        "normalised": model.normalised,
        "times": int(sum(count for _, count in counted.counts.continuations(h))),
    }
    names = [counted.name(token) for token in moved.tokens[:8]]
    rows = [
        Mass(
            WORDS.label("row.before", n=seen),
            0.0,
            moved.before.tolist(),
            WORDS.label("bar.before"),
            *names[:1],
        ),
        Mass(
            WORDS.label("row.after_smoothing", p=moved.unseen_mass, n=moved.unseen),
            moved.unseen_mass,
            moved.after.tolist(),
            WORDS.label("bar.after"),
            *names[:1],
        ),
    ]
    LESSON.figure("figure", mass_figure(rows, height=270), WORDS.label("lab.alt", **values))
    LESSON.say("says.moved", values)
    if seen:
        LESSON.figure("words", words_figure(moved, names), WORDS.label("words.alt", **values))


def show_folds(document: Document, counted: CountedText, model: NgramModel, context: Sequence[int]) -> None:
    """Show which unseen tokens get most, and what every way gives after the same context."""
    if box := LESSON.fold("unseen"):
        with box:
            show_unseen(counted, model, context)
    if box := LESSON.fold("ways"):
        with box:
            h = counted.counts.look_back(context, model.order - 1)
            show_every_smoothing(every_smoothing(document, counted.unit, model.order, h))


@cached(64, 16, shared=is_sample)
def impossible(document: Document, unit: str, order: int, smoothing: str, arguments: tuple) -> float:
    """Return the share of the held-out tokens that a smoothing calls impossible."""
    held = counts_of(document, unit, hold_out=EVERY)
    return impossible_share(
        ChosenSmoothing(smoothing, dict(arguments)).fit(held.counts, order), held.held_out
    )


def show_impossible(document: Document, unit: str, order: int, smoothing: ChosenSmoothing) -> None:
    """Show the share of held-out tokens that have no probability at all, with the smoothing and without it."""
    held = counts_of(document, unit, hold_out=EVERY)
    counted, rest = held.different
    values = {"counted": counted, "rest": rest, "tokens": len(held.held_out), "few": FEW, "n": order}
    st.markdown(WORDS.markdown("says.held", **values, characters=held.unit != "words"))
    if len(held.held_out):
        whole, broken = (
            impossible(document, unit, order, way.name, tuple(way.arguments.items()))
            for way in (smoothing, NO_SMOOTHING)
        )
        LESSON.compare("raw", whole, broken, ".1%", more_is_better=False)
        if whole == broken:
            st.markdown(WORDS.markdown("says.same", **values))


def show_unseen(counted: CountedText, model: NgramModel, context: Sequence[int]) -> None:
    """Draw which of the unseen tokens get the most, against an even share, and say how uneven it is."""
    tokens, p = unseen_tokens(model, context)
    some = {counted.name(token): float(each) for token, each in zip(tokens[:8], p, strict=False)}
    if p.any():
        alt = WORDS.label("unseen.alt")
        LESSON.figure("unseen_bars", shares_figure(some, float(p.mean())), alt)
    values = {
        "n": len(p),
        "any": bool(p.any()),
        "even": bool(len(p) and np.isclose(p[0], p[-1])),
        "first": next(iter(some), ""),
        "times": float(p[0] / p.mean()) if p.any() else 0.0,
    }
    st.markdown(WORDS.markdown("says.unseen", **values))


@cached(128, 32, shared=is_sample)
def every_smoothing(
    document: Document, unit: str, order: int, h: tuple[int, ...]
) -> dict[str, tuple[float, float]]:
    """Return what every smoothing, its parameter at the default, gives after h: to the unseen tokens, to the seen."""
    counts = counts_of(document, unit).counts
    every = {name: moved_mass(standard(name).fit(counts, order), h) for name in SMOOTHINGS}
    return {name: (moved.unseen_mass, float(moved.after.sum())) for name, moved in every.items()}


def show_every_smoothing(every: Mapping[str, tuple[float, float]]) -> None:
    """Show the table of what every smoothing moves after this context."""
    columns = [WORDS.label(f"column.{name}") for name in ("smoothing", "unseen", "seen", "sum")]
    rows = [(name_smoothing(name), unseen, seen, unseen + seen) for name, (unseen, seen) in every.items()]
    bars = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    table = pd.DataFrame(rows, columns=columns)
    LESSON.table("every", table, WORDS.label("ways.alt"), column_config={columns[1]: bars})


def seen_table(counted: CountedText, model: NgramModel, context: Sequence[int], moved: MovedMass) -> tuple:
    """Return the table of the seen tokens' counts and probabilities before and after, and the formula of its cells."""
    h, tokens = counted.counts.look_back(context, model.order - 1), moved.tokens[:ROWS_AT_MOST]
    total = counted.counts.count(h) if h else len(counted.training)
    after = moved.after[:ROWS_AT_MOST]
    columns = {
        "token": [counted.name(token) for token in tokens],
        "count": [counted.counts.count((*h, int(token))) for token in tokens],
        "before": moved.before[:ROWS_AT_MOST],
        "after": after,
        "adjusted": after * total,
    }
    smoothed = {WORDS.label(f"column.{name}") for name in ("after", "adjusted")}

    def formula(row: int, column: str) -> str | None:
        return worked(counted, model, context, tokens[row]) if column in smoothed else None

    return pd.DataFrame({WORDS.label(f"column.{name}"): each for name, each in columns.items()}), formula
