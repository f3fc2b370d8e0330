"""Backpropagation through time: what the story shows of one gradient on its way back, and the lab on any word."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.figures.frame import frame
from core.figures.recurrent_models.gradient import (
    matrix,
    unrolled_states,
    worked_back,
    worked_last,
    worked_most,
    worked_weights,
)
from core.figures.token_label import label_token
from core.figures.worked import number
from core.lesson.cached import cached, no_typed_words
from core.lesson.every_number import Formula
from core.lesson.predict_first import Question
from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.recurrent_models.chain_rule import backpropagated, factors, last_gradient, weight_gradients
from core.models.recurrent_models.gradient_flow import loss_gradient
from core.models.recurrent_models.unrolled_word import Unrolled, unrolled_word
from pages.recurrent_models.backpropagation_through_time import LESSON
from pages.recurrent_models.backpropagation_through_time.figures import (
    draw_bars,
    draw_last,
    draw_step,
    draw_unrolled,
)

WORDS = LESSON.words
EXAMPLES = ("remembering",)  # the story's word
WIDTH, SEED = 2, 51  # of the story's network; other seeds are in the lab
MEDIUM, SMALL, LARGE = 0.9, 0.3, 2.0  # spectral radii of the story
KEEPS = (0.5, 2.0)  # between these a gradient keeps about its length
ENOUGH = 0.1  # the error of a gradient that is cut, at most
LEFT = ("half", "tenth", "fiftieth")
RHO = Slider("rho", 0.9, 0.1, 2.0, 0.05)

# The lab's settings.
WORD, AT_MOST = "hello", 12
TYPED = Text("word", WORD, AT_MOST)
HIDDEN = Slider("width", 2, 2, 4, 1)
RADIUS = Slider("radius", 0.9, 0.1, 2.0, 0.05)
TRUNCATED, KEPT = Switch("truncated"), Slider("kept", 2, 1, AT_MOST - 1, 1)
LAB = (TYPED, HIDDEN, RADIUS, TRUNCATED, KEPT)


# The story: what each beat shows.


@cache
def story_read(radius: float) -> Unrolled:
    """Return the way back through the story's word, for W_h of this spectral radius."""
    torch.set_num_threads(1)
    return unrolled_word(EXAMPLES[0], WIDTH, radius, SEED)


def values_of(radius: float) -> dict[str, object]:
    """Return what all beats name: the word, its last character, its loss, the first and the last gradient."""
    read = story_read(radius)
    p = float(read.automatic.probabilities[read.automatic.target])
    share = float(read.norms[0] / read.norms[-1])
    return {
        "word": EXAMPLES[0],
        "target": read.target,
        "T": read.T,
        "H": WIDTH,
        "p": p,
        "loss": float(-np.log(p)),
        "last": float(read.norms[-1]),
        "first": float(read.norms[0]),
        "share": share,
        "radius": radius,
        "shown_in_lab": {"word": EXAMPLES[0], "radius": radius},
    }


def show_loss(settings: Settings) -> Part:
    """The unrolled network, read forwards: the loss stands at its end."""
    values = values_of(MEDIUM)
    picture = draw_unrolled(story_read(MEDIUM), values["loss"], back=False)
    return Part("machine", picture, values, values["shown_in_lab"])


def show_last(settings: Settings) -> Part:
    """How wrong each probability is, and the gradient at the last state."""
    values, read = values_of(MEDIUM), story_read(MEDIUM)
    values["wrong"] = values["p"] - 1
    return Part("machine", draw_last(read, values["loss"]), values, values["shown_in_lab"])


def show_step(settings: Settings) -> Part:
    """One step back in numbers: times the slopes of the tanh, times the weights."""
    values, read = values_of(MEDIUM), story_read(MEDIUM)
    values |= {"before": float(read.norms[-2]), "ratio": float(read.ratios[-1])}
    return Part("machine", draw_step(read), values, values["shown_in_lab"])


def bars_of(read: Unrolled, hidden: int = 0) -> list[tuple[str, str, float, str]]:
    """Return the gradient's length at each state as a row, the last state first; the first `hidden` are not told."""
    rows = []
    for t in reversed(range(read.T)):
        name = WORDS.label("row.state", t=t + 1, x=label_token(read.characters[t]))
        norm = float(read.norms[t])
        told = t >= hidden
        rows.append((f"h{t + 1}", name, norm if told else 0.0, short(norm) if told else "?"))
    return rows


def short(value: float) -> str:
    """Return a length with three digits, a very small or large one as a power of ten.

    >>> short(0.4903), short(31.02), short(4.9e-7)
    ('0.490', '31.0', '4.9e−7')
    """
    if value and not 1e-3 <= value < 1e4:
        return f"{value:.1e}".replace("e-0", "e−").replace("e-", "e−").replace("e+0", "e")
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def ask_reach(settings: Settings) -> Part:
    """The gradient at the last states; the answer shows all, back to the first."""
    values, read = values_of(MEDIUM), story_read(MEDIUM)
    values["revealed"] = settings.revealed
    rows = bars_of(read, 0 if settings.revealed else read.T - 2)
    title = WORDS.label("title.norms", **values)
    picture = draw_bars(title, 1.25 * float(read.norms.max()), rows, ["h1"])
    return Part("layer_bars", picture, values, values["shown_in_lab"], choices=LEFT, answer="fiftieth")


def show_radius(settings: Settings) -> Part:
    """The gradient's length at each state, for the beat's spectral radius."""
    radius = settings.radius
    values, read = values_of(radius), story_read(radius)
    title = WORDS.label("title.norms", **values)
    picture = draw_bars(title, 1.25 * float(read.norms.max()), bars_of(read), ["h1"])
    return Part("layer_bars", picture, values, values["shown_in_lab"])


def do_radius(settings: Settings) -> Part:
    """The gradient at the last and at the first state, for the radius that the learner sets."""
    radius = round(float(settings.rho), 2)
    values, read = values_of(radius), story_read(radius)
    share = values["share"]
    values["case"] = "less" if share < KEEPS[0] else "more" if share > KEEPS[1] else "same"
    title = WORDS.label("title.norms", **values)
    picture = draw_bars(title, 1.25 * float(read.norms.max()), bars_of(read), ["h1", f"h{read.T}"])
    return Part("layer_bars", picture, values, values["shown_in_lab"])


def show_weights(settings: Settings) -> Part:
    """What each step adds to the gradient of the one matrix W_h."""
    values, read = values_of(MEDIUM), story_read(MEDIUM)
    sizes = read.parts.flatten(1).norm(dim=1).numpy()
    rows = []
    for t in reversed(range(read.T)):
        name = WORDS.label("row.step", t=t + 1, x=label_token(read.characters[t]))
        rows.append((f"step{t + 1}", name, float(sizes[t]), short(float(sizes[t]))))
    values |= {"one": float(sizes[-1]), "whole": float(read.parts.sum(0).norm()), "early": float(sizes[1])}
    picture = draw_bars(WORDS.label("title.parts"), 1.25 * float(sizes.max()), rows)
    return Part("layer_bars", picture, values, values["shown_in_lab"])


def show_cut(settings: Settings) -> Part:
    """The error of the gradient of W_h if the way back is cut after k steps."""
    values, read = values_of(MEDIUM), story_read(MEDIUM)
    errors = {k: read.error_of_last(k) for k in range(1, read.T)}
    enough = next(k for k in errors if all(errors[each] < 2 * ENOUGH for each in errors if each >= k))
    rows = [(f"k{k}", WORDS.label("row.kept", k=k), error, f"{error:.0%}") for k, error in errors.items()]
    values |= {"enough": enough, "error": errors[enough], "two": errors[2]}
    title = WORDS.label("title.cut")
    picture = draw_bars(title, 1.25 * max(errors.values()), rows, [f"k{enough}"])
    return Part("layer_bars", picture, values, values["shown_in_lab"] | {"truncated": True, "kept": enough})


def show_answer(settings: Settings) -> Part:
    """The unrolled network again, with the gradient's way back and its length at the states."""
    values = values_of(MEDIUM)
    picture = draw_unrolled(story_read(MEDIUM), values["loss"], back=True)
    return Part("machine", picture, values, values["shown_in_lab"])


STORY = (
    look("loss", show_loss),
    look("last", show_last),
    look("back", show_step),
    ask("reach", ask_reach),
    look("vanish", show_radius, radius=SMALL),
    look("explode", show_radius, radius=LARGE),
    do("balance", do_radius, RHO),
    look("weights", show_weights),
    look("cut", show_cut),
    end("answer", show_answer),
)


# The lab: a word is read forwards, its last character's loss comes back step by step, and the way may be cut.


def lab() -> None:
    """A word is read forwards, its last character's loss comes back step by step, and the way may be cut."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        word = choose_word(notes)
        width, radius = LESSON.draw(HIDDEN), LESSON.draw(RADIUS)
        truncated = LESSON.draw(TRUNCATED)
        kept = LESSON.draw(KEPT) if truncated else AT_MOST
        with LESSON.options():
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1)

    read = read_word(word, width, radius, seed)
    kept = min(kept, read.T)
    names = names_of_steps(read, kept)
    with stage:
        about = f"{word}_{width}_{radius}_{seed}_{kept}"
        seen = LESSON.ask_in_turn(len(names), lambda step: question_of(read, step, kept, about))
        frames = [frame_of(read, step, kept, names[step]) for step in range(seen)]
        LESSON.steps(frames, len(names), start=2, shared=unrolled_states(read, min(seen, kept), kept))
        st.caption(WORDS.label("colours"))
    if truncated:
        st.markdown(cost_of_cutting(read, kept))
        error = read.error_of_last(kept)
        LESSON.compare("cut", 0.0, error, ".1%", more_is_better=False)

    # Who predicts first sees the numbers of the steps already taken only.
    LESSON.every_number(WORDS.label("table.gradients"), gradient_table, read, kept, min(seen, kept))
    LESSON.close_lab(
        code=[backpropagated, last_gradient, factors, weight_gradients, loss_gradient, Unrolled],
        parameters={"word": word, "width": width, "radius": radius, "seed": seed},
        prompts={
            "small": {"radius": 0.3, "step": 4},
            "large": {"radius": 1.9, "word": "abracadabra"},
            "one": {"truncated": True, "kept": 1, "step": 2},
        },
    )


@cached(128, 32, shared=no_typed_words)
def read_word(word: str, width: int, radius: float, seed: int) -> Unrolled:
    """Return the way back through a word."""
    torch.set_num_threads(1)  # a few numbers: more threads would only wait for one another
    return unrolled_word(word, width, radius, seed)


def choose_word(notes: DeltaGenerator) -> str:
    """Draw the field for a word and return one of two to twelve characters, saying when the learner's is shorter."""
    word = LESSON.text("word", WORDS.label("word"), WORD, max_chars=AT_MOST, live=True)
    if len(word) < 2:
        notes.info(WORDS.label("too_short", word=WORD))
        return WORD
    return word[:AT_MOST]


def names_of_steps(read: Unrolled, kept: int) -> list[str]:
    """Return the names of the steps: the loss, one step back after another as far as it is carried, the sum."""
    middle = [WORDS.label("step.back", after=t + 1, before=t) for t in range(read.T - 1, read.T - kept, -1)]
    return [WORDS.label("step.loss"), *middle, WORDS.label("step.sum", kept=kept, T=read.T)]


def question_of(read: Unrolled, step: int, kept: int, about: str) -> Question | None:
    """Return the question before a step back: whether the gradient gets shorter; of the first and the last, nothing."""
    if not 0 < step < kept or not read.norms[-1]:
        return None
    t = read.T - step
    choices = [WORDS.label("shorter"), WORDS.label("longer")]
    return Question(
        WORDS.label("guess", t=t + 1, norm=f"{read.norms[t]:.3g}"),
        choices,
        choices[0] if read.norms[t - 1] < read.norms[t] else choices[1],
        f"{about}_{step}",
    )


def frame_of(read: Unrolled, step: int, kept: int, name: str) -> dict:
    """Return one step as it is shown: how far back the gradient has come, its equation, and autograd's numbers."""
    reached = min(step + 1, kept)
    cut = reached == kept < read.T  # the gradient has come to where it is cut
    notes, formulas = compare(read, step, kept)
    return frame(
        name,
        {"kind": "unrolled", "reached": reached},
        WORDS.label("unrolled.alt", T=read.T, t=read.T - reached + 1, cut=cut),
        way_back(read, reached, cut),
        notes,
        [formula_of(read, step, kept), *formulas],
    )


def way_back(read: Unrolled, reached: int, cut: bool) -> str:
    """Say in a sentence how long the gradient was at the last state, and how long it is as far back as it has come."""
    T, steps = read.T, reached - 1
    values = {"T": T, "steps": steps, "cut": cut, "t": T - steps, "zero": not read.norms[-1]}
    values |= {"last": f"{read.norms[-1]:.4g}", "here": f"{read.norms[T - reached]:.4g}"}
    return WORDS.label("says.back", **values, share=f"{np.prod(read.ratios[T - reached :]):.3g}")


def formula_of(read: Unrolled, step: int, kept: int) -> str:
    """Return the step's equation with its numbers."""
    if step == 0:
        return worked_last(
            read.E.numpy(),
            read.automatic.probabilities.numpy(),
            read.automatic.target,
            read.by_hand[-1].numpy(),
            [label_token(token) for token in read.tokens],
        )
    if step == kept:
        return worked_weights(read.parts[-kept:].numpy(), last=read.T)
    t = read.T - step  # counts from 0: the state that the gradient leaves
    hidden, gradients = read.automatic.hidden.numpy(), read.by_hand.numpy()
    return worked_back(read.W_h.numpy(), hidden[t], gradients[t], gradients[t - 1], t + 1)


def compare(read: Unrolled, step: int, kept: int) -> tuple[list[str], list[str]]:
    """Return the length of the sum in a sentence, or what autograd has for the gradient of this step as a formula."""
    if step == kept:
        norm = f"{read.parts[-kept:].sum(0).norm().item():.4g}"
        return [WORDS.label("length", norm=norm)], []
    t = read.T - 1 - step
    automatic = read.automatic.hidden_gradients[t].numpy()
    difference = float(np.abs(automatic - read.by_hand[t].numpy()).max())
    return [], [
        rf"\begin{{gathered}}\text{{{WORDS.label('autograd')}}}\ {matrix(automatic)} \\ "
        rf"\text{{{WORDS.label('difference')}}}\ {number(difference, 2)}\end{{gathered}}"
    ]


def cost_of_cutting(read: Unrolled, kept: int) -> str:
    """Say what cutting leaves out of the gradient of W_h; the first step adds nothing, since no state is before it."""
    return WORDS.markdown("cost", T=read.T, kept=kept, zero=not read.norms[-1])


def gradient_table(read: Unrolled, kept: int, reached: int) -> tuple[pd.DataFrame, Formula]:
    """Return the last `reached` gradients by hand and by autograd, and the formula of a cell."""
    first = read.T - reached
    column = {key: WORDS.label(f"column.{key}") for key in ("step", "read", "norm", "times", "most")}
    columns = {
        column["step"]: np.arange(first + 1, read.T + 1),
        column["read"]: [label_token(each) for each in read.characters[first:]],
        column["norm"]: read.norms[first:],
        column["times"]: [*read.ratios[first:], None],  # from the state after it; the last has none
        column["most"]: [*read.most[first + 1 :], None],
    }
    for j in range(read.by_hand.shape[1]):
        columns[WORDS.label("column.hand", j=j)] = read.by_hand[first:, j].numpy()
        columns[WORDS.label("column.autograd", j=j)] = read.automatic.hidden_gradients[first:, j].numpy()

    def formula(row: int, name: str) -> str | None:
        """Fill in the step that gave this row's gradient."""
        t = first + row
        if name == column["times"] and row < reached - 1:
            return (
                rf"\frac{{{number(read.norms[t])}}}{{{number(read.norms[t + 1])}}} = {number(read.ratios[t])}"
            )
        if name == column["most"] and row < reached - 1:
            return worked_most(read.factors[t + 1].numpy(), read.most[t + 1], t + 2)
        known = name == column["norm"] or name not in column.values()
        return formula_of(read, reached - 1 - row, kept) if known else None

    return pd.DataFrame(columns), formula
