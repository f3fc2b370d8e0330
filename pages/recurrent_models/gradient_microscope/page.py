"""Vanishing and exploding gradients: what the story shows of random and trained networks, and the lab on both."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.recurrent_models.gradient import (
    LINEAR,
    flow_figure,
    name_curve,
    reading_figure,
    training_figure,
    worked_ratio,
)
from core.figures.token_label import label_token
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import language_model, model_labels, say_what_was_read
from core.lesson.every_number import Formula
from core.lesson.settings import Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.recurrent_models.clipped_training import LOST, ClippedTraining, train
from core.models.recurrent_models.clipping import clip_factor
from core.models.recurrent_models.drawn_weights import drawn_weights, spectral_radius, with_spectral_radius
from core.models.recurrent_models.gradient_flow import (
    GradientFlow,
    LossGradient,
    gradient_flow,
    largest_drop,
    loss_gradient,
)
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.shelf import sample
from core.words.numbers import plain_number
from pages.recurrent_models.gradient_microscope import LESSON
from pages.recurrent_models.gradient_microscope.figures import draw_flow, draw_training
from pages.recurrent_models.shared.recurrent_reading import CELLS, choose_text

WORDS = LESSON.words
WIDTH, LENGTH, SEEDS = 32, 60, 5  # of the story's random networks
MEDIUM, SMALL, LARGE = 0.9, 0.5, 1.5  # spectral radii of the story
SEEN = 10  # steps back that an ask shows before its answer
KEEPS = (0.1, 10.0)  # between these a gradient neither vanishes nor explodes
TRAINED_LENGTH_AT_MOST = 30
OPEN = 1 / (1 + np.exp(-1.0))  # a forget gate at a bias of 1, while nothing else moves it
CLIP, MEAN_OF = 1.0, 20
PLAY, PASSAGES, PASSAGE = "hamlet", 20, 59  # of its end, which no stored network was trained on
TRAINED = {"rnn": "char_rnn", "gru": "char_gru", "lstm": "char_lstm"}
FAR = 40  # characters back at which the trained networks are compared
BOUNDS = {"grown": 1.0, "hundredth": 0.01, "millionth": 1e-6, "nothing": 0.0}
BIASES = ("same", "thousand", "million")
RHO = Slider("rho", 0.9, 0.1, 2.0, 0.05)

# The lab's settings.
RADIUS = Slider("radius", 0.9, 0.1, 2.0, 0.05)
STEPS = Slider("length", 60, 2, 200, 1)
NO_TANH, NO_CLIP = Switch("no_tanh"), Switch("no_clip")
LAB = (RADIUS, STEPS, NO_TANH, NO_CLIP)


# The story: what each beat shows.


@lru_cache(maxsize=400)
def shares(cell: str, radius: float, of: str = "hidden_norms", forget_bias: float = 1.0) -> np.ndarray:
    """Return the share of the gradient left at each step back in five random networks, (5, 60)."""
    torch.set_num_threads(1)
    found = []
    for seed in range(1, SEEDS + 1):
        flow = gradient_flow(cell, radius, LENGTH, WIDTH, seed=seed, forget_bias=forget_bias)
        norms = getattr(flow, of).flip(0).numpy()
        found.append(norms / norms[0])
    return np.stack(found)


def left(of: np.ndarray) -> float:
    """Return the median share at the farthest step."""
    return float(np.median(of, axis=0)[-1])


def values_of(radius: float) -> dict[str, object]:
    """Return what the beats name: the radius, the distance, what is left of an RNN's gradient, the factor of a step."""
    share = left(shares("rnn", radius))
    factor = share ** (1 / (LENGTH - 1))
    return {
        "radius": radius,
        "back": LENGTH - 1,
        "units": WIDTH,
        "networks": SEEDS,
        "share": share,
        "factor": factor,
        "power": radius ** (LENGTH - 1),
        "in_lab": {"radius": radius},
    }


def ask_left(settings: Settings) -> Part:
    """The first steps back; the answer shows the gradient as far as the first step."""
    values = values_of(MEDIUM) | {"revealed": settings.revealed, "seen": SEEN}
    found = shares("rnn", MEDIUM)
    drawn = found if settings.revealed else found[:, : SEEN + 1]
    figure = draw_flow({"rnn": drawn}, (-6, 1), LENGTH)
    answer = next(name for name, bound in BOUNDS.items() if values["share"] >= bound)
    picture = {"figure": figure.to_dict()}
    return Part("figure", picture, values, values["in_lab"], choices=tuple(BOUNDS), answer=answer)


def show_factor(settings: Settings) -> Part:
    """The same curve next to the powers of the spectral radius."""
    values = values_of(MEDIUM)
    figure = draw_flow({"rnn": shares("rnn", MEDIUM)}, (-6, 1), LENGTH, power=MEDIUM)
    return Part("figure", {"figure": figure.to_dict()}, values, values["in_lab"])


def show_vanish(settings: Settings) -> Part:
    """A radius of one half: the gradient vanishes."""
    values = values_of(SMALL)
    figure = draw_flow({"rnn": shares("rnn", SMALL)}, (-20, 1), LENGTH)
    return Part("figure", {"figure": figure.to_dict()}, values, values["in_lab"])


def show_explode(settings: Settings) -> Part:
    """A radius above 1, with the tanh and without it."""
    values = values_of(LARGE)
    curves = {"rnn": shares("rnn", LARGE), "linear": shares("linear", LARGE)}
    values["linear"] = left(curves["linear"])
    figure = draw_flow(curves, (-2, 12), LENGTH)
    return Part("figure", {"figure": figure.to_dict()}, values, values["in_lab"] | {"no_tanh": True})


def do_radius(settings: Settings) -> Part:
    """The gradient for the radius that the learner sets."""
    radius = round(float(settings.rho), 2)
    values = values_of(radius)
    share = values["share"]
    values["case"] = "vanishes" if share < KEEPS[0] else "explodes" if share > KEEPS[1] else "stays"
    figure = draw_flow({"rnn": shares("rnn", radius)}, (-20, 5), LENGTH)
    return Part("figure", {"figure": figure.to_dict()}, values, values["in_lab"])


def show_cell(settings: Settings) -> Part:
    """At the same radius: the gradient at an RNN's state, and at an LSTM's cell."""
    values = values_of(SMALL)
    curves = {"rnn": shares("rnn", SMALL), "lstm": shares("lstm", SMALL, "cell_norms")}
    values |= {"lstm": left(curves["lstm"]), "open": OPEN, "gate": OPEN ** (LENGTH - 1)}
    figure = draw_flow(curves, (-20, 1), LENGTH)
    return Part("figure", {"figure": figure.to_dict()}, values, values["in_lab"])


def ask_bias(settings: Settings) -> Part:
    """An LSTM whose forget gate starts at 0.73; the answer adds one whose gate starts at 0.5."""
    values = values_of(SMALL) | {"revealed": settings.revealed}
    curves = {"bias1": shares("lstm", SMALL, "cell_norms")}
    half = shares("lstm", SMALL, "cell_norms", 0.0)
    if settings.revealed:
        curves["bias0"] = half
    values |= {"one": left(curves["bias1"]), "half": left(half)}
    values |= {"times": values["one"] / values["half"], "open": OPEN, "gate": OPEN ** (LENGTH - 1)}
    picture = {"figure": draw_flow(curves, (-20, 1), LENGTH).to_dict()}
    return Part("figure", picture, values, values["in_lab"], choices=BIASES, answer="million")


@cache
def trainings() -> dict[str, ClippedTraining]:
    """Return the same training with its gradient clipped, and without."""
    torch.set_num_threads(1)
    return {
        key: train(LARGE, TRAINED_LENGTH_AT_MOST, clip) for key, clip in (("clipped", CLIP), ("free", None))
    }


def show_clip(settings: Settings) -> Part:
    """The loss of a training with clipping and of the same training without it."""
    runs = trainings()
    values = {
        "clip": CLIP,
        "length": TRAINED_LENGTH_AT_MOST,
        "radius": LARGE,
        "ends": len(runs["free"].losses),
        "reached": float(np.mean(runs["clipped"].losses[-MEAN_OF:])),
        "mean_of": MEAN_OF,
        "longest": max(runs["free"].norms),
    }
    figure = draw_training({key: run.losses for key, run in runs.items()}, (-2, 8))
    return Part("figure", {"figure": figure.to_dict()}, values, {"radius": LARGE, "no_clip": True})


@cache
def trained_shares() -> dict[str, np.ndarray]:
    """Return the share of the gradient left at each character back in the stored networks, {cell: (passages, 59)}."""
    torch.set_num_threads(1)
    text, found = sample(PLAY).read().text[-PASSAGES * PASSAGE :], {}
    for cell, name in TRAINED.items():
        model, runs = stored_language_model(name), []
        for start in range(0, len(text), PASSAGE):
            ids = torch.tensor((model.start, *encode(name, text[start : start + PASSAGE]).ids))
            gradient = loss_gradient(model.network, ids)
            of = gradient.cell_gradients if cell == "lstm" else gradient.hidden_gradients
            norms = of.norm(dim=1).flip(0).numpy()
            runs.append(norms / norms[0])
        found[cell] = np.stack(runs)
    return found


def show_trained(settings: Settings) -> Part:
    """What trained networks pass back, the median over passages that they were not trained on."""
    found = trained_shares()
    median = {cell: np.median(runs, axis=0) for cell, runs in found.items()}
    more = {cell: int((found[cell] > found["rnn"])[:, FAR].sum()) for cell in ("gru", "lstm")}
    values = {
        "far": {cell: float(each[FAR]) for cell, each in median.items()},
        "more": more,
        "n": FAR,
        "passages": PASSAGES,
        "read": PASSAGE,
        "all": PASSAGES * PASSAGE,
    }
    curves = {cell: each[None] for cell, each in median.items()}
    figure = draw_flow(curves, (-4, 0), PASSAGE, axis="axis.characters")
    return Part("figure", {"figure": figure.to_dict()}, values)


def show_answer(settings: Settings) -> Part:
    """Three RNNs and an LSTM: below, near and above the radius that keeps a gradient."""
    values = values_of(MEDIUM)
    curves = {
        "linear": shares("linear", LARGE),
        "rnn": shares("rnn", SMALL),
        "lstm": shares("lstm", SMALL, "cell_norms"),
    }
    values |= {"rnn": left(curves["rnn"]), "lstm": left(curves["lstm"]), "linear": left(curves["linear"])}
    figure = draw_flow(curves, (-20, 12), LENGTH)
    return Part("figure", {"figure": figure.to_dict()}, values, {"radius": SMALL})


STORY = (
    ask("left", ask_left),
    look("factor", show_factor),
    look("vanish", show_vanish),
    look("explode", show_explode),
    do("balance", do_radius, RHO),
    look("cell", show_cell),
    ask("bias", ask_bias),
    look("clipping", show_clip),
    look("trained", show_trained),
    end("answer", show_answer),
)


# The lab: random networks' gradients against distance, a training with clipping and without, the trained networks.


def lab() -> None:
    """Random networks' gradients against distance; a training with clipping and without; the trained networks'."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        radius, length = LESSON.draw(RADIUS), LESSON.draw(STEPS)
        linear = LESSON.draw(NO_TANH)
        with LESSON.options():
            seeds = LESSON.slider("seeds", WORDS.label("seeds"), 1, 12, 5, help=WORDS.label("seeds.help"))
            clip = LESSON.slider("clip", WORDS.label("clip"), 0.1, 10.0, 1.0, step=0.1)

    runs = gradients(radius, length, seeds, linear)
    median = {name: np.median(norms, axis=0) for name, norms in runs.items()}
    arrives = median["RNN, h"][-1] / median["RNN, h"][0]
    with stage:
        choices = {name: WORDS.label(f"left.choice.{name}") for name in BOUNDS}
        revealed = LESSON.ask(
            WORDS.label("guess", radius=f"{radius:g}", back=length - 1),
            list(choices.values()),
            choices[next(name for name, bound in BOUNDS.items() if arrives >= bound)],
            f"{radius}_{length}_{seeds}",
        )
        if revealed:
            farthest = [
                (
                    name_curve(name),
                    *map(float, (np.median(norms[:, -1]), norms[:, -1].min(), norms[:, -1].max())),
                )
                for name, norms in runs.items()
            ]
            alt = WORDS.label("flow.alt", back=length - 1, curves=farthest, seeds=seeds)
            LESSON.figure("flow", flow_figure(runs, radius), alt)
            say_what_is_left(median)
            show_shares_left(median, flow("rnn", radius, length, 1), clip)
        st.markdown(WORDS.markdown("meaning"))
    if revealed:
        if linear:
            straight = median[LINEAR]
            LESSON.compare("tanh", median["RNN, h"][-1], straight[-1], ".2e", None)
        LESSON.every_number(WORDS.label("table.norms"), flow_table, median)
    if box := LESSON.fold("clipping"):
        with box:
            show_clipping(radius, length, clip)
    if box := LESSON.fold("stored"):
        with box:
            show_stored()
    LESSON.close_lab(
        code=[
            *(gradient_flow, drawn_weights, with_spectral_radius, spectral_radius),
            *(loss_gradient, largest_drop, clip_factor, train),
        ],
        parameters={"radius": radius, "length": length, "clip": clip},
        prompts={
            "small": {"radius": 0.5, "length": 60},
            "many": {"radius": 1.5, "length": 100, "seeds": 12},
            "bare": {"radius": 1.5, "length": 30, "no_tanh": True, "clipping": True, "no_clip": True},
        },
    )


@cached(150, 0, shared=True)
def flow(cell: str, radius: float, length: int, seed: int) -> GradientFlow:
    """Return one random network's gradient through time; it depends on no learner's text, so all share it."""
    torch.set_num_threads(1)
    found = gradient_flow(cell, radius, length, WIDTH, seed=seed)
    found.weights.W_h.requires_grad_(False)
    return found


@lru_cache(maxsize=5000)
def norms_back(cell: str, radius: float, length: int, seed: int, of: str) -> np.ndarray:
    """Return one network's norms from the last step backwards, (T,), a few kB where its whole flow is a hundred."""
    return getattr(flow(cell, radius, length, seed), of).flip(0).numpy()


def gradients(radius: float, length: int, seeds: int, linear: bool) -> dict[str, np.ndarray]:
    """Return the norms of dL/dh and dL/dc from the last step backwards, for the seeds 1 to `seeds`, (seeds, T)."""

    def norms(cell: str, of: str = "hidden_norms") -> np.ndarray:
        return np.stack([norms_back(cell, radius, length, seed, of) for seed in range(1, seeds + 1)])

    runs = {"RNN, h": norms("rnn"), "LSTM, h": norms("lstm"), "LSTM, c": norms("lstm", "cell_norms")}
    return runs | ({LINEAR: norms("linear")} if linear else {})


def say_what_is_left(median: Mapping[str, np.ndarray]) -> None:
    """Say how much of the gradient arrives at the farthest step, and what factor a step that comes to."""
    back, values = len(median["RNN, h"]) - 1, {}
    for key, name in (("rnn", "RNN, h"), ("lstm", "LSTM, c")):
        share = median[name][-1] / median[name][0]
        values[key] = {
            "share": plain_number(share, 2),
            "grown": share > 1,
            "factor": plain_number(share ** (1 / back)),
        }
    LESSON.say("says.left", {"back": back, **values})


def show_shares_left(median: Mapping[str, np.ndarray], whole: GradientFlow, clip: float) -> None:
    """Show how much of the gradient arrives, and the length of the whole gradient before and after clipping."""
    one, two, three = st.columns(3)
    state, cell = median["RNN, h"], median["LSTM, c"]
    back = len(state) - 1
    one.metric(WORDS.label("metric.rnn", back=back), plain_number(state[-1] / state[0], 2))
    two.metric(WORDS.label("metric.lstm", back=back), plain_number(cell[-1] / cell[0], 2))
    norm = whole.parameter_norm
    clipped = norm * clip_factor(norm, clip)
    three.metric(WORDS.label("metric.clipped"), f"{plain_number(norm)} → {plain_number(clipped)}")
    st.caption(WORDS.label("how", units=WIDTH))


def flow_table(median: Mapping[str, np.ndarray]) -> tuple[pd.DataFrame, Formula]:
    """Return the median norms at every distance, and the formula of a cell."""
    columns = {WORDS.label("column.back"): np.arange(len(median["RNN, h"]))} | dict(median)

    def formula(row: int, column: str) -> str | None:
        """Say how much is left at this distance."""
        return worked_ratio(column[-1], median[column], row) if column in median else None

    return pd.DataFrame(columns), formula


@cached(60, 0, shared=True)
def training(radius: float, length: int, clip: float | None) -> ClippedTraining:
    """Return a training of the network with seed 1, the gradient clipped or as it is: None."""
    torch.set_num_threads(1)
    return train(radius, length, clip, seed=1)


def show_clipping(radius: float, length: int, clip: float) -> None:
    """Draw the switch, and what becomes of a training without clipping next to the same one with it."""
    length = min(length, TRAINED_LENGTH_AT_MOST)
    values = {"units": WIDTH, "radius": f"{radius:g}", "length": length, "clip": f"{clip:g}"}
    st.markdown(WORDS.markdown("task", **values))
    if not LESSON.draw(NO_CLIP):
        return  # two trainings take seconds, too long to wait for at every move of a slider
    not_clipped = training(radius, length, None)
    never = max(not_clipped.norms) <= clip  # min(1, c / |g|) is 1 at every step: the same training
    clipped = not_clipped if never else training(radius, length, clip)
    went = {WORDS.label("curve.clipped"): clipped, WORDS.label("curve.free"): not_clipped}
    figure = training_figure({name: run.losses for name, run in went.items()})
    LESSON.figure("training", figure, WORDS.label("training.alt"))
    st.text(what_clipping_did(clipped, not_clipped))
    means = [float(np.mean(run.losses[-MEAN_OF:])) for run in (clipped, not_clipped)]
    LESSON.compare("clip", *means, ".3g", more_is_better=False)


def what_clipping_did(clipped: ClippedTraining, not_clipped: ClippedTraining) -> str:
    """Say whether clipping did anything, how long the gradients were, and how the training without it ended."""
    last = not_clipped.losses[-1]
    ended = "stayed" if last <= LOST else "passed" if last > LOST else "undefined"
    return WORDS.label(
        "did",
        changed=clipped.used != clipped.norms,
        clipped=plain_number(max(clipped.norms)),
        used=f"{max(clipped.used):.3g}",
        free=plain_number(max(not_clipped.norms)),
        ended=ended,
        step=len(not_clipped.losses),
    )


@cached(120, 30, shared=no_typed_words)
def read_gradient(name: str, ids: tuple[int, ...]) -> LossGradient:
    """Return the gradient of the loss at the last of `ids` in a stored network."""
    torch.set_num_threads(1)
    return loss_gradient(stored_language_model(name).network, torch.tensor(ids))


def show_stored() -> None:
    """Draw how the loss at one character of a sentence depends on the states before it, in every trained network."""
    labels = model_labels()
    controls, stage = LESSON.stage("trained")
    notes = st.container()
    with controls:
        document = text_source()
        stored = {cell: language_model(label, document) for cell, label in CELLS.items() if label in labels}
        text = choose_text(LESSON, document, notes)
        first = next(iter(stored.values()))
        prompt = first.encode(text)
        with notes:
            say_what_was_read(first, prompt)
        if not prompt.ids:
            notes.info(WORDS.label("nothing"))
            return
        place = choose_place(len(prompt.ids))
    found = {
        cell: read_gradient(labels[CELLS[cell]], (each.model.start, *each.encode(text).ids[:place]))
        for cell, each in stored.items()
    }
    norms = {f"{cell}, h": run.hidden_gradients.norm(dim=1).numpy() for cell, run in found.items()}
    if "LSTM" in found:
        norms["LSTM, c"] = found["LSTM"].cell_gradients.norm(dim=1).numpy()
    characters = [first.names[i] for i in found[next(iter(found))].ids]
    with stage:
        LESSON.figure(
            "trained",
            reading_figure(norms, characters),
            WORDS.label("reading.alt"),
        )
        target = label_token(first.names[next(iter(found.values())).target])
        costs = ", ".join(f"{cell} {run.loss:.2f}" for cell, run in found.items())
        st.text(WORDS.label("says.loss", target=target, costs=costs))
        if place > 1:
            st.text(WORDS.label("says.drops", drops=drops(norms, characters)))
        st.caption(WORDS.label("colours"))


def drops(norms: Mapping[str, np.ndarray], characters: list[str]) -> str:
    """Say for each network over which character its gradient shrinks most, if over any, and by what factor."""
    found = {name: largest_drop(values) for name, values in norms.items()}
    return "; ".join(
        WORDS.label("drop", name=name, x=label_token(characters[t]), ratio=f"{ratio:.2g}", drops=ratio < 1)
        for name, (t, ratio) in found.items()
    )


def choose_place(length: int) -> int:
    """Draw the choice of the character whose loss is looked at; at first it is the last."""
    return LESSON.slider("place", WORDS.label("place"), 1, length, length) if length > 1 else 1
