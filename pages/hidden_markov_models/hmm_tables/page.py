"""Editing HMM probabilities: what the story shows beat by beat, and the lab in which every number can be edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.curves import sweep_figure
from core.figures.hidden_markov_models.formulas import worked_flip
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.hidden_markov_models.decoding import DecodedSentence, decode
from core.models.hidden_markov_models.edited_tables import (
    edits_between,
    grids_of,
    model_of_grids,
    read_edits,
    with_edits,
    write_edits,
)
from core.models.hidden_markov_models.flips import (
    Stretch,
    best_paths,
    curve_of_path,
    curves_of,
    nearest_flip,
    next_crossing,
)
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import from_probabilities
from core.models.hidden_markov_models.what_if import cells_of, rows_of, with_probability, without_words
from core.text.samples.corpus_words import corpus_words
from core.words.numbers import percent, signed
from pages.hidden_markov_models.hmm_tables import LESSON
from pages.hidden_markov_models.hmm_tables.figures import (
    draw_crossing,
    draw_distances,
    draw_paths,
    draw_sweep,
    format_factor,
    write_curve,
)
from pages.hidden_markov_models.shared.given_tables import sentence_end
from pages.hidden_markov_models.shared.hmm_choice import (
    MODELS,
    available_models,
    choose_sentence,
    keep_own_model,
    model_of,
    no_such_path,
    shared_model,
)
from pages.hidden_markov_models.shared.hmm_paths import show_paths
from pages.hidden_markov_models.shared.hmm_take_away import list_sources, model_parameters
from pages.hidden_markov_models.shared.path_factors import path_factors
from pages.hidden_markov_models.shared.trellis import format_probability

WORDS = LESSON.words
EXAMPLES = (
    "they can fish",
    "transition.0.0:0.1 transition.0.1:0.9",
)
SWEPT_AT_MOST = 60  # words of the sentence; longer ones are looked at on their first words, and said so
EDITED_AT_MOST = 40  # wider emission tables than this are not edited by hand
TABLES = ("initial", "transition", "emission")
# One of each pair of numbers of the diary that sum to 1; for emissions those of 3 and 1 ice creams.
CELLS = (
    "transition.0.0",
    "transition.1.0",
    "initial.0.0",
    "emission.0.2",
    "emission.1.2",
    "emission.0.0",
    "emission.1.0",
)
CELL = Choice("cell", CELLS[0], CELLS)
P = Slider("p", 0.5, 0.01, 0.99, 0.01)
MODEL = Choice("model", "diary", lambda _: tuple(name for name in available_models() if name != "tagger"))
MUTE = Switch("mute")
LAB = (
    MODEL,
    Text("diary_sentence", MODELS["diary"]),
    Choice("diary_cell", "initial.0.0", CELLS),
    Text("diary_edits"),
    MUTE,
)


# The story: what each beat shows. A world is the diary's model with one number moved.


@dataclass(frozen=True)
class World:
    """A diary, the probability that is moved in the model, and the value that it is moved to."""

    words: tuple[str, ...]
    cell: tuple[str, int, int]
    p: float

    @cached_property
    def model(self) -> HiddenMarkovModel:
        """The model with the probability moved."""
        return with_probability(shared_model("diary"), *self.cell, self.p)

    @cached_property
    def decoded(self) -> DecodedSentence:
        """The diary decoded by the model as it is now."""
        return decode(self.model, list(self.words))

    @cached_property
    def before(self) -> DecodedSentence:
        """The diary decoded by the model as it was."""
        return decode(shared_model("diary"), list(self.words))

    @cached_property
    def now(self) -> float:
        """The probability in the table before it is moved."""
        table, row, column = self.cell
        return float(np.exp(rows_of(shared_model("diary"), table)[row, column]))

    @cached_property
    def stretches(self) -> list[Stretch]:
        """The best path for each value of the probability."""
        return best_paths(shared_model("diary"), self.words, *self.cell)

    @property
    def flip(self) -> float | None:
        """The value nearest to that of the table at which the best path flips."""
        return nearest_flip(self.stretches, self.now)

    @property
    def edges(self) -> dict[tuple[int, int], str]:
        """The transitions that change, {(i, j): probability}; none where another table does."""
        table, row, _ = self.cell
        if table != "transition":
            return {}
        return {(row, j): format_probability(p) for j, p in enumerate(np.exp(self.model.log_transition[row]))}

    def curve(self, path: Sequence[int]) -> Stretch:
        """Return a path's probability as a function of the one that is moved."""
        return curve_of_path(shared_model("diary"), self.words, path, *self.cell)

    def worked(self, path: Sequence[int]) -> str:
        """Return a path's probability in this world as a product."""
        curve = self.curve(path)
        value = format_factor(float(np.exp(curve.log_probability(self.p))))
        filled = write_curve(curve, self.p)
        return f"{filled} = {value}" if curve.own or curve.rest else value

    @property
    def lab(self) -> dict[str, object]:
        """The settings of the lab that show this world."""
        shown = {"diary_sentence": " ".join(self.words), "diary_cell": ".".join(map(str, self.cell))}
        if self.p == self.now:
            return shown
        grids = (grids_of(model) for model in (shared_model("diary"), self.model))
        return {**shown, "diary_edits": write_edits(edits_between(*grids))}


def read_world(settings: Settings) -> World:
    """Return a beat's world; a number that the beat does not move keeps its value."""
    table, row, column = settings.cell.split(".")
    cell = (table, int(row), int(column))
    now = np.exp(rows_of(shared_model("diary"), table)[cell[1:]])
    return World(tuple(corpus_words(settings.diary_sentence)), cell, float(settings.get("p", now)))


def describe_world(world: World) -> dict:
    """Return what the words may say of a world."""
    paths = (world.before, world.decoded)
    before, after = (list(each.tags(each.viterbi.path)) for each in paths)
    return {
        "cell": name_cell(world.words, world.cell),
        "now": format_probability(world.now),
        "p": format_probability(world.p),
        "rest": format_probability(1 - world.p),
        "flip": world.flip,
        "distance": None if world.flip is None else abs(world.flip - world.now),
        "flips": len(world.stretches) - 1,
        "before": before,
        "after": after,
        "values": [
            format_factor(float(np.exp(world.curve(each.viterbi.path).log_probability(world.p))))
            for each in paths
        ],
        "differ": sum(one != other for one, other in zip(before, after, strict=True)),
    }


def write_transitions(model: HiddenMarkovModel) -> dict[tuple[int, int], str]:
    """Return every transition probability as it stands at an edge."""
    transitions = np.exp(model.log_transition)
    return {place: format_probability(float(p)) for place, p in np.ndenumerate(transitions)}


def name_cell(words: Sequence[str], cell: tuple[str, int, int]) -> str:
    """Return the name of a probability of the diary's model, such as p(hot | cold)."""
    names = cells_of(shared_model("diary"), words)
    return next(name for name, each in names.items() if each == cell)


def say_paths(world: World) -> str:
    """Return the line below a trellis: the thick path and the dotted one, each with its product."""
    now, before = world.decoded.viterbi.path, world.before.viterbi.path
    lines = [("line.thick", now)] if now == before else [("line.thick", now), ("line.dotted", before)]
    tags = world.decoded.tags
    return "\n".join(
        WORDS.label(key, path=name_path(tags(path)), product=world.worked(path)) for key, path in lines
    )


def name_path(tags: Sequence[str], most: int = 12) -> str:
    """Return the first states of a path as it is written in a sentence.

    >>> name_path(("hot", "cold"))
    'hot → cold'
    """
    return " → ".join(tags[:most]) + (" …" if len(tags) > most else "")


def show_before(settings: Settings) -> Part:
    """The best path of a diary, and the two numbers of the hot row at the first step."""
    world = read_world(settings)
    path = world.decoded.viterbi.path
    shown = [(1, *edge) for edge in world.edges]
    data = draw_paths(world.decoded, path, (), world.edges, shown)
    return Part("trellis", data, describe_world(world), world.lab)


def show_nudge(settings: Settings) -> Part:
    """One number moved a little: the best path before and after, with their products."""
    world = read_world(settings)
    paths = (world.decoded.viterbi.path, world.before.viterbi.path)
    data = draw_paths(world.decoded, *paths, world.edges, total=say_paths(world))
    return Part("trellis", data, describe_world(world), world.lab)


def show_crossing(settings: Settings) -> Part:
    """ln p of two paths as one number goes from 0 to 1, and where they cross."""
    world = read_world(settings)
    states = world.model.states
    paths = [[states.index(state) for state in path] for path in settings.paths]
    curves = {
        f"{name_path(path)}: {write_curve(world.curve(places))}": world.curve(places)
        for path, places in zip(settings.paths, paths, strict=True)
    }
    names = name_axes(world)
    if world.flip is not None:
        names["flip"] = WORDS.label("mark.flip", p=world.flip)
    figure = draw_crossing(curves, world.now, world.flip, names)
    values = describe_world(world) | {"curves": [write_curve(world.curve(each)) for each in paths]}
    return Part("figure", {"figure": figure.to_dict()}, values, world.lab)


def name_axes(world: World) -> dict[str, str]:
    """Return the labels of a picture over one probability."""
    cell = name_cell(world.words, world.cell)
    return {
        "x": WORDS.label("axis.p", cell=cell, diary=", ".join(world.words)),
        "y": WORDS.label("axis.ln_p"),
        "now": WORDS.label("mark.now", p=world.now),
    }


def show_several(settings: Settings) -> Part:
    """The best path for every value of one number, and each flip between two of them."""
    world = read_world(settings)
    labels = [name_path(world.decoded.tags(each.path)) for each in world.stretches]
    figure = draw_sweep(world.stretches, labels, world.now, name_axes(world))
    starts = [stretch.start for stretch in world.stretches[1:]]
    values = describe_world(world) | {"starts": [f"{start:.2f}" for start in starts]}
    return Part("figure", {"figure": figure.to_dict()}, values, world.lab)


def show_distances(settings: Settings) -> Part:
    """For each number of the tables, how far it must move before the best path flips."""
    words = tuple(corpus_words(settings.diary_sentence))
    rows = measure_distances(words)
    names = {
        "x": WORDS.label("axis.probability", diary=", ".join(words)),
        "now": WORDS.label("key.now"),
        "flip": WORDS.label("key.flip"),
        "never": WORDS.label("key.never"),
    }
    figure = draw_distances(rows, names)
    far = sorted((abs(flip - now), name) for name, now, flip in rows if flip is not None)
    values = {
        "near": far[0][0],
        "near_cell": far[0][1],
        "far": far[-1][0],
        "far_cell": far[-1][1],
        "never": [name for name, _, flip in rows if flip is None],
        "numbers": len(rows),
        "path": list(decode(shared_model("diary"), list(words)).tags(best_of(words))),
    }
    return Part("figure", {"figure": figure.to_dict()}, values)


def best_of(words: Sequence[str]) -> tuple[int, ...]:
    """Return the best path of a diary."""
    return decode(shared_model("diary"), list(words)).viterbi.path


def measure_distances(words: tuple[str, ...]) -> list[tuple[str, float, float | None]]:
    """Return each number that bears on a diary, its value and the nearest flip: the shortest way first, never last."""
    names = {".".join(map(str, cell)): name for name, cell in cells_of(shared_model("diary"), words).items()}
    worlds = [World(words, cell_of(each), 0.5) for each in CELLS if each in names]
    rows = [(name_cell(words, world.cell), world.now, world.flip) for world in worlds]
    return sorted(rows, key=lambda row: np.inf if row[2] is None else abs(row[2] - row[1]))


def cell_of(written: str) -> tuple[str, int, int]:
    """Return a cell as it is written in an address.

    >>> cell_of("transition.0.1")
    ('transition', 0, 1)
    """
    table, row, column = written.split(".")
    return table, int(row), int(column)


def ask_hot_days(settings: Settings) -> Part:
    """A world in which hot days end: the numbers that changed; the answer is the best path beside that of before."""
    world = read_world(settings)
    cold = tuple(
        t for t, state in enumerate(world.decoded.viterbi.path) if world.model.states[state] == "cold"
    )
    answers = {(): "none", (1,): "second", (1, 2): "last_two", (0, 1, 2): "all"}
    edges = write_transitions(world.model)
    if settings.revealed:
        paths = (world.decoded.viterbi.path, world.before.viterbi.path)
        data = draw_paths(world.decoded, *paths, edges, total=say_paths(world))
    else:
        shown = [(t, *edge) for t in range(1, len(world.words)) for edge in edges]
        data = draw_paths(world.decoded, (), (), edges, shown)
    emitted = np.exp(world.decoded.emissions.log_emission[0])
    values = describe_world(world) | {"revealed": settings.revealed, "emitted": emitted.tolist()}
    return Part("trellis", data, values, world.lab, tuple(answers.values()), answers[cold])


def show_mute(settings: Settings) -> Part:
    """Every state emits every word equally often: the best path without what the words say, and with it."""
    words = corpus_words(settings.diary_sentence)
    model = shared_model("diary")
    before, now = decode(model, words), decode(without_words(model), words)
    tags = [each.tags(each.viterbi.path) for each in (now, before)]
    keys = ("line.without", "line.with")
    total = "\n".join(
        WORDS.label(key, path=name_path(path), n=len(words)) for key, path in zip(keys, tags, strict=True)
    )
    paths = (now.viterbi.path, before.viterbi.path)
    data = draw_paths(now, *paths, write_transitions(model), total=total)
    values = {
        "after": list(tags[0]),
        "before": list(tags[1]),
        "differ": sum(one != other for one, other in zip(*tags, strict=True)),
        "n": len(words),
        "V": len(model.vocabulary),
    }
    return Part("trellis", data, values, {"diary_sentence": settings.diary_sentence, "mute": True})


def show_own(settings: Settings) -> Part:
    """The number that the learner moves: the best path before and after."""
    world = read_world(settings)
    now, before = world.decoded.viterbi.path, world.before.viterbi.path
    data = draw_paths(
        world.decoded, now, () if now == before else before, world.edges, total=say_paths(world)
    )
    moved = abs(world.p - world.now)
    values = describe_world(world) | {"flipped": now != before, "moved": moved}
    return Part("trellis", data, values, world.lab)


STORY = (
    look("before", show_before, diary_sentence="3 1 3", cell="transition.0.0"),
    look("nudge", show_nudge, diary_sentence="3 1 3", cell="transition.0.0", p=0.55),
    look(
        "crossing",
        show_crossing,
        diary_sentence="3 1 3",
        cell="transition.0.0",
        paths=(("hot", "cold", "hot"), ("hot", "hot", "hot")),
    ),
    look("distances", show_distances, diary_sentence="3 1 3"),
    look(
        "never",
        show_crossing,
        diary_sentence="3 3 3",
        cell="transition.1.0",
        paths=(("hot", "hot", "hot"), ("hot", "cold", "hot")),
    ),
    look("several", show_several, diary_sentence="3 1 3 2 1", cell="transition.0.0"),
    ask("hot_days", ask_hot_days, diary_sentence="3 3 3", cell="transition.0.0", p=0.1),
    look("mute_words", show_mute, diary_sentence="3 1 3"),
    do("own", show_own, CELL, P, diary_sentence="3 1 3"),
    end("answer", show_distances, diary_sentence="3 3 3"),
)


# The lab: every number can be edited.


def lab() -> None:
    """The best paths before and after the edits; the tables to edit; where one probability flips the path."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        name = LESSON.draw(MODEL, help="  \n".join(map(describe_model, MODEL.choices({}))))
        words = choose_sentence(LESSON, name)
        with LESSON.options():
            broken = LESSON.draw(MUTE)
    place = stage.container()
    with stage:
        st.caption(WORDS.label("edit"))
        original = model_of(name)
        edited = edit_tables(name, original)
    # What is compared: the tables as they were and as they are; or, broken, as they are, with the words and without.
    whole, model = (edited, without_words(edited)) if broken else (original, edited)
    which = ("with", "without") if broken else ("original", "edited")
    before_name, now_name = (WORDS.label(f"path.{each}") for each in which)
    before, now = decode(whole, words), decode(model, words)
    flipped = before.viterbi.path != now.viterbi.path
    with place:
        possible = not no_such_path(now)
        tables = now.model.log_transition.tobytes() + now.model.log_emission.tobytes()
        if possible and LESSON.ask(
            WORDS.label("question.mute" if broken else "question"),
            [WORDS.label("same"), WORDS.label("another")],
            WORDS.label("another" if flipped else "same"),
            f"{name}_{hash((tuple(words), tables))}",
        ):
            if flipped:
                paths = {now_name: now.viterbi.path, before_name: before.viterbi.path}
            else:
                paths = {WORDS.label("path.both", one=before_name, other=now_name): now.viterbi.path}
            show_paths(
                LESSON,
                now,
                paths,
                WORDS.label("alt.paths", flipped=flipped, before=before_name, now=now_name),
            )
            LESSON.say(
                "says.paths", {"flipped": flipped, **describe_paths(now, before, now_name, before_name)}
            )
            path_factors(
                LESSON,
                words,
                {now_name: (model, now.viterbi.path), before_name: (whole, before.viterbi.path)},
            )
    if broken:
        same = float(np.mean(np.array(before.viterbi.path) == np.array(now.viterbi.path)))
        LESSON.compare("mute", 1.0, same, ".0%")
    LESSON.button("keep", WORDS.label("keep.unbroken" if broken else "keep"), keep_own_model, edited)
    cell = next(iter(cells_of(model, words).values()), ("initial", 0, 0))
    if possible and (flips := LESSON.fold("flips")):
        with flips:
            cell = show_flips(name, model, words)
    LESSON.close_lab(
        code=[from_probabilities, with_probability, best_paths, curves_of, next_crossing],
        parameters={
            **written_tables(name, edited),
            "words": list(words),
            **dict(zip(("table", "row", "column"), cell, strict=True)),
        },
        prompts={
            "hot_days": {"model": "diary", "diary_sentence": "3 3 3", "diary_edits": EXAMPLES[1]},
            "fish": {"model": "toy", "toy_sentence": EXAMPLES[0], "toy_cell": "emission.1.1", "flips": True},
            "mute": {"mute": True},
        },
        credits=list_sources(),
    )


def describe_model(name: str) -> str:
    """Return what a model is, as the help of the choice says it."""
    return f"**{LESSON.label_of(f'model.{name}')}**: {LESSON.label_of(f'about.{name}')}"


def describe_paths(now: DecodedSentence, before: DecodedSentence, now_name: str, before_name: str) -> dict:
    """Return what the lab says of the two best paths."""
    ln_p, before_ln_p = (signed(each.viterbi.log_probability, 4) for each in (now, before))
    return {"ln_p": ln_p, "before": before_name, "ln_p_before": before_ln_p, "share": percent(now.posterior)}


def written_tables(name: str, edited: HiddenMarkovModel) -> dict[str, object]:
    """Return the notebook's parameters: the model's name, or its tables where they were edited."""
    if not LESSON.get_state(f"{name}_right_edits"):
        return model_parameters(name)
    logs = {
        "initial": edited.log_initial,
        "transition": edited.log_transition,
        "emission": edited.log_emission,
        "end": edited.log_end,
    }
    tables = {key: None if log is None else np.exp(log).round(9).tolist() for key, log in logs.items()}
    named = {"states": list(edited.states), "vocabulary": list(edited.vocabulary)}
    return {"tables": {**named, **tables}, "name": name}


def edit_tables(name: str, model: HiddenMarkovModel) -> HiddenMarkovModel:
    """Draw the grids of a model and return the model they describe; the edits are in the address, as numbers.

    While a row is no distribution a sentence says so, and the last tables that were right are returned; the address
    keeps their edits too.
    """
    grids, version = grids_of(model), begin_again(name)
    begun = with_edits(grids, read_edits(LESSON.get_state(f"{name}_begun", "")))
    places = [*st.columns([1, 1.2], gap="small"), st.container()]  # emissions are wide: a line of their own
    edited = {}
    for box, table in zip(places, TABLES, strict=True):
        title = WORDS.label(f"table.{table}")
        frame = pd.DataFrame(begun[table], *names_of(model, table)).rename_axis(WORDS.label("column.state"))
        with box:
            st.caption(title)
            if table == "emission" and len(frame.columns) > EDITED_AT_MOST:
                st.dataframe(frame.T, alt=title)
            else:
                frame = LESSON.edit_table(f"{name}_{table}_{version}", frame, disabled=["_index"])
        edited[table] = frame.to_numpy(dtype=float)
    LESSON.button("undo", WORDS.label("undo"), undo, name)
    edits = write_edits(edits_between(grids, edited))
    last_right = LESSON.get_state(f"{name}_right_edits", LESSON.get_query(f"{name}_last_right"))
    try:
        right, last_right, wrong = model_of_grids(model, edited), edits, False
    except ValueError as error:
        st.warning(WORDS.label("refused", error=str(error)))
        right, wrong = model_with_edits(model, grids, last_right), True
    LESSON.set_state(f"{name}_right_edits", last_right)
    remember(name, edits, last_right if wrong else "")
    return right


def model_with_edits(model: HiddenMarkovModel, grids: dict[str, np.ndarray], edits: str) -> HiddenMarkovModel:
    """Return a model with written edits made in its grids; as it is where they make no distributions."""
    try:
        return model_of_grids(model, with_edits(grids, read_edits(edits)))
    except ValueError:
        return model


def begin_again(name: str) -> int:
    """Return which editing of a model's tables this is: other edits, of a link or a prompt, or a return to it begin one."""
    kept, version = LESSON.get_state(f"{name}_kept"), LESSON.get_state(f"{name}_version", 0)
    given = "" if name == "yours" else LESSON.get_query(f"{name}_edits")
    away = (
        LESSON.get_state(f"{name}_transition_{version}") is None
    )  # the grids were not drawn in the last run
    if kept is None or away or (given and given != kept):
        version += 1
        LESSON.set_state(f"{name}_version", version)
        LESSON.set_state(f"{name}_begun", given or kept or "")
        if given and given != kept:
            LESSON.pop_state(f"{name}_right_edits")
    return version


def remember(name: str, edits: str, last_right: str) -> None:
    """Keep a model's edits, and put them into the address; those of the learner's own model stay in the session."""
    LESSON.set_state(f"{name}_kept", edits)
    if name != "yours":
        LESSON.set_query(f"{name}_edits", edits or None)
        LESSON.set_query(f"{name}_last_right", last_right or None)


def undo(name: str) -> None:
    """Go back to the model's own tables."""
    LESSON.set_query(f"{name}_edits", None)
    LESSON.set_query(f"{name}_last_right", None)
    for kept in ("kept", "right_edits"):
        LESSON.pop_state(f"{name}_{kept}")


def names_of(model: HiddenMarkovModel, table: str) -> tuple[list[str], list[str]]:
    """Return the names of a grid's rows and columns."""
    states = list(model.states)
    if table == "initial":
        return [WORDS.label("row.start")], states
    if table == "emission":
        return states, list(model.vocabulary)
    return states, states if model.log_end is None else [*states, sentence_end()]


def show_flips(name: str, model: HiddenMarkovModel, words: Sequence[str]) -> tuple[str, int, int]:
    """Draw the choice of one probability and the best path for each of its values; return which one it is."""
    cells, swept_words = cells_of(model, words), list(words[:SWEPT_AT_MOST])
    ids = {".".join(map(str, cell)): label for label, cell in cells.items()}
    choice = Choice(
        f"{name}_cell", next(iter(ids)), tuple(ids), {label: written for written, label in ids.items()}
    )
    left, right = st.columns([1, 3], gap="medium")
    with left:
        chosen = LESSON.choose_id(choice, WORDS.label("swept"), ids)
        stretches = best_paths(model, swept_words, *cell_of(chosen))
        st.caption(WORDS.label("swept.rest"))
        if len(words) > SWEPT_AT_MOST:
            st.caption(WORDS.label("swept.cut", most=SWEPT_AT_MOST, n=len(words)))
        flips = [stretch.start for stretch in stretches[1:]]
        st.text(WORDS.label("flips", places=[f"{value:.4f}" for value in flips]))
    with right:
        table, row, column = cell_of(chosen)
        now = float(np.exp(rows_of(model, table)[row, column]))
        alt = WORDS.label("alt.sweep", n=len(flips))
        LESSON.figure("sweep", sweep_figure(stretches, model.states, now, ids[chosen]), alt)
        for before, after in pairwise(stretches):
            st.latex(worked_flip(before, after))
    return table, row, column
