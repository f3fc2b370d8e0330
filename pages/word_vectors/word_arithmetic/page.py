"""Word analogies: what the story shows beat by beat, and the lab of any sum of words."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.lesson.choices.vector_sets import (
    OWN,
    VECTORS,
    choose_vectors,
    credits,
    scale_to_unit_length,
    shared_units,
    shared_vectors,
)
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.training_job import bench_of
from core.models.word_vectors.projection import nearest, project
from core.models.word_vectors.vector_tests import AnalogyScore, analogies
from core.models.word_vectors.word_arithmetic import (
    Arithmetic,
    ExpressionError,
    arithmetic,
    corners,
    same_way,
)
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from core.models.word_vectors.world_analogies import (
    a_known_question,
    answered_by_themselves,
    share,
    solved,
    total,
)
from core.text.samples.shelf import microworld_text
from core.words.plain import plain
from core.words.texts import Markdown
from pages.word_vectors.shared import WORDS as SHARED
from pages.word_vectors.shared.neighbour_table import neighbour_table
from pages.word_vectors.shared.steady_map import steady_turn
from pages.word_vectors.word_arithmetic import EXAMPLES, LESSON
from pages.word_vectors.word_arithmetic.figures import (
    arithmetic_view,
    draw_angle,
    draw_nearest,
    draw_open,
    draw_pairs,
    draw_ratios,
    draw_scores,
    draw_shares,
    draw_sum,
    said,
)

WORDS = LESSON.words
SET = "glove"  # the story's vectors
QUESTION, CAPITALS, KINGLY, MISS = EXAMPLES
FOUR = ("king", "man", "woman", "queen")
CONTEXTS = ("he", "she", "crown", "office")
CHOICES = ("woman", "queen", "prince", "king")
PAIRS = (  # the two that the end is about come first
    ("man", "woman"),
    ("king", "queen"),
    ("uncle", "aunt"),
    ("brother", "sister"),
    ("prince", "princess"),
    ("actor", "actress"),
    ("boy", "girl"),
    ("he", "she"),
)
ANSWERS, LISTED = 4, 5  # words on a plane, words in a list of bars
LIKE_MISS = 3  # words that are named as most similar to the miss
NEAREST = 5  # words that are named beside one that is pointed at

OWN_SUM = Text("own", CAPITALS, 120)
STORED = Choice("set", SET, VECTORS.ids[:2])
KEEP = Switch("keep")
EXPRESSION = Text("expression", QUESTION, 300)
K = Slider("k", 6, 1, 20)
UNIT = Switch("unit", True)
LAB = (EXPRESSION, VECTORS, K, KEEP, UNIT)


# The story: what each beat shows.


def the_sum(k: int, leave_question_out: bool = True) -> Arithmetic:
    """Return the sum that the story is about, with its k nearest words."""
    return arithmetic(shared_units(SET), QUESTION, k, leave_question_out)


def show_sum(settings: Settings) -> Part:
    """King − man + woman in the plane of its words, and the nearest of all words."""
    vectors, sum_ = shared_units(SET), the_sum(ANSWERS)
    best = sum_.answers[0]
    values = {
        "best": best.word,
        "cosine": best.similarity,
        "vocabulary": len(vectors),
        "d": vectors.dimension,
    }
    return Part("word_plane", draw_sum(vectors, sum_), values)


@cache
def sentence_counts() -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Return how many sentences of the micro-world hold each of the four words, and how many each context too."""
    sentences = [set(re.findall(r"\w+", line.lower())) for line in microworld_text().splitlines()]
    of_word = {word: [each for each in sentences if word in each] for word in FOUR}
    both = {word: {c: sum(c in each for each in of_word[word]) for c in CONTEXTS} for word in FOUR}
    return {word: len(found) for word, found in of_word.items()}, both


def ratios(word: str, other: str) -> dict[str, float]:
    """Return for each context how much more often it is with one word than with another, 1 added to each count."""
    n, both = sentence_counts()
    return {c: (both[word][c] + 1) / (n[word] + 1) * (n[other] + 1) / (both[other][c] + 1) for c in CONTEXTS}


def show_contexts(settings: Settings) -> Part:
    """How many of a word's sentences hold each of four other words."""
    n, both = sentence_counts()
    shares = {word: {c: both[word][c] / n[word] for c in CONTEXTS} for word in FOUR}
    values = {"n": len(microworld_text().splitlines()), "shares": shares}
    return Part("score_table", draw_shares(FOUR, CONTEXTS, shares), values)


def distance(vectors: WordVectors, one: str, other: str) -> float:
    """Return the distance of two words."""
    return float(np.linalg.norm(vectors[one].astype(float) - vectors[other]))


def show_ratios(settings: Settings) -> Part:
    """What changes in the contexts from man to woman, and from king to queen."""
    pairs = (("woman", "man"), ("queen", "king"))
    found = [ratios(*pair) for pair in pairs]
    titles = [WORDS.label("ratio.title", one=one, other=other) for one, other in pairs]
    data = draw_ratios(dict(zip(titles, found, strict=True)))
    n, both = sentence_counts()
    return Part("layer_bars", data, {"person": found[0], "she": both["woman"]["she"] / n["woman"]})


def show_angle(settings: Settings) -> Part:
    """The step from man to woman and the step from king to queen, from one start."""
    data, cosine = draw_angle(shared_units(SET), FOUR)
    missed = [each.word for each in arithmetic(shared_units(SET), MISS, LIKE_MISS).answers]
    return Part("word_plane", data, {"cosine": cosine, "missed": missed})


def show_nearest(settings: Settings) -> Part:
    """The words nearest to king, and those nearest to the sum."""
    vectors, sum_ = shared_units(SET), the_sum(LISTED)
    start = vectors.neighbours("king", LISTED)
    best = sum_.answers[0].word
    titles = [WORDS.label("nearest.title", point=point) for point in ("king", said(sum_))]
    data = draw_nearest(dict(zip(titles, (start, sum_.answers), strict=True)), best)
    before, after = ({each.word: each.similarity for each in listed} for listed in (start, sum_.answers))
    values = {"first": start[0].word, "before": before, "after": after, "best": best}
    return Part("layer_bars", data, values)


def ask_rule(settings: Settings) -> Part:
    """Which word is nearest when the question's own words may answer? The answer shows the cosines."""
    vectors, free = shared_units(SET), the_sum(len(shared_units(SET)), leave_question_out=False)
    title = WORDS.label("nearest.title", point=said(free))
    listed = [each for each in free.answers if each.word in CHOICES]
    asked = [term.word for term in free.terms]
    best = free.answers[0].word
    data = draw_nearest({title: listed}, best, asked) if settings.revealed else draw_open(title, CHOICES)
    values = {
        "best": best,
        "cosines": {each.word: each.similarity for each in listed},
        "vocabulary": len(vectors),
        "revealed": settings.revealed,
        "step": distance(vectors, "man", "woman"),
        "near": distance(vectors, "king", "prince"),
    }
    return Part("layer_bars", data, values, {"keep": True}, CHOICES, best)


def show_own(settings: Settings) -> Part:
    """The learner's sum and its nearest words; the example's where it cannot be answered."""
    vectors, problem, unknown = shared_units(SET), "", ""
    example = arithmetic(vectors, OWN_SUM.default, ANSWERS)
    try:
        sum_ = arithmetic(vectors, settings.own, ANSWERS)
    except UnknownWordError as error:
        sum_, problem, unknown = example, "unknown", error.word
    except ExpressionError:
        sum_, problem = example, "form"
    best = sum_.answers[0]
    values = {
        "problem": problem,
        "unknown": unknown,
        "sum": said(sum_),
        "best": best.word,
        "cosine": best.similarity,
        "second": sum_.answers[1].word,
        "example": said(example),
        "found": example.answers[0],
        "corners": corners(example),
    }
    return Part("word_plane", draw_sum(vectors, sum_), values, {"expression": said(sum_)})


def show_score(settings: Settings) -> Part:
    """How many analogies a set solves, of each kind, with the rule or without it."""
    found, usual = scores_of_stored(settings.set, not settings.keep), scores_of_stored(SET, True)
    right, asked = total(found)
    without_step = scores_of_stored(settings.set, not settings.keep, step=False)
    values = {
        "start": share(scores_of_stored(SET, True, step=False)),
        "start_now": share(without_step),
        "right": right,
        "asked": asked,
        "solved": share(found),
        "usual": share(usual),
        "questions": total(usual)[1],
        "unknown": sum(each.unknown for each in usual),
    }
    return Part("layer_bars", draw_scores(found, without_step), values, {"vectors": settings.set})


def show_answer(settings: Settings) -> Part:
    """Pairs of words on their first two components, each with its step from the man to the woman."""
    words = [word for pair in PAIRS for word in pair]
    places = project(shared_units(SET).subset(words).vectors).coordinates
    data = draw_pairs(PAIRS, dict(zip(words, places, strict=True)), PAIRS[:2])
    values = {
        "more": len(PAIRS) - 2,
        "d": shared_units(SET).dimension,
        "usual": share(scores_of_stored(SET, True)),
        "free": share(scores_of_stored(SET, False)),
    }
    return Part("word_plane", data, values)


STORY = (
    look("sum", show_sum),
    look("contexts", show_contexts),
    look("ratios", show_ratios),
    look("angle", show_angle),
    look("nearest", show_nearest),
    ask("rule", ask_rule),
    do("capitals", show_own, OWN_SUM),
    do("score", show_score, STORED, KEEP),
    end("answer", show_answer),
)


# The lab: any sum of words, any set of vectors.


def lab() -> None:
    """An expression's arrows and its nearest words; then how many analogies the same vectors solve."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        expression = LESSON.draw(EXPRESSION, live=True, width=300)
        k = LESSON.draw(K, width=150)
        keep = LESSON.draw(KEEP)
        with LESSON.options():
            name, stored = choose_vectors(LESSON)
            unit = LESSON.draw(UNIT)
    vectors = scale_to_unit_length(name, stored) if unit else stored
    with stage:
        sum_ = answered(vectors, expression, k, keep)
        if sum_ is not None:
            choices = sorted(answer.word for answer in sum_.answers[:4])
            about = f"{name}_{expression}_{keep}_{unit}"
            question = WORDS.label("question", expression=expression)
            if LESSON.ask(question, choices, sum_.answers[0].word, about):
                draw_map(name, unit, vectors, expression, sum_)
                called = "sum", sum_.result
                neighbour_table(LESSON, "answers", vectors, sum_.answers, called, question=expression)
    if box := LESSON.fold("scores"):
        with box:
            show_scores(name, stored, keep)
    LESSON.close_lab(
        code=[arithmetic, same_way, WordVectors.neighbours, analogies],
        parameters={
            "name": name,
            "unit": unit,
            "expression": expression,
            "k": k,
            "leave_question_out": not keep,
        },
        prompts={
            "capitals": {"expression": CAPITALS},
            "ours": {"expression": CAPITALS, "vectors": "skipgram"},
            "keep": {"expression": QUESTION, "keep": True},
            "kingly": {"expression": KINGLY, "k": 10},
        },
        credits=credits(name),
    )


def answered(vectors: WordVectors, expression: str, k: int, keep: bool) -> Arithmetic | None:
    """Return the sum with its answers; None, and a sentence, where it has none."""
    try:
        sum_ = arithmetic(vectors, expression, k, leave_question_out=not keep)
    except (ExpressionError, UnknownWordError) as error:
        st.warning(plain(str(error)))
        return None
    if not sum_.answers:
        st.warning(WORDS.label("note.no_answer"))
        return None
    return sum_


def draw_map(name: str, unit: bool, vectors: WordVectors, expression: str, sum_: Arithmetic) -> None:
    """Draw the sum as arrows among the question's words and its answers, and say where it ends."""
    best = sum_.answers[0]
    near = vectors.subset([*(term.word for term in sum_.terms), *(answer.word for answer in sum_.answers)])
    projection = project(near.vectors)
    look = {
        "label": WORDS.label("alt.map", expression=expression, best=best.word),
        "near": nearest(near.vectors, NEAREST, "cosine"),
        "turn": steady_turn(name, vectors, near, projection, unit),
    }
    LESSON.view("map", arithmetic_view(near, sum_, projection, **look), "map", alt=look["label"])
    found, parallel = corners(sum_), same_way(vectors, sum_)
    values = {
        "expression": expression,
        "best": best.word,
        "cosine": best.similarity,
        "left_out": list(sum_.left_out),
        "corners": found,
        "parallel": parallel,
        "start": vectors.similarity(sum_.terms[0].word, best.word),
        "n": len(near),
        "d": vectors.dimension,
        "kept": projection.variance_kept,
    }
    LESSON.say("says.sum", values)
    if parallel is not None:
        st.markdown(WORDS.markdown("says.steps", **values))
    st.caption(WORDS.markdown("says.map", **values))


def show_scores(name: str, vectors: WordVectors, keep: bool) -> None:
    """Show the share solved of each kind; with `keep`, also what is left when the question may answer itself."""

    def scores(leave_question_out: bool) -> list[AnalogyScore]:
        if name != OWN:
            return scores_of_stored(name, leave_question_out)
        return scores_of_own(bench_of("word_vector_training").number, vectors, leave_question_out)

    fair = scores(True)
    right, asked = total(fair)
    if not asked:
        st.markdown(WORDS.markdown("says.none_asked"))
        return
    example = Markdown(a_known_question(vectors))
    st.markdown(WORDS.markdown("says.scores", right=right, asked=asked, example=example))
    columns = {key: WORDS.label(f"column.{key}") for key in ("kind", "asked", "solved", "keep")}
    table = pd.DataFrame(
        {
            columns["kind"]: [SHARED.label(f"kind.{i}") for i in range(len(fair))],
            columns["asked"]: [score.asked for score in fair],
            columns["solved"]: [score.accuracy for score in fair],
        }
    )
    if keep:
        free = scores(False)
        table[columns["keep"]] = [score.accuracy for score in free]
    bar = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    bars = {columns[key]: bar for key in ("solved", "keep") if columns[key] in table}
    st.dataframe(table, hide_index=True, column_config=bars, alt=WORDS.label("alt.scores"))
    if keep:
        LESSON.compare("keep", share(fair), share(free), ".0%")
        own, _ = answered_by_themselves(vectors) if name == OWN else own_answers_of_stored(name)
        st.markdown(WORDS.markdown("says.own", own=own, asked=asked, worth=right - total(free)[0]))


@st.cache_data(scope="session", max_entries=8, show_spinner=False)
def scores_of_own(training: int, _vectors: WordVectors, leave_question_out: bool) -> list[AnalogyScore]:
    """Return `solved` for the learner's training of this number, computed once a session."""
    return solved(_vectors, leave_question_out)


@cache
def scores_of_stored(name: str, leave_question_out: bool, step: bool = True) -> list[AnalogyScore]:
    """Return `solved` for a stored set, the same for everybody."""
    return solved(shared_vectors(name), leave_question_out, step)


@cache
def own_answers_of_stored(name: str) -> tuple[int, int]:
    """Return `answered_by_themselves` for a stored set."""
    return answered_by_themselves(shared_vectors(name))
