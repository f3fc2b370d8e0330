"""Five methods on one text: what its story shows beat by beat, and its lab on any word and any text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import streamlit as st
from scipy.stats import norm

from core.figures.layer_bars import join_panels
from core.figures.word_vectors.shoot_out import overlap_figure
from core.lesson.cached import cached
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import SAMPLE, Part, ask, do, end, look
from core.lesson.text_source import reading, sample_in_use, text_source
from core.lesson.training_job import Bench
from core.models.stored import load_card, sha256_of_text
from core.models.tokens.zipf import STOP_WORDS
from core.models.word_vectors.glove import Glove, adagrad, half_gradients, weight
from core.models.word_vectors.near_matrix import near_matrix
from core.models.word_vectors.ppmi_svd import PpmiSvd, ppmi
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.shoot_out import (
    COUNTING,
    METHODS,
    MODEL,
    PARTS,
    ShootOutProgress,
    ShootOutSettings,
    epochs_for,
    fit_each,
    load_recorded_run,
    recorded_text,
)
from core.models.word_vectors.shoot_out_board import (
    FEW,
    GRAMMAR,
    MEANING,
    Board,
    Score,
    after_passes,
    analogies_by_kind,
    best_method,
    board_of_text,
    correlation_difference,
    cosines_of,
    known_pairs,
    leaders,
    level_with_best,
    measure_for,
    measure_loss_of_quality,
    named_by,
    nearest_each,
    nearest_recorded,
    rated_pairs,
    recorded_board,
    scores_on_text,
    tuning,
)
from core.models.word_vectors.vector_tests import spearman_interval, word_similarity
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors, stored_vectors
from core.text.reading.documents import Document
from pages.word_vectors.shared.aligned_maps import aligned, draw_maps
from pages.word_vectors.shared.word_choice import THEMES, themes_of, usual_words
from pages.word_vectors.shoot_out import EXAMPLES, LESSON
from pages.word_vectors.shoot_out.figures import (
    draw_board,
    draw_rated,
    label_columns,
    method_panel,
    methods_table,
    rated_table,
    scores_figure,
    worked_method,
)

WORDS = LESSON.words
WHOLE, TENTH_PART = PARTS
MIX, YOURS, WORLD = "mix", "text", "world"
K, STORY_K = 6, 5  # neighbours on the board
SHOWN = "CBOW"  # the method whose cosines are drawn against people's ratings
NAMED = (
    "king cabbage",
    "day summer",
    "soap opera",
    "midday noon",
)  # rated pairs that have their words in the picture
FEWER = 3  # passes
MILLION = 1_000_000
SIMILARITY_REACH, ANALOGY_REACH = 0.72, 0.56  # of the bars' scales
ENDING = "ing"

CORPUS = Choice("corpus", MIX, (MIX, YOURS), {"six million words": MIX, "your text": YOURS})
WORD = Text("word", "king", 60)
OWN = Text("word", "music", 60)
TENTH = Switch("tenth")
DIMENSION = Slider("dimension", 50, 2, 100)
WINDOW = Slider("window", 5, 1, 10)
LEAST = Slider("min", 2, 1, 20)
LAB = (CORPUS, WORD, TENTH, DIMENSION, WINDOW, LEAST)


# The story: what each beat shows.


def show_text(settings: Settings) -> Part:
    """The nearest words of one word by each method."""
    near = nearest_recorded(MIX, WHOLE, settings.word, STORY_K)
    counts = named_by(near)
    values = {
        "word": settings.word,
        "different": len(counts),
        "slots": sum(map(len, near.values())),
        "everywhere": [each for each, count in counts.items() if count == len(near)],
        "first": {method: line[0] for method, line in near.items()},
        **corpus_size(),
    }
    return Part("word_board", draw_board(near, WORDS.label("asked.whole", **values)), values)


def show_examples(settings: Settings) -> Part:
    """How many examples each method learns from."""
    scores = {each.method: each for each in recorded_board(MIX).scores[WHOLE]}
    examples = {method: each.examples / MILLION for method, each in scores.items()}
    texts = {method: WORDS.label("millions", n=value) for method, value in examples.items()}
    passes = passes_of()
    most = 1.05 * max(examples.values())
    panel = method_panel("examples", examples, texts, most, noted=True, passes=passes)
    values = {
        "passes": passes,
        "cells": scores["PPMI-SVD"].examples / MILLION,
        "tuned": tuned(),
        **corpus_size(),
    }
    return Part("layer_bars", join_panels(panel), values)


def show_rated(settings: Settings) -> Part:
    """Each rated pair: what people say, and what one method says."""
    vectors = vectors_by_method()[SHOWN]
    pairs = known_pairs(vectors)
    values = {"method": SHOWN, "n": len(pairs), "rho": similarities()[SHOWN]}
    said = WORDS.label("rated.rho", **values)
    figure = draw_rated(pairs, cosines_of(vectors), NAMED, "blue", said)
    return Part("figure", {"figure": figure.to_dict()}, values)


def show_after_few(settings: Settings) -> Part:
    """The rank correlations after few passes; until the answer only that of CBOW."""
    few = similarities(FEWER)
    first = max(few, key=few.get)
    hidden = () if settings.revealed else [each for each in METHODS if each != SHOWN]
    panel = similarity_panel(few, (first,) if settings.revealed else (), hidden, True, passes=FEWER)
    ordered = sorted(few, key=few.get, reverse=True)
    cosines = {each: cosines_after(each, FEWER) for each in METHODS}
    gaps = [correlation_difference(cosines[first], cosines[each], ratings()) for each in ordered[1:]]
    values = {
        "passes": FEWER,
        "method": first,
        "shown": SHOWN,
        "rho": few,
        "second": ordered[1],
        "gap": gaps[0],
        "n": len(ratings()),
    }
    return Part("layer_bars", join_panels(panel), values, choices=METHODS, answer=first)


def show_passes(settings: Settings) -> Part:
    """The rank correlations after few passes and after more."""
    few, more = similarities(FEWER), similarities()
    passes = passes_of()
    first = max(more, key=more.get)
    panels = [
        similarity_panel(rho, (max(rho, key=rho.get),), passes=n) for rho, n in ((few, FEWER), (more, passes))
    ]
    values = {
        "few": FEWER,
        "passes": passes,
        "before": few,
        "after": more,
        "method": first,
        "gain": correlation_difference(cosines_after(first, None), cosines_after(first, FEWER), ratings()),
        "gap": {
            each: correlation_difference(cosines_after(first, None), cosines_after(each, None), ratings())
            for each in METHODS
            if each != first
        },
        **larger_skip_gram(),
    }
    return Part("layer_bars", join_panels(*panels), values)


def show_analogies(settings: Settings) -> Part:
    """The share of questions on grammar that each method solves; behind the answer also of those on meaning."""
    kinds = analogies_by_kind()
    shares = {
        kind: {each: kinds[each][kind][0] / kinds[each][kind][1] for each in METHODS}
        for kind in (GRAMMAR, MEANING)
    }
    asked = {kind: kinds[METHODS[0]][kind][1] for kind in (GRAMMAR, MEANING)}
    solved = solved_shares()
    first = max(shares[GRAMMAR], key=shares[GRAMMAR].get)
    if settings.revealed:
        panels = [
            method_panel(GRAMMAR, shares[GRAMMAR], percents(shares[GRAMMAR]), ANALOGY_REACH, (first,)),
            method_panel(MEANING, shares[MEANING], percents(shares[MEANING]), ANALOGY_REACH),
        ]
    else:
        panels = [method_panel(GRAMMAR, shares[GRAMMAR], {}, ANALOGY_REACH, hidden=METHODS, noted=True)]
    others = {each: share for each, share in shares[MEANING].items() if each != first}
    better = max(others, key=others.get)
    values = {
        "method": first,
        "n": sum(asked.values()),
        "asked": asked,
        "solved": solved,
        "share": shares,
        "better": better,
        "p": two_proportions(shares[MEANING][better], shares[MEANING][first], asked[MEANING]),
        "words": len(vectors_by_method()[first].words),
    }
    return Part("layer_bars", join_panels(*panels), values, choices=METHODS, answer=first)


def show_tenth(settings: Settings) -> Part:
    """The nearest words of one word from a tenth of the text; an ending stands out."""
    near = nearest_recorded(MIX, TENTH_PART, settings.word, STORY_K)
    ending = {each: sum(word.endswith(ENDING) for word in line) for each, line in near.items()}
    run = load_recorded_run(MIX)[TENTH_PART]
    cosines = {each.method: cosines_of(each.vectors) for each in run}
    pairs = known_pairs(run[0].vectors)
    people = [rating for *_, rating in pairs]
    values = {
        "n": len(pairs),
        "rho": {each.method: each.similarity.spearman for each in recorded_board(MIX).scores[TENTH_PART]},
        "gap": {
            each: correlation_difference(cosines["PPMI-SVD"], cosines[each], people)
            for each in METHODS
            if each != "PPMI-SVD"
        },
        "word": settings.word,
        "ending": ENDING,
        "k": STORY_K,
        "passes": passes_of(TENTH_PART),
        "count": ending["fastText"],
        "of": ending,
    }
    asked = WORDS.label("asked.tenth", **values)
    return Part("word_board", draw_board(near, asked, (ENDING,)), values, {"tenth": True})


def show_own(settings: Settings) -> Part:
    """The nearest words of the learner's own word, from the whole text or a tenth."""
    part = TENTH_PART if settings.tenth else WHOLE
    vectors = load_recorded_run(MIX)[part][0].vectors
    typed = settings.word.strip()
    try:
        word, known = vectors.words[vectors.row(typed)], True
    except UnknownWordError:
        word, known = OWN.default, False
    near = nearest_each(load_recorded_run(MIX)[part], word, STORY_K)
    counts = named_by(near)
    values = {
        "word": word,
        "typed": typed,
        "known": known,
        "different": len(counts),
        "slots": sum(map(len, near.values())),
        "all": [each for each, count in counts.items() if count == len(near)],
        "size": len(vectors.words),
        **corpus_size(),
    }
    key = "asked.tenth" if settings.tenth else "asked.whole"
    return Part("word_board", draw_board(near, WORDS.label(key, **values)), values)


def show_answer(settings: Settings) -> Part:
    """Both tests after all passes."""
    rho, solved = similarities(), solved_shares()
    first = max(solved, key=solved.get)
    panels = [
        similarity_panel(rho, (best_on_mix(),), name="answer_similarity"),
        method_panel("answer_analogies", solved, percents(solved), ANALOGY_REACH, (first,)),
    ]
    values = {
        "first": best_on_mix(),
        "close": level_with_best(load_recorded_run(MIX)[WHOLE], recorded_board(MIX).scores[WHOLE]),
        "method": first,
        "solved": solved,
        "rho": rho,
        "passes": passes_of(),
    }
    return Part("layer_bars", join_panels(*panels), values)


STORY = (
    look("one_text", show_text, word="dog"),
    look("examples", show_examples),
    look("rated", show_rated),
    ask("similar", show_after_few),
    look("passes", show_passes),
    ask("solved", show_analogies),
    look("spelled", show_tenth, word="king"),
    do("own", show_own, OWN, TENTH),
    end("answer", show_answer),
)


def corpus_size() -> dict[str, object]:
    """Return how many tokens the mix has, in millions."""
    sources = load_card(MODEL).corpus
    tokens = sum(each["tokens"] for name, each in sources.items() if each["sha256"] != recorded_text())
    return {"millions": tokens / MILLION}


def passes_of(part: str = WHOLE) -> int:
    """Return how often a window was slid over the whole mix, or over a tenth of it."""
    config = load_card(MODEL).config
    return config["passes"][MIX] * (1 if part == WHOLE else config["tenth_times"][MIX])


def tuned() -> dict[str, object]:
    """Return how many settings of each method were tried, on how many pairs, and the usual and the best correlation."""
    rows = tuning()
    return {
        "tried": {method: sum(row.method == method for row in rows) for method in METHODS},
        "usual": {row.method: row.spearman for row in rows if row.usual},
        "best": {method: max(row.spearman for row in rows if row.method == method) for method in METHODS},
        "pairs": rows[0].pairs,
        "error": rows[0].standard_error,
    }


def vectors_by_method() -> dict[str, WordVectors]:
    """Return the vectors of the whole mix."""
    return {each.method: each.vectors for each in load_recorded_run(MIX)[WHOLE]}


@cache
def ratings() -> list[float]:
    """Return people's ratings of the pairs that the mix knows."""
    return [rating for *_, rating in known_pairs(load_recorded_run(MIX)[WHOLE][0].vectors)]


@cache
def cosines_after(method: str, passes: int | None) -> np.ndarray:
    """Return a method's cosines of those pairs after so many passes; a method that counts has none to be fewer."""
    if passes is None or method in COUNTING:
        return cosines_of(vectors_by_method()[method])
    return after_passes()[passes][method].cosines


def similarities(passes: int | None = None) -> dict[str, float]:
    """Return each method's rank correlation, after all passes or after fewer."""
    found = {each.method: each.similarity.spearman for each in recorded_board(MIX).scores[WHOLE]}
    fewer = {} if passes is None else {each: some.spearman for each, some in after_passes()[passes].items()}
    return found | fewer


def best_on_mix() -> str:
    """Return the best method on the whole mix by rank correlation."""
    return best_method(recorded_board(MIX).scores[WHOLE], "similarity").method


def solved_shares() -> dict[str, float]:
    """Return the share of Google's analogies that each method solves."""
    return {each.method: each.solved for each in recorded_board(MIX).scores[WHOLE]}


def percents(shares: Mapping[str, float]) -> dict[str, str]:
    """Return shares as a bar's text."""
    return {each: f"{share:.0%}" for each, share in shares.items()}


def similarity_panel(
    rho: Mapping[str, float],
    top: Sequence[str],
    hidden: Sequence[str] = (),
    noted: bool = False,
    name: str = "similarity",
    **values: object,
) -> dict:
    """Return a panel of rank correlations; `values` are for its title."""
    texts = {each: f"{value:.2f}" for each, value in rho.items()}
    return method_panel(name, rho, texts, SIMILARITY_REACH, top, hidden, noted, **values)


def two_proportions(one: float, other: float, n: int) -> float:
    """Return p of two shares of n examples each: z = (a - b) / sqrt(2 m (1 - m) / n), m their mean.

    >>> round(two_proportions(0.5, 0.6, 100), 3)
    0.155
    """
    mean = (one + other) / 2
    return float(2 * norm.sf(abs(one - other) / np.sqrt(2 * mean * (1 - mean) / n)))


@cache
def larger_skip_gram() -> dict[str, object]:
    """Return the rank correlation of the other lessons' skip-gram, which has more dimensions, and ours on its pairs."""
    config, ours = load_card("skipgram").config, vectors_by_method()["skip-gram"]
    larger = stored_vectors("skipgram")
    pairs = [pair for pair in known_pairs(ours) if pair[0] in larger and pair[1] in larger]
    return {
        "dimensions": (load_card(MODEL).config["dimension"], config["dimension"]),
        "larger": word_similarity(larger, pairs).spearman,
        "ours": word_similarity(ours, pairs).spearman,
        "shared": len(pairs),
        "epochs": config["epochs"],
    }


# The lab.


@dataclass(frozen=True, eq=False)
class Shown:
    """What is on the board: the recorded corpus's name or the training's, and its board."""

    key: str
    board: Board
    said: str
    recorded: bool


def lab() -> None:
    """The board: neighbours and scores; a tenth of the text; what each method costs; who agrees with whom; two maps."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        corpus = LESSON.draw(CORPUS)
        document = text_source() if corpus == YOURS else None
        asked = LESSON.draw(WORD, live=True, width=140).strip()
        broken = LESSON.draw(TENTH)
        with LESSON.options():
            settings = own_settings(document) if document else None
    with stage:
        shown = trained(document, settings) if document else Shown(MIX, recorded_board(MIX), "", True)
        if shown:
            show_lesson(shown, asked, broken)
    LESSON.close_lab(
        code=[
            *(near_matrix, ppmi, PpmiSvd.fit, weight, half_gradients, adagrad, Glove.fit),
            *(
                fit_each,
                nearest_each,
                named_by,
                word_similarity,
                spearman_interval,
                correlation_difference,
                procrustes,
            ),
        ],
        parameters={
            "sample": sample_in_use() if document else "",
            "own": bool(document),
            "part": PARTS[broken],
            "word": WORD.default if document else asked,
            "dimension": settings.dimension if settings else DIMENSION.default,
            "window": settings.window if settings else WINDOW.default,
            "min_count": settings.min_count if settings else LEAST.default,
            "epochs": settings.epochs if settings else ShootOutSettings.epochs,
            "seed": settings.seed if settings else ShootOutSettings.seed,
        },
        prompts={
            "bank": {"word": "bank"},
            "france": {"word": "france", "tenth": True},
            "world": {"corpus": YOURS, SAMPLE: EXAMPLES[0]},
        },
        credits=load_card(MODEL).credits,
    )


def own_settings(document: Document) -> ShootOutSettings:
    """Draw the settings of a training of one's own and return them; a short text is read more often."""
    dimension, window, least = (LESSON.draw(each) for each in (DIMENSION, WINDOW, LEAST))
    seed = LESSON.number("seed", WORDS.label("seed"), 0, 10_000, 1)
    return ShootOutSettings(dimension, window, least, epochs_for(reading(document).token_count), seed)


def trained(document: Document, settings: ShootOutSettings) -> Shown | None:
    """Draw Train; return what is known of a text: what was trained here, else its recorded run, else nothing."""
    key = sha256_of_text(document.text)
    job = (key, document.name, settings)
    bench = LESSON.train(fit_each, (document.text, settings), job, watch)
    if bench.job is not None:
        return None
    if bench.result and bench.settings[0] == key:
        return Shown(f"trained_{bench.number}", trained_board(bench.number, bench), whence(bench), False)
    if key == recorded_text():
        return Shown(WORLD, recorded_board(WORLD), WORDS.label("recorded"), True)
    st.warning(WORDS.label("untrained"))
    return None


@cached(0, 2)
def trained_board(number: int, _bench: Bench) -> Board:
    """Return the board of this session's training of such a number."""
    return board_of_text(_bench.result)


def whence(bench: Bench) -> str:
    """Return what was trained here, and what was not."""
    _, name, settings = bench.settings
    done, less = (len(bench.result[part]) for part in PARTS)
    values = {
        "name": name,
        "dimension": settings.dimension,
        "window": settings.window,
        "seed": settings.seed,
        "passes": settings.epochs,
        "done": done,
        "less": less,
        "n": len(METHODS),
    }
    return WORDS.label("trained", **values)


def watch(reports: Sequence[ShootOutProgress]) -> None:
    """Draw how far the training is and, unless the best is to be predicted, the board as it fills."""
    if not reports:
        st.progress(0.0, WORDS.label("reading"))
        return
    now = reports[-1]
    done = [each.ended for each in reports if each.ended and each.part == now.part]
    st.progress(now.overall, WORDS.label("progress", method=now.method, part=now.part, share=now.share))
    if done and not LESSON.get_state("predict"):
        LESSON.figure("now", scores_figure(scores_on_text(done)), WORDS.label("alt.scores", n=len(done)))


def show_lesson(shown: Shown, asked: str, broken: bool) -> None:
    """Show the board, and what stands below it."""
    part = shown.board.part(broken)
    scores = shown.board.scores[part]
    measure = measure_for(scores)
    left, right = st.columns([4, 3])
    with left:
        near = show_neighbours(shown, known_word(shown, asked, part), part)
    with right:
        if revealed := ask_best(shown, scores, measure, part):
            beside = () if part == WHOLE else shown.board.before
            LESSON.figure("scores", scores_figure(scores, beside), WORDS.label("alt.scores", n=len(scores)))
    LESSON.caption(near)
    if broken and part == WHOLE:
        st.info(WORDS.label("tenth.none"))
    if revealed:
        say_scores(shown, scores, measure, part)
        if part != WHOLE:
            compare_tenth(shown)
    if shown.said:
        st.text(shown.said)
    if revealed:
        table = methods_table(scores)
        named, ids = label_columns(table)
        numbers = (named, lambda row, name: worked_method(scores[row], ids[name]))
        LESSON.every_number(WORDS.label("table.methods"), lambda: numbers)
        if box := LESSON.fold("methods"):
            with box:
                costs, _ = label_columns(table.drop(columns=["low", "high", "solved", "asked", "pairs"]))
                LESSON.table("costs", costs, WORDS.label("alt.methods"))
    if len(scores) > 1:
        if box := LESSON.fold("agreement"):
            with box:
                show_overlaps(shown, part)
        vectors = shown.board.run[part][0].vectors
        if box := LESSON.fold("two_maps"):
            with box:
                vectors = show_maps(shown, part)
        if revealed:
            LESSON.every_number(WORDS.label("table.rated"), rated_table, vectors, rated_pairs())


def known_word(shown: Shown, asked: str, part: str) -> str:
    """Return the word to look up; another, and a sentence, where it has no vector."""
    vectors = shown.board.run[part][0].vectors
    try:
        return vectors.words[vectors.row(asked or WORD.default)]
    except UnknownWordError:
        instead = [
            *([WORD.default] if WORD.default in vectors else []),
            *(each for each in vectors.words if each not in STOP_WORDS and len(each) > 2),
            vectors.words[0],
        ][0]
        st.text(WORDS.label("unknown", word=asked, instead=instead))
        return instead


def show_neighbours(shown: Shown, word: str, part: str) -> str:
    """Draw each method's nearest words; return how many of them all methods name."""
    some = shown.board.run[part]
    near = nearest_recorded(shown.key, part, word, K) if shown.recorded else nearest_each(some, word, K)
    LESSON.set_state("near", [each for line in near.values() for each in line])
    asked = WORDS.label("asked" if part == WHOLE else "asked.tenth", word=word)
    LESSON.view("word_board", draw_board(near, asked, counted=True), "board", on={"chosen": look_up})
    counts, n = named_by(near), len(near)
    every, alone = (sum(count == many for count in counts.values()) for many in (n, 1))
    return WORDS.markdown("says.board", word=word, different=len(counts), all=every, alone=alone, n=n)


def look_up(place: int) -> None:
    """Let the word clicked on the board be the one that is looked up."""
    LESSON.set_state("word", LESSON.get_state("near")[int(place)])


def ask_best(shown: Shown, scores: Sequence[Score], measure: str, part: str) -> bool:
    """Ask which method is best by what the text allows to measure; return whether the scores may be shown."""
    if len(scores) < 2:
        return True
    question = WORDS.label("guess", part=part, measure=measure)
    methods, about = sorted(each.method for each in scores), f"{shown.key}_{part}"
    return LESSON.ask(question, methods, best_method(scores, measure).method, about)


def say_scores(shown: Shown, scores: Sequence[Score], measure: str, part: str) -> None:
    """Say which method is best and how sure that is, and what was asked."""
    first, run = best_method(scores, measure), shown.board.run[part]
    level_on = leaders(scores, "analogies")
    values = {
        "method": first.method,
        "n": len(scores),
        "rho": first.similarity.spearman,
        "pairs": first.similarity.pairs,
        "close": level_with_best(run, scores) if measure == "similarity" else [],
        "right": best_method(scores, "analogies").right,
        "asked": first.asked,
        "seconds": first.seconds,
        "tied": level_on if len(level_on) > 1 else [],
    }
    LESSON.caption(WORDS.markdown(f"says.{measure}", **values))
    one = scores[0]
    values = {
        "pairs": one.similarity.pairs,
        "rated": one.similarity.pairs + one.similarity.unknown,
        "few": one.similarity.pairs < FEW,
        "asked": one.asked,
        "mix": shown.key == MIX,
        "words": len(run[0].vectors),
        "passes": passes_of(part),
    }
    st.markdown(WORDS.markdown("measured_on", **values))


def compare_tenth(shown: Shown) -> None:
    """Set the mean score on a tenth beside that on the whole, and say which method it costs most."""
    whole, less = shown.board.before, shown.board.scores[TENTH_PART]
    loss = measure_loss_of_quality(whole, less)
    form = {"similarity": ".2f", "analogies": ".0%", "seconds": ".1f"}[loss.measure]
    LESSON.compare(f"tenth.{loss.measure}", loss.before, loss.after, form, loss.measure != "seconds")
    values = {
        "measure": loss.measure,
        "most": loss.most,
        "least": loss.least,
        "lost": loss.lost,
        "now": leaders(less, loss.measure),
        "then": leaders(whole, loss.measure),
        "known": less[0].similarity.pairs,
        "pairs": shown.board.scores[WHOLE][0].similarity.pairs,
        "asked": [some[0].asked for some in (whole, less)],
    }
    st.info(WORDS.markdown("says.tenth", **values))


def show_overlaps(shown: Shown, part: str) -> None:
    """Draw how many nearest words each two methods share, and name the two that share most and fewest."""
    shares, names = shown.board.overlaps[part], [each.method for each in shown.board.run[part]]
    LESSON.figure("overlap", overlap_figure(shares, names), WORDS.label("alt.overlap", n=len(names)))
    pairs = {(i, j): shares[i, j] for i in range(len(names)) for j in range(i)}
    (a, b), (c, d) = max(pairs, key=pairs.get), min(pairs, key=pairs.get)
    V = len(shown.board.run[part][0].vectors)
    k = min(10, V - 1)
    values = {
        "most": [names[b], names[a]],
        "share": shares[a, b],
        "fewest": [names[d], names[c]],
        "less": shares[c, d],
        "k": k,
        "chance": k / (V - 1),
        "frequent": min(100, V),
    }
    LESSON.say("says.overlap", values)
    st.markdown(WORDS.markdown("overlap.more", **values))


def show_maps(shown: Shown, part: str) -> WordVectors:
    """Draw the maps of the same words by two methods; return the vectors of the first."""
    some = {each.method: each.vectors for each in shown.board.run[part]}
    strip, _ = LESSON.stage("maps")
    with strip:
        names = [
            LESSON.select(name, WORDS.label(name), list(some), place, width=150)
            for name, place in (("left", 0), ("right", len(some) - 1))
        ]
    chosen = usual_words(some[names[0]])
    draw_maps(LESSON, aligned([some[name].subset(chosen) for name in names]), names, themes_of(THEMES))
    return some[names[0]]
