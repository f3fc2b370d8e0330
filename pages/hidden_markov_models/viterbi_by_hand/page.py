"""Viterbi by hand: a story in which the learner fills in a small table, and the lab with its fields, hints and marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.formulas import worked_candidates
from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import DO, Beat, Part, ask, end, look
from core.models.hidden_markov_models.decoding import DecodedSentence, decode, underflow
from core.models.hidden_markov_models.viterbi import Lattice, check_column, fill_lattice, viterbi_of_products
from core.models.hidden_markov_models.what_if import without_neighbours
from core.text.samples.products import read_product
from core.words.plain import plain
from pages.hidden_markov_models.shared.hmm_choice import (
    available_models,
    choose_sentence,
    model_of,
    no_such_path,
    shared_model,
)
from pages.hidden_markov_models.shared.hmm_take_away import list_sources, model_parameters
from pages.hidden_markov_models.shared.trellis import format_probability
from pages.hidden_markov_models.viterbi_by_hand import EXAMPLES, LESSON
from pages.hidden_markov_models.viterbi_by_hand.figures import (
    UNKNOWN,
    came_from,
    draw_given,
    draw_table,
    filled_cells,
    path_arrows,
    pointer_arrows,
    product_lines,
)

WORDS = LESSON.words
DAYS, LONGER = "2 1 3", "3 3 1 1"
WORDS_AT_MOST = 10  # of a table that is filled in by hand
FIELDS_IN_A_ROW = 4
TYPED_AT_MOST = 40  # characters of a number or product
EXAMPLE = "0.9 * 0.7"  # how a product is written; no cell of the lessons' own examples has it

MODEL = Choice("model", "diary", lambda _: tuple(name for name in available_models() if name != "tagger"))
EVEN = Switch("even")
STEP = Slider("step", 1, 1, WORDS_AT_MOST + 1)
LAB = (MODEL, Text("diary_sentence", "3 1 3 2 1"), Text("toy_sentence", EXAMPLES[1]), STEP, EVEN)


# The story: what each beat shows. Its table is that of the diary of three days.


def show_empty(settings: Settings) -> Part:
    """The table with nothing in it, and the probabilities that it is filled in from."""
    decoded, lattice = read_diary(settings)
    n, K = lattice.scores.shape
    cells = {(t, j): (UNKNOWN, "empty") for t in range(n) for j in range(K)}
    values = describe(decoded, lattice) | {"cells": n * K, "paths": K**n}
    return Part(
        "score_table", draw_table(decoded, cells, given=draw_given(decoded)), values, lab_at(decoded, 1)
    )


def show_first(settings: Settings) -> Part:
    """The first cell: the start times the emission."""
    decoded, lattice = read_diary(settings)
    cells = {(0, 0): (format_probability(lattice.scores[0, 0]), "now")}
    lines = product_lines(decoded, lattice, 0, 0, results=True)
    values = describe(decoded, lattice) | {"factors": factors_of(lines[0])}
    return Part("score_table", draw_table(decoded, cells, lines=lines), values, lab_at(decoded, 1))


def fill_first(settings: Settings) -> Part:
    """The other cell of the first column, for the learner to fill in."""
    return fill_cells(settings, 0, (settings.state,))


def ask_which_way(settings: Settings) -> Part:
    """Two ways into a cell of the second column; the answer keeps one."""
    decoded, lattice = read_diary(settings)
    j = decoded.model.states.index(settings.state)
    shown = format_probability(lattice.scores[1, j]) if settings.revealed else UNKNOWN
    cells = filled_cells(lattice, 1) | {(1, j): (shown, "now")}
    arrows = [came_from(lattice, 1, j, "kept")] if settings.revealed else []
    lines = product_lines(decoded, lattice, 1, j, results=True, kinds=settings.revealed)
    ways = lattice.candidates[1, :, j]
    numbers = {"larger": ways.max(), "smaller": ways.min(), "sum": ways.sum()}
    values = describe(decoded, lattice) | {name: format_probability(value) for name, value in numbers.items()}
    values |= {"state": settings.state, "kept": decoded.model.states[lattice.backpointers[1, j]]}
    values["revealed"] = settings.revealed
    data = draw_table(decoded, cells, arrows=arrows, lines=lines)
    return Part("score_table", data, values, lab_at(decoded, 2), choices=tuple(numbers), answer="larger")


def fill_second(settings: Settings) -> Part:
    """The other cell of the second column: two products, and the larger one is to be typed."""
    return fill_cells(settings, 1, (settings.state,))


def fill_third(settings: Settings) -> Part:
    """The whole third column, from the table of probabilities alone."""
    return fill_cells(settings, 2, shared_model("diary").states, help_with_products=False)


def fill_cells(settings: Settings, t: int, states: tuple[str, ...], help_with_products: bool = True) -> Part:
    """Return the table with fields in some cells of column t; what is right shows how it came about."""
    decoded, lattice = read_diary(settings)
    names = decoded.model.states
    asked = {names.index(state): state for state in states}
    verdicts = {state: judge(str(settings[state]), decoded, lattice, t, j) for j, state in asked.items()}
    right = {j for j, state in asked.items() if verdicts[state] == "right"}
    cells = filled_cells(lattice, t)
    cells |= {(t, j): filled_cells(lattice, t + 1)[t, j] for j in range(len(names)) if j not in asked}
    kinds = {"": "now", "right": "right"}
    cells |= {(t, j): ("", kinds.get(verdicts[state], "wrong")) for j, state in asked.items()}
    fields = [
        {
            "t": t,
            "j": j,
            "name": state,
            "value": str(settings[state]),
            "label": WORDS.label("field", state=state, day=t + 1),
            "verdict": verdicts[state] if verdicts[state] in ("", "right") else "wrong",
        }
        for j, state in asked.items()
    ]
    arrows = pointer_arrows(lattice, t)
    if t:
        known = {j for j in range(len(names)) if j not in asked} | right
        arrows += [came_from(lattice, t, j, "kept" if j in right else "way") for j in sorted(known)]
    lines, given = [], None
    if help_with_products:
        (j,) = asked
        lines = product_lines(decoded, lattice, t, j, results=j in right, kinds=j in right and t > 0)
    else:
        given = draw_given(decoded, [(t, j) for j in asked])
    worst = next((each for each in verdicts.values() if each not in ("right", "")), "")
    values = describe(decoded, lattice, known=t) | {
        "state": states[0],
        "verdict": worst or ("right" if len(right) == len(asked) else "one" if right else ""),
        "wrong_state": next((s for s, each in verdicts.items() if each not in ("right", "")), ""),
        "missing": [state for state, each in verdicts.items() if each != "right"],
        "example": EXAMPLE,
        "t": t + 1,
        "count": decoded.emissions.words[t],
        "start": [format_probability(float(p)) for p in np.exp(decoded.model.log_initial)],
    }
    if len(right) == len(asked):
        values["found"] = [format_probability(lattice.scores[t, j]) for j in asked]
        values["came"] = names[lattice.backpointers[t, min(asked)]]
    data = draw_table(decoded, cells, fields, arrows, lines, given)
    return Part("score_table", data, values, lab_at(decoded, t + 1))


def ask_for_the_path(settings: Settings) -> Part:
    """Every cell and arrow; the answer follows them back from the largest number of the last column."""
    decoded, lattice = read_diary(settings)
    n, path = len(lattice.scores), lattice.path
    cells, arrows = filled_cells(lattice, n), pointer_arrows(lattice, n)
    if settings.revealed:
        cells, arrows = mark_path(lattice, cells, arrows)
    states = decoded.model.states
    values = describe(decoded, lattice, n) | {"first": states[path[0]], "revealed": settings.revealed}
    values["first_day"] = [format_probability(p) for p in lattice.scores[0]]
    lab = lab_at(decoded, n + 1)
    return Part(
        "score_table",
        draw_table(decoded, cells, arrows=arrows),
        values,
        lab,
        choices=states,
        answer=states[path[0]],
    )


def show_even(settings: Settings) -> Part:
    """The table filled in with equal transitions, or with the model's own."""
    decoded, lattice = read_diary(settings, settings.even)
    n = len(lattice.scores)
    cells, arrows = mark_path(lattice, filled_cells(lattice, n), pointer_arrows(lattice, n))
    values = describe(decoded, lattice, n) | {
        "a": format_probability(float(np.exp(decoded.model.log_transition[0, 0]))),
        "cold_stays": format_probability(float(np.exp(shared_model("diary").log_transition[1, 1]))),
    }
    data = draw_table(decoded, cells, arrows=arrows, given=draw_given(decoded))
    return Part("score_table", data, values, lab_at(decoded, n + 1))


def show_answer(settings: Settings) -> Part:
    """A longer table, with its arrows and its best path."""
    decoded, lattice = read_diary(settings)
    n, K = lattice.scores.shape
    cells, arrows = mark_path(lattice, filled_cells(lattice, n), pointer_arrows(lattice, n))
    values = describe(decoded, lattice, n) | {"cells": n * K}
    return Part("score_table", draw_table(decoded, cells, arrows=arrows), values, lab_at(decoded, 1))


def take_typed(value: object) -> dict[str, object]:
    """Return the settings that the fields of the table change: what was typed into the cell of each state."""
    typed = value if isinstance(value, dict) else {}
    return {
        state: str(typed[state])[:TYPED_AT_MOST] for state in shared_model("diary").states if state in typed
    }


def fill(name: str, part, *states: str, **state: object) -> Beat:
    """Return a beat in which the learner types into the cells of some states."""
    holds = tuple(Text(each, "", TYPED_AT_MOST) for each in states)
    return Beat(name, DO, part, (), state, holds, {"fill": take_typed})


STORY = (
    look("empty", show_empty, diary_sentence=DAYS),
    look("first", show_first, diary_sentence=DAYS),
    fill("first_own", fill_first, "cold", diary_sentence=DAYS, state="cold"),
    ask("two_ways", ask_which_way, diary_sentence=DAYS, state="hot"),
    fill("second_own", fill_second, "cold", diary_sentence=DAYS, state="cold"),
    fill("third_own", fill_third, "hot", "cold", diary_sentence=DAYS),
    ask("trace", ask_for_the_path, diary_sentence=DAYS),
    look("equal", show_even, Switch("even", True), diary_sentence=DAYS, even=True),
    end("answer", show_answer, diary_sentence=LONGER),
)


def read_diary(settings: Settings, even: bool = False) -> tuple[DecodedSentence, Lattice]:
    """Return a beat's diary, decoded, and its table of probabilities."""
    model, words = shared_model("diary"), settings.diary_sentence.split()
    model = without_neighbours(model) if even else model
    return decode(model, words), underflow(model, words)


def describe(decoded: DecodedSentence, lattice: Lattice, known: int = 0) -> dict:
    """Return what the words may say of a table whose first `known` columns are filled in."""
    n, K = lattice.scores.shape
    values = {
        "n": n,
        "K": K,
        "states": decoded.model.states,
        "scores": [[format_probability(p) for p in column] for column in lattice.scores[: max(1, known)]],
        "days": list(decoded.emissions.words),
    }
    if known == n:
        values |= {
            "path": list(decoded.tags(lattice.path)),
            "largest": format_probability(float(lattice.final.max())),
            "last": decoded.model.states[lattice.path[-1]],
        }
    return values


def factors_of(line: Mapping) -> list[str]:
    """Return the factors of a product as they are drawn."""
    return [factor["text"] for factor in line["factors"]]


def mark_path(lattice: Lattice, cells: Mapping, arrows: list[dict]) -> tuple[dict, list[dict]]:
    """Return cells and arrows with those of the best path marked."""
    best = {(t, j): (cells[t, j][0], "best") for t, j in enumerate(lattice.path)}
    marked = {(each["t"], each["j"]): each for each in path_arrows(lattice.path)}
    return {**cells, **best}, [marked.get((each["t"], each["j"]), each) for each in arrows]


def judge(typed: str, decoded: DecodedSentence, lattice: Lattice, t: int, j: int) -> str:
    """Return what a typed number is: right, a common mistake, wrong; unread where it is no number, else empty."""
    if not typed.strip():
        return ""
    value = read_product(typed)
    if value is None:
        return "unread"

    def near(*numbers: float) -> bool:
        return bool(check_column(np.array(numbers), [value] * len(numbers)).any())

    if near(lattice.scores[t, j]):
        return "right"
    emitted = float(np.exp(decoded.emissions.log_emission[t, j]))
    start = float(np.exp(decoded.model.log_initial[j]))
    ways = lattice.candidates[t, :, j] if t else np.array([start * emitted])
    if near(*(ways / emitted)):
        return "no_emission"
    if near(float(ways.sum()) if t else start + emitted):
        return "sum"
    return "smaller" if t and near(*ways) else "wrong"


def lab_at(decoded: DecodedSentence, step: int) -> dict:
    """Return the settings of the lab that show the same diary at a step."""
    return {"model": "diary", "diary_sentence": " ".join(decoded.emissions.words), "step": step}


# The lab: any diary or sentence of the toy, column by column, with hints and marks.


def lab() -> None:
    """The table with a column to fill in; its fields; what it is filled in from; every number filled in so far."""
    LESSON.open_lab()
    controls, stage = LESSON.stage()
    with controls:
        name = LESSON.draw(MODEL)
        words = choose_sentence(LESSON, name)
        if len(words) > WORDS_AT_MOST:
            st.info(WORDS.label("cut", most=WORDS_AT_MOST, n=len(words)))
            words = words[:WORDS_AT_MOST]
        with LESSON.options():
            even = LESSON.draw(EVEN)
    whole = model_of(name)
    model = without_neighbours(whole) if even else whole
    decoded, lattice = decode(model, words), underflow(model, words)
    with stage:
        if possible := not no_such_path(decoded):
            steps = [WORDS.label("step.column", t=t) for t in range(1, len(words) + 1)]
            column = LESSON.step([*steps, WORDS.label("step.trace")])
            place = st.container()
            attempt = column_form(name, decoded, lattice, column)
            filled = min(column + attempt.filled, len(words))
            with place:
                LESSON.view("score_table", attempt_table(decoded, lattice, column, attempt))
                LESSON.say(*describe_progress(name, decoded, column, attempt))
                if even and filled <= 1:
                    st.caption(WORDS.label("even.first"))
    if possible:
        if even:
            own = decode(whole, words).viterbi.path
            same = sum(a == b for a, b in zip(own, decoded.viterbi.path, strict=True))
            st.markdown(WORDS.markdown("says.even", same=same, n=len(words)))
        LESSON.every_number(WORDS.label("table.scores"), score_table, decoded, lattice, filled)
    LESSON.close_lab(
        code=[viterbi_of_products, fill_lattice, check_column],
        parameters={**model_parameters(name), "words": list(words), "even": even},
        prompts={
            "short": {"diary_sentence": "2 1"},
            "fish": {"model": "toy", "toy_sentence": EXAMPLES[2]},
            "even": {"even": True, "step": 2},
        },
        credits=list_sources(),
    )


@dataclass
class Attempt:
    """What a student has done with one column: marks of scores and of predecessors, None where not checked."""

    right: list[bool | None]
    came: list[bool | None]
    hinted: bool = False
    revealed: bool = False
    first: list[bool] = field(default_factory=list)  # marks of the first check, which alone count

    @property
    def done(self) -> bool:
        """Every score is right."""
        return bool(self.right) and all(self.right)

    @property
    def filled(self) -> bool:
        """Every score stands in the table: all are right, or the answer was shown."""
        return self.revealed or self.done


def attempt_table(decoded: DecodedSentence, lattice: Lattice, column: int, attempt: Attempt) -> dict:
    """Return the table up to a column that the student fills in: in it only the right answers, or a mark."""
    n, K = lattice.scores.shape
    cells, arrows = filled_cells(lattice, min(column, n)), pointer_arrows(lattice, min(column, n))
    if column < n:
        answers = filled_cells(lattice, column + 1)
        for j, mark in enumerate(attempt.right):
            shown = attempt.revealed or mark
            kind = "right" if mark else "filled" if shown else "now" if mark is None else "wrong"
            cells[column, j] = (answers[column, j][0] if shown else UNKNOWN, kind)
        came = [j for j in range(K) if attempt.revealed or (attempt.came and attempt.came[j])]
        arrows += [came_from(lattice, column, j, "kept") for j in came if column]
    elif attempt.filled:
        cells, arrows = mark_path(lattice, cells, arrows)
    used = [(column, j) for j in range(K)] if column < n else []
    return draw_table(decoded, cells, arrows=arrows, given=draw_given(decoded, used, column == n))


def problem_of(name: str, decoded: DecodedSentence) -> str:
    """Return a short name for a model and sentence: another one is another problem."""
    tables = decoded.model.log_transition.tobytes() + decoded.emissions.log_emission.tobytes()
    return sha256(f"{name} {decoded.emissions.words}".encode() + tables).hexdigest()[:10]


def attempts() -> dict[tuple[str, int], Attempt]:
    """Return the session's attempts, {(problem, column): attempt}."""
    if LESSON.get_state("attempts") is None:
        LESSON.set_state("attempts", {})
    return LESSON.get_state("attempts")


def attempt_at(problem: str, column: int, states: int) -> Attempt:
    """Return the student's attempt at a column, a new one when there is none."""
    return attempts().setdefault((problem, column), Attempt([None] * states, [None] * states))


def describe_progress(name: str, decoded: DecodedSentence, column: int, attempt: Attempt) -> tuple[str, dict]:
    """Return the words on how far the student is, and how many fields were right at once."""
    n, K, problem = len(decoded.emissions.words), len(decoded.model.states), problem_of(name, decoded)
    marks = [mark for (of, _), tried in attempts().items() if of == problem for mark in tried.first]
    if marks:
        return "says.marks", {"right": sum(marks), "n": len(marks)}
    if column == n:
        return "says.trace", {"n": n, "ends": decoded.model.log_end is not None}
    filled = (column + attempt.filled) * K
    return "says.filled", {"filled": filled, "all": n * K, "first": column == 0}


def column_form(name: str, decoded: DecodedSentence, lattice: Lattice, column: int) -> Attempt:
    """Draw the fields of a column (or, past the last one, of the path traced back), and return the attempt."""
    states, problem, n = decoded.model.states, problem_of(name, decoded), len(lattice.scores)
    attempt, prefix = attempt_at(problem, column, len(states)), f"{problem}_{column}"
    with LESSON.form(f"{prefix}_form"):
        count = n if column == n else len(states)
        for start in range(0, count, FIELDS_IN_A_ROW):
            for place, box in enumerate(st.columns(FIELDS_IN_A_ROW), start):
                if place < count:
                    with box:
                        draw = path_field if column == n else score_fields
                        draw(prefix, decoded, column, place, attempt)
        with st.container(horizontal=True):
            LESSON.submit(f"{prefix}_check", WORDS.label("check"), mark, problem, column, lattice, states)
            LESSON.submit(f"{prefix}_hint", WORDS.label("hint"), set_to_true, attempt, "hinted")
            LESSON.submit(f"{prefix}_reveal", WORDS.label("reveal"), set_to_true, attempt, "revealed")
        st.caption(WORDS.label("tip", example=EXAMPLE))
    show_help(decoded, lattice, column, attempt)
    return attempt


def verdict(mark: bool | None) -> str:
    """Return how a field is marked."""
    return " " if mark is None else WORDS.label("mark.right" if mark else "mark.wrong")


def score_fields(prefix: str, decoded: DecodedSentence, column: int, j: int, attempt: Attempt) -> None:
    """Draw the fields of one cell: its score and, but in the first column, the state it came from."""
    states = decoded.model.states
    label = WORDS.label("score", state=plain(states[j]))
    LESSON.answer(f"{prefix}_score_{j}", label, max_chars=60, placeholder=EXAMPLE)
    st.text(verdict(attempt.right[j]))
    if column > 0:
        label, empty = WORDS.label("came", state=plain(states[j])), WORDS.label("state")
        LESSON.answer(f"{prefix}_came_{j}", label, states, placeholder=empty)
        st.text(verdict(attempt.came[j]))


def path_field(prefix: str, decoded: DecodedSentence, column: int, t: int, attempt: Attempt) -> None:
    """Draw the field of one word's state on the best path."""
    label = f"{t + 1}: {plain(decoded.emissions.words[t][:20])}"
    LESSON.answer(f"{prefix}_traced_{t}", label, decoded.model.states, placeholder=WORDS.label("state"))
    st.text(verdict(attempt.right[t] if t < len(attempt.right) else None))


def mark(problem: str, column: int, lattice: Lattice, states: tuple[str, ...]) -> None:
    """Mark what was typed into a column's fields; the first marks, if nothing was revealed, are kept as its score."""
    attempt, prefix = attempt_at(problem, column, len(states)), f"{problem}_{column}"
    if column == len(lattice.scores):  # tracing back: one state a word
        told = [LESSON.get_state(f"{prefix}_traced_{t}") for t in range(column)]
        attempt.right = [
            None if state is None else state == states[best]
            for state, best in zip(told, lattice.path, strict=True)
        ]
        attempt.came = []
    else:
        typed = [LESSON.get_state(f"{prefix}_score_{j}") or "" for j in range(len(states))]
        marks = check_column(lattice.scores[column], [read_product(text) for text in typed])
        attempt.right = [
            bool(right) if text.strip() else None for right, text in zip(marks, typed, strict=True)
        ]
        came = [LESSON.get_state(f"{prefix}_came_{j}") for j in range(len(states))]
        attempt.came = [
            None
            if state is None
            else bool(lattice.candidates[column, states.index(state), j] == lattice.scores[column, j])
            for j, state in enumerate(came)
        ]
    marks = [each for each in (*attempt.right, *attempt.came) if each is not None]
    if marks and not attempt.first and not attempt.revealed:
        attempt.first = [each and not attempt.hinted for each in marks]


def set_to_true(attempt: Attempt, what: str) -> None:
    """Note that a hint, or the answer, was asked for."""
    setattr(attempt, what, True)


def show_help(decoded: DecodedSentence, lattice: Lattice, column: int, attempt: Attempt) -> None:
    """Show what was asked for: the products of each cell, with their values only when the answer is to be shown."""
    if not (attempt.hinted or attempt.revealed):
        return
    if column < len(lattice.scores):
        for j in range(len(decoded.model.states)):
            st.latex(worked_candidates(decoded, lattice, column, j, attempt.revealed))
        return
    st.markdown(WORDS.markdown("help.trace", ends=decoded.model.log_end is not None))
    if attempt.revealed:
        st.text(" → ".join(decoded.tags(lattice.path)))


def score_table(decoded: DecodedSentence, lattice: Lattice, columns: int) -> tuple[pd.DataFrame, Formula]:
    """Return the cells of the columns that are filled in."""
    states, words = decoded.model.states, decoded.emissions.words
    names = {name: WORDS.label(f"column.{name}") for name in ("word", "state", "score", "from")}
    rows = [
        {
            names["word"]: words[t],
            names["state"]: states[j],
            names["score"]: f"{lattice.scores[t, j]:.6g}",
            names["from"]: states[lattice.backpointers[t, j]] if t else "",
        }
        for t in range(min(columns, len(words)))
        for j in range(len(states))
    ]

    def formula(row: int, column: str) -> str | None:
        t, j = divmod(row, len(states))
        asked = column in (names["score"], names["from"])
        return worked_candidates(decoded, lattice, t, j, True) if asked else None

    return pd.DataFrame(rows, columns=list(names.values())), formula
