"""Zipf's law: what the story shows of the words of Hamlet, and the lab on the learner's text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import streamlit as st

from core.figures.tokens.zipf import covered_figure, growth_figure, growth_table, rank_figure, words_table
from core.lesson.cached import cached, is_sample
from core.lesson.settings import Choice, Settings, Switch
from core.lesson.story import SAMPLE, Part, ask, do, end, look
from core.lesson.text_source import reading, sample_in_use, text_source
from core.models.tokens.word_forms import (
    AS_WRITTEN,
    LEMMAS,
    STEMS,
    lemma,
    merged_most,
    stem,
    word_forms,
)
from core.models.tokens.zipf import (
    STOP_WORDS,
    HeapsFit,
    RankedWords,
    ZipfFit,
    drawn_distances,
    fit_heaps,
    fit_zipf,
    frequency_classes,
    monkey_tokens,
    rank_words,
    rarer_half,
    share_of_stop_words,
    type_growth,
    types_for,
    without_stop_words,
    zipf_probabilities,
)
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words
from core.words.plain import plain
from pages.tokens.zipf import LESSON
from pages.tokens.zipf.figures import draw_classes, draw_common, draw_coverage, draw_growth, draw_ranks

WORDS = LESSON.words
PLAY, WORLD, FRENCH, LIGHTHOUSE = "hamlet", "micro-world", "le-marche", "the-lighthouse"
TOKENS_AT_MOST = 200_000
ROWS_AT_MOST = 2_000
ROUNDING = 1e-9  # of D: with two words every text follows the law exactly, but for the computer's rounding
TOP = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000)
JUDGED_FROM = 1000  # tokens: in a shorter text neither law can be judged
ENGLISH_FROM = 0.35  # share of stop words: every play has more, a German text can have 0.32
FORM_IDS = {"written": AS_WRITTEN, "stems": STEMS, "lemmas": LEMMAS}
RANGES = {"units": 9, "tens": 99, "hundreds": 999, "thousands": np.inf}

# The story.
COMMON = 10  # bars
BY_HAND = (10, 100)  # ranks whose product with the count is worked out
CLASSES = (1, 2, 3, 10, 100)
COVERED = (0.5, 0.8, 0.9, 0.95)
START = 3000  # words at the start of the play whose half is counted too
GUESSED_HALF = ("69", "690", "1400", "2300")
NONE, FEW, MANY, SAME = "none", "few", "many", "same"
FEWER, LIKE, MORE = "fewer", "like", "more"
NOTHING = Settings({})
COUNTED = Choice("counted", "lemmas", tuple(FORM_IDS))
TEXT = Choice("text", "world", ("world", "macbeth", "lighthouse", "french"))
TEXTS = {"world": WORLD, "macbeth": "macbeth", "lighthouse": LIGHTHOUSE, "french": FRENCH}

# The lab.
LOWER, STOPS, MONKEY = Switch("lower", True), Switch("stops"), Switch("monkey")
FORM = Choice("form", "written", tuple(FORM_IDS), {AS_WRITTEN: "written"})
LAB = (LOWER, STOPS, FORM, MONKEY, Switch("how_good"), Switch("new_words"))


@dataclass(frozen=True)
class Curves:
    """What is measured in some tokens: their ranks with the law, and how their types grow."""

    ranked: RankedWords
    fit: ZipfFit
    drawn: np.ndarray
    growth: np.ndarray
    heaps: HeapsFit
    merged: tuple[str, list[str]]  # the form that stands for most types, and those
    cut: bool  # whether the text goes on after the tokens that were read
    english: float  # share of English stop words as written

    @cached_property
    def half(self) -> int:
        """Return how many types are half of the tokens."""
        return types_for(self.ranked, 0.5)

    @property
    def verdict(self) -> str:
        """Return whether the tokens follow the law: "short" where they are too few, else "no", "near" or "open"."""
        if len(self.growth) < JUDGED_FROM:
            return "short"
        if self.fit.distance > self.drawn.max() + ROUNDING:
            return "no"
        return "near" if self.fit.distance < self.drawn.min() - ROUNDING else "open"


def measured(tokens: list[str], merged: tuple[str, list[str]], cut: bool, english: float) -> Curves:
    """Return what is measured in some tokens. Raises ValueError where they are too few."""
    ranked, growth = rank_words(tokens), type_growth(tokens)
    fit = fit_zipf(ranked.counts)
    drawn = drawn_distances(fit, len(tokens))
    return Curves(ranked, fit, drawn, growth, fit_heaps(growth), merged, cut, english)


# The story: Hamlet.


@cache
def tokens_of_sample(name: str) -> tuple[str, ...]:
    """Return the words of a text of the shelf, in lower case."""
    return tuple(words(sample(name).read().text)[:TOKENS_AT_MOST])


@cache
def sample_curves(name: str = PLAY, form: str = AS_WRITTEN) -> Curves:
    """Return what is measured in a text of the shelf."""
    written = list(tokens_of_sample(name))
    tokens = word_forms(written, form)
    return measured(tokens, merged_most(written, tokens), False, share_of_stop_words(written))


@cache
def typed_curves() -> Curves:
    """Return what is measured in as many characters as the play has, drawn at random from them."""
    return measured(monkey_tokens(tokens_of_sample(PLAY)), ("", []), False, 0.0)


def base(settings: Settings = NOTHING) -> dict[str, object]:
    """Return what all beats name: the play's words, the different ones, and how many are half."""
    play = sample_curves()
    ranked = play.ranked
    return {
        "revealed": settings.revealed,
        "N": len(play.growth),
        "V": len(ranked.types),
        "half": play.half,
        "first": ranked.types[0],
        "times": int(ranked.counts[0]),
        "s": play.fit.exponent,
    }


def in_lab(**state: object) -> dict[str, object]:
    """Return the lab's settings that show the play."""
    return {SAMPLE: sample(PLAY).title, **state}


def figure_part(figure, values: dict, lab: dict, **more) -> Part:
    """Return the part of a beat whose picture is a figure."""
    return Part("figure", {"figure": figure.to_dict()}, values, lab, **more)


def show_common(settings: Settings) -> Part:
    """The most frequent words."""
    ranked = sample_curves().ranked
    values = base(settings) | {"most": COMMON, "share": float(ranked.covered[COMMON - 1])}
    return Part("layer_bars", draw_common(WORDS.label, ranked, COMMON, "written"), values, in_lab())


def ask_half(settings: Settings) -> Part:
    """The share of the text that the first words cover; the answer goes on to half."""
    play = sample_curves()
    last = len(play.ranked.types) if settings.revealed else COMMON
    marks = {COMMON: percent_at(play, COMMON)}
    if settings.revealed:
        marks = {play.half: WORDS.label("mark.words", k=play.half, share=0.5)}
    figure = draw_coverage(WORDS.label, play.ranked, last, marks)
    values = base(settings) | {
        "most": COMMON,
        "share": float(play.ranked.covered[COMMON - 1]),
        "part": play.half / len(play.ranked.types),
    }
    return figure_part(figure, values, in_lab(), choices=GUESSED_HALF, answer=str(play.half))


def percent_at(play: Curves, k: int) -> str:
    """Return what stands at the point of the top k words."""
    return WORDS.label("mark.words", k=k, share=float(play.ranked.covered[k - 1]))


def show_classes(settings: Settings) -> Part:
    """How many different words are rare, and how much of the text they are."""
    ranked = sample_curves().ranked
    classes = frequency_classes(ranked.counts, CLASSES)
    names = [WORDS.label(f"class.{low}") for low in CLASSES]
    V = len(ranked.types)
    values = base(settings) | {
        "once": classes[0][0],
        "once_types": classes[0][0] / V,
        "once_tokens": classes[0][1],
        "top": classes[-1][0],
        "top_tokens": classes[-1][1],
    }
    return Part("layer_bars", draw_classes(WORDS.label, names, classes, V), values, in_lab())


def show_line(settings: Settings) -> Part:
    """Counts against ranks on logarithmic axes."""
    play = sample_curves()
    ranked = play.ranked
    by_hand = [(r, ranked.types[r - 1], int(ranked.counts[r - 1])) for r in BY_HAND]
    values = base(settings) | {"by_hand": by_hand}
    return figure_part(draw_ranks(WORDS.label, sample(PLAY).title, ranked, play.fit), values, in_lab())


def show_law(settings: Settings) -> Part:
    """The share that the top words cover, in the text and by the law, and the widest gap."""
    play = sample_curves()
    values = base(settings) | {
        "D": play.fit.distance,
        "at": play.fit.farthest,
        "law_share": float(play.fit.probabilities[0]),
        "first_share": float(play.ranked.covered[0]),
        "least": float(play.drawn.min()),
        "largest": float(play.drawn.max()),
        "draws": len(play.drawn),
    }
    figure = draw_coverage(WORDS.label, play.ranked, len(play.ranked.types), {}, play.fit)
    return figure_part(figure, values, in_lab(how_good=True))


def ask_growth(settings: Settings) -> Part:
    """The different words in the first half of the play; the answer goes on to its end."""
    growth = sample_curves().growth
    half = len(growth) // 2
    before = int(growth[half - 1])
    new = int(growth[-1]) - before
    answer = NONE if new < 100 else FEW if new < before / 3 else MANY if new < 0.9 * before else SAME
    values = base(settings) | {"before": before, "new": new}
    figure = draw_growth(WORDS.label, growth, len(growth) if settings.revealed else half)
    lab = in_lab(new_words=True)
    return figure_part(figure, values, lab, choices=(NONE, FEW, MANY, SAME), answer=answer)


def do_forms(settings: Settings) -> Part:
    """The most frequent stems or lemmas."""
    other = sample_curves(PLAY, FORM_IDS[settings.counted])
    one, types = other.merged
    values = base(settings) | {
        "counted": settings.counted,
        "v": len(other.ranked.types),
        "head": one,
        "place": other.ranked.types.index(one) + 1,
        "listed": types[:4],
        "n": len(types),
    }
    picture = draw_common(WORDS.label, other.ranked, COMMON, settings.counted)
    return Part("layer_bars", picture, values, in_lab(form=settings.counted))


def ask_monkey(settings: Settings) -> Part:
    """The play's ranks; the answer adds those of characters typed at random."""
    play, typed = sample_curves(), typed_curves()
    ratio = typed.half / play.half
    answer = FEWER if ratio < 0.5 else LIKE if ratio < 2 else MORE
    values = base(settings) | {
        "typed": typed.half,
        "once": float(np.mean(typed.ranked.counts == 1)),
        "D": play.fit.distance,
        "D_typed": typed.fit.distance,
        "letters": next(i for i, word in enumerate(typed.ranked.types) if len(word) > 1),
        "example": plain(" ".join(monkey_tokens(tokens_of_sample(PLAY))[:6])[:40]),
    }
    if settings.revealed:
        before = (sample(PLAY).title, play.ranked)
        figure = draw_ranks(WORDS.label, WORDS.label("line.typed"), typed.ranked, None, before, named=False)
    else:
        figure = draw_ranks(WORDS.label, sample(PLAY).title, play.ranked, named=False)
    choices = (FEWER, LIKE, MORE)
    return figure_part(figure, values, in_lab(monkey=True), choices=choices, answer=answer)


def do_text(settings: Settings) -> Part:
    """Counts against ranks in another text, beside the play's."""
    name = TEXTS[settings.text]
    play, other = sample_curves(), sample_curves(name)
    values = base(settings) | {
        "title": sample(name).title,
        "n": len(other.growth),
        "v": len(other.ranked.types),
        "h": other.half,
        "verdict": other.verdict,
        "exponent": other.fit.exponent,
        "made": name == WORLD,
    }
    before = (sample(PLAY).title, play.ranked)
    figure = draw_ranks(WORDS.label, sample(name).title, other.ranked, None, before, named=False)
    return figure_part(figure, values, {SAMPLE: sample(name).title})


def show_answer(settings: Settings) -> Part:
    """How many words cover a half and more of the play."""
    play = sample_curves()
    needed = {share: types_for(play.ranked, share) for share in COVERED}
    marks = {k: WORDS.label("mark.words", k=k, share=share) for share, k in needed.items()}
    figure = draw_coverage(WORDS.label, play.ranked, len(play.ranked.types), marks)
    start = rank_words(tokens_of_sample(PLAY)[:START])
    values = base(settings) | {"most_of": needed[0.95], "start": START, "start_half": types_for(start, 0.5)}
    return figure_part(figure, values, in_lab())


STORY = (
    look("common", show_common),
    do("heads", do_forms, COUNTED),
    ask("half", ask_half),
    look("rare", show_classes),
    look("line", show_line),
    look("law", show_law),
    ask("growth", ask_growth),
    ask("typed", ask_monkey),
    do("others", do_text, TEXT),
    end("answer", show_answer),
)


# The lab: ranks and counts; how good the law is; what a monkey types; how the types grow; every number.


def lab() -> None:
    """Ranks and counts; how good the law is; what a monkey types; how the types grow; every number."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source(PLAY)
        form = FORM_IDS[LESSON.draw(FORM)]
        k = LESSON.select_slider("k", WORDS.label("k"), TOP, value=100, width=220)
        broken = LESSON.draw(MONKEY)
        with LESSON.options():
            lower = LESSON.draw(LOWER)
            listed = ", ".join(sorted(STOP_WORDS))
            stops = LESSON.draw(STOPS, help=WORDS.label("stops.listed", n=len(STOP_WORDS), listed=listed))
    try:
        whole = curves(document, lower, stops, form)
        used = monkey_curves(document, lower, stops, form) if broken else whole
        written = curves(document, lower, False, AS_WRITTEN)
    except ValueError as error:
        stage.warning(str(error))
    else:
        show(document, (lower, stops, form, broken), (written, whole, used), k, stage)
    LESSON.close_lab(
        code=[
            *(stem, lemma, word_forms, rank_words, zipf_probabilities, fit_zipf, drawn_distances, types_for),
            *(frequency_classes, type_growth, fit_heaps, monkey_tokens),
        ],
        parameters={
            "sample": sample_in_use(),
            "lower": lower,
            "stops": stops,
            "form": form,
            "monkey": broken,
        },
        prompts={
            "world": {SAMPLE: sample(WORLD).title},
            "stops": in_lab(stops=True),
            "lemmas": in_lab(form="lemmas"),
            "monkey": in_lab(monkey=True),
        },
    )


@cached(36, 12, shared=is_sample)
def curves(document: Document, lower: bool, stops: bool, form: str) -> Curves:
    """Return what is measured in a text's first tokens. Raises ValueError where they are too few."""
    written, cut = tokens_of(document, lower, stops)
    tokens = word_forms(written, form)
    english = share_of_stop_words(tokens_of(document, lower, False)[0])
    return measured(tokens, merged_most(written, tokens) if tokens else ("", []), cut, english)


@cached(8, 3, shared=is_sample)
def monkey_curves(document: Document, lower: bool, stops: bool, form: str) -> Curves:
    """Return what is measured in as many characters as a text's tokens have, typed by a monkey."""
    whole = curves(document, lower, stops, form)  # a text that is too short is so before the monkey types
    tokens = word_forms(tokens_of(document, lower, stops)[0], form)
    return measured(monkey_tokens(tokens), whole.merged, whole.cut, whole.english)


@cached(8, 4, shared=is_sample)
def tokens_of(document: Document, lower: bool, stops: bool) -> tuple[list[str], bool]:
    """Return a text's first tokens, and whether there are more."""
    if stops:
        tokens, cut = tokens_of(document, lower, False)
        return without_stop_words(tokens), cut
    every = reading(document).tokens if lower else words(document.text, lower)
    return every[:TOKENS_AT_MOST], len(every) > TOKENS_AT_MOST


def show(document: Document, chosen: tuple, found: tuple[Curves, Curves, Curves], k: int, stage) -> None:
    """Draw the ranks, once a learner who predicts has guessed how many words are half, and the folded sections."""
    lower, stops, form, broken = chosen
    written, whole, used = found
    k = min(k, len(used.ranked.types))
    switched = stops or form != AS_WRITTEN
    with stage:
        bands = {name: WORDS.label(f"band.{name}") for name in RANGES}
        answer = next(bands[name] for name, most in RANGES.items() if used.half <= most)
        about = f"{document.digest[:16]}_{lower}_{stops}_{form}_{broken}"
        if revealed := LESSON.ask(WORDS.label("guess"), list(bands.values()), answer, about):
            show_ranks(whole if broken else written if switched else None, used, k, broken)
            if switched:
                show_switched(written, whole, stops, form)
    if revealed:
        if broken:
            show_monkey(whole, used)
        if box := LESSON.fold("how_good"):
            with box:
                show_fit(used, k)
    if box := LESSON.fold("new_words"):
        with box:
            show_growth(used)
    LESSON.every_number(WORDS.label("table.growth"), growth_table, used.growth, used.heaps)
    if revealed:
        V = len(used.ranked.types)
        LESSON.every_number(
            WORDS.label("table.words", cut=V > ROWS_AT_MOST, rows=ROWS_AT_MOST),
            words_table,
            used.ranked,
            used.fit,
            ROWS_AT_MOST,
        )


def show_ranks(before: Curves | None, used: Curves, k: int, broken: bool) -> None:
    """Draw counts against ranks, beside those before a switch was turned on or the monkey came; say what k cover."""
    values = {
        "V": len(used.ranked.types),
        "N": len(used.growth),
        "s": used.fit.exponent,
        "k": k,
        "share": float(used.ranked.covered[k - 1]),
        "half": used.half,
    }
    name = WORDS.label("line.yours" if broken else "line.written")
    figure = rank_figure(used.ranked, used.fit, k, before and before.ranked, name)
    LESSON.figure("ranks", figure, WORDS.label("ranks.alt", **values))
    LESSON.caption(WORDS.markdown("says.covered", **values))
    LESSON.set_values(
        **{name: f"{values[name]:,}" for name in ("half", "N", "V")}, s=f"{used.fit.exponent:.2f}"
    )
    if used.cut:
        st.caption(WORDS.label("cut", most=TOKENS_AT_MOST))


def show_switched(written: Curves, whole: Curves, stops: bool, form: str) -> None:
    """Say what the switches that are on do to the tokens, the types, the exponent and the fit."""
    one, types = whole.merged
    st.markdown(
        WORDS.markdown(
            "says.switched",
            stops=stops,
            form="" if form == AS_WRITTEN else form,
            N=[len(each.growth) for each in (written, whole)],
            V=[len(each.ranked.types) for each in (written, whole)],
            s=[each.fit.exponent for each in (written, whole)],
            D=[round(each.fit.distance, 3) for each in (written, whole)],
            judged=whole.verdict != "short",
            english=written.english >= ENGLISH_FROM,
            head=one[:30],
            n=len(types),
            listed=[word[:30] for word in types[:8]],
        )
    )


def show_monkey(whole: Curves, used: Curves) -> None:
    """Compare the monkey's words with the text's."""
    LESSON.compare("half", whole.half, used.half, ",.0f", more_is_better=False)
    st.info(
        WORDS.markdown(
            "says.monkey",
            falls=bool(used.ranked.counts[0] > used.ranked.counts[-1]),
            s=[used.fit.exponent, whole.fit.exponent],
            D=[used.fit.distance, whole.fit.distance],
            once=[float(np.mean(each.ranked.counts == 1)) for each in (used, whole)],
            judged=whole.verdict != "short",
        )
    )


def show_fit(used: Curves, k: int) -> None:
    """Draw the coverage beside the law's, and say how far apart they are and what happens at both ends."""
    fit, ranked, drawn = used.fit, used.ranked, used.drawn
    N, p = len(used.growth), ranked.counts / ranked.counts.sum()
    LESSON.figure("covered", covered_figure(ranked, fit, k), WORDS.label("covered.alt", D=fit.distance))
    values = {
        "D": fit.distance,
        "least": float(drawn.min()),
        "largest": float(drawn.max()),
        "verdict": used.verdict,
        "N": N,
        "judged_from": JUDGED_FROM,
        "draws": len(drawn),
        "times": int(ranked.counts[0]),
        "law_times": N * float(fit.probabilities[0]),
        "rare": rarer_half(p),
        "law_rare": rarer_half(fit.probabilities),
    }
    LESSON.caption(WORDS.markdown("says.fit", **values))
    st.markdown(WORDS.markdown("says.ends", **values))


def show_growth(used: Curves) -> None:
    """Draw types against tokens with Heaps' law, and say how new the end of the text still is."""
    growth, N = used.growth, len(used.growth)
    before = int(growth[N // 2 - 1])
    values = {
        "N": N,
        "V": int(growth[-1]),
        "before": before,
        "new": int(growth[-1]) - before,
        "b": used.heaps.exponent,
        "at_end": float(used.heaps.at(N)),
    }
    values["fits"] = abs(values["at_end"] / values["V"] - 1) < 0.05
    LESSON.figure("growth", growth_figure(growth, used.heaps), WORDS.label("growth.figure.alt", **values))
    LESSON.caption(WORDS.markdown("says.growth", **values))
